"""`lb run`: a submission, made by asking a model, an agent or a baseline."""

from __future__ import annotations

import datetime
import math
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.console import count, printable, say
from cli.run_agent import FOR_AGENTS, NOT_FOR_AGENTS, Sweep, run_agents

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from leaderboard.types import Suite
    from runners.models.model_choice import ModelSettings
    from runners.run_outcome import Progress, RunInterrupted, RunReport
    from runners.run_plan import Plan

INTERRUPTED = 130  # what a shell says of a command that Ctrl-C has ended
# What means nothing to a baseline, which is deterministic and asks nobody.
FOR_MODELS = (
    *(
        "base_url",
        "api_key_env",
        "trials",
        "concurrency",
        "rate",
        "temperature",
        "timeout",
        "retries",
        "step_limit",
    ),
    *("no_tools", "system_file", "resume", "keep_raw", "name", "organization"),
)
SHOWN_ERRORS = 5


class Number(click.FloatRange):
    """A number within a range. NaN is in none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


class Temperature(click.ParamType["float | None"]):
    """A number from 0, or `none`: then the request says nothing about it, and the server decides."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | None:
        if value == "none" or value is None:
            return None
        number = Number(min=0, max=5).convert(value, param, ctx)
        return int(number) if number.is_integer() else number


class RunCommand(click.Command):
    """A command that remembers how it was called, to say how to go on with it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["arguments"] = tuple(args)
        return super().parse_args(ctx, args)


@click.command(cls=RunCommand)
@click.option(
    "--model", required=True, help="Who answers: openai:NAME, google:NAME or baseline:NAME."
)
@click.option(
    "--suite",
    "suite_names",
    multiple=True,
    help="A suite to answer; may be given again (a baseline's default: all).",
)
@click.option("--id", "submission_id", help="The submission's id (default: made from NAME).")
@click.option(
    "--base-url",
    help="Where an OpenAI-compatible server answers, for example http://127.0.0.1:8000/v1.",
)
@click.option(
    "--api-key-env",
    help="The environment variable with the key (default: OPENAI_API_KEY; GEMINI_API_KEY or GOOGLE_API_KEY).",
)
@click.option(
    "--trials",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Independent attempts at every case.",
)
@click.option(
    "--limit", type=click.IntRange(min=0), help="Answer only the first N cases of each suite."
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 256),
    default=4,
    show_default=True,
    help="Cases under way at a time.",
)
@click.option(
    "--rate",
    type=Number(min=0, min_open=True, max=100_000),
    help="At most so many requests a second, for example 0.5.",
)
@click.option(
    "--temperature",
    type=Temperature(),
    default="0",
    show_default=True,
    help="A number, or none to leave it to the server.",
)
@click.option(
    "--timeout",
    type=Number(min=0, min_open=True, max=86_400),
    default=120,
    show_default=True,
    help="Seconds for one reply.",
)
@click.option(
    "--retries",
    type=click.IntRange(0, 20),
    default=4,
    show_default=True,
    help="More tries after 429, 5xx, or no reply at all.",
)
@click.option(
    "--step-limit",
    type=click.IntRange(1, 1000),
    default=30,
    show_default=True,
    help="Tool calls in one case of a suite that is acted out.",
)
@click.option(
    "--no-tools", is_flag=True, help="Offer no tools, to see what the model says without them."
)
@click.option(
    "--system",
    "system_file",
    type=click.Path(path_type=Path),
    help="A file with another system text.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on from what an interrupted run answered; ask again what got no reply.",
)
@click.option(
    "--keep-raw",
    is_flag=False,
    flag_value="",
    metavar="[DIR]",
    help="Keep the providers' raw replies (in DIR, or below .cache/runs/ID/raw/).",
)
@click.option(
    "--agent",
    help="Let an agent answer: langgraph, crewai, autogen, openai-agents, agno, or path/to/file.py:Class.",
)
@click.option(
    "--max-tools",
    type=click.IntRange(min=1),
    default=120,
    show_default=True,
    help="Tools that an agent gets.",
)
@click.option("--sweep", type=Sweep(), help="One submission for each of several numbers of tools.")
@click.option(
    "--selector",
    type=click.Choice(["keyword", "llm", "candidates"]),
    default="keyword",
    show_default=True,
    help="How an agent's tools are chosen: by words, by a model, or those the query lists.",
)
@click.option(
    "--selector-model", help="The model that chooses with --selector llm (default: NAME)."
)
@click.option(
    "--server-url",
    help="Where an agent's API calls are answered (default: a server of our own, in replay mode).",
)
@click.option("--name", help="How the board shows it (default: NAME).")
@click.option("--organization", help="Who sends it in.")
@click.option(
    "--date",
    help="The date on the card, YYYY-MM-DD (default: that of the existing card, or today).",
)
@click.pass_context
def command(
    ctx: click.Context, /, model: str, suite_names: tuple[str, ...], **options: Any
) -> None:
    """Make a submission: ask a model or an agent every case of a suite, and write down what it answers.

    Every answer is kept at once. An interrupted run goes on with --resume and asks nothing twice. Keys are read from the
    environment only. Baselines are deterministic and use no network; running one again changes nothing.

    \b
    Example:
      lb run --model openai:gpt-x --suite tool_selection --organization "My lab"
      lb run --model openai:qwen3 --base-url http://127.0.0.1:8000/v1 --suite tool_selection --limit 20
      lb run --model google:gemini-x --suite tool_usage --trials 3 --concurrency 8
      lb run --model baseline:keyword --suite tool_selection
      lb run --agent langgraph --model openai:gpt-x --suite stable_toolbench --max-tools 120
    """
    provider, _, name = model.partition(":")
    if provider not in ("openai", "google", "baseline") or not name:
        raise click.BadParameter(
            f"{model!r} is not openai:NAME, google:NAME or baseline:NAME", param_hint="--model"
        )
    if options["agent"]:
        _run_agent(ctx, provider, name, suite_names, options)
        return
    _refuse(ctx, f"{model} without --agent", FOR_AGENTS)
    if provider == "baseline":
        _run_baseline(ctx, name, suite_names, options)
    else:
        _run_model(ctx, provider, name, suite_names, options)


def _suites(root: Path, names: Sequence[str]) -> list[Suite]:
    """The suites named, or all of them."""
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.suite_files import load_suite, suite_ids
    from leaderboard.workspace import open_workspace
    from scoring.rules import KINDS

    workspace = open_workspace(root)
    known = suite_ids(workspace, load_leaderboard(workspace))
    for name in names:
        if name not in known:
            raise click.BadParameter(
                f"no suite {name!r}; there are: {', '.join(known)}", param_hint="--suite"
            )
    return [load_suite(workspace, name, KINDS) for name in dict.fromkeys(names or known)]


# ---------------------------------------------------------------- baselines


def _run_baseline(
    ctx: click.Context, name: str, suite_names: tuple[str, ...], options: dict[str, Any]
) -> None:
    from runners.baselines.baseline_run import answerable, run_baseline
    from runners.baselines.baselines import BASELINES

    _refuse(ctx, "a baseline", FOR_MODELS)
    root: Path = ctx.obj
    suites = _suites(root, suite_names)
    if not suite_names and name in BASELINES:
        suites = [suite for suite in suites if answerable(BASELINES[name], suite)]
    chosen = options["submission_id"] or f"baseline-{name}"
    date = options["date"] or _date_of(root / "submissions" / chosen)
    report = run_baseline(
        root, suites, name, date=date, submission_id=chosen, limit=options["limit"]
    )
    say(
        f"submissions/{report.submission}/: {count(report.answers, 'case')} answered, {report.outcome}"
    )


def _refuse(ctx: click.Context, who: str, names: Sequence[str]) -> None:
    """Options that were given and mean nothing to what is run."""
    given = [name for name in names if _was_given(ctx, name)]
    if given:
        raise click.UsageError(f"{who} takes no {', '.join(_option(ctx, name) for name in given)}")


def _was_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _option(ctx: click.Context, name: str) -> str:
    return next(param.opts[0] for param in ctx.command.params if param.name == name)


def _date_of(folder: Path) -> str:
    """The date on the card that is there already, so that running again changes nothing; else today's."""
    import orjson

    try:
        date = orjson.loads((folder / "submission.json").read_bytes())["date"]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        date = None
    return (
        date if isinstance(date, str) else datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    )


# ---------------------------------------------------------------- agents


def _run_agent(
    ctx: click.Context,
    provider: str,
    name: str,
    suite_names: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    if provider != "openai":
        raise click.BadParameter(
            "an agent asks openai:NAME, at any server of that protocol (--base-url)",
            param_hint="--model",
        )
    if not suite_names:
        raise click.UsageError("name the suite to answer with --suite (lb suites lists them)")
    _refuse(ctx, "an agent", NOT_FOR_AGENTS)
    if options["sweep"] is not None and _was_given(ctx, "max_tools"):
        raise click.UsageError("--sweep says the numbers of tools: leave out --max-tools")
    if not _was_given(ctx, "concurrency"):
        options["concurrency"] = 1  # not every agent is made for several threads
    suites = _suites(ctx.obj, suite_names)
    with _ending(ctx):
        reports = run_agents(ctx, _settings(provider, name, options), suites, options, _progress)
    for report in reports:
        _say_done(ctx, report)


# ---------------------------------------------------------------- models


def _run_model(
    ctx: click.Context,
    provider: str,
    name: str,
    suite_names: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    from runners.models.model_choice import submission_id_of
    from runners.models.model_run import run_model
    from runners.run_outcome import CardChoice

    if not suite_names:
        raise click.UsageError("name the suite to answer with --suite (lb suites lists them)")
    root: Path = ctx.obj
    suites = _suites(root, suite_names)
    chosen = options["submission_id"] or submission_id_of(name)
    plan = _plan(root, chosen, _settings(provider, name, options), options)
    card = CardChoice(options["name"], options["organization"], options["date"])
    with _ending(ctx), _progress() as progress:
        report = run_model(root, suites, plan, chosen, card, progress=progress)
    _say_done(ctx, report)


@contextmanager
def _ending(ctx: click.Context) -> Iterator[None]:
    """Says why a run ended early, and exits: 2 without a key, as the shell does after Ctrl-C."""
    from cli.console import show_problems
    from runners.models.model_choice import MissingKeyError
    from runners.run_outcome import RunInterrupted

    try:
        yield
    except MissingKeyError as error:
        show_problems(error.problems, "text")
        ctx.exit(2)
    except RunInterrupted as stopped:
        _say_interrupted(ctx, stopped)
        ctx.exit(INTERRUPTED)


def _settings(provider: str, name: str, options: dict[str, Any]) -> ModelSettings:
    from urllib.parse import urlsplit

    from runners.models.model_choice import ModelSettings

    base_url = options["base_url"]
    if base_url is not None and not (
        urlsplit(base_url).scheme in ("http", "https") and urlsplit(base_url).hostname
    ):
        raise click.BadParameter(
            f"{base_url!r} is no address; it starts with http:// or https://",
            param_hint="--base-url",
        )
    return ModelSettings(
        "google" if provider == "google" else "openai",
        name,
        base_url,
        options["api_key_env"],
        options["temperature"],
    )


def _plan(root: Path, submission_id: str, model: ModelSettings, options: dict[str, Any]) -> Plan:
    from leaderboard.retries import RetryPolicy
    from runners.models.run_journal import folder_of
    from runners.run_plan import Plan

    raw = options["keep_raw"]
    return Plan(
        model,
        trials=options["trials"],
        limit=options["limit"],
        concurrency=options["concurrency"],
        step_limit=options["step_limit"],
        tools=not options["no_tools"],
        system=_text(options["system_file"]),
        rate=options["rate"],
        retry_policy=RetryPolicy(attempts=options["retries"] + 1, timeout=options["timeout"]),
        resume=options["resume"],
        keep_raw=None
        if raw is None
        else Path(raw)
        if raw
        else folder_of(root, submission_id) / "raw",
    )


def _text(file: Path | None) -> str | None:
    """The text of the file given with --system."""
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.document import read_bytes

    if file is None:
        return None
    try:
        return read_bytes(file, str(file), file.resolve().parent).decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise FilesError(Problem(str(file), "is not UTF-8", "save it as UTF-8")) from error


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A bar for each suite on a terminal, nothing in a log."""
    if not sys.stderr.isatty():
        yield None
        return
    bars: dict[str, ProgressBar[Any]] = {}

    def show(suite: str, done: int, total: int) -> None:
        if suite not in bars:
            _finish(bars)
            bars[suite] = click.progressbar(
                length=total, label=suite, file=sys.stderr, show_pos=True
            )
            bars[suite].__enter__()
        bars[suite].update(done - bars[suite].pos)

    try:
        yield show
    finally:
        _finish(bars)


def _finish(bars: dict[str, ProgressBar[Any]]) -> None:
    for bar in list(bars.values())[-1:]:
        bar.render_finish()


def _say_interrupted(ctx: click.Context, stopped: RunInterrupted) -> None:
    say(
        f"interrupted: {stopped.kept:,} of {stopped.total:,} answers to {stopped.suite} are kept; go on with\n  {_again(ctx)}"
    )


def _again(ctx: click.Context) -> str:
    """The same command once more, with --resume."""
    arguments = ctx.meta["arguments"]
    here = () if ctx.obj == Path() else ("--workspace", str(ctx.obj))
    more = () if "--resume" in arguments else ("--resume",)
    return printable(shlex.join(["lb", *here, "run", *arguments, *more]))


def _say_done(ctx: click.Context, report: RunReport) -> None:
    say(
        f"submissions/{report.submission}/: {count(report.answers, 'answer')}, {report.asked:,} of them new, {report.outcome}"
    )
    for error in report.errors[:SHOWN_ERRORS]:
        say(f"  {printable(error)}")
    if report.errors:
        more = len(report.errors) - SHOWN_ERRORS
        say(
            f"{count(len(report.errors), 'answer')} came to an error"
            + (f", of which {more:,} are not shown" if more > 0 else "")
        )
    if report.unanswered:
        say(f"{count(report.unanswered, 'case')} got no reply; ask again with\n  {_again(ctx)}")
    here = "" if ctx.obj == Path() else f" --workspace {shlex.quote(str(ctx.obj))}"
    say(
        f"look through submission.json (--organization names who sends it in), then: lb{here} validate {report.submission}"
    )
