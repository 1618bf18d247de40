"""The figures of a submission on all suites together: mean score, judged share and cost."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

from leaderboard.types import Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Score


def taken_scores(index: BoardIndex, submission: Submission, suites: Sequence[Suite]) -> list[Score]:
    """The scores of a submission on the suites that it took."""
    scores = [index.score(submission.id, suite.id) for suite in suites]
    return [score for score in scores if score is not None]


def mean_score(index: BoardIndex, submission: Submission, suites: Sequence[Suite]) -> Score | None:
    """The mean of the scores on all ranked suites, each with the same weight.

    None unless the submission has a full score on each of at least two suites. The mean has no
    place in the order if a suite gives the submission no rank.
    """
    scores = [s for s in taken_scores(index, submission, suites) if not s.unscored]
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
        judged_share=judged_share(scores),
        rules_only=None,
        missing=sum(score.missing for score in scores),
        missing_trials=sum(score.missing_trials for score in scores),
        status=next((score.status for score in scores if score.not_ranked), None),
        all_cases=sum(score.all_cases for score in scores),
    )


def mean_places(index: BoardIndex, suites: Sequence[Suite]) -> dict[str, int]:
    """The place of each submission in the order of the means, from 1. Equal means share one.

    Baselines and submissions without a rank on one of the suites have no place.
    """
    means = {}
    for submission in index.submissions:
        mean = mean_score(index, submission, suites)
        if mean is None or mean.score is None or mean.not_ranked or submission.is_baseline:
            continue
        means[submission.id] = round(mean.score, 12)  # means of equal scores in any order
    falling = sorted(-mean for mean in means.values())
    return {name: 1 + bisect_left(falling, -mean) for name, mean in means.items()}


def judged_share(scores: Sequence[Score]) -> float | None:
    """The share that a judge decided, as the mean of some suites."""
    shares = [score.judged_share for score in scores if score.judged_share is not None]
    return math.fsum(shares) / len(shares) if shares else None


def cost(index: BoardIndex, submission: Submission, suites: Sequence[Suite]) -> float | None:
    """US dollars per 1,000 responses; None unless it is known for every response."""
    costs, responses = [], 0
    for suite in suites:
        usage = index.usage(submission.id, suite.id)
        if usage is None:
            continue
        if usage.cost_usd is None or usage.priced < usage.responses:
            return None
        costs.append(usage.cost_usd * usage.responses)
        responses += usage.responses
    return 1000 * math.fsum(costs) / responses if responses else None
