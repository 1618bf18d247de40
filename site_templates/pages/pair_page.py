"""The page of a pair: two submissions on the same cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from leaderboard.board.comparison import Paired
from leaderboard.ids import WHOLE
from leaderboard.results import incomplete
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import at
from site_templates.links import COMPARE_PATH, Link
from site_templates.page_head import Head, page_head
from site_templates.parts.bars import stretches
from site_templates.parts.named_links import (
    document,
    nature,
    to_category,
    to_submission,
    to_suite,
)
from site_templates.parts.pairs.comparison_words import (
    counting_rule,
    verdict_in_words,
    weighting_effect,
    win_rate_in_words,
)
from site_templates.parts.pairs.pair_cases import pair_groups
from site_templates.parts.pairs.pair_figures import cost, same_answers
from site_templates.parts.pairs.pair_pages import Pair
from site_templates.parts.pairs.pair_view import (
    COST,
    NAME,
    SAME,
    DifferenceMark,
    PairLine,
    PairView,
)

_EXTENTS: Final = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # possible ends of an axis of differences
_GAP: Final = "Smallest detectable difference of this pair"


@dataclass(frozen=True, slots=True)
class PairPage:
    """Model of compare/<suite>/<a>--<b>.html."""

    head: Head
    pair: PairView


def pair_page(index: BoardIndex, suite: Suite, pair: Pair) -> PairPage:
    """The page that compares two submissions on a suite that both have taken."""
    first, second = pair
    comparison = index.board.comparisons[suite.id].compare(first.id, second.id)
    whole = comparison.whole
    extent = _extent(comparison.lines)
    gap = min(whole.detectable or 0.0, extent)
    sizes = (whole.both, whole.only_first, whole.only_second, whole.neither)
    parts = zip(("kp", "ka", "kb", "kn"), sizes, strict=True)
    verdict = f"{verdict_in_words(whole)}."
    names = " and ".join(index.names.of(submission.id, NAME) for submission in pair)
    title = formatting.clip(suite.title, NAME)
    head = page_head(
        index,
        index.paths.pair(suite.id, first.id, second.id),
        f"{names} on {title} ({first.id}, {second.id})",
        f"Two submissions on the same {counted(whole.shared, 'case')} of {title}: {verdict}",
        section="Compare",
        crumbs=[Link("Compare", COMPARE_PATH), Link(names)],
        json=index.paths.pair_data(suite.id, first.id, second.id),
    )
    view = PairView(
        suite=to_suite(index, suite),
        first=to_submission(index, first, NAME),
        second=to_submission(index, second, NAME),
        said=_unbroken(verdict),
        parted=_parted(whole),
        counted=" ".join(filter(None, (counting_rule(comparison), weighting_effect(comparison)))),
        answered=_answered(index, suite, pair),
        ranked=_ranked(index, suite, pair),
        judged=tuple(_judged(index, suite, pair, whole)),
        preferred=_preferred(index, suite, pair),
        parts=stretches(parts),
        facts=_facts(index, suite, pair, whole),
        command=f"lb compare {first.id} {second.id} --suite {suite.id}",
        methodology=document(index, "methodology"),
        lines=tuple(_line(index, suite, line, extent) for line in comparison.lines),
        ticks=_ticks(extent),
        band=(at(0.5 - gap / 2 / extent), at(gap / extent)),
        groups=pair_groups(index, suite, pair),
        free=index.paths.free_pair(suite.id, first.id, second.id),
    )
    return PairPage(head, view)


def _unbroken(sentence: str) -> str:
    """The sentence with spaces in "A − B", "p = 0.07" and "95 %" at which no line ends."""
    together = sentence.replace(" − ", "\u00a0−\u00a0").replace("p = ", "p\u00a0=\u00a0")
    return together.replace(" %", f"{formatting.NARROW}%")


def _parted(whole: Paired) -> str:
    """How many cases only one of the two passes."""
    differing = whole.only_first + whole.only_second
    shared = counted(whole.shared, "case")
    if not differing:
        return ""
    verb = "is" if differing == 1 else "are"
    return (
        f"Of the {shared} with a score for both, {differing:,} {verb} passed by only one of them: "
        f"{whole.only_first:,} by A, {whole.only_second:,} by B."
    )


def _answered(index: BoardIndex, suite: Suite, pair: Pair) -> str:
    """Which of the two has unanswered cases."""
    parts = [index.answered_part(submission.id, suite.id) for submission in pair]
    return incomplete([f"{name}: {part}" for name, part in zip("AB", parts, strict=True) if part])


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
    """What readers must know about the decisions, in sentences: reported scores, a judge's part."""
    if suite.kind.reported:
        yield suite.kind.about_truth
    scores = [index.judged_score(submission.id, suite.id) for submission in pair]
    quality = next((score.quality for score in scores if score), None)
    if quality is None:
        return
    differing = counted(_differing(index, suite, pair), "case")
    if not whole.judged:
        yield f"A judge decided none of the {differing} with different scores."
        return
    yield f"A judge decided {whole.judged:,} of the {differing} with different scores."
    for letter, score in zip("AB", scores, strict=True):
        yield f"{letter}: {score.brief if score else 'no judge'}."
    yield quality.said


def _differing(index: BoardIndex, suite: Suite, pair: Pair) -> int:
    """How many cases have different scores."""
    first, second = (index.board.comparisons[suite.id].levels[s.id] for s in pair)
    return sum(None not in (a, b) and a != b for a, b in zip(first, second, strict=True))


def _preferred(index: BoardIndex, suite: Suite, pair: Pair) -> str:
    """Whose answers the judges prefer; "" if none was asked."""
    prefer = index.board.comparisons[suite.id].prefer
    preferences = prefer(pair[0].id, pair[1].id) if prefer else None
    if preferences is None:
        return ""
    names = [f"{judge.name} ({nature(judge)})" for judge in index.board.judges]
    counts = [f"A in {preferences.count('first'):,}", f"B in {preferences.count('second'):,}"]
    counts.append(f"tied in {preferences.count('tie'):,}")
    if preferences.count("open"):
        counts.append(f"waiting for a judge in {preferences.count('open'):,}")
    rate = win_rate_in_words(preferences).replace(" %", f"{formatting.NARROW}%")
    return (
        f"Preferred, of {counted(len(preferences.cases), 'case')}: {', '.join(counts)}. "
        f"{formatting.listed(names)} decided {preferences.decided:,} of them. No judge is asked "
        f"where only one answered or solved the case. Win rate of A: {rate}. "
        "No score depends on this."
    )


def _facts(
    index: BoardIndex, suite: Suite, pair: Pair, whole: Paired
) -> tuple[tuple[str, str], ...]:
    gap = formatting.NONE
    if whole.detectable is not None:
        points = formatting.detectable(whole.detectable)
        gap = f"{points} points, for one pair alone, at 80{formatting.NARROW}% power"
    same, both = same_answers(index, suite, pair)
    first, second = (cost(index, suite, submission) for submission in pair)
    facts = [(_GAP, gap), (SAME, f"{same:,} of {both:,}")]
    if first or second:
        facts.append((COST, f"A {first or formatting.NONE}, B {second or formatting.NONE}"))
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
