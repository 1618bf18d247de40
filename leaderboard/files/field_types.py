"""Types of single fields that several file formats share, checked by pydantic."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable
from typing import Annotated, Any, Final, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import core_schema

from leaderboard.limits import LEAST_AMOUNT, MARKS, MOST_DOLLARS, MOST_SECONDS, MOST_TOKENS
from leaderboard.texts.unicode_forms import BLANK_HANGUL, mark_runs

# Schemas are built at first use, because most commands use few of them.
# CLOSED is for this project's own formats, OPEN for those of other systems.
CLOSED: Final = ConfigDict(
    extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True
)
OPEN: Final = ConfigDict(extra="allow", strict=True, allow_inf_nan=False, defer_build=True)
# Further keys are not even copied: responses files have a million records.
TOLERANT: Final = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False, defer_build=True)
DEFERRED: Final = ConfigDict(defer_build=True)

CaseId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]

# Control characters, and those that show nothing or turn the direction of a text.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# The signs of Braille and of music show nothing either. They are no letters.
_BLANK: Final = BLANK_HANGUL | {"\u2800", "\U0001d159"}
_JOINERS: Final = frozenset("\u200c\u200d")  # of Persian words and of emoji


def _seen(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    for char, marks in mark_runs(text):
        category = unicodedata.category(char)
        hidden = category in _UNSEEN and char not in _JOINERS
        if hidden or char in _BLANK:
            raise ValueError(f"a line must not hold invisible characters: U+{ord(char):04X}")
        if marks > MARKS:
            raise ValueError(f"a line must not hold more than {MARKS} marks on one character")
    if all(unicodedata.category(char)[0] in "MCZ" for char in text):
        raise ValueError("a line must contain at least one letter, digit or sign")
    return text


def _real_date(text: str) -> str:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        raise ValueError("a date must have the form YYYY-MM-DD")
    try:
        datetime.date.fromisoformat(text)
    except ValueError as error:
        what = "a date must have the form YYYY-MM-DD and be a day of the calendar"
        raise ValueError(what) from error
    return text


def web_address(text: str) -> str:
    """The address of a web page. Raises ValueError with what is wrong with it."""
    if not re.fullmatch(r"https?://[^\s<>\"'\\]{1,2000}", text):
        raise ValueError("a URL must start with https:// or http:// and have no spaces or quotes")
    try:
        address = urlsplit(text)
        readable = bool(address.hostname) and (address.port is None or address.port > 0)
    except ValueError:
        readable = False
    if not readable:
        raise ValueError("a URL must contain a host, and a port must be a number")
    if "@" in address.netloc:
        raise ValueError("a URL must not have a user name: what comes before @ is not the host")
    if not address.netloc.isascii():
        why = "letters can look alike"
        raise ValueError(f"a URL must write its host in ASCII, others as xn--…: {why}")
    return text


def base_address(text: str) -> str:
    """An address that others begin with. Raises ValueError with what is wrong with it."""
    if found := re.search(r"[?#]", web_address(text)):
        mark, why = found[0], "page addresses are added to its end"
        raise ValueError(f"this URL must not contain {mark!r}: {why}. Remove {mark!r} and the rest")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("this text must not be blank")
    return text


def text_form(
    pattern: str, what: str, least: int | None = None, most: int | None = None
) -> GetPydanticSchema:
    """Rejects texts of another form or number of characters. The message is `what`."""
    schema = core_schema.custom_error_schema(
        core_schema.str_schema(pattern=pattern, min_length=least, max_length=most),
        custom_error_type="text_form",
        custom_error_message=what,
    )
    return GetPydanticSchema(lambda _source, _handler: schema)


def written_as(shape: object, read: Callable[..., object]) -> GetPydanticSchema:
    """Makes a field from what its file holds. `read` may raise ValueError with the reason."""
    return GetPydanticSchema(
        lambda _source, handler: core_schema.no_info_after_validator_function(
            read, handler.generate_schema(shape)
        )
    )


def from_list(least: int = 0) -> GetPydanticSchema:
    """Makes a tuple of a list, which messages call a list, and which has this many items."""

    def schema(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        items = handler.generate_schema(get_args(source)[0])
        list_schema = core_schema.list_schema(items, min_length=least)
        return core_schema.no_info_after_validator_function(tuple, list_schema)

    return GetPydanticSchema(schema)


Line = Annotated[
    str,
    text_form(
        r"^[^\r\n]*\S[^\r\n]*$", "this needs one line of text, of 1 to 200 characters", 1, 200
    ),
    AfterValidator(_seen),
]
Identifier = Annotated[
    str,
    text_form(
        r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
        "an id has up to 64 letters, digits, dots, dashes and underscores",
    ),
]
Date = Annotated[str, AfterValidator(_real_date)]
WebAddress = Annotated[str, AfterValidator(web_address)]
BaseAddress = Annotated[str, AfterValidator(base_address)]
AnswerText = Annotated[str, AfterValidator(_not_blank)]


def _amount(unit: str, most: int) -> GetPydanticSchema:
    """Rejects numbers out of range and names the range.

    No Python function is called for an amount, because a board has a million of them.
    """
    what = f"an amount is 0, or from {LEAST_AMOUNT:g} to {most:,} {unit}"
    schema = core_schema.union_schema(
        [core_schema.float_schema(ge=LEAST_AMOUNT, le=most), core_schema.float_schema(ge=0, le=0)],
        custom_error_type="amount",
        custom_error_message=what,
    )
    return GetPydanticSchema(lambda _source, _handler: schema)


def _amount_schema(most: int) -> WithJsonSchema:
    """The same range for the JSON Schema, which cannot show a Python function."""
    return WithJsonSchema(
        {"type": "number", "anyOf": [{"const": 0}, {"minimum": LEAST_AMOUNT, "maximum": most}]}
    )


TokenCount = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
Dollars = Annotated[float, _amount("US dollars", MOST_DOLLARS), _amount_schema(MOST_DOLLARS)]
Seconds = Annotated[float, _amount("seconds (a year)", MOST_SECONDS), _amount_schema(MOST_SECONDS)]
