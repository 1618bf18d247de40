"""Cassette files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from vcr.persisters.filesystem import FilesystemPersister  # type: ignore[import-untyped]
from vcr.serializers import jsonserializer  # type: ignore[import-untyped]

from leaderboard.errors import FilesError
from replay.cassettes import cassette_file
from tests.each_row import each_row
from tests.replay.cassette_files import FILE, interaction, put


def test_a_cassette_is_one_ascii_line_per_call_sorted_by_key() -> None:
    """A cassette has a head, one line per interaction sorted by key, and a tail, all in ASCII."""
    data = cassette_file.dump([interaction("größer"), interaction("b"), interaction("c")])
    head, *lines, tail, end = data.decode("ascii").split("\n")
    keys = [cassette_file.key_of(json.loads(line.rstrip(","))) for line in lines]
    assert ('{"interactions": [', '], "version": 1}', "", sorted(map(str, keys))) == (
        head,
        tail,
        end,
        keys,
    )


def test_the_order_of_recording_is_irrelevant() -> None:
    """The same calls give the same bytes, in whatever order they were made."""
    calls = [interaction("a"), interaction("b"), interaction("c")]
    assert cassette_file.dump(calls) == cassette_file.dump(reversed(calls))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_written_cassettes_read_back(tmp_path: Path, count: int) -> None:
    """Reading returns what was written, sorted by key, also for an empty cassette."""
    calls = [interaction(str(number)) for number in range(count)]
    cassette_file.write(tmp_path, FILE, calls)
    assert sorted(calls, key=lambda call: str(cassette_file.key_of(call))) == cassette_file.read(
        tmp_path, FILE
    )


@pytest.mark.parametrize("count", [0, 2])
def test_stock_vcrpy_reads_what_is_written(tmp_path: Path, count: int) -> None:
    """The JSON serializer and the persister of vcrpy load the file."""
    cassette_file.write(tmp_path, FILE, [interaction(str(number)) for number in range(count)])
    requests, responses = FilesystemPersister.load_cassette(tmp_path / FILE, jsonserializer)
    assert (count, count) == (len(requests), len(responses))


def test_what_stock_vcrpy_writes_is_read(tmp_path: Path) -> None:
    """A cassette that vcrpy's JSON serializer laid out over many lines gives the same exchange."""
    put(
        tmp_path,
        jsonserializer.serialize({"version": 1, "interactions": [interaction("hi")]}).encode(),
    )
    read = cassette_file.exchange(cassette_file.read(tmp_path, FILE)[0])
    assert ("hi", "equivalent\nyes", 200) == (read.prompt, read.text, read.status)


@pytest.mark.parametrize(
    ("data", "what", "line"),
    [
        (b"", "is empty", None),
        (b"{", "JSON", 1),
        (cassette_file.dump([interaction("a"), interaction("b")])[:-30], "JSON", 3),
        (
            b'{"interactions": [\n{"request": {}, "response": {}},\nnope\n], "version": 1}\n',
            "JSON",
            3,
        ),
        (b"[]", 'lacks the list "interactions"', None),
        (b'{"interactions": {}}', 'lacks the list "interactions"', None),
        (
            b'{"interactions": [\n{"request": {}, "response": {}},\n{"request": {}}\n]}\n',
            'lacks "request"',
            3,
        ),
        ('{"interactions": []}'.encode("utf-16"), "UTF-16", None),
        (b"interactions:\n- request: {}\n", "JSON", 1),
        (b'{"interactions": [\xff]}', "UTF-8", 1),
    ],
)
def test_a_broken_cassette_is_never_empty(
    tmp_path: Path, data: bytes, what: str, line: int | None
) -> None:
    """A file that is not a cassette is a problem with file, line and fix, never empty."""
    put(tmp_path, data)
    with pytest.raises(FilesError) as raised:
        cassette_file.read(tmp_path, FILE)
    problem = raised.value.problems[0]
    assert (FILE, True, True) == (problem.file, what in problem.what, bool(problem.fix))
    assert problem.line == line


def test_a_folder_in_a_cassettes_place_is_reported(tmp_path: Path) -> None:
    """A folder named like a cassette is a problem, not a crash."""
    (tmp_path / FILE).mkdir(parents=True)
    with pytest.raises(FilesError, match="folder"):
        cassette_file.read(tmp_path, FILE)


def _changed(side: str, **members: Any) -> dict[str, Any]:
    changed = interaction("a")
    changed[side] = {**changed[side], **members}
    return changed


@each_row(
    ("odd", "what"),
    [
        (_changed("request", method=None), "no method"),
        (_changed("request", uri="http://[::1"), "cannot be read"),
        (_changed("request", body=None), "without a body"),
        (_changed("request", body="a=b"), "not JSON"),
        (_changed("response", status={}), "no.* status|without a status"),
        (_changed("response", body={"string": None}), "without a body"),
    ],
)
def test_an_odd_interaction_says_what_is_odd(odd: Any, what: str) -> None:
    """An interaction that is not a JSON call names the missing part, and has no key."""
    with pytest.raises(cassette_file.ShapeError, match=what):
        cassette_file.exchange(odd)
    assert cassette_file.key_of(odd) is None


def test_a_reply_that_is_no_json_has_no_text() -> None:
    """A recorded reply that cannot be parsed gives a sentence that is not a verdict."""
    odd = _changed("response", body={"string": "data: [DONE]"})
    assert cassette_file.exchange(odd).text == "[no text in the judge's reply: it is not JSON]"


def test_a_cassette_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cassette with very many judge calls is refused."""
    monkeypatch.setattr(cassette_file, "CASSETTE_CALLS", 1)
    put(tmp_path, cassette_file.dump([interaction("a"), interaction("b")]))
    with pytest.raises(FilesError, match="has 2 judge calls; the limit is 1"):
        cassette_file.read(tmp_path, FILE)
