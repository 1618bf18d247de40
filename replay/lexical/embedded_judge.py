"""The embedded judge `embedded-1`: lexical rules behind the OpenAI protocol, on loopback.

It exists so that anyone can record and replay without a key, over the same SDK and the same
cassettes as a real judge. It compares words and does not understand them. It never replaces
another judge silently: its model is always `embedded-1`.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from leaderboard.files.prompt_files import FENCE
from leaderboard.judge_providers import EMBEDDED_MODEL
from leaderboard.types import Json
from replay.lexical import Texts, find

# The prompts of these categories quote no accepted text.
WITHOUT_REFERENCE: Final = frozenset({"answer_status", "final_answer"})
_LONGEST_REQUEST: Final = 8_000_000  # bytes


def judge(prompt: str) -> str:
    """The judge's reply to a prompt: a word, a line break, and a sentence with the reason.

    The word depends on what is asked. Equivalent texts: `equivalent` or `different`. A solved
    query: Solved, Unsure or Unsolved. The better of two answers: first, second or tie. A prompt
    that is not built like those in `prompts/` gets a sentence that no parser takes for a verdict.
    """
    read = parse(prompt)
    if read is None:
        return "This prompt cannot be read: embedded-1 needs a category and three fenced texts."
    category, texts = read
    finding = find(category, texts)
    if finding is None:
        return (
            f"This prompt cannot be judged: embedded-1 has no rule for the category {category!r}."
        )
    return f"{finding.word}\n{finding.why}"


def parse(prompt: str) -> tuple[str, Texts] | None:
    """Reads the category and the quoted texts of a prompt (question, accepted, given), or None.

    Only the text before the first fence may name the category and the argument, so that no quoted
    text can do so.
    """
    fence = FENCE.search(prompt)
    if fence is None:
        return None
    mark = re.escape(fence[1])
    # After a fence that is never closed, no other is: the search ends there.
    fenced = re.compile(rf"^<<<{mark}\n(?:(.*?)\n{mark}>>>$|.*)", re.DOTALL | re.MULTILINE)
    quoted = [found[1] for found in fenced.finditer(prompt) if found[1] is not None]
    head = prompt[: fence.start()]
    category = category_line(prompt)
    if category is None:
        return None
    if category[1] in WITHOUT_REFERENCE:
        quoted.insert(1, "")
    if len(quoted) != 3:
        return None
    subject = re.search(r"^Under comparison: *(.*)$", head, re.MULTILINE)
    question, expected, got = quoted
    return category[1], Texts(question, subject[1] if subject else "", expected, got)


def category_line(prompt: str) -> re.Match[str] | None:
    """The line before the first fence that names the category, or None."""
    fence = FENCE.search(prompt)
    head = prompt[: fence.start()] if fence else prompt
    return re.search(r"^Category: *([\w-]+)\s*$", head, re.MULTILINE)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = EMBEDDED_MODEL
    # Head and body leave in one packet: two would wait 40 ms for each other's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        status, reply = self._reply()
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _reply(self) -> tuple[int, Json]:
        length = int(self.headers.get("content-length") or 0)
        try:
            request = json.loads(self.rfile.read(min(length, _LONGEST_REQUEST)))
        except ValueError:
            request = None
        if not self.path.endswith("/chat/completions"):
            return 404, _error("only chat/completions is served here")
        if isinstance(request, dict) and request.get("model") != EMBEDDED_MODEL:
            return 404, _error(f"this judge is {EMBEDDED_MODEL}, no other")
        try:
            prompt = request["messages"][-1]["content"]
        except (TypeError, KeyError, IndexError):
            prompt = None
        if not isinstance(prompt, str):
            return 400, _error("a message with text is needed")
        return 200, completion(prompt)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Logs nothing: only the command line prints."""


def _error(message: str) -> Json:
    return {"error": {"message": message, "type": "invalid_request_error"}}


def completion(prompt: str) -> dict[str, Json]:
    """The chat completion. Equal prompts get equal bytes: no clock, no random id."""
    return {
        "id": "chatcmpl-embedded",
        "object": "chat.completion",
        "created": 0,
        "model": EMBEDDED_MODEL,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": judge(prompt)},
                "finish_reason": "stop",
            }
        ],
    }


@contextmanager
def serving() -> Iterator[str]:
    """Serves the judge on a free loopback port; yields its base URL (`http://127.0.0.1:…/v1`)."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
