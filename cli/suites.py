"""`lb suites`: what can be answered here."""

from __future__ import annotations

from pathlib import Path

import click

from cli.console import count, say, show_problems


@click.group(invoke_without_command=True)
@click.option("--kind", help="Only suites of this kind.")
@click.option("--name", help="Only suites whose id or title holds this text.")
@click.option("--description", help="Only suites whose description holds this text, ignoring case.")
@click.pass_context
def command(
    ctx: click.Context, kind: str | None, name: str | None, description: str | None
) -> None:
    """List the suites: kind, categories, number of cases, weights.

    \b
    Example:
      lb suites --kind tool_selection
    """
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, kind, name, description)
    elif (kind, name, description) != (None, None, None):
        raise click.UsageError(
            f"--kind, --name and --description are for the list: lb suites {ctx.invoked_subcommand} ..."
        )


def _list(
    workspace_root: Path, kind: str | None, name: str | None, description: str | None
) -> None:
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.suite_files import load_suite, suite_ids
    from leaderboard.workspace import open_workspace
    from scoring.rules import KINDS

    workspace = open_workspace(workspace_root)
    ids = suite_ids(workspace, load_leaderboard(workspace))
    problems: list[Problem] = []
    for suite_id in ids:
        try:
            suite = load_suite(workspace, suite_id, KINDS)
        except FilesError as error:
            problems.extend(error.problems)
            continue
        wanted = (
            kind in (None, suite.kind.name)
            and (name or "").casefold() in f"{suite.id} {suite.title}".casefold()
            and (description or "").casefold() in suite.description.casefold()
        )
        if not wanted:
            continue
        click.echo(f"{suite.id}  {suite.title} ({suite.kind.name}), {len(suite.cases):,} cases")
        total = sum(category.weight for category in suite.categories)
        for category in suite.categories:
            share = 100 * category.weight / total
            click.echo(
                f"  {category.id:<32} {len(category.cases):>6,} cases  {share:5.1f} % of the score"
            )
    if problems:
        raise FilesError(problems)


@command.command(short_help="Call every gold API once with example values, for a look.")
@click.argument("suite_name", metavar="SUITE")
@click.option(
    "--server-url",
    help="Where the API calls are answered (default: here, out of the suite's cache alone).",
)
@click.pass_obj
def reference(workspace_root: Path, suite_name: str, server_url: str | None) -> None:
    """Call every gold API of a suite once with example values, and keep what comes back in datasets/SUITE/reference.json.

    The values are those that the tools' descriptions give as examples, not those of the questions: what comes back is no ground
    truth. No score, no judge and no digest rests on it; it is shown on the pages of the cases. Doing it again changes nothing.

    \b
    Example:
      lb suites reference stable_toolbench
    """
    from urllib.parse import urlsplit

    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.suite_files import load_suite, suite_ids
    from leaderboard.workspace import open_workspace
    from runners.apis.reference_calls import posted, replayed, run_reference
    from runners.apis.virtual_apis import replaying
    from scoring.rules import KINDS

    if server_url is not None and not (
        urlsplit(server_url).scheme in ("http", "https") and urlsplit(server_url).hostname
    ):
        raise click.BadParameter(
            f"{server_url!r} is no http:// or https:// address", param_hint="--server-url"
        )
    workspace = open_workspace(workspace_root)
    known = suite_ids(workspace, load_leaderboard(workspace))
    if suite_name not in known:
        raise click.BadParameter(
            f"no suite {suite_name!r}; there are: {', '.join(known)}", param_hint="SUITE"
        )
    suite = load_suite(workspace, suite_name, KINDS)
    if server_url is None:
        apis = replaying(workspace, suite)
        show_problems(apis.catalogue.warnings, "text")
        post = replayed(apis)
    else:
        post = posted(server_url)
    report = run_reference(workspace.root, suite, post)
    failed = f", of which {report.failed:,} failed" if report.failed else ""
    say(
        f"{report.file}: {count(report.calls, 'call')} for {report.queries:,} queries{failed}; {report.outcome}"
    )
