"""What asking a judge again says about it: which calls to put again, and how often it changed its mind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import polars as pl

from leaderboard.files.audit_files import WHOLE, Audit, Flip, Flips
from leaderboard.types import JudgeSettings
from scoring.judging import solved_replies
from scoring.judging.judge_questions import parse
from scoring.rules.details import cut, printable
from scoring.statistics import wilson

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A recorded judge call put again: what the judge said then and now (None where it gave no reply)."""

    key: str
    suite: str
    category: str
    before: str
    after: str | None

    @property
    def grades(self) -> tuple[str | None, str | None]:
        """The grade then and now, None where there is none."""
        return _grade(self.before), _grade(self.after) if self.after is not None else None

    @property
    def compared(self) -> bool:
        """Whether there is a grade both times."""
        return None not in self.grades

    @property
    def flipped(self) -> bool:
        """Whether the grade is another one now."""
        before, after = self.grades
        return self.compared and before != after


def _grade(reply: str) -> str | None:
    """What a reply says: that two texts mean the same or not, or whether a query is solved."""
    return parse(reply) or solved_replies.parse(reply)


def draw(keys: Iterable[str], size: int, seed: int) -> tuple[str, ...]:
    """A sample of judge calls: the `size` keys (or all, if there are fewer) whose sha256 together with the seed is lowest.

    The same seed draws the same calls whatever their order, and keeps most of them when calls are added.
    """
    return tuple(
        sorted(set(keys), key=lambda key: sha256(f"{seed} {key}".encode()).digest())[:size]
    )


def places(verdicts: pl.DataFrame, labelled: pl.DataFrame) -> Mapping[str, Place]:
    """The suite and category of every judge call that a verdict or a labelled pair rests on, by its key."""
    columns = ["suite", "category", "judge_call"]
    calls = pl.concat([verdicts.select(columns), labelled.select(columns)]).drop_nulls("judge_call")
    rows = (
        calls.unique()
        .with_columns(pl.col("judge_call").str.split(" "))
        .explode("judge_call")
        .unique()
        .sort(columns)
    )
    return {key: (suite, category) for suite, category, key in rows.iter_rows()}


def audit_of(judge: JudgeSettings, seed: int, recorded: int, asked: Sequence[AskedAgain]) -> Audit:
    """The audit of a judge, of `recorded` calls those that were put again; its rows are all of them, then each category."""
    parts: dict[Place, list[AskedAgain]] = {(WHOLE, WHOLE): list(asked)}
    for call in sorted(asked, key=lambda call: (call.suite, call.category)):
        parts.setdefault((call.suite, call.category), []).append(call)
    return Audit(
        schema=1,
        judge=judge.name,
        provider=judge.provider,
        model=judge.model,
        settings=judge.settings,
        seed=seed,
        recorded=recorded,
        rows=tuple(_flips(*place, calls) for place, calls in parts.items()),
        changed=tuple(
            _flip(call) for call in sorted(asked, key=lambda call: call.key) if call.flipped
        ),
    )


def _flips(suite: str, category: str, calls: Sequence[AskedAgain]) -> Flips:
    compared, flips = sum(call.compared for call in calls), sum(call.flipped for call in calls)
    unanswered = sum(call.after is None for call in calls)
    low, high = wilson(flips, compared) if compared else (None, None)
    return Flips(
        suite=suite,
        category=category,
        asked=len(calls),
        compared=compared,
        flips=flips,
        rate=flips / compared if compared else None,
        low=low,
        high=high,
        unparseable=len(calls) - compared - unanswered,
        unanswered=unanswered,
    )


def _flip(call: AskedAgain) -> Flip:
    return Flip(call.key, call.suite, call.category, _told(call.before), _told(call.after or ""))


def _told(reply: str) -> str:
    return cut(printable(reply.strip()), 500)
