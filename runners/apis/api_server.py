"""The virtual API server: `POST /virtual` answers API calls, `GET /healthz` says that it is there."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Final

import uvicorn
from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from starlette.requests import ClientDisconnect

from leaderboard.errors import FilesError
from leaderboard.files.document import parse
from leaderboard.types import Json
from runners.apis.rate_limit import TokenBucket
from runners.apis.real_apis import ApiCall
from runners.apis.reply_cache import Reply
from runners.apis.virtual_apis import Answer, VirtualApis

# Takes one line of the log: plain JSON values.
Log = Callable[[Mapping[str, Json]], None]

_Name = Annotated[str, StringConstraints(max_length=300)]
_MOST_DRAINED: Final = 64_000_000  # bytes of a refused body that are read, so that the client is still there for the answer
_WAITING: Final = 256  # connections that may wait for their turn
_LONGEST_LOGGED: Final = 500  # characters of an input or a reply
_INPUT_ERROR: Final = Reply("Tool input parse error...\n", "")


class VirtualRequest(BaseModel):
    """What a client sends. All six are required; `strip` is of no effect; `tool_input` is an object, or JSON text of one."""

    model_config = ConfigDict(strict=True)
    category: _Name
    tool_name: _Name
    api_name: _Name
    tool_input: str | dict[str, Any]
    strip: str
    toolbench_key: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may ask of the server: bytes of one request, seconds for sending it, requests a second and at once."""

    body: int = 1_000_000
    sending: float = 30.0
    rate: float = 200.0
    burst: int = 400


class _RefusedError(Exception):
    """A request that gets no reply of an API."""

    def __init__(self, status: int, detail: Json, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(str(detail))
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})


def make_app(apis: VirtualApis, limits: Limits | None = None, log: Log | None = None) -> FastAPI:
    """The server as an ASGI application. `log` gets one object per call, also for those that are refused."""
    allowed = limits or Limits()
    bucket = TokenBucket(allowed.rate, allowed.burst)
    tell: Log = log or (lambda _: None)
    app = FastAPI(title="Virtual APIs", docs_url=None, redoc_url=None)
    schema = {
        "content": {"application/json": {"schema": VirtualRequest.model_json_schema()}},
        "required": True,
    }

    @app.post("/virtual", openapi_extra={"requestBody": schema})
    async def virtual(request: Request) -> JSONResponse:
        """Answer one API call: 200 with `{"error", "response"}`, and in `X-Source` where the answer comes from."""
        start = time.monotonic()
        try:
            _take_turn(bucket)
            sent = _read(await _body(request, allowed))
        except _RefusedError as refused:
            tell({"source": "refused", "status": refused.status, "detail": _short(refused.detail)})
            return JSONResponse({"detail": refused.detail}, refused.status, refused.headers)
        answer = await run_in_threadpool(_answer, apis, sent)
        tell(_line(sent, answer, time.monotonic() - start))
        return JSONResponse(answer.reply.as_json(), headers={"x-source": answer.source})

    @app.get("/healthz")
    def healthz() -> dict[str, Json]:
        """Say that the server is there, in which mode, and how many APIs it knows."""
        return {"status": "ok", "mode": apis.mode, "apis": len(apis.catalogue)}

    return app


@contextmanager
def serving(app: FastAPI, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve the application from a thread of its own while the context lasts; gives the address of `/virtual`.

    Port 0 takes any free one. Raises OSError where the address cannot be had.
    """
    with listening(host, port) as bound:
        server = uvicorn.Server(_config(app))
        thread = threading.Thread(
            target=server.run, kwargs={"sockets": [bound]}, name="virtual APIs", daemon=True
        )
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.005)
            yield address(bound)
        finally:
            server.should_exit = True
            thread.join()


def serve(app: FastAPI, bound: socket.socket) -> None:
    """Serve the application on a bound socket until Ctrl-C."""
    uvicorn.Server(_config(app)).run(sockets=[bound])


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens on the address, closed at the end. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(_WAITING)
        yield bound


def address(bound: socket.socket) -> str:
    """Where the calls go that a bound socket takes, for example `http://127.0.0.1:8080/virtual`."""
    host, port = bound.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/virtual"


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=5,
    )


# ---------------------------------------------------------------- one request


def _take_turn(bucket: TokenBucket) -> None:
    if wait := bucket.take():
        raise _RefusedError(429, "too many requests", {"retry-after": str(math.ceil(wait))})


async def _body(request: Request, limits: Limits) -> bytes:
    """The body of a request, no longer than allowed; of a longer one the rest is read and dropped."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise _RefusedError(415, "send JSON, with the content type application/json")
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(limits.sending):
            async for part in request.stream():
                length += len(part)
                if length <= limits.body:
                    parts.append(part)
                elif length > _MOST_DRAINED:
                    break
    except TimeoutError:
        raise _RefusedError(
            408, f"the request took longer than {limits.sending:g} seconds to arrive"
        ) from None
    except ClientDisconnect:
        raise _RefusedError(400, "the client went away before its request was complete") from None
    if length > limits.body:
        raise _RefusedError(413, f"the request is longer than {limits.body:,} bytes")
    return b"".join(parts)


def _read(body: bytes) -> VirtualRequest:
    try:
        return VirtualRequest.model_validate(parse(body, "request"))
    except FilesError as error:
        detail: list[Json] = [
            {"loc": ["body"], "msg": str(problem), "type": "json_invalid"}
            for problem in error.problems
        ]
    except ValidationError as error:
        detail = [
            {"loc": ["body", *item["loc"]], "msg": item["msg"], "type": item["type"]}
            for item in error.errors(include_url=False, include_context=False, include_input=False)
        ]
    raise _RefusedError(422, detail)


def _answer(apis: VirtualApis, sent: VirtualRequest) -> Answer:
    arguments = read_input(sent.tool_input)
    if arguments is None:
        return Answer(_INPUT_ERROR, "input_error", "")
    return apis.answer(
        ApiCall(sent.category, sent.tool_name, sent.api_name, arguments, sent.toolbench_key)
    )


def read_input(given: str | Mapping[str, Json]) -> Mapping[str, Json] | None:
    """The input of a call: an object, or JSON text of one; no text at all is no argument. None for anything else."""
    if not isinstance(given, str):
        return given
    if not given.strip():
        return {}
    try:
        value = parse(given.encode("utf-8", "replace"), "tool_input")
    except FilesError:
        return None
    return value if isinstance(value, dict) else None


def _line(sent: VirtualRequest, answer: Answer, seconds: float) -> dict[str, Json]:
    line: dict[str, Json] = {
        "source": answer.source,
        "status": 200,
        "category": sent.category,
        "tool_name": sent.tool_name,
        "api_name": sent.api_name,
        "input": _short(answer.key or sent.tool_input),
        "error": _short(answer.reply.error),
        "response": _short(answer.reply.response),
        "ms": round(1000 * seconds, 1),
    }
    return {**line, "note": answer.note} if answer.note else line


def _short(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_LOGGED else f"{text[:_LONGEST_LOGGED]}…"
