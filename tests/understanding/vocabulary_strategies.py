"""Texts made from the vocabulary of the rules: what asks for one thing, and what denies one.

They are the texts that the rules of `clarifying` and `error` know best. Others are in the
languages of translations/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from scoring.facts.toml_tables import phrases, read_table

THINGS = (
    *("city", "date", "time", "unit", "language", "topic", "text", "word", "company", "address"),
    *("amount", "duration", "currency", "price", "name"),
)
QUESTION_WORDS = (
    *("Where?", "When?", "Where and when?", "Which one?", "What do you mean?", "How much?"),
    *("How many?", "How long?", "Who?", "What is it?", "From where to where?"),
    *("From when to when?", "How much and when?", "How many and how long?", "What is it about?"),
    *("Where, when, who, what and how much?", "What is it about, who gets it and when?"),
    "Please tell me what, where and when.",
    "What exactly do you need, where and when?",
    "Could you give me the missing information?",
    "Could you tell me the place, the day and the time?",
)
DENIAL_FRAMES = (
    "{} does not exist.",
    "{} is not valid.",
    "There is no {}.",
    "{} is fictional and does not exist.",
    "{} is impossible, because it contradicts itself.",
    "I know of no {}; it does not exist.",
    "{} is not a valid number, date or time.",
    "I cannot find {}, because it is wrong.",
)
FAULTS = (
    "That is not possible.",
    "That does not exist.",
    "That date does not exist.",
    "That is not a valid date, time, place, unit, language, number, address or symbol.",
    "That date is in the past.",
    "The end is before the start.",
    "There must be at least one.",
    "There is only one.",
    "The number must be positive.",
    "The number must be a whole number above zero.",
    "The result is undefined, and there is no solution.",
    "One cannot be converted into the other.",
    "You can't have both at the same time.",
    "It is not a real place, language, company or unit.",
    "It exceeds the limit of 24 hours.",
    "A year has 12 months, a month 30 days, a day 24 hours and an hour 60 minutes.",
    "This is negative, zero or a fraction.",
    "There is not enough of it.",
    "The request contradicts itself.",
    "It is an island in the ocean.",
)


QUESTION_FRAMES = (
    *("Which {}?", "What {} do you mean?", "How much {}, and where and when?"),
    *("{} – which one?", "{} – where and when?"),
)
FOREIGN = (
    *(
        "Wie lange?",
        "Wann und wo?",
        "Wann, wo und wie lange soll es sein?",
        "An wen soll das gehen?",
    ),
    *("Quand et où est-ce ?", "Combien de temps et pour qui ?", "De quoi avez-vous besoin ?"),
    *("¿Qué día y a qué hora?", "¿De dónde a dónde y cuándo?", "Quale giorno, e a che ora?"),
    *("Das gibt es nicht.", "Das ist nicht möglich.", "Dieser Tag existiert nicht im Kalender."),
    *("Ce n'est pas possible.", "Cela n'existe pas.", "Eso no existe.", "Questo non esiste."),
    *("Das liegt in der Vergangenheit.", "Die Einheiten passen nicht zusammen."),
)
FOREIGN_FRAMES = (
    *("{} existiert nicht.", "Es gibt kein {}.", "{} ist nicht gültig.", "{} n'existe pas."),
    *("Il n'y a pas de {}.", "{} no existe.", "{} non esiste.", "Welche {} ist das?"),
    *("Quel {} est-ce ?", "¿Qué {} es?", "{} ist erfunden und existiert nicht."),
)


def constants() -> Iterator[str]:
    """What asks for each slot, and what names each type of fault."""
    for slot in read_table("unmet_requests/questions.toml")["slots"].values():
        yield f"What is {slot['label']}?"
        yield f"Please tell me {slot['label']}."
    for text in read_table("unmet_requests/questions.toml")["families"].values():
        yield from (f"Which {noun}?" for noun in phrases(text))
    yield from QUESTION_WORDS
    for some in (*combinations(THINGS[:10], 2), *list(combinations(THINGS, 3))[::9]):
        yield f"What is the {', the '.join(some[:-1])} and the {some[-1]}?"
    yield f"I need {', '.join(THINGS)}."
    for type_ in read_table("unmet_requests/faults.toml")["faults"].values():
        yield re.sub(r"\{\w+\}", "it", type_["label"]).capitalize() + "."
    yield from (*FAULTS, *FOREIGN)
