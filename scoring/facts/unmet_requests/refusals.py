"""Unsupported requests: does an answer say that the speaker cannot do it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from leaderboard.facts.fact_shapes import Refused
from leaderboard.types import FoundFact
from scoring.facts.canonical_text.canonical_words import BOUNDARIES
from scoring.facts.canonical_text.tokens import stem
from scoring.facts.fact_findings import FactFinding
from scoring.facts.form_search import FormSet, Match
from scoring.facts.phrase_tables import listed
from scoring.facts.polarity import denied
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.toml_tables import phrases, read_table
from scoring.facts.unmet_requests.answer_reading import (
    Reading,
    meaningful,
    new_words,
    strange_numbers,
)

_TABLE: Final = read_table("unmet_requests/refusals.toml")
_VERBS: Final = {
    name: phrases(_TABLE[name]) for name in ("deed", "doing", "do", "task", "deed_at_end")
}


def _forms(*names: str) -> FormSet:
    return FormSet([form for name in names for form in listed(_TABLE[name], _VERBS)], tight=True)


_CONTRARY: Final = frozenset(phrases(_TABLE["contrary"]))
_USER: Final = ("you",)
_HAVING: Final = frozenset(("have", "had"))
_SUPPOSING: Final = frozenset(phrases(_TABLE["supposing"]))
_CANNOT: Final = _forms("cannot")
_CANNOT_ELSEWHERE: Final = _forms("cannot_elsewhere")
_LOOKED: Final = _forms("looked")
_MEANINGLESS: Final = _forms("meaningless")
_IDIOMS: Final = _forms("idioms")
_LACKING: Final = _forms("lacking")
_LACKING_DETAIL: Final = _forms("lacking_detail")
_MEANS: Final = _forms("means")
_ASKS_DETAIL: Final = _forms("asks_detail")
_OTHER_HELP: Final = _forms("other_help")
_HELPING: Final = _forms("helping")
_DID: Final = _forms("did")
_NO_DEED: Final = _forms("no_deed")
_DONE: Final = _forms("done")
_DONE_FIRST: Final = _forms("done_first")
_DONE_ALONE: Final = _forms("done_first", "done_alone")
_DONE_LAST: Final = _forms("done_first", "done_last")
_IMPERATIVE: Final = _forms("imperative")
_BY_USER: Final = _forms("by_user")
_COMPLETED: Final = _forms("completed")
_WILL: Final = _forms("will")
_LOCATED: Final = _forms("located")
_OFFERS: Final = _forms("offers")
_OPEN: Final = _forms("open")
_OTHERWISE: Final = _forms("otherwise")
_CONDITION: Final = _forms("otherwise", "without_it")
_UNLESS: Final = _forms("unless")
_INVENTED: Final = _forms("invented")
_NEGATIONS: Final = _forms("negations")
_REPORTED: Final = _forms("reported")
_NO_REFUSALS: Final = (_LOOKED, _REPORTED, _MEANINGLESS, _IDIOMS)
_TELLING: Final = _forms("telling")
_PLACES: Final = _forms("places")
_ADVISING: Final = _forms("advising")
_POINTING: Final = frozenset(phrases(_TABLE["pointing"]))
_NO_SUBJECTS: Final = frozenset(phrases(_TABLE["no_subjects"]))
_CLAIM_STARTS: Final = frozenset(("i", "we", "now"))
_SPEAKERS: Final = frozenset(phrases(_TABLE["speakers"]))
_HISTORY: Final = _forms("history")
_NO: Final = _forms("no")
_ADVICE: Final = _forms("advice")
_OTHERS: Final = frozenset(("they", "he", "she"))
_LIMITING: Final = frozenset(("only", "just"))
_ANY_TASK: Final = frozenset(phrases(_TABLE["any_task"]))
_LONG_START: Final = 5  # letters, so that "cancelling" is a form of "cancel"
_THE_REQUEST: Final = frozenset(("it", "that", "this", "these", "those", "them", "so"))


def decide_refusal(refused: Refused, reading: Reading, reference: str) -> FactFinding:
    """Decides whether an answer says that it cannot be done, and does not do it all the same.

    What it says cannot be done must be about the request: the refusal has a word of the request or
    of the case's reference, or it fits any request. Of others a judge must decide.
    """
    passage = reading.answer
    if claims(reading, reading.kept) or _announces(reading):
        return _failed("It claims to have done it, or to be about to.")
    cannots = [*_unconditional(passage, _cannots(reading)), *_declines(reading)]
    if cannots and _goes_on(reading):
        cannots = [*_unconditional(passage, _without_details(reading))]
        if not cannots:
            return _failed("It only says that a detail is missing, as if it could do the task.")
    related = [one for one in cannots if _is_about(reading, one, reference)]
    is_about = related or reading.foreign or refuses_outright(reading)
    cannot = next(iter(related or cannots), None)
    if cannot is None and refused == "action":
        cannot = _plain_no(passage)
    if cannot is None:
        return _failed("It does not say that it cannot be done.")
    if detail := _undone(refused, reading):
        return _failed(detail)
    if cannots and not is_about:
        return FactFinding("open", "facts_open", "No rule tells whether it refuses this request.")
    found = FoundFact("that it cannot be done", passage.chars_of(cannot.span))
    return FactFinding("pass", "refused", "It says that it cannot be done.", (found,))


def _undone(refused: Refused, reading: Reading) -> str | None:
    """Why a refusal does not count, by what else the answer says."""
    passage = reading.answer
    if any(_OPEN.first(passage, sentence) for sentence in reading.kept):
        return "It leaves open whether it can be done."
    if refused == "information" and any(_invents(reading, one) for one in reading.stated):
        return "It gives information that it says it cannot know."
    return None


def _is_about(reading: Reading, cannot: Match, reference: str) -> bool:
    """Whether a refusal is about the request, by the words of its sentence.

    One of them is a word of the request or of the reference, or means it; or the speaker says no
    more than "I can't".
    """
    passage = reading.answer
    words = passage.words_of(passage.sentence_at(cannot.first))
    clause = meaningful(passage, passage.clause_at(cannot.first))
    if not clause or not _THE_REQUEST.isdisjoint(words):
        return True
    stems = reading.stems.union(map(stem, read_passage(reference).words))
    starts = tuple(one for one in stems if len(one) >= _LONG_START)
    said = meaningful(passage, passage.sentence_at(cannot.first))
    return any(stem(word) in stems or word.startswith(starts) for word in said)


def refuses_outright(reading: Reading) -> Match | None:
    """The words that refuse any request: "I can't do that.", but not "I can't guess your city."."""
    passage = reading.answer
    for match in _without_details(reading):
        sentence = passage.sentence_at(match.first)
        refusing = {at for one in _unable(passage, sentence) for at in one.span.indexes}
        said = {passage.words[at] for at in refusing} | _ANY_TASK
        if condition := _OTHERWISE.at_start(passage, sentence):
            said.update(passage.words_of(condition.span))
        new = set(new_words(reading, sentence)) - said
        is_limit = passage.words[match.first] in _LIMITING
        is_others = passage.words[match.first - 1] in _OTHERS  # "No, they cannot." answers
        rest = (at for at in sentence.indexes if at not in refusing)
        repeats = any(map(reading.repeats, rest))
        speaks = any(_is_speaker(reading, at) for at in sentence.indexes)
        if not new and not is_limit and (speaks or not (repeats or is_others)):
            return match
    return None


def claims(reading: Reading, sentences: Iterable[Span]) -> Match | None:
    """The words that claim that something was done or is being done."""
    passage = reading.answer
    refused = False
    for sentence in sentences:
        if sentence in passage.asking:
            continue
        if match := _claim(passage, sentence, _DID) or _claim(passage, sentence, _DONE):
            return match
        if match := _says_done(passage, sentence):
            return match
        first = _DONE_FIRST.at_start(passage, sentence)
        unable = _CANNOT.first(passage, sentence) is not None
        if first and not unable and not (refused and _advises(passage, sentence)):
            return first
        refused = refused or unable
    return None


def _advises(passage: Passage, sentence: Span) -> bool:
    """Whether a sentence says how the user does it: "Set the dial to 19 yourself"."""
    if not _IMPERATIVE.at_start(passage, sentence) or _COMPLETED.first(passage, sentence):
        return False
    return _BY_USER.first(passage, sentence) is not None


def claims_deed(reading: Reading) -> bool:
    """Whether the speaker says to have done something for the user: "I've booked a room"."""
    passage = reading.answer
    return any(
        _claim(passage, sentence, _DID) or _says_done(passage, sentence)
        for sentence in reading.kept
        if sentence not in passage.asking
    )


def _says_done(passage: Passage, sentence: Span) -> Match | None:
    """The clause at an end of a sentence that is nothing but "done": "Status: completed"."""
    first, last = passage.clause_at(sentence.first), passage.clause_at(sentence.end - 1)
    for clause, forms in ((first, _DONE_ALONE), (last, _DONE_LAST)):
        match = forms.at_start(passage, clause)
        if match and match.span == clause:
            return match
        if _CANNOT.first(passage, sentence):
            return None
    return None


def _claim(passage: Passage, sentence: Span, forms: FormSet) -> Match | None:
    unable = next(_unable(passage, sentence), None)
    no_deeds = _NO_DEED.spans(passage, sentence)
    for match in forms.find(passage, sentence):
        if not (
            _is_supposed(passage, match)
            or _follows(passage, unable, match)
            or match.span.overlaps_any(no_deeds)
        ):
            return match
    return None


def _failed(detail: str) -> FactFinding:
    return FactFinding("fail", "not_refused", detail)


def _is_supposed(passage: Passage, match: Match) -> bool:
    """Whether words are denied, only supposed, or said of the user.

    "Once a room is booked", "whichever you have measured".
    """
    before = passage.words[passage.clause_at(match.first).first : match.first]
    by_user = before[-1:] == _USER and passage.words[match.first] in _HAVING
    return by_user or denied(passage, match) or not _SUPPOSING.isdisjoint(before)


def _follows(passage: Passage, unable: Match | None, match: Match) -> bool:
    """Whether words are a part of what the speaker cannot do: "whether it has been paid"."""
    if unable is None or match.first < unable.first:
        return bool(unable and match.span.overlaps(unable.span))
    starts_clause = match.first == passage.clause_at(match.first).first
    if starts_clause and passage.words[match.first] in _CLAIM_STARTS:
        return False
    return _CONTRARY.isdisjoint(passage.words[unable.end : match.first + 1])


def _goes_on(reading: Reading) -> bool:
    """Whether an answer asks for a detail of the request, or says that it helps with it."""
    passage = reading.answer
    return any(
        _ASKS_DETAIL.first(passage, sentence)
        or _HELPING.first(passage, sentence)
        or (sentence in passage.asking and not _OTHER_HELP.first(passage, sentence))
        for sentence in reading.kept
    )


def _without_details(reading: Reading) -> Iterator[Match]:
    """What the speaker cannot do for another reason than that a detail is missing."""
    passage = reading.answer
    for match in _cannots(reading):
        sentence = passage.sentence_at(match.first)
        lacking = _LACKING_DETAIL.spans(passage, sentence)
        if not _MEANS.first(passage, sentence):
            lacking += _LACKING.spans(passage, sentence)
        if not match.span.overlaps_any(lacking):
            yield match


def _cannots(reading: Reading) -> Iterator[Match]:
    """The words that say that the speaker cannot do it."""
    passage = reading.answer
    for sentence in reading.stated:
        looked = _LOOKED.spans(passage, sentence)
        meaningless = _MEANINGLESS.spans(passage, sentence)
        matches = [*_unable(passage, sentence)]
        if reading.foreign:
            matches += _CANNOT_ELSEWHERE.find(passage, sentence)
        for match in matches:
            if any(match.span.overlaps(one) and not one.is_part_of(match.span) for one in looked):
                continue
            if not match.span.overlaps_any(meaningless) and not denied(passage, match):
                yield match


def _unconditional(passage: Passage, matches: Iterable[Match]) -> Iterator[Match]:
    return (match for match in matches if not _is_conditional(passage, match))


def _is_conditional(passage: Passage, match: Match) -> bool:
    """Whether a sentence supposes something: "Otherwise, I am not able to do this."."""
    sentence = passage.sentence_at(match.first)
    if _UNLESS.first(passage, sentence):
        return True
    return any(
        condition.first == passage.clause_at(condition.first).first <= match.first
        for condition in _CONDITION.find(passage, sentence)
    )


def _unable(passage: Passage, sentence: Span) -> Iterator[Match]:
    """What says that something cannot be done, except in idioms: "I can't say no to that"."""
    idioms = _IDIOMS.spans(passage, sentence)
    for match in _CANNOT.find(passage, sentence):
        if not match.span.overlaps_any(idioms):
            yield match


def _declines(reading: Reading) -> Iterator[Match]:
    """The negations of sentences that also speak of the speaker: "It does not listen to me"."""
    passage = reading.answer
    for sentence in reading.stated:
        if any(forms.first(passage, sentence) for forms in _NO_REFUSALS):
            continue
        speaks = any(_is_speaker(reading, at) for at in sentence.indexes)
        negation = _NEGATIONS.first(passage, sentence)
        if speaks and negation and not _is_conditional(passage, negation):
            yield negation


def _is_speaker(reading: Reading, at: int) -> bool:
    """Whether a word means the speaker, and is not a copy of the request's."""
    words, asked = reading.answer.words, reading.query.words
    goes_on = at + 1 < len(words) and words[at + 1] not in BOUNDARIES
    copied = goes_on and words[at] in asked and words[at + 1] in asked
    return words[at] in _SPEAKERS and not copied


def _plain_no(passage: Passage) -> Match | None:
    """A clause that is nothing but "no", as in a table."""
    for clause in passage.clauses:
        match = _NO.first(passage, clause)
        if match and match.span == clause:
            return match
    return None


def _announces(reading: Reading) -> bool:
    """Whether the answer says that it will do it. An offer of other help does not count."""
    passage = reading.answer
    located = _LOCATED.spans(passage)
    return any(
        not denied(passage, match) and not match.span.overlaps_any(located)
        for sentence in reading.stated
        if not _OFFERS.first(passage, sentence)
        for match in _WILL.find(passage, sentence)
    )


def _invents(reading: Reading, sentence: Span) -> bool:
    passage = reading.answer
    if _HISTORY.first(passage, sentence):
        return False
    if any(strange_numbers(reading, clause) for clause in _told(passage, sentence)):
        return True
    if any(clause.inside(sentence) and _tells(reading, clause) for clause in passage.clauses):
        return True
    unable = _CANNOT.spans(passage, sentence)
    return any(
        not denied(passage, match)
        and not _introduces(match, unable)
        and not _PLACES.first(passage, passage.clause_at(match.first))
        for match in _INVENTED.find(passage, sentence)
    )


def _tells(reading: Reading, clause: Span) -> bool:
    """Whether a clause gives what was asked for: "but your flight is on time"."""
    passage = reading.answer
    verb = _TELLING.first(passage, clause)
    if passage.words[clause.first] != "but" or verb is None:
        return False
    if any(forms.first(passage, clause) for forms in (_PLACES, _ADVISING, _CANNOT)):
        return False
    subject = Span(clause.first + 1, verb.first)
    if not _NO_SUBJECTS.isdisjoint(passage.words_of(subject)):
        return False
    copied = subject.first == subject.end  # the request's own words are left out
    return copied or reading.repeats_any(subject) or passage.words[verb.first - 1] in _POINTING


def _introduces(match: Match, unable: Iterable[Span]) -> bool:
    """Whether words belong to the refusal that follows: "but that is beyond me"."""
    return any(match.first <= span.first <= match.end for span in unable)


def _told(passage: Passage, sentence: Span) -> Iterator[Span]:
    """The clauses of a sentence that give no advice, unlike "Dial this number"."""
    for clause in passage.clauses:
        if clause.inside(sentence) and not _ADVICE.at_start(passage, clause):
            yield clause
