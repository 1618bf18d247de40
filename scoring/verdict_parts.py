"""The verdicts on some of a board's responses files, and how such parts join.

Processes, shards and the cache hand them over. A part holds each distinct verdict once, in
DISTINCT. VERDICT_ROWS has the number of its row for each case and trial, so that most verdicts take
twelve bytes. For example, submission m1 answers three cases of suite s, and m2 only the first of
them. Both answer that case in the same way:

    FILES submission suite verdicts given   VERDICT_ROWS case trial row   DISTINCT outcome reason
          m1         s            3     3                   0     1   1   0        fail    missing
          m2         s            3     1                   1     1   2   1        pass    exact
                                                            2     1   1   2        fail    wrong
                                                            0     1   1
                                                            1     1   0
                                                            2     1   0

The first three rows of VERDICT_ROWS are those of m1. GIVEN has a row per record: here four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

import polars as pl

from leaderboard.frames import RECORDS, VERDICTS
from leaderboard.types import Suite
from scoring.judging.panel_questions import MissingCall
from scoring.tables.equal_answers import ANSWERS

FILES: Final = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "verdicts": pl.UInt32,  # rows of VERDICT_ROWS
        "given": pl.UInt32,  # rows of GIVEN
    }
)
VERDICT_ROWS: Final = pl.Schema(
    {
        "case": pl.UInt32,  # the position of the case in its suite
        "trial": pl.Int32,
        "row": pl.UInt32,  # of DISTINCT
    }
)
DISTINCT: Final = pl.Schema(
    {
        name: VERDICTS[name]
        for name in ("metric", "outcome", "score", "reason", "detail", "decided_by", "judge_call")
    }
)
_NAMES: Final = ("submission", "suite", "case_id")
GIVEN: Final = pl.Schema(
    [
        ("case", pl.UInt32()),
        *((name, dtype) for name, dtype in RECORDS.items() if name not in _NAMES),
        ("answer", ANSWERS["answer"]),
    ]
)
REPLIES: Final = pl.Schema({"judge": pl.String, "key": pl.String, "text": pl.String})

_CASE: Final = dict.fromkeys(("suite", "category", "case_id"), pl.String)

ResponsesFile = tuple[str, str]  # submission and suite


def _empty(schema: pl.Schema) -> Callable[[], pl.DataFrame]:
    return lambda: pl.DataFrame(schema=schema)


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """The verdicts on some files.

    `verdict_rows` and `given` have the rows of each file in the order of `files`. `replies` are
    those of the judges that were asked, `missing_calls` the judge calls without one.
    """

    files: pl.DataFrame = field(default_factory=_empty(FILES))
    verdict_rows: pl.DataFrame = field(default_factory=_empty(VERDICT_ROWS))
    distinct: pl.DataFrame = field(default_factory=_empty(DISTINCT))
    given: pl.DataFrame = field(default_factory=_empty(GIVEN))
    replies: pl.DataFrame = field(default_factory=_empty(REPLIES))
    missing_calls: tuple[MissingCall, ...] = ()

    def named(self) -> list[ResponsesFile]:
        """The submission and suite of each file, in order."""
        return list(self.files.select("submission", "suite").iter_rows())


def stacked(frames: Iterable[pl.DataFrame], schema: pl.Schema) -> pl.DataFrame:
    """Frames of this schema, one below the other."""
    return pl.concat([pl.DataFrame(schema=schema), *frames])


def join(parts: Sequence[ScoredPart], order: Sequence[ResponsesFile]) -> ScoredPart:
    """The files of `order`, in that order; of a file that two parts have, the first part's.

    A judge call that several parts miss is listed once. Raises KeyError for an unknown file.
    """
    rows_by_file: dict[ResponsesFile, _FileRows] = {}
    before = 0
    for part in parts:
        for file, rows in _rows_of(part, before):
            rows_by_file.setdefault(file, rows)
        before += part.distinct.height
    chosen = [rows_by_file[file] for file in order]
    wanted = set(order)
    missing: dict[tuple[str, ...], MissingCall] = {}
    for call in chain.from_iterable(part.missing_calls for part in parts):
        if (call.submission, call.suite) in wanted:
            missing.setdefault((call.suite, call.case_id, call.judge, call.reply.key), call)
    return ScoredPart(
        files=stacked([rows.file for rows in chosen], FILES),
        verdict_rows=stacked([rows.verdict_rows for rows in chosen], VERDICT_ROWS),
        distinct=stacked([part.distinct for part in parts], DISTINCT),
        given=stacked([rows.given for rows in chosen], GIVEN),
        replies=stacked([part.replies for part in parts], REPLIES).unique(maintain_order=True),
        missing_calls=tuple(missing.values()),
    )


class _FileRows(NamedTuple):
    file: pl.DataFrame
    verdict_rows: pl.DataFrame
    given: pl.DataFrame


def _rows_of(part: ScoredPart, before: int) -> Iterator[tuple[ResponsesFile, _FileRows]]:
    """The rows of each file of a part. `before`: how many rows of DISTINCT come before its own."""
    moved = part.verdict_rows.with_columns(pl.col("row") + pl.lit(before, pl.UInt32))
    first_verdict = first_given = 0
    for number, (submission, suite, verdicts, given) in enumerate(part.files.iter_rows()):
        yield (
            (submission, suite),
            _FileRows(
                file=part.files.slice(number, 1),
                verdict_rows=moved.slice(first_verdict, verdicts),
                given=part.given.slice(first_given, given),
            ),
        )
        first_verdict, first_given = first_verdict + verdicts, first_given + given


def unsettled(part: ScoredPart) -> set[ResponsesFile]:
    """The files with a verdict that waits for a judge's reply, or that a rule failed to give."""
    asked = part.distinct.with_row_index("row")
    asked = asked.select("row", pl.col("judge_call").str.split(" "))
    asked = asked.drop_nulls().explode("judge_call")
    waiting = asked.join(part.replies, left_on="judge_call", right_on="key", how="anti")
    failed = (part.distinct["reason"] == "rule_failed").arg_true().cast(pl.UInt32)
    return with_verdicts(part, pl.concat([waiting["row"], failed]))


def with_verdicts(part: ScoredPart, rows: pl.Series) -> set[ResponsesFile]:
    """The files that have one of these verdicts, given as rows of `distinct`."""
    files = part.files.with_row_index("file")
    numbers = _repeated_numbers(part.files["verdicts"])
    places = numbers.filter(part.verdict_rows["row"].is_in(rows.implode())).unique()
    return {(file[1], file[2]) for file in files[places].iter_rows()}


# ---------------------------------------------------------------- tables


def verdicts_of(part: ScoredPart, suites: Sequence[Suite]) -> pl.DataFrame:
    """The VERDICTS frame of a part."""
    decided = part.distinct.select(pl.all().gather(part.verdict_rows["row"]))
    frame = _cases_of(part, part.verdict_rows, "verdicts", suites).hstack(decided.get_columns())
    return frame.select(list(VERDICTS))


def records_of(part: ScoredPart, suites: Sequence[Suite]) -> pl.DataFrame:
    """The RECORDS frame of a part, with the column `answer` of ANSWERS."""
    frame = _cases_of(part, part.given, "given", suites)
    return frame.select(*RECORDS, "answer")


def _cases_of(
    part: ScoredPart, rows: pl.DataFrame, lengths: str, suites: Sequence[Suite]
) -> pl.DataFrame:
    """Adds the names of submission, suite, category and case to the rows of all files."""
    starts: dict[str, int] = {}
    cases: list[tuple[str, str, str]] = []
    for suite in suites:
        starts[suite.id] = len(cases)
        cases += [(suite.id, case.category, case.id) for case in suite.by_id.values()]
    names = pl.DataFrame(cases, schema=_CASE, orient="row")
    start = pl.Series([starts[suite] for suite in part.files["suite"]], dtype=pl.UInt32)
    files = _repeated_numbers(part.files[lengths])
    place = rows["case"] + start.gather(files)
    return rows.hstack(
        [part.files["submission"].gather(files), *names.select(pl.all().gather(place))]
    )


def _repeated_numbers(lengths: pl.Series) -> pl.Series:
    """The numbers 0, 1, 2 …, each as often as `lengths` says."""
    numbers = pl.Series(range(len(lengths)), dtype=pl.UInt32)
    return numbers.repeat_by(lengths).explode().drop_nulls()
