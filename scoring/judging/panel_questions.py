"""The panel of judges: render the questions that the rules leave open, ask them, settle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from leaderboard.files.prompt_files import fence_for
from leaderboard.types import (
    Ask,
    Case,
    JudgeCall,
    JudgeReply,
    JudgeSettings,
    Prompt,
    Question,
    Referral,
    Suite,
    Verdict,
)
from scoring.judging.panel_verdicts import settle_by_majority, settle_by_mean
from scoring.judging.replies import SOLVED, parse

_HALF: Final = 0.5


def accepted_share(points: float) -> float:
    """How much of an acceptance a grade is: 1 above a half, 0 below it, or exactly a half."""
    return _HALF if points == _HALF else float(points > _HALF)


@dataclass(frozen=True, slots=True)
class MissingCall:
    """A judge call that no cassette holds: who needs it, and which recorded call is closest."""

    submission: str
    suite: str
    case_id: str
    judge: str
    reply: JudgeReply


@dataclass(frozen=True, slots=True)
class Voter:
    """A judge of the panel, or a judge in one of several rounds, which differ by their seeds."""

    name: str
    judge: JudgeSettings


@dataclass(slots=True)
class PanelQuestion:
    """A finding that the judges are asked about, and the replies of each voter in order."""

    case: Case
    finding: Referral
    given: Sequence[tuple[Voter, list[JudgeReply]]] = ()

    def settle(self, judge_name: str | None = None) -> Verdict:
        """The verdict of the whole panel, or of one judge as if it were the panel."""
        replies_of = {
            voter.name: replies
            for voter, replies in self.given
            if judge_name in (None, voter.judge.name)
        }
        metric, detail, points = self.finding.metric, self.finding.detail, self.finding.points
        if points is None:
            return settle_by_majority(metric, detail, replies_of)
        return settle_by_mean(metric, detail, replies_of, points)

    def passed(self, judge_name: str | None = None) -> float | None:
        """The share of the votes that accept the answer. Null without a grade.

        A grade worth more than a half accepts it. One worth exactly a half is half an acceptance.
        """
        if self.finding.points is None:
            return self.settle(judge_name).score
        accepts = {grade: accepted_share(points) for grade, points in self.finding.points.items()}
        finding = replace(self.finding, points=accepts)
        return replace(self, finding=finding).settle(judge_name).score

    def words(self, judge_name: str) -> str | None:
        """The last reply of a judge, in the first of its rounds that has a reply."""
        for voter, replies in self.given:
            if voter.judge.name == judge_name and replies and replies[-1].text is not None:
                return replies[-1].text
        return None

    def missing_calls(self, submission: str, suite: str) -> Iterator[MissingCall]:
        """The calls without a recorded reply."""
        for voter, replies in self.given:
            for reply in replies:
                if reply.text is None:
                    yield MissingCall(submission, suite, self.case.id, voter.name, reply)


# A judge call, and the list that waits for its reply.
_Waiting = tuple[JudgeCall, list[JudgeReply]]


@dataclass(slots=True)
class Panel:
    """The judges of a board. `prompts` is keyed by suite and prompt id.

    `replies` has the text of every reply so far, by the judge's name and the key of the call.
    """

    prompts: Mapping[tuple[str, str], Prompt]
    judges: Sequence[JudgeSettings]
    ask: Ask
    replies: dict[tuple[str, str], str] = field(default_factory=dict)
    _voters: dict[int, tuple[Voter, ...]] = field(default_factory=dict)

    def put(self, submission: str, suite: Suite, questions: Sequence[PanelQuestion]) -> None:
        """Asks all questions in one batch, and the follow-ups of unsure judges in another.

        New replies are recorded under `submission`.
        """
        calls: list[_Waiting] = []
        for asked in questions:
            category = suite.category(asked.case.category)
            prompt = self.prompts[suite.id, asked.finding.prompt or category.prompt or ""]
            asked.given = [(voter, []) for voter in self._voting(suite, asked.finding)]
            for voter, replies in asked.given:
                for question in asked.finding.questions:
                    text = render(prompt, question)
                    calls.append((JudgeCall(voter.judge, suite.id, submission, text), replies))
        self._ask(calls)

        calls = []
        for asked in questions:
            if asked.finding.then is None:
                continue
            follow_up = suite.category(asked.case.category).follow_up or ""
            text = render(self.prompts[suite.id, follow_up], asked.finding.then)
            for voter, replies in asked.given:
                if parse(replies[-1].text or "", SOLVED) == "unsure":
                    calls.append((JudgeCall(voter.judge, suite.id, submission, text), replies))
        self._ask(calls)

    def _ask(self, calls: Sequence[_Waiting]) -> None:
        """Adds the reply to each call to the list that waits for it."""
        answers = self.ask([call for call, _ in calls]) if calls else ()
        for (call, replies), reply in zip(calls, answers, strict=True):
            replies.append(reply)
            if reply.text is not None:
                self.replies[call.judge.name, reply.key] = reply.text

    def _voting(self, suite: Suite, finding: Referral) -> tuple[Voter, ...]:
        """Every judge, once for each round that the suite's policy asks for."""
        rounds = 1 if finding.points is None else int(suite.policy.get("rounds", "1"))
        if rounds not in self._voters:
            voters: list[Voter] = []
            for judge in self.judges:
                for number, asked in enumerate(judge.in_rounds(rounds), start=1):
                    name = judge.name if number == 1 else f"{judge.name}, round {number}"
                    voters.append(Voter(name, asked))
            self._voters[rounds] = tuple(voters)
        return self._voters[rounds]


def render(prompt: Prompt, question: Question) -> str:
    """The text that a judge is asked, with a fence around the texts under test."""
    values = {
        "question": question.query,
        "subject": question.subject,
        "expected": question.expected,
        "got": question.got,
    }
    values["fence"] = fence_for(values.values())
    # The parts of a prompt are text and placeholder in turn.
    return "".join([values[part] if i % 2 else part for i, part in enumerate(prompt.parts)])
