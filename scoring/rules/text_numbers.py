"""The numbers that a text writes in decimal digits, also with a decimal comma: "1,5"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from leaderboard.texts.short_text import single_spaced
from leaderboard.texts.unicode_forms import normalised
from scoring.facts.canonical_text.decimal_commas import with_decimal_points
from scoring.facts.number_closeness import ROUGHLY
from scoring.rules.json_equality import distance
from scoring.rules.text_rule import strip_emphasis

# The digits of H2O are no number, nor is the 3 of v1.2.3. A dash directly after a word, a digit or
# a bracket is no sign. A currency may be between: "-$5".
_NUMBER: Final = re.compile(
    r"""
    (?P<sign> (?<![\w)\]])[+\-\u2212\u2013]
      | (?: (?<![\w)\]$])[+\-\u2212\u2013]
          | \b(?P<word>(?i:minus|(?<!non-)negative))\s )
        (?:\\?[$\u00a3\u00a5\u20a0-\u20cf])? )?
    (?P<digits> (?<!\w)(?<![0-9]\.)
        (?: (?: [0-9]{1,3} (?P<mark>[,'_\u00a0\u2009\u202f\u2019])[0-9]{3}
                (?:(?P=mark)[0-9]{3})*(?![0-9])
              | [0-9]+ )
            (?:\.[0-9]+)?
          | \.[0-9]+ )
        (?:[eE][+\-\u2212]?[0-9]+)? )
    (?: \s?(?:[x*\u00d7\u00b7]|\\times|\\cdot)\s?10
        (?: \^\{?(?P<power>[+\-\u2212]?[0-9]{1,3})(?![0-9])\}?
          | (?P<raised>\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,3}) ) )?
    """,
    re.VERBOSE,
)
# What precedes "minus" or "negative" as a sign: the start of a clause, or one of these words. In
# "ten minus 5", "y minus 3" and "the opposite of negative 5" it is none.
_BEFORE_SIGN: Final = re.compile(
    r"(?i)(?:^|\n\s*|[^\w\s)\]}%$\u20ac]\s*|\b(?:(?<!input )(?:is|are|was|were|be)"
    r"|(?<!negative )(?<!opposite )of|to|at|by|from|or|and|than|now|exactly|equals?|gives?|yields?"
    rf"|a|gets?|got|returns?|returned|{'|'.join(sorted(ROUGHLY))})\s+)$"
)
# Words before a number that is not the result: "not the usual 24", "the standard result of 5".
_SMALL: Final = (
    r"(?:the|a|an|usual|standard|normal|ordinary|regular|conventional|result|value|answer|number"
    r"|sum|product|of|is|was|be|would|it|it's|this|that|these|you'd|as|to|equal|equals|give|gives"
    r"|expect|expected|you|get|yield|yields)"
)
_NO_RESULT: Final = re.compile(
    r"(?i)(?:\b(?:not|cannot|never|anything but|other than|instead of|rather than"
    r"|differ(?:s|ent)? from|unlike|usual|ordinary|standard|regular|conventional)|n['\u2019]t)"
    rf"(?:\s+{_SMALL}\b){{0,6}}[\s=:$]*$"
)
_ARITHMETIC: Final = (
    r"(?:ordinary|standard|normal|usual|regular|conventional) (?:arithmetic|maths?|mathematics"
    r"|addition|subtraction|multiplication|division)"
)
_USUALLY: Final = r"\b(?:usually|normally|ordinarily|conventionally)"
_AFTER_USUAL: Final = re.compile(
    rf"(?i)(?:{_USUALLY}|(?<!\bunlike )(?<!\bas )(?<!\bthan )\bin {_ARITHMETIC})\b"
    rf",?(?:\b{_SMALL}\b|[\s\d.+*/^()=$\u2212\u00d7\u00f7-])*$"
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
    r"|\b(?:but|while|whereas|(?:al)?though|here|so|and(?!\s\d)|instead of|than|unlike|versus|vs"
    r"|compared (?:to|with)|in contrast to|as opposed to|if|when|where)\b"
)
# What follows a number that the answer turns down: "6.2, which is an error", "6.2 isn't right". The
# bounds keep the search linear on hostile text.
_NEGATED: Final = r"(?:\b(?:is|was|can|could|would) ?not|\b(?:is|was|ca|could|would)n['\u2019]t)"
_TURNED_DOWN: Final = re.compile(
    r"(?i)[\s)\"'`]{0,4}[,;:(\s\u2013\u2014-]{0,4}"
    r"(?:\b(?:but\s)?(?:which|that|this|it|is|was|would be|seems|looks)\b[^.!?\n0-9]{0,40}?"
    r"\b(?:error|bug|glitch|mistake|wrong|incorrect)\b"
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
_OR: Final = re.compile(
    r"(?i)(?:\s\w+)?\s*[,.;:)]?\s+or\s+(?:(?:maybe|perhaps|possibly|even|else|it is|it's)\s+)*"
)
_UP_TO: Final = re.compile(r"(?i)\s+(?:to|up to|through)\s+|[-\u2013]")
_AND: Final = re.compile(r"(?i)\s+and\s+")
_BETWEEN: Final = re.compile(r"(?i)\bbetween\s+$")
_FROM: Final = re.compile(r"(?i)\bfrom\s+$")  # "it goes from 5 to 6.2" gives 6.2
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s|$)|\n")
_REACH: Final = 80  # characters before and after a number
_PLAIN: Final = str.maketrans({"\u2212": "-"} | dict.fromkeys(",'_\u00a0\u2009\u202f\u2019"))


def first_number(text: str) -> Decimal | None:
    """The first number of a text, with or without thousands separators; None without one."""
    return _decimal(next(_written(text), None))


def last_number(text: str) -> Decimal | None:
    """The last number of a text, with or without thousands separators; None without one."""
    *_, last = None, *_written(text)
    return _decimal(last)


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
    written = list(_written(text))
    if _EXPLAINED.fullmatch(plain):
        written = written[:1]
    last = _result(plain, written)
    value = _decimal(last)
    if last is None or value is None:
        return None
    starts = [end.end() for end in _SENTENCE_END.finditer(plain, 0, last.start())]
    end = _SENTENCE_END.search(plain, last.end())
    sentence = plain[starts[-1] if starts else 0 : end.start() if end else len(plain)]
    is_rounded = _ROUNDED.search(sentence) is not None
    return StatedNumber(value, is_rounded, _choice(plain, written, last))


def _choice(text: str, written: list[re.Match[str]], last: re.Match[str]) -> str:
    """The choice or the range that ends with a number: "5 or 6.2". Empty if there is none."""
    place = written.index(last)
    if not place:
        return ""
    other = written[place - 1]
    before = text[max(0, other.start() - _REACH) : other.start()]
    if before.endswith("/") or _rounds(_decimal(other), _decimal(last)):
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


def _written(text: str) -> Iterator[re.Match[str]]:
    return _NUMBER.finditer(with_decimal_points(strip_emphasis(text)))


def _decimal(found: re.Match[str] | None) -> Decimal | None:
    if found is None:
        return None
    power = found["power"] or normalised("NFKC", found["raised"] or "")
    exponent = f"e{power}" if power else ""
    sign = "-" if _is_negative(found) else ""
    try:
        return Decimal(f"{sign}{found['digits']}{exponent}".translate(_PLAIN))
    except InvalidOperation:  # an exponent above 10**18 is not meant as a number
        return None


def _is_negative(found: re.Match[str]) -> bool:
    if not found["word"]:
        return not (found["sign"] or "+").startswith("+")
    before = found.string[max(0, found.start() - _REACH) : found.start()]
    return _BEFORE_SIGN.search(before) is not None
