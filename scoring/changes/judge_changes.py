"""How judges agree with the labels before and after a change, wherever that may have changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from leaderboard.ids import PANEL, WHOLE
from leaderboard.judge_providers import DECISION
from leaderboard.results import Results
from scoring.judging.agreement import is_validated

_Place = tuple[str, str, str]  # judge, suite, category


@dataclass(frozen=True, slots=True)
class LabelFigures:
    """What AGREEMENT says of a judge: its agreement with the labels, and Youden's J with limits."""

    pairs: int
    agreement: float | None
    youden: float | None
    youden_low: float | None
    youden_high: float | None

    @property
    def validated(self) -> bool:
        return is_validated(self.youden_low)


@dataclass(frozen=True, slots=True)
class JudgeChange:
    """A judge on the labelled pairs of a category, or of a suite (`*`), before and after.

    The judge is `*` for the panel, and `decision` for rules, facts and judges together. Figures are
    None where it was asked about no pair.
    """

    judge: str
    suite: str
    category: str
    before: LabelFigures | None
    after: LabelFigures | None

    @property
    def loses_validation(self) -> bool:
        """Whether the panel was better than chance, and is no longer."""
        was = self.before is not None and self.before.validated
        return self.judge == PANEL and was and not (self.after and self.after.validated)


def judge_changes(base: Results, new: Results) -> Iterator[JudgeChange]:
    """Yields what differs, by suite, category and judge: labels, judge calls, grades or figures.

    Another prompt and other settings make other judge calls, so that figures which happen to be
    the same are included.
    """
    old, now = _figures(base.agreement), _figures(new.agreement)
    asked = (_rows(results.labelled.drop("reply")) for results in (base, new))
    measured = (_rows(results.agreement) for results in (base, new))
    touched = _places(*asked) | _places(*measured)
    for judge, suite, category in sorted(touched, key=_in_order):
        if suite != WHOLE:
            place = judge, suite, category
            yield JudgeChange(*place, old.get(place), now.get(place))


def _in_order(place: _Place) -> tuple[str, str, bool, bool, str]:
    judge, suite, category = place
    return suite, category, judge == DECISION, judge == PANEL, judge


def _rows(frame: pl.DataFrame) -> set[tuple[object, ...]]:
    return set(frame.iter_rows())


def _places(old: set[tuple[object, ...]], new: set[tuple[object, ...]]) -> set[_Place]:
    """The places of the rows that only one of the two has. They are the first three columns."""
    return {(str(judge), str(suite), str(category)) for judge, suite, category, *_ in old ^ new}


def _figures(agreement: pl.DataFrame) -> dict[_Place, LabelFigures]:
    columns = ("pairs", "agreement", "youden", "youden_low", "youden_high")
    rows = agreement.select("judge", "suite", "category", *columns).iter_rows()
    return {
        (judge, suite, category): LabelFigures(*figures)
        for judge, suite, category, *figures in rows
    }
