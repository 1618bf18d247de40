"""Makes a reference run: calls every gold API of every query with example values.

The values come from the catalogue, not from the question, so the replies answer nothing. See
`leaderboard.apis.reference_runs`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.apis.api_definitions import candidates_of, gold_pairs, tool_categories
from leaderboard.apis.api_names import DEFAULT_CATEGORY, ApiName, Pair
from leaderboard.apis.reference_runs import ABOUT, FILE
from leaderboard.errors import FilesError
from leaderboard.types import Case, Json, Suite
from leaderboard.workspace import suite_file
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.api_client import as_text, call_api
from runners.apis.executed_calls import finish_node
from runners.apis.virtual_apis import VirtualApis
from runners.submission_writer import Written, encode, write_files

NO_RESPONSE: Final = "No response received"
_NOT_REACHED: Final = "Request error: "
# Calls an API. Whatever goes wrong is an error in the reply.
Post = Callable[[ApiName, Mapping[str, Json]], ApiReply]


@dataclass(frozen=True, slots=True)
class ReferenceReport:
    """The file of a reference run, and how many queries, calls and failed calls it has."""

    file: str
    outcome: Written
    queries: int
    calls: int
    failed: int


@dataclass(frozen=True, slots=True)
class ReferenceCall:
    """One call and its reply."""

    name: ApiName
    arguments: Mapping[str, Json]
    reply: ApiReply


def run_reference(root: Path, suite: Suite, post: Post) -> ReferenceReport:
    """Calls every gold API of every query and writes `datasets/<suite>/reference.json`.

    Raises FilesError for a suite whose cases name no APIs, and if no call reached a server; then
    an older file stays.
    """
    if suite.kind.interaction != "apis":
        what = f"is of kind {suite.kind.name}, whose cases name no APIs"
        fix = "name a suite of simulated APIs"
        raise FilesError.about(suite_file(suite.id), what, fix)
    by_case = {case.id: [*_call_gold_apis(case, post)] for case in suite.cases}
    shown = f"datasets/{suite.id}/{FILE}"
    calls = [call for made in by_case.values() for call in made]
    if calls and all(call.reply.error.startswith(_NOT_REACHED) for call in calls):
        what = f"is not written: no call was answered; {calls[0].reply.error}"
        raise FilesError.about(shown, what, "check --server-url")
    outcome = write_files(root, {shown: _file_bytes(suite, by_case)})
    failed = sum(bool(call.reply.error) for call in calls)
    return ReferenceReport(shown, outcome, len(by_case), len(calls), failed)


def replayed(apis: VirtualApis) -> Post:
    """Calls simulated APIs in this process."""

    def post(name: ApiName, arguments: Mapping[str, Json]) -> ApiReply:
        return apis.answer(ApiCall(name, arguments)).reply

    return post


def posted(server_url: str) -> Post:
    """Calls the APIs of a virtual API server."""

    def post(name: ApiName, arguments: Mapping[str, Json]) -> ApiReply:
        outcome = call_api(server_url, name, arguments)
        if outcome.replied:
            return ApiReply(outcome.error, outcome.response)
        if outcome.status is None:
            return ApiReply(f"{_NOT_REACHED}{outcome.error}", "")
        return ApiReply(f"Server error: {outcome.status}", "")

    return post


def _call_gold_apis(case: Case, post: Post) -> Iterator[ReferenceCall]:
    categories = tool_categories([case.record])
    for tool, api in gold_pairs(case.record):
        name = ApiName(categories.get(tool, DEFAULT_CATEGORY), tool, api)
        arguments = example_values(case.record, (tool, api))
        yield ReferenceCall(name, arguments, post(name, arguments))


def example_values(record: Mapping[str, Json], pair: Pair) -> dict[str, Json]:
    """The example values of an API's required parameters, also if they are empty.

    An API that the query does not list has none.
    """
    for api in candidates_of(record):
        if (api["tool_name"], api["api_name"]) == pair:
            required = api.get("required_parameters") or ()
            return {item["name"]: item["default"] for item in required if "default" in item}
    return {}


def _file_bytes(suite: Suite, by_case: Mapping[str, Sequence[ReferenceCall]]) -> bytes:
    """The file with one query per line, in the suite's order, so that diffs stay small."""
    lines = []
    for case in suite.cases:
        entry = {"case": case.digest, "answer": _answer_tree(by_case[case.id])}
        lines.append(f"{_json(case.id)}: {_json(entry)}")
    answers = ",\n".join(lines)
    return encode(f'{{"schema": 1, "about": {_json(ABOUT)}, "answers": {{\n{answers}\n}}}}\n')


def _answer_tree(calls: Sequence[ReferenceCall]) -> dict[str, Json]:
    texts = [as_text(call.reply.response) for call in calls if call.reply.is_usable]
    final_answer = "\n".join(texts) or NO_RESPONSE
    nodes = []
    for call in calls:
        message = {
            "name": call.name.wrapper,
            "arguments": call.arguments,
            "response": call.reply.as_json(),
        }
        nodes.append({"role": "tool", "message": _json(message), "next": []})
    return {"final_answer": final_answer, "answer_details": [*nodes, finish_node(final_answer)]}


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
