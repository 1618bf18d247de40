"""The forms that a record can have: our own, those of harnesses and providers, and plain text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.kinds import Interaction
from leaderboard.responses.answer_fields import ANSWER_FIELDS, CALL_KEYS, OWN_FIELDS
from leaderboard.responses.forms.batch_outputs import batch_form, read_batch
from leaderboard.responses.forms.every_eval_ever_samples import eee_form, read_eee
from leaderboard.responses.forms.file_formats import Container
from leaderboard.responses.forms.foreign_records import ForeignRecord, Row, error_text
from leaderboard.responses.forms.inspect_logs import inspect_form, read_sample
from leaderboard.responses.forms.lm_eval import lm_eval_form, read_lm_eval
from leaderboard.responses.forms.model_reply import UnreadableRecordError
from leaderboard.responses.forms.plain_records import find_answer, read_plain
from leaderboard.responses.forms.promptfoo import promptfoo_form, read_promptfoo
from leaderboard.responses.forms.provider_replies import ProviderReply
from leaderboard.responses.forms.record_places import listed_rows, named_ids
from leaderboard.responses.forms.tester_files import read_tester, tester_form
from leaderboard.types import Json

# The forms of records that a harness writes. All others are plain records.
_HARNESSES: Final[Sequence[tuple[Callable[[Row], str | None], Callable[..., ForeignRecord]]]] = (
    (batch_form, read_batch),
    (tester_form, read_tester),
    (inspect_form, read_sample),
    (lm_eval_form, read_lm_eval),
    (promptfoo_form, read_promptfoo),
    (eee_form, read_eee),
)
PLAIN: Final = "plain texts"
ERRORS: Final = "errors"
# Files of systems that have an import of their own, recognised by keys of their records.
_IMPORTS: Final[Mapping[str, frozenset[str]]] = {
    "langsmith": frozenset({"inputs", "outputs", "run_type"}),
    "stabletoolbench": frozenset({"answer_generation", "forward_args"}),
}


def read_record(row: Row) -> tuple[str, ForeignRecord]:
    """Reads a record, and names its form. Raises UnreadableRecordError."""
    if harness := _harness_of(row):
        name, read = harness
        return name, read(row)
    record = read_plain(row)
    return _form_of(record.answer), record


def _form_of_record(row: Row) -> str | None:
    """Names the form that `read_record` reads; None for a record without a readable answer."""
    if harness := _harness_of(row):
        return harness[0]
    try:
        answer = find_answer(row)
    except UnreadableRecordError:
        return None
    return None if answer is None else _form_of(answer)


def is_plain(row: Row) -> bool:
    """Whether a record has no form of a harness."""
    return _harness_of(row) is None


def _harness_of(row: Row) -> tuple[str, Callable[..., ForeignRecord]] | None:
    """The form of a record that a harness writes, and what reads it."""
    for form, read in _HARNESSES:
        if name := form(row):
            return name, read
    return None


def _form_of(answer: ProviderReply | str | None) -> str:
    if answer is None:
        return ERRORS
    return answer.form if isinstance(answer, ProviderReply) else PLAIN


def form_of_file(container: Container) -> str | None:
    """Names the form of a file that is no responses file; None if its form is not known."""
    if container.name != "JSON":
        return container.name if named_ids(container) else None
    rows = [row for row in listed_rows(container.document) if isinstance(row, Mapping)]
    if not rows or any(has_own_fields(rows[0], own) for own in OWN_FIELDS.values()):
        return None  # no records, or records of responses with other problems
    return _form_of_record(rows[0])


def has_own_fields(row: Row, own: frozenset[str]) -> bool:
    """Whether a record answers in the fields of a responses file.

    A record that has these fields empty, and an answer elsewhere, does not.
    """
    if not _has_id(row) or row.keys().isdisjoint(own):
        return False
    filled = [key for key in own & row.keys() if row[key] not in (None, "")]
    if any(isinstance(row[key], str) and key in CALL_KEYS for key in filled):
        return False  # a cell of a table
    if "answer" in filled and not isinstance(row["answer"], Mapping):
        return False
    if filled or error_text(row.get("error")):
        return True
    try:
        others = {key: value for key, value in row.items() if key not in own}
        return not find_answer(others)
    except UnreadableRecordError:
        return False


def _has_id(row: Row) -> bool:
    """Whether a record has an id: a text or, as the queries of StableToolBench, a number."""
    return type(row.get("id")) in (str, int)


def are_responses(rows: Sequence[Json], interaction: Interaction) -> bool:
    """Whether these are the records of a responses file.

    Beside records with fields of its own, some may have only an `error` or an `output`.
    """
    records = [row for row in rows if isinstance(row, Mapping)]
    own = OWN_FIELDS[interaction]
    others = [row for row in records if not has_own_fields(row, own)]
    if len(records) < len(rows) or len(others) == len(records):
        return False
    shared = {"error", *ANSWER_FIELDS[interaction]} - own
    return all(row.keys().isdisjoint(own) and _answers_only_in(row, shared) for row in others)


def _answers_only_in(row: Row, fields: Collection[str]) -> bool:
    """Whether a record has texts in some of these fields, and no other answer."""
    if not _has_id(row) or row.keys().isdisjoint(fields):
        return False
    others = {
        key: value
        for key, value in row.items()
        if key not in fields or isinstance(value, Mapping | list)
    }
    try:
        return not find_answer(others)
    except UnreadableRecordError:
        return False


def refuse_imports(rows: Sequence[Json], shown: str) -> None:
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
