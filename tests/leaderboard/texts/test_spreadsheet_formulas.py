"""What a spreadsheet would run, and what it would not."""

from __future__ import annotations

import csv
import io
import time
from itertools import product

import pytest

from leaderboard.texts.spreadsheet_formulas import guard_formula
from tests.each_row import each_row

FORMULAS = [
    ('=HYPERLINK("http://a.example","b")', '\'=HYPERLINK("http://a.example","b")'),
    ("+1", "'+1"),
    ("-1", "'-1"),
    ("@SUM(1)", "'@SUM(1)"),
    ("\uff1d1", "'\uff1d1"),
    ("\t=", "\t'="),
    ("failed: ;=cmd|' /C calc'!A0;.", "failed: ;'=cmd|' /C calc'!A0;."),
    ('a;"=1&"; @b', "a;'\"=1&\";' @b"),
    ("a\n=1\r\n+2\t\t-3", "a\n'=1\r\n'+2\t\t'-3"),
    ("fine = fine; a-b; 3 + 4; ", "fine = fine; a-b; 3 + 4; "),
    ('"quoted"; (-1); \'=1', '"quoted"; (-1); \'=1'),
]


@each_row(("text", "guarded"), FORMULAS)
def test_an_apostrophe_comes_before_a_formula(text: str, guarded: str) -> None:
    """At the beginning, and where a spreadsheet would split the cell."""
    assert guard_formula(text) == guarded


@each_row(("separator", "text"), product(",;\t", (text for text, _ in FORMULAS)))
def test_no_part_of_a_guarded_cell_begins_like_a_formula(separator: str, text: str) -> None:
    """Whatever the spreadsheet takes for the separator."""
    written = io.StringIO(newline="")
    csv.writer(written).writerow(["x", guard_formula(text), "y"])
    split = csv.reader(io.StringIO(written.getvalue(), newline=""), delimiter=separator)
    begins = {cell.lstrip()[:1] for row in split for cell in row}
    assert begins.isdisjoint("=+-@\uff1d")


@pytest.mark.large
@each_row("text", ["\t" * 200_000, ";" + '" ' * 100_000, "\n=" * 100_000])
def test_t12_long_texts_are_guarded_in_linear_time(text: str) -> None:
    """However many separators and quotes they have."""
    start = time.process_time()
    guard_formula(text)
    assert time.process_time() - start < 2
