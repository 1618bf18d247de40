"""The digests of all inputs of a submission's scores, from the manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.files.cassette_paths import relative_path
from leaderboard.types import Submission
from leaderboard.workspace import CARD_FILE
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
    card = manifest.get("cards", {}).get(submission.id)
    judges, cassettes = sorted(manifest["judges"].items()), manifest["cassettes"]
    suites = [suite.id for suite in index.board.suites if suite.id in submission.files]
    for path, digest in sorted(manifest["submissions"].get(submission.id, {}).items()):
        yield InputDigest(path, "responses", formatting.digest(digest))
    short = formatting.NONE if card is None else formatting.digest(card)
    yield InputDigest(CARD_FILE, "kind, partial, tool names, price", short)
    for name in suites:
        digest = manifest["suites"][name]["digest"]
        yield InputDigest(f"datasets/{name}/", "cases", formatting.digest(digest))
    for name, digest in sorted(manifest["prompts"].items()):
        if name.partition("/")[0] in suites:
            yield InputDigest(f"prompts/{name}.md", "judge prompt", formatting.digest(digest))
    for name, judge in judges:
        yield InputDigest(name, "judge", formatting.digest(judge["digest"]))
    paths = [relative_path(judge, suite, submission.id) for judge, _ in judges for suite in suites]
    for path in sorted(paths):
        if path in cassettes:
            yield InputDigest(path, "recorded judge calls", formatting.digest(cassettes[path]))
    yield InputDigest("rules", "version", index.board.rules_version)
