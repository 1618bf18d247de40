"""Finds what is wrong with the cassettes (`lb cassettes check`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from leaderboard.errors import FilesError, Problem, Severity
from leaderboard.files.cassette_paths import (
    JOURNAL,
    LABELS,
    OTHER_OWNERS,
    CassettePath,
    cassette_files,
    leftovers,
    relative_path,
)
from leaderboard.files.file_bytes import read_bytes
from leaderboard.network.secret_keys import kinds_of_keys_in_json
from leaderboard.texts.short_text import cut
from leaderboard.types import Json, JudgeSettings
from replay.cassettes import cassette_file, redaction
from replay.cassettes.cassette_file import Recorded
from replay.cassettes.cassette_index import Index
from replay.recomputed_replies import ChangedReply, RecomputedReplies, problems_of
from replay.recording.journal import journal_problem

_PRUNE: Final = "run lb cassettes prune"
_PRUNE_UNUSED: Final = "run lb cassettes prune --unused"
_REVOKE: Final = "revoke the key, then run lb cassettes prune and rewrite the file's history"
_NAMED: Final = 5  # of what recording leaves out
_NAME: Final = 40  # characters
_ADDRESS: Final = "parts of the address (query, user or port)"
_SPELLING: Final = "JSON that is not written as recording writes it"
# The owners of calls that no score needs.
_WITHOUT_SCORES: Final = OTHER_OWNERS - {LABELS}


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


# The calls that answers and labelled pairs need, by key, with those who need them in order.
Needed = Mapping[str, Sequence[CassettePath]]


def check(
    root: Path,
    needed: Needed | None = None,
    judges: Mapping[str, JudgeSettings] | None = None,
    merged: Index | None = None,
) -> tuple[Problem, ...]:
    """Everything that is wrong with a workspace's cassettes, in order of files and lines.

    Replies that differ from another one to the same request come after that, and then those that
    are not genuine.

    `judges` are those of leaderboard.toml: what can be recomputed is compared. `needed` are the
    calls that answers and labelled pairs need, if known: any other recorded call is a problem.
    `merged` is an index of the workspace that knows what was merged before. Its contradictions come
    last, without those of replies that contradict another one in the workspace too.
    """
    problems = [_leftover(root, file) for file in leftovers(root)]
    index = Index(root)
    differences: list[ChangedReply] = []
    for file in cassette_files(root):
        try:
            data = read_bytes(root / file, file, root)
            interactions = cassette_file.interactions_of(data, file)
        except FilesError as error:
            problems.extend(error.problems)
            continue
        problems.extend(_file_problems(file, data, interactions, needed))
        calls = index.add(file, interactions)
        if needed is not None:
            calls = [call for call in calls if call.key in needed]
        differences.extend(_differences(file, interactions, calls, judges or {}))
    index.settle()
    contradicting = (*index.contradictions, *index.ignored)
    told = {(problem.file, problem.at) for problem in index.contradictions}
    others = [] if merged is None else merged.contradictions
    more = [problem for problem in others if (problem.file, problem.at) not in told]
    return (*problems, *contradicting, *problems_of(root, differences), *more)


def _leftover(root: Path, file: str) -> Problem:
    if file == JOURNAL:
        return journal_problem(root)
    return Problem(file, "was left by an interrupted write", "remove it", severity="warning")


def _differences(
    file: str,
    interactions: Sequence[Json],
    calls: Sequence[Recorded],
    judges: Mapping[str, JudgeSettings],
) -> Iterator[ChangedReply]:
    """Computes the replies to calls of a cassette again, if its judge's code is here."""
    judge = judges.get(CassettePath.of(file).judge)
    if judge is None or not judge.is_recomputed:
        return
    recomputed = RecomputedReplies()
    for call in calls:
        prompt = cassette_file.exchange(interactions[call.position]).prompt
        if changed := recomputed.changed(call, judge, prompt):
            yield changed


def _file_problems(
    file: str, data: bytes, interactions: Sequence[Json], needed: Needed | None
) -> Iterator[Problem]:
    in_form = data == cassette_file.dump(interactions)
    if not data.isascii():
        line = 1 + next(at for at, text in enumerate(data.split(b"\n")) if not text.isascii())
        yield Problem(file, "holds bytes that are not ASCII", _PRUNE, line=line)
    if not in_form:
        yield Problem(file, "does not have one call per line, sorted by key", _PRUNE)
    # One search of the whole file spares a search of every line.
    suspicious = not in_form or bool(_kinds_of_keys(data))
    seen: set[tuple[str, str]] = set()
    for position, interaction in enumerate(interactions):
        line_number = position + 2 if in_form else None
        place = _Place(file, position, line_number, cassette_file.key_of(interaction))
        if suspicious:
            for kind in _kinds_of_keys(cassette_file.line_of(interaction)):
                yield place.problem(f"holds what looks like {kind}", _REVOKE)
        yield from _interaction_problems(place, interaction, seen)
        if needed is not None and place.key is not None:
            yield from _need_problems(place, place.key, needed)


def _kinds_of_keys(data: bytes) -> Iterable[str]:
    return kinds_of_keys_in_json(data.decode("ascii", "replace"))


def _interaction_problems(
    place: _Place, interaction: Json, seen: set[tuple[str, str]]
) -> Iterator[Problem]:
    try:
        found = cassette_file.exchange(interaction)
    except cassette_file.ShapeError as error:
        yield place.problem(f"this interaction {error}")
        return
    if not found.ok:
        yield place.problem(f"records the error {found.status}, not a reply")
    elif place.key is None:
        what = "has an ambiguous request body (numbers over 64 bits, lone surrogates)"
        yield place.problem(what)
    elif left := _left_over(interaction):
        yield place.problem(f"holds what recording leaves out: {', '.join(left)}")
    if place.key is None:
        return
    call = place.key, found.text
    if call in seen:
        yield place.problem("is recorded twice in this file", severity="warning")
    seen.add(call)


def _left_over(interaction: Json) -> list[str]:
    """Names what cleaning would remove from an interaction."""
    try:
        cleaned = redaction.clean(interaction)
    except redaction.UnrecordableError as error:
        return [str(error)]
    if cassette_file.line_of(interaction) == cassette_file.line_of(cleaned):
        return []
    left = [f"the member {cut(name, _NAME)}" for name in interaction if name not in cleaned]
    for side, kept in cleaned.items():
        given = interaction[side]
        headers = sorted(map(str, given.get("headers") or ()))
        unknown = [name for name in headers if name.lower() not in kept["headers"]]
        left += [f"the {side} header {cut(name, _NAME)}" for name in unknown]
        left += [f"the {side} member {cut(name, _NAME)}" for name in given if name not in kept]
        left += [
            _different(side, name)
            for name in kept
            if given.get(name) != kept[name] and not (name == "headers" and unknown)
        ]
    more = len(left) - _NAMED
    return [*left[:_NAMED], *([f"{more:,} more"] if more > 0 else [])] or [_SPELLING]


def _different(side: str, name: str) -> str:
    """What recording does not write of a member that it keeps."""
    if name == "uri":
        return _ADDRESS
    if name == "body":
        return f"fields of the {side} body"
    return f"another value of the {side}'s {name}"


def _need_problems(place: _Place, key: str, needed: Needed) -> Iterator[Problem]:
    """Finds a call that its owner's answers do not need: it may be meant for another's answer."""
    here, owners = CassettePath.of(place.file), needed.get(key, ())
    match where_needed(here, owners):
        case "elsewhere":
            other = relative_path(*owners[0])
            what = f"holds a call that only other submissions need, {other} for example"
            yield place.problem(what, _PRUNE_UNUSED)
        case "nowhere":
            of = "labelled pair" if here.owner == LABELS else f"answer of {here.owner}"
            yield place.problem(f"holds a call that no {of} needs", _PRUNE_UNUSED)


def where_needed(
    here: CassettePath, owners: Sequence[CassettePath]
) -> Literal["here", "elsewhere", "nowhere"]:
    """Where a call in the cassette `here` is needed. `owners` are the cassettes that need it."""
    if owners:
        return "here" if here in owners else "elsewhere"
    return "here" if here.owner in _WITHOUT_SCORES else "nowhere"
