"""The names of an API: its tool's, its own, and the spellings by which query files, models and servers write the two as one.

One API is `(tool, api)`, in a category. Four spellings of that pair occur: `[tool, api]` itself; the wrapper name `tool_api`
with everything kept; the sanitised name that a model is shown; and StableToolBench's own `api_for_tool`. A name does not say
where the tool's part ends, so names are looked up in a registry and never taken apart while it knows them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

LONGEST_NAME: Final = 64
FINISH: Final = "Finish"

Pair = tuple[str, str]
Spelling = Literal["wrapper", "sanitised", "stable_toolbench"]

_RESERVED: Final = frozenset({"from", "class", "return", "false", "true", "id", "and"})
_UNUSUAL: Final = re.compile(r"[^\u4e00-\u9fa5A-Za-z0-9_]")
# The upstream expression repeats its caret inside the brackets, which spares that character.
_UNUSUAL_UPSTREAM: Final = re.compile(r"[^\u4e00-\u9fa5A-Za-z0-9_^]")
_SHORTEST_HASH: Final = 8


def standardise(name: str) -> str:
    """A tool's or an API's name as StableToolBench writes it into names and paths: `24h volume` becomes `get_24h_volume`."""
    return _standardise(name, _UNUSUAL)


def standardise_upstream(name: str) -> str:
    """The same with the upstream slip that keeps `^`, for finding what was stored under such a name."""
    return _standardise(name, _UNUSUAL_UPSTREAM)


def _standardise(name: str, unusual: re.Pattern[str]) -> str:
    plain = re.sub(r"_+", "_", unusual.sub("_", name)).lower().strip("_")
    return f"get_{plain}" if plain[:1].isdecimal() else plain


def change_name(name: str) -> str:
    """A standardised name that is no word of the Python language: `id` becomes `is_id`."""
    return f"is_{name}" if name in _RESERVED else name


def standard_category(category: str) -> str:
    """A category as folders spell it: `News, Media` becomes `News_Media`. One pass only, so that `a   b` is `a__b`."""
    return re.sub(r"[ ,/]", "_", category).replace("__", "_")


def stable_toolbench_name(tool: str, api: str) -> str:
    """StableToolBench's `api_for_tool`: of a longer name the last 64 characters."""
    return f"{change_name(standardise(api))}_for_{standardise(tool)}"[-LONGEST_NAME:]


def _upstream_name(tool: str, api: str) -> str:
    return f"{change_name(standardise_upstream(api))}_for_{standardise_upstream(tool)}"[
        -LONGEST_NAME:
    ]


def sanitise(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that function-calling APIs take: ASCII letters, digits, `_` and `-`, never empty, at most `longest` characters.

    Two different names may come out alike; a `NameRegistry` keeps them apart.
    """
    plain = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9_-]", "_", name)).strip("_")
    if plain.startswith("-"):
        plain = f"tool_{plain}"
    return plain[:longest].rstrip("_") or "tool"


@dataclass(frozen=True, slots=True, order=True)
class ApiName:
    """Which API: its category, its tool and its own name, all as the catalogue spells them."""

    category: str
    tool: str
    api: str

    @property
    def pair(self) -> Pair:
        """The tool's and the API's name: what gold APIs are given as."""
        return self.tool, self.api

    @property
    def wrapper(self) -> str:
        """The wrapper name, for example `TramLine_next departures`."""
        return f"{self.tool}_{self.api}"

    def hashed(self, digits: int = _SHORTEST_HASH) -> str:
        """The sanitised name with a hash of the whole triple behind it, within 64 characters."""
        triple = json.dumps([self.category, self.tool, self.api]).encode()
        end = f"_{hashlib.sha256(triple).hexdigest()[:digits]}"
        return sanitise(self.wrapper, LONGEST_NAME - len(end)) + end


@dataclass(frozen=True, slots=True)
class Resolved:
    """An API found by a name, and which spelling that name was."""

    name: ApiName
    spelling: Spelling

    @property
    def pair(self) -> Pair:
        """The tool's and the API's name."""
        return self.name.pair


class NameRegistry:
    """APIs by any of their spellings. What it says does not depend on the order in which the APIs are given.

    Sanitised names are injective: where two APIs would share one, both get a hash of their triple behind it.
    """

    def __init__(self, names: Iterable[ApiName]) -> None:
        self._names = tuple(sorted(set(names)))
        self._shown = _injective(self._names)
        self._spellings: Mapping[Spelling, Mapping[str, tuple[ApiName, ...]]] = MappingProxyType(
            {
                "wrapper": _index((name.wrapper, name) for name in self._names),
                "sanitised": _index(_sanitised_spellings(self._shown)),
                "stable_toolbench": _index(_stable_toolbench_spellings(self._names)),
            }
        )
        self._pairs = _index((json.dumps(name.pair), name) for name in self._names)

    def __iter__(self) -> Iterator[ApiName]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def sanitised(self, name: ApiName) -> str:
        """What a model is shown: `^[a-zA-Z0-9_-]{1,64}$`, and no other API's here. Raises KeyError for an unknown API."""
        return self._shown[name]

    def resolve(self, name: str) -> Resolved | None:
        """The API of that name. None where no API has it, or several have it that are different pairs (see `candidates`).

        Wrapper names go before sanitised ones, and those before StableToolBench's. A sanitised name with the hash is found
        whether or not this registry needs the hash.
        """
        for spelling, index in self._spellings.items():
            found = index.get(name)
            if found and len({api.pair for api in found}) == 1:
                return Resolved(found[0], spelling)
        return None

    def find(self, tool: str, api: str) -> ApiName | None:
        """The API with exactly this pair of names; of several categories the first by name."""
        found = self._pairs.get(json.dumps((tool, api)))
        return found[0] if found else None

    def candidates(self, name: str) -> tuple[ApiName, ...]:
        """Every API that has this name in any spelling."""
        return tuple(
            sorted({api for index in self._spellings.values() for api in index.get(name, ())})
        )


def guess(name: str) -> Pair | None:
    """The pair that a name unknown to every registry may stand for: cut at its first `_`, else at its first blank.

    It is wrong for most real names, so whoever uses it says that it is a guess. None where a half would be empty.
    """
    for mark in ("_", " "):
        tool, found, api = name.partition(mark)
        if found:
            return (tool, api) if tool and api else None
    return None


def _injective(names: Iterable[ApiName]) -> Mapping[ApiName, str]:
    """A name for each API that no other has. Hashes grow until they tell all apart; who needs one depends on the set alone."""
    shown = {name: sanitise(name.wrapper) for name in names}
    digits = _SHORTEST_HASH
    while shared := [
        group
        for group in _index((text, name) for name, text in shown.items()).values()
        if len(group) > 1
    ]:
        shown.update({name: name.hashed(digits) for group in shared for name in group})
        digits += _SHORTEST_HASH
    return shown


def _sanitised_spellings(shown: Mapping[ApiName, str]) -> Iterator[tuple[str, ApiName]]:
    for name, text in shown.items():
        yield from ((spelling, name) for spelling in {text, sanitise(name.wrapper), name.hashed()})


def _stable_toolbench_spellings(names: Iterable[ApiName]) -> Iterator[tuple[str, ApiName]]:
    for name in names:
        spellings = {stable_toolbench_name(*name.pair), _upstream_name(*name.pair)}
        yield from ((spelling, name) for spelling in spellings)


def _index(items: Iterable[tuple[str, ApiName]]) -> dict[str, tuple[ApiName, ...]]:
    found: dict[str, list[ApiName]] = {}
    for text, name in items:
        found.setdefault(text, []).append(name)
    return {text: tuple(sorted(group)) for text, group in found.items()}
