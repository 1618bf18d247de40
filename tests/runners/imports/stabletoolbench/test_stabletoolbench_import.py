"""The import of StableToolBench as submissions and a suite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from tests.conftest import Folder
from tests.runners.imports.stabletoolbench.bench import (
    QUERIES,
    Bench,
    answer,
    results,
    row,
    votes,
)


def test_answers_and_votes_become_a_submission(bench: Bench) -> None:
    """A system gets one submission, with its answers and the votes on them."""
    bench.write(
        "model_predictions_converted/virtual_x/G1_instruction.json",
        {"9001": answer(9001), "9002": answer(9002)},
    )
    bench.write(
        "pass_rate_results/virtual_x/G1_instruction_virtual_x.json",
        {"9001": votes(9001, "Solved", "Unsure")},
    )
    report = bench.run()
    assert [("virtual_x", "written", 2)] == list(report.submissions)
    record = bench.records("virtual_x")["9001"]
    told = {"file": "pass_rate_results/virtual_x/G1_instruction_virtual_x.json"}
    assert answer(9001)["answer"] == record["answer"]
    assert [
        {"status": "solved", "by": "judge", "round": 0, **told},
        {"status": "unsure", "by": "judge", "round": 1, **told},
    ] == record["origin"]["votes"]
    assert {"imported_from": "stabletoolbench"} == bench.card("virtual_x")["settings"]
    assert "available_tools" not in record


@pytest.mark.large
def test_imported_votes_decide_nothing(bench: Bench) -> None:
    """The same answers with other votes get the same verdicts, from this board's own judge."""
    for name, word in (("a", "Solved"), ("b", "Unsolved")):
        bench.write(f"{name}/G1_instruction_{name}.json", {"9001": votes(9001, word)})
    bench.run()
    found = bench.verdicts().drop("submission", "judge_call")
    one, other = (found.filter(bench.verdicts()["submission"] == name) for name in ("a", "b"))
    assert one.equals(other)
    assert ["judge_missing"] == one.filter(metric="sopr", case_id="9001")["reason"].to_list()


def test_the_pass_rate_is_recomputed_and_shown_with_its_origin(bench: Bench) -> None:
    """The output and the README show it, over all queries of the set, as another judge's."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    bench.write("y/G1_instruction_x.json", {"9001": votes(9001, "Solved", "Unsolved")})
    told = (
        "y/G1_instruction_x.json: SoPR 16.7 ± 16.7 from 2 rounds over 3 queries (2 unanswered),"
        " by the judge of these files"
    )
    assert told in bench.run().notes
    assert f"- {told}\n" in bench.readme("x")
    assert "not part of the scores here" in bench.readme("x")


def test_the_votes_are_compared_with_the_answers_of_all_files(bench: Bench) -> None:
    """A query without a vote is named, and one without an answer is no part of a win rate."""
    both = {str(number): answer(number) for number in (9001, 9002)}
    bench.write("a/G1_instruction.json", both)
    bench.write("b/G1_instruction.json", {"9001": answer(9001)})
    bench.write("votes/G1_instruction_a.json", {"9001": votes(9001, "Solved")})
    won = {"a": 1, "b": 0, "round_0": "complete"}
    bench.write("votes/G1_instruction_a_b.json", {"9001": won, "9002": won})
    passed, won_by = bench.run().notes
    assert passed == (
        "votes/G1_instruction_a.json: SoPR 50.0 ± 0.0 from 1 round over 3 queries "
        "(1 unanswered, 1 without a vote, left out: 9002), by the judge of these files"
    )
    assert won_by == (
        "votes/G1_instruction_a_b.json: b against a: 0 won, 1 lost, 0 tied; win rate 0.0 % "
        "(1 query left out without an answer), by the judge of these files"
    )


def test_the_query_files_become_a_suite(bench: Bench) -> None:
    """It has a category per test set, in the published order, and two judge prompts.

    An id file limits the queries.
    """
    bench.write("../queries/G3_instruction.json", [{**QUERIES[0], "query_id": 1}])
    bench.write("../queries/G1_tool.json", [{**QUERIES[0], "query_id": 2}])
    bench.write("../ids/G1_instruction.json", {"9001": 0, "9003": 0})
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    report = bench.run(ids=bench.source.parent / "ids")
    assert ("written", 4) == (report.suite, sum(report.cases.values()))
    suites = bench.folder.lb("suites")
    assert "stb" in suites.output
    toml = (bench.folder.root / "datasets/stb/suite.toml").read_text(encoding="utf-8")
    places = [
        toml.index(f'id = "{name}"') for name in ("G1_instruction", "G1_tool", "G3_instruction")
    ]
    assert places == sorted(places)
    assert 3 == toml.count('prompt = "answer_status"\nfollow_up = "execution_status"')


def test_importing_again_changes_nothing(bench: Bench) -> None:
    """No byte changes. An import into an existing suite needs no query files."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    bench.run()
    before = bench.folder.tree(".")
    assert ("unchanged", [("x", "unchanged", 1)]) == (
        bench.run().suite,
        list(bench.run().submissions),
    )
    assert None is bench.run(queries=None).suite
    assert before == bench.folder.tree(".")


def test_a_later_import_never_loses_answers(bench: Bench) -> None:
    """Files of one system are imported together. More answers and votes may be added later."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001), "9002": answer(9002)})
    bench.run()
    bench.write("x/G1_instruction.json", {"9001": answer(9001), "9003": answer(9003)})
    (found,) = bench.problems()
    assert (
        "submissions/x/stb.json: has 2 answers, 1 of them from files that are not in this" in found
    )
    bench.write("y/G1_instruction_x.json", {"9002": votes(9002, "Solved")})
    assert [("x", "written", 3)] == list(bench.run().submissions)


def test_queries_without_an_answer_may_be_imported_again(bench: Bench) -> None:
    """Records that stand for missing answers are none. An answer may take their place."""
    bench.write("../queries/G1_tool.json", [{**QUERIES[0], "query_id": 2}])
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    assert [("x", "written", 3)] == list(bench.run().submissions)
    assert [("x", "unchanged", 3)] == list(bench.run().submissions)
    bench.write("x/G1_instruction.json", {"9001": answer(9001), "9002": answer(9002)})
    assert [("x", "written", 3)] == list(bench.run().submissions)
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    assert "has 2 answers, 1 of them from" in bench.problems()[0]


def test_answers_to_other_queries_are_left_out_with_a_warning(bench: Bench) -> None:
    """Unknown queries, unknown test sets and missing answers give warnings."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001), "77": answer(77)})
    bench.write(
        "r.json", {**results(row(9001)), "metadata": {"agent_name": "w", "test_set": "G2_category"}}
    )
    warnings = [str(warning) for warning in bench.run().warnings]
    assert any(
        "answers 1 query that the suite does not have, such as 77; these answers are left out"
        in line
        for line in warnings
    )
    assert any("does not answer 2 of 3 queries of G1_instruction" in line for line in warnings)
    assert any(
        "the test set 'G2_category', which the suite does not have" in line for line in warnings
    )
    assert ["9001"] == list(bench.records("x"))


def test_all_files_of_a_system_together_answer_a_test_set(bench: Bench) -> None:
    """A query is missing only if none of them answers it. One warning names it."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    votes_of_x = {"9002": votes(9002, "Solved")}
    bench.write("y/G1_instruction_x.json", votes_of_x)
    left = "does not answer 1 of 3 queries of G1_instruction"
    assert [left in str(warning) for warning in bench.run().warnings] == [True]
    bench.write("y/G1_instruction_x.json", {**votes_of_x, "9003": votes(9003, "Solved")})
    assert bench.run().warnings == ()


def test_two_runs_of_a_system_are_told_apart(bench: Bench) -> None:
    """The first answer counts, without the vote on the second. A warning names both files."""
    bench.write("r_q1.json", results(row(9001)))
    bench.write("s.json", results(row(9001, "Unsolved", system_answer_time=9), row(9002)))
    again = "s.json: answers 1 query otherwise than r_q1.json, which counts"
    assert [again in str(warning) for warning in bench.run().warnings] == [True, False]
    statuses = [vote["status"] for vote in bench.records("lang-graph")["9001"]["origin"]["votes"]]
    assert statuses == ["solved"]


@pytest.mark.parametrize("kind", ["ids", "questions"])
def test_answers_to_another_suite_are_refused(bench: Bench, kind: str) -> None:
    """Neither other ids nor equal ids of other questions become a submission."""
    bench.run(source=None)
    if kind == "ids":
        bench.write("x/G1_instruction.json", {"77": answer(77), "78": answer(78)})
    else:
        bench.write("x/G1_instruction.json", {"9001": {**answer(9001), "query": "Who won?"}})
    found = bench.problems(queries=None)
    assert any(
        "answers no query of the suite 'stb' (name their suite with --suite" in line
        for line in found
    ), found
    bench.write("y/G1_instruction.json", {"9001": answer(9001)})
    assert any("x/G1_instruction.json" in line for line in bench.problems(queries=None))


@pytest.mark.large
def test_answers_without_replies_are_refused_where_facts_decide(bench: Bench) -> None:
    """Their facts would find no support, and each answer would get a confident 0."""
    stop = {"facts": [{"id": "line", "label": "line 3", "accepts": [{"number": 3}]}]}
    with_facts = [{**QUERIES[0], "ground_truth": stop}, *QUERIES[1:]]
    bench.write("../queries/G1_instruction.json", with_facts)
    bench.write("r.json", results(row(9001), row(9002)))
    (told,) = bench.problems()
    assert told.startswith("r.json: names the called APIs of 1 of 2 answers, but no reply")
    assert "the facts of suite 'stb' would fail these answers" in told
    assert "inference files" in told

    silent = row(9001, called_apis=[])
    bench.write("r.json", results(silent, row(9002)))
    assert bench.run().submissions


def test_ids_that_cannot_be_used_are_refused(bench: Bench) -> None:
    """Two systems with one id, an invalid id, a missing date and foreign folders are problems."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    assert any("has no date" in line for line in bench.problems(date=None))
    assert any("is not a date" in line for line in bench.problems(date="today"))
    assert any("is not a valid id" in line for line in bench.problems(submission_id="A B"))
    bench.folder.submission("x", [], suite="stb")
    assert any("does not have settings.imported_from" in line for line in bench.problems())
    bench.write("X/G1_instruction.json", {"9001": answer(9001)})
    assert any("would both be the submission 'x'" in line for line in bench.problems())
    assert any(
        "contains the answers of 2 systems: X, x" in line
        for line in bench.problems(submission_id="y")
    )
    bench.folder.write(
        "datasets/stb/suite.toml", 'schema = 1\ntitle = "Other"\nkind = "tool_selection"\n'
    )
    assert any(
        "was not written by an import of stabletoolbench" in line for line in bench.problems()
    )


def test_a_suite_of_another_kind_is_refused(bench: Bench) -> None:
    """Its rule would read the answers as something else."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    with pytest.raises(FilesError, match="is of kind tool_selection"):
        bench.run(suite_id="small", queries=None)


def test_the_command(bench: Bench) -> None:
    """`lb import stabletoolbench` reports what it wrote. Options set fields of the card."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    options = [
        "--suite",
        "stb",
        "--queries",
        str(bench.queries),
        "--date",
        "2024-06-01",
        "--model",
        "m-7b",
        "--framework",
        "f",
    ]
    result = bench.folder.lb("import", "stabletoolbench", str(bench.source), *options)
    assert result.exit_code == 0, result.output
    assert "submissions/x/: written (answers: 1)" in result.output
    assert ("m-7b", "f") == (bench.card("x")["model"], bench.card("x")["framework"])
    assert 0 == bench.folder.lb("validate").exit_code


@pytest.mark.large
def test_the_real_files_give_the_published_numbers(
    folder: Folder, real_files: Callable[[str], Path]
) -> None:
    """The votes give SoPR 66.7 ± 0.0 and 100.0 ± 0.0. All six answers call all gold APIs."""
    source = real_files("stabletoolbench")
    bench = Bench(folder)
    queries, ids = (
        source / "solvable_queries_example" / name
        for name in ("test_instruction", "test_query_ids")
    )
    report = bench.run(source / "data_example", queries=queries, ids=ids)
    assert [("virtual_chatgpt_cot", "written", 3), ("virtual_chatgpt_dfs", "written", 3)] == list(
        report.submissions
    )
    assert [
        "SoPR 66.7 ± 0.0 from 3 rounds over 3 queries",
        "SoPR 100.0 ± 0.0 from 3 rounds over 3 queries",
    ] == [line.split(": ")[1].split(", by")[0] for line in report.notes]
    verdicts = bench.verdicts()
    assert [1.0] * 6 == verdicts.filter(metric="api_call")["score"].to_list()
    assert 5 == verdicts.filter(metric="finish")["score"].sum()
    assert ["empty_response"] == verdicts.filter(metric="sopr", decided_by="rule")[
        "reason"
    ].to_list()
