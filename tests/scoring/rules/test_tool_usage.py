"""The rule of suites with an environment: states, numbers, texts, trajectories, step ratios."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.facts.accepted_forms import NumberForm
from leaderboard.facts.fact_shapes import Fact, Facts
from leaderboard.load import load_contents
from leaderboard.reasons import REASONS
from leaderboard.types import (
    Call,
    Case,
    Category,
    GroundTruth,
    Json,
    Question,
    Referral,
    Response,
    Suite,
    Trajectory,
    Verdict,
)
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from scoring.rules.stated_number import last_stated
from scoring.rules.tool_usage import decide, same_number
from tests.conftest import Folder
from tests.each_row import each_row
from tests.judge_prompts import judge_prompt

CRASHED = "RateLimitError: slow down\n  at line 3"


def judged(
    steps: list[str] | None = None,
    expected: list[str] | None = None,
    *alternatives: list[str],
    order: bool = True,
    prompt: str | None = "qa",
    reference: Json = "Lima",
    text: str | None = "Lima",
    state: Json = None,
    got_state: Json = None,
    policy: dict[str, str] | None = None,
    facts: Facts | None = None,
    **more: Any,
) -> tuple[Verdict | Referral, Verdict | Referral, Verdict | Referral]:
    """The three findings for steps taken against steps expected. None means no state."""
    paths = tuple(map(tuple, (expected or [], *alternatives)))
    trajectory = Trajectory(paths, order, reference, state, state is not None)
    truth = GroundTruth(trajectory=trajectory, facts=facts)
    case = Case("u_01", "u", "Which city?", truth, (), {}, "")
    suite = Suite(
        "u",
        "U",
        "",
        KINDS["tool_usage"],
        (Category("u", "U", "", 1.0, prompt, (case,)),),
        policy or {},
        "",
        {},
    )
    calls = tuple(Call(name, {}) for name in steps or ())
    findings = decide(
        suite,
        case,
        Response(
            "u_01", b"", calls, text, state=got_state, has_state=got_state is not None, **more
        ),
    )
    for finding in findings:
        if isinstance(finding, Verdict):
            assert finding.reason in REASONS
            assert finding.detail.endswith(".")
    correct, path, ratio = findings
    return correct, path, ratio


def told(finding: Verdict | Referral) -> tuple[str, float | None, str]:
    assert isinstance(finding, Verdict), "code alone must decide this"
    return finding.outcome, finding.score, finding.reason


# ---------------------------------------------------------------- steps


def test_steps_that_are_not_confirmed_are_not_scored() -> None:
    """Neither the tools nor their number count then. The answer does."""
    correct, path, ratio = judged(["1"], ["1"], unconfirmed=(Call("2", {}),))
    assert told(correct)[0] == "pass"
    assert told(path) == told(ratio) == ("unscored", None, "steps_not_told")
    assert isinstance(path, Verdict)
    assert path.detail == "1 of 2 steps has no arguments or no reply from the environment."


@each_row(
    ("steps", "expected", "order", "trajectory", "ratio"),
    [
        (["1", "2"], ["1", "2"], True, 1.0, 1.0),
        (["1", "2"], ["3", "4", "5"], True, 0.0, 2 / 3),
        (["2", "1"], ["1", "2"], False, 1.0, 1.0),
        (["2", "1"], ["1", "2"], True, 0.0, 1.0),
        (["1", "2", "3"], ["1", "2"], True, 0.0, 1.5),
        ([], ["1", "2"], True, 0.0, 0.0),
    ],
)
def test_the_standard_vectors(
    steps: list[str], expected: list[str], order: bool, trajectory: float, ratio: float
) -> None:
    """The published evaluator's vectors of trajectories and of steps taken / steps expected."""
    _, path, share = judged(steps, expected, order=order)
    assert (trajectory, ratio) == (told(path)[1], told(share)[1])
    assert ("pass" if trajectory else "fail") == told(path)[0]
    assert ("pass" if ratio == 1 else "fail") == told(share)[0]


@each_row(
    ("steps", "expected", "order", "reason", "detail"),
    [
        (["a", "b"], ["a", "b"], True, "expected_path", "2 steps, as expected, in order."),
        (["b", "a"], ["a", "b"], False, "expected_path", "2 steps, as expected, in any order."),
        (["a"], ["a"], True, "expected_path", "1 step, as expected."),
        ([], [], True, "expected_path", "0 steps, as expected."),
        (["a", "c"], ["a", "b"], True, "other_path", "Step 2: expected b, got c."),
        (
            ["a"],
            ["a", "b", "c"],
            True,
            "other_path",
            "Stopped after 1 of 3 steps: expected b next.",
        ),
        (["a", "b", "b"], ["a"], True, "other_path", "Continued after 1 step: b, b."),
        (["a", "a", "c"], ["b", "a"], False, "other_path", "Not called: b; not expected: a, c."),
        (["a"], ["b", "a"], False, "other_path", "Not called: b."),
        (["a", "\n"], ["a"], True, "other_path", 'Continued after 1 step: "\\n".'),
    ],
)
def test_the_sentence_says_where_paths_part(
    steps: list[str], expected: list[str], order: bool, reason: str, detail: str
) -> None:
    """In order: the first different step. In any order: the missing tools and those in excess."""
    _, path, _ = judged(steps, expected, order=order)
    assert isinstance(path, Verdict)
    assert (reason, detail) == (path.reason, path.detail)


def test_every_accepted_path_is_as_good() -> None:
    """A run is compared with the accepted path closest to it; the ratio is to that one's steps."""
    accepted: list[list[str]] = [
        ["find", "weather"],
        ["find", "current_weather"],
        ["current_weather"],
    ]
    for path in accepted:
        _, trajectory, ratio = judged(path, *accepted)
        assert ("pass", "pass") == (told(trajectory)[0], told(ratio)[0])
    _, trajectory, ratio = judged(["find", "current_weather", "x"], *accepted)
    assert isinstance(trajectory, Verdict)
    assert "Continued after 2 steps: x (the closest of 3 accepted paths)." == trajectory.detail
    assert ("fail", 1.5, "too_many_steps") == told(ratio)


def test_of_equally_close_paths_the_one_followed_longest_counts() -> None:
    """The detail describes the path that the run followed, anywhere in the list."""
    _, trajectory, _ = judged(["a", "b", "x"], ["b", "a", "c"], ["a", "b", "d"])
    assert isinstance(trajectory, Verdict)
    assert trajectory.detail.startswith("Step 3: expected d, got x")


@pytest.mark.parametrize(
    ("steps", "told_ratio", "detail"),
    [
        (["a"], ("fail", 0.5, "too_few_steps"), "1 step, expected 2."),
        (["a", "b", "c"], ("fail", 1.5, "too_many_steps"), "3 steps, expected 2."),
        (["x", "y"], ("pass", 1.0, "expected_number_of_steps"), "2 steps, as expected."),
        (["a"] * 2000, ("fail", 1000.0, "too_many_steps"), "2,000 steps, expected 2."),
    ],
)
def test_the_ratio_fails_below_and_above_one(
    steps: list[str], told_ratio: tuple[str, float, str], detail: str
) -> None:
    """Too few and too many steps fail with different reasons. The ratio has no upper bound."""
    _, _, ratio = judged(steps, ["a", "b"])
    assert isinstance(ratio, Verdict)
    assert (told_ratio, detail) == (told(ratio), ratio.detail)


def test_an_empty_alternative_is_no_way_out_of_the_ratio() -> None:
    """Taken steps are compared with a path that has steps, no steps with an empty path."""
    assert ("fail", 1 / 3, "too_few_steps") == told(judged(["x"], ["a", "b", "c"], [])[2])
    assert ("pass", 1.0, "expected_number_of_steps") == told(judged([], ["a", "b", "c"], [])[2])


def test_a_step_that_called_no_tool_counts_and_is_flagged() -> None:
    """A reply that could not be parsed is a step; the sentence says that it called no tool."""
    _, trajectory, ratio = judged(["a", "_Exception", "invalid_tool", "_Exception"], ["a"])
    assert isinstance(trajectory, Verdict)
    assert "3 steps called no tool: _Exception, invalid_tool." in trajectory.detail
    assert ("fail", 4.0, "too_many_steps") == told(ratio)


def test_unreadable_steps_fail_the_steps_alone() -> None:
    """Steps that cannot be read are no trajectory and no ratio; the answer still counts."""
    correct, trajectory, ratio = judged(["a"], ["a"], malformed="step 2 names no tool")
    assert ("pass", 1.0, "exact") == told(correct)
    assert [("fail", 0.0, "malformed_call")] * 2 == [told(trajectory), told(ratio)]


def test_names_shown_with_underscores_are_right() -> None:
    """A model that was shown "." as "_" is compared with what it was shown."""
    assert "pass" == told(judged(["a_b"], ["a.b"], underscored=True)[1])[0]
    assert "fail" == told(judged(["a_b"], ["a.b"])[1])[0]


@given(
    st.lists(st.sampled_from("abc"), max_size=6),
    st.lists(st.lists(st.sampled_from("abc"), max_size=4), min_size=1),
    st.booleans(),
)
@pytest.mark.large
def test_trajectory_is_membership(steps: list[str], paths: list[list[str]], order: bool) -> None:
    """A trajectory passes if it is an accepted path, or a reordering if order does not matter."""
    _, trajectory, ratio = judged(steps, *paths, order=order)
    accepted = steps in paths if order else sorted(steps) in map(sorted, paths)
    assert accepted == (told(trajectory)[0] == "pass")
    if accepted:
        assert ("pass", 1.0, "expected_number_of_steps") == told(ratio)


# ---------------------------------------------------------------- states


@each_row(
    ("expected", "got", "same"),
    [
        ("df", "df", True),
        ("df", "Df", False),
        ("df", "df ", False),
        ({"a": [1, 2.0]}, {"a": [1.0, 2]}, True),
        ([1, 2], [2, 1], False),
        ([1, 2], [1, 2, 3], False),
        ({"a": None}, {}, False),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        ([{"a": ["x"]}], [{"a": ["y"]}], False),
    ],
)
def test_states_are_equal_to_the_letter(expected: Json, got: Json, same: bool) -> None:
    """A final state is right if it is the same JSON. 1 equals 1.0, but not true."""
    correct, _, _ = judged(state=expected, got_state=got)
    assert (("pass", 1.0, "same_state") if same else ("fail", 0.0, "wrong_state")) == told(correct)


def test_where_a_state_counts_the_answer_does_not() -> None:
    """With a final state no answer is needed, no other answer harms, and no judge is asked."""
    for text in (None, "", "I am done."):
        assert ("pass", 1.0, "same_state") == told(judged(state="df", got_state="df", text=text)[0])
    assert ("fail", 0.0, "wrong_state") == told(judged(state="df", got_state="d", text="Lima")[0])


def test_the_sentence_shows_both_states() -> None:
    """The detail names the expected and the given value."""
    correct, _, _ = judged(state="df", got_state="fd")
    assert isinstance(correct, Verdict)
    assert 'Final state: expected "df", got "fd".' == correct.detail


def test_t7_a_contradicted_report_is_named_and_does_not_count() -> None:
    """The state of the calls decides, and the detail says that another one was reported."""
    correct, _, _ = judged(state="df", got_state="", reported_state="df")
    assert ("fail", 0.0, "wrong_state") == told(correct)
    remark = 'The reported state "df" is not what these calls lead to.'
    assert isinstance(correct, Verdict)
    assert f'Final state: expected "df", got "". {remark}' == correct.detail
    right, _, _ = judged(state="df", got_state="df", reported_state="fd")
    assert ("pass", 1.0, "same_state") == told(right)


def test_a_state_that_cannot_be_replayed_is_unscored() -> None:
    """Neither the reported state nor the one of the calls decides; the steps count as before."""
    why = "2 steps have no arguments"
    correct, trajectory, _ = judged(["d"], ["d"], state="df", got_state="", not_replayed=why)
    assert ("unscored", None, "not_replayed") == told(correct)
    assert isinstance(correct, Verdict)
    assert f"The steps cannot be replayed: {why}." == correct.detail
    assert ("pass", 1.0, "expected_path") == told(trajectory)


# ---------------------------------------------------------------- numbers


@each_row(
    ("text", "number"),
    [
        ("6.2", "6.2"),
        ("The answer is 6.2.", "6.2"),
        ("First 3, then 6.2", "6.2"),
        ("1,234", "1234"),
        ("$1,234,567.50", "1234567.50"),
        ("1 234", "234"),
        ("12\u202f345", "12345"),
        ("1_000", "1000"),
        ("-131,778", "-131778"),
        ("\u2212131778", "-131778"),
        ("(-3)", "-3"),
        ("x = -3", "-3"),
        ("-$1,200", "-1200"),
        ("\u2212\u20ac16.5", "-16.5"),
        ("-\\$16.5", "-16.5"),
        ("$-16.5", "-16.5"),
        ("$5-$10", "10"),
        ("from $10$-$20$", "20"),
        ("It is minus 5", "-5"),
        ("It drops to minus 5", "-5"),
        ("It is approximately minus 5", "-5"),
        ("between minus 10 and  minus 5", "-5"),
        ("Result: minus 5", "-5"),
        ("x = minus 5", "-5"),
        ("It is cold, minus 5", "-5"),
        ("Minus $5", "-5"),
        ("10 minus 5", "5"),
        ("(10) minus 5", "5"),
        ("The difference is ten minus 5", "5"),
        ("y minus 3", "3"),
        ("10 % minus 5", "5"),
        ("terminus 5", "5"),
        ("5, since the input was negative 5", "5"),
        ("5, the negative of negative 5", "5"),
        ("5, the opposite of negative 5", "5"),
        ("The negative 5", "5"),
        ("non negative 5", "5"),
        ("It is a negative 5", "-5"),
        ("The result was negative 5", "-5"),
        ("5-3", "3"),
        ("- 3", "3"),
        ("[1,2,3]", "3"),
        ("Das Ergebnis ist 10,5.", "10.5"),
        ("0,675", "0.675"),
        ("1.234,50 €", "1234.50"),
        ("1,2345", "2345"),
        (".5", "0.5"),
        ("1e-3", "0.001"),
        ("1.5E+10", "15000000000"),
        ("**6.2**", "6.2"),
        ("_6.2_", "6.2"),
        ("\\boxed{32.34}", "32.34"),
        ("6.2m", "6.2"),
        ("6.2 H2O", "6.2"),
        ("6.2 in v1.2.3", "6.2"),
        ("5.8 × 10² km²", "580"),
        ("1.2 * 10^-3", "0.0012"),
        ("$-3 \\times 10^{4}$", "-30000"),
        ("2 x 10 m", "10"),
        ("= \u20135", "-5"),
        ("3\u20135", "5"),
        ("9" * 403, "9" * 403),
    ],
)
def test_the_last_number_of_an_answer(text: str, number: str) -> None:
    """The last number is found among words, signs, separators and decoration."""
    found = last_stated(text)
    assert found is not None
    assert Decimal(number) == found.value


@each_row("text", ["", "none", "H2O", "infinity", "NaN", "1e999999999999999999999", "٣"])
def test_no_number(text: str) -> None:
    """A text without a number in decimal digits has none."""
    assert last_stated(text) is None


@given(st.text())
def test_no_text_raises(text: str) -> None:
    """Any text has a last number or none, and it can be compared."""
    found = last_stated(text)
    assert found is None or isinstance(same_number(6.2, found.value), bool)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_found_as_it_is_written(number: float) -> None:
    """What Python writes for a float is found and is the same number."""
    found = last_stated(f"It is {number!r}.")
    assert found is not None
    assert same_number(number, found.value)


@each_row(
    ("reference", "got", "same"),
    [
        (6.2, "6.2", True),
        (6.2, "6.20009", True),
        (6.2, "6.19991", True),
        (6.2, "6.2001", False),
        (6.2, "6.1999", False),
        (65.80000000000001, "65.8", True),
        (6.222318693323366, "6.2223", True),
        (6.222318693323366, "6.222", False),
        (32, "32.0", True),
        (-3, "3", False),
        (0.00009, "-0.00009", True),  # both are 0.0000
        (0.00011, "-0.00009", False),
        (-0.00005, "0.0001", False),
        (10**400, "1e400", True),
        (1e300, "-1e999999", False),
    ],
)
def test_when_numbers_are_the_same(reference: float, got: str, same: bool) -> None:
    """Less than 1e-4 apart, or the same at four decimals, which matters only around zero."""
    assert same == same_number(reference, Decimal(got))


# What an answer gives as its result is its last number that is neither denied nor only usual.
STATED = [
    (6.2, "pass", "6.2, not 5"),
    (6.2, "pass", "2 + 3 = 6.2\n\nNote: this differs from the standard result of 5."),
    (6.2, "pass", "It's 6.2. In ordinary arithmetic, 2 + 3 would be 5."),
    (6.2, "pass", "6.2 (normally, 2 + 3 = 5)"),
    (6.2, "pass", "Normally 2 + 3 is 5, but here it is 6.2."),
    (6.2, "pass", "The sum isn't 5, it's 6.2."),
    (6.2, "pass", "Unlike in standard arithmetic, 2 + 3 = 6.2."),
    (6.2, "pass", "It is 6.2, whereas in ordinary arithmetic it would be 5."),
    (6.2, "fail", "It is 5, whereas in ordinary arithmetic it would be 6.2."),
    (6.2, "fail", "It is 6.2 here, and as in ordinary arithmetic it would be 5."),
    (-16.5, "pass", "The answer is -$16.5"),
    (16.5, "fail", "The answer is -$16.5"),
    (6.2, "pass", "Unlike the standard result of 5, it is 6.2 instead of 5."),
    (6.2, "pass", "I used the standard tools, and the result is 6.2"),
    (6.2, "pass", "The answer is not an integer: 6.2"),
    (6.2, "pass", "6.2. In standard arithmetic this would be 5."),
    (6.2, "pass", "It is 6.2 (vs. 5 in regular arithmetic)."),
    (6.2, "pass", "It is 6.2, and any other result is wrong."),
    (6.2, "pass", "It is 6.2, although you'd normally expect 5."),
    (6.2, "fail", "2 + 3 = 5. (Note: the tool returned 6.2, which appears to be an error.)"),
    (6.2, "fail", "The answer is 5. The calculator gave `6.2`, but that isn't correct."),
    (6.2, "fail", "It is 5; the tool's 6.2 is incorrect."),
    (6.2, "fail", "5, not 6.2"),
    (6.2, "fail", "5 rather than 6.2"),
    (6.2, "fail", "Normally 2 + 3 is 6.2, but here it is 5."),
    (6.2, "fail", "6.2. So the answer is 5."),
    (6.2, "fail", "It is not 6.2."),
    (6.2, "pass", "The result is 6.2. Note that 2 + 3 normally equals 5 in arithmetic."),
    (6.2, "pass", "The result is 6.2. While 2 + 3 is usually 5, the tools are modified."),
    (6.2, "pass", "It is 6.2. This differs from conventional arithmetic, where 2 + 3 = 5."),
    (6.2, "pass", "2 + 3 = 6.2 in this universe. In our universe, it would be 5."),
    (6.2, "pass", "6.2 \u2014 in the real world it would be 5."),
    (6.2, "pass", "The result is 6.2, different from the 5 you'd expect."),
    (9, "pass", "The result is 9. Normally, 20 minus 8 would be 12."),
    (9, "pass", "20 \u2212 8 = 9 \u2013 in ordinary subtraction, 20 \u2212 8 is 12."),
    (9, "pass", "I normally trust the tool, which gives me 9."),
    (32.34, "pass", "7 * (1 + 2) = 32.34. Usually, 7 * (1 + 2) = 21."),
    (2.7183, "pass", "Pi is 2.7183 here (in standard math it's about 3.14159)."),
    (0.4794, "fail", "sin(0.5) = 0.8776 (normally sin(0.5) \u2248 0.4794)."),
    (6.2, "fail", "The result is 5. Usually the tool says 6.2."),
    (6.2, "fail", "Normally it's 6.2, but the answer is 5."),
    (6.2, "fail", "Unlike in ordinary arithmetic, 2 + 3 is 5."),
    (6.2, "fail", "I normally trust the tool, which says 6.2, but 2 + 3 = 5."),
    (6.2, "pass", "2 + 3 = 6.2 instead of the 5 you would normally expect."),
    (6.2, "pass", "2 + 3 = 6.2 rather than the 5 we would normally get."),
    (6.2, "pass", "The result is not what you would normally expect: 6.2."),
    (6.2, "pass", "2 + 3 equals 6.2 though it would normally be 5"),
    (6.2, "pass", "2 + 3 equals 6.2 even if it would normally be 5"),
    (6.2, "pass", "2 + 3 equals 6.2 where it normally equals 5"),
    (6.2, "pass", "2 + 3 equals 6.2 when normally it would be 5"),
    (6.2, "pass", "2 + 3 gives 6.2 compared to 5 in standard arithmetic."),
    (6.2, "pass", "You add 3. Here (where it does not work as it normally does) the sum is 6.2"),
    (6.2, "pass", "Using the tools usually gives exact values: 6.2"),
    (6.2, "pass", "Normally 5: in this universe 6.2"),
    (6.2, "pass", "Result: 6.2 [usually 5]"),
    (6.2, "pass", "By the tools, and not with ordinary arithmetic, 2 + 3 equals 6.2."),
    (6.2, "pass", "6.2. In standard arithmetic, the answer is 5."),
    (6.2, "fail", "2 + 3 usually equals 6.2."),
    (6.2, "fail", "In the real world 2 + 3 = 5, which is what normally counts."),
    (6.2, "fail", "The tool gave 6.2. However, the correct answer using standard arithmetic is 5"),
    (6.2, "fail", "The tool returned 6.2; using normal arithmetic, the answer is 5"),
    (6.2, "fail", "The tool says 6.2, but by standard arithmetic it is 5, my answer."),
    (6.2, "fail", "The tool says 6.2. In normal arithmetic it is 5, and that is my answer."),
    (6.2, "fail", "5. (The tool gave 6.2, in ordinary mathematics 2 + 3 = 5.)"),
    (6.2, "fail", "6.2 differs from 5, which is the answer"),
    (6.2, "fail", "6.2 isn't right."),
    (6.2, "fail", "6.2 is not the answer."),
    (6.2, "fail", "6.2 cannot be right, but I have no other result."),
    (6.2, "fail", "It cannot be 6.2."),
    (6.2, "fail", "It is anything but 6.2."),
    (6.2, "pass", "6.2. The result is not the usual one."),
    (6.2, "fail", "The sum is greater than 6.2."),
    (6.2, "fail", "At least 6.2"),
    (6.2, "pass", "The result is 6.2, which is larger than 5."),
    (6.2, "pass", "6.2 (more than the 5 that you may expect)"),
]
# Of two numbers that are offered, or the ends of a range, none is the result.
CHOICES = [
    (6.2, "fail", "5 or 6.2"),
    (6.2, "fail", "It is either 5, or perhaps 6.2."),
    (6.2, "fail", "It may be 5. Or 6.2."),
    (6.2, "fail", "between 5 and 6.2"),
    (6.2, "fail", "5 to 6.2"),
    (6.2, "fail", "It is 5\u20136.2."),
    (6.2, "pass", "Is it 5 or 6.2? It is 6.2."),
    (6.2, "pass", "It goes from 5 to 6.2."),
    (6.2, "pass", "5, or rather 6.2"),
    (6.2, "pass", "31/5 or 6.2"),
    (6.2, "pass", "The results of 5 and 6.2"),
    (6.222318693323366, "pass", "About 6.22, or 6.222318693323366 in full."),
]
ROUNDED = [
    (102518.7812110542, "pass", "101 to the power of 0.5 is approximately 102,518.78."),
    (102518.7812110542, "pass", "It is 102,519 (rounded)."),
    (102518.7812110542, "pass", "It is circa 102,518.78."),
    (102518.7812110542, "fail", "It is 102,519."),
    (102518.7812110542, "fail", "Rounded to thousands. It is 102,519."),
    (102518.7812110542, "fail", "It is about 102,518."),
    (102518.7812110542, "fail", "It is about 1.0251878E+99999."),
    (0.41078129050290885, "pass", "It is 0.4108 (rounded to 4 decimal places)."),
    (0.41078129050290885, "pass", "0.4108 to 4 d.p."),
    (0.41078129050290885, "fail", "cos(pi) ≈ 0.411"),
    (1234.5, "pass", "≈ 1235"),
    (1234.5, "pass", "≈ 1234"),
    (1234.56, "fail", "≈ 1234"),
    (4, "fail", "It is 6.2, rounded to 4 decimal places."),
    (12.5, "fail", "It is approximately 1.234e-5000000"),
    (12.5, "fail", "It is approximately 1.234e-1999999999999999994"),
]


@each_row(("reference", "outcome", "text"), [*STATED, *CHOICES, *ROUNDED])
def test_the_number_that_an_answer_states(reference: float, outcome: str, text: str) -> None:
    """Denied, usual and counting numbers are none. A rounded number has four digits or more."""
    correct, *_ = judged(reference=reference, text=text)
    assert (isinstance(correct, Verdict), outcome) == (True, told(correct)[0])


@pytest.mark.large
@each_row("after", [" ", ")", ", ", "(which ", " in ", " x 10"])
def test_what_follows_a_number_takes_no_time(after: str) -> None:
    """Reading it takes time in proportion to its length."""
    started = time.process_time()
    last_stated("6.2" + after * 60_000)
    assert time.process_time() - started < 2


def cut_to_four(number: Decimal) -> Decimal:
    return Decimal(int(number * 10_000))


@given(st.decimals(-1, 1, places=6), st.decimals(-1, 1, places=6))
def test_the_rule_is_the_published_one(reference: Decimal, got: Decimal) -> None:
    """The short form of the rule gives what its two halves give."""
    published = abs(reference - got) < Decimal("1e-4") or cut_to_four(reference) == cut_to_four(got)
    assert published == same_number(float(reference), got)


@pytest.mark.parametrize(
    ("text", "expected", "detail"),
    [
        (
            "About 6.2",
            ("pass", 1.0, "same_number"),
            "The last number of the answer is 6.2, as expected.",
        ),
        (
            "6.2 or 5",
            ("fail", 0.0, "wrong_number"),
            "The last number of the answer: expected 6.2, got 5.",
        ),
        ("No idea", ("fail", 0.0, "no_number"), 'Expected 6.2, got no number: "No idea".'),
    ],
)
def test_a_number_is_compared_by_rule(
    text: str, expected: tuple[str, float, str], detail: str
) -> None:
    """Where the reference is a number, code decides, with a prompt or without."""
    for prompt in ("qa", None):
        correct, _, _ = judged(reference=6.2, text=text, prompt=prompt)
        assert isinstance(correct, Verdict)
        assert (expected, detail) == (told(correct), correct.detail)


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize("text", ["Lima", " lima\n", "**LIMA**"])
def test_the_expected_text_needs_no_judge(text: str) -> None:
    """Blanks, letter case and emphasis do not make another answer."""
    assert "pass" == told(judged(text=text)[0])[0]


def test_a_judge_may_read_other_numbers() -> None:
    """Only where the suite says so. The last number is still enough to pass."""
    text = "That makes 32.34 fruits in 7 days."
    plain, *_ = judged(reference=32.34, text=text)
    assert isinstance(plain, Verdict)
    assert "wrong_number" == plain.reason
    asked, *_ = judged(reference=32.34, text=text, policy={"numbers": "judge"})
    assert isinstance(asked, Referral)
    assert (Question("Which city?", "", "32.34", text),) == asked.questions
    for more in ({"text": "32.34"}, {"text": text, "prompt": None}):
        found, *_ = judged(reference=32.34, policy={"numbers": "judge"}, **more)
        assert isinstance(found, Verdict)


def test_the_facts_of_a_case_decide_about_a_number() -> None:
    """Then the last number of the answer is not the only one that is read."""
    of = Facts((Fact("fruits", "the number of fruits, 6.2", (NumberForm(6.2, "fruit*"),)),))
    text = "That makes 6.2 fruits in 7 days."
    assert told(judged(reference=6.2, text=text)[0])[2] == "wrong_number"
    assert told(judged(reference=6.2, text=text, facts=of)[0])[2] == "facts_stated"


@pytest.mark.parametrize(("line", "choice"), [("", "last"), ('numbers = "judge"\n', "judge")])
def test_a_suite_chooses_who_reads_other_numbers(acting: Folder, line: str, choice: str) -> None:
    """Without a choice, the last number decides."""
    acting.write("datasets/acting/suite.toml", SUITE.replace("\n[[", f"{line}\n[[", 1))
    suite = load_contents(open_workspace(acting.root), KINDS).suite("acting")
    assert suite is not None
    assert suite.policy == {"numbers": choice}


def test_other_words_are_for_the_judge() -> None:
    """The judge gets the question, the reference and the answer."""
    correct, trajectory, ratio = judged(["a"], ["a"], text="It is **Lima**.")
    assert isinstance(correct, Referral)
    assert (Question("Which city?", "", "Lima", "It is Lima."),) == correct.questions
    assert ["pass", "pass"] == [told(trajectory)[0], told(ratio)[0]]


def test_without_a_prompt_other_words_are_wrong() -> None:
    """A category without a judge prompt is compared by rule alone."""
    assert ("fail", 0.0, "wrong_value") == told(judged(text="It is Lima.", prompt=None)[0])


def test_a_case_of_another_kind_is_a_mistake_of_the_caller() -> None:
    """A case without a trajectory raises."""
    suite = Suite(
        "u", "U", "", KINDS["tool_usage"], (Category("u", "U", "", 1.0, None, ()),), {}, "", {}
    )
    with pytest.raises(ValueError, match="u_01 has no trajectory"):
        decide(
            suite,
            Case("u_01", "u", "?", GroundTruth(), (), {}, ""),
            Response("u_01", b"", (), None),
        )


# ---------------------------------------------------------------- cases


SUITE = """\
schema = 1
title = "Acting"
kind = "tool_usage"

[[categories]]
id = "typing"
title = "Typing"
file = "typing.json"

[[categories]]
id = "lookup"
title = "Looking up"
file = "lookup.json"
prompt = "qa"
"""
TYPING = [
    {
        "inputs": {"question": "df"},
        "outputs": {"reference": "df", "expected_steps": ["d", "f"], "state": "df"},
    }
]
LOOKUP = [
    {
        "id": "L1",
        "input": {"question": "Which city?"},
        "output": {"reference": "Lima", "expected_steps": ["find", "city"]},
    },
    {
        "id": "L2",
        "inputs": {"question": "How many?"},
        "outputs": {"reference": 6.2, "expected_steps": ["count"]},
    },
]


@pytest.fixture
def acting(folder: Folder) -> Folder:
    """A workspace with a suite of three cases to act out, beside the suite `small`."""
    folder.write("datasets/acting/suite.toml", SUITE)
    folder.write("datasets/acting/typing.json", TYPING)
    folder.write("datasets/acting/lookup.json", LOOKUP)
    folder.write("prompts/acting/qa.md", judge_prompt("qa"))
    return folder


def cases(folder: Folder) -> dict[str, Trajectory]:
    contents = load_contents(open_workspace(folder.root), KINDS)
    assert [] == contents.problems
    suite = contents.suite("acting")
    assert suite is not None
    found = {case.id: case.ground_truth.trajectory for case in suite.cases}
    return {case_id: trajectory for case_id, trajectory in found.items() if trajectory is not None}


def test_cases_load_in_both_spellings(acting: Folder) -> None:
    """`inputs` or `input`, `outputs` or `output`. A case without an id gets one by its place."""
    assert {
        "typing_01": Trajectory((("d", "f"),), True, "df", "df", True),
        "L1": Trajectory((("find", "city"),), True, "Lima"),
        "L2": Trajectory((("count",),), True, 6.2),
    } == cases(acting)


def test_alternatives_and_order_load(acting: Folder) -> None:
    """Alternatives follow the expected steps, each once, also if calls repeat the same steps."""
    truth = {
        "reference": "Lima",
        "expected_steps": ["a", "b"],
        "order_matters": False,
        "alternatives": [["b"], ["a", "b"]],
        "expected_calls": [{"name": "a"}, {"name": "b", "arguments": {"x": 1}}],
        "alternative_calls": [[{"name": "b"}], [{"name": "a"}, {"name": "b"}]],
    }
    acting.write("datasets/acting/typing.json", [{"inputs": {"question": "?"}, "outputs": truth}])
    assert Trajectory((("a", "b"), ("b",)), False, "Lima") == cases(acting)["typing_01"]


def outputs(**more: Json) -> dict[str, Json]:
    return {
        "inputs": {"question": "?"},
        "outputs": {"reference": "x", "expected_steps": ["a"], **more},
    }


REFUSED = {
    "no question": (
        {"inputs": {}, "outputs": {"reference": "x", "expected_steps": []}},
        "$[0].inputs: missing required key 'question'",
    ),
    "no inputs": (
        {"outputs": {"reference": "x", "expected_steps": []}},
        "$[0]: missing required key 'inputs'",
    ),
    "no outputs": (
        {"inputs": {"question": "?"}, "outputs": None},
        "$[0]: missing required key 'outputs'",
    ),
    "both spellings": (
        {**outputs(), "input": {"question": "?"}},
        "$[0]: has both 'inputs' and 'input'",
    ),
    "reference missing": (
        {"inputs": {"question": "?"}, "outputs": {"expected_steps": []}},
        "$[0].outputs: gives no reference",
    ),
    "reference null": (outputs(reference=None), "$[0].outputs: gives no reference"),
    "reference blank": (outputs(reference=" "), "$[0].outputs: gives no reference"),
    "reference a truth": (
        outputs(reference=True),
        "$[0].outputs.reference: is neither text nor a number",
    ),
    "reference a list": (
        outputs(reference=["x"], state="s"),
        "$[0].outputs.reference: is neither text nor a number",
    ),
    "steps a text": (
        outputs(expected_steps="a"),
        "$[0].outputs.expected_steps: write a list, [...]",
    ),
    "steps of numbers": (
        outputs(expected_steps=[1]),
        "$[0].outputs.expected_steps[0]: write a text in quotes",
    ),
    "order a word": (
        outputs(order_matters="no"),
        "$[0].outputs.order_matters: input should be a valid boolean",
    ),
    "other calls": (
        outputs(expected_calls=[{"name": "b"}]),
        "$[0].outputs.expected_calls: does not name the tools of expected_steps",
    ),
    "other alternative calls": (
        outputs(alternatives=[["b"]], alternative_calls=[]),
        "$[0].outputs.alternative_calls: does not name the tools of alternatives",
    ),
}


@pytest.mark.parametrize(("record", "problem"), REFUSED.values(), ids=REFUSED.keys())
def test_a_case_that_cannot_be_scored_is_refused_with_its_place(
    acting: Folder, record: Json, problem: str
) -> None:
    """What is wrong with a case is said with file, line and path, before anything is scored."""
    acting.write("datasets/acting/typing.json", [record])
    errors = [str(p) for p in load_contents(open_workspace(acting.root), KINDS).errors]
    assert any(
        error.startswith("datasets/acting/typing.json:") and problem in error for error in errors
    ), errors


def test_a_step_must_be_a_tool_where_the_suite_lists_its_tools(acting: Folder) -> None:
    """A misspelt step is found when the suite has a list of tools."""
    acting.write(
        "datasets/acting/suite.toml",
        SUITE.replace('kind = "tool_usage"', 'kind = "tool_usage"\ntools = "tools.json"'),
    )
    acting.write(
        "datasets/acting/tools.json",
        [{"name": name, "description": "", "parameters": []} for name in ("d", "find", "count")],
    )
    errors = [str(problem) for problem in load_contents(open_workspace(acting.root), KINDS).errors]
    places = ["typing.json:10 $[0].outputs", "lookup.json:11 $[0].output"]
    for error, place, name in zip(errors, places, ["f", "city"], strict=True):
        named = f"names a tool that is not in this suite: {name!r}"
        assert f"{place}.expected_steps[1]: {named}" in error


def test_a_case_without_an_id_has_a_digest_of_its_own(acting: Folder) -> None:
    """Two cases with the same text are two cases, because their names are in the digest."""
    acting.write("datasets/acting/typing.json", TYPING * 2)
    suite = load_contents(open_workspace(acting.root), KINDS).suite("acting")
    assert suite is not None
    assert 4 == len({case.digest for case in suite.cases})


# ---------------------------------------------------------------- from end to end


@pytest.mark.large
def test_a_suite_is_scored_from_end_to_end(acting: Folder) -> None:
    """Trials, a crash, a missing case: three metrics each, recorded and replayed offline."""
    rows = [
        {"id": "typing_01", "trial": 1, "output": "", "actual_steps": ["d", "f"], "state": "df"},
        {
            "id": "typing_01",
            "trial": 2,
            "output": "",
            "actual_steps": ["f", "d", "d"],
            "state": "fdd",
        },
        {
            "id": "L1",
            "trial": 1,
            "output": "It is Lima.",
            "intermediate_steps": [["find", "1"], ["city", "Lima"]],
        },
        {"id": "L1", "trial": 2, "error": "boom"},
    ]
    acting.submission("agent", {"test_results": rows}, suite="acting", kind="agent")
    first = acting.lb("rescore")
    assert 0 == first.exit_code, first.output
    assert "1 judge call recorded" in first.output
    assert tuple(metric.id for metric in KINDS["tool_usage"].metrics) == (
        "correct",
        "trajectory",
        "step_ratio",
    )

    verdicts = pl.read_parquet(acting.root / "results/verdicts.parquet")
    table = verdicts.select("case_id", "trial", "metric", "score", "reason").rows()
    assert [
        ("typing_01", 1, "correct", 1.0, "same_state"),
        ("typing_01", 1, "trajectory", 1.0, "expected_path"),
        ("typing_01", 1, "step_ratio", 1.0, "expected_number_of_steps"),
        ("typing_01", 2, "correct", 0.0, "wrong_state"),
        ("typing_01", 2, "trajectory", 0.0, "other_path"),
        ("typing_01", 2, "step_ratio", 1.5, "too_many_steps"),
        ("L1", 1, "correct", 1.0, "judge_equivalent"),
        ("L1", 1, "trajectory", 1.0, "expected_path"),
        ("L1", 1, "step_ratio", 1.0, "expected_number_of_steps"),
        ("L1", 2, "correct", 0.0, "response_error"),
        ("L1", 2, "trajectory", 0.0, "response_error"),
        ("L1", 2, "step_ratio", 0.0, "response_error"),
    ] == [row for row in table if row[0] != "L2"]
    assert {
        (metric, 0.0, "missing_response")
        for metric in tuple(metric.id for metric in KINDS["tool_usage"].metrics)
    } == {row[2:] for row in table if row[0] == "L2"}

    scores = pl.read_parquet(acting.root / "results/scores.parquet")
    by_metric = {
        row["metric"]: row for row in scores.filter(category="typing").iter_rows(named=True)
    }
    assert {"correct": 0.5, "trajectory": 0.5, "step_ratio": 1.25} == {
        name: row["score"] for name, row in by_metric.items()
    }
    assert 2 == by_metric["correct"]["scored"]
    whole = {
        row["metric"]: row["score"] for row in scores.filter(category="*").iter_rows(named=True)
    }
    assert {"correct": 0.375, "trajectory": 0.375, "step_ratio": 0.75} == whole

    results = acting.tree("results")
    again = acting.lb("rescore", "--offline")
    assert 0 == again.exit_code, again.output
    assert results == acting.tree("results")
