"""Which submissions give the same answer to a case, found by digests of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import polars as pl

from leaderboard.responses.answer_identity import answer_key
from leaderboard.types import Json, Records, Response, Suite

# One row per submission, suite, case and trial that was answered. Equal answers to a case have
# equal digests.
ANSWERS: Final = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "case_id": pl.String,
        "trial": pl.Int32,
        "answer": pl.UInt64,  # the start of its answer_key; null if nothing was answered
    }
)


def answers(
    suites: Iterable[Suite], records: Mapping[tuple[str, str], Records], *, folded: bool = False
) -> pl.DataFrame:
    """The ANSWERS frame of all records, which are keyed by (submission, suite).

    `folded`: see `answer_key`.
    """
    digests = {suite.id: AnswerDigests(suite, folded) for suite in suites}
    return answers_frame(
        DigestedAnswers(submission, suite_id, made, digests[suite_id].of(made.responses))
        for (submission, suite_id), made in sorted(records.items(), key=lambda item: item[0])
        if suite_id in digests
    )


class DigestedAnswers(NamedTuple):
    """A submission's records of a suite, and the digests of their answers in the same order."""

    submission: str
    suite: str
    records: Records
    digests: Sequence[int | None]


def answers_frame(parts: Iterable[DigestedAnswers]) -> pl.DataFrame:
    """The ANSWERS frame of these answers, in their order."""
    columns: dict[str, list[Json]] = {name: [] for name in ANSWERS}
    for part in parts:
        columns["submission"] += [part.submission] * len(part.records)
        columns["suite"] += [part.suite] * len(part.records)
        columns["case_id"] += [response.case_id for response in part.records.responses]
        columns["trial"] += part.records.trials
        columns["answer"] += part.digests
    return pl.DataFrame(columns, schema=ANSWERS)


@dataclass(slots=True)
class AnswerDigests:
    """A digest for each distinct answer to a case of a suite. Each distinct response is read once.

    It is the same in every process. Two answers share one by chance in one of 10^10 boards with a
    thousand different answers to each of a thousand cases.
    """

    suite: Suite
    folded: bool = False
    _known: dict[Response, int | None] = field(default_factory=dict)

    def of(self, responses: Sequence[Response]) -> list[int | None]:
        any_order = self.suite.kind.calls_in_any_order
        for response in set(responses).difference(self._known):
            case = self.suite.by_id[response.case_id]
            key = answer_key(case, response, in_any_order=any_order, folded=self.folded)
            self._known[response] = None if key is None else int.from_bytes(key[:8], "big")
        return list(map(self._known.__getitem__, responses))
