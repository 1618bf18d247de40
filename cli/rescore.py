"""`lb rescore`: score every response, with judge calls replayed or recorded."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.console import copied_lines, count, print_again, say, shows_progress
from cli.dask_engine import Engine, score_on_dask
from cli.options import as_json as json_option
from cli.options import jobs as jobs_option
from cli.options import judge as judge_option
from cli.options import offline as offline_option
from cli.options import out as out_option
from cli.score_output import NOTHING_CHANGED, stop_on_problems, tables_of, write_and_show
from cli.scored_files import FileScorer, read_shard
from cli.wiring import panel_of
from leaderboard.gc_pause import paused_collector

if TYPE_CHECKING:
    from leaderboard.unchanged_output import Inputs, Line
    from replay.asker import RecordMode
    from replay.cassettes.kept_calls import Kept
    from scoring.judging.labelled import LabelRows
    from scoring.kept_verdict_tables import Decided
    from scoring.kept_verdicts import KeptVerdicts
    from scoring.scorer import Scored, Work


class Shard(click.ParamType[tuple[int, int]]):
    """K/N: the K-th of N shares, from 1."""

    name = "k/n"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        number, _, of = str(value).partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            self.fail(f"{value!r} is not a share: write 3/8 for the third of eight", param, ctx)
        return int(number), int(of)


@click.command()
@click.argument("ids", nargs=-1)
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
    help="Score only this share of the submissions, 3/8 for example, for lb merge. Needs --out.",
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
    shard: tuple[int, int] | None,
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
    from leaderboard.cache_folder import cache_of
    from leaderboard.unchanged_output import Inputs
    from leaderboard.workspace import open_workspace, own_folder

    workspace = open_workspace(workspace_root)
    folder = out or own_folder(workspace, "results")
    if shard is not None and out is None:
        raise click.UsageError("--shard needs --out, for the verdicts that lb merge reads")
    if engine is not None and (not offline or shard is not None or ids):
        raise click.UsageError("--engine needs --offline, and takes neither --shard nor IDs")

    cache = cache_of(workspace.root)
    used_cache = None if fresh or record_mode == "all" else cache
    inputs = None
    if cache is not None and offline and not ids and shard is None:
        inputs = Inputs(workspace, (judge_name, as_json, workspace.shown(folder)))
        if engine is None and _has_not_changed(used_cache, folder, inputs):
            return

    from leaderboard.files.submission_files import submission_ids
    from leaderboard.load import load_suites
    from replay.asker import open_asker
    from scoring.basis import Basis
    from scoring.rules.workspace_rules import kinds_of

    contents = load_suites(workspace, kinds_of(workspace.root))
    panel = panel_of(contents, judge_name)
    names = submission_ids(workspace)
    kept, calls = _read_kept(used_cache)
    shards = None
    if engine is not None:
        shards = _shards_on_dask(workspace.root, engine, len(names), judge_name)

    with open_asker(
        workspace.root, ids, offline=offline, record_mode=record_mode, jobs=jobs, kept=calls
    ) as asker:
        basis = Basis(workspace, contents, panel)
        files = FileScorer(
            workspace, contents, panel, asker, basis, lambda: stop_on_problems(contents, ids)
        )
        if shard is not None:
            number, of = shard
            decided = files.score(names[number - 1 :: of], kept, progress=_bar)
            _write_shard(decided, folder)
            return
        if shards is not None:
            decided = files.gather(names, shards)
        else:
            decided = files.score(names, kept, progress=_bar)
        labels = {} if used_cache is None else _decided_labels(files, used_cache)
        scored = tables_of(files, decided, labels)

    new = decided.files != kept.files or scored.labels.keys() != labels.keys()
    if cache is not None and (new or asker.index.read != calls):
        _keep(files, decided, scored, cache)
    with copied_lines() as lines:
        write_and_show(files, scored, folder, ids=ids, as_json=as_json, allow_missing=allow_missing)
    if cache is not None and inputs is not None and files.has_nothing_to_report(scored):
        _remember(cache, folder, inputs, lines)


def _has_not_changed(cache: Path | None, folder: Path, inputs: Inputs) -> bool:
    """Whether the results are made already. Prints again what was printed then."""
    from leaderboard.unchanged_output import unchanged_output

    unchanged = None if cache is None else unchanged_output(cache, folder, inputs.digest)
    if unchanged is not None:
        print_again(unchanged.lines)
    return unchanged is not None


def _remember(cache: Path, folder: Path, inputs: Inputs, lines: Sequence[Line]) -> None:
    """Keeps what this run printed. The next one prints it too if nothing has changed."""
    from leaderboard.unchanged_output import remember_output

    *before, (text, to_stderr) = lines
    last = (text.removesuffix(NOTHING_CHANGED) + NOTHING_CHANGED, to_stderr)
    try:
        remember_output(cache, folder, inputs, [*before, last])
    except OSError as error:
        say(f"the next run starts from what is kept of single files: {error}")


def _shards_on_dask(
    root: Path, address: str, submissions: int, judge_name: str | None
) -> list[KeptVerdicts]:
    """The verdicts on all submissions, decided by the workers of Dask."""
    options = ["--offline", "--fresh"]
    if judge_name is not None:
        options += ["--judge", judge_name]
    with tempfile.TemporaryDirectory(prefix=".shards-", suffix=".tmp", dir=root) as folder:
        folders = score_on_dask(address, root, Path(folder).resolve(), submissions, options)
        return [read_shard(shard) for shard in folders]


def _write_shard(decided: Decided, folder: Path) -> None:
    from scoring.kept_verdict_tables import write_decided

    write_decided(folder, decided)
    say(f"{count(decided.part.places.height, 'verdict')} in {folder}/, for lb merge")
    if decided.part.missing_calls:
        say(f"{count(len(decided.part.missing_calls), 'judge call')} missing: lb merge lists them")


def _read_kept(cache: Path | None) -> tuple[KeptVerdicts, Kept]:
    """The verdicts and the judge calls that an earlier run kept."""
    from replay.cassettes.kept_calls import read_calls
    from scoring.basis import code_digest
    from scoring.kept_verdicts import KeptVerdicts, read_kept

    if cache is None:
        return KeptVerdicts(), {}
    return read_kept(cache), read_calls(cache, code_digest())


def _keep(files: FileScorer, decided: Decided, scored: Scored, cache: Path) -> None:
    from leaderboard.cache_folder import forget_old
    from replay.cassettes.kept_calls import write_calls
    from scoring.basis import code_digest
    from scoring.judging.kept_labels import keep_labels
    from scoring.kept_verdict_tables import keep

    try:
        keep(cache, decided)
        keep_labels(cache, files.label_basis(), scored.labels)
        write_calls(cache, code_digest(), files.asker.index.read)
        forget_old(cache)
    except OSError as error:
        say(f"verdicts are not kept for the next run: {error}")


def _decided_labels(files: FileScorer, cache: Path) -> dict[str, LabelRows]:
    from scoring.judging.kept_labels import read_labels

    return files.decided_labels(read_labels(cache))


def _bar(work: Sequence[Work]) -> AbstractContextManager[Iterable[Work]]:
    hidden = not shows_progress()
    return click.progressbar(work, label="scoring", file=sys.stderr, hidden=hidden)
