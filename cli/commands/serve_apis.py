"""`lb serve-apis`: the virtual API server of a suite of simulated APIs, on loopback."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import ADDRESS, FILE, PATH, Number
from cli.output.console import say
from cli.output.problem_output import show_problems
from cli.wiring import open_suites, require_packages
from leaderboard.errors import FilesError, Problem
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from socket import socket

    from leaderboard.types import Json, JudgeSettings
    from runners.apis.virtual_apis import ApiPlayer, Mode, VirtualApis


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
    help="The port to listen on. 0 chooses a free port.",
)
@click.option(
    "--simulator", help="A judge of leaderboard.toml that plays APIs (with --mode record or live)."
)
@click.option(
    "--mirrorapi",
    "mirror_prompt",
    type=FILE,
    help=(
        "The simulator is a MirrorAPI model of StableToolBench. Its system prompt is in this file: "
        "StableToolBench's server/system_prompts.py, or a text file."
    ),
)
@click.option(
    "--real-url",
    type=ADDRESS,
    help="An endpoint of real APIs, asked before the simulator (with --mode record or live).",
)
@click.option(
    "--timeout",
    type=Number(min=0.1),
    help="Seconds to wait for a reply of --real-url (default: 30).",
)
@click.option(
    "--rate",
    type=Number(min=0.01),
    default=200.0,
    help="Maximum requests per second, in bursts of up to two seconds' worth.",
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
    mirror_prompt: Path | None,
    real_url: str | None,
    timeout: float | None,
    rate: float,
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
    workspace = open_workspace(workspace_root)
    if mirror_prompt and not simulator:
        raise click.UsageError("--mirrorapi needs --simulator, which names the model")
    if timeout and not real_url:
        raise click.UsageError("--timeout needs --real-url, whose replies it waits for")
    if mode == "replay" and (simulator or real_url):
        raise click.UsageError(
            "--simulator and --real-url need --mode record or live: replay uses the cache alone"
        )
    require_packages("lb serve-apis", "apis", "fastapi", "uvicorn")
    from runners.apis.api_server import Limits, address, make_app, serve
    from runners.apis.real_apis import TIMEOUT, RealEndpoint

    apis = replace(_apis(workspace, suite_name, tools, cache_folder), mode=mode, clock=_now)
    show_problems(apis.catalogue.warnings, "text")
    if mode == "replay":
        _require_replies(workspace, apis, named=cache_folder is not None)
    endpoint = RealEndpoint(real_url, timeout or TIMEOUT) if real_url else None
    limits = Limits(rate=rate, burst=max(1, round(2 * rate)))
    with ExitStack() as stack:
        played = None
        if simulator is not None:
            judge = _judge(workspace, simulator)
            played = stack.enter_context(_player(judge, mirror_prompt))
        apis = replace(apis, endpoint=endpoint, simulator=played)
        write_line = stack.enter_context(_log(log_file))
        bound = stack.enter_context(_bound(host, port))
        say(f"{address(bound)}  ({mode}, {counted(len(apis.catalogue), 'API')}; stop with Ctrl-C)")
        try:
            serve(make_app(apis, limits, write_line, host), bound)
        except KeyboardInterrupt:
            say("stopped")


def _require_replies(workspace: Workspace, apis: VirtualApis, *, named: bool) -> None:
    """Warns if nothing can reply. Raises FilesError if the user `named` the missing cache."""
    if apis.cache.root.is_dir():
        return
    fix = "name a folder of replies with --cache, or use --mode record"
    folder = workspace.shown(apis.cache.root)
    if named:
        raise FilesError.about(folder, "is not a folder of replies", fix)
    if apis.services.operations:
        return
    what = "is not there, so no call gets a reply"
    show_problems([Problem(folder, what, fix, severity="warning")], "text")


@contextmanager
def _bound(host: str, port: int) -> Iterator[socket]:
    """A socket that listens. Raises FilesError."""
    from runners.apis.api_server import listening

    with ExitStack() as stack:
        try:
            bound = stack.enter_context(listening(host, port))
        except OSError as error:
            what = f"cannot be used: {error.strerror}"
            fix = "choose another port with --port"
            raise FilesError.about(f"{host}:{port}", what, fix) from error
        yield bound


def _apis(
    workspace: Workspace, suite_name: str, tools: Path | None, cache: Path | None
) -> VirtualApis:
    """The APIs of the suite, or those of the folders that are named. Raises FilesError."""
    from runners.apis.catalogue import load_catalogue
    from runners.apis.reply_cache import ApiCache
    from runners.apis.virtual_apis import VirtualApis, replaying

    if tools is not None:
        folder = cache or workspace.datasets / suite_name / "cache"
        return VirtualApis(ApiCache(folder), load_catalogue(tools))
    _, (suite,) = open_suites(workspace.root, [suite_name])
    apis = replaying(workspace, suite)
    return apis if cache is None else replace(apis, cache=ApiCache(cache))


def _judge(workspace: Workspace, name: str) -> JudgeSettings:
    """The judge that plays APIs. Raises BadParameter."""
    from leaderboard.files.board_settings import load_leaderboard

    judges = load_leaderboard(workspace).judges
    if name not in judges:
        known = ", ".join(judges)
        message = f"no judge {name!r} in leaderboard.toml; choose one of: {known}"
        raise click.BadParameter(message, param_hint="--simulator")
    if judges[name].provider == "embedded":
        message = f"{name} is a set of lexical rules: it cannot play an API"
        raise click.BadParameter(message, param_hint="--simulator")
    return judges[name]


@contextmanager
def _player(judge: JudgeSettings, mirror_prompt: Path | None) -> Iterator[ApiPlayer]:
    """The model that plays APIs. Raises JudgeError or MissingKeyError without a key."""
    from leaderboard.network.retries import RetryPolicy
    from replay.asking_judges import completing
    from runners.apis.mirror_api import SETTINGS, MirrorSimulator, read_system_prompt
    from runners.apis.played_by_model import Simulator
    from runners.models.model_settings import ModelSettings, api_key
    from runners.models.prompt_completion import open_completion

    # Clients wait a minute. So a model that cannot be reached has to be reported well before.
    policy = RetryPolicy(attempts=3, timeout=50, first_pause=0.25)
    if mirror_prompt is None:
        with completing(judge, policy) as complete:
            yield Simulator(complete, judge.model)
        return
    if judge.provider != "openai":
        message = f"{judge.name} is not a judge of provider openai, which a MirrorAPI model needs"
        raise click.BadParameter(message, param_hint="--simulator")
    model = ModelSettings("openai", judge.model, judge.base_url, judge.api_key_env)
    system = read_system_prompt(mirror_prompt)
    settings = {**SETTINGS, **judge.settings}
    timeout, retries = policy.timeout, policy.attempts - 1
    key = api_key(model)
    mirrored = open_completion(model, key, timeout, retries, system=system, **settings)
    yield MirrorSimulator(mirrored, judge.model)


@contextmanager
def _log(path: Path | None) -> Iterator[Callable[[Mapping[str, Json]], None]]:
    """A function that writes one line to the log: to this file, or to stderr."""
    to_stderr = nullcontext(sys.stderr)
    opened = to_stderr if path is None else path.open("a", encoding="ascii", buffering=1)
    with opened as log:

        def write_line(line: Mapping[str, Json]) -> None:
            # ASCII alone, so that nothing a client sends can steer a terminal.
            log.write(json.dumps({"time": _now(), **line}) + "\n")
            log.flush()

        yield write_line


def _now() -> str:
    return datetime.datetime.now(tz=datetime.UTC).isoformat(timespec="seconds")
