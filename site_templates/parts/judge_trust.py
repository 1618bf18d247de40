"""How far judges can be trusted: against labels, against each other, and asked again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import polars as pl

from leaderboard.files.audit_files import Audit, ChangedGrade, GradeFlips
from leaderboard.files.cassette_paths import LABELS
from leaderboard.files.label_files import LabelledPair
from leaderboard.ids import PANEL, WHOLE
from leaderboard.judge_providers import DECISION
from leaderboard.kinds import EQUIVALENCE
from leaderboard.responses.solved_grades import POINTS
from leaderboard.types import JudgeSettings, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import Whisker, at
from site_templates.links import Link
from site_templates.parts.answers.trajectory import StepList, made
from site_templates.parts.named_links import places, to_category, to_submission, to_suite
from site_templates.parts.rankings.score_cells import ScoreCell
from site_templates.parts.rankings.score_trust import JudgedScore, PanelQuality

_ERRORS: Final = 40  # pairs of a suite that are listed
_QUERY: Final = 100  # characters of a case's question
_HALF: Final = 0.5  # what a grade counts that is neither right nor wrong

# A row of one of the tables on judges, by column.
TableRow = SimpleNamespace


@dataclass(frozen=True, slots=True)
class TrustRow:
    """A row of a table on judges with its place. `level` is all, suite or cat (category)."""

    level: str
    link: Link
    row: Any


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """Two rows of AGREEMENT: the panel `alone`, and the whole decision. `level` as in TrustRow."""

    level: str
    link: Link
    alone: TableRow | None
    decision: TableRow


@dataclass(frozen=True, slots=True)
class QualityRow:
    """The quality of the judges at a suite or category, and what it means for one submission."""

    level: str
    link: Link
    quality: PanelQuality
    judged: JudgedScore | None


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """A row of AGREEMENT. The remark of its `cell` counts the pairs without a grade."""

    level: str
    link: Link
    row: TableRow
    cell: ScoreCell


@dataclass(frozen=True, slots=True)
class MisjudgedPair:
    """A row of LABELLED on which a judge is wrong or unsure, with its labelled pair.

    `calls` led to the answer. They are None if the pair cannot have any. `replies` counts the
    judge's replies: several if it was asked in several rounds or stages. The row has the last.
    """

    case: Link
    row: TableRow
    pair: LabelledPair | None
    calls: StepList | None
    replies: int


@dataclass(frozen=True, slots=True)
class MisjudgedPairs:
    """The pairs of a suite on which a judge is wrong or unsure: how many, and the first of them."""

    suite: Link
    wrong: int
    unsure: int
    total: int
    pairs: tuple[MisjudgedPair, ...]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """A judge against the labels.

    `right` and `wrong` are the grades that judges may give such answers, in words. `by_majority`
    and `by_mean` are the titles of the suites in which the judges decide together in this way.
    `own_labels`: a suite declares some of the labels.
    """

    rows: tuple[LabelAgreement, ...]
    errors: tuple[MisjudgedPairs, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    by_majority: tuple[str, ...]
    by_mean: tuple[str, ...]
    own_labels: bool


@dataclass(frozen=True, slots=True)
class ChangedCall:
    """A judge call whose grade changed, with the links of its case and submission.

    `query` is the question of the case, "" if the board no longer has the case.
    """

    case: Link
    query: str
    recorded_for: Link
    call: ChangedGrade


@dataclass(frozen=True, slots=True)
class Repeatability:
    """A judge asked again. `stale`: the judge now has another model or other settings.

    `changed` are the calls whose grade changed, the first `_ERRORS` of them. `others` are the first
    rows of all other audits, the latest first. `only` are the submissions of an audit of some.
    """

    rows: tuple[TrustRow, ...]
    audit: Audit
    stale: bool
    changed: tuple[ChangedCall, ...]
    others: tuple[TrustRow, ...]
    only: tuple[Link, ...]


def qualities(
    index: BoardIndex, suite: Suite, *, submission: Submission | None = None
) -> tuple[QualityRow, ...]:
    """How good the judges of a suite are: a row for the suite and each category where they decide.

    With a submission, only where they decide one of its verdicts, with its corrected scores.
    """
    rows = []
    for category, level, link in places(index, suite):
        quality = index.quality(suite.id, category)
        judged = None
        if submission is not None:
            judged = index.judged_score(submission.id, suite.id, category)
            quality = judged.quality if judged else None
        if quality is not None:
            rows.append(QualityRow(level, link, quality, judged))
    return tuple(rows)


def agreement(index: BoardIndex, judge: str) -> JudgeAgreement | None:
    """A judge (`*`: the whole panel) against the labels; None if it was not asked about them."""
    frame = index.board.results.agreement.filter(pl.col("judge") == judge)
    labelled = _rows(index, frame)
    if not labelled or labelled[0].level != "all":
        return None
    rows = [LabelAgreement(it.level, it.link, it.row, _agreement_cell(it.row)) for it in labelled]
    places = {it.row.suite for it in labelled}
    suites = [suite for suite in index.board.suites if suite.id in places]
    solves = any(suite.kind.interaction == "apis" for suite in suites)
    own_labels = any(suite.kind.own_grades for suite in suites)
    grades = []
    if not all(suite.kind.own_grades for suite in suites):
        grades.append(("equal", "different"))
    if solves:
        grades.append(("solved", "unsolved"))
    if own_labels:
        grades.append(("worth more than a half", "worth less"))
    return JudgeAgreement(
        rows=tuple(rows),
        errors=tuple(_misjudged(index, judge)),
        right=tuple(right for right, _ in grades),
        wrong=tuple(wrong for _, wrong in grades),
        by_majority=tuple(s.title for s in suites if not s.kind.averages_grades),
        by_mean=tuple(s.title for s in suites if s.kind.averages_grades),
        own_labels=own_labels,
    )


def _agreement_cell(row: TableRow) -> ScoreCell:
    """The agreement in a row of AGREEMENT, in the form of a score."""
    mark = None
    if row.agreement is not None and row.low is not None and row.high is not None:
        mark = Whisker(at(row.low), at(row.high), at(row.agreement))
    no_grade = row.pairs - row.graded
    remark = f"{no_grade} not graded" if no_grade else ""
    bounds = formatting.bounds(row.low, row.high)
    return ScoreCell(formatting.percent(row.agreement), bounds, remark, mark)


def decisions(index: BoardIndex) -> tuple[DecisionRow, ...]:
    """The panel alone and the whole decision against the labels; empty without such labels."""
    frame = index.board.results.agreement
    panel = frame.filter(pl.col("judge") == PANEL)
    alone = {(row.suite, row.category): row for row in _table_rows(panel)}
    rows = _rows(index, frame.filter(pl.col("judge") == DECISION))
    return tuple(
        DecisionRow(it.level, it.link, alone.get((it.row.suite, it.row.category)), it.row)
        for it in rows
    )


def _rows(index: BoardIndex, frame: pl.DataFrame) -> list[TrustRow]:
    """The rows with labelled pairs: those of everything, then of each suite and its categories."""
    by_place: dict[tuple[str, str], list[TableRow]] = {}
    for row in _table_rows(frame.filter(pl.col("pairs") > 0)):
        by_place.setdefault((row.suite, row.category), []).append(row)
    whole = Link("all labelled pairs")
    ordered = [TrustRow("all", whole, row) for row in by_place.get((WHOLE, WHOLE), ())]
    for suite in index.board.suites:
        for category, level, link in places(index, suite):
            rows = by_place.get((suite.id, category), ())
            ordered += [TrustRow(level, link, row) for row in rows]
    return ordered


def _table_rows(frame: pl.DataFrame) -> list[TableRow]:
    return [TableRow(**row) for row in frame.iter_rows(named=True)]


def _misjudged(index: BoardIndex, judge: str) -> Iterator[MisjudgedPairs]:
    """By suite, the labelled pairs on which a judge is wrong or unsure, as AGREEMENT counts them.

    A pair whose label is neither right nor wrong measures nothing, and is left out.
    """
    graded = pl.col("said").is_in(["missing", "unparseable"]).not_()
    frame = index.board.results.labelled.filter((pl.col("judge") == judge) & graded)
    for suite in index.board.suites:
        found = _table_rows(frame.filter(pl.col("suite") == suite.id).sort("category", "pair"))
        rows = [row for row in found if _is_misjudged(suite, row)]
        unsure, total = sum(0 < row.passed < 1 for row in rows), len(rows)
        pairs = tuple(_misjudged_pair(index, suite, row) for row in rows[:_ERRORS])
        if rows:
            link = to_suite(index, suite)
            yield MisjudgedPairs(link, total - unsure, unsure, total, pairs)


def _is_misjudged(suite: Suite, row: TableRow) -> bool:
    """Whether the grade is not on the side of the label. Half a pass is on neither."""
    grades = {**EQUIVALENCE, **POINTS, **suite.kind.grades}
    points = grades.get(row.label, _HALF)
    return points != _HALF and bool(row.passed != (points > _HALF))


def _misjudged_pair(index: BoardIndex, suite: Suite, row: TableRow) -> MisjudgedPair:
    pair = index.board.labels.get((suite.id, row.pair))
    path = index.paths.case(suite.id, row.case_id) if row.case_id in suite.by_id else None
    calls = made(pair.calls) if pair and suite.kind.interaction == "apis" else None
    replies = len((row.judge_call or "").split())
    return MisjudgedPair(Link(row.case_id, path), row, pair, calls, replies)


def concordance(index: BoardIndex) -> tuple[TrustRow, ...]:
    """Each pair of judges on the labelled pairs that both graded; empty with one judge."""
    return tuple(_rows(index, index.board.results.concordance))


def repeatability(index: BoardIndex, judge: JudgeSettings) -> Repeatability | None:
    """The latest audit of a judge; None if it was never asked again.

    An audit of some submissions is shown only if there is none of all.
    """
    audits = index.board.audits.get(judge.name, ())
    if not audits:
        return None
    whole = [audit for audit in audits if not audit.only]
    shown = whole[-1] if whole else audits[-1]
    return Repeatability(
        tuple(_asked_again(row, _place(index, row)) for row in shown.rows),
        shown,
        stale=not shown.is_of(judge),
        changed=tuple(_changed_call(index, call) for call in shown.changed[:_ERRORS]),
        others=tuple(
            _asked_again(audit.rows[0], _audit_name(index, number, audit))
            for number, audit in reversed([*enumerate(audits, start=1)])
            if audit is not shown
        ),
        only=tuple(_recorded_for(index, owner) for owner in shown.only),
    )


def _audit_name(index: BoardIndex, number: int, audit: Audit) -> Link:
    names = [_recorded_for(index, owner).label for owner in audit.only]
    only = f" (only {formatting.clip(formatting.listed(names), 80)})" if names else ""
    return Link(f"Audit {number}{only}")


def _asked_again(row: GradeFlips, link: Link) -> TrustRow:
    level = "all" if row.suite == WHOLE else "cat"
    return TrustRow(level, link, row)


def _changed_call(index: BoardIndex, call: ChangedGrade) -> ChangedCall:
    suite = index.board.suite(call.suite)
    case = suite.by_id.get(call.case_id) if suite else None
    path = index.paths.case(call.suite, call.case_id) if case else None
    query = formatting.clip(case.query, _QUERY) if case else ""
    owner = _recorded_for(index, call.submission)
    return ChangedCall(Link(call.case_id, path), query, owner, call)


def _recorded_for(index: BoardIndex, owner: str) -> Link:
    """The link of the submission that a call was recorded for."""
    if owner == LABELS:
        return Link("labelled pairs")
    submission = index.board.submission(owner)
    return to_submission(index, submission) if submission else Link(owner)


def _place(index: BoardIndex, row: GradeFlips) -> Link:
    """The link of a row. An audit may cover categories that the board no longer has."""
    if row.suite == WHOLE:
        return Link("the whole sample")
    suite = index.board.suite(row.suite)
    title = formatting.clip(suite.title, 60) if suite else row.suite
    if row.category == WHOLE:
        owner = _recorded_for(index, row.submission)
        return Link(f"{title}, {owner.label}", owner.path)
    if suite and (row.suite, row.category) in index.paths.categories:
        return to_category(index, suite, suite.category(row.category))
    return Link(f"{title}, {formatting.words(row.category)}")
