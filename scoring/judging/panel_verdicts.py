"""The verdict of a panel, from the replies of its judges."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from leaderboard.responses.solved_grades import POINTS, UNSURE
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.short_text import cut
from leaderboard.types import JudgeReply, Outcome, Verdict
from scoring.judging.replies import EQUIVALENCE, QUOTED, SOLVED, Vocabulary, comment, parse
from scoring.rules.verdict_sentences import printable, show

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
    counted = [f"{cast.count(grade)} {grade}" for grade, _, _ in _OUTCOMES if grade in cast]
    sentences = [detail, *_obstacles(replies, missing, unread, EQUIVALENCE)]
    if counted:
        sentences.append(f"Of {len(replies)} judges, {' and '.join(counted)}: no majority.")
    return _unscored(metric, code, sentences, replies)


def settle_by_mean(
    metric: str,
    detail: str,
    replies: _Replies,
    *,
    points: Mapping[str, float] = POINTS,
    vocabulary: Vocabulary = SOLVED,
) -> Verdict:
    """The verdict on a scale, such as whether a query is solved: the mean of all votes.

    `replies` maps a voter (a judge, or a judge in one of several rounds) to its replies in order,
    and the last reply is the vote. `points` says what each grade of the vocabulary counts. An
    unreadable vote is left out of the mean, and the detail says so. A vote that is not recorded
    leaves the answer unscored, because it can still be recorded. `detail` may be empty.

    If votes differ, the common grade is unsure, unless a grade is worth exactly their mean.
    """
    votes: list[str] = []
    texts: list[str] = []
    missing, unread = [], []
    for voter, given in replies.items():
        text = given[-1].text if given else None
        if text is None:
            missing.append(voter)
        elif (vote := parse(text, vocabulary)) is None:
            unread.append(voter)
        else:
            votes.append(vote)
            texts.append(text)
    obstacles = _obstacles(replies, missing, unread, vocabulary)
    if missing or not votes:
        code = "judge_unparseable" if unread and not missing else _waiting(replies, missing)
        return _unscored(metric, code, [detail, *obstacles], replies)

    values = [points[vote] for vote in votes]
    # The mean of 0.7, 0.7 and 0.7 in binary fractions is less than 0.7.
    score = values[0] if len(set(values)) == 1 else sum(values) / len(values)
    grade = _common_grade(votes, points, score)
    grades = f"Judged {grade}"
    if len(replies) > 1:
        counts = [f"{votes.count(one)} {one}" for one in points if one in votes]
        grades = f"Of {counted(len(votes), 'vote')}, {' and '.join(counts)}"
    distances = [abs(value - score) for value in values]
    words = comment(texts[distances.index(min(distances))], vocabulary)
    grades += f": {words}" if words else "."
    sentence = " ".join(filter(None, [detail, grades, *obstacles]))
    outcome: Outcome = "pass" if score == 1 else "fail"
    of_suite = grade != UNSURE and points.keys() != POINTS.keys()
    reason = f"judged_{grade}" if of_suite else f"judge_{grade}"
    return Verdict(metric, outcome, score, reason, sentence, "judge", _keys(replies))


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
    if len(grades) < len(replies):
        return "missing"
    return "unparseable" if None in grades or not grades else "equivalent"


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
    detail = " ".join(filter(None, sentences))
    return Verdict(metric, "unscored", None, code, detail, "judge", _keys(replies))


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
