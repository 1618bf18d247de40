"""How many calls per second the virtual API server answers if a slow model plays the APIs.

    .venv/bin/python benchmarks/simulator.py --clients 20 --seconds 0.5 --calls 200

Starts a stand-in for the model, which replies after the given time, and `lb serve-apis` on it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(PROJECT))

from leaderboard.apis.api_names import ApiName  # noqa: E402
from runners.apis.api_client import call_api  # noqa: E402

SETTINGS: Final = """\
schema = 1
title = "Simulator"
panel = ["player"]

[judges.player]
provider = "openai"
model = "player"
base_url = "http://127.0.0.1:{port}/v1"
"""
API: Final = ApiName("Data", "Slow", "reply")


class Slow(BaseHTTPRequestHandler):
    """A model that takes its time."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # a reply in one packet, as servers of models send it
    seconds = 0.5

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        time.sleep(self.seconds)
        content = json.dumps({"error": "", "response": "played"})
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"id": "x", "object": "chat.completion", "created": 0, "model": "player"}
        data = json.dumps({**reply, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def measure(clients: int, seconds: float, calls: int, mode: str) -> tuple[float, float]:
    """Calls per second of so many clients at once, and the server's processor time per call."""
    Slow.seconds = seconds
    model = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "leaderboard.toml").write_text(SETTINGS.format(port=model.server_port))
        (root / "tools").mkdir()
        tool = {"tool_name": API.tool, "tool_category": API.category}
        tool_file = {**tool, "api_list": [{"name": API.api}]}
        (root / "tools/slow.json").write_text(json.dumps(tool_file))
        command = [sys.executable, "-m", "cli", "--workspace", folder, "serve-apis"]
        command += ["--tools", f"{folder}/tools", "--cache", f"{folder}/cache", "--port", "0"]
        command += ["--mode", mode, "--simulator", "player", "--log", f"{folder}/log.jsonl"]
        with subprocess.Popen(command, cwd=PROJECT, stderr=subprocess.PIPE, text=True) as server:
            try:
                assert server.stderr is not None
                found = re.match(r"(http\S+)", server.stderr.readline())
                assert found is not None, server.stderr.read()
                url = found[1]
                before, start = processor_seconds(server.pid), time.monotonic()
                with ThreadPoolExecutor(clients) as pool:
                    numbers = range(calls)
                    made = pool.map(lambda number: call_api(url, API, {"n": number}), numbers)
                    assert all(outcome.source == "simulation" for outcome in made)
                rate = calls / (time.monotonic() - start)
                return rate, (processor_seconds(server.pid) - before) / calls
            finally:
                server.terminate()


def processor_seconds(process: int) -> float:
    """The processor time that a process has used so far. On Linux only, else 0."""
    path = Path(f"/proc/{process}/stat")
    if not path.exists():
        return 0.0
    ticks = path.read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--calls", type=int, default=200)
    given = parser.parse_args()
    most = given.clients / given.seconds
    print(f"{given.clients} clients, a model that takes {given.seconds:g} s")
    for mode in ("live", "record"):
        rate, processor = measure(given.clients, given.seconds, given.calls, mode)
        per_call = f"{1000 * processor:.1f} ms of the server's processor time per call"
        print(f"{mode}: {rate:.1f} calls per second of at most {most:.1f}, {per_call}")


if __name__ == "__main__":
    main()
