"""The rule of suites with an environment (kind `tool_usage`): outcome, tools called, steps taken.

Code decides states, numbers, tools and steps. Only a text answer in other words than the expected
one is referred to a judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import takewhile
from typing import Final

from leaderboard.files.cases.tool_usage import CASES, read_tool_usage
from leaderboard.files.tool_names import shown_name
from leaderboard.kinds import CORRECT, Kind, Metric
from leaderboard.responses.agent_steps import PSEUDO_TOOLS
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import cut
from leaderboard.texts.shown_values import name, show
from leaderboard.types import (
    Case,
    Json,
    Question,
    Referral,
    Response,
    Suite,
    Trajectory,
    Verdict,
)
from scoring.rules.json_equality import as_decimal, distance, paired
from scoring.rules.rule_verdicts import (
    failed,
    listed,
    no_answer,
    passed,
    system_failed,
    unreadable,
    unscored,
)
from scoring.rules.stated_number import last_stated
from scoring.rules.text_rule import by_facts, compare_texts

TRAJECTORY: Final = Metric(
    "trajectory",
    "trajectory",
    "The share of cases in which exactly the tools of an accepted path are called.",
)
STEP_RATIO: Final = Metric(
    "step_ratio",
    "step ratio",
    "Steps taken, as a multiple of the steps that the closest accepted path needs: 1× is as many as"
    " expected. Too few and too many can cancel out in the mean, so both are counted beside it.",
    ratio=True,
)

# Numbers that are closer than this are the same answer.
TOLERANCE: Final = Decimal("1e-4")
LEAST_DIGITS: Final = 4  # of a number that an answer calls rounded

_Path = Sequence[str]


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict | Referral, ...]:
    """One finding for each of `correct`, `trajectory` and `step_ratio`.

    - correct: the final state if the case has one, otherwise the answer. It fails without a
      state, or without an answer. It is unscored if the steps that led to a reported state cannot
      be replayed.
    - trajectory: the tools called are those of an accepted path, in the same order unless the
      case says that order does not matter. The step that a framework adds for an unreadable reply
      is a step like any other.
    - step_ratio: steps taken / steps of the closest accepted path. It has no upper bound. Only 1
      is a pass, and the reason of a fail says whether there are too few or too many steps. It is
      unscored if no step is expected and some are taken.

    The last two are unscored if the environment does not confirm all steps.
    """
    expected = case.ground_truth.trajectory
    if expected is None:
        raise ValueError(f"case {case.id} has no trajectory in its ground truth")
    if response.error:
        return tuple(
            system_failed(metric.id, response.error) for metric in (CORRECT, TRAJECTORY, STEP_RATIO)
        )
    return (_correct(suite, case, expected, response), *_steps(expected, response))


# ---------------------------------------------------------------- state and answer


def _correct(
    suite: Suite, case: Case, expected: Trajectory, response: Response
) -> Verdict | Referral:
    if expected.has_state:
        return _state(expected, response)
    text = response.text or ""
    if not text.strip():
        return no_answer(CORRECT.id)
    if isinstance(expected.reference, str):
        return compare_texts(suite, case, expected.reference, text)
    if case.ground_truth.facts is not None:
        return by_facts(suite, case, show(expected.reference), text)
    decision = _number(expected.reference, text)
    asks = suite.policy.get("numbers") == "judge" and suite.category(case.category).prompt
    if decision.outcome == "pass" or not asks:
        return decision
    question = Question(case.query, "", show(expected.reference), text)
    return Referral(CORRECT.id, (question,), decision.detail)


def _state(expected: Trajectory, response: Response) -> Verdict:
    wanted, got = show(expected.state), show(response.state)
    if response.not_replayed:
        detail = f"The steps cannot be replayed: {response.not_replayed}."
        return unscored(CORRECT.id, "not_replayed", detail)
    if not response.has_state:
        detail = f"Final state: expected {wanted}, none was recorded."
        return failed(CORRECT.id, "missing_state", detail)
    remark = ""
    if response.reported_state is not None:
        reported = show(response.reported_state)
        remark = f" The reported state {reported} is not what these calls lead to."
    if _same(expected.state, response.state):
        return passed(CORRECT.id, "same_state", f"Final state: {got}, as expected.{remark}")
    detail = f"Final state: expected {wanted}, got {got}.{remark}"
    return failed(CORRECT.id, "wrong_state", detail)


def _same(expected: Json, got: Json) -> bool:
    """Whether two states are the same JSON. 1 equals 1.0, but true does not equal 1."""
    return all(
        left == right and isinstance(left, bool) is isinstance(right, bool)
        for left, right in paired(expected, got)
    )


def _number(reference: float, text: str) -> Verdict:
    wanted, got = show(reference), last_stated(text)
    if got is None:
        detail = f"Expected {wanted}, got no number: {show(text)}."
        return failed(CORRECT.id, "no_number", detail)
    is_same = same_number(reference, got.value)
    if not is_same and not (got.rounded and _is_rounded(reference, got.value)):
        detail = f"The last number of the answer: expected {wanted}, got {cut(str(got.value))}."
        return failed(CORRECT.id, "wrong_number", detail)
    if got.choice:
        detail = f"Expected {wanted}, got no decision on a number: {show(got.choice)}."
        return failed(CORRECT.id, "wrong_number", detail)
    shown = f"{wanted}, as expected" if is_same else f"{got.value}, which is {wanted}, rounded"
    detail = f"The last number of the answer is {shown}."
    return passed(CORRECT.id, "same_number", detail)


def _is_rounded(reference: float, got: Decimal) -> bool:
    """Whether a number is the expected one, rounded to its own digits, which are at least four."""
    _, digits, exponent = got.as_tuple()
    if len(digits) < LEAST_DIGITS or not isinstance(exponent, int) or exponent > 0:
        return False
    return distance(as_decimal(reference), got) <= Decimal((0, (1,), exponent)) / 2


def same_number(reference: float, got: Decimal) -> bool:
    """Whether two numbers are less than 1e-4 apart, or both are between -1e-4 and 1e-4."""
    expected = as_decimal(reference)
    near_zero = expected.copy_abs() < TOLERANCE and got.copy_abs() < TOLERANCE
    return near_zero or distance(expected, got) < TOLERANCE


# ---------------------------------------------------------------- steps


def _steps(expected: Trajectory, response: Response) -> tuple[Verdict, Verdict]:
    if response.malformed:
        what, why = "The steps cannot be read", response.malformed
        return unreadable(TRAJECTORY.id, what, why), unreadable(STEP_RATIO.id, what, why)
    if response.unconfirmed:
        lacking = len(response.unconfirmed)
        steps = counted(lacking + len(response.calls), "step")
        verb = "has" if lacking == 1 else "have"
        why = f"{lacking:,} of {steps} {verb} no arguments or no reply from the environment."
        untold = "steps_not_told"
        return unscored(TRAJECTORY.id, untold, why), unscored(STEP_RATIO.id, untold, why)
    taken = tuple(call.name for call in response.calls)
    path = _closest(expected, taken, response.underscored)
    return _trajectory(expected, taken, path), _step_ratio(taken, path)


def _shown(path: _Path, underscored: bool) -> _Path:
    return tuple(shown_name(tool, underscored) for tool in path)


def _closest(expected: Trajectory, taken: _Path, underscored: bool) -> _Path:
    """The accepted path with the fewest tools too many or too few.

    Of equal paths the one that is followed longest counts, then the first.
    """
    paths = [_shown(path, underscored) for path in expected.paths]
    # No number of steps is close to none, so an empty path is for those who take no step.
    candidates = [path for path in paths if path or not taken] or paths

    def distance(path: _Path) -> tuple[int, int]:
        apart = len(_excess(taken, path)) + len(_excess(path, taken))
        return apart, -_followed(taken, path)

    return min(candidates, key=distance)


def _excess(names: _Path, others: _Path) -> list[str]:
    """The names that occur more often in `names` than in `others`."""
    return list((Counter(names) - Counter(others)).elements())


def _followed(taken: _Path, path: _Path) -> int:
    """The number of steps that both have in common from the start."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(taken, path, strict=False))
    return sum(1 for _ in same)


def _trajectory(expected: Trajectory, taken: _Path, path: _Path) -> Verdict:
    noted = [step for step in taken if step in PSEUDO_TOOLS]
    names = listed(dict.fromkeys(noted))
    note = f" {counted(len(noted), 'step')} called no tool: {names}." if noted else ""
    apart = _first_difference(taken, path) if expected.order_matters else _unlike(taken, path)
    if apart:
        several = len(expected.paths) > 1
        among = f" (the closest of {len(expected.paths)} accepted paths)" if several else ""
        return failed(TRAJECTORY.id, "other_path", f"{apart}{among}.{note}")
    order = ""
    if len(path) > 1:
        order = ", in order" if expected.order_matters else ", in any order"
    detail = f"{counted(len(taken), 'step')}, as expected{order}.{note}"
    return passed(TRAJECTORY.id, "expected_path", detail)


def _first_difference(taken: _Path, path: _Path) -> str:
    """Where the steps leave the path. Empty if they do not."""
    place = _followed(taken, path)
    if place < min(len(taken), len(path)):
        return f"Step {place + 1}: expected {name(path[place])}, got {name(taken[place])}"
    if place < len(path):
        steps = counted(len(path), "step")
        return f"Stopped after {place} of {steps}: expected {name(path[place])} next"
    if place < len(taken):
        return f"Continued after {counted(len(path), 'step')}: {listed(taken[place:])}"
    return ""


def _unlike(taken: _Path, path: _Path) -> str:
    """The tools that are missing and those in excess, in any order. Empty if there are none."""
    parts = []
    if missing := _excess(path, taken):
        parts.append(f"not called: {listed(missing)}")
    if excess := _excess(taken, path):
        parts.append(f"not expected: {listed(excess)}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _step_ratio(taken: _Path, path: _Path) -> Verdict:
    steps = counted(len(taken), "step")
    if len(taken) == len(path):
        return passed(STEP_RATIO.id, "expected_number_of_steps", f"{steps}, as expected.")
    detail = f"{steps}, expected {len(path)}."
    if not path:
        detail += " The ratio is undefined."
        return unscored(STEP_RATIO.id, "no_step_expected", detail)
    reason = "too_few_steps" if len(taken) < len(path) else "too_many_steps"
    return Verdict(STEP_RATIO.id, "fail", len(taken) / len(path), reason, detail)


KIND: Final = Kind(
    name="tool_usage",
    summary="acting in an environment: the result, the tools called, the number of steps",
    interaction="environment",
    read_cases=read_tool_usage,
    case_shape=CASES,
    policy=("numbers",),
    decide=decide,
    metrics=(CORRECT, TRAJECTORY, STEP_RATIO),
    compares_texts=True,
    system_text="",
)
