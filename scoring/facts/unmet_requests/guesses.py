"""Whether an answer guesses what it should ask for: supposes it, or gives a result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from leaderboard.facts.fact_shapes import Facts
from scoring.facts.canonical_text.canonical_words import COMMA
from scoring.facts.canonical_text.tokens import is_date
from scoring.facts.form_search import FormSet
from scoring.facts.polarity import denied
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.unmet_requests.answer_reading import Reading, strange_numbers
from scoring.facts.unmet_requests.refusals import claims
from scoring.facts.unmet_requests.slots import ASKING, SLOTS, compiled, families_of, slots_of

_SHORTEST_TRANSLATION: Final = 3  # words; "bien sûr" is none


def guesses(
    facts: Facts, reading: Reading, asking: Sequence[Span], asks_for: Sequence[Span | None]
) -> bool:
    """Whether an answer assumes what it should ask for in the sentences `asking`.

    `asks_for` has the words that ask for each thing that is missing, or None.
    """
    return (
        _supposes(reading, asking)
        or _gives_result(reading, asks_for)
        or _is_guessed(facts, reading, asking)
    )


def _supposes(reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether an answer supposes what is missing, or claims to have done the task."""
    passage = reading.answer
    supposed = [span for one in reading.stated for span in ASKING["supposing"].spans(passage, one)]
    if not all(_is_offered(passage, span) for span in supposed):
        return True
    claimed = [claims(reading, [one]) for one in reading.kept if one not in asking]
    # "The bridge is closed" may be words of the request.
    return any(
        match and not reading.query.spans_of(passage.words_of(match.span)) for match in claimed
    )


def _is_offered(passage: Passage, span: Span) -> bool:
    """Whether a supposition only holds if the user does not reply: "otherwise I'll assume one"."""
    return ASKING["otherwise"].first(passage, passage.sentence_at(span.first)) is not None


def _gives_result(reading: Reading, asks_for: Sequence[Span | None]) -> bool:
    """Whether an answer gives values of its own.

    Numbers are no result where questions ask for all that is missing, but other dates are, unless
    the user may mean them: "Do you mean tomorrow? That is 21 November."
    """
    passage = reading.answer
    asks = all(span and passage.sentence_at(span.first) in passage.asking for span in asks_for)
    return any(
        not asks or (is_date(value) and not _is_proposed(reading, sentence))
        for sentence in reading.stated
        if not ASKING["example"].first(passage, sentence)
        for value in strange_numbers(reading, sentence)
    )


def _is_guessed(facts: Facts, reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether a statement gives the result for a guess: "It's sunny in Rome. Which city?"."""
    missing = slots_of(facts.asks)
    statements = [*reading.stated, *_before_questions(reading.answer, asking)]
    if "language" in families_of(missing) and _translates(reading.answer, statements, asking):
        return True
    results = (ASKING["result"], compiled(facts.guesses))
    return any(
        _is_guess(reading, one, () if one in asking else missing, results) for one in statements
    )


def _before_questions(passage: Passage, asking: Sequence[Span]) -> Iterator[Span]:
    """What sentences that ask say first: "It is sunny, but where are you?"."""
    for sentence in asking:
        for match in ASKING["opening"].find(passage, sentence):
            if match.first > sentence.first and passage.words[match.first - 1] == COMMA:
                yield Span(sentence.first, match.first - 1)
                break


def _is_guess(
    reading: Reading, statement: Span, missing: Iterable[str], results: Iterable[FormSet]
) -> bool:
    """Whether a statement is a result, or says something about one example of what is missing."""
    passage = reading.answer
    if any(ASKING[name].first(passage, statement) for name in ("example", "otherwise", "unsure")):
        return False
    for forms in results:
        if any(not denied(passage, match) for match in forms.find(passage, statement)):
            return True
    if not ASKING["stating"].first(passage, statement):
        return False
    for slot in missing:
        examples = SLOTS[slot].examples.spans(passage, statement)
        named = {passage.text_of(one) for one in examples if not reading.repeats_any(one)}
        if len(named) == 1:
            return True
    return False


def _translates(passage: Passage, statements: Iterable[Span], asking: Iterable[Span]) -> bool:
    """Whether statements are in another language, and the questions are not."""

    def is_foreign(span: Span) -> bool:
        return read_passage(passage.written(span)).canonical.foreign

    long = [one for one in statements if one.end - one.first >= _SHORTEST_TRANSLATION]
    return any(map(is_foreign, long)) and not any(map(is_foreign, asking))


def _is_proposed(reading: Reading, sentence: Span) -> bool:
    """Whether a sentence, or the one before it, proposes what the user may mean."""
    at = reading.kept.index(sentence)
    return any(
        ASKING["proposing"].at_start(reading.answer, one)
        for one in reading.kept[max(0, at - 1) : at + 1]
    )
