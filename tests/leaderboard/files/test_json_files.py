"""Reading JSON: every kind of bad file gets one clear problem, good files are read exactly."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.errors import FilesError
from leaderboard.files import json_files
from leaderboard.files.json_files import locate, parse, path_text
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
    "gzip": (b"\x1f\x8b\x08\x00", "is compressed with gzip"),
    "utf-16 without mark": ("[1, 2]".encode("utf-16-le"), "UTF-16"),
    "latin-1": ('["caf\u00e9"]'.encode("latin-1"), "is not UTF-8"),
    "trailing comma": (b"[1,]", "trailing comma"),
    "cut off": (b'{"a": [1, 2', "is not JSON"),
    "merge conflict": (b"[\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> b\n]", "a merge conflict"),
    "markers in a broken text": (b'["<<<<<<< HEAD"', "is not JSON"),
    "comment": (b"[\n  // a comment\n  1\n]", "holds a comment"),
    "hash comment": (b"# a comment\n[]", "holds a comment"),
    "nan": (b"[NaN]", "holds NaN"),
    "infinity": (b"[-Infinity]", "holds Infinity"),
    "huge number": (b"[1e999]", "too large"),
    "lone surrogate": (b'["\\ud800"]', "surrogate"),
    "10,000 levels": (b"[" * 10_000 + b"]" * 10_000, "levels deep"),
    "300 levels": (b"[" * 300 + b"]" * 300, "levels deep"),
    "repeated key": (b'{"a": 1, "a": 2}', "repeats the key 'a'"),
    "repeated key, blank before colon": (b'{"a" : 1, "a": 2}', "repeats the key 'a'"),
    "repeated key, written as an escape": (b'{"a": 1, "\\u0061": 2}', "repeats the key 'a'"),
    "repeated key, masked by an escaped quote": (
        b'{"a": "\\u0022:", "a": 2}',
        "repeats the key 'a'",
    ),
}

BIG = {
    "20 MB of brackets": (b"[" * 20_000_000, "levels deep"),
    "50 MB of one word": (b'["' + b"x" * 50_000_000, "is not JSON"),
}


@pytest.mark.large
@each_row(("data", "what"), BIG.values())
def test_a_big_bad_document_is_a_problem_that_says_what(data: bytes, what: str) -> None:
    """Neither takes minutes or much memory to refuse."""
    check_bad(data, what)


@each_row(("data", "what"), BAD.values())
def test_a_bad_document_is_a_problem_that_says_what(data: bytes, what: str) -> None:
    """Bad encodings, syntax, repeated keys and odd numbers are one problem each, with a fix."""
    check_bad(data, what)


def check_bad(data: bytes, what: str) -> None:
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


def test_the_comma_that_a_deleted_last_line_leaves_is_named() -> None:
    """As in history/index.json, of which people delete lines."""
    with pytest.raises(FilesError) as caught:
        parse(b'{"snapshots": [\n  {"sequence":1},\n]}\n', "index.json")
    problem = caught.value.problems[0]
    assert (problem.line, problem.fix) == (2, "delete this comma")


def test_a_repeated_key_is_reported_where_it_repeats() -> None:
    """The second of two equal keys is the one that is shown, with its path."""
    with pytest.raises(FilesError) as caught:
        parse(b'{\n "a": {\n  "b": 1,\n  "b": 2\n }\n}', "f.json")
    assert (4, "$.a.b") == (caught.value.problems[0].line, caught.value.problems[0].at)


@pytest.mark.large
@given(JSON_VALUES)
def test_what_json_says_is_what_is_read(value: object) -> None:
    """JSON without repeated keys is read exactly, including integers beyond 64 bits."""
    try:
        text = json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return  # a lone surrogate: not UTF-8
    assert value == parse(text, "f.json")


@pytest.mark.large
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
    monkeypatch.setattr(json_files, "JSON_VALUES", 100)
    assert len(parse(b"[" + b"[]," * 49 + b"[]]", "f.json")) == 50
    with pytest.raises(FilesError, match="holds more than 100 values"):
        parse(b"[" + b"[]," * 50 + b"[]]", "f.json")


def test_lines_are_looked_for_in_the_first_members_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem far down a large file has no line, and no wrong one. A repeated key is found."""
    monkeypatch.setattr(json_files, "_SCANNED", 3)
    assert locate(b"[1,\n2,\n3,\n4]", {(1,), (3,)}) == {(1,): 2}
    with pytest.raises(FilesError, match=r"^f\.json: repeats the key 'b'"):
        parse(b'{"a": ["\\u0022:", 2], "b": 3, "b": 4}', "f.json")


def test_paths_are_written_as_in_jsonpath() -> None:
    """Positions are in brackets, and unusual keys are quoted."""
    assert '$.test_results[3]["user query"].id' == path_text(
        ("test_results", 3, "user query", "id")
    )
