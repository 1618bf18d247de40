"""Normal forms of Unicode, in linear time."""

from __future__ import annotations

import time
import unicodedata

from leaderboard.texts.unicode_forms import bare, has_piled_marks, mark_runs, normalised
from tests.conftest import PROJECT
from tests.each_row import each_row


@each_row("text", ["plain", "Cafe\u0301 \ufb01n", "o" + "\u0301\u0316" * 15])
def test_texts_are_normalised(text: str) -> None:
    """Up to 30 marks on a character are text in some script."""
    assert not has_piled_marks(text)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert unicodedata.normalize(form, text) == normalised(form, text)


@each_row("marks", ["\u0301\u0316", "\u0f73", "\u0301\uff9e"])
def test_t12_piled_marks_are_left_in_linear_time(marks: str) -> None:
    """More marks stay as they are, also those that one character is made of."""
    text = "a" + marks * 40_000
    start = time.process_time()
    assert text == normalised("NFKC", text)
    assert time.process_time() - start < 2


def test_t12_long_texts_are_normalised_by_this_module_alone() -> None:
    """The other modules normalise single characters, and names, which are short."""
    packages = ("leaderboard", "scoring", "replay", "runners", "site_templates", "cli")
    files = (path for package in packages for path in (PROJECT / package).rglob("*.py"))
    found = {path.stem for path in files if "unicodedata.normalize(" in path.read_text("utf-8")}
    assert {"unicode_forms", "folding", "look_alikes", "new_board"} == found


@each_row(
    ("text", "expected"),
    [
        ("It is 5.\n", "it is 5.\n"),
        ("Caf\u00e9 \ufb01n \u0130", "cafe fin i"),
        ("mar\u00adket\u200b\ufeff\u2060", "market"),
        ("mar\u034fket\u3164\ufe0f\U000e0041\0", "market"),
        ("\ud55c\uae00", "\ud55c\uae00"),
    ],
)
def test_what_shows_nothing_is_left_out(text: str, expected: str) -> None:
    """Invisible characters, marks and letter case make no other text."""
    assert bare(text) == expected


@each_row("text", ["\u041d\u0435llo, y\u043eu", "H\u0435ll\u043e, \u0443ou"])
def test_t14_look_alike_letters_make_no_other_text(text: str) -> None:
    """Cyrillic letters in English words, large or small."""
    assert bare(text) == "hello, you"
    assert bare("\u041d\u0415\u0422") == bare("\u043d\u0435\u0442")


def test_t12_bare_texts_take_linear_time() -> None:
    """However many marks are on a character."""
    start = time.process_time()
    assert bare("a" + "\u0301\u0316" * 100_000) == "a"
    assert time.process_time() - start < 2


def test_marks_are_counted_from_their_letter() -> None:
    """Each mark has its number on the letter, and the next letter begins again."""
    assert [marks for _, marks in mark_runs("a\u0301\u0302b\u20dd")] == [0, 1, 2, 0, 1]
