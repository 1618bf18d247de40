"""Cases from the rows of a table: a CSV file, Parquet, JSON Lines, a list of objects.

Each kind says in its `case_of_row` what it needs of a row. Here is what all of them share: the
names that columns go by, and the ids of cases without one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from leaderboard.errors import FilesError, Problem
from leaderboard.types import Json

if TYPE_CHECKING:
    from leaderboard.kinds import Kind

# The names of columns, by what they hold. The first name that a row has counts.
_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "id": ("id", "case_id", "question_id", "key"),
    "user_query": ("user_query", "question", "query", "prompt", "input", "problem"),
    "answer": ("answer", "target", "expected", "expected_answer", "reference", "label", "output"),
    "answers": ("answers", "accepted", "accepted_answers"),
    "number": ("number",),
    "tolerance": ("tolerance",),
    "pattern": ("pattern", "regex"),
    "options": ("options", "choices"),
}
_LETTERED: Final = re.compile(r"(?:option|choice)?[ _]?([a-z])", re.IGNORECASE)
_DIGITS: Final = 3  # of the number in an id that is made here


class CaseRow:
    """One row of a table. Column names are found without letter case. Blank cells hold nothing."""

    def __init__(self, row: Mapping[str, Json]) -> None:
        self._cells: dict[str, Json] = {}
        for name, value in row.items():
            if value not in (None, []) and not (isinstance(value, str) and not value.strip()):
                self._cells.setdefault(str(name).strip().lower(), value)

    def get(self, what: str) -> Json:
        """Returns what the row holds under any name of this column; None if nothing."""
        return next((self._cells[name] for name in _COLUMNS[what] if name in self._cells), None)

    def text(self, what: str) -> str | None:
        """Returns a cell as trimmed text. Raises ValueError if it holds a list or an object."""
        value = self.get(what)
        if isinstance(value, Mapping | list | tuple):
            given = "an object" if isinstance(value, Mapping) else "a list"
            raise ValueError(f"has {given} where one {what} is expected")  # noqa: TRY004
        return None if value is None else str(value).strip()

    def needed(self, what: str) -> str:
        """Returns a cell as trimmed text. Raises ValueError if it is missing."""
        text = self.text(what)
        if text is None:
            raise ValueError(f"has nothing in a column named {' or '.join(_COLUMNS[what])}")
        return text

    def texts(self, what: str) -> list[str]:
        """Returns the texts of a cell: a list, or texts between `|`. Raises ValueError."""
        value = self.get(what)
        if value is None:
            return []
        parts = value if isinstance(value, list | tuple) else str(value).split("|")
        if any(isinstance(part, Mapping | list | tuple) for part in parts):
            raise ValueError(f"has a list of {what} in which one is no text")
        return [text for part in parts if (text := str(part).strip())]

    def options(self) -> list[str]:
        """Returns the options of a question, from one cell or from columns A, B, C …"""
        lettered = {}
        for name, value in self._cells.items():
            if found := _LETTERED.fullmatch(name):
                lettered[found[1]] = str(value).strip()
        return self.texts("options") or [lettered[letter] for letter in sorted(lettered)]


def case_records(
    rows: Sequence[Mapping[str, Json]], kind: Kind, shown: str, places: Sequence[str]
) -> list[dict[str, Json]]:
    """Returns the case records of one category file of this kind, one per row.

    A row that already has the members of a case stays as it is. Rows without an id get
    `case-001` and so on. `shown` names the table in messages, and `places` each row: "row 2".

    Raises FilesError with the problems of all rows.
    """
    if kind.case_of_row is None and not all(map(_is_case, rows)):
        what = f"has rows without ground_truth, which cannot become cases of kind {kind.name}"
        fix = "give cases as JSON: lb docs cases shows them"
        raise FilesError.about(shown, what, fix)
    problems: list[Problem] = []
    wrong: dict[str, list[str]] = {}
    records: list[dict[str, Json]] = []
    known: dict[str, str] = {}
    digits = max(_DIGITS, len(str(len(rows))))
    for number, (row, place) in enumerate(zip(rows, places, strict=True), 1):
        given = CaseRow(row)
        try:
            case_id = given.text("id") or f"case-{number:0{digits}}"
            if case_id in known:
                what = f"repeats the id {case_id!r} of {known[case_id]}"
                problems.append(Problem(shown, what, "give every case its own id", at=place))
            known.setdefault(case_id, place)
            records.append(_record(row, given, kind, case_id))
        except ValueError as error:
            wrong.setdefault(str(error), []).append(place)
    for what, (first, *others) in wrong.items():
        more = f", and {len(others):,} more with the same problem" if others else ""
        fix = "lb docs kinds lists the columns of a table of cases"
        problems.append(Problem(shown, f"{what}{more}", fix, at=first))
    if problems:
        raise FilesError(problems)
    return records


def _record(row: Mapping[str, Json], given: CaseRow, kind: Kind, case_id: str) -> dict[str, Json]:
    if kind.case_of_row is None or _is_case(row):
        return {"id": case_id, **row}
    return {"id": case_id, **kind.case_of_row(given)}


def _is_case(row: Mapping[str, Json]) -> bool:
    return isinstance(row.get("ground_truth"), Mapping)
