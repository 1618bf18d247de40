"""Which judge calls the answers of each submission, and the labelled pairs, need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from leaderboard.files.cassette_paths import LABELS, CassettePath
from leaderboard.load import Contents
from leaderboard.types import Ask, JudgeCall, JudgeReply
from scoring.scorer import score_all


def needed_judge_calls(contents: Contents, ask: Ask) -> dict[str, tuple[CassettePath, ...]]:
    """The judge calls that answers need, by key: the cassettes of all who need them, in order.

    All judges of leaderboard.toml count, not only the panel. `ask` answers from cassettes, because
    a follow-up is needed only after certain replies. Who recorded these does not matter.
    """
    judges = [
        replace(judge, recordings="submitters") for judge in contents.leaderboard.judges.values()
    ]
    asked: dict[str, set[str]] = {}

    def noting(calls: Sequence[JudgeCall]) -> Sequence[JudgeReply]:
        replies = ask(calls)
        for call, reply in zip(calls, replies, strict=True):
            asked.setdefault(reply.key, set()).add(call.judge.name)
        return replies

    scored = score_all(contents, judges, noting)
    labelled = scored.labelled.with_columns(submission=pl.lit(LABELS))
    columns = ["suite", "submission", "judge_call"]
    rows = pl.concat([scored.verdicts.select(columns), labelled.select(columns)])
    needed: dict[str, set[CassettePath]] = {}
    for suite, submission, keys in rows.drop_nulls("judge_call").unique().iter_rows():
        for key in keys.split(" "):
            for judge in asked.get(key, ()):
                needed.setdefault(key, set()).add(CassettePath(judge, suite, submission))
    return {key: tuple(sorted(places)) for key, places in needed.items()}
