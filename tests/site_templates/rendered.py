"""The files of the small boards, rendered once per test process."""

from __future__ import annotations

from functools import cache

from site_templates import builder
from tests.site_templates import site_board, site_history
from tests.site_templates.site_html import Html, pages


@cache
def small_site() -> dict[str, bytes]:
    """Every file of the small board."""
    return builder.render(site_board.board())


@cache
def small_pages() -> dict[str, Html]:
    """Every page of the small board, parsed."""
    return pages(small_site())


@cache
def partial_site() -> dict[str, bytes]:
    """Every file of the small board in which one submission answered only a part."""
    return builder.render(site_board.partial())


@cache
def baselines_site() -> dict[str, bytes]:
    """Every file of a board with baselines only."""
    return builder.render(site_board.board(baselines_only=True))


@cache
def history_site() -> dict[str, bytes]:
    """Every file of the small board with earlier states."""
    return builder.render(site_history.board())
