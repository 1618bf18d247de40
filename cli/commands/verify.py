"""`lb verify`: do these files give the results and the site?"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cli.board_for_pages import board_of
from cli.options import BASE_ADDRESS, json_option, results_option
from cli.output.console import explain_exit, say, show_json
from cli.output.printed_tables import TEXT, inputs_in_words
from cli.wiring import open_board, score_offline, warn_of_leftover
from leaderboard.texts.counted_nouns import counted

if TYPE_CHECKING:
    from leaderboard.board.manifest_shape import Manifest
    from site_templates.board import Board
    from site_templates.published_site import Differs, PublishedSite

_SHOWN: Final = 50  # file names


@click.command()
@results_option
@click.option(
    "--site",
    metavar="FOLDER-OR-ADDRESS",
    help="The site to check (default: _site/ in the workspace, if it exists).",
)
@click.option(
    "--base-url",
    type=BASE_ADDRESS,
    help="The --base-url of the site (default: the one that the site names).",
)
@click.option(
    "--repository",
    type=BASE_ADDRESS,
    help="The --repository of the site (default: the one that the site names).",
)
@json_option
@click.pass_obj
def command(
    workspace_root: Path,
    results: Path | None,
    site: str | None,
    base_url: str | None,
    repository: str | None,
    as_json: bool,
) -> None:
    """Score and build again in a temporary folder, offline, and compare every byte.

    With an address, the files of the published site are fetched. Without results/, only the site is
    compared. Exit code 1 means that a file differs.

    \b
    Example:
      lb verify
      lb verify --site https://example.org/board/
    """
    from leaderboard.results import read_results, write_results
    from site_templates.published_site import is_site, open_site

    warn_of_leftover(workspace_root)
    workspace, contents = open_board(workspace_root)
    own_site = workspace.site
    if site is None and is_site(own_site):
        site = str(own_site)
    published = None if site is None else open_site(site)
    kept = results or workspace.results
    with_results = published is None or results is not None or kept.is_dir()
    if with_results:
        read_results(kept)  # a missing or damaged folder is an error before the work begins
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / "results"
        write_results(score_offline(workspace, contents), again)
        made = read_results(again)
        differing = _compare(kept, again) if with_results else {}
        reason = None
        if published is not None:
            if base_url is None and published.base_url is not None:
                say(f"building with --base-url {published.base_url}, as the site names it")
            used = base_url or published.base_url
            board = board_of(workspace, contents, made, repository or published.repository)
            of_site, reason = _compare_site(published, board, Path(folder) / "_site", used)
            differing |= of_site
    if as_json:
        digest = made.manifest["digest"]
        show_json({"same": not differing, "digest": digest, "differing": [*differing]})
    if differing:
        _show(differing, reason)
        raise SystemExit(1)
    say(f"OK: every byte is the same, sha256 {made.manifest['digest']}")
    if published is None:
        say("no site was compared: build one with lb build, or name one with --site")


def _compare_site(
    published: PublishedSite, board: Board, folder: Path, base_url: str | None
) -> tuple[dict[str, Differs], str | None]:
    """How the files of a site differ from those that `board` gives in `folder`, and why."""
    from site_templates.builder import based, build

    build(board, folder, base_url=base_url)
    differing = published.differing(folder)
    named = {f"{_name(published)}/{name}": how for name, how in differing.items()}
    if not differing:
        return named, None
    return named, _reason(published, board.results.manifest, based(base_url), differing)


def _name(site: PublishedSite) -> str:
    return site.name.rstrip("/") if site.is_remote else Path(site.name).name


def _show(differing: Mapping[str, Differs], reason: str | None) -> None:
    for name, how in [*differing.items()][:_SHOWN]:
        explain_exit(f"{how}: {name}")
    if len(differing) > _SHOWN:
        explain_exit(f"and {len(differing) - _SHOWN:,} more")
    differ = counted(len(differing), "file differs", "files differ")
    explain_exit(f"{differ} from what these responses, cases, prompts and cassettes give")
    if reason is not None:
        explain_exit(reason)


def _reason(
    site: PublishedSite,
    made: Manifest,
    base_url: str | None,
    differing: Mapping[str, Differs],
) -> str:
    """Why a site differs: other inputs, another address, or a change after it was built."""
    from scoring.changes.board_difference import input_changes

    if site.base_url != base_url:
        used = f"with --base-url {site.base_url}" if site.base_url else "without --base-url"
        return f"the site was built {used}: leave --base-url out to use the same"
    published = site.manifest()
    causes = tuple(input_changes(published, made))
    if causes:
        inputs = inputs_in_words(causes, TEXT)
        return f"the site was built from other inputs: {inputs}"
    if published != made:
        return "the inputs are the same, but the results or the manifest differ"
    folders = [name.split("/") for name, how in differing.items() if how != "differs"]
    snapshots = sorted({steps[1] for steps in folders if steps[0] == "history" and steps[2:]})
    if snapshots:
        named = ", ".join(snapshots)
        return f"inputs and results are the same, but the site has other snapshots: {named}"
    return "inputs and results are the same: pages, documents or templates differ"


def _compare(kept: Path, made: Path) -> dict[str, Differs]:
    """How the files of two folders of results differ, by name, sorted."""
    from leaderboard.digest import files_below

    before, after = dict(files_below(kept)), dict(files_below(made))
    differing: dict[str, Differs] = {}
    for name in sorted(before.keys() | after.keys()):
        place = f"{kept.name}/{name}"
        if name not in before:
            differing[place] = "missing"
        elif name not in after:
            differing[place] = "unexpected"
        elif before[name] != after[name]:
            differing[place] = "differs"
    return differing
