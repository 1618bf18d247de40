"""The rules of the embedded judge, on pairs of accepted and given texts (lexical_pairs.json)."""

from __future__ import annotations

import json
import string
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from replay.lexical import CATEGORIES, COMPARING_RULES, LONGEST, STATUS_RULES, Texts, find
from scoring.judging.replies import EQUIVALENCE, parse
from tests.conftest import shipped
from tests.each_row import each_row

GROUPS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("lexical_pairs.json").read_text(encoding="utf-8")
)
PAIRS = [
    (
        group["category"],
        Texts(group["question"], group.get("subject", ""), group["expected"], got),
        verdict == "equivalent",
    )
    for group in GROUPS
    for verdict in ("equivalent", "different")
    for got in group[verdict]
]
CASES = {
    category: [
        (record["id"], record["user_query"], record["ground_truth"]["text"])
        for record in json.loads(
            shipped(f"datasets/tool_selection/{category}.json").read_text(encoding="utf-8")
        )
    ]
    for category in ("no_tool", "clarifying", "error", "not_supported")
}
REFUSAL = "I'm sorry, I cannot help with that."


@each_row(
    ("category", "texts", "expected"),
    PAIRS,
)
@pytest.mark.large
def test_pairs(category: str, texts: Texts, expected: bool) -> None:
    """Each pair gets the verdict of a careful reader, with a reason in one sentence."""
    finding = find(category, texts)
    assert finding is not None
    assert finding.word == ("equivalent" if expected else "different"), finding.why
    assert (True, 1) == (finding.why.endswith("."), len(finding.why.splitlines()))


def test_the_pairs_cover_every_rule_both_ways() -> None:
    """Every category of the suite has at least five equivalent and five different pairs."""
    counts = Counter((category, verdict) for category, _, verdict in PAIRS)
    enough = {key for key, count in counts.items() if count >= 5}
    assert {
        (category, verdict) for category in ("tool_selection", *CASES) for verdict in (True, False)
    } == enough


@pytest.mark.large
@pytest.mark.parametrize("category", sorted(CASES))
def test_the_accepted_answer_of_every_case_is_equivalent_to_itself(category: str) -> None:
    """No case of the suite has an accepted answer that its rule cannot recognise."""
    lost = [
        case
        for case, query, text in CASES[category]
        if not _equivalent(category, query, text, text)
    ]
    assert lost == []


@pytest.mark.parametrize("category", sorted(CASES))
def test_one_refusal_for_everything_passes_only_in_not_supported(category: str) -> None:
    """One refusal is right in every case of not_supported, and wrong in all other cases."""
    passed = sum(_equivalent(category, query, text, REFUSAL) for _, query, text in CASES[category])
    assert passed == (len(CASES[category]) if category == "not_supported" else 0)


@pytest.mark.parametrize("category", sorted(CASES))
def test_repeating_the_question_passes_nowhere(category: str) -> None:
    """An answer that is the user's own request is no answer."""
    assert [
        case for case, query, text in CASES[category] if _equivalent(category, query, text, query)
    ] == []


@pytest.mark.large
@pytest.mark.parametrize("category", ["no_tool", "clarifying", "error"])
def test_all_answers_at_once_pass_nowhere(category: str) -> None:
    """All accepted answers of a category in a row are too much to be an answer."""
    everything = " ".join(text for _, _, text in CASES[category])
    assert [
        case
        for case, query, text in CASES[category]
        if _equivalent(category, query, text, everything)
    ] == []


@pytest.mark.large
@pytest.mark.parametrize("category", ["no_tool", "error"])
def test_the_answer_to_another_case_hardly_ever_passes(category: str) -> None:
    """Fewer than 2 % of the accepted answers of other cases pass."""
    cases = CASES[category]
    passed = [
        (case, other)
        for case, query, text in cases
        for other, _, given_text in cases
        if other != case and _equivalent(category, query, text, given_text)
    ]
    assert 50 * len(passed) < len(cases) * (len(cases) - 1), passed


def _equivalent(category: str, query: str, expected: str, got: str) -> bool:
    finding = find(category, Texts(query, "", expected, got))
    return finding is not None and finding.word == "equivalent"


@pytest.mark.large
@pytest.mark.parametrize("category", sorted(COMPARING_RULES))
@given(question=st.text(max_size=60), expected=st.text(max_size=60), got=st.text(max_size=60))
@example(question="", expected="", got="")
@example(question="x", expected="\ud800", got="@d2026-01-01 @t @ -- ** ((( )))")
def test_any_texts_get_a_finding(category: str, question: str, expected: str, got: str) -> None:
    """A rule accepts any texts, and is deterministic."""
    texts = Texts(question, "argument `title` of `f`", expected, got)
    assert find(category, texts) == find(category, texts)


@each_row(
    ("category", "texts", "why"),
    [
        (
            "tool_selection",
            ("Look up serendipity in French.", "serendipity", "French"),
            'Missing from the given value: "serendipity".',
        ),
        (
            "tool_selection",
            ("Remind me on Friday at 17 to call 2340.", "17, 2340", "17, 2430"),
            "The numbers, dates or times differ: expected 17 and 2340, got 17 and 2430.",
        ),
        (
            "no_tool",
            ("Who wrote Don Quixote?", "Miguel de Cervantes", "Cervantes wrote it."),
            'It has these key words of the accepted answer: "Cervantes".',
        ),
        (
            "no_tool",
            ("Which state is the smallest?", "Vatican City", "The smallest one is a city, Rome."),
            'Missing from the given answer: "Vatican".',
        ),
        (
            "error",
            (
                "How far is Narnia from Leeds?",
                "Narnia is fictional, so it has no place.",
                "Narnia is an imaginary country.",
            ),
            'It names the same fault: "Narnia" and "fictional".',
        ),
        (
            "qa",
            ("Which foods?", "seaweed rolls, rice", "tofu"),
            'Missing from the given answer: "seaweed", "rolls" and "rice".',
        ),
        (
            "qa",
            ("List seven.", "ash, elm, fir, oak, yew, pine, larch", "None of them grow here."),
            'Missing from the given answer: "ash", "elm", "fir", "oak", "yew" and 2 more.',
        ),
    ],
)
def test_sentences_name_words_as_they_are_written(
    category: str, texts: tuple[str, str, str], why: str
) -> None:
    """A sentence names only what is missing or shared, with whole words, and at most five."""
    question, expected, got = texts
    finding = find(category, Texts(question, "", expected, got))
    assert finding is not None
    assert why == finding.why


def test_a_named_word_is_not_read_as_a_grade() -> None:
    """A sentence may end with a word that a judge can answer with."""
    texts = Texts("What do we call an answer with a mistake?", "", "Incorrect", "An incorrect one.")
    finding = find("no_tool", texts)
    assert finding is not None
    assert "equivalent" == parse(f"{finding.word}\n{finding.why}", EQUIVALENCE)


def test_every_category_is_described() -> None:
    """`lb docs prompts` lists them."""
    assert [*CATEGORIES] == [*COMPARING_RULES, *STATUS_RULES]


@each_row("category", sorted(COMPARING_RULES))
@each_row("got", ["", " \n", "!?", "paris " * (LONGEST // 5), "a" * (LONGEST + 1)])
def test_nothing_and_far_too_much_are_different(category: str, got: str) -> None:
    """An answer without words or of enormous length passes no rule."""
    assert not _equivalent(category, "Where?", "paris", got)


@pytest.mark.large
def test_long_answers_do_not_take_long() -> None:
    """Long answers that are built to make patterns backtrack are still read quickly."""
    for text in (
        "(" * LONGEST,
        "1," * (LONGEST // 2),
        "a " * (LONGEST // 2),
        "no x " * (LONGEST // 5),
        string.printable * 200,
    ):
        for category in COMPARING_RULES:
            assert find(category, Texts("Where?", "", "There is no such place.", text[:LONGEST]))
