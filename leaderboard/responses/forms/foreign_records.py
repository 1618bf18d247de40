"""A record of a foreign file: which case it answers, and what it answers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from leaderboard.responses.forms.conversations import last_question
from leaderboard.responses.forms.model_reply import Ending, member, text_of
from leaderboard.responses.forms.provider_replies import ProviderReply
from leaderboard.types import Json

Row = Mapping[str, Json]

ID_KEYS: Final = (
    *("case_id", "custom_id", "id", "key", "sample_id", "question_id", "task_id", "example_id"),
    "doc_id",
)
_QUESTION_KEYS: Final = (
    *("user_query", "question", "query", "prompt", "input", "instruction", "messages", "contents"),
    "request",
)
# Where harnesses keep the row of the dataset that they asked about.
_INNER: Final = ("metadata", "doc", "vars", "row", "case", "inputs", "request", "params", "body")
CASE_FIELDS: Final = frozenset({*ID_KEYS, *_QUESTION_KEYS, *_INNER, "ground_truth"})


# How tables and programs write that there is nothing, and that there was no error.
_NOTHING: Final = frozenset({"", "none", "null", "nil", "nan", "na", "n/a", "#n/a", "-", "--"})
_NO_ERROR: Final = _NOTHING | {"0", "0.0", "false", "no", "[]", "{}"}


# At the end of a model's name.
_DATE: Final = re.compile(r"[-@](?:\d{4}-?\d{2}-?\d{2}|\d{4}|latest)$")


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """What one record says.

    `about` has the ids and questions that say which case is answered. `position` is the number of a
    row in the harness's own file, for records without both. `answer` is a reply in a provider's
    form, or a text. `error` is what the harness noted instead of an answer, and `late_error` one
    that may have come after the answer. `extra` has `usage` and `latency_s` as in responses files.
    `ending` is what the harness noted of the reply's end. `is_scored`: a board scored the answer,
    so nothing is removed from it. `variant` says which of the answers to a case it is, such as that
    of one provider.
    """

    about: Row
    answer: ProviderReply | str | None
    error: str | None = None
    trial: int = 1
    extra: Row = field(default_factory=dict)
    position: str | None = None
    late_error: str | None = None
    ending: Ending | None = None
    is_scored: bool = False
    variant: Mapping[str, str] = field(default_factory=dict)

    @property
    def ids(self) -> tuple[str, ...]:
        """Candidates for the id of the case, the best first."""
        return ids_of(self.about)

    @property
    def questions(self) -> tuple[str, ...]:
        """Candidates for its question, the best first."""
        return questions_of(self.about)


def ids_of(row: Row) -> tuple[str, ...]:
    """Every id that a record names, as text: its own first, then those of the rows in it."""
    ids = []
    for place in _places(row):
        for key in ID_KEYS:
            value = place.get(key)
            value = number_in(value) if isinstance(value, float) else value
            if isinstance(value, int | str) and not isinstance(value, bool):
                ids.append(str(value))
    return tuple(dict.fromkeys(ids))


def questions_of(row: Row) -> tuple[str, ...]:
    """Every text that may be the question that a record answers."""
    questions = []
    for place in _places(row):
        for key in _QUESTION_KEYS:
            value = place.get(key)
            if isinstance(value, list):
                value = last_question(value)
            if isinstance(value, str) and value.strip():
                questions.append(value.strip())
    return tuple(dict.fromkeys(questions))


def _places(row: Row) -> Iterator[Row]:
    yield row
    inner = [row[key] for key in _INNER if isinstance(row.get(key), Mapping)]
    yield from inner
    for place in inner:
        yield from (place[key] for key in _INNER if isinstance(place.get(key), Mapping))


def model_of(row: Row, answer: ProviderReply | str | None) -> str | None:
    """The model that answered, as the record or else its reply names it, without a date.

    Providers answer to the name of a model with that of its version: gpt-x-2026-05-01.
    """
    named = text_of(row.get("model"))
    if named is None and isinstance(answer, ProviderReply):
        named = next((turn.reply.model for turn in answer.turns if turn.reply.model), None)
    return None if named is None else _DATE.sub("", named.split("/")[-1])


def error_text(error: Json) -> str | None:
    """What a harness noted as an error, as text; None for any value that means there was none."""
    if isinstance(error, Mapping):
        error = member(error, "message", "error", "type") or error
        if isinstance(error, Mapping):
            error = member(error, "message", "type") or error
    text = str(error)
    return None if text.strip().casefold() in _NO_ERROR else text[:2000]


def trial_of(*numbers: Json) -> int:
    """The number of a trial, from 1: the first of these that is one."""
    for value in numbers:
        number = int(value) if isinstance(value, str) and value.isdecimal() else value
        if isinstance(number, int | float) and not isinstance(number, bool) and number >= 1:
            return int(number)
    return 1


def in_seconds(milliseconds: Json) -> float | None:
    """Milliseconds in seconds; None for what is no number."""
    return milliseconds / 1000 if isinstance(milliseconds, int | float) else None


def usage_fields(
    input_tokens: Json = None, output_tokens: Json = None, cost: Json = None, seconds: Json = None
) -> dict[str, Json]:
    """`usage` and `latency_s` of a record. What is no amount stays, and is a problem later."""
    amounts = {"input_tokens": input_tokens, "output_tokens": output_tokens, "cost_usd": cost}
    usage = {name: number_in(value) for name, value in amounts.items() if not is_nothing(value)}
    fields: dict[str, Json] = {"usage": usage} if usage else {}
    if not is_nothing(seconds):
        number = number_in(seconds)
        fields["latency_s"] = round(number, 3) if isinstance(number, float) else number
    return fields


def is_nothing(cell: Json) -> bool:
    """Whether there is no amount, in the words of tables and programs."""
    return cell is None or (isinstance(cell, str) and cell.strip().casefold() in _NOTHING)


def number_in(cell: Json) -> Json:
    """The number in a cell, whole if it has no fraction. Anything else stays as it is.

    Tables write whole numbers as fractions if another cell of the column is empty.
    """
    try:
        number = float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell
    if not isinstance(number, float) or not math.isfinite(number):
        return cell
    return int(number) if number.is_integer() else number
