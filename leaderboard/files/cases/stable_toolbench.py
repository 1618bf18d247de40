"""Cases of kind `stable_toolbench`: upstream's queries, each with its own candidate APIs."""

from __future__ import annotations

from typing import Annotated, Any, Final, NotRequired

from pydantic import AfterValidator, TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.apis.api_definitions import ApiParameterRecord, definitions_of, gold_pairs
from leaderboard.digest import digest_of
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.fact_reader import read_facts
from leaderboard.files.field_types import DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.types import Case, GroundTruth


@with_config(OPEN)
class QueryApi(TypedDict):
    """A candidate API of a query.

    - `category_name`: the category of its tool.
    - `tool_name`: the name of its tool.
    - `api_name`: its name in that tool.
    - `tool_description`: what the tool is for.
    - `api_description`: what the API does.
    - `required_parameters`: the parameters that every call must give.
    - `optional_parameters`: the parameters that a call may leave out.
    """

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

# One key of the format has a blank in it, so this cannot be a class.
QueryCase = TypedDict(
    "QueryCase",
    {
        "query_id": int | CaseId,
        "query": AnswerText,
        "api_list": NotRequired[list[QueryApi] | None],
        "available_tools": NotRequired[list[QueryApi] | None],
        "relevant APIs": NotRequired[list[ApiPair] | None],
        "relevant_apis": NotRequired[list[ApiPair] | None],
        "ground_truth": NotRequired[dict[str, Any] | None],
    },
)
with_config(OPEN)(QueryCase)
QueryCase.__doc__ = """One case.

- `query_id`: the name of the case, unique in its suite.
- `query`: what the user asks.
- `api_list`: the candidate APIs.
- `available_tools`: the same as `api_list`.
- `relevant APIs`: the gold APIs, each as a pair: the tool's name and the API's.
- `relevant_apis`: the same as `relevant APIs`.
- `ground_truth`: the facts that an answer must state (lb docs facts).
"""

CASES: Final = TypeAdapter(list[QueryCase], config=DEFERRED)


def read_stable_toolbench(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the queries of one category, with their candidate APIs as tools."""
    cases = []
    for index, record in file.valid_records(CASES):
        file.warn_of_case_keys(record, "stable_toolbench", QueryCase.__annotations__, index)
        truth = record.get("ground_truth") or {}
        facts = read_facts(truth, file.findings, (index, "ground_truth"))
        case = Case(
            id=str(record["query_id"]),
            category=file.category,
            query=record["query"],
            ground_truth=GroundTruth(apis=gold_pairs(record), facts=facts),
            tools=tuple(api.as_tool() for api in definitions_of(record)),
            record=record,
            digest=digest_of(record),
        )
        cases.append(case)
    return tuple(cases)
