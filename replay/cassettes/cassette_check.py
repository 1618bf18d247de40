"""Whether the cassettes are clean, whole and used: what `lb cassettes check` says and `lb cassettes prune` takes out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from leaderboard.board.preferences import RECORDED_AS
from leaderboard.errors import FilesError, Problem, Severity
from leaderboard.types import Json
from replay.cassettes import cassette_file, redaction
from replay.recording.journal import SHOWN as JOURNAL
from replay.recording.journal import path_of as journal_of

_PRUNE: Final = "lb cassettes prune"
_REVOKE: Final = "revoke the key, then run lb cassettes prune and rewrite the file's history"
# What keys look like, wherever they stand: kind, parts that each holds for certain (quick to look for), the whole pattern.
_SECRETS: Final = (
    ("an OpenAI key", ("sk-",), re.compile(r"\bsk-[A-Za-z0-9_-]{16,}")),
    ("a Google key", ("AIza",), re.compile(r"\bAIza[A-Za-z0-9_-]{30,}")),
    ("a bearer token", ("earer ",), re.compile(r"\b[Bb]earer +[A-Za-z0-9._~+/-]{16,}")),
    (
        "an access token",
        ("gh", "hf_", "xox"),
        re.compile(r"\b(?:gh[pousr]_|github_pat_|hf_|xox[abprs]-)[A-Za-z0-9_-]{16,}"),
    ),
    (
        "an organisation id",
        ("org", "proj"),
        re.compile(r"(?<![\w-])(?:org|proj)[-_][A-Za-z0-9]{16,}\b"),
    ),
    ("a cloud access key", ("AKIA",), re.compile(r"\bAKIA[0-9A-Z]{16}\b")),
    ("a private key", ("PRIVATE KEY",), re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a cassette something was found; its key is None for what is no judge call."""

    file: str
    position: int
    line: int | None
    key: str | None

    def problem(self, what: str, fix: str = _PRUNE, severity: Severity = "error") -> Problem:
        return Problem(
            self.file,
            what,
            fix,
            line=self.line,
            at=f"$.interactions[{self.position}]",
            severity=severity,
        )


def check(
    root: Path, used_keys: Collection[str] | None = None, judges: Collection[str] | None = None
) -> tuple[Problem, ...]:
    """Everything that is wrong with the cassettes of a workspace, in the order of files and lines.

    `judges` are the names in leaderboard.toml; `used_keys` the judge calls that the scores rest on, when they are known: a
    recorded call outside of them is a warning.
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
    """What lies among the cassettes and is none."""
    folder = root / cassette_file.FOLDER
    if journal_of(root).exists():
        what = "an interrupted recording left its journal"
        yield Problem(
            JOURNAL, what, "run lb rescore: it files what is in there", severity="warning"
        )
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        shown = path.relative_to(root).as_posix()
        if path.name.endswith(".tmp"):
            yield Problem(
                shown, "was left by a write that was interrupted", "remove it", severity="warning"
            )
        elif path.is_file() and path.suffix != ".json" and not path.name.startswith("."):
            yield Problem(shown, "is no cassette", "move it away", severity="warning")


def _folder_problems(file: str, judges: Collection[str] | None) -> Iterator[Problem]:
    parts = PurePosixPath(file).parts
    if len(parts) != 4:
        yield Problem(
            file,
            "does not lie at cassettes/<judge>/<suite>/<submission>.json",
            "move it there, or remove it",
        )
    elif judges is not None and parts[1] not in judges:
        fix = f"add [judges.{parts[1]}] to leaderboard.toml, or remove the folder"
        yield Problem(
            file,
            f"belongs to a judge that leaderboard.toml does not name: {parts[1]}",
            fix,
            severity="warning",
        )


def _file_problems(
    root: Path, file: str, used_keys: Collection[str] | None, seen: dict[str, tuple[_Place, str]]
) -> Iterator[Problem]:
    interactions = cassette_file.read(root, file)
    data = (root / file).read_bytes()
    laid_out = data == cassette_file.dump(interactions)
    if not data.isascii():
        line = next(
            number for number, text in enumerate(data.split(b"\n"), start=1) if not text.isascii()
        )
        yield Problem(file, "holds bytes that are not ASCII", _PRUNE, line=line)
    if not laid_out:
        yield Problem(file, "is not laid out as one call per line, sorted by key", _PRUNE)
    suspicious = not laid_out or bool(_secrets(data.decode("ascii")))
    for position, interaction in enumerate(interactions):
        place = _Place(
            file, position, position + 2 if laid_out else None, cassette_file.key_of(interaction)
        )
        if suspicious:
            secrets = _secrets(cassette_file.line_of(interaction).decode())
            yield from (place.problem(f"holds what looks like {kind}", _REVOKE) for kind in secrets)
        yield from _interaction_problems(place, interaction)
        yield from _repetition(place, interaction, seen)
        if _unused(file, place.key, used_keys):
            yield place.problem("no score rests on this call any more", severity="warning")


def _interaction_problems(place: _Place, interaction: Json) -> Iterator[Problem]:
    try:
        read = cassette_file.exchange(interaction)
    except cassette_file.ShapeError as error:
        yield place.problem(f"this interaction {error}")
        return
    if not read.ok:
        yield place.problem(f"records the error {read.status}, not a reply")
        return
    if place.key is None:
        yield place.problem(
            "has a request body that cannot be told from others (numbers over 64 bits, NaN or lone surrogates)"
        )
        return
    left = tuple(_left_over(interaction))
    if left:
        yield place.problem(f"holds what recording leaves out: {', '.join(left)}")


def _secrets(text: str) -> list[str]:
    return [
        kind
        for kind, parts, pattern in _SECRETS
        if any(part in text for part in parts) and pattern.search(text)
    ]


def _left_over(interaction: Json) -> Iterator[str]:
    """What cleaning would take out of an interaction, named by its place."""
    try:
        cleaned = redaction.clean(interaction)
    except (redaction.UnrecordableError, KeyError, TypeError) as error:
        yield str(error) or "an odd shape"
        return
    for side in ("request", "response"):
        kept, found = cleaned[side], interaction[side]
        yield from _header_names(side, kept.get("headers"), found.get("headers"))
        if found.get("body") != kept["body"]:
            yield f"fields of the {side} body"
    if interaction["request"]["uri"] != cleaned["request"]["uri"]:
        yield "parts of the address (query, user or port)"


def _header_names(side: str, kept: Mapping[str, Json], found: Json) -> Iterator[str]:
    names = sorted(str(name) for name in found or {})
    yield from (f"the {side} header {name}" for name in names if name.lower() not in kept)


def _repetition(
    place: _Place, interaction: Json, seen: dict[str, tuple[_Place, str]]
) -> Iterator[Problem]:
    if place.key is None:
        return
    text = cassette_file.exchange(interaction).text
    first, said = seen.setdefault(place.key, (place, text))
    if first is place:
        return
    if said != text:
        yield place.problem(
            f"repeats the request of {first.file} $.interactions[{first.position}] with another reply"
        )
    elif first.file == place.file:
        yield place.problem("stands twice in this file", severity="warning")


def _unused(file: str, key: str | None, used_keys: Collection[str] | None) -> bool:
    """Whether no score rests on a call, as far as that is known. Preferences are asked for on request, beside all scores."""
    return (
        used_keys is not None
        and key is not None
        and key not in used_keys
        and not file.endswith(f"/{RECORDED_AS}.json")
    )


def prune(root: Path, used_keys: Collection[str] | None = None) -> int:
    """Clean every cassette, lay it out anew, and take out what is never replayed: errors, repetitions and (when `used_keys` is

    given) calls that no score rests on. The number of interactions taken out. Raises FilesError for a broken file, before
    anything is written.
    """
    files = cassette_file.files(root)
    found = {file: cassette_file.read(root, file) for file in files}
    removed = 0
    seen: set[str] = set()
    for file in files:
        kept = _kept(file, found[file], used_keys, seen)
        removed += len(found[file]) - len(kept)
        if not kept:
            (root / file).unlink()
        elif (data := cassette_file.dump(kept)) != (root / file).read_bytes():
            cassette_file.put(root / file, data)
    return removed


def _kept(
    file: str, interactions: Sequence[Json], used_keys: Collection[str] | None, seen: set[str]
) -> list[Json]:
    kept: list[Json] = []
    for interaction in interactions:
        try:
            cleaned = redaction.clean(interaction)
        except (redaction.UnrecordableError, KeyError, TypeError):
            continue
        key = cassette_file.key_of(cleaned)
        if key is None or key in seen or _unused(file, key, used_keys):
            continue
        seen.add(key)
        kept.append(cleaned)
    return kept
