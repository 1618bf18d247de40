"""`lb serve-apis`: the virtual API server of StableToolBench suites, on loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from cli.console import count, say, show_problems

if TYPE_CHECKING:
    from leaderboard.files.board_settings import Leaderboard
    from leaderboard.types import Json, JudgeSettings
    from leaderboard.workspace import Workspace
    from runners.apis.catalogue import Catalogue
    from runners.apis.real_apis import RealEndpoint
    from runners.apis.simulation import Simulator
    from runners.apis.virtual_apis import Mode, VirtualApis

KIND = "stable_toolbench"


@click.command()
@click.option(
    "--suite",
    "suite_name",
    default=KIND,
    show_default=True,
    help="The suite whose tools and cache are served.",
)
@click.option(
    "--tools",
    type=click.Path(path_type=Path),
    help="The tool catalogue (default: tools/ in the suite).",
)
@click.option(
    "--cache",
    "cache_folder",
    type=click.Path(path_type=Path),
    help="The replies (default: cache/ in the suite).",
)
@click.option(
    "--mode",
    type=click.Choice(["replay", "record", "live"]),
    default="replay",
    show_default=True,
    help="What the cache lacks: an error, asked for and kept, or asked for and not kept.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; there is no login.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="0 takes any free port.",
)
@click.option(
    "--simulator", help="A judge of leaderboard.toml that plays APIs (with --mode record or live)."
)
@click.option(
    "--real-url",
    help="An endpoint of real APIs, asked before the simulator (with --mode record or live).",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=30.0,
    show_default=True,
    help="Seconds for a real API.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0.01),
    default=200.0,
    show_default=True,
    help="Most requests a second.",
)
@click.option(
    "--burst",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    help="Requests that may come at once.",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=100),
    default=1_000_000,
    show_default=True,
    help="Bytes of a request.",
)
@click.option(
    "--log",
    "log_file",
    type=click.Path(path_type=Path),
    help="One JSON line per request goes here (default: stderr).",
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
    """Answer API calls at http://127.0.0.1:8080/virtual until Ctrl-C: out of the cache, and nothing else unless told so.

    \b
    Example:
      lb serve-apis
      lb serve-apis --mode record --simulator my-judge
    """
    from leaderboard.workspace import open_workspace

    workspace = open_workspace(workspace_root)
    if mode == "replay" and (simulator or real_url):
        raise click.UsageError(
            "--simulator and --real-url need --mode record or live: replay answers out of the cache alone"
        )
    need_the_extra()
    from runners.apis.api_server import Limits, address, listening, make_app, serve

    with ExitStack() as stack:
        apis = stack.enter_context(
            virtual_apis(
                workspace,
                suite_name,
                tools,
                cache_folder,
                mode,
                _endpoint(real_url, timeout),
                simulator,
            )
        )
        log = stack.enter_context(_log(log_file))
        try:
            bound = stack.enter_context(listening(host, port))
        except OSError as error:
            _refuse_port(host, port, error)
        say(f"{address(bound)}  ({mode}, {count(len(apis.catalogue), 'API')}; Ctrl-C ends it)")
        try:
            serve(make_app(apis, Limits(body=max_body, rate=rate, burst=burst), log), bound)
        except KeyboardInterrupt:
            say("ended")


def need_the_extra() -> None:
    import importlib.util

    from leaderboard.errors import FilesError, Problem

    if missing := [
        name for name in ("fastapi", "uvicorn") if importlib.util.find_spec(name) is None
    ]:
        what = f"needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed"
        raise FilesError(Problem("lb serve-apis", what, "pip install -e '.[apis]'"))


def _refuse_port(host: str, port: int, error: OSError) -> None:
    from leaderboard.errors import FilesError, Problem

    what = f"cannot be listened on: {error.strerror}"
    raise FilesError(Problem(f"{host}:{port}", what, "choose another with --port")) from error


def _endpoint(url: str | None, timeout: float) -> RealEndpoint | None:
    from urllib.parse import urlsplit

    from runners.apis.real_apis import RealEndpoint

    if url is None:
        return None
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise click.BadParameter(
            f"{url!r} is no http:// or https:// address", param_hint="--real-url"
        )
    return RealEndpoint(url, timeout)


@contextmanager
def virtual_apis(
    workspace: Workspace,
    suite_name: str,
    tools: Path | None,
    cache_folder: Path | None,
    mode: Mode,
    endpoint: RealEndpoint | None,
    simulator: str | None,
) -> Iterator[VirtualApis]:
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.board_settings import load_leaderboard
    from runners.apis.reply_cache import ApiCache
    from runners.apis.virtual_apis import VirtualApis

    catalogue = catalogue_of_suite(workspace, suite_name, tools)
    show_problems(catalogue.warnings, "text")
    folder = cache_folder or workspace.datasets / suite_name / "cache"
    if mode == "replay" and not folder.is_dir():
        raise FilesError(
            Problem(
                workspace.shown(folder),
                "is no folder of replies",
                "name one with --cache, or use --mode record",
            )
        )
    cache = ApiCache(folder)
    with ExitStack() as stack:
        played = None
        if simulator is not None:
            judge = _judge(load_leaderboard(workspace), simulator)
            played = stack.enter_context(_simulator(workspace, suite_name, judge))
        yield VirtualApis(cache, catalogue, mode, endpoint, played, _now)


def catalogue_of_suite(workspace: Workspace, suite_name: str, tools: Path | None) -> Catalogue:
    """The tool catalogue that is named, else the suite's own. Raises FilesError."""
    from leaderboard.errors import FilesError, Problem
    from runners.apis.catalogue import load_catalogue

    if tools is not None:
        return load_catalogue(tools)
    folder = workspace.datasets / suite_name
    if not (folder / "suite.toml").is_file():
        raise FilesError(
            Problem(
                workspace.shown(folder),
                "is no suite",
                "name one with --suite: lb suites lists them",
            )
        )
    return load_catalogue(folder / "tools", workspace.root)


def _judge(settings: Leaderboard, name: str) -> JudgeSettings:
    if name not in settings.judges:
        raise click.BadParameter(
            f"no judge {name!r} in leaderboard.toml; there are: {', '.join(settings.judges)}"
        )
    if settings.judges[name].provider == "embedded":
        raise click.BadParameter(
            f"{name} is a set of lexical rules: it cannot play an API", param_hint="--simulator"
        )
    return settings.judges[name]


@contextmanager
def _simulator(workspace: Workspace, suite_name: str, judge: JudgeSettings) -> Iterator[Simulator]:
    """A model that plays APIs, reached over the cassettes as a judge is: what it said once is never asked again."""
    from runners.apis.simulation import Simulator

    with completing(workspace.root, judge, suite_name, "virtual-apis") as complete:
        yield Simulator(complete, judge.model)


@contextmanager
def completing(
    root: Path, judge: JudgeSettings, suite: str, submission: str
) -> Iterator[Callable[[str], str | None]]:
    """From a judge to a plain `prompt -> text`, safe to use from many threads, one call at a time.

    Replies come out of the cassettes, and new ones go into that of `submission`. A prompt that has no reply comes to None, and
    is asked again the next time: a server outlives the bad moments of a model.
    """
    from leaderboard.errors import JudgeError
    from leaderboard.types import JudgeCall
    from replay.asker import Asker, open_asker

    lock = threading.Lock()
    opened = ExitStack()
    askers: list[Asker] = []

    def complete(prompt: str) -> str | None:
        with lock:
            if not askers:
                askers.append(
                    opened.enter_context(
                        open_asker(root, [judge], record_mode="new_episodes", jobs=1)
                    )
                )
            text = None
            try:
                text = askers[0]([JudgeCall(judge, suite, submission, prompt)])[0].text
            except JudgeError as error:
                show_problems(error.problems, "text")
            if text is None:  # an asker remembers for good that a prompt has no reply
                askers.clear()
                opened.close()
            return text

    with opened:
        yield complete


@contextmanager
def _log(path: Path | None) -> Iterator[Callable[[Mapping[str, Json]], None]]:
    """Writes one JSON line per request, ASCII alone, so that nothing a client sends can steer a terminal."""
    import sys

    if path is None:
        yield _lines_to(sys.stderr)
        return
    with path.open("a", encoding="ascii", buffering=1) as file:
        yield _lines_to(file)


def _lines_to(file: TextIO) -> Callable[[Mapping[str, Json]], None]:
    import json

    def write(line: Mapping[str, Json]) -> None:
        file.write(json.dumps({"time": _now(), **line}) + "\n")
        file.flush()

    return write


def _now() -> str:
    import datetime

    return datetime.datetime.now(tz=datetime.UTC).isoformat(timespec="seconds")
