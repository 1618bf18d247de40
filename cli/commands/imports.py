"""`lb import`: other systems' data and results, as suites and submissions."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click

from cli.options import FILE, FOLDER, Number, one_submission
from cli.output.console import say_report
from cli.wiring import kinds_of
from leaderboard.limits import MOST_DOLLARS
from leaderboard.mappings import without_none
from leaderboard.workspace import open_workspace


@click.group()
def command() -> None:
    """Bring in other systems' results as suites and submissions.

    \b
    Example:
      lb import bfcl result/ --questions questions/ --possible-answers possible_answer/
    """


@command.command()
@click.argument("result_dir", type=FOLDER, required=False)
@click.option(
    "--package",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="The package bfcl-eval with the questions and accepted values: its wheel, or a version"
    " to download with pip (default: the newest).",
)
@click.option(
    "--questions", type=FOLDER, help="The folder of <category>.json files with the questions."
)
@click.option(
    "--possible-answers",
    type=FOLDER,
    help="The folder of <category>.json files with the accepted values.",
)
@click.option(
    "--scores",
    type=FOLDER,
    help="The folder of the models' score files: multi-turn, memory and web search become"
    " reported scores. Needs --package.",
)
@click.option(
    "--underscored",
    multiple=True,
    metavar="GLOB",
    help='Models that were shown tool names with "." replaced by "_" (default: those whose calls'
    " show it). Repeatable.",
)
@click.option(
    "--date",
    help="The date on new cards, YYYY-MM-DD (default: when these answers were published, if a"
    " folder is named after it).",
)
@click.option(
    "--price",
    "prices",
    type=(str, Number(min=0, max=MOST_DOLLARS), Number(min=0, max=MOST_DOLLARS)),
    multiple=True,
    metavar="MODEL IN OUT",
    help="US dollars per million input and output tokens of a model folder. Repeatable.",
)
@click.pass_obj
def bfcl(
    workspace_root: Path,
    result_dir: Path | None,
    package: str | None,
    questions: Path | None,
    possible_answers: Path | None,
    scores: Path | None,
    underscored: tuple[str, ...],
    date: str | None,
    prices: tuple[tuple[str, float, float], ...],
) -> None:
    """Import the Berkeley Function Calling Leaderboard.

    Writes the suite of the questions, such as datasets/bfcl_v4/, and a submission for each model
    folder in RESULT_DIR. Questions come from the package, or from two folders.

    \b
    Example:
      lb import bfcl --package
      lb import bfcl result/ --package bfcl_eval-2026.3.23-py3-none-any.whl --date 2026-03-23
      lb import bfcl result/ --questions questions/ --possible-answers possible_answer/
    """
    from leaderboard.types import Price
    from runners.imports.bfcl.bfcl_import import import_bfcl
    from runners.imports.bfcl.bfcl_package import PackageData, open_package
    from runners.imports.bfcl.bfcl_scores import import_scores
    from scoring.rules import KINDS

    if questions is not None and possible_answers is not None and package is None:
        source: AbstractContextManager[PackageData] = nullcontext(
            PackageData(questions, possible_answers)
        )
    elif package is not None and questions is None and possible_answers is None:
        source = open_package(package)
    else:
        raise click.UsageError("Give --package, or both --questions and --possible-answers.")
    if result_dir is None and (underscored or prices or (date and scores is None)):
        raise click.UsageError("--underscored, --price and --date need RESULT_DIR, the answers")
    workspace = open_workspace(workspace_root)
    priced = {model: Price(per_input, per_output) for model, per_input, per_output in prices}
    with source as data:
        report = import_bfcl(
            workspace.root, result_dir, *data, underscored, kinds=KINDS, date=date, prices=priced
        )
        say_report(report)
        if scores is not None:
            reported = import_scores(workspace.root, scores, data.questions, KINDS, date)
            say_report(reported)


@command.command("tool-selection")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option(
    "--suite", "suite_id", default="tool_selection", metavar="ID", help="The suite to write."
)
@click.option("--date", help="The date on new cards, YYYY-MM-DD (default: the day of the run).")
@click.pass_obj
def tool_selection(workspace_root: Path, folder: Path, suite_id: str, date: str | None) -> None:
    """Import the folder of the tool-selection tester.

    Writes a suite with the cases, tools and judge prompts of DIR, and a submission for each run
    below it: a folder with processed_responses.json or raw_responses.json. A folder that is no
    workspace becomes one.

    \b
    Example:
      lb import tool-selection ../tester
    """
    from runners.imports.tool_selection.tester_import import import_tester
    from scoring.rules import KINDS

    say_report(import_tester(workspace_root, folder, suite_id, KINDS, date))


@command.command()
@click.argument("runs", type=FILE, nargs=-1, required=True)
@click.option(
    "--suite", "suite_id", required=True, metavar="ID", help="The suite that the runs answer."
)
@click.option(
    "--submission", "submission_id", required=True, metavar="ID", help="The submission to write."
)
@click.option(
    "--examples",
    type=FILE,
    help="The dataset's examples, to write as the suite. Without it, the suite must exist.",
)
@click.option(
    "--environment",
    metavar="TASK",
    help="With --examples: the task whose environment runs the cases, by its name or LangChain's "
    "dataset name, for example 'Multiverse Math'. lb run needs it.",
)
@click.option(
    "--tables",
    type=FILE,
    help="With --examples of the relational data: the tables that they ask about, as JSON or "
    "LangChain's relational_data.py, which is not run.",
)
@click.option(
    "--judge-numbers",
    is_flag=True,
    help="With --examples: let the judge read answers whose last number is not the right one.",
)
@click.option(
    "--date",
    help="The date on the card, YYYY-MM-DD (default: the day of the latest run).",
)
@click.option("--name", help="The name on the board (default: the id).")
@click.option("--organization", help="Who ran it.")
@click.option("--model", help="The model that answered.")
@click.option("--framework", help="The framework of the agent.")
@click.pass_obj
def langsmith(
    workspace_root: Path,
    /,
    runs: tuple[Path, ...],
    suite_id: str,
    submission_id: str,
    examples: Path | None,
    environment: str | None,
    tables: Path | None,
    judge_numbers: bool,
    date: str | None,
    **fields: str | None,
) -> None:
    """Import LangSmith runs as a submission.

    RUNS are .json or .jsonl files, one per project. If several projects have runs for a case, these
    are its trials. With --examples, their dataset becomes a suite of kind tool_usage.

    \b
    Example:
      lb import langsmith runs.jsonl --examples examples.json --suite tasks --submission agent \\
        --organization "My lab" --model my-model-7b
    """
    from runners.imports.langsmith.langsmith_import import SuiteChoices, import_langsmith
    from runners.imports.langsmith.langsmith_tables import read_given_tables

    if examples is None and (environment or tables or judge_numbers):
        raise click.UsageError(
            "--environment, --tables and --judge-numbers need --examples: a new suite"
        )
    task = _task(environment, reads_tables=tables is not None)
    own = None if tables is None else read_given_tables(tables)
    choices = SuiteChoices(task, own, judge_numbers=judge_numbers)
    workspace = open_workspace(workspace_root)
    card_fields = without_none(fields)
    kinds = kinds_of(workspace)
    report = import_langsmith(
        workspace.root,
        examples,
        runs,
        suite_id,
        submission_id,
        kinds=kinds,
        choices=choices,
        date=date,
        fields=card_fields,
    )
    say_report(report)


def _task(name: str | None, *, reads_tables: bool) -> str | None:
    """The name of a task of the registry. With tables it is the one that reads tables.

    Raises BadParameter.
    """
    from runners.environments import registry
    from runners.environments.relational import RELATIONAL_DATA

    if name is None:
        return RELATIONAL_DATA.name if reads_tables else None
    if name not in registry:
        known = ", ".join(task.name for task in registry)
        message = f"there is no task {name!r}; choose one of: {known}"
        raise click.BadParameter(message, param_hint="--environment")
    task = registry[name]
    if reads_tables and task.create_over is None:
        raise click.BadParameter(f"{task.name} reads no tables", param_hint="--tables")
    if task.create_over is not None and not reads_tables:
        message = f"{task.name} reads tables: name those of the questions with --tables"
        raise click.BadParameter(message, param_hint="--environment")
    return task.name


@command.command()
@click.argument(
    "source", type=click.Path(exists=True, path_type=Path), metavar="[SRC]", required=False
)
@click.option(
    "--suite",
    "suite_id",
    default="stable_toolbench",
    metavar="ID",
    help="The suite to write, or that was answered.",
)
@click.option(
    "--queries",
    type=FOLDER,
    help="The folder of <test set>.json query files: writes them as the suite.",
)
@click.option(
    "--ids",
    type=FOLDER,
    help="With --queries: the folder of <test set>.json files with the ids to keep.",
)
@click.option(
    "--tools",
    type=FOLDER,
    help="With --queries: the folder of tool files, to copy into the suite.",
)
@click.option(
    "--cache",
    type=FOLDER,
    help="With --queries: the folder of recorded replies, to copy into the suite.",
)
@one_submission
@click.option(
    "--date",
    help="The date on new cards, YYYY-MM-DD (default: the day of the run, if the files have it).",
)
@click.option("--name", help="The name on the board (default: its name in the files).")
@click.option("--organization", help="Who ran it.")
@click.option("--model", help="The model that answered.")
@click.option("--framework", help="The framework of the agent.")
@click.pass_obj
def stabletoolbench(
    workspace_root: Path,
    /,
    source: Path | None,
    suite_id: str,
    queries: Path | None,
    ids: Path | None,
    tools: Path | None,
    cache: Path | None,
    submission_id: str | None,
    date: str | None,
    **fields: str | None,
) -> None:
    """Import results of StableToolBench and its wrapper.

    Writes queries as a suite, and the answers in SRC as submissions. Converted answers, pass rates
    and result files are recognised by their content. Verdicts in these files are shown beside the
    answers; scores come from this board's own judges.

    \b
    Example:
      lb import stabletoolbench --queries solvable_queries/test_instruction --suite stb \\
        --tools server/tools --cache server/tool_response_cache
      lb import stabletoolbench data/ --suite stb
      lb import stabletoolbench results/tools/agent_G1_instruction_k20.json --suite stb
    """
    from runners.imports.stabletoolbench.stabletoolbench_import import import_stabletoolbench
    from runners.imports.stabletoolbench.suite_of_queries import UpstreamFiles

    card_fields = without_none(fields)
    if queries is None:
        if source is None:
            raise click.UsageError("name the answers (SRC), their queries (--queries), or both")
        if ids or tools or cache:
            raise click.UsageError("--ids, --tools and --cache need --queries")
    elif source is None and (submission_id or date or card_fields):
        named = ", ".join(f"--{field}" for field in ("submission", "date", *fields))
        raise click.UsageError(f"{named} need SRC, the answers")
    workspace = open_workspace(workspace_root)
    report = import_stabletoolbench(
        workspace.root,
        source,
        suite_id,
        upstream=None if queries is None else UpstreamFiles(queries, ids, tools, cache),
        submission_id=submission_id,
        date=date,
        fields=card_fields,
        kinds=kinds_of(workspace),
    )
    say_report(report)


@command.command("every-eval-ever")
@click.argument("source", type=click.Path(exists=True, path_type=Path), metavar="SRC")
@click.option(
    "--suite",
    "suite_id",
    metavar="ID",
    help="The suite that was answered, or to write (default: the evaluation's name in the files).",
)
@one_submission
@click.option("--date", help="The date on new cards, YYYY-MM-DD (default: that in the files).")
@click.pass_obj
def every_eval_ever(
    workspace_root: Path,
    source: Path,
    suite_id: str | None,
    submission_id: str | None,
    date: str | None,
) -> None:
    """Import records of Every Eval Ever, with their samples.

    SRC is an aggregate, or a folder of them. If the workspace has the suite, the samples become
    responses and are scored here. If that suite has reported scores and the same cases, the samples
    become its records. Otherwise, the import writes a suite of reported scores, with a case for
    each sample, or for each evaluation without samples.

    \b
    Example:
      lb import every-eval-ever data/
      lb import every-eval-ever data/ --suite my-suite
    """
    from runners.imports.every_eval_ever.eee_import import import_every_eval_ever

    workspace = open_workspace(workspace_root)
    reports = import_every_eval_ever(
        workspace.root,
        source,
        kinds_of(workspace),
        suite_id=suite_id,
        submission_id=submission_id,
        date=date,
    )
    for report in reports:
        say_report(report)
