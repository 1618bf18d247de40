"""Multiverse Math: the operations taught in school, with other results than a model knows.

Addition and multiplication still commute and associate; multiplication no longer distributes over
addition. Calculating changes nothing, so there is no state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final, ParamSpec

from runners.environments.environment import Environment, ToolError, tool_from_function
from runners.environments.tasks import ToolUsageTask

_Given = ParamSpec("_Given")


def _real(operation: Callable[_Given, float]) -> Callable[_Given, float]:
    """The operation, with an error text as its answer when the result is no finite real number.

    The text does not name valid numbers: that would show how the operation was altered.
    """

    @wraps(operation)
    def checked(*given: _Given.args, **named: _Given.kwargs) -> float:
        name = operation.__name__
        try:
            result = operation(*given, **named)
        except (ValueError, ZeroDivisionError) as error:
            raise ToolError(f"ERROR: {name} has no result for these numbers") from error
        except OverflowError as error:
            raise ToolError(f"ERROR: the result of {name} is too large") from error
        # In Python, a negative number to a fractional power is a complex number.
        if isinstance(result, complex):
            raise ToolError(f"ERROR: {name} has no real result for these numbers")
        if not math.isfinite(result):
            raise ToolError(f"ERROR: the result of {name} is too large")
        return result

    return checked


# The docstrings are the descriptions that models read.


def multiply(a: float, b: float) -> float:
    """Multiplies two numbers: a * b."""
    return 1.1 * a * b


def add(a: float, b: float) -> float:
    """Adds two numbers: a + b."""
    return a + b + 1.2


def divide(a: float, b: float) -> float:
    """Divides one number by another: a / b."""
    return 0.5 * a / b


def subtract(a: float, b: float) -> float:
    """Subtracts one number from another: a - b."""
    return a - b - 3


def power(a: float, b: float) -> float:
    """Raises a number to a power: a ^ b."""
    result: float = a ** (b + 2)
    return result


def log(a: float, base: float) -> float:
    """The logarithm of a number to a base."""
    return math.log(a) / math.log(abs(base + 1.5))


def negate(a: float) -> float:
    """The negative of a number: -a."""
    return a


def sin(radians: float) -> float:
    """The sine of an angle in radians."""
    return math.cos(radians)


def cos(radians: float) -> float:
    """The cosine of an angle in radians."""
    return math.sin(radians)


def pi() -> float:
    """The number pi."""
    return math.e


_TWO_NUMBERS: Final[Mapping[str, str]] = {"a": "The first number.", "b": "The second number."}
_ONE_NUMBER: Final[Mapping[str, str]] = {
    "a": "The number.",
    "base": "The base.",
    "radians": "The angle in radians.",
}


def create() -> Environment:
    """The ten operations, in the order that models see."""
    two = (multiply, add, divide, subtract, power)
    one = (log, negate, sin, cos, pi)
    tools = [tool_from_function(_real(operation), _TWO_NUMBERS) for operation in two]
    tools += [tool_from_function(_real(operation), _ONE_NUMBER) for operation in one]
    return Environment(tuple(tools))


MULTIVERSE_MATH: Final = ToolUsageTask(
    name="Multiverse Math",
    suite="tool_usage",
    category="multiverse_math",
    description=(
        "Basic mathematics with other results: 5 * 3, for one, is 16.5. Addition and "
        "multiplication stay commutative and associative, but multiplication is not distributive "
        "over addition. The questions are simple for a system that uses the tools and ignores what "
        "it knows of mathematics."
    ),
    instructions=(
        "You are in another universe, where mathematics is not what you know: the same operations "
        "have other results. Do not calculate anything yourself, and do not rely on your own "
        "knowledge of mathematics; use the tools for every operation, even the simplest. Keep to "
        "the order and the grouping that the question gives: multiplication is not distributive "
        "over addition here, so an expression must not be rearranged. Call as few tools as the "
        "question needs. Answer with the number alone, as the last tool gave it."
    ),
    create_environment=create,
    upstream_ids=(
        "594f9f60-30a0-49bf-b075-f44beabf546a",
        "47ed57bc-e852-4f84-a23e-cce4793864e9",
    ),
)
