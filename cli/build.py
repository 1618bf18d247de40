"""`lb build`: from results/ to the site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say
from cli.wiring import board_of, open_board

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.results import Results


@click.command()
@click.option(
    "--base-url", help="Where the site will live, for pages that need a full address (404, feeds)."
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="The results to show (default: results/ in the workspace).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Where the site goes (default: _site/ in the workspace).",
)
@click.option(
    "--repository", help="Where people clone the board from (default: what leaderboard.toml says)."
)
@click.pass_obj
def command(
    workspace_root: Path,
    base_url: str | None,
    results: Path | None,
    out: Path | None,
    repository: str | None,
) -> None:
    """Build the site from results/. Files that would not change are left alone; a failed build leaves the site as it was.

    \b
    Example:
      lb build --base-url https://example.org/toolboard/
    """
    from leaderboard.results import read_results
    from site_templates.builder import build

    workspace, contents = open_board(workspace_root)
    scored = read_results(results or workspace.root / "results")
    _refuse_stale(contents, scored)
    site = out or workspace.root / "_site"
    report = build(board_of(workspace, contents, scored, repository), site, base_url=base_url)
    said = f"{count(len(report.written), 'file')} written, {report.unchanged:,} unchanged, {len(report.removed):,} removed"
    say(f"{workspace.shown(site)}/index.html: {said}")


def _refuse_stale(contents: Contents, results: Results) -> None:
    """Pages show responses beside their verdicts: both must be of the same files."""
    from leaderboard.errors import FilesError, Problem

    scored = {
        path: digest
        for files in results.manifest["submissions"].values()
        for path, digest in files.items()
    }
    suites = {name: suite["digest"] for name, suite in results.manifest["suites"].items()}
    if scored != contents.digests or suites != {
        suite.id: suite.digest for suite in contents.suites
    }:
        raise FilesError(
            Problem(
                "results/manifest.json",
                "is of other responses or cases than those here",
                "run lb rescore again",
            )
        )
