"""`lb export every-eval-ever`: a submission as records of Every Eval Ever, schema version 0.3.0.

For each suite an aggregate file with the scores of every metric, and beside it the samples: one
line per answer, with its score in the ranked metric. What the schema has no place for (ranks,
unscored cases, digests, costs, prices, scores in other metrics) is text in its free fields.
Source: the schemas in the package every-eval-ever 0.3.0.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from leaderboard.digest import digest_of
from leaderboard.ids import WHOLE
from leaderboard.kinds import Metric
from leaderboard.rank_status_words import NOT_RANKED, PARTIAL, REPORTED
from leaderboard.texts.case_words import expected_lines
from leaderboard.types import (
    Case,
    Json,
    JudgeSettings,
    Record,
    Records,
    Response,
    Submission,
    Suite,
)
from runners.apis.api_client import as_text
from runners.exports.exported_errors import error_of

VERSION: Final = "0.3.0"
_SLUG: Final = re.compile(r"[^a-z0-9._-]+")
Row = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ExportedSuite:
    """One submission on one suite: its rows of SCORES and VERDICTS, and who judged with what.

    Rows are of every metric. `prompts` maps a category to its judge prompt. `board` is the title of
    the board.
    """

    board: str
    submission: Submission
    suite: Suite
    records: Records
    scores: Sequence[Row]
    verdicts: Sequence[Row]
    judges: Sequence[JudgeSettings]
    prompts: Mapping[str, str]
    manifest_digest: str

    @property
    def model_id(self) -> str:
        """`developer/model`, as the Hugging Face Hub writes it."""
        card = self.submission.card
        parts = card.model.split("/")
        owner = parts[0] if len(parts) == 2 else card.organization
        names = [_SLUG.sub("-", part.lower()).strip("-.") for part in (owner, parts[-1])]
        return "/".join(name or "unknown" for name in names)

    @property
    def timestamp(self) -> str:
        """The day of the card as Unix time. With a clock, every export would differ."""
        day = datetime.date.fromisoformat(self.submission.card.date)
        midnight = datetime.datetime.combine(day, datetime.time(), datetime.UTC)
        return str(int(midnight.timestamp()))

    @property
    def metrics(self) -> Sequence[Metric]:
        """Every metric of the suite. The first one is the ranked one."""
        return self.suite.kind.metrics_of(self.suite.policy)

    @property
    def asked_in_part(self) -> bool:
        """Whether only some cases were asked, which the submitter may have chosen."""
        asked = {row["case_id"] for row in self.verdicts}
        return len(asked) < len(self.suite.cases)

    @property
    def evaluation_id(self) -> str:
        return f"{self.suite.id}/{self.model_id}/{self.submission.id}/{self.timestamp}"


def export_every_eval_ever(exported: ExportedSuite) -> dict[str, bytes]:
    """The aggregate and the samples by path: `data/<suite>/<developer>/<model>/<uuid>.json`."""
    # The schema wants random UUIDs (version 4). These have their form, and depend on the content.
    seed = f"{exported.evaluation_id} {exported.manifest_digest}".encode()
    place = uuid.UUID(bytes=hashlib.sha256(seed).digest()[:16], version=4)
    path = f"data/{exported.suite.id}/{exported.model_id}/{place}"
    rows = list(_samples(exported))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    data = lines.encode("utf-8", "replace")
    aggregate = {
        "schema_version": VERSION,
        "evaluation_id": exported.evaluation_id,
        "retrieved_timestamp": exported.timestamp,
        "source_metadata": {
            "source_name": exported.board,
            "source_type": "evaluation_run",
            "source_organization_name": exported.board,
            "evaluator_relationship": "third_party",
            "additional_details": {"results_digest": exported.manifest_digest},
        },
        "eval_library": {"name": "toolboard", "version": version("toolboard")},
        "model_info": _model(exported),
        "evaluation_results": [
            _result(exported, metric, row)
            for metric in exported.metrics
            for row in exported.scores
            if row["metric"] == metric.id
        ],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": f"{path}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(data).hexdigest(),
            "total_rows": len(rows),
        },
    }
    document = json.dumps(aggregate, ensure_ascii=False, indent=2) + "\n"
    return {f"{path}.json": document.encode(), f"{path}_samples.jsonl": data}


def _model(exported: ExportedSuite) -> dict[str, Json]:
    card = exported.submission.card
    weights = {True: "open_weights", False: "closed_weights", None: "unknown"}
    details = {
        "deployment_type": "unknown",
        "model_availability": weights[card.open_weights],
        "submission": exported.submission.id,
        "kind": card.kind,
        "date": card.date,
    }
    for name in ("framework", "url", "license", "parameters"):
        if text := getattr(card, name):
            details[name] = text
    if card.price:
        details["price_input"] = str(card.price.input)
        details["price_output"] = str(card.price.output)
    return {
        "name": card.name,
        "id": exported.model_id,
        "developer": card.organization,
        "additional_details": details,
    }


def _result(exported: ExportedSuite, metric: Metric, row: Row) -> dict[str, Json]:
    """One score in one metric: of the whole suite (category `*`) or of a category."""
    suite, category = exported.suite, row["category"]
    config: dict[str, Json] = {
        "evaluation_description": metric.description,
        "metric_id": metric.id,
        "metric_name": metric.label,
        "metric_unit": "ratio" if metric.ratio else "proportion",
        "lower_is_better": False,
        "score_type": "continuous",
        "min_score": 0,
        "max_score": "Infinity" if metric.ratio else 1,
    }
    if row["judged_share"] and exported.judges:
        prompt = exported.prompts.get(category, "Each category has a prompt: see its own result.")
        if metric.id in suite.policy:
            prompt = f"This metric has a prompt of its own: {suite.policy[metric.id]}."
        config["llm_scoring"] = {
            "judges": [_judge(judge) for judge in exported.judges],
            "input_prompt": prompt,
            "aggregation_method": "average" if suite.kind.averages_grades else "majority_vote",
            "additional_details": {"judged_share": str(row["judged_share"])},
        }
    uncertainty: dict[str, Json] = {"num_samples": row["scored"]}
    if row["low"] is not None and row["high"] is not None:  # a ratio of one case has no limits
        wilson = "Wilson, on the effective sample size; unscored cases count both ways"
        uncertainty["confidence_interval"] = {
            "lower": row["low"],
            "upper": row["high"],
            "confidence_level": 0.95,
            "method": "Student's t" if metric.ratio else wilson,
        }
    names = ("unscored", "rank_low", "rank_high", "rules_only_score", "corrected")
    details = {name: str(row[name]) for name in names if row[name] is not None}
    if exported.asked_in_part:
        details |= {"status": PARTIAL, "not_ranked": NOT_RANKED[PARTIAL]}
        details["suite_cases"] = str(len(suite.cases))
    if suite.kind.reported:
        details |= {"status": REPORTED, "not_ranked": NOT_RANKED[REPORTED]}
        details.pop("rules_only_score", None)  # no rule decided it
    about = {"suite_digest": suite.digest}
    if category != WHOLE:
        weight = next(c.weight for c in suite.categories if c.id == category)
        about["category_weight"] = f"{weight:g}"
    return {
        "evaluation_result_id": f"{suite.id}/{category}/{metric.id}",
        "evaluation_name": suite.id if category == WHOLE else f"{suite.id}/{category}",
        "source_data": {
            "dataset_name": suite.title,
            "source_type": "other",
            "additional_details": about,
        },
        "metric_config": config,
        "score_details": {
            "score": row["score"],
            "details": details,
            "uncertainty": uncertainty,
        },
        "generation_config": _generation(exported.submission.card.settings),
    }


def _judge(judge: JudgeSettings) -> dict[str, Json]:
    details = {name: json.dumps(value) for name, value in judge.public_settings.items()}
    # The embedded judge is part of this project.
    deployment = "self_deployed" if judge.is_recomputed else "unknown"
    details |= {"deployment_type": deployment, "model_availability": "unknown"}
    info = {"name": judge.model, "id": f"{judge.provider}/{judge.model}"}
    return {"model_info": {**info, "additional_details": details}}


def _generation(settings: Row) -> dict[str, Json]:
    found = {name: settings.get(name) for name in ("temperature", "max_tokens")}
    arguments = {
        name: value
        for name, value in found.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return {"generation_args": arguments}


def _samples(exported: ExportedSuite) -> Iterator[dict[str, Json]]:
    """Yields a line for each scored verdict in the ranked metric, in the order of the cases."""
    suite = exported.suite
    by_answer: dict[tuple[str, int], dict[str, float | None]] = {}
    for row in exported.verdicts:
        by_answer.setdefault((row["case_id"], row["trial"]), {})[row["metric"]] = row["score"]
    records = {(r.response.case_id, r.trial): r for r in exported.records}
    position = {case.id: number for number, case in enumerate(suite.cases)}
    ranked = [row for row in exported.verdicts if row["metric"] == suite.kind.ranked]
    order = sorted(ranked, key=lambda row: (position[row["case_id"]], row["trial"]))
    for verdict in order:
        if verdict["score"] is None:
            continue
        case = suite.by_id[verdict["case_id"]]
        nothing = Response(case.id, b"", (), None, "no response")
        record = records.get((case.id, verdict["trial"])) or Record(nothing, verdict["trial"])
        reference = list(expected_lines(case))
        metadata = {
            "trial": str(record.trial),
            "reason": verdict["reason"],
            "detail": verdict["detail"],
            "decided_by": verdict["decided_by"],
        }
        if len(exported.metrics) > 1:
            metadata["metrics"] = json.dumps(by_answer[case.id, record.trial])
        if record.cost_usd is not None:
            metadata["cost_usd"] = str(record.cost_usd)
        yield {
            "schema_version": VERSION,
            "evaluation_id": exported.evaluation_id,
            "model_id": exported.model_id,
            "evaluation_name": f"{suite.id}/{case.category}",
            "evaluation_result_id": f"{suite.id}/{case.category}/{suite.kind.ranked}",
            "sample_id": case.id,
            "sample_hash": digest_of([case.query, reference]),
            "input": {"raw": case.query, "reference": reference},
            **_answer(suite, case, record),
            "answer_attribution": [],
            "evaluation": {
                "score": verdict["score"],
                "is_correct": verdict["outcome"] == "pass",
                "tool_calls_count": len(record.response.calls),
            },
            **_costs(record),
            "error": error_of(record.response),
            "metadata": metadata,
        }


def _answer(suite: Suite, case: Case, record: Record) -> dict[str, Json]:
    """One turn as texts, calls among them as JSON; the steps of an agent as messages."""
    response = record.response
    if suite.kind.interaction == "message":
        calls = [{"name": call.name, "arguments": call.arguments} for call in response.calls]
        raw = [json.dumps(call, ensure_ascii=False) for call in calls]
        raw += [response.text] if response.text else []
        return {"interaction_type": "single_turn", "output": {"raw": raw}, "messages": None}
    messages: list[dict[str, Json]] = [{"role": "user", "content": case.query}]
    for number, call in enumerate(response.calls):
        name = f"call_{number}"
        # The schema takes arguments as text, so each is written as JSON.
        given = {key: json.dumps(v, ensure_ascii=False) for key, v in call.arguments.items()}
        made = {"id": name, "name": call.name, "arguments": given}
        messages.append({"role": "assistant", "content": None, "tool_calls": [made]})
        reply = as_text(call.result)
        messages.append({"role": "tool", "content": reply, "tool_call_id": [name]})
    messages.append({"role": "assistant", "content": response.text})
    numbered = [{"turn_idx": turn, **message} for turn, message in enumerate(messages)]
    return {"interaction_type": "agentic", "output": None, "messages": numbered}


def _costs(record: Record) -> dict[str, Json]:
    costs: dict[str, Json] = {}
    if record.input_tokens is not None and record.output_tokens is not None:
        total = record.input_tokens + record.output_tokens
        costs["token_usage"] = {
            "input_tokens": record.input_tokens,
            "output_tokens": record.output_tokens,
            "total_tokens": total,
        }
    if record.latency_s is not None:
        costs["performance"] = {"latency_ms": record.latency_s * 1000}
    return costs
