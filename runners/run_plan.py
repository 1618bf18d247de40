"""The plan of a run: how a model is asked, and what it is asked of each suite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_of
from leaderboard.errors import Problem
from leaderboard.files.tool_names import find_unsendable, sent_name
from leaderboard.mappings import without_none
from leaderboard.network.retries import RetryPolicy
from leaderboard.types import Case, Category, Json, Price, Suite, Tool
from leaderboard.workspace import suite_file
from runners import instructions
from runners.models.model_interface import Conversation
from runners.models.model_settings import ModelSettings
from runners.run_defaults import CONCURRENCY, STEP_LIMIT, TRIALS

ORIGIN: Final = "run"  # the key of a card's settings that names the model that `lb run` asked


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What the runs of models and agents share.

    `limit` leaves out all but the first cases of a suite. `resume` continues an earlier run.
    """

    model: ModelSettings
    trials: int = TRIALS
    limit: int | None = None
    concurrency: int = CONCURRENCY
    step_limit: int = STEP_LIMIT
    resume: bool = False

    def attempts(self, suite: Suite) -> list[tuple[Case, int]]:
        """The cases of a suite to answer, each with every trial, in order."""
        trials = range(1, self.trials + 1)
        return [(case, trial) for case in suite.cases[: self.limit] for trial in trials]


@dataclass(frozen=True, slots=True)
class ModelPlan(RunPlan):
    """How a model is asked.

    `system` replaces the system text of `runners.instructions`. Without `tools` none are offered.
    `rate` limits the requests per second. `keep_raw` is a folder for the providers' raw replies.
    `budget` is the most that the run may cost in US dollars, and needs a `price`.
    """

    tools: bool = True
    system: str | None = None
    rate: float | None = None
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    keep_raw: Path | None = None
    price: Price | None = None
    budget: float | None = None

    def fixed(self) -> dict[str, Json]:
        """The settings that all suites of a submission share; None is not on the card."""
        return {
            ORIGIN: self.model.title,
            "endpoint": self.model.endpoint,
            "temperature": self.model.temperature,
            "tools": None if self.tools else False,
            "max_tokens": self.model.max_tokens,
            "reasoning_effort": self.model.reasoning_effort,
            "seed": self.model.seed,
            # Their values may be secrets.
            "extra_body": sorted(self.model.extra_body) or None,
            "headers": sorted(self.model.headers) or None,
        }


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One suite of a run."""

    suite: Suite
    plan: ModelPlan

    @property
    def raw(self) -> Path | None:
        """The file of raw replies, if they are kept."""
        return None if self.plan.keep_raw is None else self.plan.keep_raw / f"{self.suite.id}.jsonl"

    @property
    def underscored(self) -> bool:
        """Whether a tool's name has a dot. Providers refuse dots, so models see underscores."""
        names = (tool.name for case in self.suite.cases for tool in case.tools)
        return self.plan.tools and any("." in name for name in names)

    def tools(self, case: Case) -> tuple[Tool, ...]:
        """A case's tools as the model sees them."""
        if not self.plan.tools:
            return ()
        return tuple(replace(tool, name=sent_name(tool.name)) for tool in case.tools)

    def unsendable_tools(self) -> list[Problem]:
        """Problems of tools that cannot be sent under their names."""
        if not self.plan.tools:
            return []
        path = suite_file(self.suite.id)
        return list(find_unsendable(self.suite.cases, path, "error"))

    def system_text(self, category_id: str) -> str:
        """The system text of a category's cases."""
        plan = self.plan
        return instructions.system_text(self.suite, category_id, plan.system, tools=plan.tools)

    def first_request(self, case: Case) -> Conversation:
        """What a case is asked first. An environment adds its tools."""
        system, tools = self.system_text(case.category), self.tools(case)
        return Conversation(system, case.query, tools, earlier=case.earlier)

    def settings(self) -> dict[str, Json]:
        """The settings that decide the answers to this suite, besides those of the plan."""
        texts = {category.id: self.system_text(category.id) for category in self.suite.categories}
        differ = len(set(texts.values())) > 1
        settings: dict[str, Json] = {"system": texts if differ else next(iter(texts.values()), "")}
        if self.suite.kind.interaction == "environment":
            settings["step_limit"] = self.plan.step_limit
        return settings

    def asked(self) -> Mapping[str, Json]:
        """Everything that decides the answers. `--resume` needs the same values."""
        cases = []
        for case in self.suite.cases:
            tools = []
            for tool in case.tools:
                parameters = [[p.name, p.required, p.schema] for p in tool.parameters]
                tools.append([tool.name, tool.description, parameters])
            earlier = [list(case.earlier)] if case.earlier else []
            cases.append([case.id, case.query, tools, *earlier])
        # Ground truths are left out: correcting one changes no question.
        suite = {"suite": self.suite.id, "cases": digest_of(cases)}
        if self.suite.kind.interaction == "environment":
            suite["environments"] = digest_of(list(map(_world, self.suite.categories)))
        return {**without_none(self.plan.fixed()), **suite, **self.settings()}


def _world(category: Category) -> Json:
    """What the tools of a category's cases find."""
    tables = None if category.tables is None else asdict(category.tables)
    return [category.id, category.environment, tables]
