"""How a text is compared with the expected one: by its words, by facts, then by a judge."""

from __future__ import annotations

import re
from typing import Final

from leaderboard.kinds import CORRECT
from leaderboard.types import Case, Question, Referral, Suite, Verdict
from scoring import facts
from scoring.rules.json_equality import caseless
from scoring.rules.verdict_sentences import failed, passed, sentence, show

_EMPHASIS: Final = re.compile(r"\*+|_+|`+|\n[ \t]*\n")


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
    finding = facts.decide(case, text, category, suite.date)
    if finding is not None and finding.decided != "open":
        decide_as = passed if finding.decided == "pass" else failed
        return decide_as(CORRECT.id, finding.reason, finding.detail)
    if category.prompt is None:
        detail = "The text is not identical to the expected one, and its category has no judge."
        return failed(CORRECT.id, "wrong_value", detail)
    detail = sentence([f"Expected {show(expected)}, got {show(text)}"])
    read = strip_emphasis(text)
    if finding is not None:
        read, detail = facts.without_copies(case, read), f"{detail} {finding.detail}"
    return Referral(CORRECT.id, (Question(case.query, "", expected, read),), detail)


def strip_emphasis(text: str) -> str:
    """The text without the marks of Markdown emphasis and inline code.

    A mark opens before a word and closes after one, within a paragraph: `*so*`, `**so**`, `_so_`.
    The marks in `5*3`, `2 * 3`, `snake_case`, `**kwargs`, in code and in a fenced block are kept.
    """
    if not any(mark in text for mark in "*_`"):
        return text
    opened: dict[str, tuple[int, int]] = {}
    marks: list[tuple[int, int]] = []
    for run in _EMPHASIS.finditer(text):
        mark, (start, end) = run.group(), run.span()
        if mark[0] == "\n":
            opened.clear()
            continue
        before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
        if mark in opened and not before.isspace() and not after.isalnum():
            place, earlier = opened.pop(mark)
            if mark[0] == "`":  # what is inside is code, and no mark
                del marks[earlier:]
                opened = {other: at for other, at in opened.items() if at[0] < place}
            marks += [(place, place + len(mark)), (start, end)]
        elif len(mark) <= 3 and not after.isspace() and not before.isalnum():
            opened[mark] = start, len(marks)

    kept, place = [], 0
    for start, end in sorted(marks):
        kept.append(text[place:start])
        place = end
    return "".join([*kept, text[place:]])
