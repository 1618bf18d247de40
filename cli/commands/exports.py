"""`lb export`: submissions in the files of other systems."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import SUBMISSION, WEB_ADDRESS, out_folder, results_option
from cli.output.console import say
from cli.wiring import answered_suites, judges_of, open_results, open_suites
from leaderboard.errors import FilesError
from leaderboard.network.secret_keys import redact
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import Workspace

if TYPE_CHECKING:
    from leaderboard.types import Submission, Suite
    from runners.exports.stabletoolbench_export import Names


@click.group()
def command() -> None:
    """Write submissions in the files of other systems.

    \b
    Example:
      lb export tool-selection my-model --out exported/
    """


@command.command("tool-selection")
@click.argument("submission_id", metavar="ID", type=SUBMISSION)
@click.option("--suite", "suite_id", default="tool_selection", help="The suite that it answers.")
@out_folder
@results_option
@click.pass_obj
def tool_selection(
    workspace_root: Path, submission_id: str, suite_id: str, out: Path, results: Path | None
) -> None:
    """Write the result files of the tool-selection tester.

    test_results.json is what the tester reads as processed responses. test_results.csv has the same
    rows. Verdicts are those of the last lb rescore.

    \b
    Example:
      lb export tool-selection my-model --out exported/
    """
    from runners.exports.tool_selection_export import ExportedVerdict, export_tester
    from runners.submission_writer import write_files

    workspace, scored = open_results(workspace_root, results)
    submission, ((suite, records),) = answered_suites(workspace, scored, submission_id, suite_id)
    _require_kind(suite, "tool_selection", "tester")
    mine = scored.verdicts.filter(submission=submission.id, suite=suite.id, trial=1)
    table = mine.filter(metric=suite.kind.ranked)
    rows = table.select("case_id", "outcome", "reason", "detail", "decided_by").iter_rows()
    verdicts = {case: ExportedVerdict(*map(str, cells)) for case, *cells in rows}
    files = export_tester(suite, records, verdicts)
    write_files(out, files)
    say(*(f"wrote {out / name}" for name in files))
    if any(trial > 1 for trial in records.trials):
        say("the tester has one trial per case: only the first is written")


@command.command()
@click.argument("submission_id", metavar="ID", type=SUBMISSION)
@click.option("--suite", "suite_id", default="stable_toolbench", help="The suite that it answers.")
@out_folder
@click.option(
    "--names",
    type=click.Choice(["long", "short"]),
    default="long",
    help="Whether file names end with the numbers of tools and of queries.",
)
@results_option
@click.pass_obj
def stabletoolbench(
    workspace_root: Path,
    submission_id: str,
    suite_id: str,
    out: Path,
    names: Names,
    results: Path | None,
) -> None:
    """Write the result files of StableToolBench's wrapper.

    Writes one file for each test set. Scores are those of the last lb rescore.

    \b
    Example:
      lb export stabletoolbench my-agent --suite stb --out results/tools/
    """
    from runners.exports.stabletoolbench_export import CaseScores, WrapperRun, export_wrapper
    from runners.submission_writer import write_files

    workspace, scored = open_results(workspace_root, results)
    submission, ((suite, records),) = answered_suites(workspace, scored, submission_id, suite_id)
    _require_kind(suite, "stable_toolbench", "wrapper")
    table = scored.verdicts.filter(submission=submission.id, suite=suite.id, trial=1)
    points: dict[str, dict[str, float | None]] = {}
    for case, metric, score in table.select("case_id", "metric", "score").iter_rows():
        points.setdefault(case, {})[metric] = score
    ranked = table.filter(metric=suite.kind.ranked).select("case_id", "detail", "decided_by")
    case_scores = {
        case: CaseScores(points[case], detail or "", decided_by)
        for case, detail, decided_by in ranked.iter_rows()
    }
    server, max_tools = _stated(submission.card.settings, suite.id)
    run = WrapperRun(
        agent=submission.id,
        date=submission.card.date,
        judges=list(scored.manifest["judges"]),
        server_url=server,
        max_tools=max_tools,
        tools=_tools_bound(workspace, submission, suite),
    )
    files = export_wrapper(suite, records, case_scores, run, names)
    write_files(out, files)
    say(*(f"wrote {out / name}" for name in files))
    if any(trial > 1 for trial in records.trials):
        say("the wrapper has one trial: the first of each case is written")


def _stated(settings: Mapping[str, Any], suite_id: str) -> tuple[str, int | None]:
    """The server and the number of tools of a run. A card can say anything, or nothing."""
    server, number, suites = "", settings.get("max_tools"), settings.get("suites")
    about = suites.get(suite_id) if isinstance(suites, dict) else None
    if isinstance(about, dict) and isinstance(about.get("server"), str):
        server = redact(about["server"])
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return server, number if is_number else None


def _require_kind(suite: Suite, kind: str, reader: str) -> None:
    """Raises FilesError for a suite of another kind than this reader's."""
    if suite.kind.name != kind:
        what = f"is of kind {suite.kind.name}, which the {reader} does not know"
        raise FilesError.about(f"datasets/{suite.id}", what, f"name a suite of {kind}")


def _tools_bound(workspace: Workspace, submission: Submission, suite: Suite) -> dict[str, int]:
    """How many tools the agent got for each case, where its records say so."""
    from leaderboard.files.shaped_files import read_document
    from leaderboard.responses.record_lists import listed_records

    shown = submission.files[suite.id]
    document, _ = read_document(workspace.root / shown, shown, workspace.root)
    bound: dict[str, int] = {}
    for row in listed_records(document):
        if isinstance(row, dict) and type(row.get("tools")) is int:
            bound.setdefault(str(row.get("id")), row["tools"])
    return bound


@command.command("every-eval-ever")
@click.argument("ids", metavar="[ID ...]", nargs=-1, type=SUBMISSION)
@out_folder
@results_option
@click.pass_obj
def every_eval_ever(
    workspace_root: Path, ids: tuple[str, ...], out: Path, results: Path | None
) -> None:
    """Write scores and samples as records of Every Eval Ever.

    Writes data/<suite>/<developer>/<model>/<uuid>.json (schema 0.3.0) for each submission and
    suite, with all metrics and intervals, and the samples beside it, which lb new --from reads.
    Scores are those of the last lb rescore.

    \b
    Example:
      lb export every-eval-ever my-model --out exported/
    """
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.prompt_files import load_prompts
    from runners.exports.every_eval_ever_export import ExportedSuite, export_every_eval_ever
    from runners.submission_writer import write_files

    workspace, scored = open_results(workspace_root, results)
    settings = load_leaderboard(workspace)
    judges = judges_of(scored, settings)
    names = ids or sorted(scored.manifest["submissions"])
    if not names:
        say("nothing to export: the board has no submission")
    for name in names:
        submission, answered = answered_suites(workspace, scored, name, None)
        for suite, records in answered:
            of_row = {"submission": submission.id, "suite": suite.id}
            scores = scored.scores.filter(**of_row).drop_nulls("score")
            if scores.is_empty():
                say(f"{name}: no scored verdict on {suite.id}, so no file was written")
                continue
            loaded = load_prompts(workspace, suite).values()
            texts = {prompt.id: "".join(prompt.parts) for prompt in loaded}
            prompts = {c.id: texts[c.prompt] for c in suite.categories if c.prompt in texts}
            exported = ExportedSuite(
                board=settings.title,
                submission=submission,
                suite=suite,
                records=records,
                scores=scores.to_dicts(),
                verdicts=scored.verdicts.filter(**of_row).to_dicts(),
                judges=judges,
                prompts=prompts,
                manifest_digest=scored.manifest["digest"],
            )
            files = export_every_eval_ever(exported)
            write_files(out, files)
            aggregate, samples = files
            number = counted(files[samples].count(b"\n"), "sample")
            say(f"wrote {out / aggregate} with {counted(len(exported.scores), 'score')}, {number}")


@command.command("hf-eval-results")
@click.argument("ids", metavar="[ID ...]", nargs=-1, type=SUBMISSION)
@click.option("--dataset", required=True, help="The board's dataset on the Hub: ORG/NAME.")
@click.option(
    "--url",
    type=WEB_ADDRESS,
    help="The address of the board (default: repository in leaderboard.toml).",
)
@out_folder
@results_option
@click.pass_obj
def hf_eval_results(
    workspace_root: Path,
    ids: tuple[str, ...],
    dataset: str,
    url: str | None,
    out: Path,
    results: Path | None,
) -> None:
    """Write scores for model repositories of the Hub.

    For the Hugging Face Hub: eval.yaml for the dataset, with a task for each suite, and
    eval_results/ID.yaml for the folder .eval_results/ of the model's repository. Baselines are only
    written if they are named. Scores are those of the last lb rescore.

    Only ranked scores are written. A score has no rank if cases are unscored or were not asked, or
    if its judge is not validated. Reported scores, and scores whose tool replies cannot be checked,
    have none either.

    \b
    Example:
      lb export hf-eval-results my-model --dataset my-lab/tool-calls --out hub/
    """
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.results import read_results
    from runners.exports.hf_eval_results_export import (
        HubBenchmark,
        eval_results,
        eval_yaml,
        ranked_rows,
    )
    from runners.submission_writer import write_files

    workspace, suites = open_suites(workspace_root)
    settings = load_leaderboard(workspace)
    scored = read_results(results or workspace.results)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", dataset, re.ASCII):
        raise click.BadParameter("expected ORG/NAME", param_hint="--dataset")
    address, digest = url or settings.repository, scored.manifest["digest"]
    benchmark = HubBenchmark(settings.title, settings.description, dataset, address, digest)
    derived = [suite for suite in suites if not suite.kind.reported]
    files = {"eval.yaml": eval_yaml(benchmark, derived)}
    messages = [f"wrote {out / 'eval.yaml'} with {counted(len(derived), 'task')}"]
    names = ids or sorted(scored.manifest["submissions"])
    for name in names:
        submission, answered = answered_suites(workspace, scored, name, None)
        if submission.is_baseline and not ids:
            continue
        rows = ranked_rows(scored, submission, (suite for suite, _ in answered))
        if not rows:
            messages.append(f"{name}: not ranked on any suite, so no file was written")
            continue
        path = f"eval_results/{name}.yaml"
        files[path] = eval_results(benchmark, submission, rows)
        messages.append(f"wrote {out / path} with {counted(len(rows), 'score')}")
    write_files(out, files)
    say(*messages)
    if len(messages) == 1:
        only = "only baselines; name the ones to write" if names else "no submission"
        say(f"no results: the board has {only}")
