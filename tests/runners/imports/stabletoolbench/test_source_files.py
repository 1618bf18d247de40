"""The files of StableToolBench, recognised by their content."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runners.imports.stabletoolbench.bench import (
    FINISH,
    TOOL,
    Bench,
    answer,
    results,
    row,
    votes,
)


@pytest.mark.large
def test_a_file_of_votes_has_the_answers_too(bench: Bench) -> None:
    """It has the steps as text: enough to score the calls, the finish and the answer."""
    bench.write("pass/G1_instruction_x.json", {"9001": votes(9001, "Solved")})
    bench.run()
    scores = {
        r["metric"]: r["score"]
        for r in bench.verdicts().filter(case_id="9001").iter_rows(named=True)
    }
    assert (1.0, 1.0, 1.0, 1.0) == tuple(
        scores[m] for m in ("api_call", "finish", "api_call_precision", "api_call_success")
    )


@pytest.mark.large
def test_a_round_with_an_endless_name_is_numbered_in_order(bench: Bench) -> None:
    """Python refuses to read such a number, and the vote counts all the same."""
    with_votes = votes(9001, "Solved")
    with_votes["is_solved"] = {"9" * 5000: "AnswerStatus.Solved"}
    bench.write("pass/G1_instruction_x.json", {"9001": with_votes})
    assert "SoPR" in " ".join(bench.run().notes)


@pytest.mark.large
def test_no_two_votes_share_a_round(bench: Bench) -> None:
    """One of them would be lost without a word."""
    with_votes = votes(9001, "Solved")
    for other in ("a", "01"):
        with_votes["is_solved"] = {"1": "AnswerStatus.Solved", other: "AnswerStatus.Unsolved"}
        bench.write("pass/G1_instruction_x.json", {"9001": with_votes})
        assert "SoPR 16.7 ± 16.7 from 2 rounds over 3 queries" in " ".join(bench.run().notes)


def test_a_folder_without_readable_files_is_an_error(bench: Bench) -> None:
    """It may be the wrong folder, so nothing is written."""
    bench.source.mkdir(exist_ok=True)
    (bench.source / "votes.xlsx").write_bytes(b"PK")
    (told,) = bench.problems()
    assert "contains no file of StableToolBench for this suite; votes.xlsx is not read" in told


@pytest.mark.large
def test_raw_inference_files_become_answers(bench: Bench) -> None:
    """The folder of each test set has a file per query. Together they are one submission."""
    for number in (9001, 9002):
        messages = [
            {"role": "assistant", "function_call": {"name": TOOL["name"], "arguments": "{}"}}
        ]
        messages += [{"role": "function", "content": TOOL["response"]}]
        made = {
            "valid_data": True,
            "final_answer": FINISH["arguments"],
            "train_messages": [messages],
            "query": f"Which trams leave stop {number}?",
        }
        bench.write(
            f"answer/virtual_x/G1_instruction/{number}_CoT@1.json", {"answer_generation": made}
        )
    assert [("virtual_x", "written", 2)] == list(bench.run().submissions)
    assert [1.0, 1.0] == bench.verdicts().filter(metric="api_call")["score"].to_list()[:2]
    bench.write("answer/virtual_x/G9/1_CoT@1.json", {"answer_generation": {}})
    warnings = [str(warning) for warning in bench.run().warnings]
    assert any("is not in a folder of a test set: G9" in line for line in warnings)
    other = "answer/virtual_x/G1_instruction/9001_DFS.json"
    bench.write(other, {"answer_generation": {**made, "final_answer": "Line 4."}})
    said = f"{other}: is not read: an earlier file of its folder answers query 9001"
    assert said in map(str, bench.run().warnings)
    assert "Line 4." not in str(bench.records("virtual_x")["9001"])


def test_preferences_are_counted_and_kept_per_query(bench: Bench) -> None:
    """The system with more rounds wins the query. Both answers keep it; it decides no score."""
    rounds = {"round_0": "complete", "round_1": "complete"}
    won = {
        "9001": {"a": 0, "b": 2, **rounds},
        "9002": {"a": 1, "b": 1, **rounds},
        "9003": {"b": 0, "a": 2, **rounds},
    }
    path = bench.write("G1_instruction_a_b.json", won)
    report = bench.run(path)
    told = (
        "G1_instruction_a_b.json: b against a: 1 won, 1 lost, 1 tied; win rate 33.3 %, by the"
        " judge of these files"
    )
    assert ((told,), ()) == (report.notes, report.submissions)
    warned = [str(warning) for warning in report.warnings]
    assert any("preferences on 3 queries that a does not answer here" in line for line in warned)

    for system in "ab":
        said = {str(number): answer(number) for number in (9001, 9002)}
        bench.write(f"{system}/G1_instruction.json", said)
    bench.run()
    told_of = {"by": "preference", "file": path.name}
    kept = {
        query: [record["origin"]["votes"] for record in (bench.records(s)[query] for s in "ab")]
        for query in ("9001", "9002")
    }
    lost, won_by_b = "0 of 2 rounds, against b", "2 of 2 rounds, against a"
    assert kept["9001"] == [
        [{"status": "not preferred", "reason": lost, **told_of}],
        [{"status": "preferred", "reason": won_by_b, **told_of}],
    ]
    assert [["tied"], ["tied"]] == [[one["status"] for one in votes] for votes in kept["9002"]]


def test_an_odd_file_in_a_folder_stops_nothing(bench: Bench) -> None:
    """What is not read is a warning. A file that is named alone is an error."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    odd = [bench.write("x/notes.json", {"a": 1}), bench.write("x/G7.json", {"1": answer(1)})]
    odd.append(bench.source / "x/half.json")
    odd[-1].write_text("{", encoding="utf-8")
    report = bench.run()
    assert [("x", "written", 1)] == list(report.submissions)
    unread = [str(warning) for warning in report.warnings if "is not read" in str(warning)]
    assert ["x/G7.json", "x/half.json", "x/notes.json"] == [line.split(":")[0] for line in unread]
    for path in odd:
        assert bench.problems(source=path)[0].startswith(path.name)


@pytest.mark.parametrize("name", ["notes", "my_notesG1_instruction"])
def test_a_file_of_no_test_set_in_a_folder_may_have_other_rows(bench: Bench, name: str) -> None:
    """It is another program's file, even if a row of it is like an answer, or it is damaged."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    path = bench.write(f"x/{name}.json", {"a": answer(1), "b": "settings"})
    for problem in (f"it is of no test set of the suite: {name}", "it is not JSON"):
        report = bench.run()
        assert [1] == [answers for _, _, answers in report.submissions]
        warnings = [str(warning) for warning in report.warnings]
        assert any(f"x/{name}.json: is not read: {problem}" in line for line in warnings)
        path.write_text("{", encoding="utf-8")


DAMAGED = {
    "cut": ("x/G1_instruction.json", b'{"9001": {"query": "Wh', "is not JSON"),
    "no bytes": ("x/G1_instruction_x.json", b"", "is empty"),
    "encoding": ("x/G1_instruction_k10.json", '{"9001": 1}'.encode("utf-16"), "is not UTF-8"),
    "wrapper": ("x/agent_G1_instruction_k20_q3.json", b"{", "is not JSON"),
    "inference": ("x/G1_instruction/9001_CoT@1.json", b"[", "is not JSON"),
}


@pytest.mark.parametrize(("name", "data", "problem"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_of_a_test_set_stops_the_import(
    bench: Bench, name: str, data: bytes, problem: str
) -> None:
    """Its queries would count as failed. The names of files and folders tell which they are."""
    bench.write("y/G1_instruction.json", {"9001": answer(9001)})
    bench.write(name, {}).write_bytes(data)
    (found,) = bench.problems()
    assert found.startswith(name)
    assert problem in found


@pytest.mark.parametrize("bad", [None, {"query": "Which trams leave stop 2?"}, 7])
def test_a_query_without_an_answer_in_a_file_of_answers_is_named(bench: Bench, bad: Any) -> None:
    """All other answers of the file would be lost with it."""
    bench.write("y/G1_instruction.json", {"9001": answer(9001)})
    bench.write("x/G1_instruction.json", {"9001": answer(9001), "9002": bad})
    (found,) = bench.problems()
    assert found.startswith("x/G1_instruction.json")
    assert '$["9002"]: has no answers, unlike the other queries' in found


WRONG = {
    "no json": ("G1_instruction.json", "{", "is not JSON"),
    "other data": (
        "G1_instruction.json",
        {"a": 1},
        "contains neither answers, votes, preferences nor results",
    ),
    "mixed": (
        "G1_instruction.json",
        {"1": answer(1), "2": votes(2)},
        "contains neither answers, votes",
    ),
    "empty": ("G1_instruction.json", {}, "contains neither answers, votes"),
    "test set": ("G7.json", {"9001": answer(9001)}, "is of no test set of the suite: G7"),
    "row": ("r.json", results({"query": 1}), "is not a row with a query_id"),
    "metadata": ("r.json", {**results(row(9001)), "metadata": {}}, "lacks agent_name or test_set"),
}


@pytest.mark.parametrize(("name", "content", "problem"), WRONG.values(), ids=WRONG.keys())
def test_problems_are_reported_and_nothing_is_written(
    bench: Bench, name: str, content: Any, problem: str
) -> None:
    """Each problem starts with its file."""
    path = bench.write(name, content)
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    found = bench.problems(source=path)
    assert any(problem in line and line.startswith(name) for line in found), found
