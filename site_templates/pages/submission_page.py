"""The page of one submission: who made it, its scores, its mistakes, how to reproduce it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median

from markupsafe import Markup

from leaderboard.board.sweeps import Member
from leaderboard.ids import WHOLE
from leaderboard.reasons import MISSING_RESPONSE
from leaderboard.results import incomplete
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Card, Submission, Suite
from site_templates import formatting, markdown
from site_templates.board_index import BoardIndex
from site_templates.distinct_names import WHOLE_NAME
from site_templates.figures.badge import Embed, embed
from site_templates.figures.sweep_chart import Sweep, sweeps
from site_templates.indexed_rows import Score, ScorePlace
from site_templates.links import COMPARE_PATH, JUDGED, Link, repository_file, repository_link
from site_templates.page_frame import commands
from site_templates.page_head import Head, page_head
from site_templates.parts.bibtex import submission_entry
from site_templates.parts.card_facts import (
    MOST_SETTINGS,
    CardFact,
    Setting,
    card_facts,
    card_settings,
)
from site_templates.parts.history.row_moves import RowMove, row_moves
from site_templates.parts.input_digests import InputDigest, input_digests
from site_templates.parts.judge_trust import QualityRow, qualities
from site_templates.parts.mistake_counts import MistakeCount, mistake_counts
from site_templates.parts.named_links import places, to_suite
from site_templates.parts.pairs.pair_pages import Pair, rank_comparisons
from site_templates.parts.rankings.other_metrics import MetricTable, of_suite
from site_templates.parts.rankings.score_cells import ScoreCell, cell_of
from site_templates.parts.trial_table import TrialTable, trial_table

Medians = Mapping[tuple[str, str], float]  # median scores by suite and category
RankComparisons = Mapping[ScorePlace, str]  # of the comparisons behind ranks


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The score on a suite or category. `level` is suite or cat (category).

    `judged` lists the cases that a judge decided. `comparison` is the path of the comparison behind
    the rank, if there is one.
    """

    level: str
    judged: str
    link: Link
    rank: str
    comparison: str | None
    score: Score | None
    cell: ScoreCell


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The scores of a submission. `has_medians`: the scores of whole suites have medians.

    `not_taken` are the other suites.
    """

    rows: tuple[ScoreLine, ...]
    has_medians: bool
    not_taken: tuple[Link, ...]

    @property
    def some_judged(self) -> bool:
        return any(row.score and row.score.judged_share for row in self.rows)

    @property
    def some_unscored(self) -> bool:
        return any(row.score and row.score.unscored for row in self.rows)


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The verdicts other than a pass, by kind. `several`: the submission took several suites."""

    kinds: tuple[MistakeCount, ...]
    several: bool

    @property
    def fails(self) -> int:
        """How many answers failed. A case without an answer is counted as `unanswered`."""
        failed = (kind for kind in self.kinds if not kind.unscored)
        return sum(kind.count for kind in failed if kind.reason != MISSING_RESPONSE)

    @property
    def unanswered(self) -> int:
        return sum(kind.count for kind in self.kinds if kind.reason == MISSING_RESPONSE)

    @property
    def unscored(self) -> int:
        return sum(kind.count for kind in self.kinds if kind.unscored)


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """Model of submissions/<id>.html.

    `compared` are the comparisons with a page of their own: a suite's title with the links.
    `free` is the address that compares the submission with any other.
    """

    head: Head
    name: str
    tags: tuple[str, ...]
    lede: str
    missing: str
    folder: str | None
    facts: tuple[CardFact, ...]
    scores: ScoreTable
    compared: tuple[tuple[str, tuple[Link, ...]], ...]
    free: str | None
    answers: str
    mistakes: Mistakes
    quality: tuple[QualityRow, ...]
    sweeps: tuple[Sweep, ...]
    other_metrics: tuple[MetricTable, ...]
    trials: tuple[TrialTable, ...]
    moves: tuple[RowMove, ...]
    settings: tuple[Setting, ...]
    more_settings: int
    readme: Markup | None
    digests: tuple[InputDigest, ...]
    commands: tuple[str, ...]
    bibtex: str
    badge: Embed


def submission_page(
    index: BoardIndex,
    submission: Submission,
    medians: Medians,
    comparisons: RankComparisons,
    *,
    pairs: Sequence[tuple[str, Pair]],
    sweep: Sequence[Member],
    base: str | None,
) -> SubmissionPage:
    """The page of one submission.

    `pairs` are its comparisons (suite id and pair), `sweep` the members of the sweep that it
    belongs to, `base` is the full address of the site if that is known.
    """
    board, card = index.board, submission.card
    taken = [suite for suite in board.suites if index.score(submission.id, suite.id) is not None]
    metric_tables = [of_suite(index, submission, suite) for suite in taken]
    trials = [trial_table(index, submission, suite) for suite in taken]
    quality = (qualities(index, suite, submission=submission) for suite in taken)
    settings = card_settings(card)
    return SubmissionPage(
        head=_head(index, submission),
        name=index.names.of(submission.id, WHOLE_NAME),
        tags=_tags(card),
        lede=_lede(index, submission, taken),
        missing=_missing(index, submission, taken),
        folder=repository_file(board.repository, f"submissions/{submission.id}"),
        facts=card_facts(index, submission),
        scores=_scores(index, submission, taken, medians, comparisons),
        compared=_compared(index, submission, pairs),
        free=f"{COMPARE_PATH}?a={index.paths.submissions[submission.id]}" if pairs else None,
        answers=index.paths.answers(submission.id),
        mistakes=Mistakes(mistake_counts(index, submission, taken), several=len(taken) > 1),
        quality=tuple(chain.from_iterable(quality)),
        sweeps=sweeps(index, submission, sweep),
        other_metrics=tuple(table for table in metric_tables if table),
        trials=tuple(table for table in trials if table),
        moves=row_moves(index, submission.id),
        settings=settings[:MOST_SETTINGS],
        more_settings=len(settings[MOST_SETTINGS:]),
        readme=_readme(index, submission),
        digests=tuple(input_digests(index, submission)),
        commands=commands(board, f"lb rescore {submission.id} --offline"),
        bibtex=submission_entry(index, submission, base),
        badge=embed(index, submission, base),
    )


def _head(index: BoardIndex, submission: Submission) -> Head:
    name = index.names.of(submission.id)
    return page_head(
        index,
        index.paths.submission(submission.id),
        name,
        f"Scores, mistakes and digests of {name}.",
        section="Board",
        crumbs=[Link(name)],
        json=None if index.board.is_large else index.paths.submission_data(submission.id),
        has_axis=True,
    )


def _tags(card: Card) -> tuple[str, ...]:
    weights = "open weights" if card.open_weights else ""
    return tuple(tag for tag in (card.kind, weights) if tag)


def _compared(
    index: BoardIndex, submission: Submission, pairs: Sequence[tuple[str, Pair]]
) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for suite_id, (first, second) in pairs:
        other = second if first.id == submission.id else first
        path = index.paths.pair(suite_id, first.id, second.id)
        links[suite_id].append(Link(index.names.of(other.id, 60), path))
    suites = [suite for suite in index.board.suites if suite.id in links]
    return tuple((suite.title, tuple(links[suite.id])) for suite in suites)


def _lede(index: BoardIndex, submission: Submission, taken: Sequence[Suite]) -> str:
    """The scores in words: "Scores 81.9 % on bfcl (79.7–84.0, 1,240 cases, rank 2–4)."

    For a baseline, what it does.
    """
    if submission.is_baseline:
        does = markdown.first_sentence(submission.readme or "", 300)
        return f"A baseline, not a competitor. {does}".strip()
    scores: list[str] = []
    for suite in taken:
        score = index.score(submission.id, suite.id)
        if score is None or score.score is None:
            continue
        rank = formatting.rank(index.rank(submission.id, suite.id))
        limits = formatting.bounds(score.low, score.high)
        cases = score.part or counted(score.cases, "case")
        notes = [
            note for note in (limits, cases, f"rank {rank}" if rank else score.not_ranked) if note
        ]
        share = formatting.exact_percent(score.score)
        scores.append(f"{share} on {suite.title} ({', '.join(notes)})")
    return f"Scores {formatting.listed(scores)}." if scores else ""


def _missing(index: BoardIndex, submission: Submission, taken: Sequence[Suite]) -> str:
    """The suites on which cases are not answered, in a sentence; "" if there are none."""
    parts = [(index.answered_part(submission.id, suite.id), suite.title) for suite in taken]
    return incomplete([f"{part} on {title}" for part, title in parts if part])


# ---------------------------------------------------------------- scores


def median_scores(index: BoardIndex) -> Medians:
    """The median score by suite and category; only of two scores or more.

    Baselines do not count, nor scores of which the submitter has chosen the cases.
    """
    rivals = [submission for submission in index.submissions if not submission.is_baseline]
    medians = {}
    for suite in index.board.suites:
        for category in (WHOLE, *(c.id for c in suite.categories)):
            scores = [index.score(rival.id, suite.id, category) for rival in rivals]
            comparable = [score for score in scores if score and not score.asked_in_part]
            shares = [score.score for score in comparable if score.score is not None]
            if len(shares) > 1:
                medians[suite.id, category] = median(shares)
    return medians


def all_rank_comparisons(index: BoardIndex) -> RankComparisons:
    """The paths of the comparisons behind the ranks of all submissions."""
    paths = {}
    for suite in index.board.suites:
        for category in (WHOLE, *(c.id for c in suite.categories)):
            for submission, path in rank_comparisons(index, suite, category).items():
                paths[ScorePlace(submission, suite.id, category)] = path
    return paths


def _scores(
    index: BoardIndex,
    submission: Submission,
    taken: Sequence[Suite],
    medians: Medians,
    comparisons: RankComparisons,
) -> ScoreTable:
    not_taken = [suite for suite in index.board.suites if suite not in taken]
    return ScoreTable(
        rows=tuple(_score_lines(index, submission, taken, medians, comparisons)),
        has_medians=any((suite.id, WHOLE) in medians for suite in taken),
        not_taken=tuple(to_suite(index, suite) for suite in not_taken),
    )


def _score_lines(
    index: BoardIndex,
    submission: Submission,
    taken: Sequence[Suite],
    medians: Medians,
    comparisons: RankComparisons,
) -> Iterator[ScoreLine]:
    """For each suite its line, then those of its categories."""
    for suite in taken:
        for category, level, link in places(index, suite):
            score = index.score(submission.id, suite.id, category)
            yield ScoreLine(
                level=level,
                judged=index.paths.answers(submission.id, suite.id, category, decided_by=JUDGED),
                link=link,
                rank=formatting.rank(index.rank(submission.id, suite.id, category)),
                comparison=comparisons.get(ScorePlace(submission.id, suite.id, category)),
                score=score,
                cell=cell_of(
                    index, submission, suite, category, median=medians.get((suite.id, category))
                ),
            )


def _readme(index: BoardIndex, submission: Submission) -> Markup | None:
    if not submission.readme or not submission.readme.strip():
        return None

    def resolve(href: str) -> str | None:
        if href.startswith("#"):
            return None
        return repository_link(index.board.repository, f"submissions/{submission.id}", href)

    return markdown.render(submission.readme, resolve=resolve, shift=2)
