"""The verdict of a panel: by majority on equal meaning, by the mean on solved queries."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.reasons import REASONS
from leaderboard.responses.solved_grades import POINTS, UNSURE
from leaderboard.types import JudgeReply
from scoring.judging.panel_verdicts import settle_by_majority, settle_by_mean
from tests.each_row import each_row

DIFFERS = 'from_unit: expected "kilometers", got "km".'


def reply(
    text: str | None, key: str = "k1", nearest: str | None = None, difference: str | None = None
) -> JudgeReply:
    return JudgeReply(key, text, nearest, difference)


@each_row(
    ("texts", "outcome", "reason", "detail"),
    [
        (["equivalent"], "pass", "judge_equivalent", "Judged equivalent."),
        (
            ["equivalent\nSame  unit,\nshort form."],
            "pass",
            "judge_equivalent",
            "Judged equivalent: Same unit, short form.",
        ),
        (["equivalent: same unit"], "pass", "judge_equivalent", "Judged equivalent: same unit"),
        (["different - other unit"], "fail", "judge_different", "Judged different: other unit"),
        (["equivalent", "equivalent\nYes."], "pass", "judge_equivalent", "Judged equivalent: Yes."),
        (
            ["equivalent\nYes.", "different\nNo."],
            "fail",
            "judge_different",
            "Judged different: No.",
        ),
        (["different\nNo.", None], "fail", "judge_different", "Judged different: No."),
        (["different", "hm"], "fail", "judge_different", "Judged different."),
        (["equivalent", None], "unscored", "judge_missing", "No recorded reply of ada."),
        (["hm", None], "unscored", "judge_missing", "No recorded reply of ada."),
        (
            ["equivalent", "hm\nwell"],
            "unscored",
            "judge_unparseable",
            'The reply of ada cannot be read: "hm\\nwell".',
        ),
    ],
)
def test_one_judge(texts: list[str | None], outcome: str, reason: str, detail: str) -> None:
    """Equivalent parts pass, a different part fails. Without readable replies it is unscored."""
    replies = [reply(text, f"k{number}") for number, text in enumerate(texts)]
    verdict = settle_by_majority("correct", DIFFERS, {"ada": replies})
    assert (verdict.outcome, verdict.reason, verdict.detail) == (
        outcome,
        reason,
        f"{DIFFERS} {detail}",
    )
    assert verdict.score == {"pass": 1.0, "fail": 0.0, "unscored": None}[outcome]
    assert (verdict.metric, verdict.decided_by) == ("correct", "judge")
    assert verdict.judge_call == " ".join(f"k{number}" for number in range(len(texts)))
    assert verdict.reason in REASONS


@each_row(
    ("texts", "outcome", "reason", "detail"),
    [
        (
            ["equivalent", "equivalent\nSame.", "different"],
            "pass",
            "judge_equivalent",
            "Judged equivalent by 2 of 3 judges.",
        ),
        (
            ["different\nNo.", "different", None],
            "fail",
            "judge_different",
            "Judged different by 2 of 3 judges: No.",
        ),
        (
            ["equivalent", "equivalent", "hm"],
            "pass",
            "judge_equivalent",
            "Judged equivalent by 2 of 3 judges.",
        ),
        (
            ["equivalent", "different"],
            "unscored",
            "judge_tie",
            "Of 2 judges, 1 equivalent and 1 different: no majority.",
        ),
        (
            ["equivalent", None],
            "unscored",
            "judge_missing",
            "No recorded reply of b. Of 2 judges, 1 equivalent: no majority.",
        ),
        (
            ["hm", "different"],
            "unscored",
            "judge_unparseable",
            'The reply of a cannot be read: "hm". Of 2 judges, 1 different: no majority.',
        ),
        (
            [None, "hm"],
            "unscored",
            "judge_missing",
            'No recorded reply of a. The reply of b cannot be read: "hm".',
        ),
    ],
)
def test_a_panel(texts: list[str | None], outcome: str, reason: str, detail: str) -> None:
    """More than half of the whole panel decides. The detail counts votes. A tie is unscored."""
    panel = {name: [reply(text, f"k{name}")] for name, text in zip("abc", texts, strict=False)}
    verdict = settle_by_majority("correct", DIFFERS, panel)
    assert (verdict.outcome, verdict.reason, verdict.detail) == (
        outcome,
        reason,
        f"{DIFFERS} {detail}",
    )


def test_each_judge_weighs_all_parts() -> None:
    """A judge who finds one of two parts different votes to fail the answer."""
    yes, no = reply("equivalent"), reply("different")
    assert (
        settle_by_majority(
            "correct", DIFFERS, {"a": [yes, no], "b": [yes, yes], "c": [yes, yes]}
        ).outcome
        == "pass"
    )
    assert (
        settle_by_majority(
            "correct", DIFFERS, {"a": [yes, no], "b": [no, yes], "c": [yes, yes]}
        ).outcome
        == "fail"
    )


def test_a_missing_reply_names_the_nearest_call() -> None:
    """The sentence says which recorded call comes closest and what differs."""
    verdict = settle_by_majority(
        "correct",
        DIFFERS,
        {"ada": [reply(None, "k1", "9c1e" * 16, "temperature: recorded 0.5, asked 0")]},
    )
    nearest = "the nearest recorded call is 9c1e9c1e9c1e9c1e (temperature: recorded 0.5, asked 0)."
    assert verdict.detail == f"{DIFFERS} No recorded reply of ada; {nearest}"
    assert verdict.judge_call == "k1"


@pytest.mark.parametrize("settle", [settle_by_majority, partial(settle_by_mean, points=POINTS)])
def test_a_judge_that_was_asked_nothing_gives_no_verdict(settle: Any) -> None:
    """It is not taken for one that agrees."""
    verdict = settle("correct", DIFFERS, {"ada": [], "bob": []})
    assert ("unscored", "judge_missing", None) == (
        verdict.outcome,
        verdict.reason,
        verdict.judge_call,
    )
    assert f"{DIFFERS} No recorded reply of ada. No recorded reply of bob." == verdict.detail


def test_one_request_asked_twice_is_one_key() -> None:
    """Two parts with the same question rest on one judge call, named once."""
    same = reply("equivalent", "k7")
    assert settle_by_majority("correct", DIFFERS, {"ada": [same, same]}).judge_call == "k7"


def test_the_judges_words_are_cut() -> None:
    """The detail quotes two hundred characters of a judge's words."""
    verdict = settle_by_majority(
        "correct", DIFFERS, {"ada": [reply("different\n" + "word " * 500)]}
    )
    assert len(verdict.detail) == len(f"{DIFFERS} Judged different: ") + 200
    assert verdict.detail.endswith("…")


@given(
    st.dictionaries(st.sampled_from("abc"), st.lists(st.none() | st.text(), max_size=3), min_size=1)
)
@pytest.mark.large
def test_whatever_judges_say_there_is_a_verdict(panel: dict[str, list[str | None]]) -> None:
    """No reply raises, and only an unscored verdict is without a score."""
    replies = {judge: [reply(text) for text in texts] for judge, texts in panel.items()}
    verdict = settle_by_majority("correct", DIFFERS, replies)
    assert verdict.reason in REASONS
    assert (verdict.score is None) is (verdict.outcome == "unscored")
    assert verdict.detail.startswith(DIFFERS)
    assert verdict.detail.encode()


# ---------------------------------------------------------------- solved queries


def votes(*given: str | list[str | None] | None) -> dict[str, list[JudgeReply]]:
    """Replies by voter; a list is what one voter said one after the other."""
    return {
        f"j{place}": [
            JudgeReply(f"k{place}{number}", text)
            for number, text in enumerate(one if isinstance(one, list) else [one])
        ]
        for place, one in enumerate(given)
    }


@each_row(
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
    """Each voter's last reply counts. Unreadable votes are left out, missing ones waited for."""
    verdict = settle_by_mean("sopr", "", votes(*said), POINTS)
    assert (outcome, score, code, "judge") == (
        verdict.outcome,
        verdict.score,
        verdict.reason,
        verdict.decided_by,
    )


def test_equal_votes_give_their_own_value() -> None:
    """No rounding changes it: the mean of three times 0.7 in binary fractions is another number."""
    points = {"good": 1.0, "fair": 0.7}
    said = votes("fair", "fair", "fair")
    assert settle_by_mean("m", "", said, points).score == 0.7


@each_row(
    ("said", "labels", "score", "code"),
    [
        (["yes", "yes"], "yes no", 1.0, "judged_yes"),
        (["no", "no"], "yes no", 0.0, "judged_no"),
        (["yes", "no"], "yes no", 0.5, "judge_unsure"),
        (["yes", "no", "yes"], "yes no", 2 / 3, "judge_unsure"),
        (["good", "bad"], "good partly bad", 0.5, "judged_partly"),
        (["partly", "good", "bad"], "good partly bad", 0.5, "judged_partly"),
        (["good", "partly"], "good partly bad", 0.75, "judge_unsure"),
        (["good", "good", "partly"], "good partly bad", 5 / 6, "judge_unsure"),
        (["poor", "good"], "good partly fair poor", 0.6, "judged_fair"),
    ],
)
def test_votes_that_differ_are_no_grade_that_counts_otherwise(
    said: list[str], labels: str, score: float, code: str
) -> None:
    """A half is never "judged no": only a label that counts as much as the mean is the grade."""
    values = {"yes": 1.0, "no": 0.0, "good": 1.0, "partly": 0.5, "bad": 0.0}
    values |= {"fair": 0.6, "poor": 0.2}
    points = {label: values[label] for label in labels.split()}
    verdict = settle_by_mean("m", "", votes(*said), points)
    assert pytest.approx(score) == verdict.score
    assert code == verdict.reason


def test_the_verdict_says_how_it_came_about() -> None:
    """One vote with its comment, or the counted votes, what did not count, and all keys."""
    assert (
        "Judged solved: Both lines."
        == settle_by_mean("sopr", "", votes("Solved\nBoth lines."), POINTS).detail
    )
    several = settle_by_mean(
        "sopr", "Whether.", votes("Solved\nA.", ["Unsure\nB.", "Unsolved\nC."], "what?"), POINTS
    )
    assert (
        'Whether. Of 2 votes, 1 solved and 1 unsolved: A. The reply of j2 cannot be read: "what?".'
        == several.detail
    )
    assert "k00 k10 k11 k20" == several.judge_call


def test_a_missing_reply_is_named_with_the_nearest_one() -> None:
    """So that its cause can be found."""
    verdict = settle_by_mean(
        "sopr", "", {"j": [JudgeReply("k", None, "abc", "seed: recorded 1, asked 2")]}, POINTS
    )
    assert (
        "No recorded reply of j; the nearest recorded call is abc (seed: recorded 1, asked 2)."
        == verdict.detail
    )


def test_unsure_may_count_nothing() -> None:
    """Where only a plain yes counts: the share of those who say Solved."""
    assert (0.0, "judge_unsure") == (
        settle_by_mean("m", "", votes("Unsure"), {**POINTS, UNSURE: 0.0}).score,
        settle_by_mean("m", "", votes("Unsure"), {**POINTS, UNSURE: 0.0}).reason,
    )
    assert 0.5 == settle_by_mean("m", "", votes("Unsure", "Solved"), {**POINTS, UNSURE: 0.0}).score


@pytest.mark.parametrize("settle", [settle_by_majority, partial(settle_by_mean, points=POINTS)])
def test_a_reply_that_no_maintainer_recorded_is_pending(settle: Any) -> None:
    """The verdict waits for a maintainer, unless a reply is missing altogether."""
    pending = JudgeReply("k1", None, pending=True)
    alone = settle("correct", "", {"ada": [pending]})
    assert ("unscored", "judge_pending", None) == (alone.outcome, alone.reason, alone.score)
    assert "The reply of ada waits for a maintainer to record it." in alone.detail
    beside = settle("correct", "", {"ada": [pending], "bob": [reply(None, "k2")]})
    assert ("unscored", "judge_missing") == (beside.outcome, beside.reason)
