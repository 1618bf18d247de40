"""Two submissions on the same cases: the page of a pair, and the page that compares any two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.board.comparison import Paired, Standing
from leaderboard.reasons import REASONS
from leaderboard.types import Case, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.board_rows import WHOLE, Answer
from site_templates.figures.axis import at
from site_templates.links import Link
from site_templates.page_head import Head, page_head
from site_templates.parts.bars import Stretch, stretches
from site_templates.parts.case_answers import brief
from site_templates.parts.comparison_words import (
    counting_rule,
    verdict_in_words,
    weighting_effect,
    win_rate_in_words,
)
from site_templates.parts.named_links import label, nature, to_category, to_submission, to_suite
from site_templates.parts.pair_figures import QUERY, cost, same_answers, standing
from site_templates.parts.pair_pages import Pair, comparable

_NAME: Final = 60  # characters of a name
_LISTED: Final = 100  # pairs in the list of a suite
_EXTENTS: Final = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # possible ends of an axis of differences

_GAP: Final = "Smallest detectable difference of this pair"
_SAME: Final = "Identical answers"
_COST: Final = "Cost per 1,000 cases, as reported"

# A comparison without cases, in the form that the script fills in.
_NOTHING: Final = Paired(WHOLE, 0, 0, 0, 0, 0, 0, 0)

# The lists of cases: the anchor, the title, and how many cases the page of a pair shows.
GROUPS: Final[Mapping[Standing, tuple[str, str, int]]] = {
    "first": ("only-a", "Only A right", 12),
    "second": ("only-b", "Only B right", 12),
    "neither": ("both-wrong", "Both wrong", 6),
    "both": ("both-right", "Both right", 6),
    "unscored": ("unscored", "Left out: unscored for one of them", 6),
}


@dataclass(frozen=True, slots=True)
class DifferenceMark:
    """A difference with its interval on the axis. `open`: it is not significant."""

    low: str
    high: str
    at: str
    open: bool


@dataclass(frozen=True, slots=True)
class PairLine:
    """The comparison on one category, or on the whole suite."""

    link: Link
    paired: Paired
    mark: DifferenceMark | None = None


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The answer of one of the two to a case: its sign (p, f, u) and word, its text, and why.

    `path` leads to the answer on the page of the case.
    """

    sign: str = "p"
    word: str = ""
    answer: str = ""
    why: str = ""
    code: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class PairCase:
    """A case with the answers of both."""

    link: Link
    category: str
    query: str
    first: PairAnswer
    second: PairAnswer


@dataclass(frozen=True, slots=True)
class PairGroup:
    """Cases with the same outcome. `rows` are the first of them, `count` counts all."""

    anchor: str
    title: str
    count: int
    rows: tuple[PairCase, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """A comparison, ready to print. Without values it is a form that the script fills in.

    - `parts`: both right, only the first, only the second, neither.
    - `counted`: how cases with part scores or several trials count, if there are any.
    - `answered`: which of the two has unanswered cases, if any.
    - `judged`: how many of the cases with different scores a judge decided, and what corrects
      the scores, or that they are only reported; empty if rules decided everything.
    - `preferred`: whose answers the judges prefer, if they were asked.
    - `ticks`: labels of the axis at 0, 25, 50, 75 and 100 %.
    - `band`: (x, width) of the differences that are too small to detect.
    - `free`: the address of the same comparison on the page with the script.
    """

    suite: Link
    first: Link
    second: Link
    facts: tuple[tuple[str, str], ...]
    lines: tuple[PairLine, ...]
    groups: tuple[PairGroup, ...]
    parts: tuple[Stretch, ...] = tuple(map(Stretch, ("kp", "ka", "kb", "kn")))
    ticks: tuple[str, ...] = ("",) * 5
    band: tuple[str, str] = ("0%", "0%")
    said: str = ""
    parted: str = ""
    counted: str = ""
    answered: str = ""
    ranked: str = ""
    judged: tuple[str, ...] = ()
    preferred: str = ""
    command: str = ""
    free: str = ""


@dataclass(frozen=True, slots=True)
class PairPage:
    """Model of compare/<suite>/<a>--<b>.html."""

    head: Head
    pair: PairView


@dataclass(frozen=True, slots=True)
class PairList:
    """The pairs of a suite that have a page. `more` counts those that are not listed."""

    suite: Link
    rows: tuple[tuple[Link, Paired], ...]
    more: int


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Model of compare/index.html. The form offers `choices` and `suites` (value, label).

    It opens on the values `first` and `second`: the two best of the first suite.
    """

    head: Head
    first: str
    second: str
    choices: tuple[tuple[str, str], ...]
    suites: tuple[tuple[str, str], ...]
    blank: PairView
    lists: tuple[PairList, ...]


# ---------------------------------------------------------------- the page of a pair


def pair_page(index: BoardIndex, suite: Suite, pair: Pair) -> PairPage:
    """The page that compares two submissions on a suite that both have taken."""
    first, second = pair
    found = index.board.comparisons[suite.id].compare(first.id, second.id)
    whole = found.whole
    extent = _extent(found.lines)
    gap = min(whole.smallest_gap or 0.0, extent)
    sizes = (whole.both, whole.only_first, whole.only_second, whole.neither)
    parts = zip(("kp", "ka", "kb", "kn"), sizes, strict=True)
    said = f"{verdict_in_words(whole)}."
    names = " and ".join(formatting.clip(submission.card.name, _NAME) for submission in pair)
    title = formatting.clip(suite.title, _NAME)
    head = page_head(
        index,
        index.paths.pair(suite.id, first.id, second.id),
        f"{names} on {title} ({first.id}, {second.id})",
        f"Two submissions on the same {whole.shared:,} cases of {title}: {said}",
        section="Compare",
        crumbs=[Link("Compare", "compare/index.html"), Link(names)],
        json=index.paths.pair_data(suite.id, first.id, second.id),
    )
    view = PairView(
        suite=to_suite(index, suite),
        first=to_submission(index, first, _NAME),
        second=to_submission(index, second, _NAME),
        said=said,
        parted=_parted(whole),
        counted=" ".join(text for text in (counting_rule(found), weighting_effect(found)) if text),
        answered=_answered(index, suite, pair),
        ranked=_ranked(index, suite, pair),
        judged=tuple(_judged(index, suite, pair, whole)),
        preferred=_preferred(index, suite, pair),
        parts=stretches(parts),
        facts=_facts(index, suite, pair, whole),
        command=f"lb compare {first.id} {second.id} --suite {suite.id}",
        lines=tuple(_line(index, suite, line, extent) for line in found.lines),
        ticks=_ticks(extent),
        band=(at(0.5 - gap / 2 / extent), at(gap / extent)),
        groups=_groups(index, suite, pair),
        free=index.paths.free_pair(suite.id, first.id, second.id),
    )
    return PairPage(head, view)


def _parted(whole: Paired) -> str:
    """How many cases only one of the two passes."""
    differing = whole.only_first + whole.only_second
    shared = formatting.count(whole.shared, "case")
    if not differing:
        return ""
    verb = "is" if differing == 1 else "are"
    return (
        f"Of the {shared} with a score for both, {differing:,} {verb} passed by only one of them: "
        f"{whole.only_first:,} by A, {whole.only_second:,} by B."
    )


def _answered(index: BoardIndex, suite: Suite, pair: Pair) -> str:
    """Which of the two has unanswered cases."""
    parts = []
    for letter, submission in zip("AB", pair, strict=True):
        score = index.score(submission.id, suite.id)
        if score and score.missing:
            parts.append(f"{letter} {score.answered}")
    return f"Incomplete: {', '.join(parts)}. An unanswered case counts as wrong." if parts else ""


def _ranked(index: BoardIndex, suite: Suite, pair: Pair) -> str:
    """The ranks of the two, if both have one."""
    first, second = (formatting.rank(index.rank(s.id, suite.id)) for s in pair)
    if not first or not second:
        return ""
    return (
        "This is a single test. The ranking corrects for many tests (Holm): "
        f"there A has rank {first}, B {second}."
    )


def _judged(index: BoardIndex, suite: Suite, pair: Pair, whole: Paired) -> Iterator[str]:
    """What readers must know of the decisions, in sentences: reported scores, a judge's part."""
    if suite.kind.reported:
        yield suite.kind.about_truth
    scores = [index.judged_score(submission.id, suite.id) for submission in pair]
    quality = next((score.quality for score in scores if score), None)
    if quality is None:
        return
    differing = formatting.count(_differing(index, suite, pair), "case")
    if not whole.judged:
        yield f"A judge decided none of the {differing} with different scores."
        return
    yield f"A judge decided {whole.judged:,} of the {differing} with different scores."
    for letter, score in zip("AB", scores, strict=True):
        yield f"{letter}: {score.brief if score else 'no judge'}."
    yield quality.said


def _differing(index: BoardIndex, suite: Suite, pair: Pair) -> int:
    """How many cases have different scores, without categories that do not count in the suite."""
    first, second = (index.board.comparisons[suite.id].levels[s.id] for s in pair)
    counted = {category.id for category in suite.categories if category.weight > 0}
    return sum(
        case.category in counted and None not in (a, b) and a != b
        for case, a, b in zip(suite.cases, first, second, strict=True)
    )


def _preferred(index: BoardIndex, suite: Suite, pair: Pair) -> str:
    """Whose answers the judges prefer; "" if none was asked."""
    prefer = index.board.comparisons[suite.id].prefer
    found = prefer(pair[0].id, pair[1].id) if prefer else None
    if found is None:
        return ""
    judged = sum(case.judged for case in found.cases)
    names = [f"{judge.name} ({nature(judge)})" for judge in index.board.judges]
    counts = [f"A in {found.count('first'):,}", f"B in {found.count('second'):,}"]
    counts.append(f"tied in {found.count('tie'):,}")
    if found.count("open"):
        counts.append(f"waiting for a judge in {found.count('open'):,}")
    rate = win_rate_in_words(found).replace(" %", f"{formatting.NARROW}%")
    return (
        f"Preferred, of {formatting.count(len(found.cases), 'case')}: {', '.join(counts)}. "
        f"{formatting.listed(names)} decided {judged:,} of them. In the others only one answered "
        f"or solved the case. Win rate of A: {rate}. No score depends on this."
    )


def _facts(
    index: BoardIndex, suite: Suite, pair: Pair, whole: Paired
) -> tuple[tuple[str, str], ...]:
    gap = formatting.NONE
    if whole.smallest_gap is not None:
        points = formatting.points(whole.smallest_gap)
        gap = f"{points} points, for one pair alone, at 80{formatting.NARROW}% power"
    same, both = same_answers(index, suite, pair)
    first, second = (cost(index, suite, submission) for submission in pair)
    facts = [(_GAP, gap), (_SAME, f"{same:,} of {both:,}")]
    if first or second:
        facts.append((_COST, f"A {first or formatting.NONE}, B {second or formatting.NONE}"))
    return tuple(facts)


# ---------------------------------------------------------------- differences on an axis


def _extent(lines: Iterable[Paired]) -> float:
    """The end of the axis: the first round difference that no interval exceeds."""
    most = 0.0
    for line in lines:
        for limit in (line.low, line.high, line.difference):
            most = max(most, abs(limit or 0.0))
    return next((extent for extent in _EXTENTS if most <= extent), _EXTENTS[-1])


def _ticks(extent: float) -> tuple[str, ...]:
    half = 50 * extent
    return (f"−{2 * half:g}", f"−{half:g}", "0", f"+{half:g}", f"+{2 * half:g}")


def _line(index: BoardIndex, suite: Suite, paired: Paired, extent: float) -> PairLine:
    link = Link(f"All of {suite.title}", index.paths.suite(suite.id))
    if paired.category != WHOLE:
        link = to_category(index, suite, suite.category(paired.category))
    return PairLine(link, paired, _mark(paired, extent))


def _mark(line: Paired, extent: float) -> DifferenceMark | None:
    if line.difference is None:
        return None
    low = line.difference if line.low is None else line.low
    high = line.difference if line.high is None else line.high
    left, right, dot = (at((x + extent) / 2 / extent) for x in (low, high, line.difference))
    return DifferenceMark(left, right, dot, open=not line.told_apart)


# ---------------------------------------------------------------- case by case


def _groups(index: BoardIndex, suite: Suite, pair: Pair) -> tuple[PairGroup, ...]:
    comparisons = index.board.comparisons[suite.id]
    first, second = (comparisons.levels[submission.id] for submission in pair)
    cases: dict[Standing, list[Case]] = {name: [] for name in GROUPS}
    for case, a, b in zip(suite.cases, first, second, strict=True):
        cases[standing(comparisons, a, b)].append(case)
    given = [index.by_case(submission.id, suite.id) for submission in pair]
    groups = []
    for name, (anchor, title, shown) in GROUPS.items():
        if cases[name] or name != "unscored":
            rows = tuple(_case(index, suite, case, given) for case in cases[name][:shown])
            groups.append(PairGroup(anchor, title, len(cases[name]), rows))
    return tuple(groups)


def _case(
    index: BoardIndex, suite: Suite, case: Case, given: Iterable[Mapping[str, Sequence[Answer]]]
) -> PairCase:
    first, second = (answers.get(case.id, ()) for answers in given)
    return PairCase(
        link=Link(formatting.clip(case.id, 60), index.paths.case(suite.id, case.id)),
        category=label(suite.category(case.category)),
        query=formatting.clip(case.query, QUERY),
        first=_pair_answer(index, suite, case, first),
        second=_pair_answer(index, suite, case, second),
    )


def _pair_answer(
    index: BoardIndex, suite: Suite, case: Case, answers: Sequence[Answer]
) -> PairAnswer:
    """The answers of a submission to a case in all trials. The text is that of the first."""
    if not answers:
        return PairAnswer("u", "unscored", why="not answered")
    scored = [answer for answer in answers if answer.outcome != "unscored"]
    passed = sum(answer.outcome == "pass" for answer in answers)
    sign, word = "f", "fail"
    if not scored:
        sign, word = "u", "unscored"
    elif passed == len(scored):
        sign, word = "p", "pass"
    if len(answers) > 1:
        word = f"{passed} of {len(answers)} trials pass"
    reasons = list(dict.fromkeys(answer.reason for answer in answers))
    why = [REASONS.get(reason, formatting.words(reason)) for reason in reasons]
    first = answers[0]
    return PairAnswer(
        sign=sign,
        word=word,
        answer=brief(first.response),
        why=formatting.listed(why),
        code=", ".join(reasons),
        path=index.paths.answer(suite.id, case.id, first.submission.id, first.trial),
    )


# ---------------------------------------------------------------- any two


def compare_page(index: BoardIndex, pairs: Mapping[str, Sequence[Pair]]) -> ComparePage:
    """The page that compares any two. `pairs` are those with a page of their own, by suite."""
    suites = comparable(index)
    comparisons = index.board.comparisons
    taken = {name for suite in suites for name in comparisons[suite.id].levels}
    # The form opens on the first suite, so its takers come first.
    first = comparisons[suites[0].id].levels
    chosen = [submission for submission in index.submissions if submission.id in taken]
    chosen.sort(key=lambda submission: (submission.id not in first, submission.is_baseline))
    names = [formatting.clip(submission.card.name, _NAME) for submission in chosen]
    often = Counter(names)
    choices = []
    for name, submission in zip(names, chosen, strict=True):
        unique = name if often[name] == 1 else f"{name} ({submission.id})"
        choices.append((index.paths.submissions[submission.id], unique))

    ranked = [s for s in index.takers(suites[0].id) if s.id in first]
    ranked.sort(key=lambda submission: submission.is_baseline)
    best, next_best = (index.paths.submissions[submission.id] for submission in ranked[:2])
    head = page_head(
        index,
        "compare/index.html",
        "Compare two submissions",
        "Any two submissions on the same cases: who passes what, the difference and its interval.",
        section="Compare",
        crumbs=[Link("Compare")],
    )
    named = [(index.paths.suites[s.id], formatting.clip(s.title, _NAME)) for s in suites]
    lists = tuple(_list(index, suite, pairs[suite.id]) for suite in suites)
    return ComparePage(
        head, best, next_best, tuple(choices), tuple(named), _blank(index, suites[0]), lists
    )


def _list(index: BoardIndex, suite: Suite, pairs: Sequence[Pair]) -> PairList:
    rows = []
    for first, second in pairs[:_LISTED]:
        names = [formatting.clip(submission.card.name, _NAME) for submission in (first, second)]
        link = Link(" and ".join(names), index.paths.pair(suite.id, first.id, second.id))
        whole = index.board.comparisons[suite.id].compare(first.id, second.id).whole
        rows.append((link, whole))
    return PairList(to_suite(index, suite), tuple(rows), len(pairs) - len(rows))


def _blank(index: BoardIndex, suite: Suite) -> PairView:
    """A comparison without values, which the script fills in."""
    link = Link("", index.paths.suite(suite.id))
    answer = PairAnswer(path=index.paths.suite(suite.id))
    row = PairCase(link, "", "", answer, answer)
    groups = [PairGroup(anchor, title, 0, (row,)) for anchor, title, _ in GROUPS.values()]
    return PairView(
        suite=link,
        first=link,
        second=link,
        facts=((_SAME, ""), (_COST, "")),
        lines=(PairLine(link, _NOTHING),),
        groups=tuple(groups),
    )
