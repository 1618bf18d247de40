"""The virtual API server: `POST /virtual` answers API calls, `GET /healthz` reports its state."""

from __future__ import annotations

import asyncio
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
from starlette.types import ASGIApp, Receive, Scope, Send

from leaderboard.apis.api_names import ApiName
from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.network.endpoints import names_loopback
from leaderboard.types import Json
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.api_client import as_text
from runners.apis.virtual_apis import SourcedReply, VirtualApis
from runners.models.rate_limit import RateLimit

# Takes one line of the log: plain JSON values.
Log = Callable[[Mapping[str, Json]], None]

_Name = Annotated[str, StringConstraints(max_length=300)]
# Bytes of a refused body that are still read, so that the client gets to read the answer.
_MAX_DRAINED: Final = 64_000_000
_BACKLOG: Final = 256  # connections that may wait to be accepted
_MAX_LOGGED: Final = 500  # characters of an input or a reply
_INPUT_ERROR: Final = ApiReply("Tool input parse error...\n", "")


class VirtualRequest(BaseModel):
    """A request, with six required fields.

    `strip` has no effect. `tool_input` is an object, or its JSON text.
    """

    model_config = ConfigDict(strict=True)
    category: _Name
    tool_name: _Name
    api_name: _Name
    tool_input: str | dict[str, Any]
    strip: str
    toolbench_key: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server accepts: bytes per request, seconds to send one, requests per second."""

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


def make_app(
    apis: VirtualApis,
    limits: Limits | None = None,
    log: Log | None = None,
    host: str | None = None,
) -> FastAPI:
    """The server as an ASGI application. `log` gets one object per request, also if refused.

    The Host header of a request must name this computer, or `host`.
    """
    allowed = limits or Limits()
    # The bucket starts full, so that a burst may come at once.
    bucket = RateLimit(allowed.rate, size=allowed.burst, tokens=allowed.burst)
    write_log: Log = log or (lambda _: None)
    app = FastAPI(title="Virtual APIs", docs_url=None, redoc_url=None)
    schema = {"application/json": {"schema": VirtualRequest.model_json_schema()}}
    body_schema = {"requestBody": {"content": schema, "required": True}}

    app.add_middleware(_OwnNameOnly, host=host, log=write_log)

    @app.post("/virtual", openapi_extra=body_schema)
    async def virtual(request: Request) -> JSONResponse:
        """Answers a call: 200 with `{"error", "response"}`, and its source in `X-Source`."""
        start = time.monotonic()
        try:
            _take_turn(bucket)
            sent = _read_request(await _read_body(request, allowed))
        except _RefusedError as refused:
            detail = _shorten(refused.detail)
            write_log({"source": "refused", "status": refused.status, "detail": detail})
            return JSONResponse({"detail": refused.detail}, refused.status, refused.headers)
        answer = await run_in_threadpool(_answer, apis, sent)
        write_log(_log_line(sent, answer, time.monotonic() - start))
        return JSONResponse(answer.reply.as_json(), headers={"x-source": answer.source})

    @app.get("/healthz")
    def healthz() -> dict[str, Json]:
        """Reports that the server is up, its mode, and how many APIs it has."""
        return {"status": "ok", "mode": apis.mode, "apis": len(apis.catalogue)}

    return app


class _OwnNameOnly:
    """Refuses requests whose Host header names another computer."""

    def __init__(self, app: ASGIApp, host: str | None, log: Log) -> None:
        self.app = app
        self.host = host
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not names_loopback(
            Request(scope).headers.get("host", ""), self.host
        ):
            detail = "the Host header names another computer"
            self.log({"source": "refused", "status": 400, "detail": detail})
            await JSONResponse({"detail": detail}, 400)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serves the application on a free port, in a thread. Yields the address of `/virtual`."""
    with listening("127.0.0.1", 0) as bound:
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
    """Serves the application on a bound socket until Ctrl-C."""
    uvicorn.Server(_config(app)).run(sockets=[bound])


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens on the address, closed at the end. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small replies at once only on sockets that name their protocol.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(_BACKLOG)
        yield bound


def address(bound: socket.socket) -> str:
    """The address for calls to a bound socket, for example `http://127.0.0.1:8080/virtual`."""
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


def _take_turn(bucket: RateLimit) -> None:
    if not bucket.take(time.monotonic()):
        wait = math.ceil((1 - bucket.tokens) / bucket.rate)
        raise _RefusedError(429, "too many requests", {"retry-after": str(wait)})


async def _read_body(request: Request, limits: Limits) -> bytes:
    """The body of a request. Reads the rest of a body that is too long, and drops it."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json" and not content_type.endswith("+json"):
        raise _RefusedError(415, "send JSON, with the content type application/json")
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(limits.sending):
            async for part in request.stream():
                length += len(part)
                if length <= limits.body:
                    parts.append(part)
                elif length > _MAX_DRAINED:
                    break
    except TimeoutError:
        what = f"the request took longer than {limits.sending:g} seconds to arrive"
        raise _RefusedError(408, what) from None
    except ClientDisconnect:
        what = "the client disconnected before its request was complete"
        raise _RefusedError(400, what) from None
    if length > limits.body:
        raise _RefusedError(413, f"the request is longer than {limits.body:,} bytes")
    return b"".join(parts)


def _read_request(body: bytes) -> VirtualRequest:
    detail: list[Json] = []
    try:
        return VirtualRequest.model_validate(parse(body, "request"))
    except FilesError as error:
        messages = map(str, error.problems)
        detail += [{"loc": ["body"], "msg": text, "type": "json_invalid"} for text in messages]
    except ValidationError as error:
        for item in error.errors(include_url=False, include_context=False, include_input=False):
            place = ["body", *item["loc"]]
            detail.append({"loc": place, "msg": item["msg"], "type": item["type"]})
    raise _RefusedError(422, detail)


def _answer(apis: VirtualApis, sent: VirtualRequest) -> SourcedReply:
    arguments = _read_input(sent.tool_input)
    if arguments is None:
        return SourcedReply(_INPUT_ERROR, "input_error", "")
    name = ApiName(sent.category, sent.tool_name, sent.api_name)
    return apis.answer(ApiCall(name, arguments, sent.toolbench_key))


def _read_input(given: str | Mapping[str, Json]) -> Mapping[str, Json] | None:
    """An object or its JSON text. Empty text is an empty object, and all other text is None."""
    if not isinstance(given, str):
        return given
    if not given.strip():
        return {}
    try:
        value = parse(given.encode("utf-8", "replace"), "tool_input")
    except FilesError:
        return None
    return value if isinstance(value, dict) else None


def _log_line(sent: VirtualRequest, answer: SourcedReply, seconds: float) -> dict[str, Json]:
    line: dict[str, Json] = {
        "source": answer.source,
        "status": 200,
        "category": sent.category,
        "tool_name": sent.tool_name,
        "api_name": sent.api_name,
        "input": _shorten(answer.key or sent.tool_input),
        "error": _shorten(answer.reply.error),
        "response": _shorten(answer.reply.response),
        "ms": round(1000 * seconds, 1),
    }
    return {**line, "note": answer.note} if answer.note else line


def _shorten(value: Json) -> str:
    text = as_text(value)
    return text if len(text) <= _MAX_LOGGED else f"{text[:_MAX_LOGGED]}…"
