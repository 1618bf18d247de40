"""Which APIs a response called, in any spelling of their names, and whether each call succeeded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from leaderboard.apis.api_definitions import candidate_name, candidates_of, gold_pairs
from leaderboard.apis.api_names import (
    DEFAULT_CATEGORY,
    FINISH,
    ApiName,
    NameRegistry,
    Pair,
    guess,
)
from leaderboard.apis.executions import reply_failed
from leaderboard.types import Case, Response

# Listed by the record itself, or read from the names of its calls.
Source = Literal["declared", "parsed"]


@dataclass(frozen=True, slots=True)
class CalledApi:
    """One call of an API. `failed` is None if unknown. A `guessed` pair was cut out of a name."""

    pair: Pair
    failed: bool | None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class CalledApis:
    """Every call in order, and the names (each once) that belong to no API."""

    source: Source
    apis: tuple[CalledApi, ...]
    unresolved: tuple[str, ...]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The APIs called, each once."""
        return tuple(dict.fromkeys(api.pair for api in self.apis))

    @property
    def succeeded(self) -> frozenset[Pair]:
        """The APIs with at least one call that succeeded."""
        return frozenset(api.pair for api in self.apis if api.failed is False)

    @property
    def uncertain(self) -> frozenset[Pair]:
        """The APIs with no call known to have succeeded, but one that may have."""
        return frozenset(api.pair for api in self.apis if api.failed is None) - self.succeeded


def called_apis(case: Case, response: Response) -> CalledApis | None:
    """Returns the APIs that a response called; None if it has neither steps nor a list of APIs.

    The record's own list comes first. An API there without a status has the outcome of its calls.
    """
    registry = _registry(tuple(names_known_to(case, response)))
    apis: list[CalledApi] = []
    unresolved: dict[str, None] = {}
    outcomes: dict[Pair, bool | None] = {}
    for call in response.calls:
        if call.name == FINISH:
            continue
        resolved = registry.resolve(call.name)
        pair = resolved.pair if resolved else None
        if resolved is None and not registry.candidates(call.name):
            pair = guess(call.name)
        if pair is None:
            unresolved[call.name] = None
            continue
        failed = reply_failed(call.result)
        apis.append(CalledApi(pair, failed, guessed=resolved is None))
        # An API has succeeded if one of its calls has.
        if outcomes.setdefault(pair, failed) is not False and failed is not None:
            outcomes[pair] = failed

    if response.declared is None:
        if not response.steps_told:
            return None
        return CalledApis("parsed", tuple(apis), tuple(unresolved))
    declared = [
        CalledApi(api.pair, outcomes.get(api.pair) if api.failed is None else api.failed)
        for api in response.declared
        if FINISH not in api.pair
    ]
    return CalledApis("declared", tuple(declared), ())


@lru_cache(maxsize=4096)
def _registry(names: tuple[ApiName, ...]) -> NameRegistry:
    return NameRegistry(names)


def names_known_to(case: Case, response: Response) -> Iterator[ApiName]:
    """Yields every API of the query or the response: candidates, gold APIs, declared ones."""
    known = set()
    for api in candidates_of(case.record):
        name = candidate_name(api)
        known.add(name.pair)
        yield name
    for pair in (*gold_pairs(case.record), *(api.pair for api in response.declared or ())):
        if pair not in known:
            known.add(pair)
            yield ApiName(DEFAULT_CATEGORY, *pair)
