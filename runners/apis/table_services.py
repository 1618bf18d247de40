"""Services: simulated APIs that answer from small tables, `services/<category>/<tool>.json`.

    {"tool_name": "InnIbis",
     "tables": {"hotels": {"columns": ["id", "city", "price"],
                           "rows": [["h-71", "Velmora", 118.0]]}},
     "apis": {
      "Room Rates": {
       "arguments": {"hotel_id": "hotels.id", "nights": "integer 1..14"},
       "lookup": {"hotel": "hotels where row.id == hotel_id"},
       "reply": {"hotel_id": "=hotel_id", "total": "=round(hotel.price * nights, 2)"}},
      "Search Hotels": {
       "arguments": {"city": "hotels.city", "max_price": "number 0.."},
       "list": {"from": "hotels", "where": ["row.city == city", "row.price <= max_price"]},
       "reply": {"hotels": "=rows", "found": "=count"}}}}

`arguments` are in the forms of `argument_forms`. Each `lookup` finds one row or fails. `list`
finds `rows`; a condition with an argument that is left out does not count. `compute` names values,
each `checks` pair is a condition and the error if it is false, and `reply` is the reply, in which
text after "=" is an expression of `service_expressions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.apis.api_names import ApiName
from leaderboard.errors import Problem, collect_problems, raise_any
from leaderboard.files.field_types import CLOSED
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.files.shaped_files import read_shaped
from leaderboard.types import Json
from leaderboard.workspace import Workspace
from runners.apis.api_call import ApiReply
from runners.apis.argument_forms import ArgumentForm, RefusedError, Tables, argument_form, is_absent
from runners.apis.catalogue import Catalogue
from runners.apis.service_expressions import EVALUATION_ERRORS, Expression, expression

FOLDER: Final = "services"
_Row = Mapping[str, Json]
_FIX: Final = "see lb docs hosting"


@with_config(CLOSED)
class TableRecord(TypedDict):
    """A table, with the columns named once."""

    columns: list[str]
    rows: list[list[Any]]


# One key of the format is a keyword of Python, so this cannot be a class.
ListRecord = TypedDict(
    "ListRecord",
    {
        "from": str,
        "where": NotRequired[list[str]],
        "sort": NotRequired[str],
        "offset": NotRequired[str],
        "limit": NotRequired[str],
        "each": NotRequired[dict[str, str]],
    },
)
with_config(CLOSED)(ListRecord)


@with_config(CLOSED)
class OperationRecord(TypedDict):
    """How an API answers."""

    arguments: NotRequired[dict[str, str]]
    lookup: NotRequired[dict[str, str]]
    list: NotRequired[ListRecord]
    compute: NotRequired[dict[str, str]]
    checks: NotRequired[list[tuple[str, str]]]
    reply: Any


@with_config(CLOSED)
class ServiceRecord(TypedDict):
    """A file: the tables of a tool, and an operation for each of its APIs."""

    tool_name: str
    tables: dict[str, TableRecord]
    apis: dict[str, OperationRecord]


_SERVICE: Final = TypeAdapter(ServiceRecord)


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Rows of a table, those that meet every condition. `label` is what a message calls them."""

    label: str
    rows: Sequence[_Row]
    where: tuple[Expression, ...]

    def found(self, values: Mapping[str, Json]) -> Iterator[_Row]:
        """The rows. A condition with an argument that is left out does not count."""
        left_out = {name for name, value in values.items() if value is None} - {"row"}
        counting = [one for one in self.where if left_out.isdisjoint(one.names)]
        for row in self.rows:
            inside = {**values, "row": row}
            if all(condition.value(inside) for condition in counting):
                yield row


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of rows: sorted (`-name`: the largest first), cut, each in a form of its own."""

    selection: RowFilter
    sort: str
    offset: Expression
    limit: Expression
    each: Mapping[str, Expression]

    def values(self, values: Mapping[str, Json]) -> dict[str, Json]:
        """`rows`, and `count`, the number of rows before the cut."""
        rows = list(self.selection.found(values))
        if self.sort:
            key = self.sort.removeprefix("-")
            rows.sort(key=lambda row: row[key], reverse=self.sort.startswith("-"))
        count, start, limit = len(rows), self.offset.value(values), self.limit.value(values)
        rows = rows[start:] if limit is None else rows[start : start + limit]
        shown = []
        for row in rows:
            inside = {**values, "row": row}
            made = {name: form.value(inside) for name, form in self.each.items()}
            shown.append(made or dict(row))
        return {"rows": shown, "count": count}


@dataclass(frozen=True, slots=True)
class Operation:
    """How one API answers. `required` are its required parameters."""

    required: tuple[str, ...]
    arguments: Mapping[str, ArgumentForm]
    lookups: Mapping[str, RowFilter]
    listing: Listing | None
    computed: Mapping[str, Expression]
    checks: tuple[tuple[Expression, Expression], ...]
    reply: Json

    def answer(self, arguments: Mapping[str, Json]) -> ApiReply:
        """The reply to these arguments. Arguments that the API does not have are ignored."""
        try:
            return ApiReply("", self._response(self._read(arguments)))
        except RefusedError as refused:
            return ApiReply(str(refused), "")
        except EVALUATION_ERRORS as error:
            return ApiReply(f"these values cannot be used together: {error}", "")

    def _read(self, given: Mapping[str, Json]) -> dict[str, Json]:
        missing = [name for name in self.required if is_absent(given.get(name))]
        if missing:
            raise RefusedError(f"missing required parameter: {', '.join(missing)}")
        return {
            name: form.default if is_absent(given.get(name)) else form.read(name, given[name])
            for name, form in self.arguments.items()
        }

    def _response(self, values: dict[str, Json]) -> Json:
        for name, selection in self.lookups.items():
            row = next(selection.found(values), None)
            if row is None:
                raise RefusedError(f"no {selection.label} for these arguments")
            values[name] = row
        if self.listing is not None:
            values.update(self.listing.values(values))
        for name, made in self.computed.items():
            values[name] = made.value(values)
        for condition, error in self.checks:
            if not condition.value(values):
                raise RefusedError(error.value(values))
        return _filled(self.reply, values)


def _filled(reply: Json, values: Mapping[str, Json]) -> Json:
    if isinstance(reply, Expression):
        return reply.value(values)
    if isinstance(reply, dict):
        return {name: _filled(item, values) for name, item in reply.items()}
    if isinstance(reply, list):
        return [_filled(item, values) for item in reply]
    return reply


@dataclass(frozen=True, slots=True)
class Services:
    """The services of a suite, by the names of their APIs."""

    operations: Mapping[ApiName, Operation]

    def answer(self, api: ToolDefinition | None, arguments: Mapping[str, Json]) -> ApiReply | None:
        """The reply of an API, or None if no service has it."""
        operation = self.operations.get(api.name) if api else None
        return None if operation is None else operation.answer(arguments)


def _rows_of(table: TableRecord) -> list[dict[str, Json]]:
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def load_services(folder: Path, root: Path, catalogue: Catalogue) -> Services:
    """The services in `folder`; none if there is no folder.

    Raises FilesError with the problems of all files.
    """
    workspace = Workspace(root)
    operations: dict[ApiName, Operation] = {}
    problems: list[Problem] = []
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).parts):
        with collect_problems(problems):
            record, findings = read_shaped(_SERVICE, path, workspace.shown(path), root, _FIX)
            operations.update(_operations(record, findings, catalogue))
            raise_any(findings.problems())
    raise_any(problems)
    return Services(operations)


def _operations(
    record: ServiceRecord, findings: Findings, catalogue: Catalogue
) -> Iterator[tuple[ApiName, Operation]]:
    """Reads the operation of each API of a service. Adds the findings."""
    if _uneven_tables(record, findings):
        return
    tables = {name: _rows_of(table) for name, table in record["tables"].items()}
    for api, operation in record["apis"].items():
        name = catalogue.registry.find(record["tool_name"], api)
        if name is None:
            what = f"is not an API of this suite: {record['tool_name']!r} {api!r}"
            findings.add(("apis", api), what, "write both names as the tool's file does")
            continue
        reader = _Reader(tables, findings, ("apis", api))
        yield name, reader.operation(operation, catalogue.named(name))


def _uneven_tables(record: ServiceRecord, findings: Findings) -> bool:
    """Whether a row has more or fewer values than its table has columns. Adds the findings."""
    for name, table in record["tables"].items():
        for place, row in enumerate(table["rows"]):
            if len(row) != len(table["columns"]):
                what = f"has {len(row)} values for {len(table['columns'])} columns"
                findings.add(("tables", name, "rows", place), what, _FIX)
    return bool(findings.found)


class _Reader:
    """Reads one operation, and collects what is wrong with it."""

    def __init__(self, tables: Tables, findings: Findings, at: At) -> None:
        self.tables = tables
        self.findings = findings
        self.at = at
        self.names = {"row", "rows", "count"}

    def operation(self, record: OperationRecord, api: ToolDefinition) -> Operation:
        known = {parameter.name for parameter in api.parameters}
        for part in (record.get("arguments"), record.get("lookup"), record.get("compute")):
            self.names.update(part or ())
        arguments = {}
        for name, form in record.get("arguments", {}).items():
            if name not in known:
                self._add(("arguments", name), f"is not a parameter of the API: {name!r}")
            try:
                arguments[name] = argument_form(form, self.tables)
            except ValueError as error:
                self._add(("arguments", name), str(error))
        lookups = {
            name: self._lookup(text, ("lookup", name))
            for name, text in record.get("lookup", {}).items()
        }
        computed = {
            name: self._expression(text, ("compute", name))
            for name, text in record.get("compute", {}).items()
        }
        checks = [
            (
                self._expression(condition, ("checks", place, 0)),
                self._expression(f"f{error!r}", ("checks", place, 1)),
            )
            for place, (condition, error) in enumerate(record.get("checks", []))
        ]
        return Operation(
            tuple(parameter.name for parameter in api.parameters if parameter.required),
            arguments,
            lookups,
            self._listing(record["list"]) if "list" in record else None,
            computed,
            tuple(checks),
            self._reply(record["reply"], ("reply",)),
        )

    def _lookup(self, text: str, at: At) -> RowFilter:
        table, _, condition = text.partition(" where ")
        return self._filter(table, [condition], at)

    def _filter(self, table: str, where: Sequence[str], at: At) -> RowFilter:
        if table not in self.tables:
            self._add(at, f"names a table that is not in this file: {table!r}")
        conditions = tuple(self._expression(text, at) for text in where)
        return RowFilter(table.replace("_", " "), self.tables.get(table, []), conditions)

    def _listing(self, record: ListRecord) -> Listing:
        at = ("list",)
        selection = self._filter(record["from"], record.get("where", []), at)
        sort = record.get("sort", "")
        if sort and any(sort.removeprefix("-") not in row for row in selection.rows):
            self._add(at, f"sorts by a column that is not in the table: {sort!r}")
        return Listing(
            selection,
            sort,
            self._expression(record.get("offset", "0"), at),
            self._expression(record.get("limit", "None"), at),
            {name: self._expression(text, at) for name, text in record.get("each", {}).items()},
        )

    def _reply(self, reply: Json, at: At) -> Json:
        if isinstance(reply, str) and reply.startswith("="):
            return self._expression(reply[1:], at)
        if isinstance(reply, dict):
            return {name: self._reply(item, (*at, name)) for name, item in reply.items()}
        if isinstance(reply, list):
            return [self._reply(item, (*at, place)) for place, item in enumerate(reply)]
        return reply

    def _expression(self, text: str, at: At) -> Expression:
        try:
            made = expression(text)
        except ValueError as error:
            self._add(at, str(error))
            return expression("None")
        for name in sorted(made.names - self.names):
            self._add(at, f"uses an unknown name: {name!r}")
        return made

    def _add(self, at: At, what: str) -> None:
        self.findings.add((*self.at, *at), what, _FIX)
