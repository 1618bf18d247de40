"""`lb run`: make a submission by asking a model, an agent or a baseline."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from cli.options import ADDRESS, PATH, TEMPERATURE_HELP, Number, Temperature, read_text_option
from cli.output.console import say
from cli.output.run_output import RunCommand, report_early_end, run_progress, say_done
from cli.run_options import (
    PROVIDERS,
    BodyType,
    HeaderType,
    PriceType,
    RunOption,
    RunOptions,
    SweepType,
)
from cli.wiring import open_suites, require_packages
from leaderboard.errors import FilesError
from leaderboard.limits import MOST_TRIALS
from leaderboard.machine.clock import today
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import CARD_FILE
from runners.run_defaults import CONCURRENCY, MAX_TOOLS, RETRIES, STEP_LIMIT, TIMEOUT, TRIALS

option = functools.partial(click.option, cls=RunOption)


@click.command(cls=RunCommand)
@option(
    "--model",
    required=True,
    help="Who answers: openai:NAME, anthropic:NAME, google:NAME, vertex:NAME or baseline:NAME.",
)
@option(
    "--suite",
    "suite_names",
    multiple=True,
    help="A suite to answer. Repeat it for several; a baseline answers all by default.",
)
@option(
    "--id",
    "submission_id",
    help="The submission's id (default: the model's name, with the agent's name or `baseline-` in "
    "front).",
)
@option(
    "--base-url",
    of="model agent",
    type=ADDRESS,
    help="An OpenAI-compatible server, for example http://127.0.0.1:8000/v1.",
)
@option(
    "--api-key-env",
    of="model agent",
    help="The environment variable that holds the key "
    "(default: that of the provider, such as OPENAI_API_KEY).",
)
@option(
    "--trials",
    of="model agent",
    type=click.IntRange(1, MOST_TRIALS),
    default=TRIALS,
    help="Independent attempts at every case.",
)
@option("--limit", type=click.IntRange(min=1), help="Answer only the first N cases of each suite.")
@option(
    "--concurrency",
    of="model agent",
    type=click.IntRange(1, 256),
    default=CONCURRENCY,
    help="Number of cases to ask at the same time (an agent's default: 1).",
)
@option(
    "--rate",
    of="model",
    type=Number(min=0, min_open=True, max=100_000),
    help="Maximum requests per second, for example 0.5.",
)
@option(
    "--temperature",
    of="model agent",
    type=Temperature(),
    default="0",
    help=TEMPERATURE_HELP,
)
@option(
    "--max-tokens",
    of="model",
    type=click.IntRange(min=1),
    help="The longest reply, in tokens (default: the server's; Anthropic: 8192).",
)
@option(
    "--reasoning-effort",
    of="model",
    help="How long a model thinks, in the provider's words: low, medium, high, …",
)
@option("--seed", of="model", type=int, help="A seed, for servers that support one.")
@option(
    "--extra-body",
    of="model",
    type=BodyType(),
    help="A JSON object that is added to every request.",
)
@option(
    "--header",
    "headers",
    of="model",
    type=HeaderType(),
    multiple=True,
    help="A header for every request. Repeatable. Its value is never written to a file.",
)
@option(
    "--price",
    of="model",
    type=PriceType(),
    help="US dollars per million input and output tokens, for the card and the budget.",
)
@option(
    "--budget",
    of="model",
    type=Number(min=0, min_open=True, max=1_000_000),
    help="Stop before the run costs more US dollars than this. Needs --price; --resume continues.",
)
@option(
    "--timeout",
    of="model agent",
    type=Number(min=0, min_open=True, max=86_400),
    default=TIMEOUT,
    help="Seconds to wait for one reply, of a model or of an API that an agent calls.",
)
@option(
    "--retries",
    of="model agent",
    type=click.IntRange(0, 20),
    default=RETRIES,
    help="Retries after 429, 5xx or no reply.",
)
@option(
    "--step-limit",
    of="model agent",
    type=click.IntRange(1, MOST_TRIALS),
    default=STEP_LIMIT,
    help="Maximum number of tool calls per case.",
)
@option(
    "--no-tools",
    of="model",
    is_flag=True,
    help="Offer no tools, to see what the model answers without them.",
)
@option(
    "--system",
    "system_file",
    of="model",
    type=PATH,
    help="A file with a system prompt that replaces the suite's.",
)
@option(
    "--resume",
    of="model agent",
    is_flag=True,
    help="Continue an interrupted run. Cases without a reply are asked again.",
)
@option(
    "--keep-raw",
    of="model",
    is_flag=False,
    flag_value="",
    metavar="[DIR]",
    help="Keep the providers' raw replies (in DIR, or below .cache/runs/ID/raw/).",
)
@option(
    "--agent",
    help="Let an agent answer: langgraph, crewai, autogen, openai-agents, agno, "
    "or path/to/file.py:Class.",
)
@option(
    "--max-tools",
    of="agent",
    type=click.IntRange(min=1),
    default=MAX_TOOLS,
    help="Maximum number of tools that an agent gets.",
)
@option(
    "--sweep", of="agent", type=SweepType(), help="One submission for each of several tool counts."
)
@option(
    "--selector",
    of="agent",
    type=click.Choice(["keyword", "llm", "candidates"]),
    default="keyword",
    help="How an agent's tools are chosen: by shared words, by a model, "
    "or those that the query lists.",
)
@option(
    "--selector-model",
    of="agent",
    help="The model that chooses tools with --selector llm (default: the model of --model).",
)
@option(
    "--server-url",
    of="agent",
    type=ADDRESS,
    help="The server that answers an agent's API calls (default: a local one in replay mode).",
)
@option(
    "--name",
    of="model agent",
    help="The name on the board (default: the model's; for an agent, its title and the model's).",
)
@option("--organization", of="model agent", help="Who submits it.")
@option(
    "--date",
    help="The date on the card, YYYY-MM-DD (default: that of the existing card, or today).",
)
@click.pass_context
def command(ctx: click.Context, /, **parameters: Any) -> None:
    """Make a submission: ask a model, an agent or a baseline every case of a suite.

    Every answer is saved at once. Continue an interrupted run with --resume: no answered case is
    asked again. Keys are read from the environment only. Baselines are deterministic and use no
    network.

    \b
    Example:
      lb run --model openai:gpt-x --suite tool_selection --organization "My lab"
      lb run --model openai:qwen3 --base-url http://127.0.0.1:8000/v1 --suite tool_selection
      lb run --model google:gemini-x --suite tool_usage --trials 3 --concurrency 8
      lb run --model baseline:keyword --suite tool_selection
      lb run --agent langgraph --model openai:gpt-x --suite stable_toolbench --max-tools 120
    """
    on_command_line = click.core.ParameterSource.COMMANDLINE
    given = {name for name in parameters if ctx.get_parameter_source(name) is on_command_line}
    options = RunOptions(**parameters, given=frozenset(given))
    if options.provider not in (*PROVIDERS, "baseline") or not options.model_name:
        known = ", ".join(f"{name}:NAME" for name in (*PROVIDERS, "baseline"))
        message = f"{options.model!r} is not one of {known}"
        raise click.BadParameter(message, param_hint="--model")
    if options.agent:
        _refuse_options(ctx, options, "agent", "an agent")
        _run_agent(ctx, options)
    elif options.provider == "baseline":
        _refuse_options(ctx, options, "baseline", "a baseline")
        _run_baseline(ctx, options)
    else:
        _refuse_options(ctx, options, "model", f"{options.model} without --agent")
        _run_model(ctx, options)


def _refuse_options(ctx: click.Context, options: RunOptions, runner: str, shown: str) -> None:
    """Raises UsageError for options on the command line that this runner does not take."""
    refused = [
        param.opts[0]
        for param in ctx.command.params
        if isinstance(param, RunOption)
        and param.name in options.given
        and runner not in param.runners
    ]
    if refused:
        raise click.UsageError(f"{shown} takes no {', '.join(refused)}")


def _require_suite(options: RunOptions) -> None:
    if not options.suite_names:
        raise click.UsageError("name the suite to answer with --suite (lb suites lists them)")


def _run_baseline(ctx: click.Context, options: RunOptions) -> None:
    from leaderboard.files.board_settings import load_leaderboard
    from runners.baselines.baseline_run import answerable, run_baseline
    from runners.baselines.baselines import BASELINES

    name = options.model_name
    workspace, suites = open_suites(ctx.obj, options.suite_names)
    if not options.suite_names and name in BASELINES:
        suites = [suite for suite in suites if answerable(BASELINES[name], suite)]
    submission_id = options.submission_id or f"baseline-{name}"
    if name in BASELINES:
        _refuse_unlisted(load_leaderboard(workspace).baselines, submission_id)
    report = run_baseline(
        workspace.root,
        suites,
        name,
        date=options.date or _date_of(workspace.submissions / submission_id),
        submission_id=submission_id,
        limit=options.limit,
    )
    answered = counted(report.answers, "case")
    say(f"submissions/{report.submission}/: {answered} answered, {report.outcome}")


def _refuse_unlisted(baselines: Sequence[str] | None, submission_id: str) -> None:
    """Raises FilesError before a baseline runs that the board would not accept."""
    if baselines is not None and submission_id not in baselines:
        listed = ", ".join(f'"{name}"' for name in (*baselines, submission_id))
        what = f"does not list {submission_id!r}, so the board would refuse it"
        fix = f"write baselines = [{listed}]"
        raise FilesError.about("leaderboard.toml", what, fix, at="$.baselines")


def _date_of(folder: Path) -> str:
    """The date on the existing card, so that running again changes nothing; else today's."""
    import orjson

    try:
        date = orjson.loads((folder / CARD_FILE).read_bytes())["date"]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        date = None
    return date if isinstance(date, str) and date else today().isoformat()


def _run_model(ctx: click.Context, options: RunOptions) -> None:
    from leaderboard.network.retries import RetryPolicy
    from runners.models.model_run import run_model
    from runners.models.run_journal import folder_of
    from runners.run_plan import ModelPlan
    from runners.submission_writer import id_of

    _require_suite(options)
    if options.budget is not None and options.price is None:
        raise click.UsageError("--budget needs the prices: --price IN,OUT")
    if options.seed is not None and options.provider == "anthropic":
        raise click.UsageError("Anthropic's API takes no --seed")
    if options.provider == "anthropic":
        require_packages("lb run --model anthropic", "anthropic", "anthropic")
    workspace, suites = open_suites(ctx.obj, options.suite_names)
    submission_id = options.submission_id or id_of(options.model_name)
    raw_folder = None
    if options.keep_raw is not None:
        default = folder_of(workspace.root, submission_id) / "raw"
        raw_folder = Path(options.keep_raw) if options.keep_raw else default
    plan = ModelPlan(
        options.settings,
        trials=options.trials,
        limit=options.limit,
        concurrency=options.concurrency,
        step_limit=options.step_limit,
        tools=not options.no_tools,
        system=read_text_option(options.system_file),
        rate=options.rate,
        retry_policy=RetryPolicy(attempts=options.retries + 1, timeout=options.timeout),
        resume=options.resume,
        keep_raw=raw_folder,
        price=options.price,
        budget=options.budget,
    )

    def announce(suite: str, cases: int, trials: int, tokens: int) -> None:
        asked = counted(cases, "case")
        if trials > cases:
            asked += f" ({trials:,} trials)"
        cost = ""
        if options.price is not None:
            cost = f", ${options.price.cost(tokens, 0):,.2f} before the replies"
        say(f"{suite}: {asked} to ask, about {tokens:,} input tokens{cost}")

    with report_early_end(ctx), run_progress() as progress:
        report = run_model(
            workspace.root,
            suites,
            plan,
            submission_id,
            options.card,
            progress=progress,
            announce=announce,
        )
    say_done(ctx, report)


def _run_agent(ctx: click.Context, options: RunOptions) -> None:
    from cli.run_agents import run_agents

    if options.provider != "openai":
        message = "an agent asks openai:NAME, at any server of that protocol (--base-url)"
        raise click.BadParameter(message, param_hint="--model")
    _require_suite(options)
    if options.sweep is not None and "max_tools" in options.given:
        raise click.UsageError("--sweep sets the tool counts: leave out --max-tools")
    if options.selector_model is not None and options.selector != "llm":
        raise click.UsageError("--selector-model needs --selector llm")
    workspace, suites = open_suites(ctx.obj, options.suite_names)
    with report_early_end(ctx), run_progress() as progress:
        reports = run_agents(workspace, suites, options, progress)
    for report in reports:
        say_done(ctx, report)
