"""Faulty requests: does an answer name what is wrong?"""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from leaderboard.facts.fault_types import Fault
from leaderboard.types import Case, FoundFact
from scoring.facts.canonical_text.canonical_words import COMMA
from scoring.facts.canonical_text.tokens import is_date, is_number, stem
from scoring.facts.fact_findings import FactFinding
from scoring.facts.form_search import FormSet, Match
from scoring.facts.number_closeness import ROUGHLY
from scoring.facts.phrase_tables import form_set
from scoring.facts.polarity import denied
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.toml_tables import phrases, read_table
from scoring.facts.unmet_requests.answer_reading import (
    Reading,
    new_words,
    other_subject,
    strange_numbers,
)
from scoring.facts.unmet_requests.fault_forms import ANY_FAULT, SIGNS, FaultForms, forms_of
from scoring.facts.unmet_requests.refusals import claims, claims_deed

_MOST_OTHER_TYPES: Final = 1  # types of faults that an answer may name beside the right one
_MOST_BARE_DENIALS: Final = 1  # sentences that only deny things of the request: "No road."
_MOST_BARE_FAULTS: Final = 3  # parts of sentences that name a fault of nothing in the request
_MOST_DENIALS: Final = 6
# Words of the request that a sentence may repeat in another order. With more, it lists them.
_MOST_SHUFFLED: Final = 5
_IN_ORDER: Final = 0.6  # of the steps from one repeated word to the next
_CONSEQUENCE: Final = "so"

_RESULTS: Final = 2  # sentences with numbers that the request does not have

_MOST_ALIKE: Final = 3  # words that an answer may share with that to another kind of fault
_SHARE_ALIKE: Final = 0.75

_MOST_ELSEWHERE: Final = 2  # sentences that deny something else

_TABLE: Final = read_table("unmet_requests/fault_denials.toml")
_DENIALS: Final = {name: form_set(_TABLE[name]) for name in ("absent", "unfamiliar", "invalid")}
_COPULAS: Final = frozenset(("is", "are", "was", "were", "does", "do", "did", "can", "would"))
_EQUAL_VERBS: Final = frozenset(("is", "are", "equal", "equals", "make", "makes"))
_HOW: Final = (("how", "can"), ("how", "could"))
_DENYING: Final = frozenset(_TABLE["words"].split())
_RESULT: Final = form_set(_TABLE["result"])
_DISMISSED: Final = form_set(_TABLE["dismissed"])
_KINDS: Final = {
    word: kind for kind, words in enumerate(phrases(_TABLE["kinds"])) for word in words.split()
}
# What may be between a negation and the kind of thing that it denies.
_BEFORE_KIND: Final = frozenset(_TABLE["before_kind"].split())
_NEXT_JOINT: Final = 2  # words from one "and" to the next in "a and b and c"
_PART_JOINTS: Final = frozenset((COMMA, "and", "or", "but", "nor"))
_BETWEEN_KINDS: Final = frozenset((COMMA, "or", "and", "nor", "a", "an", "no", "the"))

_MONTHS: Final = frozenset(name.lower() for name in calendar.month_name if name not in ("", "May"))


# The words of an answer that says what is wrong with another request.
References = Mapping[str, Sequence[frozenset[str]]]


def references_of(cases: Iterable[Case]) -> References:
    """The words of the reference answers that name a fault, by type of fault."""
    references: dict[str, list[frozenset[str]]] = {}
    for case in cases:
        truth = case.ground_truth
        if truth.facts and truth.facts.fault:
            words = frozenset(read_passage(truth.text or "").words)
            references.setdefault(truth.facts.fault.type, []).append(words)
    return references


def decide_fault(fault: Fault, reading: Reading, references: References) -> FactFinding:
    """Decides whether an answer names the fault of the request.

    `references` are the words of the reference answers of a category, by type of fault.
    """
    forms = forms_of(fault)
    passage, label = reading.answer, forms.label
    stated = list(_stated(reading, forms))
    if false := _first(passage, forms.false, stated):
        words = passage.text_of(false.span)
        return FactFinding("fail", "contradiction", f"It contradicts that {label}: {words}.")
    copied = _copies_other(reading, stated, fault.type, references)
    reason = None if copied else _reason(fault.type, forms, reading, stated)
    if reason is None:
        return FactFinding("fail", "fault_not_named", f"It does not say that {label}.")
    if _does_it(reading, reason) or (forms.named and _gives_value(reading, forms)):
        return FactFinding("fail", "fault_not_named", "It does what was asked anyway.")
    found = FoundFact(label, passage.chars_of(reason.span))
    return FactFinding("pass", "fault_named", f"It says that {label}.", (found,))


def _copies_other(
    reading: Reading, stated: Sequence[Span], type_: str, references: References
) -> bool:
    """Whether a sentence has the words of the right answer to another kind of fault."""
    return any(_copies(set(new_words(reading, sentence)), type_, references) for sentence in stated)


def _copies(said: AbstractSet[str], type_: str, references: References) -> bool:
    least = max(_MOST_ALIKE, _SHARE_ALIKE * len(said))
    ours = max((len(said & words) for words in references.get(type_, ())), default=0)
    return any(
        len(said & words) >= least and len(said & words) > ours
        for other, answers in references.items()
        if other != type_
        for words in answers
    )


def _first(passage: Passage, forms: FormSet, sentences: Sequence[Span]) -> Match | None:
    for sentence in sentences:
        for match in forms.find(passage, sentence):
            if not denied(passage, match):
                return match
    return None


# ---------------------------------------------------------------- what is stated


def _stated(reading: Reading, forms: FaultForms) -> Iterator[Span]:
    """The sentences that state something about the thing at fault."""
    for sentence in (*reading.stated, *_before_questions(reading), *_rhetorical(reading)):
        if not _shuffles_request(reading, sentence) and not (
            forms.day and _other_day(reading, sentence, forms)
        ):
            yield sentence


def _shuffles_request(reading: Reading, sentence: Span) -> bool:
    """Whether a sentence lists words of the request in another order: one must be at fault."""
    stems = [stem(word) for word in reading.query.words]
    words = reading.answer.words
    repeated = [stems.index(stem(words[at])) for at in sentence.indexes if reading.repeats(at)]
    in_order = sum(one < other for one, other in pairwise(repeated))
    many = len(set(repeated)) > _MOST_SHUFFLED
    return many and in_order < _IN_ORDER * (len(repeated) - 1)


def _before_questions(reading: Reading) -> Iterator[Span]:
    """The clauses of a question before its last one: "June has 30 days, so which one?"."""
    passage = reading.answer
    for sentence in reading.kept:
        if sentence in passage.asking:
            inside = [c for c in passage.clauses if sentence.first <= c.first < sentence.end]
            if len(inside) > 1:
                yield Span(sentence.first, inside[-2].end)


def _rhetorical(reading: Reading) -> Iterator[Span]:
    """The questions that the next sentence dismisses, or that ask how something can be.

    "Minus four? That makes no sense.", "How can there be minus four?"
    """
    passage = reading.answer
    for sentence in reading.kept:
        asks_how = passage.words[sentence.first : sentence.first + 2] in _HOW
        if asks_how and sentence in passage.asking:
            yield sentence
    for question, answer in pairwise(reading.kept):
        if question in passage.asking and _DISMISSED.at_start(passage, answer):
            yield question


def _other_day(reading: Reading, sentence: Span, forms: FaultForms) -> bool:
    """Whether a sentence is about another day of the request, or about another month."""
    passage = reading.answer
    if forms.day.first(passage, sentence):
        return False
    words = passage.words_of(sentence)
    dates = filter(is_date, words)
    return not _MONTHS.isdisjoint(words) or any(
        word in reading.query.words or word.split("-")[-2] != forms.month for word in dates
    )


# ---------------------------------------------------------------- reasons and denials


def _reason(
    type_: str, forms: FaultForms, reading: Reading, stated: Sequence[Span]
) -> Match | None:
    """The words that name the fault."""
    passage = reading.answer
    if _denies_elsewhere(reading, stated) > _MOST_ELSEWHERE:
        return None
    others = [
        name
        for name, signs in SIGNS.items()
        if name != type_ and _first(passage, signs, stated) and not signs.first(reading.query)
    ]
    if len(others) > _MOST_OTHER_TYPES or _says_too_much(reading, forms, stated):
        return None
    if _bare_faults(reading) > _MOST_BARE_FAULTS:
        return None
    wrong = _first(passage, forms.wrong, stated)
    for sentence in stated:
        for reason in forms.reasons.find(passage, sentence):
            if _is_about(reading, sentence, forms.about):
                return None if wrong and reason.span.overlaps(wrong.span) else reason
    if wrong or others or _first(passage, forms.others, stated):
        return None
    return _denial(reading, forms, stated)


def _bare_faults(reading: Reading) -> int:
    """How many parts of sentences name a fault, or deny something, and no word of the request.

    A list of faults, which would fit any request, has many: "not real, too long and unreachable".
    """
    passage = reading.answer
    return sum(
        not reading.repeats_any(part)
        and (
            not _DENYING.isdisjoint(passage.words_of(part))
            or ANY_FAULT.first(passage, part) is not None
        )
        for sentence in reading.stated
        for part in sentence.split_at(
            at for at in sentence.indexes if passage.words[at] in _PART_JOINTS
        )
    )


def _denies_much(passage: Passage) -> bool:
    denials = sum(1 for forms in _DENIALS.values() for _ in forms.find(passage))
    return denials > _MOST_DENIALS


def _denies_elsewhere(reading: Reading, stated: Sequence[Span]) -> int:
    """How many sentences deny something in which no word of the request occurs."""
    return sum(
        not _DENYING.isdisjoint(reading.answer.words_of(sentence))
        and not reading.repeats_any(sentence)
        for sentence in stated
    )


def _says_too_much(reading: Reading, forms: FaultForms, stated: Sequence[Span]) -> bool:
    """Whether an answer denies many things, or things that the request is not about."""
    return (
        _denies_much(reading.answer)
        or _denies_each(reading, stated)
        or _denies_other_kind(reading, forms, stated)
        or _denies_other_thing(reading, forms, stated)
        or _repeats_other_thing(reading, forms)
        or other_subject(reading, stated)
        or any(_chains(reading, one) for one in stated)
    )


def _denies_each(reading: Reading, stated: Sequence[Span]) -> bool:
    """Whether an answer denies several things of the request one by one: "No road. No car."."""
    words = reading.answer.words
    bare = [one for one in stated if words[one.first] in ("no", "not")]
    repeating = [one for one in bare if all(map(reading.repeats, range(one.first + 1, one.end)))]
    return len(repeating) > _MOST_BARE_DENIALS


def _denies_other_kind(reading: Reading, forms: FaultForms, stated: Sequence[Span]) -> bool:
    """Whether an answer denies a kind of thing that the request is not about: "no real date"."""
    passage = reading.answer
    own = {_KINDS[word] for word in (*forms.kinds, *reading.query.words) if word in _KINDS}
    for sentence in stated:
        for at in sentence.indexes:
            if passage.words[at] not in ("not", "no"):
                continue
            noun = at + 1
            while noun < sentence.end and passage.words[noun] in _BEFORE_KIND:
                noun += 1
            kind = _KINDS.get(passage.words[noun]) if at + 1 < noun < sentence.end else None
            if kind is not None and kind not in own:
                return True
    return False


def _denies_other_thing(reading: Reading, forms: FaultForms, stated: Sequence[Span]) -> bool:
    """Whether an answer denies several things of the request, or one that is not at fault."""
    at_fault = (forms.about, forms.absent, forms.reasons)
    for sentence in stated:
        absent = _denied_things(reading, sentence, _DENIALS["absent"])
        if len(absent | _denied_things(reading, sentence, _DENIALS["invalid"])) > 1:
            return True
        odd = [thing for thing in absent if _is_odd(reading.answer, thing)]
        if not odd:
            continue
        faulty = [span for known in at_fault for span in known.spans(reading.answer, sentence)]
        if not all(thing.overlaps_any(faulty) for thing in odd):
            return True
    return False


def _repeats_other_thing(reading: Reading, forms: FaultForms) -> bool:
    """Whether a question only repeats words of the request that are not at fault: "February?"."""
    return any(
        sentence in reading.answer.asking
        and reading.repeats_any(sentence)
        and not new_words(reading, sentence)
        and "you" not in reading.answer.words_of(sentence)
        and not forms.about.first(reading.answer, sentence)
        and not forms.absent.first(reading.answer, sentence)
        for sentence in reading.kept
    )


def _is_odd(passage: Passage, thing: Span) -> bool:
    """Whether what is denied is a word, or follows "no such". Times and numbers may not exist.

    The word after a number belongs to it: "-500 °C does not exist".
    """
    before = passage.words[max(0, thing.first - 1)]
    is_word = passage.words[thing.first].isalpha() and not is_number(before)
    return is_word or before == "such"


def _denied_things(reading: Reading, sentence: Span, denials: FormSet) -> set[Span]:
    """The words of the request that a sentence denies, except in "so no such recipe exists"."""
    passage = reading.answer
    things = (
        _denied_thing(reading, sentence, match)
        for match in denials.find(passage, sentence)
        if passage.words[passage.clause_at(match.first).first] != _CONSEQUENCE
    )
    return {thing for thing in things if thing}


def _denied_thing(reading: Reading, sentence: Span, denial: Match) -> Span | None:
    """The word of the request beside a denial: "no such X", "X is not real"."""
    words, at = reading.answer.words, denial.end
    if words[denial.end - 1] != "such":
        at = denial.first - 1
        while at > sentence.first and words[at] in _COPULAS:
            at -= 1
    inside = sentence.first <= at < sentence.end
    return Span(at, at + 1) if inside and reading.repeats(at) else None


def _chains(reading: Reading, sentence: Span) -> bool:
    """Whether a sentence chains words of the request: "meeting and February and 26:00"."""
    words = reading.answer.words
    joints = [
        at
        for at in range(sentence.first + 1, sentence.end - 1)
        if words[at] == "and" and _is_given(reading, at - 1) and _is_given(reading, at + 1)
    ]
    return any(second - first == _NEXT_JOINT for first, second in pairwise(joints))


def _is_given(reading: Reading, word: int) -> bool:
    """Whether a word of an answer is a number or one of the request."""
    return reading.repeats(word) or reading.answer.words[word][-1].isdigit()


def _is_about(reading: Reading, sentence: Span, about: FormSet) -> bool:
    """Whether a sentence names the thing at fault, or nothing else of the request."""
    if not about or about.first(reading.answer, sentence):
        return True
    return not reading.repeats_any(sentence)


def _denial(reading: Reading, forms: FaultForms, sentences: Sequence[Span]) -> Match | None:
    """A denial in a sentence that speaks of the thing at fault."""
    passage, denials = reading.answer, []
    subjects = {"absent": forms.absent, "invalid": forms.invalid}
    if forms.named:
        subjects["unfamiliar"] = forms.absent
    for name, subject in subjects.items():
        for sentence in sentences:
            about = subject.spans(passage, sentence)
            if about and _is_precise(reading, sentence, about):
                denials += [
                    match
                    for match in _DENIALS[name].find(passage, sentence)
                    if not denied(passage, match) and _is_of(passage, match, about)
                ]
    return denials[0] if denials else None


def _is_of(passage: Passage, denial: Match, about: Sequence[Span]) -> bool:
    """Whether no "but" is between a denial and what it is about."""
    return any(
        "but" not in passage.words[min(span.end, denial.end) : max(span.first, denial.first)]
        for span in about
    )


def _is_precise(reading: Reading, sentence: Span, about: Sequence[Span]) -> bool:
    """Whether a sentence says what it denies, and does not only repeat some of the request."""
    if _lists_kinds(reading.answer, sentence):
        return False
    if new_words(reading, sentence):
        return True
    named = {at for span in about for at in span.indexes}
    return not any(at not in named and reading.repeats(at) for at in sentence.indexes)


def _lists_kinds(passage: Passage, sentence: Span) -> bool:
    """Whether a sentence lists kinds of things, as in "no such date, place or unit"."""
    before: int | None = None
    for word in passage.words_of(sentence):
        kind = _KINDS.get(word)
        if kind is not None and before is not None and kind != before:
            return True
        if kind is not None or word not in _BETWEEN_KINDS:
            before = kind
    return False


def _does_it(reading: Reading, reason: Match) -> bool:
    """Whether an answer claims to have done what was asked, or does it and denies nothing."""
    if claims_deed(reading):
        return True
    passage = reading.answer
    sentence = passage.sentence_at(reason.first)
    if not _DENYING.isdisjoint(passage.words_of(sentence)):
        return False
    starts = any(_RESULT.at_start(passage, one) for one in reading.kept)
    numbers = sum(bool(strange_numbers(reading, one)) for one in reading.kept if one != sentence)
    return starts or numbers >= _RESULTS or claims(reading, reading.kept) is not None


def _gives_value(reading: Reading, forms: FaultForms) -> bool:
    """Whether an answer gives a value of what does not exist: "12 snorkits are 36 feet"."""
    passage = reading.answer
    for clause in passage.clauses:
        sentence = passage.sentence_at(clause.first)
        is_supposed = sentence in passage.asking or "if" in passage.words_of(sentence)
        words = [word for word in passage.words_of(clause) if word not in ROUGHLY]
        is_denied = not _DENYING.isdisjoint(words[1:])  # it may start with "but"
        if is_supposed or is_denied or not forms.absent.first(passage, clause):
            continue
        strange = strange_numbers(reading, clause)
        if any(one in _EQUAL_VERBS and other in strange for one, other in pairwise(words)):
            return True
    return False
