"""`lb import stabletoolbench`: converted answers, pass rates, preferences and the wrapper's results."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from runners.imports.stabletoolbench.recomputed_sums import pass_rate, win_rates
from runners.imports.stabletoolbench.result_files import PreferenceFile, Vote
from runners.imports.stabletoolbench.stabletoolbench_import import (
    import_stabletoolbench,
)
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.runners.imports.stabletoolbench_files import (
    FINISH,
    QUERIES,
    TOOL,
    Bench,
    answer,
    results,
    row,
    votes,
)


@pytest.fixture
def bench(folder: Folder) -> Bench:
    return Bench(folder)


def test_answers_and_votes_become_a_submission(bench: Bench) -> None:
    """One submission for a system, its answers whole, the votes beside them as what they are."""
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


def test_imported_votes_decide_nothing(bench: Bench) -> None:
    """Whatever they say, the board's own judge is waited for; the same answer with other votes gets the same verdicts."""
    for name, word in (("a", "Solved"), ("b", "Unsolved")):
        bench.write(f"{name}/G1_instruction_{name}.json", {"9001": votes(9001, word)})
    bench.run()
    found = bench.verdicts().drop("submission", "judge_call")
    one, other = (found.filter(bench.verdicts()["submission"] == name) for name in ("a", "b"))
    assert one.equals(other)
    assert ["judge_missing"] == one.filter(metric="sopr", case_id="9001")["reason"].to_list()


def test_votes_alone_carry_the_answer(bench: Bench) -> None:
    """A pass-rate file holds the steps as text: enough to see the calls, the end and the answer."""
    bench.write("pass/G1_instruction_x.json", {"9001": votes(9001, "Solved")})
    bench.run()
    scores = {
        r["metric"]: r["score"]
        for r in bench.verdicts().filter(case_id="9001").iter_rows(named=True)
    }
    assert (1.0, 1.0, 1.0, 1.0) == tuple(
        scores[m] for m in ("api_call", "finish", "api_call_precision", "api_call_success")
    )


def test_the_pass_rate_is_recomputed_and_shown_with_its_origin(bench: Bench) -> None:
    """In the output and in the submission's README, over all queries of the set, as what another judge said."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    bench.write("y/G1_instruction_x.json", {"9001": votes(9001, "Solved", "Unsolved")})
    told = "y/G1_instruction_x.json: SoPR 16.7 ± 16.7 from 2 rounds over 3 queries (2 unanswered), by the judge of these files"
    assert told in bench.run().found
    assert f"- {told}\n" in bench.readme("x")
    assert "no part of the scores here" in bench.readme("x")


HEAD = [
    "query",
    "available_tools",
    "model_intermediate_steps",
    "model_final_step",
    "model",
    "query_id",
    "is_solved",
]


def table(bench: Bench, name: str, *rows: list[Any], head: list[str] = HEAD) -> Path:
    """A table as csv writes it, tab-separated."""
    path = bench.source / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([head, *rows])
    return path


def table_row(number: int, *words: str) -> list[Any]:
    given = votes(number, *words)
    solved = {int(key): word for key, word in given["is_solved"].items()}
    return [
        given["query"],
        str(given["tool_names"]),
        given["answer_steps"],
        given["final_step"],
        "x",
        str(number),
        solved,
    ]


def test_a_table_of_pass_rates_is_read(bench: Bench) -> None:
    """The same submission and the same rate as from the JSON of the same rows; only the file's name differs."""
    cast = {9001: ("Solved", "Unsure"), 9002: ("Unsolved", "Solved")}
    table(
        bench,
        "x/G1_instruction_x.tsv",
        *(table_row(number, *words) for number, words in cast.items()),
    )
    told = bench.run().found
    records = bench.records("x")
    bench.write(
        "x/G1_instruction_x.json",
        {str(number): votes(number, *words) for number, words in cast.items()},
    )
    (bench.source / "x/G1_instruction_x.tsv").unlink()
    assert [line.replace(".json", ".tsv") for line in bench.run().found] == list(told)
    again = json.loads(json.dumps(bench.records("x")).replace(".json", ".tsv"))
    assert again == records
    assert ["solved", "unsure"] == [vote["status"] for vote in records["9001"]["origin"]["votes"]]


@pytest.mark.parametrize(
    ("word", "told"), [("Solved", "the votes of"), ("Unsolved", "other votes than those of")]
)
def test_a_table_beside_the_json_counts_once(bench: Bench, word: str, told: str) -> None:
    """StableToolBench writes both: the JSON counts, and the table is named, with whether it says the same."""
    bench.write("x/G1_instruction_x.json", {"9001": votes(9001, "Solved")})
    table(bench, "x/G1_instruction_x.tsv", table_row(9001, word))
    warnings = [str(warning) for warning in bench.run().warnings]
    assert 1 == len(bench.records("x")["9001"]["origin"]["votes"])
    assert (
        f"x/G1_instruction_x.tsv: is not read: it holds {told} x/G1_instruction_x.json, which count"
        in warnings
    )


def test_every_file_that_is_not_read_is_named(bench: Bench) -> None:
    """With why: another format, another table."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    table(bench, "preferences.tsv", ["9001", "1"], head=["query_id", "label"])
    (bench.source / "notes.txt").write_text("notes")
    (bench.source / "x" / "plot").write_bytes(b"\x89PNG")
    warnings = [str(warning) for warning in bench.run().warnings if "not read" in str(warning)]
    needs = "a table of pass rates names query, model_intermediate_steps, query_id, is_solved in its first line"
    assert [
        "notes.txt: is not read: only .json and .tsv are files of StableToolBench",
        f"preferences.tsv: is not read: {needs}",
        "x/plot: is not read: only .json and .tsv are files of StableToolBench",
    ] == warnings


def test_a_folder_in_which_nothing_is_read_is_an_error(bench: Bench) -> None:
    """It may be the wrong one: nothing is written."""
    bench.source.mkdir(exist_ok=True)
    (bench.source / "votes.xlsx").write_bytes(b"PK")
    (told,) = bench.problems()
    assert "holds no file of StableToolBench; votes.xlsx is not read" in told


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (
            ["q", "", "", "", "x", "9001", "Solved"],
            "G1_instruction_x.tsv:2: has a row whose is_solved is no object of votes",
        ),
        (["q", "", "", "", "x", "9001", "__import__('os')"], "is_solved is no object of votes"),
        (["q", "", "", "", "x", "9001", "[1]"], "is_solved is no object of votes"),
        (["q", "tools"], "has a row without model_intermediate_steps, query_id, is_solved"),
    ],
)
def test_a_row_that_cannot_be_read_is_told(bench: Bench, row: list[str], problem: str) -> None:
    """With its line; nothing is written."""
    table(bench, "x/G1_instruction_x.tsv", row)
    assert any(problem in line for line in bench.problems())


def test_tables_that_are_odd(bench: Bench) -> None:
    """A query twice, a test set that is none, bytes that are no text: each told. Cells of any length are read."""
    path = table(
        bench, "x/G1_instruction_x.tsv", table_row(9001, "Solved"), table_row(9001, "Unsure")
    )
    assert any("tells of query 9001 again" in line for line in bench.problems())
    path.unlink()
    path = table(bench, "x/G7_x.tsv", table_row(9001, "Solved"))
    assert any("is of no test set of the suite: G7_x" in line for line in bench.problems())
    path.write_bytes(b"query\t\xff")
    assert any("is no table" in line for line in bench.problems())
    path.unlink()
    table(
        bench,
        "x/G1_instruction_x.tsv",
        [*table_row(9001)[:2], "Step 1: " + "x" * 200_000, "", "x", "9001", {0: "Solved"}],
    )
    assert [("x", "written", 1)] == list(bench.run().submissions)


def test_the_query_files_become_a_suite(bench: Bench) -> None:
    """A category for each test set, in the published order, judged in two stages; an id file keeps what it lists."""
    bench.write("../queries/G3_instruction.json", [{**QUERIES[0], "query_id": 1}])
    bench.write("../queries/G1_tool.json", [{**QUERIES[0], "query_id": 2}])
    bench.write("../ids/G1_instruction.json", {"9001": 0, "9003": 0})
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    report = bench.run(ids=bench.source.parent / "ids")
    assert ("written", 4) == (report.suite, report.cases)
    suites = bench.folder.lb("suites")
    assert "stb" in suites.output
    toml = (bench.folder.root / "datasets/stb/suite.toml").read_text(encoding="utf-8")
    places = [
        toml.index(f'id = "{name}"') for name in ("G1_instruction", "G1_tool", "G3_instruction")
    ]
    assert places == sorted(places)
    assert 3 == toml.count('prompt = "answer_status"\nfollow_up = "execution_status"')


def test_importing_again_changes_nothing(bench: Bench) -> None:
    """Not a byte; and an import into the suite that is there needs no query files."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    bench.run()
    before = bench.folder.tree(".")
    assert ("unchanged", [("x", "unchanged", 1)]) == (
        bench.run().suite,
        list(bench.run().submissions),
    )
    assert None is bench.run(queries=None).suite
    assert before == bench.folder.tree(".")


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
    """Short and long names; the number of tools makes another submission; agent, date and judge come from the file."""
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


def test_what_the_wrapper_does_not_keep_is_not_scored(bench: Bench) -> None:
    """Its files lack the execution: the end and the outcomes are unknown, the APIs called are known."""
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


def test_a_row_with_an_error_is_an_error(bench: Bench) -> None:
    """The system failed: a fail of every metric with its words, and no answer."""
    bench.run(bench.write("r.json", results(row(9001, "Error", error="boom"))))
    assert "boom" == bench.records("lang-graph")["9001"]["error"]
    assert ["response_error"] == bench.verdicts().filter(case_id="9001")[
        "reason"
    ].unique().to_list()


def test_stored_summaries_are_not_trusted(bench: Bench) -> None:
    """Every figure that the rows do not give is reported; figures that agree are not."""
    summary = {
        "total_queries": 2,
        "solved_count": 2,
        "average_sopr_score": 0.5,
        "average_system_answer_time": 1.25,
        "average_api_call_score": 1,
    }
    path = bench.write("r.json", results(row(9001), row(9002, "Unsolved", timing={}), **summary))
    found = [line for line in bench.run(path).found if "summary" in line]
    assert [
        "r.json: its summary says solved_count 2, its rows give 1",
        "r.json: its summary says average_system_answer_time 1.25, its rows give 2.5",
    ] == found


def test_rows_of_the_heuristic_are_counted_apart(bench: Bench) -> None:
    """They have no say in the judge's rate; a judge that failed has none either; a system that failed has solved nothing."""
    heuristic = {"has_finish": False, "evaluation_method": "heuristic", "reason": "long"}
    rows = [row(9001, "Unsure"), row(9002, evaluation=heuristic), row(9003, "Error", error="boom")]
    (told,) = bench.run(bench.write("r.json", results(*rows))).found
    assert (
        "r.json: SoPR 25.0 ± 0.0 from 1 round over 2 queries, by judge-m; 1 decided by its heuristic and left out"
        == told
    )


def test_answers_that_do_not_belong_are_left_out_with_a_warning(bench: Bench) -> None:
    """Queries and test sets that the suite does not have, and queries without an answer."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001), "77": answer(77)})
    bench.write(
        "r.json", {**results(row(9001)), "metadata": {"agent_name": "w", "test_set": "G2_category"}}
    )
    warnings = [str(warning) for warning in bench.run().warnings]
    assert any(
        "answers 1 queries that the suite does not have, such as 77: left out" in line
        for line in warnings
    )
    assert any("leaves 2 of 3 queries of G1_instruction unanswered" in line for line in warnings)
    assert any(
        "the test set 'G2_category', which the suite does not have" in line for line in warnings
    )
    assert ["9001"] == list(bench.records("x"))


def test_raw_inference_files_become_answers(bench: Bench) -> None:
    """A folder for each test set, a file for each query; together one submission."""
    for number in (9001, 9002):
        messages = [
            {"role": "assistant", "function_call": {"name": TOOL["name"], "arguments": "{}"}}
        ]
        messages += [{"role": "function", "content": TOOL["response"]}]
        made = {
            "valid_data": True,
            "final_answer": FINISH["arguments"],
            "train_messages": [messages],
            "query": "?",
        }
        bench.write(
            f"answer/virtual_x/G1_instruction/{number}_CoT@1.json", {"answer_generation": made}
        )
    assert [("virtual_x", "written", 2)] == list(bench.run().submissions)
    assert [1.0, 1.0] == bench.verdicts().filter(metric="api_call")["score"].to_list()[:2]
    bench.write("answer/virtual_x/G9/1_CoT@1.json", {"answer_generation": {}})
    assert any("lies in no folder of a test set: G9" in line for line in bench.problems())


def test_preferences_are_counted(bench: Bench) -> None:
    """More rounds won is a win, as many a tie; reported, and no submission's."""
    rounds = {"round_0": "complete", "round_1": "complete"}
    won = {
        "9001": {"a": 0, "b": 2, **rounds},
        "9002": {"a": 1, "b": 1, **rounds},
        "9003": {"b": 0, "a": 2, **rounds},
    }
    path = bench.write("G1_instruction_a_b.json", won)
    report = bench.run(path)
    told = "G1_instruction_a_b.json: b against a: 1 won, 1 lost, 1 tied; win rate 33.3 %, by the judge of these files"
    assert ((told,), ()) == (report.found, report.submissions)


WRONG = {
    "no json": ("x/G1_instruction.json", "{", "is not JSON"),
    "other data": (
        "x/G1_instruction.json",
        {"a": 1},
        "holds neither answers, votes, preferences nor results",
    ),
    "mixed": (
        "x/G1_instruction.json",
        {"1": answer(1), "2": votes(2)},
        "holds neither answers, votes",
    ),
    "empty": ("x/G1_instruction.json", {}, "holds neither answers, votes"),
    "test set": ("x/G7.json", {"9001": answer(9001)}, "is of no test set of the suite: G7"),
    "row": ("r.json", results({"query": 1}), "is no row with a query_id"),
    "metadata": ("r.json", {**results(row(9001)), "metadata": {}}, "lacks agent_name or test_set"),
}


@pytest.mark.parametrize(("name", "content", "problem"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_said_and_nothing_is_written(
    bench: Bench, name: str, content: Any, problem: str
) -> None:
    """With the file it is in."""
    path = bench.write(name, content)
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    found = bench.problems()
    assert any(problem in line and line.startswith(name) for line in found), found


def test_ids_that_cannot_be_used_are_refused(bench: Bench) -> None:
    """Two systems under one id, an id that is none, no date, and folders that something else made."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    assert any("has no date" in line for line in bench.problems(date=None))
    assert any("is not a date" in line for line in bench.problems(date="today"))
    assert any("is not a valid id" in line for line in bench.problems(submission_id="A B"))
    bench.folder.submission("x", [], suite="stb")
    assert any("does not say imported_from" in line for line in bench.problems())
    bench.write("X/G1_instruction.json", {"9001": answer(9001)})
    assert any("would both be the submission 'x'" in line for line in bench.problems())
    assert any(
        "hold the answers of 2 systems: X, x" in line for line in bench.problems(submission_id="y")
    )
    bench.folder.write(
        "datasets/stb/suite.toml", 'schema = 1\ntitle = "Other"\nkind = "tool_selection"\n'
    )
    assert any(
        "was not written by an import of stabletoolbench" in line for line in bench.problems()
    )


def test_a_suite_of_another_kind_is_refused(bench: Bench) -> None:
    """The answers would be read as something else."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    with pytest.raises(FilesError, match="is of kind tool_selection"):
        import_stabletoolbench(
            bench.folder.root, bench.source, "small", date="2024-06-01", kinds=KINDS
        )


def test_the_command(bench: Bench) -> None:
    """`lb import stabletoolbench` says what it wrote; fields of the card are given as options."""
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


@pytest.mark.parametrize(
    ("cast", "ids", "score", "deviation"),
    [
        ({"1": "ssu", "2": "nnn"}, "12", 41.666667, 11.785113),
        ({"1": "sss", "2": "sss", "3": "nnn"}, "123", 66.666667, 0.0),
        ({"1": "s"}, "12", 50.0, 0.0),
        ({"1": "s?", "2": "ss"}, "12", 100.0, 0.0),
        ({"1": "s", "2": "sn"}, "12", 50.0, 50.0),
        ({}, "12", None, None),
        ({"1": "??"}, "1", None, None),
        ({}, "", None, None),
    ],
)
def test_pass_rates(
    cast: dict[str, str], ids: str, score: float | None, deviation: float | None
) -> None:
    """The mean of the rounds and its population deviation; the unanswered are unsolved, lost votes are left out."""
    words: dict[str, Any] = {"s": "solved", "u": "unsure", "n": "unsolved", "?": None}
    given = {
        key: [Vote(words[letter], round=n) for n, letter in enumerate(letters)]
        for key, letters in cast.items()
    }
    found = pass_rate(given, list(ids))
    assert pytest.approx(score) == found.score
    assert pytest.approx(deviation) == found.deviation


def test_a_preference_may_name_its_systems_in_any_order() -> None:
    """The first query's order says who is the candidate."""
    (rate,) = win_rates(
        PreferenceFile(
            "f", "s", {"1": {"a": 0, "b": 1}, "2": {"b": 1, "a": 0}, "3": {"a": 1, "b": 0}}
        )
    )
    assert ("b", "a", 2, 1, 0) == (rate.candidate, rate.reference, rate.won, rate.lost, rate.tied)


def test_the_real_files_give_the_published_numbers(
    folder: Folder, real_files: Callable[[str], Path]
) -> None:
    """Three queries, two systems: SoPR 66.7 ± 0.0 and 100.0 ± 0.0 from the votes, all gold APIs called in all six answers."""
    source = real_files("stabletoolbench")
    bench = Bench(folder)
    queries, ids = (
        source / "solvable_queries_example" / name
        for name in ("test_instruction", "test_query_ids")
    )
    report = import_stabletoolbench(
        folder.root,
        source / "data_example",
        "stb",
        queries=queries,
        ids=ids,
        date="2024-06-01",
        kinds=KINDS,
    )
    assert [("virtual_chatgpt_cot", "written", 3), ("virtual_chatgpt_dfs", "written", 3)] == list(
        report.submissions
    )
    assert [
        "SoPR 66.7 ± 0.0 from 3 rounds over 3 queries",
        "SoPR 100.0 ± 0.0 from 3 rounds over 3 queries",
    ] == [line.split(": ")[1].split(", by")[0] for line in report.found]
    verdicts = bench.verdicts()
    assert [1.0] * 6 == verdicts.filter(metric="api_call")["score"].to_list()
    assert 5 == verdicts.filter(metric="finish")["score"].sum()
    assert ["empty_response"] == verdicts.filter(metric="sopr", decided_by="rule")[
        "reason"
    ].to_list()
