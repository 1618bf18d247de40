"""`lb diff`: what moved between two results or snapshots, and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say, suggestion
from cli.text_tables import code, comment, folded, markdown_table, plain, text_table
from leaderboard.board.board_changes import (
    Cause,
    Change,
    Difference,
    Entry,
    How,
    Range,
    RankMove,
)
from site_templates.parts.change_words import InputGroup, group_inputs, share_change
from site_templates.parts.comparison_words import points

if TYPE_CHECKING:
    from leaderboard.board.history import State
    from leaderboard.workspace import Workspace


@click.command()
@click.argument("base")
@click.argument("new")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="How to show it.",
)
@click.pass_obj
def command(workspace_root: Path, base: str, new: str, form: str) -> None:
    """Tell what moved from BASE to NEW and why: scores, the verdicts that turned, ranks, and which inputs changed.

    BASE and NEW are folders of results, or snapshots: by name, number, label, the first digits of their digest, or `latest`.
    Exit 1 when a score or verdict moved although nothing it rests on did.

    \b
    Example:
      lb diff latest results
      lb diff 1 2 --format markdown
    """
    from leaderboard.workspace import open_workspace
    from scoring.changes.difference import difference

    workspace = open_workspace(workspace_root)
    moved = difference(_state(workspace, base), _state(workspace, new))
    show = {"text": _text, "markdown": _markdown, "json": _json}[form]
    click.echo(show(moved))
    if moved.alarms:
        rows = ", ".join(f"{change.submission} on {change.suite}" for change in moved.alarms[:5])
        more = f" and {len(moved.alarms) - 5:,} more" if len(moved.alarms) > 5 else ""
        say(
            f"alarm: moved although no input changed: {plain(rows)}{more}; a rule changed without a new rules version"
        )
        raise SystemExit(1)


def _state(workspace: Workspace, name: str) -> State:
    """The board that an argument names: a folder of results or of a snapshot, or a snapshot of this workspace."""
    from leaderboard.board.history import INDEX, MANIFEST, load_index, load_snapshot, read_state
    from leaderboard.errors import FilesError, Problem
    from leaderboard.workspace import Workspace as Place

    for folder in (workspace.root / name, Path(name)):
        if (folder / MANIFEST).is_file():
            history = folder.resolve().parent
            if history.name != "history" or not (history / INDEX).is_file():
                return read_state(folder, shown=name)
            workspace, name = Place(history.parent), folder.resolve().name
            break
    entries = load_index(workspace)
    for entry in reversed(entries):
        if name in {"latest", entry.name, str(entry.sequence), entry.label} or (
            len(name) >= 4 and entry.digest.startswith(name)
        ):
            return load_snapshot(workspace, entry)
    known = [found.name for found in entries]
    near = f"of snapshots {suggestion(Path(name).name, known)}"
    raise FilesError(Problem(name, "is neither a folder of results nor a snapshot", near))


# ---------------------------------------------------------------- words


def _headline(moved: Difference) -> str:
    if moved.nothing:
        return f"{plain(moved.base)} and {plain(moved.new)}: no score, verdict or rank moved"
    counts = [f"{len(rows):,} {word}" for word, rows in _sections(moved) if rows]
    return f"{plain(moved.base)} to {plain(moved.new)}: {', '.join(counts)}"


def _sections(moved: Difference) -> Iterator[tuple[str, Sequence[object]]]:
    yield "added", moved.added
    yield "removed", moved.removed
    yield "changed", moved.changed
    yield "ranks moved", moved.ranks


def _because(causes: Sequence[Cause]) -> str:
    """The causes of a change in words: each kind once, with the names of its files or cases where they are few."""
    return "; ".join(_told(found, plain) for found in group_inputs(causes))


def _told(found: InputGroup, as_shown: Callable[[str], str]) -> str:
    whose = found.what if found.suite is None else f"{found.what} of {as_shown(found.suite)}"
    return f"{whose}: {_few(found.names, as_shown)}" if found.names else whose


def _few(names: Sequence[tuple[str, How]], as_shown: Callable[[str], str]) -> str:
    more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
    return (
        ", ".join(
            as_shown(name) + ("" if how == "changed" else f" {how}") for name, how in names[:3]
        )
        + more
    )


def _score(score: float | None) -> str:
    return "—" if score is None else points(score)


def _range(ranks: Range | None) -> str:
    if ranks is None:
        return "—"
    return str(ranks[0]) if ranks[0] == ranks[1] else f"{ranks[0]}–{ranks[1]}"


def _entry_rows(entries: Iterable[Entry]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        scores = ", ".join(
            f"{plain(metric)} {_score(score)}" for metric, score in entry.scores.items()
        )
        yield entry.suite, entry.submission, _range(entry.rank), scores


def _move_rows(change: Change) -> Iterator[tuple[str, ...]]:
    for move in change.moves:
        number = (
            f"{move.old_scored:,} to {move.new_scored:,}"
            if move.old_scored != move.new_scored
            else f"{move.new_scored:,}"
        )
        yield move.category, move.metric, *share_change(move.old, move.new), number


def _flip_rows(change: Change) -> Iterator[tuple[str, ...]]:
    trials = any(flip.trial > 1 for flip in change.flips)
    for flip in change.flips:
        case_id = f"{flip.case_id} #{flip.trial}" if trials else flip.case_id
        old, new = flip.old, flip.new
        if old == new:
            before, after, _ = share_change(flip.old_score, flip.new_score)
            old, new = f"{old} ({before})", f"{new} ({after})"
        yield (
            flip.category,
            case_id,
            flip.metric,
            f"{old} to {new}",
            f"{flip.old_reason} to {flip.new_reason}",
        )


def _rank_rows(moves: Iterable[RankMove]) -> Iterator[tuple[str, ...]]:
    for move in moves:
        yield move.suite, move.category, move.submission, _range(move.old), _range(move.new)


def _beside(change: Change) -> str:
    """What is not among the verdicts that turned."""
    counts = [
        (change.added, "verdicts added"),
        (change.removed, "verdicts removed"),
        (change.reworded, "for another reason"),
    ]
    return ", ".join(f"{number:,} {words}" for number, words in counts if number)


# ---------------------------------------------------------------- text, Markdown, JSON

_ENTRIES = ("suite", "submission", "rank", "scores")
_MOVES = ("category", "metric", "before", "after", "by", "scored")
_FLIPS = ("category", "case", "metric", "verdict", "reason")
_RANKS = ("suite", "category", "submission", "before", "after")


def _text(moved: Difference) -> str:
    blocks = [_headline(moved)]
    if moved.inputs:
        blocks.append(f"inputs: {_because(moved.inputs)}")
    for word, entries in (("added", moved.added), ("removed", moved.removed)):
        if entries:
            blocks.append(f"{word}\n" + _lines([_ENTRIES, *_entry_rows(entries)], left=4))
    for change in moved.changed:
        why = (
            f"because of {_because(change.causes)}" if change.causes else "no input changed: alarm"
        )
        parts = [f"{plain(change.submission)} on {plain(change.suite)}, {why}"]
        if change.moves:
            parts.append(_lines([_MOVES, *_move_rows(change)], left=2))
        if change.flips:
            parts.append(_lines([_FLIPS, *_flip_rows(change)], left=5))
        if _beside(change):
            parts.append(f"  {_beside(change)}")
        blocks.append("\n".join(parts))
    if moved.ranks:
        blocks.append("ranks\n" + _lines([_RANKS, *_rank_rows(moved.ranks)], left=3))
    return "\n\n".join(blocks)


def _lines(rows: Iterable[Sequence[str]], left: int) -> str:
    table = text_table([[plain(cell) for cell in row] for row in rows], left)
    return "\n".join(f"  {line}" for line in table.splitlines())


def _markdown(moved: Difference) -> str:
    """Tables for a comment: all scores, and as many verdicts and ranks as fit."""
    blocks = [f"### {code(moved.base)} to {code(moved.new)}"]
    counts = [f"{len(rows):,} {word}" for word, rows in _sections(moved) if rows]
    blocks.append(", ".join(counts) + "." if counts else "No score, verdict or rank moved.")
    if moved.inputs:
        blocks.append("Inputs that changed: " + _marked(moved.inputs))
    for word, entries in (("Added", moved.added), ("Removed", moved.removed)):
        if entries:
            blocks.append(f"**{word}**\n\n" + _cells(_ENTRIES, _entry_rows(entries), left=4))
    for change in moved.changed:
        blocks.extend(_marked_change(change))
    if moved.ranks:
        blocks.append(
            _hidden(
                f"{count(len(moved.ranks), 'rank')} moved", _RANKS, _rank_rows(moved.ranks), left=3
            )
        )
    return comment(blocks)


def _marked_change(change: Change) -> Iterator[str]:
    why = f"because of {_marked(change.causes)}" if change.causes else "**no input changed: alarm**"
    yield f"**{code(change.submission)} on {code(change.suite)}**, {why}"
    if change.moves:
        yield _cells(_MOVES, _move_rows(change), left=2)
    if change.flips:
        yield _hidden(
            f"{count(len(change.flips), 'verdict')} turned", _FLIPS, _flip_rows(change), left=5
        )
    if _beside(change):
        yield _beside(change)


def _marked(causes: Sequence[Cause]) -> str:
    return "; ".join(_told(found, code) for found in group_inputs(causes))


def _cells(head: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    return markdown_table(
        [head, *([code(cell) if cell else "" for cell in row] for row in rows)], left
    )


def _hidden(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    return folded(title, head, [[code(cell) if cell else "" for cell in row] for row in rows], left)


def _json(moved: Difference) -> str:
    alarms = [{"submission": change.submission, "suite": change.suite} for change in moved.alarms]
    return json.dumps({"schema": 1, **asdict(moved), "alarms": alarms}, indent=2, allow_nan=False)
