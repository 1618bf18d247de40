"""How a model is to be run, and over what: the settings of a run, and the suites with what is asked in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_of
from leaderboard.retries import RetryPolicy
from leaderboard.types import Case, Json, Suite, Tool
from runners import instructions
from runners.models.model_choice import ModelSettings
from runners.models.run_journal import path_of

ORIGIN: Final = "run"  # the key of a card's settings that says which model `lb run` asked


@dataclass(frozen=True, slots=True)
class Plan:
    """How a model is run.

    `system` replaces the system text of `runners.instructions`; `tools` False offers none; `rate` limits the requests per
    second; `keep_raw` is a folder for the providers' raw replies. `resume` goes on from what an earlier run answered.
    """

    model: ModelSettings
    trials: int = 1
    limit: int | None = None
    concurrency: int = 4
    step_limit: int = 30
    tools: bool = True
    system: str | None = None
    rate: float | None = None
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    resume: bool = False
    keep_raw: Path | None = None

    def settings(self) -> dict[str, Json]:
        """The settings on a card that are the same for all suites of a submission."""
        told: dict[str, Json] = {ORIGIN: self.model.title}
        if self.model.endpoint is not None:
            told["endpoint"] = self.model.endpoint
        if self.model.temperature is not None:
            told["temperature"] = self.model.temperature
        return told if self.tools else {**told, "tools": False}


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One suite of a run: what is asked, in which words, and where it is kept."""

    root: Path
    suite: Suite
    plan: Plan
    submission_id: str

    @property
    def journal(self) -> Path:
        """Where the answers are kept as they come."""
        return path_of(self.root, self.submission_id, self.suite.id)

    @property
    def raw(self) -> Path | None:
        """Where raw replies go, if they are kept."""
        return None if self.plan.keep_raw is None else self.plan.keep_raw / f"{self.suite.id}.jsonl"

    @property
    def underscored(self) -> bool:
        """Whether a tool's name has a dot, which providers refuse: the model is then shown an underscore."""
        return self.plan.tools and any(
            "." in tool.name for case in self.suite.cases for tool in case.tools
        )

    def tools(self, case: Case) -> tuple[Tool, ...]:
        """A case's tools as the model is shown them."""
        return (
            tuple(replace(tool, name=tool.name.replace(".", "_")) for tool in case.tools)
            if self.plan.tools
            else ()
        )

    def system(self, category_id: str) -> str:
        """The system text of a category's cases."""
        return instructions.system(self.suite, category_id, self.plan.system)

    def settings(self) -> dict[str, Json]:
        """What decides the answers to this suite, beside the model: as the card and the journal note it."""
        texts = {category.id: self.system(category.id) for category in self.suite.categories}
        told: dict[str, Json] = {
            "system": texts if len(set(texts.values())) > 1 else next(iter(texts.values()), "")
        }
        return (
            {**told, "step_limit": self.plan.step_limit}
            if self.suite.kind.interaction == "environment"
            else told
        )

    def asked(self) -> Mapping[str, Json]:
        """What a journal's answers answer: with another value of any of these they would answer something else."""
        cases = [
            [case.id, case.query, [_shown(tool) for tool in case.tools]]
            for case in self.suite.cases
        ]
        return {
            **self.plan.settings(),
            "suite": self.suite.id,
            "cases": digest_of(cases),
            **self.settings(),
        }

    def places(self) -> list[tuple[Case, int]]:
        """The cases and trials to be answered, in order."""
        return places(self.suite, self.plan.limit, self.plan.trials)


def places(suite: Suite, limit: int | None, trials: int) -> list[tuple[Case, int]]:
    """The first cases of a suite (all where `limit` is None, none where it is 0), each with every trial, in order."""
    return [(case, trial) for case in suite.cases[:limit] for trial in range(1, trials + 1)]


def _shown(tool: Tool) -> Json:
    return [tool.name, tool.description, [[p.name, p.required, p.schema] for p in tool.parameters]]
