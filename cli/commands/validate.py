"""`lb validate`: every problem of every file, before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import SUBMISSION, output_format
from cli.output.console import say
from cli.output.problem_output import show_problems
from cli.submission_warnings import exposed_keys, odd_dates
from cli.validate_checks import (
    environment_problems,
    judge_problems,
    later_stops,
    unjudged_prompts,
    unjudged_texts,
    unstated_facts,
    wrong_results,
)
from cli.wiring import kinds_of
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import open_workspace

if TYPE_CHECKING:
    from leaderboard.load import Contents


@click.command()
@click.argument("ids", metavar="[IDS]...", nargs=-1, type=SUBMISSION)
@output_format("text", "json", "github")
@click.pass_obj
def command(workspace_root: Path, ids: tuple[str, ...], form: str) -> None:
    """Check submissions (all, or those named), suites, prompts and labels.

    Prints every problem at once. Without IDS, it also checks the history, audits, cassettes,
    documents, simulated APIs and reference runs, whether modules that rules import are installed,
    and whether reference answers state the facts of their own cases.

    \b
    Example:
      lb validate my-submission
      lb validate --format json
    """
    from leaderboard.load import load_contents, united_problems
    from leaderboard.unread_files import unread_files
    from scoring.rules.workspace_rules import ignored_rules

    click.get_current_context().meta["problem format"] = form  # also of what ends the command
    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, kinds_of(workspace), ids)
    contents.problems.extend(ignored_rules(workspace.root))
    contents.problems.extend(unread_files(workspace, contents))
    contents.problems.extend(judge_problems(contents.leaderboard.judges.values()))
    if any(judge.is_recomputed for judge in contents.leaderboard.judges.values()):
        contents.problems.extend(unjudged_prompts(contents))
    for suite in contents.suites:
        if suite.kind.interaction == "environment":
            contents.problems.extend(environment_problems(suite))
        if not ids:
            contents.problems.extend(unstated_facts(suite))
            contents.problems.extend(wrong_results(suite))
            contents.problems.extend(unjudged_texts(suite))
    if not ids:
        contents.problems.extend(later_stops(workspace, contents))
    contents.problems.extend(odd_dates(workspace, contents.submissions))
    contents.problems.extend(exposed_keys(workspace, contents.submissions))
    contents.problems = united_problems(contents.problems, contents.suites)
    show_problems(contents.problems, form)
    errors = sum(problem.number for problem in contents.errors)
    warnings = sum(problem.number for problem in contents.problems) - errors
    more = f", {counted(warnings, 'warning')}" if warnings else ""
    if errors:
        say(f"{counted(errors, 'problem')} to fix{more}")
        raise SystemExit(1)
    checked = (
        counted(len(contents.submissions), "submission"),
        counted(len(contents.suites), "suite"),
    )
    say(f"OK: {', '.join(checked)}{more}")
    if ids:
        say(*_missing_cases(contents))


def _missing_cases(contents: Contents) -> Iterator[str]:
    """A line for each suite of which a submission misses cases, if its card does not say so."""
    partial = {submission.id: submission.card.partial for submission in contents.submissions}
    suites = {suite.id: suite for suite in contents.suites}
    for (name, suite_id), records in contents.records.items():
        if name not in partial or suite_id in partial[name]:
            continue
        cases = suites[suite_id].by_id
        missing = len(cases) - len({response.case_id for response in records.responses})
        if missing:
            yield (
                f"{name}: no record for {missing:,} of {len(cases):,} cases of {suite_id}; "
                "a missing record counts as a fail. For cases that were not asked, write "
                f'"partial": ["{suite_id}"] into the card'
            )
