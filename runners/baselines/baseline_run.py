"""Runs a baseline over suites, and writes its answers as a submission."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from leaderboard.apis.api_definitions import definitions_of
from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.kinds import Interaction
from leaderboard.types import Case, Json, Suite
from leaderboard.workspace import Workspace, suite_file
from runners.apis.solutions import load_solutions
from runners.apis.virtual_apis import replaying
from runners.baselines.api_baselines import Caller
from runners.baselines.baselines import BASELINES, Baseline
from runners.environments.step_log import StepLog
from runners.instructions import missing_environments, task_of
from runners.run_card import answers_all
from runners.run_report import RunReport
from runners.submission_writer import write_submission, wrong_date

_ANSWERED_BY: Final[Mapping[Interaction, str]] = {
    "message": "one message",
    "environment": "steps in an environment",
    "apis": "API calls",
}


def run_baseline(
    root: Path,
    suites: Sequence[Suite],
    name: str,
    *,
    date: str,
    submission_id: str,
    limit: int | None,
) -> RunReport:
    """Answers the suites (the first `limit` cases of each) and writes its submission.

    `date` (YYYY-MM-DD) is for the card. Raises FilesError for an unknown baseline, a suite that it
    does not answer, a wrong date, missing solutions for the oracle, and an existing folder of
    another origin.
    """
    baseline = BASELINES.get(name)
    if baseline is None:
        fix = f"one of: {', '.join(BASELINES)}"
        raise FilesError.about(f"baseline:{name}", "is not a baseline", fix)
    problems: list[Problem] = []
    for suite in suites:
        if not answerable(baseline, suite):
            what = f"is of kind {suite.kind.name}, which baseline:{name} does not answer"
            forms = ", ".join(_ANSWERED_BY[interaction] for interaction in baseline.interactions)
            fix = f"name a suite whose cases are answered by: {forms}"
            problems.append(Problem(suite_file(suite.id), what, fix))
        problems += missing_environments(suite)
    problems += wrong_date(date)
    raise_any(problems)
    responses = {suite.id: answers(baseline, suite, limit, root) for suite in suites}
    card = {
        "schema": 1,
        "name": baseline.title,
        "kind": "baseline",
        "organization": "Toolboard",
        "model": name,
        "date": date,
        "settings": {"baseline": name},
    }
    partial = [suite.id for suite in suites if not answers_all(suite, responses[suite.id])]
    if partial:
        card["partial"] = partial
    command = f"lb run --model baseline:{name}"
    readme = f"{baseline.description}\n\nMade by `{command}`: no model and no network.\n"
    outcome = write_submission(
        root, submission_id, card, responses, origin="baseline", readme=readme
    )
    return RunReport(submission_id, outcome, sum(len(records) for records in responses.values()))


def answerable(baseline: Baseline, suite: Suite) -> bool:
    """Whether a baseline answers the cases of a suite."""
    return suite.kind.interaction in baseline.interactions


def answers(
    baseline: Baseline, suite: Suite, limit: int | None = None, root: Path = Path()
) -> list[dict[str, Json]]:
    """One record per case of a suite that the baseline answers.

    The replies of simulated APIs come from the suite's folder in the workspace at `root`.
    """
    answer = _answerer(baseline, suite, root)
    return [
        {"id": case.id, "type": case.category, "user_query": case.query, **answer(case)}
        for case in suite.cases[:limit]
    ]


def _answerer(baseline: Baseline, suite: Suite, root: Path) -> Callable[[Case], dict[str, Json]]:
    """How a baseline answers the cases of a suite."""
    act, reply, call = baseline.act, baseline.reply, baseline.call
    if suite.kind.interaction == "environment":
        return lambda case: act(case, StepLog(task_of(suite, case.category).create_environment()))
    if suite.kind.interaction == "message" and reply is not None:
        return reply
    if call is None:
        raise ValueError(f"{baseline.name} does not answer suites of kind {suite.kind.name}")
    workspace = Workspace(root)
    apis = replaying(workspace, suite)
    solutions = load_solutions(workspace, suite, apis.catalogue) if baseline.sees_solutions else {}
    return lambda case: call(
        case, Caller(apis, definitions_of(case.record), solutions.get(case.id))
    )
