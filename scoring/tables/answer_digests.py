"""The digests of answers: which submissions give the same answer to a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from leaderboard.responses.answer_key import answer_key
from leaderboard.types import Records, Response, Suite
from scoring.tables.bulk_series import chained, repeated

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
    files = [
        (submission, suite, given)
        for (submission, suite), given in sorted(records.items(), key=lambda item: item[0])
        if suite in digests
    ]
    lengths = [len(given) for _, _, given in files]
    case_ids = ([response.case_id for response in given.responses] for _, _, given in files)
    found = (digests[suite].of(given.responses) for _, suite, given in files)
    columns = [
        repeated("submission", [submission for submission, _, _ in files], lengths),
        repeated("suite", [suite for _, suite, _ in files], lengths),
        chained("case_id", case_ids, pl.String),
        chained("trial", (given.trials for _, _, given in files), pl.Int32),
        chained("answer", found, ANSWERS["answer"]),
    ]
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
        for response in set(responses).difference(self._known):
            case = self.suite.by_id[response.case_id]
            key = answer_key(case, response, folded=self.folded)
            self._known[response] = None if key is None else int.from_bytes(key[:8], "big")
        return list(map(self._known.__getitem__, responses))
