"""Case health: failed by all, solved by one, the same wrong answer, against the trend."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest
import scipy  # type: ignore[import-untyped]  # loads scipy.stats at its first use

from leaderboard.frames import HEALTH
from leaderboard.types import (
    Submission,
    Suite,
)
from scoring.statistics.kendall import kendall_s
from scoring.tables.case_health import health
from scoring.tables.equal_answers import ANSWERS
from scoring.tables.scores import case_scores
from tests.conftest import Folder
from tests.each_row import each_row
from tests.scoring.verdict_tables import submission, suite, verdicts

NO_ANSWERS = pl.DataFrame(schema=ANSWERS)


def rows(
    suite_: Suite,
    marks: Mapping[str, Any],
    given: pl.DataFrame = NO_ANSWERS,
    entrants: list[Submission] | None = None,
) -> dict[str, dict[str, Any]]:
    """The health of each case, from the marks of each submission in category `a`."""
    frame = pl.concat([verdicts(name, a=mark) for name, mark in marks.items()])
    table = health(
        frame,
        [suite_],
        entrants or [submission(name) for name in marks],
        given,
        cases=case_scores(frame),
    )
    assert HEALTH == table.schema
    return {row["case_id"]: row for row in table.iter_rows(named=True)}


def said(*given: tuple[str, str, str | None]) -> pl.DataFrame:
    """An ANSWERS frame of (submission, case, answer)."""
    rows = [(who, "s", case_id, 1, answer and ord(answer)) for who, case_id, answer in given]
    return pl.DataFrame(rows, schema=ANSWERS, orient="row")


def test_failed_by_all_and_solved_by_one() -> None:
    """How many solve a case, who alone does, and the mean score. One passed trial is enough."""
    found = rows(
        suite("s", a=(3, 1.0)),
        {"m1": ["--", "+-", "++"], "m2": ["-", "-", "+"], "m3": ["?", "?", "+"]},
    )
    assert (2, 0.0, 0, None) == tuple(
        found["a0"][name] for name in ("submissions", "score", "solved", "solved_by")
    )
    assert (2, 0.25, 1, "m1") == tuple(
        found["a1"][name] for name in ("submissions", "score", "solved", "solved_by")
    )
    assert (3, 1.0, 3, None) == tuple(
        found["a2"][name] for name in ("submissions", "score", "solved", "solved_by")
    )


def test_baselines_do_not_count() -> None:
    """They answer by design, so that what they fail or solve says nothing of a case."""
    entrants = [submission("m1"), submission("oracle", "baseline")]
    found = rows(
        suite("s", a=(1, 1.0)), {"m1": "-", "oracle": "+"}, said(("oracle", "a0", "x")), entrants
    )
    assert (1, 0, 0) == (
        found["a0"]["submissions"],
        found["a0"]["solved"],
        found["a0"]["same_answer"],
    )


def test_a_case_without_a_score_is_listed() -> None:
    """Every case of the suite has a row in order, even if nobody took the suite."""
    found = rows(suite("s", a=(2, 1.0), b=(1, 1.0)), {"m1": "?+"})
    assert ["a0", "a1", "b0"] == list(found)
    assert (0, None, None, False) == tuple(
        found["b0"][name] for name in ("submissions", "score", "tau", "suspect")
    )
    assert (0, None) == (found["a0"]["submissions"], found["a0"]["score"])


def test_other_metrics_and_suites_do_not_mix() -> None:
    """Only the ranked metric counts, and each suite's own verdicts."""
    frame = pl.concat(
        [
            verdicts("m1", a="-"),
            verdicts("m1", a="+", metric="trajectory"),
            verdicts("m1", a="+", suite_id="t"),
        ]
    )
    suites = [suite("s", a=(1, 1.0)), suite("t", a=(1, 1.0))]
    table = health(
        frame,
        suites,
        [submission("m1")],
        NO_ANSWERS,
        cases=case_scores(frame),
    )
    assert [("s", 0), ("t", 1)] == table.select("suite", "solved").rows()


def test_the_same_wrong_answer_makes_a_suspect() -> None:
    """Failed by all, three of four with one answer: likely a wrong ground truth, and said so."""
    given = said(("m1", "a0", "x"), ("m2", "a0", "x"), ("m3", "a0", "y"), ("m4", "a0", "x"))
    row = rows(suite("s", a=(1, 1.0)), dict.fromkeys(["m1", "m2", "m3", "m4"], "-"), given)["a0"]
    assert (3, "m1", True, "same_wrong_answer") == tuple(
        row[n] for n in ("same_answer", "same_answer_of", "suspect", "reason")
    )
    assert "All 4 submissions fail it, 3 of them with the same answer." == row["detail"]


def test_one_wrong_answer_of_all_is_said_without_their_number() -> None:
    """The number of the submissions is in the sentence already."""
    given = said(*((name, "a0", "x") for name in ("m1", "m2", "m3")))
    row = rows(suite("s", a=(1, 1.0)), dict.fromkeys(["m1", "m2", "m3"], "-"), given)["a0"]
    assert "All 3 submissions fail it, all with the same answer." == row["detail"]


def test_half_of_the_submissions_are_enough() -> None:
    """Three of six with the same wrong answer make a suspect, because at least half gave it."""
    names = [f"m{place}" for place in range(6)]
    given = said(*((name, "a0", answer) for name, answer in zip(names, "xxxabc", strict=True)))
    row = rows(suite("s", a=(1, 1.0)), dict.fromkeys(names, "-"), given)["a0"]
    assert "All 6 submissions fail it, 3 of them with the same answer." == row["detail"]


@each_row(
    ("marks", "given"),
    [
        ("---", ["x", "x", "y"]),  # only two
        ("---+", ["x", "x", "x", "y"]),  # one solves it
        ("-------", ["x", "x", "x", "a", "b", "c", "d"]),  # fewer than half
        ("----", [None, None, None, None]),  # nothing answered
        ("+++", ["x", "x", "x"]),  # right
    ],
)
def test_what_is_no_suspect(marks: str, given: list[str | None]) -> None:
    """Two equal answers, a solved case, a minority, silence and right answers are no suspicion."""
    names = [f"m{place}" for place in range(len(marks))]
    frame = said(*((name, "a0", answer) for name, answer in zip(names, given, strict=True)))
    row = rows(suite("s", a=(1, 1.0)), dict(zip(names, marks, strict=True)), frame)["a0"]
    assert (False, None, None) == (row["suspect"], row["reason"], row["detail"])


def test_trials_of_one_submission_are_one_voice() -> None:
    """Three trials with one wrong answer are not three submissions."""
    given = pl.DataFrame(
        [("m1", "s", "a0", trial, 7) for trial in (1, 2, 3)], schema=ANSWERS, orient="row"
    )
    assert 1 == rows(suite("s", a=(1, 1.0)), {"m1": ["---"]}, given)["a0"]["same_answer"]


@pytest.mark.large
def test_the_more_frequent_answer_wins_and_ties_are_settled() -> None:
    """The most frequent answer. Of equally frequent ones, that of the first submission."""
    given = said(
        ("m1", "a0", "y"),
        ("m2", "a0", "x"),
        ("m3", "a0", "x"),
        ("m1", "a1", "q"),
        ("m2", "a1", "p"),
    )
    frame = {"m1": "--", "m2": "--", "m3": "--"}
    for turned in (given, given.reverse()):
        found = rows(suite("s", a=(2, 1.0)), frame, turned)
        assert (2, "m2") == (found["a0"]["same_answer"], found["a0"]["same_answer_of"])
        assert (1, "m1") == (found["a1"]["same_answer"], found["a1"]["same_answer_of"])


def test_against_the_trend_is_a_suspect_where_it_is_no_chance() -> None:
    """Eight strong submissions fail what eight weak ones pass: τ is negative and p is small."""
    strong = {f"s{place}": "-" + "+" * (10 + place) + "-" * (9 - place) for place in range(8)}
    weak = {f"w{place}": "+" + "+" * place + "-" * (19 - place) for place in range(8)}
    row = rows(suite("s", a=(20, 1.0)), {**strong, **weak})["a0"]
    assert row["tau"] < -0.6
    assert row["tau_p"] < 0.01
    assert (True, "against_trend") == (row["suspect"], row["reason"])
    assert f"(τ −{-row['tau']:.2f})" in row["detail"]


def test_with_the_trend_is_no_suspect() -> None:
    """Strong submissions pass what weak ones fail: τ is positive, and p close to 1."""
    strong = {f"s{place}": "+" + "+" * (10 + place) + "-" * (9 - place) for place in range(8)}
    weak = {f"w{place}": "-" + "+" * place + "-" * (19 - place) for place in range(8)}
    row = rows(suite("s", a=(20, 1.0)), {**strong, **weak})["a0"]
    assert row["tau"] > 0.6
    assert row["tau_p"] > 0.99
    assert (False, None) == (row["suspect"], row["reason"])


def test_three_submissions_are_too_few_for_a_trend() -> None:
    """Only the weakest passes a hard case: τ is low, but p is not, so that it is no suspect."""
    row = rows(suite("s", a=(6, 1.0)), {"m1": "-++++-", "m2": "-+++--", "m3": "+-----"})["a0"]
    assert row["tau"] < -0.5
    assert row["tau_p"] > 0.01
    assert not row["suspect"]


def test_skill_leaves_the_case_itself_out() -> None:
    """Two that differ at one case have equal skill there: the case makes no trend of its own."""
    row = rows(suite("s", a=(4, 1.0)), {"m1": "+++-", "m2": "-++-"})["a0"]
    assert (None, None) == (row["tau"], row["tau_p"])


@pytest.mark.large
@pytest.mark.parametrize(
    "marks",
    [["+", "-"], ["++", "+-", "--", "/-"], ["+", "-", "/"]],
    ids=["binary", "trials", "part"],
)
def test_tau_is_kendalls(marks: list[str]) -> None:
    """τ-b agrees with scipy's for passes, trials and partial scores, and p with the normal one."""
    rng = random.Random(7)
    names = [f"m{place}" for place in range(14)]
    chosen = {name: [rng.choice(marks) for _ in range(12)] for name in names}
    values = {"+": 1.0, "-": 0.0, "/": 0.5}
    means = {
        name: [sum(values[m] for m in one) / len(one) for one in mine]
        for name, mine in chosen.items()
    }
    found = rows(suite("s", a=(12, 1.0)), chosen)
    for place in range(12):
        scores = [means[name][place] for name in names]
        skills = [round((sum(means[name]) - means[name][place]) / 11, 9) for name in names]
        row = found[f"a{place}"]
        asked = scipy.stats.kendalltau(scores, skills, method="asymptotic", alternative="less")
        assert pytest.approx(asked.statistic) == row["tau"]
        s = kendall_s(scores, skills)
        z = scipy.stats.norm.ppf(asked.pvalue)
        # Ours is corrected for continuity: S is one step nearer to the other side.
        assert s == 0 or pytest.approx(scipy.stats.norm.cdf(z * (s + 1) / s)) == row["tau_p"]


@pytest.mark.large
def test_the_order_of_rows_changes_nothing() -> None:
    """Shuffled frames give the same table."""
    rng = random.Random(3)
    suite_ = suite("s", a=(30, 1.0))
    names = [f"m{place}" for place in range(9)]
    frame = pl.concat([verdicts(name, a="".join(rng.choices("+-?", k=30))) for name in names])
    given = said(*((name, f"a{place}", rng.choice("xyz")) for name in names for place in range(30)))
    entrants = [submission(name) for name in names]
    table = health(frame, [suite_], entrants, given, cases=case_scores(frame))
    frame, given = (
        frame.sample(fraction=1, shuffle=True, seed=1),
        given.sample(fraction=1, shuffle=True, seed=2),
    )
    again = health(frame, [suite_], entrants[::-1], given, cases=case_scores(frame))
    assert table.equals(again)


def test_suspects_are_listed_in_order() -> None:
    """Suite, case and reason of each."""
    given = said(*((name, case_id, "x") for name in ("m1", "m2", "m3") for case_id in ("a0", "a2")))
    frame = pl.concat([verdicts(name, a="-+-") for name in ("m1", "m2", "m3")])
    table = health(
        frame,
        [suite("s", a=(3, 1.0))],
        [submission(n) for n in ("m1", "m2", "m3")],
        given,
        cases=case_scores(frame),
    )
    assert [("s", "a0", "same_wrong_answer"), ("s", "a2", "same_wrong_answer")] == list(
        table.filter("suspect").select("suite", "case_id", "reason").iter_rows()
    )


# ---------------------------------------------------------------- in the results


@pytest.mark.large
def test_scoring_writes_the_health_of_every_case(folder: Folder) -> None:
    """The health files hold one row per case. Three equal wrong answers make it a suspect."""
    wrong = {
        "id": "A003",
        "model_function_call": {
            "name": "convert_units",
            "arguments": {"value": 6, "to_unit": "miles"},
        },
    }
    for name in ("m1", "m2", "m3"):
        folder.submission(name, [{**wrong, "model_text": f"I am {name}."}])
    assert 0 == folder.lb("rescore", "--offline").exit_code
    written = json.loads((folder.root / "results/health.json").read_text())
    assert ["A001", "A002", "A003", "B001", "B002"] == [row["case_id"] for row in written]
    assert [("A003", 3, "m1", "same_wrong_answer")] == [
        (row["case_id"], row["same_answer"], row["same_answer_of"], row["reason"])
        for row in written
        if row["suspect"]
    ]
    assert HEALTH == pl.read_parquet(folder.root / "results/health.parquet").schema
