"""Which APIs a response called, in any spelling of their names, and whether each call succeeded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from leaderboard.apis.api_definitions import candidate_name, candidates_of, gold_pairs
from leaderboard.apis.api_names import DEFAULT_CATEGORY, FINISH, ApiName, NameRegistry, Pair
from leaderboard.apis.executions import reply_failed
from leaderboard.types import CalledApi, Case, Response


@dataclass(frozen=True, slots=True)
class CalledApis:
    """Every call of an API in order, and the names (each once) that belong to no API.

    A name is never cut into a tool and an API: most cuts would give names that nobody wrote.
    """

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
    """The APIs that a response called; None if it has neither steps nor a list of APIs.

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
        if resolved is None:
            unresolved[call.name] = None
            continue
        failed = reply_failed(call.result)
        apis.append(CalledApi(*resolved.pair, failed))
        # An API has succeeded if one of its calls has.
        if outcomes.setdefault(resolved.pair, failed) is not False and failed is not None:
            outcomes[resolved.pair] = failed

    if response.declared is None:
        if not response.steps_told:
            return None
        return CalledApis(tuple(apis), tuple(unresolved))
    declared = [
        replace(api, failed=outcomes.get(api.pair)) if api.failed is None else api
        for api in response.declared
        if FINISH not in api.pair
    ]
    return CalledApis(tuple(declared), ())


@lru_cache(maxsize=4096)
def _registry(names: tuple[ApiName, ...]) -> NameRegistry:
    return NameRegistry(names)


def names_known_to(case: Case, response: Response) -> Iterator[ApiName]:
    """Yields every API of the query or the response: candidates, gold APIs, declared ones."""
    offered = set()
    for api in candidates_of(case.record):
        name = candidate_name(api)
        offered.add(name.pair)
        yield name
    for pair in (*gold_pairs(case.record), *(api.pair for api in response.declared or ())):
        if pair not in offered:
            offered.add(pair)
            yield ApiName(DEFAULT_CATEGORY, *pair)
