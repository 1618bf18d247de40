"""One spelling for each tool reply, cut off or whole, to compare a reported one with the real."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final

from leaderboard.files.python_literals import read_literal
from leaderboard.responses.answer_text import answer_text
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json
from runners.apis.reply_cache import key_of

# How StableToolBench and agents mark a long reply that they cut off.
_CUT_MARKS: Final = ("...", "…")
_SHORTEST_CUT: Final = 100  # characters that must be left of a reply that was cut
# What StableToolBench writes before a reply.
_BEFORE_REPLY: Final = re.compile(r"""^\s*\{\s*(["'])error\1:\s*(""|''),\s*\1response\1:""")
# Where messages of frameworks, and frameworks that write an object around a reply, have it.
_WRAPPERS: Final = ("content", "result", "output")


def is_same(reply: Json, reported: Json) -> bool:
    """Whether a reported reply is this one, in any spelling, bare or as frameworks wrap it."""
    wanted = spelling_of(reply)
    return any(spelling_of(form) == wanted for form in unwrapped_forms(reported))


def unwrapped_forms(reported: Json) -> Iterator[Json]:
    """A reply as it is reported, then without each message or content block around it in turn.

    The reply itself may look like a message, so nobody knows where to stop. JSON text is read.
    """
    yield reported
    value = _read(reported)
    while isinstance(value, Mapping) and (keys := [key for key in _WRAPPERS if key in value]):
        yield value[keys[0]]
        value = _read(value[keys[0]])
    text = answer_text(value)
    yield text
    yield _read(text)


def unwrapped(reported: Json) -> Json:
    """A reply without the message and the content blocks around it. Text of JSON is read."""
    *_, innermost = unwrapped_forms(reported)
    return innermost


def beginning(reply: str, reported: Json) -> str | None:
    """The part of a reply that a reported one shows, if that says that it was cut off.

    None if it does not, or if it is not the beginning of this reply. Blanks do not count, because
    JSON is written with many or none.
    """
    if not isinstance(reported, str) or not reported.rstrip().endswith(_CUT_MARKS):
        return None
    text = _BEFORE_REPLY.sub("", reported.rstrip().rstrip(".…"))
    if len(single_spaced(text)) < _SHORTEST_CUT:
        return None
    left = _without_blanks(text)
    for spelling in _spellings(reply):
        if spelling.startswith(left):
            places = [place for place, character in enumerate(reply) if not character.isspace()]
            shown = len(places) * len(left) // len(spelling)  # escapes are longer
            return f"{reply[: places[shown - 1] + 1]}..."
    return None


@lru_cache(maxsize=16)  # an answer may have the same long reply a thousand times
def _spellings(reply: str) -> tuple[str, ...]:
    """The usual spellings of a reply, without blanks: the text, its value, and text of that."""
    texts = _as_data(_read(reply))
    spellings = [reply, *_as_data(reply), *texts, *chain.from_iterable(map(_as_data, texts))]
    return tuple(map(_without_blanks, spellings))


def _as_data(value: Json) -> tuple[str, ...]:
    """A value as JSON, as JSON with escapes, and as Python writes it."""
    return json.dumps(value, ensure_ascii=False), json.dumps(value), repr(value)


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def spelling_of(reply: Json) -> str:
    """One spelling of a reply: JSON text is read, and blanks in other text count once."""
    reply = _read(reply)
    return single_spaced(reply) if isinstance(reply, str) else key_of({"reply": reply})


def _read(reply: Json) -> Json:
    """A reply, as JSON if it is text of JSON."""
    if isinstance(reply, str):
        try:
            return read_literal(reply)
        except (ValueError, RecursionError):
            return reply
    return reply
