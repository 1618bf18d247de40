"""Judges against labels and against each other: figures worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import polars as pl
import polars.selectors as cs
import pytest

from leaderboard.files.label_files import LabelledSet
from leaderboard.frames import AGREEMENT, CONCORDANCE, LABELLED
from leaderboard.load import Contents, load_contents
from leaderboard.types import (
    JudgeCall,
    JudgeReply,
    JudgeSettings,
)
from leaderboard.workspace import open_workspace
from scoring.judging.agreement import JudgeQuality, agreement, concordance, judge_quality
from scoring.judging.labelled import Labelled, ask_labels
from scoring.rules import KINDS
from scoring.statistics.intervals import wilson
from scoring.statistics.judged_scores import LabelCounts, youden
from scoring.tables.scores import case_scores, category_sums
from tests.conftest import Folder, small_board
from tests.scoring.judging.labelled_rows import (
    COUNTS,
    SOLVED,
    grades,
    labelled,
    only,
    readings,
    said,
)
from tests.scoring.verdict_tables import suite, verdicts

TEXTS = "prompts/small/labels/no_tool.json"
CALLS = "prompts/small/labels/tool_selection.json"
RIGHT = {
    "id": "L-B001-1",
    "case_id": "B001",
    "got": "The answer is Paris.",
    "label": "equivalent",
    "why": "In other words.",
}
WRONG = {
    "id": "L-B001-2",
    "case_id": "B001",
    "got": "It is Lyon.",
    "label": "different",
    "why": "Another city.",
}
YARD = {
    "id": "L-A001-1",
    "case_id": "A001",
    "argument": "to_unit",
    "got": "yd",
    "label": "equivalent",
    "why": "Short for yards.",
}

# ---------------------------------------------------------------- agreement with the labels


def test_agreement_kappa_sensitivity_and_specificity() -> None:
    """20 + 15 of 50 agree. Chance agrees on 1/2 = (25·30 + 25·20) / 50²: κ = (0.7 - 0.5) / 0.5."""
    row = only(agreement(labelled(readings(COUNTS))), suite="s", category="texts")
    assert (50, 50) == (row["pairs"], row["graded"])
    assert pytest.approx((0.7, 0.5, 0.4)) == (row["agreement"], row["expected"], row["kappa"])
    assert pytest.approx((0.8, 0.6)) == (row["sensitivity"], row["specificity"])
    assert COUNTS == tuple(
        row[name]
        for name in ("true_equivalent", "false_different", "false_equivalent", "true_different")
    )


def test_every_share_has_its_wilson_interval() -> None:
    """Wilson's formula with z = 1.96, for 35 of 50, 20 of 25 and 15 of 25."""
    row = only(agreement(labelled(readings(COUNTS))), suite="s", category="texts")
    assert pytest.approx((0.5625, 0.8090), abs=1e-4) == (row["low"], row["high"])
    assert pytest.approx((0.6087, 0.9114), abs=1e-4) == (
        row["sensitivity_low"],
        row["sensitivity_high"],
    )
    assert pytest.approx((0.4074, 0.7660), abs=1e-4) == (
        row["specificity_low"],
        row["specificity_high"],
    )


def test_replies_without_a_grade_are_counted_and_take_no_part() -> None:
    """Neither right nor wrong: every share stays what it is among the pairs with a grade."""
    rows = [
        *readings(COUNTS),
        *said("*", "unparseable", "equivalent", 3),
        *said("*", "missing", "different", 2),
    ]
    row = only(agreement(labelled(rows)), suite="s", category="texts")
    assert (55, 50, 3, 2) == (row["pairs"], row["graded"], row["unparseable"], row["missing"])
    assert pytest.approx((0.7, 0.8, 0.6)) == (
        row["agreement"],
        row["sensitivity"],
        row["specificity"],
    )


def test_solved_counts_like_equivalent_and_unsolved_like_different() -> None:
    """The same counts in the other words give the same figures; both together add up."""
    texts = readings(COUNTS)
    queries = [
        {**row, "suite": "t", "label": SOLVED[row["label"]], "said": SOLVED[row["said"]]}
        for row in texts
    ]
    frame = agreement(labelled([*texts, *queries]))
    mine, other, whole = (only(frame, suite=suite, category="*") for suite in ("s", "t", "*"))
    assert {**mine, "suite": "t"} == other
    assert (100, mine["kappa"], 40, 30) == tuple(
        whole[n] for n in ("graded", "kappa", "true_equivalent", "true_different")
    )


def test_what_is_left_unsure_counts_a_half() -> None:
    """As in scores: 20 + 2 of 29 right answers accepted, 15 + 3 of 31 wrong ones rejected."""
    settled = [
        {**row, "label": SOLVED[row["label"]], "said": SOLVED[row["said"]]}
        for row in readings(COUNTS)
    ]
    unsure = [*said("*", "unsure", "solved", 4), *said("*", "unsure", "unsolved", 6)]
    row = only(agreement(labelled([*settled, *unsure])), suite="s", category="texts")
    assert (60, 60, 10, 0, 0) == tuple(
        row[n] for n in ("pairs", "graded", "unsure", "unparseable", "missing")
    )
    assert COUNTS == tuple(
        row[name]
        for name in ("true_equivalent", "false_different", "false_equivalent", "true_different")
    )
    assert pytest.approx((40 / 60, 22 / 29, 18 / 31)) == tuple(
        row[n] for n in ("agreement", "sensitivity", "specificity")
    )
    assert pytest.approx(wilson(40, 60)) == (row["low"], row["high"])
    assert pytest.approx(wilson(22, 29)) == (row["sensitivity_low"], row["sensitivity_high"])
    assert pytest.approx(wilson(18, 31)) == (row["specificity_low"], row["specificity_high"])
    j, low, high = youden(LabelCounts(29, 22, 31, 18)) or (0, 0, 0)
    assert pytest.approx((j, low, high)) == tuple(
        row[n] for n in ("youden", "youden_low", "youden_high")
    )
    chance = (29 * 35 + 31 * 25) / 60**2
    assert pytest.approx((chance, (40 / 60 - chance) / (1 - chance))) == (
        row["expected"],
        row["kappa"],
    )


def test_votes_that_differ_count_their_share() -> None:
    """One of three votes accepts a wrong answer: two thirds of a rejection. Any order is equal."""
    split = [{**row, "passed": 1 / 3} for row in said("*", "unsure", "different", 7)]
    rows = [*readings(COUNTS), *split]
    found = agreement(labelled(rows))
    row = only(found, suite="s", category="texts")

    assert (57, 7) == (row["graded"], row["unsure"])
    assert pytest.approx((15 + 14 / 3) / 32) == row["specificity"]
    assert pytest.approx((35 + 14 / 3) / 57) == row["agreement"]
    assert pytest.approx(row["sensitivity"] + row["specificity"] - 1) == row["youden"]
    assert found.equals(agreement(labelled(rows[::-1])))


def test_a_judge_is_validated_by_the_labels_of_each_place() -> None:
    """It can tell texts, and not others. Together they are the pairs of both, and it can."""
    rows = [*readings((40, 2, 3, 35)), *readings((10, 10, 10, 10), category="others")]
    frame = pl.concat([verdicts("m", texts="PF", others="P", rules="+"), verdicts("n", texts="+")])
    sums = category_sums(case_scores(frame))

    both = suite("s", texts=(2, 1), others=(1, 1))
    found = judge_quality(labelled(rows), sums, [both])

    assert {("s", "*"): True, ("s", "texts"): True, ("s", "others"): False} == {
        place: quality.validated for place, quality in found.items()
    }
    assert LabelCounts(62, 50, 58, 45) == found["s", "*"].counts
    assert (120, 0.5) == (
        found["s", "*"].measures["pairs"],
        found["s", "others"].measures["agreement"],
    )
    without = judge_quality(labelled([]), sums, [both])
    assert {False} == {quality.validated for quality in without.values()}
    by_another_metric = replace(both, kind=KINDS["stable_toolbench"])
    assert {} == judge_quality(labelled(rows), sums, [by_another_metric])


def test_a_judge_that_still_has_to_decide_must_be_validated_too() -> None:
    """An answer that waits for it shows that it decides there, as one that it has read."""
    waiting = verdicts("m", texts="?").with_columns(reason=pl.lit("judge_missing"))
    sums = category_sums(case_scores(pl.concat([waiting, verdicts("n", rules="-")])))
    made = suite("s", texts=(1, 1), rules=(1, 1))

    found = judge_quality(labelled(readings((40, 2, 3, 35))), sums, [made])

    assert {("s", "*"): True, ("s", "texts"): True} == {
        place: quality.validated for place, quality in found.items()
    }


@pytest.mark.parametrize(("low", "better"), [(None, False), (0.0, False), (0.001, True)])
def test_an_interval_that_includes_0_validates_no_judge(low: float | None, better: bool) -> None:
    """The interval of Youden's J must be above 0 for a rank."""
    counts = LabelCounts(30, 20, 30, 20)
    assert better is JudgeQuality(counts, {"youden_low": low}).validated


def test_who_is_always_unsure_agrees_by_half() -> None:
    """No better than chance, and not a pair is found right or wrong."""
    row = only(agreement(labelled(said("*", "unsure", "solved", 2))), suite="s", category="texts")
    assert (2, 2, 0.5, 0.0, 0.5, None) == tuple(
        row[n] for n in ("graded", "unsure", "agreement", "kappa", "sensitivity", "specificity")
    )
    assert (0, 0) == (row["true_equivalent"], row["false_different"])


def test_without_a_grade_there_is_no_figure() -> None:
    """What cannot be divided is null, not 0."""
    row = only(
        agreement(labelled(said("*", "missing", "equivalent", 2))), suite="s", category="texts"
    )
    names = ("agreement", "low", "high", "expected", "kappa", "sensitivity", "specificity")
    assert [None] * len(names) == [row[name] for name in names]
    assert (2, 0, 2) == (row["pairs"], row["graded"], row["missing"])


def test_one_label_alone_gives_no_kappa() -> None:
    """Where all labels and grades are the same, chance alone agrees always."""
    row = only(
        agreement(labelled(said("*", "equivalent", "equivalent", 4))), suite="s", category="texts"
    )
    assert (1.0, None, 1.0, None) == (
        row["agreement"],
        row["kappa"],
        row["sensitivity"],
        row["specificity"],
    )


def test_categories_add_up_to_suites_and_to_all() -> None:
    """One row for everything, one per suite, one per category; the panel comes after its judges."""
    rows = [*readings((1, 0, 0, 1), "a", "first"), *readings((0, 1, 1, 0), "a", "second")]
    panel = [{**row, "judge": "*"} for row in rows]
    frame = agreement(labelled([*panel, *rows]))
    places = [("*", "*"), ("s", "*"), ("s", "first"), ("s", "second")]
    assert [(judge, *place) for judge in ("a", "*") for place in places] == frame.select(
        "judge", "suite", "category"
    ).rows()
    assert [0.5, 0.5, 1.0, 0.0] == frame.filter(judge="a")["agreement"].to_list()


def test_an_empty_set_gives_empty_frames() -> None:
    """Without labels there are no rows, and the columns are as declared."""
    empty = labelled([])
    assert (AGREEMENT, 0) == (agreement(empty).schema, agreement(empty).height)
    assert (CONCORDANCE, 0) == (concordance(empty).schema, concordance(empty).height)


# ---------------------------------------------------------------- agreement between judges


def test_two_judges_agree_on_the_pairs_that_both_grade() -> None:
    """Three of four equal. Equivalent in 2 and 3 of 4: p_e = 2/4 · 3/4 + 2/4 · 1/4, κ = 1/2."""
    frame = labelled(
        [
            *grades(
                "a", "equivalent", "equivalent", "different", "different", "missing", "equivalent"
            ),
            *grades(
                "b",
                "equivalent",
                "equivalent",
                "different",
                "equivalent",
                "equivalent",
                "unparseable",
            ),
            *grades("*", *["equivalent"] * 6),
        ]
    )
    row = only(concordance(frame), category="texts")
    assert ("a", "b", 4) == (row["judge"], row["other"], row["pairs"])
    assert pytest.approx((0.75, 0.5)) == (row["agreement"], row["kappa"])


def test_two_unsure_judges_do_not_agree_on_a_grade() -> None:
    """Ungraded pairs are left out. Half of the others agree."""
    frame = labelled(
        [
            *grades("a", "unsure", "solved", "unsolved", "unsure"),
            *grades("b", "unsure", "solved", "solved", "solved"),
        ]
    )
    row = only(concordance(frame), category="texts")
    assert (2, 0.5) == (row["pairs"], row["agreement"])


def test_votes_that_differ_are_no_grade_for_another_judge() -> None:
    """A judge whose votes differ is unsure, even if their mean is a label that is right."""
    whole = grades("a", "equivalent", "equivalent")
    split = [{**row, "passed": 0.5} for row in grades("b", "equivalent", "equivalent")[:1]]
    rest = grades("b", "equivalent", "equivalent")[1:]

    row = only(concordance(labelled([*whole, *split, *rest])), category="texts")

    assert (1, 1.0) == (row["pairs"], row["agreement"])


def test_every_two_judges_are_compared_once() -> None:
    """Three judges make three comparisons; the panel is none of them."""
    frame = labelled(
        row for judge in ("a", "b", "c", "*") for row in grades(judge, "equivalent", "different")
    )
    rows = concordance(frame).filter(category="texts").select("judge", "other").rows()
    assert [("a", "b"), ("a", "c"), ("b", "c")] == rows


def test_a_single_judge_has_no_concordance() -> None:
    """One judge and its panel make no pair."""
    assert (
        0 == concordance(labelled([*grades("a", "equivalent"), *grades("*", "equivalent")])).height
    )


# ---------------------------------------------------------------- asking


JUDGES = tuple(JudgeSettings(name, "openai", name) for name in ("first", "second", "third"))


def contents_of(folder: Folder) -> Contents:
    contents = load_contents(open_workspace(folder.root), KINDS)
    assert [] == contents.problems
    return contents


def ask_all(
    folder: Folder, judges: Sequence[JudgeSettings], say: dict[str, str | None]
) -> tuple[Labelled, list[JudgeCall]]:
    """Puts the labelled pairs to scripted judges; each always says the same."""
    contents = contents_of(folder)
    asked: list[JudgeCall] = []

    def ask(calls: Sequence[JudgeCall]) -> list[JudgeReply]:
        asked.extend(calls)
        return [JudgeReply(f"key-{call.judge.name}", say[call.judge.name]) for call in calls]

    suites = {suite.id: suite for suite in contents.suites}
    return (
        ask_labels(contents.labels, suites, contents.prompts, judges, ask),
        asked,
    )


def test_every_judge_is_asked_and_the_panel_votes(folder: Folder) -> None:
    """Two of three make a majority; each judge's words are kept."""
    folder.write(TEXTS, [RIGHT])
    made, asked = ask_all(
        folder, JUDGES, {"first": "equivalent\nyes", "second": "different", "third": "equivalent"}
    )
    assert [
        ("first", "equivalent"),
        ("second", "different"),
        ("third", "equivalent"),
        ("*", "equivalent"),
    ] == made.frame.select("judge", "said").rows()
    assert ["equivalent\nyes", "different", "equivalent", None] == made.frame["reply"].to_list()
    assert "key-first key-second key-third" == made.frame["judge_call"][-1]
    assert [("small", "_labels")] * 3 == [(call.suite, call.submission) for call in asked]


@pytest.mark.parametrize(("third", "panel"), [("hm", "unparseable"), (None, "missing")])
def test_a_panel_without_a_majority_has_no_say(
    folder: Folder, third: str | None, panel: str
) -> None:
    """One equivalent, one different, one without a grade: the panel's grade is unscored."""
    folder.write(TEXTS, [RIGHT])
    made, _ = ask_all(
        folder, JUDGES, {"first": "equivalent", "second": "different", "third": third}
    )
    assert ["equivalent", "different", panel, panel] == made.frame["said"].to_list()


def test_a_tie_waits_for_another_judge(folder: Folder) -> None:
    """One against one is no majority: the panel's reading is missing, although no call is."""
    folder.write(TEXTS, [RIGHT])
    made, _ = ask_all(folder, JUDGES[:2], {"first": "equivalent", "second": "different"})
    assert (["equivalent", "different", "missing"], ()) == (
        made.frame["said"].to_list(),
        made.missing_calls,
    )


def test_missing_replies_are_listed(folder: Folder) -> None:
    """A missing judge call is listed with its judge and case."""
    folder.write(TEXTS, [RIGHT])
    made, _ = ask_all(folder, JUDGES[:1], {"first": None})
    assert [("_labels", "small", "B001", "first")] == [
        (m.submission, m.suite, m.case_id, m.judge) for m in made.missing_calls
    ]
    assert ["missing", "missing"] == made.frame["said"].to_list()


def test_the_value_of_an_argument_is_put_as_in_a_call(folder: Folder) -> None:
    """The prompt shows the expected and the given value. The rest of the call is right."""
    folder.write(CALLS, [YARD])
    _, (call,) = ask_all(folder, JUDGES[:1], {"first": "equivalent"})
    assert "\nyards\n" in call.prompt
    assert "\nyd\n" in call.prompt


@pytest.mark.parametrize(
    ("file", "pair"),
    [
        (TEXTS, {**RIGHT, "got": "it is  PARIS."}),
        (CALLS, {**YARD, "got": "Yards"}),
        (CALLS, {**YARD, "argument": "value"}),
    ],
    ids=["equal text", "equal value", "number"],
)
def test_a_pair_that_the_rules_decide_is_not_asked(
    folder: Folder, file: str, pair: dict[str, Any]
) -> None:
    """It says nothing about a judge, so it has no row."""
    folder.write(file, [pair])
    assert ask_all(folder, JUDGES[:1], {"first": "equivalent"})[0].frame.height == 0


def test_a_closed_list_leaves_nothing_to_a_judge(folder: Folder) -> None:
    """A value outside a complete list of accepted values is wrong by the rules."""
    folder.write(CALLS, [{**YARD, "id": "L-A002-1", "case_id": "A002", "got": "foot"}])
    assert ask_all(folder, JUDGES[:1], {"first": "equivalent"})[0].frame.height == 0


def test_no_labelled_set_asks_nothing() -> None:
    """An empty set is an empty frame."""
    sets: tuple[LabelledSet, ...] = ()
    made = ask_labels(
        sets,
        {},
        {},
        JUDGES,
        lambda calls: [JudgeReply("", None) for _ in calls],
    )
    assert (LABELLED, 0, ()) == (made.frame.schema, made.frame.height, made.missing_calls)


# ---------------------------------------------------------------- from the command line


@pytest.fixture(scope="module")
def first_scored(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test has a copy."""
    folder = small_board(tmp_path_factory.mktemp("scored") / "board")
    folder.write(TEXTS, [RIGHT, WRONG])
    folder.write(CALLS, [YARD])
    folder.submission("m1", [{"id": "B001", "model_text": "It must be Paris."}])
    result = folder.lb("rescore")
    assert 0 == result.exit_code, result.stderr
    assert "embedded-1 agrees with" in result.stderr
    return folder


@pytest.fixture
def scored(first_scored: Folder, tmp_path: Path) -> Folder:
    """A workspace with three labelled pairs and one submission, scored."""
    return first_scored.copied_to(tmp_path / "board")


def results(folder: Folder, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = orjson.loads((folder.root / f"results/{name}.json").read_bytes())
    return rows


@pytest.mark.large
def test_labelled_calls_are_recorded_apart_and_replayed(scored: Folder) -> None:
    """They have a cassette of their own, and offline they give the same bytes."""
    assert {"_labels.json", "m1.json"} == set(scored.tree("cassettes/embedded-1/small"))
    before = scored.tree("results")
    assert 0 == scored.lb("rescore", "--offline").exit_code
    assert before == scored.tree("results")


@pytest.mark.large
def test_results_hold_what_was_said_and_how_it_agrees(scored: Folder) -> None:
    """Each pair with each judge's words, and counts per category. One judge is its own panel."""
    assert [("L-A001-1", "embedded-1"), ("L-A001-1", "*")] == [
        (row["pair"], row["judge"]) for row in results(scored, "labelled")
    ][:2]
    rows = {
        (row["judge"], row["category"]): row
        for row in results(scored, "agreement")
        if row["suite"] == "small"
    }
    assert (3, 2, 1) == tuple(
        rows["embedded-1", name]["pairs"] for name in ("*", "no_tool", "tool_selection")
    )
    assert {**rows["embedded-1", "no_tool"], "judge": "*"} == rows["*", "no_tool"]
    assert [] == results(scored, "concordance")
    assert {"no_tool", "*"} == {row["category"] for row in results(scored, "corrected")}


@pytest.mark.large
def test_the_manifest_names_the_labelled_sets(scored: Folder) -> None:
    """Number and digest of the pairs by category. A changed label changes the digest of inputs."""

    def manifest() -> dict[str, Any]:
        loaded: dict[str, Any] = orjson.loads((scored.root / "results/manifest.json").read_bytes())
        return loaded

    first = manifest()
    assert {"small/no_tool": 2, "small/tool_selection": 1} == {
        name: entry["pairs"] for name, entry in first["labels"].items()
    }
    assert "cassettes/embedded-1/small/_labels.json" in first["cassettes"]
    scored.write(TEXTS, [RIGHT, {**WRONG, "label": "equivalent"}])
    scored.lb("rescore", "--offline")
    second = manifest()
    assert first["labels"]["small/no_tool"] != second["labels"]["small/no_tool"]
    assert first["labels"]["small/tool_selection"] == second["labels"]["small/tool_selection"]
    assert first["digest"] != second["digest"]


@pytest.mark.large
def test_naming_a_submission_records_nothing_about_labels(scored: Folder) -> None:
    """With an ID, judges are asked for that submission alone. Missing labelled calls are listed."""
    (scored.root / "cassettes/embedded-1/small/_labels.json").unlink()
    result = scored.lb("rescore", "m1")
    assert 3 == result.exit_code
    assert "of _labels" in result.stderr
    assert ["m1.json"] == sorted(scored.tree("cassettes/embedded-1/small"))


@pytest.mark.large
def test_calls_about_labels_count_as_used(scored: Folder) -> None:
    """`lb cassettes check` does not take them for leftovers."""
    result = scored.lb("cassettes", "check")
    assert (0, "OK\n") == (result.exit_code, result.stderr)


@pytest.mark.large
def test_labels_do_not_touch_scores(scored: Folder) -> None:
    """Verdicts and scores are the same bytes with labels and without."""
    with_labels = scored.tree("results")
    for file in (TEXTS, CALLS):
        (scored.root / file).unlink()
    assert 0 == scored.lb("rescore", "--offline").exit_code
    without = scored.tree("results")
    for name in ("verdicts.parquet", "ranks.parquet"):
        assert with_labels[name] == without[name]
    before, after = (
        pl.read_parquet(tree["scores.parquet"]).drop(cs.starts_with("corrected", "decision"))
        for tree in (with_labels, without)
    )
    assert before.equals(after)
