"""Importing BFCL's own files: every rule of the import on small files, and the real ones against the published verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.errors import FilesError
from leaderboard.files.submission_files import load_records, load_submission
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.response_files import Interner
from leaderboard.types import Price, Suite
from leaderboard.workspace import Workspace
from runners.baselines.baseline_run import answers
from runners.baselines.baselines import BASELINES
from runners.imports.bfcl.bfcl_import import ImportReport, import_bfcl, submission_id
from runners.imports.bfcl.bfcl_results import read_reply
from scoring.rules import KINDS
from scoring.rules.call_match import decide

PREFIX = "gorilla_openfunctions_v1_test_"
AREA = {
    "name": "shape.area",
    "description": "The area.",
    "parameters": {
        "type": "dict",
        "properties": {
            "sides": {"type": "array", "items": {"type": "float"}, "description": "The sides."},
            "unit": {"type": "string", "description": "The unit."},
        },
        "required": ["sides"],
    },
}
PLAY = {
    "name": "play",
    "description": "Plays.",
    "parameters": {
        "type": "dict",
        "properties": {"song": {"type": "string"}},
        "required": ["song"],
    },
}


class Source:
    """BFCL's three folders on disk, and the import of them into a board beside them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.board = root / "board"
        self.lines(
            "questions/simple.json", {"id": "simple_0", "question": "Area?", "function": AREA}
        )
        self.lines(
            "answers/simple.json",
            {
                "id": "simple_0",
                "ground_truth": {"shape.area": {"sides": [[1.0]], "unit": ["", "m"]}},
            },
        )
        self.reply("model-FC", [{"shape.area": '{"sides": [1.0]}'}])

    def lines(self, name: str, *objects: Any) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{o if isinstance(o, str) else json.dumps(o)}\n" for o in objects))
        return path

    def reply(self, model: str, *results: Any, category: str = "simple", **more: Any) -> Path:
        rows = [
            {"id": f"{category}_{i}", "result": result, **more} for i, result in enumerate(results)
        ]
        return self.lines(f"result/{model}/{PREFIX}{category}_result.json", *rows)

    def add(self, category: str, function: Any, truth: Any) -> None:
        """A category of one case."""
        self.lines(
            f"questions/{category}.json",
            {"id": f"{category}_0", "question": "Q?", "function": function},
        )
        if truth is not None:
            self.lines(f"answers/{category}.json", {"id": f"{category}_0", "ground_truth": truth})

    def load(self, *underscored: str, **options: Any) -> ImportReport:
        return import_bfcl(
            self.board,
            self.root / "result",
            self.root / "questions",
            self.root / "answers",
            underscored,
            **options,
        )

    def problems(self, *underscored: str, **options: Any) -> list[str]:
        """The problems the import reports, which must leave nothing written."""
        with pytest.raises(FilesError) as caught:
            self.load(*underscored, **options)
        assert not self.board.exists()
        return [str(problem).replace(f"{self.root}/", "") for problem in caught.value.problems]

    def cases(self, category: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(
            (self.board / f"datasets/bfcl/{category}.json").read_text()
        )
        return found

    def records(self, name: str = "model-fc") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(
            (self.board / f"submissions/{name}/bfcl.json").read_text()
        )["test_results"]
        return found

    def card(self, name: str = "model-fc") -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            (self.board / f"submissions/{name}/submission.json").read_text()
        )
        return found


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """One simple case and one model that answers it."""
    return Source(tmp_path)


def tree(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(p.relative_to(root)): (p.read_bytes(), p.stat().st_mtime_ns)
        for p in sorted(root.rglob("*"))
        if p.is_file()
    }


# ---------------------------------------------------------------- the suite


def test_a_case_holds_tools_and_accepted_values(source: Source) -> None:
    """A case has the tool as given and, for each expected argument, its type, items, whether required, and what is allowed."""
    source.load()
    assert source.cases("simple") == [
        {
            "id": "simple_0",
            "type": "simple",
            "user_query": "Area?",
            "tools": [AREA],
            "ground_truth": {
                "no_call": False,
                "calls": [
                    {
                        "name": "shape.area",
                        "parameters": {
                            "sides": {
                                "type": "array",
                                "items": "float",
                                "required": True,
                                "allowed": [[1.0]],
                            },
                            "unit": {"type": "string", "required": False, "allowed": ["", "m"]},
                        },
                    }
                ],
            },
        }
    ]


def test_the_suite_loads_with_its_categories_in_order(source: Source) -> None:
    """Only the categories found are there, in the board's order, each weighing as many cases as it has."""
    source.add("relevance", PLAY, None)
    source.add("parallel_function", PLAY, [{"play": {"song": ["a"]}}, {"play": {"song": ["b"]}}])
    report = source.load()
    assert dict(report.categories) == {"simple": 1, "parallel_function": 1, "relevance": 1}
    suite = load_suite(Workspace(source.board), "bfcl", KINDS)
    assert [(c.id, c.weight, c.prompt) for c in suite.categories] == [
        ("simple", 1, None),
        ("parallel_function", 1, None),
        ("relevance", 1, None),
    ]
    assert suite.kind.name == "call_match"
    assert "Apache License 2.0" in suite.description


def test_relevance_expects_no_call_and_needs_no_answers(source: Source) -> None:
    """A relevance case has no possible answers: no call is right."""
    source.add("relevance", PLAY, None)
    source.load()
    assert source.cases("relevance")[0]["ground_truth"] == {"no_call": True, "calls": []}


@pytest.mark.parametrize(
    ("truth", "names"),
    [
        ({"play_1": {"song": ["a"]}, "play_2": {"song": ["b"]}}, ["play", "play"]),
        ({"play 1": {"song": ["a"]}, "play 12": {"song": ["b"]}}, ["play", "play"]),
        ([{"play": {"song": ["a"]}}, {"play": {"song": ["b"]}}], ["play", "play"]),
        ({"play_2x": {"song": ["a"]}, "Play": {"song": ["b"]}, "stop_1": {}}, [None, None, None]),
        ({"play": {"song": ["a"]}, "deck": [[], ""]}, ["play", None]),
    ],
)
def test_keys_of_parallel_calls_name_an_offered_tool(
    source: Source, truth: Any, names: list[str | None]
) -> None:
    """A number at the end of a key goes when the rest is an offered tool; a key of no offered tool has a null name."""
    source.add("parallel_multiple_function", [AREA, PLAY], truth)
    source.load()
    calls = source.cases("parallel_multiple_function")[0]["ground_truth"]["calls"]
    assert [call["name"] for call in calls] == names


def test_a_tool_whose_own_name_ends_in_a_number_keeps_it(source: Source) -> None:
    """An offered name wins over the same name without its number."""
    numbered = {**PLAY, "name": "play_2"}
    source.add("parallel_function", [PLAY, numbered], {"play_2": {"song": ["a"]}})
    source.load()
    assert source.cases("parallel_function")[0]["ground_truth"]["calls"][0]["name"] == "play_2"


def test_in_simple_the_name_of_the_doc_counts(source: Source) -> None:
    """The key of a simple case's answer may be spelled otherwise; the tool that is offered is the one expected."""
    source.add("simple", PLAY, {"music.play": {"song": ["a"]}})
    source.load()
    assert source.cases("simple")[0]["ground_truth"]["calls"][0]["name"] == "play"


def test_parameters_on_one_side_only(source: Source) -> None:
    """A parameter the tool does not have has a null type; a required one without an answer has no allowed value."""
    source.add("multiple_function", [PLAY, AREA], {"play": {"speed": [2, ""]}})
    source.load()
    assert source.cases("multiple_function")[0]["ground_truth"]["calls"][0]["parameters"] == {
        "speed": {"type": None, "required": False, "allowed": [2, ""]},
        "song": {"type": "string", "required": True, "allowed": []},
    }


def test_upstream_file_names_are_known(source: Source) -> None:
    """Questions and possible answers are found under the long names in which they were published, too."""
    for name in ("questions", "answers"):
        (source.root / name / "simple.json").rename(source.root / name / f"{PREFIX}simple.json")
    assert dict(source.load().categories) == {"simple": 1}


# ---------------------------------------------------------------- the replies


@pytest.mark.parametrize(
    ("result", "calls", "text"),
    [
        ([{"f": '{"a": 1}'}], [{"name": "f", "arguments": {"a": 1}}], None),
        (
            [{"f": {"a": 1}}, {"g": "{}"}],
            [{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}],
            None,
        ),
        ("I cannot.", None, "I cannot."),
        ("", None, ""),
        ([], None, None),
        (None, None, None),
        (["f(a=1)"], None, '["f(a=1)"]'),
        ([{"f": '{"a": 1}'}, "and more"], None, '[{"f": "{\\"a\\": 1}"}, "and more"]'),
        ([{"f": '{"a": 1}'}, {"g": "{a: 1}"}], None, '[{"f": "{\\"a\\": 1}"}, {"g": "{a: 1}"}]'),
        ([{}], None, "[{}]"),
        ([{"f": 7}], None, '[{"f": 7}]'),
        ({"f": '{"a": 1}'}, None, '{"f": "{\\"a\\": 1}"}'),
        (7, None, "7"),
        ([{"f": '{"a": 1}', "g": "{}"}], [{"name": "f", "arguments": {"a": 1}}], None),
        ([{"f": "[1]"}], [{"name": "f", "arguments": "[1]"}], None),
        ([{"f": '{"a": NaN}'}], [{"name": "f", "arguments": '{"a": NaN}'}], None),
        (
            [{"f": '{"a": 123456789012345678901}'}],
            [{"name": "f", "arguments": {"a": 123456789012345678901}}],
            None,
        ),
        ([{"f": "[" * 100_000}], None, json.dumps([{"f": "[" * 100_000}])),
    ],
)
def test_one_reply(result: Any, calls: Any, text: str | None) -> None:
    """Calls come as a list; a reply of which any part is no call is no call at all, and its text is kept."""
    assert read_reply(result) == (calls, text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    JSON
    | st.lists(
        st.dictionaries(st.text(max_size=4), st.text(max_size=8) | JSON, max_size=2), max_size=3
    )
)
def test_no_reply_breaks_the_reading(result: Any) -> None:
    """Any JSON value is read as calls or as text or as neither, never as both."""
    calls, text = read_reply(result)
    assert calls is None or text is None
    assert calls is None or all(set(call) == {"name", "arguments"} for call in calls)


def test_usage_and_latency_are_kept(source: Source) -> None:
    """Tokens and seconds go into the record; what is null, missing or zero tokens is left out."""
    full: dict[str, Any] = {"input_token_count": 12, "output_token_count": 3.0, "latency": 0.25}
    source.reply("model-FC", [{"play": "{}"}], **full)
    source.reply("bare-FC", [{"play": "{}"}], input_token_count=0, output_token_count=None)
    source.load()
    record = source.records()[0]
    assert (record["usage"], record["latency_s"]) == (
        {"input_tokens": 12, "output_tokens": 3},
        0.25,
    )
    assert source.records("bare-fc") == [
        {
            "id": "simple_0",
            "model_function_call": [{"name": "play", "arguments": {}}],
            "model_text": None,
        }
    ]


# ---------------------------------------------------------------- the submissions


def test_the_card_of_a_model(source: Source) -> None:
    """The card has the folder's name, no invented organisation, the published date, and where it comes from."""
    report = source.load()
    assert (report.suite, report.written, report.unchanged) == ("written", ("model-fc",), ())
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
    """What the import is told stands on the cards it is told about."""
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
    """The same files a second time: no byte and no time of change differs, and nothing remains beside them."""
    source.add("relevance", PLAY, None)
    source.reply("model-FC", "No.", category="relevance")
    source.load("*")
    before = tree(source.board)
    report = source.load("*")
    assert (report.suite, report.written, report.unchanged) == ("unchanged", (), ("model-fc",))
    assert tree(source.board) == before


def test_a_card_mended_by_hand_stays_mended(source: Source) -> None:
    """What someone wrote into an imported card or README stays when the files are imported again."""
    source.load("*")
    path = source.board / "submissions/model-fc/submission.json"
    mended = {**source.card(), "organization": "Org", "license": "none", "date": "2024-05-06"}
    path.write_text(json.dumps(mended))
    (path.parent / "README.md").write_text("Mine.")
    before = tree(source.board)
    assert source.load().unchanged == ("model-fc",)
    assert tree(source.board) == before
    source.load(date="2031-01-02")
    assert source.card() == {**mended, "date": "2031-01-02"}


def test_new_answers_replace_those_of_an_earlier_import(source: Source) -> None:
    """A submission of an earlier import is written again when the results changed."""
    source.load()
    source.reply("model-FC", [{"shape.area": '{"sides": [2.0]}'}])
    assert source.load().written == ("model-fc",)
    assert source.records()[0]["model_function_call"][0]["arguments"] == {"sides": [2.0]}


def test_a_category_that_is_gone_leaves_no_file(source: Source) -> None:
    """A suite imported again with fewer categories holds no file of the others."""
    source.add("relevance", PLAY, None)
    source.load()
    (source.root / "questions/relevance.json").unlink()
    assert source.load().suite == "written"
    assert sorted(p.name for p in (source.board / "datasets/bfcl").iterdir()) == [
        "simple.json",
        "suite.toml",
    ]


def test_a_submission_of_another_origin_is_skipped(source: Source) -> None:
    """A folder of that id that no import made stays as it is, and the report says so; the others are written."""
    source.reply("other-FC", [{"shape.area": "{}"}])
    foreign = source.board / "submissions/model-fc/submission.json"
    foreign.parent.mkdir(parents=True)
    foreign.write_text('{"schema": 1}')
    report = source.load()
    assert report.skipped == (
        ("model-FC", "submissions/model-fc is there already and was not made by this import"),
    )
    assert report.written == ("other-fc",)
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


def test_models_that_answer_in_prose_are_named_and_skipped(source: Source) -> None:
    """A model without one structured call is no function-calling model: it is left out, by name."""
    source.reply("talker", "shape.area(sides=[1])")
    report = source.load()
    assert report.skipped == (("talker", "it answers in prose: no result holds a structured call"),)
    assert not (source.board / "submissions/talker").exists()


def test_unfinished_results_are_warned_about(source: Source) -> None:
    """Missing answers and results of other categories are said, and do not stop the import."""
    source.add("relevance", PLAY, None)
    source.reply("model-FC", [], category="java")
    warnings = [str(warning).replace(f"{source.root}/", "") for warning in source.load().warnings]
    assert warnings == [
        (
            "result/model-FC: holds results for categories that are not imported: java (categories of this kind: simple, "
            "multiple_function, parallel_function, parallel_multiple_function, relevance; each needs a questions file)"
        ),
        "result/model-FC: answers 0 of 1 cases of relevance; the others will count as failed",
    ]


def test_a_forgotten_underscored_is_noticed(source: Source) -> None:
    """A model that only ever says shape_area for shape.area was probably shown that name: a warning, unless it was told."""
    source.reply("model-FC", [{"shape_area": "{}"}])
    warning = source.load().warnings[0]
    assert warning.severity == "warning"
    assert "add --underscored 'model-FC'" in str(warning)
    assert source.load("model-FC").warnings == ()


def test_the_report_in_words(source: Source) -> None:
    """The report says in one line each what became of the suite and of every model, and what to look at."""
    source.reply("talker", "words")
    source.reply("other-FC", [{"shape_area": "{}"}])
    source.load()
    source.reply("model-FC", [{"shape.area": "{}"}])
    assert str(source.load()).splitlines() == [
        "datasets/bfcl/: unchanged (categories: 1, cases: 1)",
        "submissions/model-fc/: written",
        "submissions/other-fc/: unchanged",
        "skipped talker: it answers in prose: no result holds a structured call",
        (
            "warning: submissions/other-fc: names tools with '_' where their own names have '.', and never with '.' "
            "(calls: 1) (if it was shown such names, add --underscored 'other-FC')"
        ),
    ]


@pytest.mark.parametrize("date", ["", "11.08.2024", "2024-02-30", "20240811", "2024-08-11T00:00"])
def test_a_date_that_is_none_is_refused(source: Source, date: str) -> None:
    """The cards' date is a day that exists, written in full."""
    assert source.problems(date=date) == [
        f"--date: {date!r} is not a date (a day as YYYY-MM-DD, for example 2026-01-31)"
    ]


def test_ids_of_submissions() -> None:
    """An id is the folder's name in small letters, with a dash for what an id cannot hold."""
    assert submission_id("Meta-Llama 3_70B (FC)") == "meta-llama-3_70b--fc-"


# ---------------------------------------------------------------- what can be wrong


def test_all_problems_come_together(source: Source) -> None:
    """Problems of questions, answers and results are reported at once, each with its file and line."""
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
            "answers/simple.json:1 $.ground_truth: simple_0 expects 2 calls",
        ),
        ("RESULT", '{"id": "simple_0"}\n', "RESULT:1: simple_0 has no result"),
        (
            "RESULT",
            '{"id": "simple_7", "result": []}\n',
            "RESULT:1 $.id: answers simple_7, which is no case of simple",
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


def test_two_functions_of_one_name_are_refused(source: Source) -> None:
    """A question whose tools cannot be told apart is reported."""
    source.add("multiple_function", [PLAY, PLAY], {"play": {"song": ["a"]}})
    assert source.problems() == [
        (
            "questions/multiple_function.json:1: multiple_function_0 offers two functions of the same name "
            '(a question is {"id", "question": text, "function": doc or [docs]})'
        )
    ]


@pytest.mark.parametrize(
    ("gone", "problem"),
    [
        ("questions", "questions: holds no questions"),
        ("answers", "answers: holds no possible answers for simple"),
        ("result", "result: is not a folder"),
        ("result/model-FC", "result: holds no model's results"),
    ],
)
def test_missing_folders_are_named(source: Source, gone: str, problem: str) -> None:
    """A folder that is not there, or holds nothing of the kind, is reported with what belongs into it."""
    (source.root / gone).rename(source.root / "elsewhere")
    assert any(found.startswith(problem) for found in source.problems())


def test_a_pattern_or_price_for_no_model_is_an_error(source: Source) -> None:
    """A pattern that matches nothing is a slip of the pen, not a wish."""
    assert source.problems("modle-*", prices={"gone": Price(1, 1)}) == [
        "result: holds no model that matches --underscored modle-* (correct the pattern, or leave it out)",
        "result: holds no model gone, for which a price is given (correct the name, or leave it out)",
    ]


def test_names_that_make_no_id_or_the_same_id_are_errors(source: Source) -> None:
    """Two folders may not become one submission, and every id must be valid."""
    for model in ("MODEL-fc", "+plus", "x" * 65):
        source.reply(model, [{"play": "{}"}])
    assert [problem.split(" (")[0] for problem in source.problems()] == [
        "result/+plus: has a name that makes no submission id",
        "result/model-FC: makes the same submission id as MODEL-fc: model-fc",
        f"result/{'x' * 65}: has a name that makes no submission id",
    ]


def test_a_broken_card_stops_the_import(source: Source) -> None:
    """An existing card that cannot be read is reported before anything is written."""
    path = source.board / "submissions/model-fc/submission.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    with pytest.raises(FilesError, match=r"^submissions/model-fc/submission.json:1: "):
        source.load()
    assert not (source.board / "datasets").exists()


# ---------------------------------------------------------------- the real files

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
        board, files / "result", files / "questions", files / "possible_answer", ["*"]
    )
    return board, report


def test_the_real_files_import_whole(real_board: tuple[Path, ImportReport]) -> None:
    """Four models and 1,240 cases are imported without a warning."""
    _, report = real_board
    assert dict(report.categories) == PUBLISHED_CASES
    assert (len(report.written), report.skipped, report.warnings) == (4, (), ())


def test_the_real_files_score_as_published(
    real_board: tuple[Path, ImportReport], real_files: Callable[[str], Path]
) -> None:
    """Loaded and decided by the rule, every verdict of every model is the published one."""
    board, _ = real_board
    suite = load_suite(Workspace(board), "bfcl", KINDS)
    for model, published in json.loads((real_files("bfcl") / "expected.json").read_text()).items():
        failing = {
            case for category in published["categories"].values() for case in category["failing"]
        }
        assert failures(board, suite, submission_id(model)) == failing


def failures(board: Path, suite: Suite, name: str) -> set[str]:
    workspace = Workspace(board)
    submission, _ = load_submission(workspace, name, ["bfcl"])
    records, _, problems = load_records(workspace, submission, suite, Interner())
    assert problems == ()
    by_case = {record.response.case_id: record.response for record in records}
    return {
        case.id
        for case in suite.cases
        if decide(suite, case, by_case[case.id])[0].outcome != "pass"
    }


def test_the_oracle_meets_the_real_ground_truth(real_board: tuple[Path, ImportReport]) -> None:
    """Every real case but the one whose expected call names no offered tool is passed by its own ground truth."""
    board, _ = real_board
    suite = load_suite(Workspace(board), "bfcl", KINDS)
    given = Interner().spoken("bfcl", list(answers(BASELINES["oracle"], suite)), underscored=False)
    failed = [
        case.id
        for case, response in zip(suite.cases, given, strict=True)
        if decide(suite, case, response)[0].outcome != "pass"
    ]
    assert failed == ["parallel_multiple_function_179"]
