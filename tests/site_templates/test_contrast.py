"""Contrast of text and marks, from the stylesheet's own tokens, in both themes (WCAG 2.2)."""

from __future__ import annotations

import re

import pytest

from leaderboard.files.accent_colour import DARK_GROUNDS, LIGHT_GROUNDS, contrast
from tests.site_templates.site_assets import STYLE, tokens

TEXT = ("ink", "ink2", "ink3", "accent", "pass", "fail", "open")
GROUNDS = ("paper", "panel")
WASHES = ("wash", "pass-wash", "fail-wash", "open-wash")


def theme(name: str) -> dict[str, str]:
    """The colours of a theme, by name without hyphens before it."""
    pattern = r":root \{(.*?)\n\}" if name == "light" else r':root\[data-theme="dark"\] \{(.*?)\n\}'
    found = re.search(pattern, STYLE, re.DOTALL)
    assert found is not None
    return {
        key.removeprefix("--"): value
        for key, value in tokens(found.group(1)).items()
        if value.startswith("#")
    }


@pytest.mark.parametrize(
    ("name", "grounds"), [("light", LIGHT_GROUNDS), ("dark", DARK_GROUNDS)], ids=["light", "dark"]
)
def test_an_accent_is_checked_against_these_backgrounds(
    name: str, grounds: tuple[str, ...]
) -> None:
    """What leaderboard.toml may declare depends on the stylesheet's own backgrounds."""
    assert tuple(theme(name)[ground] for ground in GROUNDS) == grounds


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_can_be_read(name: str) -> None:
    """Text on every background has a contrast of at least 4.5, body text of at least 7."""
    colours = theme(name)
    low = [
        (text, ground)
        for text in TEXT
        for ground in GROUNDS
        if contrast(colours[text], colours[ground]) < 4.5
    ]
    low += [
        (text, wash)
        for text in ("ink", "ink2")
        for wash in WASHES
        if contrast(colours[text], colours[wash]) < 4.5
    ]

    assert low == []
    assert contrast(colours["ink"], colours["paper"]) >= 7
    assert contrast(colours["paper"], colours["ink"]) >= 7


@pytest.mark.parametrize("name", ["light", "dark"])
def test_marks_and_borders_of_controls_can_be_seen(name: str) -> None:
    """Borders of controls, marks on the axis and signs of verdicts have at least 3."""
    colours = theme(name)

    assert [
        c
        for c in ("edge", "accent", "pass", "fail", "open", "clay")
        if contrast(colours[c], colours["paper"]) < 3
    ] == []


@pytest.mark.parametrize("name", ["light", "dark"])
def test_words_on_coloured_marks_can_be_read(name: str) -> None:
    """Numbers in strips and bars: paper on clay and accent, ink on the lighter tones."""
    colours = theme(name)
    pairs = [
        ("paper", "clay"),
        ("paper", "accent"),
        ("ink", "clay2"),
        ("ink", "pass-wash"),
        ("ink", "fail-wash"),
        ("ink", "wash"),
    ]

    assert [pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < 4.5] == []


def test_badges_can_be_read() -> None:
    """White on both fields of a badge."""
    assert min(contrast("#ffffff", field) for field in ("#3a3d42", "#2b46a8")) >= 4.5
