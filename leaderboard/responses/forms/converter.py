"""Turns a file in a foreign form into the records of a responses file.

Nothing becomes an empty answer in silence. A record whose answer is not found is a problem, and so
is a file without a single answer. Equal problems are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.responses.agent_steps import STEP_KEYS
from leaderboard.responses.forms.batch_outputs import batch_form, read_batch
from leaderboard.responses.forms.case_ids import (
    cases_by_batch_id,
    cases_by_question,
    named_case,
)
from leaderboard.responses.forms.containers import Container
from leaderboard.responses.forms.every_eval_ever_samples import eee_form, read_eee
from leaderboard.responses.forms.foreign_records import (
    ForeignRecord,
    Row,
    UnreadableRecordError,
    ids_of,
)
from leaderboard.responses.forms.inspect_logs import inspect_form, read_sample
from leaderboard.responses.forms.lm_eval import lm_eval_form, read_lm_eval
from leaderboard.responses.forms.model_reply import ToolCall, Turn
from leaderboard.responses.forms.plain_records import decoded, find_answer, listed_calls, read_plain
from leaderboard.responses.forms.promptfoo import promptfoo_form, read_promptfoo
from leaderboard.responses.forms.reply_forms import FormReply
from leaderboard.responses.forms.reported_rows import read_reported_row
from leaderboard.responses.forms.tester_files import read_tester, tester_form
from leaderboard.responses.record_checks import CALL_KEYS
from leaderboard.types import Case, Json, Suite, Tool

NATIVE: Final = "responses of a submission"

# The forms of records that a harness writes. All others are plain records.
_HARNESSES: Final[Sequence[tuple[Callable[[Row], str | None], Callable[..., ForeignRecord]]]] = (
    (batch_form, read_batch),
    (tester_form, read_tester),
    (inspect_form, read_sample),
    (lm_eval_form, read_lm_eval),
    (promptfoo_form, read_promptfoo),
    (eee_form, read_eee),
)
# Files of systems that have an import of their own, recognised by keys of their records.
_IMPORTS: Final[Mapping[str, frozenset[str]]] = {
    "langsmith": frozenset({"inputs", "outputs", "run_type"}),
    "stabletoolbench": frozenset({"answer_generation", "forward_args"}),
}
# The keys under which JSON documents keep their list of records.
_LISTS: Final = (
    *("samples", "results", "rows", "data", "responses", "records", "predictions", "outputs"),
    *("items", "answers"),
)
_OWN: Final[Mapping[str, frozenset[str]]] = {
    "message": frozenset({*CALL_KEYS, "model_text"}),
    "environment": frozenset({*CALL_KEYS, "model_text", *STEP_KEYS, "state"}),
    "apis": frozenset(
        {*CALL_KEYS, "model_text", *STEP_KEYS}
        | {"called_apis", "answer_details", "final_answer", "answer"}
    ),
    "elsewhere": frozenset(),  # always converted: other keys of a harness are left out
}
_FENCE: Final = re.compile(r"```(?:json)?\s*\n(.*?)\n?```", re.DOTALL)
_SHOWN_IDS: Final = 3


@dataclass(frozen=True, slots=True)
class Converted:
    """The records of a file. `form` names what was found, `notes` say what else a user must know.

    `unchanged`: the file is a responses file already.
    """

    form: str
    records: Sequence[Row]
    notes: Sequence[str] = ()
    unchanged: bool = False


@dataclass(slots=True)
class _Problems:
    """Problems of single records, with equal ones counted."""

    shown: str
    found: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)

    def add(self, place: str, what: str, fix: str, example: str = "") -> None:
        self.found.setdefault((what, fix), []).append((place, example))

    def raise_any(self) -> None:
        if self.found:
            raise FilesError([self._problem(*key, met) for key, met in self.found.items()])

    def _problem(self, what: str, fix: str, met: Sequence[tuple[str, str]]) -> Problem:
        place = met[0][0] + (f" and {len(met) - 1:,} more" if len(met) > 1 else "")
        examples = list(dict.fromkeys(example for _, example in met if example))
        if examples:
            more = ", …" if len(examples) > _SHOWN_IDS else ""
            what = f"{what}: {', '.join(examples[:_SHOWN_IDS])}{more}"
        return Problem(self.shown, what, fix, at=place)


def convert(container: Container, suite: Suite, shown: str) -> Converted:
    """Converts the values of a file that answers `suite`. Raises FilesError with all problems."""
    rows, places, is_own = _find_rows(container, suite)
    if not rows:
        what, fix = "holds no records", "write a list of records, or one record on each line"
        raise FilesError.about(shown, what, fix)
    own = _OWN[suite.kind.interaction]
    if all(isinstance(row, Mapping) and _is_own(row, own) for row in rows):
        if is_own:
            return Converted(NATIVE, rows, unchanged=True)
        return Converted(f"{NATIVE} in {container.name}", _with_ids(rows, suite))
    _refuse_imports(rows, shown)

    problems = _Problems(shown)
    forms: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    reader = _Reader(suite, forms, notes, problems)
    records = [
        record
        for row, place in zip(rows, places, strict=True)
        if (record := reader.record(row, place)) is not None
    ]
    problems.raise_any()
    names = [name for name, _ in forms.most_common(3)]
    form = f"{' and '.join(names)} in {container.name}"
    return Converted(form, records, [f"{count:,} {note}" for note, count in notes.items()])


def foreign_form(container: Container) -> str | None:
    """Names the form of a file that is no responses file; None if its form is not known."""
    if container.name != "JSON":
        return container.name if named_ids(container) else None
    rows = [row for row in _listed(container.document) if isinstance(row, Mapping)]
    if rows and any(_is_own(rows[0], own) for own in _OWN.values()):
        rows = []  # records of responses, with other problems
    for row in rows[:1]:
        for form, _ in _HARNESSES:
            if name := form(row):
                return name
        try:
            answer = find_answer(row, since_question=True)
        except UnreadableRecordError:
            return None
        if isinstance(answer, FormReply):
            return answer.form
        return None if answer is None else "plain texts"
    return None


def _listed(document: Json) -> Sequence[Json]:
    """The list of records in a document, wherever it is."""
    if isinstance(document, list):
        return document
    if not isinstance(document, Mapping):
        return ()
    for key in ("test_results", *_LISTS):
        value = document.get(key)
        if key == "results" and isinstance(value, Mapping):
            value = value.get("results")  # promptfoo
        if isinstance(value, list):
            return value
    if any(isinstance(value, Mapping | list) for value in document.values()):
        return tuple(value for value in document.values() if isinstance(value, Mapping))
    return ()


def _find_rows(container: Container, suite: Suite) -> tuple[Sequence[Json], Sequence[str], bool]:
    """The records with their places, and whether they lie as in a responses file."""
    document = container.document
    if not isinstance(document, Mapping):
        return container.values, container.places, container.name == "JSON"
    modes = [mode for mode in ("with_tools", "no_tools") if isinstance(document.get(mode), Mapping)]
    lists = [document.get("test_results"), *(document[mode].get("test_results") for mode in modes)]
    rows: Sequence[Json] = [row for part in lists if isinstance(part, list) for row in part]
    is_own = bool(rows)
    if not is_own and document.keys() & suite.by_id.keys():
        rows = [_by_id(case_id, value) for case_id, value in document.items()]
    elif not is_own:
        rows = _listed(document) if document.keys() & set(_LISTS) else [document]
    return rows, [f"record {number}" for number in range(1, len(rows) + 1)], is_own


def _by_id(case_id: str, value: Json) -> Json:
    if isinstance(value, Mapping):
        return {**value, "case_id": case_id}
    return {"case_id": case_id, "response" if isinstance(value, list) else "answer": value}


def _is_own(row: Row, own: frozenset[str]) -> bool:
    """Returns whether a record answers in the fields of a responses file.

    A record that has these fields empty, and an answer elsewhere, does not.
    """
    if "id" not in row or not isinstance(row["id"], str) or row.keys().isdisjoint(own):
        return False
    filled = [key for key in own & row.keys() if row[key] not in (None, "")]
    if any(isinstance(row[key], str) and key in CALL_KEYS for key in filled):
        return False  # a cell of a table
    if "answer" in filled and not isinstance(row["answer"], Mapping):
        return False
    if filled or row.get("error"):
        return True
    try:
        others = {key: value for key, value in row.items() if key not in own}
        return not find_answer(others, since_question=True)
    except UnreadableRecordError:
        return False


def _with_ids(rows: Sequence[Row], suite: Suite) -> list[Row]:
    by_batch_id = cases_by_batch_id(suite)
    return [
        {**row, "id": by_batch_id[row["id"]].id if row["id"] in by_batch_id else row["id"]}
        for row in rows
    ]


def _refuse_imports(rows: Sequence[Json], shown: str) -> None:
    """Raises FilesError for the files of systems that `lb import` reads."""
    first = next((row for row in rows if isinstance(row, Mapping)), {})
    for name, keys in _IMPORTS.items():
        if keys <= first.keys():
            fix = f"read it with: lb import {name}"
            raise FilesError.about(shown, f"is a file that lb import {name} reads", fix)
    result = first.get("result")
    is_bfcl = isinstance(result, list) and all(
        isinstance(item, Mapping) and len(item) == 1 for item in result
    )
    if result and is_bfcl:
        what = "holds results of the Berkeley Function Calling Leaderboard"
        raise FilesError.about(shown, what, "read them with: lb import bfcl")


@dataclass(slots=True)
class _Reader:
    """Reads the records of one file, and counts their forms and what happened to them."""

    suite: Suite
    forms: Counter[str]
    notes: Counter[str]
    problems: _Problems
    _by_batch_id: Mapping[str, Case] = field(init=False)
    _by_question: Mapping[str, Case] = field(init=False)
    _seen: dict[tuple[str, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_batch_id = cases_by_batch_id(self.suite)
        self._by_question = cases_by_question(self.suite)

    def record(self, row: Json, place: str) -> dict[str, Json] | None:
        """The record of a responses file; None after a problem."""
        if not isinstance(row, Mapping):
            self.problems.add(place, "is not a JSON object", "write each record as an object")
            return None
        if self.suite.kind.reported:
            return self._reported(row, place)
        try:
            found = self._read(row)
        except UnreadableRecordError as error:
            self.problems.add(place, str(error), error.fix)
            return None
        case = named_case(
            self.suite, found.ids, found.questions, self._by_batch_id, self._by_question
        )
        if case is None:
            named = repr(found.ids[0]) if found.ids else "no id"
            what = f"names no case of {self.suite.id}, and no question of its cases"
            fix = "give each record the case's id in `id`; lb requests writes them"
            self.problems.add(place, what, fix, f"{named:.60}")
            return None
        if self._seen.setdefault((case.id, found.trial), place) is not place:
            fix = "keep one answer for each case, or number the attempts in `trial`"
            self.problems.add(place, "answers a case a second time", fix, repr(case.id))
            return None
        return self._made(case, found, row)

    def _reported(self, row: Row, place: str) -> dict[str, Json] | None:
        self.forms["reported scores"] += 1
        try:
            return read_reported_row(row, self.suite)
        except UnreadableRecordError as error:
            self.problems.add(place, str(error), error.fix)
            return None

    def _read(self, row: Row) -> ForeignRecord:
        since_question = self.suite.kind.interaction == "message"
        for form, read in _HARNESSES:
            if name := form(row):
                self.forms[name] += 1
                return read(row, since_question=since_question)
        found = read_plain(row, since_question=since_question)
        answer = found.answer
        self.forms[answer.form if isinstance(answer, FormReply) else "plain texts"] += 1
        return found

    def _made(self, case: Case, found: ForeignRecord, row: Row) -> dict[str, Json]:
        record: dict[str, Json] = {"id": case.id}
        for key in ("user_query", "ground_truth"):
            if key in row:
                record[key] = row[key]
        if isinstance(found.answer, FormReply):
            turns = found.answer.turns
            said = [turn.reply for turn in turns]
            extra = _extra_of(found, turns)
        else:
            turns, extra, said = (), found.extra, []
        if self.suite.kind.interaction == "message":
            record |= self._message(case, found, turns)
        else:
            record |= _steps(found, turns)
        failure = found.error or (said[-1].failure if said else None)
        if failure:
            record["error"] = failure
        if found.trial != 1:
            record["trial"] = found.trial
        return {**record, **extra}

    def _message(self, case: Case, found: ForeignRecord, turns: Sequence[Turn]) -> dict[str, Json]:
        """One message: the first turn after the question, or the last if no tools are offered."""
        if len(turns) > 1 and case.tools:
            self.notes["× a conversation goes on after the first reply: the first counts"] += 1
        if turns:
            reply = turns[0 if case.tools else -1].reply
            calls, text = reply.calls, reply.text
        else:
            calls, text = (), found.answer if isinstance(found.answer, str) else None
            calls, text = calls_in_text(text, case.tools)
            if calls:
                self.notes["× a text is a tool call written as JSON, and was read as a call"] += 1
        names = _shown_names(case)
        written = [
            {"name": names.get(call.name, call.name), "arguments": call.arguments} for call in calls
        ]
        called = written[0] if len(written) == 1 else written or None
        return {"model_function_call": called, "model_text": text or None}


def _shown_names(case: Case) -> Mapping[str, str]:
    """The tools' own names by those without dots, which providers refuse."""
    names = {tool.name for tool in case.tools}
    shown = {name.replace(".", "_"): name for name in sorted(names)}
    return {short: name for short, name in shown.items() if short not in names}


def calls_in_text(
    text: str | None, tools: Sequence[Tool]
) -> tuple[tuple[ToolCall, ...], str | None]:
    """Splits a text into calls of offered tools that it gives as JSON, and the other text.

    Harnesses that keep only texts write calls in this way.
    """
    names = {tool.name for tool in tools}
    names |= {name.replace(".", "_") for name in names}
    calls: list[ToolCall] = []
    others = []
    for part in _parts(text or ""):
        value = decoded(part)
        listed = None if isinstance(value, str) else listed_calls(value)
        if listed and all(call.name in names for call in listed):
            calls += listed
        else:
            others.append(part)
    return (tuple(calls), "\n\n".join(others) or None) if calls else ((), text)


def _parts(text: str) -> Iterator[str]:
    """A text that may be JSON as a whole or in a fence; else its paragraphs."""
    stripped = text.strip()
    if fenced := _FENCE.fullmatch(stripped):
        stripped = fenced[1]
    if not isinstance(decoded(stripped), str):
        yield stripped
    else:
        yield from text.split("\n\n")


def _steps(found: ForeignRecord, turns: Sequence[Turn]) -> dict[str, Json]:
    """All calls as steps with the tools' replies, and the last text."""
    steps = []
    for turn in turns:
        for call, observation in zip(turn.reply.calls, turn.observations, strict=True):
            step: dict[str, Json] = {"tool": call.name, "tool_input": call.arguments}
            if observation is not None:
                step["observation"] = observation
            steps.append(step)
    text = turns[-1].reply.text if turns else found.answer
    return {"output": text or None, "intermediate_steps": steps}


def _extra_of(found: ForeignRecord, turns: Sequence[Turn]) -> Row:
    """Usage and latency: what the harness says, else the tokens that the replies report."""
    if found.extra or not turns:
        return found.extra
    usage = {}
    for name in ("input_tokens", "output_tokens"):
        counts = [getattr(turn.reply, name) for turn in turns]
        known = [count for count in counts if count is not None]
        if known:
            usage[name] = sum(known)
    return {"usage": usage} if usage else {}


def named_ids(container: Container) -> Sequence[str]:
    """Returns the first id that each record of a file names."""
    rows = container.values if container.document is None else _listed(container.document)
    found = (ids_of(row) for row in rows if isinstance(row, Mapping))
    return [ids[0] for ids in found if ids]
