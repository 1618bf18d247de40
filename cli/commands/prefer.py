"""`lb prefer`: which of two submissions the judges prefer, case by case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import SUBMISSION, jobs_option, offline_option, output_format
from cli.output.console import explain_exit, show, show_json
from cli.output.score_output import show_filed
from cli.wiring import answered_suites, open_board, warn_of_leftover
from leaderboard.board.preferences import Preferences
from leaderboard.errors import FilesError
from leaderboard.texts.counted_nouns import counted
from site_templates.parts.pairs.comparison_words import win_rate_in_words

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.types import Suite


@click.command()
@click.argument("first", metavar="A", type=SUBMISSION)
@click.argument("second", metavar="B", type=SUBMISSION)
@click.option(
    "--suite",
    "suite_id",
    help="Use only this suite (default: every suite with preferences that both took).",
)
@offline_option
@jobs_option
@output_format("text", "json")
@click.pass_obj
def command(
    workspace_root: Path,
    first: str,
    second: str,
    suite_id: str | None,
    offline: bool,
    jobs: int,
    form: str,
) -> None:
    """Ask the judges which of two answers they prefer, and count wins, losses and ties.

    If only one answer solves the query (by the last lb rescore), it wins, and no judge is asked.
    Otherwise every judge is asked in both orders, and a choice counts only if both orders
    give it. This is StableToolBench's win rate. No score uses it.

    \b
    Example:
      lb prefer my-agent other-agent --suite stable_toolbench
    """
    from leaderboard.results import read_results
    from replay.asker import open_asker
    from scoring.judging.win_rate import prefer, side_of

    if first == second:
        raise click.UsageError("A and B are the same submission: give two different ones")
    workspace, contents = open_board(workspace_root, (first, second))
    results = read_results(workspace.results)
    panel = contents.leaderboard.panel
    suites = _suites(contents, first, second, suite_id)
    for suite in suites:
        for name in (first, second):
            answered_suites(workspace, results, name, suite.id)  # refuses what is not as scored
    compared = []
    if offline:
        warn_of_leftover(workspace_root)
    with open_asker(workspace.root, offline=offline, record_mode="new_episodes", jobs=jobs) as ask:
        show_filed(ask)
        for suite in suites:
            sides = (
                side_of(contents, results, suite, first),
                side_of(contents, results, suite, second),
            )
            prompt = contents.prompts[suite.id, suite.policy["preference"]]
            compared.append(prefer(suite, sides, prompt, panel, ask))
    if form == "json":
        show_json({"schema": 1, "suites": [asdict(preferences) for preferences in compared]})
    else:
        for line in _lines(compared):
            show(line)
    missing = sum(preferences.count("open") for preferences in compared)
    if missing:
        advice = "run lb prefer again when the judge is reachable"
        if offline:
            advice = "ask the judges with lb prefer (without --offline)"
        explain_exit(f"{counted(missing, 'case')} without a judge's reply: {advice}")
        raise SystemExit(3)


def _suites(contents: Contents, first: str, second: str, suite_id: str | None) -> list[Suite]:
    """The suites to ask about. Raises FilesError if there is none."""
    asking = [
        suite
        for suite in contents.suites
        if suite_id in (None, suite.id)
        and "preference" in suite.policy
        and (first, suite.id) in contents.records
        and (second, suite.id) in contents.records
    ]
    if not asking:
        what = "have no suite in common that names a prompt for preferences"
        fix = 'both need a suite of simulated APIs whose suite.toml has preference = "<prompt>"'
        raise FilesError.about("submissions", f"{first} and {second} {what}", fix)
    return asking


def _lines(compared: Sequence[Preferences]) -> Iterator[str]:
    for preferences in compared:
        first, second, total = preferences.first, preferences.second, preferences.count
        cases = counted(len(preferences.cases), "case")
        yield f"{preferences.suite}: {cases}, {preferences.decided:,} of them decided by a judge"
        yield f"  {first} preferred in {total('first'):,}, {second} in {total('second'):,}"
        yield f"  tied in {total('tie'):,}, waiting for a judge in {total('open'):,}"
        yield f"  win rate of {first}: {win_rate_in_words(preferences)}"
