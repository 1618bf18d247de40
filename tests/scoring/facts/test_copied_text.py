"""What an answer copies: words of the question, and answers to other cases."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.types import Case, GroundTruth, Trajectory
from scoring.facts.copied_text import OtherAnswers, without_copies
from scoring.facts.sentences import read_passage
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import facts_of

WORLD = Trajectory(())
NAMES = ("anna", "bruno", "clara", "doris", "emil", "frida", "gustav", "helga", "ida")


def case(number: int, *accepts: str, trajectory: Trajectory | None = None, **more: Any) -> Case:
    fact = {"id": "name", "label": "the name", "accepts": list(accepts)}
    truth = GroundTruth(trajectory=trajectory, facts=facts_of(facts=[fact], **more))
    return Case(f"C{number}", "names", "Who is first?", truth, (), {}, "")


def listed(
    cases: list[Case], text: str, *, ours: str = "", numbers: tuple[float, ...] = ()
) -> bool:
    """Whether a text lists answers to other cases than the first one."""
    others = OtherAnswers.of(cases)
    query = read_passage(cases[0].query)
    return others.listed(cases[0], ours, query, read_passage(text), numbers)


def test_the_answers_to_three_other_cases_are_a_list() -> None:
    """What the case itself accepts or names does not count."""
    cases = [case(number, name) for number, name in enumerate(NAMES)]
    assert not listed(cases, "Anna, Bruno and Clara.")
    assert listed(cases, "Anna, Bruno, Clara and Doris.")
    assert not listed(cases, "Anna, Bruno, Clara and Doris.", ours="who knows doris ?")

    shared = [case(0, "anna"), *(case(number, "anna") for number in (1, 2, 3))]
    assert not listed(shared, "Anna.")


@pytest.mark.parametrize("form", ["rain & snow", "rain ~ snow", "h2o", "ox"])
def test_only_names_tell_whose_answer_it_is(form: str) -> None:
    """Statements, words with digits and words of two letters occur in any answer."""
    cases = [case(0, "anna"), *(case(number, form) for number in (1, 2, 3))]
    assert not listed(cases, "Anna. Rain and snow, H2O and an ox.")


def test_members_of_groups_are_names() -> None:
    """A name of a set is an answer to its case, and so is the start of a name."""

    def set_of(name: str) -> Case:
        members = [{"id": one, "label": one, "accepts": [f"{one}*"]} for one in (name, "other")]
        group = {"id": "set", "label": "the set", "at_least": 1, "any": members}
        truth = GroundTruth(facts=facts_of(facts=[group]))
        return Case(name, "names", "Who?", truth, (), {}, "")

    cases = [case(0, "anna"), *map(set_of, ("bru", "clar", "dori"))]
    assert listed(cases, "Anna, Bruno, Clara and Doris.")
    assert not listed(cases, "Anna, Bruno and Clara.")


@each_row(
    ("text", "expected"),
    [
        ("Anna, Bruno", False),
        ("Anna, Bruno, Clara", True),
        ("Anna is the one, and not Bruno or Clara", False),
        ("Anna. Bruno and Clara both contain milk", False),
        # One word is said, so that four things that nobody asked for are no list yet.
        ("Anna is best: Bruno, Clara, Doris, Emil", False),
        ("Anna is best: Bruno, Clara, Doris, Emil, Frida", True),
        ("Anna is first: Bruno, Clara, Doris, Emil", True),
        ("Anna is best: Bruno, Clara, Doris, 10:00, 2026-05-30", True),
        ("Anna is best: Bruno, Clara, Doris, 10:00, 10:00", False),
        # Items of lists say nothing. Longer ones, and those with small words, do.
        ("Anna is first: Bruno, Clara, Doris, Emil, red wine and beer", True),
        ("Anna is first: Bruno, Clara, Doris, Emil, good red wine", False),
        ("Anna is first: Bruno, Clara, Doris, Emil, with wine", False),
    ],
)
def test_names_and_values_with_few_words_are_a_list_in_a_world(text: str, expected: bool) -> None:
    """Each word that is said about them, and not asked, allows one more."""
    cases = [case(number, name, trajectory=WORLD) for number, name in enumerate(NAMES)]
    assert listed(cases, text) is expected


def test_what_is_explained_or_counted_is_no_list() -> None:
    """Names beside parts of a calculation, and as many items as the answer counts."""
    cases = [case(number, name, trajectory=WORLD) for number, name in enumerate(NAMES)]
    others = OtherAnswers.of(cases)
    query, answer = read_passage("Who?"), read_passage("There are 4: Bruno, Clara, Doris, Emil")
    explained = answer.spans_of(("clara",))
    assert others.listed(cases[0], "", query, answer, ())
    assert others.listed(cases[0], "", query, answer, (), counts=[5.0])
    assert not others.listed(cases[0], "", query, answer, (), counts=[4.0])
    assert not others.listed(cases[0], "", query, answer, (), excused=explained)


def test_small_numbers_count_something() -> None:
    """A larger number that the answer does not need is a value like others."""
    cases = [case(number, name, trajectory=WORLD) for number, name in enumerate(NAMES)]
    text = "Anna is best: Bruno, Clara, Doris"
    assert not listed(cases, text, numbers=(13.0,))
    assert not listed(cases, text, numbers=(13.0, 12.0))
    assert listed(cases, text, numbers=(13.0, 14.0))


def test_answers_to_eight_other_cases_of_a_world_are_a_list() -> None:
    """However much is said about them. Cases of a world share names, so fewer are no list."""
    cases = [case(number, name, trajectory=WORLD) for number, name in enumerate(NAMES)]
    said = "Anna is best because she regularly swims faster upstream than the slow"
    seven = f"{said} Bruno, Clara, Doris, Emil, Frida, Gustav, Helga"
    assert not listed(cases, f"{seven}.")
    assert listed(cases, f"{seven} and Ida.")


@pytest.mark.parametrize(
    ("query", "copied", "kept"),
    [
        # The whole of a short question, 70 % of a longer one, and at most seven words.
        ("who wrote it", "", "who wrote it"),
        ("who wrote that book", "who wrote that book", "wrote that book"),
        ("who of them wrote that old book", "them wrote that old book", "of them wrote that"),
        (
            "who of all of them ever wrote that very old book",
            "them ever wrote that very old book",
            "who of all of them ever",
        ),
    ],
)
def test_runs_of_words_of_the_question_are_no_own_words(query: str, copied: str, kept: str) -> None:
    """A judge does not read long copies. Shorter ones may be part of an answer."""
    asked = Case("C", "names", query, GroundTruth(), (), {}, "")
    assert without_copies(asked, f"{copied} Anna") == "Anna"
    assert without_copies(asked, f"Anna {kept}") == f"Anna {kept}"
