"""Values of one record of the replies beside another record's name."""

from __future__ import annotations

from typing import Any

from scoring.facts.api_answers.reply_records import given_to_other, groups
from scoring.facts.sentences import read_passage
from tests.each_row import each_row

BOAT = {"name": "B Star", "a": "-", "b": "", "c": "y"}
LONGER = {"name": "B Star", "a": "x", "b": 2}
BOATS: list[Any] = [
    {
        "boats": [
            {"id": "b-1", "name": "Night Heron", "deck": "upper", "seats": 310},
            {"id": "b-2", "name": "Grey Gull", "deck": "lower", "seats": 140},
        ]
    },
    {"boat": "Night Heron", "fare": 24.5, "cabins": 3},
    {"boat": "Grey Gull", "fare": 19, "cabins": 5},
]


@each_row(
    ("sentence", "wrong"),
    [
        ("The Night Heron has 140 seats.", True),
        ("The Night Heron sails, its lower deck is open.", True),
        ("Take the Grey Gull, the fare is 24.50.", True),
        ("The Night Heron has 310 seats.", False),
        ("The Night Heron has 310 seats and the smaller boat 140.", False),
        ("The Night Heron and the Grey Gull: 310 and 140 seats.", False),
        ("The Night Heron has 140 seats and the Grey Gull 310.", True),
        ("Seats: Grey Gull 140, Night Heron 310.", False),
        ("The Night Heron has more room than 140 seats.", False),
        ("One boat has 140 seats.", False),
        ("The Night Heron has 5 cabins.", False),
        ("The Night Heron sails with 170 of us, so 140 places are left.", False),
    ],
)
def test_a_value_of_another_record(sentence: str, wrong: bool) -> None:
    """Nothing in the sentence compares. Small numbers say nothing."""
    passage = read_passage(sentence)
    assert given_to_other(passage, passage.sentences[0], groups(BOATS)) is wrong


def test_what_records_of_one_kind_share_is_nobodys_own() -> None:
    """A value that two objects have belongs to neither, and one record alone is no group."""
    shared = [{"name": "A Star", "port": "Sorrel"}, {"name": "B Star", "port": "Sorrel"}]
    (group,) = groups(shared)
    assert group.own == ()
    assert groups(shared[:1]) == ()
    assert groups([{"fare": 3}, {"fare": 4}]) == ()


def test_values_that_say_nothing() -> None:
    """No text, a sign, a letter or a small number is nobody's own value."""
    (group,) = groups([{"name": "A Star", "a": "", "b": "…", "c": "x", "d": 7}, {**BOAT, "d": 12}])
    assert [value.text for value in group.own] == []


def test_values_that_say_something() -> None:
    """A text of two letters does, and so does a number above twelve. Only texts and numbers do."""
    (group,) = groups([{"name": "A Star", "a": "up", "b": 13, "c": None, "d": True}, LONGER])
    assert [value.text for value in group.own] == ["up", "13"]


def test_a_code_is_no_name() -> None:
    """The name is the first text that is neither an id nor a code."""
    (group,) = groups([{"code": "NH one", "boat": "Heron"}, {"code": "GG two", "boat": "Gull"}])
    assert set(group.records) == {"heron", "gull"}
