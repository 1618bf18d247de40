"""The board's history: what moved from snapshot to snapshot and why, and every old ranking under a link that stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from leaderboard.board.board_changes import (
    Cause,
    Change,
    Difference,
    Entry,
    Era,
    Flip,
    How,
    Range,
    RankMove,
    Step,
)
from leaderboard.board.history import State
from leaderboard.types import Json
from site_templates import formatting, page_frame
from site_templates.board_index import WHOLE, Register
from site_templates.data.board_tables import SCHEMA, encode
from site_templates.links import Link
from site_templates.parts.change_words import InputGroup, group_inputs, share_change

_ROWS: Final = 60  # moves of one kind that a snapshot's entry lists
_NAMED: Final = 3  # inputs of a kind that a cause names
_CASES: Final = 12  # changed cases that a snapshot's entry links
_TURNED: Final = 20  # turned verdicts that a row of it links, if there is room
_ROOM: Final = 240  # turned verdicts that all rows of an entry link, three each at the least
_NAME: Final = 60

# What the kinds of inputs are called where they are the reason of a move.
_KINDS: Final = {
    "responses": "responses",
    "prompts": "judge prompts",
    "judges": "judge settings",
    "cassettes": "recorded judge calls",
    "rules": "rules",
    "labels": "labels",
}


@dataclass(frozen=True, slots=True)
class Turned:
    """A verdict that turned: its case, and from what to what."""

    case: Link
    said: str


@dataclass(frozen=True, slots=True)
class Moved:
    """One submission on one suite: what it was and is, why, and how many verdicts turned. `alarm`: nothing explains it.

    `turned` are the first of these verdicts, those of the ranked metric before others; `more` tells how many are left out.
    """

    who: Link
    suite: Link
    old: str
    new: str
    by: str
    flips: str
    turned: tuple[Turned, ...]
    more: str
    why: str
    alarm: bool


@dataclass(frozen=True, slots=True)
class Entered:
    """A submission on a suite that came or went, with its score."""

    who: Link
    suite: Link
    score: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A rank on a whole suite that is another now."""

    who: Link
    suite: Link
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Input:
    """Inputs of one kind that changed, of a suite where they are its parts: each with a link where it is a case of today."""

    what: str
    suite: Link | None
    names: tuple[Link, ...]
    more: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One state in the changelog. `page` is where its ranking stands, None for the board of today.

    `taken` is the day on which it was kept, empty where that was not recorded; `as_of` its newest submission's.
    """

    anchor: str
    title: str
    page: str | None
    taken: str
    as_of: str
    digest: str
    submissions: int
    first: bool
    summary: str
    inputs: tuple[Input, ...]
    added: tuple[Entered, ...]
    removed: tuple[Entered, ...]
    changed: tuple[Moved, ...]
    ranks: tuple[Ranked, ...]
    more: str


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Model of history/index.html, the newest state first. `feed` is the path of the feed where there is one."""

    head: page_frame.Head
    chapters: tuple[Chapter, ...]
    feed: str | None


@dataclass(frozen=True, slots=True)
class OldRow:
    """A submission in an old ranking."""

    rank: str
    who: Link
    score: str
    bounds: str
    scored: str
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldRanking:
    """An old ranking of a suite; `categories` are its columns then."""

    suite: Link
    metric: str
    categories: tuple[str, ...]
    rows: tuple[OldRow, ...]


@dataclass(frozen=True, slots=True)
class SnapshotPage:
    """Model of history/<snapshot>/index.html."""

    head: page_frame.Head
    title: str
    taken: str
    as_of: str
    digest: str
    rules: str
    submissions: int
    rankings: tuple[OldRanking, ...]
    changelog: str


@dataclass(frozen=True, slots=True)
class RowMove:
    """A line of a submission's own history. `page` leads to the changelog.

    `dated` says what `date` is where that is not the day on which the snapshot was taken.
    """

    dated: str
    date: str
    page: str
    suite: str
    said: str


def snapshot_path(name: str) -> str:
    """Where an old ranking stands. Names are dates and digits of a digest, safe as they are."""
    return f"history/{name}/index.html"


def snapshots(register: Register) -> tuple[State, ...]:
    """The snapshots, each board once: one that came back has one page."""
    return tuple({state.name: state for state in register.board.states}.values())


def history_pages(
    register: Register, *, feed: bool
) -> Iterator[tuple[str, HistoryPage | SnapshotPage]]:
    """Template and model of every page of the history; none where nothing was ever kept."""
    if register.board.history is None or not register.board.states:
        return
    names = _Names(register)
    eras = register.board.history.eras
    head = page_frame.Head(
        path="history/index.html",
        title=f"History: {register.board.title}",
        description="What moved on this board from snapshot to snapshot, and why.",
        section="History",
        crumbs=(Link("Board", "index.html"), Link("History")),
    )
    yield (
        "history.html",
        HistoryPage(
            head,
            tuple(_chapter(names, era) for era in reversed(eras)),
            "feed.xml" if feed else None,
        ),
    )
    for state in snapshots(register):
        yield "snapshot.html", _snapshot(register, names, state)


class _Names:
    """Submissions and suites by their names, with a link where the board still holds them."""

    def __init__(self, register: Register) -> None:
        self.register = register
        self._submissions = {
            s.id: Link(formatting.clip(s.card.name, _NAME), register.paths.submission(s.id))
            for s in register.submissions
        }
        self._cases = {s.id: s.by_id for s in register.board.suites}
        self._suites = {
            s.id: Link(formatting.clip(s.title, _NAME), register.paths.suite(s.id))
            for s in register.board.suites
        }

    def submission(self, name: str) -> Link:
        return self._submissions.get(name) or Link(formatting.clip(name, _NAME))

    def suite(self, name: str) -> Link:
        return self._suites.get(name) or Link(formatting.clip(name, _NAME))

    def case(self, suite: str, name: str, beside: str = "") -> Link:
        """A case, with its page where the suite of today has it; `beside` stands behind its name."""
        label = formatting.clip(name, 80) + beside
        found = self._cases.get(suite)
        return (
            Link(label, self.register.paths.case(suite, name))
            if found is not None and name in found
            else Link(label)
        )


# ---------------------------------------------------------------- the changelog


def anchor(era: Era) -> str:
    """The id of a state's entry in the changelog."""
    return "now" if era.sequence is None else f"snapshot-{era.sequence}"


def title(era: Era) -> str:
    """What a state is called: its label, or its number."""
    if era.sequence is None:
        return "Since the last snapshot"
    return formatting.clip(era.label, 120) if era.label else f"Snapshot {era.sequence}"


def _chapter(names: _Names, era: Era) -> Chapter:
    moved = era.difference or Difference(era.state, era.state, (), (), (), (), ())
    ranks = [move for move in moved.ranks if move.category == WHOLE]
    lists = (moved.added, moved.removed, moved.changed, ranks)
    left = sum(max(len(rows) - _ROWS, 0) for rows in lists)
    most = min(_TURNED, max(_NAMED, _ROOM // max(1, min(len(moved.changed), _ROWS))))
    return Chapter(
        anchor=anchor(era),
        title=title(era),
        page=None if era.sequence is None else snapshot_path(era.state),
        taken=era.taken or "",
        as_of=era.as_of or formatting.NONE,
        digest=formatting.digest(era.digest),
        submissions=era.submissions,
        first=era.difference is None,
        summary=summary(era),
        inputs=tuple(_input(names, found) for found in group_inputs(moved.inputs)),
        added=tuple(_entered(names, entry) for entry in moved.added[:_ROWS]),
        removed=tuple(_entered(names, entry) for entry in moved.removed[:_ROWS]),
        changed=tuple(_moved(names, change, most) for change in moved.changed[:_ROWS]),
        ranks=tuple(_ranked(names, move) for move in ranks[:_ROWS]),
        more=f"{formatting.count(left, 'more move')} in the data." if left else "",
    )


def summary(era: Era) -> str:
    """What moved, in one sentence."""
    moved = era.difference
    if moved is None:
        return f"The first snapshot, of {formatting.count(era.submissions, 'submission')}."
    if moved.nothing:
        return "No score, verdict or rank moved."
    ranks = sum(move.category == WHOLE for move in moved.ranks)
    parts = [
        f"{formatting.count(len(moved.added), 'result')} added" if moved.added else "",
        f"{formatting.count(len(moved.removed), 'result')} removed" if moved.removed else "",
        f"{formatting.count(len(moved.changed), 'result')} changed" if moved.changed else "",
        f"{formatting.count(ranks, 'rank')} moved" if ranks else "",
    ]
    said = formatting.listed([part for part in parts if part])
    return f"{said[:1].upper()}{said[1:]}." if said else "Ranks in categories moved."


def because(causes: Iterable[Cause]) -> str:
    """Inputs that changed, in words: each kind once, with the names of a few. What changed of a suite is told by its parts."""
    return "; ".join(map(_because, group_inputs(causes)))


def _because(found: InputGroup) -> str:
    whose = (
        _what(found)
        if found.suite is None
        else f"{_what(found)} of {formatting.clip(found.suite, 80)}"
    )
    return f"{whose}: {_few(found.names)}" if found.names else whose


def _what(found: InputGroup) -> str:
    return _KINDS.get(found.what, found.what)


def _few(named: Sequence[tuple[str, How]]) -> str:
    return ", ".join(_named(name, how) for name, how in named[:_NAMED]) + _left(len(named), _NAMED)


def _named(name: str, how: How) -> str:
    return formatting.clip(name, 80) + _how(how)


def _how(how: How) -> str:
    return "" if how == "changed" else f" {how}"


def _left(number: int, most: int) -> str:
    return f" and {number - most:,} more" if number > most else ""


def _input(names: _Names, found: InputGroup) -> Input:
    if found.what == "cases" and found.suite is not None:
        suite = found.suite
        cases = tuple(names.case(suite, name, _how(how)) for name, how in found.names[:_CASES])
        return Input("cases", names.suite(suite), cases, _left(len(found.names), _CASES))
    named = tuple(Link(_named(name, how)) for name, how in found.names[:_NAMED])
    suite_link = None if found.suite is None else names.suite(found.suite)
    return Input(_what(found), suite_link, named, _left(len(found.names), _NAMED))


def _entered(names: _Names, entry: Entry) -> Entered:
    metric = names.register.board.metric(entry.suite)
    return Entered(
        names.submission(entry.submission),
        names.suite(entry.suite),
        formatting.percent(entry.scores.get(metric)),
    )


def _moved(names: _Names, change: Change, most: int = _TURNED) -> Moved:
    metric = names.register.board.metric(change.suite)
    move = change.move(metric)
    flips = sorted(change.flips, key=lambda flip: flip.metric != metric)
    old, new, by = (
        share_change(move.old, move.new) if move else (formatting.NONE, formatting.NONE, "")
    )
    return Moved(
        who=names.submission(change.submission),
        suite=names.suite(change.suite),
        old=old,
        new=new,
        by=by,
        flips=_beside(change, sum(flip.metric == metric for flip in flips)),
        turned=tuple(_turned(names, change, flip, metric) for flip in flips[:most]),
        more=_left(len(flips), most).strip(),
        why=because(change.causes) or "no input changed: a rule did, without a new version",
        alarm=not change.causes,
    )


def _turned(names: _Names, change: Change, flip: Flip, metric: str) -> Turned:
    """A verdict that turned, with its trial where there are several and its metric where that is not the ranked one."""
    trial = f" #{flip.trial}" if any(other.trial > 1 for other in change.flips) else ""
    other = "" if flip.metric == metric else f" ({formatting.words(flip.metric)})"
    return Turned(names.case(change.suite, flip.case_id, trial), turn(flip) + other)


def turn(flip: Flip) -> str:
    """From what to what a verdict turned: outcomes, or scores where only these are others."""
    if flip.old != flip.new:
        return f"{flip.old} to {flip.new}"
    before, after, _ = share_change(flip.old_score, flip.new_score)
    return f"{flip.old}, {before} to {after}"


def _beside(change: Change, flips: int) -> str:
    """How many verdicts are not what they were."""
    counts = (
        (flips, "turned"),
        (len(change.flips) - flips, "turned by another metric"),
        (change.added, "came"),
        (change.removed, "went"),
        (change.reworded, "for another reason"),
    )
    return ", ".join(f"{number:,} {words}" for number, words in counts if number)


def _ranked(names: _Names, move: RankMove) -> Ranked:
    return Ranked(
        names.submission(move.submission),
        names.suite(move.suite),
        _range(move.old),
        _range(move.new),
    )


def _range(ranks: Range | None) -> str:
    return formatting.rank(ranks) or formatting.NONE


# ---------------------------------------------------------------- old rankings


def _snapshot(register: Register, names: _Names, state: State) -> SnapshotPage:
    called = formatting.clip(state.label, 120) if state.label else f"Snapshot {state.sequence}"
    head = page_frame.Head(
        path=snapshot_path(state.name),
        title=f"{called}, {state.name}: {register.board.title}",
        description=f"The board as it was {f'on {state.taken}' if state.taken else f'as of {state.as_of}'}.",
        section="History",
        crumbs=(Link("Board", "index.html"), Link("History", "history/index.html"), Link(called)),
        json=f"data/history/{state.name}.json",
    )
    return SnapshotPage(
        head=head,
        title=called,
        taken=state.taken or "",
        as_of=state.as_of or formatting.NONE,
        digest=formatting.digest(state.digest),
        rules=str(state.manifest["rules"]["version"]),
        submissions=len(state.manifest["submissions"]),
        rankings=tuple(_old_rankings(register, names, state)),
        changelog=f"history/index.html#snapshot-{state.sequence}",
    )


def _old_rankings(register: Register, names: _Names, state: State) -> Iterator[OldRanking]:
    order = {suite.id: place for place, suite in enumerate(register.board.suites)}
    suites = state.scores["suite"].unique().to_list()
    for suite in sorted(suites, key=lambda name: (order.get(name, len(order)), name)):
        metric = state.metrics.get(suite, register.board.metric(suite))
        yield _old_ranking(register, names, state, suite, metric)


def _old_ranking(
    register: Register, names: _Names, state: State, suite: str, metric: str
) -> OldRanking:
    """Those with a rank first, by score; then the others, which were baselines or incomplete."""
    rows = state.scores.filter(suite=suite, metric=metric)
    whole = {row["submission"]: row for row in rows.filter(category=WHOLE).iter_rows(named=True)}
    cells = {
        (row[0], row[1]): row[2]
        for row in rows.select("submission", "category", "score").iter_rows()
    }
    found = state.ranks.filter(suite=suite, category=WHOLE).select(
        "submission", "rank_low", "rank_high"
    )
    ranks: dict[str, Range] = {name: (low, high) for name, low, high in found.iter_rows()}
    categories = _old_categories(register, suite, rows)
    ordered = sorted(
        whole, key=lambda name: (name not in ranks, -(whole[name]["score"] or 0.0), name)
    )
    return OldRanking(
        suite=names.suite(suite),
        metric=metric,
        categories=tuple(formatting.words(name) for name in categories),
        rows=tuple(
            OldRow(
                rank=formatting.rank(ranks.get(name)) or formatting.NONE,
                who=names.submission(name),
                score=formatting.percent(whole[name]["score"]),
                bounds=formatting.bounds(whole[name]["low"], whole[name]["high"]),
                scored=f"{whole[name]['scored']:,}",
                categories=tuple(
                    formatting.percent(cells.get((name, category))) for category in categories
                ),
            )
            for name in ordered
        ),
    )


def _old_categories(register: Register, suite: str, rows: pl.DataFrame) -> list[str]:
    """The categories of an old ranking, in the order that the suite has them in today; others by name."""
    today = next((s for s in register.board.suites if s.id == suite), None)
    order = {category.id: place for place, category in enumerate(today.categories)} if today else {}
    named = [name for name in rows["category"].unique().to_list() if name != WHOLE]
    return sorted(named, key=lambda name: (order.get(name, len(order)), name))


# ---------------------------------------------------------------- one row


def row_moves(register: Register, submission: str) -> tuple[RowMove, ...]:
    """What moved the results of one submission, newest first; nothing where no history is kept."""
    history = register.board.history
    steps = () if history is None else history.steps.get(submission, ())
    titles = {suite.id: formatting.clip(suite.title, _NAME) for suite in register.board.suites}
    return tuple(
        RowMove(
            dated="" if step.taken else "as of",
            date=step.taken or step.as_of or formatting.NONE,
            page=f"history/index.html#{'now' if step.sequence is None else f'snapshot-{step.sequence}'}",
            suite=titles.get(step.suite) or formatting.clip(step.suite, _NAME),
            said=_said(step),
        )
        for step in reversed(steps)
    )


def _said(step: Step) -> str:
    """A step in words: "79.2 to 79.4, 3 verdicts turned (cases of bfcl: simple_1)"."""
    if step.how != "changed":
        score, rank = (
            (step.new, step.new_rank) if step.how == "added" else (step.old, step.old_rank)
        )
        verb = "sent in" if step.how == "added" else "taken away"
        return f"{verb}, at {formatting.percent(score)}" + (
            f", rank {formatting.rank(rank)}" if rank else ""
        )
    parts = []
    if step.old != step.new:
        parts.append(" to ".join(share_change(step.old, step.new)[:2]))
    if step.flips:
        parts.append(f"{formatting.count(step.flips, 'verdict')} turned")
    if step.old_rank != step.new_rank:
        parts.append(f"rank {_range(step.old_rank)} to {_range(step.new_rank)}")
    why = because(step.causes)
    only_rank = step.old == step.new and not step.flips
    reason = (
        f" ({why})"
        if why
        else " (others came, went or changed)"
        if only_rank
        else " (no input changed)"
    )
    return ", ".join(parts) + reason


# ---------------------------------------------------------------- data


def history_data(register: Register) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON beside each old ranking."""
    if register.board.history is None:
        return
    for state in snapshots(register):
        yield f"data/history/{state.name}.json", encode(_state(state))


def _state(state: State) -> Mapping[str, Json]:
    scores = state.scores.sort("suite", "submission", "category", "metric")
    return {
        "schema": SCHEMA,
        "snapshot": state.name,
        "sequence": state.sequence,
        "label": state.label,
        "taken": state.taken,
        "as_of": state.as_of,
        "digest": state.digest,
        "metrics": dict(sorted(state.metrics.items())),
        "scores": scores.to_dicts(),
        "ranks": state.ranks.sort("suite", "category", "submission").to_dicts(),
    }
