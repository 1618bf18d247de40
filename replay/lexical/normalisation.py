"""Normalises texts for the embedded judge, so that equal things become equal tokens.

`normalise(text)` folds letter case, accents, punctuation, plurals, spellings, units and dates. A
date becomes `@d2027-06-18` (`@d-06-18` without its year), a time `@t15:30`, a number its shortest
form, an operator itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from leaderboard.texts.unicode_forms import normalised
from replay.lexical.judge_vocabulary import (
    ARTICLES,
    FILLER,
    GENERIC,
    HOURS,
    LETTERED,
    MONTHS,
    NEGATIONS,
    NUMBERS,
    PHRASES,
    SIGNS,
    STATES,
    TENS,
    WEEKDAYS,
    WORDS,
    any_of,
)

OPERATORS: Final = frozenset("+-*/^=<>")

_WRITTEN: Final = re.compile(r"[^\W\d_]+")

_TOKEN: Final = re.compile(
    r"@[dt][\d:.-]+"  # a date or a time that the substitutions below have written
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # an e-mail address
    r"|(?:(?<=^)|(?<=[\s(=*/^+<>-]))-\d+(?:\.\d+)?|\d+(?:\.\d+)?"  # a number
    r"|[^\W\d_]+"  # a word
    r"|[-+*/^=<>()]"
)


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """A text as tokens. `words` holds all of them but articles; the other fields are selections."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    names: frozenset[str]
    addresses: frozenset[str]
    negations: int

    @property
    def content(self) -> tuple[str, ...]:
        """The words that carry meaning, in order: without filler, operators and brackets."""
        return tuple(
            word
            for word in self.words
            if word not in FILLER and word not in OPERATORS and word not in "()"
        )

    @property
    def key_stems(self) -> frozenset[str]:
        """The stems of the content, without negations and words that are generic beside a value."""
        return frozenset(
            stem(word) for word in self.content if word not in GENERIC and word not in NEGATIONS
        )

    @property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(map(stem, self.words))


@lru_cache(maxsize=1024)
def normalise(text: str) -> NormalisedText:
    """Splits a text into normalised tokens. Accepts any text."""
    words = _words(text)
    return NormalisedText(
        words=words,
        numbers=tuple(filter(is_number, words)),
        names=_names(text),
        addresses=frozenset(filter(_is_address, words)),
        negations=sum(word in NEGATIONS for word in words),
    )


def is_number(word: str) -> bool:
    """Whether a token is a number, a date or a time."""
    return word[0] == "@" or word[0].isdigit() or (word[0] == "-" and len(word) > 1)


def _is_address(word: str) -> bool:
    return "@" in word[1:]


def _words(text: str) -> tuple[str, ...]:
    found = [word for token in _TOKEN.findall(_plain(text)) if (word := _folded(token))]
    if any(word.startswith("@d") for word in found):
        # The date already implies the weekday.
        found = [word for word in found if word not in WEEKDAYS]
    return tuple(
        word
        for before, word in pairwise(("", *found))
        if word not in ARTICLES or (word == "a" and before in LETTERED)
    )


def _folded(token: str) -> str:
    if token[0] == "@" or _is_address(token):
        return token.rstrip(".-:")
    if is_number(token):
        return token.rstrip("0").rstrip(".") if "." in token else token
    if token in NUMBERS:
        return str(NUMBERS[token])
    if token in WORDS:
        return WORDS[token]
    single = singular(token)
    return WORDS.get(single, single)


def singular(word: str) -> str:
    """Removes a plural ending, roughly: berries and boxes lose it, glass and bus keep theirs."""
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word.removesuffix("s")


_ENDINGS: Final = ("ations", "ation", "ings", "ing", "edly", "ied", "ed", "ly", "es", "s", "e", "y")


def stem(word: str) -> str:
    """Removes a word's ending, for comparing meanings: booking, booked and book become one."""
    if not word.isalpha() or len(word) < 5:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def written_words(text: str) -> dict[str, str]:
    """Maps the stem of each word of a text to the word as the text first writes it."""
    found: dict[str, str] = {}
    for word in _WRITTEN.findall(normalised("NFKC", text)):
        found.setdefault(stem(_folded(_unaccented(word))), word)
    return found


# ---------------------------------------------------------------- from text to tokens

_SIGNS: Final = str.maketrans(SIGNS)
_THIN_SPACE: Final = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
# A text must not smuggle in a date token: only this module writes them.
_DATE_TOKEN: Final = re.compile(r"(?<![\w.+-])@(?=[dt][\d-])")
_STATE: Final = re.compile(r"(?<=[a-z]), ?([A-Z]{2})\b")


def _plain(text: str) -> str:
    """The text in lower case, without accents or Markdown, with uniform dates and times."""
    text = _DATE_TOKEN.sub(" ", _THIN_SPACE.sub("", text)).translate(_SIGNS)
    text = _STATE.sub(lambda match: " " + STATES.get(match[1], match[1]), text)
    text = _unaccented(text)
    for pattern, replacement in _SUBSTITUTIONS:
        text = pattern.sub(replacement, text)
    return text


def _unaccented(text: str) -> str:
    """The text in lower case and without accents."""
    text = normalised("NFKD", normalised("NFKC", text))
    return "".join(letter for letter in text if not unicodedata.combining(letter)).casefold()


Replacement = str | Callable[[re.Match[str]], str]


def _date(year: int, month: int, day: int) -> Replacement:
    """A function that writes a date token from the groups with these numbers."""

    def write(match: re.Match[str]) -> str:
        number = MONTHS.get(match[month]) or int(match[month])
        return f" @d{match[year] or ''}-{number:02d}-{int(match[day]):02d} "

    return write


def _slashed_date(match: re.Match[str]) -> str:
    """Reads 18/06/2027 and 06/18/2027. 05/06/2027 is ambiguous and stays three numbers."""
    first, second = int(match[1]), int(match[2])
    if first > 12 >= second:
        return f" @d{match[3]}-{second:02d}-{first:02d} "
    if second > 12 >= first:
        return f" @d{match[3]}-{first:02d}-{second:02d} "
    return match[0].replace("/", " ")


def _time(hour: int, minute: int, half: str | None) -> str:
    """Writes a time token. `half` is the half of the day as the text has it: `p.m.`, say."""
    letters = (half or "").replace(".", "").strip()
    if hour <= 12 and letters:
        later = letters in ("pm", "in the afternoon", "in the evening")
        hour = hour % 12 + (12 if later else 0)
    return f" @t{hour:02d}:{minute:02d} "


def _hour(written: str) -> int:
    return HOURS[written] if written in HOURS else int(written)


_MONTH: Final = f"({any_of(MONTHS)})" + r"\b\.?"
_DAY: Final = r"\b(\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,?\s+(\d{4})\b)?"
_HOUR: Final = f"({any_of(HOURS)}" + r"|\d{1,2})"
_HALF: Final = r"(\s*(?:a\.?m\b\.?|p\.?m\b\.?|in the (?:morning|afternoon|evening)))?"
_DIGITS: Final = any_of(name for name, number in HOURS.items() if number < 10)

# Applied in this order to text in lower case.
_RULES: Final[tuple[tuple[str, Replacement], ...]] = (
    # Markdown: ** is a power between operands, emphasis elsewhere.
    (r"(?<=[\w)])\*\*(?=[\d(])", "^"),
    # The search for the blanks before a heading or an item starts once per run of blanks.
    (r"(?:(?<!\s)[^\S\n]*\n\s*|\A\s*|(?<=\n))(?:#+|[-*•])\s+", "\n "),
    (r"\*\*|__", " "),
    (r"(?<![\d)\s])\s*\*(?!\s*[\d(])|(?<![\d)])(?<![\d)]\s)\*(?!\s*[\d(])", " "),
    # Contractions.
    (r"\bcan'?t\b|\bcannot\b", "can not"),
    (r"\bwon'?t\b", "will not"),
    (r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must)n'?t\b", r"\1 not"),
    (r"'m\b", " am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
    (r"'d\b", " would"),
    (r"o'clock", "oclock"),
    (r"\b(who|what|where|when|that|there|it|he|she|let)'s\b", r"\1 is"),
    (r"'s?\b", ""),
    # C# and C++.
    (r"(?<=\b[a-z])#", " sharp"),
    (r"(?<=\b[a-z])\+\+", " plus plus"),
    # Units and phrases.
    (r"\bdegrees?\s+(celsius|fahrenheit|centigrade|kelvin)|°\s*(celsius|fahrenheit)", r"\1\2"),
    (r"°\s*c\b", " celsius "),
    (r"°\s*f\b", " fahrenheit "),
    (r"°", " degree "),
    (r"%", " percent "),
    (r"&", " and "),
    (r"\bcubed\b", "^3"),
    (r"\bsquared\b", "^2"),
    (rf"(?<![^\W_])({any_of(PHRASES)})(?![^\W_])", lambda match: PHRASES[match[1]]),
    # Numbers: 2,340 and twenty-one.
    (r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])", lambda match: match[0].replace(",", "")),
    (
        rf"\b({any_of(TENS)})[\s-]({_DIGITS})\b",
        lambda match: str(TENS[match[1]] + HOURS[match[2]]),
    ),
    # Dates.
    (r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?=t\d|\b)t?", _date(1, 2, 3)),
    (r"\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b", _date(1, 2, 3)),
    (r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b", _date(3, 2, 1)),
    (r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", _slashed_date),
    (_DAY + r"\s*(?:of\s+)?" + _MONTH + _YEAR, _date(3, 2, 1)),
    (
        r"\b" + _MONTH + r"\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\d:])" + _YEAR,
        _date(3, 1, 2),
    ),
    # Times.
    (rf"\bhalf[ -]past {_HOUR}\b{_HALF}", lambda m: _time(_hour(m[1]), 30, m[2])),
    (rf"\b(?:a )?quarter past {_HOUR}\b{_HALF}", lambda m: _time(_hour(m[1]), 15, m[2])),
    (r"\b(?:a )?quarter to midnight\b", " @t23:45 "),
    (rf"\b(?:a )?quarter to {_HOUR}\b{_HALF}", lambda m: _time((_hour(m[1]) - 1) % 12, 45, m[2])),
    (
        r"\b(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:\s*oclock)?(?!\d)" + _HALF,
        lambda m: _time(int(m[1]), int(m[2]), m[3]),
    ),
    (r"\b(\d{1,2})\s*(a\.?m\b\.?|p\.?m\b\.?)", lambda m: _time(int(m[1]), 0, m[2])),
    (
        rf"\b{_HOUR}\s+(a\.m\.?|p\.m\.?|am\b|pm\b|in the (?:morning|afternoon|evening))",
        lambda m: _time(_hour(m[1]), 0, m[2]),
    ),
    (rf"\b{_HOUR}\s*oclock\b{_HALF}", lambda m: _time(_hour(m[1]), 0, m[2])),
    (r"\b(?:12 )?noon\b", " @t12:00 "),
    (r"\bmidnight\b", " @t00:00 "),
    # Ordinals.
    (r"\b(\d+)(?:st|nd|rd|th)\b", r"\1"),
    # Operators: a hyphen or a slash joins words, and is an operator between other operands.
    (r"(?<=[^\W\d_])[-/](?=[^\W\d_])", " "),
    (r"(?<=\d)\s*\*\s*(?=[a-z]\b)", " "),
    (r"(?<=\d)\s+times\s+(?=\d)", " * "),
    (r"\bdivided by\b", "/"),
)
_SUBSTITUTIONS: Final = tuple((re.compile(rule), replacement) for rule, replacement in _RULES)


# ---------------------------------------------------------------- names


_CALENDAR: Final = WEEKDAYS | frozenset(MONTHS)
_CAPITAL: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PRONOUNS: Final = frozenset({"I", "I'm", "I'll", "I've", "I'd"})


def _names(text: str) -> frozenset[str]:
    """Finds the capitalised words that do not owe their capital to the start of a sentence."""
    names: set[str] = set()
    for sentence in re.split(r"(?<=[.?!:])\s+|\n+", text):
        for position, word in enumerate(_CAPITAL.findall(sentence)):
            acronym = len(word) > 1 and word.isupper()
            if not word[0].isupper() or (position == 0 and not acronym):
                continue
            if word not in _PRONOUNS and word.casefold() not in _CALENDAR:
                names.update(token for token in _words(word) if token not in FILLER)
    return frozenset(names)
