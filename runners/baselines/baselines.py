"""The baselines: systems so simple that a model must beat them, and one that cannot be beaten.

Each answers a case at once, from the case alone, always in the same way. They say how hard a suite is: what is reached by
saying nothing, by refusing everything, by matching words, and whether every ground truth can be met at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from leaderboard.types import Case, ExpectedArgument, ExpectedCall, Json, Suite, Tool
from runners.baselines import calling_baselines
from runners.baselines.acting_baselines import (
    Acted,
    call_first,
    plan,
    route,
    say,
    trivial_arguments,
    walk,
)
from runners.baselines.calling_baselines import MOST_CALLS, Answered, Caller
from runners.baselines.keyword import Choice, choose
from runners.environments.environment import Environment

REFUSAL: Final = "I'm sorry, but I can't help with that."
NO_IDEA: Final = "I don't know."
NO_TOOL: Final = "No tool is needed for this."

# What a baseline says to a case: `model_function_call` (an object, a list of several, or null) and `model_text`.
Answer = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Baseline:
    """A system without a model. `title` stands on its card, `description` in its README.

    `answer` replies to a case of one turn, `act` acts a case out in an environment, `call` answers a query over simulated APIs;
    where one is None, such cases are not for it. `sees_solutions` says that it is told how a query can be solved.
    """

    name: str
    title: str
    description: str
    answer: Callable[[Suite, Case], Answer] | None
    act: Callable[[Case, Environment], Acted]
    call: Callable[[Case, Caller], Answered] | None
    sees_solutions: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of suites it answers."""
        one_turn = () if self.answer is None else ("tool_selection", "call_match")
        return (*one_turn, "tool_usage", *(() if self.call is None else ("stable_toolbench",)))


def _calls(calls: Iterable[Json]) -> Answer:
    listed = list(calls)
    return {
        "model_function_call": listed[0] if len(listed) == 1 else listed or None,
        "model_text": None,
    }


def _text(text: str | None) -> Answer:
    return {"model_function_call": None, "model_text": text}


# ---------------------------------------------------------------- oracle


def oracle(suite: Suite, case: Case) -> Answer:
    """The ground truth as an answer. An expected call of a tool that is not offered is left out: nothing can meet it."""
    truth = case.ground_truth
    if not truth.calls:
        return _text(NO_TOOL if truth.text is None else truth.text)
    value = _matching_value if suite.kind.name == "call_match" else _first_value
    calls = ((call, tool) for call in truth.calls for tool in case.tools if tool.name == call.name)
    return _calls(
        {"name": tool.name, "arguments": _arguments(call, tool, value)} for call, tool in calls
    )


def _arguments(
    call: ExpectedCall, tool: Tool, value: Callable[[ExpectedArgument], tuple[Json, ...]]
) -> dict[str, Json]:
    """One value per expected argument; one that the tool does not have can only be left out."""
    known = (argument for argument in call.arguments if tool.parameter(argument.name))
    return {argument.name: found for argument in known for found in value(argument)}


def _first_value(argument: ExpectedArgument) -> tuple[Json, ...]:
    """The first accepted value, or nothing where the argument may be left out."""
    return () if argument.may_be_absent else argument.accepted[:1]


def _matching_value(argument: ExpectedArgument) -> tuple[Json, ...]:
    """The first accepted value that is not "" (which means: may be left out), in the shape its declared type is compared in."""
    values = [value for value in argument.accepted if value != ""]
    if not values:
        return ("",) if argument.required and argument.accepted else ()
    return (_shaped(values[0], argument.type, argument.items),)


def _shaped(value: Json, declared: str | None, items: str | None) -> Json:
    """An accepted object lists the accepted values of each key; the answer holds one of them."""
    if declared == "dict" and isinstance(value, dict):
        return _one_of_each(value)
    if declared in ("array", "tuple") and items == "dict" and isinstance(value, list):
        return [_one_of_each(item) if isinstance(item, dict) else item for item in value]
    return value


def _one_of_each(accepted: Mapping[str, Json]) -> dict[str, Json]:
    return {
        key: _one_of_each(value) if isinstance(value, dict) else _first_filled(value)
        for key, value in accepted.items()
    }


def _first_filled(values: Json) -> Json:
    if not isinstance(values, list):
        return values
    return next((value for value in values if value != ""), "")


# ---------------------------------------------------------------- without the ground truth


def silent(_suite: Suite, _case: Case) -> Answer:
    """Neither a call nor a word."""
    return _text(None)


def refuse(_suite: Suite, _case: Case) -> Answer:
    """One polite refusal, whatever is asked."""
    return _text(REFUSAL)


def keyword(_suite: Suite, case: Case) -> Answer:
    """The tool whose words fit the request, arguments found by patterns; a question back when a required one is missing."""
    choice = choose(case.query, case.tools)
    if choice is None or not choice.is_candidate:
        return _text(NO_IDEA)
    if choice.missing:
        return _text(f"Which {choice.missing[0].replace('_', ' ')} do you mean?")
    return _calls([_call(choice, choice.arguments)])


def eager(_suite: Suite, case: Case) -> Answer:
    """The router's best tool, called whatever is asked; required arguments that are not found are empty text."""
    choice = choose(case.query, case.tools)
    if choice is None:
        return _text(None)
    return _calls([_call(choice, dict(choice.arguments) | dict.fromkeys(choice.missing, ""))])


def first_tool(_suite: Suite, case: Case) -> Answer:
    """The first tool offered, whatever is asked."""
    return _calls(
        {"name": tool.name, "arguments": trivial_arguments(tool)} for tool in case.tools[:1]
    )


def _call(choice: Choice, arguments: Mapping[str, Json]) -> Json:
    return {"name": choice.tool.name, "arguments": dict(arguments)}


_ALL: Final = (
    Baseline(
        "oracle",
        "Oracle",
        "Answers with the ground truth itself, so it is no system but a check: what it does not pass, nobody can pass. Over "
        "simulated APIs, where no answer is the only right one, it carries out the solution that comes with the suite.",
        oracle,
        walk,
        calling_baselines.solve,
        sees_solutions=True,
    ),
    Baseline(
        "silent",
        "Silent",
        "Never calls a tool and never says a word. What it scores is given away by the suite.",
        silent,
        say(None),
        calling_baselines.say(None),
    ),
    Baseline(
        "refuse",
        "Always refuses",
        f'Answers every request with the same sentence: "{REFUSAL}" It shows what refusing everything earns.',
        refuse,
        say(REFUSAL),
        calling_baselines.say(REFUSAL),
    ),
    Baseline(
        "keyword",
        "Keyword router",
        "Picks a tool by the words of the request, with hand-made trigger words for the tool-selection suite, and fills in "
        "arguments with patterns for numbers, dates, places and quotations. It asks back when a required argument is not "
        f'found, and says "{NO_IDEA}" when no tool fits. Of simulated APIs it calls up to {MOST_CALLS} and repeats what they '
        "reply. It understands nothing and never sees a ground truth.",
        keyword,
        route(NO_IDEA, always=False),
        calling_baselines.look_up(NO_IDEA),
    ),
    Baseline(
        "eager",
        "Always calls",
        "Calls the keyword router's best tool whatever is asked, with empty text for required arguments it cannot find. It "
        "shows what calling without thinking earns.",
        eager,
        route(None, always=True),
        calling_baselines.call_best,
    ),
    Baseline(
        "first-tool",
        "First tool",
        "Calls the first tool that is offered, whatever is asked, with arguments that say nothing (empty text, 0, false). It "
        "shows what a suite gives to those who merely call something.",
        first_tool,
        call_first,
        calling_baselines.call_first,
    ),
    Baseline(
        "planner",
        "Small planner",
        "Acts by a handful of patterns: it types a text letter by letter where there is a typewriter, and answers questions "
        f'that a single look-up answers, such as one for an attribute of a given ID. To everything else it says "{NO_IDEA}" It '
        "understands nothing and never sees a ground truth.",
        None,
        plan(NO_IDEA),
        None,
    ),
)

BASELINES: Final[Mapping[str, Baseline]] = MappingProxyType(
    {baseline.name: baseline for baseline in _ALL}
)
