"""leaderboard.toml: the board, the order of its suites, and its judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError
from leaderboard.files.document import Findings, read_bytes
from leaderboard.files.file_shapes import LeaderboardFile
from leaderboard.files.toml_files import parse_toml, toml_problems
from leaderboard.files.validation import add_pydantic_errors
from leaderboard.types import JudgeSettings
from leaderboard.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """leaderboard.toml: the board, the order of its suites, and its judges; `panel` names those that decide."""

    title: str
    description: str
    repository: str | None
    ranked: str | None
    suites: tuple[str, ...]
    judges: Mapping[str, JudgeSettings]
    panel: tuple[JudgeSettings, ...]
    digest: str


def load_leaderboard(workspace: Workspace) -> Leaderboard:
    """leaderboard.toml. Raises FilesError with all its problems."""
    data = read_bytes(workspace.settings, "leaderboard.toml", workspace.root)
    document = parse_toml(data, "leaderboard.toml")
    findings = Findings("leaderboard.toml", b"")
    try:
        file = LeaderboardFile.model_validate(document)
    except ValidationError as error:
        add_pydantic_errors(error, document, findings)
        raise FilesError(toml_problems(findings, data)) from error
    judges = {
        name: JudgeSettings(
            name, judge.provider, judge.model, judge.base_url, judge.settings, judge.api_key_env
        )
        for name, judge in file.judges.items()
    }
    unknown = [name for name in file.panel if name not in judges]
    if unknown:
        findings.add(
            ("panel",),
            f"names judges that are not defined: {', '.join(unknown)}",
            "add [judges.NAME]",
        )
        raise FilesError(toml_problems(findings, data))
    return Leaderboard(
        title=file.title,
        description=file.description,
        repository=file.repository,
        ranked=file.ranked,
        suites=tuple(file.suites),
        judges=judges,
        panel=tuple(judges[name] for name in file.panel),
        digest=digest_bytes(data),
    )
