"""The rule of suites that a judge grades with labels of their own (kind `judged`)."""

from __future__ import annotations

from typing import Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.table_cases import CaseRow
from leaderboard.files.field_types import CLOSED, DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.kinds import Kind, Metric
from leaderboard.types import (
    Case,
    GroundTruth,
    Json,
    Question,
    Referral,
    Response,
    ShownAnswer,
    Suite,
    Verdict,
)
from scoring.rules.rule_verdicts import no_answer, system_failed

SCORE: Final = Metric(
    "score", "score", "The mean value of the judge's labels. A case passes if its label counts 1."
)


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict | Referral]:
    """A question to the judge, unless nothing is answered."""
    metric = suite.kind.ranked
    if response.error:
        return (system_failed(metric, response.error),)
    text = response.text or ""
    if not text.strip():
        return (no_answer(metric),)
    question = Question(case.query, "", case.ground_truth.text or "", text)
    return (Referral(metric, (question,), "", suite.kind.grades),)


# ---------------------------------------------------------------- cases


@with_config(CLOSED)
class JudgedTruth(TypedDict):
    """What the judge reads beside the answer.

    - `text`: a right answer. The prompt shows it in place of `{{expected}}`.
    """

    text: AnswerText


@with_config(OPEN)
class JudgedCase(TypedDict):
    """One case.

    - `id`: the name of the case, unique in its suite.
    - `user_query`: the question.
    - `ground_truth`: the right answer, if there is one.
    """

    id: CaseId
    user_query: AnswerText
    ground_truth: NotRequired[JudgedTruth]


CASES: Final = TypeAdapter(list[JudgedCase], config=DEFERRED)


def read_judged(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    cases = []
    for index, record in file.valid_records(CASES):
        file.warn_of_case_keys(record, "judged", JudgedCase.__annotations__, index)
        text = record["ground_truth"]["text"] if "ground_truth" in record else None
        shown = ShownAnswer("reference", "none: the judge reads the question and the answer")
        if text is not None:
            shown = ShownAnswer("reference", text)
        cases.append(file.case(record, GroundTruth(text=text, shown=(shown,))))
    return tuple(cases)


def judged_of_row(row: CaseRow) -> dict[str, Json]:
    """The members of a case of this kind, apart from its id. Raises ValueError."""
    record: dict[str, Json] = {"user_query": row.needed("user_query")}
    if (answer := row.text("answer")) is not None:
        record["ground_truth"] = {"text": answer}
    return record


KIND: Final = Kind(
    name="judged",
    summary="questions with answers that a judge grades by a prompt and labels of the suite's own",
    interaction="message",
    read_cases=read_judged,
    case_shape=CASES,
    policy=("labels", "rounds"),
    decide=decide,
    metrics=(SCORE,),
    own_metrics=1,
    own_grades=True,
    placeholders=("question", "got", "fence"),
    system_text="Answer the question.",
    about_truth="A judge reads the answer with the category's prompt and gives a label: {labels}.",
    case_of_row=judged_of_row,
)
