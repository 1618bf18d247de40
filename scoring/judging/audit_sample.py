"""What asking a judge again shows: which calls to ask again, and how often its grade changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import polars as pl

from leaderboard.files.audit_files import WHOLE, Audit, ChangedGrade, GradeFlips
from leaderboard.types import JudgeSettings
from scoring.judging.replies import EQUIVALENCE, SOLVED, parse
from scoring.rules.details import cut, printable
from scoring.statistics.intervals import wilson

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A recorded judge call that was asked again: the reply before and after, None if missing."""

    key: str
    suite: str
    category: str
    before: str
    after: str | None

    @property
    def grades(self) -> tuple[str | None, str | None]:
        """The grade before and after, None if a reply gives none."""
        before, after = (
            parse(reply or "", EQUIVALENCE) or parse(reply or "", SOLVED)
            for reply in (self.before, self.after)
        )
        return before, after

    @property
    def compared(self) -> bool:
        """Whether both replies give a grade."""
        return None not in self.grades

    @property
    def flipped(self) -> bool:
        """Whether the grade changed."""
        before, after = self.grades
        return self.compared and before != after


def draw(keys: Iterable[str], size: int, seed: int) -> tuple[str, ...]:
    """A sample of judge calls: the `size` keys whose sha256 together with the seed is lowest.

    The same seed draws the same calls in any order, and keeps most of them when calls are added.
    """
    ordered = sorted(set(keys), key=lambda key: sha256(f"{seed} {key}".encode()).digest())
    return tuple(ordered[:size])


def places(verdicts: pl.DataFrame, labelled: pl.DataFrame) -> Mapping[str, Place]:
    """The suite and category of every judge call that a verdict or a labelled pair rests on."""
    columns = ["suite", "category", "judge_call"]
    calls = pl.concat([verdicts.select(columns), labelled.select(columns)]).drop_nulls("judge_call")
    keys = calls.unique().with_columns(pl.col("judge_call").str.split(" ")).explode("judge_call")
    rows = keys.unique().sort(columns).iter_rows()
    return {key: (suite, category) for suite, category, key in rows}


def audit_of(judge: JudgeSettings, seed: int, recorded: int, asked: Sequence[AskedAgain]) -> Audit:
    """The audit of a judge with `recorded` calls: a row for all asked calls, then per category."""
    parts: dict[Place, list[AskedAgain]] = {(WHOLE, WHOLE): list(asked)}
    for call in sorted(asked, key=lambda call: (call.suite, call.category)):
        parts.setdefault((call.suite, call.category), []).append(call)
    flipped = sorted((call for call in asked if call.flipped), key=lambda call: call.key)
    return Audit(
        schema=1,
        judge=judge.name,
        provider=judge.provider,
        model=judge.model,
        settings=judge.public_settings,
        seed=seed,
        recorded=recorded,
        rows=tuple(_flips(*place, calls) for place, calls in parts.items()),
        changed=tuple(
            ChangedGrade(
                call.key, call.suite, call.category, _shown(call.before), _shown(call.after or "")
            )
            for call in flipped
        ),
    )


def _flips(suite: str, category: str, calls: Sequence[AskedAgain]) -> GradeFlips:
    compared, flips = sum(call.compared for call in calls), sum(call.flipped for call in calls)
    unanswered = sum(call.after is None for call in calls)
    low, high = wilson(flips, compared) if compared else (None, None)
    return GradeFlips(
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


def _shown(reply: str) -> str:
    return cut(printable(reply.strip()), 500)
