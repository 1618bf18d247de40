"""The builder: every page is rendered in memory, then everything is written at once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from leaderboard.types import Tool
from site_templates import formatting, write_tree
from site_templates.board import Board
from site_templates.board_index import Register, register
from site_templates.data import board_tables, compare_data, data_schemas, feed, page_data
from site_templates.figures import axis, badge, preview
from site_templates.figures.preview import Preview
from site_templates.links import web
from site_templates.page_frame import Frame, frame
from site_templates.pages import health_page, history_page
from site_templates.pages.all_pages import Page, pages
from site_templates.pages.case_page import CasePage
from site_templates.parts import paging
from site_templates.parts.pair_pages import all_pairs
from site_templates.write_tree import BuildReport

_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Assets:
    """Paths of stylesheet, scripts and icon; each name holds a hash of the content. `compare` is for its page alone."""

    style: str
    script: str
    icon: str
    compare: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as the head of a page names it: full address, size in pixels, what it says in words."""

    address: str
    across: int
    down: int
    alt: str


def build(board: Board, out: Path, *, base_url: str | None = None) -> BuildReport:
    """Make `out` the site of a board and report what changed on disk.

    `base_url` is where the site will stand (https://example.org/board/): pages link relatively and do not need it, but the
    page for lost addresses, the feed, the map and the pictures beside links do. Same inputs give the same bytes; a failing
    build leaves the old site. Raises FilesError where `out` holds something else or cannot be written.
    """
    return write_tree.replace(out, render(board, base_url=base_url))


def render(board: Board, *, base_url: str | None = None) -> dict[str, bytes]:
    """Every file of a board's site: path from its root -> bytes."""
    indexed, base = register(board), based(base_url)
    assets, files = _assets()
    files[".nojekyll"] = b""
    files[write_tree.MARKER] = write_tree.marker(board.rules_version)
    shown = preview.previews(indexed, base) if base is not None else {}
    renderer = _Renderer(frame(indexed, base), assets, base_url, shown, page_data.beside(indexed))
    for page in pages(indexed, base):
        _add(files, page.model.head.path, renderer.page(page))
    beside = _beside(indexed, renderer, base, [*files])
    for source in (
        board_tables.tables(board),
        board_tables.pages(indexed),
        paging.shards(indexed),
        preview.pictures(shown),
        beside,
    ):
        for path, content in source:
            _add(files, path, content)
    return files


def _beside(
    indexed: Register, renderer: _Renderer, base: str | None, paths: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of all that belongs to no one page: what is compared, badges, schemas, the feed, the map of the site."""
    yield from page_data.files(indexed)
    yield from compare_data.shards(indexed)
    yield from compare_data.pairs(indexed, all_pairs(indexed))
    yield from health_page.health_data(indexed)
    yield from history_page.history_data(indexed)
    yield from data_schemas.files()
    for submission, model in badge.badges(indexed):
        yield indexed.paths.badge(submission.id), renderer.file("badge.svg", model)
        yield indexed.paths.badge(submission.id, "json"), badge.shields(indexed, submission)
    if base is not None:
        if indexed.board.states:
            yield "feed.xml", renderer.file("feed.xml", feed.feed(indexed, base))
        yield from feed.sitemap(
            base, [path for path in paths if path.endswith(".html") and path != "404.html"]
        )


def based(base_url: str | None) -> str | None:
    """The full address at which the site will stand, with a slash at its end; None where none or no web address is given."""
    found = web(base_url)
    return None if found is None else f"{found.rstrip('/')}/"


def built_for(site: Path) -> str | None:
    """The `base_url` that a site was built with, as its first page names it; None where it was built without one."""
    try:
        page = (site / "index.html").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    found = re.search(r'<link rel="canonical" href="([^"]*)">', page)
    return unescape(found[1]) if found else None


def _add(files: dict[str, bytes], path: str, content: bytes) -> None:
    if path in files:
        raise ValueError(f"two pages of one path: {path}")
    files[path] = content


def _assets() -> tuple[Assets, dict[str, bytes]]:
    files: dict[str, bytes] = {}
    names = []
    for source in ("toolboard.css", "toolboard.js", "icon.svg", "toolboard-compare.js"):
        content = (_HERE / "assets" / source).read_bytes()
        stem, _, ending = source.rpartition(".")
        names.append(f"assets/{stem}.{hashlib.sha256(content).hexdigest()[:8]}.{ending}")
        files[names[-1]] = content
    return Assets(*names), files


def environment() -> Environment:
    """The templates' environment: everything escaped, nothing undefined, no hidden character let through."""
    env = Environment(
        loader=FileSystemLoader(_HERE / "templates", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        finalize=_visible,
    )
    env.filters["count"] = formatting.count
    env.filters["thousands"] = "{:,}".format
    env.filters["breakable"] = formatting.breakable
    env.filters["digest"] = formatting.digest
    env.filters["values"] = formatting.values
    return env


def _visible(value: object) -> object:
    """What every expression of a template passes through: plain text shows its hidden characters, markup is left alone."""
    return formatting.visible(value) if type(value) is str else value


class _Renderer:
    """Renders pages of one site. A list of tools is rendered once for all cases that share it.

    `shown` holds the pictures of pages by path; a page without one of its own has that of the board. `beside` holds what is to
    be downloaded with each.
    """

    def __init__(
        self,
        site: Frame,
        assets: Assets,
        base_url: str | None,
        shown: Mapping[str, Preview],
        beside: Mapping[str, page_data.Beside],
    ) -> None:
        self._env = environment()
        self._site = site
        self._assets = assets
        self._base = base_url
        self._shown = shown
        self._beside = beside
        self._templates: dict[str, Template] = {}
        self._tools: dict[int, tuple[tuple[Tool, ...], Markup]] = {}

    def page(self, page: Page) -> bytes:
        head = page.model.head
        if page.template not in self._templates:
            self._templates[page.template] = self._env.get_template(page.template)
        html = self._templates[page.template].render(
            page=page.model,
            head=head,
            site=self._site,
            assets=self._assets,
            root=self._root(head.path),
            canonical=self._canonical(head.path),
            picture=self._picture(head.path),
            beside=page_data.of_page(self._beside, head.path, head.json),
            ticks=axis.TICKS,
            tool_list=self._tool_list(page.model.tools) if isinstance(page.model, CasePage) else "",
        )
        return html.encode()

    def file(self, template: str, model: object) -> bytes:
        """A file that is no page, such as a picture."""
        if template not in self._templates:
            self._templates[template] = self._env.get_template(template)
        return self._templates[template].render(page=model).encode()

    def _root(self, path: str) -> str:
        """What leads from a page to the root of the site; in full where the page is shown at addresses of any depth."""
        if path == "404.html" and self._base:
            return quote(urlsplit(self._base).path.rstrip("/") + "/", safe="/%~")
        return "../" * path.count("/")

    def _canonical(self, path: str) -> str:
        if not self._base or path == "404.html":
            return ""
        base = self._base.rstrip("/")
        return f"{base}/{path.removesuffix('index.html')}"

    def _picture(self, path: str) -> Shown | None:
        """The picture that other places show beside a link to a page."""
        base, found = based(self._base), self._shown.get(path) or self._shown.get("index.html")
        if base is None or found is None or path == "404.html":
            return None
        return Shown(f"{base}{found.path}", preview.ACROSS, preview.DOWN, found.alt)

    def _tool_list(self, tools: tuple[Tool, ...]) -> Markup:
        # By identity: tools hold mappings and have no hash, and cases of one suite share the very same tuple. The tuple is
        # kept beside the text so that its identity cannot be given to another.
        known = self._tools.get(id(tools))
        if known is None:
            rendered = Markup(self._env.get_template("tools.html").render(tools=tools))  # noqa: S704 - escaped by the template
            known = self._tools[id(tools)] = (tools, rendered)
        return known[1]
