"""Whether a query is solved: reading a judge's word on it, and averaging votes."""

from __future__ import annotations

import pytest

from leaderboard.types import JudgeReply
from scoring.judging.solved_replies import parse, reason, settle


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("Solved\nIt names both lines.", "solved"),
        ("solved", "solved"),
        ("**Unsolved**\n\nAn apology.", "unsolved"),
        ("Unsure.", "unsure"),
        ("Answer status: Solved\nReason: both lines.", "solved"),
        ("AnswerStatus.Unsolved", "unsolved"),
        ("Status = UNSURE", "unsure"),
        ("`Solved`: it names both lines", "solved"),
        ("Solved, though one part is unsolved in the reason.", "solved"),
        ("Not solved, because it only asks back.", "unsolved"),
        ("Let me think.\nIt names both.\nSolved", "solved"),
        ("Unsure\nOn reflection:\nSolved", "solved"),
        ('{"answer_status": "Solved", "reason": "unsolved parts: none"}', "solved"),
        ('```json\n{"answer_status": " unsure ", "reason": "x"}\n```', "unsure"),
        ('{"Answer_Status": "AnswerStatus.Unsolved"}', "unsolved"),
        ('{"answer_status": "Solved"', None),
        ('{"answer_status": "Partially solved", "reason": "Solved"}', None),
        ("Partially solved", None),
        ("Solved or Unsolved", None),
        ("The query is solved by this.", None),
        ("Resolved", None),
        ("Unsolvable", None),
        ("", None),
        ("{}", None),
    ],
)
def test_a_reply_is_read(reply: str, status: str | None) -> None:
    """JSON or words, in any letter case and decoration; what is no plain status is none."""
    assert status == parse(reply)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Solved\nIt names both lines.", "It names both lines."),
        ("Solved: it names both lines.", "it names both lines."),
        ("Not solved - it asks back.", "it asks back."),
        ('{"answer_status": "Solved", "reason": "names  both"}', "names both"),
        ('{"answer_status": "Solved"}', ""),
        ("Solved", ""),
    ],
)
def test_the_reason_of_a_reply(reply: str, told: str) -> None:
    """What stands beside the status, on one line; none is fine."""
    assert told == reason(reply)


def votes(*given: str | list[str | None] | None) -> dict[str, list[JudgeReply]]:
    """Replies by voter; a list is what one voter said one after the other."""
    return {
        f"j{place}": [
            JudgeReply(f"k{place}{number}", text)
            for number, text in enumerate(one if isinstance(one, list) else [one])
        ]
        for place, one in enumerate(given)
    }


@pytest.mark.parametrize(
    ("said", "outcome", "score", "code"),
    [
        (["Solved"], "pass", 1.0, "judge_solved"),
        (["Unsure"], "fail", 0.5, "judge_unsure"),
        (["Unsolved"], "fail", 0.0, "judge_unsolved"),
        (["Solved", "Unsolved"], "fail", 0.5, "judge_unsure"),
        (["Solved", "Solved", "Unsure"], "fail", 5 / 6, "judge_unsure"),
        ([["Unsure", "Solved"]], "pass", 1.0, "judge_solved"),
        ([["Unsure", "Unsolved"], "Solved"], "fail", 0.5, "judge_unsure"),
        (["Solved", "no idea"], "pass", 1.0, "judge_solved"),
        (["no idea"], "unscored", None, "judge_unparseable"),
        (["Solved", None], "unscored", None, "judge_missing"),
        ([["Unsure", None]], "unscored", None, "judge_missing"),
        ([None, "no idea"], "unscored", None, "judge_missing"),
        ([], "unscored", None, "judge_missing"),
    ],
)
def test_votes_are_averaged(
    said: list[str | list[str | None] | None], outcome: str, score: float | None, code: str
) -> None:
    """A mean, no majority; each voter's last word counts; the unreadable are left out, the unrecorded waited for."""
    verdict = settle("sopr", "", votes(*said))
    assert (outcome, score, code, "judge") == (
        verdict.outcome,
        verdict.score,
        verdict.reason,
        verdict.decided_by,
    )


def test_the_verdict_says_how_it_came_about() -> None:
    """One vote in its own words; several counted; what did not count, and every key that it rests on."""
    assert "Judged solved: Both lines." == settle("sopr", "", votes("Solved\nBoth lines.")).detail
    several = settle(
        "sopr", "Whether.", votes("Solved\nA.", ["Unsure\nB.", "Unsolved\nC."], "what?")
    )
    assert (
        'Whether. Of 2 votes, 1 solved and 1 unsolved: A. The reply of j2 cannot be read: "what?".'
        == several.detail
    )
    assert "k00 k10 k11 k20" == several.judge_call


def test_a_missing_reply_is_named_with_the_nearest_one() -> None:
    """So that its cause can be found."""
    verdict = settle("sopr", "", {"j": [JudgeReply("k", None, "abc", "seed: recorded 1, asked 2")]})
    assert (
        "No recorded reply of j; the nearest recorded call is abc (seed: recorded 1, asked 2)."
        == verdict.detail
    )


def test_unsure_may_count_nothing() -> None:
    """Where only a plain yes counts: the share of those who say Solved."""
    assert (0.0, "judge_unsure") == (
        settle("m", "", votes("Unsure"), unsure=0.0).score,
        settle("m", "", votes("Unsure"), unsure=0.0).reason,
    )
    assert 0.5 == settle("m", "", votes("Unsure", "Solved"), unsure=0.0).score
