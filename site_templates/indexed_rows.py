"""The rows of a board's tables as pages look them up: scores, usage, trials and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from leaderboard.ids import WHOLE
from leaderboard.rank_status_words import NOT_RANKED
from leaderboard.results import MissingAnswers
from leaderboard.types import DecidedBy, ImportedVote, Outcome, Response, Submission

# What a reader must know about a score that may depend on such replies.
SUBMITTER_RECORDED = "judge replies recorded by submitters"
_MOST: Final = 0.9  # of the answers that are no errors, in a cost or a latency that is shown


class ScorePlace(NamedTuple):
    """What a score is of: a submission on a suite, or on one of its categories."""

    submission: str
    suite: str
    category: str = WHOLE


@dataclass(frozen=True, slots=True)
class Score:
    """One row of SCORES. Shares are 0..1, except that `score` of a ratio may be higher.

    `score` is None if nothing is scored. `missing` counts the cases without a record, and
    `missing_trials` the trials without one of other cases: both are fails. `status` says
    why it has no rank, as in RANKS; None if nothing is ranked. `submitter_recorded`: it may rest on
    replies of a judge that its submitter recorded.
    `all_cases` counts those of the suite or category too that were not asked.
    """

    cases: int
    scored: int
    unscored: int
    score: float | None
    low: float | None
    high: float | None
    judged_share: float | None
    rules_only: float | None
    missing: int = 0
    missing_trials: int = 0
    status: str | None = None
    submitter_recorded: bool = False
    all_cases: int = 0

    @property
    def limits(self) -> tuple[float, float, float] | None:
        """Low end, score and high end; the ends equal the score if there is no interval."""
        if self.score is None:
            return None
        low = self.score if self.low is None else self.low
        high = self.score if self.high is None else self.high
        return low, self.score, high

    @property
    def not_ranked(self) -> str:
        """Why it has no rank, in words; "" if it has one, or if nothing is ranked."""
        return NOT_RANKED.get(self.status or "", "")

    @property
    def answered(self) -> str:
        """How many cases are answered, if not all are: "206 of 273 answered"; otherwise ""."""
        return MissingAnswers(self.missing, self.missing_trials).words(self.cases)

    @property
    def asked_in_part(self) -> bool:
        """Whether its card says that only some cases were asked, which it may have chosen."""
        return self.cases < self.all_cases

    @property
    def leaves_cases_out(self) -> bool:
        """Whether some cases were not asked, or have no answer in any trial."""
        return self.asked_in_part or self.missing > 0

    @property
    def part(self) -> str:
        """Which part of the cases was asked, and which answered; "" if all were."""
        asked = f"{self.cases:,} of {self.all_cases:,} cases asked" if self.asked_in_part else ""
        return ", ".join(filter(None, (asked, self.answered)))

    @property
    def remark(self) -> str:
        """What a reader must know about the score: cases without an answer, unscored verdicts."""
        unscored = f"{self.unscored:,} unscored" if self.unscored else ""
        recorded = SUBMITTER_RECORDED if self.submitter_recorded else ""
        return ", ".join(filter(None, (self.part, unscored, recorded)))


def best_first(score: float | None, name: str) -> tuple[bool, float, str]:
    """The key of an order: the best score first, equal ones by name, those without one last."""
    return (score is None, -(score or 0.0), name)


class RankRanges(NamedTuple):
    """The ranks that a submission may have: `own` holds for it alone, `joint` for all at once."""

    own: tuple[int, int]
    joint: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Usage:
    """What answering a suite cost, per response: US dollars, seconds. None if not reported.

    The cost is the mean of the `priced` responses, whose cost is known. That of a few responses
    says nothing about the others, so that pages show what is known for most of the answers.
    `same_in_trials` is the share of the cases with several answers that have the same each time.
    """

    responses: int
    trials: int
    same_in_trials: float | None
    errors: int
    priced: int
    cost_usd: float | None
    timed: int
    latency_p50: float | None

    @property
    def cost_per_1000(self) -> float | None:
        """US dollars per 1,000 responses, if it is known for most of the answers."""
        if self.cost_usd is None or not self._are_most(self.priced):
            return None
        return self.cost_usd * 1000

    @property
    def median_latency(self) -> float | None:
        """Seconds, if they are known for most of the answers."""
        return self.latency_p50 if self._are_most(self.timed) else None

    def _are_most(self, responses: int) -> bool:
        return responses >= _MOST * (self.responses - self.errors)


@dataclass(frozen=True, slots=True)
class Trials:
    """How often all of `k` trials of a case pass (`hat`), and how often at least one does (`at`).

    Both are means over the cases, 0..1.
    """

    k: int
    cases: int
    hat: float
    at: float


@dataclass(frozen=True, slots=True)
class Tails:
    """The shares of the scored verdicts with too few and with too many steps, 0..1.

    For a whole suite they are means with the weights of its score.
    """

    few: float
    many: float


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one answer by a metric other than the ranked one."""

    metric: str
    outcome: Outcome
    score: float | None
    reason: str
    detail: str
    decided_by: DecidedBy


class Answer(NamedTuple):
    """What one submission answered to one case in one trial, with its verdict.

    A board has up to a million of them. Those with equal verdicts share its texts.

    `response` is None without a record. `key` is that of `answer_key`, None if nothing is
    answered. The verdict is by the ranked metric; `further` has those
    by the others, in the order of the suite's metrics. `votes` are imported votes of other judges.
    """

    submission: Submission
    trial: int
    response: Response | None
    key: bytes | None
    outcome: Outcome
    reason: str
    detail: str
    decided_by: DecidedBy
    judge_calls: tuple[str, ...]
    further: tuple[Finding, ...] = ()
    votes: tuple[ImportedVote, ...] = ()
