"""`[site]` in leaderboard.toml: what is read, and what is refused."""

from __future__ import annotations

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.board_settings import load_leaderboard
from leaderboard.limits import LOGO_BYTES
from leaderboard.site_look import Logo, SiteLook
from leaderboard.workspace import Workspace
from tests.conftest import SETTINGS, Folder

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/><path d="M0 0h9v9z"/></svg>'
PNG = b"\x89PNG\r\n\x1a\nrest"


def look(folder: Folder, site: str) -> SiteLook:
    folder.write("leaderboard.toml", f"{SETTINGS}\n[site]\n{site}\n")
    return load_leaderboard(Workspace(folder.root)).look


def problem(folder: Folder, site: str) -> str:
    with pytest.raises(FilesError) as refused:
        look(folder, site)
    (found,) = refused.value.problems
    return str(found)


def test_everything_is_optional(folder: Folder) -> None:
    """A board without [site] has the look of Toolboard."""
    assert load_leaderboard(Workspace(folder.root)).look == SiteLook()
    assert look(folder, "") == SiteLook()


def test_all_of_it_is_read(folder: Folder) -> None:
    """Words, links, colours, a logo, and theme/extra.css at the end of the stylesheet."""
    folder.write("theme/logo.svg", SVG)
    folder.write("theme/extra.css", "h1 { font-weight: 400; }\n")
    found = look(
        folder,
        'headline = "Who counts best?"\nlogo = "theme/logo.svg"\naccent = "#7A2E8E"\n'
        'links = [{label = "Paper", url = "https://example.org/p"}]\nlicence = "CC BY 4.0"\n'
        'citation = """\n@misc{x,\n  title = {X}\n}\n"""\n',
    )

    assert (found.headline, found.licence) == ("Who counts best?", "CC BY 4.0")
    assert found.links == (("Paper", "https://example.org/p"),)
    assert found.citation == "@misc{x,\n  title = {X}\n}"
    assert found.logo == Logo("svg", SVG)
    assert found.accent == "#7a2e8e"
    assert found.css.startswith(":root { --accent: #7a2e8e;")
    assert found.css.endswith("h1 { font-weight: 400; }\n")


@pytest.mark.parametrize(
    ("site", "message"),
    [
        (
            'accent = "#f0a000"',
            "#f0a000 has a contrast of 1.9:1 to the background of the light theme (choose a darker",
        ),
        (
            'accent = "#2b46a8"\naccent_dark = "#333333"',
            "#333333 has a contrast of 1.3:1 to the background of the dark theme (choose a lighter",
        ),
        ('accent_dark = "#ffffff"', "$.site.accent_dark: is given without accent"),
        ('accent = "red"', "$.site.accent: "),
        ('links = [{label = "x", url = "javascript:alert(1)"}]', "a URL must start with https://"),
        ('logo = "theme/none.png"', "theme/none.png: cannot be read"),
        ('color = "#000000"', "unknown key 'color'"),
    ],
)
def test_what_is_wrong_is_named(folder: Folder, site: str, message: str) -> None:
    """The message names the key or the file, and how to fix it."""
    assert message in problem(folder, site)


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("logo.gif", b"GIF89a", "is not a picture of the type in its name"),
        ("logo.png", SVG, "is not a picture of the type in its name"),
        ("logo.svg", PNG, "is not a picture of the type in its name"),
        ("logo.png", PNG + bytes(LOGO_BYTES), "the limit for a logo is 262,144"),
        ("logo.svg", SVG.replace(b"<path", b"<script>alert(1)</script><path"), "holds '<script'"),
        ("logo.svg", SVG.replace(b"<path", b'<path onload="alert(1)"'), "holds 'onload='"),
        ("logo.svg", SVG.replace(b'"#a"', b'"https://example.org/x.svg#a"'), "holds 'href=\"'"),
        ("logo.svg", SVG.replace(b'"#a"', b'"javascript:alert(1)"'), "could run or load"),
        ("logo.svg", b"<!DOCTYPE svg>" + SVG, "holds '<!DOCTYPE', which could"),
        ("logo.svg", b'<!DOCTYPE svg "a" [ <!ENTITY b "c"> ]>\n' + SVG, "holds '<!DOCTYPE', which"),
    ],
)
def test_a_logo_is_a_small_still_picture(folder: Folder, name: str, data: bytes, what: str) -> None:
    """Content and ending agree, and an SVG file neither runs nor loads anything."""
    folder.write(name, data)

    assert what in problem(folder, f'logo = "{name}"')


def test_problems_of_files_hide_no_others(folder: Folder) -> None:
    """The accent is reported with the logo and the stylesheet."""
    folder.write("logo.svg", PNG)
    folder.write("theme/extra.css", b"\xff")
    with pytest.raises(FilesError) as refused:
        look(folder, 'logo = "logo.svg"\naccent = "#f0a000"')

    accent, logo, css = map(str, refused.value.problems)
    assert "#f0a000 has a contrast of 1.9:1" in accent
    assert "is not a picture of the type in its name" in logo
    assert css.startswith("theme/extra.css: is not UTF-8")


def test_a_logo_outside_of_the_workspace_is_refused(folder: Folder) -> None:
    """No path and no link leads to other files."""
    (folder.root.parent / "logo.png").write_bytes(PNG)
    (folder.root / "linked.png").symlink_to(folder.root.parent / "logo.png")

    for name in ("../logo.png", f"{folder.root.parent}/logo.png"):
        assert f"{name}: is outside the board's folder" in problem(folder, f'logo = "{name}"')
    assert "is a link, or below one" in problem(folder, 'logo = "linked.png"')
