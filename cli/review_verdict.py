"""What a review says about a pull request in one line, and what only a maintainer may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cli.console import count
from cli.printed_tables import code
from leaderboard.board.board_changes import Difference
from leaderboard.board.changed_paths import Proposal, kinds_in_order
from leaderboard.board.look_alikes import LookAlike
from leaderboard.errors import Problem
from leaderboard.types import Submission
from scoring.changes.near_copies import NearCopy
from scoring.tables.board_row import BoardRow

_KINDS = 3  # of files, in the line
_SHORT = 120  # characters of a problem in the line


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
    record. `votes` counts those of other judges that come with the answers. `unscored` counts
    cases without a score that wait for no judge: their answers withhold what a rule needs.
    """

    proposal: Proposal
    maintainer: bool
    problems: tuple[Problem, ...]
    moved: Difference
    old_problems: int = 0
    submission: Submission | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[BoardRow, ...] = ()
    calls: BroughtCalls = field(default_factory=BroughtCalls)
    missing: int = 0
    pending: int = 0
    copies: tuple[NearCopy, ...] = ()
    alike: tuple[LookAlike, ...] = ()
    votes: int = 0
    unscored: int = 0

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


def _only_for_maintainers(review: Review) -> Iterator[str]:
    """What nobody but a maintainer may propose, each in a few words."""
    proposal = review.proposal
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
    if review.votes:
        yield f"it brings {count(review.votes, 'vote')} of other judges, which nobody can check"
    yield from _about_calls(review)


def _about_calls(review: Review) -> Iterator[str]:
    calls = review.calls
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
    named = f"{', '.join(kinds[:_KINDS])}{and_more(len(kinds) - _KINDS)}"
    number, where = len(proposal.outside), ""
    if proposal.submission is not None:  # a link or a hidden file may be in its folder
        are = "is" if number == 1 else "are"
        where = f" that {are} not part of {code(proposal.submission)}"
    return f"{count(number, 'file')} changed{where} ({named})"


def _own(proposal: Proposal) -> str:
    return f"{code(f'submissions/{proposal.submission}/')} and its cassettes"


def verdict_line(review: Review) -> str:
    """The verdict with its reasons, as a Markdown alert."""
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
    if review.unscored and not review.maintainer:
        cases = count(review.unscored, "case")
        text = f"🟠 Look first: no score counts {cases}, whose answers leave out what a rule needs."
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


def and_more(hidden: int) -> str:
    """The end of a list, with the number of entries that are not shown."""
    return f", and {hidden:,} more" if hidden > 0 else ""
