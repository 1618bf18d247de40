"""Which submissions have a page of their own on which they are compared, and in what order they are named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from leaderboard.types import Submission, Suite
from site_templates.board_index import Register

_BASELINES = 2  # that a submission is compared with
_MANY = 200  # submissions on a suite; beyond, each has a page with its neighbour alone

Pair = tuple[Submission, Submission]


def comparable(register: Register) -> tuple[Suite, ...]:
    """The suites on which two submissions or more can be compared."""
    sheets = register.board.sheets
    return tuple(
        s for s in register.board.suites if s.id in sheets and len(_ranked(register, s)) > 1
    )


def all_pairs(register: Register) -> dict[str, tuple[Pair, ...]]:
    """The pairs that have a page, by suite."""
    return {suite.id: pairs(register, suite) for suite in comparable(register)}


def by_submission(
    found: Mapping[str, Sequence[Pair]],
) -> Mapping[str, tuple[tuple[str, Pair], ...]]:
    """Pairs (by suite) as they concern each submission: suite id and pair."""
    made: defaultdict[str, list[tuple[str, Pair]]] = defaultdict(list)
    for suite, pairs_ in found.items():
        for pair in pairs_:
            for submission in pair:
                made[submission.id].append((suite, pair))
    return {name: tuple(rows) for name, rows in made.items()}


def pairs(register: Register, suite: Suite) -> tuple[Pair, ...]:
    """The pairs of a suite that have a page, the better one first.

    Each submission stands with the next in the ranking, then with the best baselines that tell something: that pass some cases
    and not all. At most three for each submission. Where nobody but baselines has taken the suite, each of them with the next.
    """
    ranked = _ranked(register, suite)
    entrants = [s for s in ranked if not s.is_baseline]
    found = list(pairwise(entrants or ranked))
    if len(entrants) <= _MANY:
        marks = [s for s in ranked if s.is_baseline and _tells(register, suite, s)][:_BASELINES]
        found += [(one, mark) for one in entrants for mark in marks]
    places = {submission.id: place for place, submission in enumerate(ranked)}
    return tuple((a, b) if places[a.id] < places[b.id] else (b, a) for a, b in found)


def _ranked(register: Register, suite: Suite) -> list[Submission]:
    sheet = register.board.sheets.get(suite.id)
    return [s for s in register.takers(suite.id) if sheet is not None and s.id in sheet.levels]


def _tells(register: Register, suite: Suite, baseline: Submission) -> bool:
    score = register.score(baseline.id, suite.id)
    return score is not None and score.score is not None and 0 < score.score < 1
