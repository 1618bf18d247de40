"""Checks of the records of a responses file: their shape, their cases and trials, and warnings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from leaderboard.apis.api_answers import tells_steps, unreadable_apis
from leaderboard.digest import canonical
from leaderboard.files.document import At, Findings, path_text
from leaderboard.files.validation import find_bad_records
from leaderboard.limits import MOST_RECORDS, RECORD_BYTES, TEXT_LENGTH, UNANSWERED, megabytes
from leaderboard.responses.agent_steps import STEP_KEYS, steps_given
from leaderboard.responses.answer_fields import ANSWER_FIELDS, CALL_KEYS
from leaderboard.responses.record_columns import RecordColumns
from leaderboard.responses.record_shapes import RESPONSES
from leaderboard.types import Json, Suite

RESPONSES_FORMAT: Final = "see lb docs submitting"
_TEXT_FIELDS: Final = ("model_text", "output", "error")
_MODES: Final = ("with_tools", "no_tools")
_MOST_WARNINGS: Final = 20

Row = Mapping[str, Json]
CaseTrial = tuple[str, int]


@dataclass(frozen=True, slots=True)
class RecordList:
    """Records of one list of a file, and their positions in it. `prefix` is the list's path."""

    prefix: At
    rows: Sequence[Row]
    positions: Sequence[int]
    _columns: list[RecordColumns] = field(default_factory=list, compare=False)

    @property
    def columns(self) -> RecordColumns:
        """The fields of the records, which must be objects."""
        if not self._columns:
            self._columns.append(RecordColumns(self.rows))
        return self._columns[0]

    @property
    def answered(self) -> list[CaseTrial]:
        """The case and the trial of each record."""
        return list(zip(self.columns.of("id"), self.columns.of("trial", 1), strict=True))

    def at(self, index: int, *steps: str | int) -> At:
        """Returns the path of the record with this index, or of something in it."""
        return (*self.prefix, self.positions[index], *steps)

    def only(self, indexes: Sequence[int]) -> RecordList:
        rows = [self.rows[index] for index in indexes]
        return RecordList(self.prefix, rows, [self.positions[index] for index in indexes])


def find_lists(document: Json, findings: Findings) -> Iterator[tuple[At, list[Json]]]:
    """Yields the lists of records of a responses file with their paths.

    A file is a bare array, `{"test_results": [...]}`, or such objects under `with_tools` and/or
    `no_tools`.
    """
    if isinstance(document, list):
        yield (), document
        return
    places: list[At] = []
    if isinstance(document, dict) and "test_results" in document:
        places = [("test_results",)]
        for mode in filter(document.__contains__, _MODES):
            findings.add((mode,), "is not read: test_results is there too", "keep one of them")
    elif isinstance(document, dict):
        places = [(mode, "test_results") for mode in _MODES if mode in document]
    if not places:
        forms = "a list of records nor an object with test_results, with_tools or no_tools"
        findings.add((), f"is neither {forms}", RESPONSES_FORMAT)
    for place in places:
        value = document
        for step in place:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, list):
            yield place, value
        else:
            findings.add(place[:1], "holds no list of test_results", "write the records as a list")


def valid_lists(document: Json, suite: Suite, findings: Findings) -> Sequence[RecordList]:
    """Returns the valid records of a file, each trial of a case once. The others are findings."""
    lists = []
    for prefix, rows in find_lists(document, findings):
        if any(isinstance(row, dict) and type(row.get("id")) is int for row in rows):
            rows = [_with_text_id(row) for row in rows]  # noqa: PLW2901 - the same records
        every = RecordList(prefix, rows, range(len(rows)))
        bad = find_bad_records(RESPONSES, rows, findings, RESPONSES_FORMAT, prefix)
        lists.append(every.only([i for i in every.positions if i not in bad]) if bad else every)

    _refuse_large(lists, findings)

    # Most files are without mistakes. Comparing sets is the fast way to find that out.
    answered = [place for part in lists for place in part.answered]
    distinct = set(answered)
    if len(distinct) != len(answered) or not suite.by_id.keys() >= {case for case, _ in distinct}:
        seen: dict[tuple[str, int], At] = {}
        lists = [part.only(list(_first_answers(part, suite, seen, findings))) for part in lists]
        distinct = set(seen)
    _check_trials(lists, distinct, suite, findings)
    lists = [_answered_rows(part, suite, findings) for part in lists]
    return [_reported_rows(part, suite, findings) for part in lists]


def _reported_rows(part: RecordList, suite: Suite, findings: Findings) -> RecordList:
    """Returns the records whose metrics can be read. Only suites of reported scores have any."""
    if not suite.kind.reported:
        return part
    known = [metric.id for metric in suite.kind.metrics]
    bad = set()
    for index, row in enumerate(part.rows):
        given = row.get("metrics")
        if not isinstance(given, dict | None):
            fix = 'write an object, such as {"metrics": {"' + known[0] + '": 1}}'
            findings.add(part.at(index, "metrics"), "is not an object", fix)
            bad.add(index)
            continue
        for name, value in (given or {}).items():
            at = part.at(index, "metrics", name)
            if name not in known:
                fix = f"one of: {', '.join(known)}; or add it to suite.toml"
                findings.add(at, f"is no metric of {suite.id}: {name!r}", fix)
                bad.add(index)
            elif not (value is None or (isinstance(value, int | float) and 0 <= value <= 1)):
                what = f"expected a score from 0 to 1, true, false or null, got {value!r:.80}"
                findings.add(at, what, "divide scores in percent by 100")
                bad.add(index)
    return part.only(sorted(set(range(len(part.rows))) - bad)) if bad else part


def _with_text_id(row: Json) -> Json:
    """Returns a record with its id as text. The queries of StableToolBench have numbers."""
    is_number = isinstance(row, dict) and type(row.get("id")) is int
    return {**row, "id": str(row["id"])} if is_number else row


def _answered_rows(part: RecordList, suite: Suite, findings: Findings) -> RecordList:
    """Returns the records with a field that can hold an answer to this kind of suite, or an error.

    A record without one would else be scored as an empty answer.
    """
    fields = ANSWER_FIELDS[suite.kind.interaction]
    if any(map(part.columns.everywhere, fields)):
        return part
    empty = [i for i, row in enumerate(part.rows) if row.keys().isdisjoint(fields)]
    empty = [i for i in empty if row_error(part.rows[i]) is None]
    if not empty:
        return part
    fix = f"add one of: {', '.join(fields)}; null for no answer, or an error"
    for index in empty:
        findings.add(part.at(index), "has no answer", fix)
    left = set(range(len(part.rows))).difference(empty)
    return part.only(sorted(left))


def row_error(row: Row) -> Json:
    """Returns the error of a record; None for any value that means that there was none."""
    error = row.get("error")
    return None if error in (None, "", False) else error


def _refuse_large(lists: Sequence[RecordList], findings: Findings) -> None:
    """Adds a problem for too many records in a file, and for each record that is too long."""
    number = sum(len(part.rows) for part in lists)
    if number > MOST_RECORDS:
        what = f"has {number:,} records; the limit is {MOST_RECORDS:,}"
        findings.add((), what, "split the suite, or submit fewer trials")
    if len(findings.data) <= TEXT_LENGTH:
        return
    for part in lists:
        for name in filter(part.columns.names.__contains__, _TEXT_FIELDS):
            for index, text in enumerate(part.columns.of(name)):
                if isinstance(text, str) and len(text) > TEXT_LENGTH:
                    what = f"has {len(text):,} characters; the limit is {TEXT_LENGTH:,}"
                    findings.add(part.at(index, name), what, "shorten the answer")
        for index, row in enumerate(part.rows if len(findings.data) > RECORD_BYTES else ()):
            size = len(canonical(row))
            if size > RECORD_BYTES:
                what = f"is {megabytes(size)}; the limit of a record is {megabytes(RECORD_BYTES)}"
                findings.add(part.at(index), what, "leave out what is not scored, such as logs")


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
    if trials > 1 and unanswered - len(suite.by_id) > UNANSWERED:
        what = f"has {trials} trials, but no record for {unanswered:,} of their cases"
        findings.add((), what, "answer every case in each trial")


def _first_answers(
    part: RecordList, suite: Suite, seen: dict[tuple[str, int], At], findings: Findings
) -> Iterator[int]:
    for index, row in enumerate(part.rows):
        case_id, trial = row["id"], row.get("trial", 1)
        if case_id not in suite.by_id:
            what = f"names no case of {suite.id}: {case_id!r}"
            fix = "remove the record, or correct its id"
            findings.add(part.at(index, "id"), what, fix)
        elif (case_id, trial) in seen:
            first = path_text(seen[case_id, trial])
            what = f"answers case {case_id} again (trial {trial}); the first answer is at {first}"
            fix = "keep one, or number the trials with `trial`"
            findings.add(part.at(index, "id"), what, fix)
        else:
            seen[case_id, trial] = part.at(index)
            yield index


def find_other_suite(document: Json, suite: Suite, others: Sequence[Suite]) -> tuple[Suite, int]:
    """Returns the suite that has most of the unknown case ids of a file, and their number.

    If no other suite has more than half of them, it returns the suite itself.
    """
    unknown = []
    for _, rows in find_lists(document, Findings("", b"")):
        ids = (row.get("id") for row in rows if isinstance(row, dict))
        unknown += [case_id for case_id in ids if isinstance(case_id, str)]
    unknown = [case_id for case_id in unknown if case_id not in suite.by_id]
    for other in others:
        known = sum(case_id in other.by_id for case_id in unknown)
        if other.id != suite.id and known > len(unknown) / 2:
            return other, len(unknown)
    return suite, len(unknown)


# ---------------------------------------------------------------- warnings


def add_warnings(lists: Sequence[RecordList], suite: Suite, findings: Findings) -> None:
    """Adds warnings about records that are read all the same."""
    _warn_of_other_versions(lists, suite, findings)
    _warn_of_two_calls(lists, findings)
    if suite.kind.interaction == "environment":
        _warn_of_steps(lists, findings)
    elif suite.kind.interaction == "apis":
        _warn_of_apis(lists, findings)


def _warn_of_other_versions(lists: Sequence[RecordList], suite: Suite, findings: Findings) -> None:
    """Warns if a record's own question or ground truth differs from the suite's."""
    places: list[At] = []
    cases = suite.by_id
    for part in lists:
        asked = map(cases.__getitem__, part.columns.of("id"))
        queries, truths = part.columns.of("user_query"), part.columns.of("ground_truth")
        for index, (case, query, truth) in enumerate(zip(asked, queries, truths, strict=True)):
            if query is not None and query != case.query:
                places.append(part.at(index, "user_query"))
            elif truth is not None and not _same_truth(truth, case.record):
                places.append(part.at(index, "ground_truth"))
    what = f"differs from that of {suite.id}: this answers another version of the case"
    fix = "the suite's version counts; ask the current question again"
    _warn(findings, places, what, fix)


def _same_truth(given: Json, case: Row) -> bool:
    """Compares ground truths, in the tester's older dialect and as an example's outputs too."""
    own = case.get("ground_truth")
    if own is None:
        return bool(given == (case.get("outputs") or case.get("output")))
    if given == own:
        return True
    keys = ("function_call", "text")
    return isinstance(given, dict) and all(given.get(key) == own.get(key) for key in keys)


def _warn_of_two_calls(lists: Sequence[RecordList], findings: Findings) -> None:
    """Warns of records whose two fields for calls have different calls."""
    places: list[At] = []
    for part in lists:
        if not part.columns.names.issuperset(CALL_KEYS):
            continue
        pairs = zip(*map(part.columns.of, CALL_KEYS), strict=True)
        places += [
            part.at(index, CALL_KEYS[1])
            for index, (read, other) in enumerate(pairs)
            if read and other and read not in (other, [other])
        ]
    what = f"is ignored, because {CALL_KEYS[0]} has other calls"
    _warn(findings, places, what, "keep one of them")


def _warn_of_steps(lists: Sequence[RecordList], findings: Findings) -> None:
    """Warns of records of agents that have both lists of steps, or none."""
    both: list[At] = []
    none: list[At] = []
    for part in lists:
        for index, row in enumerate(part.rows):
            found = [key for key in STEP_KEYS if row.get(key) is not None]
            if len(found) > 1:
                both.append(part.at(index, found[1]))
            elif not found and not row.get("error") and row.keys().isdisjoint(CALL_KEYS):
                none.append(part.at(index))
    _warn(findings, both, "is not read: intermediate_steps is there too", "keep one of them")
    what = "has no steps: it counts as having taken none"
    _warn(findings, none, what, "add intermediate_steps, [] for none")


def _warn_of_apis(lists: Sequence[RecordList], findings: Findings) -> None:
    """Warns of unreadable called APIs, and of records without steps and called APIs."""
    unreadable: list[At] = []
    none: list[At] = []
    for part in lists:
        for index, row in enumerate(part.rows):
            places = unreadable_apis(row)
            unreadable += [part.at(index, "called_apis", place) for place in places]
            has_steps = tells_steps(row) or steps_given(row) is not None
            if not has_steps and row.keys().isdisjoint(CALL_KEYS) and not row.get("error"):
                none.append(part.at(index))
    fix = 'write a pair: ["tool name", "api name"]'
    _warn(findings, unreadable, "names no tool and API, and is left out", fix)
    what = "has neither steps nor called APIs: only its answer is scored"
    _warn(findings, none, what, "add answer.answer_details or called_apis, [] for none")


def _warn(findings: Findings, places: Sequence[At], what: str, fix: str) -> None:
    for at in places[:_MOST_WARNINGS]:
        findings.add(at, what, fix, "warning")
    left = len(places) - _MOST_WARNINGS
    if left > 0:
        findings.add((), f"has {left} more records with this warning: {what}", fix, "warning")
