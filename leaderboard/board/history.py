"""The board as it was: snapshots below `history/`, in the order of `history/index.json`, and boards read from any results.

A snapshot is a folder `<as_of>-<first 8 digits of the digest>`: manifest.json, scores.json and ranks.json as `lb rescore` wrote
them, and verdicts.parquet with the columns of KEPT alone, enough to name every verdict that turned. The index says in which
order they came and on which day each was taken, so that only taking one asks a clock, and holds a digest for what the manifest
does not name.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import orjson
import polars as pl
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import Findings, parse
from leaderboard.files.validation import add_pydantic_errors, read_shaped
from leaderboard.frames import RANKS, SCORES, VERDICTS
from leaderboard.store import write_atomic
from leaderboard.types import Json
from leaderboard.workspace import Workspace

INDEX: Final = "index.json"
MANIFEST: Final = "manifest.json"
VERDICTS_FILE: Final = "verdicts.parquet"
# Copied into a snapshot byte for byte; the manifest holds their digests.
COPIED: Final = ("scores.json", "ranks.json")

_KEPT_COLUMNS = (
    "submission",
    "suite",
    "category",
    "case_id",
    "trial",
    "metric",
    "outcome",
    "score",
    "reason",
    "decided_by",
)
KEPT: Final = pl.Schema({name: VERDICTS[name] for name in _KEPT_COLUMNS})

_ROUNDED = pl.col(pl.Float64).round(12)

_RESTORE = "restore it from git: git checkout -- history"


def _real_day(text: str) -> str:
    datetime.date.fromisoformat(text)
    return text


Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
SnapshotName = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$")]
Taken = Annotated[Day, AfterValidator(_real_day)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class _Digested(BaseModel):
    model_config = ConfigDict(strict=True)
    digest: Digest


class _Rules(BaseModel):
    model_config = ConfigDict(strict=True)
    version: int


class _Parts(BaseModel):
    """What tells apart the changes of a suite: short digests of each case, the tools and the policy, and the weights."""

    model_config = ConfigDict(strict=True)
    cases: dict[str, str]
    tools: str
    weights: dict[str, float]
    policy: str


class ManifestFile(BaseModel):
    """What is read of a manifest; further keys are of later versions."""

    model_config = ConfigDict(strict=True)
    schema_: Literal[1] = Field(alias="schema")
    as_of: Day | None
    digest: Digest
    rules: _Rules
    suites: dict[str, _Digested]
    prompts: dict[str, Digest]
    judges: dict[str, _Digested]
    submissions: dict[str, dict[str, Digest]]
    cassettes: dict[str, Digest]
    results: dict[str, Digest]
    suite_parts: dict[str, _Parts] = Field(
        default_factory=dict
    )  # none in snapshots of before there were any


class EntryFile(BaseModel):
    """One line of history/index.json: a place in the order, and the folder that holds the board of that time.

    `taken` is the day on which it was kept; lines of before that was recorded have none.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    sequence: Annotated[int, Field(ge=1)]
    name: SnapshotName
    digest: Digest
    label: Label | None
    metrics: dict[str, str]
    verdicts: Digest
    taken: Taken | None = None


class IndexFile(BaseModel):
    """history/index.json."""

    model_config = ConfigDict(strict=True, extra="forbid")
    schema_: Literal[1] = Field(alias="schema")
    snapshots: list[EntryFile]


@dataclass(frozen=True, slots=True)
class State:
    """A board at one time, from a snapshot or from a folder of results.

    `sequence` counts snapshots from 1, None for results; `metrics` names the ranked metric of each suite where that is known;
    `taken` is the day on which a snapshot was kept, None where that was not recorded. Verdicts are read when they are asked for
    (columns of KEPT).
    """

    name: str
    manifest: Mapping[str, Any]
    scores: pl.DataFrame
    ranks: pl.DataFrame
    read_verdicts: Callable[[], pl.DataFrame] = field(repr=False)
    sequence: int | None = None
    label: str | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)
    taken: str | None = None

    @property
    def verdicts(self) -> pl.DataFrame:
        return self.read_verdicts()

    @property
    def digest(self) -> str:
        return str(self.manifest["digest"])

    @property
    def as_of(self) -> str | None:
        """The newest submission date, YYYY-MM-DD."""
        return None if self.manifest["as_of"] is None else str(self.manifest["as_of"])


# ---------------------------------------------------------------- reading


_INDEX: Final = TypeAdapter(IndexFile)


def read_state(folder: Path, *, shown: str = "") -> State:
    """The board in a folder of results. Raises FilesError when a file is missing, damaged, or not what the manifest says."""
    return _read(folder, shown or folder.name, "run lb rescore again", None)


def load_index(workspace: Workspace) -> tuple[EntryFile, ...]:
    """The lines of history/index.json in order; none where there is no history yet. Raises FilesError with all problems."""
    path = workspace.history / INDEX
    shown = workspace.shown(path)
    if not path.exists():
        return ()
    file, findings = read_shaped(_INDEX, path, shown, workspace.root, _RESTORE)
    _check_order(file.snapshots, findings)
    if findings.found:
        raise FilesError(findings.problems())
    return tuple(file.snapshots)


def _check_order(entries: Iterable[EntryFile], findings: Findings) -> None:
    last, known = 0, dict[str, EntryFile]()
    for place, entry in enumerate(entries):
        if entry.sequence <= last:
            what = f"counts {entry.sequence} after {last}"
            findings.add(
                ("snapshots", place, "sequence"), what, "number the snapshots in rising order"
            )
        last = max(last, entry.sequence)
        other = known.setdefault(entry.name, entry)
        if (other.digest, other.verdicts) != (entry.digest, entry.verdicts):
            what = f"names {entry.name} again with other digests"
            findings.add(
                ("snapshots", place, "name"),
                what,
                "one folder holds one board: correct the digests",
            )


def load_history(workspace: Workspace) -> tuple[State, ...]:
    """Every snapshot in order. Raises FilesError with the problems of all of them, and of folders that the index lacks."""
    entries = load_index(workspace)
    problems = [
        Problem(
            workspace.shown(path),
            "is not in history/index.json",
            "remove it, or restore the index from git",
        )
        for path in _folders(workspace)
        if path.name not in {entry.name for entry in entries}
    ]
    states = []
    for entry in entries:
        try:
            states.append(load_snapshot(workspace, entry))
        except FilesError as error:
            problems.extend(problem for problem in error.problems if problem not in problems)
    if problems:
        raise FilesError(problems)
    return tuple(states)


def _folders(workspace: Workspace) -> list[Path]:
    if not workspace.history.is_dir():
        return []
    return sorted(
        path
        for path in workspace.history.iterdir()
        if path.is_dir() and not path.name.startswith(".")
    )


def load_snapshot(workspace: Workspace, entry: EntryFile) -> State:
    """The board that a line of the index names. Raises FilesError with the problems of its files."""
    folder = workspace.history / entry.name
    return _read(folder, workspace.shown(folder), _RESTORE, entry)


def _read(folder: Path, shown: str, fix: str, entry: EntryFile | None) -> State:
    manifest = _read_manifest(folder, shown, fix)
    problems: list[Problem] = []
    if entry is not None and manifest["digest"] != entry.digest:
        problems.append(
            Problem(f"{shown}/{MANIFEST}", "has another digest than history/index.json says", fix)
        )
    tables = {}
    for name, schema in (("scores.json", SCORES), ("ranks.json", RANKS)):
        try:
            tables[name] = _table(
                _checked(folder / name, f"{shown}/{name}", manifest["results"].get(name), fix),
                schema,
            )
        except FilesError as error:
            problems.extend(error.problems)
        except (TypeError, ValueError, pl.exceptions.PolarsError):
            problems.append(
                Problem(f"{shown}/{name}", "is damaged: it does not hold the rows it should", fix)
            )
    path, place = folder / VERDICTS_FILE, f"{shown}/{VERDICTS_FILE}"
    wanted = manifest["results"].get(VERDICTS_FILE) if entry is None else entry.verdicts
    try:
        _checked(path, place, wanted, fix)
    except FilesError as error:
        problems.extend(error.problems)
    if problems:
        raise FilesError(problems)

    def read_verdicts() -> pl.DataFrame:
        return _verdicts(_checked(path, place, wanted, fix), place, fix)

    state = State(folder.name, manifest, tables["scores.json"], tables["ranks.json"], read_verdicts)
    if entry is None:
        return state
    return replace(
        state, sequence=entry.sequence, label=entry.label, metrics=entry.metrics, taken=entry.taken
    )


def _read_manifest(folder: Path, shown: str, fix: str) -> dict[str, Json]:
    place = f"{shown}/{MANIFEST}"
    data = _checked(folder / MANIFEST, place, None, fix)
    document: dict[str, Json] = parse(data, place)
    try:
        ManifestFile.model_validate(document)
    except ValidationError as error:
        findings = Findings(place, data)
        add_pydantic_errors(error, document, findings, fix=fix)
        raise FilesError(findings.problems()) from error
    return document


def _checked(path: Path, shown: str, digest: str | None, fix: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FilesError(
            Problem(shown, f"cannot be read: {error.strerror or error}", fix)
        ) from error
    if digest is not None and digest_bytes(data) != digest:
        raise FilesError(Problem(shown, "is not what its digest says", fix))
    return data


def _table(data: bytes, schema: pl.Schema) -> pl.DataFrame:
    """The rows of a JSON file in a schema: columns that it lacks are null, others are of later versions."""
    rows = orjson.loads(data)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TypeError("not a list of rows")
    columns = {name: [row.get(name) for row in rows] for name in schema}
    return pl.DataFrame(columns, schema=schema, strict=True)


def _verdicts(data: bytes, shown: str, fix: str) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(io.BytesIO(data)).select(
            pl.col(name).cast(dtype) for name, dtype in KEPT.items()
        )
    except pl.exceptions.PolarsError as error:
        raise FilesError(Problem(shown, "is damaged, or of another version", fix)) from error
    return frame


# ---------------------------------------------------------------- keeping


def keep(
    workspace: Workspace,
    results: Path,
    label: str | None,
    metrics: Mapping[str, str],
    taken: str | None = None,
) -> tuple[EntryFile, bool]:
    """Keeps the board in a folder of results as a snapshot; the line of the index, and whether anything was written.

    `taken` is the day, YYYY-MM-DD. A board that is already the newest snapshot is not written again, whatever its label or
    day. Raises FilesError where results or index are damaged, where there is no submission, where the day lies before that of
    another snapshot, and where the same inputs have given other verdicts before: then a rule changed without a new rules
    version, and no digest could say why a score moved.
    """
    state = read_state(results, shown=workspace.shown(results))
    entries = load_index(workspace)
    if state.as_of is None:
        raise FilesError(
            Problem(
                f"{workspace.shown(results)}/{MANIFEST}",
                "holds no submission",
                "there is nothing to keep yet",
            )
        )
    known = next((entry for entry in reversed(entries) if entry.digest == state.digest), None)
    if known is not None:
        _refuse_other_verdicts(workspace, known, state)
    if entries and known is entries[-1]:
        return known, False
    _refuse_earlier(entries, taken)
    entry = _entry(workspace, entries, state, results) if known is None else known
    number = entries[-1].sequence + 1 if entries else 1
    said = {
        "sequence": number,
        "label": label,
        "metrics": dict(sorted(metrics.items())),
        "taken": taken,
    }
    entry = entry.model_copy(update=said)
    write_atomic(workspace.history / INDEX, _index((*entries, entry)))
    return entry, True


def _entry(
    workspace: Workspace, entries: Iterable[EntryFile], state: State, results: Path
) -> EntryFile:
    """Writes the folder of a board that was not kept before."""
    name = f"{state.as_of}-{state.digest[:8]}"
    if any(entry.name == name for entry in entries):
        what = (
            f"would stand in the place of another board: both digests begin with {state.digest[:8]}"
        )
        raise FilesError(
            Problem(
                f"history/{name}",
                what,
                "change any input, such as a prompt by a blank, and score again",
            )
        )
    verdicts = _compact(state.verdicts)
    for copied in (MANIFEST, *COPIED):
        write_atomic(workspace.history / name / copied, (results / copied).read_bytes())
    write_atomic(workspace.history / name / VERDICTS_FILE, verdicts)
    return EntryFile(
        sequence=1,
        name=name,
        digest=state.digest,
        label=None,
        metrics={},
        verdicts=digest_bytes(verdicts),
    )


def _refuse_earlier(entries: Iterable[EntryFile], taken: str | None) -> None:
    """Days rise as numbers do. Written alike, days compare as text."""
    last = max((entry.taken for entry in entries if entry.taken is not None), default=None)
    if taken is not None and last is not None and taken < last:
        what = f"has a snapshot taken on {last}, and this one would be of {taken}, before it"
        raise FilesError(
            Problem(
                f"history/{INDEX}",
                what,
                "give the day with --date, or correct `taken` of that snapshot",
            )
        )


def _refuse_other_verdicts(workspace: Workspace, entry: EntryFile, state: State) -> None:
    kept = load_snapshot(workspace, entry)
    # Twelve digits: the last ones may come of another library.
    same_scores = kept.scores.with_columns(_ROUNDED).equals(state.scores.with_columns(_ROUNDED))
    if not (same_scores and _sorted(kept.verdicts).equals(_sorted(state.verdicts))):
        what = "was made of the same inputs and has other verdicts or scores: the rules changed without a new version"
        fix = "raise RULES_VERSION in scoring/rules.py, then run lb rescore again"
        raise FilesError(Problem(f"history/{entry.name}", what, fix))


def _sorted(verdicts: pl.DataFrame) -> pl.DataFrame:
    return verdicts.sort("suite", "metric", "category", "case_id", "submission", "trial")


def _compact(verdicts: pl.DataFrame) -> bytes:
    """Verdicts in KEPT's columns, in an order in which equal values stand together: a few bits a row."""
    buffer = io.BytesIO()
    _sorted(verdicts).write_parquet(
        buffer, compression="zstd", compression_level=19, statistics=False
    )
    return buffer.getvalue()


def _index(entries: Iterable[EntryFile]) -> bytes:
    """One snapshot a line, so that two branches that each add one are seen to differ in a line. Lines that are there stay."""
    lines = ",\n".join(
        "  " + orjson.dumps(_line(entry), option=orjson.OPT_SORT_KEYS).decode() for entry in entries
    )
    return f'{{"schema": 1, "snapshots": [\n{lines}\n]}}\n'.encode()


def _line(entry: EntryFile) -> dict[str, Any]:
    return entry.model_dump(exclude={"taken"} if entry.taken is None else None)
