"""Parts of a board's verdicts: what processes, shards and the cache hand over, and how they join.

A part has the verdicts on some responses files in a normal form: each distinct verdict once, and
for each case and trial the row of its verdict. Twelve bytes are enough for most verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

import polars as pl

from leaderboard.frames import RECORDS, VERDICTS
from leaderboard.types import Suite
from scoring.judging.panel import Missing
from scoring.tables.bulk_series import repeated_numbers
from scoring.tables.case_health import ANSWERS

FILES: Final = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "places": pl.UInt32,  # rows of PLACES
        "given": pl.UInt32,  # rows of GIVEN
    }
)
PLACES: Final = pl.Schema(
    {
        "case": pl.UInt32,  # the position of the case in its suite
        "trial": pl.Int32,
        "verdict": pl.UInt32,  # a row of TABLE
    }
)
TABLE: Final = pl.Schema(
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

File = tuple[str, str]  # submission and suite


def _empty(schema: pl.Schema) -> Callable[[], pl.DataFrame]:
    return lambda: pl.DataFrame(schema=schema)


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """The verdicts on some files.

    `places` and `given` have the rows of each file in the order of `files`. `replies` are those of
    the judges that were asked, `missing` the judge calls without one.
    """

    files: pl.DataFrame = field(default_factory=_empty(FILES))
    places: pl.DataFrame = field(default_factory=_empty(PLACES))
    table: pl.DataFrame = field(default_factory=_empty(TABLE))
    given: pl.DataFrame = field(default_factory=_empty(GIVEN))
    replies: pl.DataFrame = field(default_factory=_empty(REPLIES))
    missing: tuple[Missing, ...] = ()

    def named(self) -> list[File]:
        """The submission and suite of each file, in order."""
        return list(self.files.select("submission", "suite").iter_rows())


def stacked(frames: Iterable[pl.DataFrame], schema: pl.Schema) -> pl.DataFrame:
    """Frames of this schema, one below the other."""
    return pl.concat([pl.DataFrame(schema=schema), *frames])


def join(parts: Sequence[ScoredPart], order: Sequence[File]) -> ScoredPart:
    """The files of `order`, in that order; of a file that two parts have, the first part's.

    A judge call that several parts miss is listed once. Raises KeyError for an unknown file.
    """
    known: dict[File, _FileRows] = {}
    before = 0
    for part in parts:
        for file, rows in _rows_of(part, before):
            known.setdefault(file, rows)
        before += part.table.height
    chosen = [known[file] for file in order]
    wanted = set(order)
    missing: dict[tuple[str, ...], Missing] = {}
    for call in chain.from_iterable(part.missing for part in parts):
        if (call.submission, call.suite) in wanted:
            missing.setdefault((call.suite, call.case_id, call.judge, call.reply.key), call)
    return ScoredPart(
        files=stacked([rows.file for rows in chosen], FILES),
        places=stacked([rows.places for rows in chosen], PLACES),
        table=stacked([part.table for part in parts], TABLE),
        given=stacked([rows.given for rows in chosen], GIVEN),
        replies=stacked([part.replies for part in parts], REPLIES).unique(maintain_order=True),
        missing=tuple(missing.values()),
    )


class _FileRows(NamedTuple):
    file: pl.DataFrame
    places: pl.DataFrame
    given: pl.DataFrame


def _rows_of(part: ScoredPart, before: int) -> Iterator[tuple[File, _FileRows]]:
    """The rows of each file of a part. `before`: so many rows of TABLE come before its own."""
    moved = part.places.with_columns(pl.col("verdict") + pl.lit(before, pl.UInt32))
    place = record = 0
    for number, (submission, suite, places, given) in enumerate(part.files.iter_rows()):
        rows = moved.slice(place, places), part.given.slice(record, given)
        yield (submission, suite), _FileRows(part.files.slice(number, 1), *rows)
        place, record = place + places, record + given


def unsettled(part: ScoredPart) -> set[File]:
    """The files with a verdict that waits for a judge's reply, or that a rule failed to give."""
    asked = part.table.with_row_index("verdict").select(
        "verdict", pl.col("judge_call").str.split(" ")
    )
    asked = asked.drop_nulls().explode("judge_call")
    waiting = asked.join(part.replies, left_on="judge_call", right_on="key", how="anti")
    failed = (part.table["reason"] == "rule_failed").arg_true().cast(pl.UInt32)
    return with_verdicts(part, pl.concat([waiting["verdict"], failed]))


def with_verdicts(part: ScoredPart, rows: pl.Series) -> set[File]:
    """The files that have one of these verdicts, given as rows of `table`."""
    files = part.files.with_row_index("file")
    numbers = repeated_numbers(part.files["places"])
    found = numbers.filter(part.places["verdict"].is_in(rows.implode())).unique()
    return {(file[1], file[2]) for file in files[found].iter_rows()}


# ---------------------------------------------------------------- tables


def verdicts_of(part: ScoredPart, suites: Sequence[Suite]) -> pl.DataFrame:
    """The VERDICTS frame of a part."""
    decided = part.table.select(pl.all().gather(part.places["verdict"]))
    frame = _cases_of(part, part.places, "places", suites).hstack(decided.get_columns())
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
    start = part.files["suite"].replace_strict(starts, return_dtype=pl.UInt32)
    files = repeated_numbers(part.files[lengths])
    place = rows["case"] + start.gather(files)
    return rows.hstack(
        [part.files["submission"].gather(files), *names.select(pl.all().gather(place))]
    )
