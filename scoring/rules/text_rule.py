"""How a text is compared with the expected one: by its words, by facts, then by a judge."""

from __future__ import annotations

from leaderboard.kinds import CORRECT
from leaderboard.texts.markdown_marks import strip_emphasis
from leaderboard.texts.shown_values import show
from leaderboard.types import Case, Question, Referral, Suite, Verdict
from scoring.facts.copied_text import without_copies
from scoring.facts.decisions import decide
from scoring.rules.json_equality import caseless
from scoring.rules.rule_verdicts import failed, passed, sentence


def compare_texts(suite: Suite, case: Case, expected: str, got: str) -> Verdict | Referral:
    """Whether a text is the expected one. Other words are decided by facts, then by a judge."""
    if got.strip().casefold() == expected.strip().casefold():
        return passed(CORRECT.id, "exact", "The expected text.")
    plain = strip_emphasis(got)
    if caseless(expected) in {caseless(got), caseless(plain)}:
        detail = "The expected text, apart from spaces and emphasis."
        return passed(CORRECT.id, "equal_values", detail)
    return by_facts(suite, case, expected, got)


def by_facts(suite: Suite, case: Case, expected: str, text: str) -> Verdict | Referral:
    """What facts decide about a text. A judge gets what they leave open, without echoes."""
    category = suite.category(case.category)
    finding = decide(case, text, category, suite.date)
    if finding is not None and finding.decided != "open":
        decide_as = passed if finding.decided == "pass" else failed
        return decide_as(CORRECT.id, finding.reason, finding.detail)
    if category.prompt is None:
        detail = "The text is not identical to the expected one, and its category has no judge."
        return failed(CORRECT.id, "wrong_value", detail)
    detail = sentence([f"Expected {show(expected)}, got {show(text)}"])
    read = strip_emphasis(text)
    if finding is not None:
        read, detail = without_copies(case, read), f"{detail} {finding.detail}"
    return Referral(CORRECT.id, (Question(case.query, "", expected, read),), detail)
