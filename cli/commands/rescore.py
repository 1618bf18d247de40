"""`lb rescore`: score every response, with judge calls replayed or recorded."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.dask_engine import Engine, score_on_dask
from cli.last_run import LastRun, nothing_to_report
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
from leaderboard.machine.unchanged_output import Inputs
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import Workspace, open_workspace, own_folder, refuse_other_files

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


@dataclass(frozen=True, slots=True)
class _Options:
    """What the user asked for."""

    ids: tuple[str, ...]
    offline: bool
    record_mode: RecordMode
    judge_name: str | None
    jobs: int
    out: Path | None
    allow_missing: bool
    fresh: bool
    shard: slice | None
    engine: str | None
    as_json: bool


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
def command(workspace_root: Path, /, **parameters: Any) -> None:
    """Score every submission and write results/.

    With IDs, judges are asked only for those submissions. All others are replayed.

    \b
    Example:
      lb rescore --offline
      lb rescore my-submission
      lb rescore --offline --shard 3/8 --out shards/3
      lb rescore --offline --engine dask=tcp://192.0.2.1:8786
    """
    options = _Options(**parameters)
    workspace = open_workspace(workspace_root)
    folder = options.out or own_folder(workspace, "results")
    _refuse_options(options)
    if options.out is not None:
        refuse_other_files(workspace, folder, _files_of(options.shard))
    if options.offline or options.record_mode == "none":
        warn_of_leftover(workspace_root)
    last = LastRun(workspace.root, used=not options.fresh and options.record_mode != "all")
    inputs = None if last.folder is None else _inputs(workspace, options, folder)
    if inputs is None or options.engine is not None or not last.is_repeated(folder, inputs):
        _rescore(workspace, options, folder, last, inputs)


def _refuse_options(options: _Options) -> None:
    """Refuses options that do not go together. Raises UsageError."""
    is_shard = options.shard is not None
    if options.offline and options.record_mode == "all":
        raise click.UsageError("--offline asks no judge: leave out --record-mode all")
    if is_shard and options.out is None:
        raise click.UsageError("--shard needs --out, for the verdicts that lb merge reads")
    if is_shard and (options.ids or options.as_json or options.allow_missing):
        message = "--shard takes no IDs, and leaves --json and --allow-missing to lb merge"
        raise click.UsageError(message)
    if options.engine is not None and (not options.offline or is_shard or options.ids):
        raise click.UsageError("--engine needs --offline, and takes neither --shard nor IDs")


def _inputs(workspace: Workspace, options: _Options, folder: Path) -> Inputs | None:
    """What decides the results, or None if the next run with these options can differ."""
    if not options.offline or options.ids or options.shard is not None:
        return None
    return Inputs(workspace, (options.judge_name, options.as_json, workspace.shown(folder)))


def _rescore(
    workspace: Workspace, options: _Options, folder: Path, last: LastRun, inputs: Inputs | None
) -> None:
    """Scores, and writes the results or the shard. Keeps them for the next run."""
    from leaderboard.files.submission_files import submission_ids
    from leaderboard.load import load_suites
    from replay.asker import open_asker

    contents = load_suites(workspace, kinds_of(workspace))
    panel = panel_of(contents, options.judge_name)
    ids = submission_ids(workspace)[options.shard or slice(None)]
    verdicts, calls = last.verdicts(), last.calls()
    # Before the asker is opened, because an offline one refuses the network.
    shards = _shards_on_dask(workspace.root, len(ids), options)
    with open_asker(
        workspace.root,
        options.ids,
        offline=options.offline,
        record_mode=options.record_mode,
        jobs=options.jobs,
        cached=calls,
    ) as asker:
        show_filed(asker)
        files = FileScorer(workspace, contents, panel, asker, options.ids)
        if shards is None:
            decided = files.score(ids, verdicts, progress=_bar)
        else:
            decided = files.gather(ids, shards)
        if options.shard is not None:
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
            judge_name=options.judge_name,
            as_json=options.as_json,
            allow_missing=options.allow_missing,
        )
    if inputs is not None and nothing_to_report(files, scored):
        last.remember(folder, inputs, lines)


def _files_of(shard: slice | None) -> Collection[str]:
    """The names of the files that are written."""
    if shard is not None:
        from scoring.cached.cached_verdicts import SHARD_FILES

        return SHARD_FILES
    from leaderboard.results import RESULT_FILES

    return RESULT_FILES


def _shards_on_dask(root: Path, submissions: int, options: _Options) -> list[CachedVerdicts] | None:
    """The verdicts on all submissions, if the workers of Dask decide them."""
    if options.engine is None:
        return None
    arguments = ["--offline", "--fresh"]
    if options.judge_name is not None:
        arguments += ["--judge", options.judge_name]
    with tempfile.TemporaryDirectory(prefix=".shards-", suffix=".tmp", dir=root) as folder:
        folders = score_on_dask(
            options.engine, root, Path(folder).resolve(), submissions, arguments
        )
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
