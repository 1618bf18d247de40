"""What an answer states, mentions and denies of the facts of a case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from leaderboard.texts.markdown_marks import blank_struck_out
from scoring.facts.canonical_text.canonical_words import COMMA, SMALL_WORDS
from scoring.facts.canonical_text.tokens import base_form
from scoring.facts.form_search import Match
from scoring.facts.misspelled_names import misspelled
from scoring.facts.polarity import (
    OFFERS,
    ONLY_COMPARED,
    UNABLE,
    beside,
    denied,
    dropped_sentences,
    granted,
    not_as,
    other_subject,
)
from scoring.facts.retractions import called_wrong
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.stated.asked_question import WITHOUT, AskedQuestion
from scoring.facts.stated.case_facts import Candidates, StatedCase, StatedFact
from scoring.facts.stated.quantities import Amount, Quantity, quantities, without_ids

_ID: Final = "id"  # in a question that asks for one, or names one
_GROUPS: Final = frozenset(("pair", "pairs", "set", "sets", "row", "rows", "group", "groups"))
_NEGATES_NEXT: Final = frozenset(("not", "no", "never", "hardly"))
_NEGATED: Final = WITHOUT | {"not", "neither", "never", "nothing", "hardly", "free"}
_DENYING: Final = WITHOUT | {"not"}
_CONTAINING: Final = frozenset(("has", "have", "contain", "contains", "include", "includes"))
_BEFORE_LACKING: Final = _CONTAINING | {"any"}
_IRREGULAR: Final = {"many": "more", "much": "more", "far": "farther"}
FIRST_NAMES: Final = 2  # at most, before a family name
_BEFORE_NAME: Final = frozenset((COMMA, "the", "a", "an"))
_LAST: Final = frozenset(("and", "or"))  # before the last name of a list
_LISTING: Final = _BEFORE_NAME | _LAST
_JOINING: Final = _LISTING | {"plus", "also", "both"}
_BREAKS: Final = frozenset(";:()–—-")
_BEFORE_CHOICES: Final = frozenset(("of", "among", "amongst", "between"))
_PRONOUNS: Final = frozenset(("it", "he", "she", "they", "this", "that", "which", "who"))
_VERBS: Final = frozenset(("is", "are", "was", "were", "has", "have", "had"))


@dataclass(frozen=True, slots=True)
class Statements:
    """An answer, with the indexes of words that state nothing, and its numbers.

    `repeated` are the spans that say that what the question wants lacking is: "no milk" in
    "the food that contains no milk is …".
    """

    passage: Passage
    question: AskedQuestion
    hidden: frozenset[int]
    numbers: tuple[Quantity, ...]
    repeated: tuple[Span, ...]
    # What is known of `says_nothing`: each fact of a case asks for the same matches again.
    _known: dict[Match, bool] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, text: str, case: StatedCase) -> Statements:
        passage = read_passage(blank_struck_out(text))
        return cls._of(passage, case, case.question.runs.copied(passage))

    def with_copies(self, case: StatedCase) -> Statements:
        """The answer as if the words that it copies from the question were its own."""
        return self._of(self.passage, case, frozenset())

    @classmethod
    def _of(cls, passage: Passage, case: StatedCase, copied: frozenset[int]) -> Statements:
        silent = (
            *dropped_sentences(passage, labels=False),
            *called_wrong(passage),
            *passage.asking,
            *_chosen_from(case, passage),
        )
        hidden = copied.union(*(one.indexes for one in silent))
        numbers = quantities(passage)
        if _ID not in case.question.words:
            numbers = without_ids(passage, numbers)
        return cls(
            passage=passage,
            question=case.question,
            hidden=hidden,
            numbers=tuple(q for q in numbers if q.span.first not in hidden),
            repeated=tuple(_repeated(case.question.lacking, passage)),
        )

    @property
    def stating(self) -> Iterator[Span]:
        """The sentences that neither ask nor offer more help."""
        for sentence in self.passage.sentences:
            if sentence not in self.passage.asking and not OFFERS.first(self.passage, sentence):
                yield sentence

    def goes_on(self, between: Span) -> bool:
        """Whether what is between two names joins them in a list. A semicolon does not."""
        if between.end <= between.first:
            return False
        start, end = self.passage.chars_of(between)
        is_broken = not _BREAKS.isdisjoint(self.passage.canonical.original[start:end])
        return not is_broken and _JOINING.issuperset(self.passage.words_of(between))

    def mentions(self, candidates: Candidates) -> Iterator[Match]:
        """Where the answer mentions one of the candidates."""
        yield from candidates.forms.find(self.passage)
        if candidates.amounts:
            for number in self.numbers:
                if any(
                    amount.equals(number) and not self.counts_other(amount, number)
                    for amount in candidates.amounts
                ):
                    yield number.match

    def counts_other(self, amount: Amount, number: Quantity) -> bool:
        """Whether a number counts something that the question does not speak of."""
        after = Span(number.span.end, len(self.passage.words))
        following = self.passage.words_of(after)[:1]
        if amount.noun is None or not following:
            return False
        word = following[0]
        if word in _GROUPS and not amount.noun.at_start(self.passage, after):
            return True  # "three pairs of hearts"
        if amount.counts(self.passage, number):
            return False
        if word in SMALL_WORDS or not word.isalpha():
            return False
        return not any(map(self.question.is_about, self.passage.words))

    def names(self, candidates: Candidates) -> Iterator[Match]:
        """Where the answer states one of the candidates, and does not deny it.

        What is denied together is denied: "a misconception that it is Sydney (or Melbourne)".
        """
        denied_end = -1
        for match in self.mentions(candidates):
            before = [
                word
                for word in self.passage.words[denied_end : match.first]
                if word not in _BEFORE_NAME
            ]
            joined = denied_end >= 0 and before in (["or"], ["nor"], ["and"])
            if joined or self.says_nothing(match):
                denied_end = match.end
            else:
                yield match

    def states(self, fact: StatedFact) -> list[Match]:
        """Where the answer states a fact. "Percy Shelley" does not state "Shelley"."""
        right = list(self.names(fact.accepts))
        if not right:
            return self._misspelled(fact)
        if not fact.rivals.forms:
            return right
        others = fact.rivals.forms.spans(self.passage)
        return [match for match in right if not any(map(match.span.is_part_of, others))]

    def _misspelled(self, fact: StatedFact) -> list[Match]:
        """Where a long word of a name has a wrong letter or two, if no rival is named."""
        if any(self.names(fact.rivals)):
            return []
        matches = misspelled(self.passage, fact.long_words)
        return [match for match in matches if not self.says_nothing(match)]

    def says_nothing(self, match: Match) -> bool:
        """Whether a match is copied, denied, or named beside the answer."""
        if match not in self._known:
            self._known[match] = self._says_nothing(match)
        return self._known[match]

    def _says_nothing(self, match: Match) -> bool:
        if match.first in self.hidden and match.end - 1 in self.hidden:
            return True
        sentence = self.passage.sentence_at(match.first)
        if denied(self.passage, match, self.repeated) or self.loses(match, sentence):
            return True
        if self._is_unable(match) or self._has_unwanted(match):
            return True
        return beside(self.passage, match) and not self._beaten(match)

    def _is_unable(self, match: Match) -> bool:
        """Whether a name cannot do what is asked: "the hummingbird can't fly backwards"."""
        near = Span(match.end, max(match.end, self.passage.clause_at(match.first).end))
        if not UNABLE.at_start(self.passage, near):
            return False
        return any(map(self.question.is_about, self.passage.words_of(near)))

    def _has_unwanted(self, match: Match) -> bool:
        """Whether a name has what the question wants lacking: "X and Y have milk, too"."""
        end = self.passage.clause_at(match.first).end
        after = self.passage.words[match.end : end]
        verbs = [at for at, word in enumerate(after) if word in _CONTAINING]
        if not verbs or (verbs[0] and after[0] not in _JOINING):
            return False
        next_verb = verbs[1] if len(verbs) > 1 else len(after)
        said = after[verbs[0] + 1 : next_verb]
        unwanted = self.question.lacking.intersection(map(base_form, said))
        return bool(unwanted) and _NEGATED.isdisjoint(said)

    def lacks(self, match: Match, others: Sequence[Match]) -> bool:
        """Whether a name lacks what the question wants lacking, and not one of others after it."""
        end = self.passage.clause_at(match.first).end
        end = min([end, *(one.first for one in others if one.first > match.first)])
        return any(one.inside(Span(match.end, end)) for one in self.repeated)

    def loses(self, match: Match, span: Span) -> bool:
        """Whether a span says the opposite of what is asked of a name: "your place is colder"."""
        if not self.passage.words[match.first].isalpha() or self._is_alone(match):
            return False
        # "Colder than Vantris, which is the warmest" calls Vantris the warmest.
        other = other_subject(self.passage, span)
        if other is not None:
            span = Span(span.first, other)
        near = Span(match.end, span.end)
        clause = self.passage.clause_at(match.first)
        return self._says_opposite(near, span, clause) or self._falls_short(near)

    def _beaten(self, match: Match) -> bool:
        """Whether a name has more of what is asked: "your place is colder than Vantris"."""
        clause = self.passage.clause_at(match.first)
        return self._says_opposite(Span(clause.first, match.first), clause, clause)

    def _says_opposite(self, near: Span, span: Span, clause: Span) -> bool:
        """Whether words near a name say the opposite, and no word of a span what is asked."""
        words = self.passage.words
        if not self.question.alike.isdisjoint(self.passage.words_of(span)):
            return False
        return any(
            words[at] in self.question.opposite
            and words[at - 1] not in _NEGATES_NEXT
            and (words[at] not in ONLY_COMPARED or self._is_compared(at, near, clause))
            for at in near.indexes
        )

    def _is_compared(self, at: int, near: Span, clause: Span) -> bool:
        """Whether a word compares a name, in the clause of the name: "X is softer than Y"."""
        words = self.passage.words
        is_said = words[near.first : at] in (("is",), ("is", "the"))
        return at in clause.indexes and (is_said or "than" in words[at : clause.end])

    def _is_alone(self, match: Match) -> bool:
        """Whether another subject follows the name that opens an answer: "X; the tibia is longer".

        In "X; it is shorter" and "X; the shortest", none does.
        """
        following = self.passage.canonical.original[self.passage.chars_of(match.span).end :]
        if not self.opens(match) or not following.lstrip(" *_").startswith(";"):
            return False
        words = self.passage.words_of(Span(match.end, self.passage.sentence_at(match.first).end))
        verb = next((at for at, word in enumerate(words) if word in _VERBS), 0)
        subject = {word for word in words[:verb] if word.isalpha()}
        return _PRONOUNS.isdisjoint(subject) and not subject <= SMALL_WORDS | self.question.opposite

    def _falls_short(self, near: Span) -> bool:
        """Whether something else has more of what is asked: "but not as cold as Vantris"."""
        words = [self.passage.words[end] for end in not_as(self.passage, near)]
        return any(self._is_alike(word) for word in words)

    def _is_alike(self, adjective: str) -> bool:
        """Whether a comparing word of the question is made from an adjective."""
        return not self.question.alike.isdisjoint(_comparisons(adjective))

    def is_granted(self, number: Quantity) -> bool:
        """Whether a number is only what others think."""
        return granted(self.passage, number.match)

    def denies(self, number: Quantity) -> bool:
        """Whether the answer denies a number."""
        return denied(self.passage, number.match)

    def words_beside(self, at: int) -> list[str]:
        """The words around the number at a position in `numbers`.

        They are those of its sentence up to the next number or an "and" after it, without the
        clause of the previous number if it is a different clause.
        """
        passage, numbers = self.passage, self.numbers
        span = numbers[at].span
        sentence, clause = passage.sentence_at(span.first), passage.clause_at(span.first)
        first = sentence.first
        if at:
            before = numbers[at - 1].span
            shared = before.first >= clause.first
            first = max(first, before.end if shared else passage.clause_at(before.first).end)
        end = clause.end
        if at + 1 < len(numbers):
            end = min(end, numbers[at + 1].span.first)
        following = passage.words_of(Span(span.end, end))
        stop = following.index("and") if "and" in following else len(following)
        return [*passage.words_of(Span(first, span.first)), *following[:stop]]

    def quoted(self, match: Match) -> str:
        """The words of a match as the answer writes them."""
        return f'"{self.passage.written(match.span)}"'

    def shown(self, number: Quantity) -> str:
        """A number as the answer writes it."""
        return self.quoted(number.match)

    def opens(self, match: Match) -> bool:
        """Whether a match is all that the first clause says, or the end of a short name there."""
        clause = self.passage.clauses[0]
        if not match.span.inside(clause):
            return False
        before = range(clause.first, match.first)
        is_name = len(before) <= FIRST_NAMES and match.end == clause.end
        return all(
            self.passage.words[at] in SMALL_WORDS
            or (at in before and is_name and not self.question.is_about(self.passage.words[at]))
            for at in (*before, *range(match.end, clause.end))
        )


def _comparisons(adjective: str) -> Iterator[str]:
    """The words that compare by an adjective: "larger" and "largest" of "large"."""
    if adjective in _IRREGULAR:
        yield _IRREGULAR[adjective]
    stems = [adjective, adjective + adjective[-1]]  # "big" is "bigger"
    if adjective.endswith("e"):
        stems.append(adjective[:-1])
    if adjective.endswith("y"):
        stems.append(f"{adjective[:-1]}i")
    for stem in stems:
        yield from (f"{stem}er", f"{stem}est")


def _chosen_from(case: StatedCase, passage: Passage) -> Iterator[Span]:
    """Lists of candidates of which one is the answer: "Of X, Y and Z, Y is the coldest"."""
    facts = list(case.facts())
    if len(facts) != 1:
        return  # "a compound of hydrogen and oxygen"
    right = set(facts[0].accepts.forms.spans(passage))
    names = sorted({*right, *facts[0].rivals.forms.spans(passage)})
    for position, first in enumerate(names):
        opening = first.first - 1
        while opening > 0 and passage.words[opening] in _BEFORE_NAME:
            opening -= 1
        if opening >= 0 and passage.words[opening] in _BEFORE_CHOICES:
            listed = _list_from(passage, names[position:])
            if 0 < len(right.intersection(listed)) < len(listed):
                yield Span(first.first, listed[-1].end)


def _list_from(passage: Passage, names: Sequence[Span]) -> Sequence[Span]:
    """The names of a list that ends with "and" or "or", or none."""
    for position, (one, other) in enumerate(pairwise(names)):
        between = passage.words[one.end : other.first]
        if not between or not _LISTING.issuperset(between):
            break
        if not _LAST.isdisjoint(between):
            return names[: position + 2]
    return ()


def _repeated(lacking: frozenset[str], answer: Passage) -> Iterator[Span]:
    """The spans that say that it is lacking: "no milk", "does not contain milk"."""
    for at, word in enumerate(answer.words):
        if base_form(word) not in lacking:
            continue
        first = at - 1
        while first > 0 and answer.words[first] in _BEFORE_LACKING:
            first -= 1
        if first >= 0 and answer.words[first] in _DENYING:
            yield Span(first, at + 1)
