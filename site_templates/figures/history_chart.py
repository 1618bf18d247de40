"""Scores of a suite over the snapshots of a board: a line for each submission, and the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from leaderboard.ids import WHOLE
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import Scale, Segment, Tick, at, score_scale
from site_templates.links import Link
from site_templates.parts.history.past_names import (
    PastNames,
    snapshot_date,
    snapshot_path,
    snapshot_title,
)

_MOMENTS: Final = 12  # newest snapshots, with the current board
_DRAWN: Final = 10  # lines
_ROWS: Final = 50  # of the table
_HEIGHT: Final = 260  # of the plot in pixels, as in the stylesheet
_LINE: Final = 15  # pixels between two names
_BELOW: Final = 30  # pixels under the plot that names may use
_NAME: Final = 22  # characters of a name beside its line
_TITLE: Final = 16  # characters of a snapshot's title on the axis


@dataclass(frozen=True, slots=True)
class Trace:
    """A submission's line. `said` is what it shows in words.

    `dots` are its scores (x, y). Lines join the scores of snapshots in a row, if these have the
    same cases. `name_y` is where its name is: that many pixels below its last dot.
    """

    who: Link
    name: str
    said: str
    dots: tuple[tuple[str, str], ...]
    lines: tuple[Segment, ...]
    name_y: int


@dataclass(frozen=True, slots=True)
class ScoreLines:
    """The plot of a suite with its table. `rows` have a score in percent for each of `moments`."""

    suite: str
    moments: tuple[Link, ...]
    xs: tuple[Tick, ...]
    ys: tuple[Tick, ...]
    traces: tuple[Trace, ...]
    rows: tuple[tuple[Link, tuple[str, ...]], ...]
    said: str


@dataclass(frozen=True, slots=True)
class _Moment:
    """A state of the board: its day and title, and the score of each submission on a suite.

    `cases` counts how often the suite gained or lost cases: equal numbers mean the same cases.
    """

    day: str
    title: str
    path: str
    scores: Mapping[str, float]
    cases: int

    @property
    def link(self) -> Link:
        return Link(f"{self.day}, {self.title}" if self.title else self.day, self.path)


def score_lines(index: BoardIndex, names: PastNames) -> tuple[ScoreLines, ...]:
    """The plots of all suites with scores in at least two states of the board."""
    charts = (_score_lines(index, names, suite) for suite in index.board.suites)
    return tuple(lines for lines in charts if lines)


def _score_lines(index: BoardIndex, names: PastNames, suite: Suite) -> ScoreLines | None:
    moments = [moment for moment in _moments(index, suite) if moment.scores][-_MOMENTS:]
    if len(moments) < 2:
        return None
    order = _in_order(index, suite, moments)
    places = [place / (len(moments) - 1) for place in range(len(moments))]
    drawn = [name for name in order if name in moments[-1].scores][:_DRAWN]
    if not drawn:
        return None
    shares = [moment.scores[name] for name in drawn for moment in moments if name in moment.scores]
    scale = score_scale(min(shares), max(shares))
    rows = []
    for name in order[:_ROWS]:
        cells = tuple(formatting.percent(moment.scores.get(name)) for moment in moments)
        rows.append((names.submission(name), cells))
    sentences = []
    if len(order) > len(drawn):
        number = counted(len(order), "submission")
        verb = "is" if len(drawn) == 1 else "are"
        sentences.append(f"Of {number}, the {len(drawn)} with the highest last score {verb} drawn.")
    if len(order) > len(rows):
        sentences.append(f"The table has the first {len(rows)}; the data has all.")
    if moments[0].cases != moments[-1].cases:
        sentences.append(
            "Lines end where the suite gained or lost cases: scores on different cases are not "
            "comparable."
        )
    return ScoreLines(
        suite=suite.title,
        moments=tuple(moment.link for moment in moments),
        xs=tuple(_ticks(index, moments, places)),
        ys=tuple(Tick(at(1 - scale.share(value)), label) for value, label in scale.ticks),
        traces=_traces(names, drawn, moments, places, scale),
        rows=tuple(rows),
        said=" ".join(sentences),
    )


def _moments(index: BoardIndex, suite: Suite) -> Iterator[_Moment]:
    """The states of the board in their order, with the current one unless it is the last."""
    eras = index.board.history.eras if index.board.history else ()
    moved = [era.difference for era in eras]
    recased = [bool(one and suite.id in one.recased) for one in moved]
    for place, state in enumerate(index.board.states):
        ranked = state.metrics.get(suite.id, suite.kind.ranked)
        whole = state.scores.filter(suite=suite.id, category=WHOLE, metric=ranked)
        pairs = whole.drop_nulls("score").select("submission", "score").iter_rows()
        day = snapshot_date(state).day or formatting.NONE
        title = snapshot_title(state.label, state.sequence)
        path = snapshot_path(state.name)
        yield _Moment(day, title, path, dict(pairs), sum(recased[: place + 1]))
    today = index.board.results.manifest["digest"]
    if index.board.states and index.board.states[-1].digest != today:
        now = {}
        for submission in index.takers(suite.id):
            share = index.share(submission.id, suite.id)
            if share is not None:
                now[submission.id] = share
        yield _Moment("now", "", index.paths.suite(suite.id), now, sum(recased))


def _in_order(index: BoardIndex, suite: Suite, moments: Sequence[_Moment]) -> list[str]:
    """The submissions: highest last score first, then those that left the board. No baselines."""
    field = {submission.id for submission in index.field(suite.id)}
    left_out = {submission.id for submission in index.submissions} - field
    everybody = {name for moment in moments for name in moment.scores if name not in left_out}
    last = moments[-1].scores
    return sorted(everybody, key=lambda name: (name not in last, -last.get(name, 0.0), name))


def _anchor(place: int, number: int) -> str:
    """The part of a title that is at its tick, so that the first and the last one fit."""
    if place == number - 1:
        return "end"
    return "middle" if place else "start"


def _ticks(
    index: BoardIndex, moments: Sequence[_Moment], places: Sequence[float]
) -> Iterator[Tick]:
    """The days, or the titles of snapshots of one day; only some of them if they are many.

    Snapshots without the suite count too, so that a snapshot has one name in all plots.
    """
    days = [snapshot_date(state).day for state in index.board.states]
    step = 1 if len(moments) <= 4 else -(-len(moments) // 4)
    for place, (moment, x) in enumerate(zip(moments, places, strict=True)):
        last = place == len(moments) - 1
        if last or (place % step == 0 and len(moments) - 1 - place >= step):
            anchor = _anchor(place, len(moments))
            title = formatting.clip(moment.title, _TITLE)
            yield Tick(at(x), title if days.count(moment.day) > 1 else moment.day, anchor)


def _traces(
    names: PastNames,
    drawn: Sequence[str],
    moments: Sequence[_Moment],
    places: Sequence[float],
    scale: Scale,
) -> tuple[Trace, ...]:
    ends = []
    dots = []
    for name in drawn:
        scores = [moment.scores.get(name) for moment in moments]
        here: list[tuple[str, str] | None] = []
        for x, score in zip(places, scores, strict=True):
            here.append(None if score is None else (at(x), at(1 - scale.share(score))))
        dots.append(here)
        ends.append(_HEIGHT * (1 - scale.share(moments[-1].scores[name])))

    comparable = [moment for moment in moments if moment.cases == moments[-1].cases]
    traces = []
    for name, here, end, y in zip(drawn, dots, ends, _apart(ends), strict=True):
        who = names.submission(name)
        first = next(moment for moment in comparable if name in moment.scores)
        values = [f"{formatting.percent(m.scores[name])} ({m.day})" for m in (first, moments[-1])]
        said = " to ".join(dict.fromkeys(values))
        steps = zip(pairwise(here), pairwise(moments), strict=True)
        joined = [(a, b) for (a, b), (old, new) in steps if a and b and old.cases == new.cases]
        traces.append(
            Trace(
                who=who,
                name=names.submission(name, _NAME).label,
                said=f"{who.label}: {said}",
                dots=tuple(point for point in here if point),
                lines=tuple(Segment(x1, x2, y1, y2) for (x1, y1), (x2, y2) in joined),
                name_y=round(y - end),
            )
        )
    return tuple(traces)


def _apart(heights: Sequence[float]) -> list[float]:
    """The heights in pixels, moved as little as possible so that each has a line of text."""
    order = sorted(range(len(heights)), key=lambda i: (heights[i], i))
    blocks: list[list[int]] = []  # heights that touch, around the mean of what they were

    def top(block: Sequence[int]) -> float:
        middle = sum(heights[i] for i in block) / len(block)
        half = _LINE * (len(block) - 1) / 2
        return min(max(middle, half), _HEIGHT + _BELOW - half) - half

    for i in order:
        block = [i]
        while blocks and top(blocks[-1]) + _LINE * len(blocks[-1]) > top(block):
            block = blocks.pop() + block
        blocks.append(block)
    moved = list(heights)
    for block in blocks:
        for place, i in enumerate(block):
            moved[i] = top(block) + _LINE * place
    return moved
