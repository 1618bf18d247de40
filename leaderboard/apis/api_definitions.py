"""APIs as query files and tool catalogues describe them, and as models are shown them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.apis.api_names import DEFAULT_CATEGORY, ApiName, NameRegistry, Pair, sanitise
from leaderboard.files.field_types import OPEN
from leaderboard.types import Json, Parameter, Tool

_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("STRING", "STR"), "string"),
        **dict.fromkeys(("INTEGER", "INT"), "integer"),
        **dict.fromkeys(("FLOAT", "DOUBLE", "NUMBER"), "number"),
        **dict.fromkeys(("BOOLEAN", "BOOL"), "boolean"),
        "ARRAY": "array",
        "OBJECT": "object",
    }
)


@with_config(OPEN)
class ApiParameterRecord(TypedDict):
    """A parameter of an API in a file.

    - `name`: its name.
    - `type`: the type of its values, such as STRING or NUMBER.
    - `description`: what it means, for models.
    - `default`: an example value.
    """

    name: str
    type: NotRequired[str | None]
    description: NotRequired[str | None]
    default: NotRequired[Any]


@with_config(OPEN)
class CatalogueApi(TypedDict):
    """An API inside a tool's file."""

    name: str
    description: NotRequired[str | None]
    required_parameters: NotRequired[list[ApiParameterRecord] | None]
    optional_parameters: NotRequired[list[ApiParameterRecord] | None]


@with_config(OPEN)
class CatalogueTool(TypedDict):
    """A file of a tool catalogue."""

    tool_name: str
    tool_description: NotRequired[str | None]
    tool_category: NotRequired[str | None]
    api_list: list[CatalogueApi]


CATALOGUE_TOOL: Final = TypeAdapter(CatalogueTool)


@dataclass(frozen=True, slots=True)
class ApiParameter:
    """A parameter of an API. `example` is only shown, never sent. Files call it the default."""

    name: str
    type: str
    description: str
    required: bool
    example: Json = None

    def as_parameter(self) -> Parameter:
        """The parameter as a model is shown it, with the example in its description."""
        shown = self.description.strip()
        if self.example not in (None, ""):
            shown = f"{shown} Example: {self.example}".strip()
        schema = {"type": self.type, "description": shown}
        return Parameter(self.name, self.type, shown, self.required, schema)


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One API with its descriptions. `sanitised_name` is what a model is shown."""

    name: ApiName
    tool_description: str
    api_description: str
    parameters: tuple[ApiParameter, ...]
    sanitised_name: str

    @property
    def description(self) -> str:
        """The descriptions of the tool and the API; a plain sentence if both are empty."""
        whole = f"{self.tool_description}\n\n{self.api_description}".strip()
        return whole or f"Call {self.name.tool} {self.name.api} API"

    def as_tool(self) -> Tool:
        """The API as a tool for a model."""
        parameters = tuple(parameter.as_parameter() for parameter in self.parameters)
        return Tool(self.sanitised_name, self.description, parameters)


def json_type(declared: str) -> str:
    """JSON Schema's name of a type, in any letter case; `string` for unknown types."""
    return _TYPES.get(declared.strip().upper(), "string")


def parameters_of(record: Mapping[str, Json]) -> tuple[ApiParameter, ...]:
    """The required, then the optional parameters of an API record, each name once."""
    parameters: dict[str, ApiParameter] = {}
    for key, required in (("required_parameters", True), ("optional_parameters", False)):
        for item in record.get(key) or ():
            name, kind = item["name"], json_type(item.get("type") or "")
            description, example = item.get("description") or "", item.get("default")
            parameters.setdefault(name, ApiParameter(name, kind, description, required, example))
    return tuple(parameters.values())


def candidates_of(record: Mapping[str, Json]) -> Sequence[Mapping[str, Json]]:
    """The records of a query's candidate APIs.

    `available_tools` counts only without `api_list`.
    """
    return record.get("api_list") or record.get("available_tools") or ()


def tool_categories(records: Iterable[Mapping[str, Json]]) -> dict[str, str]:
    """The first category that query records give each tool."""
    found: dict[str, str] = {}
    for record in records:
        for api in candidates_of(record):
            if api.get("category_name"):
                found.setdefault(api["tool_name"], api["category_name"])
    return found


def candidate_name(api: Mapping[str, Json]) -> ApiName:
    """The name of a candidate API."""
    return ApiName(api.get("category_name") or DEFAULT_CATEGORY, api["tool_name"], api["api_name"])


def definitions_of(record: Mapping[str, Json]) -> tuple[ToolDefinition, ...]:
    """The candidate APIs of a query record in file order, each API once."""
    return with_unique_names(
        definition(
            candidate_name(api),
            api.get("tool_description") or "",
            api.get("api_description") or "",
            parameters_of(api),
        )
        for api in candidates_of(record)
    )


def definition(
    name: ApiName, tool_description: str, api_description: str, parameters: tuple[ApiParameter, ...]
) -> ToolDefinition:
    """An API under its plain sanitised name, which other APIs may share."""
    sanitised = sanitise(name.wrapper)
    return ToolDefinition(name, tool_description, api_description, parameters, sanitised)


def with_unique_names(definitions: Iterable[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    """Each API once, in order, under sanitised names that no two of them share.

    Of several definitions of one API the first counts.
    """
    first: dict[ApiName, ToolDefinition] = {}
    for api in definitions:
        first.setdefault(api.name, api)
    registry = NameRegistry(first)
    return tuple(
        replace(api, sanitised_name=registry.sanitised(name)) for name, api in first.items()
    )


def gold_pairs(record: Mapping[str, Json]) -> tuple[Pair, ...]:
    """The gold APIs of a query record, in either spelling of the key, each pair once."""
    pairs: Sequence[Sequence[str]] = (
        record.get("relevant APIs") or record.get("relevant_apis") or ()
    )
    return tuple(dict.fromkeys((tool, api) for tool, api in pairs))


def argument_names(names: Iterable[str]) -> Mapping[str, str]:
    """Renames parameters for frameworks that accept no leading underscore.

    `_limit` becomes `param_limit`. No two names become one. Returns the own name of each new name.
    """
    distinct = list(dict.fromkeys(names))
    unchanged = {name for name in distinct if not name.startswith("_")}
    shown: dict[str, str] = {}
    for name in distinct:
        wanted = plain = f"param{name}" if name.startswith("_") else name
        number = 2
        while wanted in shown or (wanted in unchanged and wanted != name):
            wanted = f"{plain}_{number}"
            number += 1
        shown[wanted] = name
    return MappingProxyType(shown)
