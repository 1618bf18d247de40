"""APIs as query files and tool catalogues describe them, and as models are shown them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from leaderboard.apis.api_names import ApiName, NameRegistry, Pair, sanitise
from leaderboard.types import Json, Parameter, Tool

# What a tool without any category belongs to.
DEFAULT_CATEGORY: Final = "Data"

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


@dataclass(frozen=True, slots=True)
class ApiParameter:
    """A parameter of an API. `example` is what files call its default: a value to look at, never one to send unasked."""

    name: str
    type: str
    description: str
    required: bool
    example: Json = None

    def as_parameter(self) -> Parameter:
        """The parameter as a model is shown it; the example stands in the description."""
        shown = self.description.strip()
        if self.example not in (None, ""):
            shown = f"{shown} Example: {self.example}".strip()
        return Parameter(
            self.name, self.type, shown, self.required, {"type": self.type, "description": shown}
        )


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One API with all that is known about it. `sanitised_name` is what a model is shown; a registry made it unique."""

    name: ApiName
    tool_description: str
    api_description: str
    parameters: tuple[ApiParameter, ...]
    sanitised_name: str

    @property
    def tool_name(self) -> str:
        return self.name.tool

    @property
    def api_name(self) -> str:
        return self.name.api

    @property
    def category(self) -> str:
        return self.name.category

    @property
    def pair(self) -> Pair:
        """The tool's and the API's name: what gold APIs are given as."""
        return self.name.pair

    @property
    def original_name(self) -> str:
        """The wrapper name, `tool_api` with everything kept."""
        return self.name.wrapper

    @property
    def description(self) -> str:
        """The tool's description, a blank line, the API's; a plain sentence where both are empty."""
        whole = f"{self.tool_description}\n\n{self.api_description}".strip()
        return whole or f"Call {self.tool_name} {self.api_name} API"

    def as_tool(self) -> Tool:
        """The API as a tool that any model can be shown."""
        return Tool(
            self.sanitised_name,
            self.description,
            tuple(parameter.as_parameter() for parameter in self.parameters),
        )


def json_type(declared: str) -> str:
    """JSON Schema's word for a type as these files write it, in any letter case; what is no known type is text."""
    return _TYPES.get(declared.strip().upper(), "string")


def parameters_of(record: Mapping[str, Json]) -> tuple[ApiParameter, ...]:
    """The required, then the optional parameters of an API record, each name once."""
    found: dict[str, ApiParameter] = {}
    for key, required in (("required_parameters", True), ("optional_parameters", False)):
        for item in record.get(key) or ():
            name = item["name"]
            kind, description = json_type(item.get("type") or ""), item.get("description") or ""
            found.setdefault(
                name, ApiParameter(name, kind, description, required, item.get("default"))
            )
    return tuple(found.values())


def definitions_of(record: Mapping[str, Json]) -> tuple[ToolDefinition, ...]:
    """The candidate APIs of a query record, in file order, each API once."""
    definitions = []
    for api in record.get("api_list") or record.get("available_tools") or ():
        name = ApiName(
            api.get("category_name") or DEFAULT_CATEGORY, api["tool_name"], api["api_name"]
        )
        described = api.get("tool_description") or ""
        definitions.append(
            definition(name, described, api.get("api_description") or "", parameters_of(api))
        )
    return with_unique_names(definitions)


def definition(
    name: ApiName, tool_description: str, api_description: str, parameters: tuple[ApiParameter, ...]
) -> ToolDefinition:
    """An API on its own, under the plain sanitised name."""
    return ToolDefinition(
        name, tool_description, api_description, parameters, sanitise(name.wrapper)
    )


def with_unique_names(definitions: Iterable[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    """The same APIs in the same order, each once (the first counts), under names that no two of them share."""
    first: dict[ApiName, ToolDefinition] = {}
    for found in definitions:
        first.setdefault(found.name, found)
    registry = NameRegistry(first)
    return tuple(
        replace(found, sanitised_name=registry.sanitised(found.name)) for found in first.values()
    )


def gold_pairs(record: Mapping[str, Json]) -> tuple[Pair, ...]:
    """The gold APIs of a query record: the first non-empty of its two spellings, each pair once, in file order."""
    pairs: Sequence[Sequence[str]] = (
        record.get("relevant APIs") or record.get("relevant_apis") or ()
    )
    return tuple(dict.fromkeys((tool, api) for tool, api in pairs))


def argument_names(names: Iterable[str], *, identifiers: bool = False) -> Mapping[str, str]:
    """What a framework that takes no leading underscore calls each parameter, mapped to the parameter's own name.

    `_limit` becomes `param_limit`; with `identifiers` every name becomes a Python identifier too (`from-date`, `class`).
    No two come out alike.
    """
    given = list(dict.fromkeys(names))
    shown: dict[str, str] = {}
    taken = {name for name in given if _shown_argument(name, identifiers=identifiers) == name}
    for name in given:
        wanted = plain = _shown_argument(name, identifiers=identifiers)
        number = 2
        while wanted in shown or (wanted in taken and wanted != name):
            wanted = f"{plain}_{number}"
            number += 1
        shown[wanted] = name
    return MappingProxyType(shown)


def _shown_argument(name: str, *, identifiers: bool) -> str:
    if identifiers:
        name = re.sub(r"\W", "_", name, flags=re.ASCII)
    if name.startswith("_"):
        return f"param{name}"
    if identifiers and (not name.isidentifier() or name in _KEYWORDS):
        return f"param_{name}"
    return name


# Python's own words, which cannot name a parameter.
_KEYWORDS: Final = frozenset(keyword.kwlist)
