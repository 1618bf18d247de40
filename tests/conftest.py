"""What test files share: a small workspace on disk, and a way to run `lb` in it."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

from tests.judge_prompts import judge_prompt

PROJECT = Path(__file__).parent.parent

# A worker of tests runs on one core. Threads of Polars would only wait for each other.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
# Collecting garbage takes a tenth of all time at the usual threshold of 700 objects.
gc.set_threshold(20_000)

# A slow machine is no fault of a test.
_WHOLE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("whole", _WHOLE)
settings.register_profile("quick", _WHOLE, max_examples=20)
settings.load_profile("whole")

SETTINGS = """\
schema = 1
title = "Test board"
repository = "https://example.org/board"
panel = ["embedded-1"]

[judges.embedded-1]
provider = "embedded"
model = "embedded-1"
settings = { temperature = 0, seed = 7 }
"""

SUITE = """\
schema = 1
title = "Small"
description = "Two categories."
kind = "tool_selection"
tools = "tools.json"

[[categories]]
id = "tool_selection"
title = "Calls"
file = "tool_selection.json"
prompt = "tool_selection"

[[categories]]
id = "no_tool"
title = "Texts"
file = "no_tool.json"
prompt = "no_tool"
"""

TOOLS = [
    {
        "name": "convert_units",
        "description": "Converts an amount.",
        "parameters": [
            {"name": "value", "type": "number", "description": "The amount.", "required": True},
            {"name": "to_unit", "type": "string", "description": "The unit.", "required": True},
            {"name": "digits", "type": "integer", "description": "How many.", "required": False},
        ],
    }
]

# Fixtures that are slow or need more than Python, each with the marker of the tests that use it.
MARKERS = {"browser": "browser", "framework_runs": "agents", "large_site": "large"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuses tests that use one of these fixtures without its marker.

    `make quick` deselects by marker: an unmarked test would make it slow, or fail it.
    """
    unmarked = [
        f"{item.nodeid} uses the fixture {fixture}: add @pytest.mark.{marker}"
        for item in items
        for fixture, marker in MARKERS.items()
        if fixture in getattr(item, "fixturenames", ()) and not item.get_closest_marker(marker)
    ]
    if unmarked:
        raise pytest.UsageError("\n".join(unmarked))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spares the garbage collector what collecting tests makes: it stays to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Ends a process without looking once more through all that its tests have kept."""
    gc.freeze()


def call_case(case_id: str, value: float, unit: str, **accepted: list[Any]) -> dict[str, Any]:
    """A case that expects one call of convert_units."""
    truth: dict[str, Any] = {
        "function_call": {"name": "convert_units", "arguments": {"value": value, "to_unit": unit}},
        "text": None,
        "expected_response_type": "function_call",
    }
    if accepted:
        truth["accepted"] = accepted
    return {
        "id": case_id,
        "type": "tool_selection",
        "user_query": f"{value} metres in {unit}?",
        "ground_truth": truth,
    }


def text_case(case_id: str, text: str) -> dict[str, Any]:
    """A case that expects a text and no call."""
    truth = {"function_call": None, "text": text, "expected_response_type": "text"}
    return {
        "id": case_id,
        "type": "no_tool",
        "user_query": f"question of {case_id}?",
        "ground_truth": truth,
    }


class Folder:
    """A workspace in a temporary folder, and `lb` run in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, content: str | bytes | list[Any] | dict[str, Any]) -> Path:
        """Writes text, bytes, or a value as JSON."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, str | bytes) else json.dumps(content, indent=1)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def submission(
        self, submission_id: str, records: Any, suite: str = "small", **card: Any
    ) -> Path:
        """Writes a submission folder."""
        base = {
            "schema": 1,
            "name": submission_id,
            "kind": "model",
            "organization": "Org",
            "model": "m",
            "date": "2026-01-31",
        }
        self.write(f"submissions/{submission_id}/submission.json", {**base, **card})
        return self.write(f"submissions/{submission_id}/{suite}.json", records)

    def copied_to(self, root: Path) -> Folder:
        """A copy of the workspace. What takes commands to make is made once, and copied."""
        return Folder(Path(shutil.copytree(self.root, root, dirs_exist_ok=True)))

    def lb(self, *arguments: str) -> Result:
        """Runs a command in this process. Raises exceptions that are not the project's own."""
        from cli.main import app

        result = CliRunner().invoke(app, ["--workspace", str(self.root), *arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def tree(self, name: str) -> dict[str, bytes]:
        """Every file below a folder, by name."""
        top = self.root / name
        return {
            str(p.relative_to(top)): p.read_bytes() for p in sorted(top.rglob("*")) if p.is_file()
        }


def replaced(file: str, old: str, new: str) -> Callable[[Folder], None]:
    """A change of a workspace: other words in a file, which must have the old ones."""

    def change(folder: Folder) -> None:
        text = (folder.root / file).read_text(encoding="utf-8")
        assert old in text, file
        folder.write(file, text.replace(old, new))

    return change


def small_board(root: Path) -> Folder:
    """Makes a workspace with the suite `small`: three call cases, two text cases."""
    made = Folder(root)
    made.write("leaderboard.toml", SETTINGS)
    made.write("datasets/small/suite.toml", SUITE)
    made.write("datasets/small/tools.json", TOOLS)
    made.write(
        "datasets/small/tool_selection.json",
        [
            call_case("A001", 3, "yards"),
            call_case("A002", 4, "feet", to_unit=["ft"]),
            call_case("A003", 5, "miles"),
        ],
    )
    made.write(
        "datasets/small/no_tool.json",
        [text_case("B001", "It is Paris."), text_case("B002", "In 1969.")],
    )
    for name in ("tool_selection", "no_tool"):
        made.write(f"prompts/small/{name}.md", judge_prompt("no_tool"))
    return made


@pytest.fixture(scope="session", autouse=True)
def usual_interrupts() -> None:
    """Ctrl-C works in tests and their processes, also if the run was started in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Tests lose no power, and waiting until bytes are on the disk takes a fifth of their time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _handle: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps what commands cache out of the developer's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOOLBOARD_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A workspace with the suite `small`: three call cases, two text cases, no submission."""
    return small_board(tmp_path / "board")


def shipped(name: str) -> Path:
    """A shipped file or folder of data, by its path below the project.

    A fork may have removed it. Then the test that asks for it is skipped. If a file asks when it is
    imported, all its tests are skipped.
    """
    path = PROJECT / name
    emptied = path.is_dir() and not any(path.iterdir())
    if emptied or not path.exists():
        pytest.skip(f"{name} is not in this copy of the project", allow_module_level=True)
    return path


@pytest.fixture(scope="session")
def real_files() -> Callable[[str], Path]:
    """Finds a folder of real files beside the project. Without them the test is skipped."""

    def find(name: str) -> Path:
        path = (
            Path(os.environ.get("TOOLBOARD_REAL_FILES", PROJECT.parent / "shared" / "real")) / name
        )
        if not path.is_dir():
            pytest.skip(f"the real files {name}/ are not beside this project")
        return path

    return find
