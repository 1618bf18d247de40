"""The page that compares any two submissions, and lists the pairs with a page of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.board.comparison import Paired
from leaderboard.ids import WHOLE
from leaderboard.types import Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import beside
from site_templates.links import COMPARE_PATH, Link
from site_templates.page_head import Head, page_head
from site_templates.parts.named_links import to_suite
from site_templates.parts.pairs.pair_cases import GROUPS, PairAnswer, PairCase, PairGroup
from site_templates.parts.pairs.pair_pages import Pair, comparable, compared_on
from site_templates.parts.pairs.pair_view import COST, NAME, SAME, PairLine, PairView

_LISTED: Final = 100  # pairs in the list of a suite

# A comparison without cases, in the form that the script fills in.
_NOTHING: Final = Paired(WHOLE, 0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class PairList:
    """The pairs of a suite that have a page: its path, both names, and the comparison.

    `more` counts those that are not listed.

    `baselines` is whether a model or agent is compared with a baseline.
    """

    suite: Link
    rows: tuple[tuple[str, str, str, Paired], ...]
    more: int
    baselines: bool

    @property
    def some_disagree(self) -> bool:
        """Whether a significant difference has an interval that includes 0."""
        return any(whole.test_and_interval_disagree for *_, whole in self.rows)


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Model of compare/index.html. The form offers `choices` and `suites` (value, label).

    It opens on the values `first` and `second`: a pair of the first suite, with a page if
    there is one.
    """

    head: Head
    first: str
    second: str
    choices: tuple[tuple[str, str], ...]
    suites: tuple[tuple[str, str], ...]
    blank: PairView
    lists: tuple[PairList, ...]


def compare_page(index: BoardIndex, pairs: Mapping[str, Sequence[Pair]]) -> ComparePage:
    """The page that compares any two. `pairs` are those with a page of their own, by suite."""
    suites = comparable(index)
    comparisons = index.board.comparisons
    taken = {name for suite in suites for name in comparisons[suite.id].levels}
    chosen = [submission for submission in index.submissions if submission.id in taken]
    chosen.sort(key=lambda submission: (submission.is_baseline, submission.card.name.casefold()))
    choices = [(index.paths.submissions[s.id], index.names.of(s.id, NAME)) for s in chosen]

    opened = next(iter(pairs[suites[0].id]), compared_on(index, suites[0])[:2])
    first, second = (index.paths.submissions[submission.id] for submission in opened)
    head = page_head(
        index,
        COMPARE_PATH,
        "Compare two submissions",
        "Any two submissions on the same cases: who passes what, the difference and its interval.",
        section="Compare",
        crumbs=[Link("Compare")],
        json="data/compare.json",
        tables=beside("These pairs", "data/compare.json"),
    )
    named = [(index.paths.suites[s.id], formatting.clip(s.title, NAME)) for s in suites]
    lists = tuple(_list(index, suite, pairs[suite.id]) for suite in suites if pairs[suite.id])
    return ComparePage(
        head, first, second, tuple(choices), tuple(named), _blank(index, suites[0]), lists
    )


def _list(index: BoardIndex, suite: Suite, pairs: Sequence[Pair]) -> PairList:
    rows = []
    for first, second in pairs[:_LISTED]:
        a, b = (index.names.of(submission.id, NAME) for submission in (first, second))
        path = index.paths.pair(suite.id, first.id, second.id)
        whole = index.board.comparisons[suite.id].compare(first.id, second.id).whole
        rows.append((path, a, b, whole))
    baselines = any(first.is_baseline != second.is_baseline for first, second in pairs)
    return PairList(to_suite(index, suite), tuple(rows), len(pairs) - len(rows), baselines)


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
        facts=((SAME, ""), (COST, "")),
        lines=(PairLine(link, _NOTHING),),
        groups=tuple(groups),
    )
