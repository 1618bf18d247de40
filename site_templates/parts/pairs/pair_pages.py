"""Which pairs of submissions have a page of their own, and in which order they are named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from leaderboard.ids import WHOLE
from leaderboard.types import Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import best_first

_BASELINES: Final = 2  # that a submission is compared with
_MANY: Final = 200  # submissions on a suite; above that, only the first are compared

Pair = tuple[Submission, Submission]


def comparable(index: BoardIndex) -> tuple[Suite, ...]:
    """The suites on which at least two submissions can be compared."""
    return tuple(s for s in index.board.suites if len(compared_on(index, s)) > 1)


def compared_on(index: BoardIndex, suite: Suite, category: str = WHOLE) -> list[Submission]:
    """The submissions on a suite that can be compared, best first in the suite or category."""
    comparisons = index.board.comparisons.get(suite.id)
    if comparisons is None:
        return []
    return [taker for taker in index.takers(suite.id, category) if taker.id in comparisons.levels]


def all_pairs(index: BoardIndex) -> dict[str, tuple[Pair, ...]]:
    """The pairs that have a page, by suite, the better submission first."""
    return {suite.id: _pairs(index, suite) for suite in comparable(index)}


def by_submission(
    compared: Mapping[str, Sequence[Pair]],
) -> Mapping[str, tuple[tuple[str, Pair], ...]]:
    """The pairs of each submission: suite id and pair."""
    pairs: defaultdict[str, list[tuple[str, Pair]]] = defaultdict(list)
    for suite, in_suite in compared.items():
        for pair in in_suite:
            for submission in pair:
                pairs[submission.id].append((suite, pair))
    return {name: tuple(rows) for name, rows in pairs.items()}


def rank_comparisons(index: BoardIndex, suite: Suite, category: str = WHOLE) -> dict[str, str]:
    """The path of the comparison behind the rank of each submission, by its id.

    It compares the submission with the next better one of the suite or category, the best one with
    the second. A pair without a page of its own is compared by the script.
    """
    own_pages = {}
    for first, second in _pairs(index, suite):
        path = index.paths.pair(suite.id, first.id, second.id)
        own_pages[frozenset((first.id, second.id))] = path
    compared = [submission.id for submission in compared_on(index, suite, category)]
    ranked = [name for name in compared if index.rank(name, suite.id, category)]
    place = "" if category == WHOLE else "#s-where"
    paths: dict[str, str] = {}
    for better, worse in pairwise(ranked):
        own_page = own_pages.get(frozenset((better, worse)))
        path = own_page or index.paths.free_pair(suite.id, better, worse)
        paths.setdefault(better, path + place)
        paths[worse] = path + place
    return paths


def _pairs(index: BoardIndex, suite: Suite) -> tuple[Pair, ...]:
    """Each submission with the next in the ranking, and with the best informative baselines.

    If some have a rank, only those are compared: others are in no test. A baseline is informative
    if it passes some cases but not all. If only baselines have taken the suite, each of them is
    compared with the next. If there are many submissions, only the first of the ranking are
    compared with the next. The page for any two has the others.
    """
    taken = compared_on(index, suite)
    entrants = [submission for submission in taken if not submission.is_baseline]
    entrants = [s for s in entrants if index.rank(s.id, suite.id)] or entrants
    pairs = list(pairwise(entrants or taken))[:_MANY]
    if len(entrants) <= _MANY:
        baselines = []
        for submission in taken:
            share = index.share(submission.id, suite.id) or 0.0
            if submission.is_baseline and 0 < share < 1:
                baselines.append(submission)
        pairs += [(one, other) for one in entrants for other in baselines[:_BASELINES]]
    by_score = sorted(taken, key=lambda s: best_first(index.share(s.id, suite.id), s.id))
    places = {submission.id: place for place, submission in enumerate(by_score)}
    return tuple((a, b) if places[a.id] < places[b.id] else (b, a) for a, b in pairs)
