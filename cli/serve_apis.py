"""`lb serve-apis`: the virtual API server of a suite of simulated APIs, on loopback."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from cli.console import count, require_packages, say, show_problems
from cli.options import ADDRESS, PATH

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.types import Json, JudgeSettings
    from leaderboard.workspace import Workspace
    from runners.apis.catalogue import Catalogue
    from runners.apis.virtual_apis import Mode


@click.command()
@click.option(
    "--suite",
    "suite_name",
    default="stable_toolbench",
    help="The suite whose tools and cache are served.",
)
@click.option(
    "--tools",
    type=PATH,
    help="The tool catalogue (default: tools/ in the suite, with its services).",
)
@click.option(
    "--cache", "cache_folder", type=PATH, help="The replies (default: cache/ in the suite)."
)
@click.option(
    "--mode",
    type=click.Choice(["replay", "record", "live"]),
    default="replay",
    help=(
        "How to handle calls that neither the cache nor a service answers: replay returns an "
        "error, record forwards and caches them, live only forwards them."
    ),
)
@click.option(
    "--host",
    default="127.0.0.1",
    help="The address to listen on. There is no login.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    help="0 takes any free port.",
)
@click.option(
    "--simulator", help="A judge of leaderboard.toml that plays APIs (with --mode record or live)."
)
@click.option(
    "--real-url",
    type=ADDRESS,
    help="An endpoint of real APIs, asked before the simulator (with --mode record or live).",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=30.0,
    help="Seconds to wait for a real API.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0.01),
    default=200.0,
    help="Maximum requests per second.",
)
@click.option(
    "--burst",
    type=click.IntRange(min=1),
    default=400,
    help="Maximum burst size, in requests.",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=100),
    default=1_000_000,
    help="Maximum size of a request, in bytes.",
)
@click.option(
    "--log",
    "log_file",
    type=PATH,
    help="Write one JSON line per request to this file (default: stderr).",
)
@click.pass_obj
def command(
    workspace_root: Path,
    suite_name: str,
    tools: Path | None,
    cache_folder: Path | None,
    mode: Mode,
    host: str,
    port: int,
    simulator: str | None,
    real_url: str | None,
    timeout: float,
    rate: float,
    burst: int,
    max_body: int,
    log_file: Path | None,
) -> None:
    """Answer API calls at http://127.0.0.1:8080/virtual until Ctrl-C.

    Replies come from the suite's cache and its services. Other sources need --mode record or
    live.

    \b
    Example:
      lb serve-apis
      lb serve-apis --mode record --simulator my-judge
    """
    from leaderboard.errors import FilesError, Problem
    from leaderboard.workspace import open_workspace

    workspace = open_workspace(workspace_root)
    if mode == "replay" and (simulator or real_url):
        raise click.UsageError(
            "--simulator and --real-url need --mode record or live: replay uses the cache alone"
        )
    require_packages("lb serve-apis", "apis", "fastapi", "uvicorn")
    from leaderboard.files.cassette_paths import SIMULATIONS
    from replay.completions import completing
    from runners.apis.api_server import Limits, address, listening, make_app, serve
    from runners.apis.real_apis import RealEndpoint
    from runners.apis.reply_cache import ApiCache
    from runners.apis.services import FOLDER, Services, load_services
    from runners.apis.simulation import Simulator
    from runners.apis.virtual_apis import VirtualApis

    catalogue = _catalogue(workspace, suite_name, tools)
    show_problems(catalogue.warnings, "text")
    folder = cache_folder or workspace.datasets / suite_name / "cache"
    services = Services({})
    if tools is None:
        own = workspace.datasets / suite_name / FOLDER
        services = load_services(own, workspace.root, catalogue)
    if mode == "replay" and not folder.is_dir() and not services.operations:
        fix = "name one with --cache, or use --mode record"
        raise FilesError(Problem(workspace.shown(folder), "is not a folder of replies", fix))
    with ExitStack() as stack:
        played = None
        if simulator is not None:
            judge = _judge(workspace, simulator)
            # Recorded like judge calls: what the model replied once is never asked again.
            complete = stack.enter_context(
                completing(workspace.root, judge, suite_name, SIMULATIONS, _show_text)
            )
            played = Simulator(complete, judge.model)
        endpoint = RealEndpoint(real_url, timeout) if real_url else None
        apis = VirtualApis(ApiCache(folder), catalogue, mode, endpoint, played, _now, services)
        log = stack.enter_context(_log(log_file))
        try:
            bound = stack.enter_context(listening(host, port))
        except OSError as error:
            what = f"cannot be used: {error.strerror}"
            problem = Problem(f"{host}:{port}", what, "choose another port with --port")
            raise FilesError(problem) from error
        say(f"{address(bound)}  ({mode}, {count(len(catalogue), 'API')}; stop with Ctrl-C)")
        limits = Limits(body=max_body, rate=rate, burst=burst)

        def write_line(line: Mapping[str, Json]) -> None:
            # ASCII alone, so that nothing a client sends can steer a terminal.
            log.write(json.dumps({"time": _now(), **line}) + "\n")
            log.flush()

        try:
            serve(make_app(apis, limits, write_line, host), bound)
        except KeyboardInterrupt:
            say("stopped")


def _show_text(problems: Sequence[Problem]) -> None:
    show_problems(problems, "text")


def _catalogue(workspace: Workspace, suite_name: str, tools: Path | None) -> Catalogue:
    """The tool catalogue that is named, else the suite's own. Raises FilesError."""
    from leaderboard.errors import FilesError, Problem
    from runners.apis.catalogue import load_catalogue

    if tools is not None:
        return load_catalogue(tools)
    folder = workspace.datasets / suite_name
    if not (folder / "suite.toml").is_file():
        fix = "name one with --suite: lb suites lists them"
        raise FilesError(Problem(workspace.shown(folder), "is not a suite", fix))
    return load_catalogue(folder / "tools", workspace.root)


def _judge(workspace: Workspace, name: str) -> JudgeSettings:
    """The judge that plays APIs. Raises BadParameter."""
    from leaderboard.files.board_settings import load_leaderboard

    judges = load_leaderboard(workspace).judges
    if name not in judges:
        known = ", ".join(judges)
        message = f"no judge {name!r} in leaderboard.toml; there are: {known}"
        raise click.BadParameter(message, param_hint="--simulator")
    if judges[name].provider == "embedded":
        message = f"{name} is a set of lexical rules: it cannot play an API"
        raise click.BadParameter(message, param_hint="--simulator")
    return judges[name]


@contextmanager
def _log(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stderr
        return
    with path.open("a", encoding="ascii", buffering=1) as file:
        yield file


def _now() -> str:
    return datetime.datetime.now(tz=datetime.UTC).isoformat(timespec="seconds")
