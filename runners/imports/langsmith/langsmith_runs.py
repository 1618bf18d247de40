"""What agents did, from the runs that LangSmith exports, as records of a responses file.

A run is `{"inputs": {"question"}, "outputs": {"output", "intermediate_steps" | "actual_steps", "state"}}`, with
`reference_example_id`, `error`, times and tokens where they are known. Files hold a list of them, one a line (`.jsonl`), a list
under `runs`, or the results of a local run: an object under `results`, by example.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from leaderboard.files.document import At, Findings, parse, read_bytes
from leaderboard.responses.agent_steps import STEP_KEYS, answer_text, read_steps, steps_given
from leaderboard.types import Call, Case, Json

_LINES: Final = (".jsonl", ".ndjson")
_EXAMPLE_KEYS: Final = ("reference_example_id", "example_id")
_TIMES: Final = ("execution_time", "latency_s", "latency")
_USAGE: Final = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "cost_usd": "total_cost",
}


@dataclass(frozen=True, slots=True)
class Listing:
    """The objects of a file, each with its path in it and the name it stands under, if any."""

    rows: tuple[tuple[At, str | None, Mapping[str, Json]], ...]
    findings: Findings


def read_listing(path: Path, shown: str, *keys: str) -> Listing:
    """The objects of a JSON or JSON-lines file (perhaps .gz): a list of them, or a list or an object under one of `keys`.

    Raises FilesError when the file cannot be read; what is wrong inside it is among the findings.
    """
    data = read_bytes(path, shown, path.resolve().parent)
    if path.name.removesuffix(".gz").endswith(_LINES):
        data = _as_list(data)
    document, findings = parse(data, shown), Findings(shown, data)
    key = next((key for key in keys if isinstance(document, dict) and key in document), None)
    inner, at = (document, ()) if key is None else (document[key], (key,))
    if not isinstance(inner, list) and (key is None or not isinstance(inner, dict)):
        findings.add(
            at,
            "holds no list",
            f"write a JSON array, or an object with one under {' or '.join(keys)}",
        )
        return Listing((), findings)
    named = inner.items() if isinstance(inner, dict) else ((None, row) for row in inner)
    rows: list[tuple[At, str | None, Mapping[str, Json]]] = []
    for index, (name, row) in enumerate(named):
        place: At = (*at, index if name is None else name)
        if isinstance(row, dict):
            rows.append((place, name, row))
        else:
            findings.add(place, "is not a JSON object", f"each of the {keys[0]} is one")
    return Listing(tuple(rows), findings)


def _as_list(data: bytes) -> bytes:
    """JSON lines as one JSON array whose members stand on the same lines."""
    lines = data.split(b"\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    for number in filled[1:]:
        lines[number] = b"," + lines[number]
    return b"[" + b"\n".join(lines) + b"]"


@dataclass(slots=True)
class Runs:
    """The runs of a file as records. `dates` are the days on which they started, `children` counts the parts of other runs.

    `by_question` counts those that name no example of the suite and were matched by what they were asked.
    """

    findings: Findings
    records: list[dict[str, Json]] = field(default_factory=list)
    dates: set[str] = field(default_factory=set)
    children: int = 0
    by_question: int = 0


def read_runs(path: Path, shown: str, cases: Sequence[Case]) -> Runs:
    """The runs that answer `cases`, in file order; several for one case are its trials. Raises FilesError."""
    listing = read_listing(path, shown, "runs", "results")
    runs = Runs(listing.findings)
    known = _Cases(cases)
    trials: dict[str, int] = {}
    seen: set[Json] = set()
    for at, name, run in listing.rows:
        if run.get("parent_run_id") is not None:
            runs.children += 1
            continue
        if _is_repeated(run, seen, at, runs.findings):
            continue
        case_id = known.answered(run, name, at, runs)
        if case_id is not None:
            trials[case_id] = trials.get(case_id, 0) + 1
            runs.records.append(_record(run, case_id, trials[case_id], at, runs))
    if max(trials.values(), default=1) == 1:
        for record in runs.records:
            del record["trial"]
    return runs


def _is_repeated(run: Mapping[str, Json], seen: set[Json], at: At, findings: Findings) -> bool:
    run_id = run.get("id")
    if not isinstance(run_id, str):
        return False
    if run_id in seen:
        findings.add((*at, "id"), f"repeats the run {run_id!r}", "keep one of them")
        return True
    seen.add(run_id)
    return False


class _Cases:
    """The cases of a suite by id and by question."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.ids = {case.id for case in cases}
        self.by_question: dict[str, list[str]] = {}
        for case in cases:
            self.by_question.setdefault(case.query.strip(), []).append(case.id)

    def answered(self, run: Mapping[str, Json], name: str | None, at: At, runs: Runs) -> str | None:
        """The id of the case that a run answers: its example's, else that of the one case with its question."""
        example = next((run[key] for key in _EXAMPLE_KEYS if isinstance(run.get(key), str)), name)
        if example is not None and example in self.ids:
            return example
        question = _question(run)
        found = self.by_question.get(question.strip(), ()) if question is not None else ()
        if len(found) == 1:
            runs.by_question += 1
            return found[0]
        told = f"the example {example!r}" if example is not None else "no example"
        asks = (
            f"a question that {len(found) or 'no'} cases ask"
            if question is not None
            else "no question"
        )
        what = f"cannot be matched to a case: it names {told}, and has {asks}"
        runs.findings.add(at, what, "import the examples that these runs answer, or remove the run")
        return None


def _question(run: Mapping[str, Json]) -> str | None:
    given = run.get("inputs") or run.get("input") or run
    question = given.get("question") if isinstance(given, Mapping) else given
    return question if isinstance(question, str) else None


def _outputs(run: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """Where a run's answer and steps stand: under `outputs` or `output`, perhaps in another `output`, or in the run itself."""
    for given in (run.get("outputs"), run.get("output"), run):
        if isinstance(given, Mapping):
            inner = given.get("output")
            if isinstance(inner, Mapping) and any(key in inner for key in ("output", *STEP_KEYS)):
                return inner
            if any(key in given for key in ("output", "state", *STEP_KEYS)):
                return given
    return None


def _record(
    run: Mapping[str, Json], case_id: str, trial: int, at: At, runs: Runs
) -> dict[str, Json]:
    record: dict[str, Json] = {"id": case_id, "trial": trial}
    outputs, error = _outputs(run), run.get("error") or run.get("Error")
    if outputs is not None:
        record |= _answer(outputs, at, runs.findings)
    if error or outputs is None:
        record["error"] = error or "The run has no outputs."
    usage = {
        ours: amount
        for ours, theirs in _USAGE.items()
        if (amount := _amount(run, theirs, at, runs.findings)) is not None
    }
    if usage:
        record["usage"] = usage
    seconds = _seconds(run, at, runs)
    if seconds is not None:
        record["latency_s"] = seconds
    return record


def _answer(outputs: Mapping[str, Json], at: At, findings: Findings) -> Iterator[tuple[str, Json]]:
    """The parts of a record that say what was answered and done. Steps that cannot be read are kept as they are."""
    yield "output", answer_text(outputs.get("output"))
    steps = steps_given(outputs)
    if all(outputs.get(key) is not None for key in STEP_KEYS):
        findings.add(
            at, "has intermediate_steps and actual_steps: the latter are not read", "", "warning"
        )
    if steps is not None:
        calls, malformed = read_steps(steps)
        yield "intermediate_steps", list(steps) if malformed else [_step(call) for call in calls]
    if outputs.get("state") is not None:
        yield "state", outputs["state"]


def _step(call: Call) -> Json:
    step: dict[str, Json] = {"tool": call.name}
    if call.arguments:
        step["tool_input"] = dict(call.arguments)
    if call.result is not None:
        step["observation"] = call.result
    return step


# ---------------------------------------------------------------- time and cost


def _amount(run: Mapping[str, Json], key: str, at: At, findings: Findings) -> float | int | None:
    """A number from 0 (LangSmith writes some as text), or None where there is none."""
    value = run.get(key)
    if value is None:
        return None
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if (
        isinstance(number, int | float)
        and not isinstance(number, bool)
        and math.isfinite(number)
        and number >= 0
    ):
        return number
    findings.add((*at, key), f"is {value!r:.60}", "a number from 0, or leave it out")
    return None


def _seconds(run: Mapping[str, Json], at: At, runs: Runs) -> float | int | None:
    """How long a run took, in seconds: as it says, or from its start to its end."""
    start, end = (_moment(run, key, at, runs.findings) for key in ("start_time", "end_time"))
    if start is not None:
        runs.dates.add(start.date().isoformat())
    told = next((key for key in _TIMES if run.get(key) is not None), None)
    if told is not None:
        return _amount(run, told, at, runs.findings)
    if start is None or end is None:
        return None
    if (start.tzinfo is None) is not (end.tzinfo is None) or end < start:
        runs.findings.add(
            (*at, "end_time"),
            "is before start_time, or only one of them has a time zone",
            "correct the times",
        )
        return None
    return (end - start).total_seconds()


def _moment(
    run: Mapping[str, Json], key: str, at: At, findings: Findings
) -> datetime.datetime | None:
    value = run.get(key)
    if value is None:
        return None
    try:
        return datetime.datetime.fromisoformat(value)
    except (TypeError, ValueError):
        findings.add(
            (*at, key),
            f"is {value!r:.60}, which is no time",
            "write it as 2026-01-31T12:00:00+00:00",
        )
        return None
