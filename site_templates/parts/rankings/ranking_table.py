"""The ranking of submissions: the table of the first page, of the suites and of all suites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from leaderboard.ids import WHOLE
from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import Downloads, beside
from site_templates.figures.axis import Flag
from site_templates.indexed_rows import Score
from site_templates.links import JUDGED, Link
from site_templates.parts.named_links import document, label, to_suite
from site_templates.parts.pairs.pair_pages import comparable, rank_comparisons
from site_templates.parts.rankings.ranking_columns import (
    ColumnGroup,
    RowFacts,
    TableColumn,
    column_groups,
    score_column,
)
from site_templates.parts.rankings.score_cells import (
    Gap,
    ScoreCell,
    baseline_flags,
    gap,
    score_cell,
)
from site_templates.parts.rankings.score_trust import JudgedScore, NotCorrected
from site_templates.parts.rankings.submission_names import Name, name_of

_FIXED = 4  # columns that every ranking has: rank, name, score and interval
_WIDE = 8  # columns of scores for which a page of 1,280 pixels has room
_MOST = 12  # columns after the fixed ones that usually fit on such a page


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in a column. `best`: its rank in this column can be 1.

    `missing` says why there is no score, or how many cases are answered if not all. `value` is
    the score as a share, for a reader's own weights; empty if there is none. `judged` says what a
    judge does to the score.
    """

    text: str
    path: str | None = None
    best: bool = False
    missing: str = ""
    value: str = ""
    judged: str = ""

    @property
    def title(self) -> str:
        """What a reader should know about the value."""
        return ". ".join(filter(None, (self.missing, self.judged)))


@dataclass(frozen=True, slots=True)
class Row:
    """One submission in a ranking. `part`: it has no record at all for some of the cases.

    `comparison` is the path of the comparison behind its rank, if there is one.
    """

    rank: str
    comparison: str | None
    name: Name
    score: ScoreCell
    cells: tuple[Cell, ...]
    part: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A checkbox that narrows the rows, with the number of rows that it keeps."""

    key: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class RankingSubject:
    """What a ranking is on: one suite, or all of them together (`all_suites`).

    `place` is the folder of its pages, "" for the first page of the board (`first_page`).
    `data` is the path of its JSON.
    `compare` starts the address that compares two rows, and is empty if rows cannot be compared.
    `part_scores`: some scores of cases are neither a pass nor 0. `categories`: how many the suite
    has.
    """

    place: str
    title: str
    data: str
    cases: int
    flags: tuple[Flag, ...]
    gap: Gap | None = None
    compare: str = ""
    first_page: bool = False
    all_suites: bool = False
    part_scores: bool = False
    categories: int = 1

    @property
    def tables(self) -> Downloads:
        """The table of its rows, to download."""
        return beside("This ranking" if self.all_suites else "Scores", self.data)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking, or one page of a long one, which is cut into pages.

    `unranked` are submissions without a rank, which say why, `absent` those without any answer to
    what is ranked. `rows` and `unranked` are those of this page, `pages` links to all of them,
    `rows_path` is the path of all rows as data. `not_corrected` says why judged rows have no
    corrected score.
    """

    subject: RankingSubject
    groups: tuple[ColumnGroup, ...]
    rows: tuple[Row, ...]
    unranked: tuple[Row, ...]
    baselines: tuple[Row, ...]
    absent: tuple[Name, ...]
    facets: tuple[tuple[str, tuple[Facet, ...]], ...]
    frameworks: bool
    submitting: str | None
    entries: int
    some_unranked: bool
    some_unscored: bool
    some_part: bool
    some_judged: bool
    not_corrected: tuple[NotCorrected, ...] = ()
    page: int = 1
    pages: tuple[Link, ...] = ()
    rows_path: str | None = None

    @property
    def gap(self) -> Gap | None:
        """The smallest detectable difference, which only the first page shows."""
        return self.subject.gap if self.page == 1 else None

    @property
    def columns(self) -> tuple[tuple[ColumnGroup, TableColumn], ...]:
        """Every column after the interval, with its group."""
        return tuple((group, column) for group in self.groups for column in group.columns)

    @property
    def weights(self) -> tuple[TableColumn, ...]:
        """The columns whose weights a reader may change."""
        return tuple(column for _, column in self.columns if column.weight is not None)

    @property
    def reported(self) -> tuple[TableColumn, ...]:
        """The columns that hold what submitters report."""
        return tuple(column for _, column in self.columns if column.reported)

    @property
    def is_wide(self) -> bool:
        """Whether the table is likely to be wider than a page. The script measures it."""
        return sum(len(group.columns) for group in self.groups if group.shown) > _MOST

    @property
    def span(self) -> int:
        """The number of columns."""
        return _FIXED + len(self.columns)

    def filled(self, row: Row) -> Iterator[tuple[ColumnGroup, TableColumn, Cell]]:
        """The cells of a row, each with its column."""
        for (group, column), cell in zip(self.columns, row.cells, strict=True):
            yield group, column, cell


@dataclass(frozen=True, slots=True)
class RankingEntry:
    """A submission before its row is made. `scores` are the cells of the score columns.

    `cases` is the list of the cases that its score counts. `comparison` is the path of the
    comparison behind its rank.
    """

    submission: Submission
    rank: str
    score: Score | None
    scores: tuple[Cell, ...]
    facts: RowFacts
    part: bool
    cases: str
    remark: str = ""
    judged: JudgedScore | None = None
    comparison: str | None = None

    @property
    def is_ranked(self) -> bool:
        """Whether it has a place. An unanswered case has a verdict, a fail, and takes none away."""
        return bool(self.score and not self.score.unscored and not self.score.not_ranked)


def ranking(index: BoardIndex, suite: Suite, *, first_page: bool = False) -> Ranking:
    """The whole ranking of a suite, by score, then by id.

    It shows the categories. The first page of the board shows other suites too, if there is room.
    """
    others = tuple(other for other in index.board.suites if other.id != suite.id)
    paths = rank_comparisons(index, suite)
    entries = [_entry(index, suite, others, s, paths.get(s.id)) for s in index.takers(suite.id)]
    comparisons = index.board.comparisons.get(suite.id)
    part_scores = comparisons is not None and any(
        map(comparisons.has_part_scores, comparisons.levels)
    )
    subject = RankingSubject(
        place="" if first_page else folder(index, suite),
        title=suite.title,
        data=index.paths.suite_data(suite.id),
        cases=len(suite.by_id),
        flags=baseline_flags(index, suite),
        gap=gap(index, suite),
        compare=index.paths.comparing(suite.id) if suite in comparable(index) else "",
        first_page=first_page,
        part_scores=part_scores,
        categories=len(suite.categories),
    )
    groups = _score_groups(index, suite, others, first_page=first_page)
    return assembled(index, subject, groups, entries)


def _score_groups(
    index: BoardIndex, suite: Suite, others: Sequence[Suite], *, first_page: bool
) -> tuple[ColumnGroup, ...]:
    """The columns of scores: the suite's categories, and the other suites."""
    categories = tuple(
        score_column(f"cat.{c.id}", label(c), len(c.cases), c.weight) for c in suite.categories
    )
    suites = tuple(score_column(f"suite.{o.id}", o.title, len(o.by_id)) for o in others)
    of_categories = ColumnGroup(
        key="cat",
        choice=f"categories of {suite.title}",
        columns=categories,
        heading=f"{suite.title} by category,\u00a0%",
        path=f"{index.paths.suite(suite.id)}#s-categories",
    )
    of_suites = ColumnGroup(
        key="suite",
        choice="other suites",
        columns=suites,
        heading="other suites, %",
        shown=first_page and len(categories) + len(suites) <= _WIDE,
        printed=False,
    )
    return of_categories, of_suites


def folder(index: BoardIndex, suite: Suite) -> str:
    """The folder of a suite's pages, which is the place of its ranking."""
    return index.paths.suite(suite.id).removesuffix("index.html")


def _entry(
    index: BoardIndex,
    suite: Suite,
    others: Sequence[Suite],
    submission: Submission,
    comparison: str | None,
) -> RankingEntry:
    score = index.score(submission.id, suite.id)
    usage = index.usage(submission.id, suite.id)
    cells = []
    for category in suite.categories:
        rank = index.rank(submission.id, suite.id, category.id)
        best = rank is not None and rank[0] == 1
        cell = score_in_column(index, submission, suite, category.id, best=best, weighed=True)
        cells.append(cell)
    cells += [score_in_column(index, submission, other) for other in others]

    return RankingEntry(
        submission=submission,
        rank=formatting.rank(index.rank(submission.id, suite.id)) or formatting.NONE,
        score=score,
        scores=tuple(cells),
        facts=RowFacts(
            judged_share=score.judged_share if score else None,
            judged_cases=index.paths.answers(submission.id, suite.id, decided_by=JUDGED),
            cost_per_1000=usage.cost_per_1000 if usage else None,
            latency_s=usage.median_latency if usage else None,
            date="" if submission.is_baseline else submission.card.date,
        ),
        part=bool(score and score.leaves_cases_out),
        cases=index.paths.answers(submission.id, suite.id),
        judged=index.judged_score(submission.id, suite.id),
        comparison=comparison,
    )


def score_in_column(
    index: BoardIndex,
    submission: Submission,
    suite: Suite,
    category: str = WHOLE,
    *,
    best: bool = False,
    weighed: bool = False,
) -> Cell:
    """A score in a column. `weighed`: a reader may change the weight of this column."""
    score = index.score(submission.id, suite.id, category)
    if score is None:
        return Cell(formatting.NONE, missing="not taken")
    if score.score is None:
        return Cell(formatting.NONE, missing="nothing scored yet")
    value = f"{score.score:.6g}" if weighed else ""
    judged = index.judged_score(submission.id, suite.id, category)
    brief = judged.brief if judged else ""
    path = index.paths.answers(submission.id, suite.id, category)
    return Cell(formatting.percent(score.score), path, best, score.part, value, brief)


def assembled(
    index: BoardIndex,
    subject: RankingSubject,
    groups: Sequence[ColumnGroup],
    entries: Sequence[RankingEntry],
) -> Ranking:
    """A ranking of its entries, which are in order. Baselines are listed apart."""
    rivals = [entry for entry in entries if not entry.submission.is_baseline]
    taken = {entry.submission.id for entry in entries}
    absent = [s for s in index.submissions if not s.is_baseline and s.id not in taken]
    columns = column_groups(groups, (entry.facts for entry in rivals))

    def rows(chosen: Iterable[RankingEntry]) -> tuple[Row, ...]:
        return tuple(_row(index, columns, entry) for entry in chosen)

    ranked = rows(entry for entry in rivals if entry.is_ranked)
    unranked = rows(entry for entry in rivals if not entry.is_ranked)
    baselines = rows(entry for entry in entries if entry.submission.is_baseline)
    everyone = (*ranked, *unranked)
    judged = [row.score.judged for row in (*everyone, *baselines) if row.score.judged]
    reasons = {score.not_corrected for score in judged}
    return Ranking(
        subject=subject,
        groups=columns,
        rows=ranked,
        unranked=unranked,
        baselines=baselines,
        absent=tuple(name_of(index, submission) for submission in absent),
        facets=_facets(everyone),
        frameworks=len({row.name.framework for row in everyone if row.name.framework}) > 1,
        submitting=document(index, "submitting"),
        entries=len(everyone),
        some_unranked=bool(unranked),
        some_unscored=any(entry.score and entry.score.unscored for entry in rivals),
        some_judged=bool(judged),
        not_corrected=tuple(reason for reason in NotCorrected if reason in reasons),
        some_part=any(_partly(row) for row in (*everyone, *baselines)),
    )


def _row(index: BoardIndex, groups: Sequence[ColumnGroup], entry: RankingEntry) -> Row:
    plain = [column for group in groups for column in group.columns if column.text]
    cells = [_plain_cell(column, entry.facts) for column in plain]
    baseline = entry.submission.is_baseline
    return Row(
        rank="" if baseline else entry.rank,
        comparison=entry.comparison if entry.is_ranked and not baseline else None,
        name=name_of(index, entry.submission),
        score=score_cell(
            entry.score,
            baseline=baseline,
            remark=entry.remark,
            judged=entry.judged,
            path=entry.cases,
        ),
        cells=(*entry.scores, *cells),
        part=entry.part,
    )


def _plain_cell(column: TableColumn, facts: RowFacts) -> Cell:
    text = column.text(facts) if column.text else formatting.NONE
    return Cell(text, (column.link and column.link(facts)) or None)


def _partly(row: Row) -> bool:
    """Whether a score of the row covers only a part of the cases, and has an asterisk."""
    return any(cell.missing for cell in row.cells if cell.path)


def _facets(rows: Sequence[Row]) -> tuple[tuple[str, tuple[Facet, ...]], ...]:
    """The facets by their legends: only those that would keep some rows and hide others."""
    kinds = [row.name.kind for row in rows]
    weights = [row.name.weights for row in rows]
    part = sum(row.part for row in rows)
    facets = []
    if "model" in kinds and "agent" in kinds:
        chips = tuple(Facet(kind, kind, kinds.count(kind)) for kind in ("model", "agent"))
        facets.append(("Kind", chips))
    if "open" in weights and "closed" in weights:
        facets.append(("Weights", (Facet("open", "open", weights.count("open")),)))
    if 0 < part < len(rows):
        facets.append(("Answered", (Facet("whole", "every case", len(rows) - part),)))
    return tuple(facets)


def ranked_suites(index: BoardIndex) -> tuple[Suite, ...]:
    """The suites that somebody has taken. The ranking on all suites needs two of them.

    Scores that are only reported are no part of it.
    """
    return tuple(s for s in index.board.suites if index.takers(s.id) and not s.kind.reported)


def suite_links(index: BoardIndex, *, first_page: bool = False) -> tuple[Link, ...]:
    """All suites together, then each suite. The first page stands for the suite it ranks."""
    links = [Link("All suites", "all/index.html")] if len(ranked_suites(index)) > 1 else []
    for suite in index.board.suites:
        if first_page and suite.id == index.board.ranked:
            links.append(Link(suite.title, "index.html"))
        else:
            links.append(to_suite(index, suite))
    return tuple(links)
