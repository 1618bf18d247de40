"""The report of `lb review` as Markdown: one verdict line, then its reasons. Every part is bounded.

All text of the proposal is written as code: see `cli.output.printed_tables.code`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from cli.output.board_scores import score_cells, score_in_words
from cli.output.printed_tables import Block, Table, code, markdown_report
from cli.output.problem_output import grouped
from cli.output.usage_in_words import reported_in_words, trials_in_words
from cli.review_data import Review
from cli.review_objections import verdict_line
from leaderboard.board.board_changes import Move, Range, RankMove
from leaderboard.ids import PANEL, WHOLE
from leaderboard.judge_providers import DECISION
from leaderboard.network.secret_keys import redact
from leaderboard.proposals.board_like_names import board_words
from leaderboard.proposals.changed_paths import PathChange, kinds_in_order
from leaderboard.proposals.look_alikes import LookAlike, mixed_scripts
from leaderboard.reasons import reason_words
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import first_of
from leaderboard.types import Card, Submission
from scoring.changes.changed_questions import ChangedQuestions
from scoring.changes.judge_changes import LabelFigures
from scoring.tables.board_row import BoardRow, RowScore
from site_templates import formatting, markdown
from site_templates.parts.card_facts import card_settings
from site_templates.parts.history.change_words import share_change

_PATHS = 10  # of each kind
_ROWS = 20  # of each table
_SUBMISSIONS = 3  # that keep answers to changed questions, of each suite
_SOURCES = 5  # of merged texts
_OF_CARD = 20  # links, which a card has no more of, settings, and headings and hosts of a README
_LINE = 200  # characters of a line of a card, which has no more
_PROBLEMS = 50
_LONG = 400  # characters of a problem
_JUDGES = {PANEL: "the panel", DECISION: "rules, facts and judges"}


def review_report(review: Review) -> str:
    """The whole report, at most as long as a comment."""
    return markdown_report(_blocks(review))


# ---------------------------------------------------------------- the parts


def _blocks(review: Review) -> Iterator[Block]:
    yield verdict_line(review)
    yield from _outside(review.proposal.outside)
    yield from _questions(review.questions)
    yield from _rows(review)
    yield from _moved(review)
    yield from _judges(review)
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
    for kind, of_kind in by_kind.items():
        if of_kind:
            paths = [f"{code(change.path)} {change.how}" for change in of_kind]
            lines.append(f"- **{kind}**: {first_of(paths, _PATHS)}")
    yield "\n".join(lines)


def _questions(changes: Sequence[ChangedQuestions]) -> Iterator[Block]:
    """Where answers stay although their questions change."""
    if not changes:
        return
    yield "## Questions changed after they were answered"
    yield (
        "Answers that were given to the old questions are now scored against the new ones. "
        "Ask again, or give the changed cases new ids."
    )
    rows = []
    for change in changes:
        names = first_of(change.submissions, _SUBMISSIONS, show=code)
        rows.append((code(change.suite), names, f"{change.questions:,}"))
    yield from _first_rows(("suite", "answers of", "questions"), rows, left=2)


def _first_rows(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, left: int, foreign: int = 0
) -> Iterator[Block]:
    """A table of the first rows, and the number of the others."""
    yield Table(head, rows[:_ROWS], left=left, foreign=foreign)
    if len(rows) > _ROWS:
        yield f"and {len(rows) - _ROWS:,} more"


def _rows(review: Review) -> Iterator[Block]:
    submission = review.submission
    if submission is None:
        if review.proposal.submission is not None:
            yield "## The row"
            why = "the proposal removes it" if review.removes else "it cannot be read or scored"
            yield f"This submission has no row: {why}."
        return
    yield "## The changed row" if review.proposal.replaces else "## The new row"
    card = submission.card
    yield (
        f"{code(submission.id)} is {_line(card.name)} of {_line(card.organization)}, "
        f"a submission of kind {card.kind}, model {_line(card.model)}, answered on {card.date}."
    )
    if claims := _claims(card):
        yield f"Pages also show, as the card says: {'; '.join(claims)}."
    if readme := (submission.readme or "").strip():
        yield f"Pages also show its README: {'; '.join(_parts_of_readme(readme))}."
    before = {row.suite: row for row in review.before}
    for row in review.rows:
        yield f"### {code(row.suite)}: {score_in_words(row.whole)}, {_rank(row)}"
        if old := before.pop(row.suite, None):
            changed = counted(review.changed_answers.get(row.suite, 0), "answer")
            yield f"Before: {score_in_words(old.whole)}, {_rank(old)}. {changed} changed."
        yield _standing(row)
        yield "\n".join(_reasons(row))
    for suite, old in before.items():
        yield f"### {code(suite)}: removed"
        yield f"Before: {score_in_words(old.whole)}, {_rank(old)}."
    if review.not_shown:
        metrics = ", ".join(review.not_shown)
        yield f"Unscored, because the answers leave out what is needed: {metrics}."


def _claims(card: Card) -> list[str]:
    """What a card says in its submitter's own words, where a reader may take it for the board's."""
    named = (
        ("parameters", card.parameters),
        ("framework", card.framework),
        ("page", card.url),
        ("licence", card.license),
        ("contact", card.contact),
    )
    claims = ["open weights"] if card.open_weights else []
    claims += [f"{word} {_line(text)}" for word, text in named if text]
    links = [f"{name} ({urlsplit(url).netloc})" for name, url in card.links.items()]
    settings = [f"{setting.name}: {setting.value}" for setting in card_settings(card)]
    for word, lines in (("links", links), ("settings", settings)):
        if lines:
            claims.append(f"{word} {first_of(lines, _OF_CARD, show=_line)}")
    return claims


def _parts_of_readme(readme: str) -> Iterator[str]:
    """How long a README is, its headings, words of the board, and where its links lead."""
    yield counted(len(readme), "character")
    headings, hosts = markdown.headings(readme), markdown.link_hosts(readme)
    words = board_words(readme)
    for word, parts in (("headings", headings), ("says", words), ("links to", hosts)):
        if parts:
            yield f"{word} {first_of(parts, _OF_CARD, show=_line)}"


def _line(text: str) -> str:
    """A whole line of a card, without what looks like a key."""
    return code(redact(text), _LINE)


def _rank(row: BoardRow) -> str:
    if row.rank is not None:
        rank = f"rank {formatting.rank(row.rank)}"
    else:
        rank = "no rank" if row.status is None else f"no rank ({formatting.words(row.status)})"
    return ", ".join(filter(None, (row.asked, row.answered, rank)))


def _standing(row: BoardRow) -> Table:
    """The row with its neighbours and categories."""
    named = [("above", row.above), ("**this row**", row.whole), ("below", row.below)]
    lines = [(label, code(one.submission), *_cells(one)) for label, one in named if one is not None]
    lines += [("category", code(one.category), *_cells(one)) for one in row.categories[:_ROWS]]
    head = ("", "", "score", "interval", "cases", "unscored")
    return Table(head, lines, left=2, foreign=0)


def _cells(row: RowScore) -> tuple[str, ...]:
    return *score_cells(row), f"{row.cases:,}", f"{row.unscored:,}"


def _reasons(row: BoardRow) -> Iterator[str]:
    if row.failures:
        told = [f"{reason_words(reason)} ({number:,})" for reason, number in row.failures]
        yield f"- not passed: {first_of(told, _ROWS, '; ')}"
    yield f"- decided by a judge: {counted(row.judged, 'verdict')}"
    if row.usage and (trials := trials_in_words(row.usage)):
        yield f"- {trials}"
    if row.usage and (reported := reported_in_words(row.usage)):
        yield f"- reported by the submitter: {reported}"


def _moved(review: Review) -> Iterator[Block]:
    """Scores and ranks of all other submissions."""
    rows, only_last = _moved_rows(review)
    in_categories = [*_moved_in_categories(review)]
    yield "## Effect on other rows"
    if rows:
        head = ("suite", "submission", "before", "after", "change", "unscored", "rank")
        yield from _first_rows(head, rows, left=2, foreign=2)
    elif not in_categories:
        yield "No score or best possible rank of another submission changes."
    if only_last:
        yield f"The worst possible rank changes for {counted(only_last, 'other row')}."
    yield from in_categories


def _moved_rows(review: Review) -> tuple[list[tuple[str, ...]], int]:
    """The rows of others that change, and how many change only in their worst possible rank."""
    mine = review.proposal.submission
    moved = review.moved
    lines: dict[tuple[str, str], list[str]] = {}
    for change in moved.changed:
        if move := change.move(review.metrics.get(change.suite, "")):
            scores = share_change(move.old, move.new, recased=change.suite in moved.recased)
            lines[change.suite, change.submission] = [*scores, _unscored(move), ""]
    only_last = 0
    for rank in moved.ranks:
        if rank.category != WHOLE or rank.submission == mine:
            continue
        if _is_only_last(rank):
            only_last += (rank.suite, rank.submission) not in lines
        else:
            cells = lines.setdefault((rank.suite, rank.submission), [""] * 5)
            old, new = (rank.old, rank.old_status), (rank.new, rank.new_status)
            cells[-1] = f"{_rank_or_status(*old)} to {_rank_or_status(*new)}"
    for word, entries in (("added", moved.added), ("removed", moved.removed)):
        for entry in entries:
            lines[entry.suite, entry.submission] = ["", "", word, "", ""]
    rows = [(suite, name, *cells) for (suite, name), cells in sorted(lines.items()) if name != mine]
    return rows, only_last


def _moved_in_categories(review: Review) -> Iterator[str]:
    """The other submissions whose best possible rank in a category changes."""
    moves = [m for m in review.moved.ranks if m.category != WHOLE and not _is_only_last(m)]
    if others := sorted({move.submission for move in moves} - {review.proposal.submission}):
        rows, names = counted(len(others), "other row"), first_of(others, _SUBMISSIONS, show=code)
        yield f"In categories, the best possible rank of {rows} changes: {names}."


def _is_only_last(move: RankMove) -> bool:
    """Whether only the worst possible rank changes, as with every row that is added."""
    return bool(move.old and move.new and move.old[0] == move.new[0])


def _unscored(move: Move) -> str:
    if move.old_unscored == move.new_unscored:
        return ""
    return f"{move.old_unscored:,} to {move.new_unscored:,}"


def _rank_or_status(rank: Range | None, status: str | None) -> str:
    if rank is not None:
        return formatting.rank(rank)
    return f"— ({formatting.words(status)})" if status else "—"


def _judges(review: Review) -> Iterator[Block]:
    """How judges agree with the labels, where labels, prompts, settings or replies change."""
    panel = len({change.judge for change in review.judges} - {PANEL, DECISION}) > 1
    rows = []
    for change in review.judges:
        if panel or change.judge != PANEL:
            name = _JUDGES.get(change.judge) or code(change.judge)
            figures = (change.before, change.after)
            agreements = map(_agreement, figures)
            youdens = (_youden(one, validates=change.judge != DECISION) for one in figures)
            place = (code(change.suite), code(change.category))
            rows.append((name, *place, *agreements, *youdens))
    if rows:
        yield "## Judges on labelled answers"
        head = ("judge", "suite", "category", "agreement before", "after", "J before", "after")
        yield from _first_rows(head, rows, left=3)


def _agreement(figures: LabelFigures | None) -> str:
    """How often a judge agrees with the labels, and its number of pairs."""
    return (
        "—" if figures is None else f"{formatting.percent(figures.agreement)} of {figures.pairs:,}"
    )


def _youden(figures: LabelFigures | None, *, validates: bool) -> str:
    """Youden's J with its limits. `validates`: it says whether the judge is validated."""
    if figures is None:
        return "—"
    youden, low, high = (
        formatting.coefficient(value)
        for value in (figures.youden, figures.youden_low, figures.youden_high)
    )
    remark = ", not validated" if validates and not figures.validated else ""
    return f"{youden} ({low} to {high}){remark}"


def _calls(review: Review) -> Iterator[Block]:
    calls = review.calls
    yield "## Judge calls"
    lines = []
    if calls.new:
        decided = [f"{number:,} {outcome}" for outcome, number in sorted(calls.decided.items())]
        decided_text = ", ".join(decided) or "no verdict"
        recorded = counted(calls.new, "new recorded call")
        lines.append(f"- {recorded}, {calls.recomputed:,} recomputed: decided {decided_text}")
    if calls.unused:
        lines.append(f"- {counted(calls.unused, 'new call')} that no verdict needs")
    if calls.others:
        others = counted(calls.others, "verdict")
        lines.append(f"- {others} of other submissions changed or decided by new calls")
    if calls.contradictions:
        files = Counter(calls.contradictions)
        named = [f"{code(file)} ({number:,})" for file, number in sorted(files.items())]
        lines.append(f"- a reply that differs from the recorded one: {first_of(named, _PATHS)}")
    if review.missing:
        missing, it = counted(review.missing, "call"), "it" if review.missing == 1 else "them"
        lines.append(f"- {missing} missing: cases that need {it} are unscored")
    if review.pending:
        waiting, it = counted(review.pending, "call"), "it" if review.pending == 1 else "them"
        until = f"until a maintainer records {it}"
        lines.append(f"- {waiting} pending: cases that need {it} are unscored {until}")
    yield "\n".join(lines) or "No judge call is new or missing."


def _alike(review: Review) -> Iterator[Block]:
    lines = []
    for copy in review.copies:
        same = "a copy" if copy.exact else f"nearly the {copy.compared}"
        others = [f"{code(other)} ({number:,})" for other, number in copy.sources]
        equal, wrong = "answers are equal", "wrong ones"
        if copy.compared == "texts":
            equal = "texts share most of their words"
        if copy.compared == "calls":
            equal, wrong = "answers with calls make the same ones", "that lead to a wrong state"
        if copy.compared == "API calls":
            equal, wrong = "answers with several API calls make the same ones", "that fail"
        lines.append(
            f"- {code(copy.suite)}: {same} of {first_of(others, _SOURCES) or code(copy.other)}. "
            f"{copy.equal:,} of {copy.answered:,} {equal}, and "
            f"{copy.equal_wrong:,} of {copy.wrong:,} {wrong}."
        )
    for alike in review.alike:
        reads = f"{'is' if alike.same else 'reads like'} {alike.whose}"
        lines.append(
            f"- the {alike.field} {code(alike.value)} {reads} of {code(alike.other)}: "
            f"{code(alike.other_value)}{_spelled_out(alike)}"
        )
    for odd in review.board_like:
        other = f" {code(odd.other)}" if odd.other else ""
        lines.append(f"- the {odd.field} {_line(odd.value)} {odd.what}{other}")
    lines += _odd_names(review.submission)
    taken = list(_taken_places(review))
    if lines or taken:
        yield "## Duplicates and look-alikes"
        yield "\n".join(taken)
        yield _bullets(lines, _ROWS)


def _taken_places(review: Review) -> Iterator[str]:
    if former := review.former_id:
        name = f", for {code(former.name)}" if former.name else ""
        yield (
            f"- snapshots up to {former.last_day} list this id{name}. Pages show that history as "
            "this submission's. Ask for another id, unless the same submitter returns."
        )
    if review.joins:
        others = first_of(review.joins, _SUBMISSIONS, show=code)
        yield (
            f"- its id and card put it in the sweep of {others}, and in the charts "
            "on their pages. Only their submitter should add to it."
        )


def _bullets(lines: Sequence[str], most: int) -> str:
    shown = list(lines[:most])
    if len(lines) > most:
        shown.append(f"- and {len(lines) - most:,} more")
    return "\n".join(shown)


def _spelled_out(alike: LookAlike) -> str:
    """The characters of a name that looks the same as another."""
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
    ordered = sorted(grouped(review.problems), key=lambda problem: not problem.is_error)
    lines = [f"- {problem.severity}: {code(str(problem), _LONG)}" for problem in ordered]
    yield _bullets(lines, _PROBLEMS) or "None."
    if review.old_problems:
        yield f"The base has {counted(review.old_problems, 'problem')} of its own."
