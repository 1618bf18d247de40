"""Finds what is wrong with the cassettes (`lb cassettes check`), and repairs it (`prune`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from leaderboard.board.preferences import RECORDED_AS
from leaderboard.errors import FilesError, Problem, Severity
from leaderboard.types import Json
from replay.cassettes import cassette_file, redaction
from replay.recording.journal import SHOWN as JOURNAL

_PRUNE: Final = "run lb cassettes prune"
_REVOKE: Final = "revoke the key, then run lb cassettes prune and rewrite the file's history"
# What keys look like, anywhere in a text: kind, parts of which each match holds one (they are
# quick to find), and the whole pattern.
_SECRETS: Final = tuple(
    (kind, parts, re.compile(pattern))
    for kind, parts, pattern in (
        ("an OpenAI key", ("sk-",), r"\bsk-[A-Za-z0-9_-]{16,}"),
        ("a Google key", ("AIza",), r"\bAIza[A-Za-z0-9_-]{30,}"),
        ("a bearer token", ("earer ",), r"\b[Bb]earer +[A-Za-z0-9._~+/-]{16,}"),
        (
            "an access token",
            ("gh", "hf_", "xox"),
            r"\b(?:gh[pousr]_|github_pat_|hf_|xox[abprs]-)[A-Za-z0-9_-]{16,}",
        ),
        (
            "an organisation id",
            ("org", "proj"),
            r"(?<![\w-])(?:org|proj)[-_][A-Za-z0-9]{16,}\b",
        ),
        ("a cloud access key", ("AKIA",), r"\bAKIA[0-9A-Z]{16}\b"),
        ("a private key", ("PRIVATE KEY",), r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    )
)
# What cleaning raises for an interaction that has no place in a cassette.
_UNCLEANABLE: Final = (redaction.UnrecordableError, KeyError, TypeError)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a cassette holds an interaction; its key is None if it is not a judge call."""

    file: str
    position: int
    line: int | None
    key: str | None

    def problem(self, what: str, fix: str = _PRUNE, severity: Severity = "error") -> Problem:
        at = f"$.interactions[{self.position}]"
        return Problem(self.file, what, fix, line=self.line, at=at, severity=severity)


def check(
    root: Path, used_keys: Collection[str] | None = None, judges: Collection[str] | None = None
) -> tuple[Problem, ...]:
    """Returns everything that is wrong with a workspace's cassettes, in order of files and lines.

    `judges` are the names in leaderboard.toml. `used_keys` are the calls that the scores use, if
    known: any other recorded call is a warning.
    """
    problems = list(_strays(root))
    seen: dict[str, tuple[_Place, str]] = {}
    for file in cassette_file.files(root):
        problems.extend(_folder_problems(file, judges))
        try:
            problems.extend(_file_problems(root, file, used_keys, seen))
        except FilesError as error:
            problems.extend(error.problems)
    return tuple(problems)


def _strays(root: Path) -> Iterator[Problem]:
    """Finds files in the folder of cassettes that do not belong there."""
    for path in sorted((root / cassette_file.FOLDER).rglob("*")):
        shown = path.relative_to(root).as_posix()
        if shown == JOURNAL:
            what, fix = (
                "an interrupted recording left its journal",
                "run lb rescore, which files it",
            )
        elif path.name.endswith(".tmp"):
            what, fix = "was left by an interrupted write", "remove it"
        elif path.is_file() and path.suffix != ".json" and not path.name.startswith("."):
            what, fix = "is not a cassette", "move it away"
        else:
            continue
        yield Problem(shown, what, fix, severity="warning")


def _folder_problems(file: str, judges: Collection[str] | None) -> Iterator[Problem]:
    parts = PurePosixPath(file).parts
    if len(parts) != 4:
        what = "is not at cassettes/<judge>/<suite>/<submission>.json"
        yield Problem(file, what, "move it there, or remove it")
    elif judges is not None and parts[1] not in judges:
        what = f"belongs to a judge that leaderboard.toml does not name: {parts[1]}"
        fix = f"add [judges.{parts[1]}] to leaderboard.toml, or remove the folder"
        yield Problem(file, what, fix, severity="warning")


def _file_problems(
    root: Path,
    file: str,
    used_keys: Collection[str] | None,
    seen: dict[str, tuple[_Place, str]],
) -> Iterator[Problem]:
    interactions = cassette_file.read(root, file)
    data = (root / file).read_bytes()
    in_form = data == cassette_file.dump(interactions)
    if not data.isascii():
        line = 1 + next(at for at, text in enumerate(data.split(b"\n")) if not text.isascii())
        yield Problem(file, "holds bytes that are not ASCII", _PRUNE, line=line)
    if not in_form:
        yield Problem(file, "does not have one call per line, sorted by key", _PRUNE)
    # One search of the whole file spares a search of every line.
    suspicious = not in_form or bool(_secrets(data.decode("ascii")))
    for position, interaction in enumerate(interactions):
        line_number = position + 2 if in_form else None
        place = _Place(file, position, line_number, cassette_file.key_of(interaction))
        if suspicious:
            for kind in _secrets(cassette_file.line_of(interaction).decode()):
                yield place.problem(f"holds what looks like {kind}", _REVOKE)
        yield from _interaction_problems(place, interaction, seen)
        if _is_unused(file, place.key, used_keys):
            yield place.problem("no score uses this call any more", severity="warning")


def _secrets(text: str) -> list[str]:
    return [
        kind
        for kind, parts, pattern in _SECRETS
        if any(part in text for part in parts) and pattern.search(text)
    ]


def _interaction_problems(
    place: _Place, interaction: Json, seen: dict[str, tuple[_Place, str]]
) -> Iterator[Problem]:
    try:
        found = cassette_file.exchange(interaction)
    except cassette_file.ShapeError as error:
        yield place.problem(f"this interaction {error}")
        return
    if not found.ok:
        yield place.problem(f"records the error {found.status}, not a reply")
    elif place.key is None:
        what = "has a request body without a single meaning (numbers over 64 bits, lone surrogates)"
        yield place.problem(what)
    elif left := _left_over(interaction):
        yield place.problem(f"holds what recording leaves out: {', '.join(left)}")
    if place.key is None:
        return
    first, first_text = seen.setdefault(place.key, (place, found.text))
    if first_text != found.text:
        where = f"{first.file} $.interactions[{first.position}]"
        yield place.problem(f"repeats the request of {where} with another reply")
    elif first is not place and first.file == place.file:
        yield place.problem("is recorded twice in this file", severity="warning")


def _left_over(interaction: Json) -> list[str]:
    """Names what cleaning would remove from an interaction."""
    try:
        cleaned = redaction.clean(interaction)
    except _UNCLEANABLE as error:
        return [str(error) or "an odd shape"]
    left = []
    for side in ("request", "response"):
        headers = sorted(map(str, interaction[side].get("headers") or ()))
        kept = cleaned[side]["headers"]
        left += [f"the {side} header {name}" for name in headers if name.lower() not in kept]
        if interaction[side].get("body") != cleaned[side]["body"]:
            left.append(f"fields of the {side} body")
    if interaction["request"]["uri"] != cleaned["request"]["uri"]:
        left.append("parts of the address (query, user or port)")
    return left


def _is_unused(file: str, key: str | None, used_keys: Collection[str] | None) -> bool:
    """Returns whether no score uses a call, if that is known. Preferences are not scores."""
    if used_keys is None or key is None or file.endswith(f"/{RECORDED_AS}.json"):
        return False
    return key not in used_keys


def prune(root: Path, used_keys: Collection[str] | None = None) -> int:
    """Cleans and sorts every cassette, and removes what is never replayed. Returns how many calls.

    These are errors, repetitions and, with `used_keys`, calls that no score uses. Raises
    FilesError for a broken file before anything is written.
    """
    found = {file: cassette_file.read(root, file) for file in cassette_file.files(root)}
    removed = 0
    seen: set[str] = set()
    for file, interactions in found.items():
        kept = _kept(file, interactions, used_keys, seen)
        removed += len(interactions) - len(kept)
        if not kept:
            (root / file).unlink()
        elif cassette_file.dump(kept) != (root / file).read_bytes():
            cassette_file.write(root / file, kept)
    return removed


def _kept(
    file: str, interactions: Sequence[Json], used_keys: Collection[str] | None, seen: set[str]
) -> list[Json]:
    kept: list[Json] = []
    for interaction in interactions:
        try:
            cleaned = redaction.clean(interaction)
        except _UNCLEANABLE:
            continue
        key = cassette_file.key_of(cleaned)
        if key is not None and key not in seen and not _is_unused(file, key, used_keys):
            seen.add(key)
            kept.append(cleaned)
    return kept
