"""The JSON of each case page: the case with every distinct answer, its verdict and its givers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from leaderboard.apis.reference_runs import ABOUT
from leaderboard.types import Call, Case, Response, Suite
from site_templates.board_index import BoardIndex
from site_templates.data.data_fields import AnswerValue, CallValue, CaseFile, ResponseValue
from site_templates.data.download_formats import SCHEMA, encode
from site_templates.indexed_rows import Answer


def case_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON of every case. Large boards have tables alone."""
    if index.board.is_large:
        return
    for suite in index.board.suites:
        for case in suite.cases:
            path = index.paths.case_data(suite.id, case.id)
            yield path, encode(_case(index, suite, case))


def _case(index: BoardIndex, suite: Suite, case: Case) -> CaseFile:
    file: CaseFile = {
        "schema": SCHEMA,
        "suite": suite.id,
        "category": case.category,
        "case": case.id,
        "digest": case.digest,
        "record": dict(case.record),
        "answers": _answers(index.answered(suite.id, case.id)),
    }
    run = index.board.references.get((suite.id, case.id))
    if run is not None:
        calls = [_call(call) for call in run.calls]
        file["reference_run"] = {"about": ABOUT, "calls": calls, "final_answer": run.final_answer}
    return file


def _answers(answers: Sequence[Answer]) -> list[AnswerValue]:
    """The distinct answers with their verdicts, in the order in which they were first given."""
    alike: defaultdict[tuple[object, ...], list[Answer]] = defaultdict(list)
    for answer in answers:
        verdict = (answer.outcome, answer.reason, answer.detail, answer.decided_by)
        others = (answer.judge_calls, answer.further, answer.votes)
        alike[answer.response, *verdict, *others].append(answer)
    return [_answer(group) for group in alike.values()]


def _answer(group: Sequence[Answer]) -> AnswerValue:
    answer = group[0]
    trials: defaultdict[str, list[int]] = defaultdict(list)
    for one in group:
        trials[one.submission.id].append(one.trial)
    value: AnswerValue = {
        "given_by": dict(trials),
        "response": None if answer.response is None else _response(answer.response),
        "verdict": {
            "outcome": answer.outcome,
            "reason": answer.reason,
            "detail": answer.detail,
            "decided_by": answer.decided_by,
            "judge_calls": answer.judge_calls,
        },
    }
    if answer.further:
        value["further"] = answer.further
    if answer.votes:
        value["imported_votes"] = answer.votes
    return value


def _response(response: Response) -> ResponseValue:
    calls = [_call(call) for call in response.calls]
    value: ResponseValue = {"calls": calls, "text": response.text}
    if response.error is not None:
        value["error"] = response.error
    if response.malformed is not None:
        value["malformed"] = response.malformed
    if response.has_state:
        value["state"] = response.state
    return value


def _call(call: Call) -> CallValue:
    value: CallValue = {"name": call.name, "arguments": dict(call.arguments)}
    if call.result is not None:
        value["result"] = call.result
    return value
