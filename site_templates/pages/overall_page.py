"""The ranking on all suites together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leaderboard.types import Submission, Suite
from site_templates import formatting, page_frame
from site_templates.board_index import Register, Score
from site_templates.figures.axis import flags, interval
from site_templates.figures.heat import Heat, heat
from site_templates.links import Link
from site_templates.parts.ranking_table import (
    Column,
    Ranking,
    Row,
    judged_share,
    made,
    name_of,
    ranked_suites,
    suite_cell,
    suite_links,
)


@dataclass(frozen=True, slots=True)
class AllPage:
    """Model of all/index.html."""

    head: page_frame.Head
    bar: tuple[Link, ...]
    ranking: Ranking
    heat: Heat | None


def all_page(register: Register, table: Ranking) -> AllPage:
    """The page of all suites together, with the first page of their ranking."""
    head = page_frame.Head(
        path="all/index.html",
        title=f"All suites: {register.board.title}",
        description="The ranking on all suites together: the mean of their scores, for those who took all of them.",
        section="Board",
        crumbs=(Link("Board", "index.html"), Link("All suites")),
        flags=table.flags,
        has_axis=True,
    )
    suites = ranked_suites(register)
    return AllPage(
        head,
        suite_links(register, first_page=True),
        table,
        heat(register, suites, _by_mean(register, suites)),
    )


def _by_mean(register: Register, suites: Iterable[Suite]) -> tuple[Submission, ...]:
    """The submissions by the mean of their suites: most suites first; baselines only where there is nobody else."""
    scores = {
        s.id: [score for suite in suites if (score := register.score(s.id, suite.id)) is not None]
        for s in register.submissions
    }
    known = {
        name: [score.score or 0.0 for score in found] for name, found in scores.items() if found
    }
    taking = [s for s in register.submissions if s.id in known]
    field_ = [s for s in taking if not s.is_baseline] or taking
    return tuple(sorted(field_, key=lambda s: (-len(known[s.id]), -math.fsum(known[s.id]), s.id)))


def all_suites(register: Register) -> Ranking:
    """The ranking on all suites together, by the mean of their scores: of those who have a full score on each.

    No test compares submissions over all suites, so there are no ranks, only the order; equal scores share a place.
    """
    suites = ranked_suites(register)
    scores = {s.id: overall(register, s) for s in register.submissions}
    known = {id_: score for id_, score in scores.items() if score is not None}
    ordered = sorted(
        (s for s in register.submissions if s.id in known),
        key=lambda s: (-(known[s.id].score or 0.0), s.id),
    )
    values = [known[s.id].score for s in ordered if not s.is_baseline]
    others = [s for s in register.submissions if s.id not in known and not s.is_baseline]
    taking = {s.id for suite in suites for s in register.takers(suite.id)}
    table = _AllTable(register, suites)
    return made(
        register,
        place="all/",
        title="all suites",
        cases=sum(len(suite.by_id) for suite in suites),
        categories=tuple(Column(s.id, s.title, len(s.by_id), "1") for s in suites),
        suites=(),
        rows=tuple(
            table.row(s, known[s.id], str(1 + values.index(known[s.id].score)))
            for s in ordered
            if not s.is_baseline
        ),
        incomplete=tuple(table.row(s, None, formatting.NONE) for s in others if s.id in taking),
        absent=tuple(name_of(register, s) for s in others if s.id not in taking),
        baselines=tuple(table.row(s, known[s.id], "") for s in ordered if s.is_baseline),
        gap=None,
        flags=flags(
            (formatting.clip(s.card.name, 18), score)
            for s in ordered
            if s.is_baseline and (score := known[s.id].score) is not None
        ),
        all_suites=True,
    )


def overall(register: Register, submission: Submission) -> Score | None:
    """The mean of a submission's scores on all suites, each weighing the same; None unless it has a full score on each.

    Suites share no cases, so the limits come of the limits of each: the distances from the scores, squared, summed, rooted,
    and divided by the number of suites (the square-and-add method; Zou & Donner 2008).
    """
    found = [register.score(submission.id, suite.id) for suite in ranked_suites(register)]
    scores = [
        (s.score, s.low, s.high, s)
        for s in found
        if s is not None and s.score is not None and not s.unscored
    ]
    if len(scores) < len(found) or len(found) < 2:
        return None
    number = len(scores)
    mean = math.fsum(score for score, _, _, _ in scores) / number
    below = [score - low for score, low, _, _ in scores if low is not None]
    above = [high - score for score, _, high, _ in scores if high is not None]
    known = len(below) == len(above) == number
    scored = sum(s.scored for _, _, _, s in scores)
    return Score(
        cases=sum(s.cases for _, _, _, s in scores),
        scored=scored,
        unscored=0,
        score=mean,
        low=max(mean - math.hypot(*below) / number, 0.0) if known else None,
        high=min(mean + math.hypot(*above) / number, 1.0) if known else None,
        judged_share=math.fsum((s.judged_share or 0.0) * s.scored for _, _, _, s in scores) / scored
        if scored
        else None,
        rules_only=None,
        missing=sum(s.missing for _, _, _, s in scores),
    )


@dataclass(frozen=True, slots=True)
class _AllTable:
    """The rows of the ranking on all suites: each suite is a column."""

    register: Register
    suites: tuple[Suite, ...]

    def row(self, submission: Submission, score: Score | None, place: str) -> Row:
        found = [self.register.score(submission.id, suite.id) for suite in self.suites]
        taken = [one for one in found if one is not None]
        return Row(
            rank=place,
            name=name_of(self.register, submission),
            score=formatting.percent(score.score if score else None),
            bounds=formatting.bounds(score.low, score.high) if score else "",
            remark=score.remark if score else _lacking(taken, len(self.suites)),
            interval=interval(score, baseline=submission.is_baseline),
            categories=tuple(
                suite_cell(self.register, submission, suite, weighed=True) for suite in self.suites
            ),
            suites=(),
            judged=formatting.whole_percent(judged_share(self.register, submission)),
            cost=formatting.money(_cost(self.register, submission, self.suites)),
            latency=formatting.NONE,
            date="" if submission.is_baseline else submission.card.date,
            part=any(one.missing for one in taken),
        )


def _lacking(taken: Sequence[Score], suites: int) -> str:
    """Why there is no score on all suites; what is not answered of those taken, their columns tell."""
    return (
        f"{len(taken)} of {suites} suites"
        if len(taken) < suites
        else f"{sum(s.unscored for s in taken):,} unscored"
    )


def _cost(register: Register, submission: Submission, suites: Iterable[Suite]) -> float | None:
    """US dollars per 1,000 responses over some suites; None unless it is known on each that was taken."""
    found = [
        usage
        for suite in suites
        if (usage := register.usage.get((submission.id, suite.id))) is not None
    ]
    costs = [usage.cost_usd * usage.responses for usage in found if usage.cost_usd is not None]
    responses = sum(usage.responses for usage in found)
    return 1000 * math.fsum(costs) / responses if responses and len(costs) == len(found) else None
