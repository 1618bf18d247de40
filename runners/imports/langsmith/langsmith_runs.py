"""Reads LangSmith's runs as records of a responses file.

A run is `{"inputs": {"question"}, "outputs": {"output", "intermediate_steps" | "actual_steps",
"state"}}`, optionally with `reference_example_id`, `error`, times and tokens. Outputs may also be a
conversation (`messages`), or have their text under `answer`. A file contains a list of runs, one
run per line (`.jsonl`), a list under `runs`, or the results of a local run: an object by example
under `results`.
"""

from __future__ import annotations

import contextlib
import datetime
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from leaderboard.files.file_bytes import read_named
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At, parse
from leaderboard.limits import MOST_DOLLARS, MOST_SECONDS, MOST_TOKENS
from leaderboard.responses.agent_steps import STEP_KEYS, read_steps, steps_given
from leaderboard.responses.answer_text import answer_text
from leaderboard.responses.forms.conversations import is_conversation, read_conversation, steps_of
from leaderboard.responses.forms.model_reply import one_line
from leaderboard.types import Call, Case, Json

_LINES: Final = (".jsonl", ".ndjson")
_EXAMPLE_KEYS: Final = ("reference_example_id", "example_id")
# The text of LangChain's AgentAction, and that of a pair of one and its reply.
_DUMPED: Final = re.compile(r"\btool=['\"]|^\(?AgentAction")
_TIMES: Final = ("execution_time", "latency_s", "latency")
_USAGE: Final = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "cost_usd": "total_cost",
}


class ListedObject(NamedTuple):
    """One object of a listing: its path in the file, its key if the file has one, its value."""

    at: At
    key: str | None
    value: Mapping[str, Json]


def read_listing(path: Path, shown: str, *keys: str) -> tuple[list[ListedObject], Findings]:
    """The objects of a JSON or JSON-lines file, which may be packed (.gz).

    They are a list, or a list or an object under one of `keys`. Raises FilesError if the file
    cannot be read. Other problems are in the findings.
    """
    data = read_named(path, shown)
    if path.name.removesuffix(".gz").endswith(_LINES):
        data = _lines_as_array(data)
    document, findings = parse(data, shown), Findings(shown, data)
    at: At = ()
    inner = document
    if isinstance(document, dict):
        at = tuple(key for key in keys if key in document)[:1]
        inner = document[at[0]] if at else None
    items: list[tuple[str | int, Json]] = []
    if isinstance(inner, dict):
        items += inner.items()
    elif isinstance(inner, list):
        items += enumerate(inner)
    else:
        fix = f"write a JSON array, or an object with one under {' or '.join(keys)}"
        findings.add(at, "contains no list", fix)
    rows = []
    for step, value in items:
        if isinstance(value, dict):
            rows.append(ListedObject((*at, step), step if isinstance(step, str) else None, value))
        else:
            findings.add((*at, step), "is not a JSON object", f"write each of the {keys[0]} as one")
    return rows, findings


def _lines_as_array(data: bytes) -> bytes:
    """JSON lines as one JSON array that keeps every object on its line."""
    lines = data.split(b"\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    for number in filled[1:]:
        lines[number] = b"," + lines[number]
    return b"[" + b"\n".join(lines) + b"]"


@dataclass(slots=True)
class Runs:
    """The runs of a file as records.

    `dates` are the days on which they started. `children` counts runs that are parts of other
    runs. `by_question` counts runs that name no example of the suite and were matched by their
    question. `pending` are the cases of runs that have not ended: they are no answers yet, and are
    left out.
    """

    findings: Findings
    records: list[dict[str, Json]] = field(default_factory=list)
    dates: set[str] = field(default_factory=set)
    children: int = 0
    by_question: int = 0
    pending: list[str] = field(default_factory=list)

    @property
    def errors(self) -> list[str]:
        """The errors in place of answers."""
        return [one_line(str(record["error"])) for record in self.records if "error" in record]


@dataclass(slots=True)
class Seen:
    """What was read of earlier files: the trials of each case, and the ids of runs."""

    trials: Counter[str] = field(default_factory=Counter)
    ids: set[str] = field(default_factory=set)


def read_runs(path: Path, shown: str, cases: Sequence[Case], seen: Seen) -> Runs:
    """The runs that answer `cases`, in file order. Several runs for a case are its trials.

    `seen` has the runs of earlier files, and gets those of this one. Raises FilesError if the file
    cannot be read.
    """
    rows, findings = read_listing(path, shown, "runs", "results")
    runs = Runs(findings)
    cases_by_question: dict[str, list[str]] = {}
    for case in cases:
        cases_by_question.setdefault(case.query.strip(), []).append(case.id)
    case_ids = {case.id for case in cases}
    for at, key, run in rows:
        if run.get("parent_run_id") is not None:
            runs.children += 1
            continue
        run_id = run.get("id")
        if isinstance(run_id, str):
            if run_id in seen.ids:
                runs.findings.add((*at, "id"), f"repeats the run {run_id!r}", "keep one of them")
                continue
            seen.ids.add(run_id)
        example = next((run[name] for name in _EXAMPLE_KEYS if isinstance(run.get(name), str)), key)
        if example in case_ids:
            case_id = example
        else:
            case_id = _case_by_question(run, example, cases_by_question, at, runs)
        if case_id is not None and _is_pending(run):
            runs.pending.append(case_id)
        elif case_id is not None:
            seen.trials[case_id] += 1
            runs.records.append(_record(run, case_id, seen.trials[case_id], at, runs))
    return runs


def _is_pending(run: Mapping[str, Json]) -> bool:
    """Whether a run has not ended: exports made during a run contain it without outputs."""
    if run.get("outputs") or run.get("error") or run.get("Error") or _outputs(run) is not None:
        return False
    if run.get("status") is not None:
        return bool(run["status"] == "pending")
    return "end_time" in run and run["end_time"] is None


def without_trial(record: Mapping[str, Json]) -> dict[str, Json]:
    """The answer in a record, whichever trial it is."""
    return {key: value for key, value in record.items() if key != "trial"}


def equal_trials(records: Sequence[dict[str, Json]]) -> tuple[list[dict[str, Json]], int]:
    """The records of as many trials as every answered case has, and how many are left out.

    A missing trial of a case would count as a fail. The first runs of each case are kept.
    """
    trials = Counter(record["id"] for record in records)
    fewest = min(trials.values(), default=1)
    kept = [record for record in records if record["trial"] <= fewest]
    if fewest == 1:
        kept = [without_trial(record) for record in kept]
    return kept, len(records) - len(kept)


def _case_by_question(
    run: Mapping[str, Json],
    example: str | None,
    cases_by_question: Mapping[str, Sequence[str]],
    at: At,
    runs: Runs,
) -> str | None:
    """The only case that asks what a run was asked. Reports a run that fits no case."""
    question = _question(run)
    if question is None:
        asks = "no question"
    else:
        found = cases_by_question.get(question.strip(), ())
        if len(found) == 1:
            runs.by_question += 1
            return found[0]
        asks = f"a question that {len(found) or 'no'} cases ask"
    names = "no example" if example is None else f"the example {example!r}"
    what = f"cannot be matched to a case: it names {names}, and has {asks}"
    runs.findings.add(at, what, "import the examples that these runs answer, or remove the run")
    return None


def _question(run: Mapping[str, Json]) -> str | None:
    given = run.get("inputs") or run.get("input") or run
    question = given.get("question") if isinstance(given, Mapping) else given
    return question if isinstance(question, str) else None


def _record(
    run: Mapping[str, Json], case_id: str, trial: int, at: At, runs: Runs
) -> dict[str, Json]:
    record: dict[str, Json] = {"id": case_id, "trial": trial}
    outputs, error = _outputs(run), run.get("error") or run.get("Error")
    if outputs is not None:
        record |= _answer(outputs, at, runs.findings)
    elif not error and isinstance(run.get("outputs"), Mapping) and run["outputs"]:
        names = ", ".join(sorted(run["outputs"]))[:80]
        what = f"has outputs that are not read: {names}"
        fix = "return output with intermediate_steps, messages, or answer"
        runs.findings.add((*at, "outputs"), what, fix)
    if error or outputs is None:
        record["error"] = error or "The run has no outputs."
    usage = {}
    for name, key in _USAGE.items():
        most = MOST_TOKENS if name.endswith("_tokens") else MOST_DOLLARS
        amount = _amount(run, key, most, at, runs.findings)
        if amount is not None:
            is_count = name.endswith("_tokens") and amount == int(amount)
            usage[name] = int(amount) if is_count else amount
    if usage:
        record["usage"] = usage
    seconds = _seconds(run, at, runs)
    if seconds is not None:
        record["latency_s"] = seconds
    return record


def _outputs(run: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """The object with a run's answer and steps.

    It is under `outputs` or `output`, perhaps inside another `output`, or is the run itself.
    """
    for given in (run.get("outputs"), run.get("output"), run):
        if isinstance(given, Mapping):
            inner = given.get("output")
            if isinstance(inner, Mapping) and any(key in inner for key in ("output", *STEP_KEYS)):
                return inner
            if any(key in given for key in ("output", "state", *STEP_KEYS)):
                return given
            if is_conversation(given.get("messages")):
                return _of_messages(given["messages"])
            if given is not run and isinstance(given.get("answer"), str):
                return {**given, "output": given["answer"]}
    return None


def _of_messages(messages: Sequence[Json]) -> Mapping[str, Json]:
    """A conversation, as agents of LangGraph return it, as an answer and its steps."""
    turns = read_conversation(messages)
    text = turns[-1].reply.text if turns and not turns[-1].reply.calls else None
    return {"output": text, "intermediate_steps": steps_of(turns)}


def _answer(outputs: Mapping[str, Json], at: At, findings: Findings) -> Iterator[tuple[str, Json]]:
    """The answer, steps and state of a record. Steps that cannot be read are kept unchanged."""
    yield "output", answer_text(outputs.get("output"))
    if all(outputs.get(key) is not None for key in STEP_KEYS):
        what = "has intermediate_steps and actual_steps: actual_steps is ignored"
        findings.add(at, what, severity="warning")
    dumped = [key for key in STEP_KEYS if _is_dumped(outputs.get(key))]
    if dumped:
        what = f"has {dumped[0]} dumped as text, from which no tool can be read"
        fix = "export the steps as objects: serialise them without default=str"
        findings.add((*at, "outputs", dumped[0]), what, fix)
    for key in STEP_KEYS:
        if not isinstance(outputs.get(key), list | tuple | str | None):
            fix = "write one step for each call: [[{tool, tool_input}, observation], ...]"
            findings.add((*at, "outputs", key), "is not a list of steps", fix)
    steps = None if dumped else steps_given(outputs)
    if steps is not None:
        calls, malformed = read_steps(steps)
        yield "intermediate_steps", list(steps) if malformed else [_step(call) for call in calls]
    if outputs.get("state") is not None:
        yield "state", outputs["state"]


def _is_dumped(steps: Json) -> bool:
    """Whether steps are Python's text of objects, as `json.dumps(..., default=str)` writes them."""
    if isinstance(steps, str):
        return True
    for step in steps if isinstance(steps, list) else ():
        action = step[0] if isinstance(step, list) and step else step
        if isinstance(step, Mapping):
            action = step.get("action")
        if isinstance(action, str) and _DUMPED.search(action):
            return True
    return False


def _step(call: Call) -> Json:
    step: dict[str, Json] = {"tool": call.name}
    if call.arguments:
        step["tool_input"] = dict(call.arguments)
    if call.result is not None:
        step["observation"] = call.result
    return step


def _amount(
    run: Mapping[str, Json], key: str, most: float, at: At, findings: Findings
) -> float | int | None:
    """A number from 0 to `most`, or None. LangSmith writes some numbers as text."""
    number = value = run.get(key)
    if value is None:
        return None
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            number = float(value)
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if is_number and number is not None and 0 <= number <= most:
        return number  # type: ignore[no-any-return]
    fix = "write a number of 0 or more, or leave it out"
    if is_number and number is not None and number > most:
        fix = f"write a number up to {most:,.0f}, or leave it out"
    findings.add((*at, key), f"is {value!r:.60}", fix)
    return None


def _seconds(run: Mapping[str, Json], at: At, runs: Runs) -> float | int | None:
    """How long a run took, in seconds: as it says, or from its start to its end."""
    start = _moment(run, "start_time", at, runs.findings)
    end = _moment(run, "end_time", at, runs.findings)
    if start is not None:
        runs.dates.add(start.date().isoformat())
    for key in _TIMES:
        if run.get(key) is not None:
            return _amount(run, key, MOST_SECONDS, at, runs.findings)
    if start is None or end is None:
        return None
    if (start.tzinfo is None) is not (end.tzinfo is None) or end < start:
        what = "is before start_time, or only one of them has a time zone"
        runs.findings.add((*at, "end_time"), what, "correct the times")
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
        what = f"is {value!r:.60}, which is not a time"
        findings.add((*at, key), what, "write it as 2026-01-31T12:00:00+00:00")
        return None
