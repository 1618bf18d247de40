"""What asking a judge again shows: which calls to ask again, and how often its grade changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from typing import NamedTuple

import polars as pl

from leaderboard.files.audit_files import Audit, ChangedGrade, GradeFlips
from leaderboard.ids import WHOLE
from leaderboard.texts.short_text import cut
from leaderboard.texts.shown_values import printable
from leaderboard.types import JudgeSettings
from scoring.judging.replies import EQUIVALENCE, Vocabulary, parse
from scoring.statistics.intervals import wilson

# A row of an audit: suite, category, submission.
_Row = tuple[str, str, str]


class CallPlace(NamedTuple):
    """The suite, category and case that a judge call is about."""

    suite: str
    category: str
    case_id: str


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A recorded judge call that was asked again: the reply before and after, None if missing.

    `submission` and `cassette` are those that it was recorded for.
    `vocabulary` is that of its suite: other words in a reply are no grades.
    """

    key: str
    place: CallPlace
    submission: str
    cassette: str
    before: str
    after: str | None
    vocabulary: Vocabulary = EQUIVALENCE

    @property
    def grades(self) -> tuple[str | None, str | None]:
        """The grade before and after, None if a reply gives none."""
        return parse(self.before, self.vocabulary), parse(self.after or "", self.vocabulary)

    @property
    def compared(self) -> bool:
        """Whether there is a second reply. It may give no grade, as may the first."""
        return self.after is not None

    @property
    def flipped(self) -> bool:
        """Whether the grade changed, or only one of the replies gives one."""
        before, after = self.grades
        return self.compared and before != after


def draw(keys: Iterable[str], size: int, seed: int) -> tuple[str, ...]:
    """A sample of judge calls: the `size` keys whose sha256 together with the seed is lowest.

    The same seed draws the same calls in any order, and keeps most of them when calls are added.
    """
    ordered = sorted(set(keys), key=lambda key: sha256(f"{seed} {key}".encode()).digest())
    return tuple(ordered[:size])


def draw_each(cassettes: Mapping[str, str], size: int, seed: int) -> tuple[str, ...]:
    """A sample of at most `size` calls from each cassette. `cassettes` maps keys to files.

    So no submission hides behind the number of the others' calls.
    """
    by_file: dict[str, list[str]] = {}
    for key, file in cassettes.items():
        by_file.setdefault(file, []).append(key)
    return tuple(key for _, keys in sorted(by_file.items()) for key in draw(keys, size, seed))


def places(verdicts: pl.DataFrame, labelled: pl.DataFrame) -> Mapping[str, CallPlace]:
    """The place of every judge call that a verdict or a labelled pair rests on.

    Equal questions of several cases are one call, with the last of their places.
    """
    columns = ["suite", "category", "case_id", "judge_call"]
    calls = pl.concat([verdicts.select(columns), labelled.select(columns)]).drop_nulls("judge_call")
    keys = calls.unique().with_columns(pl.col("judge_call").str.split(" ")).explode("judge_call")
    rows = keys.unique().sort(columns).iter_rows()
    return {key: CallPlace(*place) for *place, key in rows}


class SampleTaken(NamedTuple):
    """How a sample was drawn: calls per cassette, seed, share that may change, recorded calls.

    `only` names the submissions that it was drawn from, if not from all.
    """

    size: int
    seed: int
    at_most: float
    recorded: int
    only: tuple[str, ...] = ()


def audit_of(judge: JudgeSettings, taken: SampleTaken, asked: Sequence[AskedAgain]) -> Audit:
    """The audit of a judge: a row for all asked calls, then per category, then per submission."""
    categories: dict[_Row, list[AskedAgain]] = {}
    submissions: dict[_Row, list[AskedAgain]] = {}
    for call in asked:
        suite, category, _ = call.place
        categories.setdefault((suite, category, WHOLE), []).append(call)
        submissions.setdefault((suite, WHOLE, call.submission), []).append(call)
    parts = [((WHOLE, WHOLE, WHOLE), list(asked))]
    parts += sorted(categories.items(), key=itemgetter(0))
    parts += sorted(submissions.items(), key=itemgetter(0))
    flipped = sorted((call for call in asked if call.flipped), key=lambda call: call.key)
    return Audit(
        schema=2,
        judge=judge.name,
        provider=judge.provider,
        model=judge.model,
        settings=judge.public_settings,
        seed=taken.seed,
        sample=taken.size,
        at_most=taken.at_most,
        recorded=taken.recorded,
        rows=tuple(_flips(row, calls) for row, calls in parts),
        changed=tuple(_changed(call) for call in flipped),
        only=taken.only,
    )


def _changed(call: AskedAgain) -> ChangedGrade:
    return ChangedGrade(
        judge_call=call.key,
        suite=call.place.suite,
        category=call.place.category,
        case_id=call.place.case_id,
        submission=call.submission,
        cassette=call.cassette,
        before=_shown(call.before),
        after=_shown(call.after or ""),
    )


def _flips(row: _Row, calls: Sequence[AskedAgain]) -> GradeFlips:
    suite, category, submission = row
    compared, flips = sum(call.compared for call in calls), sum(call.flipped for call in calls)
    low, high = wilson(flips, compared) if compared else (None, None)
    return GradeFlips(
        suite=suite,
        category=category,
        submission=submission,
        asked=len(calls),
        compared=compared,
        flips=flips,
        rate=flips / compared if compared else None,
        low=low,
        high=high,
        unparseable=sum(call.compared and None in call.grades for call in calls),
        unanswered=len(calls) - compared,
    )


def _shown(reply: str) -> str:
    return cut(printable(reply.strip()), 500)
