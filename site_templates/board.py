"""What the site is made of: everything the pages show, handed over in one piece by the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from leaderboard.types import Json, JudgeSettings, Prompt, Record, Submission, Suite


@dataclass(frozen=True, slots=True)
class Exchange:
    """One recorded judge call as a reader sees it: what was asked, what came back, by whom, and the file that holds it.

    `settings` are those of the request (temperature, seed, ...); `cassette` is a path below the workspace.
    """

    prompt: str
    reply: str
    judge: str
    settings: Mapping[str, Json]
    cassette: str


@dataclass(frozen=True, slots=True)
class Board:
    """One board, scored. Frames follow `leaderboard.frames`; their order is of no account, pages sort what they show.

    `repository` is the address people clone, or None. `records` holds the records of each responses file in file order.
    `exchange` finds a judge call by the key a verdict names, and returns None where none is recorded. `docs` maps a name to
    Markdown. `ranked` is the suite of the first page. `metrics` names the ranked metric of suites where it is not "correct".
    """

    title: str
    description: str
    repository: str | None
    suites: tuple[Suite, ...]
    submissions: tuple[Submission, ...]
    verdicts: pl.DataFrame
    scores: pl.DataFrame
    usage: pl.DataFrame
    ranks: pl.DataFrame
    gaps: pl.DataFrame
    records: Mapping[tuple[str, str], tuple[Record, ...]]
    judges: tuple[JudgeSettings, ...]
    prompts: tuple[Prompt, ...]
    exchange: Callable[[str], Exchange | None]
    manifest: Mapping[str, Any]
    docs: Mapping[str, str]
    rules_version: str
    ranked: str
    headline: str = "Which systems use tools well, and how sure can we be?"
    metrics: Mapping[str, str] = field(default_factory=dict)

    def metric(self, suite_id: str) -> str:
        """The metric a suite is ranked by."""
        return self.metrics.get(suite_id, "correct")
