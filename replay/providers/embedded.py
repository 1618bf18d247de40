"""The embedded judge `embedded-1`: a set of lexical rules behind the OpenAI chat-completions protocol, on loopback.

It exists so that anyone can record and replay with no key, over the same SDK and the same cassettes as a real judge. It
compares words; it does not understand them, and it never stands in for another judge unsaid: its model is always `embedded-1`.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from leaderboard.types import Json
from replay.lexical import Texts, find

MODEL: Final = "embedded-1"
_FENCE: Final = re.compile(r"^<<<(\S+)$", re.MULTILINE)
_OF_TWO_TEXTS: Final = frozenset(
    {"answer_status", "final_answer"}
)  # the categories whose prompts compare with nothing
_LONGEST_REQUEST: Final = 8_000_000  # bytes


def judge(prompt: str) -> str:
    """The embedded judge's reply to a judge prompt: its word, a line break, one sentence that says why.

    The word is `equivalent` or `different` or, where it is asked whether a query is solved, Solved, Unsure or Unsolved; asked
    which of two answers is better, first, second or tie. A prompt that is not built like those in `prompts/` gets a sentence
    that no parser takes for a verdict.
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
    """The category and the three texts of a judge prompt (question, accepted, given, in that order), or None.

    Where only the answer is looked at there are two: question and given.

    Only what stands before the first fence may name the category and the argument: nothing quoted can speak for the prompt.
    """
    fence = _FENCE.search(prompt)
    if fence is None:
        return None
    mark = re.escape(fence[1])
    quoted = re.findall(rf"^<<<{mark}\n(.*?)\n{mark}>>>$", prompt, re.DOTALL | re.MULTILINE)
    head = prompt[: fence.start()]
    category = re.search(r"^Category: *([\w-]+)\s*$", head, re.MULTILINE)
    if category is None or len(quoted) != (2 if category[1] in _OF_TWO_TEXTS else 3):
        return None
    subject = re.search(r"^Under comparison: *(.*)$", head, re.MULTILINE)
    expected = quoted[1] if len(quoted) == 3 else ""
    return category[1], Texts(quoted[0], subject[1] if subject else "", expected, quoted[-1])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = MODEL
    # Head and body leave in one packet: two of them would wait 40 ms for each other's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        request = self._read()
        if not self.path.endswith("/chat/completions"):
            self._send(
                404,
                {
                    "error": {
                        "message": "only chat/completions is served here",
                        "type": "invalid_request_error",
                    }
                },
            )
        elif isinstance(request, dict) and request.get("model") != MODEL:
            self._send(
                404,
                {
                    "error": {
                        "message": f"this judge is {MODEL}, no other",
                        "type": "invalid_request_error",
                    }
                },
            )
        elif (prompt := _last_message(request)) is None:
            self._send(
                400,
                {
                    "error": {
                        "message": "a message with text is needed",
                        "type": "invalid_request_error",
                    }
                },
            )
        else:
            self._send(200, completion(prompt))

    def _read(self) -> Json:
        length = int(self.headers.get("content-length") or 0)
        try:
            return json.loads(self.rfile.read(min(length, _LONGEST_REQUEST)))
        except ValueError:
            return None

    def _send(self, status: int, reply: Json) -> None:
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that http.server gives it
        """Say nothing: the command line alone speaks to the user."""


def _last_message(request: Json) -> str | None:
    messages = request.get("messages") if isinstance(request, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    content = last.get("content") if isinstance(last, dict) else None
    return content if isinstance(content, str) else None


def completion(prompt: str) -> dict[str, Json]:
    """The whole chat completion that answers a prompt; equal prompts get equal bytes (no clock, no random id)."""
    return {
        "id": "chatcmpl-embedded",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
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
    """Serve the embedded judge on a free loopback port while the context lasts; gives its base URL (`http://127.0.0.1:…/v1`)."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, name=MODEL, daemon=True
    )
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
