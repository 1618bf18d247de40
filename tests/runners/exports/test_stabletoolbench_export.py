"""Submissions as result files of StableToolBench's wrapper, which can be imported again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Folder
from tests.runners.imports.stabletoolbench.bench import Bench, results, row


@pytest.fixture
def bench(folder: Folder) -> Bench:
    return Bench(folder)


def exported(bench: Bench, *more: str) -> dict[str, Any]:
    out = bench.folder.root.parent / "exported"
    result = bench.folder.lb(
        "export", "stabletoolbench", "lang-graph_k20", "--suite", "stb", "--out", str(out), *more
    )
    assert 0 == result.exit_code, result.output
    return {path.name: json.loads(path.read_bytes()) for path in sorted(out.iterdir())}


def bring(bench: Bench, *rows: dict[str, Any], name: str = "agent_G1_instruction_k20.json") -> None:
    document = results(*rows)
    document["metadata"]["overall_time"] = 12.5
    bench.write(name, document)
    bench.run(bench.source / name, date="2025-11-03")
    bench.verdicts()


@pytest.mark.large
def test_a_result_file_is_written_and_reads_as_before(bench: Bench, tmp_path: Path) -> None:
    """The old readers find every field, and an import of it gives the same answers."""
    given = [row(9001, selected_tools_count=20), row(9002, error="crash"), row(9003)]
    bring(bench, *given)
    records = bench.records("lang-graph_k20")
    assert {"G1_instruction": 12.5} == bench.card("lang-graph_k20")["settings"]["overall_time_s"]
    (document,) = (files := exported(bench)).values()
    assert ["lang-graph_k20_G1_instruction_k20.json"] == list(files)
    first, crashed, _ = document["results"]
    assert (9001, 20, 2.5) == tuple(
        first[name] for name in ("query_id", "selected_tools_count", "system_answer_time")
    )
    for name in ("gold_apis", "called_apis", "query_text"):
        assert given[0][name] == first[name]
    assert "Line 3 at 18:04." == first["system_answer"]["final_answer"]
    assert ("crash", "Unsolved") == (crashed["error"], crashed["scores"]["answer_status"])
    summary = document["summary"]
    assert (3, 2 / 3) == (summary["total_queries"], summary["average_api_call_score"])
    assert 7.5 == summary["overall_time"]

    again = bench.source.parent / "exported"
    bench.run(again, date="2025-11-03", submission_id="again")
    back = bench.records("again")
    for case, record in records.items():
        fields = ("answer", "called_apis", "error", "tools", "latency_s")
        assert [record.get(one) for one in fields] == [back[case].get(one) for one in fields]


@pytest.mark.large
def test_names_are_short_or_long(bench: Bench) -> None:
    """A part of the test set has its number in the long name."""
    bring(bench, row(9001), name="agent_G1_instruction_k20_q1.json")
    assert ["lang-graph_k20_G1_instruction_k20_q1.json"] == list(exported(bench))
    assert "lang-graph_k20_G1_instruction.json" in exported(bench, "--names", "short")


@pytest.mark.large
@pytest.mark.parametrize(
    ("settings", "server"),
    [
        ({"max_tools": "/../../outside", "suites": []}, ""),
        (
            {"suites": {"stb": {"server": f"http://host/sk-proj-{'a' * 40}"}}},
            "http://host/[redacted]",
        ),
    ],
)
def test_a_card_can_say_anything(bench: Bench, settings: Any, server: str) -> None:
    """A number of tools that is none does not name a file. Keys stay out, as on the site."""
    bring(bench, row(9001))
    card = bench.card("lang-graph_k20")
    path = "submissions/lang-graph_k20/submission.json"
    bench.folder.write(path, {**card, "settings": {"imported_from": "stabletoolbench", **settings}})
    ((name, document),) = exported(bench).items()
    assert ("lang-graph_k20_G1_instruction.json", server) == (
        name,
        document["metadata"]["server_url"],
    )


@pytest.mark.large
def test_a_suite_of_another_kind_is_refused(folder: Folder) -> None:
    """The wrapper has no such files."""
    folder.submission("m", [{"id": "B001", "model_text": "It is Paris."}])
    assert 0 == folder.lb("rescore", "--offline").exit_code
    result = folder.lb("export", "stabletoolbench", "m", "--suite", "small", "--out", "x")
    assert (1, True) == (result.exit_code, "which the wrapper does not know" in result.output)
