"""Pass rates and win rates, computed again from the votes that imported files contain."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

from leaderboard.responses.solved_grades import POINTS, Status
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import first_of
from runners.imports.stabletoolbench.imported_answers import PreferenceFile, Vote

_FEW: Final = 3  # ids of queries that a line names


@dataclass(frozen=True, slots=True)
class PassRate:
    """SoPR in percent: the mean over the rounds, and their population standard deviation.

    `queries` is the size of the test set. The `unanswered` ones count as unsolved in every round.
    A round is the mean over the queries with a readable vote in it. Unreadable votes are `lost`:
    they do not count as unsolved. The answered queries that nobody voted on, `without_vote`, do not
    count either.
    """

    queries: int
    unanswered: int
    without_vote: Sequence[str]
    rounds: int
    lost: int
    score: float | None
    deviation: float | None

    def __str__(self) -> str:
        """One line, as the published tables write it."""
        if self.score is None:
            return "SoPR unknown: no vote can be read"
        rounds, queries = counted(self.rounds, "round"), counted(self.queries, "query", "queries")
        line = f"SoPR {self.score:.1f} ± {self.deviation:.1f} from {rounds} over {queries}"
        gaps = []
        if self.unanswered:
            gaps.append(f"{self.unanswered} unanswered")
        if self.without_vote:
            named = first_of(self.without_vote, _FEW)
            gaps.append(f"{len(self.without_vote)} without a vote, left out: {named}")
        if self.lost:
            gaps.append(f"{counted(self.lost, 'vote')} lost")
        return f"{line} ({', '.join(gaps)})" if gaps else line


def pass_rate(
    votes: Mapping[str, Sequence[Vote]], query_ids: Sequence[str], answered: Collection[str] = ()
) -> PassRate:
    """The SoPR of the votes on a test set's queries. `answered` may have queries without votes."""
    voted: list[dict[int, Status | None]] = []
    rounds: set[int] = set()
    without_vote = []
    for query_id in query_ids:
        if query_id in votes:
            by_round = {vote.round: vote.status for vote in votes[query_id]}
            voted.append(by_round)
            rounds |= by_round.keys()
        elif query_id in answered:
            without_vote.append(query_id)
    unanswered = len(query_ids) - len(voted) - len(without_vote)
    scores = []
    lost = 0
    for number in sorted(rounds):
        statuses = [cast.get(number) for cast in voted]
        points = [POINTS[status] for status in statuses if status is not None]
        points += [0.0] * unanswered
        lost += statuses.count(None)
        if points:
            scores.append(100 * fmean(points))
    score, deviation = (fmean(scores), pstdev(scores)) if scores else (None, None)
    queries = len(query_ids)
    return PassRate(queries, unanswered, without_vote, len(rounds), lost, score, deviation)


def status_figures(statuses: Sequence[str], finished: int) -> dict[str, float]:
    """The wrapper's counts of statuses, which are in lower case, and their percentages."""
    total, solved, unsure = len(statuses), statuses.count("solved"), statuses.count("unsure")
    counts = {"solved": solved, "unsure": unsure, "unsolved": total - solved - unsure}
    figures: dict[str, float] = {"total_queries": total}
    for name, count in {**counts, "finish": finished}.items():
        figures[f"{name}_count"] = count
        figures[f"{name}_percentage"] = 100 * count / total if total else 0.0
    return figures


@dataclass(frozen=True, slots=True)
class WinRate:
    """How often one system was preferred to another. A query is won by the lead in rounds.

    The `left_out` queries lack an answer here, and do not count.
    """

    candidate: str
    reference: str
    won: int
    lost: int
    tied: int
    left_out: int

    def __str__(self) -> str:
        total = self.won + self.lost + self.tied
        share = f"{100 * self.won / total:.1f} %" if total else "unknown"
        counts = f"{self.won} won, {self.lost} lost, {self.tied} tied"
        line = f"{self.candidate} against {self.reference}: {counts}; win rate {share}"
        if not self.left_out:
            return line
        return f"{line} ({counted(self.left_out, 'query', 'queries')} left out without an answer)"


def win_rates(file: PreferenceFile, answered: Mapping[str, Collection[str]]) -> tuple[WinRate, ...]:
    """A win rate for each pair of systems. The first query names the candidate last.

    `answered` has the queries that each imported system answers. The others are left out.
    """
    leads: dict[tuple[str, str], list[int | None]] = {}
    for query_id, row in file.won.items():
        (reference, theirs), (candidate, ours) = row.items()
        if (reference, candidate) in leads:
            reference, candidate, ours, theirs = candidate, reference, theirs, ours
        imported = [answered[name] for name in row if name in answered]
        has_answers = all(query_id in queries for queries in imported)
        found = leads.setdefault((candidate, reference), [])
        found.append(ours - theirs if has_answers else None)
    rates = []
    for (candidate, reference), found in leads.items():
        counting = [lead for lead in found if lead is not None]
        won, lost = sum(lead > 0 for lead in counting), sum(lead < 0 for lead in counting)
        left_out = found.count(None)
        rates.append(WinRate(candidate, reference, won, lost, counting.count(0), left_out))
    return tuple(rates)
