"""A workspace to run models in, with three suites, and a clock that never waits."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest

from leaderboard.files.suite_files import load_suite
from leaderboard.network.retries import RetryPolicy
from leaderboard.responses.forms.model_reply import Reply
from leaderboard.types import Suite
from leaderboard.workspace import Workspace
from runners.early_ends import RunInterrupted
from runners.models import model_run
from runners.models.model_interface import Conversation
from runners.models.model_run import run_model
from runners.models.model_settings import ModelProvider, ModelSettings
from runners.models.rate_limit import Clock
from runners.run_card import CardChoice
from runners.run_plan import ModelPlan
from runners.run_report import RunReport
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.runners.scripted_server import Script, ScriptedServer, serving

KEY = "sk-not-to-be-written-1234"
DATE = "2026-05-18"

# A call as models make it in the suite `small`.
CALL = ("convert_units", {"value": 3, "to_unit": "yards"})

# One category in the environment of one tool. Cases: `acted_case`.
TYPING = """\
schema = 1
title = "Typing"
kind = "tool_usage"

[[categories]]
id = "typing"
title = "Typing"
file = "typing.json"
environment = "Tool Usage - Typewriter (1 tool)"
"""
ACTS = """\
schema = 1
title = "Acts"
kind = "tool_usage"

[[categories]]
id = "typing"
title = "Typing"
file = "typing.json"
environment = "Tool Usage - Typewriter (1 tool)"

[[categories]]
id = "keys"
title = "Keys"
file = "keys.json"
environment = "Tool Usage - Typewriter (26 tools)"

[[categories]]
id = "sums"
title = "Sums"
file = "sums.json"
environment = "Multiverse Math"
"""

MATCH = """\
schema = 1
title = "Match"
kind = "call_match"

[[categories]]
id = "simple"
title = "Simple"
file = "simple.json"
"""


def acted_case(case_id: str, question: str, **outputs: Any) -> dict[str, Any]:
    """A case of kind tool_usage."""
    return {"id": case_id, "inputs": {"question": question}, "outputs": outputs}


def match_case(case_id: str, tool: str) -> dict[str, Any]:
    """A case of kind call_match that expects one call, with its own tool."""
    parameters = {"type": "dict", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    allowed = {"n": {"type": "integer", "required": True, "allowed": [3]}}
    return {
        "id": case_id,
        "user_query": f"Use {tool}.",
        "tools": [{"name": tool, "description": "A tool.", "parameters": parameters}],
        "ground_truth": {"no_call": False, "calls": [{"name": tool, "parameters": allowed}]},
    }


def add_suites(folder: Folder) -> None:
    """Adds the suites `acts` and `match`."""
    folder.write("datasets/acts/suite.toml", ACTS)
    typed = {"expected_steps": ["type_letter", "type_letter"], "reference": "hi", "state": "hi"}
    folder.write("datasets/acts/typing.json", [acted_case("T1", "hi", **typed)])
    folder.write(
        "datasets/acts/keys.json",
        [acted_case("K1", "ab", expected_steps=["a", "b"], reference="ab", state="ab")],
    )
    folder.write(
        "datasets/acts/sums.json",
        [acted_case("S1", "What is 2 + 3?", expected_steps=["add"], reference=6.2)],
    )
    folder.write("datasets/match/suite.toml", MATCH)
    folder.write(
        "datasets/match/simple.json",
        [match_case("simple_0", "math.cube"), match_case("simple_1", "plain")],
    )


def suite(folder: Folder, name: str) -> Suite:
    return load_suite(Workspace(folder.root), name, KINDS)


@dataclass
class InstantClock(Clock):
    """Time passes only in `sleep`, at once. `slept` holds the seconds of every pause."""

    time: float = 0.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


@dataclass
class Bench:
    """A workspace, a provider, and runs of it against scripted servers."""

    folder: Folder
    provider: ModelProvider
    clock: InstantClock = field(default_factory=InstantClock)

    def settings(self, server: ScriptedServer, **changes: Any) -> ModelSettings:
        address = server.openai if self.provider == "openai" else server.url
        return replace(ModelSettings(self.provider, "scripted-1", address), **changes)

    def run(
        self, script: Script, *names: str, submission: str = "m", **plan: Any
    ) -> tuple[RunReport, ScriptedServer]:
        """One run over suites (default: small) against this script; the report and the server."""
        with serving(script) as server:
            return self.against(server, *names, submission=submission, **plan), server

    def against(
        self,
        server: ScriptedServer,
        *names: str,
        submission: str = "m",
        card: CardChoice | None = None,
        **plan: Any,
    ) -> RunReport:
        suites = [suite(self.folder, name) for name in names or ("small",)]
        settings = self.settings(server, **plan.pop("model", {}))
        made = ModelPlan(settings, **{"retry_policy": RetryPolicy(timeout=5), **plan})
        return run_model(
            self.folder.root,
            suites,
            made,
            submission,
            card or CardChoice(date=DATE),
            progress=Mock(),
            announce=Mock(),
            clock=self.clock,
        )

    def records(self, name: str = "small", submission: str = "m") -> list[Any]:
        """What the submission holds for a suite."""
        path = self.folder.root / f"submissions/{submission}/{name}.json"
        return list(json.loads(path.read_text(encoding="utf-8"))["test_results"])

    def record(self, case_id: str, name: str = "small") -> Any:
        return next(record for record in self.records(name) if record["id"] == case_id)

    def card(self, submission: str = "m") -> Any:
        return json.loads(
            (self.folder.root / f"submissions/{submission}/submission.json").read_text(
                encoding="utf-8"
            )
        )

    def lines(self, path: Path | str) -> list[Any]:
        """A file of JSON lines below the workspace."""
        return [
            json.loads(line)
            for line in (self.folder.root / path).read_text(encoding="utf-8").splitlines()
        ]


def ids(records: Sequence[Any]) -> list[str]:
    return [record["id"] for record in records]


class Breaking:
    """A model that answers a number of questions; then somebody presses Ctrl-C."""

    def __init__(self, answers: int) -> None:
        self.left = answers

    async def ask(self, conversation: Conversation) -> Reply:
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(30)
        self.left -= 1
        return Reply(f"About {conversation.query}", (), None, {}, None, 11, 7, "scripted-1-2026")

    async def close(self) -> None:
        """Nothing is open."""


def interrupt(bench: Bench, answers: int, submission: str = "m", **plan: Any) -> RunInterrupted:
    """A run that Ctrl-C ends after so many answers."""
    address = "http://127.0.0.1:1" + ("/v1" if bench.provider == "openai" else "")
    made = ModelPlan(ModelSettings(bench.provider, "scripted-1", address), concurrency=1, **plan)
    opened = patch.object(model_run, "open_model", lambda *_: Breaking(answers))
    with opened, pytest.raises(RunInterrupted) as stopped:
        run_model(
            bench.folder.root,
            [suite(bench.folder, "small")],
            made,
            submission,
            CardChoice(date=DATE),
            progress=Mock(),
            announce=Mock(),
            clock=bench.clock,
        )
    return stopped.value
