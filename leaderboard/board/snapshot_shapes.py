"""The shapes of history/index.json and of the manifest in a snapshot, checked by pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from leaderboard.errors import FilesError
from leaderboard.files.field_types import CLOSED, Date, Sha256
from leaderboard.files.json_files import parse
from leaderboard.limits import LABEL_LENGTH

# Manifests of later versions may have further keys.
_OPEN: Final = ConfigDict(strict=True)

SnapshotName = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$")]


class DigestedInput(BaseModel):
    """A suite or a judge, of which only the digest is read."""

    model_config = _OPEN
    digest: Sha256


class RulesVersion(BaseModel):
    """The version of the rules."""

    model_config = _OPEN
    version: int


class SuiteParts(BaseModel):
    """Short digests of a suite's cases, tools and policy, and its weights."""

    model_config = _OPEN
    cases: dict[str, str]
    tools: str
    weights: dict[str, float]
    policy: str


class SnapshotManifest(BaseModel):
    """What is read of a manifest."""

    model_config = _OPEN
    schema_: Literal[1] = Field(alias="schema")
    as_of: Date | None
    digest: Sha256
    rules: RulesVersion
    suites: dict[str, DigestedInput]
    prompts: dict[str, Sha256]
    judges: dict[str, DigestedInput]
    submissions: dict[str, dict[str, Sha256]]
    cassettes: dict[str, Sha256]
    results: dict[str, Sha256]
    # Old snapshots do not have these.
    suite_parts: dict[str, SuiteParts] = {}
    cards: dict[str, Sha256] = {}


class SnapshotEntry(BaseModel):
    """One line of history/index.json: a snapshot's number and its folder.

    `taken` is the day on which it was kept. `names` has the names of its submissions by id, so that
    each line can be removed without a loss for others. Old lines have neither, or only the names
    that earlier lines lack.
    """

    model_config = CLOSED
    sequence: Annotated[int, Field(ge=1)]
    name: SnapshotName
    digest: Sha256
    label: Annotated[str, StringConstraints(min_length=1, max_length=LABEL_LENGTH)] | None
    metrics: dict[str, str]
    verdicts: Sha256
    taken: Date | None = None
    names: dict[str, str] = {}


class IndexFile(BaseModel):
    """history/index.json."""

    model_config = CLOSED
    schema_: Literal[1] = Field(alias="schema")
    snapshots: list[SnapshotEntry]


MANIFEST_FILE: Final = TypeAdapter(SnapshotManifest)
INDEX_FILE: Final = TypeAdapter(IndexFile)


def read_manifest(data: bytes, shown: str) -> Mapping[str, Any]:
    """Reads a manifest that may be anybody's. Raises FilesError."""
    manifest: Mapping[str, Any] = parse(data, shown)
    try:
        MANIFEST_FILE.validate_json(data)
    except ValidationError as error:
        what = "is damaged, or of another version"
        raise FilesError.about(shown, what, "build the site again") from error
    return manifest
