"""`lb prefer`: which of two submissions the judges prefer, case by case."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count

if TYPE_CHECKING:
    from leaderboard.board.preferences import Preferences
    from leaderboard.load import Contents
    from leaderboard.results import Results
    from leaderboard.types import Ask, JudgeCall, JudgeReply, JudgeSettings, Suite
    from leaderboard.workspace import Workspace
    from replay.cassettes.cassette_index import Index
    from scoring.judging.preference import Side


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--suite",
    "suite_id",
    help="On this suite alone (default: every suite that asks for preferences and both took).",
)
@click.option(
    "--offline", is_flag=True, help="Refuse the network: what is not recorded stays open."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="Judge calls at a time.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to show it.",
)
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
    """Ask the judges which of two answers they prefer, for submissions A and B, and count wins, losses and ties.

    An answer that solves a query the other leaves unsolved (by the last lb rescore) is preferred without asking. Every judge
    is asked in both orders, and only a choice that stands in both is one. This is StableToolBench's win rate; no score rests
    on it.

    \b
    Example:
      lb prefer my-agent other-agent --suite stable_toolbench
    """
    from cli.rescore import judges
    from leaderboard.errors import FilesError
    from leaderboard.load import load_contents
    from leaderboard.results import read_results
    from leaderboard.workspace import open_workspace
    from scoring.judging.preference import prefer
    from scoring.rules import KINDS

    if first == second:
        raise click.UsageError("A and B are the same submission: name two")
    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, KINDS, (first, second))
    if contents.errors:
        raise FilesError(contents.errors)
    results = read_results(workspace.root / "results")
    panel = contents.leaderboard.panel
    found = []
    with judges(workspace, panel, (), offline=offline, record_mode="new_episodes", jobs=jobs) as (
        _,
        ask,
    ):
        for suite in _suites(contents, (first, second), suite_id):
            sides = (
                _side(contents, results, suite, first),
                _side(contents, results, suite, second),
            )
            found.append(
                prefer(
                    suite, sides, contents.prompts[suite.id, suite.policy["preference"]], panel, ask
                )
            )
    click.echo(_json(found) if form == "json" else "\n".join(_lines(found)))
    if any(preferences.count("open") for preferences in found):
        raise SystemExit(3)


def _suites(contents: Contents, names: Sequence[str], suite_id: str | None) -> list[Suite]:
    """The suites to ask about. Raises FilesError where there is none."""
    from leaderboard.errors import FilesError, Problem

    suites = [suite for suite in contents.suites if suite_id in (None, suite.id)]
    taken = [
        suite for suite in suites if all((name, suite.id) in contents.records for name in names)
    ]
    asking = [suite for suite in taken if "preference" in suite.policy]
    if not asking:
        what = "have no suite in common that names a prompt for preferences"
        fix = 'both must have taken a suite of kind stable_toolbench whose suite.toml says preference = "<prompt>"'
        raise FilesError(Problem("submissions", f"{names[0]} and {names[1]} {what}", fix))
    return asking


def recorded(
    workspace: Workspace,
    contents: Contents,
    results: Results,
    suite: Suite,
    panel: Sequence[JudgeSettings],
) -> Callable[[str, str], Preferences | None] | None:
    """Which of two submissions the judges prefer on a suite, as far as that is recorded; None where nothing ever was.

    Nothing is asked. The callable gives None for two of whom no judge compared an answer.
    """
    from leaderboard.board.preferences import RECORDED_AS
    from replay.cassettes.cassette_index import Index
    from scoring.judging.preference import prefer

    prompt = contents.prompts.get((suite.id, suite.policy.get("preference", "")))
    if prompt is None or not any(workspace.cassettes.glob(f"*/{suite.id}/{RECORDED_AS}.json")):
        return None
    ask = _replay(Index.load(workspace.root), panel)

    def find(first: str, second: str) -> Preferences | None:
        if any((name, suite.id) not in contents.records for name in (first, second)):
            return None
        found = prefer(
            suite,
            (_side(contents, results, suite, first), _side(contents, results, suite, second)),
            prompt,
            panel,
            ask,
        )
        return (
            found if any(case.judged and case.preferred != "open" for case in found.cases) else None
        )

    return find


def _replay(index: Index, panel: Sequence[JudgeSettings]) -> Ask:
    """Replies out of the cassettes alone. Most pairs were never compared: what is near to a call is not looked for."""
    from leaderboard.types import JudgeReply
    from replay.cassettes.request import Keyer, UnkeyableError

    keyers = {judge.name: Keyer(judge) for judge in panel}

    def reply(call: JudgeCall) -> JudgeReply:
        try:
            key = keyers[call.judge.name].key(call.prompt)
        except UnkeyableError:
            return JudgeReply("", None)
        found = index.find(key)
        return JudgeReply(key, None if found is None else found.text)

    return lambda calls: [reply(call) for call in calls]


def _side(contents: Contents, results: Results, suite: Suite, name: str) -> Side:
    """The first trial of every case that a submission answered, and its score there."""
    from scoring.judging.preference import Side

    records = contents.records[name, suite.id]
    verdicts = results.verdicts.filter(
        submission=name, suite=suite.id, metric=suite.kind.ranked, trial=1
    )
    points = dict(verdicts.select("case_id", "score").rows())
    return Side(
        name,
        {record.response.case_id: record.response for record in records if record.trial == 1},
        points,
    )


def _lines(found: Sequence[Preferences]) -> Iterator[str]:
    for preferences in found:
        first, second = preferences.first, preferences.second
        left = sum(case.judged for case in preferences.cases)
        yield f"{preferences.suite}: {count(len(preferences.cases), 'case')}, {left:,} of them left to a judge"
        yield f"  {first} preferred in {preferences.count('first'):,}, {second} in {preferences.count('second'):,}"
        yield f"  tied in {preferences.count('tie'):,}, waiting for a judge in {preferences.count('open'):,}"
        yield f"  win rate of {first}: {preferences.win_rate_said}"


def _json(found: Sequence[Preferences]) -> str:
    suites = [
        {
            **asdict(preferences),
            "win_rate": preferences.win_rate,
            "win_bounds": preferences.win_bounds,
        }
        for preferences in found
    ]
    return json.dumps({"schema": 1, "suites": suites}, indent=2, allow_nan=False)
