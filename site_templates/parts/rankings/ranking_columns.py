"""The columns of a ranking, each described once.

The heads, the cells, the column chooser, the notes below the table, the rows as data and the
script follow from these records. To add a column, add a field to `RowFacts`, a record to `PLAIN`,
and fill the field where the rankings make `RowFacts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from site_templates import formatting
from site_templates.figures.scatter_names import width_of

# Widths of a label's longest word that fit into two and three tenths of a phone's screen, in the
# units of `width_of`.
_TWO_TENTHS: Final = 72.0
_THREE_TENTHS: Final = 115.0


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What the plain columns of a row show. Shares are 0..1; None means not known."""

    judged_share: float | None
    judged_cases: str  # the list of the answers that a judge decided
    cost_per_1000: float | None  # US dollars per 1,000 cases
    latency_s: float | None
    date: str


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column after the score: a column of scores, or a plain one with a `text`.

    - `key`: its name in the address when the table is sorted by it, and its head in CSV. Those of
      columns of scores begin with "cat." or "suite.", so that no id is the key of another column.
    - `unit`: the small line below the heading, such as a number of cases.
    - `label`: its name beside a value where rows are cards.
    - `rising`: the first click puts the smallest value first.
    - `weight`: its share in the ranked score, which a reader may change.
    - `reported`: submitters report it; the board does not measure it.
    - `link`: the path of the answers that a value counts. A column with links is shown only if some
      row has one.
    """

    key: str
    heading: str
    unit: str
    label: str
    rising: bool = False
    weight: str | None = None
    reported: bool = False
    printed: bool = True
    text: Callable[[RowFacts], str] | None = None
    link: Callable[[RowFacts], str] | None = None

    @property
    def help(self) -> str:
        return "as the submitter reports it" if self.reported else ""

    @property
    def room(self) -> str:
        """The class of cells whose label has a word too long for the usual width on a phone."""
        return _room(self.label)


PLAIN: Final = (
    TableColumn(
        key="judged",
        heading="Judged",
        unit="",
        label="Judged",
        text=lambda facts: formatting.whole_percent(facts.judged_share),
        link=lambda facts: facts.judged_cases if facts.judged_share else "",
    ),
    TableColumn(
        key="cost",
        heading="Cost",
        unit="$ / 1,000",
        label="$ per 1,000",
        rising=True,
        reported=True,
        text=lambda facts: formatting.number(facts.cost_per_1000),
    ),
    TableColumn(
        key="latency",
        heading="Latency",
        unit="median, s",
        label="Latency, s",
        rising=True,
        reported=True,
        text=lambda facts: formatting.number(facts.latency_s),
    ),
    TableColumn(
        key="date",
        heading="Date",
        unit="",
        label="Date",
        reported=True,
        printed=False,
        text=lambda facts: facts.date,
    ),
)


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns that a reader shows and hides together, with one checkbox.

    `slot` numbers the rule of the stylesheet that hides them. `heading` is written above the
    columns, with a link to `path` if there is one. Those with `printed` are shown on paper.
    """

    key: str
    choice: str
    columns: tuple[TableColumn, ...]
    heading: str = ""
    shown: bool = True
    printed: bool = True
    slot: int = 0
    path: str = ""

    @property
    def css(self) -> str:
        """The classes of the group's heads and cells."""
        classes = [f"c-{self.key}", f"slot{self.slot}"]
        if not self.printed:
            classes.append("screen")
        return " ".join(classes)


def score_column(key: str, label: str, cases: int, weight: float | None = None) -> TableColumn:
    """A column of scores with its number of cases."""
    declared = None if weight is None else f"{weight:g}"
    return TableColumn(key, label, f"{cases:,}", label, weight=declared)


def column_groups(
    scores: Sequence[ColumnGroup], facts: Iterable[RowFacts]
) -> tuple[ColumnGroup, ...]:
    """The groups of a table: its scores, then each plain column that has a value in some row.

    A column in which all rows are equal tells nothing about them: it is hidden until a reader
    chooses it.
    """
    rows = list(facts)
    groups = [group for group in scores if group.columns]
    for column in PLAIN:
        texts = {column.text(row) for row in rows} if column.text else set()
        has_links = column.link is None or any(map(column.link, rows))
        if texts - {"", formatting.NONE} and has_links:
            choice = column.heading.lower()
            shown = len(texts) > 1 or len(rows) == 1
            group = ColumnGroup(column.key, choice, (column,), shown=shown, printed=column.printed)
            groups.append(group)
    return tuple(replace(group, slot=slot) for slot, group in enumerate(groups, 1))


@cache
def _room(label: str) -> str:
    longest = max(map(width_of, label.split()), default=0.0)
    if longest > _THREE_TENTHS:
        return " l5"
    return " l3" if longest > _TWO_TENTHS else ""
