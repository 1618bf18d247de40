"""Warnings about the records of a responses file that are read all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from leaderboard.apis.api_answers import tells_steps, text_given, unreadable_apis
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.files.tool_names import sent_name
from leaderboard.responses.accepted_records import row_error
from leaderboard.responses.agent_steps import STEP_KEYS, steps_given
from leaderboard.responses.answer_fields import (
    CALL_KEYS,
    MOST_COMPARED,
    unread_answers,
    unread_fields,
)
from leaderboard.responses.calls import unread_keys
from leaderboard.responses.forms.texts_with_calls import looks_like_call
from leaderboard.responses.model_texts import answer_in_text
from leaderboard.responses.record_columns import Row
from leaderboard.responses.record_lists import RecordList
from leaderboard.responses.record_shapes import USAGE_NAMES
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.near_names import SLIP, nearest
from leaderboard.types import Json, Response, Suite, Tool

_MOST_WARNINGS: Final = 20
# Of the answers with calls, so few name an offered tool in a file whose names are wrong.
_FEW: Final = 0.1
_ENOUGH_CALLED: Final = 3
# Names of fields that hold costs or times, and where a record has them.
_AMOUNTS: Final[Mapping[str, str]] = {
    "usage": "usage",
    "latency_s": "latency_s",
    **{name: f"usage.{field}" for name, field in USAGE_NAMES.items()},
}


def add_warnings(lists: Sequence[RecordList], suite: Suite, findings: Findings) -> None:
    """Adds warnings about records that are read all the same."""
    _warn_of_other_versions(lists, suite, findings)
    _warn_of_two_calls(lists, findings)
    _warn_of_unread_arguments(lists, findings)
    _warn_of_unread_fields(lists, suite, findings)
    _warn_of_calls_in_texts(lists, suite, findings)
    _warn_of_removable(lists, suite, findings)
    _warn_of_uneven_trials(lists, findings)
    if suite.kind.interaction == "environment":
        _warn_of_steps(lists, findings)
    elif suite.kind.interaction == "apis":
        _warn_of_apis(lists, findings)


def _warn_of_other_versions(lists: Sequence[RecordList], suite: Suite, findings: Findings) -> None:
    """Warns if a record's own question or ground truth differs from the suite's."""
    places: list[At] = []
    cases = suite.by_id
    for part in lists:
        asked = [cases[case_id] for case_id in part.columns.of("id")]
        queries, truths = part.columns.of("user_query"), part.columns.of("ground_truth")
        # Most files repeat the suite's own. Comparing lists is the fast way to find that out.
        own_truths = [case.record.get("ground_truth") for case in asked]
        if queries == [case.query for case in asked] and truths == own_truths:
            continue
        for index, (case, query, truth) in enumerate(zip(asked, queries, truths, strict=True)):
            if query is not None and query not in case.questions:
                places.append(part.at(index, "user_query"))
            elif truth is not None and not _same_truth(truth, case.record):
                places.append(part.at(index, "ground_truth"))
    what = f"differs from that of {suite.id}: this answers another version of the case"
    fix = "the suite's version counts; ask the current question again"
    _warn(findings, places, what, fix)


def _same_truth(truth: Json, case: Row) -> bool:
    """Compares ground truths, in the tester's older dialect and as an example's outputs too."""
    own = case.get("ground_truth")
    if own is None:
        return bool(truth == (case.get("outputs") or case.get("output")))
    keys = ("function_call", "text")
    if isinstance(truth, dict) and isinstance(own, dict) and not own.keys().isdisjoint(keys):
        return all(truth.get(key) == own.get(key) for key in keys)
    return bool(truth == own)


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


def _warn_of_unread_arguments(lists: Sequence[RecordList], findings: Findings) -> None:
    """Warns of calls that have their arguments in another key, and so are read without any."""
    places: list[At] = []
    for part in lists:
        for key in CALL_KEYS:
            for index, given in enumerate(part.columns.of(key)):
                if not given:
                    continue
                calls = given if isinstance(given, list) else [given]
                if any(map(unread_keys, calls)):
                    places.append(part.at(index, key))
    what = "has a call without arguments, beside a key that is not read"
    _warn(findings, places, what, "write the arguments into `arguments`")


def _warn_of_unread_fields(lists: Sequence[RecordList], suite: Suite, findings: Findings) -> None:
    """Warns of filled fields that are not read, but probably meant as an answer."""
    places: dict[str, list[At]] = {}
    for part in lists:
        unread = unread_fields(part.columns.names, suite.kind.interaction)
        for index, row in enumerate(part.rows if unread else ()):
            for name, known in unread_answers(row, unread):
                places.setdefault(known, []).append(part.at(index, name))
    for known, unread_at in places.items():
        _warn(
            findings, unread_at, "is not read: records have no such field", f"rename it to {known}"
        )


def _warn_of_calls_in_texts(lists: Sequence[RecordList], suite: Suite, findings: Findings) -> None:
    """Warns of texts that look like calls of an offered tool, in records without a call.

    They are scored as texts: a right call fails, and a wrong one passes where no call is right.
    """
    places: list[At] = []
    for part in lists:
        for index, text in enumerate(part.columns.of("model_text")):
            row = part.rows[index]
            if not text or any(map(row.get, CALL_KEYS)):
                continue
            tools = suite.by_id[row["id"]].tools
            if tools and looks_like_call(text, tools):
                places.append(part.at(index, "model_text"))
    what = "looks like a tool call, but is scored as a text"
    _warn(findings, places, what, f"if it is one, write it into `{CALL_KEYS[1]}`")


def _names_of(tools: Sequence[Tool]) -> frozenset[str]:
    """The names of tools, and those under which models see them."""
    own = frozenset(tool.name for tool in tools)
    return own.union(map(sent_name, own))


def warn_of_unknown_tools(responses: Sequence[Response], suite: Suite, findings: Findings) -> None:
    """Warns if hardly any answer with calls names a tool that its case offers.

    One wrong name is the model's fault, but so many come from a conversion.
    """
    offered: dict[str, frozenset[str]] = {}
    unknown: list[str] = []
    matching = 0
    for response in responses:
        case = suite.by_id[response.case_id]
        if not response.calls or not case.tools:
            continue
        if case.id not in offered:
            offered[case.id] = _names_of(case.tools)
        if offered[case.id].isdisjoint(call.name for call in response.calls):
            unknown.append(response.calls[0].name)
        else:
            matching += 1
        if matching > _FEW * len(responses):
            return
    called = matching + len(unknown)
    if called >= _ENOUGH_CALLED and matching <= _FEW * called:
        what = f"has {called:,} answers with calls, of which {len(unknown):,} name no tool of"
        what += f" their case, such as {unknown[0]!r:.100}"
        findings.add((), what, "write the names as the cases offer them", "warning")


def warn_of_misspelt_amounts(
    fields: Collection[str], usage_fields: Collection[str], findings: Findings
) -> None:
    """Warns of fields of records, and of their usage, that probably hold costs but are not read."""
    for names, known in ((fields, _AMOUNTS), (usage_fields, USAGE_NAMES)):
        for what, fix in misspelt_amounts(names, known):
            findings.add((), what, fix, "warning")


def misspelt_amounts(names: Collection[str], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is wrong with each name that is nearly a known one, and the fix: the name to write."""
    for name in sorted(names)[:MOST_COMPARED]:
        near = nearest(name, known, SLIP)
        if near and (meant := known[near]) != name:
            what = f"has records with the field {name!r}, which is not read"
            unit = ", in seconds" if meant == "latency_s" else ""
            yield what, f"did you mean {meant!r}{unit}?"


def _warn_of_removable(lists: Sequence[RecordList], suite: Suite, findings: Findings) -> None:
    """Warns of texts with more than an answer. Records are scored as they are."""
    thoughts: list[At] = []
    unclosed: list[At] = []
    tokens: list[At] = []
    for at, text in _texts_of(lists, suite):
        found = answer_in_text(text)
        if found.unclosed:
            unclosed.append(at)
        elif found.thoughts:
            thoughts.append(at)
        if found.tokens:
            tokens.append(at)
    what = "has thoughts beside the answer, which are scored as a part of it"
    _warn(findings, thoughts, what, "remove them, and the tags around them")
    what = "has thoughts that never end, which are scored as an answer"
    _warn(findings, unclosed, what, "remove them: the reply has no answer")
    what = "has tokens of a chat template around the answer, which are scored as a part of it"
    _warn(findings, tokens, what, "remove them")


def _texts_of(lists: Sequence[RecordList], suite: Suite) -> Iterator[tuple[At, str]]:
    """The texts that models wrote, with their places."""
    for part, key in product(lists, ("model_text", "output")):
        for index, text in enumerate(part.columns.of(key)):
            if isinstance(text, str):
                yield part.at(index, key), text
    if suite.kind.interaction != "apis":
        return
    for part in lists:
        for index, row in enumerate(part.rows):
            if text := text_given(row):
                key = "final_answer" if row.get("final_answer") is not None else "answer"
                yield part.at(index, key), text


def _warn_of_uneven_trials(lists: Sequence[RecordList], findings: Findings) -> None:
    """Warns if some of the answered cases have fewer trials than others."""
    if all("trial" not in part.columns.names for part in lists):
        return
    trials = Counter(case_id for part in lists for case_id in part.columns.of("id"))
    most = max(trials.values(), default=1)
    fewer = sum(number < most for number in trials.values())
    if fewer:
        cases = f"{fewer:,} of the {len(trials):,} answered cases have"
        if fewer == 1:
            cases = f"1 of the {len(trials):,} answered cases has"
        what = f"has {most} trials, but {cases} fewer: each missing trial counts as a fail"
        findings.add((), what, "answer every case in each trial", severity="warning")


def _warn_of_steps(lists: Sequence[RecordList], findings: Findings) -> None:
    """Warns of records of agents that have both lists of steps, or none, or two texts."""
    both: list[At] = []
    texts: list[At] = []
    none: list[At] = []
    for part in lists:
        for index, row in enumerate(part.rows):
            keys = [key for key in STEP_KEYS if row.get(key) is not None]
            if len(keys) > 1:
                both.append(part.at(index, keys[1]))
            elif not keys and row_error(row) is None and row.keys().isdisjoint(CALL_KEYS):
                none.append(part.at(index))
            output, text = row.get("output"), row.get("model_text")
            if output is not None and text and output != text:
                texts.append(part.at(index, "model_text"))
    _warn(findings, both, "is not read: intermediate_steps is there too", "keep one of them")
    _warn(findings, texts, "is not read: output is there too, with another text", "keep one")
    what = "does not say which steps were taken, so it counts as having none"
    _warn(findings, none, what, "add intermediate_steps; write [] if there were no steps")


def _warn_of_apis(lists: Sequence[RecordList], findings: Findings) -> None:
    """Warns of unreadable called APIs, and of records without steps and called APIs."""
    unreadable: list[At] = []
    none: list[At] = []
    for part in lists:
        for index, row in enumerate(part.rows):
            places = unreadable_apis(row)
            unreadable += [part.at(index, "called_apis", place) for place in places]
            has_steps = tells_steps(row) or steps_given(row) is not None
            if not has_steps and row.keys().isdisjoint(CALL_KEYS) and row_error(row) is None:
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
        records = counted(left, "more record")
        rest = f"has {records} with this warning: {what}"
        findings.add((), rest, fix, "warning", number=left)
