"""Whether a query is solved: how a judge's word on it is read, and what the votes of a panel come to.

Solved counts 1, Unsure 0.5, Unsolved 0; the votes of all judges and rounds are averaged, there is no majority.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from leaderboard.responses.solved import POINTS, Status, status_of
from leaderboard.types import Decision, JudgeReply, Outcome, Verdict
from scoring.rules.details import cut, failed, passed, printable, show

SENTENCE: Final = 200  # characters of a judge's words in a verdict

_KEYS: Final = ("answer_status", "answerstatus", "status", "grade", "verdict")
_DECORATION: Final = " *_\"'`.:,;#[](){}!"
_LABEL: Final = re.compile(
    r"^[*_# \"']*(?:(?:the )?(?:final )?(?:answer )?(?:status|grade|verdict)|answer_?status)[*_ \"']*[:=.]",
    re.IGNORECASE,
)
_OBJECT: Final = re.compile(r"\{.*\}", re.DOTALL)


# Replies repeat themselves.
@lru_cache(maxsize=4096)
def parse(reply: str) -> Status | None:
    """The status that a reply gives, or None where it gives none that can be relied on.

    A JSON object with `answer_status` counts first. Then, of the lines that are a status and nothing else, perhaps labelled
    (`Status: Solved`), the last. Then the first line, if its first word is a status and no "or" follows. Letter case and
    decoration never matter; `partially solved` is none, and what the reason says of unsolved parts is never looked at.
    """
    found = _object(reply)
    if found is not None:
        return next((_alone(str(found[key])) for key in _KEYS if key in found), None)
    lines = _lines(reply)
    alone = [status for line in lines if (status := _alone(line))]
    if alone:
        return alone[-1]
    return _leading(lines[0]) if lines else None


def reason(reply: str) -> str:
    """What a judge says beside the status, on one line, cut."""
    found = _object(reply)
    if found is not None:
        told = found.get("reason")
        return cut(printable(" ".join(told.split())), SENTENCE) if isinstance(told, str) else ""
    lines = _lines(reply)
    if lines and not _alone(lines[0]) and _leading(lines[0]):
        lines[0] = _after_status(lines[0])
    return cut(printable(" ".join(line for line in lines if line and not _alone(line))), SENTENCE)


def settle(
    metric: str,
    detail: str,
    votes: Mapping[str, Sequence[JudgeReply]],
    *,
    unsure: float = POINTS["unsure"],
) -> Verdict:
    """The verdict of a panel. `votes` maps a voter (a judge, or a judge in one of several rounds) to its replies in order.

    The last reply is the vote. A vote that cannot be read is left out of the mean and said to be; a vote that is not recorded
    leaves the answer unscored, because it is still to be had. `detail` is a sentence to begin with, or empty; `unsure` is what
    an unsure vote counts.
    """
    keys = " ".join(dict.fromkeys(reply.key for given in votes.values() for reply in given)) or None
    missing = [voter for voter, given in votes.items() if not given or given[-1].text is None]
    said = {
        voter: parse(given[-1].text)
        for voter, given in votes.items()
        if given and given[-1].text is not None
    }
    cast = {voter: status for voter, status in said.items() if status is not None}
    unread = [voter for voter in said if voter not in cast]
    if missing or not cast:
        code = "judge_missing" if missing or not unread else "judge_unparseable"
        told = " ".join(filter(None, [detail, *_obstacles(votes, missing, unread)]))
        return Verdict(metric, "unscored", None, code, told, "judge", keys)
    points = {**POINTS, "unsure": unsure}
    score = sum(points[status] for status in cast.values()) / len(cast)
    voter, status = _nearest(cast, points, score)
    words = reason(votes[voter][-1].text or "")
    said_by = f"{_counted(cast, len(votes))}{f': {words}' if words else '.'}"
    told = " ".join(filter(None, [detail, said_by, *_obstacles(votes, (), unread)]))
    outcome: Outcome = "pass" if score == 1 else "fail"
    return Verdict(metric, outcome, score, f"judge_{status}", told, "judge", keys)


def decide(metric: str, status: Status, detail: str) -> Decision:
    """A status that a rule of thumb came to, marked as such."""
    code = f"heuristic_{status}"
    if status == "solved":
        return passed(metric, code, detail)
    return (
        failed(metric, code, detail)
        if status == "unsolved"
        else Decision(metric, "fail", POINTS[status], code, detail)
    )


# ---------------------------------------------------------------- reading one reply


@lru_cache(maxsize=4096)
def _object(reply: str) -> Mapping[str, object] | None:
    """The JSON object in a reply, its keys in small letters; None without one that holds a status."""
    found = _OBJECT.search(reply)
    if found is None:
        return None
    try:
        value = json.loads(found[0], strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    named = {str(key).strip().lower(): item for key, item in value.items()}
    return named if any(key in named for key in _KEYS) else None


def _lines(reply: str) -> list[str]:
    """The lines that hold more than decoration, every run of blanks in them one space."""
    lines = (" ".join(line.split()) for line in reply.splitlines())
    return [line for line in lines if line.strip(_DECORATION)]


def _alone(line: str) -> Status | None:
    """The status that the line is, if it is nothing else."""
    return status_of(_LABEL.sub("", line).strip(_DECORATION))


def _leading(line: str) -> Status | None:
    """The status that the line begins with, unless it is the instruction said again: "Solved or Unsolved"."""
    words = [word.strip(_DECORATION).lower() for word in _LABEL.sub("", line).split()]
    first, second = status_of(" ".join(words[:1])), status_of(" ".join(words[:2]))
    following = words[2:] if second else words[1:]
    return None if following[:1] == ["or"] else second or first


def _after_status(line: str) -> str:
    words = _LABEL.sub("", line).split()
    number = 2 if status_of(" ".join(words[:2]).strip(_DECORATION)) else 1
    return " ".join(words[number:]).lstrip(" -–—:")


# ---------------------------------------------------------------- what several votes come to


def _nearest(
    cast: Mapping[str, Status], points: Mapping[Status, float], score: float
) -> tuple[str, Status]:
    """The first voter that is closest to the mean, and the status that the mean stands for: all say it, or it is unsure."""
    closest = min(cast, key=lambda voter: abs(points[cast[voter]] - score))
    return closest, cast[closest] if len(set(cast.values())) == 1 else "unsure"


def _counted(cast: Mapping[str, Status], votes: int) -> str:
    if votes == 1:
        return f"Judged {next(iter(cast.values()))}"
    found = ((status, sum(said == status for said in cast.values())) for status in POINTS)
    return f"Of {len(cast)} votes, {' and '.join(f'{number} {status}' for status, number in found if number)}"


def _obstacles(
    votes: Mapping[str, Sequence[JudgeReply]], missing: Sequence[str], unread: Sequence[str]
) -> Iterator[str]:
    """For each vote that does not count, why."""
    for voter in missing:
        yield f"No recorded reply of {voter}{_near(votes[voter])}."
    for voter in unread:
        yield f"The reply of {voter} cannot be read: {show(votes[voter][-1].text, SENTENCE)}."


def _near(replies: Sequence[JudgeReply]) -> str:
    if not replies or not replies[-1].nearest:
        return ""
    last = replies[-1]
    differs = f" ({cut(printable(last.difference), SENTENCE)})" if last.difference else ""
    return f"; the nearest recorded call is {last.nearest[:16] if last.nearest else ''}{differs}"
