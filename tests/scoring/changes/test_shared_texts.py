"""Texts that are somebody else's, with other words around them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scoring.changes.shared_texts import COMPARED, compared_in_part, padded_answers
from tests.conftest import Folder, text_case
from tests.leaderboard.workspaces import load

THEIRS = "The town hall opened in 1902. It burned down in 1940 and was never built again."

MUCH_ELSE = "Much else could be said of its long and varied history. " * 3 + "I stop here."


@pytest.fixture
def board(folder: Folder) -> Folder:
    folder.write("datasets/small/no_tool.json", [text_case("B001", "In 1902.")])
    return folder


def is_padded(board: Folder, mine: str, theirs: str = THEIRS) -> bool:
    board.submission("mine", [{"id": "B001", "model_text": mine}])
    board.submission("theirs", [{"id": "B001", "model_text": theirs}])
    return not padded_answers(load(board), "mine").is_empty()


@pytest.mark.parametrize(
    "mine",
    [
        THEIRS,
        f"{THEIRS} Goodbye!",
        f"Good question. {THEIRS}",
        f"{THEIRS} {MUCH_ELSE}",
        "It burned down in 1940, and was never built again! The town hall opened in 1902. Yes.",
        THEIRS.upper().replace(" ", "\u00a0"),
        THEIRS.replace(". ", ".\n- Let me think about it.\n"),
        "So, " + THEIRS.replace(". ", "; "),
        f"Thanks for asking: {THEIRS}",
        THEIRS.replace("e", "e\u00ad") + " Okay.",
        THEIRS.replace("n", "n\u034f").replace("w", "w\u2060\u3164") + " Okay.",
        THEIRS.replace("a", "a\u0301").replace("t", "t\0") + " Okay.",
        "\u200b \u00ad " * 5000 + THEIRS + " Okay.",
        THEIRS.replace("a", "\u0430").replace("wn", "\u051dn").replace("it ", "\u0456t ")
        + " Okay.",
        THEIRS.replace(" ", "_") + " Okay.",
    ],
)
def test_most_of_the_phrases_make_the_same_answer(board: Folder, mine: str) -> None:
    """Whatever is added, left out or put into another order."""
    assert is_padded(board, mine)
    assert is_padded(board, THEIRS, mine)


ABOUT = [
    "The town hall opened in 1902 and burned down in 1940.",
    "Diamond is the hardest mineral that people know, with a 10 on the scale of Mohs.",
    "It takes the ferry forty minutes to cross the bay, or an hour when the wind is strong.",
    "Violins have four strings, which are tuned in fifths from the lowest to the highest.",
    "Most of the coffee that is drunk in this country comes from Brazil and Vietnam.",
    "Light from the sun needs about eight minutes until it arrives on Earth.",
    "An octopus has three hearts, and two of them serve only its gills.",
    "Nobody lives on the island today, since the last family left it in 1974.",
    "Salt lowers the temperature at which water freezes, so roads stay free of ice.",
    "Her second novel sold better than the first, although critics did not like it.",
]
IN_OTHER_WORDS = [
    "It burned down in 1940. The building, our old town hall, dates from 1902.",
    "On the scale of Mohs, diamond has a 10, more than any other mineral.",
    "Crossing the bay by ferry takes about forty minutes, longer in strong wind.",
    "A violin has four strings: G, D, A and E.",
    "Brazil and Vietnam export most of the coffee that people drink here.",
    "Sunlight takes a little more than eight minutes to reach the Earth.",
    "There are three hearts in an octopus. The gills have two of them.",
    "The island has had no inhabitants since 1974, when one last family moved away.",
    "Roads are salted because salty water freezes at a lower temperature.",
    "Critics disliked the second novel, but it had more buyers than her first.",
]
HELP = "I want you to know that I am here to help you with all that you would like to do today"
FILLERS = ("well", "okay", "unfortunately", "so", "indeed", "perhaps", "clearly", "then")


def copied(folder: Folder, mine: Sequence[str], theirs: Sequence[str] = ABOUT) -> int:
    """How many of the texts, each of a case, are found in those of the other submission."""
    cases = [f"B{number:03}" for number in range(len(mine))]
    folder.write("datasets/small/no_tool.json", [text_case(case, "In 1902.") for case in cases])
    for name, texts in (("mine", mine), ("theirs", theirs)):
        rows = zip(cases, texts, strict=True)
        folder.submission(name, [{"id": case, "model_text": text} for case, text in rows])
    return len(padded_answers(load(folder), "mine"))


def with_fillers(text: str, fillers: Sequence[str], start: int = 0) -> str:
    """The text with one of the words after every third word, in turn."""
    words = text.split()
    for place, at in enumerate(range(3, len(words), 4)):
        words.insert(at, f"{fillers[(start + place) % len(fillers)]},")
    return " ".join(words)


@pytest.mark.parametrize(
    "fillers",
    [["well"], ["well", "okay"], ["unfortunately"], ["the", "who", "by"], FILLERS],
)
def test_t14_a_filler_after_every_third_word_hides_no_copy(
    folder: Folder, fillers: Sequence[str]
) -> None:
    """One for all answers, several in turn, words of the answer, or others in each answer."""
    mine = [with_fillers(text, fillers, start) for start, text in enumerate(ABOUT)]
    assert copied(folder, mine) == len(ABOUT)


@pytest.mark.parametrize(
    "added",
    [[HELP], [HELP, "Ask me anything, at any time"], [" ".join(sorted(" ".join(ABOUT).split()))]],
)
def test_t14_a_sentence_in_every_text_hides_no_copy(folder: Folder, added: Sequence[str]) -> None:
    """One for all answers, two in turn, and one that has every word of the answers."""
    said = [added[number % len(added)] for number in range(len(ABOUT))]
    mine = [f"{text} {more}." for text, more in zip(ABOUT, said, strict=True)]
    assert copied(folder, mine) == len(ABOUT)
    mine = [f"{more}. {text}" for text, more in zip(ABOUT, said, strict=True)]
    assert copied(folder, mine) == len(ABOUT)


RAMBLING = [
    "Harbour masters keep logs of all arrivals since paper was cheap enough for such a use.",
    "Beekeepers wear white suits because dark cloth alarms their insects, as furry animals do.",
    "Glaciers grind valleys into broad shapes, whereas rivers carve narrow ones over millennia.",
    "Typesetters once stored capital letters in upper drawers, hence our name for big letters.",
    "Maple syrup flows best after cold nights, if mild mornings follow before new buds open.",
    "Clockmakers prefer brass gears, since these run without oil where steel would soon jam.",
    "Owls fly silently thanks to fringed feathers, so mice hear nothing until far too late.",
    "Bakers score their loaves with blades, letting steam escape along chosen lines instead.",
    "Desert foxes lose heat through enormous ears, while polar foxes keep theirs rather small.",
    "Chess clubs met inside cafes, long before any federation printed rules or held matches.",
]


@pytest.mark.parametrize("place", [1, 0])
def test_t14_other_words_in_each_text_hide_no_copy(folder: Folder, place: int) -> None:
    """However many there are, behind the text or in front of it."""
    added = [f"{one} {RAMBLING[number - 1]}" for number, one in enumerate(RAMBLING)]
    mine = [
        f"{text} {more}" if place else f"{more} {text}"
        for text, more in zip(RAMBLING, added[5:] + added[:5], strict=True)
    ]
    assert copied(folder, mine, RAMBLING) == copied(folder, RAMBLING, mine) == len(RAMBLING)


@pytest.mark.parametrize("cases", [10, 5])
def test_t14_fillers_and_a_sentence_hide_no_copy(folder: Folder, cases: int) -> None:
    """In few cases, what is in one of them is no habit."""
    mine = [f"{with_fillers(text, ['well'])}. {HELP}" for text in ABOUT[:cases]]
    assert copied(folder, mine, ABOUT[:cases]) == cases


def test_one_text_for_all_cases_can_be_copied(folder: Folder) -> None:
    """Nothing is left of it without what its submission repeats."""
    assert copied(folder, [f"{HELP}. Goodbye!"] * 10, [HELP] * 10) == 10


@pytest.mark.parametrize("added", ["", " Can I help you with anything else?"])
def test_systems_that_say_the_same_share_no_texts(folder: Folder, added: str) -> None:
    """Even if they are polite in the same words."""
    mine = [text + added for text in IN_OTHER_WORDS]
    assert copied(folder, mine) == 0
    assert copied(folder, mine, [text + added for text in ABOUT]) == 0


def test_languages_without_blanks_are_compared(board: Folder) -> None:
    """Otherwise a whole sentence in Chinese would be one word."""
    theirs = "市政厅一九零二年落成后毁于一九四零年的大火至今没有重建只留下一座公园供人休息"
    assert is_padded(board, f"好的！{theirs}", theirs)
    other = "它建于一九零二年但后来在一场火灾中被毁现在这里变成了市民常去的绿地"
    assert not is_padded(board, other, theirs)


@pytest.mark.parametrize(
    "mine",
    [
        "It was 1902. The old hall was lost to a fire in 1940, and stayed a ruin.",
        f"It burned down in 1940 and was never built again. {MUCH_ELSE}",
        "The town hall opened in 1902. I know nothing else about it, I am sorry to say.",
        "",
    ],
)
def test_a_phrase_in_common_does_not(board: Folder, mine: str) -> None:
    """Less than three fifths of the longer answer, or nine tenths of the shorter one."""
    assert not is_padded(board, mine)


def test_short_answers_are_anybodys(board: Folder) -> None:
    """A usual phrase with another one beside it is no copy."""
    assert not is_padded(board, "I am afraid that I cannot. Sorry!", "I am afraid that I cannot.")


def test_beside_calls_a_text_is_not_the_answer(board: Folder) -> None:
    """What decides is the call."""
    call = {"name": "convert_units", "arguments": {"value": 3}}
    board.submission("theirs", [{"id": "B001", "model_text": THEIRS}])
    record = {"id": "B001", "model_text": THEIRS, "model_function_call": call}
    board.submission("mine", [record])

    assert padded_answers(load(board), "mine").is_empty()


@pytest.mark.large
def test_of_a_long_answer_the_beginning_is_compared(board: Folder) -> None:
    """A file full of short sentences would take much memory. Usual answers are far shorter."""
    other = " ".join(f"{number} more." for number in range(10_000))

    assert is_padded(board, f"{THEIRS} " * 200 + other, f"{THEIRS} " * 200)
    assert not is_padded(board, other[:10_000] + THEIRS, THEIRS)


def test_texts_with_an_end_that_is_not_compared_are_counted(board: Folder) -> None:
    """Invisible characters and second blanks are not compared, so they make no text longer."""
    call = {"name": "convert_units", "arguments": {"value": 3}}
    texts = ["x" * COMPARED, "x" * (COMPARED + 1), "y" * COMPARED + "\u00ad \u200b  "]
    records = [
        {"id": "B001", "trial": trial, "model_text": text} for trial, text in enumerate(texts, 1)
    ]
    records.append({**records[1], "trial": 4, "model_function_call": call})
    board.submission("mine", records)

    assert compared_in_part(load(board), "mine") == 1
    assert compared_in_part(load(board), "theirs") == 0
