"""`lb rescore`: score every response, with judge calls replayed or recorded."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.dask_engine import Engine, score_on_dask
from cli.last_run import LastRun
from cli.options import (
    SUBMISSION,
    jobs_option,
    json_option,
    judge_option,
    offline_option,
    out_option,
)
from cli.output.console import copied_lines, say, shows_progress
from cli.output.score_output import show_filed, tables_of, write_and_show
from cli.scored_files import FileScorer, read_shard
from cli.wiring import kinds_of, panel_of, warn_of_leftover
from leaderboard.machine.gc_pause import paused_collector
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import open_workspace, own_folder, refuse_other_files

if TYPE_CHECKING:
    from replay.asker import RecordMode
    from scoring.cached.cached_verdict_tables import Decided
    from scoring.cached.cached_verdicts import CachedVerdicts
    from scoring.scorer import Work


class Shard(click.ParamType[slice]):
    """K/N: the K-th of N shards, from 1. The value takes every N-th submission, from the K-th."""

    name = "k/n"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> slice:
        number, _, of = str(value).partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            self.fail(f"{value!r} is not a shard: write 3/8 for the third of eight", param, ctx)
        return slice(int(number) - 1, None, int(of))


@click.command()
@click.argument("ids", metavar="[IDS]...", nargs=-1, type=SUBMISSION)
@offline_option
@click.option(
    "--record-mode",
    type=click.Choice(["none", "new_episodes", "all"]),
    default="new_episodes",
    help="Which judge calls may be made: none, those without a recording, or all again.",
)
@judge_option
@jobs_option
@out_option("Where to write the results (default: results/ in the workspace).")
@click.option("--allow-missing", is_flag=True, help="Exit with 0 even if judge calls are missing.")
@click.option(
    "--fresh", is_flag=True, help="Decide everything again, and use nothing from the last run."
)
@click.option(
    "--shard",
    type=Shard(),
    help="Score only this shard of the submissions, 3/8 for example, for lb merge. Needs --out.",
)
@click.option(
    "--engine",
    type=Engine(),
    help="Share the work between the workers of Dask: those at an address, or on this machine.",
)
@json_option
@click.pass_obj
@paused_collector()
def command(
    workspace_root: Path,
    ids: tuple[str, ...],
    offline: bool,
    record_mode: RecordMode,
    judge_name: str | None,
    jobs: int,
    out: Path | None,
    allow_missing: bool,
    fresh: bool,
    shard: slice | None,
    engine: str | None,
    as_json: bool,
) -> None:
    """Score every submission and write results/.

    With IDs, judges are asked only for those submissions. All others are replayed.

    \b
    Example:
      lb rescore --offline
      lb rescore my-submission
      lb rescore --offline --shard 3/8 --out shards/3
      lb rescore --offline --engine dask=tcp://192.0.2.1:8786
    """
    from leaderboard.machine.unchanged_output import Inputs

    workspace = open_workspace(workspace_root)
    folder = out or own_folder(workspace, "results")
    _refuse_options(click.get_current_context().params)
    if out is not None:
        refuse_other_files(workspace, out, _files_of(shard))
    if offline or record_mode == "none":
        warn_of_leftover(workspace_root)
    last = LastRun(workspace.root, used=not fresh and record_mode != "all")
    inputs = None
    if last.folder is not None and offline and not ids and shard is None:
        inputs = Inputs(workspace, (judge_name, as_json, workspace.shown(folder)))
        if engine is None and last.is_repeated(folder, inputs):
            return

    from leaderboard.files.submission_files import submission_ids
    from leaderboard.load import load_suites
    from replay.asker import open_asker

    contents = load_suites(workspace, kinds_of(workspace))
    panel = panel_of(contents, judge_name)
    names = submission_ids(workspace)[shard or slice(None)]
    verdicts, calls = last.verdicts(), last.calls()
    shards = None
    if engine is not None:  # here, because an offline asker refuses the network
        shards = _shards_on_dask(workspace.root, engine, len(names), judge_name)
    with open_asker(
        workspace.root, ids, offline=offline, record_mode=record_mode, jobs=jobs, cached=calls
    ) as asker:
        show_filed(asker)
        files = FileScorer(workspace, contents, panel, asker, ids)
        if shards is None:
            decided = files.score(names, verdicts, progress=_bar)
        else:
            decided = files.gather(names, shards)
        if shard is not None:
            _write_shard(decided, folder)
            return
        labels = last.labels(files)
        scored = tables_of(files, decided, labels)

    new = decided.files != verdicts.files or scored.labels.keys() != labels.keys()
    if new or asker.index.read != calls:
        last.replace(files, decided, scored)
    with copied_lines() as lines:
        write_and_show(
            files,
            scored,
            folder,
            judge_name=judge_name,
            as_json=as_json,
            allow_missing=allow_missing,
        )
    if inputs is not None and files.has_nothing_to_report(scored):
        last.remember(folder, inputs, lines)


def _refuse_options(options: Mapping[str, Any]) -> None:
    """Refuses options that do not go together. Raises UsageError."""
    is_shard, ids, offline = options["shard"] is not None, options["ids"], options["offline"]
    if offline and options["record_mode"] == "all":
        raise click.UsageError("--offline asks no judge: leave out --record-mode all")
    if is_shard and options["out"] is None:
        raise click.UsageError("--shard needs --out, for the verdicts that lb merge reads")
    if is_shard and (ids or options["as_json"] or options["allow_missing"]):
        message = "--shard takes no IDs, and leaves --json and --allow-missing to lb merge"
        raise click.UsageError(message)
    if options["engine"] is not None and (not offline or is_shard or ids):
        raise click.UsageError("--engine needs --offline, and takes neither --shard nor IDs")


def _files_of(shard: slice | None) -> Collection[str]:
    """The names of the files that are written."""
    if shard is not None:
        from scoring.cached.cached_verdicts import SHARD_FILES

        return SHARD_FILES
    from leaderboard.results import RESULT_FILES

    return RESULT_FILES


def _shards_on_dask(
    root: Path, address: str, submissions: int, judge_name: str | None
) -> list[CachedVerdicts]:
    """The verdicts on all submissions, decided by the workers of Dask."""
    options = ["--offline", "--fresh"]
    if judge_name is not None:
        options += ["--judge", judge_name]
    with tempfile.TemporaryDirectory(prefix=".shards-", suffix=".tmp", dir=root) as folder:
        folders = score_on_dask(address, root, Path(folder).resolve(), submissions, options)
        return [read_shard(shard) for shard in folders]


def _write_shard(decided: Decided, folder: Path) -> None:
    from scoring.cached.cached_verdict_tables import write_decided

    write_decided(folder, decided)
    say(f"{counted(decided.part.verdict_rows.height, 'verdict')} in {folder}/, for lb merge")
    if decided.part.missing_calls:
        say(
            f"{counted(len(decided.part.missing_calls), 'judge call')} missing: lb merge lists them"
        )


def _bar(work: Sequence[Work]) -> AbstractContextManager[Iterable[Work]]:
    hidden = not shows_progress()
    return click.progressbar(work, label="scoring", file=sys.stderr, hidden=hidden)
