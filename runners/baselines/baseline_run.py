"""Runs a baseline over suites: every case is answered or acted out, and the answers become a submission."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from leaderboard.apis.api_definitions import definitions_of
from leaderboard.errors import FilesError, Problem
from leaderboard.types import Card, Case, Json, Suite
from leaderboard.workspace import Workspace
from runners.apis.solutions import load_solutions
from runners.apis.virtual_apis import replaying
from runners.baselines.baselines import BASELINES, Baseline
from runners.baselines.calling_baselines import Caller
from runners.instructions import missing_environments, task_of
from runners.run_outcome import RunReport
from runners.submission_writer import card_fields, write_submission, wrong_date

ORGANIZATION: Final = "Toolboard"


def run_baseline(
    root: Path,
    suites: Sequence[Suite],
    name: str,
    *,
    date: str,
    submission_id: str | None = None,
    limit: int | None = None,
) -> RunReport:
    """Answers every case of the suites (the first `limit` of each) and writes `submissions/<submission_id>/` below `root`.

    The id is `baseline-<name>` unless given; `date` (YYYY-MM-DD) stands on the card. Raises FilesError for an unknown baseline,
    a suite of a kind that baselines do not answer, one without the solutions that the oracle needs, no date, or a folder of
    that id that something else made.
    """
    baseline = BASELINES.get(name)
    if baseline is None:
        raise FilesError(
            Problem(f"baseline:{name}", "is not a baseline", f"one of: {', '.join(BASELINES)}")
        )
    if problems := [*_other_kinds(baseline, suites), *wrong_date(date)]:
        raise FilesError(problems)
    responses = {suite.id: answers(baseline, suite, limit, root) for suite in suites}
    chosen = submission_id or f"baseline-{name}"
    fields = card_fields(card(baseline, date))
    outcome = write_submission(
        root, chosen, fields, responses, origin="baseline", readme=readme(baseline)
    )
    return RunReport(chosen, outcome, sum(len(records) for records in responses.values()))


def answerable(baseline: Baseline, suite: Suite) -> bool:
    """Whether a baseline answers suites of this kind."""
    return suite.kind.name in baseline.kinds


def _other_kinds(baseline: Baseline, suites: Iterable[Suite]) -> Iterator[Problem]:
    for suite in suites:
        if not answerable(baseline, suite):
            what = f"is of kind {suite.kind.name}, which baseline:{baseline.name} does not answer"
            yield Problem(
                f"datasets/{suite.id}/suite.toml",
                what,
                f"kinds it answers: {', '.join(baseline.kinds)}",
            )
        elif suite.kind.interaction == "environment":
            yield from missing_environments(suite)


def answers(
    baseline: Baseline, suite: Suite, limit: int | None = None, root: Path = Path()
) -> list[dict[str, Json]]:
    """One record per case: id, type (its category), user_query, and the answer. The baseline must answer the suite's kind.

    `root` is the workspace: simulated APIs are answered out of the suite's folder there.
    """
    reply = _replier(baseline, suite, root)
    return [
        {"id": case.id, "type": case.category, "user_query": case.query, **reply(case)}
        for case in suite.cases[:limit]
    ]


def _replier(baseline: Baseline, suite: Suite, root: Path) -> Callable[[Case], dict[str, Json]]:
    """How a baseline replies to the cases of a suite."""
    if suite.kind.interaction == "environment":
        return lambda case: baseline.act(case, task_of(suite, case.category).create_environment())
    if suite.kind.interaction == "apis" and baseline.call is not None:
        return _caller(baseline, baseline.call, suite, root)
    if baseline.answer is None:
        raise ValueError(f"{baseline.name} does not answer cases of one turn")
    reply = baseline.answer
    return lambda case: reply(suite, case)


def _caller(
    baseline: Baseline, call: Callable[[Case, Caller], dict[str, Json]], suite: Suite, root: Path
) -> Callable[[Case], dict[str, Json]]:
    """How a baseline replies to queries over simulated APIs."""
    workspace = Workspace(root)
    apis = replaying(workspace, suite)
    solutions = load_solutions(workspace, suite, apis.catalogue) if baseline.sees_solutions else {}
    return lambda case: call(
        case, Caller(apis, definitions_of(case.record), solutions.get(case.id))
    )


def card(baseline: Baseline, date: str) -> Card:
    """The card of a baseline's submission."""
    return Card(
        name=baseline.title,
        kind="baseline",
        organization=ORGANIZATION,
        model=baseline.name,
        date=date,
        settings={"baseline": baseline.name},
    )


def readme(baseline: Baseline) -> str:
    """The README of a baseline's submission."""
    return f"{baseline.description}\n\nMade by `lb run --model baseline:{baseline.name}`: no model and no network.\n"
