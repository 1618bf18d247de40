"""A board with a suite of simulated APIs, a scripted model, and `lb` in the frameworks' venvs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.conftest import PROJECT, SETTINGS, Folder
from tests.runners.scripted_server import Answer, Seen, completion

FRAMEWORKS: Final = ("langgraph", "crewai", "autogen", "openai-agents", "agno")
SUITE: Final = """\
schema = 1
title = "APIs"
description = "Simulated APIs."
kind = "stable_toolbench"

[[categories]]
id = "G1_instruction"
title = "All"
file = "queries.json"
"""

# Names that one framework or another has a use of its own for.
AWKWARD: Final = (
    "_limit",
    "self",
    "config",
    "run_manager",
    "team",
    "agent",
    "args",
    "kwargs",
    "schema",
    "copy",
    "from-date",
    "class",
)


def parameter(name: str, kind: str = "STRING", default: Any = "") -> dict[str, Any]:
    return {"name": name, "type": kind, "description": f"The {name}.", "default": default}


TRAMS: Final[dict[str, Any]] = {
    "tool_name": "Tram-Line 7",
    "tool_description": "Trams of the town.",
    "tool_category": "Transportation",
    "api_list": [
        {
            "name": "next departures",
            "description": "The next departures at a stop.",
            "required_parameters": [parameter("stop", default="Main Street")],
            "optional_parameters": [parameter("_limit", "NUMBER", 5)],
        },
        {
            "name": "/status",
            "description": "How a line runs: \"good\", 'late' or \\none\\.",
            "required_parameters": [parameter("line")],
            "optional_parameters": [],
        },
        {"name": "news", "description": "", "required_parameters": [], "optional_parameters": []},
    ],
}
ODD: Final[dict[str, Any]] = {
    "tool_name": "Odd",
    "tool_description": "",
    "tool_category": "Data, Odd",
    "api_list": [
        {
            "name": "names",
            "description": "Takes parameters of awkward names.",
            "required_parameters": [parameter("count", "NUMBER")],
            "optional_parameters": [parameter(name) for name in AWKWARD],
        },
    ],
}
# Written in small letters, its name is the same.
ODDER: Final[dict[str, Any]] = {
    "tool_name": "odd",
    "tool_description": "",
    "tool_category": "Data",
    "api_list": [
        {
            "name": "Names",
            "description": "Another.",
            "required_parameters": [],
            "optional_parameters": [],
        }
    ],
}
STOP: Final = {"error": "", "response": {"departures": ["18:04", "18:10"]}}
CACHE: Final[dict[str, dict[str, Any]]] = {
    "Transportation/tram_line_7_for_Transportation/next_departures.json": {
        '{"stop":"Harbour"}': STOP,
        '{"_limit":2,"stop":"Harbour"}': STOP,
        '{"stop":"Castle"}': {"error": "", "response": "none tonight"},
    },
    "Transportation/tram_line_7_for_Transportation/status.json": {
        '{"line":"7"}': {"error": "", "response": "good service"},
        '{"line":"13"}': {"error": "no such line", "response": ""},
    },
    "Transportation/tram_line_7_for_Transportation/news.json": {
        "{}": {"error": "", "response": ["works at Glassworks"]}
    },
    "Data_Odd/odd_for_Data_Odd/names.json": {
        json.dumps(
            {"count": 3, **dict.fromkeys(AWKWARD, "x")}, sort_keys=True, separators=(",", ":")
        ): {
            "error": "",
            "response": "all arrived",
        },
        '{"count":2.5}': {"error": "", "response": "a fraction"},
    },
}
NEXT, STATUS, NEWS, ODD_NAMES = (
    "Tram-Line_7_next_departures",
    "Tram-Line_7_status",
    "Tram-Line_7_news",
    "Odd_names",
)


@dataclass(frozen=True)
class Turn:
    """What the model says in one turn: text, calls as (name, arguments), or both."""

    text: str | None = None
    calls: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Scene:
    """A query and the model's turns.

    The last turn is repeated; with a `status` the server refuses.
    """

    query: str
    turns: tuple[Turn, ...]
    gold: tuple[tuple[str, str], ...] = (("Tram-Line 7", "next departures"),)
    status: int = 200


SCENES: Final[Mapping[str, Scene]] = {
    "1": Scene(
        "When are the next two trams from Harbour, and is line 7 running?",
        (
            Turn("Let me look.", ((NEXT, {"stop": "Harbour", "param_limit": 2}),)),
            Turn(None, ((STATUS, {"line": "7"}),)),
            Turn("At 18:04 and 18:10; line 7 runs well."),
        ),
        (("Tram-Line 7", "next departures"), ("Tram-Line 7", "/status")),
    ),
    "2": Scene(
        'Trams from {Harbour}, {stop}, "Castle" and the \\news\\, please?',
        (
            Turn(None, ((NEXT, {"stop": "Harbour"}), (NEWS, {}), (NEXT, {"stop": "Castle"}))),
            Turn("Harbour: 18:04. Castle: none tonight. Works at Glassworks."),
        ),
    ),
    "3": Scene("What is a tram?", (Turn("A kind of train for the streets."),)),
    "4": Scene(
        "Do odd names arrive?",
        (
            Turn(
                None,
                (
                    (
                        ODD_NAMES,
                        {
                            "count": 3,
                            **{name.replace("_limit", "param_limit"): "x" for name in AWKWARD},
                        },
                    ),
                ),
            ),
            Turn(None, ((ODD_NAMES, {"count": 2.5}),)),
            Turn("They do."),
        ),
        (("Odd", "names"),),
    ),
    "5": Scene(
        "How does line 13 run, and who rides it from Nowhere?",
        (
            Turn(None, ((STATUS, {"line": "13"}), (NEXT, {"stop": "Nowhere"}))),
            Turn("There is no line 13."),
        ),
    ),
    "6": Scene("Trams again and again?", (Turn(None, ((STATUS, {"line": "7"}),)),)),
    "7": Scene("Trams, though the model is out of order?", (Turn("never said"),), status=400),
    "8": Scene(
        "Trams from Harbour once more?", (Turn(None, ((NEXT, {"stop": "Harbour"}),)), Turn(""))
    ),
    "9": Scene(
        "Trams by a tool that nobody has?",
        (Turn(None, (("no_such_tool", {}),)), Turn("There is none.")),
    ),
    "10": Scene(
        "Trams with half the arguments?",
        (Turn(None, ((NEXT, '{"stop": "Harb'),)), Turn("I could not say.")),
    ),
}
STEP_LIMIT: Final = 4


def script(seen: Seen) -> Answer:
    """The model. The query selects the scene, and the number of replies the turn."""
    asked = next(scene for scene in SCENES.values() if scene.query in seen.query)
    if asked.status != 200:
        return Answer(
            {"error": {"message": "out of order", "type": "bad_request", "code": "bad"}},
            asked.status,
        )
    turn = asked.turns[min(seen.turn, len(asked.turns) - 1)]
    return spoken(seen, turn)


def spoken(seen: Seen, turn: Turn) -> Answer:
    """A turn as a model server sends it. Every call has an id of its own."""
    answer = completion(turn.text, turn.calls, finish="tool_calls" if turn.calls else "stop")
    message = answer.body["choices"][0]["message"]
    for number, call in enumerate(message.get("tool_calls", ())):
        call["id"] = f"call-{seen.number}-{number}"
    answer.body.update(model=seen.body["model"], created=1)
    return answer


def queries(scenes: Mapping[str, Scene] = SCENES) -> list[dict[str, Any]]:
    """The scenes as a query file. Only the tram APIs are candidates."""
    candidates = [
        {
            "category_name": TRAMS["tool_category"],
            "tool_name": TRAMS["tool_name"],
            "api_name": api["name"],
            "api_description": api["description"],
            "required_parameters": api["required_parameters"],
            "optional_parameters": api["optional_parameters"],
            "method": "GET",
        }
        for api in TRAMS["api_list"]
    ]
    return [
        {
            "query_id": int(number),
            "query": scene.query,
            "api_list": candidates,
            "relevant APIs": [list(pair) for pair in scene.gold],
        }
        for number, scene in scenes.items()
    ]


def add_suite(folder: Folder, scenes: Mapping[str, Scene] = SCENES) -> None:
    """Adds the suite `apis`, with its tools and its cache."""
    folder.write("leaderboard.toml", SETTINGS)
    folder.write("datasets/apis/suite.toml", SUITE)
    folder.write("datasets/apis/queries.json", queries(scenes))
    folder.write("datasets/apis/tools/Transportation/trams.json", TRAMS)
    folder.write("datasets/apis/tools/odd.json", ODD)
    folder.write("datasets/apis/tools/odder.json", ODDER)
    for name, entries in CACHE.items():
        folder.write(f"datasets/apis/cache/{name}", entries)


# ---------------------------------------------------------------- environments


def environment(name: str) -> Path:
    """The environment of a framework.

    A missing one fails the test, unless TOOLBOARD_AGENTS=skip.
    """
    folder = PROJECT / ".cache/agents" / name
    if os.environ.get("TOOLBOARD_AGENTS") == "skip":
        pytest.skip("TOOLBOARD_AGENTS=skip: the agent frameworks are not run")
    if not (folder / ".stamp").is_file():
        pytest.fail(
            f"{name} is not installed: run scripts/agents, or set TOOLBOARD_AGENTS=skip",
            pytrace=False,
        )
    return folder


@dataclass(frozen=True)
class Ran:
    """The result of a command, and the addresses outside loopback that it tried to reach."""

    code: int
    err: str
    reached: tuple[str, ...]
    home: Path


def run_in(name: str, root: Path, home: Path, *arguments: str, **variables: str) -> Ran:
    """Runs `lb` on the board at `root` in a framework's environment, and watches its network."""
    home.mkdir(parents=True, exist_ok=True)
    reached = home / "reached.txt"
    clean = {
        key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL", "TMPDIR") if key in os.environ
    }
    python = environment(name) / "bin/python"
    done = subprocess.run(
        [
            python,
            PROJECT / "tests/runners/agents/agents_guard.py",
            reached,
            "--workspace",
            root,
            *arguments,
        ],
        env={**clean, "HOME": str(home), "OPENAI_API_KEY": "sk-scripted-0123456789", **variables},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    lines = reached.read_text(encoding="utf-8").splitlines() if reached.exists() else ()
    return Ran(done.returncode, done.stderr, tuple(lines), home)


def records(root: Path, submission: str, suite: str = "apis") -> dict[str, Any]:
    """The records of a submission, by case."""
    path = root / f"submissions/{submission}/{suite}.json"
    return {
        record["id"]: record
        for record in json.loads(path.read_text(encoding="utf-8"))["test_results"]
    }


def card(root: Path, submission: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(
        (root / f"submissions/{submission}/submission.json").read_text(encoding="utf-8")
    )
    return read


def messages(record: Mapping[str, Any], role: str = "tool") -> list[Any]:
    """The messages of a record's nodes: those of tools as objects, the others as text."""
    nodes = [node for node in record["answer"]["answer_details"] if node["role"] == role]
    return [json.loads(node["message"]) if role == "tool" else node["message"] for node in nodes]


Script = Callable[[Seen], Answer]
Lines = Sequence[Mapping[str, Any]]
