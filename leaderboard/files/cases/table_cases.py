"""Cases from the rows of a table: a CSV file, Parquet, JSON Lines, a list of objects.

Each kind says in its `case_of_row` what it needs of a row. Here is what all of them share: the
names that columns go by, the ids of cases without one, and cells that hold several texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.exact_answers import LETTERS
from leaderboard.files.python_literals import read_literal
from leaderboard.texts.near_names import MEANT, SLIP, nearest
from leaderboard.texts.short_text import first_of
from leaderboard.types import Json

if TYPE_CHECKING:
    from leaderboard.kinds import Kind

# The names of columns, by what they hold.
_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "id": ("id", "case_id", "question_id", "key"),
    "user_query": ("user_query", "question", "query", "prompt", "input", "problem"),
    "answer": (
        *("answer", "target", "expected", "expected_answer", "reference", "label", "output"),
        "ground_truth",
    ),
    "answers": ("answers", "accepted", "accepted_answers"),
    "number": ("number",),
    "tolerance": ("tolerance",),
    "pattern": ("pattern", "regex"),
    "options": ("options", "choices"),
}
_LETTERED: Final = re.compile(r"(?:option|choice)?[ _]?([a-z])", re.IGNORECASE)
# What people write for a number, in other than plain digits: 1,234 or 1.234,56 or 1e3 or 12%.
_LIKE_NUMBER: Final = re.compile(
    r"[-+\u2212\u2013]?"
    r"(?:[1-9][0-9]{0,2}(?P<mark>[.,' \u2019\u00a0\u202f])[0-9]{3}(?:(?P=mark)[0-9]{3})*"
    r"|0|[1-9][0-9]*|(?=[.,][0-9]))"
    r"(?:[.,][0-9]*)?(?:e[-+]?[0-9]+)?\s?%?",
    re.IGNORECASE,
)
_CATEGORY: Final = "category"  # which divides the rows into categories
_DIGITS: Final = 3  # of the number in an id that is made here
_SHOWN_NUMBERS: Final = 3
_LISTED: Final = "lb docs kinds lists the columns of a table of cases"
_SHOWN_COLUMNS: Final = 20  # of a table that lacks one


class NothingInColumnError(ValueError):
    """A row has nothing in any column for `what`, which its case needs."""

    def __init__(self, what: str) -> None:
        super().__init__(f"has nothing in a column named {' or '.join(_COLUMNS[what])}")
        self.what = what


class CaseRow:
    """One row of a table. Column names are found without letter case. Blank cells hold nothing.

    `unread` are the cells of the columns that nothing asked for, by the name of the column.
    `number_texts` are answers that became texts, though they look like numbers.
    """

    def __init__(self, row: Mapping[str, Json]) -> None:
        self.unread: dict[str, Json] = {}
        self.number_texts: list[str] = []
        self._cells: dict[str, Json] = {}
        self._names: dict[str, str] = {}
        self._columns = [str(column).strip().lower() for column in row]
        for column, value in row.items():
            name = str(column).strip()
            if not is_blank(value) and name.lower() not in self._cells:
                self._cells[name.lower()] = value
                self._names[name.lower()] = name
                self.unread[name] = value
        self._read(_CATEGORY)

    @property
    def columns(self) -> Iterable[str]:
        """The columns that hold something in this row."""
        return self._names.values()

    def _read(self, name: str) -> Json:
        self.unread.pop(self._names.get(name, ""), None)
        return self._cells.get(name)

    def get(self, what: str) -> Json:
        """What the row holds under any name of this column; None if nothing.

        Raises ValueError if it holds different values under several names.
        """
        columns = [name for name in _COLUMNS[what] if name in self._cells]
        values = [self._read(name) for name in columns]
        for name, value in zip(columns, values, strict=True):
            if value != values[0]:
                raise ValueError(
                    f"has two columns for one {what} with different values, {columns[0]!r} and "
                    f"{name!r}. Rename one of them"
                )
        return values[0] if values else None

    def header(self, what: str) -> str:
        """The name of the column in which the row holds this."""
        return next(self._names[name] for name in _COLUMNS[what] if name in self._cells)

    def note_text(self, answer: str) -> None:
        """Notes that an answer became a text, if it looks like a number."""
        if _LIKE_NUMBER.fullmatch(answer):
            self.number_texts.append(answer)

    def text(self, what: str) -> str | None:
        """A cell as trimmed text. Raises ValueError if it holds a list or an object."""
        value = self.get(what)
        if isinstance(value, Mapping | list | tuple):
            kind = "an object" if isinstance(value, Mapping) else "a list"
            raise ValueError(f"has {kind} where one {what} is expected")  # noqa: TRY004
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # a table has 1.0 for the id 1 if another row has none
        return None if value is None else str(value).strip()

    def needed(self, what: str) -> str:
        """A cell as trimmed text. Raises ValueError if it is missing."""
        text = self.text(what)
        if text is None:
            raise NothingInColumnError(what)
        return text

    def texts(self, what: str) -> list[str]:
        """The texts of a cell: a list, or texts between `|`. Raises ValueError."""
        return [text for text in self._entries(what) if text]

    def options(self) -> list[str]:
        """The options of a question, from one cell or from columns A, B, C …

        Raises ValueError for a blank option before a filled one: later ones would get its letter.
        """
        if listed := self._entries("options"):
            return _up_to_last(listed)
        lettered: dict[str, str] = {}
        for name in self._columns:
            found = _LETTERED.fullmatch(name)
            if found and (found[1] not in lettered or name in self._cells):
                lettered[found[1]] = name
        filled = [letter for letter, name in lettered.items() if name in self._cells]
        if len(filled) < 2 and not {"a", "b"} <= lettered.keys():
            return []  # a column such as "n"
        options = []
        for letter in LETTERS.lower():
            cell = self._read(lettered[letter]) if letter in lettered else None
            options.append("" if cell is None else str(cell).strip())
        return _up_to_last(options)

    def _entries(self, what: str) -> list[str]:
        cell = self.get(what)
        if isinstance(cell, Mapping):
            what = f"has an object in column {self.header(what)!r}, where a list is expected"
            raise ValueError(f"{what}. Write only the list of the texts")  # noqa: TRY004
        return [] if cell is None else entries_of(cell, what)


def _up_to_last(options: Sequence[str]) -> list[str]:
    """The options up to the last one that is filled. Raises ValueError for a blank before it."""
    count = max((place for place, option in enumerate(options, 1) if option), default=0)
    for letter, option in zip(LETTERS, options[:count], strict=False):
        if not option:
            fix = f"Fill {letter}, or move the later options up and correct the answer"
            raise ValueError(f"has a blank option {letter} before a filled one. {fix}")
    return list(options[:count])


@dataclass(frozen=True, slots=True)
class TableCases:
    """The case records of a table, one per row, and the columns that no row needs.

    The records have the cells of these columns too. `for_rule`: a rule of the board can read them.
    `number_texts` are answers that became texts
    though they look like numbers, with their rows: "'1,234' in row 2".
    """

    records: tuple[dict[str, Json], ...]
    unread: tuple[str, ...]
    number_texts: tuple[str, ...] = ()
    for_rule: bool = False

    @property
    def notes(self) -> Iterator[str]:
        """What to tell the owner of the table."""
        if self.number_texts:
            yield self._note_of_numbers()
        if self.unread:
            yield self._note_of_columns()

    def _note_of_numbers(self) -> str:
        shown = first_of(self.number_texts, _SHOWN_NUMBERS)
        fix = "For a number, write plain digits such as 1234.5, or use the column 'number'"
        return f"taken as a text, though it looks like a number: {shown}. {fix}"

    def _note_of_columns(self) -> str:
        columns = {_CATEGORY, *chain.from_iterable(_COLUMNS.values())}
        shown = []
        for column in self.unread:
            near = nearest(column, columns - {column.lower()}, SLIP)
            shown.append(f"{column} (did you mean {near!r}?)" if near else column)
        use = "for your rule" if self.for_rule else "without effect"
        return f"kept with the cases, {use}: {', '.join(shown)}"


def case_records(
    rows: Sequence[Mapping[str, Json]], kind: Kind, shown: str, places: Sequence[str]
) -> TableCases:
    """The case records of one category file of this kind.

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
    lacking: list[str] = []  # what each row has nothing for
    records: list[dict[str, Json]] = []
    known: dict[str, str] = {}
    unread: dict[str, bool] = {}  # whether every row that has the column left it unread
    number_texts: list[str] = []
    digits = max(_DIGITS, len(str(len(rows))))
    for number, (row, place) in enumerate(zip(rows, places, strict=True), 1):
        cells = CaseRow(row)
        try:
            case_id = cells.text("id") or f"case-{number:0{digits}}"
            if case_id in known:
                what = f"repeats the id {case_id!r} of {known[case_id]}"
                problems.append(Problem(shown, what, "give every case its own id", at=place))
            known.setdefault(case_id, place)
            records.append(_record(row, cells, kind, case_id))
            number_texts += [f"{text!r} in {place}" for text in cells.number_texts]
            if not _is_case(row):
                for column in cells.columns:
                    unread[column] = unread.get(column, True) and column in cells.unread
        except ValueError as error:
            wrong.setdefault(str(error), []).append(place)
            if isinstance(error, NothingInColumnError):
                lacking.append(error.what)
    if lacking and len(lacking) == len(rows):
        _refuse_missing_column(rows, lacking[0], shown)
    problems += _problems_of_rows(wrong, shown)
    raise_any(problems)
    without_effect = tuple(column for column in unread if unread[column])
    return TableCases(tuple(records), without_effect, tuple(number_texts), kind.reads_records)


def _problems_of_rows(wrong: Mapping[str, Sequence[str]], shown: str) -> Iterator[Problem]:
    """A problem for all rows in which the same is wrong, given their places."""
    for what, (first, *others) in wrong.items():
        more = f", and {len(others):,} more with the same problem" if others else ""
        yield Problem(shown, f"{what}{more}", _LISTED, at=first)


def _refuse_missing_column(rows: Sequence[Mapping[str, Json]], what: str, shown: str) -> None:
    """Raises FilesError for a table without any column for `what`."""
    columns = list(dict.fromkeys(str(column).strip() for row in rows for column in row))
    if not {column.lower() for column in columns}.isdisjoint(_COLUMNS[what]):
        return
    known = set(chain.from_iterable(_COLUMNS.values()))
    fix = _LISTED
    for column in columns:
        if column.lower() not in known and (near := nearest(column, _COLUMNS[what], MEANT)):
            fix = f"{column!r}: did you mean {near!r}?"
            break
    more = ", …" if len(columns) > _SHOWN_COLUMNS else ""
    named = ", ".join(columns[:_SHOWN_COLUMNS]) + more
    names = " or ".join(_COLUMNS[what])
    raise FilesError.about(shown, f"has no column named {names}. Its columns: {named}", fix)


def _record(row: Mapping[str, Json], cells: CaseRow, kind: Kind, case_id: str) -> dict[str, Json]:
    if kind.case_of_row is None or _is_case(row):
        return {"id": case_id, **row}
    case = kind.case_of_row(cells)
    return {"id": case_id, **cells.unread, **case}


def _is_case(row: Mapping[str, Json]) -> bool:
    return isinstance(row.get("ground_truth"), Mapping)


# ---------------------------------------------------------------- cells that hold several texts

# What pandas writes for an array of texts. Python would join them to one text.
_WITHOUT_COMMAS: Final = re.compile(
    r"""\[\s*(?:'[^'\n]*'|"[^"\n]*")(?:\s+(?:'[^'\n]*'|"[^"\n]*"))+\s*\]"""
)


def is_blank(value: Json) -> bool:
    """Whether a cell, or an entry of its list, holds nothing."""
    if isinstance(value, float):
        return not math.isfinite(value)
    return value in (None, []) or (isinstance(value, str) and not value.strip())


def entries_of(cell: Json, what: str) -> list[str]:
    """The trimmed entries of a cell, which are empty where they are blank. `what` names them.

    Raises ValueError if an entry is a list or an object.
    """
    entries = _list_in(cell)
    if entries is None:
        entries = [*str(cell).split("|")]
    if any(isinstance(entry, Mapping | list | tuple) for entry in entries):
        what = f"has a list of {what} in which one entry is a list or an object"
        raise ValueError(f"{what}. Write every entry as a text")
    return ["" if is_blank(entry) else str(entry).strip() for entry in entries]


def is_list_of_texts(cell: Json) -> bool:
    """Whether a cell is a list, or the text of a list in which every entry is a text.

    The text `[1, 2]` is none: it may be the answer itself.
    """
    if isinstance(cell, list | tuple):
        return True
    entries = _list_in(cell)
    return bool(entries) and all(isinstance(entry, str) for entry in entries or ())


def _list_in(cell: Json) -> list[Json] | None:
    """The list that a cell holds, perhaps as text in JSON or Python; None for any other cell."""
    if isinstance(cell, list | tuple):
        return [*cell]
    text = cell.strip() if isinstance(cell, str) else ""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    if _WITHOUT_COMMAS.fullmatch(text):
        what = f"has a list without commas between its texts: {text:.60}"
        raise ValueError(f"{what}. Write it in JSON, or as texts between |")
    try:
        value = read_literal(text)
    except ValueError:
        return None
    return value if isinstance(value, list) else None
