"""Baselines in an environment: what each does in a case that is acted out. Calls are carried out; steps hold real results."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from leaderboard.types import Case, Json, Tool
from runners.baselines.keyword import choose
from runners.environments.environment import Environment
from runners.environments.episode import Episode

# What a baseline says to a case that is acted out: `output`, `intermediate_steps` and, where there is one, `state`.
Acted = dict[str, Json]

# A value for an argument that says nothing.
_TRIVIAL: Final[Mapping[str, Json]] = MappingProxyType(
    {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}
)


def trivial_arguments(tool: Tool) -> dict[str, Json]:
    """Every required argument, with a value that says nothing."""
    return {
        parameter.name: _TRIVIAL.get(parameter.type, "")
        for parameter in tool.parameters
        if parameter.required
    }


def words_of(observation: Json) -> str:
    """What a tool answered, as the text of an answer."""
    if isinstance(observation, str):
        return observation
    if isinstance(observation, list) and all(isinstance(item, str) for item in observation):
        return ", ".join(observation)
    return json.dumps(observation, ensure_ascii=False)


# ---------------------------------------------------------------- the ground truth


def walk(case: Case, environment: Environment) -> Acted:
    """Carries out the expected calls, and gives the expected answer."""
    expected = case.ground_truth.trajectory
    if expected is None:
        raise ValueError(f"case {case.id} says nothing about how to act it out")
    episode = Episode(environment)
    for name, arguments in _expected_calls(case, episode.tools):
        episode.call(name, arguments)
    reference = expected.reference
    return episode.record(None if reference is None else words_of(reference))


def _expected_calls(case: Case, tools: Iterable[Tool]) -> list[tuple[str, Mapping[str, Json]]]:
    """The expected steps with their arguments, where the case tells them; without, a text is spelled out letter by letter."""
    expected = case.ground_truth.trajectory
    outputs = case.record.get("outputs") or case.record.get("output") or {}
    if outputs.get("expected_calls") is not None:
        return [(call["name"], call.get("arguments") or {}) for call in outputs["expected_calls"]]
    path = expected.paths[0] if expected else ()
    letters = (
        expected.state
        if expected and isinstance(expected.state, str) and len(expected.state) == len(path)
        else ""
    )
    parameters = {tool.name: [parameter.name for parameter in tool.parameters] for tool in tools}
    spelled = dict(enumerate(letters))
    return [
        (name, dict.fromkeys(parameters.get(name, ()), spelled.get(place, "")))
        for place, name in enumerate(path)
    ]


# ---------------------------------------------------------------- without the ground truth


def say(text: str | None) -> Callable[[Case, Environment], Acted]:
    """Does nothing, and always gives the same answer."""
    return lambda _case, environment: Episode(environment).record(text)


def call_first(_case: Case, environment: Environment) -> Acted:
    """Calls the first tool with arguments that say nothing, and answers with what comes of it."""
    episode = Episode(environment)
    tool = episode.tools[0]
    return episode.record(words_of(episode.call(tool.name, trivial_arguments(tool))))


def route(no_idea: str | None, *, always: bool) -> Callable[[Case, Environment], Acted]:
    """One call of the tool whose words fit the question; its result is the answer. `always`: also where no tool fits."""

    def act(case: Case, environment: Environment) -> Acted:
        episode = Episode(environment)
        choice = choose(case.query, episode.tools)
        if choice is None or not (always or (choice.is_candidate and not choice.missing)):
            return episode.record(no_idea)
        arguments = dict(choice.arguments) | dict.fromkeys(choice.missing, "")
        return episode.record(words_of(episode.call(choice.tool.name, arguments)))

    return act


def plan(no_idea: str) -> Callable[[Case, Environment], Acted]:
    """Types a text where there is a typewriter; answers a question that a single look-up answers; else has no idea."""

    def act(case: Case, environment: Environment) -> Acted:
        episode = Episode(environment)
        names = {tool.name for tool in episode.tools}
        if names == {"type_letter"}:
            return _typed(episode, [("type_letter", {"letter": letter}) for letter in case.query])
        if names <= set("abcdefghijklmnopqrstuvwxyz"):
            return _typed(episode, [(letter, {}) for letter in case.query if letter in names])
        return episode.record(_looked_up(case.query, episode, names) or no_idea)

    return act


def _typed(episode: Episode, calls: Iterable[tuple[str, Mapping[str, Json]]]) -> Acted:
    for name, arguments in calls:
        episode.call(name, arguments)
    return episode.record(None)


@dataclass(frozen=True, slots=True)
class _LookUp:
    """A question that one call answers: its pattern, the tool, the parameter that takes the number in the question."""

    pattern: re.Pattern[str]
    tool: str
    parameter: str | None = None
    counted: bool = False


def _asks(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^{pattern}\?$", re.IGNORECASE)


def _of(attribute: str, row: str) -> re.Pattern[str]:
    """A question for an attribute of a row that is told by its ID."""
    return _asks(
        rf"(?:what|which|how many) .*?{attribute}.*\b{row} with ID (\d+)(?: have)?(?: right now)?"
    )


_LOOK_UPS: Final = (
    _LookUp(_asks("what is my user ID"), "get_current_user_id"),
    _LookUp(_asks("how many users are there"), "list_user_ids", counted=True),
    _LookUp(_of("name of", "user"), "get_user_name", "user_id"),
    _LookUp(_of("e-?mail", "user"), "get_user_email", "user_id"),
    _LookUp(_of("favou?rite colou?r", "user"), "get_user_favorite_color", "user_id"),
    _LookUp(_of("location ID", "user"), "get_user_location", "user_id"),
    _LookUp(_of("name of", "food"), "get_food_name", "food_id"),
    _LookUp(_of("allergic ingredients", "food"), "get_food_allergic_ingredients", "food_id"),
    _LookUp(
        _asks(r"how many calories does the food with ID (\d+) have"), "get_food_calories", "food_id"
    ),
    _LookUp(_of("city", "location"), "get_city_for_location", "location_id"),
    _LookUp(_of("time", "location"), "get_current_time_for_location", "location_id"),
    _LookUp(_of("weather", "location"), "get_current_weather_for_location", "location_id"),
)


def _looked_up(query: str, episode: Episode, names: set[str]) -> str | None:
    for look_up in _LOOK_UPS:
        found = look_up.pattern.match(query)
        if found and look_up.tool in names:
            observation = episode.call(
                look_up.tool, {look_up.parameter: int(found[1])} if look_up.parameter else {}
            )
            return words_of(len(observation) if look_up.counted else observation)
    return None
