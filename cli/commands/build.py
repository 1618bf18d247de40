"""`lb build`: from results/ to the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cli.board_for_pages import board_of
from cli.options import BASE_ADDRESS, json_option, out_option, results_option
from cli.output.console import copied_lines, print_again, say, show_json
from cli.wiring import open_board
from leaderboard.machine.gc_pause import paused_collector
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import MANIFEST, Workspace, open_workspace, own_folder

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from site_templates.write_tree import BuildReport

# A board with more responses is built by two processes. Each indexes the whole board, which takes
# longer than the pages of a small one.
_SHARED: Final = 500


@click.command()
@click.option(
    "--base-url",
    type=BASE_ADDRESS,
    help="The address of the published site, for pages that need it (404, feed, badges).",
)
@results_option
@out_option("The site's folder (default: _site/ in the workspace).")
@click.option(
    "--repository",
    type=BASE_ADDRESS,
    help="Where people clone the board from (default: as in leaderboard.toml).",
)
@click.option(
    "--fresh", is_flag=True, help="Build everything again, and use nothing from the last build."
)
@json_option
@click.pass_obj
@paused_collector()
def command(
    workspace_root: Path,
    base_url: str | None,
    results: Path | None,
    out: Path | None,
    repository: str | None,
    fresh: bool,
    as_json: bool,
) -> None:
    """Build the site from results/.

    Unchanged files are not written, and nothing is built if nothing has changed. If the build
    fails, the old site stays as it is.

    \b
    Example:
      lb build --base-url https://example.org/toolboard/
    """
    from leaderboard.machine.cache_folder import cache_of
    from leaderboard.machine.unchanged_output import Inputs, remember_output, unchanged_output
    from site_templates.write_tree import BuildReport

    workspace = open_workspace(workspace_root)
    site, results = out or own_folder(workspace, "_site"), results or workspace.results
    cache = cache_of(workspace.root)
    inputs = Inputs(workspace, (base_url, repository), results)
    source = None if fresh else cache
    unchanged = None if source is None else unchanged_output(source, site, inputs.digest)
    if unchanged is not None:
        report = BuildReport((), unchanged.files, ())
        print_again(unchanged.lines)
    else:
        with copied_lines() as lines:
            report = _build(workspace, results, site, repository, base_url, source)
        if cache is not None:
            try:
                remember_output(cache, site, inputs, lines)
            except OSError as error:
                say(f"what was built cannot be cached, so the next build is a full one: {error}")
    if as_json:
        index = f"{site}/index.html"
        counts = {"unchanged": report.unchanged, "removed": len(report.removed)}
        show_json({"index": index, "written": len(report.written), **counts})
    files = f"{counted(len(report.written), 'file')} written, {report.unchanged:,} unchanged"
    say(f"{workspace.shown(site)}/index.html: {files}, {len(report.removed):,} removed")


def _build(
    workspace: Workspace,
    results: Path,
    site: Path,
    repository: str | None,
    base_url: str | None,
    cache: Path | None,
) -> BuildReport:
    from leaderboard.machine.processes import processors, tickets
    from replay.cassettes.cached_calls import read_calls
    from replay.recorded_calls import RecordedCalls
    from scoring.cached.verdict_basis import code_digest
    from site_templates.write_tree import replace_in_shares

    workspace, contents = open_board(workspace.root)
    calls = RecordedCalls(workspace.root, {} if cache is None else read_calls(cache, code_digest()))
    calls.read()

    def files(cases: Iterable[int], *, others: bool) -> Iterator[tuple[str, bytes]]:
        # These import Polars, after the fork.
        from leaderboard.results import read_results
        from scoring.stale_results import refuse_stale
        from site_templates.builder import site_files

        scored = read_results(results)
        if others:
            refuse_stale(workspace, contents, scored.manifest, workspace.shown(results))
        board = board_of(workspace, contents, scored, repository, calls)
        return site_files(board, base_url=base_url, cases=cases, others=others)

    large = sum(map(len, contents.records.values())) > _SHARED and processors() > 1
    with tickets(sum(len(suite.cases) for suite in contents.suites)) as cases:
        shares = [partial(files, cases, others=True)]
        if large:
            shares.append(partial(files, cases, others=False))
        report = replace_in_shares(site, shares)
    _name_other_judges(contents, results, workspace.shown(results))
    return report


def _name_other_judges(contents: Contents, results: Path, shown: str) -> None:
    from leaderboard.board.manifest_shape import read_manifest
    from scoring.manifest import other_judges

    manifest = read_manifest((results / MANIFEST).read_bytes(), shown)
    if by := other_judges(contents, manifest):
        say(f"{shown} {by} (lb rescore uses the panel)")
