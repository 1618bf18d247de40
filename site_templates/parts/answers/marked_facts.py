"""The facts of a case in an answer to it, with the words that state them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.apis.api_answers import answer_of
from leaderboard.types import Case, Response
from site_templates import formatting
from site_templates.board_index import BoardIndex


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of an answer. `facts` are the labels of the facts that it states."""

    text: str
    facts: str = ""


@dataclass(frozen=True, slots=True)
class FactLine:
    """A fact of the case, with the words of the answer that state it, or nothing."""

    label: str
    words: str


def marked_facts(
    index: BoardIndex, case: Case, response: Response | None
) -> tuple[tuple[FactLine, ...], tuple[TextPart, ...]]:
    """The facts of a case in an answer, and the answer with their words marked."""
    truth = case.ground_truth
    if response is None or truth.facts is None:
        return (), ()
    text = answer_of(response) if truth.apis is not None else response.text or ""
    facts = index.board.find_facts(case, text)
    lines = []
    labels: dict[tuple[int, int], list[str]] = {}
    for label, chars in facts:
        words = text[slice(*chars)] if chars else ""
        lines.append(FactLine(label, formatting.clip(words, 160)))
        if chars:
            labels.setdefault(chars, []).append(label)
    return tuple(lines), tuple(_parts(text, labels)) if labels else ()


def _parts(text: str, labels: Mapping[tuple[int, int], Sequence[str]]) -> Iterator[TextPart]:
    """A text in parts, with the labels of the facts that some characters state."""
    end = 0
    for chars in sorted(labels):
        if chars[0] < end:
            continue
        if chars[0] > end:
            yield TextPart(text[end : chars[0]])
        end = chars[1]
        yield TextPart(text[slice(*chars)], ", ".join(labels[chars]))
    if end < len(text):
        yield TextPart(text[end:])
