"""A sweep: the same agent, asked with more and more tools, as one submission for each number; its scores against that number.

`lb run --sweep` writes the submissions `<name>-k<number>`, whose cards hold the name as `settings.sweep` and the number as
`settings.max_tools`. Anybody can write anything into a card, so a submission counts as one of a sweep only where its id says
the same, and only beside those of the same kind, organisation, model and framework.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from leaderboard.kinds import Metric
from leaderboard.types import Json, Submission, Suite
from site_templates import formatting
from site_templates.board_index import WHOLE, BoardIndex, Score
from site_templates.figures.axis import at
from site_templates.figures.chart import Segment, Tick
from site_templates.links import Link
from site_templates.parts.metric_names import metric_of

MOST_TOOLS: Final = 1_000_000  # no agent is offered more; a larger number is no number of tools
_DRAWN: Final = 24  # submissions of a sweep that a page shows
_MAIN: Final = ("sopr", "api_call")  # metrics that are drawn beside the ranked one
_APART: Final = (
    0.13  # of the axis, from one number to the next, so that they can be read on a phone
)
_EDGE: Final = 0.04  # of the axis, left free at either end
_DOT, _LABEL = (
    0.025,
    0.12,
)  # of a plot's height: half a dot, and how far a label reaches from the end of its whisker
_OFFERED: Final = Metric(
    "gold_in_selection",
    "gold APIs offered",
    "The share of the gold APIs (those that an answer takes) that are among the tools offered. It is what the cards say, and "
    "not worked out here.",
)
_TOLD_APART: Final = frozenset({"max_tools", "suites"})  # settings that differ within any sweep


@dataclass(frozen=True, slots=True)
class Member:
    """A submission of a sweep, with the number of tools it was offered at most."""

    submission: Submission
    tools: int


@dataclass(frozen=True, slots=True)
class SweepDot:
    """A score in a plot, as shares of its sides. `here` marks that of the page's own submission.

    That has its score as `label`, above the whisker or, where there is no room, `under` it.
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
    """One metric against the number of tools, the least number first."""

    title: str
    says: str
    dots: tuple[SweepDot, ...]
    lines: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class SweepCell:
    """A score in the table behind the plots."""

    text: str
    bounds: str
    remark: str


@dataclass(frozen=True, slots=True)
class SweepRow:
    """A submission in the table. `answers` are the records it sent."""

    tools: str
    link: Link
    here: bool
    cells: tuple[SweepCell, ...]
    cases: str
    answers: str
    errors: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep shows on one suite: words, a plot for each metric over one axis, and the table. `anchor` is its id."""

    anchor: str
    suite: str
    said: str
    note: str
    xs: tuple[Tick, ...]
    plots: tuple[SweepPlot, ...]
    heads: tuple[str, ...]
    rows: tuple[SweepRow, ...]


# The members of a sweep by each submission's id, the least number of tools first.
Swept = Mapping[str, tuple[Member, ...]]


def swept(submissions: Iterable[Submission]) -> Swept:
    """The sweeps among these submissions, of two members at least."""
    found: defaultdict[tuple[str, ...], list[Member]] = defaultdict(list)
    for submission in submissions:
        tools = _tools(submission)
        if tools is not None:
            card = submission.card
            key = (
                submission.id.removesuffix(f"-k{tools}"),
                card.kind,
                card.organization,
                card.model,
                card.framework or "",
            )
            found[key].append(Member(submission, tools))
    groups = [
        tuple(sorted(group, key=lambda member: member.tools))
        for group in found.values()
        if len(group) > 1
    ]
    return {member.submission.id: group for group in groups for member in group}


def _tools(submission: Submission) -> int | None:
    """The number of tools of a member of a sweep; None where card and id do not say so alike."""
    name, tools = submission.card.settings.get("sweep"), submission.card.settings.get("max_tools")
    if not isinstance(name, str) or type(tools) is not int or not 1 <= tools <= MOST_TOOLS:
        return None
    return tools if submission.id == f"{name}-k{tools}" else None


def sweeps(
    index: BoardIndex, submission: Submission, members: Sequence[Member]
) -> tuple[Sweep, ...]:
    """What the sweep of a submission shows on its page, for each suite that this one and another of it took."""
    found = (_sweep(index, suite, submission, members) for suite in index.board.suites)
    return tuple(sweep for sweep in found if sweep is not None)


@dataclass(frozen=True, slots=True)
class _View:
    """A sweep on a suite as the page of one submission sees it: the members that are shown there, the least number first."""

    index: BoardIndex
    suite: Suite
    here: Submission
    members: tuple[Member, ...]

    def figure(self, member: Member, one: Metric) -> Score | None:
        """A member's row of a metric; what its card says of APIs offered has none."""
        index, name = self.index, member.submission.id
        if one.id == index.metrics[self.suite.id][0]:
            return index.score(name, self.suite.id)
        return index.further.get((name, self.suite.id, WHOLE, one.id))

    def value(self, member: Member, one: Metric) -> float | None:
        """A member's score by a metric, 0 to 1."""
        if one is _OFFERED:
            return _offered(member, self.suite)
        figure = self.figure(member, one)
        return figure.score if figure else None

    def is_here(self, member: Member) -> bool:
        return member.submission.id == self.here.id


def _sweep(
    index: BoardIndex, suite: Suite, submission: Submission, members: Sequence[Member]
) -> Sweep | None:
    taken = tuple(
        member for member in members if index.score(member.submission.id, suite.id) is not None
    )
    all_of_it, ranked = (
        _View(index, suite, submission, taken),
        metric_of(suite, index.metrics[suite.id][0]),
    )
    scores = {
        member.tools: value
        for member in taken
        if (value := all_of_it.value(member, ranked)) is not None
    }
    mine = next((member.tools for member in taken if all_of_it.is_here(member)), None)
    if ranked.ratio or len(scores) < 2 or mine is None:
        return None
    view = _View(index, suite, submission, _thinned(taken, mine))
    metrics = [
        ranked,
        *(metric_of(suite, name) for name in index.metrics[suite.id][1:] if name in _MAIN),
    ]
    if any(_offered(member, suite) is not None for member in view.members):
        metrics.append(_OFFERED)
    places = _places(view.members)
    plots = [_plot(view, one, places) for one in metrics]
    return Sweep(
        anchor=f"s-sweep-{index.paths.suites[suite.id]}",
        suite=suite.title,
        said=_said(scores, mine),
        note=_note(taken, view.members),
        xs=_ticks(places, mine),
        plots=tuple(plot for plot in plots if len(plot.dots) > 1),
        heads=tuple(one.label for one in metrics),
        rows=tuple(_row(view, member, metrics) for member in view.members),
    )


def _thinned(members: Sequence[Member], mine: int) -> tuple[Member, ...]:
    """As many as a page shows: the first, the last, this one, and others at even distances."""
    last = len(members) - 1
    kept = {round(place * last / (_DRAWN - 1)) for place in range(_DRAWN)}
    return tuple(
        member for place, member in enumerate(members) if place in kept or member.tools == mine
    )


def _offered(member: Member, suite: Suite) -> float | None:
    """The share of gold APIs offered that a card tells of a suite, where it is a share."""
    told: Json = member.submission.card.settings.get("suites")
    for name in (suite.id, _OFFERED.id):
        told = told.get(name) if isinstance(told, Mapping) else None
    return (
        float(told)
        if isinstance(told, int | float) and not isinstance(told, bool) and 0 <= told <= 1
        else None
    )


# ---------------------------------------------------------------- words


def _said(scores: Mapping[int, float], mine: int) -> str:
    """The highest score by number of tools, the lowest, and this submission's own."""
    high, low = (
        max(scores, key=lambda n: (scores[n], -n)),
        min(scores, key=lambda n: (scores[n], n)),
    )
    if scores[high] == scores[low]:
        return f"With any number of tools the score is the same, {_percent(scores[high])}."
    parts = [
        f"The highest score is {_percent(scores[high])}, with {formatting.count(high, 'tool')} at most; "
    ]
    parts.append(f"the lowest {_percent(scores[low])}, with {low:,}.")
    if mine in scores and mine not in {high, low}:
        parts.append(f" This submission, with {mine:,}: {_percent(scores[mine])}.")
    return "".join(parts)


def _percent(share: float) -> str:
    return f"{formatting.percent(share)}{formatting.NARROW}%"


def _note(members: Sequence[Member], shown: Sequence[Member]) -> str:
    """What else a reader should know: who is left out, and in what the members differ besides."""
    parts = (
        [f"Of {len(members):,} submissions {len(shown)} are shown."]
        if len(shown) < len(members)
        else []
    )
    settings = [
        {
            name: json.dumps(value, sort_keys=True)
            for name, value in m.submission.card.settings.items()
        }
        for m in members
    ]
    names = sorted({name for given in settings for name in given} - _TOLD_APART)
    differing = [
        formatting.clip(name, 40)
        for name in names
        if len({given.get(name) for given in settings}) > 1
    ]
    if differing:
        more = f" and {len(differing) - 3} more" if len(differing) > 3 else ""
        parts.append(
            f"Their settings differ in more than the number of tools: {', '.join(differing[:3])}{more}."
        )
    return " ".join(parts)


# ---------------------------------------------------------------- plots


def _places(members: Sequence[Member]) -> dict[int, float]:
    """Where each number of tools stands on the axis, as a share of it: by its logarithm."""
    low, high = math.log10(members[0].tools), math.log10(members[-1].tools)
    return {
        m.tools: _EDGE + (1 - 2 * _EDGE) * (math.log10(m.tools) - low) / (high - low)
        for m in members
    }


def _ticks(places: Mapping[int, float], mine: int) -> tuple[Tick, ...]:
    """The numbers that there is room for: this submission's first, then the ends, then the others."""
    kept: list[int] = []
    for tools in (mine, min(places), max(places), *places):
        if all(abs(places[tools] - places[other]) >= _APART for other in kept):
            kept.append(tools)
    return tuple(Tick(at(places[tools]), f"{tools:,}") for tools in sorted(kept))


@dataclass(frozen=True, slots=True)
class _Point:
    """A score in a plot: place on the axis and the ends of its whisker, all shares of 1."""

    place: float
    low: float
    value: float
    high: float
    here: bool

    def meets(self, place: float, low: float, high: float) -> bool:
        """Whether its mark stands in the way of a label at that place between these heights."""
        return (
            abs(self.place - place) < _APART * 0.6
            and self.low - _DOT < high
            and low < self.high + _DOT
        )


def _plot(view: _View, one: Metric, places: Mapping[int, float]) -> SweepPlot:
    points = []
    for member in view.members:
        value, figure = view.value(member, one), view.figure(member, one)
        if value is not None:
            low = value if figure is None or figure.low is None else figure.low
            high = value if figure is None or figure.high is None else figure.high
            points.append(_Point(places[member.tools], low, value, high, view.is_here(member)))
    dots = tuple(_dot(point, points) for point in points)
    lines = tuple(Segment(a.x, b.x, a.y, b.y) for a, b in pairwise(dots))
    return SweepPlot(one.label[:1].upper() + one.label[1:], one.description, dots, lines)


def _dot(point: _Point, points: Sequence[_Point]) -> SweepDot:
    return SweepDot(
        x=at(point.place),
        y=at(1 - point.value),
        low=at(1 - point.low),
        high=at(1 - point.high),
        here=point.here,
        label=formatting.percent(point.value) if point.here else "",
        under=point.here and _under(point, [other for other in points if other is not point]),
    )


def _under(point: _Point, others: Sequence[_Point]) -> bool:
    """Whether a label stands better under the whisker than above: where there is no room above, or another mark."""
    above, under = (point.high + _DOT, point.high + _LABEL), (point.low - _LABEL, point.low - _DOT)
    crowded = above[1] > 1 or any(other.meets(point.place, *above) for other in others)
    return (
        crowded and under[0] > 0 and not any(other.meets(point.place, *under) for other in others)
    )


def _row(view: _View, member: Member, metrics: Sequence[Metric]) -> SweepRow:
    submission, suite = member.submission, view.suite
    usage, score = (
        view.index.usage.get((submission.id, suite.id)),
        view.index.score(submission.id, suite.id),
    )
    return SweepRow(
        tools=f"{member.tools:,}",
        link=Link(
            formatting.clip(submission.card.name, 80), view.index.paths.submission(submission.id)
        ),
        here=view.is_here(member),
        cells=tuple(_cell(view, member, one) for one in metrics),
        cases=f"{score.cases:,}" if score else formatting.NONE,
        answers=f"{usage.responses:,}" if usage else formatting.NONE,
        errors=formatting.count(usage.errors, "error") if usage and usage.errors else "",
    )


def _cell(view: _View, member: Member, one: Metric) -> SweepCell:
    figure = view.figure(member, one)
    return SweepCell(
        text=formatting.percent(view.value(member, one)),
        bounds=formatting.bounds(figure.low, figure.high) if figure else "",
        remark=f"{figure.unscored:,} unscored" if figure and figure.unscored else "",
    )
