"""The row of a submission as a reviewer sees it."""

from __future__ import annotations

import pytest

from cli.wiring import score_offline
from leaderboard.load import load_contents
from leaderboard.workspace import Workspace
from scoring.rules import KINDS
from scoring.tables.board_row import BoardRow, board_rows
from tests.cli.records import answers
from tests.conftest import Folder


def rows(folder: Folder, submission: str) -> list[BoardRow]:
    contents = load_contents(Workspace(folder.root), KINDS)
    results = score_offline(Workspace(folder.root), contents)
    return list(board_rows(results, {suite.id: suite for suite in contents.suites}, submission))


@pytest.mark.large
def test_a_row_has_its_neighbours_and_its_failures(folder: Folder) -> None:
    """The rows above and below it by score, its categories in order, and counted reasons."""
    for name, passed in {"a": ("A001", "A002"), "b": ("A001",), "c": ()}.items():
        folder.submission(name, answers(*passed))
    (row,) = rows(folder, "b")

    assert (row.suite, row.metric, row.whole.cases) == ("small", "correct", 5)
    assert row.above is not None
    assert row.below is not None
    assert (row.above.submission, row.below.submission) == ("a", "c")
    assert [part.category for part in row.categories] == ["tool_selection", "no_tool"]
    assert row.failures == (("empty_response", 2),)
    assert (row.judged, row.status, row.rank) == (0, "ranked", (1, 3))


@pytest.mark.large
def test_a_row_has_its_usage(folder: Folder) -> None:
    """With the number of responses that it is known for. Without a record there is none."""
    told = [{**one, "latency_s": 2} for one in answers("A001")[:2]]
    folder.submission("a", [*told, *answers()[2:]])
    folder.submission("b", [])
    ((one,), (other,)) = rows(folder, "a"), rows(folder, "b")

    assert one.usage is not None
    assert (one.usage["timed"], one.usage["responses"], one.usage["latency_p50"]) == (2, 5, 2)
    assert other.usage is None


@pytest.mark.large
def test_the_ends_of_the_board_have_one_neighbour(folder: Folder) -> None:
    """The first row has none above it. A suite that was not taken has no row."""
    for name, passed in {"a": ("A001",), "b": ()}.items():
        folder.submission(name, answers(*passed))
    (first,) = rows(folder, "a")
    (last,) = rows(folder, "b")

    assert (first.above, last.below) == (None, None)
    assert rows(folder, "nobody") == []


@pytest.mark.large
def test_a_row_without_a_score_is_the_last(folder: Folder) -> None:
    """Its only answer waits for a judge. Its id is the first."""
    folder.submission("b", answers("A001"))
    folder.submission("c", [{"id": "A001", "model_text": "none is right"}])
    waiting = [{"id": "B001", "model_text": "The capital is Lyon."}]
    folder.submission("a", waiting, partial=["small"])
    (row,) = rows(folder, "a")

    assert (row.whole.score, row.judged, row.below) == (None, 0, None)
    assert row.above is not None
    assert row.above.submission == "c"


@pytest.mark.large
def test_cases_without_an_answer_are_counted(folder: Folder) -> None:
    """No record, or only empty answers. A card that names the suite in `partial` asked fewer."""
    empty = {"id": "A001", "model_text": ""}
    records = [{**empty, "trial": 1}, {**empty, "trial": 2}, {"id": "B001", "model_text": "Paris."}]
    folder.submission("all", [*records, {"id": "B002", "model_text": ""}])
    folder.submission("part", records, partial=["small"])
    late_text = {"id": "A001", "model_text": "x", "trial": 2}
    folder.submission("late", [{**empty, "trial": 1}, late_text])
    ((whole,), (part,), (late,)) = (rows(folder, name) for name in ("all", "part", "late"))

    assert (whole.blank, whole.unanswered, whole.whole.cases) == (4, 2, 5)
    assert (part.blank, part.whole.cases) == (1, 2)
    assert (late.blank, late.unanswered) == (4, 4)


@pytest.mark.large
def test_a_baseline_has_no_rank(folder: Folder) -> None:
    """It is no entrant, and its score is shown all the same."""
    folder.submission("base", answers("A001"), kind="baseline")
    (row,) = rows(folder, "base")

    assert (row.status, row.rank) == (None, None)
    assert row.whole.score is not None
