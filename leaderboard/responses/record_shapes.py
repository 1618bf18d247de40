"""The shape of a responses file, checked by pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, NotRequired

from pydantic import GetPydanticSchema, TypeAdapter, WithJsonSchema, with_config
from pydantic_core import core_schema
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

_TRIAL: Final = core_schema.custom_error_schema(
    core_schema.int_schema(ge=1, le=MOST_TRIALS),
    custom_error_type="trial",
    custom_error_message=f"expected an integer from 1 to {MOST_TRIALS}",
)
Trial = Annotated[
    int,
    GetPydanticSchema(lambda _source, _handler: _TRIAL),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_TRIALS}),
]


@with_config(TOLERANT)
class UsageRecord(TypedDict):
    """What one response cost.

    - `input_tokens`: tokens that the model read.
    - `output_tokens`: tokens that it wrote.
    - `cost_usd`: US dollars. Without it, the tokens at the price on the card.
    """

    input_tokens: NotRequired[TokenCount | None]
    output_tokens: NotRequired[TokenCount | None]
    cost_usd: NotRequired[Dollars | None]


# The fields of `usage` by all names that files have for them: our own, and those of OpenAI.
USAGE_NAMES: Final[Mapping[str, str]] = {
    **{name: name for name in UsageRecord.__annotations__},
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
}


@with_config(TOLERANT)
class ResponseRecord(TypedDict):
    """One record of a responses file. Ground truth and verdicts in it are never read.

    - `id`: the case.
    - `user_query`: the question; a warning if the suite has another one now.
    - `ground_truth`: the same for the ground truth.
    - `model_function_call`: a call, a list of calls, or null for none.
    - `model_function_calls`: several calls, in order.
    - `model_text`: the text of the answer.
    - `output`: the final answer of an agent in an environment.
    - `intermediate_steps`: its steps, as LangChain writes them.
    - `actual_steps`: the names of the tools that it called.
    - `state`: the final state; never believed, because the steps are carried out again.
    - `answer`: the final answer of an agent over simulated APIs, with its execution.
    - `called_apis`: the APIs that it called, as pairs of tool and API.
    - `metrics`: names with scores of 0 to 1, or with whether the case passes. Only suites of kind
      `reported` read it: what can be derived is never believed.
    - `trial`: 1, 2, … without gaps, if a case was answered several times.
    - `error`: why the system failed; the case then counts as failed.
    - `usage`: tokens and cost.
    - `latency_s`: seconds.
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
    trial: NotRequired[Trial]
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
