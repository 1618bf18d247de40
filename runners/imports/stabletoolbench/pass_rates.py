"""Pass rates and win rates, computed again from the votes that imported files contain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from leaderboard.responses.solved_grades import POINTS, Status
from leaderboard.texts.counted_nouns import counted
from runners.imports.stabletoolbench.imported_answers import PreferenceFile, Vote


@dataclass(frozen=True, slots=True)
class PassRate:
    """SoPR in percent: the mean over the rounds, and their population standard deviation.

    `queries` is the size of the test set. The `unanswered` ones count as unsolved in every round.
    A round is the mean over the queries with a readable vote in it. Unreadable votes are `lost`:
    they do not count as unsolved.
    """

    queries: int
    unanswered: int
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
        if self.lost:
            gaps.append(f"{counted(self.lost, 'vote')} lost")
        return f"{line} ({', '.join(gaps)})" if gaps else line


def pass_rate(votes: Mapping[str, Sequence[Vote]], query_ids: Sequence[str]) -> PassRate:
    """The SoPR of the votes on a test set's queries."""
    answered: list[dict[int, Status | None]] = []
    rounds: set[int] = set()
    for query_id in query_ids:
        if query_id in votes:
            by_round = {vote.round: vote.status for vote in votes[query_id]}
            answered.append(by_round)
            rounds |= by_round.keys()
    unanswered = len(query_ids) - len(answered)
    scores = []
    lost = 0
    for number in sorted(rounds):
        statuses = [cast.get(number) for cast in answered]
        points = [POINTS[status] for status in statuses if status is not None]
        points += [0.0] * unanswered
        lost += statuses.count(None)
        if points:
            scores.append(100 * fmean(points))
    score, deviation = (fmean(scores), pstdev(scores)) if scores else (None, None)
    return PassRate(len(query_ids), unanswered, len(rounds), lost, score, deviation)


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
    """How often one system was preferred to another. A query is won by the lead in rounds."""

    candidate: str
    reference: str
    won: int
    lost: int
    tied: int

    def __str__(self) -> str:
        total = self.won + self.lost + self.tied
        share = f"{100 * self.won / total:.1f} %" if total else "unknown"
        counts = f"{self.won} won, {self.lost} lost, {self.tied} tied"
        return f"{self.candidate} against {self.reference}: {counts}; win rate {share}"


def win_rates(file: PreferenceFile) -> tuple[WinRate, ...]:
    """A win rate for each pair of systems. The first query names the candidate last."""
    leads: dict[tuple[str, str], list[int]] = {}
    for row in file.won.values():
        (reference, theirs), (candidate, ours) = row.items()
        if (reference, candidate) in leads:
            leads[reference, candidate].append(theirs - ours)
        else:
            leads.setdefault((candidate, reference), []).append(ours - theirs)
    rates = []
    for (candidate, reference), found in leads.items():
        won, lost = sum(lead > 0 for lead in found), sum(lead < 0 for lead in found)
        rates.append(WinRate(candidate, reference, won, lost, found.count(0)))
    return tuple(rates)
