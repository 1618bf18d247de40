"""`lb export`: submissions in the files of other systems."""

from __future__ import annotations

from pathlib import Path

import click

from cli.console import say
from cli.options import PATH
from cli.options import results as results_option


@click.group()
def command() -> None:
    """Write submissions in the files of other systems.

    \b
    Example:
      lb export tool-selection my-model --out exported/
    """


@command.command("tool-selection")
@click.argument("submission_id", metavar="ID")
@click.option("--suite", "suite_id", default="tool_selection", help="The suite that it answers.")
@click.option("--out", type=PATH, required=True, help="The folder to write.")
@results_option
@click.pass_obj
def tool_selection(
    workspace_root: Path, submission_id: str, suite_id: str, out: Path, results: Path | None
) -> None:
    """The result files of the tool-selection tester: test_results.json and test_results.csv.

    The JSON file is what the tester reads as processed responses. Verdicts are those of the last
    lb rescore.

    \b
    Example:
      lb export tool-selection my-model --out exported/
    """
    import polars as pl

    from cli.wiring import answered_suites
    from leaderboard.errors import FilesError, Problem
    from leaderboard.results import read_results
    from leaderboard.workspace import open_workspace
    from runners.exports.tester_export import ExportedVerdict, export_tester
    from runners.submission_writer import write_files

    workspace = open_workspace(workspace_root)
    scored = read_results(results or workspace.root / "results")
    submission, ((suite, records),) = answered_suites(workspace, scored, submission_id, suite_id)
    if suite.kind.name != "tool_selection":
        what = f"is of kind {suite.kind.name}, which the tester does not know"
        raise FilesError(Problem(f"datasets/{suite_id}", what, "name a suite of tool_selection"))
    table = scored.verdicts.filter(
        pl.col("submission") == submission.id,
        pl.col("suite") == suite.id,
        pl.col("metric") == suite.kind.ranked,
        pl.col("trial") == 1,
    )
    columns = table.select("case_id", "outcome", "reason", "detail", "decided_by").iter_rows()
    verdicts = {case: ExportedVerdict(*map(str, found)) for case, *found in columns}
    files = export_tester(suite, records, verdicts)
    write_files(out, files)
    say(*(f"wrote {out / name}" for name in files))
    if any(trial > 1 for trial in records.trials):
        say("the tester has one trial: the first of each case is written")
