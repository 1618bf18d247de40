"""Records of Every Eval Ever as submissions: scored here, or as reported."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.conftest import SETTINGS, Folder
from tests.leaderboard.responses.forms.perfect_answers import each, native


def result(name: str, score: float, **config: Any) -> dict[str, Any]:
    scored = {"score": score}
    return {"evaluation_name": name, "metric_config": config, "score_details": scored}


def sample(name: str, score: float, evaluation: str = "maths", **more: Any) -> dict[str, Any]:
    asked = {"raw": f"What is {name}?", "reference": ["4"]}
    found = {"evaluation_name": evaluation, "sample_id": name, "input": asked}
    return {**found, "evaluation": {"score": score, "is_correct": score == 1}, **more}


def write(
    root: Path, model: str, results: list[Any], samples: list[Any] | None = None, **more: Any
) -> Path:
    """Writes an aggregate below data/, and the samples beside it."""
    path = root / "data" / f"{model.replace('/', '-')}-{len(list(root.rglob('*.json')))}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    aggregate: dict[str, Any] = {
        "evaluation_id": f"quiz/{model}/1767312000",
        "retrieved_timestamp": "1767312000",
        "model_info": {"name": model, "id": model},
        "evaluation_results": results,
    }
    if samples is not None:
        data = "".join(json.dumps(row) + "\n" for row in samples).encode()
        path.with_name(f"{path.stem}_samples.jsonl").write_bytes(data)
        checksum = hashlib.sha256(data).hexdigest()
        about = {"hash_algorithm": "sha256", "checksum": checksum}
        aggregate["detailed_evaluation_results"] = about
    path.write_text(json.dumps({**aggregate, **more}))
    return path


@pytest.fixture
def board(tmp_path: Path) -> Folder:
    """A workspace without a suite."""
    made = Folder(tmp_path / "empty")
    made.write("leaderboard.toml", SETTINGS)
    return made


def refused(board: Folder, *arguments: str) -> str:
    done = board.lb("import", "every-eval-ever", *arguments)
    assert 1 == done.exit_code, done.output
    assert {} == {**board.tree("submissions"), **board.tree("datasets")}
    return done.stderr


def scores(board: Folder) -> dict[tuple[str, str], float]:
    """The score of each submission and category."""
    done = board.lb("rescore")
    assert 0 == done.exit_code, done.stderr
    rows = json.loads((board.root / "results/scores.json").read_text(encoding="utf-8"))
    return {
        (row["submission"], row["category"]): row["score"]
        for row in rows
        if row["metric"] in ("score", "correct")
    }


def outcomes(board: Folder) -> list[Any]:
    verdicts = pl.read_parquet(board.root / "results/verdicts.parquet")
    return verdicts.select("submission", "case_id", "outcome").rows()


@pytest.mark.large
def test_a_board_exported_and_imported_has_the_same_scores(folder: Folder, board: Folder) -> None:
    """As responses where the suite is known, and as reported scores elsewhere."""
    right = each(native)
    folder.submission("some", [right[0], {"id": "B001", "model_text": "no idea"}])
    call = {"name": "no_such_tool", "arguments": {"x": 1}}
    spoken = {"id": "B001", "model_text": '{"name": "convert_units", "arguments": {}}'}
    folder.submission("odd", [{"id": "A001", "model_function_call": call}, spoken])
    broken = {"id": "A001", "model_function_call": {"name": "convert_units", "arguments": 7}}
    folder.submission("silent", [broken, {"id": "B001", "model_text": None}])
    before = scores(folder)
    out = folder.root.parent / "out"
    assert 0 == folder.lb("export", "every-eval-ever", "--out", str(out)).exit_code

    assert 0 == board.lb("import", "every-eval-ever", str(out)).exit_code
    assert 0 == board.lb("validate").exit_code
    assert before == pytest.approx(scores(board))
    assert "reported" in board.tree("datasets")["small/suite.toml"].decode()

    known = Folder(folder.root.parent / "known")
    shutil.copytree(folder.root, known.root, ignore=shutil.ignore_patterns("sub*", "results"))
    assert 0 == known.lb("import", "every-eval-ever", str(out)).exit_code
    assert before == pytest.approx(scores(known))
    assert outcomes(folder) == outcomes(known)


REPORTED = """\
schema = 1
title = "Dialogues"
kind = "reported"

[[metrics]]
id = "accuracy"

[[metrics]]
id = "fluency"

[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""


@pytest.mark.large
def test_a_reported_suite_is_restored_with_all_its_metrics(board: Folder) -> None:
    """Into the suite itself. As a new suite, a case without an answer stays unanswered."""
    board.write("datasets/dialogues/suite.toml", REPORTED)
    board.write("datasets/dialogues/cases.json", [{"id": f"d-{number}"} for number in range(4)])
    usage = {"input_tokens": 3, "output_tokens": 4, "cost_usd": 0.5}
    records = [
        {"id": "d-0", "metrics": {"accuracy": 1.0, "fluency": 0.25}, "model_text": "Done."},
        {"id": "d-1", "metrics": {"accuracy": 0.5, "fluency": None}, "usage": usage},
        {"id": "d-2", "error": "down"},
    ]
    board.submission("one", records, suite="dialogues")
    assert 0 == board.lb("rescore").exit_code
    before = pl.read_parquet(board.root / "results/verdicts.parquet")
    out = board.root.parent / "out"
    assert 0 == board.lb("export", "every-eval-ever", "--out", str(out)).exit_code
    (aggregate,) = out.rglob("*.json")
    results = json.loads(aggregate.read_bytes())["evaluation_results"]
    told = [row["score_details"]["details"] for row in results]
    assert {"reported, not derived here"} == {details["not_ranked"] for details in told}
    assert all("rules_only_score" not in details for details in told)

    shutil.rmtree(board.root / "submissions/one")
    done = board.lb("import", "every-eval-ever", str(out))
    assert 0 == done.exit_code, done.stderr
    assert 0 == board.lb("rescore").exit_code
    assert before.equals(pl.read_parquet(board.root / "results/verdicts.parquet"))
    again = json.loads(board.tree("submissions/one")["dialogues.json"])["test_results"]
    assert [row.get("model_text") for row in again] == ["Done.", None, None]
    assert again[1]["usage"] == usage

    new = Folder(board.root.parent / "new")
    new.write("leaderboard.toml", SETTINGS)
    assert 0 == new.lb("import", "every-eval-ever", str(out)).exit_code
    assert 0 == new.lb("rescore").exit_code
    verdicts = pl.read_parquet(new.root / "results/verdicts.parquet")
    last = verdicts.filter(case_id="all/d-3")
    assert last["reason"].to_list() == ["missing_response"]


@pytest.mark.large
def test_a_submission_without_a_score_is_not_exported(board: Folder, tmp_path: Path) -> None:
    """A file without scores could not be imported. The others can."""
    board.write("datasets/dialogues/suite.toml", REPORTED)
    board.write("datasets/dialogues/cases.json", [{"id": "d-0"}])
    assert 0 == board.lb("rescore").exit_code
    out = tmp_path / "out"
    export = ("export", "every-eval-ever", "--out", str(out))
    assert "nothing to export: the board has no submission" in board.lb(*export).stderr
    for name, accuracy in (("one", 1.0), ("unscored", None)):
        record = {"id": "d-0", "metrics": {"accuracy": accuracy}}
        board.submission(name, [record], suite="dialogues")
    assert 0 == board.lb("rescore").exit_code
    said = board.lb(*export)
    assert 0 == said.exit_code
    assert "unscored: no scored verdict on dialogues, so no file was written" in said.stderr
    assert 1 == len(list(out.rglob("*.json")))


def test_a_file_without_scores_is_named(board: Folder, tmp_path: Path) -> None:
    """Others beside it are imported. Alone, it stops the import."""
    empty = write(tmp_path, "lab/none", [], [])
    what = "has no samples, and no result with finite limits: it is left out"
    assert f"{empty.name}: {what}" in refused(board, str(empty))
    write(tmp_path, "lab/one", [result("maths", 1)])
    done = board.lb("import", "every-eval-ever", str(tmp_path / "data"))
    assert 0 == done.exit_code, done.stderr
    assert f"{empty.name}: {what}" in done.stderr
    assert ["lab-one"] == [path.name for path in (board.root / "submissions").iterdir()]


def test_results_without_limits_are_left_out(board: Folder, tmp_path: Path) -> None:
    """Beside samples nothing is lost. Without them the import says so."""
    ratio = result("maths", 1.5, metric_id="steps", min_score=0, max_score="Infinity")
    write(tmp_path, "lab/one", [result("maths", 1, metric_id="correct"), ratio])
    done = board.lb("import", "every-eval-ever", str(tmp_path / "data"))
    assert 0 == done.exit_code, done.stderr
    what = "results with an infinite min_score or max_score are left out"
    assert f"{what}, because they cannot be scaled to 0\u20131: 1" in done.stderr
    (cases,) = [
        json.loads(data) for name, data in board.tree("datasets").items() if name.endswith(".json")
    ]
    assert [case["id"] for case in cases] == ["evaluations/maths"]


@pytest.mark.large
def test_samples_of_an_unknown_suite_are_reported(board: Folder, tmp_path: Path) -> None:
    """Scores are shares between the limits of their evaluation; ids of cases name it."""
    percent = {"min_score": 0, "max_score": 100}
    cost: dict[str, Any] = {"token_usage": {"input_tokens": 5, "output_tokens": 6}}
    rows = [sample("1", 100, **cost), sample("2", 50), sample("1", 0.25, "physics")]
    results = [result("maths", 75, **percent), result("physics", 0.75, lower_is_better=True)]
    write(tmp_path, "lab/one", results, rows)
    write(tmp_path, "lab/two", results[:1], [sample("1", 0)])
    done = board.lb("import", "every-eval-ever", str(tmp_path / "data"))
    assert 0 == done.exit_code, done.stderr
    assert "datasets/quiz/: written (categories: 2, cases: 3)" in done.stderr
    found = scores(board)
    assert {0.75} == {found["lab-one", name] for name in ("*", "maths", "physics")}
    assert 0 == found["lab-two", "maths"]
    card = json.loads(board.tree("submissions")["lab-one/submission.json"])
    assert ("2026-01-02", "lab", "lab/one") == (card["date"], card["organization"], card["model"])
    partial = json.loads(board.tree("submissions")["lab-two/submission.json"])["partial"]
    assert ["quiz"] == partial

    before = {**board.tree("datasets"), **board.tree("submissions")}
    assert 0 == board.lb("import", "every-eval-ever", str(tmp_path / "data")).exit_code
    assert before == {**board.tree("datasets"), **board.tree("submissions")}


def test_the_system_of_a_record_comes_back_onto_the_card(board: Folder, tmp_path: Path) -> None:
    """Kind, framework and weights, as the export writes them. Anything else is a model."""
    agent = {"kind": "agent", "framework": "langgraph", "model_availability": "closed_weights"}
    for name, details in (("one", agent), ("two", {"kind": ["x"], "framework": 7})):
        model = {"name": name, "id": f"lab/{name}", "additional_details": details}
        write(tmp_path, f"lab/{name}", [result("maths", 1)], model_info=model)
    assert 0 == board.lb("import", "every-eval-ever", str(tmp_path / "data")).exit_code
    cards = [
        json.loads(board.tree("submissions")[f"lab-{name}/submission.json"])
        for name in ("one", "two")
    ]
    told = [(card["kind"], card.get("framework"), card.get("open_weights")) for card in cards]
    assert told == [("agent", "langgraph", False), ("model", None, None)]


@pytest.mark.parametrize(
    ("name", "model_id", "model"),
    [
        ("GPT-x-FC", "unknown/gpt-x-fc", "GPT-x-FC"),
        ("The best", "unknown/gpt-x-fc", "gpt-x-fc"),
        ("One", "lab/one", "lab/one"),
        ("unknown", "unknown", "unknown"),
    ],
)
def test_an_unknown_owner_is_no_part_of_the_name_of_a_model(
    board: Folder, tmp_path: Path, name: str, model_id: str, model: str
) -> None:
    """The export writes it where the card names no organization."""
    info = {"name": name, "id": model_id}
    path = write(tmp_path, "lab/one", [result("maths", 1)], model_info=info)
    done = board.lb("import", "every-eval-ever", str(path), "--submission", "one")
    assert 0 == done.exit_code, done.stderr
    assert json.loads(board.tree("submissions")["one/submission.json"])["model"] == model


@pytest.mark.large
def test_an_aggregate_without_samples_has_a_case_for_each_evaluation(
    board: Folder, tmp_path: Path
) -> None:
    """A result that sums up others is none. Metrics of one evaluation are cases of their own."""
    results = [
        result("all", 0.6),
        result("all/maths", 0.5, metric_id="exact"),
        result("all/maths", 0.7, metric_id="f1"),
        result("all/law", 90, max_score=100, evaluation_description="Law questions."),
    ]
    path = write(tmp_path, "lab/one", results)
    done = board.lb("import", "every-eval-ever", str(path), "--submission", "mine")
    assert 0 == done.exit_code, done.stderr
    cases = json.loads(board.tree("datasets")["quiz_aggregates/evaluations.json"])
    assert ["exact", "f1"] == [case["id"].rpartition(", ")[2] for case in cases[:2]]
    assert "Law questions." == cases[2]["user_query"]
    assert pytest.approx(0.7) == scores(board)["mine", "*"]


@pytest.mark.large
def test_aggregates_without_samples_come_one_after_the_other(board: Folder, tmp_path: Path) -> None:
    """The second model joins the suite of the first, with its own score."""
    for model, score in (("lab/one", 0.6), ("lab/two", 0.8)):
        path = write(tmp_path, model, [result("maths", score)])
        done = board.lb("import", "every-eval-ever", str(path))
        assert 0 == done.exit_code, done.stderr
    found = scores(board)
    assert (0.6, 0.8) == (found["lab-one", "*"], found["lab-two", "*"])


@pytest.mark.large
def test_cases_that_a_later_system_adds_are_named(board: Folder, tmp_path: Path) -> None:
    """The earlier system would fail them without a word. Imported again, it was asked a part."""
    paths = []
    for model, names in (("lab/one", "1"), ("lab/two", "12")):
        samples = [sample(name, 1.0) for name in names]
        paths.append(write(tmp_path, model, [result("maths", 1.0)], samples))
    done = [board.lb("import", "every-eval-ever", str(path)).output for path in (*paths, *paths)]
    said = "submissions/lab-one/quiz.json: has no score for 1 new case of the suite"
    assert [said in lines for lines in done] == [False, True, False, False]
    assert 1.0 == scores(board)["lab-one", "*"]


def test_what_cannot_be_imported_is_refused(board: Folder, tmp_path: Path) -> None:
    """Nothing is written, and the message says what to do."""
    one = write(tmp_path, "lab/one", [result("maths", 1)], [sample("1", 1)])
    write(tmp_path, "lab/two", [result("maths", 1)], [sample("1", 1)])
    data = str(tmp_path / "data")
    assert "leave out --submission" in refused(board, data, "--submission", "x")

    lines = one.with_name(f"{one.stem}_samples.jsonl")
    kept = lines.read_bytes()
    lines.write_bytes(kept.replace(b'"score": 1', b'"score": 0'))
    assert "does not have the checksum" in refused(board, data)
    lines.unlink()
    named = {"file_path": f"data/{lines.name}", "total_rows": 1}
    aggregate = json.loads(one.read_text())
    one.write_text(json.dumps({**aggregate, "detailed_evaluation_results": named}))
    missing = f"{lines.name}: is missing, although the aggregate names it"
    assert missing in refused(board, data)
    lines.write_bytes(kept)
    one.write_text(one.read_text().replace('"total_rows": 1', '"total_rows": 2'))
    assert f"{lines.name}: has 1 sample, but total_rows of the aggregate is" in refused(board, data)

    (tmp_path / "none.json").write_text("{}")
    assert "lb new --from" in refused(board, str(tmp_path / "none.json"))


def test_samples_are_in_the_file_that_the_aggregate_names(board: Folder, tmp_path: Path) -> None:
    """Its folder may be another one today. A missing file is shown by that name."""
    one = write(tmp_path, "lab/one", [result("maths", 1)], [sample("1", 1)])
    usual = one.with_name(f"{one.stem}_samples.jsonl")
    named = usual.rename(one.with_name("u.jsonl"))
    aggregate = json.loads(one.read_text())
    aggregate["detailed_evaluation_results"]["file_path"] = f"data/x/{named.name}"
    one.write_text(json.dumps(aggregate))
    kept = named.read_bytes()
    named.unlink()
    missing = "u.jsonl: is missing, although the aggregate names it"
    assert missing in refused(board, str(tmp_path / "data"))
    usual.write_bytes(kept)
    assert 0 == board.lb("import", "every-eval-ever", str(tmp_path / "data")).exit_code
    usual.write_bytes(b"of another export")
    named.write_bytes(kept)
    assert 0 == board.lb("import", "every-eval-ever", str(tmp_path / "data")).exit_code
    assert 1 == scores(board)["lab-one", "maths"]


@pytest.mark.parametrize(
    ("samples", "what"),
    [
        ([sample("1", 1), sample("1", 0)], "_samples.jsonl: reports 'maths/1' a second time"),
        ([sample("1", 7)], "_samples.jsonl: maths/1: the score 7 is not between its limits"),
        ([sample("1", 1), {"sample_id": "2"}], "data/lab-one-0_samples.jsonl:2"),
        ([sample("1", 1), sample("1", 1, metadata={"trial": "2"})], ""),
    ],
)
def test_samples_that_contradict_each_other(
    board: Folder, tmp_path: Path, samples: list[Any], what: str
) -> None:
    """Attempts that are numbered are trials; anything else is refused."""
    write(tmp_path, "lab/one", [result("maths", 1)], samples)
    if what:
        assert what in refused(board, str(tmp_path / "data"))
    else:
        assert 0 == board.lb("import", "every-eval-ever", str(tmp_path / "data")).exit_code
        assert 1 == scores(board)["lab-one", "maths"]


def test_a_suite_of_one_name_with_other_questions_is_refused(board: Folder, tmp_path: Path) -> None:
    """Two benchmarks of one name would be mixed."""
    write(tmp_path, "lab/one", [result("maths", 1)], [sample("1", 1)])
    other = {**sample("1", 1), "input": {"raw": "Another question?"}}
    write(tmp_path, "lab/two", [result("maths", 1)], [other])
    message = refused(board, str(tmp_path / "data"))
    assert "_samples.jsonl: has a question for 'maths/1'" in message
    assert "import it under another name: --suite" in message


def test_samples_between_two_limits_name_their_result(board: Folder, tmp_path: Path) -> None:
    """An accuracy and a BLEU of one evaluation: only their ids say what 1.0 means."""
    results = [
        {**result("maths", 1), "evaluation_result_id": "accuracy"},
        {**result("maths", 40, min_score=0, max_score=100), "evaluation_result_id": "bleu"},
    ]
    path = write(tmp_path, "lab/one", results, [sample("1", 1), sample("2", 1)])
    message = refused(board, str(path))
    assert "_samples.jsonl: maths: its results have scores between different limits" in message
    named = [sample(name, 1, evaluation_result_id="accuracy") for name in ("1", "2")]
    path = write(tmp_path, "lab/one", results, named)
    assert 0 == board.lb("import", "every-eval-ever", str(path)).exit_code
    assert 1 == scores(board)["lab-one", "maths"]


@pytest.mark.large
def test_a_second_aggregate_of_a_model_replaces_no_answer(board: Folder, tmp_path: Path) -> None:
    """It is refused, and both are imported together. Nothing of another suite is written then."""
    first = write(tmp_path, "lab/one", [result("maths", 1)], [sample("1", 1)])
    assert 0 == board.lb("import", "every-eval-ever", str(first)).exit_code
    before = board.tree(".")
    write(tmp_path / "more", "lab/one", [result("physics", 0)], [sample("9", 0, "physics")])
    write(tmp_path / "more", "lab/two", [result("law", 1)], evaluation_id="a/lab/two/1")
    done = board.lb("import", "every-eval-ever", str(tmp_path / "more"))
    assert 1 == done.exit_code
    assert "lab-one/quiz.json: has 1 answers, 1 of them from files that are not" in done.stderr
    assert before == board.tree(".")
    assert 0 == board.lb("import", "every-eval-ever", str(tmp_path)).exit_code
    assert 2 == len(json.loads(board.tree("submissions")["lab-one/quiz.json"])["test_results"])


def answered(case: str, text: str) -> dict[str, Any]:
    """A sample of a case of the suite `small`, in the form of the schema."""
    row = sample(case, 1, "small/no_tool", schema_version="0.3.0", output={"raw": [text]})
    return {**row, "interaction_type": "single_turn"}


def test_numbers_of_any_size_stop_no_import(folder: Folder, tmp_path: Path) -> None:
    """Too many tokens are refused, with their place. Numbers that nobody reads are no problem."""
    for name in ("metadata", "token_usage"):
        row = {**answered("B001", "Yes."), name: {"input_tokens": 10**30}}
        write(tmp_path / name, "lab/one", [], [row], evaluation_id="small/lab/one/1")
    done = folder.lb("import", "every-eval-ever", str(tmp_path / "token_usage"))
    assert 1 == done.exit_code, done.stderr
    assert "lab-one-0_samples.jsonl:1 $.token_usage.input_tokens: " in done.stderr
    done = folder.lb("import", "every-eval-ever", str(tmp_path / "metadata"))
    assert 0 == done.exit_code, done.stderr


def test_two_aggregates_of_a_model_answer_a_known_suite(folder: Folder, tmp_path: Path) -> None:
    """Of different cases they are one submission; two answers to one case are refused."""
    write(tmp_path, "lab/one", [], [answered("B001", "Yes.")], evaluation_id="small/lab/one/1")
    again = write(
        tmp_path, "lab/one", [], [answered("B001", "No.")], evaluation_id="small/lab/one/2"
    )
    done = folder.lb("import", "every-eval-ever", str(tmp_path / "data"))
    assert 1 == done.exit_code
    assert "small.json B001, id: answers case B001 again" in done.stderr
    assert "lab-one/small.json" not in folder.tree("submissions")

    again.unlink()
    others = [answered(case, "No.") for case in ("A001", "A002", "A003", "B002")]
    write(tmp_path, "lab/one", [], others, evaluation_id="small/lab/one/2")
    assert 0 == folder.lb("import", "every-eval-ever", str(tmp_path / "data")).exit_code
    assert 0 == folder.lb("validate", "lab-one").exit_code
    assert "partial" not in json.loads(folder.tree("submissions")["lab-one/submission.json"])
