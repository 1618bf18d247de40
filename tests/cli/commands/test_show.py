"""`lb show`: scores, failures and single cases in the terminal; `lb rescore ID` shows one row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Folder, small_board

HOSTILE = "\x1b[2J\x1b]0;owned\x07 It is\r\n##[error]Rome. \u202e"


@pytest.fixture(scope="module")
def first_scored(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test has a copy."""
    folder = small_board(tmp_path_factory.mktemp("scored") / "board")
    right = {"name": "convert_units", "arguments": {"value": 3, "to_unit": "yards"}}
    wrong = {"name": "convert_units", "arguments": {"value": 9, "to_unit": "feet"}}
    records = [
        {"id": "A001", "model_function_call": right},
        {"id": "A002", "model_function_call": wrong},
        {"id": "B001", "model_text": HOSTILE},
    ]
    folder.submission("m1", records)
    for number in range(2, 6):
        folder.submission(f"m{number}", [{"id": "A001", "model_text": "x"}])
    folder.submission("best", [{"id": "B002", "model_text": "In 1969."}, records[0]])
    assert 0 == folder.lb("rescore").exit_code
    return folder


@pytest.fixture
def scored(first_scored: Folder, tmp_path: Path) -> Folder:
    """A scored board where m1 has one pass, one wrong value, one hostile text, two gaps."""
    return first_scored.copied_to(tmp_path / "board")


@pytest.mark.large
def test_failures_say_what_was_expected_and_given(scored: Folder) -> None:
    """Scores by category with cases and interval, neighbours, and each failure with its reason."""
    result = scored.lb("show", "m1")
    assert 0 == result.exit_code, result.stderr
    text = result.stdout
    assert "m1 on small: 16.7 (" in text
    assert "5 cases, 3 of 5 answered" in text
    assert "above: best" in text
    assert "tool_selection      3   33.3" in text
    assert "4 verdicts without a pass" in text
    assert 'expected: convert_units(value=4, to_unit="feet" | "ft")' in text
    assert 'given:    convert_units(value=9, to_unit="feet")' in text
    assert "A003 (tool_selection): fail, not answered" in text
    assert "given:    no record" in text
    assert "A001 (" not in text


@pytest.mark.large
def test_a_stranger_cannot_steer_the_terminal(scored: Folder) -> None:
    """Control characters, line breaks and bidirectional marks are shown as escapes."""
    for arguments in (("m1",), ("m1", "B001")):
        text = scored.lb("show", *arguments).stdout
        assert "\\x1b[2J\\x1b]0;owned\\x07 It is" in text
        assert not {"\x1b", "\x07", "\r", "\u202e"} & set(text)
        assert "\n##[error]" not in text


@pytest.mark.large
def test_a_list_of_failures_is_cut_and_counted(scored: Folder) -> None:
    """--limit says how many are listed, and the last line counts the others."""
    text = scored.lb("show", "m1", "--limit", "1").stdout
    assert "… and 3 more: --limit 4 lists them all" in text
    assert "A003" not in text


@pytest.mark.large
def test_a_case_shows_every_verdict_and_the_judges_reply(scored: Folder) -> None:
    """The judged text of B001 is shown with what the judge said, also as JSON."""
    text = scored.lb("show", "m1", "B001").stdout
    assert "small B001, trial 1" in text
    assert "expected: It is Paris." in text
    assert "[judge]" in text
    assert "judge:    embedded-1: different" in text
    document = json.loads(scored.lb("show", "m1", "B001", "--json").stdout)
    assert ["B001"] == [verdict["case"] for verdict in document["verdicts"]]
    assert 1 == len(document["judge_replies"])


def test_json_has_every_failure(scored: Folder) -> None:
    """--json prints the row, its categories and all failures, or as many as --limit says."""
    [row] = json.loads(scored.lb("show", "m1", "--json").stdout)["suites"]
    [cut] = json.loads(scored.lb("show", "m1", "--json", "--limit", "2").stdout)["suites"]
    assert cut == {**row, "failed": row["failed"][:2]}
    assert ("small", 5) == (row["suite"], row["whole"]["cases"])
    assert ["A002", "A003", "B001", "B002"] == [verdict["case"] for verdict in row["failed"]]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("m9",), 1, "submissions/m9: has no results (choose one of: best, m1"),
        (("m1", "A9"), 2, "no case 'A9'"),
        (("m1", "--suite", "large"), 1, "has no responses to the suite 'large'"),
        (("m1", "A001", "--limit", "3"), 2, "leave out CASE"),
    ],
)
def test_what_is_not_there_is_named(
    scored: Folder, arguments: tuple[str, ...], code: int, told: str
) -> None:
    """Unknown submissions, cases and suites are messages with the nearest name."""
    result = scored.lb("show", *arguments)
    assert (code, True) == (result.exit_code, told in result.stderr), result.stderr


def test_a_case_that_was_not_asked_is_named_as_such(scored: Folder) -> None:
    """A submission with a part of a suite has no verdict on the others."""
    scored.submission("m2", [{"id": "A001", "model_text": "x"}], partial=["small"])
    assert 0 == scored.lb("rescore", "--offline", "--allow-missing").exit_code
    result = scored.lb("show", "m2", "B001")
    assert (2, True) == (result.exit_code, "'B001' was not asked" in result.stderr), result.stderr


def test_changed_responses_are_not_shown_with_old_scores(scored: Folder) -> None:
    """A file that changed since, and one that was never scored, need lb rescore."""
    scored.submission("m1", [{"id": "A001", "model_text": "other"}])
    result = scored.lb("show", "m1")
    assert (1, True) == (result.exit_code, "has changed since it was scored" in result.stderr)
    scored.submission("new", [])
    assert "score it first: lb rescore new" in scored.lb("show", "new").stderr


def test_changed_cases_are_not_blamed_on_the_submission(scored: Folder) -> None:
    """The message names the suite, not the responses file."""
    suite = scored.root / "datasets/small/suite.toml"
    suite.write_text(suite.read_text().replace('title = "', 'title = "New '))
    result = scored.lb("show", "m1")
    assert "datasets/small: has changed since it was scored" in result.stderr


def test_all_that_changed_is_listed_at_once(scored: Folder) -> None:
    """The suite and the responses are named together, so that one lb rescore is enough."""
    scored.submission("m1", [{"id": "A001", "model_text": "other"}])
    suite = scored.root / "datasets/small/suite.toml"
    suite.write_text(suite.read_text().replace('title = "', 'title = "New '))
    result = scored.lb("show", "m1")
    for path in ("datasets/small", "submissions/m1/small.json"):
        assert f"{path}: has changed since it was scored" in result.stderr


@pytest.mark.large
def test_rescoring_one_submission_prints_its_row_with_its_neighbours(scored: Folder) -> None:
    """`lb rescore ID` prints three of six rows; without IDs it prints all."""
    rows = [line.split()[1] for line in scored.lb("rescore", "m1").stdout.splitlines()]
    assert ["best", "m1", "m2"] == rows
    assert 6 == len(scored.lb("rescore").stdout.splitlines())
