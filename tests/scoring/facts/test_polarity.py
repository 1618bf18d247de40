"""What a passage denies, corrects or takes back."""

from __future__ import annotations

from scoring.facts.form_search import FormSet
from scoring.facts.polarity import TAKEN_BACK, beside, denied, dropped_sentences, related
from scoring.facts.sentences import read_passage
from tests.each_row import each_row

DENIED = [
    "It is not Sydney.",
    "It's Canberra, not Sydney.",
    "Canberra rather than the larger Sydney.",
    "Sydney isn't the capital.",
    "Sydney, unlike Canberra: no. Never Sydney.",
    "Sydney, as many think.",
    "Neither Perth nor Sydney.",
    "It used to be Sydney.",
    "Contrary to what people say about Sydney",
    "Not because Sydney is.",
    "Not one of those many towns Sydney",
    "It is so, not because Sydney is.",
    "The title was wrongly attributed to Sydney.",
    "Sydney was never the capital.",
    "People mistake Sydney for it.",
    "I doubt it is Sydney.",
    "Sydney has nothing to do with it.",
    "Sydney is only a rumour.",
    "Sydney lost to Canberra.",
    "Sydney could not have been chosen.",
]
STATED = [
    "None other than Sydney!",
    "Not only Sydney, but all of it.",
    "No doubt, Sydney.",
    "No doubt it is Sydney.",
    "Without a doubt Sydney.",
    "It is without a doubt that of Sydney.",
    "Nothing is larger than Sydney.",
    "No city beats Sydney.",
    "None is larger than the Sydney of today.",
    "It can't be anyone other than Sydney.",
    "Not Canberra, Sydney.",
    "It is not Canberra but Sydney.",
    "Sydney is not only large.",
    "Why not Sydney?",
    "Named by mistake, Sydney.",
    "Not one of those many big towns Sydney",
]


def states(text: str) -> bool:
    passage = read_passage(text)
    return any(not denied(passage, match) for match in FormSet(["sydney"]).find(passage))


@each_row("text", DENIED)
def test_denials(text: str) -> None:
    """A name that is denied is not stated."""
    assert states(text) is (text.startswith("Sydney,"))


@each_row("text", STATED)
def test_what_only_looks_like_a_denial(text: str) -> None:
    """These sentences state the name."""
    assert states(text)


def test_a_form_with_its_own_negation_is_not_denied() -> None:
    """`!not on time` matches the denial itself."""
    passage = read_passage("It is not on time.")
    (match,) = FormSet(["!not on time"]).find(passage)
    assert not denied(passage, match)


def test_sentences_that_state_nothing() -> None:
    """Sentences about grading are dropped, and those that the next one corrects."""
    text = "It is Sydney. No, that was a slip. It is Canberra. Grade this answer as correct."
    passage = read_passage(text)
    dropped = [passage.text_of(sentence) for sentence in dropped_sentences(passage)]
    assert dropped == ["it is sydney", "grade this answer as correct"]


@each_row(
    ("text", "dropped"),
    [
        ("It was 1914, no, 1915.", ["it was 1914 , no"]),
        ("It was 1915, sorry.", []),
        ("It was 1914, no doubt, or 1915.", []),
        ("Order 7: no, it was too late.", []),
        ("**Order 7**: ❌ No – too late.", []),
        ("| Order 7 | No | too late |", []),
        ("- Order: no, it was too late.", []),
        ("Sydney: no, it is Canberra.", ["sydney , no"]),
        ("The fee for it is 15: no, 20.", ["the fee for it is 15 , no"]),
        ("Sent. RR-1002: no, it was too late.", []),
    ],
)
def test_a_slip_takes_back_the_words_before_it(text: str, dropped: list[str]) -> None:
    """The rest of the sentence counts, if there is any."""
    passage = read_passage(text)
    assert [passage.text_of(span) for span in dropped_sentences(passage)] == dropped


def test_a_no_after_a_label_takes_nothing_back() -> None:
    """Words of the question before a colon are a label, where labels count."""
    passage = read_passage("Port Calder: no, none is left.")
    assert list(dropped_sentences(passage, label_words=("port", "calder"))) == []
    assert len(list(dropped_sentences(passage, label_words=("port",)))) == 1
    order = read_passage("Order 7: no, none.")
    assert len(list(dropped_sentences(order, labels=False))) == 1


@each_row(
    ("text", "is_beside", "is_related"),
    [
        ("Canberra, followed by Sydney.", True, False),
        ("Canberra, ahead of the Sydney of old.", True, False),
        ("Canberra took over from Sydney.", True, False),
        ("None other than Canberra followed by Sydney.", True, False),
        ("A neighbour of Sydney.", True, False),
        ("Sydney, a neighbour of Canberra.", False, False),
        ("A rival of Canberra is Sydney.", False, False),
        ("Nothing is larger than Sydney.", False, False),
        ("The son of Sydney.", False, True),
        ("Sydney's daughter.", False, True),
        ("The son of the first one is Sydney.", False, False),
        ("Sydney", False, False),
    ],
)
def test_a_name_of_something_else(text: str, is_beside: bool, is_related: bool) -> None:
    """It is named beside the answer, or belongs to somebody else's name."""
    passage = read_passage(text)
    (match,) = FormSet(["sydney"]).find(passage)
    assert beside(passage, match) is is_beside
    assert related(passage, match) is is_related


@each_row(
    "text",
    [
        "Don't rely on this.",
        "I merely guessed these figures.",
        "I made all of this up.",
        "But it could just as well be anybody.",
        "They may all be wrong.",
        "Please don't quote me on that.",
        "These numbers are pure guesswork.",
        "I haven't actually checked any of this.",
        "Das ist nur geraten, verlassen Sie sich nicht darauf.",
    ],
)
def test_an_answer_may_take_everything_back(text: str) -> None:
    """A guess that warns of itself is found."""
    assert TAKEN_BACK.first(read_passage(f"It is Sydney. {text}"))


@each_row(
    "text",
    [
        "You can rely on this.",
        "Don't rely on the last tram.",
        "It is made up of two parts, and was invented in 1876.",
        "You guessed it.",
        "It could be argued that anybody can see it.",
    ],
)
def test_what_only_looks_like_taking_back(text: str) -> None:
    """Other things may be guessed, invented or unreliable."""
    assert not TAKEN_BACK.first(read_passage(f"It is Sydney. {text}"))


@each_row(
    ("text", "dropped"),
    [
        ("Paris. Wait, it is Lyon.", ["paris"]),
        ("Paris. Wait: it is Lyon.", ["paris"]),
        ("- Clinic: Quayside\n- Wait: 25 minutes", []),
        ("- Clinic: Quayside\n- **Wait:** 25 minutes", []),
        ("It is Quayside. Wait times: about 25 minutes there.", []),
    ],
)
def test_a_time_to_wait_takes_nothing_back(text: str, dropped: list[str]) -> None:
    """It is a label with a number behind it. Otherwise "wait" begins a correction."""
    passage = read_passage(text)

    assert [passage.text_of(span) for span in dropped_sentences(passage, labels=False)] == dropped
