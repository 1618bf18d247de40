"""The final answer of a response to a question of kind `exact`.

It is what follows the last "Answer:" or "The answer is", or what is in the last LaTeX box. Without
one of these, it is what follows the last "option is" or "choice is", or else the whole response.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from leaderboard.texts.markdown_marks import strip_emphasis
from scoring.facts.canonical_text.latex import without_latex
from scoring.rules.json_equality import caseless

# The blanks are possessive: three runs of them would share a long run in very many ways.
_IS: Final = r"[ \t]*+(?:is|are)\b[ \t]*+:?[ \t]*+"
_COLON: Final = r"\**+[ \t]*+[:=：]\**+[ \t]*+"  # "**Answer:** Paris"
# "Shall I show why the answer is 3?" marks no answer.
_ABOUT: Final = r"(?P<about>\b(?:how|why|whether|what|where|when|if)[ \t]+(?:\w+[ \t]+){0,3})?"
# "I hope this answer is helpful" marks none either.
_ARTICLE: Final = (
    r"(?:\b(?:the|my|final|correct)[ \t]++(?:\w++[ \t]++){0,2}?|(?:^|[.,;:!?])[ \t*_]{0,9})"
)
_ANSWER: Final = re.compile(
    rf"{_ABOUT}(?:\banswer{_COLON}|{_ARTICLE}answer{_IS})", re.IGNORECASE | re.MULTILINE
)
# Neither does "Every other option is wrong".
_REJECTED: Final = r"[ \t]*+(?:wrong|incorrect|false|not)\b"
_OPTION: Final = re.compile(
    rf"{_ABOUT}\b(?<!other )(?:option|choice)(?:{_IS}|{_COLON})(?!{_REJECTED})", re.IGNORECASE
)
_BOX: Final = re.compile(r"\\boxed\{((?:[^{}\n]|\{[^{}\n]{0,200}\}){0,200})\}")
# A formula that is all of a text.
_FORMULA: Final = re.compile(r"(?:\$\$?|\\[(\[])((?:\\\$|[^$])+)(?:\$\$?|\\[)\]])\.?")
_MARKS: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_NO_EMPHASIS: Final = str.maketrans("", "", "*_`")
# The marks of Markdown for a block of code and for a quotation.
_QUOTED: Final = re.compile(r"(?m)^[ \t]*(?:```.*|>[ \t]?)")


class Readings(NamedTuple):
    """A text as it is written, without emphasis (`plain`), and also without LaTeX (`unstyled`)."""

    written: str
    plain: str
    unstyled: str


class FinalAnswer(NamedTuple):
    """The final answer of a response. `marked`: the response marks it. `whole`: all of it."""

    marked: bool
    final: Readings
    whole: Readings


def read_final_answer(text: str) -> FinalAnswer:
    """Finds the final answer of a response, and reads it."""
    plain = strip_emphasis(text)
    marked = final_answer(plain)
    final = marked or _unquoted(plain)
    written = final
    if plain != text:
        written = final_answer(text) or _unquoted(text)
    if written.translate(_NO_EMPHASIS).split() != final.translate(_NO_EMPHASIS).split():
        written = final  # emphasis hides a mark, so that this is another part of the response
    return FinalAnswer(
        marked=marked is not None,
        final=Readings(written, final, _unstyled(final)),
        whole=Readings(text, plain, _unstyled(plain)),
    )


def _unstyled(text: str) -> str:
    """The text without the LaTeX that only styles it."""
    formula = _FORMULA.fullmatch(text.strip())
    return without_latex(formula[1] if formula else text).strip()


def final_answer(text: str) -> str | None:
    """What a response marks as its answer, in one line; None if it marks nothing."""
    text = _unquoted(text)
    marked = _after_last(_ANSWER, text)
    boxes: list[str] = _BOX.findall(text if marked is None else marked)
    if boxes:
        return boxes[-1].strip()
    if marked is None:
        marked = _after_last(_OPTION, text)
    return marked.partition("\n")[0].strip() if marked else None


def _unquoted(text: str) -> str:
    """The text without the marks of quotations and blocks of code."""
    return _QUOTED.sub("", text).strip()


def _after_last(mark: re.Pattern[str], text: str) -> str | None:
    """What follows the last of these marks; None without one."""
    place = None
    for found in mark.finditer(text):
        if found["about"] is None:
            place = found.end()
    return None if place is None else text[place:].strip()


@lru_cache(maxsize=1024)
def accepted_forms(accepted: str) -> frozenset[str]:
    """An accepted text as it is compared. LaTeX may style it in other ways than an answer."""
    return frozenset((normal_form(accepted), normal_form(_unstyled(accepted))))


def normal_form(text: str) -> str:
    """The text as it is compared.

    Letter case, white space, the kind of quotation marks, quotation marks around the text and a
    full stop at its end do not matter.
    """
    plain = caseless(text.translate(_MARKS))
    return plain.strip("\"'").removesuffix(".").strip("\"' ") or plain
