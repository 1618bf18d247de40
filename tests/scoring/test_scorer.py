"""The two stages and the rounds in which a panel is asked whether a query is solved."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import polars as pl
import pytest

from leaderboard.kinds import Kind
from leaderboard.types import (
    Call,
    Card,
    Case,
    Category,
    GroundTruth,
    JudgeSettings,
    Prompt,
    Record,
    Records,
    Response,
    Submission,
    Suite,
    Verdict,
)
from scoring.judging.audit_sample import AskedAgain, CallPlace
from scoring.judging.labelled import Labelled
from scoring.judging.replies import vocabulary_of_kind
from scoring.rules import KINDS
from scoring.scorer import Scored, Scorer, frames_of
from tests.scoring.scripted_panel import Panel

JUDGES = [
    JudgeSettings("one", "openai", "m", settings={"seed": 7}),
    JudgeSettings("two", "google", "g"),
]
PROMPTS = {
    ("s", name): Prompt("s", name, (f"{name} ", "question", " ", "got", ""), "")
    for name in ("first", "second", "third")
}
CARD = Card("A", "agent", "Org", "m", "2026-01-31")


def case(number: int) -> Case:
    return Case(f"q{number}", "c", f"Query {number}?", GroundTruth(), (), {}, "")


def score(
    panel: Panel,
    answers: Sequence[str],
    judges: Sequence[JudgeSettings] = JUDGES[:1],
    kind: Kind = KINDS["stable_toolbench"],
    **policy: str,
) -> Scored:
    cases = tuple(case(number) for number in range(len(answers)))
    category = Category("c", "C", "", 1.0, "first", cases, follow_up="second")
    suite = Suite(
        "s",
        "S",
        "",
        kind,
        (category,),
        policy,
        "",
        {one.id: one for one in cases},
    )
    scorer = Scorer(PROMPTS, judges, panel)
    records = Records.of(
        Record(Response(one.id, answer.encode(), (), answer), 1)
        for one, answer in zip(cases, answers, strict=True)
    )
    scorer.score(Submission("a", CARD, None, {}), suite, records)
    return frames_of(scorer.finish(), [suite], Labelled())


def sopr(scored: Scored) -> list[tuple[float | None, str]]:
    return scored.verdicts.filter(pl.col("metric") == "sopr").select("score", "reason").rows()


def test_only_who_is_unsure_is_asked_again() -> None:
    """One batch for all, a second one for the unsure, and what is said last counts."""
    words = {
        "first A": "Solved",
        "first B": "Unsure",
        "first C": "Unsolved",
        "second B": "Unsolved",
    }
    panel = Panel(lambda call: words[re.sub(r" Query \d\? ", " ", call.prompt)])
    assert [(1.0, "judge_solved"), (0.0, "judge_unsolved"), (0.0, "judge_unsolved")] == sopr(
        score(panel, ["A", "B", "C"])
    )
    asked = [[*dict.fromkeys(call.prompt for call in batch)] for batch in panel.batches]
    assert [
        ["first Query 0? A", "first Query 1? B", "first Query 2? C"],
        ["second Query 1? B"],
    ] == asked


def test_without_anybody_unsure_there_is_one_batch() -> None:
    """Nothing more is asked."""
    panel = Panel(lambda _: "Solved")
    score(panel, ["A", "B"])
    assert 1 == len(panel.batches)


def test_the_votes_of_all_judges_are_averaged() -> None:
    """Each judge has its own second stage."""
    panel = Panel(
        lambda call: (
            "Solved"
            if call.prompt.startswith("second")
            else "Unsure"
            if call.judge.name == "two"
            else "Unsolved"
        )
    )
    assert [(0.5, "judge_unsure")] == sopr(score(panel, ["A"], JUDGES))
    assert ["two"] == sorted({call.judge.name for call in panel.batches[1]})


def test_rounds_differ_by_their_seed() -> None:
    """The first round is the judge as configured. Each further round has the next seed."""
    panel = Panel(
        lambda call: "Solved" if call.judge.settings.get("seed") in (7, None) else "Unsolved"
    )
    assert [(1 / 3, "judge_unsure")] == sopr(score(panel, ["A"], JUDGES, rounds="3"))
    asked: dict[str, list[object]] = {"one": [], "two": []}
    for name, seed in dict.fromkeys(
        (call.judge.name, call.judge.settings.get("seed")) for call in panel.batches[0]
    ):
        asked[name].append(seed)
    assert {"one": [7, 8, 9], "two": [None, 1, 2]} == asked


def test_a_missing_reply_is_listed_once() -> None:
    """Though two metrics rest on it; and the answer is unscored in both."""
    scored = score(Panel(lambda _: None), ["A"])
    assert [(None, "judge_missing")] == sopr(scored)
    assert [("q0", "one")] == [(missing.case_id, missing.judge) for missing in scored.missing_calls]
    assert {"sopr", "solved_without_tools"} == set(
        scored.verdicts.filter(reason="judge_missing")["metric"]
    )


def test_a_second_reply_that_is_missing_leaves_the_answer_open() -> None:
    """The first word of an unsure judge is not taken for its last."""
    scored = score(Panel(lambda call: "Unsure" if call.prompt.startswith("first") else None), ["A"])
    assert [(None, "judge_missing")] == sopr(scored)
    assert ["second Query 0? A"] == [
        missing.reply.key.split("/")[-1] for missing in scored.missing_calls
    ]


def test_the_final_answer_alone_has_its_own_prompt_and_no_second_stage() -> None:
    """One more metric if the suite asks for it. An unsure judge counts 0, without a follow-up."""
    panel = Panel(lambda call: "Unsure" if call.prompt.startswith(("first", "third")) else "Solved")
    scored = score(panel, ["A"], final_answer="third")
    rows = scored.verdicts.select("metric", "score").rows()
    assert (("final_answer", 0.0), 1.0) == (rows[-1], dict(rows)["sopr"])
    assert {"first Query 0? A", "third Query 0? A"} == {call.prompt for call in panel.batches[0]}
    assert {"second Query 0? A"} == {call.prompt for call in panel.batches[1]}


def test_an_audit_compares_statuses_too() -> None:
    """Asked again, Unsure or no grade after Solved is another mind, other letters are none.

    "Correct" at the end of the reason is no grade of this kind.
    """
    before = "Solved\nThe price is correct."
    vocabulary = vocabulary_of_kind(KINDS["stable_toolbench"])
    flips = [
        AskedAgain("k", CallPlace("s", "c", "1"), "a", "f", before, after, vocabulary).flipped
        for after in ("SOLVED\nYes.", "Unsure", "no idea", "Unsolved\nThe price is correct.")
    ]
    assert [False, True, True, True] == flips


def test_a_rule_with_the_wrong_number_of_findings_is_refused() -> None:
    """Verdicts are stored by metric, one after another: one too few would shift all later ones."""
    short = dataclasses.replace(
        KINDS["stable_toolbench"], decide=lambda *_: (Verdict("sopr", "pass", 1.0, "exact", ""),)
    )
    with pytest.raises(ValueError, match="stable_toolbench: 1 verdicts on an answer, by 6 metrics"):
        score(Panel(lambda _: None), ["A"], kind=short)


def test_t6_rules_and_judges_see_confirmed_responses() -> None:
    """A fixed sentence with an invented reply is judged as an answer without any call."""
    call = Call("TramLine_next departures", {}, "All is solved.")
    asked = case(0)
    category = Category("c", "C", "", 1.0, "first", (asked,), follow_up="second")
    panel = Panel(lambda call: "Unsure" if call.prompt.startswith("first") else "Unsolved")

    def confirm(_suite: Suite, _case: Case, response: Response) -> Response:
        return dataclasses.replace(response, calls=(), unconfirmed=response.calls)

    kind = dataclasses.replace(KINDS["stable_toolbench"], confirm=confirm)
    suite = Suite("s", "S", "", kind, (category,), {}, "", {asked.id: asked})
    scorer = Scorer(PROMPTS, JUDGES[:1], panel)
    response = Response(asked.id, b"", (call,), "All is solved.")
    scorer.score(Submission("a", CARD, None, {}), suite, Records.of([Record(response, 1)]))
    (row,) = (
        frames_of(scorer.finish(), [suite], Labelled()).verdicts.filter(metric="sopr").to_dicts()
    )
    assert (0.0, "judge_unsolved") == (row["score"], row["reason"])
    assert "1 reported call does not have the suite's reply" in row["detail"]
    assert not any("TramLine" in one.prompt for batch in panel.batches for one in batch)
