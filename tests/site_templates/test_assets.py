"""Stylesheet, script and templates as files: what they must contain, and what they must not."""

from __future__ import annotations

import hashlib
import re

from leaderboard.site_look import ACCENT
from tests.site_templates.rendered import baselines_site
from tests.site_templates.site_assets import FOLDER, SCRIPTS, STYLE, TEMPLATES, tokens

# Names that stand for somebody in drawings and must not reach a reader.
INVENTED = (
    "Submission A",
    "Submission B",
    "Example Lab",
    "Example Works",
    "Example Institute",
    "Priya",
    "Contract review",
)


def test_both_dark_themes_are_equal() -> None:
    """The dark tokens of the system's choice and of the reader's are the same."""
    chosen = re.search(r':root\[data-theme="dark"\] \{(.*?)\n\}', STYLE, re.DOTALL)
    system = re.search(
        r"prefers-color-scheme: dark\) \{\s*:root[^{]*\{(.*?)\n  \}", STYLE, re.DOTALL
    )

    assert chosen is not None
    assert system is not None
    assert tokens(chosen.group(1)) == tokens(system.group(1)) != {}


def test_the_icon_has_the_accent_that_a_board_may_change() -> None:
    """The build replaces this colour. Without it the icon would keep its own."""
    assert f'fill="{ACCENT}"' in (FOLDER / "assets" / "icon.svg").read_text(encoding="utf-8")


def test_dark_sets_every_colour_that_light_sets() -> None:
    """No colour of the light theme is left over in the dark one."""
    light = re.search(r":root \{(.*?)\n\}", STYLE, re.DOTALL)
    dark = re.search(r':root\[data-theme="dark"\] \{(.*?)\n\}', STYLE, re.DOTALL)
    assert light is not None
    assert dark is not None
    colours = {name for name, value in tokens(light.group(1)).items() if value.startswith("#")}

    assert colours == set(tokens(dark.group(1)))


def test_stylesheet_and_scripts_ask_nothing_of_the_network() -> None:
    """No import, no font, no address; the scripts evaluate nothing and write no markup."""
    assert re.findall(r"@import|@font-face|url\((?!#)|https?:", STYLE) == []
    assert (
        re.findall(
            r"https?:|fetch|XMLHttp|innerHTML|outerHTML|insertAdjacent|eval|Function\(|document\.write",
            SCRIPTS,
        )
        == []
    )


def test_every_class_of_the_templates_is_styled_or_a_hook() -> None:
    """Every class in a template is known to the stylesheet or a script."""
    written = {
        name
        for text in TEMPLATES.values()
        for value in re.findall(r'class="([^"{]*)', text)
        for name in value.split()
        if not name.endswith("-")
    }
    hooks = {"suite"}

    assert {
        name for name in written if f".{name}" not in STYLE and f".{name}" not in SCRIPTS
    } - hooks == set()


def test_assets_are_named_by_their_content() -> None:
    """The name of each asset holds the start of its digest, so that no reader sees an old one."""
    files = baselines_site()
    assets = {path: content for path, content in files.items() if path.startswith("assets/")}

    assert len(assets) == 6
    for path, content in assets.items():
        assert hashlib.sha256(content).hexdigest()[:8] == path.split(".")[1]


def test_nothing_invented_is_left() -> None:
    """No name of a drawing stands in a template, a stylesheet, the code or the documents."""
    sources = [
        *FOLDER.rglob("*.py"),
        *FOLDER.rglob("*.html"),
        *FOLDER.rglob("*.css"),
        *FOLDER.rglob("*.js"),
    ]
    sources += (FOLDER.parent / "docs").glob("*.md")
    found = [
        (path.name, name)
        for path in sources
        for name in INVENTED
        if name in path.read_text(encoding="utf-8")
    ]

    assert len(sources) > 30
    assert found == []


def test_templates_mark_nothing_safe() -> None:
    """No template switches escaping off. Markup comes from the Markdown renderer and templates."""
    assert [
        name
        for name, text in TEMPLATES.items()
        if re.search(r"\|\s*safe\b|autoescape|\bstyle=|\bon\w+=", text)
    ] == []
