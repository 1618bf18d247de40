"""The verdict of a panel, from the replies of its judges."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.responses.solved_grades import POINTS, UNSURE
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import cut
from leaderboard.texts.shown_values import printable, show
from leaderboard.types import JudgeReply, Outcome, Verdict
from scoring.judging.replies import (
    EQUIVALENCE,
    QUOTED,
    Vocabulary,
    comment,
    parse,
    vocabulary_of_grades,
)

_Replies = Mapping[str, Sequence[JudgeReply]]

_OUTCOMES: Final[tuple[tuple[str, Outcome, float], ...]] = (
    ("equivalent", "pass", 1.0),
    ("different", "fail", 0.0),
)


def settle_by_majority(metric: str, detail: str, replies: _Replies) -> Verdict:
    """The verdict on whether texts mean the same.

    `replies` maps each judge to its replies, one per question of the referral. `detail` is the
    sentence that says what differs. A judge passes an answer if every part is equivalent, and
    fails it if one part is different. A judge whose reply is missing or unreadable has no vote.
    More than half of the whole panel decides. Otherwise the answer is unscored: it waits for a
    reply or, after a tie (`judge_tie`), for another judge in the panel.
    """
    votes = {judge: _vote(given) for judge, given in replies.items()}
    cast = list(votes.values())
    for grade, outcome, score in _OUTCOMES:
        number = cast.count(grade)
        if 2 * number > len(replies):
            first = next(judge for judge, vote in votes.items() if vote == grade)
            by = "" if len(replies) == 1 else f" by {number} of {len(replies)} judges"
            words = _comment_on(grade, replies[first])
            sentence = f"{detail} Judged {grade}{by}{f': {words}' if words else '.'}"
            keys = _keys(replies)
            return Verdict(metric, outcome, score, f"judge_{grade}", sentence, "judge", keys)

    missing = [judge for judge, vote in votes.items() if vote == "missing"]
    unread = [judge for judge, vote in votes.items() if vote == "unparseable"]
    if missing or not cast:
        code = _waiting(replies, missing)
    else:
        code = "judge_unparseable" if unread else "judge_tie"
    counts = [f"{cast.count(grade)} {grade}" for grade, _, _ in _OUTCOMES if grade in cast]
    sentences = [detail, *_obstacles(replies, missing, unread, EQUIVALENCE)]
    if counts:
        sentences.append(f"Of {len(replies)} judges, {' and '.join(counts)}: no majority.")
    return _unscored(metric, code, sentences, replies)


def settle_by_mean(
    metric: str, detail: str, replies: _Replies, points: Mapping[str, float]
) -> Verdict:
    """The verdict by grades that count points, such as whether a query is solved: their mean.

    `replies` maps a voter (a judge, or a judge in one of several rounds) to its replies in order,
    and the last reply is the vote. An unreadable vote is left out of the mean, and the detail says
    so. A vote that is not recorded leaves the answer unscored, because it can still be recorded.
    `detail` may be empty.

    If votes differ, the common grade is unsure. A suite whose labels have no unsure has a common
    grade if one of them is worth exactly the mean.
    """
    vocabulary = vocabulary_of_grades(points)
    votes, missing, unread = _read_votes(replies, vocabulary)
    obstacles = _obstacles(replies, missing, unread, vocabulary)
    if missing or not votes:
        code = "judge_unparseable" if unread and not missing else _waiting(replies, missing)
        return _unscored(metric, code, [detail, *obstacles], replies)

    grades = [vote.grade for vote in votes]
    score = _mean([points[grade] for grade in grades])
    common = _common_grade(grades, points, score)
    judged = f"Judged {common}"
    if len(replies) > 1:
        counts = [f"{grades.count(grade)} {grade}" for grade in points if grade in grades]
        judged = f"Of {counted(len(votes), 'vote')}, {' and '.join(counts)}"
    closest = min(votes, key=lambda vote: abs(points[vote.grade] - score))
    words = comment(closest.text, vocabulary)
    sentences = [detail, f"{judged}: {words}" if words else f"{judged}.", *obstacles]
    outcome: Outcome = "pass" if score == 1 else "fail"
    of_suite = common != UNSURE and points.keys() != POINTS.keys()
    reason = f"judged_{common}" if of_suite else f"judge_{common}"
    return Verdict(metric, outcome, score, reason, _joined(sentences), "judge", _keys(replies))


class _Vote(NamedTuple):
    """The grade of one voter, and the reply that gives it."""

    grade: str
    text: str


def _read_votes(
    replies: _Replies, vocabulary: Vocabulary
) -> tuple[list[_Vote], list[str], list[str]]:
    """The votes, and the voters whose last reply is missing or unreadable."""
    votes, missing, unread = [], [], []
    for voter, given in replies.items():
        text = given[-1].text if given else None
        if text is None:
            missing.append(voter)
        elif (grade := parse(text, vocabulary)) is None:
            unread.append(voter)
        else:
            votes.append(_Vote(grade, text))
    return votes, missing, unread


def _mean(values: Sequence[float]) -> float:
    # The mean of 0.7, 0.7 and 0.7 in binary fractions is less than 0.7.
    return values[0] if len(set(values)) == 1 else sum(values) / len(values)


def _common_grade(votes: Sequence[str], points: Mapping[str, float], mean: float) -> str:
    """The grade of all votes together."""
    if len(set(votes)) == 1:
        return votes[0]
    if UNSURE in points:
        return UNSURE
    equal = (grade for grade, value in points.items() if math.isclose(value, mean))
    return next(equal, UNSURE)


def _vote(replies: Sequence[JudgeReply]) -> str:
    """One judge's view of an answer: one different part decides, even if others are missing."""
    grades = [parse(reply.text, EQUIVALENCE) for reply in replies if reply.text is not None]
    if "different" in grades:
        return "different"
    if not grades or len(grades) < len(replies):
        return "missing"
    return "unparseable" if None in grades else "equivalent"


def _comment_on(grade: str, replies: Sequence[JudgeReply]) -> str:
    """The words of the first reply that gives this grade and says more than the grade."""
    for reply in replies:
        text = reply.text or ""
        if parse(text, EQUIVALENCE) == grade and (words := comment(text, EQUIVALENCE)):
            return words
    return ""


def _keys(replies: _Replies) -> str | None:
    """The keys of all calls, each once."""
    keys = dict.fromkeys(reply.key for given in replies.values() for reply in given)
    return " ".join(keys) or None


def _unscored(metric: str, code: str, sentences: Sequence[str], replies: _Replies) -> Verdict:
    detail = _joined(sentences)
    return Verdict(metric, "unscored", None, code, detail, "judge", _keys(replies))


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(filter(None, sentences))


def _waiting(replies: _Replies, missing: Collection[str]) -> str:
    """The reason code of votes that are missing: all may be recorded, but by no maintainer."""
    absent = [reply for voter in missing for reply in replies[voter] if reply.text is None]
    pending = bool(absent) and all(reply.pending for reply in absent)
    return "judge_pending" if pending else "judge_missing"


def _obstacles(
    replies: _Replies, missing: Collection[str], unread: Collection[str], vocabulary: Vocabulary
) -> list[str]:
    """A sentence for each vote that is missing or unreadable."""
    sentences = []
    for voter, given in replies.items():
        if voter in missing:
            absent = next((reply for reply in given if reply.text is None), None)
            if absent is not None and absent.pending:
                sentences.append(f"The reply of {voter} waits for a maintainer to record it.")
            else:
                sentences.append(f"No recorded reply of {voter}{_nearest(absent)}.")
        elif voter in unread:
            texts = [reply.text or "" for reply in given]
            text = next(text for text in texts if parse(text, vocabulary) is None)
            sentences.append(f"The reply of {voter} cannot be read: {show(text, QUOTED)}.")
    return sentences


def _nearest(reply: JudgeReply | None) -> str:
    if reply is None or not reply.nearest:
        return ""
    differs = f" ({cut(printable(reply.difference), QUOTED)})" if reply.difference else ""
    return f"; the nearest recorded call is {reply.nearest[:16]}{differs}"
