"""`[site]` in leaderboard.toml, and theme/extra.css: the look of the site."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import BaseModel, Field, StringConstraints

from leaderboard.errors import FilesError, Problem, collect_problems
from leaderboard.files.accent_colour import (
    DARK_GROUNDS,
    LIGHT_GROUNDS,
    TEXT_CONTRAST,
    accent_css,
    least_contrast,
)
from leaderboard.files.field_types import CLOSED, Line, WebAddress, text_form
from leaderboard.files.file_bytes import read_bytes, read_text
from leaderboard.files.findings import Findings
from leaderboard.limits import LOGO_BYTES
from leaderboard.site_look import ACCENT, Logo, SiteLook
from leaderboard.workspace import Workspace

Colour = Annotated[str, text_form(r"^#[0-9a-fA-F]{6}$", "a colour is written #rrggbb")]

EXTRA_CSS: Final = "theme/extra.css"

# How files of a type begin. The ending and the content must agree.
_BEGINNINGS: Final = {
    "png": rb"\x89PNG\r\n\x1a\n",
    "jpg": rb"\xff\xd8\xff",
    "webp": rb"RIFF....WEBP",
    "svg": (
        rb"\s*(<\?xml[^>]*>\s*)?"
        rb"(<!--.*?-->\s*|<!DOCTYPE\s[^>\[]*(\[[^\]]*\]\s*)?>\s*)*<svg[\s>]"
    ),
}
# A page shows an SVG file as a picture, which runs nothing. Opened by itself, it could.
_ACTIVE: Final = re.compile(
    rb"<\s*(script|foreignObject|iframe|!ENTITY|!DOCTYPE)|\bon[a-z]+\s*=|javascript:"
    rb"|(href|src)\s*=\s*+[\"']?+\s*+(?!#|data:image/)",
    re.IGNORECASE,
)


class FooterLink(BaseModel):
    """A link in the footer of every page.

    - `label`: its text.
    - `url`: its address.
    """

    model_config = CLOSED
    label: Line
    url: WebAddress


class SiteToml(BaseModel):
    """The look of the site.

    - `headline`: above the description on the first page. Without it, the title.
    - `logo`: a PNG, JPEG, WebP or SVG file of the workspace, shown beside the title.
    - `accent`: the colour of links, marks, badges and the icon, such as `"#2b46a8"`. Text needs a
      contrast of 4.5:1.
    - `accent_dark`: the same in the dark theme. Without it, a lighter tone of `accent`.
    - `links`: links in the footer.
    - `licence`: of the data, as text for the footer.
    - `citation`: how to cite the board, as text for the footer.
    """

    model_config = CLOSED
    headline: Line | None = None
    logo: Line | None = None
    accent: Colour | None = None
    accent_dark: Colour | None = None
    links: Annotated[list[FooterLink], Field(max_length=20)] = []
    licence: Line | None = None
    citation: Annotated[str, StringConstraints(max_length=4000)] = ""


def load_look(workspace: Workspace, site: SiteToml, findings: Findings) -> SiteLook:
    """The look that leaderboard.toml declares, with its files. Adds findings for what is wrong."""
    _check_accents(site, findings)
    logo, css, problems = None, "", list[Problem]()
    if site.accent and not findings.has_errors:
        css = accent_css(site.accent.lower(), (site.accent_dark or "").lower() or None)
    extra = workspace.root / EXTRA_CSS
    with collect_problems(problems):
        if site.logo:
            logo = _logo(workspace, site.logo)
    with collect_problems(problems):
        if extra.exists() or extra.is_symlink():
            css += read_text(extra, EXTRA_CSS, workspace.root)
    if problems:
        raise FilesError([*findings.problems(), *problems])
    return SiteLook(
        headline=site.headline or "",
        links=tuple((link.label, link.url) for link in site.links),
        licence=site.licence or "",
        citation=site.citation.strip(),
        logo=logo,
        accent=(site.accent or ACCENT).lower(),
        css=css,
    )


def _check_accents(site: SiteToml, findings: Findings) -> None:
    if site.accent_dark and not site.accent:
        what = "is given without accent, the colour of the light theme"
        findings.add(("site", "accent_dark"), what, "add accent")
    themes = (
        ("accent", site.accent, LIGHT_GROUNDS, "light", "darker"),
        ("accent_dark", site.accent_dark, DARK_GROUNDS, "dark", "lighter"),
    )
    for name, colour, grounds, theme, way in themes:
        if colour and (ratio := least_contrast(colour, grounds)) < TEXT_CONTRAST:
            ground = f"the background of the {theme} theme"
            what = f"{colour} has a contrast of {ratio:.1f}:1 to {ground}"
            fix = f"choose a {way} colour: text needs {TEXT_CONTRAST}:1"
            findings.add(("site", name), what, fix)


def _logo(workspace: Workspace, name: str) -> Logo:
    """Raises FilesError if the file is no small picture of an allowed type."""
    data = read_bytes(workspace.root / name, name, workspace.root)
    ending = name.rpartition(".")[2].lower().replace("jpeg", "jpg")
    beginning = _BEGINNINGS.get(ending)
    if beginning is None or not re.match(beginning, data, re.DOTALL):
        fix = f"use a file of one of the types {', '.join(_BEGINNINGS)}, with that ending"
        raise FilesError.about(name, "is not a picture of the type in its name", fix)
    if len(data) > LOGO_BYTES:
        what = f"is {len(data):,} bytes; the limit for a logo is {LOGO_BYTES:,}"
        raise FilesError.about(name, what, "make the picture smaller")
    if ending == "svg" and (active := _ACTIVE.search(data)):
        element = active[0].decode("utf-8", "replace").strip()
        what = f"holds {element!r}, which could run or load something"
        raise FilesError.about(name, what, "remove it, or save the picture as PNG")
    return Logo(ending, data)
