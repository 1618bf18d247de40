"""The shape of a responses file, checked by pydantic."""

from __future__ import annotations

from typing import Annotated, Any, Final, NotRequired

from pydantic import Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.field_types import (
    DEFERRED,
    OPEN,
    TOLERANT,
    CaseId,
    Dollars,
    Seconds,
    TokenCount,
)
from leaderboard.limits import MOST_TRIALS


@with_config(TOLERANT)
class UsageRecord(TypedDict):
    """What one response cost."""

    input_tokens: NotRequired[TokenCount | None]
    output_tokens: NotRequired[TokenCount | None]
    cost_usd: NotRequired[Dollars | None]


@with_config(TOLERANT)
class ResponseRecord(TypedDict):
    """One record of a responses file. Ground truth and verdicts in it are never read.

    `metrics` maps names to scores of 0..1, or to whether the case passes. Only suites of kind
    `reported` read it: what can be derived is never believed.
    """

    id: CaseId
    user_query: NotRequired[str | None]
    ground_truth: NotRequired[Any]
    model_function_call: NotRequired[dict[str, Any] | list[dict[str, Any]] | None]
    model_function_calls: NotRequired[list[dict[str, Any]] | None]
    model_text: NotRequired[str | None]
    output: NotRequired[Any]
    intermediate_steps: NotRequired[list[Any] | None]
    actual_steps: NotRequired[list[Any] | None]
    state: NotRequired[Any]
    answer: NotRequired[dict[str, Any] | None]
    called_apis: NotRequired[list[Any] | None]
    metrics: NotRequired[Any]
    trial: NotRequired[Annotated[int, Field(ge=1, le=MOST_TRIALS)]]
    error: NotRequired[Any]
    usage: NotRequired[UsageRecord | None]
    latency_s: NotRequired[Seconds | None]


@with_config(OPEN)
class ResultsRecord(TypedDict):
    """`{"test_results": [...]}`"""

    test_results: list[ResponseRecord]


@with_config(OPEN)
class ModesRecord(TypedDict):
    """`{"with_tools": {...}}` and/or `{"no_tools": {...}}`"""

    with_tools: NotRequired[ResultsRecord]
    no_tools: NotRequired[ResultsRecord]


RESPONSES: Final = TypeAdapter(list[ResponseRecord], config=DEFERRED)
