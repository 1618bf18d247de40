"""`lb suites`: the suites of the workspace."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import ADDRESS, json_option
from cli.output.console import say, show, show_json
from cli.output.problem_output import show_problems
from cli.wiring import kinds_of, open_suites, suite_names
from leaderboard.errors import Problem, collect_problems, raise_any
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import open_workspace

if TYPE_CHECKING:
    from leaderboard.types import Suite


@click.group(invoke_without_command=True)
@click.option("--kind", help="Only suites of this kind.")
@click.option("--name", help="Only suites with this text in their id or title.")
@click.option(
    "--description", help="Only suites with this text in their description. Letter case is ignored."
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    kind: str | None,
    name: str | None,
    description: str | None,
    as_json: bool,
) -> None:
    """List the suites: kind, categories, number of cases, weights.

    \b
    Example:
      lb suites --kind tool_selection
    """
    from leaderboard.files.suite_files import load_suite

    if ctx.invoked_subcommand is not None:
        if as_json or (kind, name, description) != (None, None, None):
            raise click.UsageError("--kind, --name, --description and --json concern only the list")
        return
    workspace = open_workspace(ctx.obj)
    ids = suite_names(workspace)
    problems: list[Problem] = []
    suites = []
    kinds = kinds_of(workspace)
    for suite_id in ids:
        with collect_problems(problems):
            suites.append(load_suite(workspace, suite_id, kinds))
    wanted = [
        suite
        for suite in suites
        if kind in (None, suite.kind.name)
        and (name or "").casefold() in f"{suite.id} {suite.title}".casefold()
        and (description or "").casefold() in suite.description.casefold()
    ]
    if as_json:
        show_json([_as_object(suite) for suite in wanted])
    else:
        _show(wanted)
    raise_any(problems)


def _show(suites: Iterable[Suite]) -> None:
    for suite in suites:
        cases = counted(len(suite.cases), "case")
        show(f"{suite.id}  {suite.title} ({suite.kind.name}), {cases}")
        total = sum(category.weight for category in suite.categories)
        for category in suite.categories:
            share = 100 * category.weight / total
            cases = counted(len(category.cases), "case")
            show(f"  {category.id:<32} {cases:>12}  {share:5.1f} % of the score")


def _as_object(suite: Suite) -> dict[str, Any]:
    categories = [
        {"id": c.id, "title": c.title, "cases": len(c.cases), "weight": c.weight}
        for c in suite.categories
    ]
    return {
        "id": suite.id,
        "title": suite.title,
        "kind": suite.kind.name,
        "digest": suite.digest,
        "categories": categories,
    }


@command.command(short_help="Call the gold APIs with example values.")
@click.argument("suite_name", metavar="SUITE")
@click.option(
    "--server-url",
    type=ADDRESS,
    help="The server that answers the API calls (default: the suite's cache).",
)
@click.pass_obj
def reference(workspace_root: Path, suite_name: str, server_url: str | None) -> None:
    """Call every gold API of a suite once with example values, and save the replies.

    The values are examples from the tools' descriptions, not from the questions, so the replies
    are not a ground truth. Case pages show them; no score, judge or digest uses them. The replies
    go to datasets/SUITE/reference.json.

    \b
    Example:
      lb suites reference stable_toolbench
    """
    from runners.apis.reference_calls import posted, replayed, run_reference
    from runners.apis.virtual_apis import replaying

    workspace, (suite,) = open_suites(workspace_root, [suite_name], option="SUITE")
    if server_url is None:
        apis = replaying(workspace, suite)
        show_problems(apis.catalogue.warnings, "text")
        post = replayed(apis)
    else:
        post = posted(server_url)
    report = run_reference(workspace.root, suite, post)
    failed = f", of which {report.failed:,} failed" if report.failed else ""
    queries = counted(report.queries, "query", "queries")
    calls = f"{counted(report.calls, 'call')} for {queries}{failed}"
    say(f"{report.file}: {calls}; {report.outcome}")
