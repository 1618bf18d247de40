"""The manifest: a digest of every input, so that every change of a score has a named cause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from leaderboard.board.manifest_shape import (
    DecidingSettings,
    DigestedInputs,
    DigestedJudge,
    Manifest,
    RulesVersion,
    SuiteParts,
)
from leaderboard.digest import digest_bytes, digest_of
from leaderboard.files.cassette_paths import RECORDINGS, cassette_files
from leaderboard.files.file_bytes import read_bytes
from leaderboard.load import Contents
from leaderboard.types import Json, JudgeSettings, Submission, Suite, Tool
from leaderboard.workspace import Workspace
from scoring.rules import RULES_VERSION

_SHORT: Final = 12  # digits: enough to tell one case from its next version


def build_manifest(
    contents: Contents, panel: Sequence[JudgeSettings], cassettes: Mapping[str, str]
) -> Manifest:
    """Every input by name and sha256. `digest` covers all of them together.

    `cassettes` maps a path to its file's digest. `suite_parts` show which case, tool, weight or
    policy of a suite changed, and which category a case is in. `cards` covers what scores and ranks
    take from a card.
    """
    inputs: DigestedInputs = {
        "rules": _rules(contents.suites),
        "suites": {
            suite.id: {"digest": suite.digest, "cases": len(suite.cases)}
            for suite in contents.suites
        },
        "prompts": {
            f"{suite}/{name}": prompt.digest for (suite, name), prompt in contents.prompts.items()
        },
        "labels": {
            f"{labelled.suite}/{labelled.category}{'/decision' if labelled.decision else ''}": {
                "digest": labelled.digest,
                "pairs": len(labelled.pairs),
            }
            for labelled in contents.labels
        },
        "judges": {judge.name: _judge(judge) for judge in panel},
        "submissions": {s.id: _files(s, contents.digests) for s in contents.submissions},
        "cards": {s.id: _card(s) for s in contents.submissions},
        "cassettes": dict(cassettes),
        "suite_parts": {suite.id: suite_parts(suite) for suite in contents.suites},
    }
    as_of = max((s.card.date for s in contents.submissions), default=None)
    return {"schema": 1, "as_of": as_of, "digest": digest_of(inputs), **inputs}


def _rules(suites: Iterable[Suite]) -> RulesVersion:
    """The version of the rules, and the digests of the workspace's own rules that suites use."""
    files = [suite.kind.rule_file for suite in suites]
    own = {file.path: file.digest for file in files if file}
    rules: RulesVersion = {"version": RULES_VERSION}
    if own:
        rules["own"] = dict(sorted(own.items()))
    return rules


def cassette_digests(
    workspace: Workspace, known: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """The sha256 of every cassette, and of the list of recordings by maintainers, by path.

    Files whose digest is `known` are not read. Raises FilesError.
    """
    root = workspace.root
    files = list(cassette_files(root))
    if (root / RECORDINGS).exists():
        files.append(RECORDINGS)
    return {
        file: known.get(file) or digest_bytes(read_bytes(root / file, file, root)) for file in files
    }


def suite_parts(suite: Suite) -> SuiteParts:
    """Short digests of a suite's cases, tools and policy, and the weights of its categories."""
    asked = [[c.id, c.prompt, c.follow_up, c.environment] for c in suite.categories]
    tools = [_described(tool) for tool in suite.tools]
    return {
        "cases": {
            case.id: digest_of([case.category, case.digest])[:_SHORT] for case in suite.cases
        },
        "tools": digest_of(tools)[:_SHORT],
        "weights": {category.id: category.weight for category in suite.categories},
        "policy": digest_of([suite.kind.name, dict(suite.policy), sorted(asked)])[:_SHORT],
    }


def _described(tool: Tool) -> list[Json]:
    return [tool.name, tool.description, [parameter.schema for parameter in tool.parameters]]


def _files(submission: Submission, digests: Mapping[str, str]) -> dict[str, str]:
    return {path: digests[path] for path in submission.files.values()}


def _card(submission: Submission) -> str:
    """A digest of the fields of a card that can change a score, a rank or a cost."""
    card = submission.card
    price = None if card.price is None else asdict(card.price)
    return digest_of([card.kind, sorted(card.partial), submission.underscored, price])


def _judge(judge: JudgeSettings) -> DigestedJudge:
    """The settings that decide a judge's replies. Its host and key do not, its path does."""
    settings: DecidingSettings = {
        "provider": judge.provider,
        "model": judge.model,
        "settings": judge.public_settings,
    }
    if not judge.is_recomputed:
        settings["recordings"] = judge.recordings
        if judge.base_url is not None:
            settings["path"] = urlsplit(judge.base_url).path.rstrip("/")
    return {**settings, "digest": digest_of(settings)}


def other_judges(contents: Contents, manifest: Manifest) -> str | None:
    """Names who decided, if that is not the panel of the board."""
    decided = set(manifest["judges"])
    panel = {judge.name for judge in contents.leaderboard.panel}
    if decided == panel:
        return None
    by = ", ".join(sorted(decided)) or "no judge"
    return f"holds verdicts of {by}, not of the panel: {', '.join(sorted(panel)) or 'no judge'}"
