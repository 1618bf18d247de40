"""The import of BFCL's files: small files for each rule, and the real ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.submission_files import load_records, load_submission
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.response_records import Interner, read_message
from leaderboard.types import Price, Suite
from leaderboard.workspace import Workspace
from runners.baselines.baseline_run import answers
from runners.baselines.baselines import BASELINES
from runners.imports.bfcl.bfcl_import import import_bfcl, submission_id
from runners.imports.bfcl.bfcl_results import Replies, parameter_types
from runners.imports.import_writer import ImportReport
from scoring.rules import KINDS
from scoring.rules.call_match import decide
from tests.runners.imports.bfcl.bfcl_source import AREA, PLAY, PREFIX, Source

FAILED = "Error during inference: Error code: 429"


def tree(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(p.relative_to(root)): (p.read_bytes(), p.stat().st_mtime_ns)
        for p in sorted(root.rglob("*"))
        if p.is_file()
    }


def test_the_suite_loads_with_its_categories_in_order(source: Source) -> None:
    """The suite has the categories that were found, in the board's order.

    The weight of each is its number of cases.
    """
    source.add("relevance", PLAY, None)
    source.add("parallel_function", PLAY, [{"play": {"song": ["a"]}}, {"play": {"song": ["b"]}}])
    report = source.load()
    assert dict(report.cases) == {"simple": 1, "parallel_function": 1, "relevance": 1}
    suite = load_suite(Workspace(source.board), "bfcl", KINDS)
    assert [(c.id, c.weight, c.prompt) for c in suite.categories] == [
        ("simple", 1, None),
        ("parallel_function", 1, None),
        ("relevance", 1, None),
    ]
    assert suite.kind.name == "call_match"
    assert "Apache License 2.0" in suite.description


def test_the_card_of_a_model(source: Source) -> None:
    """The card has the folder's name, the published date and the origin, and no organisation."""
    report = source.load()
    assert (report.suite, report.submissions) == ("written", (("model-fc", "written", 1),))
    assert source.card() == {
        "schema": 1,
        "name": "model-FC",
        "kind": "model",
        "organization": "unknown",
        "model": "model-FC",
        "date": "2024-08-11",
        "settings": {"imported_from": "bfcl"},
    }
    assert "no licence" in (source.board / "submissions/model-fc/README.md").read_text()


def test_underscored_names_date_and_price_go_onto_the_card(source: Source) -> None:
    """Options of the import go onto the cards of the models that they name."""
    source.reply("other-FC", [{"shape.area": "{}"}])
    source.load("model-*", date="2031-01-02", prices={"model-FC": Price(0.5, 1.5)})
    card, other = source.card(), source.card("other-fc")
    assert card["settings"] == {"imported_from": "bfcl", "tool_names": "underscored"}
    assert (card["price"], card["date"], other["date"]) == (
        {"input": 0.5, "output": 1.5},
        "2031-01-02",
        "2031-01-02",
    )
    assert ("price" in other, other["settings"]) == (False, {"imported_from": "bfcl"})


def test_importing_again_changes_nothing(source: Source) -> None:
    """A second import of the same files leaves all bytes and times, and no further file."""
    source.add("relevance", PLAY, None)
    source.reply("model-FC", "No.", category="relevance")
    source.load("*")
    before = tree(source.board)
    report = source.load("*")
    assert (report.suite, report.submissions) == ("unchanged", (("model-fc", "unchanged", 2),))
    assert tree(source.board) == before


def test_a_card_edited_by_hand_stays_edited(source: Source) -> None:
    """Another import keeps what a person wrote into the card and the README."""
    source.load("*")
    path = source.board / "submissions/model-fc/submission.json"
    edited = {**source.card(), "organization": "Org", "license": "none", "date": "2024-05-06"}
    path.write_text(json.dumps(edited))
    (path.parent / "README.md").write_text("Mine.")
    before = tree(source.board)
    assert source.load().submissions == (("model-fc", "unchanged", 1),)
    assert tree(source.board) == before
    source.load(date="2031-01-02")
    assert source.card() == {**edited, "date": "2031-01-02"}


def test_new_answers_replace_those_of_an_earlier_import(source: Source) -> None:
    """A submission of an earlier import is written again if the results changed."""
    source.load()
    source.reply("model-FC", [{"shape.area": '{"sides": [2.0]}'}])
    assert source.load().submissions == (("model-fc", "written", 1),)
    assert source.records()[0]["model_function_call"][0]["arguments"] == {"sides": [2.0]}


def test_a_category_that_is_gone_leaves_no_file(source: Source) -> None:
    """An import with fewer categories deletes the files of the others."""
    source.add("relevance", PLAY, None)
    source.load()
    (source.root / "questions/relevance.json").unlink()
    assert source.load().suite == "written"
    assert sorted(p.name for p in (source.board / "datasets/bfcl").iterdir()) == [
        "simple.json",
        "suite.toml",
    ]


def test_possible_answers_without_questions_are_refused(source: Source) -> None:
    """Else a lost file of questions would delete its category from the suite."""
    source.add("multiple_function", [AREA, PLAY], {"play": {"song": ["a"]}})
    (source.root / "questions/multiple_function.json").unlink()
    assert source.problems() == [
        (
            "answers/multiple_function.json: has possible answers for multiple_function, but there"
            " is no file of its questions (add multiple_function.json to questions; or move this"
            " file away, to leave the category out)"
        )
    ]
    (source.root / "answers/multiple_function.json").unlink()
    assert dict(source.load().cases) == {"simple": 1}


def test_a_submission_of_another_origin_is_skipped(source: Source) -> None:
    """A submission that no import made stays as it is and is reported. The others are written."""
    source.reply("other-FC", [{"shape.area": "{}"}])
    foreign = source.board / "submissions/model-fc/submission.json"
    foreign.parent.mkdir(parents=True)
    foreign.write_text('{"schema": 1}')
    report = source.load()
    assert report.notes == (
        "skipped model-FC: submissions/model-fc exists and was not made by this import",
    )
    assert report.submissions == (("other-fc", "written", 1),)
    assert [p.name for p in foreign.parent.iterdir()] == ["submission.json"]


def test_a_suite_of_another_origin_is_refused(source: Source) -> None:
    """A suite named bfcl that no import wrote is not overwritten."""
    path = source.board / "datasets/bfcl/suite.toml"
    path.parent.mkdir(parents=True)
    path.write_text("schema = 1\n")
    with pytest.raises(
        FilesError, match=r"^datasets/bfcl/suite.toml: was not written by an import"
    ):
        source.load()
    assert [p.name for p in source.board.rglob("*") if p.is_file()] == ["suite.toml"]


def test_no_call_at_all_is_no_sign_of_a_function_calling_model(source: Source) -> None:
    """An empty list among texts leaves their calls readable."""
    question = {"id": "simple_1", "question": "Area?", "function": AREA}
    source.lines("questions/simple.json", {**question, "id": "simple_0"}, question)
    truth = {"ground_truth": {"shape.area": {"sides": [[1.0]], "unit": ["", "m"]}}}
    source.lines("answers/simple.json", *({"id": f"simple_{i}", **truth} for i in range(2)))
    source.reply("writer", "[shape.area(sides=[1.0])]", [])
    source.load()
    calls = [record["model_function_call"] for record in source.records("writer")]
    assert calls == [[{"name": "shape.area", "arguments": {"sides": [1.0]}}], None]


def test_models_that_answer_in_prose_are_named_and_skipped(source: Source) -> None:
    """A model without a single call is skipped, and reported by its name."""
    source.reply("talker", "The area is 1. Or [1], f(1).")
    report = source.load()
    assert report.notes == (
        "skipped talker: it answers in prose: no reply contains a call that can be read",
    )
    assert not (source.board / "submissions/talker").exists()


def test_a_model_whose_calls_cannot_be_read_is_imported(source: Source) -> None:
    """It makes calls, so its replies fail. The warning says why."""
    source.add("relevance", PLAY, None)
    broken = [{"shape.area": '{"sides": '}]
    source.reply("broken-fc", broken)
    source.reply("broken-fc", [], category="relevance")
    source.reply("model-FC", [], category="relevance")
    report = source.load()
    assert () == report.notes
    assert [None, None] == [row["model_function_call"] for row in source.records("broken-fc")]
    assert source.records("broken-fc")[1]["model_text"] == "[]"  # a list of no calls
    assert json.loads(source.records("broken-fc")[0]["model_text"]) == broken
    (warning,) = report.warnings
    assert str(warning).replace(f"{source.root}/", "") == (
        "result/broken-fc: has no call that can be read, and 1 that cannot, the first in simple_0"
        " (its replies count as texts without a call; check that the arguments are JSON)"
    )


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        (([], None), "all its replies are empty: 2"),
        ((FAILED, FAILED), f"it has only errors in place of answers: 2, the first error: {FAILED}"),
        (([], FAILED), f"its replies are empty or errors: 2, the first error: {FAILED}"),
        (([1], []), "it answers in prose: no reply contains a call that can be read"),
    ],
)
def test_skipped_models_are_named_with_what_they_reply(
    source: Source, results: tuple[Any, ...], reason: str
) -> None:
    """No warning says how their answers count, because none of them does."""
    source.add("relevance", PLAY, None)
    question = {"id": "simple_0", "question": "Area?", "function": AREA}
    source.lines("questions/simple.json", question, {**question, "id": "simple_1"})
    truth = {"ground_truth": {"shape.area": {"sides": [[1.0]], "unit": ["", "m"]}}}
    source.lines("answers/simple.json", *({"id": f"simple_{i}", **truth} for i in range(2)))
    call = [{"shape.area": '{"sides": [1.0]}'}]
    source.reply("model-FC", call, call)
    source.reply("model-FC", [], category="relevance")
    source.reply("empty-FC", *results)
    report = source.load()
    assert (f"skipped empty-FC: {reason}",) == report.notes
    assert () == report.warnings
    assert not (source.board / "submissions/empty-fc").exists()


def test_a_model_with_other_results_only_is_named_and_skipped(source: Source) -> None:
    """The warning about the files that are not read explains it."""
    source.reply("other-FC", [], category="java")
    report = source.load()
    assert ("skipped other-FC: no result answers a case of these questions",) == report.notes
    (warning,) = report.warnings
    assert "contains results for categories that are not imported: java" in str(warning)


def test_calls_written_as_text_are_read(source: Source) -> None:
    """A model that only writes text is read as Python. One that makes calls is not."""
    text = "[shape.area(sides=[1.0])]"
    source.reply("writer", text)
    source.reply("caller-FC", text)
    report = source.load()
    assert source.records("writer") == [
        {
            "id": "simple_0",
            "model_function_call": [{"name": "shape.area", "arguments": {"sides": [1.0]}}],
            "model_text": text,
        }
    ]
    assert report.notes == (
        "skipped caller-FC: it answers in prose: no reply contains a call that can be read",
    )


def test_a_model_is_read_in_the_form_of_most_of_its_replies(source: Source) -> None:
    """Calls in JSON are calls for a model that writes JSON, and none for one that writes code."""
    source.add("relevance", PLAY, None)
    source.add("multiple_function", [PLAY, AREA], {"play": {"song": ["a"]}})
    in_json, code = '[{"name": "play", "arguments": {"song": "a"}}]', "play(song='a')"
    categories = ("simple", "multiple_function", "relevance")
    for model, replies in (("json", (in_json, in_json, code)), ("code", (code, code, in_json))):
        for category, reply in zip(categories, replies, strict=True):
            source.reply(model, reply, category=category)
    source.load()
    called = [{"name": "play", "arguments": {"song": "a"}}]
    for model in ("json", "code"):
        found = [row["model_function_call"] for row in source.records(model)]
        assert found == [called, called, None]


def test_underscored_names_show_in_the_calls(source: Source) -> None:
    """A model that always writes shape_area for shape.area was shown that name.

    The import says so. If the option names other models, it is a warning.
    """
    source.reply("model-FC", [{"shape_area": "{}"}])
    source.reply("other-FC", [{"shape.area": "{}"}])
    (warning,) = source.load("other-*").warnings
    assert warning.severity == "warning"
    assert "add --underscored 'model-FC'" in str(warning)
    assert "tool_names" not in source.card()["settings"]
    report = source.load()
    assert report.notes == ("model-FC: was shown tool names with '_' for '.' (calls: 1)",)
    assert (report.warnings, source.card()["settings"]["tool_names"]) == ((), "underscored")


def test_the_report_as_text(source: Source) -> None:
    """One line for the suite and for each model, then the warnings."""
    source.reply("talker", "words")
    source.reply("other-FC", [{"shape_area": "{}"}])
    source.load()
    source.reply("model-FC", [{"shape.area": "{}"}])
    assert str(source.load()).splitlines() == [
        "datasets/bfcl/: unchanged (categories: 1, cases: 1)",
        "submissions/model-fc/: written (answers: 1)",
        "submissions/other-fc/: unchanged (answers: 1)",
        "skipped talker: it answers in prose: no reply contains a call that can be read",
        "other-FC: was shown tool names with '_' for '.' (calls: 1)",
    ]


@pytest.mark.parametrize("date", ["", "11.08.2024", "2024-02-30", "20240811", "2024-08-11T00:00"])
def test_a_wrong_date_is_refused(source: Source, date: str) -> None:
    """The date of a card is an existing day, written in full."""
    assert source.problems(date=date) == [
        f"--date: {date!r} is not a date (a day as YYYY-MM-DD, for example 2026-01-31)"
    ]


@pytest.mark.parametrize(
    ("model", "expected"),
    [("Meta-Llama 3_70B (FC)", "meta-llama-3_70b-fc"), ("+", "model"), ("x" * 65, "x" * 64)],
)
def test_ids_of_submissions(model: str, expected: str) -> None:
    """Every folder's name makes a valid id."""
    assert submission_id(model) == expected


def test_all_problems_come_together(source: Source) -> None:
    """Problems of questions, answers and results are reported at once, with file and line."""
    question = {"id": "simple_0", "question": "Area?", "function": AREA}
    source.lines(
        "questions/simple.json",
        question,
        "{oops",
        question,
        {"id": "simple_1", "question": "?", "function": {}},
    )
    source.lines("answers/simple.json", {"id": "simple_9", "ground_truth": {}}, [1])
    source.reply("model-FC", [], [], latency=-1)
    said = source.problems()
    assert [problem.split(": ")[0] for problem in said] == [
        "questions/simple.json:2",
        "questions/simple.json:3 $.id",
        "answers/simple.json:2",
        "questions/simple.json:1",
        "questions/simple.json:4",
        "answers/simple.json:1",
        "questions/simple.json:4",
        f"result/model-FC/{PREFIX}simple_result.json:1 $.id",
        f"result/model-FC/{PREFIX}simple_result.json:2 $.id",
    ]
    assert "repeats the id 'simple_0' of line 1" in said[1]
    assert "simple_0, which has no possible answer" in said[3]
    assert "simple_1 has a function doc without a name" in said[6]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("questions/simple.json", "", "questions/simple.json: is empty"),
        (
            "questions/simple.json",
            "[]\n",
            "questions/simple.json:1: is not a JSON object with an id",
        ),
        (
            "questions/simple.json",
            '{"id": 1}\n',
            "questions/simple.json:1: is not a JSON object with an id",
        ),
        (
            "questions/simple.json",
            '{"id": "simple_0"}\n',
            "questions/simple.json:1: simple_0 has no question text",
        ),
        (
            "answers/simple.json",
            '{"id": "simple_0"}\n',
            "answers/simple.json:1 $.ground_truth: simple_0 has a ground truth",
        ),
        (
            "answers/simple.json",
            '{"id": "simple_0", "ground_truth": {"shape.area": {"sides": 1}}}',
            "answers/simple.json:1 $.ground_truth: simple_0 has a ground truth",
        ),
        (
            "answers/simple.json",
            '{"id": "simple_0", "ground_truth": {"a": {}, "b": {}}}',
            "answers/simple.json:1 $.ground_truth: simple_0 must expect exactly one call, got 2",
        ),
        ("RESULT", '{"id": "simple_0"}\n', "RESULT:1: simple_0 has no result"),
        (
            "RESULT",
            '{"id": "simple_7", "result": []}\n',
            "RESULT:1 $.id: answers simple_7, which is not a case of simple",
        ),
        (
            "RESULT",
            '{"id": "simple_0", "result": [], "latency": "1"}',
            "RESULT:1 $.latency: has latency '1'",
        ),
        (
            "RESULT",
            '{"id": "simple_0", "result": [], "latency": true}',
            "RESULT:1 $.latency: has latency True",
        ),
        (
            "RESULT",
            '{"id": "simple_0", "result": [], "input_token_count": 1.5}',
            "RESULT:1 $.input_token_count: has input_token_count 1.5",
        ),
        ("RESULT", '\n{"id": "simple_0", "result": [NaN]}\n', "RESULT:2: holds NaN"),
    ],
)
def test_one_bad_file(source: Source, name: str, content: str, problem: str) -> None:
    """Each kind of bad line is reported with its place, and nothing is written."""
    real = f"result/model-FC/{PREFIX}simple_result.json"
    (source.root / name.replace("RESULT", real)).write_text(content)
    said = source.problems()
    assert any(found.startswith(problem.replace("RESULT", real)) for found in said), said


@pytest.mark.parametrize(
    ("gone", "problem"),
    [
        ("questions", "questions: contains no questions"),
        ("answers", "answers: contains no possible answers for simple"),
        ("result", "result: is not a folder"),
        ("result/model-FC", "result: contains no model's results"),
    ],
)
def test_missing_folders_are_named(source: Source, gone: str, problem: str) -> None:
    """A missing or empty folder is reported, with what it should contain."""
    (source.root / gone).rename(source.root / "elsewhere")
    assert any(found.startswith(problem) for found in source.problems())


def test_a_pattern_or_price_for_no_model_is_an_error(source: Source) -> None:
    """A pattern that matches no model is a mistake, and so is a price for no model."""
    assert source.problems("modle-*", prices={"gone": Price(1, 1)}) == [
        (
            "result: contains no model that matches --underscored modle-* (correct the pattern,"
            " or leave it out)"
        ),
        (
            "result: contains no model gone, for which a price is given (correct the name, or"
            " leave it out)"
        ),
    ]


def test_names_that_make_the_same_id_are_errors(source: Source) -> None:
    """Two folders must not become one submission."""
    source.reply("MODEL-fc", [{"play": "{}"}])
    assert [problem.split(" (")[0] for problem in source.problems()] == [
        "result/model-FC: gets the same submission id as MODEL-fc: model-fc",
    ]


def test_a_folder_of_several_models_is_refused(source: Source) -> None:
    """Its name, such as a day, would be the model. BFCL's own folders below a model are no models.

    A model may also be alone in the folder of its organization.
    """
    name = f"{PREFIX}simple_result.json"
    row = {"id": "simple_0", "result": [{"shape.area": '{"sides": [1.0]}'}]}
    source.lines(f"result/day/2024-08-01/one/non_live/{name}", row)
    two = source.lines("result/day/2024-08-01/two/live/live_simple_result.json", row)
    source.lines(f"result/2024-09-01/result/one/{name}", row)
    assert source.problems() == [
        (
            "result/2024-09-01: is the folder of a day, and not of a model (name"
            " result/2024-09-01/result as the folder of the results, if its folders are models)"
        ),
        (
            "result/day: contains results in several folders, as if of several models:"
            " 2024-08-01/one, 2024-08-01/two (name result/day/2024-08-01 as the folder of the"
            " results, if its folders are models; or put the files of one model directly into its"
            " folder)"
        ),
    ]
    shutil.rmtree(source.root / "result/2024-09-01")
    two.unlink()
    source.lines("result/org/model/live/live_simple_result.json", row)
    source.lines(f"result/org/model/agentic/memory/kv/{name}", row)
    names = [name for name, *_ in source.load().submissions]
    assert names == ["day", "model-fc", "org"]


def test_a_broken_card_stops_the_import(source: Source) -> None:
    """An existing card that cannot be read is reported before anything is written."""
    path = source.board / "submissions/model-fc/submission.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    with pytest.raises(FilesError, match=r"^submissions/model-fc/submission.json:1: "):
        source.load()
    assert not (source.board / "datasets").exists()


PUBLISHED_CASES = {
    "simple": 400,
    "multiple_function": 200,
    "parallel_function": 200,
    "parallel_multiple_function": 200,
    "relevance": 240,
}


@pytest.fixture(scope="session")
def real_board(
    real_files: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, ImportReport]:
    """The real files, imported once."""
    files = real_files("bfcl")
    board = tmp_path_factory.mktemp("bfcl")
    report = import_bfcl(
        board, files / "result", files / "questions", files / "possible_answer", ["*"], kinds=KINDS
    )
    return board, report


@pytest.mark.large
def test_the_real_files_import_whole(real_board: tuple[Path, ImportReport]) -> None:
    """Four models and 1,240 cases are imported without a warning."""
    _, report = real_board
    assert dict(report.cases) == PUBLISHED_CASES
    assert (len(report.submissions), report.notes, report.warnings) == (4, (), ())


@pytest.mark.large
def test_the_real_files_score_as_published(
    real_board: tuple[Path, ImportReport], real_files: Callable[[str], Path]
) -> None:
    """The rule gives every published verdict of every model."""
    board, _ = real_board
    suite = load_suite(Workspace(board), "bfcl", KINDS)
    for model, published in json.loads((real_files("bfcl") / "expected.json").read_text()).items():
        failing = {
            case for category in published["categories"].values() for case in category["failing"]
        }
        assert failures(board, suite, submission_id(model)) == failing


def failures(board: Path, suite: Suite, name: str) -> set[str]:
    workspace = Workspace(board)
    submission = load_submission(workspace, name, ["bfcl"])
    records, _, problems = load_records(workspace, submission, suite, Interner())
    # Calls that models wrote into their texts count as no calls, here and at BFCL.
    in_texts = {"gpt-4o-2024-05-13-fc": 1, "mistral-large-2407-fc-auto": 12}
    assert [problem.what for problem in problems] == [
        "looks like a tool call, but is scored as a text"
    ] * in_texts.get(name, 0)
    by_case = {record.response.case_id: record.response for record in records}
    return {
        case.id
        for case in suite.cases
        if decide(suite, case, by_case[case.id])[0].outcome != "pass"
    }


@pytest.mark.large
def test_the_oracle_meets_the_real_ground_truth(real_board: tuple[Path, ImportReport]) -> None:
    """The ground truth passes every real case but one, whose expected tool is not offered."""
    board, _ = real_board
    suite = load_suite(Workspace(board), "bfcl", KINDS)
    given = map(read_message, answers(BASELINES["oracle"], suite))
    failed = [
        case.id
        for case, response in zip(suite.cases, given, strict=True)
        if decide(suite, case, response)[0].outcome != "pass"
    ]
    assert failed == ["parallel_multiple_function_179"]


# ---------------------------------------------------------------- the current form

CHECKED = Path(__file__).with_name("checked")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Own questions in the current form, of every category that there is."""
    root = tmp_path_factory.mktemp("checked")
    import_bfcl(root, None, CHECKED / "questions", CHECKED / "possible_answers", kinds=KINDS)
    return load_suite(Workspace(root), "bfcl_v4", KINDS)


@pytest.mark.large
def test_verdicts_are_those_of_the_checker_of_the_package(checked: Suite) -> None:
    """400 answers whose verdicts BFCL's own checker gave: benchmarks/bfcl.py recorded them.

    The one difference is a Java map in a call written as text: the checker drops its entries.
    """
    differ = []
    rows = json.loads((CHECKED / "verdicts.json").read_text(encoding="utf-8"))
    for row in rows:
        case = checked.by_id[row["case"]]
        replies = Replies(parameter_types(case.record["tools"]), as_text=row["form"] == "text")
        language = next((a.language for c in case.ground_truth.calls for a in c.arguments), None)
        calls, text = replies.read(row["result"], language)
        record = {"id": case.id, "model_function_call": calls, "model_text": text}
        response = read_message(record, underscored=row["form"] == "fc")
        (decision,) = decide(checked, case, response)
        if (decision.outcome == "pass") is not row["valid"]:
            differ.append((row["case"], row["form"], decision.outcome))
    assert len(rows) == 400
    assert differ == [("simple_java_3", "text", "pass")]


def test_the_oracle_passes_every_case_of_the_current_form(checked: Suite) -> None:
    """Java and JavaScript included: it writes the values as source."""
    for record in answers(BASELINES["oracle"], checked):
        case = checked.by_id[record["id"]]
        (decision,) = decide(checked, case, read_message(record))
        assert decision.outcome == "pass", (case.id, decision.detail)


def test_current_results_lie_in_folders_and_other_versions_stay_out(tmp_path: Path) -> None:
    """Files are found below a model's folder. Results of another version give a warning.

    The date of the cards is that of the folder around the results.
    """
    results = tmp_path / "2026-03-23" / "result"
    line = {"id": "multiple_0", "result": [{"pump_level": '{"level": 3}'}], "latency": 0.5}
    for name in ("m-FC/non_live/BFCL_v4_multiple_result.json", "m-FC/BFCL_v3_multiple_result.json"):
        (results / name).parent.mkdir(parents=True, exist_ok=True)
        (results / name).write_text(json.dumps(line) + "\n")
    root = tmp_path / "board"
    report = import_bfcl(
        root, results, CHECKED / "questions", CHECKED / "possible_answers", kinds=KINDS
    )
    assert report.suite_id == "bfcl_v4"
    assert report.submissions == (("m-fc", "written", 1),)
    assert "categories of another version, v3: multiple" in str(report.warnings[0])
    card = load_submission(Workspace(root), "m-fc", ("bfcl_v3", "bfcl_v4")).card
    assert (card.date, card.settings["tool_names"]) == ("2026-03-23", "underscored")
    # Another version of the questions is another suite, beside this one.
    questions = tmp_path / "questions"
    questions.mkdir()
    for folder in ("questions", "possible_answers"):
        text = (CHECKED / folder / "BFCL_v4_multiple.json").read_text()
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "BFCL_v3_multiple.json").write_text(text)
    import_bfcl(root, results, questions, tmp_path / "possible_answers", kinds=KINDS)
    assert sorted(path.name for path in (root / "datasets").iterdir()) == ["bfcl_v3", "bfcl_v4"]
    assert sorted(load_submission(Workspace(root), "m-fc", ("bfcl_v3", "bfcl_v4")).files) == [
        "bfcl_v3",
        "bfcl_v4",
    ]


def test_results_without_a_date_need_one(tmp_path: Path) -> None:
    """The current files do not say when the answers were made."""
    path = tmp_path / "result/m-FC/BFCL_v4_multiple_result.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"id": "multiple_0", "result": [{"pump_level": "{}"}]}\n')
    with pytest.raises(FilesError, match="give --date"):
        import_bfcl(
            tmp_path / "board",
            tmp_path / "result",
            CHECKED / "questions",
            CHECKED / "possible_answers",
            kinds=KINDS,
        )
    assert not (tmp_path / "board").exists()
