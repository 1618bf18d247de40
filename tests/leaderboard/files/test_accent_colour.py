"""Contrasts, and the colours that follow from an accent."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.files.accent_colour import (
    DARK_GROUNDS,
    LIGHT_GROUNDS,
    TEXT_CONTRAST,
    accent_css,
    contrast,
    least_contrast,
)

INK = {"light": "#4a4e54", "dark": "#bcbdbd"}  # text on tinted backgrounds
colours = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


def test_contrast_is_reckoned_as_the_standard_says() -> None:
    """Black on white is 21, a colour on itself 1, and #767676 on white the well-known 4.54."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#123456", "#123456") == 1
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@given(colours)
def test_every_accent_that_can_be_read_gives_colours_that_can(accent: str) -> None:
    """The dark theme gets a tone with enough contrast, and text on tinted backgrounds has it."""
    if least_contrast(accent, LIGHT_GROUNDS) < TEXT_CONTRAST:
        return
    css = accent_css(accent, None)
    light, dark, again = re.findall(r"--accent: (#\w{6}); --wash: (#\w{6});", css)

    assert light[0] == accent
    assert dark == again
    assert least_contrast(dark[0], DARK_GROUNDS) >= TEXT_CONTRAST
    assert contrast(INK["light"], light[1]) >= TEXT_CONTRAST
    assert contrast(INK["dark"], dark[1]) >= TEXT_CONTRAST


def test_an_accent_of_the_dark_theme_is_used_as_it_is() -> None:
    """Nothing is derived for a colour that the owner chose."""
    css = accent_css("#7a2e8e", "#e2b0f0")

    assert css.count("--accent: #e2b0f0;") == 2
    assert css.count("--accent: #7a2e8e;") == 1
