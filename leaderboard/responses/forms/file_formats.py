"""The file formats of foreign records: JSON, JSON lines, CSV, Parquet and zip, also packed.

The content decides, not the name, because a pipe has none.
"""

from __future__ import annotations

import csv
import io
import json
import lzma
import math
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Literal

from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import unpack
from leaderboard.files.json_files import parse
from leaderboard.limits import ARCHIVE_FILES, MOST_RECORDS, SAMPLE_BYTES, UNPACKED_BYTES, megabytes
from leaderboard.responses.forms.table_cells import KNOWN_FIELDS, column_name
from leaderboard.types import Json

if TYPE_CHECKING:
    from polars import DataFrame

# What the standard library raises for archives that are cut off, forged, or packed in new ways.
_ZIP_ERRORS: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, EOFError),
    *(ValueError, KeyError, OverflowError, NotImplementedError, RuntimeError),
)
# Endings of files that are no responses files, but that can be converted.
FOREIGN_ENDINGS: Final = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".eval", ".gz")

ContainerName = Literal["JSON", "JSON lines", "CSV", "Parquet", "zip"]

_SPLIT: Final = "split the file"
_SEPARATORS: Final = (",", ";", "\t")
_PARQUET: Final = b"PAR1"
_ONE_COLUMN: Final = re.compile(r'"?\w+"?\s*')  # the first line of a table with one column
_NOT_JSON: Final = re.compile(rb"\bNaN\b|\bInfinity\b")
_SAVE_UTF8: Final = "save it in UTF-8"
_SAVE_CSV: Final = "save it as CSV in UTF-8, with the names of the columns in its first line"


@dataclass(frozen=True, slots=True)
class Container:
    """The values of a file. `places` names each in messages: "line 3", or "record 3".

    `document` is the whole value of a JSON file, and None in others.
    """

    name: ContainerName
    values: tuple[Json, ...]
    places: tuple[str, ...]
    document: Json = None


def read_container(data: bytes, shown: str) -> Container:
    """Reads the bytes of a file, packed or not. Raises FilesError with one problem."""
    if data.startswith(b"\x1f\x8b"):
        data = unpack(data, shown)
    if data.startswith(_PARQUET):
        return _table("Parquet", _parquet(data, shown), 1, shown)
    if data.startswith(b"PK\x03\x04"):
        return _archive(data, shown)
    if data.startswith(b"\xef\xbb\xbf"):  # spreadsheets write a byte order mark
        data = data[3:]
    if b"\n" not in data:  # as old spreadsheets end lines
        data = data.replace(b"\r", b"\n")
    if data.lstrip()[:1] in (b"{", b"["):
        lines = [number for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
        if len(lines) == 1 or not _is_json_value(data.lstrip().split(b"\n", 1)[0]):
            return _document(_parse(data, shown))
        return _lines(data, shown)
    return _csv(data, shown)


def _is_json_value(line: bytes) -> bool:
    """Whether a line is an object or array by itself, as in JSON lines."""
    try:
        return isinstance(parse(line, ""), dict | list)
    except FilesError:
        return False


def _document(document: Json) -> Container:
    values = tuple(document) if isinstance(document, list) else (document,)
    places = tuple(f"record {number}" for number in range(1, len(values) + 1))
    return Container("JSON", values, places, document)


def _lines(data: bytes, shown: str) -> Container:
    """Reads one JSON value per line. Raises FilesError with the problem of the first bad line."""
    values: list[Json] = []
    places = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        if len(values) == MOST_RECORDS:
            what = f"has more than {MOST_RECORDS:,} lines"
            raise FilesError.about(shown, what, _SPLIT)
        try:
            values.append(_parse(line, shown))
        except FilesError as error:
            raise FilesError([replace(p, line=number) for p in error.problems]) from error
        places.append(f"line {number}")
    return Container("JSON lines", tuple(values), tuple(places))


def _table(
    name: ContainerName, rows: Iterator[dict[str, Json]], first_number: int, shown: str
) -> Container:
    values: list[Json] = []
    places: list[str] = []
    size = 0
    for number, row in enumerate(rows, first_number):
        if not any(value is not None and str(value).strip() for value in row.values()):
            continue  # spreadsheets write rows without any value
        size += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(values) == MOST_RECORDS or size > UNPACKED_BYTES:
            what = f"has more than {MOST_RECORDS:,} rows, or {megabytes(UNPACKED_BYTES)} of text"
            raise FilesError.about(shown, what, _SPLIT)
        values.append(row)
        places.append(f"row {number}")
    return Container(name, tuple(values), tuple(places))


def _parquet(data: bytes, shown: str) -> Iterator[dict[str, Json]]:
    import polars  # noqa: PLC0415 - most files are JSON

    try:
        frame = polars.scan_parquet(io.BytesIO(data))
        count = int(frame.select(polars.len()).collect().item())
        if count > MOST_RECORDS:
            what = f"has {count:,} rows; the limit is {MOST_RECORDS:,}"
            raise FilesError.about(shown, what, _SPLIT)
        table = frame.collect()
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        what = f"is not a Parquet file: {str(error).splitlines()[0]:.200}"
        raise FilesError.about(shown, what, "write it again") from error
    if table.estimated_size() > UNPACKED_BYTES:
        what = f"unpacks to more than {megabytes(UNPACKED_BYTES)}"
        raise FilesError.about(shown, what, _SPLIT)
    table.columns = _columns(table.columns, shown)
    return _plain_rows(table, shown)


def _plain_rows(table: DataFrame, shown: str) -> Iterator[dict[str, Json]]:
    """The rows of a table with values of JSON only. Raises FilesError for other ones."""
    import polars  # noqa: PLC0415 - most files are JSON

    others = [
        name
        for name, kind in table.schema.items()
        if not (kind.is_integer() or kind in (polars.String, polars.Boolean))
    ]
    for row in table.iter_rows(named=True):
        for name in others:
            try:
                row[name] = _plain(row[name])
            except ValueError as error:
                what = f"has values in column {name!r} that are no text and no number"
                raise FilesError.about(shown, what, "leave the column out") from error
        yield row


def _plain(value: Json) -> Json:
    """A value as JSON has it: NaN becomes null, and a date a text. Raises ValueError."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float | Decimal):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode()
    if value is None or isinstance(value, str | int):
        return value
    raise ValueError(type(value).__name__)


def _csv(data: bytes, shown: str) -> Container:
    """Reads a table of texts. Cells with JSON stay text here."""
    import polars  # noqa: PLC0415 - most files are JSON

    if not data.strip():
        raise FilesError.about(shown, "is empty", "write records into it")
    if 3 * data[:64].count(b"\x00") > len(data[:64]):
        raise FilesError.about(shown, "is not UTF-8, but looks like UTF-16", _SAVE_UTF8)
    first_number = 2
    if data[:4].lower() == b"sep=":  # Excel's note of the separator
        data = data.partition(b"\n")[2]
        first_number = 3
    try:
        head = data.split(b"\n", 1)[0].decode("utf-8")
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FilesError.about(shown, "is not UTF-8", _SAVE_UTF8) from error
    separator = max(_SEPARATORS, key=head.count)
    is_column = bool(_ONE_COLUMN.fullmatch(head)) and data.strip().count(b"\n") > 0
    if b"\x00" in data or not (separator in head or is_column):
        if data.strip() in (b"null", b"true", b"false"):
            what = f"holds only {data.strip().decode()}"
            raise FilesError.about(shown, what, "write a list of records")
        what = "is neither JSON, JSON lines, CSV, Parquet nor an Inspect log"
        raise FilesError.about(shown, what, _SAVE_CSV)
    try:
        _columns(next(csv.reader([head], delimiter=separator)), shown)
        table = polars.read_csv(data, infer_schema=False, separator=separator)
        table.columns = _columns(table.columns, shown)
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, csv.Error) as error:
        if bad := _bad_row(data, separator, first_number):
            raise FilesError.about(shown, *bad) from error
        what = f"is not CSV: {str(error).splitlines()[0]:.200}"
        raise FilesError.about(shown, what, _SAVE_CSV) from error
    return _table("CSV", table.iter_rows(named=True), first_number, shown)


def _columns(names: Sequence[str], shown: str) -> list[str]:
    """The fields that the columns of a table are. Raises FilesError for one that occurs twice.

    Other columns whose names differ only in blanks keep them.
    """
    columns = list(map(column_name, names))
    counts = Counter(columns)
    for name, number in counts.items():
        if number > 1 and name in KNOWN_FIELDS:
            what = f"has {number} columns {name!r}"
            raise FilesError.about(shown, what, "keep one of them, or give them different names")
    given = zip(columns, names, strict=True)
    return [column if counts[column] == 1 else name for column, name in given]


def _bad_row(data: bytes, separator: str, first_number: int) -> tuple[str, str] | None:
    """What is wrong with a row of a table, and how to fix it; None if no row is known to be bad.

    It has more cells than the first one, or a quote that does not end its cell.
    """
    text = io.StringIO(data.decode(), newline="")
    rows = csv.reader(text, delimiter=separator, strict=True)
    number = first_number - 1  # of the row before
    try:
        columns = len(next(rows))
        for number, row in enumerate(rows, first_number):
            if len(row) > columns:
                what = f"has {len(row)} cells in row {number}, but {columns} columns"
                return what, f"put a text with {separator!r} in quotes"
    except csv.Error:
        what = f"has a quote in row {number + 1} that does not close where its cell ends"
        return what, 'write "..." around the whole cell, and "" for each quote in it'
    return None


def _archive(data: bytes, shown: str) -> Container:
    """Reads the samples of an Inspect log. Raises FilesError for other archives."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            samples = [n for n in names if n.startswith("samples/") and n.endswith(".json")]
            if any(name.startswith("xl/") for name in names):
                raise FilesError.about(shown, "is an Excel file", _SAVE_CSV)
            if not samples:
                what = "is a zip file, but not an Inspect log with samples"
                fix = "give the file with the answers itself, as JSON, CSV or Parquet"
                raise FilesError.about(shown, what, fix)
            if len(names) > ARCHIVE_FILES:
                what = f"holds {len(names):,} files; the limit is {ARCHIVE_FILES:,}"
                raise FilesError.about(shown, what, _SPLIT)
            values = tuple(_samples(archive, samples, shown))
    except _ZIP_ERRORS as error:
        what = f"cannot be unpacked: {error}"
        fix = "convert it first: inspect log convert --to json --output-dir DIR FILE"
        raise FilesError.about(shown, what, fix) from error
    return Container("zip", values, tuple(samples))


def _samples(archive: zipfile.ZipFile, names: Iterable[str], shown: str) -> Iterator[Json]:
    room = UNPACKED_BYTES
    for name in names:
        with archive.open(name) as file:
            text = file.read(SAMPLE_BYTES + 1)  # the archive may declare a wrong size
        room -= len(text)
        if len(text) > SAMPLE_BYTES or room < 0:
            most = f"{megabytes(UNPACKED_BYTES)}, or a sample of more than"
            what = f"unpacks to more than {most} {megabytes(SAMPLE_BYTES)}"
            raise FilesError.about(shown, what, _SPLIT)
        yield _parse(text, f"{shown}/{name}")


def _parse(data: bytes, shown: str) -> Json:
    """Parses JSON. NaN and infinities, which Python's harnesses write for scores, become null."""
    try:
        return parse(data, shown)
    except FilesError as error:
        if not _NOT_JSON.search(data):
            raise
        try:
            return json.loads(data, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            raise error from None
