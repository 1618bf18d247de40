"""The number that an answer gives as its result, apart from those that it only mentions."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Final, NamedTuple

from leaderboard.texts.markdown_marks import strip_emphasis
from leaderboard.texts.short_text import single_spaced
from scoring.facts.number_closeness import ROUGHLY
from scoring.facts.toml_tables import phrases, read_table
from scoring.rules.json_equality import distance
from scoring.rules.text_numbers import value_of, written_numbers

_TABLE: Final = read_table("stated_number.toml", Path(__file__).parent)
# Each list as the alternatives of a pattern.
_WORDS: Final = {name: "|".join(phrases(text)) for name, text in _TABLE.items()}

_FILLER: Final = rf"(?:{_WORDS['filler']})"
_NO_RESULT: Final = re.compile(
    rf"(?i)(?:\b(?:{_WORDS['no_result']})|n['\u2019]t)(?:\s+{_FILLER}\b){{0,6}}[\s=:$]*$"
)
_ARITHMETIC: Final = rf"(?:{_WORDS['ordinary']}) (?:{_WORDS['arithmetic']})"
_USUALLY: Final = rf"\b(?:{_WORDS['usually']})"
_AFTER_USUAL: Final = re.compile(
    rf"(?i)(?:{_USUALLY}|(?<!\bunlike )(?<!\bas )(?<!\bthan )\bin {_ARITHMETIC})\b"
    rf",?(?:\b{_FILLER}\b|[\s\d.+*/^()=$\u2212\u00d7\u00f7-])*$"
)
_USUAL: Final = (
    rf"(?:{_USUALLY}"
    r"|(?<!\bunlike )(?<!\bas )(?<!\bthan )(?<!\bnot )\b(?:in|(?P<means>with|by|using))"
    rf" (?:our |the )?(?:{_ARITHMETIC}|real world|(?<=our )(?:universe|world))"
    rf"|\b{_ARITHMETIC},? where)\b"
)
_SAYS_USUAL: Final = re.compile(rf"(?i){_USUAL}")
# "Using normal arithmetic, the answer is 5" gives a result. So does "5, which is my answer".
_GIVES: Final = re.compile(r"(?i)\b(?:answer|correct)\b")
_IS_GIVEN: Final = re.compile(
    r"(?i),\s(?:(?:and\s)?(?:which|that)\sis\s)?(?:my|the)\sanswer\b(?=[.!;,)]|\s*$)"
)
# The comma of "normally, 2 + 3 = 5" ends no clause. A dash between numbers may be a minus.
_CLAUSE_END: Final = re.compile(
    rf"(?i)(?P<usual>(?:{_USUAL}|{_ARITHMETIC})(?:,?\swhere\b|[,:]))"
    r"|[.!?](?=\s|$)|[\n;\u2014\[]|[,:](?=\s)|(?<=[a-z]{3})\)(?=\s)"
    r"|(?<=[^\s*+/^\u00d7\u00f7\u2212-]\s)\(|\s[\u2013-]\s(?=[a-z])"
    rf"|\b(?:and(?!\s\d)|{_WORDS['clause_start']})\b"
)
# What follows a number that the answer turns down: "6.2, which is an error", "6.2 isn't right". The
# bounds keep the search linear on hostile text.
_NEGATED: Final = r"(?:\b(?:is|was|can|could|would) ?not|\b(?:is|was|ca|could|would)n['\u2019]t)"
_TURNED_DOWN: Final = re.compile(
    r"(?i)[\s)\"'`]{0,4}[,;:(\s\u2013\u2014-]{0,4}"
    rf"(?:\b(?:but\s)?(?:{_WORDS['turning']})\b[^.!?\n0-9]{{0,40}}?\b(?:{_WORDS['error']})\b"
    r"|(?:\b(?:but\s)?(?:which|that|this|it)\b[^.!?\n0-9]{0,40}?)?"
    rf"{_NEGATED} (?:be )?(?:correct|right|(?:the|my) (?:answer|result)(?=\s*(?:[.!?,;]|$)))\b)"
)
# A whole answer such as "5. (The tool gave 6.2, which is odd.)": the brackets explain the number.
_EXPLAINED: Final = re.compile(r"\s*-?[0-9][0-9.,]*\s\([A-Za-z][^()]*\)\.?\s*")
_PLACES: Final = re.compile(
    r"(?i)\s*(?:decimals?|(?:decimal |significant )?(?:places?|digits?|figures?)|d\.?p\b|s\.?f\b)"
)
_TO: Final = re.compile(r"(?i)\bto\s*$")
_ROUNDED: Final = re.compile(rf"(?i)[\u2248\u2245~]|\b(?:{'|'.join(sorted(ROUGHLY))}|rounded)\b")
# Between two numbers of which an answer chooses neither: "5 or 6.2", "between 5 and 6.2", "5-6.2".
_OR: Final = re.compile(rf"(?i)(?:\s\w+)?\s*[,.;:)]?\s+or\s+(?:(?:{_WORDS['perhaps']})\s+)*")
_UP_TO: Final = re.compile(r"(?i)\s+(?:to|up to|through)\s+|[-\u2013]")
_AND: Final = re.compile(r"(?i)\s+and\s+")
_BETWEEN: Final = re.compile(r"(?i)\bbetween\s+$")
_FROM: Final = re.compile(r"(?i)\bfrom\s+$")  # "it goes from 5 to 6.2" gives 6.2
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s|$)|\n")
_REACH: Final = 80  # characters before and after a number


class StatedNumber(NamedTuple):
    """A number, and whether its sentence says that it is rounded.

    `choice`: what the answer writes where it does not decide on the number, as in "5 or 6.2".
    """

    value: Decimal
    rounded: bool
    choice: str = ""


def last_stated(text: str) -> StatedNumber | None:
    """The last number that a text gives as its result, and does not only compare it with.

    In "26.4, not the usual 24" and in "26.4 (rounded to 2 decimal places)" it is 26.4.
    If every clause says what is usual, only a number directly after "usually" is no result.
    """
    plain = strip_emphasis(text)
    written = list(written_numbers(plain))
    if _EXPLAINED.fullmatch(plain):
        written = written[:1]
    last = _result(plain, written)
    value = value_of(last) if last else None
    if last is None or value is None:
        return None
    is_rounded = _ROUNDED.search(_sentence_of(plain, last)) is not None
    return StatedNumber(value, is_rounded, _choice(plain, written, last))


def _sentence_of(text: str, found: re.Match[str]) -> str:
    starts = [end.end() for end in _SENTENCE_END.finditer(text, 0, found.start())]
    end = _SENTENCE_END.search(text, found.end())
    return text[starts[-1] if starts else 0 : end.start() if end else len(text)]


def _choice(text: str, written: list[re.Match[str]], last: re.Match[str]) -> str:
    """The choice or the range that ends with a number: "5 or 6.2". Empty if there is none."""
    place = written.index(last)
    if not place:
        return ""
    other = written[place - 1]
    before = text[max(0, other.start() - _REACH) : other.start()]
    if before.endswith("/") or _rounds(value_of(other), value_of(last)):
        return ""  # "31/5 or 6.2" and "5.23, or 5.2324" give one value in two ways
    between = text[other.end() : last.start()]
    is_choice = (
        _OR.fullmatch(between)
        or (_UP_TO.fullmatch(between) and not _FROM.search(before))
        or (_AND.fullmatch(between) and _BETWEEN.search(before))
    )
    if not is_choice:
        return ""
    return single_spaced(text[other.start() : last.end()])


def _rounds(one: Decimal | None, other: Decimal | None) -> bool:
    """Whether two numbers are equal, or one of them is the other with fewer decimal places."""
    if one is None or other is None or one == other:
        return True
    places = max(one.as_tuple().exponent, other.as_tuple().exponent)
    if not isinstance(places, int) or places >= 0:
        return False
    return distance(one, other) <= Decimal((0, (1,), places)) / 2


def _result(text: str, written: list[re.Match[str]]) -> re.Match[str] | None:
    for is_usual in (_is_usual, _follows_usual):
        for found in reversed(written):
            is_other = _is_no_result(text, found) or is_usual(text, found)
            if _IS_GIVEN.match(text, found.end()) or not is_other:
                return found
    return None


def _is_no_result(text: str, found: re.Match[str]) -> bool:
    """Whether a number is denied, turned down, or the number of decimal places."""
    before = text[max(0, found.start() - _REACH) : found.start()]
    if _PLACES.match(text, found.end()) and _TO.search(before):
        return True
    if _TURNED_DOWN.match(text, found.end()):
        return True
    return _NO_RESULT.search(before) is not None


def _follows_usual(text: str, found: re.Match[str]) -> bool:
    return _AFTER_USUAL.search(text[max(0, found.start() - _REACH) : found.start()]) is not None


def _is_usual(text: str, found: re.Match[str]) -> bool:
    """Whether the clause of a number only says what is usual: "2 + 3 normally equals 5"."""
    first, end = max(0, found.start() - _REACH), found.end() + _REACH
    for mark in _CLAUSE_END.finditer(text, first, found.end() + _REACH):
        if mark["usual"]:
            continue
        if mark.start() >= found.end():
            end = mark.start()
            break
        first = mark.end()
    usual = _SAYS_USUAL.search(text, first, end)
    if usual is not None and usual["means"]:
        return _GIVES.search(text, first, end) is None
    return usual is not None
