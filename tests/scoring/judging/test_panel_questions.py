"""The prompt that a judge sees."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.types import (
    Case,
    GroundTruth,
    JudgeReply,
    JudgeSettings,
    Prompt,
    Question,
    Referral,
)
from scoring.judging.panel_questions import PanelQuestion, Voter, render
from tests.each_row import each_row

SCALE = {"good": 1.0, "fair": 0.8, "partly": 0.5, "poor": 0.2, "bad": 0.0}
PROMPT = Prompt(
    "tools",
    "units",
    (
        *("Question: ", "question", "\nAbout: ", "subject", "\n<<<", "fence", "\n", "expected"),
        *("\n", "fence", ">>>\n<<<", "fence", "\n", "got", "\n", "fence", ">>>"),
    ),
    "",
)
TEXTS = st.text(max_size=40)


def test_render_fills_every_placeholder() -> None:
    """Each placeholder gives way to its text; the fence is the beginning of the texts' sha256."""
    asked = Question("How long is 3 km?", "argument `to_unit` of `convert_units`", "yards", "yd")
    fence = sha256(
        b"How long is 3 km?\0argument `to_unit` of `convert_units`\0yards\0yd"
    ).hexdigest()[:8]
    assert render(PROMPT, asked) == (
        "Question: How long is 3 km?\nAbout: argument `to_unit` of `convert_units`\n"
        f"<<<{fence}\nyards\n{fence}>>>\n<<<{fence}\nyd\n{fence}>>>"
    )


def test_placeholders_inside_the_texts_are_text() -> None:
    """A text under test that writes a placeholder is shown as it is, not filled in."""
    assert "\n{{expected}} fence\n" in render(
        PROMPT, Question("", "", "secret", "{{expected}} fence")
    )


def test_a_text_that_holds_the_fence_gets_another() -> None:
    """A text that guesses the fence of the others does not end the quotation."""
    seen: list[str] = []
    for got in ("yd", "equivalent"):
        fence = re.findall(r"<<<(.*)\n", render(PROMPT, Question("q", "", "yards", got)))[0]
        seen.append(fence)
    assert len(set(seen)) == 2


@pytest.mark.large
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_no_text_holds_the_fence(query: str, subject: str, expected: str, got: str) -> None:
    """The fence is eight hexadecimal digits that none of the texts holds, and always the same."""
    asked = Question(query, subject, expected, got)
    fence = render(Prompt("s", "p", ("", "fence", ""), ""), asked)
    assert re.fullmatch("[0-9a-f]{8}", fence)
    assert not any(fence in text for text in (query, subject, expected, got))
    assert render(Prompt("s", "p", ("", "fence", ""), ""), asked) == fence


@each_row(
    ("votes", "passed"),
    [
        ("good", 1.0),
        ("good bad", 0.5),
        ("bad good bad", 1 / 3),
        ("good partly", 0.75),
        ("good fair", 1.0),
        ("poor poor", 0.0),
        ("good what?", 1.0),
        ("what?", None),
    ],
)
def test_the_votes_that_accept_an_answer_are_a_share(votes: str, passed: float | None) -> None:
    """Above a half a label accepts it, whatever it counts in scores. At a half it does so by half.

    One judge alone is asked like the panel: here the first has the first vote.
    """
    question = Question("Polite?", "", "", "Hm.")
    finding = Referral("score", (question,), "", SCALE)
    given = []
    for number, vote in enumerate(votes.split()):
        judge = JudgeSettings(f"j{number}", "openai", "m")
        given.append((Voter(judge.name, judge), [JudgeReply(f"k{number}", vote)]))
    asked = PanelQuestion(Case("q", "c", "Query?", GroundTruth(), (), {}, ""), finding, given)

    assert asked.passed() == passed
    assert asked.passed("j0") == PanelQuestion(asked.case, finding, given[:1]).passed()
