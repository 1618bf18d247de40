"""Records of Every Eval Ever, schema version 0.3.0: an aggregate, and the samples beside it.

Source: the schemas in the package every-eval-ever 0.3.0.
"""

from __future__ import annotations

import datetime
import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NotRequired, get_args

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.files.card_shape import card_problems
from leaderboard.files.field_types import OPEN, CaseId, TokenCount
from leaderboard.files.file_bytes import read_named
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import parse, path_text
from leaderboard.files.shaped_files import find_bad_records
from leaderboard.responses.forms.foreign_records import number_in
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import UNKNOWN, Json, SubmissionKind
from runners.imports.json_lines import json_lines
from runners.submission_writer import id_of

_SAMPLES: Final = "_samples.jsonl"
_FORMAT: Final = "check the files with python -m every_eval_ever validate"
_NOT_ID: Final = re.compile(r"[^A-Za-z0-9._-]+")
_WEIGHT: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,20})?")


_Unbounded = Literal["Infinity", "-Infinity"]


@with_config(OPEN)
class _Scale(TypedDict):
    lower_is_better: NotRequired[bool | None]
    min_score: NotRequired[float | _Unbounded | None]
    max_score: NotRequired[float | _Unbounded | None]
    metric_id: NotRequired[str | None]
    evaluation_description: NotRequired[str | None]


@with_config(OPEN)
class _Scored(TypedDict):
    score: float


@with_config(OPEN)
class _Source(TypedDict):
    additional_details: NotRequired[dict[str, Any] | None]


@with_config(OPEN)
class _Result(TypedDict):
    evaluation_name: CaseId
    evaluation_result_id: NotRequired[str | None]
    source_data: NotRequired[_Source]
    metric_config: _Scale
    score_details: _Scored


@with_config(OPEN)
class _Model(TypedDict):
    name: str
    id: str
    developer: NotRequired[str | None]
    additional_details: NotRequired[dict[str, Any] | None]


@with_config(OPEN)
class _Aggregate(TypedDict):
    evaluation_id: str
    retrieved_timestamp: str
    evaluation_timestamp: NotRequired[str | None]
    model_info: _Model
    evaluation_results: list[_Result]
    detailed_evaluation_results: NotRequired[dict[str, Any] | None]


@with_config(OPEN)
class _Amounts(TypedDict):
    input_tokens: NotRequired[TokenCount | None]
    output_tokens: NotRequired[TokenCount | None]
    latency_ms: NotRequired[float | None]


@with_config(OPEN)
class _Sample(TypedDict):
    evaluation_name: CaseId
    evaluation_result_id: NotRequired[str | None]
    sample_id: CaseId
    input: dict[str, Any]
    evaluation: _Scored
    token_usage: NotRequired[_Amounts | None]
    performance: NotRequired[_Amounts | None]
    metadata: NotRequired[dict[str, Any] | None]


_AGGREGATES: Final = TypeAdapter(list[_Aggregate])
_LINES: Final = TypeAdapter(list[_Sample])


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """How the scores of an evaluation become shares of 1, and the weight of its category."""

    low: float = 0
    high: float = 1
    lower_is_better: bool = False
    weight: float | None = None

    def share(self, score: float) -> float | None:
        """The score in 0..1; None if it is outside of its own limits."""
        share = (score - self.low) / (self.high - self.low)
        if not 0 <= share <= 1:
            return None
        return 1 - share if self.lower_is_better else share


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One aggregate, with its samples. `shown` is its path, `samples_shown` theirs, for messages.

    Results with an infinite limit, such as a ratio of steps, are only counted, in `unread`.

    `scales` are those of its results, by evaluation name and by the id of the result. Results of
    one evaluation, such as its accuracy and its BLEU, can have several.
    """

    shown: str
    samples_shown: str
    suite_id: str
    submission_id: str
    card: Mapping[str, Json]
    results: Sequence[Mapping[str, Any]]
    scales: Mapping[str, AbstractSet[ScoreScale]]
    samples: Sequence[Mapping[str, Any]]
    unread: int = 0

    @property
    def rows_shown(self) -> str:
        """The file that has its scores: the samples, or else the aggregate itself."""
        return self.samples_shown if self.samples else self.shown

    def evaluations(self) -> Iterator[Mapping[str, Any]]:
        """The results as samples, one each. A result that sums up others is left out."""
        names = [result["evaluation_name"] for result in self.results]
        for result in self.results:
            name, config = result["evaluation_name"], result["metric_config"]
            if any(other.startswith(f"{name}/") for other in names):
                continue
            several = names.count(name) > 1
            share = scale_of_result(result, self.shown).share(result["score_details"]["score"])
            yield {
                "evaluation_name": "evaluations",
                "sample_id": f"{name}, {config.get('metric_id')}" if several else name,
                "input": {"raw": config.get("evaluation_description")},
                "evaluation": {"score": share},
            }

    def scale_of(self, row: Mapping[str, Any]) -> ScoreScale:
        """The scale of a sample or result. Raises FilesError if nothing says which it is."""
        named = self.scales.get(row.get("evaluation_result_id") or "")
        found = named or self.scales.get(row["evaluation_name"]) or {ScoreScale()}
        if len(found) > 1:
            what = f"{row['evaluation_name']}: its results have scores between different limits"
            fix = "name the result of each sample in evaluation_result_id"
            raise FilesError.about(self.rows_shown, what, fix)
        return next(iter(found))


def read_evaluated(path: Path, shown: str) -> Evaluated | None:
    """Reads an aggregate and its samples; None for a file that is no such record.

    Raises FilesError with the problems of both files.
    """
    data = read_named(path, shown)
    document = parse(data, shown)
    if not isinstance(document, dict) or "evaluation_results" not in document:
        return None
    findings = Findings(shown, data)
    if find_bad_records(_AGGREGATES, [document], findings, _FORMAT):
        findings.found = [one._replace(at=one.at[1:]) for one in findings.found]
        findings.raise_errors()
    every = document["evaluation_results"]
    results = [result for result in every if not _is_unbounded(result["metric_config"])]
    scales: dict[str, set[ScoreScale]] = {}
    for result in results:
        scale = scale_of_result(result, shown)
        for name in {result["evaluation_name"], result.get("evaluation_result_id")} - {None, ""}:
            scales.setdefault(name, set()).add(scale)
    beside = _samples_path(path, document)
    samples_shown = str(Path(shown).with_name(beside.name))
    samples = _read_samples(beside, document, samples_shown)
    model = document["model_info"]
    details = model.get("additional_details") or {}
    own = details.get("submission")
    name = own if isinstance(own, str) else model["id"]
    stamp = document.get("evaluation_timestamp") or document["retrieved_timestamp"]
    return Evaluated(
        shown,
        samples_shown,
        cased_id(document["evaluation_id"].partition("/")[0]),
        id_of(name) or "unnamed",
        {
            "name": model["name"],
            "organization": model.get("developer") or model["id"].partition("/")[0],
            "model": _model_name(model),
            "date": _day(stamp),
            **_system(details),
        },
        results,
        scales,
        samples,
        len(every) - len(results),
    )


def _model_name(model: Mapping[str, Any]) -> str:
    """The id of a model; where its owner is unknown, the name that the id is made of."""
    full: str = model["id"]
    name: str = model["name"]
    owner, _, last = full.partition("/")
    if owner != UNKNOWN or not last:
        return full
    return name if id_of(name) == id_of(last) else last


def _is_unbounded(config: Mapping[str, Any]) -> bool:
    limits = (config.get(name) for name in ("min_score", "max_score"))
    return any(limit is not None and math.isinf(float(limit)) for limit in limits)


def _system(details: Mapping[str, Any]) -> dict[str, Json]:
    """What the details of a model say about the system, as fields of its card."""
    kind, framework = details.get("kind"), details.get("framework")
    card: dict[str, Json] = {"kind": kind if kind in get_args(SubmissionKind) else "model"}
    if isinstance(framework, str) and framework:
        card["framework"] = framework
    for name in ("url", "license", "parameters"):
        text = details.get(name)
        if isinstance(text, str) and not any(card_problems({name: text})):
            card[name] = text
    price = {side: number_in(details.get(f"price_{side}")) for side in ("input", "output")}
    if not any(card_problems({"price": price})):
        card["price"] = price
    availability = details.get("model_availability")
    if availability in ("open_weights", "closed_weights"):
        card["open_weights"] = availability == "open_weights"
    return card


def scale_of_result(result: Mapping[str, Any], shown: str) -> ScoreScale:
    """The scale of a result. Raises FilesError if its score is outside."""
    config = result["metric_config"]
    low, high = (config.get(name) for name in ("min_score", "max_score"))
    details = (result.get("source_data") or {}).get("additional_details") or {}
    given = str(details.get("category_weight", ""))
    scale = ScoreScale(
        0 if low is None else low,
        1 if high is None else high,
        bool(config.get("lower_is_better")),
        float(given) if _WEIGHT.fullmatch(given) else None,
    )
    if scale.low >= scale.high or scale.share(result["score_details"]["score"]) is None:
        score = result["score_details"]["score"]
        what = f"{result['evaluation_name']}: the score {score:g} is not between its limits"
        fix = "add min_score and max_score to its metric_config"
        raise FilesError.about(shown, what, fix)
    return scale


def cased_id(name: str) -> str:
    """The id of a suite or category: a name with "-" for what an id cannot have."""
    return _NOT_ID.sub("-", name).strip("-._")[:64] or "unnamed"


def _samples_path(path: Path, document: Mapping[str, Any]) -> Path:
    """Where the samples of an aggregate are: the file that it names, or that of its own name."""
    usual = path.with_name(f"{path.stem}{_SAMPLES}")
    given = (document.get("detailed_evaluation_results") or {}).get("file_path")
    name = Path(given).name if isinstance(given, str) else ""
    named = path.with_name(name) if name else usual
    return usual if usual.is_file() and not named.is_file() else named


def _read_samples(
    beside: Path, document: Mapping[str, Any], shown: str
) -> Sequence[Mapping[str, Any]]:
    """The samples beside an aggregate; none if there is no file, and the aggregate names none."""
    detailed = document.get("detailed_evaluation_results") or {}
    if not beside.is_file():
        if detailed.get("file_path"):
            what = "is missing, although the aggregate names it"
            fix = "fetch it too; or delete detailed_evaluation_results, to import the scores alone"
            raise FilesError.about(shown, what, fix)
        return ()
    data = read_named(beside, shown)
    _check_digest(detailed, data, shown)
    samples = _samples(data, shown)
    total = detailed.get("total_rows")
    if isinstance(total, int) and total != len(samples):
        what = (
            f"has {counted(len(samples), 'sample')}, but total_rows of the aggregate is {total:,}"
        )
        raise FilesError.about(shown, what, "fetch both files again")
    return samples


def _samples(data: bytes, shown: str) -> Sequence[Mapping[str, Any]]:
    problems: list[Problem] = []
    lines = list(json_lines(data, shown, problems))
    raise_any(problems)
    rows = [row for _, row in lines]
    findings = Findings(shown, data)
    if find_bad_records(_LINES, rows, findings, _FORMAT):
        problems = []
        for one in findings.found:
            place, *at = one.at
            line = lines[int(place)][0]
            problems.append(Problem(shown, one.what, one.fix, line, path_text(tuple(at))))
        raise FilesError(problems)
    return rows


def _check_digest(detailed: Mapping[str, Any], data: bytes, shown: str) -> None:
    wanted = detailed.get("checksum") if detailed.get("hash_algorithm") == "sha256" else None
    if wanted is not None and hashlib.sha256(data).hexdigest() != wanted:
        what = "does not have the checksum that the aggregate names"
        raise FilesError.about(shown, what, "fetch both files again")


def _day(stamp: str) -> str | None:
    """The day of a Unix time or an ISO date; None for anything else."""
    try:
        if re.fullmatch(r"[0-9]{1,10}(\.[0-9]+)?", stamp):
            return datetime.datetime.fromtimestamp(float(stamp), datetime.UTC).date().isoformat()
        return datetime.datetime.fromisoformat(stamp).date().isoformat()
    except ValueError:
        return None
