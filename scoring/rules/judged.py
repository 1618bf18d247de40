"""The rule of suites that a judge grades with labels of their own (kind `judged`)."""

from __future__ import annotations

from typing import Final

from leaderboard.files.cases.judged import judged_of_row, read_judged
from leaderboard.kinds import Kind, Metric
from leaderboard.types import Case, Question, Referral, Response, Suite, Verdict
from scoring.rules.verdict_sentences import failed, system_failed

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
        return (failed(metric, "empty_response", "An answer was expected, none was given."),)
    question = Question(case.query, "", case.ground_truth.text or "", text)
    return (Referral(metric, (question,), "", "labels", labels=suite.kind.grades),)


KIND: Final = Kind(
    name="judged",
    summary="questions with answers that a judge grades by a prompt and labels of the suite's own",
    interaction="message",
    read_cases=read_judged,
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
