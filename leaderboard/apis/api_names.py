"""The names of an API, and the spellings in which query files, models and servers write them.

An API is a pair `(tool, api)` in a category. Besides the pair itself there are three spellings: the
wrapper name `tool_api` with everything kept, the sanitised name that a model is shown, and
StableToolBench's own `api_for_tool`. A name does not show where the tool's part ends. So names are
looked up in a registry, and never cut.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

LONGEST_NAME: Final = 64
FINISH: Final = "Finish"
# The category of tools that have none.
DEFAULT_CATEGORY: Final = "Data"

Pair = tuple[str, str]

_RESERVED: Final = frozenset({"from", "class", "return", "false", "true", "id", "and"})
_UNUSUAL: Final = re.compile(r"[^\u4e00-\u9fa5A-Za-z0-9_]")
# Upstream repeats the caret inside the brackets, which keeps that character.
_UNUSUAL_UPSTREAM: Final = re.compile(r"[^\u4e00-\u9fa5A-Za-z0-9_^]")
_SHORTEST_HASH: Final = 8


def standardise(name: str, unusual: re.Pattern[str] = _UNUSUAL) -> str:
    """A name as StableToolBench writes it: `24h volume` becomes `get_24h_volume`."""
    plain = re.sub(r"_+", "_", unusual.sub("_", name)).lower().strip("_")
    return f"get_{plain}" if plain[:1].isdecimal() else plain


def standardise_upstream(name: str) -> str:
    """The same with upstream's mistake, which keeps `^`. Some files have such names."""
    return standardise(name, _UNUSUAL_UPSTREAM)


def change_name(name: str) -> str:
    """Prefixes standardised names that upstream reserves: `id` becomes `is_id`."""
    return f"is_{name}" if name in _RESERVED else name


def standard_category(category: str) -> str:
    """A category as folders spell it: `News, Media` becomes `News_Media`.

    There is only one pass, so `a   b` becomes `a__b`, as upstream has it.
    """
    return re.sub(r"[ ,/]", "_", category).replace("__", "_")


def stable_toolbench_name(tool: str, api: str, unusual: re.Pattern[str] = _UNUSUAL) -> str:
    """StableToolBench's `api_for_tool`: the last 64 characters of a longer name."""
    name = f"{change_name(standardise(api, unusual))}_for_{standardise(tool, unusual)}"
    return name[-LONGEST_NAME:]


def sanitise(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that function-calling APIs accept: `^[a-zA-Z0-9_-]{1,64}$`.

    Two different names may become one. A `NameRegistry` gives unique names.
    """
    plain = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9_-]", "_", name)).strip("_")
    if plain.startswith("-"):
        plain = f"tool_{plain}"
    return plain[:longest].rstrip("_") or "tool"


@dataclass(frozen=True, slots=True, order=True)
class ApiName:
    """An API's category, its tool and its own name, as the catalogue spells them."""

    category: str
    tool: str
    api: str

    @property
    def pair(self) -> Pair:
        """The names of the tool and the API, as in lists of gold APIs."""
        return self.tool, self.api

    @property
    def wrapper(self) -> str:
        """The wrapper name, for example `TramLine_next departures`."""
        return f"{self.tool}_{self.api}"

    def hashed(self, digits: int = _SHORTEST_HASH) -> str:
        """The sanitised name with a hash of the whole triple, within 64 characters."""
        triple = json.dumps([self.category, self.tool, self.api]).encode()
        end = f"_{hashlib.sha256(triple).hexdigest()[:digits]}"
        return sanitise(self.wrapper, LONGEST_NAME - len(end)) + end


class NameRegistry:
    """APIs by any of their spellings. The order in which they are given does not matter."""

    def __init__(self, names: Iterable[ApiName]) -> None:
        known = sorted(set(names))
        # Of several categories with one pair, the first counts.
        self._by_pair = {name.pair: name for name in reversed(known)}
        self._sanitised = _unique_names(known)
        wrappers, sanitised, upstream = [], [], []
        for name in known:
            wrappers.append((name.wrapper, name))
            spellings = {self._sanitised[name], sanitise(name.wrapper), name.hashed()}
            sanitised += [(spelling, name) for spelling in spellings]
            both = {
                stable_toolbench_name(*name.pair, rule) for rule in (_UNUSUAL, _UNUSUAL_UPSTREAM)
            }
            upstream += [(spelling, name) for spelling in both]
        self._spellings = (_group(wrappers), _group(sanitised), _group(upstream))

    def sanitised(self, name: ApiName) -> str:
        """What a model is shown, which no other API here has. Raises KeyError."""
        return self._sanitised[name]

    def resolve(self, name: str) -> ApiName | None:
        """The API of that name; None if there is none, or different pairs have it.

        Wrapper names come before sanitised names, and these before StableToolBench's. A sanitised
        name with a hash is found even if this registry does not need the hash.
        """
        for index in self._spellings:
            found = index.get(name)
            if found and len({api.pair for api in found}) == 1:
                return found[0]
        return None

    def find(self, tool: str, api: str) -> ApiName | None:
        """The API with exactly this pair of names, in the first of its categories."""
        return self._by_pair.get((tool, api))


def _unique_names(names: Iterable[ApiName]) -> Mapping[ApiName, str]:
    """A sanitised name for each API. APIs that share one get a hash that makes it unique.

    Which APIs need a hash depends on the set alone, not on its order.
    """
    shown = {name: sanitise(name.wrapper) for name in names}
    digits = _SHORTEST_HASH
    while True:
        groups = _group((text, name) for name, text in shown.items()).values()
        shared = [group for group in groups if len(group) > 1]
        if not shared:
            return shown
        for group in shared:
            shown.update({name: name.hashed(digits) for name in group})
        digits += _SHORTEST_HASH


def _group(items: Iterable[tuple[str, ApiName]]) -> dict[str, tuple[ApiName, ...]]:
    groups: dict[str, list[ApiName]] = {}
    for text, name in items:
        groups.setdefault(text, []).append(name)
    return {text: tuple(sorted(group)) for text, group in groups.items()}
