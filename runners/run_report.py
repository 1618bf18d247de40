"""What a run reports: its progress, and the submission that it wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from leaderboard.responses.answer_fields import has_calls, has_text
from runners.models.run_journal import JournalEntry, ReplyMark
from runners.submission_writer import Written

# An answer has a call, a text, or nothing at all, and what is noted of its replies.
Mark = Literal["call", "text", "empty"] | ReplyMark
# Called with the suite, or the submission of an agent, and its answers so far and in all.
SuiteProgress = Callable[[str, int, int], None]
# Called before a suite with its cases to ask, their trials, and about how many tokens the first
# requests have.
Announce = Callable[[str, int, int, int], None]


@dataclass(frozen=True, slots=True)
class Spent:
    """What the requests of a run cost. `dollars` is None without a price."""

    requests: int
    input_tokens: int
    output_tokens: int
    seconds: float
    dollars: float | None


@dataclass(frozen=True, slots=True)
class RunReport:
    """The submission that a run wrote or left unchanged, its answers, and those newly asked for.

    `spent` is what a model cost; None for agents and baselines. `counts` says how many answers have
    each mark.

    `errors` are `case: error` of all answers that are errors. `unanswered` of them got no reply, so
    `--resume` asks again. `left_out` counts answers in the journal that are not in the submission,
    because not every case has their trial.
    """

    submission: str
    outcome: Written
    answers: int
    asked: int = 0
    errors: tuple[str, ...] = ()
    unanswered: int = 0
    left_out: int = 0
    spent: Spent | None = None
    counts: Counter[Mark] = field(default_factory=Counter)

    @classmethod
    def of(
        cls,
        submission: str,
        outcome: Written,
        entries: Sequence[JournalEntry],
        asked: int,
        left_out: int = 0,
    ) -> RunReport:
        """The report on one suite, whose `entries` were written."""
        return cls(
            submission=submission,
            outcome=outcome,
            answers=len(entries),
            asked=asked,
            errors=tuple(f"{e.record['id']}: {e.record['error']}" for e in entries if e.failed),
            unanswered=sum(not entry.answered for entry in entries),
            left_out=left_out,
            counts=Counter(mark for entry in entries for mark in _marks(entry)),
        )

    def __add__(self, other: RunReport) -> RunReport:
        """The report on the suites of both. What was spent is of one run, and is set later."""
        return RunReport(
            submission=self.submission,
            outcome="written" if "written" in (self.outcome, other.outcome) else "unchanged",
            answers=self.answers + other.answers,
            asked=self.asked + other.asked,
            errors=self.errors + other.errors,
            unanswered=self.unanswered + other.unanswered,
            left_out=self.left_out + other.left_out,
            counts=self.counts + other.counts,
        )


def is_empty(entry: JournalEntry) -> bool:
    """Whether an answer is nothing at all: no call, no text, and no error."""
    return not (has_calls(entry.record) or has_text(entry.record) or entry.failed)


def _marks(entry: JournalEntry) -> list[Mark]:
    """What is counted of an answer."""
    marks: dict[Mark, bool] = {
        "call": has_calls(entry.record),
        "text": has_text(entry.record),
        "empty": is_empty(entry),
    }
    return [*(mark for mark, holds in marks.items() if holds), *entry.marks]
