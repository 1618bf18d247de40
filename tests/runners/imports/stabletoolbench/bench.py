"""Small files of StableToolBench, and the import of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from leaderboard.errors import FilesError
from runners.imports.import_writer import ImportReport
from runners.imports.stabletoolbench.stabletoolbench_import import import_stabletoolbench
from runners.imports.stabletoolbench.suite_of_queries import UpstreamFiles
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.judge_prompts import judge_prompt

SOURCE = Path("source")


QUERIES = [
    {
        "query_id": number,
        "query": f"Which trams leave stop {number}?",
        "api_list": [
            {
                "category_name": "Transportation",
                "tool_name": "TramLine",
                "api_name": "next departures",
            }
        ],
        "relevant APIs": [["TramLine", "next departures"]],
    }
    for number in (9001, 9002, 9003)
]


TOOL = {
    "name": "next_departures_for_tramline",
    "arguments": '{"stop": "1"}',
    "response": '{"error": "", "response": "18:04 line 3"}',
}


FINISH = {
    "name": "Finish",
    "arguments": '{"return_type": "give_answer", "final_answer": "Line 3 at 18:04."}',
    "response": "",
}


def nested(*messages: Any) -> list[Any]:
    found: list[Any] = []
    for message in reversed(messages):
        found = [{"role": "tool", "message": message, "next": found}]
    return [
        {"role": "system", "message": "", "next": [{"role": "user", "message": "", "next": found}]}
    ]


def answer(number: int) -> dict[str, Any]:
    said = {
        "method": "CoT@1",
        "total_steps": 4,
        "final_answer": FINISH["arguments"],
        "answer_details": nested(TOOL, FINISH),
    }
    return {"query": f"Which trams leave stop {number}?", "available_tools": [], "answer": said}


def votes(number: int, *words: str) -> dict[str, Any]:
    return {
        "query": f"Which trams leave stop {number}?",
        "tool_names": ["next_departures_for_tramline", "Finish"],
        "answer_steps": f"Step 1: {TOOL}\nStep 2: {FINISH}",
        "final_step": f"Final step: {FINISH}",
        "is_solved": {str(place): f"AnswerStatus.{word}" for place, word in enumerate(words)},
    }


def row(number: int, status: str = "Solved", **more: Any) -> dict[str, Any]:
    points = {"Solved": 1.0, "Unsure": 0.5}.get(status, 0.0)
    return {
        "query_id": number,
        "query_text": f"Which trams leave stop {number}?",
        "gold_apis": [["TramLine", "next departures"]],
        "system_answer_time": 2.5,
        "system_answer": {"final_answer": "Line 3 at 18:04.", "has_finish": False},
        "scores": {"sopr_score": points, "api_call_score": 1.0, "answer_status": status},
        "called_apis": [["TramLine", "next departures"]],
        "evaluation": {
            "has_finish": False,
            "evaluation_method": "official",
            "reason": "names the line",
        },
        "timing": {
            "gold_answer_time": 0.1,
            "system_answer_time": 2.5,
            "evaluation_time": 0.9,
            "total_time": 3.5,
        },
        **more,
    }


def results(*rows: dict[str, Any], **summary: Any) -> dict[str, Any]:
    metadata = {
        "agent_name": "Lang Graph",
        "test_set": "G1_instruction",
        "evaluator_model": "judge-m",
        "timestamp": "2025-11-03T10:00:00",
    }
    return {"metadata": metadata, "summary": summary, "results": list(rows)}


class Bench:
    """A workspace with judge prompts, and a folder of files to import."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        for name in ("answer_status", "execution_status", "preference"):
            folder.write(f"prompts/stable_toolbench/{name}.md", judge_prompt(name))
        self.source = folder.root.parent / "source"
        self.queries = folder.root.parent / "queries"
        self.write("../queries/G1_instruction.json", QUERIES)

    def write(self, name: str, document: Any) -> Path:
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def run(self, source: Path | None = SOURCE, suite_id: str = "stb", **more: Any) -> ImportReport:
        """Imports all files of the folder; `source` None imports none, only the queries."""
        given = {"queries": self.queries, "date": "2024-06-01", **more}
        given = {"submission_id": None, "fields": {}, **given}
        folders = {name: given.pop(name, None) for name in ("queries", "ids", "tools", "cache")}
        upstream = UpstreamFiles(**folders) if folders["queries"] else None
        files = self.source if source is SOURCE else source
        return import_stabletoolbench(
            self.folder.root, files, suite_id, upstream=upstream, kinds=KINDS, **given
        )

    def problems(self, **more: Any) -> list[str]:
        before = self.folder.tree(".")
        with pytest.raises(FilesError) as caught:
            self.run(**more)
        assert before == self.folder.tree("."), "nothing is written where something is wrong"
        return [str(problem) for problem in caught.value.problems]

    def records(self, submission: str) -> dict[str, Any]:
        document = json.loads(
            (self.folder.root / f"submissions/{submission}/stb.json").read_bytes()
        )
        return {record["id"]: record for record in document["test_results"]}

    def card(self, submission: str) -> Any:
        return json.loads(
            (self.folder.root / f"submissions/{submission}/submission.json").read_bytes()
        )

    def readme(self, submission: str) -> str:
        return (self.folder.root / f"submissions/{submission}/README.md").read_text(
            encoding="utf-8"
        )

    def verdicts(self) -> pl.DataFrame:
        result = self.folder.lb("rescore", "--offline", "--allow-missing")
        assert result.exit_code == 0, result.output
        return pl.read_parquet(self.folder.root / "results/verdicts.parquet").filter(suite="stb")
