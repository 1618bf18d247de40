"""The page of all suites, and the ranking on all of them together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex, Score
from site_templates.figures.axis import flags
from site_templates.figures.heat import Heat, heat
from site_templates.links import Link
from site_templates.page_frame import Head
from site_templates.parts.page_head import page_head
from site_templates.parts.ranking_columns import ColumnGroup, RowFacts, score_column
from site_templates.parts.ranking_table import (
    Ranking,
    RankingEntry,
    assembled,
    ranked_suites,
    score_in_column,
    suite_links,
)


@dataclass(frozen=True, slots=True)
class AllPage:
    """Model of all/index.html."""

    head: Head
    bar: tuple[Link, ...]
    ranking: Ranking
    heat: Heat | None


def all_page(index: BoardIndex, table: Ranking) -> AllPage:
    """The page of all suites together, with the first page of their ranking."""
    head = page_head(
        index,
        "all/index.html",
        "All suites",
        "The ranking on all suites together: the mean score of those who took all of them.",
        section="Board",
        crumbs=[Link("All suites")],
        flags=table.flags,
        has_axis=True,
    )
    suites = ranked_suites(index)
    shown = heat(index, suites, _by_mean(index, suites))
    return AllPage(head, suite_links(index, first_page=True), table, shown)


def _taken(index: BoardIndex, submission: Submission, suites: Sequence[Suite]) -> list[Score]:
    """The scores of a submission on the suites that it took."""
    scores = [index.score(submission.id, suite.id) for suite in suites]
    return [score for score in scores if score is not None]


def _by_mean(index: BoardIndex, suites: Sequence[Suite]) -> tuple[Submission, ...]:
    """Most suites first, then the best mean. Baselines only where nobody else is."""
    keys = {}
    for submission in index.submissions:
        scores = [score.score or 0.0 for score in _taken(index, submission, suites)]
        if scores:
            keys[submission.id] = (-len(scores), -math.fsum(scores), submission.id)
    takers = [submission for submission in index.submissions if submission.id in keys]
    rivals = [submission for submission in takers if not submission.is_baseline]
    return tuple(sorted(rivals or takers, key=lambda submission: keys[submission.id]))


def all_suites(index: BoardIndex) -> Ranking:
    """The ranking by the mean of the suites' scores, of those with a full score on each.

    No test compares submissions over all suites. So there are no ranks, only an order, in which
    equal scores share a place.
    """
    suites = ranked_suites(index)
    means = {submission.id: overall(index, submission) for submission in index.submissions}

    def falling(submission: Submission) -> tuple[float, str]:
        mean = means[submission.id]
        return (1.0 if mean is None else -(mean.score or 0.0), submission.id)

    ordered = sorted(index.submissions, key=falling)
    scores = {s.id: mean.score for s in ordered if (mean := means[s.id]) is not None}
    placed = {name for name, mean in means.items() if mean is not None and not mean.not_ranked}
    places = [scores[s.id] for s in ordered if s.id in placed and not s.is_baseline]
    entries, lines = [], []
    for submission in ordered:
        score = scores.get(submission.id)
        if submission.is_baseline and score is not None:
            entries.append(_entry(index, submission, suites, ""))
            lines.append((formatting.clip(submission.card.name, 18), score))
        elif not submission.is_baseline and _taken(index, submission, suites):
            # Equal scores share the place of the first of them.
            has_place = submission.id in placed
            place = str(1 + places.index(score)) if has_place else formatting.NONE
            entries.append(_entry(index, submission, suites, place))
    columns = tuple(score_column(s.id, s.title, len(s.by_id), 1) for s in suites)
    return assembled(
        index,
        place="all/",
        title="all suites",
        cases=sum(len(suite.by_id) for suite in suites),
        groups=[ColumnGroup("cat", "suites", columns, "by suite, %")],
        entries=entries,
        is_ranked=lambda entry: entry.score is not None and not entry.score.not_ranked,
        flags=flags(lines),
        all_suites=True,
    )


def _entry(
    index: BoardIndex, submission: Submission, suites: Sequence[Suite], place: str
) -> RankingEntry:
    mean = overall(index, submission)
    taken = _taken(index, submission, suites)
    cells = []
    for suite in suites:
        score = index.score(submission.id, suite.id)
        judged = index.judged_score(submission.id, suite.id)
        path = index.paths.answers(submission.id, suite.id)
        cells.append(score_in_column(score, path, weighed=True, judged=judged))

    unscored = f"{sum(score.unscored for score in taken):,} unscored"
    some = f"{len(taken)} of {len(suites)} suites"
    return RankingEntry(
        submission=submission,
        rank=place,
        score=mean,
        scores=tuple(cells),
        facts=RowFacts(
            judged_share=judged_share(index, submission),
            cost_per_1000=_cost(index, submission, suites),
            date="" if submission.is_baseline else submission.card.date,
        ),
        part=any(score.missing for score in taken),
        cases=index.paths.answers(submission.id),
        judged_cases=index.paths.answers(submission.id),
        remark=some if len(taken) < len(suites) else unscored,
    )


def overall(index: BoardIndex, submission: Submission) -> Score | None:
    """The mean of the scores on all suites, each with the same weight.

    None unless the submission has a full score on each of at least two suites. The mean has no
    place in the order if a suite gives the submission no rank.
    """
    suites = ranked_suites(index)
    scores = [s for s in _taken(index, submission, suites) if not s.unscored]
    values = [score.score for score in scores if score.score is not None]
    number = len(suites)
    if len(values) < number or number < 2:
        return None

    low, high = index.board.mean_intervals.get(submission.id, (None, None))
    return Score(
        cases=sum(score.cases for score in scores),
        scored=sum(score.scored for score in scores),
        unscored=0,
        score=math.fsum(values) / number,
        low=low,
        high=high,
        judged_share=_judged_share(scores),
        rules_only=None,
        missing=sum(score.missing for score in scores),
        status=next((score.status for score in scores if score.not_ranked), None),
    )


def judged_share(index: BoardIndex, submission: Submission) -> float | None:
    """The share that a judge decided on the suites that a submission took, as their mean."""
    return _judged_share(_taken(index, submission, index.board.suites))


def _judged_share(scores: Sequence[Score]) -> float | None:
    shares = [score.judged_share for score in scores if score.judged_share is not None]
    return math.fsum(shares) / len(shares) if shares else None


def _cost(index: BoardIndex, submission: Submission, suites: Sequence[Suite]) -> float | None:
    """US dollars per 1,000 responses; None unless it is known for every response."""
    costs, responses = [], 0
    for suite in suites:
        usage = index.usage.get((submission.id, suite.id))
        if usage is None:
            continue
        if usage.cost_usd is None or usage.priced < usage.responses:
            return None
        costs.append(usage.cost_usd * usage.responses)
        responses += usage.responses
    return 1000 * math.fsum(costs) / responses if responses else None
