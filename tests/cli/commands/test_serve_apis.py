"""`lb serve-apis`: its address, log and modes, and simulated replies recorded in cassettes."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from runners.apis.api_client import call_api
from tests.conftest import PROJECT, SETTINGS, Folder, shipped
from tests.runners.scripted_server import Answer, Seen, completion
from tests.runners.scripted_server import serving as model_server

TRAM = ApiName("Transportation", "TramLine", "next departures")
TOOL = {
    "tool_name": "TramLine",
    "tool_description": "City tram timetable",
    "tool_category": "Transportation",
    "api_list": [
        {"name": "next departures", "description": "Upcoming departures", "required_parameters": []}
    ],
}
PLAYER = '\n[judges.player]\nprovider = "openai"\nmodel = "player-1"\nbase_url = "{}"\n'

_ROOT = Path(__file__).parents[3]


@pytest.fixture
def board(tmp_path: Path) -> Folder:
    """A workspace with a stable_toolbench suite of one tool and one kept reply."""
    made = Folder(tmp_path / "board")
    category = '[[categories]]\nid = "G1_tool"\ntitle = "One"\nfile = "G1_tool.json"\n'
    made.write("leaderboard.toml", SETTINGS)
    made.write(
        "datasets/trams/suite.toml",
        f'schema = 1\ntitle = "Trams"\nkind = "stable_toolbench"\n{category}',
    )
    made.write(
        "datasets/trams/G1_tool.json",
        [{"query_id": 1, "query": "When?", "relevant APIs": [list(TRAM.pair)]}],
    )
    made.write("datasets/trams/tools/Transportation/tramline.json", TOOL)
    kept = {"{'stop': 'Harbour Square'}": {"error": "", "response": "18:04 line 3"}}
    made.write(
        "datasets/trams/cache/Transportation/tramline_for_Transportation/next_departures.json", kept
    )
    return made


@contextmanager
def serving(
    board: Folder, *options: str, cwd: Path = PROJECT
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The server in a process of its own, ended by Ctrl-C; its address, and the process."""
    words = [
        sys.executable,
        "-m",
        "cli",
        "--workspace",
        str(board.root),
        "serve-apis",
        "--suite",
        "trams",
        "--port",
        "0",
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(PROJECT),
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }
    with subprocess.Popen(
        [*words, *options], cwd=cwd, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        found = re.match(r"(http://127\.0\.0\.1:\d+/virtual)  ", first)
        try:
            assert found, first + process.stderr.read()
            yield found[1], process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=20)


@pytest.mark.large
def test_it_serves_the_suite_and_ends_quietly(board: Folder) -> None:
    """One line says where; one JSON line per call goes to stderr; Ctrl-C is no error."""
    with serving(board) as (url, process):
        hit, missed = (
            call_api(url, TRAM, {"stop": "Harbour Square"}),
            call_api(url, TRAM, {"stop": "Elsewhere"}),
        )
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()
    assert (("18:04 line 3", "cache"), "miss") == ((hit.text, hit.source), missed.source)
    assert ["cache", "miss"] == [json.loads(line)["source"] for line in lines[:2]]
    assert ("stopped", 0) == (lines[-1], process.returncode)


@pytest.mark.large
def test_a_41_folders_do_not_depend_on_where_it_is_started(board: Folder, tmp_path: Path) -> None:
    """A-41: tools and cache are in the workspace, whatever folder the command starts in."""
    log = tmp_path / "calls.jsonl"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with serving(board, "--log", str(log), cwd=elsewhere) as (url, _):
        assert "18:04 line 3" == call_api(url, TRAM, {"stop": "Harbour Square"}).text
        health = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            url.replace("virtual", "healthz")
        )
        with health:
            assert {"status": "ok", "mode": "replay", "apis": 1} == json.load(health)
    assert ["cache"] == [
        json.loads(line)["source"] for line in log.read_text(encoding="ascii").splitlines()
    ]
    assert [] == list(elsewhere.iterdir())


@pytest.mark.large
def test_a_low_rate_allows_no_large_burst(board: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds' worth may come at once: of one request in two seconds, a single one."""
    waits: list[float] = []
    waited = []
    with serving(board, "--rate", "0.5") as (url, _):
        monkeypatch.setattr("time.sleep", waits.append)
        for _ in range(2):
            call_api(url, TRAM, {"stop": "Harbour Square"}, timeout=5)
            waited.append(bool(waits))
    assert [False, True] == waited


@pytest.mark.large
def test_the_wait_for_a_real_api_can_be_set(board: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real API that is too slow has no reply."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with model_server(lambda _: Answer({"error": "", "response": "18:09"}, stall=1)) as server:
        real = ("--mode", "live", "--real-url", server.openai)
        stop = {"stop": "Elsewhere"}
        with serving(board, *real, "--timeout", "0.2") as (url, _):
            assert "18:09" != call_api(url, TRAM, stop).text
        with serving(board, *real) as (url, _):
            assert "18:09" == call_api(url, TRAM, stop).text


@pytest.fixture
def down() -> list[bool]:
    """Empty while the model answers."""
    return []


@pytest.fixture
def player(board: Folder, down: list[bool]) -> Iterator[list[Any]]:
    """A model that leaderboard.toml names `player`; gives what it was asked while it answers."""
    asked: list[Any] = []

    def play(seen: Seen) -> Answer:
        if down:
            return Answer({}, 400)
        asked.append(seen.body)
        return completion(json.dumps({"error": "", "response": f"played {len(asked)}"}))

    with model_server(play) as server:
        board.write("leaderboard.toml", SETTINGS + PLAYER.format(server.openai))
        yield asked


@pytest.mark.large
def test_what_a_model_plays_is_kept_once(board: Folder, player: list[Any]) -> None:
    """Record mode keeps a reply in the cache, and only there. Live mode keeps nothing."""
    with serving(board, "--mode", "record", "--simulator", "player") as (url, _):
        first = call_api(url, TRAM, {"stop": "Old Mill"})
    assert (("played 1", "simulation"), 1) == ((first.text, first.source), len(player))
    assert "Upcoming departures" in player[0]["messages"][0]["content"]
    with serving(board) as (url, _):
        again = call_api(url, TRAM, {"stop": "Old Mill"})
    assert ("played 1", "cache") == (again.text, again.source)
    kept = (
        board.root
        / "datasets/trams/cache/Transportation/tramline_for_Transportation/next_departures.json"
    )
    entry = json.loads(kept.read_bytes())['{"stop":"Old Mill"}']
    assert ("simulation", "player-1") == (entry["source"], entry["model"])

    before = board.tree(".")
    with serving(board, "--mode", "live", "--simulator", "player") as (url, _):
        played = call_api(url, TRAM, {"stop": "Castle"})
    assert ("played 2", "simulation") == (played.text, played.source)
    assert before == board.tree(".")


@pytest.mark.large
def test_a_mirrorapi_model_gets_upstreams_prompt(board: Folder, player: list[Any]) -> None:
    """Its system prompt is read from upstream's Python file, which is not run."""
    prompts = board.write(
        "system_prompts.py", 'OTHER = 1\nSFT_SYSTEM = """You are an API."""\nraise SystemExit(7)\n'
    )
    options = ["--mode", "live", "--simulator", "player", "--mirrorapi", str(prompts)]
    with serving(board, *options) as (url, _):
        played = call_api(url, TRAM, {"stop": "Old Mill"})
    assert ("played 1", "simulation") == (played.text, played.source)
    system, user = player[0]["messages"]
    assert ("system", "You are an API.") == (system["role"], system["content"])
    assert user["content"].startswith("API doc:\n{'api_name': 'next departures'")
    assert user["content"].endswith("\n\nRequest:\n{'stop': 'Old Mill'}")
    assert (42, 2048) == (player[0]["seed"], player[0]["max_tokens"])


@pytest.mark.large
def test_a_model_that_fails_is_asked_again_later(
    board: Folder, player: list[Any], down: list[bool]
) -> None:
    """A failure is an error in the reply and is not kept. Later the same call is answered."""
    with serving(board, "--mode", "record", "--simulator", "player") as (url, _):
        down.append(True)
        failed = call_api(url, TRAM, {"stop": "Old Mill"})
        down.clear()
        answered = call_api(url, TRAM, {"stop": "Old Mill"})
    assert (True, "failed") == (failed.text.startswith("Error: no reply"), failed.source)
    assert ("played 1", "simulation") == (answered.text, answered.source)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--suite", "nowhere"], 2, "no suite 'nowhere'; choose one of: trams"),
        (["--mirrorapi", "pyproject.toml"], 2, "--mirrorapi needs --simulator"),
        (["--simulator", "embedded-1"], 2, "replay uses the cache alone"),
        (["--mode", "record", "--simulator", "embedded-1"], 2, "cannot play an API"),
        (["--mode", "record", "--simulator", "nobody"], 2, "no judge 'nobody'"),
        (["--mode", "record", "--real-url", "ftp://x"], 2, "is not an address"),
        (["--host", "203.0.113.1"], 1, "cannot be used"),
        (["--tools", "no/such/folder"], 1, "is not a folder of tools"),
        (["--cache", "no/such/folder"], 1, "is not a folder of replies"),
        (["--rate", "0"], 2, "--rate"),
        (["--timeout", "40"], 2, "--timeout needs --real-url"),
    ],
)
def test_what_cannot_be_is_said(board: Folder, options: list[str], code: int, said: str) -> None:
    """Wrong options are usage errors, wrong files and ports problems; neither shows a traceback."""
    suite = [] if "--suite" in options else ["--suite", "trams"]
    result = board.lb("serve-apis", *suite, *options)
    assert code == result.exit_code
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_without_the_extra_it_says_what_to_install(
    board: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FastAPI and uvicorn are an extra: their absence is one line."""
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    result = board.lb("serve-apis", "--suite", "trams")
    assert (1, True) == (result.exit_code, "pip install 'toolboard[apis]'" in result.stderr)


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (
            ("fastapi", "uvicorn"),
            "needs fastapi and uvicorn, which are not installed (pip install 'toolboard[apis]')",
        ),
        (("uvicorn",), "needs uvicorn, which is not installed (pip install 'toolboard[apis]')"),
    ],
)
def test_without_its_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, folder: Folder, missing: tuple[str, ...], said: str
) -> None:
    """If the extra is not installed, there is one message and no traceback."""
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in missing else found(name)
    )
    done = folder.lb("serve-apis")

    assert done.exit_code == 1
    assert said in done.stderr


@pytest.mark.large
def test_a_named_cache_must_be_there_beside_services(monkeypatch: pytest.MonkeyPatch) -> None:
    """The services of the shipped suite would answer, and no recorded reply would."""
    shipped("datasets/stable_toolbench")
    monkeypatch.setattr("runners.apis.api_server.serve", lambda *_, **__: None)
    suite = ["serve-apis", "--suite", "stable_toolbench", "--port", "0"]
    missing = Folder(_ROOT).lb(*suite, "--cache", "no/such/folder")
    default = Folder(_ROOT).lb(*suite)

    assert (missing.exit_code, default.exit_code) == (1, 0)
    assert "is not a folder of replies" in missing.stderr
