"""The steps taken beside the expected ones: which are equal, missing or not expected.

The marks help a reader. The rules alone decide whether a trajectory passes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from leaderboard.files.tool_names import sent_name
from leaderboard.types import Call, Case, Json, Response, Trajectory
from site_templates import formatting
from site_templates.parts.answers.argument_diff import Sign

_STEPS: Final = 60  # rows of a table of steps
_NAME: Final = 1 << 32  # the weight of an equal name, beside which equal arguments weigh 1
_LETTERS: Final = 300  # of a call's arguments, and of a tool's reply
_UNKNOWN: Final = "…"  # arguments that the case does not give

_EQUAL: Final = Sign("ok", "=", "equal")
_SAME_TOOL: Final = Sign("ok", "≈", "same tool, other arguments")
_OTHER_TOOL: Final = Sign("bad", "≠", "wrong tool")
_NOT_TAKEN: Final = Sign("bad", "−", "not taken")
_NOT_EXPECTED: Final = Sign("may", "+", "not expected")


@dataclass(frozen=True, slots=True)
class StepView:
    """One call, made or expected: its place from 1, name, arguments on one line, and reply."""

    place: int
    name: str
    arguments: str
    reply: str = ""


@dataclass(frozen=True, slots=True)
class StepList:
    """Calls that were made. `more` counts those that are not shown."""

    made: tuple[StepView, ...]
    more: int

    @property
    def total(self) -> int:
        return len(self.made) + self.more


@dataclass(frozen=True, slots=True)
class StepRow:
    """An expected step beside a taken one. A side is None if nothing belongs there."""

    sign: Sign
    expected: StepView | None
    taken: StepView | None


@dataclass(frozen=True, slots=True)
class StepTable:
    """The steps of one response beside the closest accepted path.

    `beside` names that path if there are several. `equal`: all steps are as expected. `more`
    counts the rows that are not shown.
    """

    rows: tuple[StepRow, ...]
    equal: bool
    beside: str
    taken: int
    more: int


def accepted_paths(case: Case) -> tuple[tuple[StepView, ...], ...]:
    """The accepted paths of a case, the usual one first.

    Arguments come from the case's record, as far as it gives them.
    """
    if case.ground_truth.trajectory is None:
        return ()
    truth = case.record.get("outputs") or case.record.get("output") or {}
    calls_of: dict[tuple[str, ...], Sequence[Mapping[str, Json]]] = {}
    for calls in (truth.get("expected_calls"), *(truth.get("alternative_calls") or ())):
        if calls:
            calls_of.setdefault(tuple(call["name"] for call in calls), calls)

    paths = []
    for path in case.ground_truth.trajectory.paths:
        steps = [StepView(place, name, _UNKNOWN) for place, name in enumerate(path, 1)]
        for index, call in enumerate(calls_of.get(path, ())):
            steps[index] = replace(steps[index], arguments=written(call.get("arguments") or {}))
        paths.append(tuple(steps))
    return tuple(paths)


def written(arguments: Mapping[str, Json]) -> str:
    """Arguments on one line, cut if they are long."""
    return formatting.clip(formatting.arguments(arguments), _LETTERS)


def made(calls: Sequence[Call]) -> StepList:
    """Calls on their own."""
    shown = tuple(_taken(place, call) for place, call in enumerate(calls[:_STEPS], 1))
    return StepList(shown, more=len(calls) - len(shown))


def _taken(place: int, call: Call) -> StepView:
    reply = call.result
    if reply is None:
        reply = ""
    elif not isinstance(reply, str):
        reply = formatting.shown(reply)
    name = formatting.clip(call.name, _LETTERS)
    return StepView(place, name, written(call.arguments), formatting.clip(reply, _LETTERS))


def step_table(case: Case, trajectory: Trajectory, response: Response) -> StepTable:
    """The steps of a response beside those of the accepted path that is closest to it."""
    paths = []
    for path in accepted_paths(case):
        # A model may have been shown names without dots: compare and show what it was shown.
        steps = [replace(s, name=sent_name(s.name)) for s in path]
        paths.append(steps if response.underscored else list(path))
    names = [call.name for call in response.calls]
    nearest = min(paths, key=lambda path: _distance([step.name for step in path], names))
    taken = [_taken(place, call) for place, call in enumerate(response.calls, 1)]
    pairing = _in_order if trajectory.order_matters else _in_any_order
    rows = tuple(StepRow(_sign(a, b), a, b) for a, b in pairing(nearest, names, taken))
    return StepTable(
        rows=rows[:_STEPS],
        equal=all(row.sign is _EQUAL for row in rows),
        beside=f"the closest of {len(paths)} accepted paths" if len(paths) > 1 else "",
        taken=len(taken),
        more=max(len(rows) - _STEPS, 0),
    )


def _distance(path: Sequence[str], names: Sequence[str]) -> tuple[bool, int, int]:
    """The rule's distance: names too many or too few, then how long both are the same."""
    expected, taken = Counter(path), Counter(names)
    apart = (expected - taken).total() + (taken - expected).total()
    together = 0
    for expected_name, name in zip(path, names, strict=False):
        if expected_name != name:
            break
        together += 1
    return (bool(names) and not path, apart, -together)


StepPairs = Iterator[tuple[StepView | None, StepView | None]]


# Names are compared as they were called. The steps taken may show them clipped.
def _in_any_order(
    path: Sequence[StepView], names: Sequence[str], taken: Sequence[StepView]
) -> StepPairs:
    """Each step taken beside an expected one of its name, equal arguments first."""
    free = list(path)
    matched: dict[int, StepView] = {}
    for literally in (True, False):
        for index, step in enumerate(taken):
            for expected in free:
                fits = expected.arguments == step.arguments or not literally
                if index not in matched and expected.name == names[index] and fits:
                    matched[index] = expected
                    free.remove(expected)
                    break
    for index, step in enumerate(taken):
        yield matched.get(index), step
    for expected in free:
        yield expected, None


def _in_order(
    path: Sequence[StepView], names: Sequence[str], taken: Sequence[StepView]
) -> StepPairs:
    """The longest common subsequence, a pair per line. The steps between are paired by place."""
    left = right = 0
    for a, b in (*_common(path, names, taken), (len(path), len(names))):
        gap = max(a - left, b - right)
        for i, j in zip(range(left, left + gap), range(right, right + gap), strict=True):
            yield (path[i] if i < a else None), (taken[j] if j < b else None)
        if a < len(path):
            yield path[a], taken[b]
        left, right = a + 1, b + 1


def _common(
    path: Sequence[StepView], names: Sequence[str], taken: Sequence[StepView]
) -> list[tuple[int, int]]:
    """The places of a longest common subsequence of names, with most equal arguments."""

    def weight(i: int, j: int) -> int:
        """No number of equal arguments outweighs one more equal name."""
        return _NAME + (path[i].arguments == taken[j].arguments)

    height, width = len(path), len(names)
    best = [[0] * (width + 1) for _ in range(height + 1)]
    for i in range(height - 1, -1, -1):
        for j in range(width - 1, -1, -1):
            both = best[i + 1][j + 1] + weight(i, j) if path[i].name == names[j] else 0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    places: list[tuple[int, int]] = []
    i = j = 0
    while i < height and j < width:
        if path[i].name == names[j] and best[i][j] == best[i + 1][j + 1] + weight(i, j):
            places.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return places


def _sign(expected: StepView | None, taken: StepView | None) -> Sign:
    if taken is None:
        return _NOT_TAKEN
    if expected is None:
        return _NOT_EXPECTED
    if expected.name != taken.name:
        return _OTHER_TOOL
    return _EQUAL if expected.arguments in (taken.arguments, _UNKNOWN) else _SAME_TOOL
