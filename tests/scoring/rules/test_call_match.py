"""The rule of kind `call_match`: each numbered clause by small vectors, and published verdicts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.reasons import REASONS
from leaderboard.types import (
    Call,
    Case,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Response,
    Suite,
    Verdict,
)
from scoring.rules import KINDS
from scoring.rules.call_match import accepts, decide, without_punctuation
from tests.conftest import PROJECT
from tests.each_row import each_row

REAL = PROJECT.parent / "shared" / "real" / "bfcl"
SUITE = Suite("calls", "Calls", "", KINDS["call_match"], (), {}, "", {})


def argument(
    name: str,
    accepted: Sequence[Any],
    kind: str = "string",
    items: str | None = None,
    required: bool = True,
) -> ExpectedArgument:
    return ExpectedArgument(
        name, tuple(accepted), True, "" in accepted and not required, kind, items, required
    )


def case(*calls: ExpectedCall) -> Case:
    return Case("c1", "simple", "?", GroundTruth(calls), (), {}, "")


def call(name: str = "f", **arguments: Any) -> Call:
    return Call(name, arguments)


def response(*calls: Call, text: str | None = None, **more: Any) -> Response:
    return Response("c1", b"", calls, text, **more)


def verdict(expected: Case, got: Response) -> Verdict:
    (decision,) = decide(SUITE, expected, got)
    return decision


# ---------------------------------------------------------------- published verdicts


def jsonl(path: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


def real_call(
    key: str, allowed: dict[str, list[Any]], docs: list[dict[str, Any]], category: str
) -> ExpectedCall:
    names = [doc["name"] for doc in docs]
    bare = key if key in names else re.sub(r"[_ ]\d+$", "", key)
    doc = (
        docs[0]
        if category == "simple"
        else next((doc for doc in docs if doc["name"] == bare), None)
    )
    if doc is None:
        return ExpectedCall(None, ())
    parameters, required = doc["parameters"]["properties"], doc["parameters"].get("required", [])
    arguments = []
    for name in [*allowed, *(name for name in required if name not in allowed)]:
        schema = parameters.get(name, {"type": "null"})
        items = schema.get("items", {}).get("type")
        arguments.append(
            argument(name, allowed.get(name, []), schema["type"], items, name in required)
        )
    return ExpectedCall(doc["name"], tuple(arguments))


def real_cases(category: str) -> list[Case]:
    questions = jsonl(REAL / "questions" / f"{category}.json")
    if category == "relevance":
        return [
            Case(q["id"], category, q["question"], GroundTruth(), (), {}, "") for q in questions
        ]
    cases = []
    for question, answer in zip(
        questions, jsonl(REAL / "possible_answer" / f"{category}.json"), strict=True
    ):
        docs = (
            question["function"]
            if isinstance(question["function"], list)
            else [question["function"]]
        )
        truths = (
            answer["ground_truth"]
            if isinstance(answer["ground_truth"], list)
            else [answer["ground_truth"]]
        )
        calls = tuple(
            real_call(key, allowed, docs, category)
            for truth in truths
            for key, allowed in truth.items()
        )
        cases.append(
            Case(question["id"], category, question["question"], GroundTruth(calls), (), {}, "")
        )
    return cases


def real_response(record: dict[str, Any], underscored: bool) -> Response:
    calls = []
    try:
        for item in record["result"]:
            for name, arguments in item.items():
                calls.append(
                    Call(name, json.loads(arguments) if isinstance(arguments, str) else arguments)
                )
    except (AttributeError, ValueError):
        calls = []
    return Response(
        record["id"],
        b"",
        tuple(calls),
        None if calls else str(record["result"]),
        underscored=underscored,
    )


def real_files() -> Iterator[Any]:
    if not (REAL / "expected.json").exists():
        return
    for model, published in json.loads(
        (REAL / "expected.json").read_text(encoding="utf-8")
    ).items():
        for category, expected in published["categories"].items():
            yield pytest.param(
                model,
                category,
                published["names_shown_with_underscores"],
                expected,
                id=f"{model}-{category}",
            )


def test_published_files_are_at_hand() -> None:
    """Without the files of the published verdicts this test is skipped, so that it shows."""
    if not (REAL / "expected.json").exists():
        pytest.skip(f"no published answers at {REAL}")
    totals = [expected.values[3]["total"] for expected in real_files()]
    assert sum(totals) == 4960


@pytest.mark.large
@pytest.mark.parametrize(("model", "category", "underscored", "expected"), list(real_files()))
def test_published_verdicts(
    model: str, category: str, underscored: bool, expected: dict[str, Any]
) -> None:
    """Every published verdict of every published answer is reached again."""
    records = jsonl(
        REAL / "result" / model / f"gorilla_openfunctions_v1_test_{category}_result.json"
    )
    cases = real_cases(category)
    assert len(records) == len(cases) == expected["total"]
    failing = []
    for one, record in zip(cases, records, strict=True):
        decision = verdict(one, real_response(record, underscored))
        assert decision.reason in REASONS
        assert decision.detail.endswith((".", "…"))
        if decision.outcome == "fail":
            failing.append(record["id"])
    assert failing == expected["failing"]


# ---------------------------------------------------------------- the rules, one by one

NO_CALL = case()


def one(accepted: Sequence[Any], kind: str, items: str | None = None) -> Case:
    """A case that expects f(x), x of that type with those accepted values."""
    return case(ExpectedCall("f", (argument("x", accepted, kind, items),)))


def passes(expected: Case, got: Response) -> bool:
    return verdict(expected, got).outcome == "pass"


def test_rule_1_no_call_passes_without_a_call() -> None:
    """Where no call is expected, any text without one passes."""
    assert verdict(NO_CALL, response(text="I cannot do that.")) == Verdict(
        "correct", "pass", 1.0, "no_call_expected", "No call, as expected."
    )


def test_rule_1_an_empty_response_is_no_answer() -> None:
    """Where no call is expected, neither a call nor a text fails."""
    detail = "Expected an answer without a call, got neither a call nor text."
    for got in (response(), response(text=""), response(text=" \n")):
        assert verdict(NO_CALL, got) == Verdict("correct", "fail", 0.0, "empty_response", detail)


def test_rule_1_a_call_fails_whatever_its_arguments() -> None:
    """Where no call is expected one call is enough to fail, even one that cannot be read."""
    assert verdict(NO_CALL, response(call(), text="x")).reason == "call_when_text_expected"
    assert (
        verdict(NO_CALL, response(malformed="the arguments of f are not an object")).reason
        == "malformed_call"
    )


@each_row(
    ("got", "reason", "detail"),
    [
        (response(), "empty_response", "Expected 2 calls, got neither a call nor text."),
        (response(text=" "), "empty_response", "Expected 2 calls, got neither a call nor text."),
        (response(text="Sure!"), "no_call", "Expected 2 calls, got only text."),
        (response(call("f")), "wrong_count", "Expected 2 calls, got 1: f."),
        (
            response(call("f"), call("g"), call("f"), call("g")),
            "wrong_count",
            "Expected 2 calls, got 4: f, g, f and 1 more.",
        ),
        (
            response(malformed="f has no name"),
            "malformed_call",
            "A call cannot be read: f has no name.",
        ),
        (
            response(call("f"), call("g"), malformed="no name"),
            "malformed_call",
            "A call cannot be read: no name.",
        ),
        (response(error="Timeout\nat line 3"), "response_error", "The system failed: Timeout."),
    ],
)
def test_rule_2_count(got: Response, reason: str, detail: str) -> None:
    """The number of calls must be the expected one. The detail names the calls."""
    expected = case(ExpectedCall("f", ()), ExpectedCall("g", ()))
    assert verdict(expected, got) == Verdict("correct", "fail", 0.0, reason, detail)


def test_rule_3_order_of_calls_is_free() -> None:
    """Expected calls are met in any order, each by a call of its own."""
    expected = case(*(ExpectedCall("f", (argument("x", [value], "integer"),)) for value in (1, 2)))
    assert passes(expected, response(call(x=2), call(x=1)))
    assert not passes(expected, response(call(x=1), call(x=1)))


def test_rule_3_first_fitting_call_is_taken() -> None:
    """An expected call takes the first free call that fits, and is not given up for a later one."""
    wide = ExpectedCall("f", (argument("x", [1, 2], "integer"),))
    narrow = ExpectedCall("f", (argument("x", [1], "integer"),))
    assert not passes(case(wide, narrow), response(call(x=1), call(x=2)))
    assert passes(case(narrow, wide), response(call(x=1), call(x=2)))


def test_rule_3_a_tool_that_is_not_offered_is_never_met() -> None:
    """An expected call without a name always fails."""
    got = verdict(case(ExpectedCall(None, ())), response(call("f")))
    assert (got.reason, got.detail) == (
        "wrong_function",
        "Expected a tool that is not offered, got f.",
    )


@each_row(
    ("name", "underscored", "right"),
    [
        ("math.area", False, True),
        ("math_area", False, False),
        ("Math.area", False, False),
        ("math_area", True, True),
        ("math.area", True, False),
    ],
)
def test_rule_4_name(name: str, underscored: bool, right: bool) -> None:
    """The name must be the shown one, with underscores if the model was shown underscores."""
    got = response(call(name), underscored=underscored)
    assert passes(case(ExpectedCall("math.area", ())), got) is right


@each_row(
    ("accepted", "kind", "required", "arguments", "reason"),
    [
        ([1], "integer", True, {}, "missing_argument"),
        ([1, ""], "integer", True, {}, "missing_argument"),
        ([1], "integer", False, {}, "missing_argument"),
        ([1, ""], "integer", False, {}, "accepted_calls"),
        ([1], "integer", True, {"x": 1, "y": 2}, "unexpected_argument"),
        ([1], "integer", True, {"X": 1}, "missing_argument"),
        ([1, ""], "null", False, {}, "accepted_calls"),
        ([1, ""], "null", False, {"x": 1}, "unexpected_argument"),
        ([], "integer", False, {"x": 1}, "wrong_value"),
    ],
)
def test_rule_5_parameters(
    accepted: list[Any], kind: str, required: bool, arguments: dict[str, Any], reason: str
) -> None:
    """Required arguments are present, others only if declared, and unknown arguments fail."""
    expected = case(ExpectedCall("f", (argument("x", accepted, kind, required=required),)))
    assert verdict(expected, response(call(**arguments))).reason == reason


@each_row(
    ("kind", "value", "right"),
    [
        ("string", "a", True),
        ("any", "a", True),
        ("integer", 1, True),
        ("integer", True, False),
        ("integer", 1.0, False),
        ("integer", "1", False),
        ("float", 1.5, True),
        ("float", 2, True),
        ("float", True, False),
        ("float", 10**400, False),
        ("boolean", True, True),
        ("boolean", 1, False),
        ("boolean", "true", False),
        ("array", [1], True),
        ("tuple", [1], True),
        ("array", {"0": 1}, False),
        ("dict", {"k": "v"}, True),
        ("dict", [], False),
        ("string", None, False),
    ],
)
def test_rule_6a_types(kind: str, value: Any, right: bool) -> None:
    """A declared type is exact, but that a whole number will do for a float."""
    accepted: dict[str, list[Any]] = {
        "string": ["a"],
        "any": ["a"],
        "integer": [1],
        "float": [1.5, 2.0],
        "boolean": [True],
        "array": [[1]],
        "tuple": [[1]],
        "dict": [{"k": ["v"]}],
    }
    assert accepts(argument("x", accepted[kind], kind), value) is right


@each_row(
    ("accepted", "kind", "value", "right"),
    [
        (["data"], "integer", "data", True),  # the stand-in type, compared plainly
        (["data"], "integer", "Data", False),
        (["", "data"], "integer", "data", True),
        (
            ["data"],
            "integer",
            5,
            False,
        ),  # the declared type, but the accepted values are of another
        (["data"], "integer", 5.0, False),  # neither type
        ([5.0], "integer", 5, True),  # plainly, 5 equals 5.0
        ([10], "float", 10, True),
        ([10], "float", 10.0, True),
        ([1], "string", "1", False),
        ([1], "string", 1, True),
        ([1, "New York"], "string", "New York", True),
        ([1, "New York"], "string", "new york", False),
        ([5, "five"], "integer", "five", False),  # the first accepted value sets the stand-in type
        ([""], "integer", 5, False),
        ([], "integer", 5, False),
        ([["a"]], "string", ["a"], True),
        ([["a"]], "string", ["A"], False),
        ([{"a": 1}], "string", {"a": 1}, True),
    ],
)
def test_rule_6b_stand_in_type(accepted: list[Any], kind: str, value: Any, right: bool) -> None:
    """Accepted values of another type allow that type, and are compared without folding."""
    assert accepts(argument("x", accepted, kind), value) is right


@each_row(
    ("accepted", "items", "value", "right"),
    [
        ([[1.0, 3.0]], "float", [1, 3], False),
        ([[1, 3]], "float", [1, 3], True),
        ([[1.0, 3.0], [1, 3]], "float", [1, 3], True),
        ([[1.0, 3.0]], "float", [1.0, 3.0], True),
        ([[1]], "integer", [True], False),
        ([["", 1]], "string", [1, 1], False),
        (
            ["", [1.0]],
            "float",
            [1],
            True,
        ),  # a value that is no list lets any item through; then 1 equals 1.0
        ([["a"]], "integer", ["a"], True),
        ([["a"]], None, ["a"], True),
        ([[["a"]]], "array", [["a"]], True),
        ([], "integer", [1], False),
    ],
)
def test_rule_6c_items(accepted: list[Any], items: str | None, value: Any, right: bool) -> None:
    """Every item has the declared item type, or that of the items of an accepted list."""
    assert accepts(argument("x", accepted, "array", items), value) is right


@each_row(
    ("accepted", "given", "right"),
    [
        ("1.5 kg", "1.5kg", True),
        ("1.5 kg", "15 kg", False),
        ("1.5", "1/5", False),
        ("1,250 km", "1250 km", True),
        ("12,50", "1250", False),
        ("3.10", "310", False),
        ("3.10", "3.1", False),
        ("-5", "5", False),
        ("x = -5", "x = 5", False),
        ("2027-11-01", "2027/11/01", True),
        ("14.06.2027", "14/06/2027", True),
        ("2027-11-01", "2027-1-101", False),
        ("2^3", "23", False),
        ("2^3", "2*3", False),
        ("2**3", "2 ** 3", True),
        ("COVID-19", "covid 19", True),
        ("5", "\uff15", False),
    ],
)
def test_punctuation_between_digits_counts(accepted: str, given: str, right: bool) -> None:
    """A number in a text is another one without its point or sign. Dates have any marks."""
    assert accepts(argument("x", [accepted], "string"), given) is right


@each_row(
    ("text", "folded"),
    [
        ("New York, NY", "newyorkny"),
        ("a/b-c_d*e^f.g", "abcdefg"),
        ("it's", 'it"s'),
        ("É (x)!", "é(x)!"),
        ("tab\tstays", "tab\tstays"),
        ("-", ""),
    ],
)
def test_rule_6d_folding(text: str, folded: str) -> None:
    """Folding drops spaces and seven marks, lowers letters, and makes one kind of quote."""
    assert without_punctuation(text) == folded


@each_row(
    ("accepted", "value", "right"),
    [
        (["New York, NY"], "new york ny", True),
        (["x^2 + 1"], "X*2+1", True),
        (["it's"], 'it"s', True),
        (["a;b"], "ab", False),
        (["a", ""], "", True),
        (["a", ""], "-", True),
        (["a"], "", False),
        (["a", 1], "1", False),
    ],
)
def test_rule_6e_strings(accepted: list[Any], value: str, right: bool) -> None:
    """Strings are equal after folding. One that folds to nothing means "left out"."""
    assert accepts(argument("x", accepted, "string"), value) is right


@each_row(
    ("accepted", "items", "value", "right"),
    [
        ([["New York", "LA"]], "string", ["new york", "l.a."], True),
        ([["a", "b"]], "string", ["b", "a"], False),
        ([["a", "b"]], "string", ["a"], False),
        ([["a"], ["b"]], "string", ["B"], True),
        ([[["Deep"]]], "array", [["deep"]], False),
        ([[1, 2]], "integer", [1, 2], True),
        ([["a"], ""], "string", [], True),
        ([["a"]], "string", [], False),
        ([[]], "string", [], True),
    ],
)
def test_rule_6f_lists(accepted: list[Any], items: str, value: list[Any], right: bool) -> None:
    """Lists are equal item by item, in order; only strings directly in them are folded."""
    assert accepts(argument("x", accepted, "array", items), value) is right


@each_row(
    ("accepted", "value", "right"),
    [
        ([{"city": ["New York"], "n": [1, 2]}], {"n": 2, "city": "new-york"}, True),
        ([{"city": ["New York"]}], {"city": "Boston"}, False),
        ([{"city": ["New York"]}], {"city": "New York", "n": 1}, False),
        ([{"city": ["New York"], "n": [1, ""]}], {"city": "New York"}, False),
        ([{"n": [1, ""]}], {"n": ""}, True),
        (["", {"n": [1]}, {"n": [2]}], {"n": 2}, True),
        ([""], {"n": 2}, False),
        ([{"in": {"n": [1]}}], {"in": {"n": 1}}, True),
        ([{"in": {"n": [1]}}], {"in": {"n": 2}}, False),
        ([{"in": {"n": [1]}}], {"in": 1}, False),
        ([{"n": [[1, 2]]}], {"n": [1, 2]}, True),
        ([{"n": 1}], {"n": 1}, True),
        ([{}], {}, True),
    ],
)
def test_rule_6g_objects(accepted: list[Any], value: dict[str, Any], right: bool) -> None:
    """An object has exactly the keys of one accepted object, and an accepted value for each."""
    assert accepts(argument("x", accepted, "dict"), value) is right


@each_row(
    ("accepted", "value", "right"),
    [
        ([[{"n": [1]}, {"n": [2]}]], [{"n": 1}, {"n": 2}], True),
        ([[{"n": [1]}, {"n": [2]}]], [{"n": 2}, {"n": 1}], False),
        ([[{"n": [1]}]], [{"n": 1}, {"n": 1}], False),
        ([[{"n": [1]}], [{"n": [3]}]], [{"n": 3}], True),
        ([[{"n": [1]}], ""], [], True),
        ([["a"]], ["a"], False),
    ],
)
def test_rule_6h_lists_of_objects(accepted: list[Any], value: list[Any], right: bool) -> None:
    """A list of objects is compared object by object, in order."""
    assert accepts(argument("x", accepted, "array", "dict"), value) is right


@each_row(
    ("accepted", "kind", "value", "right"),
    [
        ([0.1], "float", 0.1, True),
        ([0.3], "float", 0.1 + 0.2, False),
        ([1, 2], "integer", 2, True),
        ([True], "boolean", False, False),
        ([True, ""], "boolean", False, False),
    ],
)
def test_rule_6i_numbers(accepted: list[Any], kind: str, value: Any, right: bool) -> None:
    """Numbers and booleans equal an accepted value exactly."""
    assert accepts(argument("x", accepted, kind), value) is right


# ---------------------------------------------------------------- what a reader is told


def test_several_mistakes_are_named_gravest_first() -> None:
    """The reason is the gravest mistake; the sentence names three and counts the rest."""
    names = ("a", "b", "c")
    expected = case(
        ExpectedCall("f", tuple(argument(name, [1, 2, 3], "integer") for name in names))
    )
    got = verdict(expected, response(call(b=9, c=9, d=True)))
    assert got.reason == "missing_argument"
    assert got.detail == (
        "a is missing: expected 1 or 2 or 1 more; d is not expected: got true; "
        "b: expected 1 or 2 or 1 more, got 9; and 1 more."
    )


def test_a_miss_is_explained_against_the_nearest_call() -> None:
    """Of several calls, the one of the same tool with the fewest mistakes explains the fail."""
    play = ExpectedCall("play", (argument("song", ["Blue"]), argument("minutes", [15], "integer")))
    stop = ExpectedCall("stop", ())
    got = verdict(case(play, stop), response(call("stop"), call("play", song="Blue", minutes=20)))
    assert (got.reason, got.detail) == ("wrong_value", "play: minutes: expected 15, got 20.")


def test_a_tool_that_was_not_called_is_named() -> None:
    """If no call is of the expected tool, the tool is the reason, and the free calls are named."""
    expected = case(
        ExpectedCall("play", ()), ExpectedCall("stop", (argument("x", [1], "integer"),))
    )
    got = verdict(expected, response(call("pause"), call("stop", x=2)))
    assert (got.reason, got.detail) == ("wrong_function", "Expected play, got pause, stop.")


@each_row(
    ("number", "words"),
    [(1, "The expected call"), (2, "Both expected calls"), (3, "All 3 expected calls")],
)
def test_accepted_calls_are_counted_in_words(number: int, words: str) -> None:
    """Two are both."""
    expected = case(*[ExpectedCall("f", ())] * number)
    detail = f"{words}, every argument accepted."
    assert verdict(expected, response(*[call("f")] * number)).detail == detail


def test_what_may_be_left_out_is_said() -> None:
    """The detail on an optional argument says that it may be left out."""
    expected = case(ExpectedCall("f", (argument("unit", ["m", ""], required=False),)))
    assert (
        verdict(expected, response(call(unit="cm"))).detail
        == 'unit: expected "m" (or left out), got "cm".'
    )
    never = case(ExpectedCall("f", (argument("unit", [""], required=False),)))
    assert verdict(never, response(call(unit=None))).detail == "unit must be left out, got null."
    required = case(ExpectedCall("f", (argument("unit", ["m", ""]),)))
    assert verdict(required, response(call(unit="cm"))).detail == 'unit: expected "m", got "cm".'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
TYPES = st.sampled_from(
    ["string", "any", "integer", "float", "boolean", "array", "tuple", "dict", "null"]
)
ARGUMENTS = st.builds(
    argument,
    st.sampled_from(["a", "b"]),
    st.lists(JSON, max_size=3),
    TYPES,
    st.none() | TYPES,
    st.booleans(),
)
CASES = st.builds(
    lambda calls: case(*calls),
    st.lists(
        st.builds(
            ExpectedCall,
            st.sampled_from(["f", "g", None]),
            st.lists(ARGUMENTS, max_size=2).map(tuple),
        ),
        max_size=3,
    ),
)
CALLS = st.builds(
    Call,
    st.sampled_from(["f", "g", "", "\ud800\n"]),
    st.dictionaries(st.sampled_from(["a", "b", "\udc00"]), JSON),
)
RESPONSES = st.builds(
    lambda calls, text, error, malformed: response(
        *calls, text=text, error=error, malformed=malformed
    ),
    st.lists(CALLS, max_size=3),
    st.none() | st.text(),
    st.none() | st.text(),
    st.none() | st.text(),
)


@pytest.mark.large
@given(CASES, RESPONSES)
def test_no_response_raises(expected: Case, got: Response) -> None:
    """Any response gets one verdict, with a known reason and a sentence that UTF-8 can encode."""
    decision = verdict(expected, got)
    assert decision.reason in REASONS
    assert decision.score == {"pass": 1.0, "fail": 0.0}[decision.outcome]
    assert decision.detail.encode()


PLAIN = {str: "string", int: "integer", float: "float", bool: "boolean"}
SCALARS = st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(min_size=1)


@pytest.mark.large
@given(st.dictionaries(st.text(), SCALARS, max_size=4))
def test_the_first_accepted_values_pass(arguments: dict[str, Any]) -> None:
    """A response that gives exactly the accepted values passes."""
    expected = ExpectedCall(
        "f", tuple(argument(key, [value], PLAIN[type(value)]) for key, value in arguments.items())
    )
    assert passes(case(expected), response(Call("f", arguments)))


@pytest.mark.large
def test_deep_and_huge_values_are_cut() -> None:
    """A value nested or written without measure is a wrong value like any other, and shown cut."""
    deep: Any = "x"
    for _ in range(50_000):
        deep = [deep]
    for value, shown in (
        (deep, "[" * 119 + "…"),
        ("x" * 10**6, '"' + "x" * 117 + '…"'),
        (10**9999, "an integer of very many digits"),
    ):
        detail = verdict(one(["a"], "string"), response(call(x=value))).detail
        assert detail == sentence_of(shown)


def sentence_of(shown: str) -> str:
    return f'x: expected "a", got {shown}' + ("" if shown.endswith("…") else ".")


@pytest.mark.parametrize(
    ("accepted", "declared", "items", "got", "told"),
    [
        (
            [[12.0, 15.0]],
            "array",
            "float",
            [12, 15],
            "[12.0, 15.0], got [12, 15] (same value, wrong type).",
        ),
        ([5], "integer", None, 5.0, "5, got 5.0 (same value, wrong type)."),
        ([5], "integer", None, True, "5, got true."),
        ([[12.0, 15.0]], "array", "float", [12, 16], "[12.0, 15.0], got [12, 16]."),
    ],
)
def test_a_value_that_fails_by_its_type_alone_says_so(
    accepted: list[Any], declared: str, items: str | None, got: Any, told: str
) -> None:
    """12 beside an expected 12.0 looks like a mistake of the board, unless it says what counts."""
    expected = case(ExpectedCall("f", (argument("x", accepted, declared, items),)))
    assert verdict(expected, response(call(x=got))).detail == f"x: expected {told}"
