"""Scores any response to a shipped case, as the board does. What is left open is judged here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from leaderboard.files.board_settings import load_leaderboard
from leaderboard.files.prompt_files import load_prompts
from leaderboard.files.suite_files import load_suite
from leaderboard.types import Call, Case, JudgeCall, JudgeReply, Referral, Response, Suite
from leaderboard.workspace import open_workspace
from replay.lexical.embedded_judge import judge
from runners.apis.confirmed_replies import confirmed
from runners.apis.virtual_apis import VirtualApis, replaying
from runners.environments.confirmed_steps import confirmed_steps
from scoring.judging.panel_questions import Panel, PanelQuestion
from scoring.rules import KINDS
from tests.conftest import PROJECT

# A text, or calls with their replies and a text.
Answer = tuple[tuple[Call, ...], str]
# Answers a case of a category.
Strategy = Callable[[Case], Answer]


@dataclass(frozen=True, slots=True)
class Share:
    """What a strategy scores in a category, and two cases with answers that pass."""

    strategy: str
    share: float
    examples: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.strategy}: {100 * self.share:.1f} %; for example {self.examples}"


@cache
def suite(suite_id: str) -> Suite:
    return load_suite(open_workspace(PROJECT), suite_id, KINDS)


@cache
def apis() -> VirtualApis:
    """The simulated APIs. Their replies are real, so nothing need be confirmed."""
    return replaying(open_workspace(PROJECT), suite("stable_toolbench"))


@cache
def _panel(suite_id: str) -> Panel:
    workspace = open_workspace(PROJECT)
    judges = load_leaderboard(workspace).panel
    return Panel(load_prompts(workspace, suite(suite_id)), judges[:1], _ask)


def _ask(calls: Sequence[JudgeCall]) -> list[JudgeReply]:
    return [JudgeReply("", judge(call.prompt)) for call in calls]


class CategoryScores:
    """Scores answers to one category. Equal answers to a case are decided once.

    `confirms`: replies of simulated APIs are compared with the suite's own. It takes long, so it is
    left out where the replies are real.
    """

    def __init__(self, suite_id: str, category: str, *, confirms: bool = False) -> None:
        self.confirms = confirms
        self.suite = suite(suite_id)
        self.category = self.suite.category(category)
        self._known: dict[tuple[str, str], float] = {}

    def score(self, case: Case, answer: Answer) -> float:
        """The score of the ranked metric."""
        key = (case.id, repr(answer))
        if key not in self._known:
            self._known[key] = self._decide(case, answer)
        return self._known[key]

    def _decide(self, case: Case, answer: Answer) -> float:
        calls, text = answer
        response = Response(case.id, b"", calls, text)
        if self.confirms:
            response = confirmed(apis(), case, response)
        if self.suite.kind.interaction == "environment":
            response = confirmed_steps(self.suite, case, response)
        findings = self.suite.kind.decide(self.suite, case, response)
        ranked = next(one for one in findings if one.metric == self.suite.kind.ranked)
        if not isinstance(ranked, Referral):
            return ranked.score or 0.0
        question = PanelQuestion(case, ranked)
        _panel(self.suite.id).put("x", self.suite, [question])
        return question.settle().score or 0.0

    def share(self, name: str, strategy: Strategy, cases: Sequence[Case]) -> Share:
        """The mean score of a strategy over cases."""
        passed: list[tuple[str, str]] = []
        total = 0.0
        for case in cases:
            answer = strategy(case)
            score = self.score(case, answer)
            total += score
            if score and len(passed) < 2:
                passed.append((case.query[:60], answer[1][:80] or str(answer[0])[:80]))
        return Share(name, total / len(cases), tuple(passed))

    def best(self, strategies: Iterable[tuple[str, Strategy]], number: int = 5) -> list[Share]:
        """The strategies with the highest scores."""
        cases = self.category.cases
        shares = [self.share(name, strategy, cases) for name, strategy in strategies]
        return sorted(shares, key=lambda one: (-one.share, one.strategy))[:number]
