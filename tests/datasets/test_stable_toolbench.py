"""The suite stable_toolbench: six test sets in the upstream format, and replies that solve them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName, standard_category, standardise
from leaderboard.files.board_settings import load_leaderboard
from leaderboard.files.suite_files import load_suite
from leaderboard.types import Call, CalledApi, Case, Response, Suite
from leaderboard.workspace import Workspace
from runners.agents.tool_selector import by_keywords
from runners.apis.api_call import ApiCall
from runners.apis.api_client import outcome_of
from runners.apis.catalogue import Catalogue, load_catalogue
from runners.apis.confirmed_replies import confirmed
from runners.apis.reply_cache import ApiCache, key_of
from runners.apis.reply_files import place_of
from runners.apis.table_services import load_services
from runners.apis.virtual_apis import VirtualApis
from runners.imports.stabletoolbench.query_files import load_test_sets
from scoring.facts.api_answers.api_final_answers import decide_replied
from scoring.rules import KINDS
from tests.conftest import PROJECT, shipped
from tests.runners.apis.cached_replies import as_stored

# These tests are about shipped suites: without them the file is skipped.
shipped("datasets/stable_toolbench")

WORKSPACE = Workspace(PROJECT)
FOLDER = WORKSPACE.datasets / "stable_toolbench"
SETS = (
    "G1_instruction",
    "G1_tool",
    "G1_category",
    "G2_instruction",
    "G2_category",
    "G3_instruction",
)


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite(WORKSPACE, "stable_toolbench", KINDS)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(FOLDER / "tools", WORKSPACE.root)


@pytest.fixture(scope="module")
def solutions() -> Mapping[str, Any]:
    """The solution of each query: calls, an answer, and the answer's facts from the replies."""
    found: Mapping[str, Any] = json.loads((FOLDER / "solutions.json").read_bytes())
    return found


@pytest.fixture(scope="module")
def apis(catalogue: Catalogue) -> VirtualApis:
    services = load_services(FOLDER / "services", WORKSPACE.root, catalogue)
    return VirtualApis(ApiCache(FOLDER / "cache"), catalogue, services=services)


def called(
    solution: Mapping[str, Any], catalogue: Catalogue
) -> list[tuple[ApiName, dict[str, Any]]]:
    calls = []
    for call in solution["calls"]:
        name = catalogue.registry.find(call["tool_name"], call["api_name"])
        assert name is not None, call
        calls.append((name, call["arguments"]))
    return calls


@pytest.mark.large
def test_the_six_sets_are_there(suite: Suite) -> None:
    """All six, in the published order and with equal weight, with at least 25 queries each."""
    assert SETS == tuple(category.id for category in suite.categories)
    assert {1.0} == {category.weight for category in suite.categories}
    assert all(25 <= len(category.cases) for category in suite.categories)
    assert 150 <= len(suite.cases)
    assert set(SETS) == set(load_test_sets(FOLDER / "queries"))


@pytest.mark.large
def test_there_are_enough_tools_to_choose_from(catalogue: Catalogue) -> None:
    """More APIs than a selector may bind, in files that lie where StableToolBench puts them."""
    tools = {(found.name.category, found.name.tool) for found in catalogue.definitions}
    assert (True, True, ()) == (len(tools) >= 200, len(catalogue) >= 600, catalogue.warnings)
    assert {
        f"{standard_category(category)}/{standardise(tool)}.json" for category, tool in tools
    } == {
        path.relative_to(FOLDER / "tools").as_posix() for path in (FOLDER / "tools").rglob("*.json")
    }


@pytest.mark.large
def test_queries_have_the_upstream_form(suite: Suite) -> None:
    """Four keys and facts, 14 to 155 words, numbers as ids, each gold pair a candidate."""
    for case in suite.cases:
        keys = {"query_id", "query", "api_list", "relevant APIs"}
        assert set(case.record) in (keys, keys | {"ground_truth"}), case.id
        assert isinstance(case.record["query_id"], int)
        assert 14 <= len(case.query.split()) <= 155, case.id
        pairs = [tuple(pair) for pair in case.record["relevant APIs"]]
        candidates = {(api["tool_name"], api["api_name"]) for api in case.record["api_list"]}
        assert len(pairs) == len(set(pairs)) >= 2, case.id
        assert set(pairs) <= candidates, case.id


@pytest.mark.large
def test_candidates_are_described_as_in_the_catalogue(suite: Suite, catalogue: Catalogue) -> None:
    """A query and the catalogue never say different things of one API."""
    described = {found.sanitised_name: found.as_tool() for found in catalogue.definitions}
    for case in suite.cases:
        for tool in case.tools:
            assert described[tool.name].parameters == tool.parameters
            assert described[tool.name].description.endswith(tool.description)


def test_sets_are_what_their_names_say(suite: Suite) -> None:
    """G1: one tool. G2: several of one category. G3: several of several. G1 sets share no tool."""
    used: dict[str, set[str]] = {}
    for case in suite.cases:
        assert case.ground_truth.apis is not None
        tools = {tool for tool, _ in case.ground_truth.apis}
        categories = {
            api["category_name"] for api in case.record["api_list"] if api["tool_name"] in tools
        }
        number = case.category[:2]
        assert (len(tools) == 1, len(categories) == 1) == {
            "G1": (True, True),
            "G2": (False, True),
            "G3": (False, False),
        }[number]
        used.setdefault(case.category, set()).update(tools if number == "G1" else categories)
    assert not used["G1_instruction"] & used["G1_tool"]
    assert not (used["G1_instruction"] | used["G1_tool"]) & used["G1_category"]
    assert not used["G2_instruction"] & used["G2_category"]


def test_half_of_the_candidates_are_not_needed(suite: Suite) -> None:
    """At least in each query, and not much more. A query needs two to five APIs, or once six."""
    candidates = needed = 0
    for case in suite.cases:
        gold, listed = len(case.record["relevant APIs"]), len(case.record["api_list"])
        assert 2 <= gold <= 6, case.id
        assert 2 * gold <= listed, case.id
        candidates, needed = candidates + listed, needed + gold
    assert 0.4 < needed / candidates <= 0.5


def test_ids_say_nothing_about_the_category(suite: Suite) -> None:
    """Neither the nearest id nor a remainder tells it: chance is one sixth."""
    cases = [(int(case.id), case.category) for case in suite.cases]
    right = 0
    for number, category in cases:
        others = [(abs(other - number), guess) for other, guess in cases if other != number]
        right += min(others)[1] == category
    assert right / len(cases) < 0.3
    for divisor in range(2, 13):
        found: dict[int, Counter[str]] = {}
        for number, category in cases:
            found.setdefault(number % divisor, Counter())[category] += 1
        most = sum(counter.most_common(1)[0][1] for counter in found.values())
        assert most / len(cases) < 0.4, divisor


def test_every_query_is_asked_once(suite: Suite) -> None:
    """No two queries are equal."""
    assert [] == [
        query for query, number in Counter(case.query for case in suite.cases).items() if number > 1
    ]


def test_every_gold_api_is_part_of_the_solution(suite: Suite, solutions: Mapping[str, Any]) -> None:
    """The calls of a solution are those of its gold APIs, no more and no fewer."""
    assert set(suite.by_id) == set(solutions)
    for case in suite.cases:
        assert case.ground_truth.apis is not None
        pairs = {(call["tool_name"], call["api_name"]) for call in solutions[case.id]["calls"]}
        assert set(case.ground_truth.apis) == pairs, case.id


@pytest.mark.large
def test_every_query_can_be_solved(
    suite: Suite, solutions: Mapping[str, Any], catalogue: Catalogue, apis: VirtualApis
) -> None:
    """The suite answers every gold API at least once, and the replies contain the answer's facts.

    A call that fails may tell what the answer needs: that a boat does not run, say.
    """
    for case in suite.cases:
        solution = solutions[case.id]
        given_calls = called(solution, catalogue)
        replies = [apis.answer(ApiCall(name, given)) for name, given in given_calls]
        assert {"cache", "service"} >= {answer.source for answer in replies}, case.id
        answered = {
            name
            for (name, _), answer in zip(given_calls, replies, strict=True)
            if not answer.reply.error
        }
        assert answered == {name for name, _ in given_calls}, case.id
        assert solution["facts"], case.id
        told = json.dumps(
            [answer.reply.response for answer in replies], ensure_ascii=False
        ).casefold()
        missing = [fact for fact in solution["facts"] if fact.casefold() not in told]
        unsaid = [
            fact
            for fact in solution["facts"]
            if fact.casefold() not in solution["final_answer"].casefold()
        ]
        assert ([], []) == (missing, unsaid), case.id


@pytest.mark.large
def test_ids_in_calls_can_be_known(
    suite: Suite, solutions: Mapping[str, Any], catalogue: Catalogue, apis: VirtualApis
) -> None:
    """Every id in a call is in the query or in the reply to an earlier call."""
    for case in suite.cases:
        known = case.query.casefold()
        for name, given in called(solutions[case.id], catalogue):
            for key, value in given.items():
                if key.endswith("_id"):
                    assert str(value).casefold() in known, (case.id, name, value)
            known += json.dumps(apis.answer(ApiCall(name, given)).reply.response).casefold()


@pytest.mark.large
def test_sensible_variants_are_answered_alike(
    solutions: Mapping[str, Any], catalogue: Catalogue, apis: VirtualApis
) -> None:
    """Small letters, numbers as text, JSON text in another order: the same reply."""
    for solution in solutions.values():
        for name, given in called(solution, catalogue):
            whole = apis.answer(ApiCall(name, given)).reply
            small = {
                key: value.lower() if isinstance(value, str) else value
                for key, value in given.items()
            }
            text = {
                key: value if isinstance(value, bool) else str(value)
                for key, value in given.items()
            }
            back = dict(reversed(given.items()))
            for variant in (small, text, back):
                assert whole == apis.answer(ApiCall(name, variant)).reply, (name, variant)


@pytest.mark.large
def test_every_api_answers_its_example(catalogue: Catalogue, apis: VirtualApis) -> None:
    """An agent that copies the examples of the required parameters gets a reply."""
    for found in catalogue.definitions:
        given = {
            parameter.name: parameter.example
            for parameter in found.parameters
            if parameter.required
        }
        answer = apis.answer(ApiCall(found.name, given))
        assert not answer.reply.error, (found.name.wrapper, given, answer.reply.error)
        assert answer.source in {"cache", "service"}, (found.name.wrapper, given)


def test_every_api_has_a_service(catalogue: Catalogue, apis: VirtualApis) -> None:
    """So other arguments get a reply of the API and no cache miss."""
    assert {found.name for found in catalogue.definitions} == set(apis.services.operations)


@pytest.mark.large
def test_a_wrong_argument_gets_an_error_of_the_api(catalogue: Catalogue, apis: VirtualApis) -> None:
    """A call without arguments names those that are missing; a value of no use is named too."""
    for found in catalogue.definitions:
        required = [parameter.name for parameter in found.parameters if parameter.required]
        if not required:
            continue
        name = found.name
        empty = apis.answer(ApiCall(name, {})).reply.error
        assert f"missing required parameter: {', '.join(required)}" == empty, name
        odd = apis.answer(ApiCall(name, dict.fromkeys(required, "\N{SNOWMAN}"))).reply
        assert odd.error or "[]" in json.dumps(odd.response), name


def test_some_gold_apis_refuse_the_obvious_argument(
    suite: Suite, solutions: Mapping[str, Any], catalogue: Catalogue, apis: VirtualApis
) -> None:
    """In many queries a later call needs an id or a code, and refuses the words of the query."""
    refusing = 0
    for case in suite.cases:
        for name, given in called(solutions[case.id], catalogue)[1:]:
            unknown = {key: value for key, value in given.items() if str(value) not in case.query}
            if unknown:
                wrong = {**given, **dict.fromkeys(unknown, case.query.split()[-1])}
                reply = apis.answer(ApiCall(name, wrong)).reply
                refusing += bool(reply.error)
                break
    assert refusing >= 80


def test_calls_fit_the_parameters(solutions: Mapping[str, Any], catalogue: Catalogue) -> None:
    """Every required argument is given, no unknown one, each of its type."""
    kinds: dict[str, Any] = {"string": str, "number": (int, float), "boolean": bool, "integer": int}
    for solution in solutions.values():
        for name, given in called(solution, catalogue):
            parameters = {
                parameter.name: parameter for parameter in catalogue.named(name).parameters
            }
            assert (
                {key for key, parameter in parameters.items() if parameter.required}
                <= set(given)
                <= set(parameters)
            ), name
            assert all(
                isinstance(value, kinds[parameters[key].type]) for key, value in given.items()
            ), (name, given)


@pytest.mark.large
def test_the_cache_is_canonical(catalogue: Catalogue) -> None:
    """Every file belongs to an API, has the documented form, and holds good replies only."""
    places = {place_of(found.name).path for found in catalogue.definitions}
    files = {
        path.relative_to(FOLDER / "cache").as_posix(): path
        for path in (FOLDER / "cache").rglob("*")
        if path.is_file()
    }
    assert len(catalogue) == len(places)
    assert set(files) <= places
    for path in files.values():
        document = json.loads(path.read_bytes())
        assert as_stored(document) == path.read_bytes(), path
        assert all(key == key_of(json.loads(key)) for key in document), path
        assert all(
            entry["error"] == "" and entry["response"] not in ("", None, [], {})
            for entry in document.values()
        ), path
        assert {"written"} == {entry["source"] for entry in document.values()}


@pytest.mark.large
def test_services_reply_as_recorded(catalogue: Catalogue, apis: VirtualApis) -> None:
    """Every recorded reply is what the service behind the cache gives, byte for byte."""
    for found in catalogue.definitions:
        path = FOLDER / "cache" / place_of(found.name).path
        for key, entry in json.loads(path.read_bytes()).items() if path.exists() else ():
            reply = apis.services.answer(found, json.loads(key))
            assert reply is not None, found.name.wrapper
            same = json.dumps(entry["response"]) == json.dumps(reply.response)
            assert same, (found.name.wrapper, key)


def test_weekdays_are_right(suite: Suite, solutions: Mapping[str, Any]) -> None:
    """A day named in a query with its date is that day of the week."""
    import datetime

    for case in suite.cases:
        for day, number in re.findall(r"(\w+day) (\d+) May 2031", case.query):
            assert day == datetime.date(2031, 5, int(number)).strftime("%A"), case.id


@pytest.mark.large
def test_words_alone_find_part_of_the_gold_apis(suite: Suite, catalogue: Catalogue) -> None:
    """Twenty of all APIs, chosen by keywords, contain some of the gold ones and not all."""
    shares = [_share(case, catalogue) for case in suite.cases]
    assert 0.3 < sum(shares) / len(shares) < 0.9


def _share(case: Case, catalogue: Catalogue) -> float:
    assert case.ground_truth.apis is not None
    return (
        by_keywords(case.query, catalogue.definitions, 20).gold_share(case.ground_truth.apis) or 0.0
    )


def test_the_board_takes_the_suite_up() -> None:
    """It is found beside the others."""
    from leaderboard.files.suite_files import suite_ids

    assert "stable_toolbench" in suite_ids(WORKSPACE, load_leaderboard(WORKSPACE))


@pytest.mark.large
def test_solutions_state_the_facts_of_their_queries(
    suite: Suite, solutions: Mapping[str, Any], catalogue: Catalogue, apis: VirtualApis
) -> None:
    """The final answer of each solution passes by its facts and the replies to its calls."""
    for case in suite.cases:
        facts = case.ground_truth.facts
        if facts is not None:
            answers = [
                apis.answer(ApiCall(name, given)).reply
                for name, given in called(solutions[case.id], catalogue)
            ]
            replies = [reply.response for reply in answers if not reply.error]
            errors = [reply.error for reply in answers if reply.error]
            answer = solutions[case.id]["final_answer"]
            finding = decide_replied(
                facts, case.query, answer, replies, errors=errors, support=replies
            )
            assert finding.decided == "pass", (case.id, finding.detail)


@pytest.mark.large
def test_t6_invented_replies_and_a_fixed_sentence_gain_nothing(
    suite: Suite, apis: VirtualApis
) -> None:
    """Every gold API is reported as called, with a reply that fits every query."""
    text = "I called every API that the question needs, and everything you asked for is solved."
    for case in suite.cases:
        assert case.ground_truth.apis is not None
        pairs = case.ground_truth.apis
        calls = tuple(Call(f"{tool}_{api}", {}, {"result": text}) for tool, api in pairs)
        declared = tuple(CalledApi(tool, api, failed=False) for tool, api in pairs)
        response = Response(case.id, b"", calls, text, declared=declared)
        seen = confirmed(apis, case, response)
        assert ((), None, calls) == (seen.calls, seen.declared, seen.unconfirmed), case.id
        found = {one.metric: one for one in suite.kind.decide(suite, case, seen)}
        scores = [getattr(found[name], "score", None) for name in ("api_call", "api_call_success")]
        assert [0.0, 0.0] == scores, case.id
        assert getattr(found["sopr"], "score", None) != 1.0, case.id


@pytest.mark.large
def test_t6_replies_of_the_oracle_are_all_confirmed(
    suite: Suite, solutions: Mapping[str, Any], catalogue: Catalogue, apis: VirtualApis
) -> None:
    """What the suite replies is confirmed, as the object or as the text that a model reads."""
    for case in suite.cases:
        calls = []
        for name, given in called(solutions[case.id], catalogue):
            reply = apis.answer(ApiCall(name, given)).reply
            text = outcome_of(reply, "cache").text
            calls += [Call(name.wrapper, given, text if reply.error else reply.response)]
            calls += [Call(catalogue.registry.sanitised(name), given, text)]
        response = Response(case.id, b"", tuple(calls), "")
        assert tuple(calls) == confirmed(apis, case, response).calls, case.id


@pytest.mark.large
def test_replies_reported_as_text_are_decided_like_objects(
    suite: Suite, solutions: Mapping[str, Any], catalogue: Catalogue, apis: VirtualApis
) -> None:
    """The solution of each query passes when its replies are the texts that a model reads."""
    for case in suite.cases:
        calls = []
        for name, given in called(solutions[case.id], catalogue):
            reply = apis.answer(ApiCall(name, given)).reply
            calls.append(Call(name.wrapper, given, outcome_of(reply, "cache").text))
        response = Response(case.id, b"", tuple(calls), solutions[case.id]["final_answer"])
        solved, *_ = suite.kind.decide(suite, case, response)
        if case.ground_truth.facts is not None:
            assert "pass" == getattr(solved, "outcome", None), (case.id, solved)
