"""`lb export stabletoolbench`: a submission in the result files of StableToolBench's wrapper.

One file for each test set, `{"metadata", "summary", "results": [row]}`, as its `run_benchmark`
writes them. What this board does not have is left out: the times of gold answers and of judging.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final, Literal, NamedTuple

from leaderboard.apis.api_answers import answer_of
from leaderboard.apis.api_names import FINISH
from leaderboard.apis.called_apis import called_apis
from leaderboard.types import Case, Category, Json, Record, Records, Suite
from runners.imports.stabletoolbench.pass_rates import status_figures

# The wrapper names a file after the agent and the test set; its code also after the numbers of
# tools and of queries.
Names = Literal["long", "short"]

_STATUSES: Final[Mapping[float, str]] = {1.0: "Solved", 0.5: "Unsure", 0.0: "Unsolved"}
_METHODS: Final[Mapping[str, str]] = {"judge": "official", "rule": "rule"}


class CaseScores(NamedTuple):
    """The scores of one case by metric (None: unscored), and the sentence on whether it is solved.

    `decided_by` is "judge" or "rule".
    """

    scores: Mapping[str, float | None]
    detail: str
    decided_by: str


@dataclass(frozen=True, slots=True)
class WrapperRun:
    """What result files say of the whole run. `tools` has the number of tools bound, by case id."""

    agent: str
    date: str
    judges: Sequence[str]
    server_url: str
    max_tools: int | None
    tools: Mapping[str, int]


def export_wrapper(
    suite: Suite,
    records: Records,
    found: Mapping[str, CaseScores],
    run: WrapperRun,
    names: Names,
) -> dict[str, bytes]:
    """The result files by name. `found` has the cases with verdicts, by id.

    Of several trials, the first is written. A test set without any verdict has no file.
    """
    first = {record.response.case_id: record for record in records if record.trial == 1}
    files = {}
    for category in suite.categories:
        cases = [case for case in category.cases if case.id in found]
        if not cases:
            continue
        rows = [_row(case, first.get(case.id), found[case.id], run) for case in cases]
        limit = len(cases) if len(cases) < len(category.cases) else None
        times = [row["system_answer_time"] for row in rows if "system_answer_time" in row]
        overall = round(sum(times), 3) if times else None
        metadata: dict[str, Json] = {
            "agent_name": run.agent,
            "test_set": category.id,
            "num_queries": len(rows),
            "evaluator_model": ", ".join(run.judges),
            "server_url": run.server_url,
            "timestamp": f"{run.date}T00:00:00",
        }
        timed = {} if overall is None else {"overall_time": overall}
        document = {"metadata": {**metadata, **timed}, "summary": {**_summary(rows), **timed}}
        text = json.dumps({**document, "results": rows}, ensure_ascii=False, indent=2)
        files[_name(category, run, limit, names)] = f"{text}\n".encode("utf-8", "replace")
    return files


def _name(category: Category, run: WrapperRun, limit: int | None, names: Names) -> str:
    ending = ""
    if names == "long":
        ending += f"_k{run.max_tools}" if run.max_tools is not None else ""
        ending += f"_q{limit}" if limit is not None else ""
    return f"{run.agent}_{category.id}{ending}.json"


def _row(case: Case, record: Record | None, found: CaseScores, run: WrapperRun) -> dict[str, Any]:
    response = record.response if record is not None else None
    score = found.scores.get("sopr")
    finished = response is not None and any(call.name == FINISH for call in response.calls)
    called = called_apis(case, response) if response is not None else None
    gold = case.ground_truth.apis or ()
    row: dict[str, Any] = {
        "query_id": case.record["query_id"],
        "query_text": case.query,
        "gold_apis": [list(pair) for pair in gold],
        "called_apis": [list(api.pair) for api in called.apis] if called else [],
        "scores": {
            "sopr_score": score or 0.0,
            "api_call_score": found.scores.get("api_call") or 0.0,
            "answer_status": "Error" if score is None else _STATUSES.get(score, "Unsure"),
        },
        "evaluation": {
            "has_finish": finished,
            "evaluation_method": _METHODS.get(found.decided_by, found.decided_by),
            "reason": found.detail,
        },
    }
    if case.id in run.tools:
        row["selected_tools_count"] = run.tools[case.id]
    if record is not None and record.latency_s is not None:
        seconds = record.latency_s
        row["system_answer_time"] = seconds
        row["timing"] = {"system_answer_time": seconds, "total_time": seconds}
    if response is None or response.error:
        row["error"] = response.error if response is not None else "no answer"
    else:
        row["system_answer"] = {"final_answer": answer_of(response), "has_finish": finished}
    return row


def _summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The wrapper's figures: shares of all rows."""
    statuses = [row["scores"]["answer_status"].lower() for row in rows]
    figures = status_figures(statuses, sum(row["evaluation"]["has_finish"] for row in rows))
    for name in ("sopr_score", "api_call_score"):
        figures[f"average_{name}"] = fmean(row["scores"][name] for row in rows)
    times = [row["system_answer_time"] for row in rows if "system_answer_time" in row]
    if times:
        figures["average_system_answer_time"] = fmean(times)
    return figures
