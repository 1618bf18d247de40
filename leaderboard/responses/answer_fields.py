"""The fields of a record in which an answer can be, by the way that cases are answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from leaderboard.apis.api_answers import has_api_calls, has_final_answer
from leaderboard.kinds import Interaction
from leaderboard.responses.agent_steps import STEP_KEYS
from leaderboard.texts.near_names import SLIP, nearest

CALL_KEYS: Final = ("model_function_calls", "model_function_call")

# Where other systems write calls. `lb new` converts them; a responses file has CALL_KEYS.
FOREIGN_CALL_KEYS: Final = (
    *("tool_calls", "tool_call", "function_calls", "function_call", "calls"),
    *("model_tool_calls", "model_tool_call", "toolCalls"),
)

# The last two of simulated APIs are nested in others in the files of some systems.
ANSWER_FIELDS: Final[Mapping[Interaction, Sequence[str]]] = {
    "message": (*CALL_KEYS, "model_text"),
    "environment": (*STEP_KEYS, "output", "state", *CALL_KEYS, "model_text"),
    "apis": (
        *("answer", "called_apis", *STEP_KEYS, "output", *CALL_KEYS, "model_text"),
        *("final_answer", "answer_details"),
    ),
    "elsewhere": ("metrics",),
}

# Those that mark a record of a responses file. Harnesses have `output` and `metrics` too.
OWN_FIELDS: Final[Mapping[Interaction, frozenset[str]]] = {
    interaction: frozenset(fields) - {"output", "metrics"}
    for interaction, fields in ANSWER_FIELDS.items()
}

# Fields with another meaning, which are no misspelt answers.
_OTHER_FIELDS: Final = frozenset(
    {"id", "user_query", "ground_truth", "trial", "error", "usage", "latency_s", "origin"}
)
_CALLS: Final = (*CALL_KEYS, *STEP_KEYS, "answer", "called_apis")
_EMPTY: Final[Sequence[Any]] = (None, "", [], {})
MOST_COMPARED: Final = 1_000  # unread fields of a file that are compared with known ones


def unread_fields(names: Collection[str], interaction: Interaction) -> Mapping[str, str]:
    """The fields that are not read, but probably meant as an answer: name to known name."""
    fields = ANSWER_FIELDS[interaction]
    others = sorted({*names} - _OTHER_FIELDS - {*fields})[:MOST_COMPARED]
    meant = {name: near for name in others if (near := nearest(name, fields, SLIP))}
    if interaction != "elsewhere":
        meant |= {key: CALL_KEYS[1] for key in FOREIGN_CALL_KEYS if key in names}
    return meant


def unread_answers(row: Mapping[str, Any], unread: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Those `unread_fields` that lose something: filled, and the known one is empty."""
    return [
        (name, unread[name])
        for name in sorted(row.keys() & unread.keys())
        if row[name] not in _EMPTY
        and not has_answer(row, _CALLS if name in FOREIGN_CALL_KEYS else (unread[name],))
    ]


def has_answer(row: Mapping[str, Any], fields: Sequence[str]) -> bool:
    """Whether one of these fields of a record is filled."""
    return any(row.get(field) not in _EMPTY for field in fields)


def has_calls(row: Mapping[str, Any]) -> bool:
    """Whether a record has calls or steps. A Finish call counts only if it gives up."""
    return has_answer(row, (*CALL_KEYS, *STEP_KEYS, "called_apis")) or has_api_calls(row)


def has_text(row: Mapping[str, Any]) -> bool:
    """Whether a record has a text, or the final answer of an agent over simulated APIs."""
    return has_answer(row, ("model_text", "output")) or has_final_answer(row)
