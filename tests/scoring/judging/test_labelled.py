"""Labelled pairs over simulated APIs with scripted judges: two stages, rounds, several judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl
import pytest

from leaderboard.facts.fact_shapes import Fact, Facts
from leaderboard.facts.text_forms import parse_form
from leaderboard.files.label_files import LabelledPair, LabelledSet
from leaderboard.judge_providers import DECISION
from leaderboard.types import (
    Ask,
    Call,
    Card,
    Case,
    Category,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    JudgeReply,
    JudgeSettings,
    Prompt,
    Record,
    Records,
    Response,
    Submission,
    Suite,
)
from scoring.judging.agreement import agreement
from scoring.judging.labelled import Labelled, LabelRows, ask_labels
from scoring.rules import KINDS
from scoring.scorer import Scorer
from tests.scoring.scripted_panel import Panel

JUDGES = (
    JudgeSettings("one", "openai", "m", settings={"seed": 7}),
    JudgeSettings("two", "google", "g"),
)
PROMPTS = {
    ("s", name): Prompt("s", name, (f"{name}: ", "got", " / ", "expected", ""), "")
    for name in ("first", "second")
}
CALL = Call("Tool_api", {"a": 1}, {"b": 2})


def suite(**policy: str) -> Suite:
    case = Case("q", "c", "Query?", GroundTruth(), (), {}, "")
    category = Category("c", "C", "", 1.0, "first", (case,), follow_up="second")
    return Suite("s", "S", "", KINDS["stable_toolbench"], (category,), policy, "", {"q": case})


def put(
    panel: Ask,
    answers: Sequence[str],
    judges: Sequence[JudgeSettings] = JUDGES[:1],
    **policy: str,
) -> Labelled:
    """Each answer as a pair that is labelled solved."""
    pairs = tuple(
        LabelledPair(f"L-q-{n}", "s", "c", "q", None, answer, "solved", "Why.", (CALL,))
        for n, answer in enumerate(answers)
    )
    return ask_labels(
        [LabelledSet("labels.json", "", pairs, "s", "c")],
        {"s": suite(**policy)},
        PROMPTS,
        judges,
        panel,
    )


def said(made: Labelled, judge: str = "one") -> list[str]:
    return made.frame.filter(pl.col("judge") == judge)["said"].to_list()


def test_only_who_is_unsure_is_asked_again() -> None:
    """One batch for all pairs, a second one for unsure judges, whose last reply counts."""
    words = {
        "first: A": "Solved",
        "first: B": "Unsure",
        "first: C": "Unsolved",
        "second: B": "Unsolved\nNo.",
    }
    panel = Panel(lambda call: words[call.prompt.split(" /")[0]])
    made = put(panel, "ABC")
    assert ["solved", "unsolved", "unsolved"] == said(made) == said(made, "*")
    assert [3, 1] == [len(batch) for batch in panel.batches]
    row = made.frame.row(
        by_predicate=(pl.col("judge") == "one") & (pl.col("pair") == "L-q-1"), named=True
    )
    assert ("Unsolved\nNo.", 2) == (row["reply"], len(row["judge_call"].split(" one/")))


def test_a_pair_is_asked_about_as_a_submissions_answer_is() -> None:
    """The same answer after the same calls, sent in, makes the same judge calls, word for word."""
    pair, sent = (
        Panel(lambda call: "Unsure" if call.prompt.startswith("first") else "Solved")
        for _ in range(2)
    )
    put(pair, ["A"], JUDGES, rounds="2")
    scorer = Scorer(PROMPTS, JUDGES, sent)
    records = Records.of([Record(Response("q", b"", (CALL,), "A"), 1)])
    scorer.score(
        Submission("m", Card("M", "agent", "Org", "m", "2026-01-31"), None, {}),
        suite(rounds="2"),
        records,
    )
    asked, answered = (
        [(c.judge, c.prompt) for batch in panel.batches for c in batch] for panel in (pair, sent)
    )
    assert asked == answered
    assert {"_labels"} == {call.submission for batch in pair.batches for call in batch}


def test_a_reply_that_waits_for_a_maintainer_is_missing() -> None:
    """Recorded by somebody whose recordings do not count, it is no grade, and never a wrong one."""
    made = put(lambda calls: [JudgeReply("key", None, pending=True) for _ in calls], "AB")

    assert ["missing", "missing"] == said(made) == said(made, "*")
    (whole,) = agreement(made.frame).filter(judge="*", suite="*").to_dicts()
    assert (whole["pairs"], whole["graded"], whole["missing"]) == (2, 0, 2)


def test_a_label_of_a_suite_may_be_called_tie() -> None:
    """It is a grade like any other, and no missing reply."""
    case = Case("q", "c", "Query?", GroundTruth(), (), {}, "")
    category = Category("c", "C", "", 1.0, "first", (case,))
    kind = replace(KINDS["judged"], grades={"good": 1.0, "tie": 0.2, "bad": 0.0})
    judged = Suite("s", "S", "", kind, (category,), {}, "", {"q": case})
    pair = LabelledPair("L-q-0", "s", "c", "q", None, "A", "tie", "Why.")
    labelled = [LabelledSet("labels.json", "", (pair,), "s", "c")]
    made = ask_labels(labelled, {"s": judged}, PROMPTS, JUDGES[:1], Panel(lambda _: "tie"))

    assert ["tie"] == said(made) == said(made, "*")


def test_who_stays_unsure_has_said_so() -> None:
    """After the second stage it is a reading of its own, neither solved nor unsolved."""
    made = put(Panel(lambda _: "Unsure"), ["A"])
    assert ["unsure"] == said(made) == said(made, "*")


def test_a_judge_is_unsure_where_its_rounds_differ() -> None:
    """If one of three rounds differs, the judge is unsure, although most of its votes agree."""
    panel = Panel(lambda call: "Solved" if call.judge.settings.get("seed") != 8 else "Unsolved")
    made = put(panel, ["A"], rounds="3")
    assert ["unsure"] == said(made)
    assert [2 / 3, 2 / 3] == made.frame["passed"].to_list()


@pytest.mark.parametrize(
    ("second", "panel"),
    [("Solved", "solved"), ("Unsolved", "unsure"), ("hm", "solved"), (None, "missing")],
)
def test_the_panel_says_what_a_verdict_would_rest_on(second: str | None, panel: str) -> None:
    """The mean of the votes. Unreadable votes are left out, a missing vote is waited for."""
    made = put(Panel(lambda call: "Solved" if call.judge.name == "one" else second), ["A"], JUDGES)
    assert (["solved"], [panel]) == (said(made), said(made, "*"))


def test_every_missing_call_is_listed() -> None:
    """In the first stage or in the second."""
    first = put(Panel(lambda _: None), ["A"])
    second = put(Panel(lambda call: "Unsure" if call.prompt.startswith("first") else None), ["A"])
    for made, stage in ((first, "first"), (second, "second")):
        assert ["missing"] == said(made)
        (missing,) = made.missing_calls
        assert ("_labels", "s", "q", "one") == (
            missing.submission,
            missing.suite,
            missing.case_id,
            missing.judge,
        )
        assert f"/{stage}: A" in missing.reply.key


def test_a_reply_without_a_status_cannot_be_read() -> None:
    """It is kept, and is no grade."""
    made = put(Panel(lambda _: "Partly."), ["A"])
    assert (["unparseable"], "Partly.") == (said(made), made.frame["reply"][0])


def test_the_second_set_measures_the_whole_decision() -> None:
    """Facts decide where a case has them, the panel elsewhere, and each pair has one row."""
    facts = Facts((Fact("stop", "the stop", (parse_form("old mill"),), known=True),))
    (given,) = suite().cases
    with_facts = replace(given, ground_truth=replace(given.ground_truth, facts=facts))
    without_facts = replace(given, id="r")
    cases = (with_facts, without_facts)
    mixed_suite = replace(
        suite(),
        by_id={case.id: case for case in cases},
        categories=(replace(suite().categories[0], cases=cases),),
    )
    labelled: list[tuple[str, str, str]] = [
        ("q", "At Old Mill.", "solved"),
        ("q", "At the harbour.", "solved"),
        ("r", "At the harbour.", "unsolved"),
    ]
    pairs = tuple(
        LabelledPair(f"D-{case}-{n}", "s", "c", case, None, answer, label, "Why.", (CALL,))
        for n, (case, answer, label) in enumerate(labelled)
    )
    panel = Panel(lambda _: "Solved")
    made = ask_labels(
        [LabelledSet("labels.json", "", pairs, "s", "c", decision=True)],
        {"s": mixed_suite},
        PROMPTS,
        JUDGES[:1],
        panel,
    )
    assert [DECISION] * 3 == made.frame["judge"].to_list()
    assert ["solved", "unsolved", "solved"] == made.frame["said"].to_list()
    assert [1] == [len(batch) for batch in panel.batches]
    row = agreement(made.frame).row(0, named=True)
    assert (3, 1, 1, 1) == (
        row["pairs"],
        row["true_equivalent"],
        row["false_different"],
        row["false_equivalent"],
    )


def test_a_value_is_judged_as_an_argument_of_the_expected_call() -> None:
    """The other arguments have their first accepted values, and optional ones are left out."""
    expected = ExpectedCall(
        "send",
        (
            ExpectedArgument("to", ("kim", "kim@example.org"), closed=True, may_be_absent=False),
            ExpectedArgument("body", ("Hello.",), closed=False, may_be_absent=False),
            ExpectedArgument("copy", ("lee",), closed=True, may_be_absent=True),
        ),
    )
    case = Case("q", "c", "Greet Kim.", GroundTruth(calls=(expected,)), (), {}, "")
    category = Category("c", "C", "", 1.0, "first", (case,))
    calls = Suite("s", "S", "", KINDS["tool_selection"], (category,), {}, "", {"q": case})
    pairs = tuple(
        LabelledPair(f"L-{n}", "s", "c", "q", "body", got, "equivalent", "Why.")
        for n, got in enumerate(["Hi.", "Good day."])
    )
    panel = Panel(lambda call: "Equivalent" if "Hi." in call.prompt else "Different")
    made = ask_labels(
        [LabelledSet("labels.json", "", pairs, "s", "c")],
        {"s": calls},
        PROMPTS,
        JUDGES[:1],
        panel,
    )
    assert ["equivalent", "different"] == said(made)
    assert ["first: Hi. / Hello.", "first: Good day. / Hello."] == [
        call.prompt for call in panel.batches[0]
    ]


def test_what_is_decided_is_not_decided_again() -> None:
    """The rows of a suite in `decided` are taken over, and nobody is asked."""
    first = put(Panel(lambda _: "Solved"), ["A"])
    nobody = Panel(lambda _: None)
    again = ask_labels(
        [LabelledSet("labels.json", "", (), "s", "c")],
        {"s": suite()},
        PROMPTS,
        JUDGES[:1],
        nobody,
        decided={"s": LabelRows(first.by_suite["s"].rows, ())},
    )
    assert (said(first), []) == (said(again), nobody.batches)
