"""`lb export hf-eval-results`: scores as the Hugging Face Hub reads them from model repositories.

`eval.yaml` makes a dataset of the Hub a benchmark with a task for each suite. A model repository
holds its results in `.eval_results/*.yaml`.
Source: Hugging Face Hub documentation, "Evaluation Results".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.ids import WHOLE
from leaderboard.rank_status_words import RANKED
from leaderboard.results import MissingAnswers, Results
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.percentages import percentage
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json, Submission, Suite

_FRAMEWORK: Final = "toolboard"
_SPLIT: Final = "test"
Row = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class HubBenchmark:
    """A board as a benchmark of the Hub.

    `dataset` is the id of its dataset, such as "org/name". `url` is the address of the board, or
    None. `manifest_digest` is that of all inputs.
    """

    title: str
    description: str
    dataset: str
    url: str | None
    manifest_digest: str


def eval_yaml(benchmark: HubBenchmark, suites: Sequence[Suite]) -> bytes:
    """The file that the dataset has at its root. A task has the id of its suite."""
    tasks: list[Json] = [{"id": suite.id, "config": suite.id, "split": _SPLIT} for suite in suites]
    return _yaml(
        {
            "name": benchmark.title,
            "description": single_spaced(benchmark.description) or benchmark.title,
            "evaluation_framework": _FRAMEWORK,
            "tasks": tasks,
        }
    )


def ranked_rows(results: Results, submission: Submission, suites: Iterable[Suite]) -> list[Row]:
    """The rows of SCORES of a submission, one for each whole suite where it is ranked.

    Each has its number of `unanswered` cases and of `missing_trials` of the others. A baseline is
    never ranked: of a baseline, these are the derived scores without unscored cases.
    """
    missing = results.missing_answers()
    rows: list[Row] = []
    for suite in suites:
        if suite.kind.reported or suite.id in submission.card.partial:
            continue
        of_row = {"submission": submission.id, "suite": suite.id, "category": WHOLE}
        if not submission.is_baseline and results.ranks.filter(**of_row, status=RANKED).is_empty():
            continue
        cases, trials = missing.get((submission.id, suite.id), MissingAnswers())
        ranked = results.scores.filter(**of_row, metric=suite.kind.ranked).to_dicts()
        complete = [row for row in ranked if row["score"] is not None and not row["unscored"]]
        rows += [{**row, "unanswered": cases, "missing_trials": trials} for row in complete]
    return rows


def eval_results(benchmark: HubBenchmark, submission: Submission, scores: Sequence[Row]) -> bytes:
    """The results of a submission, from its `ranked_rows`.

    A value is a percentage with two decimals.
    """
    return _yaml([_result(benchmark, submission, row) for row in scores])


def _result(benchmark: HubBenchmark, submission: Submission, row: Row) -> dict[str, Json]:
    limits = f"95 % interval {percentage(row['low'], 2)} to {percentage(row['high'], 2)}"
    judged = f"{percentage(row['judged_share'] or 0, 0)} % of verdicts by a judge"
    inputs = f"inputs sha256 {benchmark.manifest_digest}"
    result: dict[str, Json] = {
        "dataset": {"id": benchmark.dataset, "task_id": row["suite"]},
        "value": round(100 * row["score"], 2),
        "date": submission.card.date,
    }
    if benchmark.url:
        result["source"] = {"url": benchmark.url, "name": benchmark.title}
    cases = f"{row['cases']} cases"
    if row["unanswered"]:
        cases += f", {row['unanswered']} of them not answered"
    if row["missing_trials"]:
        cases += f", {counted(row['missing_trials'], 'trial')} missing"
    parts = (f"Submission {submission.id}", limits, cases, judged, inputs)
    return {**result, "notes": "; ".join(parts)}


def _yaml(value: Json) -> bytes:
    return "".join(f"{line}\n" for line in _lines(value)).encode("utf-8", "replace")


def _lines(value: Json, indent: str = "") -> Iterator[str]:
    """Lines of YAML. Texts and numbers are written as JSON, which YAML contains."""
    if isinstance(value, list):
        for item in value:
            first, *others = _lines(item, f"{indent}  ")
            yield f"{indent}- {first.lstrip()}"
            yield from others
        return
    for name, inner in value.items():
        if isinstance(inner, dict | list):
            yield f"{indent}{name}:"
            yield from _lines(inner, f"{indent}  ")
        else:
            yield f"{indent}{name}: {json.dumps(inner, ensure_ascii=False)}"
