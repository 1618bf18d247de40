"""The verdicts of rules, with their sentences: passes, fails, and what is wrong with a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from leaderboard.texts.shown_values import first_line, name, show
from leaderboard.types import Json, Verdict

NAMED: Final = 3  # mistakes, calls or values that a sentence names before it only counts

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
    """The position of a mistake's reason among all of them. The gravest is 0."""
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
