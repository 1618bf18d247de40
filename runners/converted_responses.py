"""A responses file in any known form, as the file of a submission."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from leaderboard.errors import FilesError, Problem
from leaderboard.files.file_bytes import unpack
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At, parse, path_text
from leaderboard.network.secret_keys import without_known_keys
from leaderboard.responses.accepted_records import suite_of_most
from leaderboard.responses.forms.converter import Converted, convert
from leaderboard.responses.forms.file_formats import read_container
from leaderboard.responses.forms.record_places import named_ids
from leaderboard.responses.response_records import Interner, read_records
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import first_of
from leaderboard.texts.shown_values import first_line
from leaderboard.types import Records, Response, Suite
from runners.models.model_settings import remember_usual_keys
from runners.submission_writer import encode, responses_bytes

_SHOWN_IDS = 5
_HIDDEN = "held an API key of your environment; the submission has [key] in its place"
_ALLOW = "or pass --allow-empty if that is what it answered"


@dataclass(frozen=True, slots=True)
class ImportedResponses:
    """A responses file to write, and what was found in the given one.

    `contents` says how many records, calls, texts and errors it has. `answered` counts cases with
    an answer, `unanswered` those that have only errors in place of one, and `empty` all other cases
    that have a record. `problems` are warnings.
    """

    data: bytes
    form: str
    contents: str
    answered: int
    unanswered: int
    empty: int
    notes: Sequence[str]
    problems: Sequence[Problem]


def import_responses(
    given: bytes,
    shown: str,
    suite: Suite,
    other_suites: Callable[[], Sequence[Suite]],
    *,
    allow_empty: bool = False,
) -> ImportedResponses:
    """Reads the bytes of a file that answers `suite`, packed or not. `shown` names it in messages.

    Raises FilesError with all problems. `other_suites` are asked for only if the file answers none
    of the suite's cases.
    """
    container = read_container(given, shown)
    _refuse_other_suite(named_ids(container), suite, other_suites, shown)
    found = convert(container, suite, shown)
    if found.unchanged:
        data = unpack(given, shown) if given.startswith(b"\x1f\x8b") else given
        data = data.removeprefix(codecs.BOM_UTF8)
        findings = Findings(shown, data)
    else:
        data = responses_bytes(found.records)
        findings = converted_findings(shown, data, found.places)
    document = parse(data, shown)
    # A server may have repeated the key, and a submission must never contain it.
    remember_usual_keys()
    hidden = without_known_keys(document)
    if hidden != document:
        data = encode(json.dumps(hidden, ensure_ascii=False, indent=1) + "\n")
        found = replace(found, notes=[*found.notes, _HIDDEN])
    records = read_records(hidden, suite, findings, Interner())
    findings.raise_errors()
    if not allow_empty:
        _refuse_empty(records, suite, shown)
    return _summary(data, found, records, findings.problems())


def converted_findings(shown: str, data: bytes, places: Sequence[str]) -> Findings:
    """Findings about records that were made from others. `places` names each in messages."""
    # Lines of the converted data would be no lines of the given file.
    return Findings(shown, data, lambda _data, _wanted: {}, partial(_place_in_given, places))


def _place_in_given(places: Sequence[str], at: At) -> str:
    """Names a path into the converted records by the record's place in the given file."""
    if len(at) < 2:
        return ""
    field = path_text(at[2:]).removeprefix("$").removeprefix(".")
    place = places[int(at[1])]
    return f"{place}, {field}" if field else place


def _summary(
    data: bytes, found: Converted, records: Records, problems: Sequence[Problem]
) -> ImportedResponses:
    responses = records.responses
    malformed = [
        f"{one.case_id} ({first_line(one.malformed)})"
        for one in responses
        if one.malformed is not None
    ]
    unread = []
    if malformed:
        have = counted(len(malformed), "record has", "records have")
        unread.append(f"{have} calls that cannot be read: {first_of(malformed, _SHOWN_IDS)}")
    empty = [one.case_id for one in responses if not (_says_something(one) or one.error)]
    if empty:
        more = ", …" if len(empty) > _SHOWN_IDS else ""
        are = counted(len(empty), "record is", "records are")
        unread.append(f"{are} empty: {', '.join(empty[:_SHOWN_IDS])}{more}")
    both = sum(_says_something(one) and one.error is not None for one in responses)
    if both:
        have = counted(both, "record has", "records have")
        unread.append(f"{have} an answer and an error: the error counts")
    contents = [
        counted(len(responses), "record"),
        counted(sum(len(response.calls) for response in responses), "call"),
        counted(sum(bool(response.text) for response in responses), "text"),
        counted(sum(response.error is not None for response in responses), "error"),
    ]
    cases = {response.case_id for response in responses}
    without_error = [response for response in responses if response.error is None]
    tried = {response.case_id for response in without_error}
    answered = {response.case_id for response in without_error if _says_something(response)}
    return ImportedResponses(
        data,
        found.form,
        ", ".join(contents),
        len(answered),
        len(cases - tried),
        len(tried - answered),
        [*found.notes, *unread],
        problems,
    )


def _refuse_other_suite(
    ids: Sequence[str], suite: Suite, other_suites: Callable[[], Sequence[Suite]], shown: str
) -> None:
    """Raises FilesError if another suite has most of the ids, and this one has none."""
    if not ids or any(case_id in suite.by_id for case_id in ids):
        return
    other = suite_of_most(ids, other_suites())
    if other is not None:
        known = sum(case_id in other.by_id for case_id in ids)
        what = f"answers {other.id}, not {suite.id}: {known:,} of its ids are cases of it"
        raise FilesError.about(shown, what, f"pass --suite {other.id}")


def _refuse_empty(records: Records, suite: Suite, shown: str) -> None:
    """Raises FilesError for a file without one answer, and for calls that lost their arguments."""
    responses = records.responses
    if not responses:
        what = f"answers only retired cases of {suite.id}"
        raise FilesError.about(shown, what, "answer the cases that it has: lb requests")
    if not any(_says_something(response) for response in responses):
        failed = sum(response.error is not None for response in responses)
        number = counted(len(responses), "record")
        what = f"has {number}, and all of them are empty"
        if failed:
            what = f"has {number} without an answer, {failed:,} with an error"
        elif len(responses) == 1:
            what = f"has {number}, which is empty"
        fix = f"check where the file keeps its answers, {_ALLOW}"
        raise FilesError.about(shown, what, fix)
    calls = [(call, response.case_id) for response in responses for call in response.calls]
    if any(call.arguments for call, _ in calls):
        return
    bare = sum(_needs_arguments(suite, case_id, call.name) for call, case_id in calls)
    if bare:
        what = f"has {len(calls):,} calls, all without arguments; {bare:,} of their tools need some"
        if len(calls) == 1:
            what = "has 1 call, which has no arguments although its tool needs some"
        fix = f"check where the file keeps the arguments, {_ALLOW}"
        raise FilesError.about(shown, what, fix)


def _says_something(response: Response) -> bool:
    declared = response.declared or response.has_state or response.reported
    return bool(response.calls or response.text or response.malformed or declared)


def _needs_arguments(suite: Suite, case_id: str, name: str) -> bool:
    named = (tool for tool in suite.by_id[case_id].tools if tool.name == name)
    return any(parameter.required for tool in named for parameter in tool.parameters)
