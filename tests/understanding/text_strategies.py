"""Texts that are made without understanding the question: families of strategies by name.

Each family is made from the data: questions, references, tools. Chance is seeded.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from typing import Final

from leaderboard.types import Case, Suite
from tests.understanding.question_parts import capitals, content, cuts, numbers, words
from tests.understanding.vocabulary_strategies import (
    DENIAL_FRAMES,
    FOREIGN_FRAMES,
    QUESTION_FRAMES,
    constants,
)

TextStrategy = Callable[[Case], str]
Named = Iterator[tuple[str, TextStrategy]]

_SEED: Final = 20261122
AS_IF_ABLE: Final = "asks as if able"


def reference_of(case: Case) -> str:
    truth = case.ground_truth
    return str(truth.trajectory.reference) if truth.trajectory else truth.text or ""


@dataclass(frozen=True)
class Corpus:
    """What strategies are made from: a category, and the suite around it."""

    suite: Suite
    cases: tuple[Case, ...]

    @classmethod
    def of(cls, suite: Suite, category: str) -> Corpus:
        return cls(suite, suite.category(category).cases)

    @cached_property
    def references(self) -> list[str]:
        return list(dict.fromkeys(map(reference_of, self.cases)))

    @cached_property
    def frequent(self) -> list[str]:
        """The words of all references that mean something, the most frequent first."""
        counts = Counter(word.lower() for text in self.references for word in set(words(text)))
        short = {word for word in counts if len(word) < 3 and not word.isdigit()}
        return sorted(counts.keys() - short, key=lambda word: (-counts[word], word))

    @cached_property
    def slots(self) -> list[str]:
        """What the tools take, in words."""
        names = [one.name for tool in self.suite.tools for one in tool.parameters]
        return [name.replace("_", " ") for name in dict.fromkeys(names)]


def _constant(text: str) -> TextStrategy:
    return lambda _: text


# ---------------------------------------------------------------- constants

_PLAIN: Final = """
Yes.|No.|I don't know.|Error.|OK.|Done.|None.|Nothing.|Sorry.|What?|Which?|Which one?|Where?|When?|
Who?|How?|How many?|Why?|What do you mean?|Please give more details.|Could you be more specific?|
Which one do you mean?|Something is missing.|Something is wrong.|This is not possible.|
That is impossible.|This does not exist.|There is no such thing.|This is not valid.|
The request is not valid.|That is made up.|That place is fictional.|That is not a real place.|
The date is not valid.|That date does not exist.|The date is in the past.|The number is negative.|
The units do not match.|These units measure different things.|It depends.|42|1|0|100|It is true.|
I cannot do that.|I am only a language model.|Where and when?|Who, what, where and when?|
Please tell me where, when and how many.|The answer is in the question."""
PLAIN: Final = [text.strip() for text in _PLAIN.split("|")]


def plain(_: Corpus) -> Named:
    """Short texts that fit everywhere."""
    for text in PLAIN:
        yield text, _constant(text)


def references(corpus: Corpus) -> Named:
    """The reference of one case as the answer to all."""
    for text in corpus.references:
        yield text, _constant(text)


def halves(corpus: Corpus) -> Named:
    """The first or last part of one reference."""
    for text in corpus.references:
        for part in re.split(r"[,;.]\s|\b(?:and|because|so)\b", text)[:2]:
            if len(part.split()) > 1 and part != text:
                yield part, _constant(part)


def single_words(corpus: Corpus) -> Named:
    """The most frequent words of the references."""
    for word in corpus.frequent[:40]:
        yield word, _constant(word)
        yield f"Which {word}?", _constant(f"Which {word}?")
        yield f"The {word} is wrong.", _constant(f"The {word} is wrong.")


# ---------------------------------------------------------------- echoes

_ECHOES: Final = (
    *("{}", "{}?", "“{}”?", "{}!", "Do you mean: {}?", "You ask: {}. Please tell me more."),
    *("I don't know {}.", "Is it true that {}?", "{}: is that right?", "What about {}?"),
    *("{} is impossible.", "There is something wrong with: {}.", "{} does not exist."),
    *("I understand. {}. Which one?", "Please repeat: {}", "{}. Where? When?", "Yes, {}."),
    *("It is not possible to {}.", "You cannot {}.", "The answer to {} is yes.", "No {}."),
    *("Why {}?", "Which {}?", "What {}?", "Where {}?", "When {}?", "How {}?", "Who {}?"),
)


def echoes(_: Corpus) -> Named:
    """The question, with little around it."""
    for frame in _ECHOES:
        for cut, shown in (
            (lambda text: text, ""),
            (lambda text: text.rstrip(".?!"), ", without its end"),
            (lambda text: " ".join(text.split()[1:]).rstrip(".?!"), ", without its first word"),
        ):
            yield f"{frame}{shown}", _echo(frame, cut)


def _echo(frame: str, cut: Callable[[str], str]) -> TextStrategy:
    return lambda case: frame.format(cut(case.query))


_SWAPS: Final = {"my": "your", "me": "you", "i": "you", "your": "my", "you": "I", "am": "are"}


def rewordings(_: Corpus) -> Named:
    """The question, mechanically reworded."""

    def swapped(case: Case) -> str:
        return " ".join(_SWAPS.get(word.lower(), word) for word in case.query.split())

    def shuffled(case: Case) -> str:
        order = words(case.query)
        random.Random(case.query).shuffle(order)
        return " ".join(order)

    yield "pronouns swapped", swapped
    yield "pronouns swapped, as a question", lambda case: f"{swapped(case).rstrip('.?!')}?"
    yield "words shuffled", shuffled
    yield "words reversed", lambda case: " ".join(reversed(words(case.query)))
    yield "words sorted", lambda case: " ".join(sorted(words(case.query)))
    yield "in capitals", lambda case: case.query.upper()
    yield "each word a question", lambda case: " ".join(f"{w}?" for w in words(case.query))
    yield "which, for each word", lambda case: " ".join(f"Which {w}?" for w in content(case.query))
    yield "no, for each word", lambda case: " ".join(f"No {w}." for w in content(case.query))
    yield "twice", lambda case: f"{case.query} {case.query}"
    yield "negated", lambda case: re.sub(r"\b(is|are|can|do|does)\b", r"\1 not", case.query)
    yield "first half", lambda case: " ".join(words(case.query)[: len(words(case.query)) // 2])
    yield "last half", lambda case: " ".join(words(case.query)[len(words(case.query)) // 2 :])


# ---------------------------------------------------------------- lists


def lists(corpus: Corpus) -> Named:
    """Lists of words, numbers, names, and of whole references."""
    names = list(dict.fromkeys(name for text in corpus.references for name in capitals(text)))
    figures = list(dict.fromkeys(one for text in corpus.references for one in numbers(text)))
    pools = {"words": corpus.frequent, "names": names, "numbers": figures, "slots": corpus.slots}
    for name, pool in pools.items():
        for size in (2, 3, 5, 8, 12, 20, 40, 80, 200):
            for joint in (", ", " or ", "? "):
                text = f"{joint.join(pool[:size])}{joint.strip() if joint == '? ' else '.'}"
                yield f"{size} {name}, {joint.strip()}", _constant(text)
    for size in (2, 3, 4, 6, 10, len(corpus.references)):
        for some in _samples(corpus.references, size, 3):
            yield f"{size} references: {some[0]}", _constant(" ".join(some))
    for size in (10, 20, 100):
        yield f"0 to {size}", _constant(" ".join(map(str, range(size + 1))))


def _samples(pool: Sequence[str], size: int, number: int) -> Iterator[list[str]]:
    chance = random.Random(f"{_SEED} {size}")
    for _ in range(number):
        yield chance.sample(list(pool), min(size, len(pool)))


# ---------------------------------------------------------------- templates

_FRAMES: Final = (
    *("{}", "{}?", "{}.", "It is {}.", "The answer is {}.", "{} is right.", "{} and no other."),
    *("Which {}?", "What {}?", "What is the {}?", "Where is {}?", "When is {}?", "Whose {}?"),
    *("Which {} do you mean?", "Please tell me the {}.", "From where to where, {}?", "How {}?"),
    *("For which {}, and when?", "What kind of {}?", "How many {}?", "In which unit is {}?"),
    *("There is no {}.", "{} does not exist.", "{} is not valid.", "{} is wrong.", "{}: unknown."),
    *("{} is impossible.", "{} is made up.", "{} is fictional.", "{} is out of range."),
    *("{} is in the past.", "{} is negative.", "{} cannot be reached.", "{} is undefined."),
    *("{} has no meaning.", "No place is called {}.", "{} cannot be converted.", "{} is no date."),
    *("{} measures something else.", "I do not know {}.", "{} is not supported.", "{} is a typo."),
)


def templates(corpus: Corpus) -> Named:
    """Sentences filled with a part of the question."""
    for name, cut in cuts(case.query for case in corpus.cases).items():
        for frame in _FRAMES:
            yield f"{frame} with {name}", _filled(frame, cut)


def _filled(frame: str, cut: Callable[[str], str]) -> TextStrategy:
    return lambda case: frame.format(cut(case.query))


def masked_references(corpus: Corpus) -> Named:
    """Each reference, with what it took from its own question replaced from another question."""
    for case in corpus.cases:
        yield reference_of(case), _masked(case)


def _masked(source: Case) -> TextStrategy:
    own = {word.lower() for word in words(source.query)}
    pieces = re.split(r"(\W+)", reference_of(source))

    def answer(case: Case) -> str:
        names = iter([*capitals(case.query), *content(case.query)])
        figures = iter(numbers(case.query))
        told: dict[str, str] = {}
        made = []
        for piece in pieces:
            key = piece.lower()
            if key in own and (len(key) > 4 or piece[0].isupper() or piece.isdigit()):
                pool = figures if piece[0].isdigit() else names
                told.setdefault(key, next(pool, piece))
                made.append(told[key])
            else:
                made.append(piece)
        return "".join(made)

    return answer


# ---------------------------------------------------------------- choosing


def chosen(corpus: Corpus) -> Named:
    """A text chosen by something about the case that has nothing to do with its meaning."""
    keys: dict[str, Callable[[Case], str]] = {
        "the id": lambda case: case.id,
        "the id's last digit": lambda case: case.id[-1],
        "the length": lambda case: str(len(words(case.query))),
        "the first word": lambda case: words(case.query)[0],
        "the last word": lambda case: words(case.query)[-1],
        "the first letter": lambda case: case.query[0],
        "the end": lambda case: case.query[-1],
    }
    pools = {"references": corpus.references, "plain texts": PLAIN}
    for seed in range(4):
        for key_name, key in keys.items():
            for pool_name, pool in pools.items():
                yield f"{pool_name} by {key_name}, {seed}", _by(key, pool, seed)


def _by(key: Callable[[Case], str], pool: Sequence[str], seed: int) -> TextStrategy:
    return lambda case: random.Random(f"{seed} {key(case)}").choice(pool)


# ---------------------------------------------------------------- questions about everything


def questions(corpus: Corpus) -> Named:
    """Questions for what tools take: one thing, two, several, everything."""
    slots = corpus.slots or corpus.frequent[:30]
    for slot in slots:
        for frame in ("Which {}?", "What is the {}?", "Please tell me the {}.", "{}?"):
            yield frame.format(slot), _constant(frame.format(slot))
    pairs = list(combinations(slots, 2))
    random.Random(_SEED).shuffle(pairs)
    for one, other in pairs[:60]:
        text = f"Which {one} and which {other}?"
        yield text, _constant(text)
        text = f"What is the {one}, or the {other}?"
        yield text, _constant(text)
    for tool in corpus.suite.tools:
        named = [one.name.replace("_", " ") for one in tool.parameters]
        required = [one.name.replace("_", " ") for one in tool.parameters if one.required]
        for some in (named, required):
            if some:
                text = f"What are the {' and the '.join(some)}?"
                yield text, _constant(text)
    for size in (3, 4, 6, 10, len(slots)):
        for some in _samples(slots, size, 4):
            yield f"{size} slots: {some[0]}", _constant(f"Which {', '.join(some)}?")


def mixtures(corpus: Corpus) -> Named:
    """A question, a denial, a statement and an echo together."""
    chance = random.Random(_SEED)
    for number in range(60):
        texts = [*chance.sample(PLAIN, 2), chance.choice(corpus.references)]
        if number % 3 == 0:
            texts.append(f"Which {chance.choice(corpus.slots or corpus.frequent)}?")
        chance.shuffle(texts)
        text = " ".join(texts)
        yield text, _constant(text)
        yield f"echo, then {text}", _echo(f"{{}} {text}", str)


# ---------------------------------------------------------------- made in a second round

_PAIRS: Final = (
    *("Yes, {}.", "No, {}.", "{}, not {}.", "{} or {}, whichever you like.", "Neither {} nor {}."),
    *("{} is more than {}.", "Which is it: {} or {}?", "There is no {} in {}.", "{} has no {}."),
    *("{} and {} do not fit together.", "{} cannot be turned into {}.", "{} lies before {}."),
    *("{} only exists in {}.", "Do you mean {} or {}?", "What {} should the {} have?"),
    *("I cannot find {} because {} is wrong.", "{} does not exist, but {} does."),
    *("No such {} exists, and {} makes no sense.", "{} is not real, and {} is not valid."),
    *("{} makes no sense here, and {} is not a real one.", "{}? No such {} exists in reality."),
)


def paired(corpus: Corpus) -> Named:
    """Sentences filled with two parts of the question."""
    found = cuts(case.query for case in corpus.cases)
    for one, other in (
        *(("the first name", "the last name"), ("the first content word", "the last content word")),
        *(("the first number", "the last number"), ("what is quoted", "the rarest word")),
        *(("the longest word", "the rarest word"), ("the last word", "the first content word")),
        *(("the last word", "the last number"), ("the last name", "the last number")),
        ("the last number", "the last name"),
    ):
        for frame in _PAIRS:
            yield f"{frame} with {one} and {other}", _filled_twice(frame, found[one], found[other])


def _filled_twice(
    frame: str, one: Callable[[str], str], other: Callable[[str], str]
) -> TextStrategy:
    return lambda case: frame.format(one(case.query), other(case.query))


def nearest(corpus: Corpus) -> Named:
    """The reference of the case whose question is most alike, as it is and masked."""

    def alike(case: Case) -> list[Case]:
        own = {word.lower() for word in content(case.query)}
        others = (one for one in corpus.cases if one is not case)
        return sorted(
            others, key=lambda one: -len(own & {word.lower() for word in content(one.query)})
        )

    yield "the nearest reference", lambda case: reference_of(alike(case)[0])
    yield "the nearest reference, masked", lambda case: _masked(alike(case)[0])(case)
    yield (
        "the two nearest references",
        lambda case: " ".join(reference_of(one) for one in alike(case)[:2]),
    )


def chains(corpus: Corpus) -> Named:
    """Texts in which each word followed the one before it somewhere in the references."""
    following: dict[str, list[str]] = {}
    for text in corpus.references:
        for one, other in pairwise(["", *text.split(), ""]):
            following.setdefault(one, []).append(other)
    for seed in range(40):
        chance = random.Random(f"{_SEED} {seed}")
        made = [chance.choice(following[""])]
        while made[-1] and len(made) < 30:
            made.append(chance.choice(following[made[-1]]))
        text = " ".join(made).strip()
        yield text, _constant(text)


_SURFACE: Final[dict[str, str]] = {
    "a digit": r"\d",
    "an @": "@",
    "a quotation": r"['\"‘“]\w",
    "a name": r"(?<!^)(?<![.?!] )\b[A-Z]",
    "a question mark": r"\?",
    "a colon": ":",
}


def by_surface(corpus: Corpus) -> Named:
    """One text if the question has a certain character, and another one if it has not."""
    chance = random.Random(_SEED)
    found = cuts(case.query for case in corpus.cases)
    frames = [_filled(frame, cut) for frame in _FRAMES[8:] for cut in found.values()]
    texts = [*map(_constant, corpus.references), *frames]
    for name, pattern in _SURFACE.items():
        for number in range(20):
            yield f"{name}, {number}", _either(pattern, *chance.sample(texts, 2))


def _either(pattern: str, one: TextStrategy, other: TextStrategy) -> TextStrategy:
    return lambda case: (one if re.search(pattern, case.query) else other)(case)


_POLITE: Final = (
    "Thank you for your question about {}. I looked into it carefully. {}",
    "I'd be happy to help you with {}! {} Let me know if there is anything else.",
    "As for {}: {} I hope that this answers your question.",
)


def polite(corpus: Corpus) -> Named:
    """Texts that fit everywhere, in a friendly frame with a part of the question."""
    cut = cuts(case.query for case in corpus.cases)["the rarest word"]
    for frame in _POLITE:
        for text in PLAIN:
            yield f"{frame}: {text}", _framed(frame, cut, text)


def _framed(frame: str, cut: Callable[[str], str], text: str) -> TextStrategy:
    return lambda case: frame.format(cut(case.query), text)


def vocabulary(corpus: Corpus) -> Named:
    """What the rules know best, as it is and filled with a part of the question."""
    for text in constants():
        yield text, _constant(text)
    for name, cut in cuts(case.query for case in corpus.cases).items():
        for frame in (*QUESTION_FRAMES, *DENIAL_FRAMES, *FOREIGN_FRAMES):
            yield f"{frame} with {name}", _filled(frame, cut)


# ---------------------------------------------------------------- made in a third round

_PREFACE: Final = "ich denke das ist so und die sache ist nicht sehr einfach, "
_BEHIND: Final = (
    *("{} is not valid, because it is in the past and not possible.", "There is no {}."),
    *("Where? When? Which date? How many people? {}", "I cannot do this. {}"),
)


def prefaced(corpus: Corpus) -> Named:
    """Words of the question, or of references, behind a foreign preface, so that a judge reads."""
    listed = " ".join(sorted({word for one in corpus.references for word in words(one.lower())}))
    for size in (1, 3, 120):
        preface = _PREFACE * size
        yield f"words of references behind {len(preface)} characters", _constant(preface + listed)
        for frame in _BEHIND:
            name = f"{frame} behind {len(preface)} characters"
            yield name, _reversed(preface + frame, str)
            yield f"{name}, in capitals", _reversed(preface + frame, str.title)


def _reversed(frame: str, spell: Callable[[str], str]) -> TextStrategy:
    return lambda case: frame.format(spell(" ".join(reversed(words(case.query)))))


# ---------------------------------------------------------------- asking as if able

_FRIENDLY: Final = (
    "",
    "Sure!",
    "I'd be happy to help with that!",
    "Of course, I can help with that.",
)
_LACKS: Final = (
    *("I don't have all the details yet.", "I'm unable to find it.", "I don't see it."),
    *("I don't have that information on file.", "I can't continue without it."),
    *("I can't do this until you confirm.", "I don't know which one you mean."),
    *("There is nothing to do, so I can't do that.", "It's already done, so I can't do it again."),
)
_WANTED: Final = (
    *("Could you tell me which one you mean?", "Please give me your account number."),
    *("What is its name?", "To proceed, I need a few more details."),
)


def as_if_able(_: Corpus) -> Named:
    """Says that a detail is missing, which is no refusal, and asks for it."""
    for parts in product(_FRIENDLY, _LACKS, _WANTED):
        text = " ".join(parts).strip()
        yield text, _constant(text)


FAMILIES: Final = {
    "plain texts": plain,
    "vocabulary of the rules": vocabulary,
    "references of other cases": references,
    "parts of references": halves,
    "frequent words": single_words,
    "echoes": echoes,
    "rewordings": rewordings,
    "lists": lists,
    "templates": templates,
    "masked references": masked_references,
    "texts by chance": chosen,
    "questions about everything": questions,
    "mixtures": mixtures,
    "two parts of the question": paired,
    "nearest cases": nearest,
    "chains of words": chains,
    "by a character": by_surface,
    "friendly frames": polite,
    "foreign prefaces": prefaced,
    AS_IF_ABLE: as_if_able,
}
