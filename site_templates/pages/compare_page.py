"""Two submissions on the same cases: the page of a pair, and the page on which any two are compared by the script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.board.comparison import Comparison, Paired, Standing
from leaderboard.reasons import REASONS
from leaderboard.types import Case, Response, Submission, Suite
from site_templates import formatting, page_frame
from site_templates.board import Sheet
from site_templates.board_index import Answer, Register, label
from site_templates.figures.axis import at
from site_templates.links import Link
from site_templates.parts.comparison_words import (
    counting_rule,
    p_value,
    points,
    verdict_in_words,
    weighting_effect,
    win_rate_in_words,
)
from site_templates.parts.judge_labels import nature
from site_templates.parts.pair_pages import Pair, comparable

QUERY: Final = 100  # letters of a case's question
_ANSWER: Final = 90
_GAP: Final = "Smallest difference this pair can tell"
_SAME: Final = "Same answer, word for word"
_COST: Final = "Cost per 1,000 cases, as reported"
_NAME: Final = 60
_EXTENTS: Final = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # where an axis of differences may end
# What stands in a list of cases: its anchor, its title, and how many of them are on the page of a pair.
GROUPS: Final[Mapping[Standing, tuple[str, str, int]]] = {
    "first": ("only-a", "Only A right", 12),
    "second": ("only-b", "Only B right", 12),
    "neither": ("both-wrong", "Both wrong", 6),
    "both": ("both-right", "Both right", 6),
    "unscored": ("unscored", "Left out: unscored for one of them", 6),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the shared cases: how many, their share in words, and its stretch of the bar."""

    count: str
    share: str
    x: str
    width: str
    middle: str
    room: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A difference with its interval on the axis. `open` where it may be none."""

    low: str
    high: str
    at: str
    open: bool


@dataclass(frozen=True, slots=True)
class Line:
    """The comparison on one category, or on the whole suite."""

    link: Link
    whole: bool
    cases: str
    first: str
    second: str
    only_first: str
    only_second: str
    difference: str
    sure: bool
    mark: Mark | None
    p: str
    holm: str


@dataclass(frozen=True, slots=True)
class Did:
    """What one of the two did at a case: its sign (p, f, u) with the word for it, its answer, why it counts as it does."""

    sign: str
    word: str
    answer: str
    why: str
    code: str


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case with what both did."""

    link: Link
    category: str
    query: str
    first: Did
    second: Did


@dataclass(frozen=True, slots=True)
class Group:
    """The cases that fall the same way; `rows` are the first of them, `count` says how many there are."""

    anchor: str
    title: str
    count: int
    rows: tuple[CaseRow, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """A comparison, ready to print. `parts` are both, only the first, only the second, neither.

    `counted` says how a case counts that is neither quite right nor quite wrong, `answered` which of the two lacks answers,
    each where there is need, `preferred` whose answers the judges prefer, where they were asked. `ticks` label the axis' places
    at 0, 25, 50, 75 and 100 %; `band` (x, width) is what these cases cannot tell. `free` is the address of the same with the
    script.
    """

    suite: Link
    first: Link
    second: Link
    said: str
    parted: str
    counted: str
    answered: str
    ranked: str
    preferred: str
    shared: str
    parts: tuple[Part, ...]
    facts: tuple[tuple[str, str], ...]
    command: str
    lines: tuple[Line, ...]
    ticks: tuple[str, ...]
    band: tuple[str, str]
    test: str
    groups: tuple[Group, ...]
    free: str


@dataclass(frozen=True, slots=True)
class PairPage:
    """Model of compare/<suite>/<a>--<b>.html."""

    head: page_frame.Head
    pair: PairView


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair in the list of pairs."""

    page: str
    first: str
    second: str
    difference: str
    bounds: str
    p: str
    sure: bool


@dataclass(frozen=True, slots=True)
class PairList:
    """The pairs of a suite that have a page."""

    suite: Link
    rows: tuple[PairRow, ...]
    more: int


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Model of compare/index.html. The form offers `choices` and `suites` (value, label); `blank` is what it fills in."""

    head: page_frame.Head
    choices: tuple[tuple[str, str], ...]
    suites: tuple[tuple[str, str], ...]
    blank: PairView
    lists: tuple[PairList, ...]


# ---------------------------------------------------------------- the page of a pair


def pair_page(register: Register, suite: Suite, pair: Pair) -> PairPage:
    """The page that compares two submissions on a suite. Raises KeyError for one that has not taken it."""
    first, second = pair
    names = (
        f"{formatting.clip(first.card.name, _NAME)} and {formatting.clip(second.card.name, _NAME)}"
    )
    found = register.board.sheets[suite.id].compare(first.id, second.id)
    title = formatting.clip(suite.title, _NAME)
    head = page_frame.Head(
        path=register.paths.pair(suite.id, first.id, second.id),
        title=f"{names} on {title} ({first.id}, {second.id}): {register.board.title}",
        description=f"Two submissions on the same {found.whole.shared:,} cases of {title}: {verdict_in_words(found.whole)}.",
        section="Compare",
        crumbs=(Link("Board", "index.html"), Link("Compare", "compare/index.html"), Link(names)),
        json=register.paths.pair_data(suite.id, first.id, second.id),
    )
    return PairPage(head, _view(register, suite, pair, found))


def _view(register: Register, suite: Suite, pair: Pair, found: Comparison) -> PairView:
    first, second = pair
    whole = found.whole
    extent = _extent(found.lines)
    gap = min(whole.smallest_gap or 0.0, extent)
    return PairView(
        suite=Link(suite.title, register.paths.suite(suite.id)),
        first=_named(register, first),
        second=_named(register, second),
        said=f"{verdict_in_words(whole)}.",
        parted=_parted(whole),
        counted=" ".join(filter(None, (counting_rule(found), weighting_effect(found)))),
        answered=_answered(register, suite, pair),
        ranked=_ranked(register, suite, pair),
        preferred=_preferred(register, suite, pair),
        shared=f"{whole.shared:,}",
        parts=_parts(whole),
        facts=_facts(register, suite, pair, whole),
        command=f"lb compare {first.id} {second.id} --suite {suite.id}",
        lines=tuple(_line(register, suite, line, extent) for line in found.lines),
        ticks=_ticks(extent),
        band=(at(0.5 - gap / 2 / extent), at(gap / extent)),
        test=whole.test,
        groups=_groups(register, suite, pair),
        free=register.paths.free_pair(suite.id, first.id, second.id),
    )


def _named(register: Register, submission: Submission) -> Link:
    return Link(
        formatting.clip(submission.card.name, _NAME), register.paths.submission(submission.id)
    )


def _parted(whole: Paired) -> str:
    differing = whole.only_first + whole.only_second
    shared = formatting.count(whole.shared, "case")
    if not whole.shared:
        return ""
    if not differing:
        return (
            f"On the {shared} that both have a score for, no case is passed by one of them alone."
        )
    by = f"{whole.only_first:,} by A, {whole.only_second:,} by B"
    verb = "is" if differing == 1 else "are"
    return f"Of the {shared} that both have a score for, {differing:,} {verb} passed by one of them alone: {by}."


def _answered(register: Register, suite: Suite, pair: Pair) -> str:
    """Which of the two has no record for some of the cases; the script says the same."""
    scores = (register.score(submission.id, suite.id) for submission in pair)
    parts = [
        f"{letter} {score.answered}"
        for letter, score in zip("AB", scores, strict=True)
        if score and score.missing
    ]
    return f"Incomplete: {', '.join(parts)}. What is not answered counts as wrong." if parts else ""


def _ranked(register: Register, suite: Suite, pair: Pair) -> str:
    """What the ranking says of the two, where it ranks both."""
    ranks = [formatting.rank(register.rank(s.id, suite.id)) for s in pair]
    return text_of_ranks(*ranks) if all(ranks) else ""


def text_of_ranks(first: str, second: str) -> str:
    """Where the ranking places the two; the script says the same."""
    together = (
        "This is one test, taken alone. In the ranking, where all pairs are tested together (Holm),"
    )
    return f"{together} A holds rank {first}, B {second}."


def _preferred(register: Register, suite: Suite, pair: Pair) -> str:
    """Whose answers are preferred and how many cases were left to the judges for that; nothing where none was asked."""
    prefer = register.board.sheets[suite.id].prefer
    found = None if prefer is None else prefer(pair[0].id, pair[1].id)
    if found is None:
        return ""
    left = sum(case.judged for case in found.cases)
    judges = formatting.listed(
        [f"{judge.name} ({nature(judge)})" for judge in register.board.judges]
    )
    waiting = f", waiting for a judge in {found.count('open'):,}" if found.count("open") else ""
    counts = f"A in {found.count('first'):,}, B in {found.count('second'):,}, tied in {found.count('tie'):,}{waiting}"
    return (
        f"Preferred, of {formatting.count(len(found.cases), 'case')}: {counts}. {left:,} of them were left to {judges}; in the others"
        f" one alone answered, or solved it. Win rate of A: {win_rate_in_words(found).replace(' %', formatting.NARROW + '%')}. No score"
        " rests on this."
    )


def _parts(whole: Paired) -> tuple[Part, ...]:
    parts = []
    before = 0
    for number in (whole.both, whole.only_first, whole.only_second, whole.neither):
        share = number / whole.shared if whole.shared else 0.0
        start = before / whole.shared if whole.shared else 0.0
        parts.append(
            Part(
                f"{number:,}",
                formatting.whole_percent(share),
                at(start),
                at(share),
                at(start + share / 2),
                room=share >= 0.09,
            )
        )
        before += number
    return tuple(parts)


def _facts(
    register: Register, suite: Suite, pair: Pair, whole: Paired
) -> tuple[tuple[str, str], ...]:
    gap = (
        "—"
        if whole.smallest_gap is None
        else f"{points(whole.smallest_gap)} points, at 80{formatting.NARROW}% power"
    )
    same, both = same_answers(register, suite, pair)
    costs = [cost(register, suite, submission) for submission in pair]
    facts = [(_GAP, gap), (_SAME, f"{same:,} of {both:,}")]
    if any(costs):
        facts.append((_COST, f"A {costs[0] or formatting.NONE}, B {costs[1] or formatting.NONE}"))
    return tuple(facts)


def cost(register: Register, suite: Suite, submission: Submission) -> str:
    """What 1,000 cases cost, as "$0.92"; empty where it is not told."""
    usage = register.usage.get((submission.id, suite.id))
    return (
        ""
        if usage is None or usage.cost_usd is None
        else f"${formatting.money(usage.cost_usd * 1000)}"
    )


def same_answers(register: Register, suite: Suite, pair: Pair) -> tuple[int, int]:
    """How many answers of the two are the same to the letter, and how many cases and trials both answered."""
    mine, its = (
        {
            (c.id, a.trial): a.response.key
            for c, a in register.sent.get((s.id, suite.id), ())
            if a.response is not None
        }
        for s in pair
    )
    shared = mine.keys() & its.keys()
    return sum(mine[place] == its[place] for place in shared), len(shared)


# ---------------------------------------------------------------- differences on an axis


def _extent(lines: Iterable[Paired]) -> float:
    """Where the axis ends: the first of a few round differences that no interval goes beyond."""
    limits = [
        abs(limit)
        for line in lines
        for limit in (line.low, line.high, line.difference)
        if limit is not None
    ]
    most = max(limits, default=0.0)
    return next((extent for extent in _EXTENTS if most <= extent), _EXTENTS[-1])


def _ticks(extent: float) -> tuple[str, ...]:
    half = 50 * extent
    return (f"−{2 * half:g}", f"−{half:g}", "0", f"+{half:g}", f"+{2 * half:g}")


def _line(register: Register, suite: Suite, line: Paired, extent: float) -> Line:
    whole = line.category == "*"
    link = (
        Link(f"All of {suite.title}", register.paths.suite(suite.id))
        if whole
        else Link(
            label(suite.category(line.category)), register.paths.category(suite.id, line.category)
        )
    )
    return Line(
        link=link,
        whole=whole,
        cases=f"{line.shared:,}",
        first=formatting.percent(line.first),
        second=formatting.percent(line.second),
        only_first=f"{line.only_first:,}",
        only_second=f"{line.only_second:,}",
        difference=formatting.NONE
        if line.difference is None
        else points(line.difference, signed=True),
        sure=line.told_apart,
        mark=_mark(line, extent),
        p=_p(line.p),
        holm=_p(line.holm),
    )


def _mark(line: Paired, extent: float) -> Mark | None:
    if line.difference is None:
        return None
    ends = [line.difference if limit is None else limit for limit in (line.low, line.high)]
    low, high, middle = (at((value + extent) / 2 / extent) for value in (*ends, line.difference))
    return Mark(low, high, middle, open=not line.told_apart)


def _p(p: float | None) -> str:
    return "" if p is None else p_value(p).removeprefix("p ").removeprefix("= ")


# ---------------------------------------------------------------- case by case


def _groups(register: Register, suite: Suite, pair: Pair) -> tuple[Group, ...]:
    sheet = register.board.sheets[suite.id]
    first, second = (sheet.levels[submission.id] for submission in pair)
    fallen: dict[Standing, list[Case]] = {standing: [] for standing in GROUPS}
    for case, a, b in zip(suite.cases, first, second, strict=True):
        fallen[standing(sheet, a, b)].append(case)
    labels = {category.id: label(category) for category in suite.categories}
    return tuple(
        Group(
            anchor,
            title,
            len(fallen[name]),
            tuple(
                _row(register, suite, case, pair, labels[case.category])
                for case in fallen[name][:shown]
            ),
        )
        for name, (anchor, title, shown) in GROUPS.items()
        if fallen[name] or name != "unscored"
    )


def standing(sheet: Sheet, first: int | None, second: int | None) -> Standing:
    """Who passes a case, by the levels of both."""
    if first is None or second is None:
        return "unscored"
    if first >= sheet.scale:
        return "both" if second >= sheet.scale else "first"
    return "second" if second >= sheet.scale else "neither"


def _row(register: Register, suite: Suite, case: Case, pair: Pair, category: str) -> CaseRow:
    answers = register.answered(suite.id, case.id)
    mine, its = ([a for a in answers if a.submission.id == submission.id] for submission in pair)
    link = Link(formatting.clip(case.id, 60), register.paths.case(suite.id, case.id))
    return CaseRow(link, category, formatting.clip(case.query, QUERY), did(mine), did(its))


def did(answers: Sequence[Answer]) -> Did:
    """What a submission did at a case in all its trials; the answer is that of the first."""
    if not answers:
        return Did("u", "unscored", "", "not answered", "")
    passed = sum(answer.outcome == "pass" for answer in answers)
    scored = [answer for answer in answers if answer.outcome != "unscored"]
    sign = "u" if not scored else "p" if passed == len(scored) else "f"
    word = {"p": "pass", "f": "fail", "u": "unscored"}[sign]
    if len(answers) > 1:
        word = f"{passed} of {len(answers)} trials pass"
    reasons = list(dict.fromkeys(answer.reason for answer in answers))
    return Did(
        sign=sign,
        word=word,
        answer=brief(answers[0].response),
        why=formatting.listed(
            [REASONS.get(reason, formatting.words(reason)) for reason in reasons]
        ),
        code=", ".join(reasons),
    )


def brief(response: Response | None) -> str:
    """An answer on one short line: its calls, or its words; empty where there is none."""
    if response is None:
        return ""
    if response.calls:
        calls = (
            f"{call.name}({', '.join(f'{name}={formatting.shown(value)}' for name, value in call.arguments.items())})"
            for call in response.calls
        )
        return formatting.clip("; ".join(calls), _ANSWER)
    return f"“{formatting.clip(response.text, _ANSWER)}”" if response.text else ""


# ---------------------------------------------------------------- any two


def compare_page(register: Register, pairs: Mapping[str, Sequence[Pair]]) -> ComparePage:
    """The page on which any two are compared; `pairs` are those with a page of their own, by suite."""
    suites = comparable(register)
    head = page_frame.Head(
        path="compare/index.html",
        title=f"Compare two submissions: {register.board.title}",
        description="Any two submissions on the same cases: who passes what, the paired difference, its interval and p-value.",
        section="Compare",
        crumbs=(Link("Board", "index.html"), Link("Compare")),
    )
    taken = {name for suite in suites for name in register.board.sheets[suite.id].levels}
    first = register.board.sheets[
        suites[0].id
    ].levels  # the form opens on the first suite: who took it leads
    chosen = sorted(
        (s for s in register.submissions if s.id in taken),
        key=lambda s: (s.id not in first, s.is_baseline),
    )
    return ComparePage(
        head=head,
        choices=tuple(
            (register.paths.submissions[s.id], f"{formatting.clip(s.card.name, _NAME)} ({s.id})")
            for s in chosen
        ),
        suites=tuple(
            (register.paths.suites[suite.id], formatting.clip(suite.title, _NAME))
            for suite in suites
        ),
        blank=_blank(suites[0], register),
        lists=tuple(_list(register, suite, pairs[suite.id]) for suite in suites),
    )


_LISTED: Final = 100  # pairs in the list of a suite


def _list(register: Register, suite: Suite, pairs: Sequence[Pair]) -> PairList:
    link = Link(suite.title, register.paths.suite(suite.id))
    return PairList(
        link,
        tuple(_pair_row(register, suite, pair) for pair in pairs[:_LISTED]),
        max(len(pairs) - _LISTED, 0),
    )


def _pair_row(register: Register, suite: Suite, pair: Pair) -> PairRow:
    first, second = pair
    whole = register.board.sheets[suite.id].compare(first.id, second.id).whole
    limits = (
        ""
        if whole.low is None or whole.high is None
        else f"{points(whole.low)} to {points(whole.high)}"
    )
    return PairRow(
        page=register.paths.pair(suite.id, first.id, second.id),
        first=formatting.clip(first.card.name, _NAME),
        second=formatting.clip(second.card.name, _NAME),
        difference=formatting.NONE
        if whole.difference is None
        else points(whole.difference, signed=True),
        bounds=limits,
        p=_p(whole.p),
        sure=whole.told_apart,
    )


def _blank(suite: Suite, register: Register) -> PairView:
    """A comparison that says nothing, for the script to fill in."""
    link = Link("", register.paths.suite(suite.id))
    nothing = Did("p", "", "", "", "")
    row = CaseRow(link, "", "", nothing, nothing)
    part = Part("0", "", "0%", "0%", "0%", room=True)
    line = Line(
        link, False, "", "", "", "", "", "", False, Mark("0%", "0%", "0%", open=False), "", ""
    )
    return PairView(
        suite=link,
        first=link,
        second=link,
        said="",
        parted="",
        counted="",
        answered="",
        ranked="",
        preferred="",
        shared="0",
        parts=(part,) * 4,
        facts=tuple((name, "") for name in (_GAP, _SAME, _COST)),
        command="",
        lines=(line,),
        ticks=("", "", "", "", ""),
        band=("0%", "0%"),
        test="",
        groups=tuple(Group(anchor, title, 0, (row,)) for anchor, title, _ in GROUPS.values()),
        free="",
    )
