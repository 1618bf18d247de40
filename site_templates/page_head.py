"""The head of a page: its title, description and breadcrumbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import Downloads
from site_templates.figures.axis import Flag
from site_templates.links import Link


@dataclass(frozen=True, slots=True)
class Head:
    """What a page says about itself. `section` is its entry in the navigation.

    `path` is from the root. `crumbs` are the pages above it. `json` is the path of the same page as
    data, `tables` are downloads of the tables that it shows. `flags` are the baselines' lines on
    the page's axis.
    """

    path: str
    title: str
    description: str
    section: str
    crumbs: tuple[Link, ...] = ()
    json: str | None = None
    tables: Downloads = ()
    flags: tuple[Flag, ...] = ()
    has_axis: bool = False


def page_head(
    index: BoardIndex,
    path: str,
    title: str,
    description: str,
    *,
    section: str,
    crumbs: Sequence[Link],
    json: str | None = None,
    tables: Downloads = (),
    flags: tuple[Flag, ...] = (),
    has_axis: bool = False,
) -> Head:
    """The head of a page below the first one. The board is its first breadcrumb."""
    return Head(
        path=path,
        title=f"{title}: {index.board.title}",
        description=description,
        section=section,
        crumbs=(Link("Board", "index.html"), *crumbs),
        json=json,
        tables=tables,
        flags=flags,
        has_axis=has_axis,
    )
