"""`lb verify`: are results/ and the site what these files give?"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from cli.console import count, printable, say
from cli.wiring import board_of, open_board, score_offline

_TOLD: Final = 50  # files that are named


@click.command()
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="The results to check (default: results/ in the workspace).",
)
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    help="The site to check (default: _site/ in the workspace, if there).",
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
    """Score and build again in a folder aside, without a network, and compare every byte. Exit 1 when one differs.

    \b
    Example:
      lb verify
    """
    from leaderboard.results import read_results, write_results
    from site_templates.builder import build, built_for

    workspace, contents = open_board(workspace_root)
    results = results or workspace.root / "results"
    site = site or workspace.root / "_site"
    read_results(results)  # says what is missing or damaged before the work begins
    hint = ""
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / "results"
        write_results(score_offline(workspace, contents), again)
        made = read_results(again)
        differing = _compare(results, again)
        if (site / "index.html").is_file():
            built, named = Path(folder) / "_site", built_for(site)
            if base_url is None and named is not None:
                say(
                    f"the site was built with --base-url {printable(named)}, so it is built with that again"
                )
            build(
                board_of(workspace, contents, made, repository),
                built,
                base_url=named if base_url is None else base_url,
            )
            differing += _compare(site, built)
            hint = "" if built_for(built) == named else _other_base(named)
    if differing:
        _tell(differing)
        if hint:
            say(hint)
        raise SystemExit(1)
    say(f"every byte is what these files give: sha256 {made.manifest['digest']}")


def _other_base(named: str | None) -> str:
    """What to say where another --base-url is given than the pages name, which makes nearly every page differ."""
    with_ = f"with --base-url {printable(named)}" if named else "without --base-url"
    return f"the site was built {with_}: leave --base-url out, and it is built so again"


def _tell(differing: Sequence[str]) -> None:
    for name in differing[:_TOLD]:
        say(f"differs: {name}")
    if len(differing) > _TOLD:
        say(f"and {len(differing) - _TOLD:,} more")
    say(
        f"{count(len(differing), 'file')} not what these responses, cases, prompts and cassettes give"
    )


def _compare(kept: Path, made: Path) -> list[str]:
    """The names of the files that only one of two folders has, or whose bytes differ."""
    names = {
        path.relative_to(top) for top in (kept, made) for path in top.rglob("*") if path.is_file()
    }
    return [
        f"{kept.name}/{name.as_posix()}"
        for name in sorted(names)
        if _bytes(kept / name) != _bytes(made / name)
    ]


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
