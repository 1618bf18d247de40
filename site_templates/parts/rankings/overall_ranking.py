"""The ranking of submissions on all suites together."""

from __future__ import annotations

from collections.abc import Sequence

from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import FLAG, flags
from site_templates.indexed_rows import best_first
from site_templates.links import JUDGED
from site_templates.parts.rankings.overall_scores import (
    cost,
    judged_share,
    mean_places,
    mean_score,
    taken_scores,
)
from site_templates.parts.rankings.ranking_columns import ColumnGroup, RowFacts, score_column
from site_templates.parts.rankings.ranking_table import (
    Ranking,
    RankingEntry,
    RankingSubject,
    assembled,
    ranked_suites,
    score_in_column,
)


def all_suites(index: BoardIndex) -> Ranking:
    """The ranking by the mean of the suites' scores, of those with a full score on each.

    No test compares submissions over all suites. So there are no ranks, only an order, in which
    equal scores share a place. Those without a score follow: most suites first, then by name.
    """
    suites = ranked_suites(index)
    places = mean_places(index, suites)
    entries = []
    for submission in index.submissions:
        place = places.get(submission.id)
        entry = _entry(index, submission, suites, formatting.NONE if place is None else str(place))
        has_some = not submission.is_baseline and taken_scores(index, submission, suites)
        if entry.score is not None or has_some:
            entries.append(entry)
    entries.sort(key=lambda entry: _order(index, entry, suites))
    lines = [
        (index.names.of(entry.submission.id, FLAG), entry.score.score)
        for entry in entries
        if entry.submission.is_baseline and entry.score and entry.score.score is not None
    ]
    columns = tuple(score_column(f"suite.{s.id}", s.title, len(s.by_id), 1) for s in suites)
    subject = RankingSubject(
        place="all/",
        title="all suites",
        data="data/all.json",
        cases=sum(len(suite.by_id) for suite in suites),
        flags=flags(lines),
        all_suites=True,
    )
    group = ColumnGroup("cat", "suites", columns, "by suite, %")
    return assembled(index, subject, [group], entries)


def _order(
    index: BoardIndex, entry: RankingEntry, suites: Sequence[Suite]
) -> tuple[bool, float, str]:
    """The best score first, equal ones by id. Without a score, most suites first, then by name."""
    submission = entry.submission
    if entry.score and entry.score.score is not None:
        return best_first(entry.score.score, submission.id)
    taken = taken_scores(index, submission, suites)
    return True, -len(taken), index.names.of(submission.id).casefold()


def _entry(
    index: BoardIndex, submission: Submission, suites: Sequence[Suite], place: str
) -> RankingEntry:
    mean = mean_score(index, submission, suites)
    taken = taken_scores(index, submission, suites)
    cells = [score_in_column(index, submission, suite, weighed=True) for suite in suites]
    unscored = f"{sum(score.unscored for score in taken):,} unscored"
    some = f"{len(taken)} of {len(suites)} suites"
    return RankingEntry(
        submission=submission,
        rank=place,
        score=mean,
        scores=tuple(cells),
        facts=RowFacts(
            judged_share=judged_share(taken),
            judged_cases=index.paths.answers(submission.id, decided_by=JUDGED),
            cost_per_1000=cost(index, submission, suites),
            latency_s=None,
            date="" if submission.is_baseline else submission.card.date,
        ),
        part=len(taken) < len(suites) or any(score.leaves_cases_out for score in taken),
        cases=index.paths.answers(submission.id),
        remark=some if len(taken) < len(suites) else unscored,
    )
