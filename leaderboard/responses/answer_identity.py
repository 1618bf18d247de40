"""When two answers to a case are the same answer: one key for every page and table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final

from leaderboard.digest import canonical
from leaderboard.files.tool_names import sent_name
from leaderboard.texts.short_text import single_spaced
from leaderboard.texts.unicode_forms import bare
from leaderboard.types import Call, Case, Json, Response


def answer_key(
    case: Case, response: Response, *, in_any_order: bool = False, folded: bool = False
) -> bytes | None:
    """A key (16 bytes) that equal answers to a case share; None if there is no answer.

    The answer of a model is its calls, or without calls its text. The answer of an agent is its
    final text and state. The order of arguments, the text beside a call, blanks and letter case
    of a text do not matter. Neither does how the names of tools were shown to the model.

    `in_any_order`: the order of a model's calls does not matter.

    `folded`: only letters and digits count, also in arguments, so that no sign that changes nothing
    makes another answer. Letters that look like ASCII letters count as these. Numbers count by
    their value and "true" as true, as rules read them. The order of a model's parallel calls does
    not matter. Repeated calls count once. A reported state decides nothing: the calls of an agent
    count instead.
    """
    if response.error is not None or response.malformed is not None:
        return None
    if folded:
        answer = _folded_answer(case, response)
    else:
        answer = _exact_answer(case, response, in_any_order)
    return None if answer is None else sha256(canonical(answer)).digest()[:16]


_PLACES: Final = 9  # rules find numbers equal that differ by less


def folded_text(text: str) -> str:
    """The letters and digits of a text, in one case, without accents and look-alike letters."""
    return "".join(filter(str.isalnum, bare(text)))


def _folded(value: Json) -> Json:
    if isinstance(value, int | float):
        value = repr(value)
    if isinstance(value, str):
        text = bare(value).strip()
        return _number(text) or folded_text(text) or text
    if isinstance(value, Mapping):
        return {folded_text(name) or name: _folded(inner) for name, inner in value.items()}
    if isinstance(value, Sequence):
        return [_folded(inner) for inner in value]
    return value


def _number(text: str) -> str | None:
    """One spelling for a number, rounded: "1.5" for 1.50, 15e-1 and 1.50000000001."""
    try:
        number = round(float(text), _PLACES) + 0.0  # -0.0 becomes 0.0
    except ValueError:
        return None
    return f"{number:.{_PLACES}f}".rstrip("0").rstrip(".")


def _exact_answer(case: Case, response: Response, in_any_order: bool) -> Json:
    text, truth = _text(response), case.ground_truth
    if truth.trajectory is None and truth.apis is None:
        calls = _calls(case, response, response.calls)
        return (sorted(calls, key=canonical) if in_any_order else calls) or text
    state = response.state if response.has_state else None
    return None if text is None and state is None else [text, state]


def _folded_answer(case: Case, response: Response) -> Json:
    text = _folded(_text(response))
    if case.ground_truth.apis is not None:
        return text
    calls = [_folded(call) for call in _calls(case, response, response.calls)]
    if case.ground_truth.trajectory is not None:
        return [text, calls] if text is not None or calls else None
    # Some rules accept parallel calls in any order.
    distinct = {canonical(call): call for call in calls}
    return [distinct[key] for key in sorted(distinct)] or text


def folded_calls(case: Case, response: Response, calls: Iterable[Call]) -> list[bytes]:
    """A text for each of these calls of a response, folded, each once and in order of the texts."""
    return sorted({canonical(_folded(call)) for call in _calls(case, response, calls)})


def _text(response: Response) -> str | None:
    return single_spaced(response.text or "").casefold() or None


def _calls(case: Case, response: Response, calls: Iterable[Call]) -> list[Json]:
    return [[_name(case, response, call), dict(call.arguments)] for call in calls]


def _name(case: Case, response: Response, call: Call) -> str:
    """The tool's own name, if the model was shown it with "_" for "."."""
    if response.underscored and "_" in call.name:
        for tool in case.tools:
            if sent_name(tool.name) == call.name:
                return tool.name
    return call.name
