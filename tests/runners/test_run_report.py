"""The report of a run: what its suites add up to."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from runners.models.run_journal import JournalEntry, ReplyMark
from runners.run_report import Mark, RunReport


def _marks(*marks: ReplyMark) -> frozenset[ReplyMark]:
    return frozenset(marks)


def test_reports_of_suites_add_up() -> None:
    """Answers and errors of all suites are counted, and one written suite is enough."""
    entries = [
        JournalEntry({"id": "A", "trial": 1, "error": "blocked"}, answered=True),
        JournalEntry({"id": "B", "trial": 1, "error": "busy"}, answered=False),
        JournalEntry({"id": "C", "trial": 1}, answered=True, marks=_marks("cut_off", "unreadable")),
        JournalEntry(
            {"id": "D", "trial": 1}, answered=True, marks=_marks("thoughts", "unfinished")
        ),
        JournalEntry({"id": "E", "trial": 1}, answered=True, marks=_marks("unclosed")),
        JournalEntry(
            {"id": "F", "trial": 1, "model_text": "Yes."}, answered=True, marks=_marks("tokens")
        ),
    ]
    one = RunReport.of("m", "unchanged", entries, 2)
    errors = ("A: blocked", "B: busy")
    marks: Counter[Mark] = Counter({"empty": 2, "unreadable": 1, "cut_off": 1, "thoughts": 1})
    marks |= {"empty": 3, "text": 1, "unfinished": 1, "unclosed": 1, "tokens": 1}
    counted = RunReport("m", "unchanged", 6, 2, errors, 1, counts=marks)
    assert one == counted
    both = replace(counted, outcome="written", answers=10, counts=marks + Counter({"call": 3}))
    assert one + RunReport("m", "written", 4, counts=Counter({"call": 3})) == both


def test_answers_of_agents_may_be_empty() -> None:
    """An answer object without a final answer is empty, and a failed one is no text."""
    nothing = {"answer": {"final_answer": "", "answer_details": []}, "called_apis": []}
    said = {"answer": {"final_answer": "At 18:04.", "answer_details": []}}
    entries = [
        JournalEntry({"id": "A", "trial": 1, **nothing}, answered=True),
        JournalEntry({"id": "B", "trial": 1, **nothing, "error": "busy"}, answered=False),
        JournalEntry({"id": "C", "trial": 1, **said}, answered=True),
    ]
    counts = RunReport.of("a", "written", entries, 3).counts
    assert {"empty": 1, "text": 1} == counts
