"""The judge calls behind the answers to a case: what was asked, and what came back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from leaderboard.types import RecordedCall
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer
from site_templates.parts.named_links import NamedJudge, to_judge

_GIST: Final = 160  # letters of a reply on one line
_LEFT_OUT: Final = "…"

# By judge: the anchor of the first answer on the page that it judged, and the lines of that prompt.
PromptsShown = dict[str, tuple[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class ReplyView:
    """One judge call: its judge, its key and what was recorded. `gist` is the reply on one line.

    `prompt` is whole if `like` is empty. Otherwise `like` is the anchor of an answer whose prompt
    is whole, and the lines that both prompts have are left out.
    """

    judge: NamedJudge
    exchange: RecordedCall
    key: str
    gist: str
    prompt: str
    like: str


def judge_replies(
    index: BoardIndex, answer: Answer, anchor: str, prompts: PromptsShown
) -> tuple[tuple[ReplyView, ...], tuple[str, ...]]:
    """The judge calls that a verdict rests on, and the keys of those that are not recorded.

    `anchor` is that of the answer. Its prompts are added to `prompts`.
    """
    replies, missing = [], []
    for key in answer.judge_calls:
        exchange = index.board.exchange(key)
        if exchange is None:
            missing.append(key)
            continue
        grade, _, reason = exchange.reply.strip().partition("\n")
        gist = f"{grade.rstrip(' .:')}: {reason}" if reason.strip() else grade
        judge = to_judge(index, exchange.judge)
        prompt, like = _abridged(exchange, anchor, prompts)
        line = formatting.clip(gist, _GIST)
        replies.append(ReplyView(judge, exchange, key, line, prompt, like))
    return tuple(replies), tuple(missing)


def _abridged(exchange: RecordedCall, anchor: str, prompts: PromptsShown) -> tuple[str, str]:
    """A prompt, and the anchor of the answer whose prompt has the lines that are left out of it.

    Prompts about the answers to a case differ in few lines.
    """
    lines = exchange.prompt.split("\n")
    like, shown = prompts.setdefault(exchange.judge, (anchor, frozenset(lines)))
    if like == anchor:
        return exchange.prompt, ""
    kept: list[str] = []
    for line in lines:
        if line not in shown:
            kept.append(line)
        elif kept[-1:] != [_LEFT_OUT]:
            kept.append(_LEFT_OUT)
    return "\n".join(kept), like
