"""The fields of a record in which an answer can be, by the way that cases are answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leaderboard.kinds import Interaction
from leaderboard.responses.agent_steps import STEP_KEYS

CALL_KEYS: Final = ("model_function_calls", "model_function_call")

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
