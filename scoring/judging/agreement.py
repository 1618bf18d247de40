"""How often judges agree with the labels and with each other, and whether they are validated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import polars as pl

from leaderboard.frames import AGREEMENT, CONCORDANCE, LABELLED
from leaderboard.ids import PANEL, WHOLE
from leaderboard.judge_providers import DECISION
from leaderboard.types import Suite
from scoring.judging.panel_questions import accepted_share
from scoring.statistics.intervals import wilson
from scoring.statistics.judged_scores import LabelCounts, youden
from scoring.statistics.kappa import cohen_kappa
from scoring.tables.scores import is_ranked

# Whether a grade is positive: the answer means the same, or solves the query. Unsure is neither.
GRADES: Final[Mapping[str, bool]] = {
    "equivalent": True,
    "solved": True,
    "different": False,
    "unsolved": False,
}
_SIDES: Final = {1.0: "equivalent", 0.5: "unsure", 0.0: "different"}

_UNGRADED: Final = ("unparseable", "missing")

# How often these occur together: the label of a pair, what a judge said, and the share of its votes
# that accept the answer, which is None without a grade.
_Finding = tuple[str, str, float | None]
_Findings = Mapping[_Finding, int]

# How many pairs two readers call right or wrong. A reader may divide a pair between both.
_Grades = Mapping[tuple[bool, bool], float]
_Place = tuple[str, str]
_Numbers = dict[str, float | None]  # by column


def two_sided(labelled: pl.DataFrame, scales: Mapping[str, Mapping[str, float]]) -> pl.DataFrame:
    """A LABELLED frame with the labels of suites with their own as equivalent or different.

    `scales` says by suite what each label counts. More than a half is equivalent. A half is unsure,
    and a pair with such a label measures nothing: it is left out.
    """
    if not scales:
        return labelled
    rows = []
    for row in labelled.iter_rows(named=True):
        scale = scales.get(row["suite"], {})
        label = _side(row["label"], scale)
        if row["label"] in scale and label == "unsure":
            continue
        rows.append({**row, "label": label, "said": _side(row["said"], scale)})
    return pl.DataFrame(rows, schema=LABELLED)


def _side(label: str, scale: Mapping[str, float]) -> str:
    """What a label on a scale comes down to. Any other label stays as it is."""
    if label not in scale:
        return label
    return _SIDES[accepted_share(scale[label])]


def agreement(labelled: pl.DataFrame) -> pl.DataFrame:
    """The AGREEMENT frame of a LABELLED frame: how often each judge agrees with the labels.

    Each judge has a row for all suites together, for each suite and for each category. The panel
    (`*`) comes after the judges, and then the whole decision (`decision`) on the second set.
    Where grades are averaged, an answer that only a share of the votes accept counts as this share
    of an accepted one, as in scores. Where the majority decides, a tie has no grade. Pairs without
    a grade are counted, but are in no share and not in κ.
    """
    rows: list[dict[str, str | float | None]] = []
    for judge in _judges(labelled, panel=True):
        for (suite, category), part in _parts(labelled.filter(judge=judge)):
            counts = _findings(part)
            place = {"judge": judge, "suite": suite, "category": category}
            rows.append({**place, **_measures(counts)})
    return pl.DataFrame(rows, schema=AGREEMENT)


def concordance(labelled: pl.DataFrame) -> pl.DataFrame:
    """The CONCORDANCE frame of a LABELLED frame: how often two judges agree on labelled pairs."""
    by_judge = {judge: labelled.filter(judge=judge) for judge in _judges(labelled, panel=False)}
    rows: list[dict[str, str | float | None]] = []
    for judge, other in combinations(by_judge, 2):
        both = by_judge[judge].join(
            by_judge[other].select("suite", "pair", also="passed"),
            on=["suite", "pair"],
            how="inner",
            maintain_order="left",
        )
        for (suite, category), part in _parts(both):
            grades = _both_sure(part)
            place = {"judge": judge, "other": other, "suite": suite, "category": category}
            pairs = grades.total()
            rows.append({**place, "pairs": pairs, **_agreement(grades, pairs)})
    return pl.DataFrame(rows, schema=CONCORDANCE)


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    """The panel on the labelled pairs of a place. `measures` has the columns of AGREEMENT."""

    counts: LabelCounts
    measures: Mapping[str, float | None]

    @property
    def validated(self) -> bool:
        return is_validated(self.measures["youden_low"])


def is_validated(youden_low: float | None) -> bool:
    """Whether a judge is better than chance: the interval of Youden's J is above 0."""
    return youden_low is not None and youden_low > 0


def judge_quality(
    labelled: pl.DataFrame, sums: pl.DataFrame, suites: Iterable[Suite]
) -> dict[_Place, JudgeQuality]:
    """The quality of the panel wherever it decided a verdict of a ranked metric, or still has to.

    `sums` comes from `scores.category_sums`. `*` is about the pairs of all these categories.
    """
    judged = sums.filter(pl.col("judged") + pl.col("waiting") > 0, is_ranked(suites))
    counts: dict[_Place, Counter[_Finding]] = {}
    for suite, category in judged.select("suite", "category").unique().iter_rows():
        pairs = labelled.filter(judge=PANEL, suite=suite, category=category)
        counts[suite, category] = _findings(pairs)
    for (suite, _), counted in tuple(counts.items()):
        counts[suite, WHOLE] = counts.get((suite, WHOLE), Counter()) + counted
    return {
        place: JudgeQuality(label_counts(counted), _measures(counted))
        for place, counted in counts.items()
    }


def label_counts(counts: _Findings) -> LabelCounts:
    """What a judge gives to right and to wrong answers. Pairs without a grade are left out."""
    right = wrong = 0
    passed, failed = [], []
    for (label, _, accepted), number in counts.items():
        if accepted is None:
            continue
        if GRADES[label]:
            right += number
            passed.append(number * accepted)
        else:
            wrong += number
            failed.append(number * (1 - accepted))
    # Thirds have no exact sum, and pairs are counted in any order.
    return LabelCounts(right, math.fsum(passed), wrong, math.fsum(failed))


def _findings(labelled: pl.DataFrame) -> Counter[_Finding]:
    return Counter(labelled.select("label", "said", "passed").iter_rows())


def _judges(labelled: pl.DataFrame, *, panel: bool) -> list[str]:
    names: list[str] = labelled["judge"].unique(maintain_order=True).to_list()
    together = (PANEL, DECISION)
    judges = [name for name in names if name not in together]
    return [*judges, *(name for name in together if name in names)] if panel else judges


def _parts(frame: pl.DataFrame) -> Iterator[tuple[_Place, pl.DataFrame]]:
    """The whole frame, then each suite, followed by its categories, in the order of the rows."""
    yield (WHOLE, WHOLE), frame
    for suite in frame.partition_by("suite", maintain_order=True):
        yield (suite["suite"][0], WHOLE), suite
        for category in suite.partition_by("category", maintain_order=True):
            yield (suite["suite"][0], category["category"][0]), category


def _measures(counts: _Findings) -> _Numbers:
    """The columns of AGREEMENT that are numbers."""
    sure: Counter[tuple[bool, bool]] = Counter()
    ungraded: Counter[str] = Counter()
    for (label, said, accepted), number in counts.items():
        if accepted in (0, 1):
            sure[GRADES[label], accepted == 1] += number
        elif accepted is None:
            ungraded[said] += number
    found = label_counts(counts)
    graded = found.right + found.wrong
    grades = _divided(found)
    j, j_low, j_high = youden(found) or (None, None, None)
    return {
        "pairs": sum(counts.values()),
        "graded": graded,
        **_agreement(grades, graded),
        "expected": cohen_kappa(grades).expected if graded else None,
        **_share(found.passed, found.right, "sensitivity", "sensitivity_low", "sensitivity_high"),
        **_share(found.failed, found.wrong, "specificity", "specificity_low", "specificity_high"),
        "youden": j,
        "youden_low": j_low,
        "youden_high": j_high,
        "true_equivalent": sure[True, True],
        "false_different": sure[True, False],
        "false_equivalent": sure[False, True],
        "true_different": sure[False, False],
        **{what: ungraded[what] for what in _UNGRADED},
        "unsure": graded - sure.total(),
    }


def _divided(found: LabelCounts) -> _Grades:
    """The labels and the grades of a judge. Pairs on which its votes differ are divided."""
    return {
        (True, True): found.passed,
        (True, False): found.right - found.passed,
        (False, True): found.wrong - found.failed,
        (False, False): found.failed,
    }


def _both_sure(pairs: pl.DataFrame) -> Counter[tuple[bool, bool]]:
    """The pairs that two judges grade, each as right or wrong. A part of a pass is neither."""
    return Counter(
        (first == 1, second == 1)
        for first, second in pairs.select("passed", "also").iter_rows()
        if first in (0, 1) and second in (0, 1)
    )


def _agreement(grades: _Grades, pairs: int) -> _Numbers:
    """The share of equal grades with its interval, and κ."""
    kappa = cohen_kappa(grades).kappa if pairs else None
    equal = grades.get((True, True), 0) + grades.get((False, False), 0)
    return {**_share(equal, pairs, "agreement", "low", "high"), "kappa": kappa}


def _share(part: float, whole: int, *columns: str) -> _Numbers:
    """A share with its 95 % Wilson interval, in three columns. Nulls if the whole is 0."""
    numbers = (part / whole, *wilson(part, whole)) if whole else (None, None, None)
    return dict(zip(columns, numbers, strict=True))
