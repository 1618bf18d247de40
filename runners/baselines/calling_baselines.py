"""Baselines over simulated APIs: what each does with a query. Calls are carried out, in this process, in replay mode."""

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
from runners.baselines.acting_baselines import trivial_arguments, words_of
from runners.baselines.keyword import Choice, choose

# What a baseline says to a query: `answer` and `called_apis`, as records of agents have them.
Answered = dict[str, Json]

MOST_CALLS: Final = 3  # that the keyword router makes for one query


@dataclass(slots=True)
class Caller:
    """Calls simulated APIs for one query, and notes every call with its reply.

    `offered` are the APIs that the query lists. `solution` says how it can be solved; only the oracle is given one.
    """

    apis: VirtualApis
    offered: tuple[ToolDefinition, ...]
    solution: Solution | None = None
    calls: list[ExecutedCall] = field(default_factory=list)

    def call(self, api: ToolDefinition, arguments: Mapping[str, Json]) -> ApiOutcome:
        """What the call came to."""
        answer = self.apis.answer(ApiCall(api.category, api.tool_name, api.api_name, arguments))
        outcome = outcome_of(answer.reply, answer.source)
        self.calls.append(ExecutedCall(api, dict(arguments), outcome))
        return outcome

    def done(self, text: str | None) -> Answered:
        """The record's fields, with the final answer; without one, Finish is not called either."""
        return make_answer(AgentOutput(text), self.calls)


def solve(case: Case, caller: Caller) -> Answered:
    """Carries out the calls of the solution, and gives its answer."""
    if caller.solution is None:
        raise ValueError(f"nothing says how query {case.id} can be solved")
    catalogue = caller.apis.catalogue
    for call in caller.solution.calls:
        name = catalogue.registry.find(call.tool_name, call.api_name)
        if name is None:
            raise ValueError(f"{call.tool_name} {call.api_name} is no API of the suite")
        caller.call(catalogue.named(name), call.arguments)
    return caller.done(caller.solution.final_answer)


def say(text: str | None) -> Callable[[Case, Caller], Answered]:
    """Calls nothing, and always gives the same answer."""
    return lambda _case, caller: caller.done(text)


def call_first(_case: Case, caller: Caller) -> Answered:
    """Calls the first API with arguments that say nothing; its reply is the answer."""
    if not caller.offered:
        return caller.done(None)
    api = caller.offered[0]
    return caller.done(caller.call(api, trivial_arguments(api.as_tool())).text)


def call_best(case: Case, caller: Caller) -> Answered:
    """Calls the API whose words fit the query best, whatever is asked; its reply is the answer."""
    choice = choose(case.query, [api.as_tool() for api in caller.offered])
    if choice is None:
        return caller.done(None)
    arguments = dict(choice.arguments) | dict.fromkeys(choice.missing, "")
    return caller.done(caller.call(_api(caller, choice), arguments).text)


def look_up(no_idea: str) -> Callable[[Case, Caller], Answered]:
    """Calls the few APIs whose words fit and whose required arguments are found; their replies together are the answer."""

    def act(case: Case, caller: Caller) -> Answered:
        found = (choose(case.query, [api.as_tool()]) for api in caller.offered)
        fitting = [
            choice for choice in found if choice and choice.is_candidate and not choice.missing
        ]
        fitting.sort(key=lambda choice: -choice.points)
        outcomes = [
            caller.call(_api(caller, choice), choice.arguments) for choice in fitting[:MOST_CALLS]
        ]
        return caller.done(
            "\n".join(words_of(outcome.response) for outcome in outcomes if outcome.ok) or no_idea
        )

    return act


def _api(caller: Caller, choice: Choice) -> ToolDefinition:
    return next(api for api in caller.offered if api.sanitised_name == choice.tool.name)
