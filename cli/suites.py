"""`lb suites`: what can be answered here."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--kind", help="Only suites of this kind.")
@click.option("--name", help="Only suites whose id or title holds this text.")
@click.option("--description", help="Only suites whose description holds this text, ignoring case.")
@click.pass_obj
def command(workspace_root: Path, kind: str | None, name: str | None, description: str | None) -> None:
    """List the suites: kind, categories, number of cases, weights.

    \b
    Example:
      lb suites --kind tool_selection
    """
    from leaderboard.errors import FilesError, Problem
    from leaderboard.settings import load_leaderboard
    from leaderboard.suites import load_suite, suite_ids
    from leaderboard.workspace import open_workspace

    workspace = open_workspace(workspace_root)
    ids = suite_ids(workspace, load_leaderboard(workspace))
    problems: list[Problem] = []
    for suite_id in ids:
        try:
            suite = load_suite(workspace, suite_id)
        except FilesError as error:
            problems.extend(error.problems)
            continue
        wanted = (
            kind in (None, suite.kind)
            and (name or "").casefold() in f"{suite.id} {suite.title}".casefold()
            and (description or "").casefold() in suite.description.casefold()
        )
        if not wanted:
            continue
        click.echo(f"{suite.id}  {suite.title} ({suite.kind}), {len(suite.cases):,} cases")
        total = sum(category.weight for category in suite.categories)
        for category in suite.categories:
            share = 100 * category.weight / total
            click.echo(f"  {category.id:<32} {len(category.cases):>6,} cases  {share:5.1f} % of the score")
    if problems:
        raise FilesError(problems)
