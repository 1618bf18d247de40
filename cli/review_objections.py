"""What a review objects to, as one line in red, orange or green, and who may allow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cli.output.printed_tables import code
from cli.review_data import Review
from leaderboard.ids import WHOLE
from leaderboard.proposals.changed_paths import Proposal, kinds_in_order
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import first_of
from scoring.changes.shared_texts import COMPARED

_KINDS = 3  # of files and places, in the line
_SHORT = 120  # characters of a problem in the line
_BLANK = 10  # one case in so many may lack an answer; with more, a file may be half-finished
_LONG_ANSWERS = 10  # as many as make a near copy; a model may answer too much now and then
# Arguments are sent to a judge as they are. An execution that it reads has at most 24,000.
_LONG_PROMPT = 30_000  # characters


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
    exact = [copy.other for copy in review.copies if copy.exact]
    if exact:
        yield f"its answers are a copy of {code(exact[0])}"
    if review.alike:
        alike = review.alike[0]
        yield f"its {alike.field} reads like {alike.whose} of {code(alike.other)}"
    if review.votes:
        yield f"it brings {counted(review.votes, 'vote')} of other judges, which nobody can check"
    yield from _about_calls(review)


def _about_calls(review: Review) -> Iterator[str]:
    calls = review.calls
    if calls.unused and review.submission is not None:
        yield f"it has {counted(calls.unused, 'judge call')} that its answers do not need"
    if calls.others:
        decided = counted(calls.others, "verdict")
        yield f"its judge calls decide {decided} of other submissions"
    if calls.contradictions:
        yield f"it contradicts {counted(len(calls.contradictions), 'recorded judge call')}"


def _changed_outside(proposal: Proposal) -> str:
    """How many files of which kinds only a maintainer may change, the most dangerous first."""
    counts = Counter(change.kind for change in proposal.outside)
    kinds = [kind for kind in kinds_in_order() if kind in counts]
    number, where = len(proposal.outside), ""
    if proposal.submission is not None:  # a link or a hidden file may be in its folder
        are = "is" if number == 1 else "are"
        where = f" that {are} not part of {code(proposal.submission)}"
    merge = "; the branch lacks the newest commit of the base, so review a merge of both"
    why = f"{first_of(kinds, _KINDS)}{merge if proposal.behind else ''}"
    return f"{counted(number, 'file')} changed{where} ({why})"


def verdict_line(review: Review) -> str:
    """The verdict with its reasons, as a Markdown alert."""
    reserved = list(_only_for_maintainers(review))
    reasons = [] if review.maintainer else list(reserved)
    if review.errors:
        first = review.errors[0]
        what = first.what.partition(": ")[0]  # the values are in the list of problems
        named = code(f"{first.file}: {what}", _SHORT)
        reasons.append(f"{counted(len(review.errors), 'problem')} to fix ({named})")
    if reasons:
        more = "" if review.maintainer or not reserved else " Only a maintainer can allow this."
        if more and review.errors:
            more = " Problems must be fixed. Only a maintainer can allow the rest."
        return _alert("CAUTION", f"🔴 Do not merge: {_listed(reasons)}.", more)
    closing = _nothing(review)
    if reserved:
        closing = f" A maintainer vouches for this: {_listed(reserved)}."
    # A maintainer may vouch for an update, for example, and not know what its answers hide.
    odd = (
        *_odd_names(review),
        *_taken_places(review),
        *_odd_answers(review),
        *_not_looked_at(review),
    )
    look = [*_losses(review), *odd]
    if review.missing or review.pending:
        who = "a maintainer has" if review.pending else "somebody has"
        calls = counted(review.missing + review.pending, "judge call")
        size = counted(sum(review.prompts), "character")
        text = f"🟠 Wait: {who} to record {calls} first ({size})."
        also = f" Look at this, too: {_listed(look)}." if look else ""
        return _alert("WARNING", text, f"{_long_prompts(review)}{also}{closing}")
    if look:
        return _alert("WARNING", f"🟠 Look first: {_listed(look)}.", closing)
    return _alert("NOTE", "🟢 No objection to merging.", closing)


def _odd_names(review: Review) -> Iterator[str]:
    """What readers can take for words of the board, the first only."""
    for odd in review.board_like[:1]:
        yield f"its {odd.field} {odd.what}" + (f" {code(odd.other)}" if odd.other else "")


def _taken_places(review: Review) -> Iterator[str]:
    """What pages show together with others, who may not know of it."""
    if review.former_id is not None:
        mine = code(str(review.proposal.submission))
        yield (
            f"snapshots up to {review.former_id.last_day} list the id {mine}, and no submission on "
            "the board has it"
        )
    if review.joins:
        yield f"it joins the sweep of {code(review.joins[0])}"


def _odd_answers(review: Review) -> Iterator[str]:
    """What to look at in the answers."""
    blank = [row for row in review.rows if row.blank * _BLANK > row.whole.cases]
    if blank:
        of = [f"{row.blank:,} of {row.whole.cases:,} cases of {code(row.suite)}" for row in blank]
        yield f"no record or an empty answer for {first_of(of, _KINDS)}"
    near = [copy for copy in review.copies if not copy.exact]
    if near:
        others = f"{len(near[0].sources)} submissions" if near[0].sources else code(near[0].other)
        yield f"the {near[0].compared} are nearly those of {others}"
    if review.long_answers >= _LONG_ANSWERS:
        length = f"more than {COMPARED:,} characters, and only these were compared with others"
        yield f"{review.long_answers:,} answers have {length}"
    if review.unscored:
        cases = counted(review.unscored, "case")
        yield f"{cases} without a score, for reasons that no judge can settle"
    if review.not_shown:
        yield "the answers leave out what other metrics need"


def _not_looked_at(review: Review) -> Iterator[str]:
    """The submissions that nobody compares with others."""
    if review.beside:
        others = first_of(review.beside, _KINDS, show=code)
        yield f"{others} {'is' if len(review.beside) == 1 else 'are'} not searched for copies"


def _losses(review: Review) -> Iterator[str]:
    """What scores lose: their questions, judges that were better than chance, and ranks."""
    if number := sum(changed.questions for changed in review.questions):
        yield counted(number, "question with answers changes", "questions with answers change")
    places = [
        code(change.suite if change.category == WHOLE else f"{change.suite}/{change.category}")
        for change in review.judges
        if change.loses_validation and change.suite in review.metrics
    ]
    if places:
        yield f"the judge is no longer validated on {first_of(places, _KINDS)}"
    if rows := review.lost_ranks:
        yield counted(rows, "row loses its rank", "rows lose their rank")


def _long_prompts(review: Review) -> str:
    """Asks to read what may cost much, or may hide something."""
    number = sum(length > _LONG_PROMPT for length in review.prompts)
    if not number:
        return ""
    have = counted(number, "prompt has", "prompts have")
    return f" {have} more than {_LONG_PROMPT:,} characters: read these answers first."


def _nothing(review: Review) -> str:
    proposal = review.proposal
    if proposal.outside:
        return ""
    if proposal.submission is None:
        return " No file changed."
    folder = code(f"submissions/{proposal.submission}/")
    return f" Nothing outside {folder} and its cassettes changed."


def _alert(kind: str, text: str, more: str) -> str:
    return f"> [!{kind}]\n> **{text}**{more}"


def _listed(parts: Sequence[str]) -> str:
    return ", and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
