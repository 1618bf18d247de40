"""Baselines in an environment. Calls are carried out, so steps contain real results."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from string import ascii_lowercase
from typing import Final

from leaderboard.types import Case, Json, Tool
from runners.baselines.keyword_router import choose
from runners.environments.step_log import StepLog

NO_IDEA: Final = "I don't know."

# Acts a case out, and returns a record's fields: `output`, `intermediate_steps`, perhaps `state`.
Act = Callable[[Case, StepLog], dict[str, Json]]

# The least meaningful value of each type.
_TRIVIAL: Final[Mapping[str, Json]] = {
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "array": [],
    "object": {},
}


def trivial_arguments(tool: Tool) -> dict[str, Json]:
    """Every required argument, with a value that says nothing."""
    required = (parameter for parameter in tool.parameters if parameter.required)
    return {parameter.name: _TRIVIAL.get(parameter.type, "") for parameter in required}


def joined_text(observation: Json) -> str:
    """A tool's answer, as the text of a final answer."""
    if isinstance(observation, str):
        return observation
    if isinstance(observation, list) and all(isinstance(item, str) for item in observation):
        return ", ".join(observation)
    return json.dumps(observation, ensure_ascii=False)


def walk(case: Case, log: StepLog) -> dict[str, Json]:
    """Makes the expected calls, and gives the expected answer."""
    trajectory = case.ground_truth.trajectory
    if trajectory is None:
        raise ValueError(f"case {case.id} has no expected steps")
    outputs = case.record.get("outputs") or case.record.get("output") or {}
    if outputs.get("expected_calls") is not None:
        for call in outputs["expected_calls"]:
            log.call(call["name"], call.get("arguments") or {})
    else:
        path = trajectory.paths[0] if trajectory.paths else ()
        tools = {tool.name: tool for tool in log.tools}
        # Only the names of the calls are known. A typed text has one letter for each call.
        state = trajectory.state
        letters = state if isinstance(state, str) and len(state) == len(path) else [""] * len(path)
        for name, letter in zip(path, letters, strict=True):
            parameters = tools[name].parameters if name in tools else ()
            log.call(name, {parameter.name: letter for parameter in parameters})
    reference = trajectory.reference
    return log.record(None if reference is None else joined_text(reference))


def call_first(_case: Case, log: StepLog) -> dict[str, Json]:
    """Calls the first tool with arguments that say nothing. Its result is the answer."""
    tool = log.tools[0]
    return log.record(joined_text(log.call(tool.name, trivial_arguments(tool))))


def route(*, always: bool) -> Act:
    """Calls the tool that the router finds. Its result is the answer.

    Unless `always`, a tool that does not fit or lacks an argument is not called.
    """

    def act(case: Case, log: StepLog) -> dict[str, Json]:
        choice = choose(case.query, log.tools)
        if choice is None or not (always or choice.is_complete):
            return log.record(None if always else NO_IDEA)
        return log.record(joined_text(log.call(choice.tool.name, choice.forced_arguments)))

    return act


def plan(case: Case, log: StepLog) -> dict[str, Json]:
    """Types a text on a typewriter, and answers questions that one look-up answers."""
    tools = {tool.name: tool for tool in log.tools}
    # The tools show which world this is: a typewriter with one key or with 26, or tables.
    if tools.keys() == {"type_letter"}:
        for letter in case.query:
            log.call("type_letter", {"letter": letter})
        return log.record(None)
    if tools.keys() <= set(ascii_lowercase):
        for letter in case.query:
            if letter in tools:
                log.call(letter, {})
        return log.record(None)
    for name, question in _LOOK_UPS.items():
        found = re.fullmatch(rf"{question}\?", case.query, re.IGNORECASE)
        if found is not None and name in tools:
            arguments = {parameter.name: int(found[1]) for parameter in tools[name].parameters}
            result = log.call(name, arguments)
            return log.record(joined_text(len(result) if name == "list_user_ids" else result))
    return log.record(NO_IDEA)


def _attribute(attribute: str, row: str) -> str:
    """The pattern of a question about an attribute of the row with a certain ID."""
    return (
        rf"(?:what|which|how many) .*?{attribute}.*\b{row} with ID (\d+)(?: have)?(?: right now)?"
    )


# The questions that one call answers, by tool. The group is the tool's argument.
_LOOK_UPS: Final[Mapping[str, str]] = {
    "get_current_user_id": "what is my user ID",
    "list_user_ids": "how many users are there",
    "get_user_name": _attribute("name of", "user"),
    "get_user_email": _attribute("e-?mail", "user"),
    "get_user_favorite_color": _attribute("favou?rite colou?r", "user"),
    "get_user_location": _attribute("location ID", "user"),
    "get_food_name": _attribute("name of", "food"),
    "get_food_allergic_ingredients": _attribute("allergic ingredients", "food"),
    "get_food_calories": r"how many calories does the food with ID (\d+) have",
    "get_city_for_location": _attribute("city", "location"),
    "get_current_time_for_location": _attribute("time", "location"),
    "get_current_weather_for_location": _attribute("weather", "location"),
}
