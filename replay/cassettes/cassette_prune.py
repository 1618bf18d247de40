"""Cleans the cassettes, and removes what is never replayed (`lb cassettes prune`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from leaderboard.errors import raise_any
from leaderboard.files.cassette_paths import CassettePath, cassette_files, relative_path
from leaderboard.files.file_bytes import is_linked, link_problem
from leaderboard.types import Json
from replay.cassettes import cassette_file, redaction
from replay.cassettes.cassette_check import Needed, where_needed
from replay.cassettes.cassette_index import Index
from replay.recording.journal import without_recording

# The calls of a cassette by key.
_Calls = dict[str, Json]


def prune(root: Path, needed: Needed | None = None) -> int:
    """Cleans and sorts every cassette, and removes what is never replayed. Returns how many calls.

    These are errors, repetitions in a file, replies that do not count beside one that does and,
    with `needed`, calls that nobody needs. A call that only others need moves to the first of them.
    Raises FilesError before anything is written, for a broken file, a link, a running recording,
    and for contradicting replies: only the judge knows which one is genuine.
    """
    with without_recording(root):
        return _prune(root, needed)


def _prune(root: Path, needed: Needed | None) -> int:
    found = {file: cassette_file.read(root, file) for file in cassette_files(root)}
    index = Index.load(root)
    contradictions = index.contradictions_of(needed)
    raise_any(contradictions)
    cleaned = {}
    for file, interactions in found.items():
        places = enumerate(interactions)
        counting = [call for place, call in places if (file, place) not in index.superseded]
        cleaned[file] = _cleaned(counting)
    kept = cleaned if needed is None else _only_needed(cleaned, needed)
    linked = [link_problem(file) for file in kept if is_linked(root / file, root)]
    raise_any(linked)
    for file, calls in kept.items():
        before = cleaned.get(file, {})
        if not calls.keys() <= before.keys():
            # What moves is in its new place before it leaves the old one.
            cassette_file.write(root, file, {**before, **calls}.values())
    for file, calls in kept.items():
        if not calls:
            (root / file).unlink()
        elif cassette_file.dump(calls.values()) != (root / file).read_bytes():
            cassette_file.write(root, file, calls.values())
    return sum(map(len, found.values())) - sum(map(len, kept.values()))


def _cleaned(interactions: Iterable[Json]) -> _Calls:
    kept: _Calls = {}
    for interaction in interactions:
        try:
            cassette_file.exchange(interaction)
            cleaned = redaction.clean(interaction)
        except (cassette_file.ShapeError, redaction.UnrecordableError):
            continue
        key = cassette_file.key_of(cleaned)
        if key is not None:
            kept.setdefault(key, cleaned)
    return kept


def _only_needed(files: Mapping[str, _Calls], needed: Needed) -> dict[str, _Calls]:
    """Keeps each call where it is needed, and moves those that only others need."""
    kept: dict[str, _Calls] = {file: {} for file in files}
    moved: list[tuple[str, Json, CassettePath]] = []
    for file, calls in files.items():
        here = CassettePath.of(file)
        for key, call in calls.items():
            owners = needed.get(key, ())
            match where_needed(here, owners):
                case "here":
                    kept[file][key] = call
                case "elsewhere":
                    moved.append((key, call, owners[0]))
    recorded = {key for calls in kept.values() for key in calls}
    for key, call, owner in moved:
        if key not in recorded:
            kept.setdefault(relative_path(*owner), {}).setdefault(key, call)
    return kept
