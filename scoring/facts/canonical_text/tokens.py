"""The first step to canonical text: words, numbers and boundaries, each with its characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from scoring.facts.canonical_text.canonical_words import (
    ABBREVIATIONS,
    ASKED,
    BOUNDARIES,
    CLOCK,
    COMMA,
    CONTRACTIONS,
    ENDINGS,
    IS_AFTER,
    SIGN_WORDS,
    SPELLINGS,
    STOP,
)
from scoring.facts.canonical_text.folding import fold
from scoring.facts.canonical_text.number_notations import DOTTED, LONGEST_NUMBER, NOTATIONS


class Token(NamedTuple):
    """A word, number or boundary, and its characters in the original text.

    `spelled`: the answer writes it in letters, so that "six" differs from "6".
    """

    word: str
    start: int
    end: int
    spelled: bool = False


_DIGITS: Final = frozenset("0123456789")

# The bounds keep the search linear on hostile text.
_TOKEN: Final = re.compile(
    r"""
    (?P<plain> (?<!\w)[a-z]{2,}(?=[ ,]) )
  | (?P<canonical> (?<![a-z]) (?:[th]\d\d:\d\d(?::\d\d)? | d(?:\d{4}|-)-\d\d-\d\d) (?![\w:]) )
  | (?P<address> https?://[^\s<>"')\]]{1,2000}
               | (?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8} )
  | (?P<date> (?<![\d-])\d{4}-\d\d-\d\d(?!\d)
            | (?<![\d./])(?:\d{1,2}\.\d{1,2}\.\d{4} | \d{1,2}/\d{1,2}/\d{4})(?!\d)
            | (?<![\d./])\d{4}/\d\d/\d\d(?!\d) )
  | (?P<clock> (?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:]) )
  | (?P<score> (?<![\d:])\d{1,2}:\d(?![\d:]) )
  | (?P<year> (?<!\w)'\d\d(?![\w']|[^'\n]{1,40}'(?!\w)) | (?<![\w.])(?:'|1\d|20)\d0s(?!\w) )
  | (?P<years> (?<![\w.])(?:1\d|20)\d\d[-–](?:1[3-9]|[2-9]\d)(?![\w./-]) )
  | (?P<possessive> (?<=\d)'s(?!\w) )
  | (?P<hours> (?<![\d.])\d{1,2}h[0-5]?\d(?:m|min|(?<=h\d\d))(?!\w) )
  | (?P<scaled> (?<![\w.])\d{1,3}(?:\.\d{1,3})?[km](?!\w) )
  | (?P<ordinal> (?<![\d.])\d{1,9}(?:st|nd|rd|th)(?!\w) )
  | (?P<number> (?: (?<![\w)\]%.])[-+](?=\.?\d) )?
        (?: \d{1,3}(?:[,'\u00a0 ]\d{3})+(?!\d)(?:\.\d+)? | \d+(?:\.\d+)? | (?<!\w)\.\d+ ) )
  | (?P<dotted> (?<!\w)(?:[a-z]\.\ ?){1,7}[a-z]\.(?!\w) | (?<![a-z])[ap]\.m(?!\w) )
  | (?P<numbered> (?<=\w\ )no\.(?=\ ?\d) )
  | (?P<word> [a-z]{1,2}(?:\+{1,2}|\#|-(?=[\s.,;:!?)"']|$))(?!\w)
            | (?<!\w)[a-z]-[a-z]+(?![^\W_])
            | [^\W\d_][^\W_]*(?:\^\d|(?:'[^\W\d_]+){0,2}) )
  | (?P<sign> [%&$€£¥°@▲▼↑↓] (?:\s?[cf](?!\w))? )
  | (?P<range> (?:(?<=\d)|(?<=\d(?:st|nd|rd|th)))[-–](?=\.?\d) )
  | (?P<line> \n )
  | (?P<end> \?+ | [.!…] )
  | (?P<pause> [;:,()|\[\]{}–] | (?<=\s)-+(?=\s) )
    """,
    re.VERBOSE,
)
# By its letter, what a number such as 2.5k is.
_SCALED: Final = {"k": "thousand", "K": "kelvin", "M": "million", "m": "metre"}
_LIST_ITEM: Final = re.compile(r"(?m)^[ \t]*(\d{1,2})[.)][ \t]+(?=\S)")
_OPENING: Final = re.compile(r"""[\s"'*_`)\]}>!.…]|$""")
_ENDINGS: Final = ("ing", "ed", "es", "s")
_ELISIONS: Final = frozenset(("c", "d", "j", "l", "n", "qu", "all", "dell", "nell", "un"))


def tokens(text: str) -> list[Token]:
    """The tokens of a text in order. No boundary follows another, and none comes first."""
    folded, places = fold(text)
    listed = [match.start(1) for match in _LIST_ITEM.finditer(folded)]
    numbering = frozenset(listed) if len(listed) > 1 else frozenset[int]()
    found: list[Token] = []
    for match in _TOKEN.finditer(folded):
        start, end = match.span()
        kind = match.lastgroup or ""
        if start in numbering:
            continue
        place, stop = places[start], places[end - 1] + 1
        if kind == "line" and _goes_on(text, place):
            continue
        if kind in {"plain", "word"}:
            found.extend([Token(word, place, stop, True) for word in expanded(match.group())])
            continue
        if kind == "scaled":
            kind = _SCALED[text[stop - 1] if text[stop - 1] in _SCALED else folded[end - 1]]
        for word in _words(kind, match.group(), folded, start, end):
            if word in BOUNDARIES:
                _add_boundary(found, word, place, stop)
            else:
                found.append(Token(word, place, stop))
        if kind == "dotted" and _sentence_follows(text, place, stop):
            _add_boundary(found, STOP, place, stop)
    return found


# Returns the words that stand for the tokens from a place on, and how many tokens these are.
Read = Callable[[Sequence[Token], int], tuple[Sequence[str], int] | None]


def rewritten(tokens: Sequence[Token], read: Read, starts: Collection[str]) -> Sequence[Token]:
    """Replaces what `read` finds. It is tried at words that end in a digit or are in `starts`."""
    places = [
        at for at, token in enumerate(tokens) if token[0] in starts or token[0][-1] in _DIGITS
    ]
    result: list[Token] = []
    done = 0
    for at in places:
        found = read(tokens, at) if at >= done else None
        if found is None:
            continue
        words, used = found
        result.extend(tokens[done:at])
        start, end, spelled = tokens[at].start, tokens[at + used - 1].end, tokens[at].spelled
        result.extend([Token(word, start, end, spelled) for word in words])
        done = at + used
    return [*result, *tokens[done:]] if done else tokens


def word_at(tokens: Sequence[Token], at: int) -> str:
    """The word at a place, or nothing before the start and after the end."""
    return tokens[at].word if 0 <= at < len(tokens) else ""


def is_number(word: str) -> bool:
    """Whether a word is a number in digits that a float can hold.

    An address may start and end with a digit, too.
    """
    if word[-1] not in _DIGITS or not (word[0] in _DIGITS or word[0] == "-"):
        return False
    digits = word.removeprefix("-").replace(".", "", 1)
    return len(digits) <= 2 * LONGEST_NUMBER and digits.isdecimal()


def is_time(word: str) -> bool:
    """Whether a canonical word is a time of day."""
    return word[0] in "th" and word[3:4] == ":" and word[1:3].isdigit()


def is_date(word: str) -> bool:
    """Whether a canonical word is a date."""
    return word[0] == "d" and word[-3:-2] == "-" and word[-2:].isdigit() and "@" not in word


def _add_boundary(found: list[Token], word: str, place: int, stop: int) -> None:
    """Adds a boundary, or strengthens the one before it."""
    last = found[-1].word if found else ""
    if last not in BOUNDARIES:
        if last:
            found.append(Token(word, place, stop))
    elif word == ASKED or (word == STOP and last == COMMA):
        found[-1] = Token(word, found[-1].start, stop)


def _words(kind: str, match: str, folded: str, start: int, end: int) -> Iterable[str]:
    """What a match that is no word stands for."""
    if kind in NOTATIONS:
        return NOTATIONS[kind](match)
    if kind == "end" and match[0] in ".?" and not _ends_sentence(folded, start, end):
        return ()
    if match[0] == "?":
        return (ASKED,)
    return (_BOUNDARY.get(kind, match),)


@lru_cache(maxsize=16384)
def expanded(word: str) -> tuple[str, ...]:
    """The words that a word stands for: "can't" is "can not", "it's" is "it is"."""
    if word in CONTRACTIONS:
        return tuple(CONTRACTIONS[word].split())
    stem, apostrophe, ending = word.rpartition("'")
    if not apostrophe:
        return _without_hyphen(word)
    if word.endswith("n't"):
        return (*expanded(word.removesuffix("n't")), "not")
    if stem in _ELISIONS and (len(ending) > 1 or ending == "y"):
        return (stem, *expanded(ending))  # "l'heure"
    if ending == "s":
        return (*expanded(stem), "is") if stem in IS_AFTER else expanded(stem)
    full = ENDINGS.get(f"'{ending}")
    return (*expanded(stem), full) if full else (word.replace("'", ""),)


def _without_hyphen(word: str) -> tuple[str, ...]:
    """The words of "e-mail", "x-" or a word without a hyphen: "O-negative" is two words."""
    letter, _, sign = word.partition("-")
    if sign in SIGN_WORDS:
        return (letter, SPELLINGS.get(sign, sign))
    plain = word if word.endswith("-") else word.replace("-", "")
    return (SPELLINGS.get(plain, plain),)


def stem(word: str) -> str:
    """A word without -ing, -ed, -es or -s."""
    return _without_ending(word, _ENDINGS)


def base_form(word: str) -> str:
    """A word without these endings and without -est: "coldest" is "cold"."""
    return _without_ending(word, ("est", *_ENDINGS))


def _without_ending(word: str, endings: Iterable[str]) -> str:
    """A word without the first of the endings that it has. At least three letters stay."""
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


_BOUNDARY: Final = {"range": "to", "line": STOP, "end": STOP, "pause": COMMA}


def _ends_sentence(folded: str, start: int, end: int) -> bool:
    """Whether a mark ends a sentence, and is no part of an abbreviation or a name."""
    if not _OPENING.match(folded, end):
        return False
    before = re.search(r"[a-z]+$", folded[max(0, start - 8) : start])
    return not (before and before.group() in ABBREVIATIONS and folded[end:].strip())


def _sentence_follows(text: str, start: int, end: int) -> bool:
    """Whether the dot of an abbreviation such as p.m. ends a sentence, too."""
    if _is_initials(text[start:end]):
        return False
    rest = text[end : end + 4].strip()
    return text[end - 1 : end] == "." and (not rest or rest[0].isupper())


def _is_initials(text: str) -> bool:
    """Whether capitals with dots are those of a name: "C. S. Lewis", but not "8 P.M."."""
    word = re.sub(r"\W", "", text)
    return word.isupper() and word.lower() not in (*CLOCK, *DOTTED)


def _goes_on(text: str, place: int) -> bool:
    """Whether a sentence continues after a line break at this place."""
    before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
    return before.isalpha() and after.islower()
