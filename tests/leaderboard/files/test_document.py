"""Reading JSON: every kind of bad file gets one clear problem, good files are read exactly."""

from __future__ import annotations

import gzip
import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.errors import FilesError
from leaderboard.files import document
from leaderboard.files.document import (
    Findings,
    locate,
    parse,
    path_text,
    read_bytes,
    read_named,
    read_text,
)
from leaderboard.limits import FILE_BYTES, TEXT_FILE_BYTES
from tests.each_row import each_row

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)

BAD = {
    "empty": (b"", "is empty"),
    "blank": (b" \n ", "is empty"),
    "byte order mark": (b"\xef\xbb\xbf[]", "byte order mark"),
    "utf-16": ("[]".encode("utf-16"), "UTF-16"),
    "utf-16 without mark": ("[1, 2]".encode("utf-16-le"), "UTF-16"),
    "latin-1": ('["caf\u00e9"]'.encode("latin-1"), "is not UTF-8"),
    "trailing comma": (b"[1,]", "trailing comma"),
    "cut off": (b'{"a": [1, 2', "is not JSON"),
    "comment": (b"[\n  // a comment\n  1\n]", "holds a comment"),
    "hash comment": (b"# a comment\n[]", "holds a comment"),
    "nan": (b"[NaN]", "holds NaN"),
    "infinity": (b"[-Infinity]", "holds Infinity"),
    "huge number": (b"[1e999]", "too large"),
    "lone surrogate": (b'["\\ud800"]', "surrogate"),
    "10,000 levels": (b"[" * 10_000 + b"]" * 10_000, "levels deep"),
    "20 MB of brackets": (b"[" * 20_000_000, "levels deep"),
    "50 MB of one word": (b'["' + b"x" * 50_000_000, "is not JSON"),
    "300 levels": (b"[" * 300 + b"]" * 300, "levels deep"),
    "repeated key": (b'{"a": 1, "a": 2}', "repeats the key 'a'"),
    "repeated key, blank before colon": (b'{"a" : 1, "a": 2}', "repeats the key 'a'"),
    "repeated key, written as an escape": (b'{"a": 1, "\\u0061": 2}', "repeats the key 'a'"),
    "repeated key, masked by an escaped quote": (
        b'{"a": "\\u0022:", "a": 2}',
        "repeats the key 'a'",
    ),
}


@each_row(("data", "what"), BAD.values())
def test_a_bad_document_is_a_problem_that_says_what(data: bytes, what: str) -> None:
    """Bad encodings, syntax, repeated keys and odd numbers are one problem each, with a fix."""
    with pytest.raises(FilesError) as caught:
        parse(data, "f.json")
    problem = caught.value.problems[0]
    assert "f.json" == problem.file
    assert what in problem.what
    assert problem.fix


def test_the_line_of_a_syntax_error_is_told() -> None:
    """A comment on line 2 is reported on line 2."""
    with pytest.raises(FilesError) as caught:
        parse(b"[\n  // a comment\n  1\n]", "f.json")
    assert 2 == caught.value.problems[0].line


def test_a_repeated_key_is_reported_where_it_repeats() -> None:
    """The second of two equal keys is the one that is shown, with its path."""
    with pytest.raises(FilesError) as caught:
        parse(b'{\n "a": {\n  "b": 1,\n  "b": 2\n }\n}', "f.json")
    assert (4, "$.a.b") == (caught.value.problems[0].line, caught.value.problems[0].at)


@given(JSON_VALUES)
def test_what_json_says_is_what_is_read(value: object) -> None:
    """JSON without repeated keys is read exactly, including integers beyond 64 bits."""
    try:
        text = json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return  # a lone surrogate: not UTF-8
    assert value == parse(text, "f.json")


@given(
    st.dictionaries(
        st.text('ab:"\\ \n', max_size=4), st.text('ab:"\\ ', max_size=6), min_size=1, max_size=4
    )
)
def test_a_key_given_twice_is_never_missed(members: dict[str, str]) -> None:
    """A repeated key is found, whatever quotes and colons the strings contain."""
    once = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in members.items()]
    assert members == parse(f"{{{','.join(once)}}}".encode(), "f.json")
    with pytest.raises(FilesError, match="repeats the key"):
        parse(f"{{{','.join([*once, once[0]])}}}".encode(), "f.json")


def test_places_are_found_by_path() -> None:
    """Keys and positions have the line they start on; missing ones have that of their parent."""
    data = b'{\n "a": [1, {"b": 2,\n   "c": "x\\"y"}, 3],\n "d": {"e": null}\n}'
    wanted = {("a", 1, "c"): 3, ("a", 0): 2, ("d", "e"): 4, ("d", "missing"): 4, (): 1}
    assert wanted == locate(data, wanted)


def test_a_document_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each empty list takes three bytes of a file, and many times more in memory."""
    monkeypatch.setattr(document, "JSON_VALUES", 100)
    assert len(parse(b"[" + b"[]," * 49 + b"[]]", "f.json")) == 50
    with pytest.raises(FilesError, match="holds more than 100 values"):
        parse(b"[" + b"[]," * 50 + b"[]]", "f.json")


def test_problems_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million problems take no gigabytes. An error among those that are counted stays one."""
    monkeypatch.setattr(document, "PROBLEMS_KEPT", 2)
    findings = Findings("f.json", b"[1, 2, 3, 4]")
    for index in range(3):
        findings.add((index,), "is odd", severity="warning")
    assert [str(problem) for problem in findings.problems()] == [
        "f.json:1 $[0]: is odd",
        "f.json:1 $[1]: is odd",
        "f.json: has more problems: 1 (fix the others first)",
    ]
    findings.raise_errors()
    findings.add((3,), "is wrong")
    with pytest.raises(FilesError, match="has more problems: 2"):
        findings.raise_errors()


def test_lines_are_looked_for_in_the_first_members_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem far down a large file has no line, and no wrong one. A repeated key is found."""
    monkeypatch.setattr(document, "_SCANNED", 3)
    assert locate(b"[1,\n2,\n3,\n4]", {(1,), (3,)}) == {(1,): 2}
    with pytest.raises(FilesError, match=r"^f\.json: repeats the key 'b'"):
        parse(b'{"a": ["\\u0022:", 2], "b": 3, "b": 4}', "f.json")


def test_paths_are_written_as_in_jsonpath() -> None:
    """Positions are in brackets, and unusual keys are quoted."""
    assert '$.test_results[3]["user query"].id' == path_text(
        ("test_results", 3, "user query", "id")
    )


@pytest.mark.parametrize("place", ["inside/link.json", "inside/below/secret.json"])
def test_t5_a_link_is_refused_wherever_it_leads(tmp_path: Path, place: str) -> None:
    """No link is followed, in any part of a path: not to other files, and not within a board."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.json").write_text("[]")
    (tmp_path / "inside" / "link.json").symlink_to("../secret.json")
    (tmp_path / "inside" / "below").symlink_to(tmp_path)
    for root in (tmp_path, tmp_path / "inside"):
        with pytest.raises(FilesError, match="is a link"):
            read_bytes(tmp_path / place, place, root)


def test_a_file_that_the_user_named_may_be_a_link(tmp_path: Path) -> None:
    """Download caches hold links, and a user who names a file means what it leads to."""
    (tmp_path / "data.json").write_text("[]")
    (tmp_path / "link.json").symlink_to(tmp_path / "data.json")
    assert read_named(tmp_path / "link.json", "link.json") == b"[]"


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    """Reading a named pipe would wait forever."""
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(FilesError, match="is not a regular file"):
        read_bytes(tmp_path / "pipe.json", "pipe.json", tmp_path)


def test_t12_an_archive_of_many_members_is_refused_at_once(tmp_path: Path) -> None:
    """A .gz of 200,000 members is one problem, in well under a second."""
    (tmp_path / "f.json.gz").write_bytes(gzip.compress(b"") * 200_000)
    start = time.monotonic()
    with pytest.raises(FilesError, match="is made of more than 100 gzip files"):
        read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)
    assert time.monotonic() - start < 5


def test_a_long_text_is_refused(tmp_path: Path) -> None:
    """A README, a page or a prompt has a limit of its own."""
    (tmp_path / "README.md").write_bytes(b"x" * (TEXT_FILE_BYTES + 1))
    with pytest.raises(FilesError, match="is longer than 131,072 bytes"):
        read_text(tmp_path / "README.md", "README.md", tmp_path)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    """A folder where a file should be is named as one."""
    (tmp_path / "f.json").mkdir()
    with pytest.raises(FilesError, match="is a folder"):
        read_bytes(tmp_path / "f.json", "f.json", tmp_path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """A file that is not there is a problem, not a traceback."""
    with pytest.raises(FilesError, match="cannot be read: No such file"):
        read_bytes(tmp_path / "f.json", "f.json", tmp_path)


def test_a_file_over_the_limit_is_refused_without_reading_it(tmp_path: Path) -> None:
    """More than 100 MB, which git hosts refuse, is refused here too."""
    with (tmp_path / "f.json").open("wb") as file:
        file.truncate(FILE_BYTES + 1)
    with pytest.raises(FilesError, match="the limit is 100 MB"):
        read_bytes(tmp_path / "f.json", "f.json", tmp_path)


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    """A .gz is unpacked, even if it has several members."""
    (tmp_path / "f.json.gz").write_bytes(gzip.compress(b"[1,") + gzip.compress(b"2]"))
    assert b"[1,2]" == read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"no gzip", "is not a gzip file"), (gzip.compress(b"[1, 2, 3]")[:-9], "ends in the middle")],
    ids=["not packed", "cut off"],
)
def test_a_damaged_pack_is_told(tmp_path: Path, data: bytes, what: str) -> None:
    """A file that is not gzip, or is cut off, is a problem."""
    (tmp_path / "f.json.gz").write_bytes(data)
    with pytest.raises(FilesError, match=what):
        read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)


def test_a_pack_that_fills_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small .gz that unpacks beyond the limit is refused."""
    monkeypatch.setattr("leaderboard.files.document.UNPACKED_BYTES", 1000)
    (tmp_path / "f.json.gz").write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(FilesError, match="unpacks to more than"):
        read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)
