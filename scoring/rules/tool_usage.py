"""The rule of suites that are acted out in an environment (kind `tool_usage`): the outcome, the tools called, how many steps.

Code decides states, numbers, tools and steps. Only an answer in other words than the expected one is referred to a judge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal, InvalidOperation
from typing import Final

from leaderboard.files.case_files import read_tool_usage
from leaderboard.kinds import Kind, Metric
from leaderboard.responses.agent_steps import PSEUDO_TOOLS
from leaderboard.types import Case, Decision, Json, Referral, Response, Suite, Trajectory
from scoring.rules.call_match import call_policy, shown_name
from scoring.rules.details import cut, failed, first_line, listed, name, passed, sentence, show
from scoring.rules.tool_selection import compare_texts, strip_emphasis

CORRECT: Final = "correct"
TRAJECTORY: Final = "trajectory"
STEP_RATIO: Final = "step_ratio"

# Numbers that are closer than this are the same answer.
TOLERANCE: Final = Decimal("1e-4")

# Rounded away from zero, a difference never looks smaller than it is.
_ARITHMETIC: Final = Context(prec=28, rounding=ROUND_UP, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
# The digits of H2O are no number, nor is the 3 of v1.2.3; a dash right behind a word, a digit or a bracket is no sign.
_NUMBER: Final = re.compile(
    r"(?:(?<![\w)\]])[+\-\u2212])?"
    r"(?<!\w)(?<![0-9]\.)"
    r"(?:(?:[0-9]{1,3}(?:(?P<mark>[,'_\u00a0\u2009\u202f\u2019])[0-9]{3})(?:(?P=mark)[0-9]{3})*(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
    r"(?:[eE][+\-\u2212]?[0-9]+)?"
)
_PLAIN: Final = str.maketrans({"\u2212": "-"} | dict.fromkeys(",'_\u00a0\u2009\u202f\u2019"))

_Path = Sequence[str]


def decide(suite: Suite, case: Case, response: Response) -> tuple[Decision | Referral, ...]:
    """What a response comes to: `correct`, `trajectory`, `step_ratio`.

    - correct: the final state where the case has one, otherwise the answer. Without a state, or without an answer: a fail.
    - trajectory: the tools called are those of an accepted path; in the same order, unless the case says that order does not
      matter. What a framework notes for a reply it could not read is a step like any other.
    - step_ratio: steps taken / steps of the accepted path that is closest. Not bounded above; a pass is 1 exactly, and the
      reason of a fail says whether steps are lacking or in excess. Unscored where no step is expected and some are taken.
    """
    expected = case.ground_truth.trajectory
    if expected is None:
        raise ValueError(f"case {case.id} says nothing about how to act it out")
    if response.error:
        detail = sentence([f"The system failed: {first_line(response.error)}"])
        return tuple(
            failed(metric, "response_error", detail) for metric in (CORRECT, TRAJECTORY, STEP_RATIO)
        )
    return (_correct(suite, case, expected, response), *_steps(expected, response))


# ---------------------------------------------------------------- state and answer


def _correct(
    suite: Suite, case: Case, expected: Trajectory, response: Response
) -> Decision | Referral:
    if expected.has_state:
        return _state(expected, response)
    text = response.text or ""
    if not text.strip():
        return failed(CORRECT, "empty_response", "An answer was expected, none was given.")
    if isinstance(expected.reference, str):
        return compare_texts(suite, case, expected.reference, text)
    return _number(expected.reference, text)


def _state(expected: Trajectory, response: Response) -> Decision:
    if not response.has_state:
        return failed(
            CORRECT, "missing_state", f"Final state: expected {show(expected.state)}, none is told."
        )
    if _same(expected.state, response.state):
        return passed(CORRECT, "same_state", f"Final state: {show(response.state)}, as expected.")
    return failed(
        CORRECT,
        "wrong_state",
        f"Final state: expected {show(expected.state)}, got {show(response.state)}.",
    )


def _same(expected: Json, got: Json) -> bool:
    """Whether two states are the same JSON: text to the letter, 1 and 1.0 alike, true not 1."""
    pairs = [(expected, got)]
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
            pairs.extend((left[key], right[key]) for key in left)
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            pairs.extend(zip(left, right, strict=True))
        elif left != right or isinstance(left, bool) is not isinstance(right, bool):
            return False
    return True


def _number(reference: float, text: str) -> Decision:
    got = last_number(text)
    if got is None:
        return failed(
            CORRECT, "no_number", f"Expected {show(reference)}, got no number: {show(text)}."
        )
    if same_number(reference, got):
        return passed(
            CORRECT,
            "same_number",
            f"The last number of the answer is {show(reference)}, as expected.",
        )
    return failed(
        CORRECT,
        "wrong_number",
        f"The last number of the answer: expected {show(reference)}, got {cut(str(got))}.",
    )


def last_number(text: str) -> Decimal | None:
    """The last number that a text writes in decimal digits, with or without thousands separators; None without any."""
    last = None
    for last in _NUMBER.finditer(strip_emphasis(text)):  # noqa: B007 (the last one is wanted)
        pass
    try:
        return Decimal(last.group().translate(_PLAIN)) if last else None
    except InvalidOperation:  # an exponent beyond 10**18: nobody means a number by that
        return None


def same_number(reference: float, got: Decimal) -> bool:
    """Whether two numbers are less than 1e-4 apart, or the same when cut to four decimals.

    Cut to four decimals, numbers that are further apart are the same only around zero, between -1e-4 and 1e-4.
    """
    expected = Decimal(repr(reference)) if isinstance(reference, float) else Decimal(reference)
    near_zero = expected.copy_abs() < TOLERANCE and got.copy_abs() < TOLERANCE
    return near_zero or _ARITHMETIC.subtract(expected, got).copy_abs() < TOLERANCE


# ---------------------------------------------------------------- steps


def _steps(expected: Trajectory, response: Response) -> tuple[Decision, Decision]:
    if response.malformed:
        detail = sentence([f"The steps cannot be read: {first_line(response.malformed)}"])
        return failed(TRAJECTORY, "malformed_call", detail), failed(
            STEP_RATIO, "malformed_call", detail
        )
    taken = tuple(call.name for call in response.calls)
    path = _closest(expected, taken, response.underscored)
    return _trajectory(expected, taken, path), _step_ratio(taken, path)


def _closest(expected: Trajectory, taken: _Path, underscored: bool) -> _Path:
    """The accepted path with the fewest names too many and too few; of equals the one followed longest, then the first."""
    paths = [tuple(shown_name(tool, underscored) for tool in path) for path in expected.paths]
    # No number of steps is near to none, so an empty path is for those who take none.
    candidates = [path for path in paths if path or not taken] or paths
    return min(
        candidates,
        key=lambda path: (
            len(_beyond(taken, path)) + len(_beyond(path, taken)),
            -_followed(taken, path),
        ),
    )


def _beyond(names: _Path, others: _Path) -> list[str]:
    """The names that stand more often in the one than in the other, in order of appearance."""
    return list((Counter(names) - Counter(others)).elements())


def _followed(taken: _Path, path: _Path) -> int:
    """How many steps the two have in common from the start."""
    pairs = enumerate(zip(taken, path, strict=False))
    return next(
        (place for place, (got, wanted) in pairs if got != wanted), min(len(taken), len(path))
    )


def _trajectory(expected: Trajectory, taken: _Path, path: _Path) -> Decision:
    among = (
        f" (the closest of {len(expected.paths)} accepted paths)" if len(expected.paths) > 1 else ""
    )
    noted = [step for step in taken if step in PSEUDO_TOOLS]
    flag = (
        f" {_counted(len(noted))} called no tool: {listed(dict.fromkeys(noted))}." if noted else ""
    )
    apart = _apart(taken, path) if expected.order_matters else _unlike(taken, path)
    if apart:
        return failed(TRAJECTORY, "other_path", f"{apart}{among}.{flag}")
    order = f", {'in order' if expected.order_matters else 'in any order'}" if len(path) > 1 else ""
    return passed(TRAJECTORY, "expected_path", f"{_counted(len(taken))}, as expected{order}.{flag}")


def _apart(taken: _Path, path: _Path) -> str:
    """Where the steps leave the path; nothing where they do not."""
    place = _followed(taken, path)
    if place < min(len(taken), len(path)):
        return f"Step {place + 1}: expected {name(path[place])}, got {name(taken[place])}"
    if place < len(path):
        return f"Stopped after {place} of {_counted(len(path))}: next was {name(path[place])}"
    if place < len(taken):
        return f"Went on after {_counted(len(path))}: {listed(taken[place:])}"
    return ""


def _unlike(taken: _Path, path: _Path) -> str:
    """Which tools are lacking and which are in excess, in whatever order; nothing where none is."""
    lacking, excess = _beyond(path, taken), _beyond(taken, path)
    parts = ([f"not called: {listed(lacking)}"] if lacking else []) + (
        [f"not expected: {listed(excess)}"] if excess else []
    )
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _step_ratio(taken: _Path, path: _Path) -> Decision:
    counted = f"{_counted(len(taken))}, expected {len(path)}."
    if len(taken) == len(path):
        return passed(
            STEP_RATIO, "expected_number_of_steps", f"{_counted(len(taken))}, as expected."
        )
    if not path:
        return Decision(
            STEP_RATIO,
            "unscored",
            None,
            "no_step_expected",
            f"{counted} A share of none is no number.",
        )
    reason = "too_few_steps" if len(taken) < len(path) else "too_many_steps"
    return Decision(STEP_RATIO, "fail", len(taken) / len(path), reason, counted)


def _counted(number: int) -> str:
    return f"{number:,} step" if number == 1 else f"{number:,} steps"


KIND: Final = Kind(
    name="tool_usage",
    summary="acting in an environment: the end it comes to, the steps it takes, how many",
    interaction="environment",
    read_cases=read_tool_usage,
    read_policy=call_policy,
    decide=decide,
    metrics=(
        Metric(
            "correct",
            "correct",
            "The share of cases that end as they should: the right call, state or answer.",
        ),
        Metric(
            "trajectory",
            "trajectory",
            "The share of cases in which exactly the tools of an accepted path are called.",
        ),
        Metric(
            "step_ratio",
            "step ratio",
            "Steps taken, as a multiple of the steps that the closest accepted path needs: 1× is as many as expected. Too few and too many can cancel out in the mean, so both are counted beside it.",
            ratio=True,
        ),
    ),
    system_text="",
)
