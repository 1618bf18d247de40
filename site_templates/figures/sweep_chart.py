"""The charts of sweeps: the same agent with more and more tools."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from leaderboard.board.sweeps import Member
from leaderboard.kinds import Metric
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import and_more
from leaderboard.types import Json, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import Segment, Tick, at
from site_templates.indexed_rows import Score
from site_templates.links import Link
from site_templates.parts.metric_names import metric_of
from site_templates.parts.named_links import to_submission

_DRAWN: Final = 24  # submissions of a sweep on a page
_MAIN: Final = ("sopr", "api_call")  # metrics that are drawn besides the ranked one

# Shares of the width: the least distance of two numbers on the axis, so that a phone shows them
# apart, and the margin at either end.
_APART: Final = 0.13
_EDGE: Final = 0.04

# Shares of the height: half a dot, and the reach of a label from the end of its whisker.
_DOT: Final = 0.025
_LABEL: Final = 0.12

_OFFERED: Final = Metric(
    "gold_in_selection",
    "gold APIs offered",
    "The share of the gold APIs (those that an answer needs) that are among the tools offered. "
    "The cards state it; it is not computed here.",
)
_EXPECTED_TO_DIFFER: Final = frozenset({"max_tools", "suites"})  # settings within any sweep


@dataclass(frozen=True, slots=True)
class SweepDot:
    """A score in a plot. `here` marks the page's own submission.

    Only that one has its score as `label`, above the whisker, or below it if `under`.
    """

    x: str
    y: str
    low: str
    high: str
    here: bool
    label: str
    under: bool


@dataclass(frozen=True, slots=True)
class SweepPlot:
    """One metric against the number of tools."""

    title: str
    says: str
    dots: tuple[SweepDot, ...]
    lines: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class SweepCell:
    """A score in the table."""

    text: str
    bounds: str
    remark: str


@dataclass(frozen=True, slots=True)
class SweepRow:
    """A submission in the table. `answers` is the number of its records."""

    tools: str
    link: Link
    here: bool
    cells: tuple[SweepCell, ...]
    cases: str
    answers: str
    errors: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep on one suite: sentences, plots over one axis, and a table. `anchor` is an HTML id."""

    anchor: str
    suite: str
    said: str
    note: str
    xs: tuple[Tick, ...]
    plots: tuple[SweepPlot, ...]
    heads: tuple[str, ...]
    rows: tuple[SweepRow, ...]


def sweeps(
    index: BoardIndex, submission: Submission, members: Sequence[Member]
) -> tuple[Sweep, ...]:
    """The sweep of a submission on each suite that it and another member took."""
    made = (_sweep(index, suite, submission, members) for suite in index.board.suites)
    return tuple(sweep for sweep in made if sweep is not None)


def _sweep(
    index: BoardIndex, suite: Suite, submission: Submission, members: Sequence[Member]
) -> Sweep | None:
    ranked = metric_of(suite, suite.kind.ranked)
    taken: list[Member] = []
    mine = None
    scores: dict[int, float] = {}
    for member in members:
        score = index.score(member.submission.id, suite.id)
        if score is None:
            continue
        taken.append(member)
        if score.score is not None:
            scores[member.tools] = score.score
        if member.submission.id == submission.id:
            mine = member.tools
    if ranked.ratio or len(scores) < 2 or mine is None:
        return None

    shown = _thinned(taken, mine)
    others = [metric_of(suite, name) for name in index.other_metrics[suite.id] if name in _MAIN]
    columns = {}
    for metric in (ranked, *others, _OFFERED):
        column = [_score(index, suite, member, metric) for member in shown]
        if metric is not _OFFERED or any(column):
            columns[metric] = column

    places = _places(shown)
    plots = [_plot(metric, places, column, mine) for metric, column in columns.items()]
    rows = []
    for row, member in enumerate(shown):
        cells = tuple(_cell(column[row]) for column in columns.values())
        rows.append(_row(index, suite, member, cells, here=member.tools == mine))
    return Sweep(
        anchor=f"s-sweep-{index.paths.suites[suite.id]}",
        suite=suite.title,
        said=_said(scores, mine),
        note=_note(taken, len(shown)),
        xs=_ticks(places, mine),
        plots=tuple(plot for plot in plots if len(plot.dots) > 1),
        heads=tuple(metric.label for metric in columns),
        rows=tuple(rows),
    )


def _thinned(members: Sequence[Member], mine: int) -> list[Member]:
    """The members that a page shows: the first, the last, its own, and others at even distances."""
    last = len(members) - 1
    kept = {round(place * last / (_DRAWN - 1)) for place in range(_DRAWN)}
    return [member for place, member in enumerate(members) if place in kept or member.tools == mine]


def _score(index: BoardIndex, suite: Suite, member: Member, metric: Metric) -> Score | None:
    """A member's score by a metric. The share of gold APIs offered is a score without interval."""
    name = member.submission.id
    if metric is not _OFFERED:
        if metric.id == suite.kind.ranked:
            return index.score(name, suite.id)
        return index.other_score(name, suite.id, metric.id)

    # A card can hold anything in the place of the share.
    stated: Json = member.submission.card.settings.get("suites")
    for key in (suite.id, _OFFERED.id):
        stated = stated.get(key) if isinstance(stated, Mapping) else None
    if isinstance(stated, bool) or not isinstance(stated, int | float) or not 0 <= stated <= 1:
        return None
    return Score(0, 0, 0, float(stated), None, None, None, None)


# ---------------------------------------------------------------- sentences


def _said(scores: Mapping[int, float], mine: int) -> str:
    """The highest and the lowest score by number of tools, and that of the page's submission."""
    high = max(scores, key=lambda tools: (scores[tools], -tools))
    low = min(scores, key=lambda tools: (scores[tools], tools))
    highest, lowest = (formatting.exact_percent(scores[tools]) for tools in (high, low))
    if scores[high] == scores[low]:
        return f"With any number of tools the score is the same, {highest}."
    sentence = (
        f"The highest score is {highest}, with {counted(high, 'tool')} at most; "
        f"the lowest {lowest}, with {low:,}."
    )
    if mine in scores and mine not in {high, low}:
        sentence += f" This submission, with {mine:,}: {formatting.exact_percent(scores[mine])}."
    return sentence


def _note(members: Sequence[Member], shown: int) -> str:
    """How many members are shown, if not all, and which of their other settings differ."""
    note = f"Of {len(members):,} submissions {shown} are shown." if shown < len(members) else ""
    differing = []
    settings = [member.submission.card.settings for member in members]
    for name in sorted(set().union(*settings) - _EXPECTED_TO_DIFFER):
        # An empty list is for cards without the setting: null is a value of its own.
        values = [[chosen[name]] if name in chosen else [] for chosen in settings]
        if len({json.dumps(value, sort_keys=True) for value in values}) > 1:
            differing.append(formatting.clip(name, 40))
    if differing:
        names = ", ".join(differing[:3])
        more = and_more(len(differing) - 3)
        note += f" Their settings differ in more than the number of tools: {names}{more}."
    return note.strip()


# ---------------------------------------------------------------- plots


def _places(members: Sequence[Member]) -> dict[int, float]:
    """The place of each number of tools as a share of the axis, by its logarithm."""
    low, high = math.log10(members[0].tools), math.log10(members[-1].tools)
    span = high - low
    return {m.tools: _EDGE + (1 - 2 * _EDGE) * (math.log10(m.tools) - low) / span for m in members}


def _ticks(places: Mapping[int, float], mine: int) -> tuple[Tick, ...]:
    """The numbers that have room: the page's own first, then the ends, then the others."""
    kept: list[int] = []
    for tools in (mine, min(places), max(places), *places):
        if all(abs(places[tools] - places[other]) >= _APART for other in kept):
            kept.append(tools)
    ticks = []
    for tools in sorted(kept):
        # Half of a long last number would leave a narrow page.
        long_last = tools == max(kept) and tools >= 10_000
        ticks.append(Tick(at(places[tools]), f"{tools:,}", "end" if long_last else "middle"))
    return tuple(ticks)


@dataclass(frozen=True, slots=True)
class _ScoreMark:
    """A score in a plot: its place on the axis and the ends of its whisker, all shares."""

    place: float
    low: float
    score: float
    high: float

    def meets(self, place: float, low: float, high: float) -> bool:
        """Whether its mark would cover a label at that place between these heights."""
        if abs(self.place - place) >= _APART * 0.6:
            return False
        return self.low - _DOT < high and low < self.high + _DOT


def _plot(
    metric: Metric, places: Mapping[int, float], column: Sequence[Score | None], mine: int
) -> SweepPlot:
    marks = {}
    for (tools, place), score in zip(places.items(), column, strict=True):
        if score is not None and score.limits is not None:
            marks[tools] = _ScoreMark(place, *score.limits)

    dots = []
    for tools, mark in marks.items():
        here = tools == mine
        others = [other for other in marks.values() if other is not mark]
        dots.append(
            SweepDot(
                x=at(mark.place),
                y=at(1 - mark.score),
                low=at(1 - mark.low),
                high=at(1 - mark.high),
                here=here,
                label=formatting.percent(mark.score) if here else "",
                under=here and _under(mark, others),
            )
        )
    lines = tuple(Segment(a.x, b.x, a.y, b.y) for a, b in pairwise(dots))
    return SweepPlot(formatting.capitalised(metric.label), metric.description, tuple(dots), lines)


def _under(mark: _ScoreMark, others: Sequence[_ScoreMark]) -> bool:
    """Whether a label is below its mark: only if there is no free place above, but one below."""
    above = (mark.high + _DOT, mark.high + _LABEL)
    under = (mark.low - _LABEL, mark.low - _DOT)
    free_above = above[1] <= 1 and not any(it.meets(mark.place, *above) for it in others)
    free_under = under[0] > 0 and not any(it.meets(mark.place, *under) for it in others)
    return free_under and not free_above


# ---------------------------------------------------------------- table


def _row(
    index: BoardIndex, suite: Suite, member: Member, cells: tuple[SweepCell, ...], *, here: bool
) -> SweepRow:
    submission = member.submission
    usage = index.usage(submission.id, suite.id)
    score = index.score(submission.id, suite.id)
    return SweepRow(
        tools=f"{member.tools:,}",
        link=to_submission(index, submission),
        here=here,
        cells=cells,
        cases=f"{score.cases:,}" if score else formatting.NONE,
        answers=f"{usage.responses:,}" if usage else formatting.NONE,
        errors=counted(usage.errors, "error") if usage and usage.errors else "",
    )


def _cell(score: Score | None) -> SweepCell:
    if score is None:
        return SweepCell(formatting.NONE, "", "")
    return SweepCell(
        text=formatting.percent(score.score),
        bounds=formatting.bounds(score.low, score.high),
        remark=f"{score.unscored:,} unscored" if score.unscored else "",
    )
