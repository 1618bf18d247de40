"""Two numbers, and a third that is the difference of these as they are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from site_templates.parts.change_words import share_change
from tests.each_row import each_row


@each_row(
    ("old", "new", "expected"),
    [
        (0.5, 0.75, ("50.0", "75.0", "+25.0")),
        (0.0926, 0.0904, ("9.26", "9.04", "−0.22")),  # 9.3, 9.0 and −0.2 would not agree
        (2 / 3, 5 / 6, ("66.7", "83.3", "+16.6")),  # thirds agree with no number of digits
        (0.5, 0.5004, ("50.00", "50.04", "+0.04")),  # what moved does not stand still
        (0.5, 0.500004, ("50.000", "50.000", "0.000")),
        (0.5, 0.5, ("50.0", "50.0", "0.0")),
        (0.0, 0.0, ("0.0", "0.0", "0.0")),
        (1.0, 0.0, ("100.0", "0.0", "−100.0")),
        (None, 0.5, ("—", "50.0", "")),
        (0.5, None, ("50.0", "—", "")),
        (None, None, ("—", "—", "")),
    ],
)
def test_before_after_and_by_agree(
    old: float | None, new: float | None, expected: tuple[str, str, str]
) -> None:
    """One decimal, or two if one would not agree. A missing share is a dash."""
    assert expected == share_change(old, new)


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(1, 3000))
def test_a_reader_can_always_subtract(first: int, second: int, cases: int) -> None:
    """Whatever the shares, the points are those between the two numbers as they are shown."""
    old, new = min(first, cases) / cases, min(second, cases) / cases
    before, after, by = share_change(old, new)
    digits = len(before.partition(".")[2])
    assert f"{float(after) - float(before) + 0.0:.{digits}f}" in {
        by.replace("−", "-").replace("+", ""),
        f"-{by}",
    }
    assert digits == len(after.partition(".")[2]) == len(by.partition(".")[2]) <= 3
    assert (old == new) == (by.strip("0.") == "")
