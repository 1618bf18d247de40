"""The facts of a case that a text must state, compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from leaderboard.facts.accepted_forms import Accepted, DateForm, NumberForm, TimeForm
from leaderboard.facts.fact_shapes import Fact, FactGroup, Facts
from leaderboard.facts.text_forms import Form
from scoring.facts.form_search import FormSet
from scoring.facts.misspelled_names import long_words
from scoring.facts.sentences import Passage, read_passage
from scoring.facts.stated.asked_question import AskedQuestion
from scoring.facts.stated.quantities import Amount, Quantity, kind_of, quantities

_Pairs = tuple[tuple[FormSet, FormSet], ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Forms and numbers that name the same kind of thing. `forms` has the dates and times, too."""

    forms: FormSet
    amounts: tuple[Amount, ...]

    @classmethod
    def of(cls, accepted: Iterable[Accepted]) -> Candidates:
        """Compiles forms."""
        forms: list[Form | str] = []
        amounts: list[Amount] = []
        for one in accepted:
            match one:
                case NumberForm():
                    amounts.append(Amount.of(one))
                case DateForm(day):
                    forms.append(f"d{day}")
                case TimeForm(time):
                    forms.append(f"t{time}")
                case _:
                    forms.append(one)
        return cls(FormSet(forms), tuple(amounts))

    def has_number(self, number: Quantity) -> bool:
        """Whether a number is one of these."""
        return any(amount.equals(number) for amount in self.amounts)


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A compiled fact."""

    label: str
    accepts: Candidates
    rivals: Candidates
    excludes: FormSet
    long_words: tuple[str, ...]

    @classmethod
    def of(cls, fact: Fact) -> StatedFact:
        """Compiles a fact."""
        accepts, rivals = Candidates.of(fact.accepts), Candidates.of(fact.rivals)
        excludes = FormSet(fact.excludes, tight=True)
        names = long_words(fact.label, accepts.forms)
        return cls(fact.label, accepts, rivals, excludes, names)

    @property
    def members(self) -> tuple[StatedFact, ...]:
        """The fact itself, as the only one of its group."""
        return (self,)


@dataclass(frozen=True, slots=True)
class StatedGroup:
    """A compiled group of facts."""

    label: str
    members: tuple[StatedFact, ...]
    at_least: int
    rivals: Candidates
    excludes: FormSet

    @classmethod
    def of(cls, group: FactGroup) -> StatedGroup:
        members = tuple(map(StatedFact.of, group.any))
        rivals = Candidates.of(group.rivals)
        excludes = FormSet(group.excludes, tight=True)
        return cls(group.label, members, group.at_least, rivals, excludes)


@dataclass(frozen=True, slots=True)
class StatedCase:
    """The facts of a case, compiled, with its question and its reference answer."""

    items: tuple[StatedFact | StatedGroup, ...]
    pairs: tuple[_Pairs, ...]
    question: AskedQuestion
    reference: Passage
    details: tuple[tuple[Quantity, str], ...]

    @property
    def text(self) -> str:
        """The question and the reference in canonical text."""
        return f"{self.question.passage.canonical.text} {self.reference.canonical.text}"

    @property
    def amounts(self) -> list[Amount]:
        """The numbers of all facts."""
        return [amount for fact in self.facts() for amount in fact.accepts.amounts]

    def is_asked(self, number: Quantity) -> bool:
        """Whether the question has the number."""
        return number.value in self.question.numbers

    def is_right(self, number: Quantity) -> bool:
        """Whether a fact has the number."""
        return any(fact.accepts.has_number(number) for fact in self.facts())

    def is_other(self, number: Quantity) -> bool:
        """Whether neither a fact nor the question has the number."""
        return not self.is_right(number) and not self.is_asked(number)

    @classmethod
    def of(cls, facts: Facts, query: str, reference: str) -> StatedCase:
        items = tuple(
            StatedFact.of(item) if isinstance(item, Fact) else StatedGroup.of(item)
            for item in facts.items
        )
        right = read_passage(reference)
        return cls(
            items=items,
            pairs=_pairs(facts),
            question=AskedQuestion.of(query),
            reference=right,
            details=tuple((number, kind_of(right, number)) for number in quantities(right)),
        )

    def facts(self) -> Iterator[StatedFact]:
        """Every fact, with the members of groups."""
        for item in self.items:
            yield from item.members


def _pairs(facts: Facts) -> tuple[_Pairs, ...]:
    """The records with their values, and apart from them those that are values of others.

    A record's value may have a value of its own: a person's city, and the city's weather.
    """
    values = {value for _, owned in facts.pairs for value in owned}
    outer: list[tuple[FormSet, FormSet]] = []
    inner: list[tuple[FormSet, FormSet]] = []
    for name, owned in facts.pairs:
        level = inner if name in values else outer
        level.append((FormSet([name]), FormSet(owned)))
    return tuple(outer), tuple(inner)
