"""The head of a page: its title, description and breadcrumbs."""

from __future__ import annotations

from collections.abc import Sequence

from site_templates.board_index import BoardIndex
from site_templates.figures.axis import Flag
from site_templates.links import Link
from site_templates.page_frame import Head


def page_head(
    index: BoardIndex,
    path: str,
    title: str,
    description: str,
    *,
    section: str,
    crumbs: Sequence[Link],
    json: str | None = None,
    flags: tuple[Flag, ...] = (),
    has_axis: bool = False,
    has_kinds: bool = False,
) -> Head:
    """The head of a page below the first one. The board is its first breadcrumb."""
    return Head(
        path=path,
        title=f"{title}: {index.board.title}",
        description=description,
        section=section,
        crumbs=(Link("Board", "index.html"), *crumbs),
        json=json,
        flags=flags,
        has_axis=has_axis,
        has_kinds=has_kinds,
    )
