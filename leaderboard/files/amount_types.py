"""Types of amounts in files: tokens, dollars and seconds, checked by pydantic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, GetPydanticSchema, WithJsonSchema
from pydantic_core import core_schema

from leaderboard.limits import LEAST_AMOUNT, MOST_DOLLARS, MOST_SECONDS, MOST_TOKENS


def _amount(unit: str, most: int) -> GetPydanticSchema:
    """Rejects numbers out of range and names the range.

    No Python function is called for an amount, because a board has a million of them.
    """
    what = f"an amount is 0, or from {LEAST_AMOUNT:g} to {most:,} {unit}"
    schema = core_schema.union_schema(
        [core_schema.float_schema(ge=LEAST_AMOUNT, le=most), core_schema.float_schema(ge=0, le=0)],
        custom_error_type="amount",
        custom_error_message=what,
    )
    return GetPydanticSchema(lambda _source, _handler: schema)


def _amount_schema(most: int) -> WithJsonSchema:
    """Returns the same range for the JSON Schema, which cannot show a Python function."""
    return WithJsonSchema(
        {"type": "number", "anyOf": [{"const": 0}, {"minimum": LEAST_AMOUNT, "maximum": most}]}
    )


TokenCount = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
Dollars = Annotated[float, _amount("US dollars", MOST_DOLLARS), _amount_schema(MOST_DOLLARS)]
Seconds = Annotated[float, _amount("seconds (a year)", MOST_SECONDS), _amount_schema(MOST_SECONDS)]
