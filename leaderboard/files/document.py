"""Reading one JSON file that a stranger wrote: encodings, duplicate keys, depth, and the line of every problem.

orjson parses (fast, strict); when something is wrong a slower scan over the text finds the line. Nothing here knows what
the document should contain.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from leaderboard.errors import FilesError, Problem, Severity
from leaderboard.types import Json

# A path into a document: object keys and array positions from the root.
At = tuple[str | int, ...]

# A file that git hosts refuse (over 100 MB) cannot be a submission, and a small .gz must not unpack to a full disk.
MAX_BYTES = 100 * 1024 * 1024
MAX_UNPACKED_BYTES = 512 * 1024 * 1024
MAX_DEPTH_TEXT = "nested more than 250 levels deep"

_UTF16_OR_32 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_LONG_INTEGER = re.compile(rb"(?<![\d.eE+-])-?\d{19,}(?![\d.eE])")
_SPACED_COLON = re.compile(rb'"[ \t\r\n]+:')
_ESCAPED_QUOTE = re.compile(rb"\\u00(?:22|3[aA])")
# Cheap looks before the expressions above, which read every byte several times slower.
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_NINETEEN_DIGITS = b"0" * 19


@dataclass(slots=True)
class Findings:
    """Collects the problems of one file by JSON path, and looks up their lines once, at the end."""

    file: str
    data: bytes
    found: list[tuple[At, str, str, Severity]] = field(default_factory=list)

    def add(self, at: At, what: str, fix: str = "", severity: Severity = "error") -> None:
        self.found.append((at, what, fix, severity))

    def problems(self) -> tuple[Problem, ...]:
        """All problems, in the order found, each with its line."""
        lines = locate(self.data, {at for at, *_ in self.found}) if self.found else {}
        return tuple(
            Problem(self.file, what, fix, line=lines.get(at), at=path_text(at), severity=severity)
            for at, what, fix, severity in self.found
        )


def path_text(at: At) -> str:
    """`("test_results", 3, "id")` as `$.test_results[3].id`."""
    return "$" + "".join(
        f"[{step}]"
        if isinstance(step, int)
        else f".{step}"
        if step.isidentifier()
        else f"[{json.dumps(step)}]"
        for step in at
    )


def read_bytes(path: Path, shown: str, root: Path) -> bytes:
    """The bytes of a regular file inside `root`, unpacked when it ends in .gz. Raises FilesError with one problem."""
    try:
        if not _lies_in(path, root):
            raise FilesError(
                Problem(
                    shown, "points outside the workspace", "replace the link by the file itself"
                )
            )
        if path.is_dir():
            raise FilesError(
                Problem(
                    shown, "is a folder, not a file", "put a JSON file of that name in its place"
                )
            )
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise FilesError(
                Problem(
                    shown, f"is {size / 1e6:.0f} MB; the limit is 100 MB", "compress it as .json.gz"
                )
            )
        data = path.read_bytes()
    except OSError as error:
        raise FilesError(
            Problem(
                shown,
                f"cannot be read: {error.strerror or error}",
                "check the name and its permissions",
            )
        ) from error
    return _unpack(data, shown) if path.suffix == ".gz" else data


def _lies_in(path: Path, root: Path) -> bool:
    """Whether a path, with all links followed, is below `root`."""
    real, top = os.path.realpath(path), os.path.realpath(root)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)


def _unpack(data: bytes, shown: str) -> bytes:
    """The bytes of all members of a gzip file, never more than the limit."""
    unpacked = b""
    while data:
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            unpacked += member.decompress(data, MAX_UNPACKED_BYTES + 1 - len(unpacked))
        except zlib.error as error:
            raise FilesError(
                Problem(shown, f"is not a gzip file: {error}", "compress it again with gzip")
            ) from error
        if len(unpacked) > MAX_UNPACKED_BYTES:
            raise FilesError(Problem(shown, "unpacks to more than 512 MB", "split the submission"))
        if not member.eof:
            raise FilesError(
                Problem(
                    shown, "ends in the middle of the gzip stream", "compress it again with gzip"
                )
            )
        data = member.unused_data
    return unpacked


def parse(data: bytes, shown: str) -> Json:
    """The JSON value of `data`. Raises FilesError with one problem: encoding, syntax, duplicate keys, depth or odd numbers."""
    _check_encoding(data, shown)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FilesError(_syntax_problem(error, shown)) from error
    try:
        compact = orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError) as error:
        raise FilesError(
            Problem(shown, f"is {MAX_DEPTH_TEXT}", "flatten it; no format here is deeper than 20")
        ) from error
    if data == compact:
        return value
    if _may_repeat_keys(data, compact):
        _refuse_repeated_keys(data, shown)
    if _has_long_integer(
        data
    ):  # orjson would round integers beyond 64 bits, and two different answers would look equal
        value = json.loads(data)
    return value


def _check_encoding(data: bytes, shown: str) -> None:
    if not data.strip():
        raise FilesError(Problem(shown, "is empty", "write a JSON document into it"))
    if data.startswith(_UTF16_OR_32) or b"\x00" in data[:64]:
        raise FilesError(
            Problem(
                shown,
                "is not UTF-8 (it looks like UTF-16 or UTF-32)",
                "save it as UTF-8 without a byte order mark",
            )
        )
    if data.startswith(codecs.BOM_UTF8):
        raise FilesError(
            Problem(
                shown,
                "starts with a byte order mark",
                "save it as UTF-8 without a byte order mark",
                line=1,
            )
        )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FilesError(
            Problem(shown, f"is not UTF-8: byte {error.start}", "save it as UTF-8", line=line)
        ) from error


def _syntax_problem(error: orjson.JSONDecodeError, shown: str) -> Problem:
    rest = error.doc[error.pos : error.pos + 12] if isinstance(error.doc, str) else ""
    line = error.lineno
    column = f"column {error.colno}"
    if "depth limit" in error.msg:
        return Problem(
            shown, f"is {MAX_DEPTH_TEXT}", "flatten it; no format here is deeper than 20", line=line
        )
    if "surrogate" in error.msg:
        return Problem(
            shown,
            f"holds half of a surrogate pair ({column})",
            "write the whole character, or \\ufffd",
            line=line,
        )
    if "infinity" in error.msg:
        return Problem(
            shown,
            f"holds a number too large for a double ({column})",
            "write it as text",
            line=line,
        )
    if rest.startswith(("//", "/*", "#")):
        return Problem(
            shown, f"holds a comment ({column}); JSON has none", "delete the comment", line=line
        )
    if rest.lstrip("-+").startswith(("NaN", "Infinity", "nan", "inf")):
        return Problem(
            shown,
            f"holds {rest.split()[0].rstrip(',]}')} ({column}), which is not JSON",
            "write null or text",
            line=line,
        )
    return Problem(
        shown, f"is not JSON: {error.msg} ({column})", "check the text around this place", line=line
    )


def _may_repeat_keys(data: bytes, compact: bytes) -> bool:
    """Whether an object may repeat a key: the text then has more `":` than the parsed value written out again.

    Inside a string a quote is always escaped, so both sides count the same there; where that cannot be told from the
    counts (escapes, blanks before a colon) the answer is yes, and the slow scan decides.
    """
    if b"\\u00" in data and _ESCAPED_QUOTE.search(data):
        return True
    return data.count(b'":') + len(_SPACED_COLON.findall(data)) != compact.count(b'":')


def _has_long_integer(data: bytes) -> bool:
    return (
        _NINETEEN_DIGITS in data.translate(_DIGITS_TO_ZERO)
        and _LONG_INTEGER.search(data) is not None
    )


def _refuse_repeated_keys(data: bytes, shown: str) -> None:
    problems = []
    seen: set[At] = set()
    for at, line in _members(data.decode()):
        if at in seen:
            problems.append(
                Problem(
                    shown,
                    f"repeats the key {at[-1]!r}",
                    "keep one of them",
                    line=line,
                    at=path_text(at),
                )
            )
        seen.add(at)
    if problems:
        raise FilesError(problems)


def locate(data: bytes, wanted: Collection[At]) -> dict[At, int]:
    """The line (from 1) of each wanted path; a path that the document does not have gets the line of its nearest ancestor."""
    lines: dict[At, int] = {(): 1}
    needed = {at[:depth] for at in wanted for depth in range(len(at) + 1)}
    for at, line in _members(data.decode("utf-8", "replace")):
        if at in needed:
            lines.setdefault(at, line)
    return {
        at: next(lines[at[:depth]] for depth in range(len(at), -1, -1) if at[:depth] in lines)
        for at in wanted
    }


def _members(text: str) -> Iterator[tuple[At, int]]:
    """Every object member and array element with the line it starts on, in document order; repeated keys come twice."""
    steps: list[
        str | int
    ] = []  # where we are: the key or the position in every open object or array
    kinds: list[str] = []
    line, scanned = 1, 0
    expects_key = False
    for token in _TOKEN.finditer(text):
        word = token.group()
        line += text.count("\n", scanned, token.start())
        scanned = token.start()
        if word == ":":
            continue
        if word in "]}":
            if kinds:
                kinds.pop()
                steps.pop()
            expects_key = False
            continue
        if word == ",":
            if kinds and kinds[-1] == "[":
                steps[-1] = int(steps[-1]) + 1
            else:
                expects_key = True
            continue
        if expects_key and kinds and kinds[-1] == "{" and word[0] == '"':
            steps[-1] = json.loads(word, strict=False)
            expects_key = False
            yield tuple(steps), line
            continue
        if kinds and kinds[-1] == "[":
            yield tuple(steps), line
        if word in "[{":
            kinds.append(word)
            steps.append(0 if word == "[" else "")
            expects_key = word == "{"
