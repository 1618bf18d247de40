"""`lb diff`: what changed between two results or snapshots, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from cli.options import output_format
from cli.output.console import echo, explain_exit, show_json
from cli.output.printed_tables import STYLES, Block, Style, Table, inputs_in_words, plain
from leaderboard.board.board_changes import BoardEntry, Change, Difference, Range
from leaderboard.board.board_state import State, read_state
from leaderboard.board.snapshots import INDEX, find_snapshot, load_index, load_snapshot
from leaderboard.errors import FilesError
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.near_names import suggestion
from leaderboard.texts.short_text import and_more
from leaderboard.workspace import MANIFEST, Workspace
from scoring.changes.board_difference import difference
from site_templates import formatting
from site_templates.parts.history.change_words import share_change
from site_templates.published_site import is_address, is_site, open_site

_SHOWN = 5  # names of rows with an alarm


@click.command()
@click.argument("base")
@click.argument("new")
@output_format("text", "markdown", "json")
@click.pass_obj
def command(workspace_root: Path, base: str, new: str, form: str) -> None:
    """Show what changed from BASE to NEW and why: scores, verdicts, ranks and inputs.

    BASE and NEW are folders of results, sites by folder or address, or snapshots: by name, number,
    label, the first digits of their digest, or `latest`. Only names of snapshots need a workspace.
    Exit code 1 means that a score or verdict changed although none of its inputs did.

    \b
    Example:
      lb diff latest results
      lb diff 1 2 --format markdown
      lb diff https://example.org/board/ results
    """
    workspace = Workspace(workspace_root)
    moved = difference(_state(workspace, base), _state(workspace, new))
    if form == "json":
        show_json(_as_object(moved))
    else:
        style = STYLES[form]
        echo(style.report(_blocks(moved, style)))
    if moved.alarms:
        rows = [f"{change.submission} on {change.suite}" for change in moved.alarms[:_SHOWN]]
        more = and_more(len(moved.alarms) - _SHOWN)
        explain_exit(
            f"alarm: changed although no input changed: {plain(', '.join(rows))}{more}; "
            "a rule changed without a new rules version"
        )
        raise SystemExit(1)


def _state(workspace: Workspace, name: str) -> State:
    """The board that an argument names: a folder of results, a site or a snapshot."""
    if is_address(name):
        return open_site(name).state()
    for folder in (workspace.root / name, Path(name)):
        if is_site(folder):
            return open_site(str(folder)).state()
        if (folder / MANIFEST).is_file():
            place = folder.resolve()
            if place.parent.name == "history" and (place.parent / INDEX).is_file():
                return _snapshot(Workspace(place.parent.parent), place.name)
            return read_state(folder, name)
    return _snapshot(workspace, name)


def _snapshot(workspace: Workspace, name: str) -> State:
    if not (workspace.settings.is_file() or workspace.history.is_dir()):
        what = "is neither a folder of results nor a site, and there is no board here "
        what += "whose snapshot it could name"
        fix = "name a folder or an address, or the board of the snapshot with --workspace"
        raise FilesError.about(name, what, fix)
    entries = load_index(workspace)
    entry = find_snapshot(entries, name)
    if entry is None:
        what = "is neither a folder of results, nor a site, nor a snapshot"
        fix = suggestion(Path(name).name, [known.name for known in entries])
        raise FilesError.about(name, what, fix if entries else "this board has no snapshots")
    return load_snapshot(workspace, entry)


# ---------------------------------------------------------------- text and Markdown


def _blocks(moved: Difference, style: Style) -> Iterator[Block]:
    yield style.heading.format(f"{style.name(moved.base)} to {style.name(moved.new)}")
    sections = {
        "added": moved.added,
        "removed": moved.removed,
        "changed": moved.changed,
        "ranks changed": moved.ranks,
    }
    counts = [f"{len(rows):,} {word}" for word, rows in sections.items() if rows]
    yield f"{', '.join(counts)}." if counts else "No score, verdict or rank changed."
    if moved.inputs:
        yield f"Changed inputs: {inputs_in_words(moved.inputs, style)}"
    for word, entries in (("Added", moved.added), ("Removed", moved.removed)):
        if entries:
            yield style.strong.format(word)
            yield _entries(entries)
    for change in moved.changed:
        yield from _change(change, style, recased=change.suite in moved.recased)
    if moved.ranks:
        title = f"{counted(len(moved.ranks), 'rank')} changed"
        head = ("suite", "category", "submission", "before", "after")
        rows = [
            (move.suite, move.category, move.submission, _range(move.old), _range(move.new))
            for move in moved.ranks
        ]
        yield Table(head, rows, left=3, title=title)


def _entries(entries: Sequence[BoardEntry]) -> Table:
    rows = []
    for entry in entries:
        scores = [
            f"{plain(metric)} {formatting.percent(score)}" for metric, score in entry.scores.items()
        ]
        rows.append((entry.suite, entry.submission, _range(entry.rank), ", ".join(scores)))
    return Table(("suite", "submission", "rank", "scores"), rows, left=4)


def _change(change: Change, style: Style, *, recased: bool) -> Iterator[Block]:
    row = f"{style.name(change.submission)} on {style.name(change.suite)}"
    why = style.strong.format("no input changed: alarm")
    if change.causes:
        why = f"because of {inputs_in_words(change.causes, style)}"
    yield f"{style.strong.format(row)}, {why}"
    if change.moves:
        yield _moves(change, recased=recased)
    if change.flips:
        yield _flips(change)
    counts = [
        (change.added, f"{counted(change.added, 'verdict')} added"),
        (change.removed, f"{counted(change.removed, 'verdict')} removed"),
        (change.reworded, f"only the reason changed: {change.reworded:,}"),
    ]
    yield ", ".join(words for number, words in counts if number)


def _moves(change: Change, *, recased: bool) -> Table:
    rows = []
    for move in change.moves:
        scored = f"{move.new_scored:,}"
        if move.old_scored != move.new_scored:
            scored = f"{move.old_scored:,} to {scored}"
        shares = share_change(move.old, move.new, recased=recased)
        rows.append((move.category, move.metric, *shares, scored))
    return Table(("category", "metric", "before", "after", "change", "scored"), rows, left=2)


def _flips(change: Change) -> Table:
    trials = any(flip.trial > 1 for flip in change.flips)
    rows = []
    for flip in change.flips:
        case_id = f"{flip.case_id} #{flip.trial}" if trials else flip.case_id
        old, new = flip.old, flip.new
        if old == new:
            before, after, _ = share_change(flip.old_score, flip.new_score)
            old, new = f"{old} ({before})", f"{new} ({after})"
        reasons = f"{flip.old_reason} to {flip.new_reason}"
        rows.append((flip.category, case_id, flip.metric, f"{old} to {new}", reasons))
    title = f"{counted(len(change.flips), 'verdict')} changed"
    head = ("category", "case", "metric", "verdict", "reason")
    return Table(head, rows, left=5, title=title)


def _range(ranks: Range | None) -> str:
    return formatting.rank(ranks) or formatting.NONE


def _as_object(moved: Difference) -> dict[str, Any]:
    alarms = [{"submission": change.submission, "suite": change.suite} for change in moved.alarms]
    return {"schema": 1, **asdict(moved), "alarms": alarms}
