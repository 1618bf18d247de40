"""Parts that a program can cut from a question without understanding it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

Cut = Callable[[str], str]

_WORD: Final = re.compile(r"[^\W_]+(?:['’.:/-][^\W_]+)*")
_NUMBER: Final = re.compile(r"-?\d+(?:[.,:/-]\d+)*")
_CAPITALS: Final = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
_QUOTED: Final = re.compile(r"['\"‘“](.+?)['\"’”](?!\w)")
_AFTER: Final = r"\b{}\b (.+?)(?:[,.?!]|$| (?:to|from|in|on|at|for|of|with|and|by)\b)"
_SHORT: Final = 4  # letters up to which a word is no content


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def content(text: str) -> list[str]:
    """The words that are long enough to mean something, in order."""
    return [word for word in words(text) if len(word) > _SHORT]


def numbers(text: str) -> list[str]:
    return _NUMBER.findall(text)


def capitals(text: str) -> list[str]:
    """The runs of words with capitals that begin no sentence."""
    return _CAPITALS.findall(text)


def quoted(text: str) -> list[str]:
    return _QUOTED.findall(text)


def after(preposition: str, text: str) -> list[str]:
    """The words that follow a preposition, up to the next one or to a comma."""
    return re.findall(_AFTER.format(preposition), text)


def values(text: str) -> list[str]:
    """Everything in a question that may be an argument, each once."""
    found = [*quoted(text), *capitals(text), *numbers(text)]
    for preposition in ("to", "from", "in", "of", "for", "at", "on"):
        found += after(preposition, text)
    return list(dict.fromkeys(found + content(text)))


def _nth(parts: Callable[[str], list[str]], place: int) -> Cut:
    def cut(question: str) -> str:
        found = parts(question) or words(question)
        return found[place] if -len(found) <= place < len(found) else found[0]

    return cut


def _all(parts: Callable[[str], list[str]]) -> Cut:
    return lambda question: " and ".join(parts(question) or words(question)[-1:])


def _after(preposition: str) -> Cut:
    return _nth(lambda question: after(preposition, question), 0)


def cuts(questions: Iterable[str]) -> Mapping[str, Cut]:
    """Ways to cut a part from a question, by name. `questions` say which words are rare."""
    counts = Counter(word.lower() for question in questions for word in words(question))

    def rarest(question: str) -> str:
        return min(words(question), key=lambda word: (counts[word.lower()], word))

    return {
        "the last word": _nth(words, -1),
        "the first word": _nth(words, 0),
        "the longest word": lambda question: max(words(question), key=len),
        "the rarest word": rarest,
        "the last two words": lambda question: " ".join(words(question)[-2:]),
        "the last three words": lambda question: " ".join(words(question)[-3:]),
        "the last content word": _nth(content, -1),
        "the first content word": _nth(content, 0),
        "the first name": _nth(capitals, 0),
        "the last name": _nth(capitals, -1),
        "all names": _all(capitals),
        "the first number": _nth(numbers, 0),
        "the last number": _nth(numbers, -1),
        "all numbers": _all(numbers),
        "what is quoted": _nth(quoted, 0),
        **{f"what follows “{word}”": _after(word) for word in ("to", "from", "in", "of", "for")},
        "all but the first word": lambda question: " ".join(words(question)[1:]),
        "all but the first three words": lambda question: " ".join(words(question)[3:]),
        "the question": lambda question: question.rstrip(".?! "),
        "its content words": _all(content),
    }
