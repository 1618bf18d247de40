"""What imported files say, worked out again from their single rows: nothing that they sum up themselves is trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

from leaderboard.responses.solved import POINTS
from leaderboard.types import Json
from runners.imports.stabletoolbench.result_files import AnswerFile, PreferenceFile, Vote

HEURISTIC: Final = "heuristic"
# Stored figures may be rounded: percentages and seconds to two decimals, scores to four.
_COARSE: Final = 0.0051
_FINE: Final = 0.000051


@dataclass(frozen=True, slots=True)
class PassRate:
    """SoPR in percent: the mean of the rounds' scores and their population standard deviation.

    `queries` is how many the test set has; the `unanswered` ones count as unsolved in every round. A round is the mean over the
    queries that have a readable vote in it: `lost` votes are left out, not counted as unsolved.
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
        spread = "" if self.deviation is None else f" ± {self.deviation:.1f}"
        told = f"SoPR {self.score:.1f}{spread} from {_counted(self.rounds, 'round')} over {_counted(self.queries, 'query')}"
        gaps = [f"{self.unanswered} unanswered"] if self.unanswered else []
        gaps += [f"{_counted(self.lost, 'vote')} lost"] if self.lost else []
        return f"{told} ({', '.join(gaps)})" if gaps else told


def pass_rate(votes: Mapping[str, Sequence[Vote]], query_ids: Sequence[str]) -> PassRate:
    """SoPR of the votes on a test set's queries."""
    answered = {
        query_id: {vote.round: vote.status for vote in votes[query_id]}
        for query_id in query_ids
        if query_id in votes
    }
    rounds = sorted({number for cast in answered.values() for number in cast})
    unanswered = len(query_ids) - len(answered)
    scores, lost = [], 0
    for number in rounds:
        cast = [cast.get(number) for cast in answered.values()]
        points = [POINTS[status] for status in cast if status is not None] + [0.0] * unanswered
        lost += cast.count(None)
        if points:
            scores.append(100 * fmean(points))
    score, spread = (fmean(scores), pstdev(scores)) if scores else (None, None)
    return PassRate(len(query_ids), unanswered, len(rounds), lost, score, spread)


@dataclass(frozen=True, slots=True)
class WinRate:
    """How often one system was preferred to the other, by query: more rounds won is a win, as many a tie."""

    candidate: str
    reference: str
    won: int
    lost: int
    tied: int

    def __str__(self) -> str:
        """One line."""
        total = self.won + self.lost + self.tied
        share = f"{100 * self.won / total:.1f} %" if total else "unknown"
        counts = f"{self.won} won, {self.lost} lost, {self.tied} tied"
        return f"{self.candidate} against {self.reference}: {counts}; win rate {share}"


def win_rates(file: PreferenceFile) -> tuple[WinRate, ...]:
    """A win rate for every pair of systems in a file of preferences, the second named of a query as the candidate."""
    leads: dict[tuple[str, str], list[int]] = {}
    for row in file.won.values():
        (reference, theirs), (candidate, ours) = row.items()
        if (reference, candidate) in leads:
            leads[reference, candidate].append(theirs - ours)
        else:
            leads.setdefault((candidate, reference), []).append(ours - theirs)
    return tuple(
        WinRate(
            *names, sum(d > 0 for d in found), sum(d < 0 for d in found), sum(d == 0 for d in found)
        )
        for names, found in leads.items()
    )


# ---------------------------------------------------------------- the wrapper's summaries


def wrapper_rate(file: AnswerFile) -> tuple[PassRate, int]:
    """SoPR of a wrapper's rows, and how many were decided by its heuristic.

    A system that failed has solved nothing. Rows of the heuristic and rows whose judge failed have no say.
    """
    votes: dict[str, tuple[Vote, ...]] = {}
    heuristic = 0
    for row in file.rows:
        query_id = str(row["query_id"])
        (vote,) = file.votes[query_id]
        if row.get("error") not in (None, ""):
            votes[query_id] = (Vote("unsolved"),)
        elif vote.by == HEURISTIC:
            heuristic += 1
        else:
            votes[query_id] = (vote,)
    return pass_rate(votes, list(votes)), heuristic


def differences(file: AnswerFile) -> Iterator[str]:
    """Every stored figure of a wrapper's summary that its own rows do not give."""
    for key, expected in _summary(file.rows).items():
        stored = _number(file.summary.get(key))
        if stored is None:
            continue
        tolerance = _FINE if key.endswith("_score") else _COARSE
        if expected is None or not math.isclose(stored, expected, rel_tol=0, abs_tol=tolerance):
            again = "nothing" if expected is None else f"{expected:.4g}"
            yield f"its summary says {key} {stored:.4g}, its rows give {again}"


def _summary(rows: Sequence[Mapping[str, Json]]) -> dict[str, float | None]:
    """The figures of a summary from the rows: shares of all rows, times over the rows that tell them."""
    total = len(rows)
    words = [str(_object(row.get("scores")).get("answer_status", "")).lower() for row in rows]
    finished = sum(_object(row.get("evaluation")).get("has_finish") is True for row in rows)
    counts = {"solved": words.count("solved"), "unsure": words.count("unsure"), "finish": finished}
    counts["unsolved"] = total - counts["solved"] - counts["unsure"]
    figures: dict[str, float | None] = {"total_queries": float(total)}
    for name, count in counts.items():
        figures[f"{name}_count"] = float(count)
        figures[f"{name}_percentage"] = 100 * count / total if total else 0.0
    figures["average_sopr_score"] = (
        (counts["solved"] + 0.5 * counts["unsure"]) / total if total else 0.0
    )
    shares = [share for row in rows if (share := api_share(row)) is not None]
    figures["average_api_call_score"] = fmean(shares) if shares else None
    for name in ("gold_answer_time", "system_answer_time", "evaluation_time"):
        times = [time for row in rows if (time := _time(row, name)) is not None]
        figures[f"average_{name}"] = fmean(times) if times else None
    return figures


def api_share(row: Mapping[str, Json]) -> float | None:
    """The share of a row's gold APIs that it called; None where it names none."""
    gold, called = _pairs(row.get("gold_apis")), _pairs(row.get("called_apis"))
    return len(gold & called) / len(gold) if gold else None


def _pairs(given: Json) -> set[tuple[str, str]]:
    entries = given if isinstance(given, list) else []
    return {
        (entry[0], entry[1])
        for entry in entries
        if isinstance(entry, list) and len(entry) >= 2 and _are_texts(entry[:2])
    }


def _are_texts(values: Sequence[Json]) -> bool:
    return all(isinstance(value, str) for value in values)


def _time(row: Mapping[str, Json], name: str) -> float | None:
    return _number(_object(row.get("timing")).get(name))


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _counted(number: int, noun: str) -> str:
    plural = "queries" if noun == "query" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
