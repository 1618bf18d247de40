"""The shape of history/index.json, checked by pydantic."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field, StringConstraints, TypeAdapter

from leaderboard.files.field_types import CLOSED, Date, Sha256
from leaderboard.limits import LABEL_LENGTH

SnapshotName = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$")]


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


INDEX_FILE: Final = TypeAdapter(IndexFile)
