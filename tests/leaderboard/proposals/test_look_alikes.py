"""Names that can be confused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leaderboard.proposals.look_alikes import (
    look_alikes,
    mixed_scripts,
    refused_names,
    skeleton,
)
from leaderboard.texts.confusable_letters import prototypes
from leaderboard.types import Card, Submission
from tests.each_row import each_row


def submission(name: str, *, organization: str = "Org", model: str = "m") -> Submission:
    card = Card(name, "model", organization, model, "2026-01-31")
    return Submission(name.casefold(), card, None, {})


@each_row(
    ("one", "other"),
    [
        ("OpenAI", "Open\u0410I"),  # Cyrillic A
        ("OpenAI", "OpenAl"),
        ("GPT-4o", "GPT-40"),
        ("Anchor 1", "anchor\u00a01"),
        ("Anchor", "An\u200bchor"),
        ("Anchor", "\uff21nchor"),  # full width
        ("fine", "\ufb01ne"),  # a ligature
        ("Castle", "Cast\u05c0e"),  # a Hebrew sign
        ("Anchor 1", "Anchor \u0661"),  # an Arabic digit
        ("Anchor", "Anch\u00f8r"),  # o with a stroke
        ("Anchor", "\u1d00nchor"),  # a small capital
        ("OpenAl", "\u00d8penAI"),
        ("Anchor", "\U0001f170nch\U0001f15er"),  # white letters on a square and on a circle
        ("Anchor 1", "Anchor \u278a"),  # a white digit on a circle
        ("Anchor 1", "Anchor 1\ufe0f\u20e3"),  # a digit on a key
    ],
)
def test_look_alikes_have_one_skeleton(one: str, other: str) -> None:
    """Letters and digits of other scripts, strokes, blanks, hidden characters and wide forms."""
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Anchor 1", "Anchor 2"), ("Claude", "Clyde"), ("mini", "rnini")]
)
def test_other_names_have_other_skeletons(one: str, other: str) -> None:
    """Versions and ordinary words are told apart."""
    assert skeleton(one) != skeleton(other)


def test_a_shared_organization_or_model_is_expected() -> None:
    """In any case. Its look-alike is reported, and so is the name of another row."""
    board = [submission("Anchor", organization="Harbour", model="gpt")]
    shared = submission("Bridge", organization="HARBOUR", model="GPT")
    alike = submission("Anchor ", organization="Harb\u043eur")

    assert list(look_alikes(shared, board)) == []
    assert [(found.field, found.same) for found in look_alikes(alike, board)] == [
        ("id", False),
        ("name", False),
        ("organization", False),
    ]


@each_row(
    ("mine", "theirs", "alike"),
    [
        ("Castle.", "Castle", True),
        ("Castle-7b", "Castle 7B", True),
        ("rnini", "mini", True),
        ("Castle\u02bc", "Castle", True),  # a letter that looks like an apostrophe
        ("Castle 1\u02b9", "Castle 1", True),
        ("Castle 1\u00b2", "Castle 1", True),
        ("Castle 4.1", "Castle 41", False),
        ("Castle R+", "Castle R", False),
    ],
)
def test_a_review_names_what_a_reader_overlooks(mine: str, theirs: str, alike: bool) -> None:
    """Punctuation, and two letters that look like one. None of them is refused."""
    board = [submission("Other", model="x"), submission(theirs)]
    named = [found.field for found in look_alikes(submission(mine), board)]
    assert ("name" in named) is alike
    assert alike is False or list(refused_names([submission(mine), submission(theirs)], [])) == []


@each_row(
    ("id_", "name", "fields"),
    [
        ("anchor-1", "anchor", [("id", "name"), ("name", "id")]),
        ("anchor-1", "Boat", [("id", "name")]),
        ("boat", "Anchor", [("name", "id")]),
        ("anchor-2", "Anchor 2", []),
    ],
)
def test_t14_ids_and_names_are_compared_with_both(
    id_: str, name: str, fields: list[tuple[str, str]]
) -> None:
    """An id and a name that change places confuse readers, too. A new version does not."""
    anchor = replace(submission("Anchor 1"), id="anchor")
    found = list(look_alikes(replace(submission(name), id=id_), [anchor]))
    assert [(alike.field, alike.other_field) for alike in found] == fields
    assert {alike.whose for alike in found} <= {"the id", "the name"}


def test_a_submission_is_not_compared_with_itself() -> None:
    """Its row on the board has its names."""
    assert list(look_alikes(submission("A"), [submission("A")])) == []


@pytest.mark.parametrize(
    ("text", "mixed"),
    [("An\u0441hor", True), ("Anchor 1", False), ("\u041c\u043e\u0434\u0435\u043b\u044c", False)],
)
def test_latin_letters_among_those_of_another_script(text: str, mixed: bool) -> None:
    """A name in one script is fine, whichever it is."""
    assert mixed_scripts(text) is mixed


def test_ascii_names_are_folded_as_the_tables_say() -> None:
    """The short way for plain names gives what the tables of all characters give."""
    for code in range(32, 127):
        char = chr(code)
        slow = prototypes().get(char, char).casefold().replace(" ", "")
        assert skeleton(char) == slow, char


def test_t14_a_name_that_reads_like_another_is_refused() -> None:
    """The less plain of two names is the problem, wherever it is in the alphabet."""
    plain, forged = submission("Zebra"), submission("Z\u0435bra")  # Cyrillic ie
    (found,) = refused_names([forged, plain], [])
    assert found.file == f"submissions/{forged.id}/submission.json"
    assert found.at == "$.name"
    assert "reads like 'Zebra'" in found.what


@each_row(("mine", "theirs"), [("Cast1e", "Castle"), ("Castle", "Cast1e"), ("Nora", "N\u00f8ra")])
def test_t14_a_name_that_a_board_had_before_is_no_problem(mine: str, theirs: str) -> None:
    """Whichever is plainer or first in the alphabet. A row that takes another name is new."""
    proposed, known = submission(mine), submission(theirs)
    under_another_name = replace(proposed, card=submission("Other").card)
    (found,) = refused_names([proposed, known], [known])
    (renamed,) = refused_names([proposed, known], [known, under_another_name])
    assert found == renamed
    assert found.file == f"submissions/{proposed.id}/submission.json"
    assert f"reads like {theirs!r}" in found.what


def test_t14_a_word_in_two_scripts_is_refused() -> None:
    """Nobody writes a word with letters of two alphabets by accident."""
    (found,) = refused_names([submission("An\u0441hor")], [])
    assert "mixes letters" in found.what


@each_row("other", ["Anchor", "anchor", "Anchor 2", "\u0394 Anchor", "\u042f"])
def test_names_that_differ_visibly_are_fine(other: str) -> None:
    """The same name twice, versions, and words in other scripts are not refused."""
    assert list(refused_names([submission("Anchor"), submission(other)], [])) == []
