"""Checks of the records of a responses file: their shape, size, cases, trials and answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from leaderboard.digest import canonical
from leaderboard.errors import UnknownCase
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.files.shaped_files import find_bad_records
from leaderboard.limits import (
    ANSWERS_LENGTH,
    MOST_RECORDS,
    MOST_UNANSWERED,
    RECORD_BYTES,
    TEXT_LENGTH,
    megabytes,
)
from leaderboard.responses.answer_fields import (
    ANSWER_FIELDS,
    has_answer,
    unread_answers,
    unread_fields,
)
from leaderboard.responses.forms.foreign_records import error_text
from leaderboard.responses.record_columns import Row
from leaderboard.responses.record_lists import (
    RESPONSES_FORMAT,
    CaseTrial,
    RecordList,
    find_lists,
    listed_records,
)
from leaderboard.responses.record_shapes import RESPONSES
from leaderboard.types import Json, Response, Suite

_LIKE_DIGITS: Final = str.maketrans("oil", "011")
_FIX_OF_UNKNOWN: Final = (
    "correct its id, or remove the record; if the suite had this case, its owner lists it in "
    "`retired` of suite.toml"
)


def valid_lists(document: Json, suite: Suite, findings: Findings) -> Sequence[RecordList]:
    """The valid records of a file, each trial of a case once. The others are findings."""
    lists = []
    for prefix, rows in find_lists(document, findings):
        if any(isinstance(row, dict) and type(row.get("id")) is int for row in rows):
            rows = [_with_text_id(row) for row in rows]  # noqa: PLW2901 - the same records
        every = RecordList(prefix, rows, range(len(rows)))
        bad = find_bad_records(RESPONSES, rows, findings, RESPONSES_FORMAT, prefix)
        lists.append(every.without(bad))

    _refuse_large(lists, findings)
    lists = _without_retired(lists, suite, findings)

    # Most files are without mistakes. Comparing sets is the fast way to find that out.
    answered = [place for part in lists for place in part.answered]
    distinct = set(answered)
    if len(distinct) != len(answered) or not suite.by_id.keys() >= {case for case, _ in distinct}:
        seen: dict[CaseTrial, At] = {}
        lists = [_first_answers(part, suite, seen, findings) for part in lists]
        distinct = set(seen)
    _check_trials(lists, distinct, suite, findings)
    lists = [_without_misplaced(part, suite, findings) for part in lists]
    lists = [_answered_rows(part, suite, findings) for part in lists]
    return [_reported_rows(part, suite, findings) for part in lists]


def _without_retired(lists: list[RecordList], suite: Suite, findings: Findings) -> list[RecordList]:
    """The records without those of retired cases. A warning counts them."""
    if not suite.retired:
        return lists
    left, retired = [], []
    for part in lists:
        indexes = [index for index, row in enumerate(part.rows) if row["id"] in suite.retired]
        retired += [part.rows[index]["id"] for index in indexes]
        left.append(part.without(indexes))
    if retired:
        what = f"has records of retired cases, which are skipped: {len(retired):,}"
        fix = f"nothing to fix: {suite.id} no longer has these cases, such as {retired[0]!r}"
        findings.add((), what, fix, "warning")
    return left


def _reported_rows(part: RecordList, suite: Suite, findings: Findings) -> RecordList:
    """The records whose metrics can be read. Only suites of reported scores have any."""
    if not suite.kind.reported:
        return part
    metrics = [metric.id for metric in suite.kind.metrics]
    bad = set()
    for index, row in enumerate(part.rows):
        values = row.get("metrics")
        if not isinstance(values, dict | None):
            fix = 'write an object, such as {"metrics": {"' + metrics[0] + '": 1}}'
            findings.add(part.at(index, "metrics"), "is not an object", fix)
            bad.add(index)
            continue
        for name, value in (values or {}).items():
            at = part.at(index, "metrics", name)
            if name not in metrics:
                fix = f"one of: {', '.join(metrics)}; or add it to suite.toml"
                findings.add(at, f"is not a metric of {suite.id}: {name!r}", fix)
                bad.add(index)
            elif not (value is None or (isinstance(value, int | float) and 0 <= value <= 1)):
                what = f"expected a score from 0 to 1, true, false or null, got {value!r:.80}"
                findings.add(at, what, "divide scores in percent by 100")
                bad.add(index)
    return part.without(bad)


def _with_text_id(row: Json) -> Json:
    """A record with its id as text. The queries of StableToolBench have numbers."""
    is_number = isinstance(row, dict) and type(row.get("id")) is int
    return {**row, "id": str(row["id"])} if is_number else row


def _answered_rows(part: RecordList, suite: Suite, findings: Findings) -> RecordList:
    """The records with a field that can hold an answer to this kind of suite, or an error.

    A record without one would else be scored as an empty answer.
    """
    fields = ANSWER_FIELDS[suite.kind.interaction]
    if any(map(part.columns.everywhere, fields)):
        return part
    fix = f"add one of: {', '.join(fields)}; null for no answer, or an error"
    empty = set()
    for index, row in enumerate(part.rows):
        if row.keys().isdisjoint(fields) and row_error(row) is None:
            findings.add(part.at(index), "has no answer", fix)
            empty.add(index)
    return part.without(empty)


def _without_misplaced(part: RecordList, suite: Suite, findings: Findings) -> RecordList:
    """The records without those whose whole answer is in fields that are not read."""
    interaction = suite.kind.interaction
    unread = unread_fields(part.columns.names, interaction)
    bad = set()
    for index, row in enumerate(part.rows if unread else ()):
        if row_error(row) is not None or has_answer(row, ANSWER_FIELDS[interaction]):
            continue
        for name, known in unread_answers(row, unread):
            what = "is not read, and no other field has an answer"
            findings.add(part.at(index, name), what, f"rename it to {known}")
            bad.add(index)
    return part.without(bad)


def row_error(row: Row) -> Json:
    """The error of a record; None for any value that means that there was none."""
    error = row.get("error")
    return None if error is None or error_text(error) is None else error


def _refuse_large(lists: Sequence[RecordList], findings: Findings) -> None:
    """Adds a problem for too many records in a file, and for each record that is too long."""
    number = sum(len(part.rows) for part in lists)
    if number > MOST_RECORDS:
        what = f"has {number:,} records; the limit is {MOST_RECORDS:,}"
        findings.add((), what, "split the suite, or submit fewer trials")
    if len(findings.data) <= RECORD_BYTES:
        return
    for part in lists:
        for index, row in enumerate(part.rows):
            size = len(canonical(row))
            if size > RECORD_BYTES:
                what = f"is {megabytes(size)}; the limit of a record is {megabytes(RECORD_BYTES)}"
                findings.add(part.at(index), what, "leave out what is not scored, such as logs")


def refuse_long_answers(
    lists: Sequence[RecordList], responses: Sequence[Response], findings: Findings
) -> None:
    """Adds a problem for each record whose text, error or one of whose calls is too long.

    All of them together have a limit, too: small words compress well, and take long to read.
    """
    if len(findings.data) <= TEXT_LENGTH:
        return
    # Many records have the same response.
    distinct = {response.key: response for response in responses}
    if _written_length(distinct.values()) <= TEXT_LENGTH:  # so each of them is shorter
        return
    parts = {key: _lengths(response) for key, response in distinct.items()}
    total = sum(map(sum, parts.values()))
    if total > ANSWERS_LENGTH:
        what = f"has {total:,} characters of answers; the limit is {ANSWERS_LENGTH:,}"
        findings.add((), what, "shorten the answers, or submit fewer trials")
    lengths = {key: max(found) for key, found in parts.items()}
    if max(lengths.values(), default=0) <= TEXT_LENGTH:
        return
    places = (part.at(index) for part in lists for index in range(len(part.rows)))
    for at, response in zip(places, responses, strict=True):
        length = lengths[response.key]
        if length > TEXT_LENGTH:
            what = f"has a text or call of {length:,} characters; the limit is {TEXT_LENGTH:,}"
            findings.add(at, what, "shorten the answer")


def _written_length(responses: Collection[Response]) -> int:
    """How many bytes all texts, errors and calls have as JSON: at least as many as characters."""
    calls = [[call.name, dict(call.arguments)] for response in responses for call in response.calls]
    return len(canonical([calls, [[response.text, response.error] for response in responses]]))


def longest_part(response: Response) -> int:
    """How many characters the longest part of an answer has. A call counts as JSON."""
    return max(_lengths(response))


def _lengths(response: Response) -> list[int]:
    """How many characters the text, the error and each call of an answer have."""
    calls = (canonical([call.name, dict(call.arguments)]) for call in response.calls)
    texts = (
        response.text or "",
        response.error or "",
        *(call.decode("utf-8", "replace") for call in calls),
    )
    return list(map(len, texts))


def _check_trials(
    lists: Sequence[RecordList], answered: Collection[CaseTrial], suite: Suite, findings: Findings
) -> None:
    """Adds problems for gaps between the trials of a case, and for trials of too few cases."""
    if all("trial" not in part.columns.names for part in lists):
        return
    if all(trial == 1 for _, trial in answered):
        return
    for part in lists:
        for index, row in enumerate(part.rows):
            case_id, trial = row["id"], row.get("trial", 1)
            if trial > 1 and (case_id, trial - 1) not in answered:
                what = f"is trial {trial} of {case_id!r}, which has no trial {trial - 1}"
                findings.add(part.at(index, "trial"), what, "number trials 1, 2, 3 …")
    trials = max(trial for _, trial in answered)
    unanswered = trials * len(suite.by_id) - len(answered)
    if trials > 1 and unanswered - len(suite.by_id) > MOST_UNANSWERED:
        what = f"has {trials} trials, but no record for {unanswered:,} of their cases"
        findings.add((), what, "answer every case in each trial")


def _first_answers(
    part: RecordList, suite: Suite, seen: dict[CaseTrial, At], findings: Findings
) -> RecordList:
    """The first answer to each trial of a known case. `seen` has those of earlier lists."""
    others = set()
    unknown = [row["id"] for row in part.rows if row["id"] not in suite.by_id]
    spelt = {_letters(case_id): case_id for case_id in suite.by_id} if unknown else {}
    for index, row in enumerate(part.rows):
        case_id, trial = row["id"], row.get("trial", 1)
        if case_id not in suite.by_id:
            at, what = part.at(index, "id"), f"names a case that is not in {suite.id}: {case_id!r}"
            if near := spelt.get(_letters(case_id)):
                findings.add(at, what, f"correct its id; did you mean {near!r}?")
            else:
                unknown_case = UnknownCase(suite.id, case_id)
                findings.add(at, what, _FIX_OF_UNKNOWN, unknown_case=unknown_case)
            others.add(index)
        elif (case_id, trial) in seen:
            first = findings.shown_path(seen[case_id, trial])
            what = f"answers case {case_id} again (trial {trial}); the first answer is at {first}"
            fix = "keep one, or number the trials with `trial`"
            findings.add(part.at(index, "id"), what, fix)
            others.add(index)
        else:
            seen[case_id, trial] = part.at(index)
    return part.without(others)


def _letters(case_id: str) -> str:
    """An id without letter case, blanks, signs and letters like digits: its spellings are equal.

    Ids mostly differ in a number, so one that is only similar may mean any case.
    """
    return "".join(filter(str.isalnum, case_id.casefold())).translate(_LIKE_DIGITS)


def unknown_ids(document: Json, suite: Suite) -> list[str]:
    """The ids in a responses file that no case of the suite has, or has had, if most are such."""
    known = suite.by_id.keys() | suite.retired
    rows = [row for row in listed_records(document) if isinstance(row, dict)]
    ids = [_with_text_id(row).get("id") for row in rows]
    unknown = [name for name in ids if isinstance(name, str) and name not in known]
    return unknown if 2 * len(unknown) > len(ids) else []


def suite_of_most(ids: Sequence[str], suites: Iterable[Suite]) -> Suite | None:
    """The suite that has more than half of these ids of cases, if one has."""
    for suite in suites:
        if 2 * sum(case_id in suite.by_id for case_id in ids) > len(ids):
            return suite
    return None
