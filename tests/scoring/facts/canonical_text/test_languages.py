"""Whether an answer is in another language."""

from __future__ import annotations

from scoring.facts.canonical_text.canonical import canonical
from tests.each_row import each_row


@each_row(
    ("text", "foreign"),
    [
        ("The boat leaves at eight.", False),
        ('{"departs": "20:15", "total": 81.5}', False),
        ("Das Boot fährt um acht Uhr.", True),
        ("Le bateau est en retard et il ne part pas avec les autres.", True),
        ("ボートは八時に出ます", True),
        ("да", True),
        ("The angle α is 5 degrees.", False),
    ],
)
def test_languages(text: str, foreign: bool) -> None:
    """Small words and other scripts give a language away; bare values do not."""
    assert canonical(text).foreign is foreign


@each_row(
    ("text", "words"),
    [
        ("Wie lange soll der Timer laufen?", "how long should the timer run ?"),
        ("Der 31. November existiert nicht.", "the d--11-31 does not exist ."),
        ("Es ist vom 10. bis zum 13. Mai.", "it is vom d--05-10 to d--05-13 ."),
        ("Jullie zijn er van 10 tot en met 13 mei.", "jullie are er of d--05-10 to d--05-13 ."),
        ("C'est du 10 au 13 mai.", "it is of the d--05-10 to d--05-13 ."),
        ("La fiera va dal 10 al 13 maggio.", "the fiera va from the d--05-10 to d--05-13 ."),
        ("Ela fica de 10 a 13 de maio.", "she fica of d--05-10 to d--05-13 ."),
        ("Il n'y a pas de 30 février.", "there is no d--02-30 ."),
        ("¿En qué gastaste los 18 euros?", "on what did you spend the 18 eur ?"),
        ("Non posso leggere la posta.", "i can not leggere the posta ."),
        ("Das macht 4.200 Euro und 1.234,50 pro Jahr.", "the makes 4200 eur and 1234.5 per year ."),
        ("Il part à 20 h 43 et arrive à 22 h.", "it leaves at t20:43 and arrive at 22 hour ."),
        ("Um halb acht, Platz zwei, es ist G-Dur.", "at h07:30 , place 2 , it is g major ."),
        ("Est-il né à Paris ?", "was he born at paris ?"),
        ("Quel jour ?", "which day ?"),
        ("Come?", "how ?"),
        ("Die", "die"),
        ("Februari heeft nooit 30 dagen.", "february has never 30 day ."),
        ("Em que dia e a que horas?", "on what day and at what time ?"),
        ("Kiedy dokładnie ma się zaczynać?", "when dokładnie has sie zaczynac ?"),
        ("Tyvärr kan jag inte spela musik.", "unfortunately i can not spela musik ."),
        ("grön = blått + gult", "green blue yellow"),
        ("Es dauert fünfunddreißig Minuten.", "it lasts 35 minute ."),
        ("Das kostet hundertundeins Euro, nicht mehr.", "the costs 101 eur , not more ."),
        (
            "Das Horn ist zweitausendsechshundertdreißig Meter hoch.",
            "the horn is 2630 metre hoch .",
        ),
        (
            "Für die Strecke braucht ihr viereinhalb Stunden.",
            "for the distance need your 4.5 hour .",
        ),
        ("Son treinta y cinco, cuesta ciento veinte.", "are 35 , costs 120 ."),
        ("Het kost vijfendertig euro en niet meer.", "the costs 35 eur and not more ."),
        ("Costa centoventi euro e ci vogliono due ore.", "costs 120 eur and ci vogliono 2 hour ."),
        (
            "Die Plätze eins und drei, die Linien zwei und vier.",
            "the platze 1 and 3 , the linien 2 and 4 .",
        ),
        ("Van Gogh painted it.", "van gogh painted it ."),
        ("Come to El Paso, or to Los Angeles.", "come to el paso , or to los angeles ."),
    ],
)
def test_common_words_are_read_in_english(text: str, words: str) -> None:
    """Words with a translation are translated; names and English texts stay as they are."""
    assert canonical(text).text == words


def test_places_lead_back_to_the_original() -> None:
    """A translated word still has its characters in the answer."""
    found = canonical("Das gibt es nicht.")
    chars = found.chars_of(1, 4)
    assert found.original[chars.start : chars.end] == "gibt es nicht"
