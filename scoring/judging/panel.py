"""The panel of judges: how it is asked what the rules leave open, in one stage or two, and what its replies come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from leaderboard.types import (
    Ask,
    Case,
    JudgeCall,
    JudgeReply,
    JudgeSettings,
    Prompt,
    Referral,
    Suite,
    Verdict,
)
from scoring.judging import judge_questions, solved_replies

# What an unsure vote counts, by the scale of the question.
_UNSURE: Mapping[str, float] = {"status": 0.5, "solved": 0.0}


@dataclass(frozen=True, slots=True)
class Missing:
    """A judge call that no cassette holds: who needs it, and which recorded call comes closest."""

    submission: str
    suite: str
    case_id: str
    judge: str
    reply: JudgeReply


@dataclass(frozen=True, slots=True)
class Voter:
    """A judge of the panel, or a judge in one of several rounds, which differs from the others by its seed."""

    name: str
    judge: JudgeSettings


@dataclass(slots=True)
class Referred:
    """A finding that the judges are asked about, and what each voter replied, in the order asked."""

    case: Case
    finding: Referral
    given: Sequence[tuple[Voter, list[JudgeReply]]] = ()

    def settle(self, judge_name: str | None = None) -> Verdict:
        """What the replies come to: of the whole panel, or of one judge as if it were the panel."""
        given = {
            voter.name: replies
            for voter, replies in self.given
            if judge_name in (None, voter.judge.name)
        }
        finding = self.finding
        if finding.scale == "equivalence":
            return judge_questions.settle(finding.metric, finding.detail, given)
        return solved_replies.settle(
            finding.metric, finding.detail, given, unsure=_UNSURE[finding.scale]
        )

    def words(self, judge_name: str) -> str | None:
        """What a judge replied last; of several rounds in the first in which it said anything."""
        said = (
            replies[-1].text
            for voter, replies in self.given
            if voter.judge.name == judge_name and replies
        )
        return next((text for text in said if text is not None), None)

    def missing(self, submission: str, suite: str) -> Iterator[Missing]:
        """The calls without a recorded reply."""
        for voter, replies in self.given:
            for reply in replies:
                if reply.text is None:
                    yield Missing(submission, suite, self.case.id, voter.name, reply)


@dataclass(slots=True)
class Panel:
    """The judges of a board, ready to be asked."""

    prompts: Mapping[tuple[str, str], Prompt]
    judges: Sequence[JudgeSettings]
    ask: Ask
    _voters: dict[int, tuple[Voter, ...]] = field(default_factory=dict)

    def put(self, submission: str, suite: Suite, referred: Sequence[Referred]) -> None:
        """Asks everything in one go; whoever is unsure once more, in another. New replies are kept under `submission`."""
        replies = iter(
            self.ask([call for asked in referred for call in self._calls(submission, suite, asked)])
        )
        for asked in referred:
            asked.given = [
                (voter, [next(replies) for _ in asked.finding.questions])
                for voter in self._voting(suite, asked)
            ]
        self._follow_up(submission, suite, referred)

    def _calls(self, submission: str, suite: Suite, asked: Referred) -> Iterator[JudgeCall]:
        prompt = self.prompts[
            suite.id, asked.finding.prompt or suite.category(asked.case.category).prompt or ""
        ]
        for voter in self._voting(suite, asked):
            for question in asked.finding.questions:
                yield JudgeCall(
                    voter.judge, suite.id, submission, judge_questions.render(prompt, question)
                )

    def _voting(self, suite: Suite, asked: Referred) -> tuple[Voter, ...]:
        """Who is asked: every judge once or, where a suite wants several rounds on whether a query is solved, once in each."""
        rounds = 1 if asked.finding.scale == "equivalence" else int(suite.policy.get("rounds", "1"))
        if rounds not in self._voters:
            self._voters[rounds] = tuple(
                voter for one in self.judges for voter in _in_rounds(one, rounds)
            )
        return self._voters[rounds]

    def _follow_up(self, submission: str, suite: Suite, referred: Sequence[Referred]) -> None:
        """Asks those who are unsure the second question, if there is one; what they reply comes behind the first reply."""
        calls, places = [], []
        for asked in referred:
            if asked.finding.then is None:
                continue
            prompt = self.prompts[suite.id, suite.category(asked.case.category).follow_up or ""]
            for voter, given in asked.given:
                if given[-1].text is not None and solved_replies.parse(given[-1].text) == "unsure":
                    calls.append(
                        JudgeCall(
                            voter.judge,
                            suite.id,
                            submission,
                            judge_questions.render(prompt, asked.finding.then),
                        )
                    )
                    places.append(given)
        for given, reply in zip(places, self.ask(calls) if calls else (), strict=True):
            given.append(reply)


def _in_rounds(one: JudgeSettings, rounds: int) -> Iterator[Voter]:
    yield Voter(one.name, one)
    seed = one.settings.get("seed")
    first = seed if isinstance(seed, int) else 0
    for number in range(1, rounds):
        again = replace(one, settings={**one.settings, "seed": first + number})
        yield Voter(f"{one.name}, round {number + 1}", again)
