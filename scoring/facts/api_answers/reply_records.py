"""Whether an answer gives a value of one record of the replies to another record.

Records are objects with the same fields, anywhere in the replies. The first text of a record is
its name. "Quayside Clinic, telephone 220 44" is wrong if that is the telephone of another clinic.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.types import Json
from scoring.facts.api_answers.json_leaves import objects
from scoring.facts.api_answers.value_owners import Pairs, beside_other_name
from scoring.facts.canonical_text.tokens import is_number
from scoring.facts.number_closeness import SMALL_NUMBER
from scoring.facts.sentences import Passage, Span, read_passage

# A sentence with one of these may compare, "shorter than the 70 minutes at the other one", or
# work something out: "so 40 minutes are left".
_COMPARING: Final = frozenset(
    (
        *("than", "against", "versus", "compared", "while", "whereas", "instead", "rather"),
        *("other", "others", "another", "else", "elsewhere", "both"),
        *("not", "no", "more", "less", "times", "so"),
    )
)
_IDS: Final = ("id", "code", "_no")  # ends of the names of fields


class _Value(NamedTuple):
    """A value that one record of a group has, and no other object of the replies."""

    owner: str
    field: str
    text: str


class Group(NamedTuple):
    """Records with the same fields: their fields by name, and the values of one alone."""

    records: Mapping[str, Mapping[str, str]]
    own: tuple[_Value, ...]


def groups(replies: Iterable[Json]) -> tuple[Group, ...]:
    """The records of replies, in canonical words. A group has two names or more."""
    texts = [_texts_of(fields) for reply in replies for fields in objects(reply)]
    uses = Counter(text for fields in texts for text in fields.values())
    alike: dict[frozenset[str], dict[str, dict[str, str]]] = defaultdict(dict)
    for fields in texts:
        if name := _name_of(fields):
            alike[frozenset(fields)].setdefault(name, {}).update(fields)
    return tuple(
        Group(records, tuple(_own_values(records, uses)))
        for records in alike.values()
        if len(records) > 1
    )


def _texts_of(fields: Mapping[str, Json]) -> dict[str, str]:
    """The texts and numbers of an object, by their fields, in canonical words."""
    return {
        name: read_passage(str(value)).canonical.text
        for name, value in fields.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    }


def _name_of(fields: Mapping[str, str]) -> str | None:
    """The first text of an object that is no id."""
    texts = (text for field, text in fields.items() if not field.endswith(_IDS))
    return next((text for text in texts if any(map(str.isalpha, text.split()))), None)


def _own_values(
    records: Mapping[str, Mapping[str, str]], uses: Mapping[str, int]
) -> Iterator[_Value]:
    for owner, fields in records.items():
        for field, text in fields.items():
            if text != owner and uses[text] == 1 and _is_telling(text):
                yield _Value(owner, field, text)


def _is_telling(text: str) -> bool:
    """Whether a value is more than a letter or a small number, which are met by chance."""
    if len(text) > 1 and " " not in text and is_number(text):
        return abs(float(text)) > SMALL_NUMBER
    return len(text) > 1


def given_to_other(passage: Passage, sentence: Span, known: Sequence[Group]) -> bool:
    """Whether a sentence names records of a group, and gives one a value of another one.

    It does not if it compares, or if the only record has its own value of that field, too.
    """
    words = passage.words_of(sentence)
    if not known or not _COMPARING.isdisjoint(words):
        return False
    text = f" {' '.join(words)} "
    for records, own in known:
        named = [name for name in records if f" {name} " in text]
        if len(named) > 1 and beside_other_name(passage, sentence, _pairs(named, own)):
            return True
        if len(named) != 1:
            continue
        fields = records[named[0]]
        if any(
            value.owner != named[0]
            and f" {value.text} " in text
            and f" {fields.get(value.field)} " not in text
            for value in own
        ):
            return True
    return False


def _pairs(names: Sequence[str], own: Iterable[_Value]) -> Pairs:
    """The values of these records, as the pairs of a case."""
    texts: dict[str, list[str]] = defaultdict(list)
    for value in own:
        texts[value.owner].append(value.text)
    return tuple((name, tuple(texts[name])) for name in names)
