"""`lb merge`: one board from the shards of `lb rescore --shard`."""

from __future__ import annotations

from pathlib import Path

import click

from cli.options import FOLDER, json_option, judge_option, out_option
from cli.output.score_output import tables_of, write_and_show
from cli.scored_files import FileScorer, read_shard
from cli.wiring import kinds_of, panel_of, warn_of_leftover
from leaderboard.machine.gc_pause import paused_collector
from leaderboard.workspace import open_workspace, own_folder, refuse_other_files


@click.command()
@click.argument("folders", metavar="SHARDS...", nargs=-1, required=True, type=FOLDER)
@judge_option
@out_option("Where to write the results (default: results/ in the workspace).")
@click.option("--allow-missing", is_flag=True, help="Exit with 0 even if judge calls are missing.")
@json_option
@click.pass_obj
@paused_collector()
def command(
    workspace_root: Path,
    folders: tuple[Path, ...],
    judge_name: str | None,
    out: Path | None,
    allow_missing: bool,
    as_json: bool,
) -> None:
    """Write results/ from the folders that lb rescore --shard wrote.

    The results have the same bytes as those of one machine. The workspace must hold the files that
    were scored. Nothing is decided again, and the shards are trusted: merge only your own.

    \b
    Example:
      lb merge shards/*
    """
    from leaderboard.files.submission_files import submission_ids
    from leaderboard.load import load_suites
    from leaderboard.results import RESULT_FILES
    from replay.asker import open_asker

    workspace = open_workspace(workspace_root)
    if out is not None:
        refuse_other_files(workspace, out, RESULT_FILES)
    shards = [read_shard(folder) for folder in folders]
    contents = load_suites(workspace, kinds_of(workspace))
    panel = panel_of(contents, judge_name)
    warn_of_leftover(workspace_root)
    with open_asker(workspace.root, offline=True) as asker:
        files = FileScorer(workspace, contents, panel, asker)
        decided = files.gather(submission_ids(workspace), shards)
        scored = tables_of(files, decided)
    folder = out or own_folder(workspace, "results")
    write_and_show(
        files,
        scored,
        folder,
        judge_name=judge_name,
        as_json=as_json,
        allow_missing=allow_missing,
    )
