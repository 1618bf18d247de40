"""A board's history: what changed in each snapshot, and every change of each submission."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import polars as pl

from leaderboard.board.board_changes import Difference, Era, History, How, Range, Step
from leaderboard.board.board_state import SNAPSHOT_COLUMNS, State
from leaderboard.ids import WHOLE
from leaderboard.results import Results
from scoring.changes.board_difference import by_suite, difference, whole_ranks

_DEFAULT: Final = "correct"  # the ranked metric of a suite without a named one

_Key = tuple[str, str]  # submission and suite


class _RankedScore(NamedTuple):
    """A submission's ranked metric on a whole suite, with its score and its range of ranks."""

    metric: str
    score: float | None
    rank: Range | None


def board_history(
    states: Sequence[State], results: Results, metrics: Mapping[str, str]
) -> History | None:
    """What changed between the snapshots and since the last one. None without a snapshot."""
    if not states:
        return None
    kept = results.verdicts.select(list(SNAPSHOT_COLUMNS))
    now = State("now", results.manifest, results.scores, results.ranks, lambda: kept)
    return changes(states if states[-1].digest == now.digest else [*states, now], metrics)


def changes(states: Sequence[State], metrics: Mapping[str, str]) -> History:
    """The history of `states`, oldest first. The last one may be the board of today.

    `metrics` names the ranked metric of each suite. A state's own metrics take precedence, because
    an old board may have ranked by another metric. A submission has a step on a suite whenever it
    is added or removed, or its score, rank or verdicts change.
    """
    eras: list[Era] = []
    steps: defaultdict[str, list[Step]] = defaultdict(list)
    before: State | None = None
    scores: dict[_Key, _RankedScore] = {}
    for state in states:
        moved = None if before is None else difference(before, state)
        now = _ranked_scores(state, {**metrics, **state.metrics})
        era = Era(
            state=state.name,
            sequence=state.sequence,
            label=state.label,
            as_of=state.as_of,
            digest=state.digest,
            submissions=len(state.manifest["submissions"]),
            difference=moved,
            taken=state.taken,
        )
        eras.append(era)
        for submission, step in _steps(state, scores, now, moved):
            steps[submission].append(step)
        before, scores = state, now
    return History(tuple(eras), {name: tuple(found) for name, found in sorted(steps.items())})


def _ranked_scores(state: State, metrics: Mapping[str, str]) -> dict[_Key, _RankedScore]:
    ranks = whole_ranks(state)
    scores = state.scores.filter(category=WHOLE)
    rows = scores.select("submission", "suite", "metric", pl.col("score").round(12)).iter_rows()
    return {
        (submission, suite): _RankedScore(metric, score, ranks.get((submission, suite)))
        for submission, suite, metric, score in rows
        if metric == metrics.get(suite, _DEFAULT)
    }


def _steps(
    state: State,
    before: Mapping[_Key, _RankedScore],
    now: Mapping[_Key, _RankedScore],
    moved: Difference | None,
) -> Iterator[tuple[str, Step]]:
    """The steps of a state, by suite and submission."""
    changed = {(c.submission, c.suite): c for c in (moved.changed if moved else ())}
    nothing = _RankedScore(_DEFAULT, None, None)
    for key in sorted(before.keys() | now.keys(), key=by_suite):
        submission, suite = key
        how: How = "changed"
        if key not in before:
            how = "added"
        elif key not in now:
            how = "removed"
        old, new, change = before.get(key, nothing), now.get(key, nothing), changed.get(key)
        metric = old.metric if how == "removed" else new.metric
        flips = sum(flip.metric == metric for flip in change.flips) if change else 0
        if how == "changed" and old == new and not flips:
            continue
        step = Step(
            state=state.name,
            sequence=state.sequence,
            as_of=state.as_of,
            suite=suite,
            metric=metric,
            how=how,
            old=old.score,
            new=new.score,
            old_rank=old.rank,
            new_rank=new.rank,
            flips=flips,
            causes=change.causes if change else (),
            taken=state.taken,
            recased=moved is not None and suite in moved.recased,
        )
        yield submission, step
