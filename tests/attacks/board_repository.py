"""A board in a git repository, and proposals to it: one branch each, checked out beside it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replay.cassettes.cassette_file import dump
from replay.cassettes.redaction import clean
from tests.conftest import Folder, call_case, small_board, text_case
from tests.judge_prompts import judge_prompt
from tests.runners.agents.agents_board import SCENES, add_suite
from tests.runners.agents.agents_board import SUITE as APIS
from tests.runners.model_board import TYPING, acted_case

CALLS = {f"A{n:03}": (n, unit) for n, unit in enumerate(("yards", "feet", "miles") * 6, 1)}
TEXTS = {
    "B001": "It is Paris.",
    "B002": "In 1969.",
    "B003": "It was Ada Lovelace.",
    "B004": "About 8,849 metres.",
}


def records(
    *passed: str, texts: dict[str, str] | None = None, off: int = 100
) -> list[dict[str, Any]]:
    """A record for every case of `small`. The named calls are right, and so are the texts.

    All other calls have an amount that is `off` by so much.
    """
    made = []
    for case_id, (value, unit) in CALLS.items():
        amount = value if case_id in passed else value + off
        arguments = {"value": amount, "to_unit": unit}
        call = {"name": "convert_units", "arguments": arguments}
        made.append({"id": case_id, "model_function_call": call, "model_text": None})
    said = TEXTS | (texts or {})
    return [*made, *({"id": case_id, "model_text": text} for case_id, text in said.items())]


def right(number: int, off: int = 100) -> list[dict[str, Any]]:
    """Records with so many right calls."""
    return records(*list(CALLS)[:number], off=off)


@dataclass(frozen=True)
class Branch:
    """A proposal: its checkout, beside the base."""

    base: Folder
    proposed: Folder

    def review(self, *options: str) -> tuple[int, str]:
        """Runs `lb review` as the workflow does. Returns its exit code and the report."""
        self.commit("A proposal")
        out = self.proposed.root.parent / f"{self.proposed.root.name}.md"
        places = ("--base", str(self.base.root), "--proposed", str(self.proposed.root))
        done = self.base.lb("review", *places, "--out", str(out), *options)
        assert out.exists(), done.output
        return done.exit_code, out.read_text(encoding="utf-8")

    def commit(self, message: str) -> None:
        git(self.proposed.root, "add", "--all")
        git(self.proposed.root, "commit", "--quiet", "--allow-empty", "--message", message)

    def record(self) -> None:
        """Records the judge calls that the proposal needs."""
        done = self.proposed.lb("rescore")
        assert done.exit_code == 0, done.output

    def replace(self, name: str, old: str, new: str) -> int:
        """Replaces a text in a file. Returns how often it was there."""
        path = self.proposed.root / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        return text.count(old)


def git(root: Path, *arguments: str) -> str:
    """Runs git without the settings of this machine, at a time that never changes."""
    known = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "A" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "a@example.org" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_DATE": "2026-02-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")},
    }
    done = subprocess.run(
        ["git", *arguments],
        cwd=root,
        env={**os.environ, **known},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


class BoardRepository:
    """The base: three suites, three submissions, recorded judge calls and a snapshot."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.base = small_board(root / "base")
        self._write()
        git(self.base.root, "init", "--quiet", "--initial-branch", "main")
        git(self.base.root, "add", "--all")
        git(self.base.root, "commit", "--quiet", "--message", "The board")

    def branch(self, name: str) -> Branch:
        """Checks a new branch out beside the base."""
        place = self.root / name
        git(self.base.root, "worktree", "add", "--quiet", "-b", name, str(place))
        return Branch(self.base, Folder(place))

    def _write(self) -> None:
        base = self.base
        base.write(".gitignore", "/results/\n/_site/\n")
        cases = [call_case(case_id, *asked) for case_id, asked in CALLS.items()]
        base.write("datasets/small/tool_selection.json", cases)
        base.write("datasets/small/no_tool.json", [text_case(*asked) for asked in TEXTS.items()])
        base.write("datasets/typing/suite.toml", TYPING)
        typed = {"expected_steps": ["type_letter"] * 2, "reference": "hi", "state": "hi"}
        base.write("datasets/typing/typing.json", [acted_case("T1", "hi", **typed)])
        add_suite(base, {"1": SCENES["1"]})
        (query,) = json.loads((base.root / "datasets/apis/queries.json").read_bytes())
        first = {"id": "first", "label": "the first tram, 18:04", "accepts": [{"time": "18:04"}]}
        base.write("datasets/apis/queries.json", [{**query, "ground_truth": {"facts": [first]}}])
        judged = 'prompt = "answer_status"\nfollow_up = "execution_status"\n'
        base.write("datasets/apis/suite.toml", APIS + judged)
        for name in ("answer_status", "execution_status"):
            base.write(f"prompts/apis/{name}.md", judge_prompt(name))
        base.write("docs/methodology.md", "# Methodology\n\nHow the board scores.\n")
        base.write("scoring/rules/tool_selection.py", "# A rule\n")
        base.write(".github/workflows/pull-request.yml", "# A workflow\n")
        base.submission("anchor", right(12), name="Anchor 1", organization="Harbour Lab")
        base.submission("bridge", right(9, 200), name="Bridge", organization="Bridge Labs")
        paris = {"B001": "The answer is Paris."}
        base.submission("castle", records(*list(CALLS)[:6], texts=paris, off=300), name="Castle")
        for command in (("rescore",), ("snapshot", "--label", "start", "--date", "2026-02-01")):
            done = base.lb(*command)
            assert done.exit_code == 0, done.output


def forge(branch: Branch, submission: str, old: str, new: str, *, cleaned: bool = True) -> None:
    """Replaces a text in every recorded reply of a submission, and in no request.

    `cleaned`: as recording would write it.
    """
    path = branch.proposed.root / replies(branch, submission)
    cassette = json.loads(path.read_bytes())
    for interaction in cassette["interactions"]:
        body = interaction["response"]["body"]
        content = json.loads(body["string"])
        message = content["choices"][0]["message"]
        assert old in message["content"]
        message["content"] = message["content"].replace(old, new)
        body["string"] = json.dumps(content)
    interactions = cassette["interactions"]
    path.write_bytes(dump(map(clean, interactions) if cleaned else interactions))


def replies(branch: Branch, submission: str) -> str:
    """The path of a submission's cassette of the suite `small`."""
    path = f"cassettes/embedded-1/small/{submission}.json"
    assert json.loads((branch.proposed.root / path).read_bytes())["interactions"]
    return path
