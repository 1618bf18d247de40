"""Reads the results of StableToolBench's wrapper: `{"metadata", "summary", "results": [row]}`.

Computes every figure of the summary again from the rows, and reports those that differ.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from leaderboard.files.findings import Findings
from leaderboard.responses.forms.model_reply import member, text_of
from leaderboard.responses.solved_grades import status_of
from leaderboard.types import Json
from runners.imports.stabletoolbench.imported_answers import AnswerFile, Vote
from runners.imports.stabletoolbench.pass_rates import pass_rate, status_figures

_HEURISTIC: Final = "heuristic"
# The file's name ends with the number of tools and of queries: agent_G1_tool_k20_q3.json.
_LIMITS: Final = re.compile(r"(?:_k(\d+))?(?:_q(\d+))?$")
# The wrapper appends "..." to every text longer than this, but does not cut the text.
_LONGEST_UNMARKED: Final = 203
# Stored percentages and seconds may be rounded to two decimals, scores to four.
_TOLERANCE: Final = 0.0051
_SCORE_TOLERANCE: Final = 0.000051


def is_wrapper_results(document: Json) -> bool:
    """Whether a document is a result file of the wrapper."""
    return (
        isinstance(document, dict)
        and isinstance(document.get("results"), list)
        and "metadata" in document
    )


def read_wrapper_results(
    document: Mapping[str, Json], path: Path, findings: Findings
) -> AnswerFile:
    """The answers of a result file, with the votes of the wrapper's judge."""
    metadata = document["metadata"]
    rows = []
    for index, row in enumerate(document["results"]):
        if isinstance(row, dict) and isinstance(row.get("query_id"), int | str):
            rows.append(row)
        else:
            what, fix = "is not a row with a query_id", "export the results again"
            findings.add(("results", index), what, fix)
    agent, test_set = (text_of(member(metadata, key)) for key in ("agent_name", "test_set"))
    if agent is None or test_set is None:
        fix = "add both, as run_benchmark writes them"
        findings.add(("metadata",), "lacks agent_name or test_set", fix)
    limits = _LIMITS.search(path.stem)
    max_tools, max_queries = limits.groups() if limits else (None, None)
    limited = {"max_tools": max_tools, "max_queries": max_queries}
    settings: dict[str, Json] = {name: int(limit) for name, limit in limited.items() if limit}
    overall = _number(member(metadata, "overall_time"))
    if overall is not None:
        settings["overall_time_s"] = {test_set or "": overall}
    judge, time = (text_of(member(metadata, key)) for key in ("evaluator_model", "timestamp"))
    votes = {str(row["query_id"]): _vote(row) for row in rows}
    return AnswerFile(
        "results",
        findings.file,
        system=f"{agent}_k{max_tools}" if max_tools else agent or "",
        test_set=test_set or "",
        records={str(row["query_id"]): _record(row) for row in rows},
        votes={query_id: (vote,) for query_id, vote in votes.items()},
        judge=judge,
        date=time and time[:10],
        settings=settings,
        notes=(_rate(rows, judge), *_differences(rows, document.get("summary"))),
    )


def _record(row: Mapping[str, Json]) -> dict[str, Json]:
    """The record of a row. The wrapper stores the answer and the called APIs, not the steps."""
    record: dict[str, Json] = {"id": str(row["query_id"])}
    if isinstance(row.get("query_text"), str):
        record["user_query"] = row["query_text"]
    if row.get("error") not in (None, ""):
        record["error"] = row["error"]
    else:
        answer = member(row.get("system_answer"), "final_answer")
        if isinstance(answer, str) and len(answer) > _LONGEST_UNMARKED:
            answer = answer.removesuffix("...")
        called = row.get("called_apis")
        record["answer"] = {"final_answer": answer}
        record["called_apis"] = called if isinstance(called, list) else None
    tools = row.get("selected_tools_count")
    if type(tools) is int:
        record["tools"] = tools
    seconds = _number(row.get("system_answer_time"))
    if seconds is not None and seconds >= 0:
        record["latency_s"] = row["system_answer_time"]
    return record


def _vote(row: Mapping[str, Json]) -> Vote:
    status = text_of(member(row.get("scores"), "answer_status"))
    evaluation = row.get("evaluation")
    method = text_of(member(evaluation, "evaluation_method"))
    reason = text_of(member(evaluation, "reason"))
    return Vote(status_of(status) if status is not None else None, method or "none", reason or "")


def _rate(rows: Sequence[Mapping[str, Json]], judge: str | None) -> str:
    """The SoPR of the rows. The heuristic's votes are left out, and so are failed judges.

    A row whose system failed is unsolved.
    """
    votes: dict[str, tuple[Vote, ...]] = {}
    heuristic = 0
    for row in rows:
        query_id, vote = str(row["query_id"]), _vote(row)
        if row.get("error") not in (None, ""):
            votes[query_id] = (Vote("unsolved"),)
        elif vote.by == _HEURISTIC:
            heuristic += 1
        else:
            votes[query_id] = (vote,)
    line = f"{pass_rate(votes, list(votes))}, by {judge or 'an unnamed judge'}"
    return f"{line}; {heuristic} decided by its heuristic and left out" if heuristic else line


def _differences(rows: Sequence[Mapping[str, Json]], summary: Json) -> Iterator[str]:
    """Every figure of a stored summary that differs from what its rows give."""
    for key, expected in _summary(rows).items():
        stored = _number(member(summary, key))
        if stored is None:
            continue
        tolerance = _SCORE_TOLERANCE if key.endswith("_score") else _TOLERANCE
        if expected is None or not math.isclose(stored, expected, rel_tol=0, abs_tol=tolerance):
            again = "nothing" if expected is None else f"{expected:.4g}"
            yield f"its summary says {key} {stored:.4g}, its rows give {again}"


def _summary(rows: Sequence[Mapping[str, Json]]) -> dict[str, float | None]:
    """The figures of a summary: shares of all rows, times over the rows that have them."""
    total = len(rows)
    words = [str(member(row.get("scores"), "answer_status")).lower() for row in rows]
    finished = [member(row.get("evaluation"), "has_finish") is True for row in rows]
    figures: dict[str, float | None] = {**status_figures(words, sum(finished))}
    points = words.count("solved") + 0.5 * words.count("unsure")
    figures["average_sopr_score"] = points / total if total else 0.0
    figures["average_api_call_score"] = _mean([_api_share(row) for row in rows])
    for name in ("gold_answer_time", "system_answer_time", "evaluation_time"):
        times = [_number(member(row.get("timing"), name)) for row in rows]
        figures[f"average_{name}"] = _mean(times)
    return figures


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _api_share(row: Mapping[str, Json]) -> float | None:
    """The share of a row's gold APIs that it called; None if it names none."""
    gold, called = _pairs(row.get("gold_apis")), _pairs(row.get("called_apis"))
    return len(gold & called) / len(gold) if gold else None


def _pairs(given: Json) -> set[tuple[str, str]]:
    pairs = set()
    for entry in given if isinstance(given, list) else []:
        match entry:
            case [str(tool), str(api), *_]:
                pairs.add((tool, api))
    return pairs


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
