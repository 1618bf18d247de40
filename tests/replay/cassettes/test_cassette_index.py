"""The index over all cassettes."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from replay.cassettes import cassette_file
from replay.cassettes.cassette_index import Index
from replay.cassettes.maintainers_recordings import add_recordings
from tests.replay.cassette_files import interaction, judges, put


def key_of(prompt: str) -> str:
    key = cassette_file.key_of(interaction(prompt))
    assert key is not None
    return key


def test_every_recorded_call_is_found_with_its_place(tmp_path: Path) -> None:
    """A call is found by its key, with the judge's reply and its place."""
    cassette_file.write(
        tmp_path,
        "cassettes/j/s/a.json",
        [interaction("1", "equivalent"), interaction("2", "different")],
    )
    cassette_file.write(tmp_path, "cassettes/j/s/b.json", [interaction("3", "equivalent\nwhy")])
    index = Index.load(tmp_path)
    found = index.find(key_of("3"))
    assert found is not None
    assert (3, "equivalent\nwhy", "cassettes/j/s/b.json", 0) == (
        len(list(index)),
        found.text,
        found.file,
        found.position,
    )
    read = cassette_file.exchange(cassette_file.read(tmp_path, found.file)[found.position])
    assert read.prompt == "3"


def test_an_unrecorded_call_is_not_found(tmp_path: Path) -> None:
    """An unknown key gives None; so does a workspace without cassettes."""
    assert Index.load(tmp_path).find(key_of("1")) is None


def test_a_stored_key_is_not_trusted(tmp_path: Path) -> None:
    """The key is computed from the recorded body. A key that a file states is ignored."""
    forged = {**interaction("1", "different"), "key": key_of("2")}
    put(tmp_path, cassette_file.dump([forged]))
    index = Index.load(tmp_path)
    assert (True, None) == (index.find(key_of("1")) is not None, index.find(key_of("2")))


def test_t3_two_replies_to_one_request_contradict_each_other(tmp_path: Path) -> None:
    """A second, different reply is a problem with both places. An equal one is not."""
    judges(tmp_path, "submitters")
    put(tmp_path, cassette_file.dump([interaction("1", "equivalent")]), "cassettes/j/s/a.json")
    put(
        tmp_path,
        cassette_file.dump([interaction("0"), interaction("1", "different")]),
        "cassettes/j/s/b.json",
    )
    put(tmp_path, cassette_file.dump([interaction("1", "equivalent")]), "cassettes/j/s/c.json")
    index = Index.load(tmp_path)
    found = index.find(key_of("1"))
    assert found is not None
    (problem,) = index.contradictions
    position = [item["request"]["body"] for item in cassette_file.read(tmp_path, problem.file)]
    line = 2 + position.index(interaction("1")["request"]["body"])
    assert ("cassettes/j/s/b.json", line) == (problem.file, problem.line)
    assert "differs from that in cassettes/j/s/a.json, interaction 0" in problem.what
    names = [file.rpartition("/")[2] for file in index.files_of(key_of("1"))]
    assert ["a.json", "b.json", "c.json"] == names


def test_t3_what_is_merged_wins(tmp_path: Path) -> None:
    """A proposal's other reply to a merged request never counts, and is reported."""
    base, proposed = tmp_path / "base", tmp_path / "proposed"
    judges(base, "submitters")
    put(base, cassette_file.dump([interaction("1", "different")]), "cassettes/j/s/z.json")
    for name, reply in (("a", "equivalent"), ("z", "different")):
        file = f"cassettes/j/s/{name}.json"
        put(proposed, cassette_file.dump([interaction("1", reply)]), file)
    index = Index.load(proposed, Index.load(base))
    found = index.find(key_of("1"))
    assert found is not None
    assert found.text == "different"
    (problem,) = index.contradictions
    assert problem.file == "cassettes/j/s/a.json"
    assert "differs from that in cassettes/j/s/z.json" in problem.what
    assert "; the other one was merged first" in problem.what

    judges(base, "maintainers")
    assert Index.load(proposed, Index.load(base)).contradictions == []


def different_replies(root: Path) -> Index:
    for name, reply in (("a", "different"), ("b", "equivalent"), ("c", "hm")):
        put(root, cassette_file.dump([interaction("1", reply)]), f"cassettes/j/s/{name}.json")
    return Index.load(root)


def test_replies_that_do_not_count_contradict_none(tmp_path: Path) -> None:
    """Several submitters may have recorded one request before a maintainer does: a warning."""
    judges(tmp_path, "maintainers")
    index = different_replies(tmp_path)

    assert ([], set()) == (index.contradictions, index.superseded)
    assert [("warning", "cassettes/j/s/b.json"), ("warning", "cassettes/j/s/c.json")] == [
        (problem.severity, problem.file) for problem in index.ignored
    ]
    assert all("; neither counts" in problem.what for problem in index.ignored)


def test_t3_the_reply_of_a_maintainer_is_found_among_others(tmp_path: Path) -> None:
    """Replies in earlier and later cassettes never take its place, and are named."""
    judges(tmp_path, "maintainers")
    add_recordings(tmp_path, {key_of("1"): "equivalent"})
    index = different_replies(tmp_path)

    found = index.find(key_of("1"))
    assert found is not None
    assert ("cassettes/j/s/b.json", "equivalent") == (found.file, found.text)
    assert index.contradictions == []
    assert {("cassettes/j/s/a.json", 0), ("cassettes/j/s/c.json", 0)} == index.superseded
    assert {"cassettes/j/s/a.json", "cassettes/j/s/c.json"} == {
        problem.file for problem in index.ignored
    }
    names = [file.rpartition("/")[2] for file in index.files_of(key_of("1"))]
    assert ["b.json", "a.json", "c.json"] == names


def test_recorded_errors_and_odd_calls_are_never_replayed(tmp_path: Path) -> None:
    """A recorded 429 is not a reply, and a number over 64 bits prevents a key."""
    big = interaction("2")
    big["request"]["body"] = '{"model": "m", "messages": [], "seed": 36893488147419103232}'
    put(
        tmp_path,
        b'{"interactions": ['
        + b",".join(map(cassette_file.line_of, [interaction("1", status=429), big]))
        + b"]}",
    )
    index = Index.load(tmp_path)
    assert ([], 2) == (list(index), len(index.problems))
    assert ["error", "64 bits"] == [
        word
        for word, problem in zip(["error", "64 bits"], index.problems, strict=True)
        if word in problem.what
    ]


def test_all_broken_files_are_reported_at_once(tmp_path: Path) -> None:
    """One broken cassette does not hide the next one."""
    for name in ("a", "b"):
        put(tmp_path, b"{", f"cassettes/j/s/{name}.json")
    put(tmp_path, cassette_file.dump([interaction("1")]), "cassettes/j/s/c.json")
    with pytest.raises(FilesError) as raised:
        Index.load(tmp_path)
    assert ["cassettes/j/s/a.json", "cassettes/j/s/b.json"] == [
        problem.file for problem in raised.value.problems
    ]


def test_loading_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    """The collector is off only while cassettes are read, also when reading fails."""
    put(tmp_path, b"{")
    with pytest.raises(FilesError):
        Index.load(tmp_path)
    assert gc.isenabled()


@pytest.mark.large
def test_replaying_imports_neither_vcrpy_nor_an_sdk() -> None:
    """Looking calls up imports no vcrpy, SDK or HTTP library: they cost half a second and more."""
    code = (
        "import sys, replay.asker, replay.recorded_calls, replay.cassettes.cassette_check\n"
        "import replay.cassettes.nearest_call, replay.providers.embedded\n"
        "heavy = {'vcr', 'openai', 'google.genai', 'httpx', 'httpx2', 'aiohttp'}\n"
        "heavy |= {'http.server', 'polars', 'pydantic', 'replay.lexical'}\n"
        "print(sorted(heavy.intersection(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
