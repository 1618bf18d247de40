"""Points and p-values as readers see them."""

from __future__ import annotations

from site_templates.parts.comparison_words import p_value, points


def test_points_and_p_values() -> None:
    """Points have a true minus sign and no sign at 0; small p-values have three decimals."""
    assert ["5.2", "−0.4", "+5.2", "0.0"] == [
        points(0.052),
        points(-0.004),
        points(0.052, signed=True),
        points(-0.0004, signed=True),
    ]
    assert ["p < 0.001", "p = 0.043", "p = 0.35"] == [
        p_value(0.0004),
        p_value(0.0431),
        p_value(0.351),
    ]
