"""Texts that are somebody else's, with other words around them."""

from __future__ import annotations

import pytest

from scoring.changes.shared_texts import padded_answers
from tests.conftest import Folder, text_case
from tests.leaderboard.workspaces import load

THEIRS = "The town hall opened in 1902. It burned down in 1940 and was never built again."


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
        "It burned down in 1940, and was never built again! The town hall opened in 1902. Yes.",
        THEIRS.upper().replace(" ", "\u00a0"),
        THEIRS.replace(". ", ".\n- Let me think about it.\n"),
        "So, " + THEIRS.replace(". ", "; "),
        f"Thanks for asking: {THEIRS}",
        THEIRS.replace("e", "e\u00ad") + " Okay.",
        THEIRS.replace("n", "n\u034f").replace("w", "w\u2060\u3164") + " Okay.",
        THEIRS.replace("a", "a\u0301").replace("t", "t\0") + " Okay.",
        "\u200b \u00ad " * 5000 + THEIRS + " Okay.",
    ],
)
def test_most_of_the_phrases_make_the_same_answer(board: Folder, mine: str) -> None:
    """Whatever is added, left out or put into another order."""
    assert is_padded(board, mine)
    assert is_padded(board, THEIRS, mine)


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
        f"{THEIRS} {'Much else could be said of its long and varied history. ' * 3}I stop here.",
        "The town hall opened in 1902. I know nothing else about it, I am sorry to say.",
        "",
    ],
)
def test_a_phrase_in_common_does_not(board: Folder, mine: str) -> None:
    """Less than three fifths of the longer answer is what two systems may share."""
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
