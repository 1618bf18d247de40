"""The page of one submission: who made it, its scores, its mistakes, how to reproduce it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median

from markupsafe import Markup

from leaderboard.frames import WHOLE
from leaderboard.results import incomplete
from leaderboard.types import Submission, Suite
from site_templates import formatting, markdown
from site_templates.board_index import BoardIndex
from site_templates.figures.badge import Embed, embed
from site_templates.figures.sweep_chart import Member, Sweep, sweeps
from site_templates.indexed_rows import Score
from site_templates.links import JUDGED, Link, repository_file
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
from site_templates.parts.pairs.pair_pages import Pair
from site_templates.parts.rankings.other_metrics import MetricTable, of_suite
from site_templates.parts.rankings.score_cells import ScoreCell, score_cell
from site_templates.parts.rankings.trial_table import TrialTable, trial_table

Medians = Mapping[tuple[str, str], float]  # median scores by suite and category


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The score on a suite or category. `level` is suite or cat (category).

    `judged` lists the cases that a judge decided.
    """

    level: str
    judged: str
    link: Link
    rank: str
    score: Score | None
    cell: ScoreCell


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
    folder: str | None
    facts: tuple[CardFact, ...]
    settings: tuple[Setting, ...]
    more_settings: int
    rows: tuple[ScoreLine, ...]
    medians: bool
    not_taken: tuple[Link, ...]
    missing: str
    other_metrics: tuple[MetricTable, ...]
    trials: tuple[TrialTable, ...]
    answers: str
    fails: int
    unscored: int
    mistakes: tuple[MistakeCount, ...]
    several: bool
    readme: Markup | None
    digests: tuple[InputDigest, ...]
    commands: tuple[str, ...]
    compared: tuple[tuple[str, tuple[Link, ...]], ...]
    free: str | None
    moves: tuple[RowMove, ...]
    badge: Embed
    bibtex: str
    sweeps: tuple[Sweep, ...]
    quality: tuple[QualityRow, ...]
    some_unscored: bool


def submission_page(
    index: BoardIndex,
    submission: Submission,
    medians: Medians,
    *,
    pairs: Sequence[tuple[str, Pair]] = (),
    sweep: Sequence[Member] = (),
    base: str | None = None,
) -> SubmissionPage:
    """The page of one submission.

    `pairs` are its comparisons (suite id and pair), `sweep` the members of the sweep that it
    belongs to, `base` is the full address of the site if that is known.
    """
    board, card = index.board, submission.card
    taken = [suite for suite in board.suites if index.score(submission.id, suite.id) is not None]
    others = [suite for suite in board.suites if suite not in taken]
    name = formatting.clip(card.name, 80)
    weights = "open weights" if card.open_weights else ""
    tags = (card.kind, formatting.clip(card.framework or "", 60), weights)
    metric_tables = [of_suite(index, submission, suite) for suite in taken]
    trials = [trial_table(index, submission, suite) for suite in taken]
    mistakes = mistake_counts(index, submission, taken)
    rows = tuple(_score_lines(index, submission, taken, medians))
    settings = card_settings(card)
    quality = (qualities(index, suite, submission=submission) for suite in taken)
    return SubmissionPage(
        head=page_head(
            index,
            index.paths.submission(submission.id),
            name,
            f"Scores, mistakes and digests of {name}.",
            section="Board",
            crumbs=[Link(name)],
            json=None if board.is_large else index.paths.submission_data(submission.id),
            has_axis=True,
        ),
        name=card.name,
        tags=tuple(tag for tag in tags if tag),
        lede=_lede(index, submission, taken),
        folder=repository_file(board.repository, f"submissions/{submission.id}"),
        facts=card_facts(index, submission),
        settings=settings[:MOST_SETTINGS],
        more_settings=len(settings[MOST_SETTINGS:]),
        rows=rows,
        medians=any((suite.id, WHOLE) in medians for suite in taken),
        not_taken=tuple(to_suite(index, suite) for suite in others),
        missing=_missing(index, submission, taken),
        other_metrics=tuple(table for table in metric_tables if table),
        trials=tuple(table for table in trials if table),
        answers=index.paths.answers(submission.id),
        fails=sum(mistake.count for mistake in mistakes if not mistake.unscored),
        unscored=sum(mistake.count for mistake in mistakes if mistake.unscored),
        mistakes=mistakes,
        several=len(taken) > 1,
        readme=_readme(index, submission),
        digests=tuple(input_digests(index, submission)),
        commands=commands(board, f"lb rescore {submission.id} --offline"),
        compared=_compared(index, submission, pairs),
        free=f"compare/index.html?a={index.paths.submissions[submission.id]}" if pairs else None,
        moves=row_moves(index, submission.id),
        badge=embed(index, submission, base),
        bibtex=submission_entry(index, submission, base),
        sweeps=sweeps(index, submission, sweep),
        quality=tuple(chain.from_iterable(quality)),
        some_unscored=any(row.score and row.score.unscored for row in rows),
    )


def _compared(
    index: BoardIndex, submission: Submission, pairs: Sequence[tuple[str, Pair]]
) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for suite_id, (first, second) in pairs:
        other = second if first.id == submission.id else first
        path = index.paths.pair(suite_id, first.id, second.id)
        links[suite_id].append(Link(formatting.clip(other.card.name, 60), path))
    suites = [suite for suite in index.board.suites if suite.id in links]
    return tuple((suite.title, tuple(links[suite.id])) for suite in suites)


def _lede(index: BoardIndex, submission: Submission, taken: Sequence[Suite]) -> str:
    """The scores in words: "Passes 81.9 % of bfcl (79.7–84.0, 1,240 cases, rank 2–4)."

    For a baseline, what it does. A mean of scores that are partly neither a pass nor 0 is no
    share of cases.
    """
    if submission.is_baseline:
        does = markdown.first_sentence(submission.readme or "", 300)
        return f"A baseline, not a competitor. {does}".strip()
    passed: list[str] = []
    reached: list[str] = []
    for suite in taken:
        score = index.score(submission.id, suite.id)
        if score is None or score.score is None:
            continue
        rank = formatting.rank(index.rank(submission.id, suite.id))
        limits = formatting.bounds(score.low, score.high)
        cases = score.part or formatting.count(score.cases, "case")
        notes = [
            note for note in (limits, cases, f"rank {rank}" if rank else score.not_ranked) if note
        ]
        comparisons = index.board.comparisons.get(suite.id)
        in_parts = comparisons is not None and comparisons.has_part_scores(submission.id)
        said, preposition = (reached, "on") if in_parts else (passed, "of")
        share = formatting.exact_percent(score.score)
        said.append(f"{share} {preposition} {suite.title} ({', '.join(notes)})")
    sentences = (("Passes", passed), ("Reaches a mean score of", reached))
    return " ".join(f"{verb} {formatting.listed(said)}." for verb, said in sentences if said)


def _missing(index: BoardIndex, submission: Submission, taken: Sequence[Suite]) -> str:
    """The suites on which cases are not answered, in a sentence; "" if there are none."""
    found = [(index.answered_part(submission.id, suite.id), suite.title) for suite in taken]
    return incomplete([f"{part} on {title}" for part, title in found if part])


# ---------------------------------------------------------------- scores


def median_scores(index: BoardIndex) -> Medians:
    """The median score by suite and category; only of two scores or more.

    Baselines do not count, nor scores of which the submitter has chosen the cases.
    """
    rivals = [submission for submission in index.submissions if not submission.is_baseline]
    found = {}
    for suite in index.board.suites:
        for category in (WHOLE, *(c.id for c in suite.categories)):
            scores = [index.score(rival.id, suite.id, category) for rival in rivals]
            known = [
                score.score
                for score in scores
                if score and score.score is not None and not score.asked_in_part
            ]
            if len(known) > 1:
                found[suite.id, category] = median(known)
    return found


def _score_lines(
    index: BoardIndex, submission: Submission, taken: Sequence[Suite], medians: Medians
) -> Iterator[ScoreLine]:
    """For each suite its line, then those of its categories."""
    for suite in taken:
        for category, level, link in places(index, suite):
            score = index.score(submission.id, suite.id, category)
            middle = medians.get((suite.id, category))
            yield ScoreLine(
                level=level,
                judged=index.paths.answers(submission.id, suite.id, category, decided_by=JUDGED),
                link=link,
                rank=formatting.rank(index.rank(submission.id, suite.id, category)),
                score=score,
                cell=score_cell(
                    score,
                    baseline=submission.is_baseline,
                    median=middle,
                    judged=index.judged_score(submission.id, suite.id, category),
                    path=index.paths.answers(submission.id, suite.id, category),
                ),
            )


def _readme(index: BoardIndex, submission: Submission) -> Markup | None:
    if not submission.readme or not submission.readme.strip():
        return None

    def resolve(href: str) -> str | None:
        if href.startswith("#"):
            return None
        return repository_file(index.board.repository, f"submissions/{submission.id}/{href}")

    return markdown.render(submission.readme, resolve=resolve, shift=2)
