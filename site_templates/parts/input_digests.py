"""The digests of all inputs of a submission's scores, from the manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from leaderboard.files.cassette_paths import relative_path
from leaderboard.types import Submission
from site_templates import formatting
from site_templates.board_index import BoardIndex


@dataclass(frozen=True, slots=True)
class InputDigest:
    """One input of the scores, with its digest in short."""

    input: str
    what: str
    digest: str


def input_digests(index: BoardIndex, submission: Submission) -> Iterator[InputDigest]:
    """The manifest's digests of all inputs of this submission's scores."""
    manifest = index.board.results.manifest
    responses = _entries(manifest.get("submissions")).get(submission.id)
    card = _entries(manifest.get("cards")).get(submission.id)
    cases, prompts = _entries(manifest.get("suites")), _entries(manifest.get("prompts"))
    judges, cassettes = _entries(manifest.get("judges")), _entries(manifest.get("cassettes"))
    suites = [suite.id for suite in index.board.suites if suite.id in submission.files]
    for path, digest in _entries(responses).items():
        yield InputDigest(path, "responses", _short(digest))
    yield InputDigest("submission.json", "kind, partial, tool names, price", _short(card))
    for name in suites:
        yield InputDigest(f"datasets/{name}/", "cases", _short(cases.get(name)))
    for name, digest in prompts.items():
        if name.partition("/")[0] in suites:
            yield InputDigest(f"prompts/{name}.md", "judge prompt", _short(digest))
    for name, digest in judges.items():
        yield InputDigest(name, "judge", _short(digest))
    paths = [relative_path(judge, suite, submission.id) for judge in judges for suite in suites]
    for path in sorted(paths):
        if path in cassettes:
            yield InputDigest(path, "recorded judge calls", _short(cassettes[path]))
    yield InputDigest("rules", "version", index.board.rules_version)


def _entries(section: Any) -> dict[str, Any]:
    """A section of the manifest by name; empty if the manifest has none."""
    return dict(sorted(section.items())) if isinstance(section, Mapping) else {}


def _short(value: Any) -> str:
    """A digest in short. An input with several facts has it under the name `digest`."""
    if isinstance(value, Mapping):
        value = value.get("digest")
    return formatting.digest(value) if isinstance(value, str) else formatting.NONE
