"""The data of the suite `tool_usage`: well formed, every ground truth carried out.

Most of these tests read the raw files, so they do not depend on the loader.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from leaderboard.files.suite_files import load_suite
from leaderboard.workspace import open_workspace
from runners.environments import registry
from runners.environments.environment import Environment
from runners.models.model_settings import ModelSettings
from runners.run_plan import ModelPlan
from scoring.rules import KINDS
from tests.conftest import PROJECT, shipped
from tests.each_row import Test, each_row

SUITE = shipped("datasets/tool_usage")
TASK_OF = {
    "typewriter_1": registry["Tool Usage - Typewriter (1 tool)"],
    "typewriter_26": registry["Tool Usage - Typewriter (26 tools)"],
    "relational_data": registry["Tool Usage - Relational Data"],
    "multiverse_math": registry["Multiverse Math"],
}

Record = dict[str, Any]
Calls = list[Record]


def read(name: str) -> Any:
    """One JSON file of the suite; a repeated key is an error."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        repeated = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
        assert not repeated, f"{name}: repeated keys {repeated}"
        return dict(pairs)

    return json.loads((SUITE / name).read_text(encoding="utf-8"), object_pairs_hook=unique)


CASES: dict[str, list[Record]] = {category: read(f"{category}.json") for category in TASK_OF}
CATEGORY_OF = {case["id"]: category for category, cases in CASES.items() for case in cases}
TYPEWRITERS = ("typewriter_1", "typewriter_26")


def of(*categories: str) -> Callable[[Test], Test]:
    """A test of every case of the categories: gets the case as `case`."""
    return each_row("case", [case for category in categories for case in CASES[category]])


every_case = of(*CASES)


def environment(case: Record) -> Environment:
    """A fresh environment of a case's category."""
    return TASK_OF[CATEGORY_OF[case["id"]]].create_environment()


def paths(case: Record) -> list[Calls]:
    """Every accepted way to act a case out, with arguments: the expected calls first."""
    return [case["outputs"]["expected_calls"], *case["outputs"].get("alternative_calls", [])]


def names(calls: Calls) -> list[str]:
    """The names of calls, in order."""
    return [call["name"] for call in calls]


def carry_out(world: Environment, calls: Calls) -> list[Any]:
    """What each call answers, one after the other in one environment."""
    return [world.call(call["name"], call["arguments"]) for call in calls]


# ---------------------------------------------------------------- files


def test_folder_holds_the_named_files_only() -> None:
    """Every file of the suite is one that suite.toml names, or a label."""
    assert {path.name for path in SUITE.iterdir()} == {
        "labels",
        "suite.toml",
        *(f"{category}.json" for category in CASES),
    }


@pytest.mark.parametrize("name", ["suite.toml", *(f"{category}.json" for category in CASES)])
def test_files_are_plain_utf8(name: str) -> None:
    """Files are UTF-8 without a byte order mark or carriage returns, and end in one newline."""
    raw = (SUITE / name).read_bytes()
    raw.decode("utf-8")
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    assert raw.endswith(b"\n")
    assert not raw.endswith(b"\n\n")


@pytest.mark.parametrize("category", CASES)
def test_json_is_laid_out_in_one_way(category: str) -> None:
    """Data files are indented by two blanks and keep letters as letters, for small diffs."""
    written = json.dumps(CASES[category], indent=2, ensure_ascii=False) + "\n"
    assert (SUITE / f"{category}.json").read_text(encoding="utf-8") == written


def test_suite_file_lists_every_category() -> None:
    """suite.toml names the four categories in order, of equal weight, one of them with a judge."""
    suite = tomllib.loads((SUITE / "suite.toml").read_text(encoding="utf-8"))
    assert (suite["schema"], suite["kind"]) == (1, "tool_usage")
    assert ["typewriter_1", "typewriter_26", "relational_data", "multiverse_math"] == [
        c["id"] for c in suite["categories"]
    ]
    for category in suite["categories"]:
        assert (category["file"], category["weight"]) == (f"{category['id']}.json", 1)
        assert category.get("prompt") == ("qa" if category["id"] == "relational_data" else None)
        assert category["title"].strip()
        assert category["description"].strip()


def test_categories_and_tasks_name_each_other() -> None:
    """Each category of the loaded suite names its task, and every task has a category."""
    suite = load_suite(open_workspace(PROJECT), "tool_usage", KINDS)
    assert [(c.id, c.environment) for c in suite.categories] == [
        (category, task.name) for category, task in TASK_OF.items()
    ]
    assert {task.name for task in TASK_OF.values()} == {task.name for task in registry}


def test_loaded_cases_are_the_files_records() -> None:
    """Every case loads, with a state if its environment has one, and no two paths are equal."""
    suite = load_suite(open_workspace(PROJECT), "tool_usage", KINDS)
    assert [case["id"] for cases in CASES.values() for case in cases] == [
        case.id for case in suite.cases
    ]
    for case in suite.cases:
        trajectory, outputs = case.ground_truth.trajectory, dict(case.record)["outputs"]
        assert trajectory is not None
        assert trajectory.has_state == (case.category in TYPEWRITERS)
        assert trajectory.reference == outputs["reference"]
        assert trajectory.paths == tuple(
            tuple(steps) for steps in (outputs["expected_steps"], *outputs.get("alternatives", ()))
        )


@pytest.mark.large
def test_other_suites_have_no_environment() -> None:
    """A category that names no environment has none."""
    suite = load_suite(open_workspace(PROJECT), "tool_selection", KINDS)
    assert {None} == {category.environment for category in suite.categories}


# ---------------------------------------------------------------- records


@pytest.mark.large
@every_case
def test_records_have_the_known_keys(case: Record) -> None:
    """A record is a LangSmith example with the documented keys, and those that it may have."""
    assert set(case) == {"id", "inputs", "outputs"}
    assert set(case["inputs"]) == {"question"}
    required = {"reference", "expected_steps", "order_matters", "expected_calls"}
    stated = {"state"} if environment(case).has_state else set()
    given = set(case["outputs"])
    optional = {"alternatives", "alternative_calls", "facts", "order", "pairs"}
    assert required | stated <= given <= required | stated | optional
    assert ("alternatives" in given) == ("alternative_calls" in given)


@every_case
def test_steps_are_the_calls_names(case: Record) -> None:
    """Expected steps and alternatives are the names of their calls; no path is repeated."""
    outputs = case["outputs"]
    assert [outputs["expected_steps"], *outputs.get("alternatives", [])] == [
        names(calls) for calls in paths(case)
    ]
    assert all(len(calls) == len(outputs["expected_steps"]) > 0 for calls in paths(case))
    seen = [
        tuple(names(calls)) if outputs["order_matters"] else tuple(sorted(names(calls)))
        for calls in paths(case)
    ]
    assert len(seen) == len(set(seen))


def test_questions_differ() -> None:
    """No question is asked twice."""
    questions = Counter(case["inputs"]["question"] for cases in CASES.values() for case in cases)
    assert [question for question, count in questions.items() if count > 1] == []


@pytest.mark.large
@every_case
def test_every_path_can_be_carried_out(case: Record) -> None:
    """Each call of each path has a result, and the last one leaves the expected state."""
    for calls in paths(case):
        world = environment(case)
        answers = carry_out(world, calls)
        assert [
            a
            for a in answers
            if isinstance(a, str) and (a.startswith("ERROR") or "cannot be resolved" in a)
        ] == []
        assert world.read_state() == case["outputs"].get("state")


# ---------------------------------------------------------------- typewriter


@of(*TYPEWRITERS)
def test_typewriter_cases_repeat_their_question(case: Record) -> None:
    """Question, reference and state are one text, with a call for each of its characters."""
    text, outputs = case["inputs"]["question"], case["outputs"]
    assert (outputs["reference"], outputs["state"], outputs["order_matters"]) == (text, text, True)
    one_tool = CATEGORY_OF[case["id"]] == "typewriter_1"
    assert re.fullmatch("[a-z0-9]+( [a-z0-9]+)*" if one_tool else "[a-z]+", text)
    expected = [
        ("type_letter", {"letter": letter}) if one_tool else (letter, {}) for letter in text
    ]
    assert expected == [(call["name"], call["arguments"]) for call in outputs["expected_calls"]]


@pytest.mark.parametrize("category", TYPEWRITERS)
def test_c_19_lengths_are_as_stated(category: str) -> None:
    """C-19: the description states the number of texts, and the shortest and longest length."""
    lengths = [len(case["inputs"]["question"]) for case in CASES[category]]
    suite = tomllib.loads((SUITE / "suite.toml").read_text(encoding="utf-8"))
    (stated,) = (c["description"] for c in suite["categories"] if c["id"] == category)
    assert f"{len(lengths)} texts of {min(lengths)} to {max(lengths)} " in stated
    assert (min(lengths), max(lengths)) >= (15, 50)


def test_a_run_has_enough_steps_for_every_case() -> None:
    """The usual limit of steps does not stop a run on the shortest way to an answer."""
    longest = max(len(c["outputs"]["expected_steps"]) for group in CASES.values() for c in group)
    assert longest + 10 <= ModelPlan(ModelSettings("openai", "m")).step_limit


@pytest.mark.parametrize("category", TYPEWRITERS)
def test_most_texts_repeat_letters_in_a_row(category: str) -> None:
    """Most texts have a letter twice in a row or more often, which is easy to miscount."""
    texts = [case["inputs"]["question"] for case in CASES[category]]
    assert sum(re.search(r"(.)\1", text) is not None for text in texts) > 0.7 * len(texts)


def test_every_key_is_typed() -> None:
    """Each of the 26 tools is needed somewhere."""
    assert set("abcdefghijklmnopqrstuvwxyz") == set(
        "".join(case["inputs"]["question"] for case in CASES["typewriter_26"])
    )


# ---------------------------------------------------------------- relational data


def hit(answer: list[Record]) -> str:
    """The name at the top of a search."""
    return str(answer[0]["name"])


def degrees(weather: str) -> int:
    """The temperature in a weather text."""
    return int(re.findall(r"-?\d+", weather)[-1])


def minutes(date_and_time: str) -> int:
    """The minutes since midnight of a date and time."""
    hour, minute = date_and_time[-5:].split(":")
    return 60 * int(hour) + int(minute)


def common(first: list[int], second: list[int]) -> list[int]:
    """The ids that are in both lists."""
    return [number for number in first if number in second]


def without(ingredient: str, lists: list[list[str]]) -> list[int]:
    """The places of the lists that do not have an ingredient."""
    return [place for place, found in enumerate(lists) if ingredient not in found]


# How the answer follows from what the calls answer, where it is not simply the last of them.
ANSWERS: Mapping[str, Callable[[list[Any]], Any]] = {
    "How many users are there?": lambda a: len(a[0]),
    "What is the temperature right now where I live, in degrees Fahrenheit?": lambda a: degrees(
        a[2]
    ),
    "Do Zuvia and Fanno have the same favorite color?": lambda a: "Yes" if a[2] == a[3] else "No",
    "What are the names of Brimlo's favorite foods?": lambda a: ", ".join(a[2:]),
    "How many calories do Yuriba's favorite foods have together?": lambda a: sum(a[2:]),
    "Is Brimlo's location ID the same as mine?": lambda a: "Yes" if a[1] == a[3] else "No",
    "Which has more calories, Mushroom Risotto or Cheese Toast?": lambda a: (
        hit(a[0]) if a[2] > a[3] else hit(a[1])
    ),
    "How many calories do Plimmo's favorite foods have together?": lambda a: sum(a[2:]),
    "How many of Ottka's favorite foods contain milk as an allergic ingredient?": lambda a: sum(
        "milk" in i for i in a[2:]
    ),
    "Is it warmer right now in Vantris or where I live?": (
        lambda a: f"In {a[0][0]['city']}" if degrees(a[3]) > degrees(a[4]) else "Where you live"
    ),
    "Which city does Yuriba live in, and what are the time and the weather there right now?": (
        lambda a: "; ".join(a[2:])
    ),
    "What is my favorite color, and what are the names of my favorite foods?": lambda a: (
        f"{a[1]}; {', '.join(a[3:])}"
    ),
    "Which of Plimmo's favorite foods has the fewest calories?": lambda a: (
        a[-1] if a[2] == min(a[2:5]) else "another"
    ),
    "Which of Ottka's favorite foods has the most calories, and how many does it have?": lambda a: (
        f"{a[-1]}; {a[2]}" if a[2] == max(a[2:5]) else "another"
    ),
    "Is it later right now where Yuriba lives or where Zuvia lives?": lambda a: (
        f"Where {'Yuriba' if a[4] > a[5] else 'Zuvia'} lives"
    ),
    (
        "How many degrees Fahrenheit warmer is it right now where Fanno lives than where Ottka "
        "lives?"
    ): lambda a: degrees(a[4]) - degrees(a[5]),
    "Which food is a favorite of Plimmo's and of mine?": lambda a: (
        a[4] if common(a[2], a[3]) == [183] else "another"
    ),
    "Which allergic ingredients are in Yuriba's favorite foods? Name each of them once.": (
        lambda a: ", ".join(dict.fromkeys(a[2] + a[3]))
    ),
    "Can somebody who is allergic to wheat eat all of Plimmo's favorite foods?": lambda a: (
        "Yes" if without("wheat", a[2:]) == [0, 1, 2] else "No"
    ),
    "Which of my favorite foods contains no fish?": lambda a: (
        a[4] if without("fish", a[2:4]) == [1] else "another"
    ),
    (
        "How far is the clock in Snowmere ahead of the clock in Tindleford right now, in minutes?"
    ): lambda a: minutes(a[2]) - minutes(a[3]),
    (
        "In which cities do Plimmo and Zuvia live, and what is the weather like in each of them "
        "right now?"
    ): lambda a: f"{a[4]}: {a[5]}; {a[6]}: {a[7]}",
    (
        "How many more calories do all of Ottka's favorite foods have together than all of "
        "Brimlo's?"
    ): lambda a: sum(a[4:7]) - sum(a[7:]),
    "Whose favorite foods have more calories in all, mine or Yuriba's?": lambda a: (
        "Mine" if sum(a[4:6]) > sum(a[6:]) else "Yuriba's"
    ),
    "Which of the cities Vantris, Snowmere and Port Quillon is the coldest right now?": lambda a: (
        min(zip(map(degrees, a[3:]), a[:3], strict=True))[1][0]["city"]
    ),
    "How many calories does one of Plimmo's favorite foods have on average?": lambda a: (
        sum(a[2:]) // len(a[2:])
    ),
    "Does Fanno live in Port Quillon?": lambda a: "Yes" if a[2] == "Port Quillon" else "No",
    "Do Ottka and Yuriba have a favorite food in common, and if so, which?": lambda a: (
        f"Yes, {a[4]}" if common(a[2], a[3]) == [167] else "No"
    ),
    (
        "What is the name of the user with ID 38, and how many degrees Fahrenheit does that user "
        "have outside right now?"
    ): lambda a: f"{a[0]}; {degrees(a[2])}",
    "Which of Ottka's favorite foods contains no milk?": lambda a: (
        a[5] if without("milk", a[2:5]) == [1] else "another"
    ),
}


def last(answers: list[Any]) -> Any:
    """The last answer; a list as it is written in a sentence."""
    return ", ".join(answers[-1]) if isinstance(answers[-1], list) else answers[-1]


@pytest.mark.large
@of("relational_data")
def test_relational_answers_follow_from_the_calls(case: Record) -> None:
    """On every path the reference, text or number, is what the calls' answers come to."""
    reference = case["outputs"]["reference"]
    derive = ANSWERS.get(case["inputs"]["question"], last)
    for calls in paths(case):
        answer = derive(carry_out(environment(case), calls))
        assert (answer, type(answer)) == (reference, type(reference))


def test_every_derivation_belongs_to_a_question() -> None:
    """No derivation above is left over from a question that was changed."""
    assert set(ANSWERS) <= {case["inputs"]["question"] for case in CASES["relational_data"]}


def given_by(answer: Any) -> set[float]:
    """The numbers that an answer gives: itself, those in a list, the id of a search's top hit."""
    if isinstance(answer, int | float):
        return {answer}
    if isinstance(answer, list) and answer and isinstance(answer[0], dict):
        return {answer[0]["id"]}
    return (
        {value for value in answer if isinstance(value, int)} if isinstance(answer, list) else set()
    )


@pytest.mark.large
@of("relational_data")
def test_nothing_is_guessed(case: Record) -> None:
    """Every argument is in the question or in the result of an earlier call."""
    question = case["inputs"]["question"]
    for calls in paths(case):
        known: set[float] = {int(number) for number in re.findall(r"\d+", question)}
        for call, answer in zip(calls, carry_out(environment(case), calls), strict=True):
            for value in call["arguments"].values():
                assert value in known if isinstance(value, int) else value in question
            known |= given_by(answer)


def test_relational_questions_are_of_every_depth() -> None:
    """There are at least 40 questions, several of each depth from 1 to 6, and deeper ones."""
    depths = Counter(len(case["outputs"]["expected_steps"]) for case in CASES["relational_data"])
    assert depths.total() >= 40
    assert min(depths[depth] for depth in range(1, 7)) >= 4
    assert sum(count for depth, count in depths.items() if depth > 6) >= 3


def test_every_lookup_is_needed() -> None:
    """Each of the 17 tools is on some path; some answers are texts and some numbers."""
    used = {
        name for case in CASES["relational_data"] for calls in paths(case) for name in names(calls)
    }
    assert used == {tool.name for tool in TASK_OF["relational_data"].create_environment().tools}
    types = Counter(type(case["outputs"]["reference"]) for case in CASES["relational_data"])
    assert (set(types), min(types.values()) >= 8) == ({str, int}, True)


# ---------------------------------------------------------------- multiverse math

EVERYDAY: Mapping[str, Callable[..., float]] = {
    "multiply": lambda a, b: a * b,
    "add": lambda a, b: a + b,
    "divide": lambda a, b: a / b,
    "subtract": lambda a, b: a - b,
    "power": lambda a, b: a**b,
    "log": math.log,
    "negate": lambda a: -a,
    "sin": math.sin,
    "cos": math.cos,
    "pi": lambda: math.pi,
}


def numbers(question: str) -> set[float]:
    """The numbers of a question; the negative ones stand directly behind their sign."""
    return {float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", question)}


@of("multiverse_math")
def test_math_references_are_the_last_result(case: Record) -> None:
    """On every path the last operation gives the reference, to the last digit."""
    for calls in paths(case):
        assert carry_out(environment(case), calls)[-1] == case["outputs"]["reference"]
    assert isinstance(case["outputs"]["reference"], float)


@of("multiverse_math")
def test_math_calls_follow_from_the_question(case: Record) -> None:
    """Operands are numbers of the question or earlier results, and each of them is used."""
    asked = numbers(case["inputs"]["question"])
    if "up to 10" in case["inputs"]["question"]:
        asked |= set(map(float, range(1, 11)))
    for calls in paths(case):
        results = carry_out(environment(case), calls)
        operands = {value for call in calls for value in call["arguments"].values()}
        assert asked & set(results[:-1]) == set()
        assert asked | set(results[:-1]) == operands
        for place, call in enumerate(calls):
            assert set(call["arguments"].values()) <= asked | set(results[:place])


@of("multiverse_math")
def test_everyday_mathematics_gives_another_number(case: Record) -> None:
    """Who calculates as in this universe is wrong by more than any rounding."""
    everyday: dict[float, float] = {}
    calls = paths(case)[0]
    for call, result in zip(calls, carry_out(environment(case), calls), strict=True):
        everyday[result] = EVERYDAY[call["name"]](
            *(everyday.get(value, value) for value in call["arguments"].values())
        )
    reference = case["outputs"]["reference"]
    assert abs(everyday[reference] - reference) > 0.1


def test_math_depth_rises_and_every_operation_occurs() -> None:
    """There are at least 22 questions, sorted by depth; all ten operations occur."""
    depths = [len(case["outputs"]["expected_steps"]) for case in CASES["multiverse_math"]]
    assert len(depths) >= 22
    assert depths == sorted(depths)
    assert {
        name for case in CASES["multiverse_math"] for name in case["outputs"]["expected_steps"]
    } == set(EVERYDAY)


@of("multiverse_math")
def test_c_09_questions_can_be_read_in_one_way(case: Record) -> None:
    """C-09: angles are in radians, and parentheses contain at most one operator each."""
    question = case["inputs"]["question"]
    assert "degree" not in question
    assert not re.search("sin|cos", question) or "radians" in question
    operators = [0]
    for token in re.findall(r"[()]|(?<=[\d)]) [-+*/^] (?=[\d(a-z])", question):
        if token == "(":
            operators.append(0)
        elif token == ")":
            assert operators.pop() <= 1
        else:
            operators[-1] += 1
    assert len(operators) == 1
    assert operators[0] <= 1


@every_case
def test_c_30_no_number_reads_as_two(case: Record) -> None:
    """C-30: no question groups digits in a way that reads as two arguments."""
    assert re.search(r"\d[,'\u2009\u202f ]\d", case["inputs"]["question"]) is None


# ---------------------------------------------------------------- several good ways


def orders(calls: Calls, needs: list[set[int]]) -> Iterator[list[int]]:
    """Every order of the calls in which each comes after those that it needs."""

    def complete(done: list[int]) -> Iterator[list[int]]:
        if len(done) == len(calls):
            yield done
        for place in range(len(calls)):
            if place not in done and needs[place] <= set(done):
                yield from complete([*done, place])

    return complete([])


def needed(calls: Calls, answers: list[Any]) -> list[set[int]]:
    """For each call the earlier ones that gave one of its arguments: of several, the last."""
    found = []
    for place, call in enumerate(calls):
        givers = [
            [p for p in range(place) if value in given_by(answers[p])]
            for value in call["arguments"].values()
        ]
        found.append({sources[-1] for sources in givers if sources})
    return found


@pytest.mark.large
@of("relational_data", "multiverse_math")
def test_c_10_every_order_that_works_is_accepted(case: Record) -> None:
    """C-10: every possible order of independent calls is listed, or the order does not matter."""
    calls = paths(case)[0]
    needs = needed(calls, carry_out(environment(case), calls))
    possible = {tuple(calls[place]["name"] for place in order) for order in orders(calls, needs)}
    if case["outputs"]["order_matters"]:
        assert possible <= {tuple(names(path)) for path in paths(case)}
    else:
        assert len(possible) > 1


@of("relational_data")
def test_c_10_either_tool_for_the_weather_is_accepted(case: Record) -> None:
    """C-10: both tools that give the weather are accepted, in any combination."""
    either = ("get_weather_at_location", "get_current_weather_for_location")
    outputs = case["outputs"]
    mixes = {
        tuple(sorted(Counter(n for n in names(calls) if n in either).items()))
        for calls in paths(case)
    }
    times = sum(name in either for name in outputs["expected_steps"])
    assert len(mixes) == times + 1


def test_some_orders_matter_and_some_do_not() -> None:
    """The suite has cases of both kinds, and cases with alternatives."""
    cases = [case for group in CASES.values() for case in group]
    assert {True, False} == {case["outputs"]["order_matters"] for case in cases}
    assert sum("alternatives" in case["outputs"] for case in cases) >= 5
