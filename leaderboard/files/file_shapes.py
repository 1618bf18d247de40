"""The shapes of the files people write, checked at the border with pydantic.

Strict and closed for what this project defines (submission.json, suite.toml, leaderboard.toml); tolerant of further keys for
the record formats that other systems write (cases, responses).
"""

from __future__ import annotations

import datetime
import re
from typing import Annotated, Any, Literal, NotRequired

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    WithJsonSchema,
    with_config,
)
from typing_extensions import TypedDict

# Schemas are built when they are first used: most commands use few of them.
_CLOSED = ConfigDict(
    extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True
)
_OPEN = ConfigDict(extra="allow", strict=True, allow_inf_nan=False, defer_build=True)
# Further keys are let pass and not even copied: there are many records, and nobody reads them after the check.
_TOLERANT = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False, defer_build=True)
_DEFERRED = ConfigDict(defer_build=True)

Line = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\r\n]*\S[^\r\n]*$")
]
Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
CaseId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
StepName = Annotated[str, StringConstraints(min_length=1, max_length=200)]


def _real_date(text: str) -> str:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        raise ValueError("a date is written YYYY-MM-DD")
    datetime.date.fromisoformat(text)
    return text


def _web_address(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s<>\"']{1,2000}", text):
        raise ValueError("a URL starts with https:// or http:// and has no blanks or quotes")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("an answer holds more than blanks")
    return text


# What no system can pass: a number beyond is a slip, and one such number would stretch every chart of a board.
LEAST_AMOUNT = 1e-12  # dollars or seconds; below it is nothing but 0
MOST_TOKENS = 10**12
MOST_DOLLARS = 1_000_000  # for one response, or for a million tokens
MOST_SECONDS = 366 * 24 * 60 * 60  # a year


def _amount(unit: str, most: int) -> AfterValidator:
    """Says of a number that is no amount what would be one."""
    says = f"an amount is 0, or from {LEAST_AMOUNT:g} to {most:,} {unit}"

    def check(value: float) -> float:
        if value and not LEAST_AMOUNT <= value <= most:
            raise ValueError(says)
        return value

    return AfterValidator(check)


def _limits(most: int) -> WithJsonSchema:
    """The same for the JSON Schema, in which a check written in Python would not show."""
    return WithJsonSchema(
        {"type": "number", "anyOf": [{"const": 0}, {"minimum": LEAST_AMOUNT, "maximum": most}]}
    )


Date = Annotated[str, AfterValidator(_real_date)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
TokenCount = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
Dollars = Annotated[float, _amount("US dollars", MOST_DOLLARS), _limits(MOST_DOLLARS)]
Seconds = Annotated[float, _amount("seconds (a year)", MOST_SECONDS), _limits(MOST_SECONDS)]


# ---------------------------------------------------------------- leaderboard.toml


class JudgeFile(BaseModel):
    """One judge: who answers, with which model and settings."""

    model_config = _CLOSED
    provider: Literal["openai", "google", "embedded"]
    model: Line
    base_url: WebAddress | None = None
    settings: dict[str, Any] = {}
    api_key_env: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None


class LeaderboardFile(BaseModel):
    """leaderboard.toml: the board's title, its suites in order, and its judges."""

    model_config = _CLOSED
    schema_: Literal[1] = Field(alias="schema")
    title: Line = "Toolboard"
    description: str = ""
    repository: WebAddress | None = None
    ranked: Identifier | None = None
    suites: list[Identifier] = []
    panel: list[Identifier] = Field(min_length=1)
    judges: dict[Identifier, JudgeFile]


# ---------------------------------------------------------------- suite.toml


class CategoryFile(BaseModel):
    """One category of a suite: its cases' file, its share of the score, and the prompt its judge is asked with.

    `follow_up` is the prompt for a judge that is unsure whether a query is solved. `environment` names the task in whose
    environment the cases are acted out.
    """

    model_config = _CLOSED
    id: Identifier
    title: Line
    description: str = ""
    file: Line
    weight: Annotated[float, Field(gt=0)] = 1.0
    prompt: Identifier | None = None
    follow_up: Identifier | None = None
    environment: Line | None = None


class SuiteFile(BaseModel):
    """suite.toml: what a suite measures, its kind, its declared choices, its categories."""

    model_config = _CLOSED
    schema_: Literal[1] = Field(alias="schema")
    title: Line
    description: str = ""
    kind: Identifier
    tools: Line | None = None
    optional_arguments: Literal["strict", "allow"] = "strict"
    multi_call: Literal["strict", "first", "any"] = "strict"
    function_case: Literal["exact", "ignore"] = "exact"
    status_by: Literal["judge", "heuristic"] = "judge"
    rounds: Annotated[int, Field(ge=1, le=20)] = 1
    preference: Identifier | None = None
    final_answer: Identifier | None = None
    categories: list[CategoryFile] = Field(min_length=1)


@with_config(_CLOSED)
class ParameterRecord(TypedDict):
    """A parameter in the flat form of tools.json."""

    name: str
    type: Literal["string", "integer", "number", "boolean", "array", "object"]
    description: str
    required: NotRequired[bool]


@with_config(_OPEN)
class ToolRecord(TypedDict):
    """A tool: flat parameters, or a JSON Schema object as function-calling APIs take it."""

    name: str
    description: str
    parameters: list[ParameterRecord] | dict[str, Any]


@with_config(_OPEN)
class FunctionCallRecord(TypedDict):
    """An expected call."""

    name: str
    arguments: NotRequired[dict[str, Any] | None]


@with_config(_OPEN)
class SelectionTruth(TypedDict):
    """Ground truth of a tool_selection case, in both dialects."""

    function_call: NotRequired[FunctionCallRecord | None]
    text: NotRequired[str | None]
    no_function_call: NotRequired[bool]
    expected_response_type: NotRequired[Literal["function_call", "text"]]
    accepted: NotRequired[dict[str, list[Any]]]


@with_config(_OPEN)
class SelectionCase(TypedDict):
    """A tool_selection case."""

    id: CaseId
    type: NotRequired[str]
    user_query: str
    ground_truth: SelectionTruth


@with_config(_OPEN)
class MatchParameter(TypedDict):
    """The accepted values of one argument of a call_match case."""

    type: Literal["string", "any", "integer", "float", "boolean", "array", "tuple", "dict"] | None
    items: NotRequired[str | None]
    required: bool
    allowed: list[Any]


@with_config(_OPEN)
class MatchCall(TypedDict):
    """An expected call of a call_match case; a null name can never be met."""

    name: str | None
    parameters: dict[str, MatchParameter]


@with_config(_OPEN)
class MatchTruth(TypedDict):
    """Ground truth of a call_match case."""

    no_call: bool
    calls: list[MatchCall]


@with_config(_OPEN)
class MatchCase(TypedDict):
    """A call_match case."""

    id: CaseId
    user_query: str
    tools: NotRequired[list[ToolRecord]]
    ground_truth: MatchTruth


@with_config(_OPEN)
class UsageQuestion(TypedDict):
    """What an agent is given in a tool_usage case."""

    question: str


@with_config(_OPEN)
class UsageTruth(TypedDict):
    """What acting out a tool_usage case should come to. Null is as good as left out, wherever it may be left out."""

    reference: NotRequired[Any]
    expected_steps: list[StepName]
    order_matters: NotRequired[bool | None]
    state: NotRequired[Any]
    alternatives: NotRequired[list[list[StepName]] | None]
    expected_calls: NotRequired[list[FunctionCallRecord] | None]
    alternative_calls: NotRequired[list[list[FunctionCallRecord]] | None]


@with_config(_OPEN)
class UsageCase(TypedDict):
    """A tool_usage case, with LangSmith's words (inputs, outputs) or the shorter ones (input, output)."""

    id: NotRequired[CaseId | None]
    inputs: NotRequired[UsageQuestion | None]
    input: NotRequired[UsageQuestion | None]
    outputs: NotRequired[UsageTruth | None]
    output: NotRequired[UsageTruth | None]


@with_config(_OPEN)
class ApiParameterRecord(TypedDict):
    """A parameter of an API. `default` is an example value."""

    name: str
    type: NotRequired[str | None]
    description: NotRequired[str | None]
    default: NotRequired[Any]


@with_config(_OPEN)
class QueryApi(TypedDict):
    """A candidate API of a stable_toolbench query."""

    category_name: NotRequired[str | None]
    tool_name: str
    api_name: str
    tool_description: NotRequired[str | None]
    api_description: NotRequired[str | None]
    required_parameters: NotRequired[list[ApiParameterRecord] | None]
    optional_parameters: NotRequired[list[ApiParameterRecord] | None]


def _two_names(pair: list[str]) -> list[str]:
    if len(pair) != 2:
        raise ValueError("a gold API is a pair: the tool's name and the API's")
    return pair


ApiPair = Annotated[list[str], AfterValidator(_two_names)]

# A query of a stable_toolbench suite. One key of the format has a blank in it, so this is not written as a class.
QueryCase = TypedDict(
    "QueryCase",
    {
        "query_id": int | CaseId,
        "query": str,
        "api_list": NotRequired[list[QueryApi] | None],
        "available_tools": NotRequired[list[QueryApi] | None],
        "relevant APIs": NotRequired[list[ApiPair] | None],
        "relevant_apis": NotRequired[list[ApiPair] | None],
    },
)
with_config(_OPEN)(QueryCase)


@with_config(_OPEN)
class CatalogueApi(TypedDict):
    """An API inside a tool's file."""

    name: str
    description: NotRequired[str | None]
    required_parameters: NotRequired[list[ApiParameterRecord] | None]
    optional_parameters: NotRequired[list[ApiParameterRecord] | None]


@with_config(_OPEN)
class CatalogueTool(TypedDict):
    """A file of a tool catalogue."""

    tool_name: str
    tool_description: NotRequired[str | None]
    tool_category: NotRequired[str | None]
    api_list: list[CatalogueApi]


# ---------------------------------------------------------------- submissions


class PriceFile(BaseModel):
    """US dollars per million tokens."""

    model_config = _CLOSED
    input: Dollars
    output: Dollars


class SubmissionFile(BaseModel):
    """submission.json: who made the submission, and how."""

    model_config = _CLOSED
    schema_: Literal[1] = Field(alias="schema")
    name: Line
    kind: Literal["model", "agent", "baseline"]
    organization: Line
    model: Line
    date: Date
    framework: Line | None = None
    url: WebAddress | None = None
    license: Line | None = None
    open_weights: bool | None = None
    contact: Line | None = None
    settings: dict[str, Any] = {}
    price: PriceFile | None = None


@with_config(_TOLERANT)
class UsageRecord(TypedDict):
    """What one response cost."""

    input_tokens: NotRequired[TokenCount | None]
    output_tokens: NotRequired[TokenCount | None]
    cost_usd: NotRequired[Dollars | None]


@with_config(_TOLERANT)
class ResponseRecord(TypedDict):
    """One record of a responses file. Scores, ground truth and verdicts in it are never read."""

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
    trial: NotRequired[Annotated[int, Field(ge=1, le=1000)]]
    error: NotRequired[Any]
    usage: NotRequired[UsageRecord | None]
    latency_s: NotRequired[Seconds | None]


@with_config(_OPEN)
class ResultsRecord(TypedDict):
    """`{"test_results": [...]}`"""

    test_results: list[ResponseRecord]


@with_config(_OPEN)
class ModesRecord(TypedDict):
    """`{"with_tools": {...}}` and/or `{"no_tools": {...}}`"""

    with_tools: NotRequired[ResultsRecord]
    no_tools: NotRequired[ResultsRecord]


# ---------------------------------------------------------------- prompts/<suite>/labels


@with_config(_CLOSED)
class LabelRecord(TypedDict):
    """An answer written for the labelled set, with the verdict it deserves. `argument` names the argument it is a value of."""

    id: Identifier
    case_id: CaseId
    argument: NotRequired[Line]
    got: Annotated[str, AfterValidator(_not_blank)]
    label: Literal["equivalent", "different"]
    why: Line


@with_config(_CLOSED)
class LabelledCallRecord(TypedDict):
    """A call that led to a labelled answer. `response` is what came back, as submissions write it."""

    name: Line
    arguments: dict[str, Any]
    response: Any


@with_config(_CLOSED)
class SolvedLabelRecord(TypedDict):
    """A final answer over simulated APIs written for the labelled set, with its calls and whether it solves the query."""

    id: Identifier
    case_id: CaseId
    got: Annotated[str, AfterValidator(_not_blank)]
    calls: list[LabelledCallRecord]
    label: Literal["solved", "unsolved"]
    why: Line


TOOLS = TypeAdapter(list[ToolRecord], config=_DEFERRED)
SELECTION_CASES = TypeAdapter(list[SelectionCase], config=_DEFERRED)
MATCH_CASES = TypeAdapter(list[MatchCase], config=_DEFERRED)
USAGE_CASES = TypeAdapter(list[UsageCase], config=_DEFERRED)
QUERY_CASES = TypeAdapter(list[QueryCase], config=_DEFERRED)
CATALOGUE_TOOL = TypeAdapter(CatalogueTool)
RESPONSES = TypeAdapter(list[ResponseRecord], config=_DEFERRED)
LABELS = TypeAdapter(list[LabelRecord], config=_DEFERRED)
SOLVED_LABELS = TypeAdapter(list[SolvedLabelRecord], config=_DEFERRED)
