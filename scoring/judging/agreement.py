"""How far judges agree with the labels, and with each other. `scoring.statistics` has the formulas and their sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

import polars as pl

from leaderboard.frames import AGREEMENT, CONCORDANCE
from scoring.judging.labelled import PANEL
from scoring.statistics import cohen_kappa, wilson

WHOLE: Final = (
    "*"  # the suite that stands for all suites, the category that stands for a whole suite
)

# The grades that count, each as a yes or no: an answer means the same, or solves the query. Unsure is neither.
GRADES: Final[Mapping[str, bool]] = {
    "equivalent": True,
    "solved": True,
    "different": False,
    "unsolved": False,
}

_UNGRADED: Final = ("unparseable", "missing", "unsure")

# Two readings of a pair (the label, or one judge; and another judge), and how often they stand together.
_Counts = Counter[tuple[str, str]]
_Grades = Counter[tuple[bool, bool]]
_Place = tuple[str, str]


def agreement(labelled: pl.DataFrame) -> pl.DataFrame:
    """The AGREEMENT frame of a LABELLED frame: a row per judge and category, per judge and suite, and per judge.

    Judges stand in the order of the rows, the panel (`*`) last; of each, all suites together first, then each suite and its
    categories. Positive is "equivalent" and "solved". What is unsure, missing or cannot be read is counted, and takes no part
    in a share, nor in κ.
    """
    rows: list[tuple[str | float | None, ...]] = []
    for judge in _judges(labelled, panel=True):
        frame = labelled.filter(judge=judge)
        rows.extend(
            (judge, *place, *_measures(Counter(part.select("label", "said").iter_rows())))
            for place, part in _parts(frame)
        )
    return pl.DataFrame(rows, schema=AGREEMENT, orient="row")


def concordance(labelled: pl.DataFrame) -> pl.DataFrame:
    """The CONCORDANCE frame of a LABELLED frame: for any two judges, how often both say the same of a labelled pair."""
    said = {judge: labelled.filter(judge=judge) for judge in _judges(labelled, panel=False)}
    rows: list[tuple[str | float | None, ...]] = []
    for judge, other in combinations(said, 2):
        both = said[judge].join(
            said[other].select("suite", "pair", also="said"),
            on=["suite", "pair"],
            how="inner",
            maintain_order="left",
        )
        for place, part in _parts(both):
            grades = _graded(Counter(part.select("said", "also").iter_rows()))
            *agreement, _, kappa = _alike(grades)
            rows.append((judge, other, *place, grades.total(), *agreement, kappa))
    return pl.DataFrame(rows, schema=CONCORDANCE, orient="row")


def _judges(labelled: pl.DataFrame, *, panel: bool) -> list[str]:
    names: list[str] = labelled["judge"].unique(maintain_order=True).to_list()
    return [name for name in names if name != PANEL] + ([PANEL] if panel and PANEL in names else [])


def _parts(frame: pl.DataFrame) -> Iterator[tuple[_Place, pl.DataFrame]]:
    """The whole frame, then each suite, then each of its categories, in the order of the rows."""
    yield (WHOLE, WHOLE), frame
    for suite in frame.partition_by("suite", maintain_order=True):
        yield (suite["suite"][0], WHOLE), suite
        for category in suite.partition_by("category", maintain_order=True):
            yield (suite["suite"][0], category["category"][0]), category


def _measures(counts: _Counts) -> tuple[float | None, ...]:
    """The columns of AGREEMENT from `pairs` on."""
    graded = _graded(counts)
    found, overlooked, let_through, refused = (
        graded[label, said] for label in (True, False) for said in (True, False)
    )
    *agreement, expected, kappa = _alike(graded)
    ungraded = (sum(n for (_, said), n in counts.items() if said == what) for what in _UNGRADED)
    return (
        counts.total(),
        graded.total(),
        *agreement,
        expected,
        kappa,
        *_share(found, found + overlooked),
        *_share(refused, let_through + refused),
        found,
        overlooked,
        let_through,
        refused,
        *ungraded,
    )


def _graded(counts: _Counts) -> _Grades:
    """The readings that are a grade on both sides, as yes or no."""
    grades: _Grades = Counter()
    for (first, second), number in counts.items():
        if first in GRADES and second in GRADES:
            grades[GRADES[first], GRADES[second]] += number
    return grades


def _alike(grades: _Grades) -> tuple[float | None, ...]:
    """The share of equal grades, its interval (low, high), the share to be expected by chance, and κ."""
    if not grades:
        return None, None, None, None, None
    first, second = zip(*grades.elements(), strict=True)
    alike = cohen_kappa(first, second)
    return (
        *_share(sum(n for (a, b), n in grades.items() if a == b), alike.cases),
        alike.expected,
        alike.kappa,
    )


def _share(part: int, whole: int) -> tuple[float | None, float | None, float | None]:
    """A share with its 95 % Wilson interval; nulls where there is nothing to divide by."""
    if whole == 0:
        return None, None, None
    return part / whole, *wilson(part, whole)


def measured(
    agreement: pl.DataFrame, judge: str = PANEL
) -> Mapping[_Place, Mapping[str, float | None]]:
    """One judge's rows of an AGREEMENT frame by suite and category."""
    return {
        (row["suite"], row["category"]): row
        for row in agreement.filter(judge=judge).iter_rows(named=True)
    }
