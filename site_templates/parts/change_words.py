"""Two scores before and after a change, and the points between them."""

from __future__ import annotations

from site_templates import formatting


def share_change(old: float | None, new: float | None) -> tuple[str, str, str]:
    """Formats two shares in percent, and the points between them.

    The points are the difference of the two numbers as shown, so that readers can check them.
    Up to three decimals are used until the rounded difference agrees, and until it is not 0 for
    shares that differ. A missing share is a dash and has no points.
    """
    if old is None or new is None:
        before, after = ("—" if share is None else formatting.points(share) for share in (old, new))
        return before, after, ""
    for digits in (1, 2):
        exact = round(100 * (new - old), digits)
        if exact == _shown_points(old, new, digits) and (exact or old == new):
            return _formatted(old, new, digits)
    for digits in (1, 2):
        if _shown_points(old, new, digits):
            return _formatted(old, new, digits)
    return _formatted(old, new, 3)


def _formatted(old: float, new: float, digits: int) -> tuple[str, str, str]:
    by = _shown_points(old, new, digits)
    sign = ""
    if by:
        sign = "+" if by > 0 else "−"
    return f"{100 * old:.{digits}f}", f"{100 * new:.{digits}f}", f"{sign}{abs(by):.{digits}f}"


def _shown_points(old: float, new: float, digits: int) -> float:
    """Returns the difference of two shares as they are shown with this many digits."""
    return round(round(100 * new, digits) - round(100 * old, digits), digits)
