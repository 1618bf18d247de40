"""What a case of kind `exact` accepts: texts, a number, a pattern, or one of its options.

Patterns are matched by the engine that comes with pydantic (Rust's regex). It needs time in
proportion to the text, so no answer of a stranger can make a pattern of the board's owner hang.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from string import ascii_uppercase
from typing import Final

from pydantic_core import SchemaError, SchemaValidator, core_schema

LETTERS: Final = ascii_uppercase  # of the options, in order
PATTERN_LENGTH: Final = 300  # characters of a pattern
MATCHED_LENGTH: Final = 1_000  # characters of an answer that a pattern is tried on


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """The accepted answers of a case. One of them is enough.

    With `options`, only `option` is accepted: the position of the right one. `tolerance` is the
    largest accepted difference from `number`.
    """

    texts: tuple[str, ...] = ()
    number: Decimal | None = None
    tolerance: Decimal = Decimal(0)
    pattern: str | None = None
    options: tuple[str, ...] = ()
    option: int | None = None

    @property
    def example(self) -> str | None:
        """An answer that is accepted, or None if only a pattern says what is."""
        if self.option is not None:
            return LETTERS[self.option]
        if self.texts:
            return self.texts[0]
        return None if self.number is None else str(self.number)


def question_with_options(query: str, options: tuple[str, ...]) -> str:
    """A question as it is asked: with one lettered line for each option."""
    lines = [f"{letter}) {option}" for letter, option in zip(LETTERS, options, strict=False)]
    return "\n".join([query, "", *lines]) if lines else query


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern matches the whole text. Raises ValueError if it is not a pattern."""
    return _validator(pattern).isinstance_python(text)


def pattern_problem(pattern: str) -> str | None:
    """Why a text cannot be used as a pattern, in one line; None if it can."""
    if len(pattern) > PATTERN_LENGTH:
        return f"has {len(pattern):,} characters; the limit is {PATTERN_LENGTH}"
    try:
        _compiled(pattern)  # alone too: `a)|(b` must not close the group around it
        _validator(pattern)
    except ValueError as error:
        return f"is not a pattern: {error}"
    return None


@lru_cache(maxsize=1024)
def _validator(pattern: str) -> SchemaValidator:
    return _compiled(rf"\A(?:{pattern})\z")


def _compiled(pattern: str) -> SchemaValidator:
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError as error:
        # The last line holds the reason. The others show the place with a caret.
        reason = str(error).strip().splitlines()[-1].strip().removeprefix("error: ")
        raise ValueError(reason.removeprefix("SchemaError: ")) from error
