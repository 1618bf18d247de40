"""`lb cassettes`: are the recorded judge calls clean, whole and used?"""

from __future__ import annotations

from pathlib import Path

import click

from cli.console import count, say, show_problems


@click.group()
def command() -> None:
    """Look after the recorded judge calls in cassettes/.

    \b
    Example:
      lb cassettes check
    """


@command.command()
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="How to print problems.")
@click.pass_obj
def check(workspace_root: Path, form: str) -> None:
    """Say whether every cassette is readable, sorted, free of secrets and errors, and still used by some score.

    \b
    Example:
      lb cassettes check --format github
    """
    from cli.rescore import judges, score_all
    from leaderboard.load import load_contents
    from leaderboard.workspace import open_workspace
    from replay import check as cassettes

    workspace = open_workspace(workspace_root)
    problems = list(cassettes.check(workspace.root, None))
    if not any(problem.severity == "error" for problem in problems):
        contents = load_contents(workspace)
        if contents.errors:
            say("which calls are used is not checked: lb validate finds problems")
        else:
            panel = contents.leaderboard.panel
            with judges(workspace, panel, (), offline=True, record_mode="none", jobs=1) as (asker, ask):
                score_all(contents, panel, ask)
                problems = list(cassettes.check(workspace.root, asker.statistics.used))
    show_problems(problems, form)
    errors = sum(problem.severity == "error" for problem in problems)
    if errors:
        say(f"{count(errors, 'problem')} in the cassettes")
        raise SystemExit(1)
    say("fine" + (f"; {count(len(problems), 'warning')}" if problems else ""))
