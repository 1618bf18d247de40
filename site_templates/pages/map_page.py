"""The map of a category: a row for each case, a column for each submission, a link in each cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Final

from leaderboard.types import Category, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer
from site_templates.links import Link
from site_templates.page_head import Head, page_head
from site_templates.parts.cases_by_difficulty import RatedCase, hardest_first
from site_templates.parts.named_links import SUITES, noun_of, to_category, to_submission, to_suite

_COLUMNS: Final = 50  # submissions
_ROWS: Final = 100  # cases of a page
_NAME: Final = 28  # characters of a name
_SIGNS: Final = {"pass": "✓", "fail": "✕", "unscored": "?"}


@dataclass(frozen=True, slots=True)
class MapCell:
    """The answers of a submission to a case. `tone` is p, f, u or, for differing trials, m.

    Without an answer, `path` is "".
    """

    sign: str
    tone: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class MapRow:
    """A case, and a cell for each column."""

    link: Link
    passed: str
    cells: tuple[MapCell, ...]


@dataclass(frozen=True, slots=True)
class MapPage:
    """Model of maps/<suite>/<category>.html and its further pages.

    `left_out` is the number of submissions without a column. `pages` are links to all pages.
    """

    head: Head
    category: Link
    group: str
    columns: tuple[Link, ...]
    rows: tuple[MapRow, ...]
    left_out: int
    pages: tuple[Link, ...]
    mixed: bool
    reported: bool


def map_pages(index: BoardIndex, suite: Suite, category: Category) -> Iterator[MapPage]:
    """The pages of a category's map; none with fewer than two submissions."""
    field = index.field(suite.id, category.id)
    if len(field) < 2:
        return
    shown = field[:_COLUMNS]
    columns = {one.id: to_submission(index, one, _NAME) for one in shown}
    cases = hardest_first(index, suite, category, field)
    parts = [cases[start : start + _ROWS] for start in range(0, len(cases), _ROWS)]
    pages = []
    for number in range(1, len(parts) + 1):
        last = min(number * _ROWS, len(category.cases))
        label = f"{(number - 1) * _ROWS + 1:,}–{last:,}"
        pages.append(Link(label, index.paths.case_map(suite.id, category.id, number)))

    link = to_category(index, suite, category)
    for number, part in enumerate(parts, 1):
        place = f", cases {pages[number - 1].label}" if len(parts) > 1 else ""
        crumbs = [SUITES, to_suite(index, suite), link, Link("Map")]
        head = page_head(
            index,
            index.paths.case_map(suite.id, category.id, number),
            f"Map of {link.label}, {formatting.clip(suite.title, 60)}{place}",
            f"Who passes which case of {category.title}, with a link to every answer{place}.",
            section="Suites",
            crumbs=crumbs,
            json=index.paths.category_data(suite.id, category.id),
        )
        rows = tuple(_row(index, suite, rated, columns) for rated in part)
        yield MapPage(
            head=head,
            category=link,
            group=noun_of(field),
            columns=tuple(columns.values()),
            rows=rows,
            left_out=len(field) - len(shown),
            pages=tuple(pages) if len(pages) > 1 else (),
            mixed=any("/" in cell.sign for row in rows for cell in row.cells),
            reported=suite.kind.reported,
        )


def _row(index: BoardIndex, suite: Suite, rated: RatedCase, columns: Mapping[str, Link]) -> MapRow:
    # The answers are in the order of the columns.
    shown = takewhile(lambda answer: answer.submission.id in columns, rated.answers)
    cells = {
        name: _cell(index, suite, rated.case.id, list(answers))
        for name, answers in groupby(shown, key=attrgetter("submission.id"))
    }
    return MapRow(
        link=Link(formatting.clip(rated.case.id, 40), index.paths.case(suite.id, rated.case.id)),
        passed=f"{rated.passed:,} of {rated.of:,}",
        cells=tuple(cells.get(name, MapCell(formatting.NONE, "x")) for name in columns),
    )


def _cell(index: BoardIndex, suite: Suite, case: str, answers: Sequence[Answer]) -> MapCell:
    first = answers[0]
    path = index.paths.answer(suite.id, case, first.submission.id, first.trial)
    outcomes = [answer.outcome for answer in answers]
    if len(set(outcomes)) == 1:
        return MapCell(_SIGNS[first.outcome], first.outcome[0], path)
    return MapCell(f"{outcomes.count('pass')}/{len(outcomes)}", "m", path)
