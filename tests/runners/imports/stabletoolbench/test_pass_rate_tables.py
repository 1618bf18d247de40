"""Tables of pass rates."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.runners.imports.stabletoolbench.bench import (
    Bench,
    answer,
    votes,
)

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
    """A tab-separated table, as csv writes it."""
    path = bench.source / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([head, *rows])
    return path


def test_upstreams_csv_has_tabs(bench: Bench) -> None:
    """Real tables are `.csv` files separated by tabs. One with commas is read too."""
    rows = [table_row(9001, "Solved"), table_row(9002, "Unsolved")]
    path = table(bench, "x/G1_instruction_x.csv", *rows)
    assert [("x", "written", 2)] == list(bench.run(path).submissions)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD, *rows])
    assert [("x", "unchanged", 2)] == list(bench.run(path).submissions)


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
    """It gives the same submission and rate as a JSON file with the same rows."""
    cast = {9001: ("Solved", "Unsure"), 9002: ("Unsolved", "Solved")}
    table(
        bench,
        "x/G1_instruction_x.tsv",
        *(table_row(number, *words) for number, words in cast.items()),
    )
    told = bench.run().notes
    records = bench.records("x")
    bench.write(
        "x/G1_instruction_x.json",
        {str(number): votes(number, *words) for number, words in cast.items()},
    )
    (bench.source / "x/G1_instruction_x.tsv").unlink()
    assert [line.replace(".json", ".tsv") for line in bench.run().notes] == list(told)
    again = json.loads(json.dumps(bench.records("x")).replace(".json", ".tsv"))
    assert again == records
    assert ["solved", "unsure"] == [vote["status"] for vote in records["9001"]["origin"]["votes"]]


@pytest.mark.parametrize(
    ("word", "told"), [("Solved", "the votes of"), ("Unsolved", "other votes than of")]
)
def test_a_table_beside_the_json_counts_once(bench: Bench, word: str, told: str) -> None:
    """The JSON file counts. A warning names the table and says whether it has the same votes."""
    bench.write("x/G1_instruction_x.json", {"9001": votes(9001, "Solved")})
    table(bench, "x/G1_instruction_x.tsv", table_row(9001, word))
    warnings = [str(warning) for warning in bench.run().warnings]
    assert 1 == len(bench.records("x")["9001"]["origin"]["votes"])
    assert (
        f"x/G1_instruction_x.tsv: is not read: it contains {told} x/G1_instruction_x.json,"
        " which count"
    ) in warnings


def test_every_skipped_file_is_named(bench: Bench) -> None:
    """The warning says why: another format, or another kind of table."""
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    table(bench, "preferences.tsv", ["9001", "1"], head=["query_id", "label"])
    (bench.source / "notes.txt").write_text("notes")
    (bench.source / "x" / "plot").write_bytes(b"\x89PNG")
    warnings = [str(warning) for warning in bench.run().warnings if "not read" in str(warning)]
    needs = (
        "a table of pass rates names query, model_intermediate_steps, query_id, is_solved in"
        " its first line"
    )
    assert [
        "notes.txt: is not read: only .json, .csv and .tsv are files of StableToolBench",
        f"preferences.tsv: is not read: {needs}",
        "x/plot: is not read: only .json, .csv and .tsv are files of StableToolBench",
    ] == warnings


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (
            ["q", "", "", "", "x", "9001", "Solved"],
            "G1_instruction_x.tsv:2: has a row whose is_solved is not an object of votes",
        ),
        (["q", "", "", "", "x", "9001", "__import__('os')"], "is_solved is not an object of votes"),
        (["q", "", "", "", "x", "9001", "[1]"], "is_solved is not an object of votes"),
        (["q", "tools"], "has a row without model_intermediate_steps, query_id, is_solved"),
    ],
)
def test_a_bad_row_is_reported(bench: Bench, row: list[str], problem: str) -> None:
    """It is reported with its line, and nothing is written."""
    table(bench, "x/G1_instruction_x.tsv", row)
    assert any(problem in line for line in bench.problems())


def test_bad_tables_are_reported(bench: Bench) -> None:
    """A repeated query, an unknown test set and undecodable bytes are problems.

    Long cells are not.
    """
    path = table(
        bench, "x/G1_instruction_x.tsv", table_row(9001, "Solved"), table_row(9001, "Unsure")
    )
    assert any("repeats query 9001" in line for line in bench.problems())
    path.unlink()
    path = table(bench, "x/G7_x.tsv", table_row(9001, "Solved"))
    assert any("is of no test set of the suite: G7_x" in line for line in bench.problems())
    path.write_bytes(b"query\t\xff")
    assert any("is not a table" in line for line in bench.problems())
    path.unlink()
    table(
        bench,
        "x/G1_instruction_x.tsv",
        [*table_row(9001)[:2], "Step 1: " + "x" * 200_000, "", "x", "9001", {0: "Solved"}],
    )
    assert [("x", "written", 1)] == list(bench.run().submissions)
