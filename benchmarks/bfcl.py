"""The verdicts of `call_match` beside those of BFCL's own checker, on generated answers.

    python3 -m venv /tmp/bfcl
    PINS="tree_sitter==0.21.3 tree-sitter-java==0.21.0 tree-sitter-javascript==0.21.4"
    /tmp/bfcl/bin/pip install --no-deps bfcl-eval==2026.3.23 $PINS filelock tenacity python-dotenv
    .venv/bin/python benchmarks/bfcl.py /tmp/bfcl/bin/python --answers 40000

Prints how many verdicts are equal, and the others by reason. The exit code is 1 if one has no
reason. `--record FILE` writes the answers with the checker's verdicts, which the tests read.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from bfcl_answers import answers, language_of

from leaderboard.files.suite_files import load_suite, suites_on_disk
from leaderboard.responses.response_records import read_message
from leaderboard.types import ExpectedArgument, Json, Suite
from leaderboard.workspace import Workspace
from runners.imports.bfcl.bfcl_import import import_bfcl
from runners.imports.bfcl.bfcl_package import PackageData, open_package
from runners.imports.bfcl.bfcl_results import Replies, parameter_types
from scoring.rules import KINDS, call_match
from scoring.rules.call_match import decide

CHECKER = Path(__file__).with_name("bfcl_checker.py")
SHOWN = 20  # unexplained differences


def our_verdict(suite: Suite, answer: Mapping[str, Json]) -> tuple[bool, str]:
    """Whether the answer passes, and why."""
    case = suite.by_id[answer["case"]]
    replies = Replies(parameter_types(case.record["tools"]), as_text=answer["form"] == "text")
    calls, text = replies.read(answer["result"], language_of(case))
    record = {"id": case.id, "model_function_call": calls, "model_text": text}
    (decision,) = decide(suite, case, read_message(record, underscored=answer["form"] == "fc"))
    return decision.outcome == "pass", decision.detail


def reason_of(suite: Suite, answer: Mapping[str, Json], *, ours: bool) -> str | None:
    """Why the verdicts differ, as docs/coming-from-bfcl.md explains it; None if unknown."""
    case = suite.by_id[answer["case"]]
    arguments = [argument for call in case.ground_truth.calls for argument in call.arguments]
    if any(_has_bare_member(argument) for argument in arguments):
        return "an accepted value of a member is a text and not a list: read letter by letter"
    if not ours:
        return _reason_to_fail(suite, answer, arguments)
    for argument in arguments:
        if argument.type == "Array" and argument.items == "String":
            return "texts in a Java array keep their quotes"
        if argument.type == "ArrayList" and argument.items is None:
            return "items of a Java list of any type stay source"
        if argument.type == "HashMap" and answer["form"] == "text":
            return "the entries of a Java map are dropped from calls written as text"
    return None


def _reason_to_fail(
    suite: Suite, answer: Mapping[str, Json], arguments: Sequence[ExpectedArgument]
) -> str | None:
    if answer["result"] == "":
        return "an empty reply passes where no call is expected"
    if _passes_without_numbers(suite, answer):
        return "blanks and punctuation between digits are dropped"
    if any(argument.type in ("Array", "ArrayList", "HashMap") for argument in arguments):
        return "a Java collection is taken from anywhere in the value"
    return None


def _passes_without_numbers(suite: Suite, answer: Mapping[str, Json]) -> bool:
    """Whether the answer would pass if numbers in texts were compared like words."""
    with patch.object(call_match, "_IN_NUMBERS", ()):
        return our_verdict(suite, answer)[0]


def _has_bare_member(argument: ExpectedArgument) -> bool:
    members = (
        value for one in argument.accepted if isinstance(one, dict) for value in one.values()
    )
    return any(isinstance(value, str) for value in members)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", help="the interpreter of the environment with bfcl-eval")
    parser.add_argument("--package", default="", help="a wheel or a version (default: the newest)")
    parser.add_argument("--data", type=Path, help="instead: questions/ and possible_answers/")
    parser.add_argument("--answers", type=int, default=22_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", dest="which", choices=("first", "second"), default="first")
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()

    source: AbstractContextManager[PackageData] = open_package(given.package)
    if given.data is not None:
        source = nullcontext(PackageData(given.data / "questions", given.data / "possible_answers"))
    with source as data, TemporaryDirectory() as name:
        workspace = Workspace(Path(name))
        import_bfcl(workspace.root, None, *data, kinds=KINDS)
        suite = load_suite(workspace, suites_on_disk(workspace)[0], KINDS)
        questions = {line["id"]: line for line in _lines(data.questions)}
        truths = {line["id"]: line for line in _lines(data.possible_answers)}
    made = list(answers(suite, given.seed, given.answers, given.which))
    asked = []
    for answer in made:
        truth = truths.get(answer["case"], {}).get("ground_truth")
        function = questions[answer["case"]]["function"]
        asked.append(json.dumps({**answer, "function": function, "ground_truth": truth}))
    command = [given.python, str(CHECKER)]
    done = subprocess.run(
        command, input="\n".join(asked), capture_output=True, text=True, check=True
    )
    verdicts = list(map(json.loads, done.stdout.splitlines()))
    if given.record:
        _record(given.record, made, verdicts)
    return _report(suite, made, verdicts)


def _lines(folder: Path) -> Iterator[Json]:
    for path in sorted(folder.glob("BFCL_*.json")):
        lines = path.read_text(encoding="utf-8").splitlines()
        yield from (json.loads(line) for line in lines if path.stem != "BFCL_v4_format_sensitivity")


def _record(path: Path, made: Sequence[Mapping[str, Json]], verdicts: Sequence[Json]) -> None:
    rows = []
    for answer, theirs in zip(made, verdicts, strict=True):
        row = {key: answer[key] for key in ("case", "form", "result")} | {"valid": theirs["valid"]}
        rows.append(json.dumps(row, ensure_ascii=False))
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def _report(suite: Suite, made: Sequence[Mapping[str, Json]], verdicts: Sequence[Json]) -> int:
    per_category = Counter(answer["category"] for answer in made)
    found: Counter[str] = Counter()
    unexplained = []
    for answer, theirs in zip(made, verdicts, strict=True):
        ours, why = our_verdict(suite, answer)
        if theirs["valid"] is ours:
            found["equal: pass" if ours else "equal: fail"] += 1
        elif theirs["valid"] is None and not ours:
            found["the checker stops with an exception; a fail here"] += 1
        elif reason := reason_of(suite, answer, ours=ours):
            found[reason] += 1
        else:
            unexplained.append({**answer, "ours": ours, "why": why, "theirs": theirs})
    print(", ".join(f"{name} {count:,}" for name, count in per_category.items()))
    for reason, count in found.most_common():
        print(f"{count:7,} {reason}")
    print(f"{len(unexplained):7,} without a reason")
    for difference in unexplained[:SHOWN]:
        print(json.dumps(difference, ensure_ascii=False))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
