"""Cases from tables: column names, ids, the forms of an answer, and rows that are no cases."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.cases.table_cases import case_records
from scoring.rules import KINDS
from scoring.rules.workspace_rules import OWN
from tests.each_row import each_row


def exact(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    places = [f"row {number}" for number in range(2, len(rows) + 2)]
    return list(case_records(rows, KINDS["exact"], "cases.csv", places).records)


ROWS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"Question": " Q? ", "Answer": "Paris "}, {"ground_truth": {"texts": ["Paris"]}}),
    ({"prompt": "Q?", "answers": "a | b|a"}, {"ground_truth": {"texts": ["a", "b"]}}),
    (
        {"question": "Q?", "answer": "a", "answers": ["b"], "tolerance": ""},
        {"ground_truth": {"texts": ["a", "b"]}},
    ),
    (
        {"question": "Q?", "answer": ["Paris", "Paris, France"], "answers": "Lutetia"},
        {"ground_truth": {"texts": ["Paris", "Paris, France", "Lutetia"]}},
    ),
    ({"question": "Q?", "target": "x", "label": "x"}, {"ground_truth": {"texts": ["x"]}}),
    ({"question": "Q?", "ground_truth": "x"}, {"ground_truth": {"texts": ["x"]}}),
    ({"question": "Q?", "answer": "42"}, {"ground_truth": {"number": 42}}),
    ({"question": "Q?", "answer": 3.5}, {"ground_truth": {"number": 3.5}}),
    ({"question": "Q?", "answer": "007"}, {"ground_truth": {"texts": ["007"]}}),
    (
        {"question": "Q?", "answer": "1e3", "tolerance": "1%"},
        {"ground_truth": {"number": 1000, "tolerance": "1%"}},
    ),
    ({"question": "Q?", "pattern": "[a|b]+"}, {"ground_truth": {"pattern": "[a|b]+"}}),
    (
        {"question": "Q?", "A": "x", "C": 3, "B": "y", "answer": "b"},
        {"options": ["x", "y", "3"], "ground_truth": {"option": "b"}},
    ),
    (
        {"question": "Q?", "choices": ["x", "y"], "answer": "y"},
        {"options": ["x", "y"], "ground_truth": {"option": "y"}},
    ),
    (
        {"question": "Q?", "A": "x", "B": "y", "C": " ", "D": "", "answer": "B"},
        {"options": ["x", "y"], "ground_truth": {"option": "B"}},
    ),
    (
        {"": "7", "question": "Q?", "A": "x", "B": "y", "answer": "B"},
        {"options": ["x", "y"], "ground_truth": {"option": "B"}},
    ),
    ({"question": "Q?", "A": "", "B": None, "answer": "x"}, {"ground_truth": {"texts": ["x"]}}),
    (
        {"question": "Q?", "options": "x|y||", "answer": "B"},
        {"options": ["x", "y"], "ground_truth": {"option": "B"}},
    ),
    (
        {"question": "Q?", "options": '["x", 2]', "answer": "B"},
        {"options": ["x", "2"], "ground_truth": {"option": "B"}},
    ),
    (
        {"question": "Q?", "answers": '["Paris", "Paris, France", ""]'},
        {"ground_truth": {"texts": ["Paris", "Paris, France"]}},
    ),
    (
        {"question": "Q?", "answer": "['u', 'it\\'s']", "answers": "[3, 'w|x']"},
        {"ground_truth": {"texts": ["u", "it's", "3", "w|x"]}},
    ),
    # Texts that look like lists, and may be right answers.
    ({"question": "Q?", "answer": "[1, 2]"}, {"ground_truth": {"texts": ["[1, 2]"]}}),
    ({"question": "Q?", "answer": "[]"}, {"ground_truth": {"texts": ["[]"]}}),
    ({"question": "Q?", "answer": "[a|b]"}, {"ground_truth": {"texts": ["[a|b]"]}}),
]


@each_row(("row", "members"), ROWS)
def test_a_row_becomes_a_case(row: dict[str, Any], members: dict[str, Any]) -> None:
    """The forms in which people write questions and answers in tables."""
    assert exact(row) == [{"id": "case-001", "user_query": "Q?", **members}]


def test_other_columns_are_kept_and_named() -> None:
    """A misspelt column would otherwise be lost. A column that one row needs is not named."""
    rows: list[dict[str, Any]] = [
        {"question": "Q?", "answer": "5", "tolerence": "1%", "Topic": "sums", "number": ""},
        {"question": "Q?", "answer": "x", "n": 3, "pattern": "y", "Category": "sums", "score": 0.0},
        {"user_query": "Q?", "ground_truth": {"texts": ["x"]}, "source": "a book"},
    ]
    rows[1]["categroy"] = "sums"
    found = case_records(rows, KINDS["exact"], "cases.csv", ["row 2", "row 3", "record 3"])

    assert found.records[0] == {
        "id": "case-001",
        "user_query": "Q?",
        "tolerence": "1%",
        "Topic": "sums",
        "ground_truth": {"number": 5},
    }
    near = "tolerence (did you mean 'tolerance'?)"
    other = "categroy (did you mean 'category'?)"
    kept = f"kept with the cases, without effect: {near}, Topic, n, score, {other}"
    assert [*found.notes] == [kept]
    assert not [*case_records(rows[2:], KINDS["exact"], "cases.json", ["record 1"]).notes]


def test_columns_of_a_boards_own_kind_are_for_its_rule() -> None:
    """It gets the whole record, so they may decide. A misspelt column is still named."""
    row = {"question": "Q?", "answr": "5", "expected_tool": "search"}
    (note,) = case_records([row], OWN, "cases.csv", ["row 2"]).notes
    assert (
        note == "kept with the cases, for your rule: answr (did you mean 'answer'?), expected_tool"
    )


def test_no_rows_make_no_cases() -> None:
    """There is no column that all of them could lack."""
    assert case_records([], KINDS["exact"], "cases.json", []).records == ()


def test_ids_of_a_column_of_floats_are_integers() -> None:
    """A column of integers with an empty cell is a column of floats in Parquet files."""
    rows = [{"id": value, "question": "Q?", "answer": "x"} for value in (1.0, float("nan"), 2.5)]
    assert [case["id"] for case in exact(*rows)] == ["1", "case-002", "2.5"]


def test_a_case_in_its_own_form_is_kept() -> None:
    """JSON files may hold cases as suites do, with further members."""
    record = {"user_query": "Q?", "ground_truth": {"texts": ["x"]}, "source": "a book"}

    assert exact(record) == [{"id": "case-001", **record}]


def test_all_problems_are_found_and_counted_by_row() -> None:
    """Each bad row has a message with its number and the names of the column."""
    rows: list[dict[str, Any]] = [
        {"id": "1", "question": "Q?", "answer": "a"},
        {"id": "1", "question": "Q?", "answer": "b"},
        {"id": "2", "answer": "b"},
        {"id": "3", "question": "Q?"},
        {"id": "4", "question": "Q?", "answer": "x", "tolerance": "wide"},
        {"id": "5", "question": "Q?", "number": "nan"},
        {"id": "6", "question": "Q?", "answer": {"text": "x"}},
        {"id": "7", "question": "Q?", "answer": [["x"]]},
        {"id": "8", "question": ["Q?"], "answer": []},
        {"id": "9", "question": "Q?", "answer": "x", "label": "y"},
        {"id": "10", "question": "Q?", "answer": "x", "options": "x; y"},
        {"id": "11", "question": "Q?", "Expected": "21,5", "tolerance": "1"},
        {"id": "12", "question": "Q?", "number": "3", "tolerance": "0,5"},
        {"id": "13", "question": "Q?", "number": "1,234.5"},
    ]
    with pytest.raises(FilesError) as raised:
        exact(*rows)
    problems = [f"{problem.at} {problem.what}" for problem in raised.value.problems]

    assert problems[0] == "row 3 repeats the id '1' of row 2"
    assert problems[1].startswith("row 4 has nothing in a column named user_query or question")
    assert problems[2].startswith("row 5 has nothing in a column named answer")
    assert problems[5].endswith("some of: texts, number, tolerance, pattern, option")
    assert [*problems[3:5], *problems[6:]] == [
        "row 6 has 'x' in column 'answer', where a number is expected",
        "row 7 has 'nan' in column 'number', where a number is expected",
        (
            "row 9 has a list of answer in which one entry is a list or an object. "
            "Write every entry as a text"
        ),
        "row 10 has a list where one user_query is expected",
        (
            "row 11 has two columns for one answer with different values, 'answer' and 'label'. "
            "Rename one of them"
        ),
        "row 12 has one option. Write a list, or texts between |",
        "row 13 has '21,5' in column 'Expected', where a number is expected. Write 21.5",
        "row 14 has '0,5' in column 'tolerance', where a number is expected. Write 0.5",
        "row 15 has '1,234.5' in column 'number', where a number is expected",
    ]


@each_row(
    ("cells", "column"),
    [
        ({"Choices": {"text": ["x", "y"], "label": ["A", "B"]}, "answer": "A"}, "Choices"),
        ({"answers": {"text": ["x"], "answer_start": [5]}}, "answers"),
    ],
)
def test_an_object_is_no_list_of_texts(cells: dict[str, Any], column: str) -> None:
    """Some data sets have lists within it. Its text would be one option, or an accepted answer."""
    with pytest.raises(FilesError) as raised:
        exact({"question": "Q?", **cells})
    (problem,) = raised.value.problems

    assert problem.what == (
        f"has an object in column {column!r}, where a list is expected. "
        "Write only the list of the texts"
    )


@each_row("answer", [0, "1", 2.0, "C", "seven"])
def test_an_answer_that_names_no_option_has_its_column(answer: str | float) -> None:
    """A number may count from 0 or from 1, unless it is the text of an option."""
    rows = [{"question": "Q?", "options": ["7", "8"], "Label": one} for one in (answer, 7)]
    with pytest.raises(FilesError) as raised:
        exact(*rows)
    (problem,) = raised.value.problems

    assert (problem.at, problem.what) == (
        "row 2",
        (
            "has an answer in column 'Label' that names no single option. "
            "Write the letter or the text of the right one; a number may count from 0 or from 1"
        ),
    )


BLANK_B = (
    "row 2 has a blank option B before a filled one. "
    "Fill B, or move the later options up and correct the answer"
)


@each_row(
    ("cells", "problem"),
    [
        ({"A": "red", "B": "", "C": "blue", "D": "green"}, BLANK_B),
        ({"A": "red", "C": "blue"}, BLANK_B),
        ({"Option A": "", "Option B": "blue"}, BLANK_B.replace("B", "A")),
        ({"options": "red||blue|green"}, BLANK_B),
        ({"options": ["red", None, "blue"]}, BLANK_B),
        ({"options": '["red", "", "blue"]'}, BLANK_B),
        ({"A": "red", "B": ""}, "row 2 has one option. Write a list, or texts between |"),
        (
            {"options": "['red' 'blue']"},
            (
                "row 2 has a list without commas between its texts: ['red' 'blue']. "
                "Write it in JSON, or as texts between |"
            ),
        ),
    ],
)
def test_options_keep_their_letters(cells: dict[str, Any], problem: str) -> None:
    """A blank option before a filled one would give its letter to the next one."""
    with pytest.raises(FilesError) as raised:
        exact({"question": "Q?", **cells, "answer": "C"})
    assert [f"{found.at} {found.what}" for found in raised.value.problems] == [problem]


def test_a_table_cannot_hold_calls() -> None:
    """Cases of this kind have parts, so each row needs its ground_truth."""
    with pytest.raises(FilesError, match="which cannot become cases of kind call_match"):
        case_records([{"question": "Q?", "answer": "x"}], KINDS["call_match"], "c.csv", ["row 2"])


@each_row(
    ("columns", "what", "fix"),
    [
        (
            ["id", "question", "anwser"],
            "Its columns: id, question, anwser",
            "'anwser': did you mean 'answer'?",
        ),
        (
            ["id", "frage", "answer"],
            "has no column named user_query or question or query",
            "lb docs kinds lists the columns of a table of cases",
        ),
    ],
)
def test_a_missing_column_is_a_problem_of_the_table(
    columns: list[str], what: str, fix: str
) -> None:
    """The header lacks it, and not each row."""
    with pytest.raises(FilesError) as raised:
        exact(*[dict.fromkeys(columns, value) for value in "ab"])
    (problem,) = raised.value.problems

    assert (problem.at, what in problem.what, problem.fix) == ("", True, fix), problem


def test_a_cell_is_missing_where_the_table_has_its_column() -> None:
    """Also if all rows have nothing in it."""
    with pytest.raises(FilesError, match="row 2: has nothing in a column named answer"):
        exact({"question": "Q?", "answer": ""})


def test_texts_that_look_like_numbers_are_named_once() -> None:
    """The answer 1234 would fail such a case. A text in a list, or beside a number, is meant."""
    written = ["1,234", "1e3", "12%", "21,5", "1.234,56"]
    rows: list[dict[str, Any]] = [{"question": "Q?", "answer": answer} for answer in written]
    rows += [
        {"question": "Q?", "answer": "1,234", "number": "1234"},
        {"question": "Q?", "answers": "1,234"},
        {"question": "Q?", "answer": ["1,234"]},
        {"question": "Q?", "A": "1,234", "B": "2", "answer": "1,234"},
    ]
    places = [f"row {number}" for number in range(2, len(rows) + 2)]
    found = case_records(rows, KINDS["exact"], "cases.csv", places)
    (note,) = found.notes

    assert note == (
        "taken as a text, though it looks like a number: '1,234' in row 2, '1e3' in row 3, "
        "'12%' in row 4, and 2 more. For a number, write plain digits such as 1234.5, or use the "
        "column 'number'"
    )
    assert found.records[0]["ground_truth"] == {"texts": ["1,234"]}


def test_dates_versions_and_codes_do_not_look_like_numbers() -> None:
    """Numbers have many forms."""
    numbers = [
        "1,234",
        "1 234.5",
        "1'000",
        "21,5",
        "12 %",
        "+5",
        "\u22125",
        ".5",
        "5.",
        "1\u202f000",
    ]
    others = ["007", "05.06.2026", "1.2.3", "12:30", "1, 2", "3/4", "%", "e3", "12 km", "A1"]
    rows = [{"question": "Q?", "answer": answer} for answer in numbers + others]
    found = case_records(rows, KINDS["exact"], "cases.csv", [""] * len(rows))

    assert [text.removesuffix(" in ") for text in found.number_texts] == [*map(repr, numbers)]
