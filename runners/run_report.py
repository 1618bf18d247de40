"""What a run reports: its progress, its interruption, and the submission that it wrote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leaderboard.responses.answer_fields import has_calls, has_text
from runners.models.run_journal import JournalEntry
from runners.submission_writer import Written

# Called with the suite, its answers so far, and all its answers.
SuiteProgress = Callable[[str, int, int], None]
# Called before a suite with its cases to ask, and about how many tokens their first requests have.
Announce = Callable[[str, int, int], None]


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

    `spent` is what a model cost; None for agents and baselines.

    `called`, `texts` and `empty` count answers with calls, with a text, with nothing; `unreadable`
    those with a call that cannot be read, `cut_off` those that the token limit ended, `thoughts`
    those whose text began with thoughts, which were removed.

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
    called: int = 0
    texts: int = 0
    empty: int = 0
    unreadable: int = 0
    cut_off: int = 0
    thoughts: int = 0

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
        errors = tuple(
            f"{entry.record['id']}: {entry.record['error']}" for entry in entries if entry.failed
        )
        unanswered = sum(not entry.answered for entry in entries)
        called = [has_calls(entry.record) for entry in entries]
        texts = [has_text(entry.record) for entry in entries]
        found = zip(called, texts, [entry.failed for entry in entries], strict=True)
        return cls(
            submission,
            outcome,
            len(entries),
            asked,
            errors,
            unanswered,
            left_out,
            called=sum(called),
            texts=sum(texts),
            empty=sum(not any(one) for one in found),
            unreadable=sum(entry.unreadable for entry in entries),
            cut_off=sum(entry.cut_off for entry in entries),
            thoughts=sum(entry.thoughts for entry in entries),
        )

    def __add__(self, other: RunReport) -> RunReport:
        """The report on the suites of both. What was spent is of one run, and is set later."""
        return RunReport(
            self.submission,
            "written" if "written" in (self.outcome, other.outcome) else "unchanged",
            self.answers + other.answers,
            self.asked + other.asked,
            self.errors + other.errors,
            self.unanswered + other.unanswered,
            self.left_out + other.left_out,
            called=self.called + other.called,
            texts=self.texts + other.texts,
            empty=self.empty + other.empty,
            unreadable=self.unreadable + other.unreadable,
            cut_off=self.cut_off + other.cut_off,
            thoughts=self.thoughts + other.thoughts,
        )


class RunInterrupted(Exception):  # noqa: N818 - Ctrl-C is not an error
    """Ctrl-C, or a budget. `kept` of `total` answers to the suite are kept.

    `dollars` is what they cost, if the budget ended the run.
    """

    def __init__(self, suite: str, kept: int, total: int, dollars: float | None = None) -> None:
        super().__init__(f"{kept} of {total} answers to {suite} are kept")
        self.suite, self.kept, self.total, self.dollars = suite, kept, total, dollars
