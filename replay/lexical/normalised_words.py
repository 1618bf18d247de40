"""Texts as the embedded judge reads them: the same words, numbers, dates and times however they are written.

`reading(text)` folds letter case, accents, punctuation, plurals, spellings, units and dates into tokens. A date becomes
`@d2027-06-18` (`@d-06-18` without its year), a time `@t15:30`, a number its shortest form, an operator itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from replay.lexical.wordlists import (
    ARTICLES,
    CLOCK,
    FILLER,
    GENERIC,
    LETTERED,
    MONTHS,
    NEGATIONS,
    NUMBERS,
    PHRASES,
    STATES,
    TENS,
    WEEKDAYS,
    WORDS,
)

OPERATORS: Final = frozenset("+-*/^=<>")

_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´ʼ", "'"),
        **dict.fromkeys("“”„«»‹›", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("×·⋅", "*"),
        "÷": "/",
        "√": " square root ",
        "²": "^2",
        "³": "^3",
        "€": " euro ",
        "£": " pound ",
        "$": " dollar ",
        "→": " to ",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ø": "o",
        "Ø": "O",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
    }
)
_THIN: Final = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
_OWN_MARK: Final = re.compile(
    r"(?<![\w.+-])@(?=[dt][\d-])"
)  # nobody writes a date token but this module
_STATE: Final = re.compile(r"(?<=[a-z]), ?([A-Z]{2})\b")
_MONTH: Final = "(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY: Final = r"\b(\d{1,2})(?:st|nd|rd|th)?"
_OF: Final = r"\s*(?:of\s+)?"
_YEAR: Final = r"(?:,?\s+(\d{4})\b)?"
_CLOCK: Final = "(" + "|".join(CLOCK) + r"|\d{1,2})"
_HALF: Final = r"(\s*(?:a\.?m\b\.?|p\.?m\b\.?|in the (?:morning|afternoon|evening)))?"
_TOKEN: Final = re.compile(
    r"@[dt][\d:.-]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:(?<=^)|(?<=[\s(=*/^+<>-]))-\d+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+|[-+*/^=<>()]"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text taken apart. `words` holds every token but articles; the other fields are selections from it."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    names: frozenset[str]
    addresses: frozenset[str]
    negations: int

    @property
    def content(self) -> tuple[str, ...]:
        """The words that carry meaning, in order: no filler, no operators, no negations."""
        return tuple(
            word
            for word in self.words
            if word not in FILLER and word not in OPERATORS and word not in "()"
        )

    @property
    def telling(self) -> frozenset[str]:
        """The stems of the content, without words that are generic beside a value."""
        return frozenset(
            stem(word) for word in self.content if word not in GENERIC and word not in NEGATIONS
        )


@lru_cache(maxsize=1024)
def reading(text: str) -> Reading:
    """A text, taken apart. Never fails, whatever the text holds."""
    words = _words(text)
    return Reading(
        words=words,
        numbers=tuple(word for word in words if is_number(word)),
        names=_names(text),
        addresses=frozenset(word for word in words if _is_address(word)),
        negations=sum(word in NEGATIONS for word in words),
    )


def is_number(word: str) -> bool:
    """Whether a token is a number, a date or a time."""
    return word[0] == "@" or word[0].isdigit() or (word[0] == "-" and len(word) > 1)


def _is_address(word: str) -> bool:
    return "@" in word[1:]


def _words(text: str) -> tuple[str, ...]:
    tokens = [_folded(token) for token in _TOKEN.findall(_plain(text))]
    if any(token.startswith("@d") for token in tokens):
        tokens = [
            token for token in tokens if token not in WEEKDAYS
        ]  # the date says the day already
    return tuple(_without_articles([token for token in tokens if token]))


def _without_articles(tokens: list[str]) -> list[str]:
    return [
        word
        for position, word in enumerate(tokens)
        if word not in ARTICLES or (word == "a" and position and tokens[position - 1] in LETTERED)
    ]


def _folded(token: str) -> str:
    if token[0] == "@" or _is_address(token):
        return token.rstrip(".-:")
    if is_number(token):
        return _short_number(token)
    if token in NUMBERS:
        return str(NUMBERS[token])
    if token in WORDS:
        return WORDS[token]
    single = singular(token)
    return WORDS.get(single, single)


def _short_number(token: str) -> str:
    if "." not in token:
        return token
    return token.rstrip("0").rstrip(".")


def singular(word: str) -> str:
    """A word without its plural ending, roughly: berries, boxes and cars lose it, glass and bus keep theirs."""
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word.removesuffix("s")


_ENDINGS: Final = ("ations", "ation", "ings", "ing", "edly", "ied", "ed", "ly", "es", "s", "e", "y")


def stem(word: str) -> str:
    """What is left of a word without its ending, for comparing meanings: booking, booked and book are one."""
    if not word.isalpha() or len(word) < 5:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


# ---------------------------------------------------------------- from text to tokens


def _plain(text: str) -> str:
    """The text in lower case without accents or Markdown, its phrases, dates and times in their one form."""
    text = _OWN_MARK.sub(" ", _THIN.sub("", text))
    text = _STATE.sub(lambda match: " " + STATES.get(match[1], match[1]), text.translate(_SIGNS))
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text))
    text = "".join(letter for letter in text if not unicodedata.combining(letter)).casefold()
    for step in _STEPS:
        text = step(text)
    return text


def _without_markdown(text: str) -> str:
    text = re.sub(r"(?<=[\w)])\*\*(?=[\d(])", "^", text)
    text = re.sub(r"\*\*|__|(?m:^\s*(?:#+|[-*•])\s+)", " ", text)
    return re.sub(r"(?<![\d)\s])\s*\*(?!\s*[\d(])|(?<![\d)])(?<![\d)]\s)\*(?!\s*[\d(])", " ", text)


_CONTRACTIONS: Final = (
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
)


def _without_contractions(text: str) -> str:
    for pattern, full in _CONTRACTIONS:
        text = re.sub(pattern, full, text)
    return text


_PHRASE: Final = re.compile(
    r"(?<![^\W_])("
    + "|".join(re.escape(phrase) for phrase in sorted(PHRASES, key=len, reverse=True))
    + r")(?![^\W_])"
)


def _with_phrases(text: str) -> str:
    text = re.sub(
        r"\bdegrees?\s+(celsius|fahrenheit|centigrade|kelvin)|°\s*(celsius|fahrenheit)",
        r"\1\2",
        text,
    )
    text = re.sub(
        r"°\s*([cf])\b", lambda match: " celsius " if match[1] == "c" else " fahrenheit ", text
    )
    text = text.replace("°", " degree ").replace("%", " percent ").replace("&", " and ")
    text = re.sub(r"\bsquared\b", "^2", re.sub(r"\bcubed\b", "^3", text))
    return _PHRASE.sub(lambda match: PHRASES[match[1]], text)


_TENS_AND_UNITS: Final = re.compile(
    r"\b("
    + "|".join(TENS)
    + r")[\s-]("
    + "|".join(name for name, value in CLOCK.items() if value < 10)
    + r")\b"
)


def _with_numbers(text: str) -> str:
    text = re.sub(
        r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])", lambda match: match[0].replace(",", ""), text
    )
    return _TENS_AND_UNITS.sub(lambda match: str(TENS[match[1]] + CLOCK[match[2]]), text)


def _date(year: str | None, month: str, day: str) -> str:
    return f" @d{year or ''}-{int(month):02d}-{int(day):02d} "


def _with_dates(text: str) -> str:
    text = re.sub(
        r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?=t\d|\b)t?",
        lambda match: _date(match[1], match[2], match[3]),
        text,
    )
    text = re.sub(
        r"\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b",
        lambda match: _date(match[1], match[2], match[3]),
        text,
    )
    text = re.sub(
        r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b",
        lambda match: _date(match[3], match[2], match[1]),
        text,
    )
    text = re.sub(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", _slashed, text)
    text = re.sub(
        _DAY + _OF + _MONTH + _YEAR,
        lambda match: _date(match[3], str(MONTHS[match[2]]), match[1]),
        text,
    )
    return re.sub(
        r"\b" + _MONTH + r"\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\d:])" + _YEAR,
        lambda match: _date(match[3], str(MONTHS[match[1]]), match[2]),
        text,
    )


def _slashed(match: re.Match[str]) -> str:
    """18/06/2027 and 06/18/2027 can be told; 05/06/2027 cannot, and stays three numbers."""
    first, second = int(match[1]), int(match[2])
    if first > 12 >= second:
        return _date(match[3], match[2], match[1])
    return (
        _date(match[3], match[1], match[2]) if second > 12 >= first else match[0].replace("/", " ")
    )


def _hour(written: str) -> int:
    return CLOCK[written] if written in CLOCK else int(written)


def _time(hour: int, minute: int, half: str | None) -> str:
    letters = (half or "").replace(".", "").strip()
    if hour <= 12 and letters:
        hour = hour % 12 + (12 if letters in ("pm", "in the afternoon", "in the evening") else 0)
    return f" @t{hour:02d}:{minute:02d} "


def _with_times(text: str) -> str:
    rules: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
        (r"\bhalf[ -]past " + _CLOCK + r"\b" + _HALF, lambda m: _time(_hour(m[1]), 30, m[2])),
        (
            r"\b(?:a )?quarter past " + _CLOCK + r"\b" + _HALF,
            lambda m: _time(_hour(m[1]), 15, m[2]),
        ),
        (r"\b(?:a )?quarter to midnight\b", lambda _: " @t23:45 "),
        (
            r"\b(?:a )?quarter to " + _CLOCK + r"\b" + _HALF,
            lambda m: _time((_hour(m[1]) - 1) % 12, 45, m[2]),
        ),
        (
            r"\b(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:\s*oclock)?(?!\d)" + _HALF,
            lambda m: _time(int(m[1]), int(m[2]), m[3]),
        ),
        (r"\b(\d{1,2})\s*(a\.?m\b\.?|p\.?m\b\.?)", lambda m: _time(int(m[1]), 0, m[2])),
        (
            r"\b" + _CLOCK + r"\s+(a\.m\.?|p\.m\.?|am\b|pm\b|in the (?:morning|afternoon|evening))",
            lambda m: _time(_hour(m[1]), 0, m[2]),
        ),
        (r"\b" + _CLOCK + r"\s*oclock\b" + _HALF, lambda m: _time(_hour(m[1]), 0, m[2])),
        (r"\b(?:12 )?noon\b", lambda _: " @t12:00 "),
        (r"\bmidnight\b", lambda _: " @t00:00 "),
    )
    for pattern, written in rules:
        text = re.sub(pattern, written, text)
    return text


def _with_operators(text: str) -> str:
    """A hyphen or a slash stays an operator only between operands; inside words it joins them."""
    text = re.sub(r"(?<=[^\W\d_])[-/](?=[^\W\d_])", " ", text)
    text = re.sub(r"(?<=\d)\s*\*\s*(?=[a-z]\b)", " ", text)
    return re.sub(r"\bdivided by\b", "/", re.sub(r"(?<=\d)\s+times\s+(?=\d)", " * ", text))


def _with_ordinals(text: str) -> str:
    return re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", r"\1", text)


_STEPS: Final = (
    _without_markdown,
    _without_contractions,
    _with_phrases,
    _with_numbers,
    _with_dates,
    _with_times,
    _with_ordinals,
    _with_operators,
)


# ---------------------------------------------------------------- names


_CALENDAR: Final = WEEKDAYS | frozenset(MONTHS)
_CAPITAL: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def _names(text: str) -> frozenset[str]:
    """The words written with a capital that do not owe it to the start of a sentence, folded like all words."""
    names: set[str] = set()
    for sentence in re.split(r"(?<=[.?!:])\s+|\n+", text):
        written = _CAPITAL.findall(sentence)
        for position, word in enumerate(written):
            initial = position == 0 and not (len(word) > 1 and word.isupper())
            if (
                word[0].isupper()
                and (not initial)
                and word not in ("I", "I'm", "I'll", "I've", "I'd")
            ):
                names.update(
                    token
                    for token in _words(word)
                    if token not in FILLER and word.casefold() not in _CALENDAR
                )
    return frozenset(names)
