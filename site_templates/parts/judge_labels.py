"""The judges as every page names them: always with what they are."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.types import JudgeSettings
from site_templates import formatting
from site_templates.board_index import Register
from site_templates.links import Link


@dataclass(frozen=True, slots=True)
class JudgeFact:
    """A judge by name, with its page where it has one, and what it is (empty where that is not known)."""

    link: Link
    nature: str


def judge_fact(register: Register, name: str) -> JudgeFact:
    """A judge as a page names it. One that decided earlier and is no longer among the board's has no page."""
    for judge in register.board.judges:
        if judge.name == name:
            return JudgeFact(Link(name, register.paths.judge(name)), nature(judge))
    return JudgeFact(Link(name), "")


def nature(judge: JudgeSettings) -> str:
    """What a judge is, in a few words."""
    if judge.provider == "embedded":
        return "a set of lexical rules, no language model"
    return f"the model {formatting.clip(judge.model, 60)}"
