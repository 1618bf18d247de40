"""The judge calls behind an answer: the first prompt whole, others without the same lines."""

from __future__ import annotations

from dataclasses import replace

from leaderboard.types import RecordedCall
from site_templates.board_index import index_board
from site_templates.parts.answers.judge_replies import PromptsShown, judge_replies
from tests.site_templates import site_board

CALLS = {
    "one": "Compare.\nExpected:\nyes\nGiven:\nyes, sure\nOne word.",
    "two": "Compare.\nExpected:\nyes\nGiven:\nno\nat all\nOne word.",
}


def shown(key: str, anchor: str, prompts: PromptsShown, judge: str = "j") -> tuple[str, str]:
    call = RecordedCall(CALLS[key], "equivalent.\nThe same.", judge, {}, "cassettes/j/s/m.json")
    board = replace(site_board.board(), exchange={key: call}.get)
    index = index_board(board)
    answer = index.answered("tools", "A001")[0]._replace(judge_calls=(key, "gone"))
    (reply,), missing = judge_replies(index, answer, anchor, prompts)
    assert missing == ("gone",)
    assert reply.gist == "equivalent: The same."
    return reply.prompt, reply.like


def test_the_first_prompt_of_each_judge_is_whole() -> None:
    """Another judge's prompt and another call about the same answer are whole too."""
    prompts: PromptsShown = {}
    assert shown("one", "a1", prompts) == (CALLS["one"], "")
    assert shown("two", "a1", prompts) == (CALLS["two"], "")
    assert shown("two", "a2", prompts, "other") == (CALLS["two"], "")


def test_later_prompts_leave_out_the_same_lines() -> None:
    """Each run of such lines is one ellipsis, and the anchor leads to the whole prompt."""
    prompts: PromptsShown = {}
    shown("one", "a1", prompts)
    assert shown("two", "a2", prompts) == ("…\nno\nat all\n…", "a1")
