"""The embedded judge's rule for an agent's final answer (`qa`)."""

from __future__ import annotations

import pytest

from replay.lexical import Texts, find
from replay.lexical.embedded_judge import judge
from tests.each_row import each_row
from tests.replay.lexical.rendered_prompts import rendered

COLOUR = "What is Ada's favorite color?"
WEATHER = "What is the weather like in Port Quay right now?"
ALLERGENS = "Which allergic ingredients do Plum Dumplings contain?"
SAME = "Do Ada and Bo have the same favorite color?"
MORE = "Which has more calories, Plum Dumplings or Cheese Toast?"
WARMER = "Is it warmer right now in Elm or where I live?"
TIME = "What are the date and time in Elm right now?"
MAIL = "What is Ada's e-mail address?"
MANY = "Which city does Ada live in, and what are the time and the weather there right now?"
MANY_REFERENCE = "Elm; 2031-03-14 23:20; Clear, Temperature: 70°F"


@each_row(
    ("question", "reference", "answer"),
    [
        (COLOUR, "teal", "Teal"),
        (COLOUR, "teal", "Ada's favorite color is **teal**."),
        (TIME, "2031-03-14 23:20", "It is March 14, 2031, 11:20 PM in Elm."),
        (TIME, "2031-03-14 23:20", "The current time in Elm is 2031-03-14 23:20."),
        (
            WEATHER,
            "Windy, Temperature: 61°F",
            "It is windy in Port Quay, with a temperature of 61°F.",
        ),
        (WEATHER, "Windy, Temperature: 61°F", "Windy and 61 degrees Fahrenheit."),
        (ALLERGENS, "shellfish, wheat, soy", "Plum Dumplings contain wheat, soy and shellfish."),
        (ALLERGENS, "shellfish, wheat, soy", "The allergens are:\n- shellfish\n- wheat\n- soy"),
        (SAME, "Yes", "Yes, both like teal."),
        (SAME, "Yes", "The answer is **Yes**."),
        (SAME, "No", "The answer is no."),
        (SAME, "Yes", "Ada and Bo have the same favorite color."),
        (SAME, "No", "They have different favorite colors."),
        (SAME, "No", "Ada and Bo do not have the same favorite color."),
        (MORE, "Plum Dumplings", "Plum Dumplings have more calories than Cheese Toast."),
        (MORE, "Plum Dumplings", "Plum Dumplings"),
        (WARMER, "In Elm", "It is warmer in Elm (70°F) than where you live (47°F)."),
        (MAIL, "ada@example.org", "The address is ada@example.org."),
        (
            MANY,
            MANY_REFERENCE,
            "Ada lives in Elm. It is 23:20 on 2031-03-14 there. The weather is clear with 70°F.",
        ),
    ],
)
def test_a_right_answer_in_other_words_is_equivalent(
    question: str, reference: str, answer: str
) -> None:
    """An answer with all facts of the right one is equivalent, in a sentence or without one."""
    finding = find("qa", Texts(question, "", reference, answer))
    assert finding is not None
    assert finding.word == "equivalent", finding.why


@each_row(
    ("question", "reference", "answer"),
    [
        (COLOUR, "teal", "Ada's favorite color is crimson."),
        (COLOUR, "teal", "It is not teal."),
        (COLOUR, "teal", "Teal or crimson."),
        (COLOUR, "teal", "Is it teal?"),
        (COLOUR, "teal", "I could not find out whether it is teal."),
        (COLOUR, "teal", "Agent stopped due to iteration limit; teal."),
        (COLOUR, "teal", "\u2026"),
        (COLOUR, "teal", "teal " + " ".join(f"word{n}" for n in range(200))),
        (TIME, "2031-03-14 23:20", "It is 23:20."),
        (TIME, "2031-03-14 23:20", "It is 2031-03-14 23:25."),
        (TIME, "2031-03-14 23:20", "It is 2031-03-14 23:20 or 2031-03-14 11:55."),
        (WEATHER, "Windy, Temperature: 61°F", "Sunny, Temperature: 61°F"),
        (WEATHER, "Windy, Temperature: 61°F", "Windy, 16°F"),
        (WEATHER, "Windy, Temperature: 61°F", "Windy, 61°C"),
        (ALLERGENS, "shellfish, wheat, soy", "shellfish, wheat"),
        (ALLERGENS, "shellfish, wheat, soy", "shellfish, wheat, soy, and milk"),
        (SAME, "Yes", "No, they do not."),
        (SAME, "Yes", "Ada likes teal."),
        (SAME, "No", "Ada and Bo have the same favorite color."),
        (SAME, "No", "The answer is yes."),
        (MORE, "Plum Dumplings", "Cheese Toast has more calories than Plum Dumplings."),
        (MORE, "Plum Dumplings", "Cheese Toast"),
        (WARMER, "In Elm", "It is warmer where you live than in Elm."),
        (MAIL, "ada@example.org", "It is adam@example.org."),
        (MAIL, "ada@example.org", "ada@example.org or bo@example.org"),
        (MANY, MANY_REFERENCE, "Ada lives in Elm. The weather is clear with 70°F."),
    ],
)
def test_a_wrong_or_partial_answer_is_different(question: str, reference: str, answer: str) -> None:
    """A missing, wrong, retracted or additional fact makes an answer different."""
    finding = find("qa", Texts(question, "", reference, answer))
    assert finding is not None
    assert finding.word == "different", finding.why


@pytest.mark.parametrize(
    ("answer", "word"), [("It is teal.", "equivalent"), ("It is crimson.", "different")]
)
def test_the_projects_prompt_reaches_the_rule(answer: str, word: str) -> None:
    """The embedded judge reads the project's own QA prompt."""
    text = rendered("tool_usage/qa", COLOUR, "teal", answer)
    assert judge(text).startswith(f"{word}\n")
