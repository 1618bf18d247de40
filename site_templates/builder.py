"""Builds the site: renders every page beside the old site, then replaces it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from markupsafe import Markup

from leaderboard.site_look import ACCENT, SiteLook
from leaderboard.types import Tool
from site_templates import write_tree
from site_templates.board import Board
from site_templates.board_index import BoardIndex, index_board
from site_templates.data import board_tables, compare_data, croissant, feed, schema_files, sitemap
from site_templates.data.case_and_answer_tables import answer_tables
from site_templates.data.case_data import case_files
from site_templates.data.health_data import health_files
from site_templates.data.judge_data import judge_files
from site_templates.data.overall_data import overall_files
from site_templates.data.ranking_rows import ranking_files
from site_templates.data.snapshot_data import snapshot_files
from site_templates.data.submission_page_data import submission_files
from site_templates.data.suite_data import suite_files, suite_list_files
from site_templates.figures import axis, badge
from site_templates.links import web
from site_templates.page_frame import Frame, frame
from site_templates.pages.all_pages import Page, case_pages, pages
from site_templates.parts.pairs.pair_pages import all_pairs
from site_templates.template_engine import environment
from site_templates.write_tree import BuildReport

_ASSETS: Final = Path(__file__).parent / "assets"
_LOST: Final = "404.html"  # served for any address, so it has none of its own

# The shipped assets, by their names in `Assets`.
_OWN: Final = {
    "style": "toolboard.css",
    "icon": "icon.svg",
    "script": "toolboard.js",
    "ranking": "toolboard-ranking.js",
    "answers": "toolboard-answers.js",
    "compare": "toolboard-compare.js",
}


@dataclass(frozen=True, slots=True)
class Assets:
    """Paths of stylesheet, scripts and icon. Each name holds a hash of the content.

    `script` is on every page, `ranking` and `answers` on pages with such a list, and `compare` on
    the page that compares any two submissions. `theme` and `logo` are the owner's stylesheet and
    logo, or None.
    """

    style: str
    icon: str
    script: str
    ranking: str
    answers: str
    compare: str
    theme: str | None
    logo: str | None


def build(board: Board, out: Path, *, base_url: str | None = None) -> BuildReport:
    """Make the folder `out` the site of a board and report what changed on disk.

    `base_url` is the address of the published site, such as https://example.org/board/. Pages link
    relatively; the 404 page, the feed and the sitemap need it. The same inputs give the same bytes.
    A failed build leaves the old site. Raises FilesError if `out` holds something else or cannot be
    written.
    """
    return write_tree.replace(out, site_files(board, base_url=base_url))


def site_files(
    board: Board,
    *,
    base_url: str | None = None,
    cases: Iterable[int] | None = None,
    others: bool = True,
) -> Iterator[tuple[str, bytes]]:
    """Path from the site's root and bytes of every file of a board's site, one at a time.

    `cases` are the numbers of the cases with a page, counted through all suites (default: all).
    `others`: the files that are no pages of cases come too, before those.
    """
    indexed, base = index_board(board), based(base_url)
    assets, own = _assets(board.look)
    renderer = _Renderer(frame(indexed, base), assets, base)

    def rendered(made: Iterable[Page]) -> Iterator[tuple[str, bytes]]:
        return ((page.model.head.path, renderer.page(page)) for page in made)

    files: list[Iterable[tuple[str, bytes]]] = []
    if others:
        own[".nojekyll"] = b""
        own[write_tree.MARKER] = write_tree.marker(board.rules_version, base, board.repository)
        files += [own.items(), rendered(pages(indexed, base)), _data(indexed, base)]
        files += [_badges(indexed, renderer), case_files(indexed)]
    files.append(rendered(case_pages(indexed, cases)))

    seen: set[str] = set()
    for path, content in chain.from_iterable(files):
        if path in seen:
            raise ValueError(f"two pages of one path: {path}")
        seen.add(path)
        yield path, content

    if base is not None and others:
        if board.states:
            yield "feed.xml", renderer.file("feed.xml", feed.feed(indexed, base))
        listed = seen.union(indexed.paths.case(suite, case) for suite, case in indexed.paths.cases)
        pages_of_site = [path for path in listed if path.endswith(".html") and path != _LOST]
        yield from sitemap.sitemap(base, pages_of_site)


def _data(indexed: BoardIndex, base: str | None) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every data file without those of cases, and the schemas of all."""
    cases = () if indexed.board.is_large else indexed.paths.cases
    paths = [indexed.paths.case_data(*case) for case in cases]
    for path, content in _data_files(indexed, base):
        paths.append(path)
        yield path, content
    yield from schema_files.files(paths)


def _data_files(indexed: BoardIndex, base: str | None) -> Iterator[tuple[str, bytes]]:
    tables = chain(board_tables.tables(indexed.board), answer_tables(indexed))
    yield from croissant.with_description(indexed, base, tables)
    yield from suite_list_files(indexed)
    yield from suite_files(indexed)
    yield from overall_files(indexed)
    yield from submission_files(indexed)
    yield from judge_files(indexed)
    yield from ranking_files(indexed)
    compared = all_pairs(indexed)
    yield from compare_data.script_files(indexed, compared)
    yield from compare_data.pair_files(indexed, compared)
    yield from health_files(indexed)
    yield from snapshot_files(indexed)


def _badges(indexed: BoardIndex, renderer: _Renderer) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every submission's badge."""
    for submission in indexed.submissions:
        drawn = badge.badge(indexed, submission)
        yield indexed.paths.badge(submission.id), renderer.file("badge.svg", drawn)


def based(base_url: str | None) -> str | None:
    """The address of the published site with a final slash; None unless it is a web address."""
    address = web(base_url)
    return None if address is None else f"{address.rstrip('/')}/"


def _assets(look: SiteLook) -> tuple[Assets, dict[str, bytes]]:
    sources = {source: (_ASSETS / source).read_bytes() for source in _OWN.values()}
    icon = _OWN["icon"]
    sources[icon] = sources[icon].replace(ACCENT.encode(), look.accent.encode())
    if look.css:
        sources["theme.css"] = look.css.encode()
    logo = f"logo.{look.logo.ending}" if look.logo else ""
    if look.logo:
        sources[logo] = look.logo.data
    paths: dict[str, str] = {}
    for source, content in sources.items():
        stem, _, ending = source.rpartition(".")
        paths[source] = f"assets/{stem}.{hashlib.sha256(content).hexdigest()[:8]}.{ending}"
    own = {name: paths[source] for name, source in _OWN.items()}
    used = Assets(**own, theme=paths.get("theme.css"), logo=paths.get(logo))
    return used, {paths[source]: content for source, content in sources.items()}


class _Renderer:
    """Renders the pages of one site."""

    def __init__(self, site: Frame, assets: Assets, base: str | None) -> None:
        self._env = environment()
        self._site = site
        self._assets = assets
        self._base = base
        self._tools: dict[int, tuple[tuple[Tool, ...], Markup]] = {}

    def page(self, page: Page) -> bytes:
        """A page as HTML."""
        head = page.model.head
        html = self._env.get_template(page.template).render(
            page=page.model,
            head=head,
            site=self._site,
            assets=self._assets,
            root=self._root(head.path),
            canonical=self._canonical(head.path),
            ticks=axis.TICKS,
            tool_list=self._tool_list,
        )
        return html.encode()

    def file(self, template: str, model: object) -> bytes:
        """A file other than a page, such as a badge."""
        return self._env.get_template(template).render(page=model).encode()

    def _root(self, path: str) -> str:
        """The prefix that leads from a page to the root of the site."""
        if path == _LOST and self._base:
            return urlsplit(self._base).path
        return "../" * path.count("/")

    def _canonical(self, path: str) -> str:
        if not self._base or path == _LOST:
            return ""
        return f"{self._base}{path.removesuffix('index.html')}"

    def _tool_list(self, tools: tuple[Tool, ...]) -> Markup:
        """The list of tools of a case, rendered once for all cases that share it."""
        # Tools hold mappings and have no hash, so the key is their identity. The tuple is kept
        # beside the text: otherwise another tuple could get the same identity.
        if id(tools) not in self._tools:
            html = self._env.get_template("tools.html").render(tools=tools)
            self._tools[id(tools)] = (tools, Markup(html))  # noqa: S704 - the template escapes
        return self._tools[id(tools)][1]
