"""A board's history: each snapshot against the one before, and of each submission every step its score took."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.board.board_changes import Difference, Era, History, How, Range, Step
from leaderboard.board.history import KEPT, State
from leaderboard.results import Results
from scoring.changes.difference import difference
from scoring.tables.aggregate import WHOLE

_DEFAULT: Final = "correct"  # the ranked metric of a suite that nobody names one for

_Key = tuple[str, str]  # submission and suite


class _Standing(NamedTuple):
    """Where a submission stands on a suite: its score of the whole suite by the ranked metric, and its ranks."""

    metric: str
    score: float | None
    rank: Range | None


def board_history(
    states: Sequence[State], results: Results, metrics: Mapping[str, str]
) -> History | None:
    """What changed between the snapshots and since the last one; None without a snapshot."""
    if not states:
        return None
    now = State(
        "now",
        results.manifest,
        results.scores,
        results.ranks,
        lambda: results.verdicts.select(list(KEPT)),
    )
    return changes(states if states[-1].digest == now.digest else [*states, now], metrics)


def changes(states: Sequence[State], metrics: Mapping[str, str] | None = None) -> History:
    """The history of `states`, oldest first; the board of today may stand last.

    `metrics` names the ranked metric of each suite; a state's own go before, since an old board may have ranked by another.
    A submission has a step on a suite whenever it comes, goes, or has another score, rank or verdict than the time before.
    """
    eras: list[Era] = []
    steps: defaultdict[str, list[Step]] = defaultdict(list)
    before: State | None = None
    standing: dict[_Key, _Standing] = {}
    for state in states:
        moved = None if before is None else difference(before, state)
        now = _standings(state, {**(metrics or {}), **state.metrics})
        number = len(state.manifest["submissions"])
        eras.append(
            Era(
                state.name,
                state.sequence,
                state.label,
                state.as_of,
                state.digest,
                number,
                moved,
                state.taken,
            )
        )
        for submission, step in _steps(state, standing, now, moved):
            steps[submission].append(step)
        before, standing = state, now
    return History(
        tuple(eras), {submission: tuple(found) for submission, found in sorted(steps.items())}
    )


def _standings(state: State, metrics: Mapping[str, str]) -> dict[_Key, _Standing]:
    ranks = (
        state.ranks.filter(category=WHOLE)
        .select("submission", "suite", "rank_low", "rank_high")
        .iter_rows()
    )
    ranges = {(submission, suite): (low, high) for submission, suite, low, high in ranks}
    rows = (
        state.scores.filter(category=WHOLE)
        .select("submission", "suite", "metric", "score")
        .iter_rows()
    )
    return {
        (submission, suite): _Standing(
            metric, None if score is None else round(score, 12), ranges.get((submission, suite))
        )
        for submission, suite, metric, score in rows
        if metric == metrics.get(suite, _DEFAULT)
    }


def _steps(
    state: State,
    before: Mapping[_Key, _Standing],
    now: Mapping[_Key, _Standing],
    moved: Difference | None,
) -> Iterator[tuple[str, Step]]:
    """What is new in a state, by suite and submission."""
    changed = (
        {}
        if moved is None
        else {(change.submission, change.suite): change for change in moved.changed}
    )
    for key in sorted(before.keys() | now.keys(), key=lambda key: (key[1], key[0])):
        old, new, change = before.get(key), now.get(key), changed.get(key)
        metric = (new or old or _Standing(_DEFAULT, None, None)).metric
        flips = 0 if change is None else sum(flip.metric == metric for flip in change.flips)
        if old == new and not flips:
            continue
        how: How = "added" if old is None else "removed" if new is None else "changed"
        yield (
            key[0],
            Step(
                state=state.name,
                sequence=state.sequence,
                as_of=state.as_of,
                suite=key[1],
                metric=metric,
                how=how,
                old=None if old is None else old.score,
                new=None if new is None else new.score,
                old_rank=None if old is None else old.rank,
                new_rank=None if new is None else new.rank,
                flips=flips,
                causes=() if change is None else change.causes,
                taken=state.taken,
            ),
        )
