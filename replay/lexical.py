"""The rules of the embedded judge, one per category: pure functions of the quoted texts.

They compare words, numbers and names; they do not understand. Each answers with a `Finding`: whether the given text counts as
equivalent, and one sentence that says by what rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from replay import words
from replay.wordlists import (
    CHOICES,
    FAULTS,
    FILLER,
    FREE_ARGUMENTS,
    GENERIC,
    JOINERS,
    LANDS,
    LANGUAGE_CODES,
    NEGATIONS,
    SHORT_UNITS,
    STANDS_FOR,
    TOPICS,
    WEAK_FAULTS,
)
from replay.words import Reading, reading, stem

LONGEST: Final = 20_000  # characters; a longer answer is not read


@dataclass(frozen=True, slots=True)
class Texts:
    """What a judge prompt quotes: the question, the accepted text, the given text, and the argument (or nothing)."""

    question: str
    subject: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether the given text is equivalent, and why, in one sentence."""

    equivalent: bool
    why: str


def _different(why: str) -> Finding:
    return Finding(False, why)


def _equivalent(why: str) -> Finding:
    return Finding(True, why)


def find(category: str, texts: Texts) -> Finding | None:
    """What the rule of a category says of the texts; None for a category that has no rule."""
    rule = RULES.get(category)
    if rule is None:
        return None
    if not reading(texts.got[:LONGEST]).words:
        return _different("The given text holds no words.")
    if len(texts.got) > LONGEST:
        return _different("The given text is far too long to be an answer.")
    return rule(texts)


# ---------------------------------------------------------------- tool_selection: one value against another


def same_value(texts: Texts) -> Finding:
    """Whether two argument values mean the same."""
    expected, got = reading(texts.expected), reading(texts.got)
    if _choice(texts.expected) == _choice(texts.got):
        return _equivalent("Both values come down to the same words.")
    refusal = _hard_difference(expected, got, _is_free(texts)) or _formula_difference(expected, got)
    if refusal:
        return refusal
    if _swapped(expected, got):
        return _different("The two sides of the value have changed places.")
    return _free_text(texts, expected, got) if _is_free(texts) else _short_value(texts, expected, got)


def _is_free(texts: Texts) -> bool:
    name = re.search(r"`?([A-Za-z_]\w*)`?", texts.subject.removeprefix("argument").strip())
    if name:
        return name[1].casefold() in FREE_ARGUMENTS
    return len(reading(texts.expected).content) > 3


def _choice(text: str) -> tuple[str, ...]:
    """The whole value in its one form: a choice, a unit's letter, a language's code, or its words."""
    plain = " ".join(reading(text).words)
    bare = re.sub(r"[^\w\s]", " ", text.casefold()).strip()
    for table in (CHOICES, SHORT_UNITS, LANGUAGE_CODES):
        for written in (plain, bare):
            if written in table:
                return (table[written],)
    return tuple("1" if word == "one" else word for word in plain.split())


def _hard_difference(expected: Reading, got: Reading, free: bool) -> Finding | None:
    if expected.addresses != got.addresses and (expected.addresses or not free):
        return _different("The addresses differ.")
    if expected.negations % 2 != got.negations % 2:
        return _different("One of the two is negated, the other is not.")
    if not free and not _same_numbers(expected.numbers, got.numbers):
        return _different(f"The numbers, dates or times differ: {_listed(expected.numbers)} against {_listed(got.numbers)}.")
    return None


def _listed(tokens: Iterable[str]) -> str:
    return ", ".join(re.sub(r"^@[dt]", "", token) for token in tokens) or "none"


def _same_numbers(expected: Sequence[str], got: Sequence[str]) -> bool:
    return len(expected) == len(got) and all(_same_number(one, other) for one, other in zip(expected, got, strict=True))


def _same_number(expected: str, got: str) -> bool:
    if expected.startswith("@d-"):
        return got.startswith("@d") and got.endswith(expected[2:])
    return expected == got


def _formula_difference(expected: Reading, got: Reading) -> Finding | None:
    one, other = _formula(expected), _formula(got)
    if one != other:
        return _different("The formulas differ in their numbers or operators.")
    return None


def _formula(text: Reading) -> tuple[str, ...]:
    """Numbers, operators and brackets in order, or nothing where the text has no operator. A function's brackets are left out."""
    if not words.OPERATORS.intersection(text.words):
        return ()
    kept: list[str] = []
    open_after: list[bool] = []
    for position, token in enumerate(text.words):
        if token == "(":
            after_word = position > 0 and text.words[position - 1].isalpha()
            open_after.append(after_word)
        if token in words.OPERATORS or words.is_number(token) or (token == "(" and not open_after[-1]):
            kept.append(token)
        elif token == ")" and open_after and not open_after.pop():
            kept.append(token)
    return tuple(kept)


def _swapped(expected: Reading, got: Reading) -> bool:
    """Whether `Leeds to York` became `York to Leeds`."""
    one, other = _sides(expected), _sides(got)
    return bool(one and other) and one[0] <= other[1] and one[1] <= other[0] and one[0] != one[1]


def _sides(text: Reading) -> tuple[frozenset[str], frozenset[str]] | tuple[()]:
    if "to" not in text.words:
        return ()
    at = text.words.index("to")
    before = frozenset(word for word in text.words[:at] if word not in FILLER)
    after = frozenset(word for word in text.words[at + 1 :] if word not in FILLER)
    return (before, after) if before and after else ()


def _short_value(texts: Texts, expected: Reading, got: Reading) -> Finding:
    accepted, given = _landless(expected), _landless(got)
    if "or" in got.words and "or" not in expected.words:
        return _different("The given value holds several answers.")
    missing, added = accepted - given, given - accepted
    if missing:
        return _different(f"Accepted but not given: {_listed(sorted(missing))}.")
    if not added:
        return _equivalent("Both values hold the same words.")
    if len(added) > max(2, len(accepted)) or not _stands_beside(reading(texts.question), accepted, added):
        return _different(f"Given but not accepted: {_listed(sorted(added))}.")
    return _equivalent(f"All accepted words are there; {_listed(sorted(added))} stands beside them in the question.")


def _landless(text: Reading) -> frozenset[str]:
    """The stems of a value, without a country or state that its city implies."""
    telling = text.telling
    plain = f" {' '.join(text.words)} "
    for city, lands in LANDS.items():
        if f" {city} " in plain:
            for land in lands:
                rest = telling - {stem(word) for word in reading(land).words}
                telling = rest if f" {land} " in plain and rest else telling
    return telling or frozenset(stem(word) for word in text.content) or frozenset(text.words)


def _stands_beside(question: Reading, accepted: frozenset[str], added: frozenset[str]) -> bool:
    """Whether every added word stands in the question within three words of an accepted one."""
    stems = [stem(word) for word in question.words]
    places = [at for at, word in enumerate(stems) if word in accepted]
    return all(any(word == added_word and any(abs(at - place) <= 3 for place in places) for at, word in enumerate(stems)) for added_word in added)


def _free_text(texts: Texts, expected: Reading, got: Reading) -> Finding:
    question = reading(texts.question)
    if not _numbers_kept(expected.numbers, got.numbers, question.numbers):
        return _different(f"The numbers, dates or times differ: {_listed(expected.numbers)} against {_listed(got.numbers)}.")
    if not _names_in_order(expected, got):
        return _different("The names stand in another order or are not the same.")
    accepted, given = _words_of(expected), _words_of(got)
    asked = frozenset(stem(word) for word in question.words)
    missing, added = accepted - given, given - accepted
    foreign = added - asked
    if not missing and not foreign and len(added) <= max(3, len(accepted)):
        beside = f"; {_listed(sorted(added))} stands in the question" if added else ""
        return _equivalent(f"All accepted words are there{beside}.")
    if len(accepted) >= 4 and len(missing) <= len(accepted) // 4 and len(foreign) <= max(1, len(accepted) // 4) and len(added) <= len(accepted):
        return _equivalent("Most of the accepted words are there, and nothing contradicts them.")
    if missing:
        return _different(f"Accepted but not given: {_listed(sorted(missing))}.")
    return _different(f"Given but not accepted: {_listed(sorted(added))}.")


def _words_of(text: Reading) -> frozenset[str]:
    wordy = frozenset(word for word in text.telling if not words.is_number(word))
    return wordy or frozenset(stem(word) for word in text.words if not words.is_number(word) and word not in words.OPERATORS)


def _numbers_kept(expected: Sequence[str], got: Sequence[str], asked: Sequence[str]) -> bool:
    """Every accepted number is given, in order; what else is given stands in the question."""
    rest = list(got)
    for number in expected:
        while rest and not _same_number(number, rest[0]):
            if not any(_same_day(rest[0], other) for other in asked):
                return False
            rest.pop(0)
        if not rest:
            return False
        rest.pop(0)
    return all(any(_same_day(number, other) for other in asked) for number in rest)


def _same_day(one: str, other: str) -> bool:
    return one == other or (one.startswith("@d") and other.startswith("@d") and one[-6:] == other[-6:] and "" in (one[2:-6], other[2:-6]))


def _names_in_order(expected: Reading, got: Reading) -> bool:
    both = expected.names | got.names
    one = [word for word in expected.words if word in both]
    other = [word for word in got.words if word in both]
    shared = set(one) & set(other)
    return [word for word in one if word in shared] == [word for word in other if word in shared]


# ---------------------------------------------------------------- no_tool: an answer against a fact


_UNSURE: Final = re.compile(
    r"\b(i (do not|did not) know|not sure|no idea|unable to (answer|say|tell)|can ?not (answer|say|tell|help|provide)|hard to say|unknown to me)\b"
)
_APPOSITION: Final = re.compile(r"\([^()]*\)")
_SEGMENT: Final = re.compile(r"[,;:]\s+|\s+(?=also (?:called|known)|or\b)|\balso called\b|\balso known as\b")
_NUMBER_QUESTION: Final = re.compile(r"\b(how (many|much|old|long|far|tall|high|deep|big)|(which|what) year|when)\b")
_PERSON_QUESTION: Final = re.compile(r"\b(who|whose|whom|author|composer|painter|inventor)\b")
_WHY_QUESTION: Final = re.compile(r"\b(why|how (do|does|did|is|are|come|can))\b")


def same_fact(texts: Texts) -> Finding:
    """Whether an answer holds the key words of the accepted answer, and nothing that takes them back."""
    got = reading(texts.got)
    if _UNSURE.search(" ".join(got.words)):
        return _different("The given answer does not commit itself.")
    if _only_asks(texts.got):
        return _different("The given text asks instead of answering.")
    if len(got.telling) > 60 + 6 * len(reading(texts.expected).telling):
        return _different("The given answer holds far more words than an answer needs.")
    if _WHY_QUESTION.search(texts.question.casefold()):
        return _explanation(texts, got)
    return _key_words(texts, got)


def _only_asks(text: str) -> bool:
    sentences = [part for part in _sentences(text) if reading(part).content]
    return bool(sentences) and all(part.rstrip().endswith("?") for part in sentences)


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.?!])\s+|\n+", text) if part.strip()]


def _explanation(texts: Texts, got: Reading) -> Finding:
    asked = reading(texts.question).telling
    wanted = reading(texts.expected).telling - asked
    shared = wanted & got.telling
    if len(shared) >= max(2, round(0.35 * len(wanted))):
        return _equivalent(f"It explains with the same words: {_listed(sorted(shared))}.")
    return _different("It shares too few words with the accepted explanation.")


def _key_words(texts: Texts, got: Reading) -> Finding:
    segments = _keys(texts)
    if not segments:
        return _whole(texts, got)
    person = bool(_PERSON_QUESTION.search(texts.question.casefold()))
    held = next((keys for keys in segments if _holds(got, keys, person)), None)
    if held is None:
        return _different(f"The given answer lacks the key words of the accepted one: {_listed(sorted(segments[0]))}.")
    if why := _taken_back(texts, got, held):
        return _different(why)
    return _equivalent(f"The key words of the accepted answer are there: {_listed(sorted(held & frozenset(got.words) or held))}.")


def _keys(texts: Texts) -> list[frozenset[str]]:
    """The key words of the accepted answer: those of its first telling part, then of the parts that name it otherwise."""
    asked = reading(texts.question)
    plain = _APPOSITION.sub(" ", texts.expected)
    name_words = reading(plain).names | _leading_name(plain, texts.question)
    counted = bool(_NUMBER_QUESTION.search(texts.question.casefold()))
    found: list[frozenset[str]] = []
    for segment in _SEGMENT.split(plain):
        keys = _keys_of(reading(segment), asked, name_words, counted=counted)
        if keys and (not found or re.match(r"(also|or|born|called|known)\b|.*\b(also|born)\b", segment.casefold()) or "also" in plain.casefold()):
            found.append(keys)
    return found


def _keys_of(segment: Reading, asked: Reading, names: frozenset[str], *, counted: bool) -> frozenset[str]:
    new = [word for word in segment.words if word not in asked.words and stem(word) not in asked.telling]
    numbers = frozenset(word for word in new if words.is_number(word))
    if counted and numbers:
        return numbers
    named = frozenset(word for word in new if word in names)
    wordy = frozenset(word for word in new if _tells(word) and not words.is_number(word))
    return named or wordy or numbers


def _tells(word: str) -> bool:
    return word not in FILLER | GENERIC | NEGATIONS | _PLAIN_VERBS and word not in words.OPERATORS and word not in "()"


_PLAIN_VERBS: Final = frozenset("write make build paint compose discover invent create develop produce contain consist mean become stand lie show".split())


def _leading_name(text: str, question: str) -> frozenset[str]:
    """The first word of a text where it looks like a name: a capital, no filler, and not a small word of the question."""
    first = re.match(r"[^\W\d_]+", text)
    if first is None or not first[0][0].isupper() or re.search(rf"\b{re.escape(first[0].casefold())}\b", question):
        return frozenset()
    return frozenset(word for word in reading(first[0]).words if _tells(word))


def _holds(got: Reading, keys: frozenset[str], person: bool) -> bool:
    present = frozenset(got.words) | frozenset(map(stem, got.words))
    held = sum(any(_same_day(key, word) for word in present) or stem(key) in present for key in keys)
    wanted = [key for key in keys if words.is_number(key)]
    if any(not any(_same_day(key, word) for word in present) for key in wanted):
        return False
    return held >= len(keys) * (0.5 if person and len(keys) > 1 else 0.6)


def _taken_back(texts: Texts, got: Reading, keys: frozenset[str]) -> str | None:
    """Why an answer that holds the key words still does not stand by them, or None."""
    expected = reading(texts.expected)
    if _negated_near(got.words, keys) and not _negated_near(expected.words, keys):
        return "The given answer negates the key words."
    if _offered_beside(got, keys, expected):
        return "The given answer names several candidates."
    known = expected.names | reading(texts.question).names | frozenset(expected.words) | frozenset(reading(texts.question).words)
    if len(got.names - known) > 10:
        return "The given answer lists too many names."
    if len(set(got.numbers) - set(expected.numbers) - set(reading(texts.question).numbers)) > 6:
        return "The given answer lists too many numbers."
    if _renamed(texts.got, keys, known):
        return "A name in the given answer is another one."
    return None


def _negated_near(tokens: Sequence[str], keys: frozenset[str]) -> bool:
    at = [place for place, token in enumerate(tokens) if token in keys]
    return bool(at) and all(any(token in NEGATIONS for token in tokens[max(0, place - 3) : place]) for place in at)


def _offered_beside(got: Reading, keys: frozenset[str], expected: Reading) -> bool:
    """Whether a key word stands on one side of an "or" and a word foreign to the accepted answer on the other."""
    for place, token in enumerate(got.words):
        if token not in JOINERS or token in expected.words or token in ("and", "both"):
            continue
        around = got.words[max(0, place - 2) : place] + got.words[place + 1 : place + 4]
        telling = [word for word in around if _tells(word)]
        if any(word in keys for word in telling) and any(word not in expected.words and word in got.names for word in telling):
            return True
    return False


def _renamed(text: str, keys: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a first name was exchanged: a key name stands behind a capital that the accepted answer does not know."""
    lacking = [key for key in keys if key not in reading(text).words and key.isalpha()]
    if not lacking:
        return False
    pairs = re.findall(r"\b([A-Z][\w'’]+)\s+([A-Z][\w'’]+)", text)
    return any(
        any(word in keys for word in reading(last).words) and not any(word in known for word in reading(first).words) and _tells(first.casefold())
        for first, last in pairs
    )


def _whole(texts: Texts, got: Reading) -> Finding:
    wanted = reading(texts.expected).telling
    if wanted and len(wanted & got.telling) >= 0.7 * len(wanted) and not reading(texts.expected).negations % 2 != got.negations % 2:
        return _equivalent("It says the accepted answer in nearly the same words.")
    return _different("It lacks the words of the accepted answer.")


# ---------------------------------------------------------------- clarifying: a question back against another


_ASKS: Final = re.compile(
    r"\?|\b(could|can|would|will) you\b|\bplease (tell|provide|specify|share|give|let|state|name|clarify|enter|indicate|confirm|send|supply|mention|include)\b"
    r"|\b(i|we) (will |would |also |still )?(need|require)\b|\blet me know\b|\btell me\b|\b(provide|specify)\b|\bmay i (ask|know|have)\b"
    r"|\bi am missing\b|\bwithout knowing\b"
)
_ASKING_WORD: Final = frozenset("which what whose where when who whom how".split())
_REQUEST: Final = frozenset("tell provide specify share give need require know clarify have state enter indicate supply missing mention include confirm".split())
_REACH: Final = 7
_EXTRAS: Final = 3


def same_question(texts: Texts) -> Finding:
    """Whether a reply asks the user for what the accepted question asks for."""
    asking = [part for part in _sentences(texts.got) if _asks(part) and not _repeats(part, texts.question)]
    if not asking:
        return _different("The given text does not ask for anything.")
    given = frozenset(topic for part in asking for topic in _topics(part))
    wanted = _wanted(texts.expected)
    if not wanted:
        return _shared_question(texts, asking)
    lacking = [alternatives for alternatives in wanted if not any(_covers(topics, given) for topics in alternatives)]
    if lacking:
        return _different(f"It does not ask for: {_listed(sorted(lacking[0][0]))}.")
    named = frozenset(topic for alternatives in wanted for topics in alternatives for topic in topics)
    related = frozenset(other for topic in named for other in (topic, *STANDS_FOR.get(topic, ())))
    if len(given - related) > _EXTRAS:
        return _different("It asks for everything imaginable instead of what is missing.")
    return _equivalent(f"It asks for the same information: {_listed(sorted(named))}.")


def _asks(sentence: str) -> bool:
    return sentence.endswith("?") or bool(_ASKS.search(_spoken(sentence)))


def _repeats(sentence: str, question: str) -> bool:
    """Whether a sentence only says a part of the user's request again, word for word."""
    return f" {_spoken(sentence)} " in f" {_spoken(question)} "


def _covers(topics: frozenset[str], given: frozenset[str]) -> bool:
    if _ENDS <= topics and not _ENDS & given:
        return False  # one place does not tell both ends of a way
    if len(_STAY & given) == 1 and _STAY & topics - given:
        return False  # one end of the stay was asked for, and it is the other one that is missing
    return all(topic in given or given.intersection(STANDS_FOR.get(topic, ())) for topic in topics)


_ENDS: Final = frozenset({"start", "end"})
_STAY: Final = frozenset({"check in", "check out"})


def _wanted(expected: str) -> list[tuple[frozenset[str], ...]]:
    """What the accepted question asks for: one entry per part that must be asked, each with its alternatives ("city or time zone")."""
    found: list[tuple[frozenset[str], ...]] = []
    for sentence in _sentences(expected):
        for part in re.split(r"(?<!,) and |, and |,(?! or) |;", re.sub(r", or ", " or ", sentence)):
            alternatives = tuple(topics for option in part.split(" or ") if (topics := _topics(option)))
            if alternatives:
                found.append(alternatives)
    return found


def _topics(text: str) -> frozenset[str]:
    """The kinds of information a sentence asks for: told by the words within reach of a question word or a request."""
    tokens = reading(text).words
    found: set[str] = set()
    for at, token in enumerate(tokens):
        if token in _ASKING_WORD or token in _REQUEST:
            found |= _asked_by(token, tokens[max(0, at - 1) : at + _REACH + 1])
    return frozenset(found)


def _asked_by(token: str, tokens: Sequence[str]) -> set[str]:
    near = f" {' '.join(tokens)} "
    found = {topic for topic, phrases in TOPICS.items() if any(f" {reading_phrase(phrase)} " in near for phrase in phrases)}
    if token == "where":
        return (found & {"start", "end"}) or {"place"}
    return found


def reading_phrase(phrase: str) -> str:
    """A phrase of the word lists in the form its words have in a reading."""
    return " ".join(reading(phrase).words)


def _shared_question(texts: Texts, asking: Sequence[str]) -> Finding:
    wanted = reading(texts.expected).telling - reading(texts.question).telling or reading(texts.expected).telling
    given = frozenset(word for part in asking for word in reading(part).telling)
    if wanted and len(wanted & given) * 2 >= len(wanted):
        return _equivalent(f"It asks with the same words: {_listed(sorted(wanted & given))}.")
    return _different("It asks for something else.")


# ---------------------------------------------------------------- error: what is wrong with the request


_WRONG: Final = re.compile(
    r"\b(not (a |an |the )?(valid|real|exist|possible|correct|allowed|existing|recogni[sz]ed|actual|defined|legitimate|proper|number|word|leap)"
    r"|(invalid|impossible|nonexistent|incorrect|undefined|incompatible|malformed|fictional|fictitious|imaginary|invented|mythical|legendary|wrong|error)"
    r"|(there (is|are) no|no such|has no|have no|no \w+( \w+)? exist)|do(es)? not (exist|have|appear|seem|measure)|is not|are not|can not be|must be|has to be|only (ha(s|ve)|go|exist|appear|in|be|run)|exist only|legend|in past|already passed"
    r"|before|earlier than|after|below|negative|not leap|different (kind|type|quantit|thing|dimension|measure|propert|unit)\w*|measure|same day|at least"
    r"|know (of )?no|not know|not aware|not find|mistake|typo|problem with|issue with|can not (walk|drive|divide|have|exist|book zero|travel))\b"
)
_FIRST_PERSON: Final = re.compile(r"\bi (am )?(sorry )?(but )?(i )?(can not|am not able to|am unable to|not able to|unable to)\b[^.]*")
_DONE: Final = re.compile(
    r"\bi (have |just |now |already |successfully )*(booked|sent|ordered|set|scheduled|created|cancelled|canceled|deleted|transferred|played|"
    r"turned|switched|reserved|added|printed|moved|placed|started|locked|opened|posted|blocked|installed|paid|purchased|bought|changed|"
    r"restarted|completed|saved|updated|called|phoned|emailed|texted|made|arranged)\b"
    r"|\b(has|have) been (\w+ )?(booked|sent|ordered|set|scheduled|created|cancelled|canceled|deleted|transferred|reserved|added|printed|"
    r"moved|placed|started|locked|opened|posted|blocked|installed|paid|purchased|bought|changed|restarted|completed|saved|updated|turned|switched)\b"
    r"|^(done|all set|consider it done)\b|\bis now (on|off|locked|booked|playing|set)\b|\b(now playing|playing now)\b"
)


def same_fault(texts: Texts) -> Finding:
    """Whether a reply says that the request is faulty, and names the same fault as the accepted reply."""
    got = reading(texts.got)
    if _claims(texts.got):
        return _different("The given text claims to have done it.")
    said = [part for part in _sentences(texts.got) if not part.endswith("?") or _names_fault(part)]
    if not any(_names_fault(part) for part in said):
        return _different("The given text does not say that something is wrong with the request.")
    expected, asked, given = _faults(texts.expected), _faults(texts.question), _faults(" ".join(said))
    reasons, subjects = expected - asked, expected & asked
    shared_reasons, shared_subjects = reasons & given, subjects & given
    if len(given - expected - asked) > 25 + 3 * len(expected):
        return _different("The given text holds far more than a notice of what is wrong.")
    if _foreign_numbers(subjects, given, expected | asked):
        return _different("The given text speaks of other numbers or dates.")
    if _foreign_names(texts):
        return _different("The given text speaks of other names.")
    if _same_reason(reasons, shared_reasons, shared_subjects):
        shared = sorted(shared_reasons | shared_subjects)
        return _equivalent(f"It names the same fault: {_listed(shared)}.")
    named = "reason" if got.words and shared_subjects else "fault"
    return _different(f"It does not name the same {named} as the accepted reply.")


def _same_reason(reasons: frozenset[str], shared_reasons: frozenset[str], shared_subjects: frozenset[str]) -> bool:
    strong_reasons, strong_subjects = shared_reasons - WEAK_FAULTS, shared_subjects - WEAK_FAULTS
    if not reasons or "valid" in shared_reasons:
        return bool(strong_subjects) or len(strong_reasons) >= 2
    return bool(strong_reasons) and (bool(shared_subjects) or len(strong_reasons) >= 2)


def _foreign_numbers(subjects: frozenset[str], given: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a text names numbers of its own where it should name those of the request."""
    wanted = frozenset(filter(words.is_number, subjects))
    numbers = frozenset(filter(words.is_number, given))
    return bool(wanted) and not wanted & numbers and bool(numbers - known)


def _foreign_names(texts: Texts) -> bool:
    """Whether a text speaks of a name of its own where it should speak of the request's."""
    asked, expected = reading(texts.question), reading(texts.expected)
    wanted = asked.names & frozenset(expected.words)
    given = reading(texts.got).names | _leading_name(texts.got, texts.question)
    own = given - frozenset(asked.words) - frozenset(expected.words)
    return bool(wanted) and not wanted & frozenset(reading(texts.got).words) and bool(own)


def _names_fault(sentence: str) -> bool:
    """Whether a sentence says that something is wrong; the speaker's own inability alone does not count."""
    return bool(_WRONG.search(_FIRST_PERSON.sub(_kept_reason, _spoken(sentence))))


def _kept_reason(match: re.Match[str]) -> str:
    """Of "I cannot … because …", the part from the reason on."""
    reason = re.search(r"\b(because|since|as|because of|due to)\b.*", match[0])
    return reason[0] if reason else " "


def _spoken(sentence: str) -> str:
    return " ".join(word for word in reading(sentence).words)


def _faults(text: str) -> frozenset[str]:
    """The telling words of a text, those that say the same about a fault folded into one; dates also without their year."""
    tokens = reading(text).words
    found = {FAULTS.get(word, stem(word)) for word in tokens if _tells(word) or word in FAULTS}
    found |= {f"@d{token[-6:]}" for token in tokens if token.startswith("@d")}
    if re.search(r"\b(there (is|are) no|no such|no \w+( \w+)? exist|not a|know (of )?no|can not|has no|no (road|route))\b", " ".join(tokens)):
        found.add("valid")
    return frozenset(found)


# ---------------------------------------------------------------- not_supported: a plain "I cannot"


_UNABLE: Final = re.compile(
    r"\b(can not|unable|not able|not possible|impossible for me|not capable|incapable|no (way|means|access|ability|control|tool|live|option|capability|permission)\b"
    r"|do not (currently )?have(?! to)|do not (currently )?support|not support\w*|not something|not among|not available|not (currently )?(possible|available)|beyond|outside|"
    r"not designed|not equipped|not set up|lack|no function|not offer|have no|not in a position|not within)\b"
)


def says_no(texts: Texts) -> Finding:
    """Whether a reply says that the system cannot do what was asked."""
    if _claims(texts.got):
        return _different("The given text claims to have done it.")
    if _announces(texts):
        return _different("The given text announces to do it.")
    if not any(_UNABLE.search(_spoken(part)) for part in _sentences(texts.got) if not part.endswith("?")):
        return _different("The given text does not say that it cannot be done.")
    return _equivalent("Both say that it cannot be done.")


def _claims(text: str) -> bool:
    return any(_DONE.search(_spoken(sentence)) for sentence in _sentences(text) if not sentence.endswith("?"))


def _announces(texts: Texts) -> bool:
    """Whether a sentence without any "cannot" announces the very thing asked for: "I will book it now"."""
    asked = frozenset(stem(word) for word in reading(texts.question).content)
    for sentence in _sentences(texts.got):
        said = re.search(r"\bi (will|am going to|am about to|shall) (now |just |gladly |go ahead )?(and )?(\w+)", _spoken(sentence))
        if said and stem(said[4]) in asked and not _UNABLE.search(_spoken(sentence)):
            return True
    return False


RULES: Final[Mapping[str, Callable[[Texts], Finding]]] = MappingProxyType(
    {
        "tool_selection": same_value,
        "no_tool": same_fact,
        "clarifying": same_question,
        "error": same_fault,
        "not_supported": says_no,
    }
)
