"""The judges: what each is, what it is asked, what it decided, and the scores without it."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from leaderboard.ids import PANEL, WHOLE
from leaderboard.judge_providers import PROVIDER_DESCRIPTIONS
from leaderboard.types import JudgeSettings, Prompt
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import Downloads, links
from site_templates.data.judge_data import judge_tables
from site_templates.indexed_rows import Score
from site_templates.links import JUDGES_PATH, Link
from site_templates.page_head import Head, page_head
from site_templates.parts.judge_counts import JudgeCounts
from site_templates.parts.judge_trust import (
    DecisionRow,
    JudgeAgreement,
    Repeatability,
    TrustRow,
    agreement,
    concordance,
    decisions,
    repeatability,
)
from site_templates.parts.named_links import document, nature, to_category, to_judge, to_suite
from site_templates.parts.rankings.score_cells import ScoreCell, score_cell
from site_templates.parts.rankings.submission_names import Name, name_of


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A judge in the list of judges."""

    link: Link
    judge: JudgeSettings
    nature: str
    provider: str
    decided: int
    share: float | None
    labels: JudgeAgreement | None
    again: Repeatability | None


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """A score with the judges and by rules only.

    `corrected` (value, low, high) takes the errors of the panel into account. It has no values if
    the labels of the suite are a scale (`is_scale`).
    """

    name: Name
    suite: Link
    score: Score
    cell: ScoreCell
    difference: float
    corrected: tuple[float | None, ...]
    is_scale: bool


@dataclass(frozen=True, slots=True)
class JudgesPage:
    """Model of judges/index.html. `waiting` counts verdicts that wait for a judge.

    `panel` is the panel as a whole against the labels. `some_scales`: a suite that judges decided
    has labels that are a scale.
    """

    head: Head
    rows: tuple[JudgeRow, ...]
    verdicts: int
    waiting: int
    panel: JudgeAgreement | None
    decisions: tuple[DecisionRow, ...]
    concordance: tuple[TrustRow, ...]
    differences: tuple[ScoreDifference, ...]
    corrects: bool
    some_scales: bool
    document: str | None
    labelling: str | None


@dataclass(frozen=True, slots=True)
class DecidedRow:
    """How many verdicts of a category a judge decided, and how many of these pass."""

    suite: Link
    category: Link
    verdicts: int
    decided: int
    share: float
    passed: int


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt with the categories that use it."""

    prompt: Prompt
    categories: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class JudgePage:
    """Model of judges/<judge>.html."""

    head: Head
    judge: JudgeSettings
    nature: str
    facts: tuple[tuple[str, str], ...]
    decided: int
    verdicts: int
    share: float | None
    rows: tuple[DecidedRow, ...]
    agreement: JudgeAgreement | None
    repeatability: Repeatability | None
    prompts: tuple[PromptText, ...]
    document: str | None
    labelling: str | None


# ---------------------------------------------------------------- all judges


def judges_page(index: BoardIndex, counts: JudgeCounts) -> JudgesPage:
    """The list of judges."""
    board = index.board
    differences = _differences(index)
    return JudgesPage(
        head=page_head(
            index,
            JUDGES_PATH,
            "Judges",
            "The judges of this board, which decide where rules cannot, and how much each decides.",
            section="Judges",
            crumbs=[Link("Judges")],
            json="data/judges.json",
            tables=_tables(index),
            has_axis=True,
        ),
        rows=tuple(_row(index, judge, counts) for judge in board.judges),
        verdicts=counts.verdicts,
        waiting=counts.waiting,
        panel=agreement(index, PANEL) if len(board.judges) > 1 else None,
        decisions=decisions(index),
        concordance=concordance(index),
        differences=differences,
        corrects=any(row.corrected[1] is not None for row in differences),
        some_scales=any(row.is_scale for row in differences),
        document=document(index, "judges"),
        labelling=document(index, "labelling"),
    )


def _tables(index: BoardIndex) -> Downloads:
    """The tables about all judges, to download."""
    names = judge_tables(index)
    return tuple((name.title(), links(f"data/judges/{name}", "CSV", "Parquet")) for name in names)


def _row(index: BoardIndex, judge: JudgeSettings, counts: JudgeCounts) -> JudgeRow:
    return JudgeRow(
        link=to_judge(index, judge.name).link,
        judge=judge,
        nature=nature(judge),
        provider=PROVIDER_DESCRIPTIONS[judge.provider],
        decided=counts.total(judge.name),
        share=counts.share(judge.name),
        labels=agreement(index, judge.name),
        again=repeatability(index, judge),
    )


def _differences(index: BoardIndex) -> tuple[ScoreDifference, ...]:
    """Scores with and without the judges, where a judge decides something."""
    corrected: dict[tuple[str, str, str], tuple[float | None, ...]] = {}
    frame = index.board.results.corrected.filter(pl.col("category") == WHOLE)
    columns = ("submission", "suite", "metric", "corrected", "low", "high")
    for submission_id, suite_id, metric, *limits in frame.select(columns).iter_rows():
        corrected[submission_id, suite_id, metric] = tuple(limits)

    rows = []
    for suite in index.board.suites:
        ranked = suite.kind.ranked
        for submission in index.takers(suite.id):
            score = index.score(submission.id, suite.id)
            if score is None or not score.judged_share:
                continue
            if score.score is None or score.rules_only is None:
                continue
            baseline = submission.is_baseline
            row = ScoreDifference(
                name=name_of(index, submission),
                suite=to_suite(index, suite),
                score=score,
                cell=score_cell(score, baseline=baseline, median=score.rules_only),
                difference=score.score - score.rules_only,
                corrected=corrected.get((submission.id, suite.id, ranked), (None, None, None)),
                is_scale=suite.kind.is_scale,
            )
            rows.append(row)
    return tuple(rows)


# ---------------------------------------------------------------- one judge


def judge_page(index: BoardIndex, judge: JudgeSettings, counts: JudgeCounts) -> JudgePage:
    """The page of one judge."""
    facts = (
        ("Model", judge.model),
        ("Provider", PROVIDER_DESCRIPTIONS[judge.provider]),
        ("Settings", formatting.settings(judge.public_settings)),
    )
    return JudgePage(
        head=page_head(
            index,
            index.paths.judge(judge.name),
            f"{judge.name}, judge",
            f"What the judge {judge.name} is, what it is asked, and how many verdicts it decides.",
            section="Judges",
            crumbs=[Link("Judges", JUDGES_PATH), Link(judge.name)],
            tables=(("All judges", links("data/judges", "JSON")), *_tables(index)),
            has_axis=True,
        ),
        judge=judge,
        nature=nature(judge),
        facts=tuple((name, value) for name, value in facts if value),
        decided=counts.total(judge.name),
        verdicts=counts.scored.total(),
        share=counts.share(judge.name),
        rows=_decided_rows(index, judge.name, counts),
        agreement=agreement(index, judge.name),
        repeatability=repeatability(index, judge),
        prompts=tuple(_prompt(index, prompt) for prompt in index.board.prompts),
        document=document(index, "judges"),
        labelling=document(index, "labelling"),
    )


def _decided_rows(index: BoardIndex, judge: str, counts: JudgeCounts) -> tuple[DecidedRow, ...]:
    rows = []
    for suite in index.board.suites:
        for category in suite.categories:
            place = (suite.id, category.id)
            number, scored = counts.decided[judge][place], counts.scored[place]
            if number:
                row = DecidedRow(
                    suite=to_suite(index, suite),
                    category=to_category(index, suite, category),
                    verdicts=scored,
                    decided=number,
                    share=number / scored,
                    passed=counts.passed[judge][place],
                )
                rows.append(row)
    return tuple(rows)


def _prompt(index: BoardIndex, prompt: Prompt) -> PromptText:
    users = []
    for suite in index.board.suites:
        if suite.id == prompt.suite:
            users = [
                to_category(index, suite, category)
                for category in suite.categories
                if prompt.id in (category.prompt, category.follow_up)
            ]
    return PromptText(prompt, tuple(users))
