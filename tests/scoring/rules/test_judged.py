"""Suites of kind judged: own labels, from a recorded judge to ranks, and the mistakes in them."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from leaderboard.types import Case, GroundTruth, Referral, Response, Suite, Verdict
from scoring.judging.agreement import two_sided
from scoring.judging.replies import parse, vocabulary_of
from scoring.rules import KINDS
from scoring.rules.judged import decide
from tests.conftest import SETTINGS, Folder
from tests.each_row import each_row
from tests.leaderboard.workspaces import errors, load
from tests.replay.judge_server import judge_server
from tests.scoring.judging.labelled_rows import labelled

SUITE = """\
schema = 1
title = "Small"
kind = "judged"

[labels]
good = 1.0
partly = 0.25
bad = 0.0

[[categories]]
id = "all"
title = "All"
file = "cases.json"
prompt = "tone"
"""
PROMPT = """\
Is the answer polite? Question, then answer:
<<<{{fence}}
{{question}}
{{fence}}>>>
<<<{{fence}}
{{got}}
{{fence}}>>>
First line: good, partly or bad.
"""
CASES = [{"id": str(number), "user_query": f"Ask {number}."} for number in range(1, 5)]


def grade(prompt: str) -> str:
    """The server's judge: the first word of the answer is the label."""
    return prompt.rpartition(">>>\n<<<")[2].splitlines()[1].split()[0] + "\nBecause."


def board(folder: Folder, port: int, suite: str = SUITE) -> Folder:
    judge = (
        f'\n[judges.gpt]\nprovider = "openai"\nmodel = "gpt-test"\n'
        f'base_url = "http://127.0.0.1:{port}/v1"\n'
    )
    folder.write("leaderboard.toml", SETTINGS.replace('["embedded-1"]', '["gpt"]') + judge)
    folder.write("datasets/small/suite.toml", suite)
    folder.write("datasets/small/cases.json", CASES)
    folder.write("prompts/small/tone.md", PROMPT)
    texts = ("good day", "partly", "bad", "what?")
    records = [
        {"id": case["id"], "model_text": text} for case, text in zip(CASES, texts, strict=True)
    ]
    folder.submission("m1", records)
    folder.submission("m2", [{**record, "model_text": "good"} for record in records])
    return folder


def table(folder: Folder, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((folder.root / f"results/{name}.json").read_text())
    return rows


def label_pairs(folder: Folder, *labels: str) -> None:
    """Labelled pairs of case 1. The judge agrees with each of them."""
    pairs = [
        {"id": f"L{n}", "case_id": "1", "got": f"{label} {n}", "label": label, "why": "Read."}
        for n, label in enumerate(labels)
    ]
    folder.write("prompts/small/labels/all.json", pairs)


def test_one_reply_is_never_two_votes(folder: Folder) -> None:
    """Further rounds count seeds up: judges of one model need seeds that do not meet there."""
    made = board(folder, 1, SUITE.replace('kind = "judged"', 'kind = "judged"\nrounds = 2'))
    for second, problems in ((8, 1), (9, 0)):
        judges = "".join(
            f'[judges.{name}]\nprovider = "openai"\nmodel = "m"\nsettings = {{ seed = {seed} }}\n'
            for name, seed in (("a", 7), ("b", second))
        )
        settings = SETTINGS.replace('["embedded-1"]', '["a", "b"]') + judges
        made.write("leaderboard.toml", settings)
        found = errors(made)
        assert len(found) == problems
        for problem in found:
            assert "datasets/small/suite.toml $.rounds: " in problem
            same = "judges 'a' and 'b' send the same requests in some rounds"
            assert f"{same}, because their seeds overlap" in problem


@pytest.mark.large
def test_labels_are_recorded_replayed_and_counted(folder: Folder) -> None:
    """Each label counts what the suite says. An answer without a label is unscored."""
    with judge_server(say=grade) as server:
        made = board(folder, server.port)
        label_pairs(made, *["good"] * 12, *["bad"] * 12, "partly")
        assert made.lb("validate").exit_code == 0
        assert made.lb("rescore").exit_code == 0
    result = made.lb("rescore", "--offline")
    assert result.exit_code == 0, result.stderr
    assert made.lb("cassettes", "check").exit_code == 0

    verdicts = pl.read_parquet(made.root / "results/verdicts.parquet").filter(submission="m1")
    assert verdicts.select("outcome", "score", "reason").rows() == [
        ("pass", 1.0, "judged_good"),
        ("fail", 0.25, "judged_partly"),
        ("fail", 0.0, "judged_bad"),
        ("unscored", None, "judge_unparseable"),
    ]
    ranks = {
        row["submission"]: row["status"] for row in table(made, "ranks") if row["category"] == "*"
    }
    assert ranks == {"m1": "incomplete", "m2": "ranked"}
    (score,) = (r for r in table(made, "scores") if (r["submission"], r["category"]) == ("m2", "*"))
    assert (score["score"], score["judged_share"], score["corrected"]) == (1.0, 1.0, None)
    (found,) = (
        r for r in table(made, "agreement") if r["judge"] == "gpt" and r["category"] == "all"
    )
    assert (found["graded"], found["agreement"], found["youden"]) == (25, 1.0, 1.0)

    assert made.lb("build").exit_code == 0
    assert made.lb("verify").exit_code == 0
    page = (made.root / "_site/cases/small/2.html").read_text("utf-8")
    assert "gives a label: good (1), partly (0.25), bad (0)." in page
    assert "Judged partly: Because." in page
    suite = (made.root / "_site/suites/small/index.html").read_text("utf-8")
    assert "good = 1, partly = 0.25, bad = 0" in suite
    assert made.lb("compare", "m1", "m2").exit_code == 0


@pytest.mark.large
def test_a_judge_without_labelled_pairs_ranks_nobody(folder: Folder) -> None:
    """The trust that other judged suites need is needed here too."""
    with judge_server(say=lambda _: "good") as server:
        made = board(folder, server.port)
        assert made.lb("rescore").exit_code == 0
    assert {row["status"] for row in table(made, "ranks")} == {"judge_not_validated"}
    (made.root / "recordings.json").unlink()
    assert made.lb("rescore", "--offline").exit_code == 3
    assert {row["status"] for row in table(made, "ranks")} == {"pending"}


@pytest.mark.large
def test_a_changed_label_changes_the_suite(folder: Folder) -> None:
    """What a label counts is an input of the manifest."""
    digests = []
    with judge_server(say=grade) as server:
        for suite in (SUITE, SUITE.replace("0.25", "0.5")):
            made = board(folder, server.port, suite)
            assert made.lb("rescore").exit_code == 0
            manifest = json.loads((made.root / "results/manifest.json").read_text())
            digests.append((manifest["suites"], manifest["suite_parts"]["small"]["policy"]))
    assert digests[0][0] != digests[1][0]
    assert digests[0][1] != digests[1][1]


WRONG = [
    ("partly = 0.25", "Partly = 0.25", "a label has up to 30 lower-case letters"),
    ("partly = 0.25", "missing = 0.25", "is reserved for verdicts without a label"),
    ("partly = 0.25", "partly = 1.5", "less than or equal to 1"),
    ("good = 1.0", "good = 0.5", "need one label that counts 1"),
    ("[labels]\ngood = 1.0\npartly = 0.25\nbad = 0.0\n", "", "declares no labels"),
    ('prompt = "tone"\n', "", "names no prompt for the judge"),
    ('kind = "judged"', 'kind = "exact"', "declares labels, which the kind exact does not use"),
    ("[labels]", '[[metrics]]\nid = "a"\n[[metrics]]\nid = "b"\n[labels]', "declares 2 metrics"),
]


@pytest.mark.parametrize(("old", "new", "what"), WRONG)
def test_a_wrong_suite_is_a_problem(folder: Folder, old: str, new: str, what: str) -> None:
    """Each mistake in suite.toml says what to do."""
    assert SUITE.count(old) == 1
    found = errors(board(folder, 1, SUITE.replace(old, new)))
    assert any(what in problem and "suite.toml" in problem for problem in found), found


def test_a_prompt_with_a_reference_needs_one_in_each_case(folder: Folder) -> None:
    """A judge that compares with nothing would pass anything."""
    made = board(folder, 1)
    made.write("prompts/small/tone.md", PROMPT + "{{expected}}")
    made.write(
        "datasets/small/cases.json", [{**CASES[0], "ground_truth": {"text": "x"}}, *CASES[1:]]
    )
    (problem,) = errors(made)
    assert "quotes {{expected}}, but 3 of 4 cases of all have no reference" in problem


def test_a_panel_that_knows_no_labels_is_a_warning(folder: Folder) -> None:
    """The embedded judge reads two kinds of prompts, and these are no others."""
    made = board(folder, 1)
    made.write("leaderboard.toml", SETTINGS)
    (problem,) = load(made).problems
    assert problem.severity == "warning"
    assert "which no judge of the panel can give" in str(problem)


def test_a_labelled_pair_has_a_label_of_the_suite(folder: Folder) -> None:
    """Labels of other suites are problems."""
    made = board(folder, 1)
    label_pairs(made, "good", "equivalent")
    (problem,) = errors(made)
    assert "is not a label of this suite: 'equivalent'" in problem


def test_silence_and_errors_need_no_judge() -> None:
    """Only an answer is put to the judge, with the reference if there is one."""
    case = Case("1", "c", "?", GroundTruth(text="Yes."), (), {}, "")
    made = Suite("s", "S", "", KINDS["judged"], (), {}, "", {})
    (asked,) = decide(made, case, Response("1", b"", (), "No."))
    (silent,) = decide(made, case, Response("1", b"", (), " "))
    (broken,) = decide(made, case, Response("1", b"", (), "No.", "timed out"))

    assert isinstance(asked, Referral)
    assert (asked.questions[0].expected, asked.questions[0].got) == ("Yes.", "No.")
    assert isinstance(silent, Verdict)
    assert isinstance(broken, Verdict)
    assert (silent.reason, broken.reason) == ("empty_response", "response_error")


@each_row(
    ("reply", "label"),
    [
        ("good", "good"),
        ("Grade: good-enough. It is short.", "good-enough"),
        ("**GOOD-ENOUGH**", "good-enough"),
        ('{"grade": "good"}', "good"),
        ('{"grade": 5}', "5"),
        ("5\nPolite.", "5"),
        ('It says "good".', None),
        ("good\nGrade: 5", None),
        ("not good", None),
    ],
)
def test_own_labels_are_read_like_all_grades(reply: str, label: str | None) -> None:
    """One clear label counts; a quoted one and two different ones do not."""
    assert parse(reply, vocabulary_of(("good", "good-enough", "5"))) == label


def test_labels_are_compared_on_two_sides() -> None:
    """More than a half is right. A pair labelled with a half measures nothing."""
    scale = {"s": {"good": 1.0, "fair": 0.6, "half": 0.5, "bad": 0.0}}
    row = {"judge": "*", "suite": "s", "category": "c", "case_id": "1"}
    rows = [
        {**row, "pair": str(n), "label": label, "said": said}
        for n, (label, said) in enumerate(
            [("good", "fair"), ("fair", "half"), ("half", "good"), ("bad", "missing")]
        )
    ]
    found = two_sided(labelled(rows), scale).select("label", "said").rows()

    assert found == [
        ("equivalent", "equivalent"),
        ("equivalent", "unsure"),
        ("different", "missing"),
    ]


def test_a_misspelt_key_of_a_case_is_a_warning(folder: Folder) -> None:
    """The judge would not read the reference."""
    cases = [{**CASES[0], "ground_thruth": {"text": "x"}}, *CASES[1:]]
    made = board(folder, 1)
    made.write("datasets/small/cases.json", cases)
    (problem,) = load(made).problems
    assert (problem.severity, problem.fix) == ("warning", "did you mean 'ground_truth'?")
