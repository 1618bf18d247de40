"""Which of two submissions a panel prefers: the solvable win rate of StableToolBench.

Unlike there, both orders are asked and ties are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from leaderboard.apis.api_answers import answer_of
from leaderboard.board.preferences import CasePreference, Preferences, Preferred
from leaderboard.files.cassette_paths import PREFERENCES
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
from scoring.judging.panel_questions import render
from scoring.judging.replies import PREFERENCE, parse
from scoring.rules.stable_toolbench import execution

_SWAPPED: Final = {"first": "second", "second": "first", "tie": "tie"}


@dataclass(frozen=True, slots=True)
class Side:
    """One submission in the comparison: its response to each case, and its SoPR there if known."""

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
    """Which submission is preferred, for each case that one of the two answers.

    A submission is preferred without a judge if only it answers the case, or if it solves a case
    that the other leaves unsolved. Otherwise every judge is asked twice, once in each order. A
    choice counts only if it is the same in both orders, anything else is a tie. The side with
    more judges wins.
    """
    first, second = sides
    preferred: dict[str, CasePreference | None] = {}
    calls: list[JudgeCall] = []
    for case in suite.cases:
        if case.id not in first.responses and case.id not in second.responses:
            continue
        preferred[case.id] = _without_judge(case.id, first, second)
        if preferred[case.id] is None:
            shown = (first.shown(case.id), second.shown(case.id))
            texts = [
                render(prompt, Question(case.query, "", *pair)) for pair in (shown, shown[::-1])
            ]
            for judge in panel:
                calls += [JudgeCall(judge, suite.id, PREFERENCES, text) for text in texts]

    replies = iter(ask(calls) if calls else ())
    cases = []
    for case_id, preference in preferred.items():
        if preference is not None:
            cases.append(preference)
        else:
            pairs = [(next(replies), next(replies)) for _ in panel]
            cases.append(_judged(case_id, pairs))
    return _with_win_rate(Preferences(suite.id, first.submission, second.submission, tuple(cases)))


def _with_win_rate(found: Preferences) -> Preferences:
    """Adds the share of all cases in which the first is preferred, with its bounds."""
    number = len(found.cases)
    if not number:
        return found
    lowest = found.count("first") / number
    highest = (found.count("first") + found.count("open")) / number
    win_rate = None if found.count("open") else lowest
    return replace(found, win_rate=win_rate, win_bounds=(lowest, highest))


def _without_judge(case_id: str, first: Side, second: Side) -> CasePreference | None:
    """The preference if one did not answer, or solved what the other left unsolved."""
    if case_id not in second.responses:
        return CasePreference(case_id, "first", judged=False, detail="The second did not answer.")
    if case_id not in first.responses:
        return CasePreference(case_id, "second", judged=False, detail="The first did not answer.")
    points = (first.sopr.get(case_id), second.sopr.get(case_id))
    if points in ((1.0, 0.0), (0.0, 1.0)):
        better: Preferred = "first" if points[0] else "second"
        return CasePreference(case_id, better, judged=False, detail=f"Only the {better} solved it.")
    return None


def _judged(case_id: str, replies: Iterable[tuple[JudgeReply, JudgeReply]]) -> CasePreference:
    choices = [_choice_in_both_orders(*pair) for pair in replies]
    if not choices or None in choices:
        number = f"{choices.count(None)} of {len(choices)}"
        detail = f"Judges without a readable reply in both orders: {number}."
        return CasePreference(case_id, "open", judged=True, detail=detail)
    lead = choices.count("first") - choices.count("second")
    preferred: Preferred = "tie"
    if lead:
        preferred = "first" if lead > 0 else "second"
    counted = [f"{choices.count(choice)} {choice}" for choice in _SWAPPED if choice in choices]
    detail = f"Judged in both orders: {', '.join(counted)}."
    return CasePreference(case_id, preferred, judged=True, detail=detail)


def _choice_in_both_orders(straight: JudgeReply, swapped: JudgeReply) -> str | None:
    """A judge's choice. None if a reply is missing or unreadable."""
    one = parse(straight.text or "", PREFERENCE)
    other = parse(swapped.text or "", PREFERENCE)
    if one is None or other is None:
        return None
    return one if one == _SWAPPED[other] else "tie"


def side_of(contents: Contents, results: Results, suite: Suite, submission: str) -> Side:
    """The first trial of every case that a submission answered, and its score there."""
    records = contents.records[submission, suite.id]
    verdicts = results.verdicts.filter(
        submission=submission, suite=suite.id, metric=suite.kind.ranked, trial=1
    )
    given = {record.response.case_id: record.response for record in records if record.trial == 1}
    responses = {
        case_id: suite.kind.confirm(suite, suite.by_id[case_id], response)
        for case_id, response in given.items()
    }
    return Side(submission, responses, dict(verdicts.select("case_id", "score").rows()))


def recorded_preferences(
    contents: Contents,
    results: Results,
    suite: Suite,
    panel: Sequence[JudgeSettings],
    replay: Ask,
) -> Callable[[str, str], Preferences | None] | None:
    """A function that says which of two submissions the judges prefer, if that is recorded.

    None if the suite names no prompt for it. The function returns None for two submissions that
    no judge compared. `replay` answers from cassettes alone.
    """
    prompt = contents.prompts.get((suite.id, suite.policy.get("preference", "")))
    if prompt is None:
        return None

    def find(first: str, second: str) -> Preferences | None:
        if any((name, suite.id) not in contents.records for name in (first, second)):
            return None
        one, other = (side_of(contents, results, suite, name) for name in (first, second))
        found = prefer(suite, (one, other), prompt, panel, replay)
        return found if found.decided else None

    return find
