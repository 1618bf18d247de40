"""The report of `lb review` as Markdown: one verdict line, then its reasons. Every part is bounded.

All text of the proposal is written as code: see `cli.report.code`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cli.console import count, grouped
from cli.report import Block, Table, code, markdown_report
from leaderboard.board.board_changes import Difference
from leaderboard.board.changed_paths import PathChange, Proposal, kinds_in_order
from leaderboard.board.look_alikes import LookAlike, mixed_scripts
from leaderboard.errors import Problem
from leaderboard.reasons import REASONS
from leaderboard.types import Submission
from scoring.changes.near_copies import NearCopy
from scoring.changes.proposed_row import ProposedRow, RowScore
from site_templates import formatting
from site_templates.parts.change_words import share_change

_PATHS = 10  # of each kind
_KINDS = 3  # of files, in the verdict line
_ROWS = 20  # of each table
_PROBLEMS = 50
_LONG = 400  # characters of a problem
_SHORT = 120  # and of one in the verdict line


@dataclass(frozen=True, slots=True)
class BroughtCalls:
    """The recorded judge calls of a proposal that the base does not have.

    `recomputed` counts those that were compared with the judge's own replies, and `decided` the
    submission's verdicts that rest on new calls, by outcome. `others` counts such verdicts of other
    submissions, and `unused` the calls that nothing needs. `contradictions` has the cassette of
    each call to which the base has another reply.
    """

    new: int = 0
    recomputed: int = 0
    decided: Mapping[str, int] = field(default_factory=dict)
    others: int = 0
    unused: int = 0
    contradictions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that a report says.

    `problems` are those that the base does not have, and `old_problems` counts the base's own.
    `missing` counts judge calls that are not recorded, `pending` those that a maintainer has to
    record.
    """

    proposal: Proposal
    maintainer: bool
    problems: tuple[Problem, ...]
    moved: Difference
    old_problems: int = 0
    submission: Submission | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[ProposedRow, ...] = ()
    calls: BroughtCalls = field(default_factory=BroughtCalls)
    missing: int = 0
    pending: int = 0
    copies: tuple[NearCopy, ...] = ()
    alike: tuple[LookAlike, ...] = ()

    @property
    def errors(self) -> int:
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def removes(self) -> bool:
        """Whether the proposal removes every file of a submission."""
        own = self.proposal.own
        return self.submission is None and bool(own) and all(c.how == "removed" for c in own)

    @property
    def is_new_baseline(self) -> bool:
        return self.submission is not None and self.submission.is_baseline


def exit_code(review: Review) -> int:
    """0 is fine, 1 means problems or what only maintainers may do, 3 missing judge calls."""
    if review.errors or (not review.maintainer and any(_only_for_maintainers(review))):
        return 1
    return 3 if review.missing or review.pending else 0


def review_report(review: Review) -> str:
    """The whole report, at most as long as a comment."""
    return markdown_report(_blocks(review))


# ---------------------------------------------------------------- the verdict line


def _only_for_maintainers(review: Review) -> Iterator[str]:
    """What nobody but a maintainer may propose, each in a few words."""
    proposal, calls = review.proposal, review.calls
    if proposal.outside:
        yield _changed_outside(proposal)
    if review.removes:
        yield f"it removes {code(str(proposal.submission))} from the board"
    elif proposal.replaces:
        yield f"it changes {code(str(proposal.submission))}, which is on the board already"
    if review.is_new_baseline:
        yield "it says that it is a `baseline`"
    exact = [found.other for found in review.copies if found.exact]
    if exact:
        yield f"its answers are a copy of {code(exact[0])}"
    if review.alike:
        found = review.alike[0]
        yield f"its {found.field} reads like that of {code(found.other)}"
    if calls.unused and review.submission is not None:
        yield f"it has {count(calls.unused, 'judge call')} that its answers do not need"
    if calls.others:
        decided = count(calls.others, "verdict")
        yield f"its judge calls decide {decided} of other submissions"
    if calls.contradictions:
        yield f"it contradicts {count(len(calls.contradictions), 'recorded judge call')}"


def _changed_outside(proposal: Proposal) -> str:
    """How many files of which kinds only a maintainer may change, the most dangerous first."""
    found = Counter(change.kind for change in proposal.outside)
    kinds = [kind for kind in kinds_in_order() if kind in found]
    named = f"{', '.join(kinds[:_KINDS])}{_more(len(kinds) - _KINDS)}"
    number, where = len(proposal.outside), ""
    if proposal.submission is not None:  # a link or a hidden file may be in its folder
        are = "is" if number == 1 else "are"
        where = f" that {are} not part of {code(proposal.submission)}"
    return f"{count(number, 'file')} changed{where} ({named})"


def _own(proposal: Proposal) -> str:
    return f"{code(f'submissions/{proposal.submission}/')} and its cassettes"


def _verdict(review: Review) -> str:
    reserved = list(_only_for_maintainers(review))
    reasons = [] if review.maintainer else list(reserved)
    if review.errors:
        first = next(problem for problem in review.problems if problem.severity == "error")
        what = first.what.partition(": ")[0]  # the values are in the list of problems
        named = code(f"{first.file}: {what}", _SHORT)
        reasons.append(f"{count(review.errors, 'problem')} to fix ({named})")
    if reasons:
        more = "" if review.maintainer or not reserved else " Only a maintainer can allow this."
        if more and review.errors:
            more = " Problems must be fixed. Only a maintainer can allow the rest."
        return _alert("CAUTION", f"🔴 Do not merge: {_listed(reasons)}.", more)
    if review.missing or review.pending:
        who = "a maintainer has" if review.pending else "somebody has"
        calls = count(review.missing + review.pending, "judge call")
        text = f"🟠 Wait: {who} to record {calls} first."
        return _alert("WARNING", text, _nothing(review))
    near = [found for found in review.copies if not found.exact]
    if near and not review.maintainer:
        text = f"🟠 Look first: the answers are nearly those of {code(near[0].other)}."
        return _alert("WARNING", text, _nothing(review))
    said = _nothing(review)
    if reserved:
        said = f" A maintainer vouches for this: {_listed(reserved)}."
    return _alert("NOTE", "🟢 No objection to merging.", said)


def _nothing(review: Review) -> str:
    proposal = review.proposal
    if proposal.outside:
        return ""
    if proposal.submission is None:
        return " No file changed."
    return f" Nothing outside {_own(proposal)} changed."


def _alert(kind: str, text: str, more: str) -> str:
    return f"> [!{kind}]\n> **{text}**{more}"


def _listed(parts: Sequence[str]) -> str:
    return ", and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


# ---------------------------------------------------------------- the parts


def _blocks(review: Review) -> Iterator[Block]:
    yield _verdict(review)
    yield from _outside(review.proposal.outside)
    yield from _rows(review)
    yield from _moved(review)
    yield from _calls(review)
    yield from _alike(review)
    yield from _problems(review)


def _outside(changes: Sequence[PathChange]) -> Iterator[Block]:
    if not changes:
        return
    yield "## Changed outside the submission"
    by_kind: dict[str, list[PathChange]] = {kind: [] for kind in kinds_in_order()}
    for change in changes:
        by_kind[change.kind].append(change)
    lines = []
    for kind, found in by_kind.items():
        if found:
            paths = [f"{code(change.path)} {change.how}" for change in found[:_PATHS]]
            lines.append(f"- **{kind}**: {', '.join(paths)}{_more(len(found) - _PATHS)}")
    yield "\n".join(lines)


def _more(hidden: int) -> str:
    return f", and {hidden:,} more" if hidden > 0 else ""


def _rows(review: Review) -> Iterator[Block]:
    submission = review.submission
    if submission is None:
        if review.proposal.submission is not None:
            yield "## The row"
            why = "the proposal removes it" if review.removes else "it cannot be read or scored"
            yield f"There is none: {why}."
        return
    yield "## The changed row" if review.proposal.replaces else "## The new row"
    card = submission.card
    yield (
        f"{code(submission.id)} is {code(card.name)} of {code(card.organization)}, "
        f"a submission of kind {card.kind}, model {code(card.model)}, answered on {card.date}."
    )
    for row in review.rows:
        yield f"### {code(row.suite)}: {_score(row.whole)}, {_rank(row)}"
        yield _standing(row)
        yield "\n".join(_reasons(row))


def _score(row: RowScore) -> str:
    if row.score is None:
        return "no score"
    limits = formatting.bounds(row.low, row.high)
    return f"{formatting.percent(row.score)} ({limits}), n = {row.cases:,}"


def _rank(row: ProposedRow) -> str:
    if row.rank is not None:
        return f"rank {formatting.rank(row.rank)}"
    return "no rank" if row.status is None else f"no rank ({formatting.words(row.status)})"


def _standing(row: ProposedRow) -> Table:
    """The row with its neighbours and categories."""
    named = [("above", row.above), ("**this row**", row.whole), ("below", row.below)]
    lines = [(label, code(one.submission), *_cells(one)) for label, one in named if one is not None]
    lines += [("category", code(one.category), *_cells(one)) for one in row.categories[:_ROWS]]
    head = ("", "", "score", "interval", "cases", "unscored")
    return Table(head, lines, left=2, foreign=0)


def _cells(row: RowScore) -> tuple[str, str, str, str]:
    score = "—" if row.score is None else formatting.percent(row.score)
    limits = "—" if row.score is None else formatting.bounds(row.low, row.high)
    return score, limits, f"{row.cases:,}", f"{row.unscored:,}"


def _reasons(row: ProposedRow) -> Iterator[str]:
    if row.failures:
        told = [f"{number:,} {REASONS.get(reason, reason)}" for reason, number in row.failures]
        yield f"- not passed: {'; '.join(told[:_ROWS])}{_more(len(told) - _ROWS)}"
    yield f"- decided by a judge: {count(row.judged, 'verdict')}"


def _moved(review: Review) -> Iterator[Block]:
    """Scores and ranks of all other submissions."""
    mine = review.proposal.submission
    moved = review.moved
    lines: dict[tuple[str, str], list[str]] = {}
    for change in moved.changed:
        move = change.move(review.metrics.get(change.suite, ""))
        scores = share_change(move.old, move.new) if move else ("", "", "")
        lines[change.suite, change.submission] = [*scores, ""]
    only_last = 0
    for rank in moved.ranks:
        if rank.category != "*" or rank.submission == mine:
            continue
        if rank.old and rank.new and rank.old[0] == rank.new[0]:
            only_last += (rank.suite, rank.submission) not in lines
        else:
            cells = lines.setdefault((rank.suite, rank.submission), ["", "", "", ""])
            cells[3] = f"{formatting.rank(rank.old)} to {formatting.rank(rank.new)}"
    for word, entries in (("added", moved.added), ("removed", moved.removed)):
        for entry in entries:
            lines[entry.suite, entry.submission] = ["", "", word, ""]
    rows = [(suite, name, *cells) for (suite, name), cells in sorted(lines.items()) if name != mine]
    yield "## Effect on other rows"
    if rows:
        head = ("suite", "submission", "before", "after", "change", "rank")
        yield Table(head, rows[:_ROWS], left=2, foreign=2)
        if len(rows) > _ROWS:
            yield f"and {len(rows) - _ROWS:,} more"
    else:
        yield "No score or best possible rank of another submission changes."
    if only_last:
        yield f"The worst possible rank changes for {count(only_last, 'other row')}."


def _calls(review: Review) -> Iterator[Block]:
    calls = review.calls
    yield "## Judge calls"
    lines = []
    if calls.new:
        decided = [f"{number:,} {outcome}" for outcome, number in sorted(calls.decided.items())]
        decided_text = ", ".join(decided) or "no verdict"
        recorded = count(calls.new, "new recorded call")
        lines.append(f"- {recorded}, {calls.recomputed:,} recomputed: decided {decided_text}")
    if calls.unused:
        lines.append(f"- {count(calls.unused, 'new call')} that no verdict needs")
    if calls.others:
        others = count(calls.others, "verdict")
        lines.append(f"- {others} of other submissions changed or decided by new calls")
    if calls.contradictions:
        files = Counter(calls.contradictions)
        named = [f"{code(file)} ({number:,})" for file, number in sorted(files.items())]
        lines.append(
            "- a reply that differs from the recorded one: "
            f"{', '.join(named[:_PATHS])}{_more(len(named) - _PATHS)}"
        )
    if review.missing:
        lines.append(f"- {count(review.missing, 'call')} missing: their cases are unscored")
    if review.pending:
        waiting = count(review.pending, "call")
        lines.append(f"- {waiting} pending: their cases are unscored until a maintainer records")
    yield "\n".join(lines) or "None is new, and none is missing."


def _alike(review: Review) -> Iterator[Block]:
    lines = []
    for found in review.copies:
        same = "a copy" if found.exact else "nearly the answers"
        lines.append(
            f"- {code(found.suite)}: {same} of {code(found.other)}. "
            f"{found.equal:,} of {found.answered:,} answers are equal, and "
            f"{found.equal_wrong:,} of {found.wrong:,} wrong ones."
        )
    for alike in review.alike:
        reads = "is that" if alike.same else "reads like that"
        lines.append(
            f"- the {alike.field} {code(alike.value)} {reads} of {code(alike.other)}: "
            f"{code(alike.other_value)}{_spelled_out(alike)}"
        )
    lines += _odd_names(review.submission)
    if lines:
        yield "## Duplicates and look-alikes"
        yield _bullets(lines, _ROWS)


def _bullets(lines: Sequence[str], most: int) -> str:
    hidden = len(lines) - most
    return "\n".join([*lines[:most], *([f"- and {hidden:,} more"] if hidden > 0 else [])])


def _spelled_out(alike: LookAlike) -> str:
    """The characters behind a name that no eye can tell from another."""
    if alike.value.isascii() and alike.other_value.isascii():
        return ""
    one, other = (ascii(text)[1:-1] for text in (alike.value, alike.other_value))
    return f" ({code(one)} and {code(other)})"


def _odd_names(submission: Submission | None) -> Iterable[str]:
    if submission is None:
        return
    if submission.is_baseline:
        yield "- `kind` is `baseline`, which is for programs of the board's owner"
    for name in (submission.card.name, submission.card.organization, submission.card.model):
        if mixed_scripts(name):
            yield f"- {code(name)} mixes Latin letters with letters of another script"


def _problems(review: Review) -> Iterator[Block]:
    yield "## Problems"
    ordered = sorted(grouped(review.problems), key=lambda problem: problem.severity != "error")
    lines = [f"- {problem.severity}: {code(str(problem), _LONG)}" for problem in ordered]
    yield _bullets(lines, _PROBLEMS) or "None."
    if review.old_problems:
        yield f"The base has {count(review.old_problems, 'problem')} of its own."
