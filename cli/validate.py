"""`lb validate`: every problem of every file, before anything is scored."""

from __future__ import annotations

from pathlib import Path

import click

from cli.console import count, say, show_problems


@click.command()
@click.argument("ids", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="How to print problems.")
@click.pass_obj
def command(workspace_root: Path, ids: tuple[str, ...], form: str) -> None:
    """Check submissions (all, or those named), suites, prompts and labels, and print every problem at once.

    \b
    Example:
      lb validate my-submission
      lb validate --format json
    """
    from leaderboard.load import load_contents
    from leaderboard.workspace import open_workspace

    contents = load_contents(open_workspace(workspace_root), ids)
    if contents.labels:
        from scoring.labelled import decided_pairs

        contents.problems.extend(decided_pairs(contents.labels.values(), {suite.id: suite for suite in contents.suites}))
    show_problems(contents.problems, form)
    errors = len(contents.errors)
    warnings = len(contents.problems) - errors
    checked = f"{count(len(contents.submissions), 'submission')}, {count(len(contents.suites), 'suite')}"
    if errors:
        say(f"{count(errors, 'problem')} to mend" + (f", {count(warnings, 'warning')}" if warnings else ""))
        raise SystemExit(1)
    say(f"fine: {checked}" + (f"; {count(warnings, 'warning')}" if warnings else ""))
