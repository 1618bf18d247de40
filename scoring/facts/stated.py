"""Whether an answer states the facts of a case: names, numbers, dates, times and sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Final, Literal, NamedTuple

from leaderboard.fact_forms import Form, parse_form
from leaderboard.facts import Accepted, DateForm, Fact, FactGroup, Facts, NumberForm, TimeForm
from scoring.facts.dumps import QueryRuns
from scoring.facts.findings import FactFinding, Found
from scoring.facts.forms import FormSet, Match
from scoring.facts.languages import is_foreign
from scoring.facts.polarity import beside, denied, dropped_sentences, granted, related, taken_back
from scoring.facts.quantities import Amount, Quantity, quantities
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.tokens import BOUNDARIES, COMMA
from scoring.facts.word_tables import SMALL_WORDS

_MOST_NUMBERS: Final = 4  # besides the right one
_MOST_CALCULATED: Final = 8  # with those of a calculation
_MOST_RIVALS: Final = 4
_LONGEST: Final = 150  # words
_REACH: Final = 4  # words beside "or"
_CONCLUDES: Final = 2
_COMPARES: Final = 3  # a comparison, against words of the question
_WEIGHT: Final = 10  # of a conclusion, against words of the question
_COMPARING: Final = frozenset(("more", "most", "less", "least", "fewer", "fewest", "same"))
_CONCLUSIONS: Final = frozenset(("so", "therefore", "thus", "hence", "answer"))
_RESULTS: Final = _CONCLUSIONS | frozenset(
    ("makes", "making", "total", "altogether", "together", "difference", "sum", "average")
)
_EACH: Final = frozenset(("each", "every", "per", "apiece"))
_LONG_WORD: Final = 6  # letters
_MOST_PARTS: Final = 6  # of a calculation
_ROUGHLY: Final = frozenset(("about", "around", "approximately", "roughly", "nearly"))
_ROUGH: Final = 0.02
_JOINTS: Final = frozenset(("and", "or", "plus"))
_JOINING: Final = _JOINTS | frozenset(("also", "the", "a", "both", COMMA))
_ARTICLES: Final = frozenset(("the", "a", "an", "in", "maybe", "perhaps", "rather", COMMA))


# ---------------------------------------------------------------- compiled facts


@dataclass(frozen=True, slots=True)
class Candidates:
    """Forms and numbers that name the same kind of thing."""

    forms: FormSet
    amounts: tuple[Amount, ...]

    @classmethod
    def of(cls, accepted: Iterable[Accepted]) -> Candidates:
        forms: list[Form] = []
        amounts: list[Amount] = []
        for one in accepted:
            match one:
                case NumberForm():
                    amounts.append(Amount.of(one))
                case DateForm():
                    forms.append(parse_form(f"d{one.date}"))
                case TimeForm():
                    forms.append(parse_form(one.time))
                case _:
                    forms.append(one)
        return cls(FormSet(forms), tuple(amounts))


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A compiled fact."""

    id: str
    label: str
    accepts: Candidates
    rivals: Candidates
    excludes: FormSet
    long_words: tuple[str, ...]

    @classmethod
    def of(cls, fact: Fact) -> StatedFact:
        """Compiles a fact. Its long words are those of its accepted forms and of its label."""
        accepts, rivals = Candidates.of(fact.accepts), Candidates.of(fact.rivals)
        label = set(re.findall(r"\w+", fact.label.casefold()))
        words = {word for form in accepts.forms.forms for word in form.text.split()}
        names = {word for word in words & label if len(word) >= _LONG_WORD and word.isalpha()}
        excludes = FormSet(fact.excludes, tight=True)
        return cls(fact.id, fact.label, accepts, rivals, excludes, tuple(sorted(names)))

    def is_nearly(self, word: str) -> bool:
        """Whether a word is a misspelled long word of the fact."""
        return any(
            word != other
            and word[0] == other[0]
            and abs(len(word) - len(other)) <= 2
            and _close(word, other)
            for other in self.long_words
        )


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
    pairs: tuple[tuple[tuple[FormSet, FormSet], ...], ...]
    query: Passage
    query_runs: QueryRuns
    reference: Passage
    details: tuple[tuple[Quantity, str], ...]
    asked: frozenset[str]
    asked_numbers: frozenset[float]

    def is_asked(self, number: Quantity) -> bool:
        """Whether the question has the number."""
        return number.value in self.asked_numbers

    @property
    def text(self) -> str:
        """The question and the reference in canonical text."""
        return f"{self.query.canonical.text} {self.reference.canonical.text}"

    @property
    def explains(self) -> bool:
        """Whether the question asks for a reason, which can be given in many words."""
        return "why" in self.query.words

    @property
    def amounts(self) -> list[Amount]:
        """The numbers of all facts."""
        return [amount for fact in self.facts() for amount in fact.accepts.amounts]

    @property
    def counts(self) -> bool:
        """Whether a fact is a number."""
        return bool(self.amounts)

    @classmethod
    def of(cls, facts: Facts, query: str, reference: str) -> StatedCase:
        items = tuple(
            StatedFact.of(item) if isinstance(item, Fact) else StatedGroup.of(item)
            for item in facts.items
        )
        values = {value for _, owned in facts.pairs for value in owned}
        # A record's value may have a value of its own: a person's city, and the city's weather.
        levels = [
            [pair for pair in facts.pairs if (pair[0] in values) is inner]
            for inner in (False, True)
        ]
        pairs = tuple(
            tuple((FormSet([name]), FormSet(owned)) for name, owned in level) for level in levels
        )
        asked = read_passage(query)
        content = [word for word in asked.words if word not in SMALL_WORDS or word in _COMPARING]
        stems = frozenset(map(stem, content))
        numbers = frozenset(number.value for number in quantities(asked))
        right = read_passage(reference)
        return cls(
            items=items,
            pairs=pairs,
            query=asked,
            query_runs=QueryRuns.of(asked),
            reference=right,
            details=tuple((number, _kind(right, number)) for number in quantities(right)),
            asked=stems - BOUNDARIES,
            asked_numbers=numbers,
        )

    def facts(self) -> Iterator[StatedFact]:
        """Every fact, with the members of groups."""
        for item in self.items:
            yield from (item,) if isinstance(item, StatedFact) else item.members


def stem(word: str) -> str:
    """A word without its most common endings."""
    for ending in ("ing", "est", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True, slots=True)
class Statements:
    """An answer, with the places of words that state nothing, and its numbers."""

    passage: Passage
    hidden: frozenset[int]
    numbers: tuple[Quantity, ...]
    asked: frozenset[str]

    @classmethod
    def of(cls, text: str, case: StatedCase) -> Statements:
        passage = read_passage(text)
        hidden = set(case.query_runs.copied(passage))
        for sentence in dropped_sentences(passage):
            hidden.update(range(sentence.first, sentence.end))
        for sentence in passage.asking:
            hidden.update(range(sentence.first, sentence.end))
        found = frozenset(hidden)
        return cls(
            passage,
            found,
            tuple(q for q in quantities(passage) if q.span.first not in found),
            case.asked,
        )

    def mentions(self, candidates: Candidates) -> Iterator[Match]:
        """Where the answer mentions one of the candidates."""
        yield from candidates.forms.find(self.passage)
        if candidates.amounts:
            for number in self.numbers:
                if any(
                    amount.equals(number) and not self.counts_other(amount, number)
                    for amount in candidates.amounts
                ):
                    yield Match(number.span.first, number.span.end, -1)

    def counts_other(self, amount: Amount, number: Quantity) -> bool:
        """Whether a number counts something that the question does not speak of."""
        following = self.passage.words[number.span.end : number.span.end + 1]
        if amount.noun is None or not following or amount.counts(self.passage, number):
            return False
        word = following[0]
        if word in SMALL_WORDS or not word.isalpha():
            return False
        return not any(stem(one) in self.asked for one in self.passage.words)

    def names(self, candidates: Candidates) -> Iterator[Match]:
        """Where the answer states one of the candidates, and does not deny it.

        What is denied together is denied: "a misconception that it is Sydney (or Melbourne)".
        """
        denied_end = -1
        for match in self.mentions(candidates):
            before = [
                word for word in self.passage.words[denied_end : match.first] if word != COMMA
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
        others = list(fact.rivals.forms.find(self.passage))
        return [match for match in right if not any(_inside(match, other) for other in others)]

    def _misspelled(self, fact: StatedFact) -> list[Match]:
        """Where a long word of a name has a wrong letter or two, if no rival is named."""
        if any(self.names(fact.rivals)):
            return []
        words = enumerate(self.passage.words)
        found = [Match(at, at + 1, -1) for at, word in words if fact.is_nearly(word)]
        return [match for match in found if not self.says_nothing(match)]

    def says_nothing(self, match: Match) -> bool:
        """Whether a match is copied, denied, or named beside the answer."""
        if match.first in self.hidden and match.end - 1 in self.hidden:
            return True
        return denied(self.passage, match) or beside(self.passage, match)

    def is_granted(self, number: Quantity) -> bool:
        """Whether a number is only what others think."""
        return granted(self.passage, Match(number.span.first, number.span.end, -1))

    def denies(self, number: Quantity) -> bool:
        """Whether the answer denies a number."""
        return denied(self.passage, Match(number.span.first, number.span.end, -1))

    def quoted(self, match: Match) -> str:
        """The words of a match as the answer writes them."""
        return self._written(match.span)

    def shown(self, number: Quantity) -> str:
        """A number as the answer writes it."""
        return self._written(number.span)

    def _written(self, span: Span) -> str:
        words = self.passage.canonical.original[slice(*self.passage.place(span))]
        return f'"{" ".join(words.split())}"'

    @property
    def foreign(self) -> bool:
        """Whether the answer is in another language."""
        return is_foreign(self.passage)


def _found(case: StatedCase, answer: Statements) -> tuple[Found, ...]:
    """Each fact, with the first place where the answer states it."""
    found = []
    for fact in case.facts():
        matches = answer.states(fact)
        place = answer.passage.place(matches[0].span) if matches else None
        found.append(Found(fact.id, fact.label, place))
    return tuple(found)


# ---------------------------------------------------------------- the decision


class Doubt(NamedTuple):
    """Why an answer does not pass: it fails, or a judge has to read it."""

    decided: Literal["fail", "open"]
    reason: str
    detail: str


def decide_stated(case: StatedCase, answer: Statements) -> FactFinding:
    """Whether an answer states every fact and contradicts none. A fail outweighs what is open."""
    doubts: list[Doubt] = []
    for check in (_excluded, _missing, _rivals, _choices, _pairs, _details, _too_much, _withdrawn):
        for doubt in check(case, answer):
            if doubt.decided == "fail":
                return FactFinding("fail", doubt.reason, doubt.detail, _found(case, answer))
            doubts.append(doubt)
    found = _found(case, answer)
    if doubts:
        return FactFinding("open", doubts[0].reason, doubts[0].detail, found)
    labels = [fact.label for fact in found if fact.place]
    return FactFinding("pass", "facts_stated", f"States {_listed(labels)}.", found)


def _fails(reason: str, detail: str) -> Doubt:
    return Doubt("fail", reason, detail[:1].upper() + detail[1:])


def _leaves_open(detail: str) -> Doubt:
    return Doubt("open", "facts_open", detail[:1].upper() + detail[1:])


def _excluded(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Statements that contradict a fact."""
    for item in case.items:
        for match in item.excludes.find(answer.passage):
            if not answer.says_nothing(match):
                yield _fails("contradiction", f"{answer.quoted(match)} contradicts {item.label}.")


def _missing(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Facts that the answer does not state."""
    for item in case.items:
        if isinstance(item, StatedFact):
            if not answer.states(item):
                yield _missed(case, answer, item)
            continue
        missing = [fact for fact in item.members if not answer.states(fact)]
        if len(item.members) - len(missing) < item.at_least:
            yield _missed(case, answer, missing[0])


def _missed(case: StatedCase, answer: Statements, fact: StatedFact) -> Doubt:
    # "The author, Tove Jansson, is missing", but "Nepal is missing".
    named = f"{fact.label}," if "," in fact.label else fact.label
    if case.explains:
        return _leaves_open(f"{named} is not stated in words that the facts list.")
    if answer.foreign:
        return _leaves_open(f"{named} is not found, but the answer is in another language.")
    return _fails("fact_missing", f"{named} is missing.")


def _rivals(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Other candidates beside the right one."""
    for item in case.items:
        rivals = [
            match for match in answer.names(item.rivals) if not related(answer.passage, match)
        ]
        if isinstance(item, StatedGroup):
            if rivals:
                yield _fails(
                    "contradiction", f"{answer.quoted(rivals[0])} is none of {item.label}."
                )
            continue
        right = answer.states(item)
        rivals = [rival for rival in rivals if not any(_overlap(rival, match) for match in right)]
        if right:
            yield from _compared(case, answer, item, right, rivals)


def _compared(
    case: StatedCase,
    answer: Statements,
    fact: StatedFact,
    right: Sequence[Match],
    rivals: Sequence[Match],
) -> Iterator[Doubt]:
    """Whether the right candidate or another one is the answer."""
    ours = [match for match in right if not granted(answer.passage, match)]
    theirs = [match for match in rivals if not granted(answer.passage, match)]
    if not rivals:
        goes_on = answer.passage.clause_at(right[-1].first) != answer.passage.clauses[-1]
        if not ours and goes_on and not case.explains:
            yield _leaves_open(f"{fact.label}, is only granted.")
        return
    if ours and not theirs:
        return
    named = f"{answer.quoted((theirs or rivals)[0])} is named beside {fact.label}."
    if theirs and not ours:
        yield _fails("contradiction", named)
    else:
        yield from _weighed(case, answer, right, rivals, named)


def _weighed(
    case: StatedCase,
    answer: Statements,
    right: Sequence[Match],
    rivals: Sequence[Match],
    named: str,
) -> Iterator[Doubt]:
    """Which of two candidates an answer says more of. `named` is the detail if it is a rival."""
    names = [*right, *rivals]
    if _only_names(answer, names) or all(_joined(answer, one, rivals) for one in right):
        yield _fails("contradiction", named)
        return
    our_words = max(_said_of(case, answer, match, names) for match in right)
    their_words = max(_said_of(case, answer, match, names) for match in rivals)
    if _opens(answer, rivals[0]) and right[0].first > rivals[0].first and our_words < _WEIGHT:
        yield _fails("contradiction", named)
    elif _leads(answer, right[0], rivals[0]) and their_words < our_words + _WEIGHT:
        # What follows the answer explains it, unless it answers the question again.
        if their_words >= our_words + _COMPARES:
            yield _leaves_open(named)
    elif their_words > our_words:
        yield _fails("contradiction", named)
    elif our_words == their_words > 0:
        yield _leaves_open(named)
    elif our_words == 0:
        many = len({answer.quoted(rival) for rival in rivals}) >= _MOST_RIVALS
        if many or rivals[0].first < right[0].first:
            yield _fails("contradiction", named)


def _leads(answer: Statements, right: Match, rival: Match) -> bool:
    """Whether an answer starts with the right candidate, and does not join the other to it."""
    in_first_clause = right.first < answer.passage.clauses[0].end
    return in_first_clause and right.first < rival.first and not _joined(answer, right, [rival])


def _joined(answer: Statements, match: Match, others: Sequence[Match]) -> bool:
    """Whether a candidate is named together with another one: "Vantris and Snowmere"."""
    for other in others:
        first, second = sorted((match, other), key=lambda one: one.first)
        between = answer.passage.words[first.end : second.first]
        if not _JOINTS.isdisjoint(between) and _JOINING.issuperset(between):
            return True
    return False


def _opens(answer: Statements, match: Match) -> bool:
    """Whether a match is all that the first clause says."""
    clause = answer.passage.clauses[0]
    words = [*range(clause.first, match.first), *range(match.end, clause.end)]
    return _within(match, clause) and all(answer.passage.words[at] in SMALL_WORDS for at in words)


def _only_names(answer: Statements, names: Sequence[Match]) -> bool:
    """Whether an answer is a list of names and says nothing about them."""
    listed = {place for match in names for place in range(match.first, match.end)}
    return all(
        place in listed or word in SMALL_WORDS or word in BOUNDARIES
        for place, word in enumerate(answer.passage.words)
    )


def _said_of(case: StatedCase, answer: Statements, match: Match, names: Sequence[Match]) -> int:
    """How many words of the question are in the clause with a candidate, beside all names."""
    clause = answer.passage.clause_at(match.first)
    named = {place for name in names for place in range(name.first, name.end)}
    places = [place for place in range(clause.first, clause.end) if place not in named]
    words = [answer.passage.words[place] for place in places]
    concluded = _WEIGHT if any(word in _CONCLUSIONS for word in words) else 0
    asked = [word for word in words if stem(word) in case.asked]
    return concluded + sum(_COMPARES if _compares(word) else 1 for word in asked)


def _compares(word: str) -> bool:
    """Whether a word of the question says which candidate is meant: "more", "coldest"."""
    return word in _COMPARING or word.endswith(("er", "est"))


def _choices(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Answers that do not settle on one value: "1989 or 1990"."""
    words = answer.passage.words
    for item in case.items:
        facts = (item,) if isinstance(item, StatedFact) else item.members
        for fact in facts:
            for match in answer.states(fact):
                after = match.end + (words[match.end : match.end + 1] == (COMMA,))
                if words[after : after + 1] == ("or",):
                    yield from _choice(answer, fact, Span(after + 1, after + 1 + _REACH))
                before = match.first - 1
                while before >= 0 and words[before] in _ARTICLES:
                    before -= 1
                if before > 0 and words[before] == "or":
                    yield from _choice(answer, fact, Span(max(0, before - _REACH), before))


def _choice(answer: Statements, fact: StatedFact, span: Span) -> Iterator[Doubt]:
    """What is beside "or" and a right value."""
    sentence = answer.passage.sentence_at(min(span.first, span.end))
    span = Span(max(span.first, sentence.first), min(span.end, sentence.end))
    if span.end <= span.first:
        return
    inside = [match for match in answer.mentions(fact.accepts) if _within(match, span)]
    if inside:
        return
    others = [match for match in answer.mentions(fact.rivals) if _within(match, span)]
    if fact.accepts.amounts:
        others += [
            Match(number.span.first, number.span.end, -1)
            for number in answer.numbers
            if _within(Match(number.span.first, number.span.end, -1), span)
        ]
    if others:
        yield _fails("contradiction", f"{answer.quoted(others[0])} is offered beside {fact.label}.")
    else:
        yield _leaves_open(f"another answer is offered beside {fact.label}.")


def _pairs(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Values that are stated of another record than their own."""
    for level in case.pairs:
        names = [[match.first for match in name.find(answer.passage)] for name, _ in level]
        for place, (_, value) in enumerate(level):
            matches = list(value.find(answer.passage))
            if matches and all(place not in _owners(names, match) for match in matches):
                yield _fails("contradiction", f"{answer.quoted(matches[0])} is stated of another.")


def _owners(names: Sequence[Sequence[int]], match: Match) -> set[int]:
    """The records that a value may belong to: the one named last before it, and the nearest one."""
    places = [(place, owner) for owner, found in enumerate(names) for place in found]
    if not places:
        return set(range(len(names)))
    before = [one for one in places if one[0] < match.first]
    nearest = min(places, key=lambda one: abs(one[0] - match.first))
    return {nearest[1], max(before)[1] if before else nearest[1]}


def _details(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Years, percentages and numbers that the reference states, too, with other values."""
    values = {number.value for number, _ in case.details}
    for number, kind in case.details:
        stated = any(amount.equals(number) for amount in case.amounts)
        if stated or case.is_asked(number) or (case.counts and not kind):
            continue
        alike = [other for other in answer.numbers if _kind(answer.passage, other) == kind]
        rough = case.reference.words[max(0, number.span.first - 1)] in _ROUGHLY
        room = _ROUGH * abs(number.value) if rough else 0
        if any(abs(other.value - number.value) <= room for other in alike):
            continue
        alike = [o for o in alike if o.value not in values and not case.is_asked(o)]
        alike = [o for o in alike if not _is_of_rival(case, answer, o)]
        spans = alike and alike[0].value <= number.value <= alike[-1].value
        if not alike or spans:
            continue
        detail = f"{answer.shown(alike[0])} contradicts the right answer."
        is_beside = kind and not _is_apart(case, answer, alike[0])
        yield _fails("contradiction", detail) if is_beside else _leaves_open(detail)


def _is_of_rival(case: StatedCase, answer: Statements, number: Quantity) -> bool:
    """Whether a number is said of another candidate: "oxygen is only 21 %"."""
    clause = answer.passage.clause_at(number.span.first)
    forms = [item.rivals.forms for item in case.items]
    return any(form.first(answer.passage, clause) for form in forms if form)


def _is_apart(case: StatedCase, answer: Statements, number: Quantity) -> bool:
    """Whether a number is in a sentence of its own that states none of the facts."""
    sentence = answer.passage.sentence_at(number.span.first)
    stated = (match for fact in case.facts() for match in answer.states(fact))
    apart = all(answer.passage.sentence_at(match.first) != sentence for match in stated)
    return apart and sentence != answer.passage.sentences[0]


def _kind(passage: Passage, number: Quantity) -> str:
    """What a number is about: a year, its unit, or the word after it. Empty if nothing is said."""
    if number.is_year:
        return "year"
    if number.unit:
        return number.unit
    following = passage.words[number.span.end : number.span.end + 1]
    word = following[0] if following else ""
    return "" if word in SMALL_WORDS or word in BOUNDARIES or not word.isalpha() else stem(word)


def _too_much(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Answers that list numbers, or that are longer than a plain answer."""
    amounts = case.amounts
    if amounts:
        yield from _other_counts(case, answer, amounts)
        unneeded = unneeded_numbers(case, answer)
        calculated = _is_counted(case, answer) or (
            len(_other_numbers(case, answer)) <= _MOST_CALCULATED
        )
        if not calculated or len(unneeded) >= _MOST_NUMBERS + len(amounts) - 1:
            yield _fails("contradiction", "the answer lists many numbers.")
    if len(answer.passage.words) > _LONGEST:
        yield _leaves_open("the answer is long.")


def unneeded_numbers(case: StatedCase, answer: Statements) -> list[float]:
    """The numbers of an answer that no fact needs and that explain none."""
    if _is_counted(case, answer):
        return []
    return _unexplained(_other_numbers(case, answer), case.amounts)


def _is_counted(case: StatedCase, answer: Statements) -> bool:
    """Whether the right answer is how many other numbers the answer lists."""
    others = len(_other_numbers(case, answer))
    return any(
        amount.number == others and amount.counts(answer.passage, number)
        for amount in case.amounts
        for number in answer.numbers
        if amount.equals(number)
    )


def _other_numbers(case: StatedCase, answer: Statements) -> list[float]:
    return [
        number.value
        for number in answer.numbers
        if not case.is_asked(number) and not any(amount.equals(number) for amount in case.amounts)
    ]


def _unexplained(values: Sequence[float], amounts: Sequence[Amount]) -> list[float]:
    """The values that are no part of a calculation: "130 + 330 + 380 = 840"."""
    known = {*values, *(amount.number for amount in amounts)}
    parts: set[int] = set()
    for first in range(len(values)):
        for end in range(first + 2, min(first + _MOST_PARTS, len(values)) + 1):
            run = values[first:end]
            if sum(run) in known or (sum(run) / len(run)) in known:
                parts.update(range(first, end))
    rest = [value for place, value in enumerate(values) if place not in parts]
    results = {amount.number for amount in amounts}
    for one, other in combinations(rest[:_MOST_PARTS], 2):
        if abs(one - other) in results or one + other in results:
            return [value for value in rest if value not in (one, other)]
    return rest


def _other_counts(
    case: StatedCase, answer: Statements, amounts: Sequence[Amount]
) -> Iterator[Doubt]:
    """Another number of what a fact counts, said with more weight than the right one."""
    first = next(iter(answer.numbers), None)
    for fact in case.facts():
        for amount in fact.accepts.amounts:
            right = [n for n in answer.numbers if amount.equals(n)]
            if first and right and _is_instead(case, answer, first, right):
                yield _fails("contradiction", f"{answer.shown(first)} contradicts {fact.label}.")
            wrong = [
                number
                for number in answer.numbers
                if amount.counts(answer.passage, number)
                and not any(other.equals(number) for other in amounts)
                and not case.is_asked(number)
                and not answer.denies(number)
            ]
            others = [n for n in answer.numbers if n not in right and not case.is_asked(n)]
            if right and all(answer.is_granted(number) for number in right):
                said = [number for number in others if not answer.is_granted(number)]
                if said:
                    detail = f"{answer.shown(said[-1])} contradicts {fact.label}."
                    yield _fails("contradiction", detail)
            if not right or not wrong:
                continue
            ours = max(_weight(answer, amount, number) for number in right)
            theirs, number = max((_weight(answer, amount, number), number) for number in wrong)
            concludes = theirs >= _CONCLUDES or wrong[0].span < right[0].span
            if theirs > ours and concludes:
                yield _fails("contradiction", f"{answer.shown(number)} contradicts {fact.label}.")


def _is_instead(
    case: StatedCase, answer: Statements, first: Quantity, right: Sequence[Quantity]
) -> bool:
    """Whether an answer opens with nothing but another number, and does not conclude the right one.

    It is about answers such as "It was 1915, a year after Sarajevo in 1914".
    """
    match = Match(first.span.first, first.span.end, -1)
    same_kind = all(
        _kind(answer.passage, number) == _kind(answer.passage, first) for number in right
    )
    if first in right or not same_kind or case.is_asked(first) or answer.says_nothing(match):
        return False
    concluded = any(
        not _RESULTS.isdisjoint(answer.passage.words[first.span.end : number.span.first])
        or not _EACH.isdisjoint(answer.passage.words[number.span.end :])
        for number in right
    )
    return _opens(answer, match) and not concluded


def _weight(answer: Statements, amount: Amount, number: Quantity) -> int:
    """How much a number looks like the answer: the end of a calculation, or with its noun."""
    clause = answer.passage.clause_at(number.span.first)
    words = answer.passage.words[clause.first : clause.end]
    concluded = _CONCLUDES if any(word in _RESULTS for word in words) else 0
    return concluded + amount.counts(answer.passage, number)


def _withdrawn(_: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Answers that take back what they state."""
    if match := taken_back(answer.passage):
        yield _leaves_open(f"{answer.quoted(match)} takes the answer back.")


def _close(word: str, other: str) -> bool:
    """Whether two words differ in one letter, or in two of nine or more."""
    matcher = SequenceMatcher(None, word, other, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    return max(len(word), len(other)) - same <= (2 if len(word) >= 9 else 1)


def _inside(match: Match, other: Match) -> bool:
    """Whether a match is a part of a longer one."""
    longer = other.end - other.first > match.end - match.first
    return longer and other.first <= match.first and match.end <= other.end


def _overlap(one: Match, other: Match) -> bool:
    return one.first < other.end and other.first < one.end


def _within(match: Match, span: Span) -> bool:
    return span.first <= match.first and match.end <= span.end


def _listed(labels: Sequence[str]) -> str:
    if len(labels) < 2:
        return "".join(labels) or "what the case asks for"
    return f"{', '.join(labels[:-1])} and {labels[-1]}"
