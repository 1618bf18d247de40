"""The cache of API replies: keys, stored replies, broken files, many writers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from leaderboard.files.json_files import parse
from runners.apis import reply_cache
from runners.apis.api_call import ApiReply
from runners.apis.reply_cache import ApiCache, CachedReply, CacheFileError, key_of
from runners.apis.reply_files import place_of
from tests.conftest import PROJECT
from tests.runners.apis.cached_replies import ENTRY, FILE, PLACE, as_stored, legacy, reply


def test_a_32_keys_do_not_depend_on_order_or_spelling_of_numbers() -> None:
    """A-32: the order of keys and 3 or 3.0 make no difference. Text and numbers differ."""
    assert key_of({"a": 1, "b": [2.0, {"d": 0, "c": -0.0}]}) == key_of(
        {"b": [2, {"c": 0, "d": 0.0}], "a": 1.0}
    )
    assert '{"a":1,"b":"é"}' == key_of({"b": "é", "a": 1})
    assert 4 == len({key_of({"a": value}) for value in (1, "1", True, None)})


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("{'stop': 'Harbour Square'}", {"stop": "Harbour Square"}),
        ("{'b': 2, 'a': 1}", {"a": 1, "b": 2}),
        ("{'a': 1, 'b': 2}", {"b": 2, "a": 1}),
        ("{'n': 3.0}", {"n": 3}),
        ("{'n': 3}", {"n": 3.0}),
        ("{'q': \"it's\", 't': True, 'z': None}", {"q": "it's", "t": True, "z": None}),
        ("{}", {}),
        ('{"b": 2, "a": 1}', {"a": 1, "b": 2}),
    ],
)
def test_a_32_legacy_keys_are_found(tmp_path: Path, stored: str, asked: dict[str, Any]) -> None:
    """A-32: upstream's keys, Python's text of the input, are found in any order."""
    legacy(tmp_path, {stored: reply("here")})
    assert ApiReply("", "here") == ApiCache(tmp_path).find(PLACE, asked)


def test_a_canonical_key_wins_over_a_legacy_key(tmp_path: Path) -> None:
    """Of two legacy keys the first counts."""
    legacy(tmp_path, {"{'a': 1.0}": reply("legacy"), '{"a":1}': reply("canonical")})
    legacy(
        tmp_path,
        {"{'a': 1.0}": reply("first"), "{'a': 1}": reply("second")},
        FILE.replace("next", "last"),
    )
    cache = ApiCache(tmp_path)
    assert ApiReply("", "canonical") == cache.find(PLACE, {"a": 1})
    assert ApiReply("", "first") == cache.find(
        place_of(ApiName("Transportation", "TramLine", "last departures")), {"a": 1}
    )


def test_odd_keys_are_skipped(tmp_path: Path) -> None:
    """Keys that are not an input (numbers, code, deep nesting, NaN) hide no other reply."""
    odd = [
        "7",
        "null",
        "[1]",
        "__import__('os')",
        "(" * 5000,
        "{'a': nan}",
        '{"a": NaN}',
        "{1: 2}",
        "",
        "{'a': {1, 2}}",
    ]
    legacy(tmp_path, {**{key: reply(key) for key in odd}, "{'a': 1}": reply("good")})
    assert ApiReply("", "good") == ApiCache(tmp_path).find(PLACE, {"a": 1})


def test_a_stored_reply_is_found_again(tmp_path: Path) -> None:
    """The file has one line per reply, sorted by key, with source, model and time."""
    cache = ApiCache(tmp_path)
    cache.store(PLACE, {"stop": "B"}, ENTRY)
    cache.store(
        PLACE,
        {"stop": "A", "n": 3.0},
        CachedReply(ApiReply("", {"x": 1}), "simulation", "m-1", None),
    )
    assert (
        b'{\n"{\\"n\\":3,\\"stop\\":\\"A\\"}": {"error": "", "response": {"x": 1},'
        b' "source": "simulation", "model": "m-1", '
        b'"time": null},\n"{\\"stop\\":\\"B\\"}": {"error": "", "response": "18:04 line 3",'
        b' "source": "real", "model": null, '
        b'"time": "2031-01-01T00:00:00+00:00"}\n}\n'
    ) == (tmp_path / FILE).read_bytes()
    assert ApiReply("", {"x": 1}) == ApiCache(tmp_path).find(PLACE, {"n": 3, "stop": "A"})


def test_entries_of_upstream_stay_as_they_are(tmp_path: Path) -> None:
    """A new reply does not change the keys and values of the file."""
    legacy(tmp_path, {"{'stop': 'Old'}": reply("old")})
    cache = ApiCache(tmp_path)
    cache.store(PLACE, {"stop": "New"}, ENTRY)
    document = json.loads((tmp_path / FILE).read_bytes())
    assert reply("old") == document["{'stop': 'Old'}"]
    assert ApiReply("", "old") == cache.find(PLACE, {"stop": "Old"})


@pytest.mark.parametrize(
    "bad",
    [
        ApiReply("boom", "x"),
        ApiReply("", ""),
        ApiReply("", "  \n"),
        ApiReply("", None),
        ApiReply("", {}),
        ApiReply("", []),
    ],
)
def test_a_33_a_34_failures_and_empty_replies_are_never_kept(tmp_path: Path, bad: ApiReply) -> None:
    """A-33, A-34: a failure or an empty reply must not become the API's answer."""
    assert ApiCache(tmp_path).store(PLACE, {}, CachedReply(bad, "simulation")) is None
    assert [] == list(tmp_path.rglob("*"))


@pytest.mark.parametrize("something", [0, False, "0", [0], {"a": None}])
def test_a_34_zero_is_not_empty(tmp_path: Path, something: Any) -> None:
    """A-34: 0 and false are replies."""
    cache = ApiCache(tmp_path)
    assert ApiReply("", something) == cache.store(
        PLACE, {}, CachedReply(ApiReply("", something), "real")
    )
    assert ApiReply("", something) == cache.find(PLACE, {})


def test_a_33_a_34_upstreams_stored_failures_are_misses(tmp_path: Path) -> None:
    """A-33, A-34:

    placeholders, empty replies and other values are misses. An error text is a reply.
    """
    bad = [
        {"error": "Failed to generate fake response", "response": ""},
        {"error": "", "response": ""},
        ["no", "reply"],
        "text",
        None,
        {"response": "x"},
        {"error": 5, "response": "x"},
    ]
    legacy(
        tmp_path,
        {f"{{'a': {number}}}": value for number, value in enumerate(bad)}
        | {"{'a': 99}": {"error": "No such stop", "response": ""}},
    )
    cache = ApiCache(tmp_path)
    assert [None] * len(bad) == [cache.find(PLACE, {"a": number}) for number in range(len(bad))]
    assert ApiReply("No such stop", "") == cache.find(PLACE, {"a": 99})


def test_the_first_of_two_equal_calls_is_kept(tmp_path: Path) -> None:
    """An existing reply, also under a legacy key, is returned and not replaced."""
    legacy(tmp_path, {"{'a': 1}": reply("first")})
    assert ApiReply("", "first") == ApiCache(tmp_path).store(PLACE, {"a": 1.0}, ENTRY)
    assert ["{'a': 1}"] == list(json.loads((tmp_path / FILE).read_bytes()))


def test_a_file_that_was_written_here_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recording costs the same however many replies there are. Another writer's are kept too."""
    legacy(tmp_path, {"{'stop': 'old'}": reply("old")})
    cache = ApiCache(tmp_path)
    read: list[str] = []

    def counted(data: bytes, name: str) -> Any:
        read.append(name)
        return parse(data, name)

    monkeypatch.setattr(reply_cache, "parse", counted)
    for number in range(20):
        cache.store(PLACE, {"stop": number}, ENTRY)
        assert ENTRY.reply == cache.find(PLACE, {"stop": number})
    assert len(read) == 2  # the replies, and the lines to keep
    ApiCache(tmp_path).store(PLACE, {"stop": "other"}, ENTRY)
    cache.store(PLACE, {"stop": "last"}, ENTRY)
    kept = json.loads((tmp_path / PLACE.path).read_bytes())
    assert len(kept) == 23
    assert kept["{'stop': 'old'}"] == reply("old")
    assert (tmp_path / PLACE.path).read_bytes() == as_stored(kept)


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    """Replies of another process are seen at once."""
    reader, writer = ApiCache(tmp_path), ApiCache(tmp_path)
    assert reader.find(PLACE, {"a": 1}) is None
    writer.store(PLACE, {"a": 1}, ENTRY)
    assert ENTRY.reply == reader.find(PLACE, {"a": 1})
    writer.store(PLACE, {"a": 2}, ENTRY)
    assert ENTRY.reply == reader.find(PLACE, {"a": 2})


@pytest.mark.parametrize(
    "content", ["{", "", "[]", '{"a": NaN}', "\ufeff{}", '{"a": {}, "a": {}}', "[" * 3000]
)
def test_a_36_an_unreadable_file_is_an_error_and_is_kept(tmp_path: Path, content: str) -> None:
    """A-36: it does not count as empty. Storing renames it and never overwrites it."""
    path = legacy(tmp_path, content)
    before = path.read_bytes()
    cache = ApiCache(tmp_path)
    with pytest.raises(CacheFileError):
        cache.find(PLACE, {})
    assert before == path.read_bytes()
    cache.store(PLACE, {}, ENTRY)
    assert before == path.with_name("next_departures.json.unreadable").read_bytes()
    assert ENTRY.reply == cache.find(PLACE, {})


def test_a_36_no_file_set_aside_replaces_another(tmp_path: Path) -> None:
    """A-36: the second unreadable file gets another name."""
    cache = ApiCache(tmp_path)
    for content in ("one", "two"):
        legacy(tmp_path, content)
        cache.set_aside(PLACE)
    legacy(tmp_path, {"{}": reply("good")})
    cache.set_aside(PLACE)
    names = {path.name: path.read_text() for path in (tmp_path / FILE).parent.iterdir()}
    assert ("one", "two") == (
        names["next_departures.json.unreadable"],
        names["next_departures.json.unreadable-2"],
    )
    assert ApiReply("", "good") == cache.find(PLACE, {})


WRITER = """
import sys
from pathlib import Path
from leaderboard.apis.api_names import ApiName
from leaderboard.files.json_files import parse
from runners.apis import reply_cache
from runners.apis.api_call import ApiReply
from runners.apis.reply_cache import ApiCache, CachedReply
from runners.apis.reply_files import place_of
root, name, number_of_replies = sys.argv[1:]
cache = ApiCache(Path(root))
place = place_of(ApiName("Transportation", "TramLine", "next departures"))
for number in range(int(number_of_replies)):
    reply = ApiReply("", f"{name} {number} " + "x" * 500)
    cache.store(place, {"writer": name, "n": number}, CachedReply(reply, "real"))
    print(number, flush=True)
"""


def writer(root: Path, name: str, number: int) -> subprocess.Popen[str]:
    project = PROJECT
    words = [sys.executable, "-c", WRITER, str(root), name, str(number)]
    return subprocess.Popen(words, cwd=project, stdout=subprocess.PIPE, text=True)


@pytest.mark.large
def test_a_36_processes_and_threads_lose_nothing(tmp_path: Path) -> None:
    """A-36: two processes and four threads write 100 replies into one file. All are stored."""
    others = [writer(tmp_path, name, 20) for name in ("p", "q")]
    cache = ApiCache(tmp_path)

    def write(name: str) -> None:
        for number in range(15):
            cache.store(
                PLACE,
                {"writer": name, "n": number},
                CachedReply(ApiReply("", f"{name} {number}"), "real"),
            )

    threads = [threading.Thread(target=write, args=(f"t{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in others:
        other.communicate(timeout=60)
    assert 100 == len(json.loads((tmp_path / FILE).read_bytes()))
    assert ApiReply("", "t3 14") == cache.find(PLACE, {"writer": "t3", "n": 14})
    assert ["next_departures.json"] == [path.name for path in (tmp_path / FILE).parent.iterdir()]


@pytest.mark.large
def test_a_36_a_killed_writer_breaks_nothing(tmp_path: Path) -> None:
    """A-36: after SIGKILL the file has every confirmed reply, and the next writer continues."""
    for _ in range(3):
        killed = writer(tmp_path, "k", 100_000)
        assert killed.stdout is not None
        confirmed = [killed.stdout.readline() for _ in range(3)]
        time.sleep(0.05)
        os.kill(killed.pid, signal.SIGKILL)
        confirmed += killed.stdout.read().splitlines()
        killed.stdout.close()
        killed.wait()
        stored = json.loads((tmp_path / FILE).read_bytes())
        assert {f'{{"n":{int(line)},"writer":"k"}}' for line in confirmed if line.strip()} <= set(
            stored
        )
    assert ENTRY.reply == ApiCache(tmp_path).store(PLACE, {"after": True}, ENTRY)
    assert ["next_departures.json"] == [path.name for path in (tmp_path / FILE).parent.iterdir()]


def test_examples_are_sorted_and_few(tmp_path: Path) -> None:
    """The examples of a simulation do not depend on the order of the replies."""
    cache = ApiCache(tmp_path)
    for number in (3, 1, 2):
        cache.store(PLACE, {"n": number}, ENTRY)
    assert ['{"n":1}', '{"n":2}'] == [key for key, _ in cache.examples(PLACE, 2)]


def test_files_are_ascii(tmp_path: Path) -> None:
    """Any editor and any locale can read a file."""
    ApiCache(tmp_path).store(PLACE, {"ключ": "é"}, ENTRY)
    stored = (tmp_path / PLACE.path).read_bytes()
    assert stored.isascii()
    assert [key_of({"ключ": "é"})] == list(json.loads(stored))
