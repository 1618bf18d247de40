"""Answers that equal those of another submission."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from typing import Any

import pytest

from leaderboard.load import load_contents
from leaderboard.workspace import Workspace
from replay.asker import open_asker
from scoring.changes.near_copies import NearCopy, near_copies
from scoring.rules import KINDS
from scoring.scorer import score_all
from tests.conftest import Folder, text_case
from tests.runners.model_board import TYPING, acted_case

CASES = {f"B{number:03}": f"It is {number}." for number in range(20)}


@pytest.fixture
def board(folder: Folder) -> Folder:
    """Twenty text cases without a judge's prompt, so that other texts wait for no judge."""
    folder.write("datasets/small/no_tool.json", [text_case(*asked) for asked in CASES.items()])
    return folder


def wrong(number: int, word: str) -> list[dict[str, Any]]:
    """Records that call a tool, which is wrong, in so many of the cases. The others are right."""
    made: list[dict[str, Any]] = []
    for place, (case_id, text) in enumerate(CASES.items()):
        call = {"name": "convert_units", "arguments": {"to_unit": f"{word} {place}"}}
        record = {"model_function_call": call} if place < number else {"model_text": text}
        made.append({"id": case_id, **record})
    return made


def copies(board: Folder, submission: str = "mine") -> list[NearCopy]:
    contents = load_contents(Workspace(board.root), KINDS)
    panel = contents.leaderboard.panel
    with open_asker(board.root, offline=True) as ask:
        verdicts = score_all(contents, panel, ask).verdicts
    return list(near_copies(contents, verdicts, [submission]))


@pytest.mark.large
def test_the_same_bytes_are_a_copy_whatever_their_number(board: Folder) -> None:
    """Packed or not, and even with a single answer."""
    records = [{"id": "B001", "model_text": "It is 1."}]
    board.submission("theirs", records)
    plain = board.submission("mine", records)
    plain.with_name("small.json.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    (copy,) = copies(board)

    assert (copy.other, copy.exact, copy.answered, copy.equal) == ("theirs", True, 1, 1)


@pytest.mark.large
def test_equal_wrong_answers_are_a_near_copy(board: Folder) -> None:
    """Right answers are the same for everybody, so the wrong ones count."""
    board.submission("theirs", wrong(12, "x"))
    records = wrong(12, "x")
    records[0], records[19] = (
        {"id": "B000", "model_text": CASES["B000"]},
        records[18] | {"id": "B019", "model_text": "No."},
    )
    board.submission("mine", records)
    (copy,) = copies(board)

    assert not copy.exact
    assert (copy.equal, copy.equal_wrong) == (18, 11)


@pytest.mark.parametrize(("others", "is_near"), [(0, True), (2, True), (3, False)])
def test_eight_of_ten_equal_wrong_answers_are_a_near_copy(
    board: Folder, others: int, is_near: bool
) -> None:
    """All ten right answers are equal too, which alone is nothing odd."""
    board.submission("theirs", wrong(10, "x"))
    board.submission("mine", [*wrong(10, "y")[:others], *wrong(10, "x")[others:]])

    assert bool(copies(board)) is is_near


@pytest.mark.parametrize(("answered", "is_near"), [(9, False), (10, True)])
def test_fewer_than_ten_answers_prove_nothing(board: Folder, answered: int, is_near: bool) -> None:
    """Whether they are right or wrong. The files differ in a blank."""
    board.submission("theirs", wrong(0, "x")[:answered])
    board.submission("mine", [{**row, "usage": {}} for row in wrong(0, "x")[:answered]])

    assert bool(copies(board)) is is_near


@pytest.mark.parametrize(("others", "is_near"), [(1, True), (2, False)])
def test_nineteen_of_twenty_equal_answers_are_a_near_copy(
    board: Folder, others: int, is_near: bool
) -> None:
    """However few of them are wrong."""
    board.submission("theirs", wrong(0, "x"))
    board.submission("mine", wrong(others, "y"))

    assert bool(copies(board)) is is_near


@pytest.mark.parametrize(("number", "is_near"), [(9, False), (10, True)])
def test_fewer_than_ten_wrong_answers_prove_nothing(
    board: Folder, number: int, is_near: bool
) -> None:
    """The texts of the right answers differ, so that they are no near copy either."""
    board.submission("theirs", wrong(number, "x"))
    right = [{**row, "model_text": "No."} for row in wrong(number, "x")[number:]]
    board.submission("mine", [*wrong(number, "x")[:number], *right])

    assert bool(copies(board)) is is_near


def test_two_good_systems_are_no_copies(board: Folder) -> None:
    """They agree on what is right and differ in what is wrong."""
    board.submission("theirs", wrong(3, "x"))
    board.submission("mine", wrong(3, "y"))

    assert copies(board) == []


def test_signs_that_change_nothing_hide_no_copy(board: Folder) -> None:
    """Blanks, invisible characters, full stops and letter case, in arguments too."""
    board.submission("theirs", wrong(12, "x"))
    records = wrong(12, "\u200bX.  ")
    records[19] = records[19] | {"model_text": "It\u00a0is\u200b 19!"}
    board.submission("mine", records)
    (copy,) = copies(board)

    assert (copy.exact, copy.equal, copy.equal_wrong) == (True, 20, 12)


@pytest.mark.large
def test_spaces_and_layout_make_no_other_answer(board: Folder) -> None:
    """Neither does the letter case of a text."""
    records = [{"id": case_id, "model_text": text} for case_id, text in CASES.items()]
    board.submission("theirs", records)
    shouted = [record | {"model_text": f" {record['model_text'].upper()}  "} for record in records]
    board.write(
        "submissions/mine/submission.json",
        json.loads((board.root / "submissions/theirs/submission.json").read_text()),
    )
    board.write("submissions/mine/small.json", {"test_results": shouted})
    (copy,) = copies(board)

    assert (copy.exact, copy.equal, copy.answered) == (False, 20, 20)


def test_nothing_answered_is_no_answer(board: Folder) -> None:
    """Two silent systems are not copies of each other."""
    for name in ("theirs", "mine"):
        silent = [{"id": case_id, "model_text": None} for case_id in CASES]
        board.submission(name, silent if name == "mine" else silent[::-1])

    assert copies(board) == []


def in_trials(*words: str) -> list[dict[str, Any]]:
    """Wrong calls in all cases, with one trial for each word."""
    return [
        {**row, "trial": trial}
        for trial, word in enumerate(words, start=1)
        for row in wrong(20, word)
    ]


@pytest.mark.large
@pytest.mark.parametrize(
    ("theirs", "mine"), [("xyz", "yzx"), ("xy", "qxy"), ("x", "qx"), ("xyz", "y")]
)
def test_other_numbers_of_trials_hide_no_copy(board: Folder, theirs: str, mine: str) -> None:
    """Whether the trials of the other submission are rotated, fewer, or behind own ones."""
    board.submission("theirs", in_trials(*theirs))
    board.submission("mine", in_trials(*mine))
    (copy,) = copies(board)

    number = 20 * min(len(theirs), len(mine))
    assert (copy.exact, copy.equal, copy.answered, copy.wrong) == (True, number, number, number)


@pytest.mark.large
@pytest.mark.parametrize("theirs", ["xyz", "x"])
def test_repeating_a_stolen_answer_hides_no_copy(board: Folder, theirs: str) -> None:
    """The best of their trials three times is a copy, as their only one is."""
    board.submission("theirs", in_trials(*theirs))
    board.submission("mine", in_trials("x", "x", "x"))
    (copy,) = copies(board)

    number = 20 * len(theirs)
    assert (copy.exact, copy.equal, copy.answered) == (True, number, number)


@pytest.mark.parametrize("mine", ["qxxxxxxxxx", "qqqxxxx", "xxqqx"])
def test_a_stolen_answer_in_most_trials_is_a_copy(board: Folder, mine: str) -> None:
    """Behind own answers that are repeated, too."""
    board.submission("theirs", in_trials("x"))
    board.submission("mine", in_trials(*mine))
    (copy,) = copies(board)

    assert (copy.exact, copy.equal, copy.answered) == (True, 20, 20)


@pytest.mark.large
def test_a_stolen_text_in_any_trial_is_a_near_copy(board: Folder) -> None:
    """It is long, so that it is in no honest answers by chance."""
    texts = {case_id: f"The old town {case_id} has a large market square" for case_id in CASES}
    stolen = [{"id": key, "model_text": text} for key, text in texts.items()]
    board.submission("theirs", stolen)
    silent = [{"id": key, "model_text": "No."} for key in texts]
    tried = [silent, silent, stolen, silent]
    mine = [{**row, "trial": at} for at, rows in enumerate(tried, start=1) for row in rows]
    board.submission("mine", mine)

    expected = NearCopy("mine", "small", "theirs", False, 20, 20, 0, 0, compared="texts")
    assert copies(board) == [expected]


def test_the_same_sentences_in_another_trial_hide_no_copy(board: Folder) -> None:
    """An equal text is the nearest one, also if another text has all of its phrases too."""

    def answers(trial: int, *, turned: bool = False) -> list[dict[str, Any]]:
        made = []
        for key in CASES:
            said = [f"The old town {key} has a large market square.", "It closes at nine."]
            text = " ".join(said[::-1] if turned else said)
            made.append({"id": key, "trial": trial, "model_text": text})
        return made

    board.submission("theirs", answers(1))
    board.submission("mine", [*answers(2, turned=True), *answers(1), *answers(3)])

    expected = NearCopy("mine", "small", "theirs", False, 20, 20, 0, 0)
    assert copies(board) == [expected]


@pytest.mark.large
@pytest.mark.parametrize("mine", ["x", "xxxxxyyyyy"])
def test_one_of_two_possible_answers_in_ten_trials_is_no_copy(board: Folder, mine: str) -> None:
    """An honest yes or no equals one of ten trials, but rarely the one with the same number."""
    board.submission("theirs", in_trials(*"yyyyyxxxxx"))
    board.submission("mine", in_trials(*mine))

    assert copies(board) == []


@pytest.mark.large
@pytest.mark.parametrize("place", [4, 1])
def test_a_sentence_more_hides_no_copy(board: Folder, place: int) -> None:
    """In every answer, or in every fourth."""
    texts = {
        case_id: f"The town {case_id} has a large market square. Many people like to sit there"
        for case_id in CASES
    }
    board.submission("theirs", [{"id": key, "model_text": text} for key, text in texts.items()])
    mine = [
        {"id": key, "model_text": text if number % place else f"Hello. {text}. Goodbye!"}
        for number, (key, text) in enumerate(texts.items())
    ]
    board.submission("mine", mine)
    (copy,) = copies(board)

    assert (copy.equal, copy.answered) == (20, 20)


@pytest.mark.large
@pytest.mark.parametrize(("copied", "is_near"), [(10, True), (9, False)])
def test_half_of_all_texts_make_a_near_copy(board: Folder, copied: int, is_near: bool) -> None:
    """Whatever the other answers are. Two good systems do not use the same words so often."""
    said = {case_id: f"The old town {case_id} has a large market square" for case_id in CASES}
    own = {
        case_id: f"A wide market lies in the midst of {case_id}, an old town" for case_id in CASES
    }
    mine = [f"Sure! {said[case_id]}." for case_id in list(CASES)[:copied]]
    mine += [own[case_id] for case_id in list(CASES)[copied:]]
    board.submission("theirs", [{"id": key, "model_text": text} for key, text in said.items()])
    given = [{"id": key, "model_text": text} for key, text in zip(CASES, mine, strict=True)]
    board.submission("mine", given)

    expected = NearCopy("mine", "small", "theirs", False, 20, copied, 0, 0, compared="texts")
    assert copies(board) == ([expected] if is_near else [])


@pytest.mark.large
@pytest.mark.parametrize(("copied", "is_near"), [(9, True), (4, False)])
def test_t14_half_of_the_long_texts_make_a_near_copy(
    board: Folder, copied: int, is_near: bool
) -> None:
    """Even if the shorter ones are the submission's own. Here ten are long, and ten short."""
    long = "Nobody knows who built {} or why, since all papers of its founders were lost at sea"
    theirs = [long.format(case_id) for case_id in list(CASES)[:10]]
    theirs += [f"I have never heard of {case_id}" for case_id in list(CASES)[10:]]
    mine = [f"{text}. {number} {text[::-1]}" for number, text in enumerate(theirs[:copied])]
    mine += [text[::-1] for text in theirs[copied:]]
    for name, texts in (("theirs", theirs), ("mine", mine)):
        rows = zip(CASES, texts, strict=True)
        board.submission(name, [{"id": key, "model_text": text} for key, text in rows])

    expected = NearCopy("mine", "small", "theirs", False, 10, copied, 0, 0, compared="texts")
    assert copies(board) == ([expected] if is_near else [])


@pytest.mark.large
@pytest.mark.parametrize(
    ("added", "copied", "is_near"),
    [("", 10, True), ("", 9, False), (" Ask me more about my sources, please.", 10, True)],
)
def test_t14_texts_of_several_submissions_make_a_near_copy(
    board: Folder, added: str, copied: int, is_near: bool
) -> None:
    """Half of all, whosever they are. None of the others has half of them alone."""
    ways = (
        "Nobody knows who built {} or why, since all papers of its founders were lost at sea",
        "{} was built for reasons that are forgotten: fires destroyed what its builders wrote down",
        "We lack records about {}, as floods carried away every document that had described it",
    )
    said = [[way.format(case_id) for case_id in CASES] for way in ways]
    mine = [f"{said[number % 3][number]}{added}" for number in range(copied)]
    mine += [f"{case_id} {said[0][0][::-1]}" for case_id in list(CASES)[copied:]]
    for name, texts in zip(("alpha", "beta", "gamma", "mine"), (*said, mine), strict=True):
        rows = zip(CASES, texts, strict=True)
        board.submission(name, [{"id": key, "model_text": text} for key, text in rows])

    sources = (("alpha", 4), ("beta", 3), ("gamma", 3))
    expected = NearCopy("mine", "small", "alpha", False, 20, 10, 0, 0, "texts", sources)
    assert copies(board) == ([expected] if is_near else [])


WORDS = [first + second for first in "abcdef" for second in "pqrst"]


@pytest.fixture
def typing(folder: Folder) -> Folder:
    """Thirty words to type."""
    folder.write("datasets/typing/suite.toml", TYPING)
    steps = ["type_letter"] * 2
    cases = [
        acted_case(f"T{word}", word, expected_steps=steps, reference=word, state=word)
        for word in WORDS
    ]
    folder.write("datasets/typing/typing.json", cases)
    return folder


def types(board: Folder, submission: str, typed: Sequence[str], text: str) -> None:
    """Submits what an agent types for each word. It says `text` and a word of its own."""
    records = [
        {
            "id": f"T{word}",
            "output": f"{text} {word}",
            "actual_steps": [{"name": "type_letter", "arguments": {"letter": c}} for c in letters],
            "state": letters,
        }
        for word, letters in zip(WORDS, typed, strict=True)
    ]
    board.submission(submission, records, suite="typing")


@pytest.mark.large
@pytest.mark.parametrize(("failed", "is_near"), [(9, False), (10, True)])
def test_texts_beside_equal_calls_hide_no_copy(typing: Folder, failed: int, is_near: bool) -> None:
    """If ten answers fail: here those that call nothing. Two good agents make the same calls."""
    typed = [*[""] * failed, *WORDS[failed:]]
    types(typing, "theirs", typed, "Done.")
    types(typing, "mine", typed, "All was closed with step log")

    expected = [NearCopy("mine", "typing", "theirs", False, 20, 20, 0, 0, compared="calls")]
    assert copies(typing) == (expected if is_near else [])


@pytest.mark.large
def test_an_agent_that_types_less_is_no_copy_of_a_good_one(typing: Folder) -> None:
    """What it types is right, and so the same. In ten of thirty cases only one types."""
    types(typing, "good", WORDS, "Done.")
    types(typing, "mine", [*[""] * 10, *WORDS[10:]], "I typed it.")

    assert copies(typing) == copies(typing, "good") == []


@pytest.mark.parametrize(("others", "is_near"), [(6, True), (7, False)])
def test_equal_wrong_states_are_a_near_copy(typing: Folder, others: int, is_near: bool) -> None:
    """If four fifths of all calls are equal. Poor agents often fail in the same way."""
    wrong = ["x"] * 12
    types(typing, "theirs", [*wrong, *["y"] * others, *WORDS[12 + others :]], "Done.")
    types(typing, "mine", [*wrong, *WORDS[12:]], "I typed it.")

    assert bool(copies(typing)) is is_near


@pytest.mark.large
def test_a_sentence_more_hides_no_copy_of_an_agent_that_calls_nothing(typing: Folder) -> None:
    """As anywhere else, its text is its answer."""
    said = "I looked for all of the right keys for a very long time."
    types(typing, "theirs", [""] * 30, f"{said} I stop at")
    types(typing, "mine", [""] * 30, f"{said} Sorry for")
    (copy,) = copies(typing)

    assert (copy.equal, copy.equal_wrong, copy.compared) == (30, 30, "answers")
