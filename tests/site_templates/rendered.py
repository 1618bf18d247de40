"""Files of sites: all of the small boards, rendered once per process, and some of others."""

from __future__ import annotations

from functools import cache

import pytest

from site_templates import builder
from site_templates.board import Board
from site_templates.pages.all_pages import Page
from tests.site_templates import site_board, site_history
from tests.site_templates.site_html import Pages, pages


def render(board: Board, *, base_url: str | None = None) -> dict[str, bytes]:
    """Every file of a board's site in memory: path from its root -> bytes."""
    return dict(builder.site_files(board, base_url=base_url))


def files_of(board: Board, *paths: str, base_url: str | None = None) -> dict[str, bytes]:
    """These files of a board's site. Others are not made, which would take most of the time."""
    rendered = builder._Renderer.page

    def wanted(renderer: builder._Renderer, page: Page) -> bytes:
        return rendered(renderer, page) if page.model.head.path in paths else b""

    of_cases = {path.startswith("cases/") for path in paths}
    cases = None if True in of_cases else ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder._Renderer, "page", wanted)
        files = builder.site_files(board, base_url=base_url, cases=cases, others=False in of_cases)
        found: dict[str, bytes] = {}
        while found.keys() != set(paths):
            path, content = next(files)
            if path in paths:
                found[path] = content
    return {path: found[path] for path in paths}


def file_of(board: Board, path: str) -> bytes:
    """One file of a board's site."""
    return files_of(board, path)[path]


@cache
def small_site() -> dict[str, bytes]:
    """Every file of the small board."""
    return render(site_board.board())


@cache
def small_pages() -> Pages:
    """Every page of the small board, parsed."""
    return pages(small_site())


@cache
def partial_site() -> dict[str, bytes]:
    """Every file of the small board in which one submission answered only a part."""
    return render(site_board.partial())


@cache
def baselines_site() -> dict[str, bytes]:
    """Every file of a board with baselines only."""
    return render(site_board.board(baselines_only=True))


@cache
def history_site() -> dict[str, bytes]:
    """Every file of the small board with earlier states."""
    return render(site_history.board())
