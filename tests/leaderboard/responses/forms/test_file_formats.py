"""Files that hold foreign records, and their limits."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime

import polars as pl
import pytest

from leaderboard.errors import FilesError
from leaderboard.responses.forms import file_formats
from leaderboard.responses.forms.file_formats import read_container
from tests.each_row import each_row


def packed(*names: str, text: bytes = b'{"id": 1}') -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, text)
    return buffer.getvalue()


def frame_bytes(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def parquet(rows: int) -> bytes:
    return frame_bytes(pl.DataFrame({"id": [str(row) for row in range(rows)]}))


@each_row(
    ("data", "name", "places"),
    [
        (b'{"id": 1}\n\n{"id": 1}', "JSON lines", ("line 1", "line 3")),
        (b'[{"id": 1},\n{"id": NaN}]', "JSON", ("record 1", "record 2")),
        (b'\xef\xbb\xbfid;text\n1;"a"\n', "CSV", ("row 2",)),
        (b"id\n1\n", "CSV", ("row 2",)),
        (b'sep=;\r\nid;text\r\n1;"a, b"\r\n', "CSV", ("row 3",)),
        (b"ID,Text\r1,a\r", "CSV", ("row 2",)),
        (b"id,text,x\n1,a,\n\n,,\n2,b,\n\n\n", "CSV", ("row 2", "row 5")),
        (parquet(2), "Parquet", ("row 1", "row 2")),
        (packed("samples/a.json", "header.json"), "zip", ("samples/a.json",)),
    ],
)
def test_the_content_says_what_a_file_is(data: bytes, name: str, places: tuple[str, ...]) -> None:
    """The values have places for messages. NaN, which Python writes, is null."""
    found = read_container(data, "x")

    assert (found.name, found.places) == (name, places)
    assert all(isinstance(value, dict) and "id" in value for value in found.values)


def test_cells_of_parquet_are_values_of_json() -> None:
    """NaN is null, also inside lists. Dates are texts, and so are bytes of texts."""
    when = datetime(2026, 1, 31, 12, tzinfo=UTC)
    row = {"id": 1, "f": math.nan, "list": [[1.5, math.inf]], "when": when, "raw": b"x"}
    (found,) = read_container(frame_bytes(pl.DataFrame([row])), "x").values

    assert found == {
        "id": 1,
        "f": None,
        "list": [[1.5, None]],
        "when": "2026-01-31T12:00:00+00:00",
        "raw": "x",
    }


@each_row(
    ("data", "columns"),
    [
        (b"id,note,note\n1,a,b\n", ["id", "note", "note_duplicated_0"]),
        (b"ID,note, note,f1 \n1,a,b,c\n", ["id", "note", " note", "f1"]),
        (b"id,, \n1,a,b\n", ["id", "", " "]),
        (frame_bytes(pl.DataFrame({"ID ": ["1"], "": ["a"], " ": ["b"]})), ["id", "", " "]),
    ],
)
def test_columns_that_nobody_reads_may_have_one_name(data: bytes, columns: list[str]) -> None:
    """Also one of blanks, as beside an index. Blanks around other names are left out."""
    (found,) = read_container(data, "x").values
    assert isinstance(found, dict)
    assert list(found) == columns


def test_a_column_that_json_cannot_have_is_named() -> None:
    """Bytes that are no text."""
    with pytest.raises(FilesError, match="values in column 'image' that are no text"):
        read_container(frame_bytes(pl.DataFrame({"id": ["1"], "image": [b"\xff"]})), "x")


@each_row(
    ("data", "what"),
    [
        (b" \n", "is empty"),
        (b"a,b\n\xff,1\n", "is not UTF-8"),
        (b"id\n", "is neither JSON, JSON lines, CSV"),
        (b"one column\n1\n", "is neither JSON, JSON lines, CSV"),
        ("a,b\n1,2\n".encode("utf-16-le"), "looks like UTF-16"),
        (
            '[{"id": 1}]'.encode("utf-16"),
            r"UTF-8, but looks like UTF-16 \(save it in UTF-8\)",
        ),
        (b"id,answer,answer\n1,a,b\n", "has 2 columns 'answer'"),
        (b"ID,id\n1,2\n", "has 2 columns 'id'"),
        (frame_bytes(pl.DataFrame({"ID": ["1"], "id": ["2"]})), "has 2 columns 'id'"),
        (b"null", "holds only null"),
        (b"a,b\n\x00,1\n", "is neither JSON, JSON lines, CSV"),
        (b"a,b\n1,2\n\n3,4,5,6\n", r"has 4 cells in row 4, but 2 columns \(put a text with ','"),
        (b"sep=,\na,b\n1,2,3\n", "has 3 cells in row 3, but 2 columns"),
        (b'a,b\n1,"2"\n3,"4\n5,6\n', r"has a quote in row 3 that does not close .* \(write "),
        (b'a,b\n1,"2"\n3,"4\n5,"6"\n', "has a quote in row 3 that does not close"),
        (b'a,b\n1,"2" or 3\n', "has a quote in row 2 that does not close"),
        (packed("xl/workbook.xml"), "is an Excel file"),
        (b'{"id": 1}\n{"id": \n', "is not JSON"),
        (b'[{"id": NaN}, {"id": ]', "is not JSON"),
        (b"PAR1 and no more", "is not a Parquet file"),
        (b"PK\x03\x04 and no more", "cannot be unpacked"),
        (packed("other.json"), "is a zip file, but not an Inspect log"),
    ],
)
def test_a_broken_file_is_a_problem(data: bytes, what: str) -> None:
    """It names the file, and for lines the line."""
    with pytest.raises(FilesError, match=what):
        read_container(data, "x")


@pytest.mark.parametrize(
    ("limit", "make", "what"),
    [
        ("MOST_RECORDS", lambda n: b'{"id": 1}\n' * n, "more than 3 lines"),
        ("MOST_RECORDS", lambda n: b"a,b\n" + b"1,2\n" * n, "more than 3 rows"),
        ("MOST_RECORDS", parquet, "has 4 rows; the limit is 3"),
        ("UNPACKED_BYTES", lambda n: b"a,b\n" + b"1,\n" * n, "more than 3 rows|of text"),
        ("UNPACKED_BYTES", parquet, "unpacks to more than"),
        ("UNPACKED_BYTES", lambda n: packed("samples/a.json", text=b"1" * n), "unpacks to more"),
        ("SAMPLE_BYTES", lambda n: packed("samples/a.json", text=b"1" * n), "a sample of more"),
        (
            "ARCHIVE_FILES",
            lambda n: packed(*(f"samples/{name}.json" for name in range(n))),
            "holds 4 files; the limit is 3",
        ),
    ],
)
def test_every_limit_is_enforced(
    monkeypatch: pytest.MonkeyPatch, limit: str, make: Callable[[int], bytes], what: str
) -> None:
    """At the limit a file is read. One more is a problem that says so."""
    monkeypatch.setattr(file_formats, limit, 3)
    with pytest.raises(FilesError, match=what):
        read_container(make(4), "x")
    if limit != "UNPACKED_BYTES":
        assert read_container(make(3), "x").values
