"""A judge on loopback for tests. It speaks all protocols, and can fail or leak secrets."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from leaderboard.types import JudgeSettings


@dataclass
class Asked:
    """One request as the server received it."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class JudgeServer:
    """The judge's replies and the requests so far. `statuses` are used first, then 200.

    `broken` is the body of the first `broken_replies`.
    """

    say: Callable[[str], str] = lambda prompt: f"equivalent\nIt says {prompt[:20]!r}."
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    broken: Any = None
    broken_replies: int = 1_000_000
    page: str = ""
    refusal: str = "not now"
    compressed: bool = False
    delay: float = 0.0
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def openai(self, **settings: Any) -> JudgeSettings:
        return JudgeSettings(
            "gpt", "openai", "gpt-test", f"{self.url}/v1", settings or {"temperature": 0, "seed": 7}
        )

    def google(self, **settings: Any) -> JudgeSettings:
        return JudgeSettings(
            "gemini", "google", "gemini-test", self.url, settings or {"temperature": 0, "seed": 7}
        )

    def anthropic(self, **settings: Any) -> JudgeSettings:
        return JudgeSettings(
            "claude", "anthropic", "claude-test", self.url, settings or {"temperature": 0}
        )

    def judge(self, provider: str, **settings: Any) -> JudgeSettings:
        """A judge that asks this server over the protocol of a provider."""
        judges = {"openai": self.openai, "google": self.google, "anthropic": self.anthropic}
        return judges[provider](**settings)

    @property
    def prompts(self) -> list[str]:
        """The prompts asked so far, in order."""
        return [prompt_of(asked.body) for asked in self.asked]

    def reply(self, path: str, prompt: str) -> Any:
        if self.broken is not None and len(self.asked) <= self.broken_replies:
            return self.broken
        if path.endswith(":generateContent"):
            parts = [{"text": self.say(prompt)[:5]}, {"text": self.say(prompt)[5:]}]
            return {
                "candidates": [
                    {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
                ],
                **self.extra,
            }
        if path.endswith("/v1/messages"):
            texts = [self.say(prompt)[:5], self.say(prompt)[5:]]
            thought = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
            return {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "claude-test",
                "content": [thought, *({"type": "text", "text": text} for text in texts)],
                "stop_reason": "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 2},
                **self.extra,
            }
        message = {"role": "assistant", "content": self.say(prompt)}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-test",
            "choices": choices,
            **self.extra,
        }


def prompt_of(body: Any) -> str:
    """The prompt of a request body, in any protocol."""
    return str(
        body["messages"][0]["content"]
        if "messages" in body
        else body["contents"][0]["parts"][0]["text"]
    )


@contextmanager
def judge_server(**settings: Any) -> Iterator[JudgeServer]:
    """Runs a judge server while the context lasts."""
    judge = JudgeServer(**settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with judge.lock:
                judge.asked.append(Asked(self.path, dict(self.headers), body))
                status = judge.statuses.pop(0) if judge.statuses else 200
            time.sleep(judge.delay)
            reply = judge.reply(self.path.partition("?")[0], prompt_of(body))
            data = json.dumps(
                reply if status == 200 else {"error": {"message": judge.refusal, "code": status}}
            ).encode()
            data = judge.page.encode() or data
            self.send_response(status)
            kind = "text/html" if judge.page else "application/json"
            self.send_header("content-type", f"{kind}; charset=utf-8")
            if judge.compressed:
                data = gzip.compress(data)
                self.send_header("content-encoding", "gzip")
            if status != 200:
                self.send_header("retry-after-ms", "5")
            for name, value in judge.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    judge.port = server.server_port
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.001}, daemon=True
    )
    thread.start()
    try:
        yield judge
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
