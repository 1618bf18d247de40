"""Answers of agents over simulated APIs: `{"answer": {"final_answer", "answer_details"}, "called_apis": [...]}`, read whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.apis.api_names import FINISH
from leaderboard.apis.executions import RETURN_TYPES, finish_arguments, tool_nodes
from leaderboard.files.python_literals import read_literal
from leaderboard.responses.agent_steps import answer_text
from leaderboard.types import Call, DeclaredApi, Json, Response

_MOST_WRAPPERS: Final = 4
_FAILED: Final = frozenset({"error", "failed", "failure", "fail", "false"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a record says was answered. `calls` is None where it tells no steps, `declared` where it lists no called APIs."""

    text: str | None
    return_type: str | None
    calls: tuple[Call, ...] | None
    truncated: tuple[int, ...]
    declared: tuple[DeclaredApi, ...] | None


def read_answer(record: Mapping[str, Json]) -> Answer:
    """The answer of a record, be it wrapped in further `answer` keys or not at all."""
    layers = tuple(_layers(record))
    details = _first(layers, "answer_details")
    nodes = () if details is None else tool_nodes(details)
    text, return_type = final_answer(_first(layers, "final_answer"))
    listed = _first(layers, "called_apis")
    return Answer(
        text=text,
        return_type=return_type,
        calls=None if details is None else tuple(node.call for node in nodes),
        truncated=tuple(place for place, node in enumerate(nodes) if node.truncated),
        declared=None
        if not isinstance(listed, list)
        else tuple(api for _, api in _declared(listed) if api is not None),
    )


def tells_steps(record: Mapping[str, Json]) -> bool:
    """Whether a record holds an execution, or a list of the APIs called, be it an empty one."""
    layers = tuple(_layers(record))
    return any(_first(layers, key) is not None for key in ("answer_details", "called_apis"))


def odd_entries(record: Mapping[str, Json]) -> tuple[int, ...]:
    """The positions in `called_apis` of entries that name no tool and API."""
    listed = _first(tuple(_layers(record)), "called_apis")
    return (
        tuple(place for place, api in _declared(listed) if api is None)
        if isinstance(listed, list)
        else ()
    )


def _layers(record: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """The record, and the answers in it, one inside the other."""
    layer: Json = record
    for _ in range(_MOST_WRAPPERS):
        if not isinstance(layer, Mapping):
            return
        yield layer
        layer = layer.get("answer")


def _first(layers: Sequence[Mapping[str, Json]], key: str) -> Json:
    return next((layer[key] for layer in layers if layer.get(key) is not None), None)


# ---------------------------------------------------------------- the final answer


def final_answer(given: Json) -> tuple[str | None, str | None]:
    """The text of a final answer and, where it is written as the arguments of Finish, how it ended.

    Content parts become their text. JSON text of Finish's arguments is unwrapped, even where the JSON is broken.
    """
    if isinstance(given, Mapping) and _is_finish(given):
        return _unwrapped(given)
    text = answer_text(given)
    if text is None or not text.lstrip().startswith("{"):
        return text, None
    try:
        value = read_literal(text)
    except ValueError:
        value = finish_arguments(text)
    return _unwrapped(value) if isinstance(value, Mapping) and _is_finish(value) else (text, None)


def _is_finish(value: Mapping[str, Json]) -> bool:
    return {"return_type", "final_answer"} >= value.keys() and value.get(
        "return_type"
    ) in RETURN_TYPES


def _unwrapped(value: Mapping[str, Json]) -> tuple[str | None, str | None]:
    return answer_text(value.get("final_answer")), value["return_type"]


def return_type(response: Response) -> str | None:
    """How a response ended: `give_answer`, `give_up_and_restart`, or None where it does not say. The last Finish counts."""
    said = [call.arguments.get("return_type") for call in response.calls if call.name == FINISH]
    known = [word for word in said if word in RETURN_TYPES]
    return known[-1] if known else response.return_type


def answer_of(response: Response) -> str:
    """The answer that a response ends with: its final answer or text, else what its last Finish says; "" without any."""
    if response.text is not None and response.text.strip():
        return response.text
    said = [call.arguments.get("final_answer") for call in response.calls if call.name == FINISH]
    return (answer_text(said[-1]) or "") if said else ""


# ---------------------------------------------------------------- the APIs that a record lists as called


def _declared(listed: Sequence[Json]) -> Iterator[tuple[int, DeclaredApi | None]]:
    """Each entry: `[tool, api]`, the same with a status behind it, or an object."""
    for place, entry in enumerate(listed):
        if isinstance(entry, Mapping):
            yield (
                place,
                _api(
                    entry.get("tool_name", entry.get("tool")),
                    entry.get("api_name", entry.get("api")),
                    entry,
                ),
            )
        elif isinstance(entry, list) and len(entry) in (2, 3):
            yield place, _api(entry[0], entry[1], entry[2] if len(entry) == 3 else None)
        else:
            yield place, None


def _api(tool: Json, api: Json, status: Json) -> DeclaredApi | None:
    if not isinstance(tool, str) or not isinstance(api, str):
        return None
    return DeclaredApi(tool, api, _has_failed(status))


def _has_failed(status: Json) -> bool | None:
    """Whether a call failed, by its status: a word, true for success, or an object with `status`, `failed` or `error`."""
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
