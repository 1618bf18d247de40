"""What a judge does to a score: how good it is there, and the score corrected for its errors."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

import polars as pl

from leaderboard.ids import WHOLE
from leaderboard.judge_providers import DECISION
from leaderboard.texts.counted_nouns import counted
from site_templates import formatting
from site_templates.board import Board
from site_templates.formatting import exact_percent
from site_templates.indexed_rows import ScorePlace


@dataclass(frozen=True, slots=True)
class PanelQuality:
    """The panel against the labelled pairs of a suite or category.

    Of a suite (`whole`), only the pairs of categories in which a judge decided a verdict count
    for the panel, and the pairs of all categories for the decision. The `decision` is that of
    rules, facts and judges together, on labelled pairs of its own.
    """

    labelled: int
    agreement: float | None
    sensitivity: float | None
    specificity: float | None
    youden: float | None
    youden_low: float | None
    youden_high: float | None
    validated: bool
    decision_pairs: int
    decision_agreement: float | None
    decision_low: float | None
    decision_high: float | None
    whole: bool

    @property
    def said(self) -> str:
        """The quality in words."""
        if not self.labelled:
            parts = ["No answers are labelled here, so nobody knows how often the judge is right."]
        else:
            pairs = counted(self.labelled, "labelled pair")
            where = " of categories in which it decides verdicts" if self.whole else ""
            shares = (
                f"agreement {exact_percent(self.agreement)}",
                f"sensitivity {exact_percent(self.sensitivity)}",
                f"specificity {exact_percent(self.specificity)}",
            )
            parts = [f"The judge on {pairs}{where}: {', '.join(shares)}."]
        if self.labelled and not self.validated:
            parts.append("It is not validated here: it could be guessing.")
        if self.decision_pairs:
            pairs = counted(self.decision_pairs, "labelled pair")
            where = " of all categories" if self.whole else ""
            share = exact_percent(self.decision_agreement)
            if limits := formatting.bounds(self.decision_low, self.decision_high):
                share += f" ({limits})"
            parts.append(f"Rules, facts and judge together on {pairs}{where}: agreement {share}.")
        return " ".join(parts)


class NotCorrected(StrEnum):
    """Why a judged score has no corrected score, in words that follow "because"."""

    NOT_VALIDATED = (
        "the judge is not validated here; the limits then cover everything from no judged answer "
        "passing to all of them passing"
    )
    SCALE = "the labels are a scale, and the correction is about right and wrong answers"
    UNSCORED = "verdicts are unscored"


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """A score in which a judge decided something, corrected for the errors of the judge.

    `judged` counts the verdicts that it decided, `share` is their share in the score. `is_scale`:
    its labels are more than right and wrong, and the score cannot be corrected.
    """

    judged: int
    share: float | None
    corrected: float | None
    low: float | None
    high: float | None
    quality: PanelQuality
    is_scale: bool

    @property
    def value(self) -> str:
        """The corrected score: "23.0"; "" if there is none."""
        return "" if self.corrected is None else formatting.percent(self.corrected)

    @property
    def bounds(self) -> str:
        """The limits of the corrected score: "20.3–25.3"."""
        return formatting.bounds(self.low, self.high)

    @property
    def not_corrected(self) -> NotCorrected | None:
        """Why there is no corrected score; None if there is one."""
        if self.value:
            return None
        if self.bounds:
            return NotCorrected.NOT_VALIDATED
        return NotCorrected.SCALE if self.is_scale else NotCorrected.UNSCORED

    @property
    def brief(self) -> str:
        """The judged share and the corrected score, in a few words."""
        judged = f"{formatting.whole_percent(self.share)} judged"
        match self.not_corrected:
            case None:
                return f"{judged}, corrected {self.value} ({self.bounds})"
            case NotCorrected.NOT_VALIDATED:
                return f"{judged}, {self.bounds} from no judged answer passing to all"
            case NotCorrected.SCALE:
                return judged
            case NotCorrected.UNSCORED:
                return f"{judged}, not corrected while verdicts are unscored"

    @property
    def said(self) -> str:
        """Everything in words."""
        return f"{self.brief}. {self.quality.said}"


def judged_scores(board: Board) -> dict[ScorePlace, JudgedScore]:
    """The judged scores, by place."""
    results = board.results
    keys = ["submission", "suite", "category", "metric"]
    shares = results.scores.select(*keys, share="judged_share")
    decisions = results.agreement.filter(judge=DECISION).select(
        "suite",
        "category",
        decision_pairs="pairs",
        decision_agreement="agreement",
        decision_low="low",
        decision_high="high",
    )
    rows = (
        results.corrected.join(shares, on=keys, how="left", maintain_order="left")
        .join(decisions, on=["suite", "category"], how="left", maintain_order="left")
        .with_columns(
            pl.col("validated").fill_null(value=False),
            pl.col("decision_pairs").fill_null(0),
            whole=pl.col("category") == WHOLE,
        )
    )
    columns = ["submission", "suite", "category", "judged", "share", "corrected", "low", "high"]
    columns += [field.name for field in fields(PanelQuality)]
    scales = {suite.id for suite in board.suites if suite.kind.is_scale}
    scores = {}
    for submission, suite, category, *row in rows.select(columns).iter_rows():
        judged, share, corrected, low, high, *of_panel = row
        quality, scale = PanelQuality(*of_panel), suite in scales
        place = ScorePlace(submission, suite, category)
        scores[place] = JudgedScore(judged, share, corrected, low, high, quality, is_scale=scale)
    return scores
