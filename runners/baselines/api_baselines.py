"""Baselines over simulated APIs. Calls are carried out in this process, in replay mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.types import Case, Json
from runners.apis.api_call import ApiCall
from runners.apis.api_client import ApiOutcome, outcome_of
from runners.apis.executed_calls import AgentOutput, ExecutedCall, make_answer
from runners.apis.solutions import Solution
from runners.apis.virtual_apis import VirtualApis
from runners.baselines.acting_baselines import NO_IDEA, joined_text, trivial_arguments
from runners.baselines.keyword_router import Choice, ranked

MOST_CALLS: Final = 3  # that the keyword router makes for one query


@dataclass(slots=True)
class Caller:
    """Calls simulated APIs for one query, and notes every call with its reply.

    `offered` are the APIs that the query lists. `solution` is how the query can be solved; only the
    oracle gets one.
    """

    apis: VirtualApis
    offered: tuple[ToolDefinition, ...]
    solution: Solution | None
    calls: list[ExecutedCall] = field(default_factory=list)

    def call(self, api: ToolDefinition, arguments: Mapping[str, Json]) -> ApiOutcome:
        """Makes one call."""
        answer = self.apis.answer(ApiCall(api.name, arguments))
        outcome = outcome_of(answer.reply, answer.source)
        self.calls.append(ExecutedCall(api, dict(arguments), outcome))
        return outcome

    def record(self, text: str | None) -> dict[str, Json]:
        """The record's fields, with the final answer. Without an answer Finish is not called."""
        return make_answer(AgentOutput(text), self.calls)


# Answers a query, and returns a record's fields: `answer` and `called_apis`, as agents write them.
CallApis = Callable[[Case, Caller], dict[str, Json]]


def solve(case: Case, caller: Caller) -> dict[str, Json]:
    """Makes the calls of the solution, and gives its answer."""
    if caller.solution is None:
        raise ValueError(f"query {case.id} has no solution")
    catalogue = caller.apis.catalogue
    for call in caller.solution.calls:
        name = catalogue.registry.find(call.tool_name, call.api_name)
        if name is None:
            raise ValueError(f"{call.tool_name} {call.api_name} is not an API of the suite")
        caller.call(catalogue.named(name), call.arguments)
    return caller.record(caller.solution.final_answer)


def call_first(_case: Case, caller: Caller) -> dict[str, Json]:
    """Calls the first API with arguments that say nothing. Its reply is the answer."""
    if not caller.offered:
        return caller.record(None)
    api = caller.offered[0]
    return caller.record(caller.call(api, trivial_arguments(api.as_tool())).text)


def call_best(case: Case, caller: Caller) -> dict[str, Json]:
    """Calls the router's best API in any case. Its reply is the answer."""
    if not caller.offered:
        return caller.record(None)
    api, choice = _ranked_apis(case, caller)[0]
    return caller.record(caller.call(api, choice.forced_arguments).text)


def look_up(case: Case, caller: Caller) -> dict[str, Json]:
    """Calls the few best APIs that fit and lack no argument. Their replies are the answer."""
    # A call without a required argument would only give an error.
    complete = [pair for pair in _ranked_apis(case, caller) if pair[1].is_complete]
    replies = []
    for api, choice in complete[:MOST_CALLS]:
        outcome = caller.call(api, choice.arguments)
        if outcome.ok:
            replies.append(joined_text(outcome.response))
    return caller.record("\n".join(replies) or NO_IDEA)


def _ranked_apis(case: Case, caller: Caller) -> list[tuple[ToolDefinition, Choice]]:
    """The offered APIs with the arguments that the router finds, the best match first."""
    apis = {api.sanitised_name: api for api in caller.offered}
    choices = ranked(case.query, [api.as_tool() for api in caller.offered])
    return [(apis[choice.tool.name], choice) for choice in choices]
