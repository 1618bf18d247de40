"""Reading one JSON file: encodings, duplicate keys, depth, and the line of every problem.

orjson parses, because it is fast and strict. If something is wrong, a slower scan over the text
finds the line. Nothing here knows what a document should contain.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice

import orjson

from leaderboard.errors import FilesError, Problem
from leaderboard.limits import JSON_DEPTH, JSON_VALUES, PROBLEMS_SHOWN
from leaderboard.types import Json

# A path into a document: object keys and array positions from the root.
At = tuple[str | int, ...]

_TOO_DEEP = f"is nested more than {JSON_DEPTH} levels deep"
_FLATTEN = "flatten it; no format here is deeper than 20"
SAVE_PLAIN = "save it as UTF-8 without a byte order mark"
_KEEP_ONE = "keep one of them"

_UTF16_OR_32 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_CONFLICT = re.compile(rb"^(?:<{7}|>{7}) ", re.MULTILINE)
_LONG_INTEGER = re.compile(rb"(?<![\d.eE+-])-?\d{19,}(?![\d.eE])")
_SPACED_COLON = re.compile(rb'"[ \t\r\n]+:')
_ESCAPED_QUOTE = re.compile(rb"\\u00(?:22|3[aA])")
# The expressions above are slow, so plain searches for these decide whether they are needed.
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_NINETEEN_DIGITS = b"0" * 19
_SCANNED = 500_000  # members of a document; looking for the lines of more takes minutes


def path_text(at: At) -> str:
    """Formats `("test_results", 3, "id")` as `$.test_results[3].id`."""
    text = "$"
    for step in at:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if step.isidentifier() else f"[{json.dumps(step)}]"
    return text


def parse(data: bytes, shown: str) -> Json:
    """Parses JSON. Raises FilesError for its encoding, syntax, duplicate keys, depth or numbers."""
    _check_encoding(data, shown)
    if len(data) > JSON_VALUES and sum(map(data.count, (b",", b"[", b"{"))) > JSON_VALUES:
        what = f"holds more than {JSON_VALUES:,} values"  # or brackets and commas in texts
        raise FilesError.about(shown, what, "split it into smaller files")
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        problem = conflict_problem(data, shown) or _syntax_problem(error, shown)
        raise FilesError(problem) from error
    try:
        compact = orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError) as error:
        raise FilesError.about(shown, _TOO_DEEP, _FLATTEN) from error
    if data == compact:
        return value

    if _may_repeat_keys(data, compact):
        _refuse_repeated_keys(data, shown)
    # orjson rounds integers beyond 64 bits, and two different answers would look equal.
    if _NINETEEN_DIGITS in data.translate(_DIGITS_TO_ZERO) and _LONG_INTEGER.search(data):
        value = json.loads(data)
    return value


def parse_value(data: bytes | str) -> Json:
    """Parses JSON that no person wrote, without advice on what is wrong. Raises ValueError.

    Like `parse`, it refuses what is nested so deep that readers could not follow it.
    """
    value = orjson.loads(data)
    try:
        orjson.dumps(value)
    except TypeError as error:
        raise ValueError(_TOO_DEEP) from error
    return value


def conflict_problem(data: bytes, shown: str) -> Problem | None:
    """The problem of a broken file that holds the markers of a merge, if it is one."""
    found = _CONFLICT.search(data)
    if found is None:
        return None
    what = "holds a merge conflict of git"
    fix = "keep what is right of both sides and delete the markers: see lb docs hosting"
    return Problem(shown, what, fix, data.count(b"\n", 0, found.start()) + 1)


def _check_encoding(data: bytes, shown: str) -> None:
    if not data.strip():
        raise FilesError.about(shown, "is empty", "write a JSON document into it")
    if data.startswith(b"\x1f\x8b"):
        what = "is compressed with gzip, but its name does not say so"
        raise FilesError.about(shown, what, "rename it, so that it ends in .json.gz")
    if data.startswith(_UTF16_OR_32) or b"\x00" in data[:64]:
        what = "is not UTF-8, but looks like UTF-16 or UTF-32"
        raise FilesError.about(shown, what, SAVE_PLAIN)
    if data.startswith(codecs.BOM_UTF8):
        raise FilesError.about(shown, "starts with a byte order mark", SAVE_PLAIN, line=1)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"is not UTF-8: byte {error.start}"
        raise FilesError.about(shown, what, "save it as UTF-8", line) from error


def _syntax_problem(error: orjson.JSONDecodeError, shown: str) -> Problem:
    rest = error.doc[error.pos : error.pos + 12] if isinstance(error.doc, str) else ""
    column = f"column {error.colno}"
    if "depth limit" in error.msg:
        what, fix = _TOO_DEEP, _FLATTEN
    elif "surrogate" in error.msg:
        what = f"holds half of a surrogate pair ({column})"
        fix = "write the whole character, or \\ufffd"
    elif "infinity" in error.msg:
        what, fix = f"holds a number too large for a double ({column})", "write it as text"
    elif rest.startswith(("//", "/*", "#")):
        what, fix = f"holds a comment ({column}); JSON has none", "delete the comment"
    elif rest.lstrip("-+").startswith(("NaN", "Infinity", "nan", "inf")):
        word = rest.split()[0].rstrip(",]}")
        what, fix = f"holds {word} ({column}), which is not JSON", "write null or text"
    else:
        what = f"is not JSON: {error.msg} ({column})"
        extra_comma = error.msg.startswith("trailing comma")
        fix = "delete this comma" if extra_comma else "check the text around this place"
    return Problem(shown, what, fix, error.lineno)


def _may_repeat_keys(data: bytes, compact: bytes) -> bool:
    """Whether an object may repeat a key.

    The text then has more `":` than the parsed value written out again. Inside strings both sides
    count the same, because quotes are escaped there. Where the counts cannot decide (escaped
    quotes), the answer is yes, and the slow scan decides.
    """
    if b"\\u00" in data and _ESCAPED_QUOTE.search(data):
        return True
    return data.count(b'":') + len(_SPACED_COLON.findall(data)) != compact.count(b'":')


def _refuse_repeated_keys(data: bytes, shown: str) -> None:
    key = _repeated_key(data)
    if key is None:
        return
    problems = list(islice(_repeated_members(data, shown), PROBLEMS_SHOWN))
    raise FilesError(problems or Problem(shown, f"repeats the key {key!r}", _KEEP_ONE))


def _repeated_key(data: bytes) -> str | None:
    """A key that an object repeats."""
    repeated: list[str] = []

    def look(members: list[tuple[str, Json]]) -> None:
        if len(dict(members)) < len(members):
            counts = Counter(key for key, _ in members)
            repeated.append(counts.most_common(1)[0][0])

    json.loads(data, object_pairs_hook=look)
    return repeated[0] if repeated else None


def _repeated_members(data: bytes, shown: str) -> Iterator[Problem]:
    seen: set[At] = set()
    for at, line in islice(_members(data.decode()), _SCANNED):
        if at in seen:
            yield Problem(shown, f"repeats the key {at[-1]!r}", _KEEP_ONE, line, path_text(at))
        seen.add(at)


def locate(data: bytes, wanted: Collection[At]) -> dict[At, int]:
    """The line (from 1) of each path; of a missing path, the line of its nearest parent.

    Paths that are beyond the first members of a large file have no line.
    """
    lines: dict[At, int] = {(): 1}
    needed = {at[:depth] for at in wanted for depth in range(1, len(at) + 1)}
    scanned = 0
    for at, line in islice(_members(data.decode("utf-8", "replace")), _SCANNED):
        scanned += 1
        if at in needed:
            lines[at] = line
            needed.remove(at)
        if not needed:
            break
    if scanned == _SCANNED:
        return {at: lines[at] for at in wanted if at in lines}

    located = {}
    for at in wanted:
        nearest = at
        while nearest not in lines:
            nearest = nearest[:-1]
        located[at] = lines[nearest]
    return located


def _members(text: str) -> Iterator[tuple[At, int]]:
    """Yields every object member and array element with its line, in document order.

    Repeated keys are yielded twice.
    """
    # The current place: for each open object its last key, for each open array its position.
    steps: list[str | int] = []
    brackets: list[str] = []
    line, scanned = 1, 0
    expects_key = False
    for token in _TOKEN.finditer(text):
        word = token.group()
        line += text.count("\n", scanned, token.start())
        scanned = token.start()
        if word == ":":
            continue
        if word in "]}":
            if brackets:
                brackets.pop()
                steps.pop()
            expects_key = False
            continue
        if word == ",":
            if brackets and brackets[-1] == "[":
                steps[-1] = int(steps[-1]) + 1
            else:
                expects_key = True
            continue
        if expects_key and brackets and brackets[-1] == "{" and word[0] == '"':
            steps[-1] = json.loads(word, strict=False)
            expects_key = False
            yield tuple(steps), line
            continue
        if brackets and brackets[-1] == "[":
            yield tuple(steps), line
        if word in "[{":
            brackets.append(word)
            steps.append(0 if word == "[" else "")
            expects_key = word == "{"
