"""The steps taken beside those expected: which belong together, which were left out, which nobody expected.

What is laid out here helps a reader see; whether a trajectory passes is decided by the rules alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from leaderboard.types import Call, Case, Json, Response, Trajectory
from site_templates import formatting

_STEPS: Final = 60  # rows of a table of steps
_NAME: Final = 1 << 32  # what a name in common weighs against one with equal arguments
_LETTERS: Final = 300  # of a call's arguments, and of what a tool answered


@dataclass(frozen=True, slots=True)
class Step:
    """One tool called or expected to be called: its place from 1, name, arguments on one line, what it answered."""

    place: int
    name: str
    arguments: str
    answered: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """Calls that were made, where no path is expected; `more` counts those that are not shown."""

    made: tuple[Step, ...]
    more: int


@dataclass(frozen=True, slots=True)
class StepRow:
    """One line of the two columns. `tone` is ok, may or bad; a side is None where the other has nothing beside it."""

    tone: str
    mark: str
    meaning: str
    expected: Step | None
    taken: Step | None


@dataclass(frozen=True, slots=True)
class Path:
    """An accepted path: its steps, as far as they are known with their arguments."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The steps of one response beside the accepted path that is closest; `beside` says which one, where there are several.

    `equal` is set where there is nothing but the expected steps, `more` counts the steps that are not shown.
    """

    rows: tuple[StepRow, ...]
    equal: bool
    beside: str
    taken: int
    more: int


def accepted(case: Case) -> tuple[Path, ...]:
    """The accepted paths of a case that is acted out, the usual one first. Arguments are taken from its record, where told."""
    trajectory = case.ground_truth.trajectory
    if trajectory is None:
        return ()
    calls = _told(case.record)
    return tuple(Path(tuple(_expected(place, name, calls.get(path)) for place, name in enumerate(path, 1)))
                 for path in trajectory.paths)  # fmt: skip


def _told(record: Mapping[str, Json]) -> dict[tuple[str, ...], Sequence[Mapping[str, Json]]]:
    """The expected calls with their arguments, by the names of their tools, as far as a record tells them."""
    truth = record.get("outputs") or record.get("output") or {}
    lists = [truth.get("expected_calls"), *(truth.get("alternative_calls") or ())]
    return {tuple(call["name"] for call in calls): calls for calls in reversed(lists) if calls}


def _expected(place: int, name: str, calls: Sequence[Mapping[str, Json]] | None) -> Step:
    if calls is None:
        return Step(place, name, "…")
    return Step(place, name, written(calls[place - 1].get("arguments") or {}))


def written(arguments: Mapping[str, Json]) -> str:
    """Arguments on one line: `a=1, b="x"`."""
    return formatting.clip(
        ", ".join(f"{name}={formatting.shown(value)}" for name, value in arguments.items()),
        _LETTERS,
    )


def course(case: Case, trajectory: Trajectory, response: Response) -> Course:
    """What a response did, beside the accepted path that is closest to it."""
    paths = accepted(case)
    names = [call.name for call in response.calls]
    shown = [
        tuple(_shown(name, underscored=response.underscored) for name in path)
        for path in trajectory.paths
    ]
    nearest = min(range(len(paths)), key=lambda index: _distance(shown[index], names))
    taken = [_taken(place, call) for place, call in enumerate(response.calls, 1)]
    steps = [
        replace(step, name=name)
        for step, name in zip(paths[nearest].steps, shown[nearest], strict=True)
    ]
    pairing = _in_order if trajectory.order_matters else _in_any_order
    rows = tuple(_row(a, b) for a, b in pairing(shown[nearest], steps, names, taken))
    return Course(
        rows=rows[:_STEPS],
        equal=all(row.tone == "ok" and row.mark == "=" for row in rows),
        beside=f"the closest of {len(paths)} accepted paths" if len(paths) > 1 else "",
        taken=len(taken),
        more=max(len(rows) - _STEPS, 0),
    )


def _shown(name: str, *, underscored: bool) -> str:
    """A tool's name as the model was shown it."""
    return name.replace(".", "_") if underscored else name


def _distance(path: Sequence[str], names: Sequence[str]) -> tuple[bool, int, int]:
    """How far the steps are from a path, as the rule has it: names too many and too few, then how long they go together."""
    expected, taken = Counter(path), Counter(names)
    apart = (expected - taken).total() + (taken - expected).total()
    together = next(
        (i for i, (a, b) in enumerate(zip(path, names, strict=False)) if a != b),
        min(len(path), len(names)),
    )
    return (bool(names) and not path, apart, -together)


def made(calls: Sequence[Call]) -> Steps:
    """Calls, nothing beside them."""
    shown = tuple(_taken(place, call) for place, call in enumerate(calls[:_STEPS], 1))
    return Steps(shown, more=len(calls) - len(shown))


def _taken(place: int, call: Call) -> Step:
    answered = (
        ""
        if call.result is None
        else call.result
        if isinstance(call.result, str)
        else formatting.shown(call.result)
    )
    return Step(
        place,
        formatting.clip(call.name, _LETTERS),
        written(call.arguments),
        formatting.clip(answered, _LETTERS),
    )


Pairs = Iterator[tuple[Step | None, Step | None]]


def _in_any_order(
    path: Sequence[str], steps: Sequence[Step], names: Sequence[str], taken: Sequence[Step]
) -> Pairs:
    """Each step taken beside an expected one of its name, those of equal arguments first; then what was not taken."""
    free = dict(enumerate(steps))
    matched: dict[int, Step] = {}
    for literally in (True, False):
        for index, step in enumerate(taken):
            found = next(
                (
                    i
                    for i in free
                    if path[i] == names[index]
                    and (not literally or steps[i].arguments == step.arguments)
                ),
                None,
            )
            if index not in matched and found is not None:
                matched[index] = free.pop(found)
    for index, step in enumerate(taken):
        yield matched.get(index), step
    for expected in free.values():
        yield expected, None


def _in_order(
    path: Sequence[str], steps: Sequence[Step], names: Sequence[str], taken: Sequence[Step]
) -> Pairs:
    """The longest common subsequence in one line each; between, what is only expected beside what is only taken."""
    left = right = 0
    for a, b in (*_common(path, steps, names, taken), (len(path), len(names))):
        gap = max(a - left, b - right)
        for offset in range(gap):
            i, j = left + offset, right + offset
            yield (steps[i] if i < a else None), (taken[j] if j < b else None)
        if a < len(path):
            yield steps[a], taken[b]
        left, right = a + 1, b + 1


def _common(
    path: Sequence[str], steps: Sequence[Step], names: Sequence[str], taken: Sequence[Step]
) -> list[tuple[int, int]]:
    """The places of a longest common subsequence of names in both; of several the one with the most equal arguments."""
    height, width = len(path), len(names)
    best = [[0] * (width + 1) for _ in range(height + 1)]
    for i in range(height - 1, -1, -1):
        for j in range(width - 1, -1, -1):
            met = best[i + 1][j + 1] + _match(steps[i], taken[j]) if path[i] == names[j] else 0
            best[i][j] = max(met, best[i + 1][j], best[i][j + 1])
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < height and j < width:
        if path[i] == names[j] and best[i][j] == best[i + 1][j + 1] + _match(steps[i], taken[j]):
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _match(expected: Step, taken: Step) -> int:
    """What two steps of one name weigh: no number of equal arguments outweighs one more name."""
    return _NAME + (expected.arguments == taken.arguments)


def _row(expected: Step | None, taken: Step | None) -> StepRow:
    if taken is None:
        return StepRow("bad", "−", "not taken", expected, None)
    if expected is None:
        return StepRow("may", "+", "not expected", None, taken)
    if expected.name != taken.name:
        return StepRow("bad", "≠", "another tool", expected, taken)
    if expected.arguments not in (taken.arguments, "…"):
        return StepRow("ok", "≈", "the same tool, other arguments", expected, taken)
    return StepRow("ok", "=", "equal", expected, taken)
