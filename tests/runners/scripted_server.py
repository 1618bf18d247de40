"""A server of scripted models on loopback: OpenAI's, Anthropic's and Gemini's protocols."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Seen:
    """One request: path, headers (names in lower case), parsed body, and its number from 0."""

    path: str
    headers: Mapping[str, str]
    body: Any
    number: int

    @property
    def is_google(self) -> bool:
        return ":generateContent" in self.path

    @property
    def is_anthropic(self) -> bool:
        return self.path.endswith("/v1/messages")

    @property
    def query(self) -> str:
        """What the model is asked: the first message of the user."""
        if self.is_google:
            return str(self.body["contents"][0]["parts"][0]["text"])
        return str(
            next(
                message["content"] for message in self.body["messages"] if message["role"] == "user"
            )
        )

    @property
    def system(self) -> str | None:
        if self.is_google:
            parts = self.body.get("systemInstruction", {}).get("parts")
            return parts[0]["text"] if parts else None
        if self.is_anthropic:
            system: str | None = self.body.get("system")
            return system
        first = self.body["messages"][0]
        return first["content"] if first["role"] == "system" else None

    @property
    def turn(self) -> int:
        """How often the model has replied in this conversation."""
        turns = self.body["contents"] if self.is_google else self.body["messages"]
        return sum(turn["role"] in {"model", "assistant"} for turn in turns)

    @property
    def tools(self) -> list[str]:
        """The names of the tools offered."""
        if self.is_google:
            return [
                tool["name"]
                for group in self.body.get("tools", ())
                for tool in group["functionDeclarations"]
            ]
        if self.is_anthropic:
            return [tool["name"] for tool in self.body.get("tools", ())]
        return [tool["function"]["name"] for tool in self.body.get("tools", ())]

    @property
    def results(self) -> list[Any]:
        """The results of the last turn's calls, as the model gets them."""
        if self.is_google:
            return [
                part["functionResponse"]["response"]["result"]
                for part in self.body["contents"][-1]["parts"]
            ]
        if self.is_anthropic:
            return [block["content"] for block in self.body["messages"][-1]["content"]]
        after = [message["role"] for message in self.body["messages"]]
        last = len(after) - after[::-1].index("assistant")
        return [message["content"] for message in self.body["messages"][last:]]


@dataclass(frozen=True)
class Answer:
    """A reply: JSON, or bytes. `cut` sends half of them, `stall` waits so many seconds before.

    A stall ends with the server, so an endless one (`math.inf`) holds up no test.
    """

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    stall: float = 0.0


Script = Callable[[Seen], Answer]


@dataclass
class ScriptedServer:
    """The running server: the requests, and the most that were under way at a time."""

    url: str
    seen: list[Seen] = field(default_factory=list)
    most: int = 0
    under_way: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def openai(self) -> str:
        """The base URL of its OpenAI side."""
        return f"{self.url}/v1"

    @property
    def queries(self) -> list[str]:
        return [request.query for request in self.seen]


@contextmanager
def serving(script: Script) -> Iterator[ScriptedServer]:
    """A server that answers with a script, until the context ends."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    http.daemon_threads = True
    state = ScriptedServer(f"http://127.0.0.1:{http.server_port}")
    http.script, http.state = script, state  # type: ignore[attr-defined]
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.001})
    thread.start()
    try:
        yield state
    finally:
        state.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        state: ScriptedServer = self.server.state  # type: ignore[attr-defined]
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        with state.lock:
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen = Seen(self.path, headers, json.loads(data), len(state.seen))
            state.seen.append(seen)
            state.under_way += 1
            state.most = max(state.most, state.under_way)
        try:
            self._send(self.server.script(seen))  # type: ignore[attr-defined]
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client did not wait
        finally:
            with state.lock:
                state.under_way -= 1

    def _send(self, answer: Answer) -> None:
        if answer.stall:
            state: ScriptedServer = self.server.state  # type: ignore[attr-defined]
            state.closing.wait(min(answer.stall, threading.TIMEOUT_MAX))
        data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if answer.cut else data)
        self.wfile.flush()
        self.close_connection = self.close_connection or answer.cut

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Tests are quiet."""


# ---------------------------------------------------------------- replies

Calls = Sequence[tuple[str, Any]]


def completion(
    text: str | None = None, calls: Calls = (), *, finish: str = "stop", **message: Any
) -> Answer:
    """A chat completion: text, calls as (name, arguments), or both. Text arguments go out as is."""
    if calls:
        message["tool_calls"] = [
            {
                "id": f"id-{number}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for number, (name, given) in enumerate(calls)
        ]
    return Answer(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": "scripted-1-2026",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": text, **message},
                }
            ],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
    )


def generated(*parts: Any, finish: str = "STOP", **body: Any) -> Answer:
    """A Gemini reply with these parts in its one candidate."""
    return Answer(
        {
            "candidates": [
                {
                    "content": {"role": "model", "parts": list(parts)},
                    "finishReason": finish,
                    "index": 0,
                }
            ],
            "usageMetadata": {
                "promptTokenCount": 11,
                "candidatesTokenCount": 5,
                "thoughtsTokenCount": 2,
            },
            "modelVersion": "scripted-1-2026",
            **body,
        }
    )


def message(*blocks: Any, stop: str = "end_turn") -> Answer:
    """A reply of Anthropic's API with these content blocks."""
    return Answer(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "scripted-1-2026",
            "content": list(blocks),
            "stop_reason": stop,
            "usage": {"input_tokens": 11, "output_tokens": 7},
        }
    )


def said(seen: Seen, text: str | None = None, calls: Calls = ()) -> Answer:
    """A turn in the protocol of the request."""
    if seen.is_anthropic:
        blocks = [{"type": "text", "text": text}] if text is not None else []
        used = [
            {"type": "tool_use", "id": f"id-{number}", "name": name, "input": given}
            for number, (name, given) in enumerate(calls)
        ]
        return message(*blocks, *used)
    if not seen.is_google:
        return completion(text, calls)
    spoken = [{"text": text}] if text is not None else []
    return generated(
        *spoken, *({"functionCall": {"name": name, "args": given}} for name, given in calls)
    )


def refused(status: int, message: str, /, *, code: str | None = None, **headers: str) -> Answer:
    """An error as all providers send it."""
    body = {
        "error": {
            "message": message,
            "code": code or status,
            "status": "ERROR",
            "type": code or "error",
        }
    }
    return Answer(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


# ---------------------------------------------------------------- scripts


def echo(seen: Seen) -> Answer:
    """Says which question it was asked."""
    return said(seen, f"About {seen.query}")


def in_turn(*answers: Answer, then: Script = echo) -> Script:
    """One answer per request, and then a script for all later requests."""
    left = iter(answers)
    lock = threading.Lock()

    def script(seen: Seen) -> Answer:
        with lock:
            answer = next(left, None)
        return then(seen) if answer is None else answer

    return script


def for_query(part: str, special: Script, then: Script = echo) -> Script:
    """Another script for the questions that contain `part`."""
    return lambda seen: special(seen) if part in seen.query else then(seen)


def always(answer: Answer) -> Script:
    return lambda _seen: answer


def scripted_turns(*turns: Callable[[Seen], Answer]) -> Script:
    """One reply per turn of a conversation; the last one for good."""
    return lambda seen: turns[min(seen.turn, len(turns) - 1)](seen)


def calling(*calls: tuple[str, Any], text: str | None = None) -> Script:
    return lambda seen: said(seen, text, calls)
