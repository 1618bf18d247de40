"""The accent of a site: its contrast, and the style rules that follow from it."""

from __future__ import annotations

from typing import Final

# The backgrounds of text in the stylesheet, in light and in dark.
LIGHT_GROUNDS: Final = ("#fcfcf9", "#f3f3ee")
DARK_GROUNDS: Final = ("#131518", "#1c1f23")
TEXT_CONTRAST: Final = 4.5  # WCAG 2.2, success criterion 1.4.3
_DERIVED_CONTRAST: Final = 7.0  # of a dark theme's accent that nobody chose
_WASH: Final = 0.1  # how much of the accent is in a tinted background


def contrast(one: str, other: str) -> float:
    """The contrast of two colours #rrggbb as WCAG defines it, 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def least_contrast(colour: str, grounds: tuple[str, ...]) -> float:
    """The contrast of a colour on the background where it is lowest."""
    return min(contrast(colour, ground) for ground in grounds)


def accent_css(light: str, dark: str | None) -> str:
    """The rules that replace the accent colour. Without `dark`, a lighter tone is taken."""
    dark = dark or _lightened(light)
    light_rule = f"--accent: {light}; --wash: {_mixed(light, LIGHT_GROUNDS[0], _WASH)};"
    dark_rule = f"--accent: {dark}; --wash: {_mixed(dark, DARK_GROUNDS[0], _WASH)};"
    return (
        f":root {{ {light_rule} }}\n"
        f"@media (prefers-color-scheme: dark) {{ "
        f':root:not([data-theme="light"]) {{ {dark_rule} }} }}\n'
        f':root[data-theme="dark"] {{ {dark_rule} }}\n'
    )


def _lightened(colour: str) -> str:
    """The first tone from a colour to white that can be read in the dark theme."""
    tones = (_mixed("#ffffff", colour, step / 20) for step in range(21))
    return next(t for t in tones if least_contrast(t, DARK_GROUNDS) >= _DERIVED_CONTRAST)


def _mixed(one: str, other: str, share: float) -> str:
    """A colour with this share of `one` in it."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def _channels(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def _luminance(colour: str) -> float:
    """Relative luminance, 0 to 1."""
    parts = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
