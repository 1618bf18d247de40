"""leaderboard.toml: the board, the order of its suites, and its judges."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, TypeAdapter

from leaderboard.digest import digest_bytes
from leaderboard.files.field_types import (
    CLOSED,
    BaseAddress,
    Identifier,
    Line,
    WebAddress,
    text_form,
)
from leaderboard.files.shaped_files import read_shaped
from leaderboard.files.site_settings import SiteToml, load_look
from leaderboard.judge_providers import DECISION, PERSONAL_FIELDS, Provider, Recordings
from leaderboard.network.endpoints import ADDRESSES
from leaderboard.network.secret_keys import kinds_of_keys
from leaderboard.site_look import SiteLook
from leaderboard.types import JudgeSettings
from leaderboard.workspace import Workspace

_FORMAT: Final = "see lb docs leaderboard"


EnvironmentVariable = Annotated[
    str, text_form(r"^[A-Z][A-Z0-9_]*$", "a variable is written in capitals, such as MY_KEY")
]


class JudgeToml(BaseModel):
    """One judge: who answers, with which model and settings.

    - `provider`: through which API it is asked.
    - `model`: the model's name there.
    - `base_url`: the address of a server, for example of vLLM or Ollama.
    - `settings`: further fields of each request, for example `{ temperature = 0, seed = 7 }`.
    - `api_key_env`: the environment variable that holds the key.
    """

    model_config = CLOSED
    provider: Provider
    model: Line
    base_url: WebAddress | None = None
    settings: dict[str, Any] = {}
    api_key_env: EnvironmentVariable | None = None


class LeaderboardToml(BaseModel):
    """leaderboard.toml: the board, its suites, its judges, its look.

    - `schema`: the version of this format.
    - `title`: the title of the board.
    - `description`: Markdown for the first page.
    - `repository`: the address that people clone. Pages then link to its issues and files.
    - `ranked`: the suite that the first page ranks by. Without it, the first one.
    - `suites`: the order of the suites. Others follow by name.
    - `panel`: the names of the judges that decide. Not needed if no suite asks a judge.
    - `recordings`: whose recordings of judge calls count.
    - `baselines`: the ids of the submissions that may be of the kind `baseline`. Without it, any.
    - `judges`: the judges by name.
    - `site`: the look of the pages.
    """

    model_config = CLOSED
    schema_: Literal[1] = Field(alias="schema")
    title: Line = "Toolboard"
    description: str = ""
    repository: BaseAddress | None = None
    ranked: Identifier | None = None
    suites: list[Identifier] = []
    panel: list[Identifier] = []
    recordings: Recordings = "maintainers"
    baselines: list[str] | None = None
    judges: dict[Identifier, JudgeToml] = {}
    site: SiteToml = SiteToml()


LEADERBOARD_FILE: Final = TypeAdapter(LeaderboardToml)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The board's settings. `ranked` is the suite shown first, `panel` the judges that decide.

    `baselines` lists the submissions that may be of the kind baseline; None allows any.
    """

    title: str
    description: str
    repository: str | None
    ranked: str | None
    suites: tuple[str, ...]
    judges: Mapping[str, JudgeSettings]
    panel: tuple[JudgeSettings, ...]
    digest: str
    baselines: tuple[str, ...] | None
    look: SiteLook


def request_of(judge: JudgeToml | JudgeSettings) -> tuple[object, ...]:
    """What identifies a judge's requests, beside the prompt. The host does not."""
    own = ADDRESSES.get(judge.provider)
    path = urlsplit(judge.base_url or own).path.rstrip("/") if own else ""
    settings = {name: it for name, it in judge.settings.items() if name not in PERSONAL_FIELDS}
    return judge.provider, path, judge.model, settings


def load_leaderboard(workspace: Workspace) -> Leaderboard:
    """Reads leaderboard.toml. Raises FilesError with all its problems."""
    path = workspace.settings
    file, findings = read_shaped(LEADERBOARD_FILE, path, path.name, workspace.root, _FORMAT)
    unknown = [name for name in file.panel if name not in file.judges]
    if unknown:
        what = f"names judges that are not defined: {', '.join(unknown)}"
        findings.add(("panel",), what, "add [judges.NAME]")
    for setting in ("panel", "suites", "baselines"):
        for name, number in Counter(getattr(file, setting) or ()).items():
            if number > 1:
                findings.add((setting,), f"names {name!r} {number} times", "name it once")
    panel = [name for name in dict.fromkeys(file.panel) if name in file.judges]
    for one, other in combinations(panel, 2):
        if request_of(file.judges[one]) == request_of(file.judges[other]):
            what = f"names {one!r} and {other!r}, which send the same requests"
            what += ", perhaps to different hosts"
            fix = "give one another model, settings or path: both would share each recorded reply"
            findings.add(("panel",), what, fix)
    if DECISION in file.judges:
        what = "is a reserved name: tables use it for rules, facts and judges together"
        findings.add(("judges", DECISION), what, "give the judge another name")
    for name, judge in file.judges.items():
        for kind in kinds_of_keys(json.dumps(judge.settings, default=str)):
            fix = "revoke it, and name the environment variable that holds the key in api_key_env"
            findings.add(("judges", name, "settings"), f"hold what looks like {kind}", fix)
    look = load_look(workspace, file.site, findings)
    findings.raise_errors()
    judges = {
        name: JudgeSettings(name, **judge.model_dump(), recordings=file.recordings)
        for name, judge in file.judges.items()
    }
    return Leaderboard(
        title=file.title,
        description=file.description,
        repository=file.repository,
        ranked=file.ranked,
        suites=tuple(file.suites),
        judges=judges,
        panel=tuple(judges[name] for name in file.panel),
        digest=digest_bytes(findings.data),
        baselines=None if file.baselines is None else tuple(file.baselines),
        look=look,
    )
