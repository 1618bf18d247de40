"""Which APIs a response called, whatever its names are spelled like, and whether each call came to something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from leaderboard.apis.api_definitions import DEFAULT_CATEGORY, gold_pairs
from leaderboard.apis.api_names import FINISH, ApiName, NameRegistry, Pair, guess
from leaderboard.apis.executions import reply_failed
from leaderboard.types import Case, Response

# Listed by the record itself, or read from the names of its calls.
Source = Literal["declared", "parsed"]


@dataclass(frozen=True, slots=True)
class CalledApi:
    """One call of an API. `failed` is None where nothing says how it went. A `guessed` pair was cut out of an unknown name."""

    pair: Pair
    failed: bool | None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class CalledApis:
    """Every call in order, repeats included; `unresolved` holds the names (each once) that stand for no pair at all."""

    source: Source
    apis: tuple[CalledApi, ...]
    unresolved: tuple[str, ...]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The APIs called, each once."""
        return tuple(dict.fromkeys(api.pair for api in self.apis))

    @property
    def succeeded(self) -> frozenset[Pair]:
        """The APIs of which one call at least came to something."""
        return frozenset(api.pair for api in self.apis if api.failed is False)

    @property
    def uncertain(self) -> frozenset[Pair]:
        """The APIs of which no call is known to have come to something, though one of them may have."""
        return frozenset(api.pair for api in self.apis if api.failed is None) - self.succeeded


def called_apis(case: Case, response: Response) -> CalledApis | None:
    """The APIs that a response to a case called; None where it tells neither its steps nor what it called.

    What the record declares goes before what its calls say; a declared API without a status has the outcome of its calls.
    """
    registry = _registry(tuple(_names(case, response)))
    parsed = tuple(_parsed(registry, response))
    if response.declared is None:
        names = tuple(dict.fromkeys(found for found in parsed if isinstance(found, str)))
        apis = tuple(found for found in parsed if isinstance(found, CalledApi))
        return CalledApis("parsed", apis, names) if response.steps_told else None
    outcomes = _outcomes(found for found in parsed if isinstance(found, CalledApi))
    told = ((api.pair, api.failed) for api in response.declared if FINISH not in api.pair)
    return CalledApis(
        "declared",
        tuple(
            CalledApi(pair, outcomes.get(pair) if failed is None else failed)
            for pair, failed in told
        ),
        (),
    )


@lru_cache(maxsize=4096)
def _registry(names: tuple[ApiName, ...]) -> NameRegistry:
    return NameRegistry(names)


def _names(case: Case, response: Response) -> Iterator[ApiName]:
    """Every API that the query or the response names as a pair: candidates, gold APIs, those declared as called."""
    known = set()
    for api in case.record.get("api_list") or case.record.get("available_tools") or ():
        name = ApiName(
            api.get("category_name") or DEFAULT_CATEGORY, api["tool_name"], api["api_name"]
        )
        known.add(name.pair)
        yield name
    for pair in (*gold_pairs(case.record), *(api.pair for api in response.declared or ())):
        if pair not in known:
            known.add(pair)
            yield ApiName(DEFAULT_CATEGORY, *pair)


def _parsed(registry: NameRegistry, response: Response) -> Iterator[CalledApi | str]:
    """Each call but Finish, as its API or, where its name stands for none, that name."""
    for call in response.calls:
        if call.name == FINISH:
            continue
        resolved = registry.resolve(call.name)
        if resolved is not None:
            yield CalledApi(resolved.pair, reply_failed(call.result))
            continue
        pair = None if registry.candidates(call.name) else guess(call.name)
        yield (
            call.name if pair is None else CalledApi(pair, reply_failed(call.result), guessed=True)
        )


def _outcomes(calls: Iterator[CalledApi]) -> dict[Pair, bool | None]:
    """Of each API whether its calls failed: not where one of them came to something."""
    found: dict[Pair, bool | None] = {}
    for call in calls:
        if found.setdefault(call.pair, call.failed) is not False and call.failed is not None:
            found[call.pair] = call.failed
    return found
