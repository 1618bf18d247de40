"""How often judges agree with the labels, and with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

import polars as pl

from leaderboard.frames import AGREEMENT, CONCORDANCE
from scoring.judging.labelled import PANEL
from scoring.statistics import cohen_kappa, wilson
from scoring.tables.aggregate import WHOLE

# Whether a grade is positive: the answer means the same, or solves the query. Unsure is neither.
GRADES: Final[Mapping[str, bool]] = {
    "equivalent": True,
    "solved": True,
    "different": False,
    "unsolved": False,
}

_UNGRADED: Final = ("unparseable", "missing", "unsure")

# How often two readings of a pair occur together: the label and a judge, or two judges.
_Counts = Counter[tuple[str, str]]
_Place = tuple[str, str]
_Row = tuple[str | float | None, ...]


def agreement(labelled: pl.DataFrame) -> pl.DataFrame:
    """The AGREEMENT frame of a LABELLED frame: how often each judge agrees with the labels.

    Each judge has a row for all suites together, for each suite and for each category. The panel
    (`*`) is last. Grades that are unsure, missing or unreadable are counted, but are not part of
    any share or of κ.
    """
    rows: list[_Row] = []
    for judge in _judges(labelled, panel=True):
        for place, part in _parts(labelled.filter(judge=judge)):
            counts = Counter(part.select("label", "said").iter_rows())
            rows.append((judge, *place, *_measures(counts)))
    return pl.DataFrame(rows, schema=AGREEMENT, orient="row")


def concordance(labelled: pl.DataFrame) -> pl.DataFrame:
    """The CONCORDANCE frame of a LABELLED frame: how often two judges agree on labelled pairs."""
    said = {judge: labelled.filter(judge=judge) for judge in _judges(labelled, panel=False)}
    rows: list[_Row] = []
    for judge, other in combinations(said, 2):
        both = said[judge].join(
            said[other].select("suite", "pair", also="said"),
            on=["suite", "pair"],
            how="inner",
            maintain_order="left",
        )
        for place, part in _parts(both):
            grades = _graded(Counter(part.select("said", "also").iter_rows()))
            *equal, _, kappa = _agreement(grades)
            rows.append((judge, other, *place, grades.total(), *equal, kappa))
    return pl.DataFrame(rows, schema=CONCORDANCE, orient="row")


def measured(
    agreement: pl.DataFrame, judge: str = PANEL
) -> Mapping[_Place, Mapping[str, float | None]]:
    """One judge's rows of an AGREEMENT frame by suite and category."""
    rows = agreement.filter(judge=judge).iter_rows(named=True)
    return {(row["suite"], row["category"]): row for row in rows}


def _judges(labelled: pl.DataFrame, *, panel: bool) -> list[str]:
    names: list[str] = labelled["judge"].unique(maintain_order=True).to_list()
    judges = [name for name in names if name != PANEL]
    return [*judges, PANEL] if panel and PANEL in names else judges


def _parts(frame: pl.DataFrame) -> Iterator[tuple[_Place, pl.DataFrame]]:
    """The whole frame, then each suite, followed by its categories, in the order of the rows."""
    yield (WHOLE, WHOLE), frame
    for suite in frame.partition_by("suite", maintain_order=True):
        yield (suite["suite"][0], WHOLE), suite
        for category in suite.partition_by("category", maintain_order=True):
            yield (suite["suite"][0], category["category"][0]), category


def _measures(counts: _Counts) -> _Row:
    """The columns of AGREEMENT from `pairs` on."""
    graded = _graded(counts)
    true_positive, false_negative = graded[True, True], graded[True, False]
    false_positive, true_negative = graded[False, True], graded[False, False]
    ungraded: Counter[str] = Counter()
    for (_, said), number in counts.items():
        ungraded[said] += number
    return (
        counts.total(),
        graded.total(),
        *_agreement(graded),
        *_share(true_positive, true_positive + false_negative),
        *_share(true_negative, false_positive + true_negative),
        true_positive,
        false_negative,
        false_positive,
        true_negative,
        *(ungraded[what] for what in _UNGRADED),
    )


def _graded(counts: _Counts) -> Counter[tuple[bool, bool]]:
    """The pairs with a grade on both sides, each as positive or not."""
    grades: Counter[tuple[bool, bool]] = Counter()
    for (first, second), number in counts.items():
        if first in GRADES and second in GRADES:
            grades[GRADES[first], GRADES[second]] += number
    return grades


def _agreement(grades: Counter[tuple[bool, bool]]) -> _Row:
    """The share of equal grades, its interval (low, high), the share expected by chance, and κ."""
    if not grades:
        return None, None, None, None, None
    first, second = zip(*grades.elements(), strict=True)
    kappa = cohen_kappa(first, second)
    equal = grades[True, True] + grades[False, False]
    return (*_share(equal, kappa.cases), kappa.expected, kappa.kappa)


def _share(part: int, whole: int) -> _Row:
    """A share with its 95 % Wilson interval. Nulls if the whole is 0."""
    if whole == 0:
        return None, None, None
    return part / whole, *wilson(part, whole)
