"""`lb verify`: do these files give the results and the site?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click

from cli.console import count, say
from cli.options import PATH
from cli.options import results as results_option
from cli.wiring import board_of, open_board, score_offline

_SHOWN: Final = 50  # file names


@click.command()
@results_option
@click.option(
    "--site", type=PATH, help="The site to check (default: _site/ in the workspace, if there)."
)
@click.option(
    "--base-url", help="The --base-url of the site (default: the one that its pages name)."
)
@click.option("--repository", help="The --repository that the site was built with.")
@click.pass_obj
def command(
    workspace_root: Path,
    results: Path | None,
    site: Path | None,
    base_url: str | None,
    repository: str | None,
) -> None:
    """Score and build again in a temporary folder, offline, and compare every byte.

    Exit code 1 means that a file differs.

    \b
    Example:
      lb verify
    """
    from leaderboard.errors import FilesError, Problem
    from leaderboard.results import read_results, write_results
    from site_templates.builder import build, built_for

    workspace, contents = open_board(workspace_root)
    results = results or workspace.root / "results"
    read_results(results)  # a missing or damaged folder is an error before the work begins
    if site is not None and not (site / "index.html").is_file():
        what = "is not a site: it has no index.html"
        raise FilesError(Problem(str(site), what, "name the folder that lb build wrote"))
    site = site or workspace.root / "_site"
    hint = ""
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / "results"
        write_results(score_offline(workspace, contents), again)
        made = read_results(again)
        differing = _compare(results, again)
        if (site / "index.html").is_file():
            built, named = Path(folder) / "_site", built_for(site)
            if base_url is None and named is not None:
                say(f"building with --base-url {named}, as the site names it")
            board = board_of(workspace, contents, made, repository)
            build(board, built, base_url=named if base_url is None else base_url)
            differing += _compare(site, built)
            if built_for(built) != named:
                # Nearly every page differs then.
                used = f"with --base-url {named}" if named else "without --base-url"
                hint = f"the site was built {used}: leave --base-url out to use the same"
    if differing:
        for name in differing[:_SHOWN]:
            say(f"differs: {name}")
        if len(differing) > _SHOWN:
            say(f"and {len(differing) - _SHOWN:,} more")
        files = count(len(differing), "file")
        say(f"{files} differ from what these responses, cases, prompts and cassettes give")
        if hint:
            say(hint)
        raise SystemExit(1)
    say(f"OK: every byte is the same, sha256 {made.manifest['digest']}")


def _compare(kept: Path, made: Path) -> list[str]:
    """The names of the files that only one of two folders has, or whose bytes differ."""
    before, after = _files(kept), _files(made)
    return [
        f"{kept.name}/{name}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
