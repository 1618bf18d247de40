"""Reading TOML."""

from __future__ import annotations

import time

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.json_files import At
from leaderboard.files.toml_files import locate_in_toml, parse_toml
from leaderboard.limits import TEXT_FILE_BYTES
from tests.each_row import each_row

LONG_KEY = b"b" + b".b" * 50_000


@each_row(
    ("data", "what"),
    [
        (b"a = ", "is not TOML"),
        (b"\xff", "is not UTF-8"),
        (b"<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> b\n", "f.toml:1: holds a merge conflict"),
        (b"a = " + b"[" * 100_000, "is nested too deep"),
        (b"a = " + b"9" * 10_000, "is not TOML"),
        (b"a = 2026-02-30", "is not TOML"),
        (b"a" + b".a" * 60_000 + b" = 1", "has a line with more than 100 dots"),
        (b"x = {a" + b" . a" * 30_000 + b" = 1}", "has a line with more than 100 dots"),
        (b'x = {a = "\\"", ' + LONG_KEY + b' = 1, c = "\\""}', "f.toml:1: has a line with more"),
        (b'x = {a = """\n""", ' + LONG_KEY + b' = 1, c = "b"}', "f.toml:2: has a line with more"),
        (b'x = {a = """b"""", ' + LONG_KEY + b' = 1, c = "b"}', "has a line with more than 100"),
        (b"x = {a = '''\n''', " + LONG_KEY + b" = 1, c = 'b'}", "has a line with more than 100"),
        (b'# """\n' + LONG_KEY + b' = """\n"""', "f.toml:2: has a line with more"),
        (b'x = """' + b'\\"""' * 20_000, "is not TOML"),
        (b'x = """' + b'\\"""\n' * 20_000 + b"\\", "is not TOML"),
        (b'x = "' + b'\\"' * 60_000, "is not TOML"),
        (b"\xef\xbb\xbfa = 1", "starts with a byte order mark"),
        (b"#" * (TEXT_FILE_BYTES + 1), "is longer than 131,072 bytes"),
    ],
)
def test_t12_bad_toml_is_one_problem_at_once(data: bytes, what: str) -> None:
    """Wrong, deep and very long TOML is a problem with a fix, in a moment."""
    start = time.monotonic()
    with pytest.raises(FilesError, match=what) as caught:
        parse_toml(data, "f.toml")
    assert time.monotonic() - start < 5
    assert caught.value.problems[0].fix


def test_long_texts_may_have_any_number_of_dots() -> None:
    """A description is no key."""
    assert parse_toml(b'description = "' + b"One. " * 200 + b'"', "f.toml")
    assert parse_toml(b'description = """\n' + b"One. " * 200 + b'"""', "f.toml")


@pytest.mark.large
def test_t12_the_lines_of_many_keys_are_found_in_linear_time() -> None:
    """Each key is found where it is first mentioned: as a key, in a table, in quotes."""
    text = "".join(f"key{number} = 1\n" for number in range(20_000))
    text += '[judges.my-judge]\nmodel = 1\n[a."b.c"]\n'
    wanted: set[At] = {("key" + str(number),) for number in range(20_000)}
    wanted |= {("judges", "my-judge"), ("judges", "my-judge", "model"), ("b.c",), ("none",)}
    start = time.monotonic()
    found = locate_in_toml(text.encode(), wanted)
    assert time.monotonic() - start < 5
    assert found["key0",] == 1
    assert found["judges", "my-judge"] == 20_001
    assert found["judges", "my-judge", "model"] == 20_002
    assert found["b.c",] == 20_003
    assert ("none",) not in found


def test_a_key_of_a_repeated_table_is_found_in_its_own_table() -> None:
    """Without the key, it is the line of the table."""
    text = b'[[categories]]\nid = "a"\n\n[[categories]]\ntitle = "B"\nid = "a"\n\n[x]\nid = 1\n'
    wanted: set[At] = {("categories", 1, "id"), ("categories", 1, "file"), ("categories", 1)}
    assert locate_in_toml(text, wanted) == {
        ("categories", 1, "id"): 6,
        ("categories", 1, "file"): 4,
        ("categories", 1): 4,
    }
