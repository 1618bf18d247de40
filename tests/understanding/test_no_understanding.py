"""No program without understanding passes more than 15 % of any category of the shipped suites.

The one exception: a plain refusal is right for every case of `not_supported`, so texts that say
that something is impossible are not counted there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from leaderboard.types import Case
from tests.conftest import PROJECT, shipped
from tests.understanding.api_strategies import invented, shares_of_all
from tests.understanding.call_strategies import mathematics, one_turn, tables, typewriters
from tests.understanding.shipped_scores import CategoryScores, Share, Strategy, suite
from tests.understanding.surface_readers import ACROSS, READERS
from tests.understanding.text_strategies import AS_IF_ABLE, FAMILIES, Corpus, TextStrategy

shipped("datasets/tool_selection")
shipped("datasets/tool_usage")
shipped("datasets/stable_toolbench")

MOST = 0.15  # of a category
MOST_OF_A_SUITE = 0.25  # a refusal alone gets 0.2
LEAST_STRATEGIES = 300  # that are tried on a category
REFUSAL = re.compile(
    r"(?i)\bcan(?:not|['’]t)\b|\bI (?:do not|don['’]t|am (?:only|not able|unable))\b"
    r"|\b(?:not |im)possible\b|\b(?:pas possible|nicht möglich)\b"
    r"|\bnot supported\b|(?:^|[.!?:] )No\b"
)

TEXTS = [
    *(("tool_selection", name) for name in ("clarifying", "error", "no_tool", "not_supported")),
    ("tool_usage", "relational_data"),
]
API_CATEGORIES = [
    *("G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category"),
    "G3_instruction",
]

# Every reference of not_supported is a refusal, in other words than REFUSAL knows.
FROM_REFERENCES = frozenset(
    (
        *("references of other cases", "parts of references", "masked references", "lists"),
        *("texts by chance", "mixtures", "frequent words"),
        *("nearest cases", "chains of words", "by a character"),
    )
)

Named = Iterator[tuple[str, Strategy]]


def texts(suite_id: str, category: str) -> Named:
    """The strategies of all families."""
    corpus = Corpus.of(suite(suite_id), category)
    for family, strategies in FAMILIES.items():
        if category == "not_supported" and family in FROM_REFERENCES:
            continue
        for name, text in strategies(corpus):
            refuses = category == "not_supported" and family != AS_IF_ABLE
            allowed = no_refusal(text) if refuses else text
            yield f"{family}: {name}", as_answer(allowed)


def as_answer(text: TextStrategy) -> Strategy:
    return lambda case: ((), text(case))


def no_refusal(text: TextStrategy) -> TextStrategy:
    """A strategy that says nothing where it would refuse."""

    def answer(case: Case) -> str:
        made = text(case)
        return "" if REFUSAL.search(made) else made

    return answer


def too_good(shares: list[Share]) -> list[str]:
    return [str(share) for share in shares if share.share > MOST]


@pytest.mark.large
@pytest.mark.parametrize(("suite_id", "category"), TEXTS)
def test_texts(suite_id: str, category: str) -> None:
    """Constants, echoes, lists, templates and mixtures pass at most 15 % of a category."""
    strategies = list(texts(suite_id, category))
    assert len(strategies) >= LEAST_STRATEGIES
    assert too_good(CategoryScores(suite_id, category).best(strategies)) == []


@pytest.mark.large
def test_a_list_that_is_chosen_for_its_score() -> None:
    """Answers to several questions, joined so that each adds as much as possible, pass no more."""
    scores = CategoryScores("tool_usage", "relational_data")
    pool = [*Corpus.of(scores.suite, "relational_data").references, "Yes", "No"]
    best = ""
    for _ in range(4):
        tried = [(text, constant(text)) for one in pool for text in joined(best, one)]
        (share,) = scores.best(tried, 1)
        best = share.strategy
        assert share.share <= MOST, share


def joined(text: str, other: str) -> list[str]:
    return [f"{text}{joint}{other}" for joint in (", ", ". ", " or ")] if text else [other]


def constant(text: str) -> Strategy:
    return lambda _: ((), text)


@pytest.mark.large
@pytest.mark.parametrize(("suite_id", "category"), TEXTS)
def test_some_texts(suite_id: str, category: str) -> None:
    """The same, with one strategy of two hundred."""
    strategies = islice(texts(suite_id, category), 0, None, 200)
    assert too_good(CategoryScores(suite_id, category).best(strategies)) == []


@pytest.mark.large
@pytest.mark.parametrize(
    ("suite_id", "category", "strategies"),
    [
        ("tool_selection", "tool_selection", lambda: one_turn(suite("tool_selection"))),
        ("tool_usage", "typewriter_1", lambda: typewriters(one_tool=True)),
        ("tool_usage", "typewriter_26", lambda: typewriters(one_tool=False)),
        ("tool_usage", "multiverse_math", mathematics),
        ("tool_usage", "relational_data", tables),
    ],
    ids=lambda value: value if isinstance(value, str) else "strategies",
)
def test_calls(suite_id: str, category: str, strategies: object) -> None:
    """Calls and results that do not depend on the meaning of the question pass at most 15 %."""
    assert callable(strategies)
    assert too_good(CategoryScores(suite_id, category).best(strategies())) == []


@pytest.mark.large
@pytest.mark.parametrize(("category", "most"), [("clarifying", 0.6), ("error", 0.25)])
def test_surface_readers(category: str, most: float) -> None:
    """Programs that match words to tools, or guess by the kind of a word, pass some, not most."""
    scores = CategoryScores("tool_selection", category)
    readers = [(reader.__name__, as_answer(reader)) for reader in READERS[category]]
    best, *_ = scores.best(readers)
    assert best.share <= most


@pytest.mark.large
@pytest.mark.parametrize("reader", ACROSS, ids=lambda reader: reader.__name__)
def test_texts_for_all_categories_at_once(reader: TextStrategy) -> None:
    """One text with something for each category gets little more than a refusal alone."""
    categories = suite("tool_selection").categories
    scores = [CategoryScores("tool_selection", one.id) for one in categories]
    shares = [one.best([(reader.__name__, as_answer(reader))])[0].share for one in scores]
    assert len(shares) == 5
    assert sum(shares) / len(shares) <= MOST_OF_A_SUITE


@pytest.mark.large
@pytest.mark.parametrize("opening", ["I can't do that.", "Unfortunately I have no tool for this."])
@pytest.mark.parametrize("category", ["clarifying", "no_tool"])
def test_a_refusal_before_every_reference(category: str, opening: str) -> None:
    """A refusal that fits any request is not free: what follows it must not pass as well."""
    scores = CategoryScores("tool_selection", category)
    for case in scores.category.cases:
        assert scores.score(case, ((), f"{opening} {case.ground_truth.text}")) == 0


@pytest.mark.large
@pytest.mark.parametrize("category", ["clarifying", "no_tool", "not_supported"])
def test_a_question_with_a_refusal_in_case_of_no_reply(category: str) -> None:
    """It says neither what is missing nor that it cannot be done, and right answers lose by it."""
    scores = CategoryScores("tool_selection", category)
    refusal = "Otherwise, I am not able to do this."
    texts = [f"For which city would you like to know the weather? {refusal}"]
    for case in scores.category.cases:
        answers = texts if category == "not_supported" else [*texts, truth_with(case, refusal)]
        assert [scores.score(case, ((), answer)) for answer in answers] == [0] * len(answers)


@pytest.mark.large
def test_a_refusal_of_something_else_after_a_question() -> None:
    """It costs nothing elsewhere, so it must not pass for every request that cannot be met."""
    scores = CategoryScores("tool_selection", "not_supported")
    answer = "For which city would you like to know the weather? I'm unable to send faxes."
    passed = sum(scores.score(case, ((), answer)) for case in scores.category.cases)
    assert passed <= MOST * len(scores.category.cases)


def truth_with(case: Case, text: str) -> str:
    return f"{case.ground_truth.text} {text}"


@pytest.mark.large
@pytest.mark.parametrize("category", API_CATEGORIES)
def test_pasted_replies(category: str) -> None:
    """Calls of all candidate APIs whose replies are pasted solve at most 15 % of a category."""
    shares = shares_of_all(CategoryScores("stable_toolbench", category), every=1)
    assert len(shares) >= LEAST_STRATEGIES
    assert too_good(shares) == []


@pytest.mark.large
@pytest.mark.parametrize("category", API_CATEGORIES)
def test_invented_replies(category: str) -> None:
    """Not even the right answer passes if the replies behind it are made up."""
    solutions = json.loads((PROJECT / "datasets/stable_toolbench/solutions.json").read_bytes())
    scores = CategoryScores("stable_toolbench", category, confirms=True)
    passed = [
        text
        for case in scores.category.cases
        for calls, text in invented(case, solutions[case.id]["final_answer"])
        if scores.score(case, (calls, text))
    ]
    assert passed == []


@pytest.mark.large
def test_some_pasted_replies() -> None:
    """The same, with one strategy of two hundred on one category."""
    shares = shares_of_all(CategoryScores("stable_toolbench", "G2_instruction"), every=200)
    assert too_good(shares) == []
