"""Answers of agents over simulated APIs: `{"answer": {"final_answer", "answer_details"}, ...}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.apis.api_names import FINISH
from leaderboard.apis.executions import GIVE_UP, RETURN_TYPES, finish_arguments, tool_nodes
from leaderboard.files.python_literals import read_literal
from leaderboard.responses.answer_text import answer_text
from leaderboard.types import Call, CalledApi, Json, Response

_MOST_WRAPPERS: Final = 4
_FAILED: Final = frozenset({"error", "failed", "failure", "fail", "false"})


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """What a record says. `calls` is None without steps, `declared` without a list of APIs.

    `truncated` holds the positions of calls whose text was cut.
    """

    text: str | None
    return_type: str | None
    calls: tuple[Call, ...] | None
    truncated: tuple[int, ...]
    declared: tuple[CalledApi, ...] | None


def read_answer(record: Mapping[str, Json]) -> ApiAnswer:
    """Reads the answer of a record, which may be wrapped in further `answer` keys."""
    details = _find(record, "answer_details")
    nodes = () if details is None else tool_nodes(details)
    text, return_type = final_answer(_find(record, "final_answer"))
    listed = _declared_apis(record)
    return ApiAnswer(
        text=text,
        return_type=return_type,
        calls=None if details is None else tuple(node.call for node in nodes),
        truncated=tuple(place for place, node in enumerate(nodes) if node.truncated),
        declared=None if listed is None else tuple(api for api in listed if api is not None),
    )


def has_api_calls(record: Mapping[str, Json]) -> bool:
    """Whether an execution calls an API, or gives up."""
    answer = read_answer(record)
    calls = answer.calls or ()
    ends = [call.arguments.get("return_type") for call in calls if call.name == FINISH]
    return GIVE_UP in (answer.return_type, *ends) or any(call.name != FINISH for call in calls)


def has_final_answer(record: Mapping[str, Json]) -> bool:
    """Whether the final answer of a record, or that of a Finish, is more than blanks."""
    answer = read_answer(record)
    calls = answer.calls or ()
    texts = [call.arguments.get("final_answer") for call in calls if call.name == FINISH]
    return any((answer_text(text) or "").strip() for text in (answer.text, *texts))


def text_given(record: Mapping[str, Json]) -> str | None:
    """The text of the final answer of a record."""
    return final_answer(_find(record, "final_answer"))[0]


def tells_steps(record: Mapping[str, Json]) -> bool:
    """Whether a record has an execution or a list of called APIs, even an empty one."""
    return any(_find(record, key) is not None for key in ("answer_details", "called_apis"))


def unreadable_apis(record: Mapping[str, Json]) -> tuple[int, ...]:
    """The positions of entries in `called_apis` that name no tool and API."""
    listed = _declared_apis(record) or ()
    return tuple(place for place, api in enumerate(listed) if api is None)


def _find(record: Mapping[str, Json], key: str) -> Json:
    """A value of the record, or of the answers nested in it; the outermost counts."""
    layer: Json = record
    for _ in range(_MOST_WRAPPERS):
        if not isinstance(layer, Mapping):
            return None
        if layer.get(key) is not None:
            return layer[key]
        layer = layer.get("answer")
    return None


# ---------------------------------------------------------------- the final answer


def final_answer(given: Json) -> tuple[str | None, str | None]:
    """The text of a final answer, and how it ended if it is the arguments of Finish.

    Content parts become text. Finish's arguments may be JSON text, even broken JSON.
    """
    if isinstance(given, Mapping) and _is_finish(given):
        return answer_text(given.get("final_answer")), given["return_type"]
    text = answer_text(given)
    if text is None or not text.lstrip().startswith("{"):
        return text, None
    try:
        value = read_literal(text)
    except ValueError:
        value = finish_arguments(text)
    if isinstance(value, Mapping) and _is_finish(value):
        return answer_text(value.get("final_answer")), value["return_type"]
    return text, None


def _is_finish(value: Mapping[str, Json]) -> bool:
    keys = {"return_type", "final_answer"}
    return keys >= value.keys() and value.get("return_type") in RETURN_TYPES


def return_type(response: Response) -> str | None:
    """How a response ended: `give_answer`, `give_up_and_restart`, or None if unknown.

    The last Finish counts.
    """
    types = [call.arguments.get("return_type") for call in response.calls if call.name == FINISH]
    known = [word for word in types if word in RETURN_TYPES]
    return known[-1] if known else response.return_type


def answer_of(response: Response) -> str:
    """The final answer or text of a response, or else that of its last Finish, or ""."""
    if response.text is not None and response.text.strip():
        return response.text
    answers = [call.arguments.get("final_answer") for call in response.calls if call.name == FINISH]
    return (answer_text(answers[-1]) or "") if answers else ""


# ---------------------------------------------------------------- called APIs of a record


def _declared_apis(record: Mapping[str, Json]) -> Sequence[CalledApi | None] | None:
    """Reads `called_apis`: `[tool, api]`, the same with a status, or objects.

    Entries that name no tool and API are None.
    """
    listed = _find(record, "called_apis")
    if not isinstance(listed, list):
        return None
    apis: list[CalledApi | None] = []
    for entry in listed:
        tool, api, status = None, None, None
        if isinstance(entry, Mapping):
            tool = entry.get("tool_name", entry.get("tool"))
            api = entry.get("api_name", entry.get("api"))
            status = entry
        elif isinstance(entry, list) and len(entry) in (2, 3):
            tool, api, status = (*entry, None)[:3]
        named = isinstance(tool, str) and isinstance(api, str)
        apis.append(CalledApi(str(tool), str(api), _has_failed(status)) if named else None)
    return apis


def _has_failed(status: Json) -> bool | None:
    """Reads the status of a call: a word, true for success, or an object with one of the keys."""
    if isinstance(status, Mapping):
        if isinstance(status.get("failed"), bool):
            return bool(status["failed"])
        if "error" in status:
            return status["error"] not in (None, "", False)
        status = status.get("status")
    if isinstance(status, bool):
        return not status
    if isinstance(status, str) and status.strip():
        return status.strip().lower() in _FAILED
    return None
