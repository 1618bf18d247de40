"""The sentences of verdicts: how a value is shown, and what is wrong with a call."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import Final, NamedTuple

from leaderboard.texts.short_text import LIMIT, cut
from leaderboard.types import Json, Verdict

NAMED: Final = 3  # mistakes, calls or values that a sentence names before it only counts

_SHORT: Final = 10**15  # integers below this need no cut

# Sorted, so that equal objects read the same and ask a judge the same.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True)
# If a call is wrong in several ways, the first of these is the reason of its verdict.
_GRAVEST_FIRST: Final = ("wrong_function", "missing_argument", "unexpected_argument", "wrong_value")


class CallMistake(NamedTuple):
    """One thing wrong with a call: its reason code, and the words for it without a full stop.

    `argument` names the argument, and is empty for the wrong tool.
    """

    reason: str
    words: str
    argument: str = ""


def gravity(reason: str) -> int:
    """The place of a mistake's reason among all of them. The gravest is 0."""
    return _GRAVEST_FIRST.index(reason)


def passed(metric: str, reason: str, detail: str) -> Verdict:
    return Verdict(metric, "pass", 1.0, reason, detail)


def failed(metric: str, reason: str, detail: str) -> Verdict:
    return Verdict(metric, "fail", 0.0, reason, detail)


def unscored(metric: str, reason: str, detail: str) -> Verdict:
    return Verdict(metric, "unscored", None, reason, detail)


def system_failed(metric: str, error: str) -> Verdict:
    """The fail of a response that carries an error."""
    return failed(metric, "response_error", sentence([f"The system failed: {first_line(error)}"]))


def no_answer(metric: str) -> Verdict:
    """The fail of a response without a text."""
    return failed(metric, "empty_response", "Expected an answer, got none.")


def unreadable(metric: str, what: str, malformed: str) -> Verdict:
    """The fail of a response whose calls or steps cannot be read."""
    return failed(metric, "malformed_call", sentence([f"{what}: {first_line(malformed)}"]))


def wrong_value(argument: str, wanted: str, got: Json) -> CallMistake:
    words = f"{name(argument)}: expected {wanted}, got {show(got)}"
    return CallMistake("wrong_value", words, argument)


def missing_argument(argument: str, wanted: str) -> CallMistake:
    words = f"{name(argument)} is missing: expected {wanted}"
    return CallMistake("missing_argument", words, argument)


def unexpected_argument(argument: str, got: Json) -> CallMistake:
    words = f"{name(argument)} is not expected: got {show(got)}"
    return CallMistake("unexpected_argument", words, argument)


def tool_words(tool: str | None) -> str:
    """The name of the expected tool. None is a tool that the request asks for and nobody offers."""
    return "a tool that is not offered" if tool is None else name(tool)


def mistaken(metric: str, mistakes: Sequence[CallMistake], where: str = "") -> Verdict:
    """The fail of a call: the gravest mistake gives the reason, the sentence names up to three."""
    ordered = sorted(mistakes, key=lambda mistake: gravity(mistake.reason))
    return failed(metric, ordered[0].reason, where + sentence(mistake.words for mistake in ordered))


def sentence(parts: Iterable[str]) -> str:
    """The first three parts as one sentence, and how many more there are."""
    words = list(parts)
    more = f"; and {len(words) - NAMED} more" if len(words) > NAMED else ""
    text = "; ".join(words[:NAMED]) + more
    return text if text.endswith((".", "…")) else f"{text}."


def listed(names: Iterable[str]) -> str:
    """The first three names, and how many more there are."""
    words = list(names)
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return ", ".join(map(name, words[:NAMED])) + more


def alternatives(values: Sequence[Json]) -> str:
    """Accepted values as JSON: the first two, and how many more there are."""
    more = f" or {len(values) - 2} more" if len(values) > 2 else ""
    return (" or ".join(map(show, values[:2])) or "nothing") + more


def show(value: Json, limit: int = LIMIT) -> str:
    """The value as JSON, cut to `limit` characters. Never raises."""
    if isinstance(value, str):
        text = printable(encode_basestring(value[:limit]))
        return text if len(text) <= limit else cut(text, limit - 1) + '"'
    if type(value) is int and -_SHORT < value < _SHORT:
        return str(value)
    written = ""
    try:
        # Piece by piece, so that a huge answer costs no more than the part that is shown.
        for piece in _ENCODER.iterencode(value):
            written += piece
            if len(written) > limit:
                break
    except ValueError:  # Python writes no integer of more than 4,300 digits
        written = f"{written} an integer of very many digits".lstrip()
    return cut(printable(written), limit)


def written(value: Json) -> str:
    """The whole value as a judge reads it: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else show(value, sys.maxsize)


def name(text: str) -> str:
    """The name of a tool or an argument, as JSON if it has characters that are not printable."""
    if 0 < len(text) <= LIMIT and text.isprintable():
        return text
    return show(text)


def first_line(text: str) -> str:
    """The first line that is not blank, trimmed and cut."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "no reason is given")
    return cut(printable(line))


def printable(text: str) -> str:
    """The text with lone surrogates escaped, because no table or page can hold them."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
