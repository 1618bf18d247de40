"""Changes to good files, as accidents and attackers make them."""

from __future__ import annotations

import gzip
import json
import zlib
from contextlib import suppress
from random import Random
from typing import Any, Final

STRANGE: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 101, 2**63, -(2**70), 1e308, 0.5),
    *("", " ", "x", "\x00", "\u202e", "\ud7ff", "{", "'", '"', "1e999", "NaN", "../..", "a" * 5000),
    *("{'return_type': 'give_answer', 'final_answer': '" + " " * 3000, "Step 1: {'name': '", "]]>"),
    *([], [[]], {}, {"": ""}, [None], [{}], {"id": "A001"}, [[[[[[[[[]]]]]]]]]),
)
BYTES: Final = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"{", b"}", b"[", b"]", b'"', b"'", b"\\", b",", b":"),
    *(b"\n", b"=", b"#", b"`", b"*", b"|", b"<script>", b"[a](b)", b"{{got}}", b"[" * 400),
    *(
        b"9" * 400,
        b" " * 3000,
        b'"id":1,',
        b"\\ud800",
        b"&#0;",
        b"a.b." * 60,
        b"> " * 200,
        b"(" * 500,
    ),
)


def mutated(data: bytes, random: Random) -> bytes:
    """Returns a file with one to four changes: to its values if it is JSON, or to its bytes."""
    if data.startswith(b"\x1f\x8b") and random.random() < 0.8:
        with suppress(OSError, EOFError, zlib.error):
            return gzip.compress(mutated(gzip.decompress(data), random), mtime=0)
    if random.random() < 0.7:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            pass
        else:
            for _ in range(random.randint(1, 4)):
                value = _changed_value(value, random)
            return json.dumps(value, ensure_ascii=random.random() < 0.5).encode("utf-8", "replace")
    for _ in range(random.randint(1, 4)):
        data = _changed_bytes(data, random)
    return data


def _changed_value(value: Any, random: Random) -> Any:
    """Returns a JSON value with a change somewhere inside, or instead of it."""
    inside = value and random.random() < 0.85
    if isinstance(value, dict) and inside:
        return _changed_object(value, random)
    if isinstance(value, list) and inside:
        return _changed_list(value, random)
    if isinstance(value, str) and value and random.random() < 0.4:
        data = _changed_bytes(value.encode("utf-8", "replace"), random)
        return data.decode("utf-8", "replace")
    return random.choice(STRANGE)


def _changed_object(value: dict[str, Any], random: Random) -> dict[str, Any]:
    key, chance = random.choice(sorted(value)), random.random()
    if chance < 0.15:
        return {name: item for name, item in value.items() if name != key}
    if chance < 0.25:
        return {**value, str(random.choice(STRANGE))[:50]: value[key]}
    return {**value, key: _changed_value(value[key], random)}


def _changed_list(value: list[Any], random: Random) -> list[Any]:
    place = random.randrange(len(value))
    if random.random() < 0.15:
        return value[:place] + value[place:] * random.randint(0, 3)
    return [*value[:place], _changed_value(value[place], random), *value[place + 1 :]]


def _changed_bytes(data: bytes, random: Random) -> bytes:
    start = random.randint(0, len(data))
    end = min(len(data), start + random.choice((0, 0, 1, 2, 10, 100)))
    inserted = random.choice((b"", *BYTES, data[end : end + 50] * random.randint(1, 3)))
    return data[:start] + inserted + data[end:]
