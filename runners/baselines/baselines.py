"""The baselines: systems so simple that a model must beat them, and one that none can beat.

Each answers a case from the case alone, always in the same way. They show how hard a suite is: what
silence, refusal and shared words earn, and whether every ground truth can be met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.kinds import Interaction
from leaderboard.types import Case, ExpectedArgument, Json
from runners.baselines import acting_baselines, api_baselines
from runners.baselines.acting_baselines import NO_IDEA, Act, trivial_arguments
from runners.baselines.api_baselines import MOST_CALLS, CallApis, Caller
from runners.baselines.keyword_router import choose
from runners.baselines.source_code_values import written_value
from runners.environments.step_log import StepLog

REFUSAL: Final = "I'm sorry, but I can't help with that."
NO_TOOL: Final = "No tool is needed for this."

# Answers a case in one message: `model_function_call` and `model_text` of a record.
Respond = Callable[[Case], dict[str, Json]]


@dataclass(frozen=True, slots=True)
class Baseline:
    """A system without a model. `title` is for its card, `description` for its README.

    `reply` answers a case in one message, `act` acts a case out in an environment, `call` answers a
    query over simulated APIs; None: the baseline does not answer such suites. `sees_solutions`:
    it gets the suite's solutions of queries.
    """

    name: str
    title: str
    description: str
    reply: Respond | None
    act: Act
    call: CallApis | None
    sees_solutions: bool = False

    @property
    def interactions(self) -> tuple[Interaction, ...]:
        """The interactions of the suites that it answers."""
        names: tuple[Interaction, ...] = ("message", "environment", "apis")
        ways = zip(names, (self.reply, self.act, self.call), strict=True)
        return tuple(name for name, way in ways if way is not None)


def _message(text: str | None = None, calls: Sequence[Json] = ()) -> dict[str, Json]:
    called = calls[0] if len(calls) == 1 else list(calls) or None
    return {"model_function_call": called, "model_text": text}


def oracle(case: Case) -> dict[str, Json]:
    """The ground truth as an answer, without calls of tools that are not offered."""
    truth = case.ground_truth
    if truth.exact is not None:
        return _message(truth.exact.example)
    if truth.any_call:
        return eager(case)
    if not truth.calls:
        return _message(NO_TOOL if truth.text is None else truth.text)
    tools = {tool.name: tool for tool in case.tools}
    calls: list[Json] = []
    for call in truth.calls:
        if call.name not in tools:
            continue
        arguments: dict[str, Json] = {}
        for argument in call.arguments:
            # Some ground truths accept arguments that the offered tool does not have.
            if tools[call.name].parameter(argument.name) is not None:
                arguments |= _accepted(argument)
        calls.append({"name": call.name, "arguments": arguments})
    return _message(calls=calls)


def _accepted(argument: ExpectedArgument) -> dict[str, Json]:
    """The argument with the first accepted value; empty where it must or should be left out.

    An accepted "" means that an optional argument may be left out, as well as the other values.
    """
    values = [value for value in argument.accepted if value != ""]
    if not values:
        return {argument.name: ""} if argument.required and argument.accepted else {}
    if argument.may_be_absent and "" not in argument.accepted:
        return {}
    value = values[0]
    if argument.type in ("dict", "HashMap") and isinstance(value, dict):
        value = _one_of_each(value)
    holds_objects = argument.type in ("array", "tuple") and argument.items == "dict"
    if holds_objects and isinstance(value, list):
        value = [_one_of_each(item) if isinstance(item, dict) else item for item in value]
    if argument.language is not None:
        value = written_value(value, argument.type, argument.items, argument.language)
    return {argument.name: value}


def _one_of_each(accepted: Mapping[str, Json]) -> dict[str, Json]:
    """An object with one of the accepted values of each key."""
    chosen: dict[str, Json] = {}
    for key, values in accepted.items():
        if isinstance(values, dict):
            chosen[key] = _one_of_each(values)
        elif isinstance(values, list):
            chosen[key] = next((value for value in values if value != ""), "")
        else:
            chosen[key] = values
    return chosen


def reply_with(text: str | None) -> Respond:
    """Always gives the same message, without a call."""
    return lambda _case: _message(text)


def say(text: str | None) -> Callable[[Case, StepLog | Caller], dict[str, Json]]:
    """Calls nothing, and always gives the same answer."""
    return lambda _case, recorder: recorder.record(text)


def keyword(case: Case) -> dict[str, Json]:
    """Calls the tool that the router finds, or asks for a missing argument."""
    choice = choose(case.query, case.tools)
    if choice is None or not choice.fits:
        return _message(NO_IDEA)
    if choice.missing:
        return _message(f"Which {choice.missing[0].replace('_', ' ')} do you mean?")
    return _message(calls=[{"name": choice.tool.name, "arguments": choice.arguments}])


def eager(case: Case) -> dict[str, Json]:
    """Calls the router's best tool in any case."""
    choice = choose(case.query, case.tools)
    if choice is None:
        return _message()
    return _message(calls=[{"name": choice.tool.name, "arguments": choice.forced_arguments}])


def first_tool(case: Case) -> dict[str, Json]:
    """Calls the first tool with arguments that say nothing."""
    tools = case.tools[:1]
    return _message(calls=[{"name": t.name, "arguments": trivial_arguments(t)} for t in tools])


_ALL: Final = (
    Baseline(
        "oracle",
        "Oracle",
        "Answers with the ground truth itself, so it is no system but a check: what it does not "
        "pass, nobody can pass. Over simulated APIs, where no answer is the only right one, it "
        "carries out the solution that comes with the suite.",
        oracle,
        acting_baselines.walk,
        api_baselines.solve,
        sees_solutions=True,
    ),
    Baseline(
        "silent",
        "Silent",
        "Never calls a tool and never says a word. What it scores is given away by the suite.",
        reply_with(None),
        say(None),
        say(None),
    ),
    Baseline(
        "refuse",
        "Always refuses",
        f'Answers every request with the same sentence: "{REFUSAL}" '
        "It shows what refusing everything earns.",
        reply_with(REFUSAL),
        say(REFUSAL),
        say(REFUSAL),
    ),
    Baseline(
        "keyword",
        "Keyword router",
        "Picks the tool that shares most words with the request, and fills arguments by type with "
        "the numbers, dates, quotations and capitalised names of the request. It knows no tool in "
        "advance. It asks for a required argument that it does not find, and says "
        f'"{NO_IDEA}" when no tool fits. Of simulated APIs it calls up to {MOST_CALLS} and repeats '
        "their replies. It understands nothing and never sees a ground truth.",
        keyword,
        acting_baselines.route(always=False),
        api_baselines.look_up,
    ),
    Baseline(
        "eager",
        "Always calls",
        "Calls the keyword router's best tool whatever is asked, with empty text for required "
        "arguments it cannot find. It shows what calling without thinking earns.",
        eager,
        acting_baselines.route(always=True),
        api_baselines.call_best,
    ),
    Baseline(
        "first-tool",
        "First tool",
        "Calls the first tool that is offered, whatever is asked, with arguments that say nothing "
        "(empty text, 0, false). It shows what a suite gives to those who merely call something.",
        first_tool,
        acting_baselines.call_first,
        api_baselines.call_first,
    ),
    Baseline(
        "planner",
        "Small planner",
        "Acts by a handful of patterns: it types a text letter by letter where there is a "
        "typewriter, and answers questions that a single look-up answers, such as one for an "
        f'attribute of a given ID. To everything else it says "{NO_IDEA}" It understands nothing '
        "and never sees a ground truth.",
        None,
        acting_baselines.plan,
        None,
    ),
)

BASELINES: Final[Mapping[str, Baseline]] = {baseline.name: baseline for baseline in _ALL}
