"""`lb rescore`: every response scored; judge calls out of the cassettes, and recorded where that is allowed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say, show_problems
from cli.wiring import panel_of
from leaderboard.gc_pause import paused_collector

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.results import Results
    from replay.asker import RecordMode
    from scoring.scorer import Scored, Work


@click.command()
@click.argument("ids", nargs=-1)
@click.option(
    "--offline",
    is_flag=True,
    help="Refuse every network connection; a judge call no cassette holds is missing.",
)
@click.option(
    "--record-mode",
    type=click.Choice(["none", "new_episodes", "all"]),
    default="new_episodes",
    show_default=True,
    help="Which judge calls may be made: none, those not recorded yet, or all again.",
)
@click.option(
    "--judge",
    "judge_name",
    help="Let this judge of leaderboard.toml decide alone, instead of the panel.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="Judge calls at a time.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Where the results go (default: results/ in the workspace).",
)
@click.option("--allow-missing", is_flag=True, help="Exit 0 although judge calls are missing.")
@click.pass_obj
@paused_collector()
def command(
    workspace_root: Path,
    ids: tuple[str, ...],
    offline: bool,
    record_mode: RecordMode,
    judge_name: str | None,
    jobs: int,
    out: Path | None,
    allow_missing: bool,
) -> None:
    """Score every submission and write results/. With IDs, judges are asked for those alone; all others are replayed.

    \b
    Example:
      lb rescore --offline
      lb rescore my-submission
    """
    from leaderboard.load import load_contents
    from leaderboard.results import write_results
    from leaderboard.workspace import open_workspace
    from replay.judges import open_judges
    from scoring.manifest import cassette_digests
    from scoring.rules import KINDS
    from scoring.scorer import score_all
    from scoring.summary import summarise

    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, KINDS)
    _stop_on_problems(contents, ids)
    panel = panel_of(contents, judge_name)
    folder = out or workspace.root / "results"
    with open_judges(
        workspace.root, panel, ids, offline=offline, record_mode=record_mode, jobs=jobs
    ) as (asker, ask):
        scored = score_all(contents, panel, ask, progress=_bar)
        statistics = asker.statistics
        show_problems(asker.index.problems, "text")
    results = summarise(contents, panel, scored, cassette_digests(workspace))
    changed = write_results(results, folder)
    _show_scores(results, contents)
    _show_agreement(results)
    say(
        f"{count(results.verdicts.height, 'verdict')} in {workspace.shown(folder)}/"
        + (" (nothing changed)" if not changed else "")
    )
    for reason, failures in Counter(failed.why for failed in statistics.failed).items():
        say(f"{count(failures, 'judge call')} failed: {reason}")
    if statistics.recorded:
        say(
            f"{count(statistics.recorded, 'judge call')} recorded in cassettes/: commit them with the submission"
        )
    if scored.missing:
        _show_missing(scored)
        if not allow_missing:
            raise SystemExit(3)


def _bar(work: Sequence[Work]) -> AbstractContextManager[Iterable[Work]]:
    return click.progressbar(work, label="scoring", file=sys.stderr, hidden=not sys.stderr.isatty())


def _stop_on_problems(contents: Contents, ids: Sequence[str]) -> None:
    """Shows all problems; stops on any error, or (when submissions are named) on one that concerns those or the suites."""
    from leaderboard.errors import FilesError, Problem

    known = {submission.id for submission in contents.submissions}
    for name in ids:
        folder = f"submissions/{name}"
        if name not in known and not any(
            problem.file.startswith(folder) for problem in contents.problems
        ):
            contents.problems.append(
                Problem(folder, "does not exist", f"start one with: lb new {name}")
            )
    named = tuple(f"submissions/{name}" for name in ids)
    others = [
        p
        for p in contents.problems
        if ids and p.file.startswith("submissions/") and not p.file.startswith(named)
    ]
    mine = [p for p in contents.problems if p not in others]
    if others:
        say(
            f"{count(len(others), 'problem')} in other submissions, which are left out where they cannot be read: lb validate"
        )
    if any(problem.severity == "error" for problem in mine):
        raise FilesError(mine)
    show_problems(mine, "text")


def _show_scores(results: Results, contents: Contents) -> None:
    """A line per submission and suite, on stdout: score, interval, cases, judged share."""
    import polars as pl

    for suite in contents.suites:
        rows = results.scores.filter(suite=suite.id, category="*", metric=suite.kind.ranked)
        for row in rows.sort(pl.col("score").neg(), "submission", nulls_last=True).iter_rows(
            named=True
        ):
            number = (
                "unscored"
                if row["score"] is None
                else f"{100 * row['score']:5.1f}  ({100 * row['low']:.1f}–{100 * row['high']:.1f})"
            )
            judged = f", {100 * row['judged_share']:.0f} % judged" if row["judged_share"] else ""
            unscored = f", {row['unscored']} unscored" if row["unscored"] else ""
            click.echo(
                f"{suite.id}  {row['submission']:<32} {number}  {row['cases']:,} cases{judged}{unscored}"
            )


def _show_agreement(results: Results) -> None:
    """A line per judge, on stderr: how far it agrees with the labelled pairs."""
    for row in results.agreement.filter(suite="*", category="*").iter_rows(named=True):
        if row["judge"] != "*" and row["agreement"] is not None:
            share = (
                f"{100 * row['agreement']:.1f} % ({100 * row['low']:.1f}–{100 * row['high']:.1f})"
            )
            unsure = f", and is unsure of {row['unsure']:,} more" if row["unsure"] else ""
            say(
                f"{row['judge']} agrees with {share} of {count(row['graded'], 'labelled pair')}{unsure}"
            )


def _show_missing(scored: Scored) -> None:
    shown = scored.missing[:20]
    for call in shown:
        near = (
            f"; the nearest is {call.reply.nearest[:16]}, which differs: {call.reply.difference}"
            if call.reply.nearest
            else ""
        )
        say(
            f"missing: {call.judge} on {call.suite} {call.case_id} of {call.submission}, {call.reply.key[:16]}{near}"
        )
    if len(scored.missing) > len(shown):
        say(f"... and {len(scored.missing) - len(shown):,} more")
    say(
        f"{count(len(scored.missing), 'judge call')} missing: record them with lb rescore (without --offline)"
    )
