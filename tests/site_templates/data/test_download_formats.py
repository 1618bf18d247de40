"""The download_formats of data files."""

from __future__ import annotations

import csv
import io
import json

import polars as pl

from site_templates.data.download_formats import encode, written
from tests.each_row import each_row


@each_row(
    ("text", "guarded"),
    [
        ('=HYPERLINK("http://a.example","b")', '\'=HYPERLINK("http://a.example","b")'),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=", "\t'="),
        ("\uff1d1; \uff0b1", "'\uff1d1;' \uff0b1"),
    ],
)
def test_no_cell_of_a_csv_file_is_a_formula(text: str, guarded: str) -> None:
    """Details hold what a model wrote. Parquet keeps it, and numbers stay numbers."""
    frame = pl.DataFrame({"detail": [text, "fine = fine", None], "score": [-1.0, 0.5, None]})
    files = dict(written("data/verdicts", frame))
    _, *rows = csv.reader(io.StringIO(files["data/verdicts.csv"].decode()))

    assert [[guarded, "-1.0"], ["fine = fine", "0.5"], ["", ""]] == rows
    assert frame.equals(pl.read_parquet(io.BytesIO(files["data/verdicts.parquet"])))


def test_letters_of_a_json_file_take_no_more_room_than_in_an_answer() -> None:
    """They are not escaped. Half a surrogate pair, which UTF-8 cannot hold, comes back too."""
    value = {"answer": "東京 🚋 \ud800", "quoted": '"\\'}
    written = encode(value)
    assert "東京 🚋".encode() in written
    assert json.loads(written) == value
