"""What the owner of a board chose for the look of its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

ACCENT: Final = "#2b46a8"  # of the stylesheet and the icon, if the owner chose none


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture beside the title. `ending` is that of its file name, without a dot."""

    ending: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SiteLook:
    """What the owner of a board chose for its pages.

    - `headline`: above the description on the first page; the title if it is empty.
    - `links`: label and address of links in the footer.
    - `licence`, `citation`: texts of the footer. `citation` may have several lines.
    - `accent`: the colour of badges and the icon, #rrggbb.
    - `css`: a stylesheet that comes after the site's own. It has the accent of the pages.
    """

    headline: str = ""
    links: tuple[tuple[str, str], ...] = ()
    licence: str = ""
    citation: str = ""
    logo: Logo | None = None
    accent: str = ACCENT
    css: str = ""
