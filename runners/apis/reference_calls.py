"""Makes a reference run: calls every gold API of every query with the example values of its required parameters.

The values are the catalogue's, not the question's, so what comes of it answers nothing; see `leaderboard.apis.reference_runs`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.apis.api_definitions import DEFAULT_CATEGORY, gold_pairs
from leaderboard.apis.api_names import ApiName, Pair
from leaderboard.apis.reference_runs import ABOUT, FILE
from leaderboard.errors import FilesError, Problem
from leaderboard.types import Case, Json, Suite
from runners.agents.base import finish_node
from runners.apis.api_client import NO_KEY, as_text, call_api
from runners.apis.real_apis import ApiCall
from runners.apis.reply_cache import Reply
from runners.apis.virtual_apis import VirtualApis
from runners.submission_writer import Written, encode, write_files

NO_RESPONSE: Final = "No response received"
TIMEOUT: Final = 60.0  # seconds for one reply of a server
_UNREACHED: Final = "Request error: "
# Calls an API. Whatever goes wrong is an error inside the reply.
Post = Callable[[ApiName, Mapping[str, Json]], Reply]


@dataclass(frozen=True, slots=True)
class ReferenceReport:
    """The file that a reference run wrote (or found unchanged), its queries and calls, and how many of these failed."""

    file: str
    outcome: Written
    queries: int
    calls: int
    failed: int


@dataclass(frozen=True, slots=True)
class Made:
    """One call that was made, and its reply."""

    name: ApiName
    arguments: Mapping[str, Json]
    reply: Reply


def run_reference(root: Path, suite: Suite, post: Post) -> ReferenceReport:
    """Calls every gold API of every query and writes `datasets/<suite>/reference.json` below `root`.

    Raises FilesError for a suite of another kind, and where not one call reached anybody: an older file is kept then.
    """
    if suite.kind.interaction != "apis":
        what = f"is of kind {suite.kind.name}, whose cases name no APIs"
        raise FilesError(
            Problem(
                f"datasets/{suite.id}/suite.toml", what, "name a suite of kind stable_toolbench"
            )
        )
    made = {case.id: tuple(_made(case, post)) for case in suite.cases}
    shown = f"datasets/{suite.id}/{FILE}"
    calls = [call for calls in made.values() for call in calls]
    if calls and all(call.reply.error.startswith(_UNREACHED) for call in calls):
        raise FilesError(
            Problem(
                shown,
                f"is not written: no call was answered; {calls[0].reply.error}",
                "check --server-url",
            )
        )
    outcome = write_files(root, {shown: reference_bytes(suite, made)})
    return ReferenceReport(
        shown, outcome, len(made), len(calls), sum(bool(call.reply.error) for call in calls)
    )


def replayed(apis: VirtualApis) -> Post:
    """Calls simulated APIs in this process."""
    return lambda name, given: (
        apis.answer(ApiCall(name.category, name.tool, name.api, given, NO_KEY)).reply
    )


def posted(server_url: str) -> Post:
    """Calls the APIs of a virtual API server, wherever it has its replies from."""

    def post(name: ApiName, arguments: Mapping[str, Json]) -> Reply:
        outcome = call_api(server_url, name, arguments, timeout=TIMEOUT)
        if outcome.replied:
            return Reply(outcome.error, outcome.response)
        failure = (
            f"{_UNREACHED}{outcome.error}"
            if outcome.status is None
            else f"Server error: {outcome.status}"
        )
        return Reply(failure, "")

    return post


def _made(case: Case, post: Post) -> Iterator[Made]:
    for pair in gold_pairs(case.record):
        name = ApiName(category_of(case.record, pair[0]), *pair)
        arguments = example_values(case.record, pair)
        yield Made(name, arguments, post(name, arguments))


def category_of(record: Mapping[str, Json], tool: str) -> str:
    """The category that a query gives a tool, else "Data"."""
    found = (api.get("category_name") for api in _listed(record) if api["tool_name"] == tool)
    return next(filter(None, found), DEFAULT_CATEGORY)


def example_values(record: Mapping[str, Json], pair: Pair) -> dict[str, Json]:
    """The example values of an API's required parameters, even empty ones; none for an API that the query does not list."""
    apis = (api for api in _listed(record) if (api["tool_name"], api["api_name"]) == pair)
    required = next(apis, {}).get("required_parameters") or ()
    return {
        parameter["name"]: parameter["default"] for parameter in required if "default" in parameter
    }


def _listed(record: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    for key in ("available_tools", "api_list"):
        yield from record.get(key) or ()


# ---------------------------------------------------------------- the file


def reference_bytes(suite: Suite, made: Mapping[str, Sequence[Made]]) -> bytes:
    """The file, one query a line in the suite's order, so that a diff shows the queries that changed."""
    answers = ((case, made[case.id]) for case in suite.cases)
    lines = ",\n".join(
        f"{_json(case.id)}: {_json({'case': case.digest, 'answer': _tree(calls)})}"
        for case, calls in answers
    )
    return encode(f'{{"schema": 1, "about": {_json(ABOUT)}, "answers": {{\n{lines}\n}}}}\n')


def _tree(calls: Sequence[Made]) -> dict[str, Json]:
    said = [as_text(call.reply.response) for call in calls if call.reply.is_usable]
    text = "\n".join(said) or NO_RESPONSE
    return {"final_answer": text, "answer_details": [*map(_node, calls), finish_node(text)]}


def _node(call: Made) -> Json:
    message = {
        "name": call.name.wrapper,
        "arguments": call.arguments,
        "response": call.reply.as_json(),
    }
    return {"role": "tool", "message": _json(message), "next": []}


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
