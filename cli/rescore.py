"""`lb rescore`: score every response, with judge calls replayed or recorded."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.console import (
    count,
    interval,
    percent,
    say,
    show,
    show_json,
    show_problems,
    shows_progress,
)
from cli.options import as_json as json_option
from cli.options import jobs as jobs_option
from cli.options import offline as offline_option
from cli.options import out as out_option
from cli.scored_files import FileScorer
from cli.wiring import confirming, panel_of
from leaderboard.gc_pause import paused_collector

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.results import Results
    from replay.asker import RecordMode
    from scoring.kept_tables import Decided
    from scoring.scorer import Scored, Work

SHOWN_MISSING = 20
SHOWN_FAILURES = 5  # of own rules, by their words


@click.command()
@click.argument("ids", nargs=-1)
@offline_option
@click.option(
    "--record-mode",
    type=click.Choice(["none", "new_episodes", "all"]),
    default="new_episodes",
    help="Which judge calls may be made: none, those without a recording, or all again.",
)
@click.option(
    "--judge",
    "judge_name",
    help="Let this judge of leaderboard.toml decide alone, instead of the panel.",
)
@jobs_option
@out_option("Where to write the results (default: results/ in the workspace).")
@click.option("--allow-missing", is_flag=True, help="Exit with 0 even if judge calls are missing.")
@click.option("--fresh", is_flag=True, help="Decide everything again, also what the last run kept.")
@json_option
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
    fresh: bool,
    as_json: bool,
) -> None:
    """Score every submission and write results/.

    With IDs, judges are asked for those submissions alone. All others are replayed.

    \b
    Example:
      lb rescore --offline
      lb rescore my-submission
    """
    from leaderboard.cache_folder import cache_of
    from leaderboard.files.submission_files import submission_ids
    from leaderboard.load import load_suites
    from leaderboard.workspace import open_workspace
    from replay.asker import open_asker
    from scoring.kept_verdicts import KeptVerdicts, read_kept
    from scoring.rules.workspace_rules import kinds_of

    workspace = open_workspace(workspace_root)
    contents = load_suites(workspace, kinds_of(workspace.root))
    panel = panel_of(contents, judge_name)
    folder = out or workspace.root / "results"
    cache = cache_of(workspace.root)
    fresh = fresh or record_mode == "all"
    kept = KeptVerdicts() if fresh or cache is None else read_kept(cache)
    with open_asker(
        workspace.root, ids, offline=offline, record_mode=record_mode, jobs=jobs
    ) as asker:
        files = FileScorer(
            workspace, contents, panel, asker, lambda: _stop_on_problems(contents, ids)
        )
        decided = files.score(submission_ids(workspace), kept, progress=_bar)
        from leaderboard.results import write_results  # these import Polars: see FileScorer
        from scoring.manifest import cassette_digests
        from scoring.scorer import scored_board
        from scoring.summary import summarise

        scored = scored_board(contents, decided.part, panel, asker, confirming(workspace))
        show_problems(asker.index.problems, "text")
    if cache is not None and decided.files != kept.files:
        _keep(decided, cache)
    results = summarise(contents, panel, scored, cassette_digests(workspace))
    changed = write_results(results, folder)
    if as_json:
        show_json(_document(results, contents, len(scored.missing)))
    else:
        _show_scores(results, contents, ids)
    _show_agreement(results)
    unchanged = "" if changed else " (nothing changed)"
    say(f"{count(results.verdicts.height, 'verdict')} in {workspace.shown(folder)}/{unchanged}")
    for reason, failures in Counter(asker.failures.values()).items():
        say(f"{count(failures, 'judge call')} failed: {reason}")
    if asker.recorded:
        recorded = count(asker.recorded, "judge call")
        listed = " and listed in recordings.json" if asker.listed else ""
        say(f"{recorded} recorded in cassettes/{listed}: commit them")
    unread = scored.verdicts.filter(reason="judge_unparseable").height
    if unread:
        say(f"{count(unread, 'verdict')} unscored: the judge's reply cannot be read")
    failed = scored.verdicts.filter(reason="rule_failed")
    for detail, number in sorted(Counter(failed["detail"]).items())[:SHOWN_FAILURES]:
        say(f"{count(number, 'verdict')} unscored: {detail}")
    if scored.missing:
        _show_missing(scored)
        if not allow_missing:
            raise SystemExit(3)


def _keep(decided: Decided, cache: Path) -> None:
    from leaderboard.cache_folder import forget_old
    from scoring.kept_tables import keep

    try:
        keep(cache, decided)
        forget_old(cache)
    except OSError as error:
        say(f"verdicts are not kept for the next run: {error}")


def _bar(work: Sequence[Work]) -> AbstractContextManager[Iterable[Work]]:
    hidden = not shows_progress()
    return click.progressbar(work, label="scoring", file=sys.stderr, hidden=hidden)


def _stop_on_problems(contents: Contents, ids: Sequence[str]) -> None:
    """Shows all problems and stops on errors.

    With submissions named, only errors that concern those or the suites stop.
    """
    from leaderboard.errors import FilesError, Problem

    known = {submission.id for submission in contents.submissions}
    named = tuple(f"submissions/{name}" for name in ids)
    for name, folder in zip(ids, named, strict=True):
        reported = any(problem.file.startswith(folder) for problem in contents.problems)
        if name not in known and not reported:
            fix = f"start one with: lb new {name}"
            contents.problems.append(Problem(folder, "does not exist", fix))
    mine: list[Problem] = []
    others: list[Problem] = []
    for problem in contents.problems:
        in_another = problem.file.startswith("submissions/") and not problem.file.startswith(named)
        (others if ids and in_another else mine).append(problem)
    if others:
        found = count(len(others), "problem")
        say(f"{found} in other submissions; unreadable ones are left out: lb validate")
    if any(problem.severity == "error" for problem in mine):
        raise FilesError(mine)
    show_problems(mine, "text")


def _show_scores(results: Results, contents: Contents, ids: Sequence[str]) -> None:
    """A line per submission and suite, on stdout: score, interval, cases, judged share.

    With IDs, only their lines and the ones above and below each.
    """
    import polars as pl

    silent = results.verdicts.filter(reason="missing_response")
    keys = ["submission", "suite"]
    left = silent.unique([*keys, "case_id"]).group_by(keys).len()
    unanswered = {(name, suite): number for name, suite, number in left.rows()}
    for suite in contents.suites:
        size = sum(len(category.cases) for category in suite.categories if category.weight > 0)
        rows = results.scores.filter(suite=suite.id, category="*", metric=suite.kind.ranked)
        rows = rows.sort(pl.col("score").neg(), "submission", nulls_last=True)
        places = [place for place, name in enumerate(rows["submission"]) if name in ids]
        for place, row in enumerate(rows.iter_rows(named=True)):
            if ids and not any(abs(place - own) <= 1 for own in places):
                continue
            score = "unscored"
            if row["score"] is not None:
                score = f"{percent(row['score']):>5}  ({interval(row['low'], row['high'])})"
            judged = f", {100 * row['judged_share']:.0f} % judged" if row["judged_share"] else ""
            unscored = f", {row['unscored']} unscored" if row["unscored"] else ""
            cases = f"{row['cases']:,} cases{judged}{unscored}"
            if row["cases"] < size:
                cases = f"{row['cases']:,} of {size:,} cases asked, no rank{judged}{unscored}"
            elif missing := unanswered.get((row["submission"], suite.id)):
                cases += f", {missing:,} not answered"
            cases += ", reported, not derived here" if suite.kind.reported else ""
            show(f"{suite.id}  {row['submission']:<32} {score}  {cases}")


def _document(results: Results, contents: Contents, missing: int) -> dict[str, Any]:
    """What `--json` prints: the digest, the number of missing judge calls, a row per score."""
    columns = ["suite", "submission", "metric", "score", "low", "high", "cases", "unscored"]
    columns.append("judged_share")
    ranked = {suite.id: suite.kind.ranked for suite in contents.suites}
    rows = results.scores.filter(category="*").sort("suite", "submission").to_dicts()
    return {
        "digest": results.manifest["digest"],
        "missing_judge_calls": missing,
        "scores": [
            {column: row[column] for column in columns}
            for row in rows
            if row["metric"] == ranked[row["suite"]]
        ],
    }


def _show_agreement(results: Results) -> None:
    """A line per judge, on stderr: its agreement with the labelled pairs."""
    for row in results.agreement.filter(suite="*", category="*").iter_rows(named=True):
        if row["judge"] == "*" or row["agreement"] is None:
            continue
        share = f"{percent(row['agreement'])} % ({interval(row['low'], row['high'])})"
        pairs = count(row["graded"], "labelled pair")
        unsure = f", and is unsure of {row['unsure']:,} more" if row["unsure"] else ""
        say(f"{row['judge']} agrees with {share} of {pairs}{unsure}")


def _show_missing(scored: Scored) -> None:
    for call in scored.missing[:SHOWN_MISSING]:
        case = f"{call.judge} on {call.suite} {call.case_id} of {call.submission}"
        if call.reply.pending:
            say(f"pending: {case}, {call.reply.key[:16]}; recorded, but not by a maintainer")
            continue
        near = ""
        if call.reply.nearest:
            near = (
                f"; the nearest is {call.reply.nearest[:16]}, difference: {call.reply.difference}"
            )
        say(f"missing: {case}, {call.reply.key[:16]}{near}")
    if len(scored.missing) > SHOWN_MISSING:
        say(f"... and {len(scored.missing) - SHOWN_MISSING:,} more")
    pending = sum(call.reply.pending for call in scored.missing)
    if pending:
        say(f"{count(pending, 'judge call')} pending: a maintainer records them with lb rescore ID")
    if pending < len(scored.missing):
        calls = count(len(scored.missing) - pending, "judge call")
        say(f"{calls} missing: record them with lb rescore (without --offline)")
