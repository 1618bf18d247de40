"""What questions can ask for: slots with their phrases, from questions.toml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from scoring.facts.form_search import FormSet
from scoring.facts.phrase_tables import form_set
from scoring.facts.sentences import Passage, Span
from scoring.facts.toml_tables import phrases, read_table

_SHORT: Final = 5  # words of a question that offers one example
# "Where, on which day and at what time?" would fit too many requests.
WIDE: Final = ("where", "when")
ATTRIBUTES: Final = frozenset(("which", "what"))
_QUESTION_WORDS: Final = ATTRIBUTES.union(WIDE, ("how", "who"))

_TABLE: Final = read_table("unmet_requests/questions.toml")
ASKING: Final = {name: form_set(text) for name, text in _TABLE["asking"].items()}
FAMILIES: Final = {name: form_set(text) for name, text in _TABLE["families"].items()}


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that can be asked for.

    - `phrases` ask for it, unless they are inside one of `unless`.
    - Two of `examples` in a question ask for it, too: "Miles or yards?". One does if the question
      is short: "In kilometres?".
    - `families`: the kinds of information that it belongs to.
    """

    label: str
    phrases: FormSet
    unless: FormSet
    examples: FormSet
    families: tuple[str, ...]

    def asked(self, passage: Passage, sentence: Span) -> Iterator[Span]:
        """The words of a sentence that ask for it."""
        others = [
            span
            for question in _questions_of(passage, sentence)
            for span in self.unless.spans(passage, question)
        ]
        start = sentence.first
        while match := self.phrases.first(passage, Span(start, sentence.end)):
            if match.span.overlaps_any(others):
                # A shorter phrase may start inside: "from when to when".
                start = match.first + 1
            else:
                yield match.span
                start = match.end
        if sentence in passage.asking:
            examples = self.examples.spans(passage, sentence)
            named = len(set(map(passage.text_of, examples)))
            is_short = sentence.end - sentence.first <= _SHORT
            words = passage.words_of(sentence)
            offers_one = named and is_short and ATTRIBUTES.isdisjoint(words)
            if named > 1 or offers_one:
                yield Span(examples[0].first, examples[-1].end)


def _questions_of(passage: Passage, sentence: Span) -> Iterator[Span]:
    """The questions that "and" joins: "When do you arrive and when do you leave?"."""
    words = passage.words
    return sentence.split_at(
        at
        for at in range(sentence.first + 1, sentence.end - 1)
        if words[at] == "and" and words[at + 1] in _QUESTION_WORDS
    )


def _slot(table: Mapping[str, str]) -> Slot:
    return Slot(
        label=table["label"],
        phrases=form_set(f"{table['phrases']}, {table.get('foreign', '')}"),
        unless=form_set(table.get("unless", "")),
        examples=form_set(table.get("examples", "")),
        families=tuple(phrases(table["families"])),
    )


SLOTS: Final = {name: _slot(table) for name, table in _TABLE["slots"].items()}


@lru_cache(maxsize=4096)
def asked_for(slot: str, passage: Passage, sentence: Span) -> Sequence[Span]:
    """The words of a sentence that ask for a slot.

    They are kept, because an answer is also compared with the other requests of its category.
    """
    return tuple(SLOTS[slot].asked(passage, sentence))


def label_of(need: str) -> str:
    return SLOTS[alternatives(need)[0]].label


def question_for(need: str) -> str:
    """Completes "It does not ask …": `for the day`, and `how long it lasts`."""
    label = label_of(need)
    is_question = not _QUESTION_WORDS.isdisjoint(label.split()[:2])
    return label if is_question else f"for {label}"


def slots_of(needs: Iterable[str]) -> set[str]:
    """All slots of which any will do for one of the needs."""
    return {slot for need in needs for slot in alternatives(need)}


def alternatives(need: str) -> list[str]:
    """The slots of which any will do."""
    return need.split("|")


def families_of(slots: Iterable[str]) -> set[str]:
    """The kinds of information that slots belong to."""
    return {family for slot in slots for family in SLOTS[slot].families}


@lru_cache(maxsize=1024)
def compiled(forms: tuple[Any, ...]) -> FormSet:
    """The forms that a case lists, compiled once."""
    return FormSet(forms, tight=True)
