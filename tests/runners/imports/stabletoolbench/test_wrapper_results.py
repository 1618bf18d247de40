"""Results of StableToolBench's wrapper."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runners.imports.stabletoolbench.bench import (
    Bench,
    results,
    row,
)


@pytest.mark.parametrize(
    ("name", "submission", "settings"),
    [
        ("lang_G1_instruction.json", "lang-graph", {}),
        ("lang_G1_instruction_k20.json", "lang-graph_k20", {"max_tools": 20}),
        ("lang_G1_instruction_k20_q3.json", "lang-graph_k20", {"max_tools": 20, "max_queries": 3}),
        ("lang_G1_instruction_q3.json", "lang-graph", {"max_queries": 3}),
    ],
)
def test_results_of_the_wrapper(
    bench: Bench, name: str, submission: str, settings: dict[str, Any]
) -> None:
    """File names may be short or long.

    Agent, date and judge come from the file, and another number of tools is another submission.
    """
    bench.run(bench.write(name, results(row(9001), row(9002, "Unsolved"))), date=None)
    card = bench.card(submission)
    assert ("Lang Graph" if "k20" not in name else "Lang Graph_k20", "2025-11-03") == (
        card["name"],
        card["date"],
    )
    assert {"imported_from": "stabletoolbench", **settings} == card["settings"]
    record = bench.records(submission)["9001"]
    told = {"judge": "judge-m", "file": name, "reason": "names the line"}
    assert [{"status": "solved", "by": "official", "round": 0, **told}] == record["origin"]["votes"]
    assert ("Line 3 at 18:04.", [["TramLine", "next departures"]], 2.5) == (
        record["answer"]["final_answer"],
        record["called_apis"],
        record["latency_s"],
    )


@pytest.mark.large
def test_missing_executions_are_not_scored(bench: Bench) -> None:
    """The wrapper stores the called APIs, but neither the finish nor the outcomes of calls."""
    bench.run(bench.write("r.json", results(row(9001))))
    found = {
        r["metric"]: r["reason"]
        for r in bench.verdicts().filter(case_id="9001").iter_rows(named=True)
    }
    assert ("gold_apis_called", "steps_not_told", "outcomes_not_told") == (
        found["api_call"],
        found["finish"],
        found["api_call_success"],
    )


@pytest.mark.large
def test_a_row_with_an_error_is_an_error(bench: Bench) -> None:
    """The system failed, so every metric fails with its error and there is no answer."""
    bench.run(bench.write("r.json", results(row(9001, "Error", error="boom"))))
    assert "boom" == bench.records("lang-graph")["9001"]["error"]
    assert ["response_error"] == bench.verdicts().filter(case_id="9001")[
        "reason"
    ].unique().to_list()


def test_stored_summaries_are_not_trusted(bench: Bench) -> None:
    """Every figure that differs from the rows is reported."""
    summary = {
        "total_queries": 2,
        "solved_count": 2,
        "average_sopr_score": 0.5,
        "average_system_answer_time": 1.25,
        "average_api_call_score": 1,
    }
    path = bench.write("r.json", results(row(9001), row(9002, "Unsolved", timing={}), **summary))
    found = [line for line in bench.run(path).notes if "summary" in line]
    assert [
        "r.json: its summary says solved_count 2, its rows give 1",
        "r.json: its summary says average_system_answer_time 1.25, its rows give 2.5",
    ] == found


def test_rows_of_the_heuristic_are_counted_separately(bench: Bench) -> None:
    """The rate leaves out the heuristic and failed judges. A system that failed is unsolved."""
    heuristic = {"has_finish": False, "evaluation_method": "heuristic", "reason": "long"}
    rows = [row(9001, "Unsure"), row(9002, evaluation=heuristic), row(9003, "Error", error="boom")]
    (told,) = bench.run(bench.write("r.json", results(*rows))).notes
    assert (
        "r.json: SoPR 25.0 ± 0.0 from 1 round over 2 queries, by judge-m; 1 decided by its"
        " heuristic and left out"
    ) == told
