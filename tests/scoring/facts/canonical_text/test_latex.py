"""LaTeX in answers."""

from __future__ import annotations

from scoring.facts.canonical_text.canonical import canonical
from scoring.facts.canonical_text.latex import without_latex
from tests.each_row import each_row


@each_row(
    ("text", "words"),
    [
        ("It has $46$ chromosomes.", "it has 46 chromosomes ."),
        ("It is $47^\\circ$F.", None),
        ("$$910 - 540 = \\boxed{370}$$", None),
        ("They cost $5 and $6.", "they cost 5 usd and 6 usd ."),
        ("$5 or $7", "5 usd or 7 usd"),
        ("$5 for one or 7$ for two", "5 usd for one or 7 usd for 2"),
    ],
)
def test_dollar_signs_around_formulas_are_no_money(text: str, words: str | None) -> None:
    """A formula holds no words and no second amount. Places stay those of the text."""
    found = canonical(text)
    assert found.original == text
    if words is None:
        assert "usd" not in found.words
    else:
        assert found.text == words


@each_row(
    ("text", "plain"),
    [
        ("580 \\text{ km}^2", "580  km^2"),
        ("\\frac{1}{2}", "1/2"),
        ("1{,}234", "1234"),
        ("9.8\\,\\mathrm{m/s^2}", "9.8m/s^2"),
        ("50\\%", "50%"),
        ("\\sqrt{2}", "\\sqrt{2}"),
    ],
)
def test_styles_are_left_out(text: str, plain: str) -> None:
    """What a command only styles stays, a fraction is written in one line."""
    assert without_latex(text) == plain
