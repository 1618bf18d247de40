"""Cases of kind exact: what is read, what is shown, and mistakes in their ground truth."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from leaderboard.exact_answers import ExactAnswer
from tests.conftest import Folder
from tests.leaderboard.workspaces import case_of, errors, load

SUITE = """\
schema = 1
title = "Small"
kind = "exact"

[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""


def written(folder: Folder, *truths: dict[str, Any], **members: Any) -> Folder:
    """The workspace with a suite of these ground truths, with ids 1, 2, 3 …"""
    cases = [
        {"id": str(number), "user_query": "Which?", **members, "ground_truth": truth}
        for number, truth in enumerate(truths, 1)
    ]
    folder.write("datasets/small/suite.toml", SUITE)
    folder.write("datasets/small/cases.json", cases)
    return folder


def test_each_form_is_read_and_shown(folder: Folder) -> None:
    """Texts, numbers and patterns are read as their author wrote them."""
    written(
        folder,
        {"texts": ["Paris", "Lutetia"]},
        {"number": 0.1, "tolerance": "5%"},
        {"pattern": "[a-z]+"},
    )
    contents = load(folder)
    texts, number, pattern = (case_of(contents, name).ground_truth for name in "123")

    assert contents.problems == []
    assert texts.exact == ExactAnswer(texts=("Paris", "Lutetia"))
    assert number.exact == ExactAnswer(number=Decimal("0.1"), tolerance=Decimal("0.005"))
    assert number.shown == (("number", "0.1 ± 0.005"),)
    assert pattern.shown == (("pattern", "[a-z]+"),)


def test_options_are_part_of_the_question(folder: Folder) -> None:
    """Models, readers and requests see the options with their letters."""
    written(folder, {"option": "b"}, {"option": "Rome"}, options=["Rome", "Paris"])
    contents = load(folder)
    first, second = case_of(contents, "1"), case_of(contents, "2")

    assert first.query == "Which?\n\nA) Rome\nB) Paris"
    assert first.ground_truth.shown == (("option", "B) Paris"),)
    assert second.ground_truth.exact == ExactAnswer(options=("Rome", "Paris"), option=0)


WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {}, "accepts nothing"),
    ({"texts": []}, {}, "needs at least one entry ("),
    ({"texts": [" "]}, {}, "must not be blank"),
    ({"text": "Paris"}, {}, "unknown key 'text'"),
    ({"tolerance": 1}, {}, "accepts nothing"),
    ({"texts": ["x"], "tolerance": 1}, {}, "has a tolerance without a number"),
    ({"number": 1, "tolerance": -1}, {}, "greater than or equal to 0"),
    ({"pattern": "(?=a)"}, {}, "look-around"),
    ({"pattern": "(a"}, {}, "unclosed group"),
    ({"pattern": "a)|(b"}, {}, "unopened group"),
    ({"pattern": "a" * 301}, {}, "the limit is 300"),
    ({"pattern": "((a?){1000}){1000}"}, {}, "size limit"),
    ({"option": "A"}, {}, "the case has no `options`"),
    ({"texts": ["x"]}, {"options": ["x", "y"]}, "must have `option`"),
    (
        {"option": "C"},
        {"options": ["x", "y"]},
        "does not name exactly one option: 'C'",
    ),
    ({"option": "x"}, {"options": ["x", " X"]}, "options[1]: repeats the option ' X'"),
    ({"option": "A"}, {"options": ["x"]}, "needs at least 2 entries"),
]


def test_an_option_that_reads_as_another_letter_is_a_warning(folder: Folder) -> None:
    """An answer "B" could mean either of the two."""
    written(folder, {"option": "A"}, options=["B", "x"])
    (problem,) = load(folder).problems
    assert ("warning", "is 'B', which is the letter of another option") == (
        problem.severity,
        problem.what,
    )


@pytest.mark.parametrize(("truth", "members", "what"), WRONG)
def test_a_wrong_ground_truth_is_a_problem(
    folder: Folder, truth: dict[str, Any], members: dict[str, Any], what: str
) -> None:
    """Each mistake has a message with its file and line."""
    (problem, *_) = errors(written(folder, truth, **members))

    assert what in problem
    assert problem.startswith("datasets/small/cases.json:")


@pytest.mark.large
def test_an_exact_suite_from_responses_to_pages(folder: Folder) -> None:
    """The suite is validated, scored and shown, with accepted answers and the normal form."""
    written(folder, {"texts": ["<b>Paris"]}, {"number": 2})
    records = [{"id": "1", "model_text": "<b>paris."}, {"id": "2", "model_text": "Answer: 3"}]
    folder.submission("model", records)

    assert folder.lb("validate").exit_code == 0
    assert folder.lb("rescore", "--offline").exit_code == 0
    assert folder.lb("build").exit_code == 0
    first, second = (
        (folder.root / f"_site/cases/small/{case}.html").read_text("utf-8") for case in "12"
    )
    assert "&lt;b&gt;Paris" in first
    assert "<b>Paris" not in first
    assert "A pattern must match the whole answer." in first
    assert "No tool is offered" not in first
    assert "No call. Any text passes" not in first
    assert "Expected 2, got 3." in second


def test_misspelt_keys_are_warnings_and_the_case_is_read(folder: Folder) -> None:
    """Without its options, the question would be another one."""
    contents = load(written(folder, {"texts": ["Rome"]}, optons=["Rome", "Paris"], source="me"))
    (problem,) = contents.problems
    assert (problem.at, problem.severity) == ("$[0].optons", "warning")
    assert problem.fix == "did you mean 'options'?"
    assert case_of(contents, "1").query == "Which?"
