"""Query files of StableToolBench, and files of the ids to keep."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import app
from leaderboard.errors import FilesError
from leaderboard.types import Case, Category, Suite
from runners.imports.stabletoolbench.query_files import load_ids, load_test_sets
from runners.models.model_settings import ModelSettings
from runners.run_plan import RunPlan
from scoring.rules import KINDS


def query(number: int | str, **more: Any) -> dict[str, Any]:
    return {
        "query_id": number,
        "query": f"question {number}",
        "relevant APIs": [["T", "x"]],
        **more,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three queries and an id file in the upstream layout."""
    for name in ("test_instruction", "test_query_ids"):
        (tmp_path / name).mkdir()
    (tmp_path / "test_instruction" / "G1_tool.json").write_text(
        json.dumps([query(3), query("1"), query(2)])
    )
    (tmp_path / "test_query_ids" / "G1_tool.json").write_text('{"2": 0, "3": 0}')
    return tmp_path


def suite_of(cases: tuple[Case, ...]) -> Suite:
    category = Category("G1_tool", "", "", 1.0, None, cases)
    return Suite(
        "s",
        "",
        "",
        KINDS["stable_toolbench"],
        (category,),
        {},
        "",
        {case.id: case for case in cases},
    )


def ids(cases: Any) -> list[str]:
    return [case.id for case in cases]


def test_queries_keep_the_order_of_the_file(folder: Path) -> None:
    """Ids become text, and the category is the test set. A folder above the files works too."""
    cases = load_test_sets(folder / "test_instruction")["G1_tool"]
    assert (["3", "1", "2"], {"G1_tool"}) == (ids(cases), {case.category for case in cases})
    assert ids(cases) == ids(load_test_sets(folder)["G1_tool"])


def test_a_11_ids_are_compared_as_text(folder: Path) -> None:
    """A-11: keys of an object, texts and numbers select the same queries."""
    for content in ('{"2": 0, "3": 0}', '["2", "3"]', "[2, 3]"):
        (folder / "test_query_ids" / "G1_tool.json").write_text(content)
        assert ["3", "2"] == ids(load_test_sets(folder, folder / "test_query_ids")["G1_tool"])


@pytest.mark.parametrize("content", ["{}", "[]", "[99]"])
def test_a_11_a_filter_that_selects_nothing_gives_nothing(folder: Path, content: str) -> None:
    """A-11: an empty filter is a filter."""
    (folder / "test_query_ids" / "G1_tool.json").write_text(content)
    assert () == load_test_sets(folder, folder / "test_query_ids")["G1_tool"]


def test_a_12_zero_queries_are_none(folder: Path) -> None:
    """A-12: a limit of 0 gives no query. The filter applies before the limit."""
    suite = suite_of(load_test_sets(folder)["G1_tool"])
    kept = suite_of(load_test_sets(folder, folder / "test_query_ids")["G1_tool"])
    model = ModelSettings("openai", "m")
    assert [] == RunPlan(model, trials=2, limit=0).attempts(suite)
    first_twice = RunPlan(model, trials=2, limit=1).attempts(kept)
    assert [("3", 1), ("3", 2)] == [(case.id, trial) for case, trial in first_twice]
    assert 3 == len(RunPlan(model, limit=99).attempts(suite)) == len(RunPlan(model).attempts(suite))


def test_a_negative_number_of_queries_is_refused() -> None:
    """It can only be a mistake."""
    done = CliRunner().invoke(app, ["run", "--model", "baseline:silent", "--limit", "-1"])
    assert (2, True) == (done.exit_code, "-1 is not in the range x>=1" in done.output)


def test_a_59_files_of_ids_are_not_queries(folder: Path) -> None:
    """A-59: only queries are counted."""
    assert {"G1_tool": 3} == {name: len(cases) for name, cases in load_test_sets(folder).items()}


def test_an_id_file_of_another_form_is_refused(tmp_path: Path) -> None:
    """A file of queries, or a number, is not a list of ids."""
    for content in ('[{"query_id": 1}]', "7", '{"1": {"query": "?"}}'):
        path = tmp_path / "ids.json"
        path.write_text(content)
        with pytest.raises(FilesError, match="neither an object"):
            load_ids(path)


def test_a_10_a_14_a_query_without_gold_apis_stays(tmp_path: Path) -> None:
    """A-10, A-14: it has no gold APIs. Its candidates do not become gold APIs."""
    api = {"category_name": "D", "tool_name": "T", "api_name": "x"}
    (tmp_path / "G1_tool.json").write_text(
        json.dumps([{"query_id": 1, "query": "?", "api_list": [api]}])
    )
    (case,) = load_test_sets(tmp_path)["G1_tool"]
    assert () == case.ground_truth.apis
    assert ["T_x"] == [tool.name for tool in case.tools]


@pytest.mark.parametrize(
    "pairs", [[["T"]], [["T", "x", "y"]], [{"tool": "T", "api": "x"}], ["Tx"], "T"]
)
def test_a_10_gold_apis_of_another_form_are_refused(tmp_path: Path, pairs: Any) -> None:
    """A-10: anything but a list of pairs is reported with its place."""
    (tmp_path / "G1_tool.json").write_text(json.dumps([query(1, **{"relevant APIs": pairs})]))
    with pytest.raises(FilesError) as raised:
        load_test_sets(tmp_path)
    assert raised.value.problems[0].at.startswith('$[0]["relevant APIs"]')


def test_repeated_ids_are_refused(tmp_path: Path) -> None:
    """7 and "7" are the same id."""
    (tmp_path / "G1_tool.json").write_text(json.dumps([query(7), query("7")]))
    with pytest.raises(FilesError, match="repeats the query id 7"):
        load_test_sets(tmp_path)


def test_real_queries_load_unchanged(real_files: Callable[[str], Path]) -> None:
    """Upstream's example has three queries. Their gold APIs are among the 23 candidates."""
    folder = real_files("stabletoolbench") / "solvable_queries_example"
    cases = load_test_sets(folder, folder / "test_query_ids")["G1_instruction"]
    assert ["588", "608", "1073"] == ids(cases)
    assert [10, 10, 3] == [len(case.tools) for case in cases]
    for case in cases:
        candidates = {(api["tool_name"], api["api_name"]) for api in case.record["api_list"]}
        assert case.ground_truth.apis is not None
        assert 2 == len(case.ground_truth.apis)
        assert set(case.ground_truth.apis) <= candidates
    assert {"G1_instruction": 3} == {
        name: len(found) for name, found in load_test_sets(folder).items()
    }
