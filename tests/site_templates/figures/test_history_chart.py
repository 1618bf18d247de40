"""The plot of scores over snapshots: which lines are drawn, and where."""

from __future__ import annotations

import dataclasses

import pytest

from site_templates.board_index import index_board
from site_templates.figures import history_chart as plots
from site_templates.figures.history_chart import score_lines
from site_templates.parts.history.past_names import PastNames
from tests.site_templates import site_history


@pytest.fixture(scope="module")
def lines() -> dict[str, plots.ScoreLines]:
    index = index_board(site_history.board())
    return {found.suite: found for found in score_lines(index, PastNames(index))}


def test_a_line_has_a_score_for_each_snapshot_and_for_now(
    lines: dict[str, plots.ScoreLines],
) -> None:
    """The score of the second snapshot is the lower one. Baselines have no line."""
    tools = lines["Tools, synthetic"]
    scores = {link.label: cells for link, cells in tools.rows}
    first = tools.traces[0]

    assert [tick.label for tick in tools.xs] == ["2026-03-01", "2026-04-09", "2026-05-01", "now"]
    assert scores["Model A"] == ("83.3", "66.7", "83.3", "83.3")
    assert "oracle" not in scores
    assert (first.name, first.said) == ("Model A", "Model A: 83.3 (2026-03-01) to 83.3 (now)")
    assert len(first.lines) == 3
    heights = [float(y.rstrip("%")) for _, y in first.dots]
    assert heights[0] == heights[2] == heights[3] < heights[1]


def test_no_line_joins_snapshots_between_which_a_submission_was_gone(
    lines: dict[str, plots.ScoreLines],
) -> None:
    """Model B is in the second and the current state alone. What is gone is in the table alone."""
    match = lines["Match, synthetic"]
    traces = {trace.name: trace for trace in match.traces}

    assert (len(traces["Model B"].dots), traces["Model B"].lines) == (2, ())
    assert "gone" not in traces
    assert ("gone", ("—", "47.6", "—", "—")) in [(who.label, row) for who, row in match.rows]
    assert match.said == "Of 3 submissions, the 2 with the highest last score are drawn."


def test_names_have_a_line_of_text_each(
    monkeypatch: pytest.MonkeyPatch, lines: dict[str, plots.ScoreLines]
) -> None:
    """Names move apart around the middle of their lines, and as little as possible."""
    moved = plots._apart([20.0, 100.0, 100.0, 103.0, 259.0, 260.0, 260.0, 0.0, 1.0])

    assert moved[:4] == [30.0, 86.0, 101.0, 116.0]
    assert moved[4:7] == pytest.approx([244.667, 259.667, 274.667], abs=1e-3)
    assert moved[7:] == [0.0, 15.0]


def test_a_name_far_below_its_line_stays_near_the_plot() -> None:
    """Six lines end at 0: their names use the margin below and no more."""
    moved = plots._apart([120.0, *[260.0] * 6])

    assert moved == [120.0, *range(215, 291, 15)]


def test_one_snapshot_of_the_current_board_makes_no_plot() -> None:
    """There is one state, and no change to see."""
    given = site_history.board()
    only = dataclasses.replace(given.states[0], manifest={**given.results.manifest, "as_of": None})
    index = index_board(dataclasses.replace(given, states=(only,)))

    assert score_lines(index, PastNames(index)) == ()


def test_a_line_ends_where_the_cases_changed() -> None:
    """The suite had other cases before the second snapshot. The words begin after it too."""
    index = index_board(site_history.recased())
    drawn = {found.suite: found for found in score_lines(index, PastNames(index))}
    tools, first = drawn["Tools, synthetic"], drawn["Tools, synthetic"].traces[0]

    assert (len(first.dots), len(first.lines)) == (4, 2)
    assert first.lines[0].x1 == tools.xs[1].at
    assert first.said == "Model A: 66.7 (2026-04-09) to 83.3 (now)"
    assert "Lines end where the suite gained or lost cases" in tools.said
    assert "Lines end" not in drawn["Match, synthetic"].said


def test_a_line_ends_where_a_snapshot_without_scores_changed_the_cases() -> None:
    """All its verdicts wait for a judge, so that it is not in the plot."""
    given = site_history.recased()
    first, second, third = given.states
    states = (first, dataclasses.replace(second, scores=second.scores.clear()), third)
    index = index_board(dataclasses.replace(given, states=states))
    drawn = {found.suite: found for found in score_lines(index, PastNames(index))}
    tools = drawn["Tools, synthetic"]

    assert [tick.label for tick in tools.xs] == ["2026-03-01", "2026-05-01", "now"]
    assert [line.x1 for line in tools.traces[0].lines] == [tools.xs[1].at]
    assert "Lines end where the suite gained or lost cases" in tools.said


def test_snapshots_of_one_day_have_their_titles_on_the_axis() -> None:
    """The first and the third snapshot are of one day, the second is not."""
    given = site_history.board()
    first, second, third = given.states
    states = (dataclasses.replace(first, taken="2026-05-01"), second, third)
    index = index_board(dataclasses.replace(given, states=states))
    drawn = {found.suite: found for found in score_lines(index, PastNames(index))}

    labels = [tick.label for tick in drawn["Tools, synthetic"].xs]
    assert labels == ["Snapshot 1", "2026-04-09", "back again", "now"]


def test_a_snapshot_has_one_name_in_all_plots() -> None:
    """The first snapshot has no scores on one suite, but it is of the same day as the third."""
    first, second, third = site_history.board().states
    scores = first.scores.filter(suite="tools")
    states = (dataclasses.replace(first, taken="2026-05-01", scores=scores), second, third)
    index = index_board(dataclasses.replace(site_history.board(), states=states))
    drawn = {found.suite: found for found in score_lines(index, PastNames(index))}

    labels = [tick.label for tick in drawn["Match, synthetic"].xs]
    assert labels == ["2026-04-09", "back again", "now"]
