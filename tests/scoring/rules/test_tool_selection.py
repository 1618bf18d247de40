"""The rule of kind `tool_selection`: what code decides, what a judge decides, and the details."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.facts.fact_shapes import Fact, Facts
from leaderboard.facts.text_forms import parse_form
from leaderboard.reasons import REASONS
from leaderboard.types import (
    Call,
    Case,
    Category,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Parameter,
    Question,
    Referral,
    Response,
    Suite,
    Tool,
    Verdict,
)
from scoring.rules import KINDS
from scoring.rules.tool_selection import decide, faults
from tests.each_row import each_row

CONVERT = Tool(
    "convert_units",
    "Converts a number from one unit to another.",
    (
        Parameter("value", "number", "", True, {}),
        Parameter("from_unit", "string", "", True, {}),
        Parameter("to_unit", "string", "", True, {}),
        Parameter("digits", "integer", "", False, {}),
    ),
)
QUERY = "How long is 3 km in yards?"
RIGHT = {"value": 3, "from_unit": "kilometers", "to_unit": "yards"}


def suite(prompt: str | None = "units", **policy: str) -> Suite:
    category = Category("units", "Units", "", 1.0, prompt, ())
    return Suite("tools", "Tools", "", KINDS["tool_selection"], (category,), policy, "", {})


def argument(
    name: str, *accepted: Any, closed: bool = False, may_be_absent: bool = False
) -> ExpectedArgument:
    return ExpectedArgument(name, accepted, closed, may_be_absent)


def case(
    *arguments: ExpectedArgument, name: str | None = "convert_units", query: str = QUERY
) -> Case:
    return Case(
        "A900", "units", query, GroundTruth((ExpectedCall(name, arguments),)), (CONVERT,), {}, ""
    )


def text_case(text: str | None) -> Case:
    return Case(
        "B900", "units", "Who painted the Mona Lisa?", GroundTruth((), text), (CONVERT,), {}, ""
    )


CASE = case(*(argument(key, value) for key, value in RIGHT.items()))


def response(*calls: Call, text: str | None = None, **more: Any) -> Response:
    return Response("A900", b"", calls, text, **more)


def convert(name: str = "convert_units", /, **changed: Any) -> Response:
    return response(Call(name, {**RIGHT, **changed}))


def verdict(expected: Case, got: Response, of: Suite | None = None) -> Verdict | Referral:
    (finding,) = decide(of or suite(), expected, got)
    return finding


def failure(expected: Case, got: Response, of: Suite | None = None) -> tuple[str, str]:
    finding = verdict(expected, got, of)
    assert isinstance(finding, Verdict)
    assert (finding.metric, finding.outcome, finding.score) == ("correct", "fail", 0.0)
    return finding.reason, finding.detail


def success(expected: Case, got: Response, of: Suite | None = None) -> tuple[str, str]:
    finding = verdict(expected, got, of)
    assert isinstance(finding, Verdict)
    assert (finding.metric, finding.outcome, finding.score) == ("correct", "pass", 1.0)
    return finding.reason, finding.detail


def questions(expected: Case, got: Response, of: Suite | None = None) -> tuple[Question, ...]:
    finding = verdict(expected, got, of)
    assert isinstance(finding, Referral)
    return finding.questions


# ---------------------------------------------------------------- calls that pass


@pytest.mark.parametrize(
    ("got", "reason", "detail"),
    [
        (convert(), "exact", "The expected call, with every argument equal."),
        (convert(value=3.0), "equal_values", "value: 3.0 equals 3."),
        (
            convert(value="3", to_unit="Yards "),
            "equal_values",
            'value: "3" equals 3; to_unit: "Yards " equals "yards".',
        ),
    ],
)
def test_equal_calls_pass(got: Response, reason: str, detail: str) -> None:
    """A call with equal arguments passes; written otherwise it says how."""
    assert success(CASE, got) == (reason, detail)


def test_further_accepted_values_pass() -> None:
    """Any accepted value passes, and the reason says that it is not the first."""
    expected = case(argument("start", "2026-06-18T15:30", "2026-06-18 15:30", closed=True))
    got = response(Call("convert_units", {"start": "2026-06-18 15:30"}))
    assert success(expected, got) == (
        "accepted_value",
        'start: "2026-06-18 15:30" is one of the accepted values.',
    )


def test_an_argument_that_may_be_absent() -> None:
    """Such an argument may be left out, or be given with an accepted value, and with no other."""
    expected = case(argument("digits", 2, closed=True, may_be_absent=True))
    assert success(expected, response(Call("convert_units", {})))[0] == "exact"
    assert success(expected, response(Call("convert_units", {"digits": 2})))[0] == "exact"
    assert failure(expected, response(Call("convert_units", {"digits": 3})))[0] == "wrong_value"


def test_a_formula_counts_by_its_result() -> None:
    """Another formula with the result passes, and one with another result fails without a judge."""
    problem = ExpectedArgument("problem", ("17% of 2340",), False, False, result=397.8)
    expected = case(problem)
    assert success(expected, response(Call("convert_units", {"problem": "0.17 × 2,340"}))) == (
        "equal_values",
        'problem: "0.17 × 2,340" equals "17% of 2340".',
    )
    swapped = response(Call("convert_units", {"problem": "17% of 2430"}))
    assert failure(expected, swapped)[0] == "wrong_value"
    in_words = response(Call("convert_units", {"problem": "seventeen per cent of 2340"}))
    (question,) = questions(expected, in_words)
    assert question.got == "seventeen per cent of 2340"
    without = case(argument("problem", "17% of 2340"))
    assert questions(without, swapped)


def test_names_with_underscores_for_dots() -> None:
    """A model that was shown underscores for dots has to answer with them."""
    expected = case(name="units.convert")
    assert success(expected, response(Call("units_convert", {}), underscored=True))[0] == "exact"
    assert failure(expected, response(Call("units_convert", {})))[0] == "wrong_function"


# ---------------------------------------------------------------- calls that fail


@each_row(
    ("got", "reason", "detail"),
    [
        (convert("get_weather"), "wrong_function", "Expected convert_units, got get_weather."),
        (convert("Convert_Units"), "wrong_function", "Expected convert_units, got Convert_Units."),
        (convert(value=4), "wrong_value", "value: expected 3, got 4."),
        (convert(value="three"), "wrong_value", 'value: expected 3, got "three".'),
        (convert(value=None), "wrong_value", "value: expected 3, got null."),
        (convert(to_unit=["yards"]), "wrong_value", 'to_unit: expected "yards", got ["yards"].'),
        (convert(to_unit=True), "wrong_value", 'to_unit: expected "yards", got true.'),
        (convert(notify=True), "unexpected_argument", "notify is not expected: got true."),
        (convert(digits=2), "unexpected_argument", "digits is not expected: got 2."),
        (
            response(Call("convert_units", {"value": 3, "to_unit": "yd"})),
            "missing_argument",
            'from_unit is missing: expected "kilometers".',
        ),
        (
            response(Call("convert_units", {"x": 1, "value": 4})),
            "missing_argument",
            (
                'from_unit is missing: expected "kilometers"; '
                'to_unit is missing: expected "yards"; '
                "x is not expected: got 1; and 1 more."
            ),
        ),
        (response(Call("convert_units", {})), "missing_argument", None),
        (
            response(text="About 3281 yards."),
            "no_call",
            "Expected a call of convert_units, got only text.",
        ),
        (
            response(text="  "),
            "empty_response",
            "Expected a call of convert_units, got no answer.",
        ),
        (response(), "empty_response", "Expected a call of convert_units, got no answer."),
        (response(error="Timeout\n  at line 3"), "response_error", "The system failed: Timeout."),
        (
            response(malformed="the arguments are a list"),
            "malformed_call",
            "A call cannot be read: the arguments are a list.",
        ),
    ],
)
def test_wrong_calls_fail(got: Response, reason: str, detail: str | None) -> None:
    """A wrong call fails by rule. The detail names the argument, the expected value and the got."""
    found = failure(CASE, got)
    assert found == (reason, detail or found[1])


def test_a_closed_argument_needs_no_judge() -> None:
    """Where the list of accepted values is complete, different words fail by rule."""
    expected = case(argument("date", "2026-06-18", closed=True))
    got = response(Call("convert_units", {"date": "2026-06-19"}))
    assert failure(expected, got) == (
        "wrong_value",
        'date: expected "2026-06-18", got "2026-06-19".',
    )


def test_a_tool_that_is_not_offered_is_never_met() -> None:
    """An expected call without a name always fails."""
    assert failure(case(name=None), convert()) == (
        "wrong_function",
        "Expected a tool that is not offered, got convert_units.",
    )


def test_a_wrong_value_is_shown_cut() -> None:
    """A long value costs the reader one line, not a page."""
    reason, detail = failure(CASE, convert(value="x" * 10_000))
    assert (reason, len(detail)) == ("wrong_value", len("value: expected 3, got .") + 120)
    assert detail.endswith('x…".')


# ---------------------------------------------------------------- what goes to a judge


def test_the_faults_of_a_call_by_argument() -> None:
    """What pages mark: wrong values, what a judge decides, another tool, and nothing if right."""
    (expected,) = CASE.ground_truth.calls

    def found(name: str = "convert_units", /, **changed: Any) -> Mapping[str, str]:
        return faults(suite(), CASE, expected, Call(name, {**RIGHT, **changed}), False)

    assert found() == {}
    assert found("other") == {"": "wrong_function"}
    assert found(value=4) == {"value": "wrong_value"}
    assert found(to_unit="the English yard") == {"to_unit": "judge"}
    assert found(value=4, to_unit="the English yard")["value"] == "wrong_value"


def test_one_question_for_each_argument_that_differs_in_words() -> None:
    """Each open argument with other words is a question that names the argument and the tool."""
    finding = verdict(CASE, convert(value="3.0", from_unit="km", to_unit="yd"))
    assert finding == Referral(
        "correct",
        (
            Question(QUERY, "argument `from_unit` of `convert_units`", "kilometers", "km"),
            Question(QUERY, "argument `to_unit` of `convert_units`", "yards", "yd"),
        ),
        'from_unit: expected "kilometers", got "km"; to_unit: expected "yards", got "yd".',
    )


def test_a_number_for_words_is_judged_as_text() -> None:
    """Expected words against a number is for the judge, who reads both as text."""
    expected = case(argument("guests", "two"))
    (asked,) = questions(expected, response(Call("convert_units", {"guests": 2})))
    assert (asked.expected, asked.got) == ("two", "2")


def test_lists_are_judged_as_json() -> None:
    """Lists that differ in words are shown to the judge as JSON."""
    expected = case(argument("attendees", ["Ann Lee"]))
    (asked,) = questions(expected, response(Call("convert_units", {"attendees": ["Anne Lee"]})))
    assert (asked.expected, asked.got) == ('["Ann Lee"]', '["Anne Lee"]')


def test_the_judge_sees_values_untouched() -> None:
    """Values of arguments keep every character: an asterisk in them is not emphasis."""
    expected = case(argument("problem", "5*3"))
    (asked,) = questions(expected, response(Call("convert_units", {"problem": "*5*3*"})))
    assert (asked.expected, asked.got) == ("5*3", "*5*3*")


def test_one_wrong_number_spares_the_judge() -> None:
    """A mistake that code can see decides, and no judge is asked about other arguments."""
    assert failure(CASE, convert(value=4, to_unit="yd")) == (
        "wrong_value",
        "value: expected 3, got 4.",
    )


def test_without_a_judge_other_words_are_wrong() -> None:
    """In a category without a prompt an unequal value fails, and the detail says why."""
    no_judge = suite(prompt=None)
    assert failure(CASE, convert(to_unit="yd"), no_judge) == (
        "wrong_value",
        'to_unit: expected "yards", got "yd". The category has no judge.',
    )
    assert failure(text_case("Leonardo"), response(text="Da Vinci"), no_judge) == (
        "wrong_value",
        "The text is not identical to the expected one, and its category has no judge.",
    )


# ---------------------------------------------------------------- policies


def test_optional_arguments_allowed_by_policy() -> None:
    """The suite may allow optional parameters of the tool. Unknown arguments still fail."""
    lenient = suite(optional_arguments="allow")
    assert success(CASE, convert(digits=2), lenient)[0] == "exact"
    assert failure(CASE, convert(notify=True), lenient)[0] == "unexpected_argument"
    without_value = case(argument("to_unit", "yards"), argument("from_unit", "kilometers"))
    assert failure(without_value, convert(), lenient) == (
        "unexpected_argument",
        "value is not expected: got 3.",
    )


def test_letter_case_ignored_by_policy() -> None:
    """The suite may ignore the letter case of names, and says so where it mattered."""
    lenient = suite(function_case="ignore")
    assert success(CASE, convert("Convert_Units"), lenient) == (
        "equal_values",
        "Convert_Units is convert_units, apart from letter case.",
    )
    assert failure(CASE, convert("convert"), lenient)[0] == "wrong_function"


WRONG, OTHER, OPEN = (
    Call("get_weather", {}),
    Call("convert_units", {**RIGHT, "value": 9}),
    Call("convert_units", {**RIGHT, "to_unit": "yd"}),
)
GOOD = Call("convert_units", RIGHT)


@each_row(
    ("calls", "strict", "first", "any_call"),
    [
        ((GOOD,), "exact", "exact", "exact"),
        ((GOOD, WRONG), "wrong_count", "exact", "exact"),
        ((WRONG, GOOD), "wrong_count", "wrong_function", "exact"),
        ((WRONG, OPEN, OTHER), "wrong_count", "wrong_function", "judge"),
        ((WRONG, OTHER), "wrong_count", "wrong_function", "wrong_value"),
        ((GOOD, GOOD), "wrong_count", "exact", "exact"),
    ],
)
def test_several_calls(calls: tuple[Call, ...], strict: str, first: str, any_call: str) -> None:
    """One call by default. The suite may count only the first call, or the best of them."""
    for policy, expected in (("strict", strict), ("first", first), ("any", any_call)):
        finding = verdict(CASE, response(*calls), suite(multi_call=policy))
        assert (finding.reason if isinstance(finding, Verdict) else "judge") == expected


def test_too_many_calls_are_counted_and_named() -> None:
    """The sentence names the calls that came."""
    assert failure(CASE, response(GOOD, WRONG)) == (
        "wrong_count",
        "Expected 1 call, got 2: convert_units, get_weather.",
    )


# ---------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("got", "reason"),
    [
        ("Leonardo da Vinci", "exact"),
        (" LEONARDO da vinci\n", "exact"),
        ("**Leonardo**  da\nVinci", "equal_values"),
    ],
)
def test_the_expected_text_passes(got: str, reason: str) -> None:
    """Letter case, blanks and emphasis never need a judge."""
    assert success(text_case("Leonardo da Vinci"), response(text=got))[0] == reason


def test_other_text_goes_to_the_judge_without_emphasis() -> None:
    """Other words are judged, without the marks of Markdown emphasis in what the model wrote."""
    finding = verdict(text_case("*Leonardo*"), response(text="It was **da Vinci**, `5*3`."))
    assert finding == Referral(
        "correct",
        (Question("Who painted the Mona Lisa?", "", "*Leonardo*", "It was da Vinci, 5*3."),),
        'Expected "*Leonardo*", got "It was **da Vinci**, `5*3`.".',
    )


@each_row(
    ("got", "reason", "detail"),
    [
        (response(), "empty_response", "Expected text, got no answer."),
        (response(text=" \n"), "empty_response", "Expected text, got no answer."),
        (
            response(GOOD, text="Leonardo"),
            "call_when_text_expected",
            "Expected text, got a call: convert_units.",
        ),
        (
            response(text="Leonardo", error="cut off"),
            "response_error",
            "The system failed: cut off.",
        ),
        (
            response(text="Leonardo", malformed="no name"),
            "malformed_call",
            "A call cannot be read: no name.",
        ),
    ],
)
def test_no_text_or_a_call_fails(got: Response, reason: str, detail: str) -> None:
    """Where text is expected, nothing, a call or a failure is wrong without a judge."""
    assert failure(text_case("Leonardo"), got) == (reason, detail)


def test_without_expected_text_any_answer_without_a_call_is_right() -> None:
    """A ground truth with neither call nor text asks for no call and nothing else."""
    assert success(text_case(None), response(text="Hm."))[0] == "no_call_expected"
    assert failure(text_case(None), response())[0] == "empty_response"
    assert failure(text_case(None), response(GOOD))[0] == "call_when_text_expected"


# ---------------------------------------------------------------- whatever comes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(["value", "from_unit", "to_unit", "digits", "x", "", "\ud800"])
ARGUMENTS = st.dictionaries(NAMES, JSON, max_size=5)
CALLS = st.builds(
    Call, st.sampled_from(["convert_units", "Convert_Units", "other", "\n\udc00"]), ARGUMENTS
)
TEXTS = st.none() | st.text()
RESPONSES = st.builds(
    lambda calls, text, error, malformed: response(
        *calls, text=text, error=error, malformed=malformed
    ),
    st.lists(CALLS, max_size=3),
    TEXTS,
    st.none() | st.sampled_from(["", "boom", " \n", "\ud800"]),
    st.none() | st.sampled_from(["", "no name"]),
)
EXPECTED = st.builds(
    lambda given, accepted, closed, absent: [
        argument(name, *accepted.get(name, ()), closed=closed, may_be_absent=absent)
        for name in {**given, **accepted}
    ],
    ARGUMENTS,
    st.dictionaries(NAMES, st.lists(JSON, max_size=2), max_size=4),
    st.booleans(),
    st.booleans(),
)
SUITES = st.builds(
    lambda prompt, optional, multi, letters: suite(
        prompt, optional_arguments=optional, multi_call=multi, function_case=letters
    ),
    st.sampled_from(["units", None]),
    st.sampled_from(["strict", "allow"]),
    st.sampled_from(["strict", "first", "any"]),
    st.sampled_from(["exact", "ignore"]),
)


@pytest.mark.large
@given(SUITES, st.builds(lambda a: case(*a), EXPECTED) | st.builds(text_case, TEXTS), RESPONSES)
def test_no_response_raises(of: Suite, expected: Case, got: Response) -> None:
    """Any response gets one finding, with a known reason and a sentence that UTF-8 can encode."""
    finding = verdict(expected, got, of)
    assert finding.detail.encode()
    if isinstance(finding, Referral):
        assert finding.questions
    else:
        assert finding.reason in REASONS
        assert finding.score == {"pass": 1.0, "fail": 0.0}[finding.outcome]


@pytest.mark.large
@given(SUITES, st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_the_ground_truth_passes(of: Suite, arguments: Mapping[str, Any]) -> None:
    """A response equal to the ground truth passes under every policy."""
    expected = case(*(argument(name, value) for name, value in arguments.items()))
    assert success(expected, response(Call("convert_units", arguments)), of)[0] == "exact"


@pytest.mark.large
@given(SUITES, st.text().filter(str.strip))
def test_the_expected_text_always_passes(of: Suite, text: str) -> None:
    """The expected text itself passes, with or without a judge."""
    assert success(text_case(text), response(text=text), of)[0] == "exact"


# ---------------------------------------------------------------- facts


def fact_case(text: str = "Leonardo da Vinci painted it.") -> Case:
    fact = Fact(
        "painter", "the painter, Leonardo", (parse_form("leonardo"),), (parse_form("raphael"),)
    )
    truth = GroundTruth((), text, facts=Facts((fact,)))
    return Case("B900", "units", "Who painted the Mona Lisa?", truth, (CONVERT,), {}, "")


def test_facts_decide_before_a_judge() -> None:
    """A stated fact passes, a missing one fails and is named, without a judge."""
    stated = verdict(fact_case(), response(text="It was Leonardo, of course."))
    assert isinstance(stated, Verdict)
    assert (stated.outcome, stated.reason) == ("pass", "facts_stated")
    missing = failure(fact_case(), response(text="It was Raphael."))
    assert missing == ("fact_missing", "The painter, Leonardo, is missing.")
    both = failure(fact_case(), response(text="Leonardo or Raphael"))
    assert both == ("contradiction", '"Raphael" is named as well as the painter, Leonardo.')
    assert {stated.reason, missing[0], both[0]} <= set(REASONS)


def test_a_judge_reads_what_facts_leave_open_without_echo_and_without_facts() -> None:
    """The question holds the reference and the answer's own words, and no form of a fact."""
    asked = "Who painted the Mona Lisa? Leonardo did. Don't rely on this."
    finding = verdict(fact_case("He did."), response(text=asked))
    assert isinstance(finding, Referral)
    (question,) = finding.questions
    assert question == Question(
        "Who painted the Mona Lisa?", "", "He did.", "Leonardo did. Don't rely on this."
    )
    assert "raphael" not in str(finding).casefold()


def test_without_a_judge_open_texts_fail() -> None:
    """A category without a prompt has nobody to read what facts leave open."""
    got = response(text="Leonardo. Don't rely on this.")
    assert failure(fact_case(), got, suite(prompt=None))[0] == "wrong_value"


def test_the_day_of_the_suite_is_no_result() -> None:
    """Models are told it, so a question may repeat it."""
    truth = GroundTruth((), "Which day?", facts=Facts(asks=("day",)))
    calendar = Case("B901", "units", "What is in my calendar?", truth, (CONVERT,), {}, "")
    asked = response(text="Today is 20 November 2026. Which day do you need?")
    told = replace(suite(), date="2026-11-20")
    assert success(calendar, asked, told)[0] == "asks_for_missing"
    assert failure(calendar, asked, suite())[0] == "missing_not_asked"
