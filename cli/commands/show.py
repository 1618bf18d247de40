"""`lb show`: a submission's scores and failures in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import SUBMISSION, json_option, results_option
from cli.output.board_scores import score_cells, score_in_words
from cli.output.console import echo, printable, show, show_json
from cli.output.printed_tables import Table, plain, text_report
from cli.wiring import answered_suites, open_results
from leaderboard.rank_status_words import NOT_RANKED
from leaderboard.reasons import reason_words
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.near_names import suggestion
from leaderboard.texts.percentages import percentage
from leaderboard.texts.short_text import single_spaced
from leaderboard.workspace import Workspace
from site_templates.formatting import rank as rank_text

if TYPE_CHECKING:
    from leaderboard.types import Suite
    from scoring.explained_verdicts import ExplainedVerdict
    from scoring.tables.board_row import BoardRow

_LISTED = 20  # failures of a suite
_LINE = 300  # characters of a line of a list of failures; a single case is shown whole


@click.command()
@click.argument("submission_id", metavar="SUBMISSION", type=SUBMISSION)
@click.argument("case_id", metavar="[CASE]", required=False)
@click.option("--suite", "suite_id", help="Show only this suite.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    help="How many failures of each suite to list (default: 20, and all with --json).",
)
@json_option
@results_option
@click.pass_obj
def command(
    workspace_root: Path,
    submission_id: str,
    case_id: str | None,
    suite_id: str | None,
    limit: int | None,
    as_json: bool,
    results: Path | None,
) -> None:
    """Show how a submission scored, and why cases failed.

    Prints the scores by category, then each verdict that is not a pass, with its reason and the
    expected and given answers. With CASE, it prints everything about that case, including judges'
    replies. It reads the results of lb rescore and scores nothing again.

    \b
    Example:
      lb show my-model
      lb show my-model ts-110
    """
    from scoring.explained_verdicts import failures, verdicts_of_case
    from scoring.tables.board_row import board_rows

    if case_id is not None and limit is not None:
        raise click.UsageError("--limit is for lists of failures: leave out CASE")
    workspace, scored = open_results(workspace_root, results)
    submission, answered = answered_suites(workspace, scored, submission_id, suite_id)
    if case_id is not None:
        verdicts = [
            verdict
            for suite, records in answered
            for verdict in verdicts_of_case(scored, suite, submission.id, records, case_id)
        ]
        _require_case(verdicts, case_id, [suite for suite, _ in answered])
        _show_case(workspace, verdicts, as_json=as_json)
        return
    suites = {suite.id: suite for suite, _ in answered}
    rows = {row.suite: row for row in board_rows(scored, suites, submission.id)}
    failed = {
        suite.id: list(failures(scored, suite, submission.id, records))
        for suite, records in answered
    }
    if as_json:
        shown = [
            {**asdict(row), "failed": _plain(failed[name][:limit])} for name, row in rows.items()
        ]
        show_json({"submission": submission.id, "suites": shown})
        return
    most = _LISTED if limit is None else limit
    parts = [part for name, row in rows.items() for part in _row(row, failed[name], most)]
    echo(text_report(parts))


def _require_case(
    verdicts: Sequence[ExplainedVerdict], case_id: str, suites: Sequence[Suite]
) -> None:
    if not verdicts:
        known = [case.id for suite in suites for case in suite.cases]
        message = f"no case {case_id!r}; {suggestion(case_id, known)}"
        if case_id in known:
            message = f"{case_id!r} was not asked: the card says that only a part of the suite was"
        raise click.BadParameter(message, param_hint="CASE")


def _row(row: BoardRow, failed: Sequence[ExplainedVerdict], limit: int) -> Iterator[str | Table]:
    rank = "" if row.rank is None else f", rank {rank_text(row.rank)}"
    words = NOT_RANKED.get(row.status or "", "")
    status = f", {words}" if words else ""
    judged = f", {counted(row.judged, 'verdict')} by judges" if row.judged else ""
    answered = f", {row.answered}" if row.answered else ""
    score = f"{score_in_words(row.whole)}{answered}{rank}{status}{judged}"
    yield f"{row.whole.submission} on {row.suite}: {score}"
    neighbours = [
        f"{place}: {printable(near.submission)} {score_in_words(near)}"
        for place, near in (("above", row.above), ("below", row.below))
        if near is not None
    ]
    yield "  " + "\n  ".join(neighbours) if neighbours else ""
    cells = [
        [part.category, f"{part.cases:,}", *score_cells(part), f"{part.unscored:,}"]
        for part in row.categories
    ]
    yield Table(("category", "cases", "score", "interval", "unscored"), cells)
    if not failed:
        yield "Every case passed."
        return
    reasons = [f"{number:,} × {reason_words(code)}" for code, number in row.failures]
    yield f"{counted(len(failed), 'verdict')} without a pass: {'; '.join(reasons)}"
    yield from ("\n".join(_failure(verdict)) for verdict in failed[:limit])
    if len(failed) > limit:
        yield f"… and {len(failed) - limit:,} more: --limit {len(failed)} lists them all"


def _failure(verdict: ExplainedVerdict) -> Iterator[str]:
    trial = f", trial {verdict.trial}" if verdict.trial > 1 else ""
    place = printable(f"{verdict.case} ({verdict.category}{trial})")
    yield f"{place}: {verdict.outcome}, {verdict.words}. {_cut(verdict.detail)}"
    yield f"  question: {_cut(verdict.question)}"
    yield from (f"  expected: {_cut(line)}" for line in verdict.expected)
    yield from (f"  given:    {_cut(line)}" for line in verdict.given)


def _show_case(
    workspace: Workspace, verdicts: Sequence[ExplainedVerdict], *, as_json: bool
) -> None:
    from replay.recorded_calls import RecordedCalls

    recorded = RecordedCalls(workspace.root).find
    replies = {
        key: call
        for verdict in verdicts
        for key in verdict.judge_calls
        if (call := recorded(key)) is not None
    }
    if as_json:
        judges = {key: {"judge": c.judge, "reply": c.reply} for key, c in replies.items()}
        show_json({"verdicts": _plain(verdicts), "judge_replies": judges})
        return
    shown: set[tuple[str, int]] = set()
    for verdict in verdicts:
        if (verdict.suite, verdict.trial) not in shown:
            shown.add((verdict.suite, verdict.trial))
            show(f"{verdict.suite} {verdict.case}, trial {verdict.trial}")
            _show_lines("question", verdict.question.splitlines())
            _show_lines("expected", verdict.expected)
            _show_lines("given", verdict.given)
        score = (
            "" if verdict.score in (None, 0.0, 1.0) else f" ({percentage(verdict.score or 0.0)})"
        )
        line = f"{verdict.metric}: {verdict.outcome}{score}, {verdict.words}. {verdict.detail}"
        show(f"  {line} [{verdict.decided_by}]")
        for key in verdict.judge_calls:
            call = replies.get(key)
            reply = "not recorded" if call is None else f"{call.judge}: {call.reply}"
            _show_lines("judge", reply.splitlines())


def _show_lines(label: str, lines: Sequence[str]) -> None:
    for line in lines:
        show(f"  {label + ':':<10}{line}")


def _plain(verdicts: Sequence[ExplainedVerdict]) -> list[dict[str, Any]]:
    return [asdict(verdict) for verdict in verdicts]


def _cut(text: str) -> str:
    return plain(single_spaced(text), _LINE)
