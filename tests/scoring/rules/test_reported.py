"""Suites of kind reported: scores from elsewhere, shown as such, and never among derived ones."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from tests.conftest import Folder
from tests.leaderboard.workspaces import errors

SUITE = """\
schema = 1
title = "Elsewhere"
kind = "reported"

[[metrics]]
id = "accuracy"
description = "The share of right answers."

[[metrics]]
id = "f1"
label = "F1"

[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""
CASES = [{"id": "1", "user_query": "Which?"}, {"id": "2"}, {"id": "3"}]
RECORDS: list[dict[str, Any]] = [
    {"id": "1", "metrics": {"accuracy": True, "f1": 0.5}, "model_text": "This <b>one"},
    {"id": "2", "metrics": {"accuracy": 0.25}},
]
EXACT = """\
schema = 1
title = "Here"
kind = "exact"

[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""


def board(folder: Folder, *records: dict[str, Any], suite: str = SUITE) -> Folder:
    folder.write("datasets/elsewhere/suite.toml", suite)
    folder.write("datasets/elsewhere/cases.json", CASES)
    folder.submission("m1", list(records) or RECORDS, suite="elsewhere")
    return folder


@pytest.mark.large
def test_scores_are_taken_as_reported(folder: Folder) -> None:
    """Pass or fail, a part, nothing reported, no record: each is what it is, and says so."""
    made = board(folder)
    assert made.lb("validate").exit_code == 0
    result = made.lb("rescore", "--offline")
    assert result.exit_code == 0
    assert "2 of 3 answered, reported, not derived here" in result.stdout
    verdicts = pl.read_parquet(made.root / "results/verdicts.parquet")

    assert verdicts["decided_by"].unique().to_list() == ["reported"]
    assert verdicts.select("case_id", "metric", "outcome", "score", "reason").rows() == [
        ("1", "accuracy", "pass", 1.0, "reported_pass"),
        ("1", "f1", "fail", 0.5, "reported_part"),
        ("2", "accuracy", "fail", 0.25, "reported_part"),
        ("2", "f1", "unscored", None, "not_reported"),
        ("3", "accuracy", "fail", 0.0, "missing_response"),
        ("3", "f1", "fail", 0.0, "missing_response"),
    ]
    ranks = json.loads((made.root / "results/ranks.json").read_text())
    assert {(row["status"], row["rank_low"]) for row in ranks} == {("reported", None)}


@pytest.mark.large
def test_errors_and_scores_of_nothing(folder: Folder) -> None:
    """0 is a fail. An error without a score fails, and one beside scores changes nothing."""
    made = board(
        folder,
        {"id": "1", "metrics": {"accuracy": 0, "f1": 0.5}},
        {"id": "2", "error": "Timeout"},
        {"id": "3", "metrics": {"accuracy": 1, "f1": 1}, "error": "Timeout"},
    )
    assert made.lb("rescore", "--offline").exit_code == 0
    verdicts = pl.read_parquet(made.root / "results/verdicts.parquet")

    assert verdicts.select("case_id", "outcome", "score", "reason").rows() == [
        ("1", "fail", 0.0, "reported_fail"),
        ("1", "fail", 0.5, "reported_part"),
        ("2", "fail", 0.0, "response_error"),
        ("2", "fail", 0.0, "response_error"),
        ("3", "pass", 1.0, "reported_pass"),
        ("3", "pass", 1.0, "reported_pass"),
    ]


@pytest.mark.large
def test_pages_say_that_scores_are_reported(folder: Folder) -> None:
    """No page shows a reported score without saying so, and the badge shows none."""
    made = board(folder)
    made.submission("m2", RECORDS, suite="elsewhere")
    made.lb("rescore", "--offline")
    assert made.lb("build").exit_code == 0
    assert made.lb("verify").exit_code == 0
    site = made.root / "_site"
    pages = [path.relative_to(site).as_posix() for path in site.rglob("*.html")]
    about = [name for name in pages if "elsewhere" in name or name.startswith("submissions/m")]
    assert len(about) >= 6
    for name in [*about, "index.html"]:
        assert "not derived here" in (site / name).read_text("utf-8"), name
    case = (site / "cases/elsewhere/1.html").read_text("utf-8")
    assert "This &lt;b&gt;one" in case
    assert "Reported: 1. It is not derived here." in case
    badge = (site / "badges/m1.svg").read_text("utf-8")
    assert "reported, not derived here" in badge
    assert "41.7" not in badge
    assert "reported, not derived here" in made.lb("compare", "m1", "m2").stdout


@pytest.mark.large
def test_reported_scores_are_no_part_of_a_ranking_over_suites(folder: Folder) -> None:
    """The ranking over all suites needs two derived ones, and leaves this one out."""
    made = board(folder)
    for name in ("here", "there"):
        made.write(f"datasets/{name}/suite.toml", EXACT)
        cases = [{"id": "1", "user_query": "1 + 1?", "ground_truth": {"number": 2}}]
        made.write(f"datasets/{name}/cases.json", cases)
    made.submission("m1", [{"id": "1", "model_text": "2"}], suite="here")
    made.lb("rescore", "--offline")
    made.lb("build")
    assert not (made.root / "_site/all/index.html").exists()

    made.submission("m1", [{"id": "1", "model_text": "2"}], suite="there")
    made.lb("rescore", "--offline")
    made.lb("build")
    data = json.loads((made.root / "_site/data/all.json").read_text())
    assert data["suites"] == ["here", "there"]
    (row,) = data["scores"]
    assert (row["score"], row["place"]) == (1.0, 1)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"metrics": {"recall": 1}}, "is not a metric of elsewhere: 'recall' (one of: accuracy, f1"),
    ({"metrics": {"accuracy": 93.5}}, "expected a score from 0 to 1"),
    ({"metrics": {"accuracy": -0.1}}, "expected a score from 0 to 1"),
    ({"metrics": {"accuracy": "1"}}, "expected a score from 0 to 1"),
    ({"metrics": [1]}, "is not an object"),
    ({"note": "x"}, "has no answer (add one of: metrics"),
]


@pytest.mark.parametrize(("members", "what"), WRONG)
def test_a_wrong_record_is_a_problem(folder: Folder, members: dict[str, Any], what: str) -> None:
    """A score that cannot be read is never a 0."""
    (problem,) = errors(board(folder, {"id": "1", **members}))
    assert what in problem
    assert "submissions/m1/elsewhere.json:" in problem


def test_a_suite_names_its_metrics(folder: Folder) -> None:
    """A reported suite without metrics, or with one twice, is a problem."""
    without = SUITE.replace("[[metrics]]", "[[x]]").split("[[x]]")
    (problem,) = errors(
        board(folder, suite=without[0] + "[[categories]]" + SUITE.split("[[categories]]")[1])
    )
    assert "declares no metrics" in problem
    (problem,) = errors(board(folder, suite=SUITE.replace('id = "f1"', 'id = "accuracy"')))
    assert "repeats the id of a metric" in problem


def test_a_suite_has_at_most_twenty_metrics(folder: Folder) -> None:
    """The limit is docs/limits.md's."""
    before, after = SUITE.split("[[metrics]]", 1)[0], SUITE.split("[[categories]]")[1]
    declared = [f'[[metrics]]\nid = "m{number}"\n' for number in range(21)]
    for count in (20, 21):
        text = before + "".join(declared[:count]) + "[[categories]]" + after
        problems = errors(board(folder, {"id": "1", "metrics": {"m0": 1}}, suite=text))
        assert [count > 20] == [any("declares 21 metrics" in one for one in problems)]


def test_other_suites_do_not_read_reported_metrics(folder: Folder) -> None:
    """What can be derived is never believed, and never refused either."""
    folder.submission("m1", [{"id": "B001", "model_text": "It is Paris.", "metrics": "all good"}])
    assert errors(folder) == []


def test_no_model_is_asked_about_reported_cases(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`lb run` says that it does not ask such a suite."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    made = board(folder)
    result = made.lb(
        "run",
        "--model",
        "openai:m",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--suite",
        "elsewhere",
        "--id",
        "m9",
    )
    assert result.exit_code != 0
    what = "is of kind reported, which lb run does not ask (bring the scores: lb new --from FILE)"
    assert what in result.stderr


GIVEN = [
    ("scores.csv", "id,accuracy,f1,model_text\n1,pass,0.5,Yes\n2,0.25,,\n"),
    (
        "scores.jsonl",
        '{"case_id": "1", "accuracy": true, "f1": 0.5}\n{"id": "2", "accuracy": 0.25}\n',
    ),
    ("scores.json", json.dumps(RECORDS)),
    ("rows.json", json.dumps({"results": [{"id": 1, "accuracy": 1, "f1": 0.5}, RECORDS[1]]})),
]


@pytest.mark.parametrize(("name", "text"), GIVEN)
@pytest.mark.large
def test_scores_are_converted_from_tables(folder: Folder, name: str, text: str) -> None:
    """A column for each metric is enough."""
    made = board(folder)
    source = made.write(name, text)
    card = ("--name", "New", "--organization", "O", "--model", "m", "--date", "2026-01-31")
    result = made.lb("new", "m5", "--from", str(source), "--suite", "elsewhere", *card)
    assert result.exit_code == 0, result.stderr
    assert made.lb("rescore", "--offline").exit_code == 0
    verdicts = pl.read_parquet(made.root / "results/verdicts.parquet").filter(submission="m5")
    assert verdicts["score"].to_list() == [1.0, 0.5, 0.25, None, 0.0, 0.0]


REFUSED = [
    ("id,accuracy\n1,high\n", "expected a score from 0 to 1"),
    ("id,accuracy\n1,93.5\n", "divide scores in percent by 100"),
    ("id,recall\n1,1\n2,1\n", "reports no score; it has: id, recall"),
    ("id,accuracy\n9,1\n", "names a case that is not in elsewhere: '9'"),
    ("name,accuracy\nx,1\n", "has no id"),
]


@pytest.mark.parametrize(("text", "what"), REFUSED)
def test_a_table_without_scores_is_refused(folder: Folder, text: str, what: str) -> None:
    """No cell that cannot be read becomes a score."""
    made = board(folder)
    source = made.write("scores.csv", text)
    result = made.lb("new", "m5", "--from", str(source), "--suite", "elsewhere")
    assert result.exit_code == 1
    assert what in result.stderr
    assert not (made.root / "submissions/m5/elsewhere.json").exists()


def test_there_is_nothing_to_ask(folder: Folder) -> None:
    """`lb requests` says where the scores come from."""
    result = board(folder).lb("requests", "elsewhere", "--format", "openai")
    assert result.exit_code == 1
    assert "its scores come from elsewhere" in result.stderr
