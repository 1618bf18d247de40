"""Which of two submissions a panel prefers: the solvable win rate of StableToolBench, with the order balanced and ties kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from leaderboard.apis.api_answers import answer_of
from leaderboard.board.preferences import RECORDED_AS, CasePreference, Preferences, Preferred
from leaderboard.load import Contents
from leaderboard.results import Results
from leaderboard.types import (
    Ask,
    JudgeCall,
    JudgeReply,
    JudgeSettings,
    Prompt,
    Question,
    Response,
    Suite,
)
from scoring.judging.judge_questions import render
from scoring.rules.stable_toolbench import execution

Choice = Literal["first", "second", "tie"]

_CHOICES: Final[Mapping[str, Choice]] = {"first": "first", "second": "second", "tie": "tie"}
_SWAPPED: Final[Mapping[Choice, Choice]] = {"first": "second", "second": "first", "tie": "tie"}
_DECORATION: Final = " *_\"'`.:,;#[](){}!"


@dataclass(frozen=True, slots=True)
class Side:
    """A submission in the comparison: its response to each case, and its SoPR there where that is known."""

    submission: str
    responses: Mapping[str, Response]
    sopr: Mapping[str, float | None]

    def shown(self, case_id: str) -> str:
        """What a judge reads of the response to a case."""
        response = self.responses[case_id]
        return f"{execution(response)}\n\nFinal answer: {answer_of(response)}"


def prefer(
    suite: Suite, sides: tuple[Side, Side], prompt: Prompt, panel: Sequence[JudgeSettings], ask: Ask
) -> Preferences:
    """Who is preferred in each case that one of the two answers.

    One that solves a case the other leaves unsolved is preferred, and so is one that answers where the other does not. All else
    every judge is asked twice, once in either order: only a choice that stands in both orders is one, another is a tie. More
    judges for a side than against it decide.
    """
    first, second = sides
    cases = [
        case for case in suite.cases if case.id in first.responses or case.id in second.responses
    ]
    settled = {case.id: _settled(case.id, first, second) for case in cases}
    asked = [case for case in cases if settled[case.id] is None]
    calls: list[JudgeCall] = []
    for case in asked:
        shown = (first.shown(case.id), second.shown(case.id))
        prompts = [
            render(prompt, Question(case.query, "", *order)) for order in (shown, shown[::-1])
        ]
        calls += [
            JudgeCall(judge, suite.id, RECORDED_AS, text) for judge in panel for text in prompts
        ]
    replies = iter(ask(calls) if calls else ())
    judged = {
        case.id: _judged(case.id, [(next(replies), next(replies)) for _ in panel]) for case in asked
    }
    return Preferences(
        suite.id,
        first.submission,
        second.submission,
        tuple(settled[c.id] or judged[c.id] for c in cases),
    )


# Replies repeat themselves.
@lru_cache(maxsize=4096)
def parse(reply: str) -> Choice | None:
    """The choice that the first line of a reply begins with; None where that is none, or the instruction said again."""
    line = next((line for line in reply.splitlines() if line.strip(_DECORATION)), "")
    words = [word.strip(_DECORATION).lower() for word in line.split()]
    return None if words[1:2] == ["or"] or not words else _CHOICES.get(words[0])


def _settled(case_id: str, first: Side, second: Side) -> CasePreference | None:
    """What needs no judge: one of the two did not answer, or solved what the other left unsolved."""
    if case_id not in second.responses:
        return CasePreference(case_id, "first", judged=False, detail="The second did not answer.")
    if case_id not in first.responses:
        return CasePreference(case_id, "second", judged=False, detail="The first did not answer.")
    points = (first.sopr.get(case_id), second.sopr.get(case_id))
    if points in ((1.0, 0.0), (0.0, 1.0)):
        better: Preferred = "first" if points[0] else "second"
        return CasePreference(case_id, better, judged=False, detail=f"Only the {better} solved it.")
    return None


def _judged(case_id: str, replies: Sequence[tuple[JudgeReply, JudgeReply]]) -> CasePreference:
    choices = [_both_orders(*pair) for pair in replies]
    if not choices or None in choices:
        lacking = choices.count(None)
        return CasePreference(
            case_id, "open", judged=True, detail=f"Waits for {lacking} of {len(choices)} judges."
        )
    lead = choices.count("first") - choices.count("second")
    preferred: Preferred = "first" if lead > 0 else "second" if lead < 0 else "tie"
    counted = ", ".join(
        f"{choices.count(choice)} {choice}" for choice in _CHOICES.values() if choice in choices
    )
    return CasePreference(
        case_id, preferred, judged=True, detail=f"Judged in both orders: {counted}."
    )


def _both_orders(straight: JudgeReply, swapped: JudgeReply) -> Choice | None:
    """A judge's choice, if it stands in both orders; a tie if it does not; None where a reply is missing or unreadable."""
    given = [parse(reply.text) if reply.text is not None else None for reply in (straight, swapped)]
    if given[0] is None or given[1] is None:
        return None
    return given[0] if given[0] == _SWAPPED[given[1]] else "tie"


def side_of(contents: Contents, results: Results, suite: Suite, submission: str) -> Side:
    """The first trial of every case that a submission answered, and its score there."""
    records = contents.records[submission, suite.id]
    verdicts = results.verdicts.filter(
        submission=submission, suite=suite.id, metric=suite.kind.ranked, trial=1
    )
    responses = {
        record.response.case_id: record.response for record in records if record.trial == 1
    }
    return Side(submission, responses, dict(verdicts.select("case_id", "score").rows()))


def recorded_preferences(
    contents: Contents,
    results: Results,
    suite: Suite,
    panel: Sequence[JudgeSettings],
    replay: Ask,
) -> Callable[[str, str], Preferences | None] | None:
    """Finds which of two submissions the judges prefer on a suite, as far as that is recorded.

    None where the suite names no prompt for it. The callable returns None for two submissions of
    which no judge compared an answer. `replay` answers from cassettes alone.
    """
    prompt = contents.prompts.get((suite.id, suite.policy.get("preference", "")))
    if prompt is None:
        return None

    def find(first: str, second: str) -> Preferences | None:
        if any((name, suite.id) not in contents.records for name in (first, second)):
            return None
        sides = (
            side_of(contents, results, suite, first),
            side_of(contents, results, suite, second),
        )
        found = prefer(suite, sides, prompt, panel, replay)
        settled = any(case.judged and case.preferred != "open" for case in found.cases)
        return found if settled else None

    return find
