"""The shape of a manifest: of results, of a snapshot and of a published site."""

from __future__ import annotations

from typing import Final, Literal, NotRequired

from pydantic import TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from leaderboard.errors import FilesError
from leaderboard.files.field_types import OPEN, Date, Sha256
from leaderboard.files.json_files import parse
from leaderboard.types import Json

# Manifests of later versions may have further keys, and old snapshots lack those that are not
# required.


@with_config(OPEN)
class RulesVersion(TypedDict):
    """The version of the rules, and digests of the board's own."""

    version: int
    own: NotRequired[dict[str, Sha256]]


@with_config(OPEN)
class DigestedSuite(TypedDict):
    """A suite and its number of cases."""

    digest: Sha256
    cases: NotRequired[int]


@with_config(OPEN)
class SuiteParts(TypedDict):
    """Short digests of a suite's cases, tools and policy, and its weights."""

    cases: dict[str, str]
    tools: str
    weights: dict[str, float]
    policy: str


@with_config(OPEN)
class DecidingSettings(TypedDict):
    """The settings that decide a judge's replies."""

    provider: NotRequired[str]
    model: NotRequired[str]
    settings: NotRequired[dict[str, Json]]
    recordings: NotRequired[str]
    path: NotRequired[str]


@with_config(OPEN)
class DigestedJudge(DecidingSettings):
    """The settings that decide a judge's replies, with their digest."""

    digest: Sha256


@with_config(OPEN)
class DigestedLabels(TypedDict):
    """The labels of a category, and the number of labelled pairs."""

    digest: Sha256
    pairs: NotRequired[int]


@with_config(OPEN)
class DigestedInputs(TypedDict):
    """Every input of the scores by its name."""

    rules: RulesVersion
    suites: dict[str, DigestedSuite]
    prompts: dict[str, Sha256]
    judges: dict[str, DigestedJudge]
    submissions: dict[str, dict[str, Sha256]]
    cassettes: dict[str, Sha256]
    suite_parts: NotRequired[dict[str, SuiteParts]]
    cards: NotRequired[dict[str, Sha256]]
    labels: NotRequired[dict[str, DigestedLabels]]


@with_config(OPEN)
class Manifest(DigestedInputs):
    """The inputs of the scores with their date, and with the digest of all of them together."""

    schema: Literal[1]
    as_of: Date | None
    digest: Sha256


@with_config(OPEN)
class WrittenManifest(Manifest):
    """The manifest in a folder of results, with the digests of the other files there."""

    results: dict[str, Sha256]


WRITTEN_MANIFEST: Final = TypeAdapter(WrittenManifest)


def read_manifest(data: bytes, shown: str) -> WrittenManifest:
    """Reads a manifest that may be anybody's. Raises FilesError."""
    document = parse(data, shown)
    try:
        return WRITTEN_MANIFEST.validate_python(document)
    except ValidationError as error:
        what = "is damaged, or of another version"
        raise FilesError.about(shown, what, "build the site again") from error
