"""Responses files in every form the seed systems write, and what is wrong with the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from leaderboard.files.findings import Findings
from leaderboard.responses.response_records import Interner, read_records
from leaderboard.types import Call, Case, Category, GroundTruth, Record, Suite, Tool
from scoring.rules import KINDS
from tests.each_row import each_row


def case(case_id: str) -> Case:
    query = f"query of {case_id}"
    record = {"id": case_id, "user_query": query, "ground_truth": {"text": "yes"}}
    return Case(case_id, "no_tool", query, GroundTruth(text="yes"), (), record, "0")


@pytest.fixture
def suite() -> Suite:
    """A suite of two text cases."""
    cases = (case("B001"), case("B002"))
    category = Category("no_tool", "No tool", "", 1, None, cases)
    return Suite(
        "s", "S", "", KINDS["tool_selection"], (category,), {}, "0", {c.id: c for c in cases}
    )


def read(
    document: Any, suite: Suite, *, underscored: bool = False
) -> tuple[tuple[Record, ...], list[str]]:
    findings = Findings("r.json", orjson.dumps(document))
    records = read_records(document, suite, findings, Interner(), underscored=underscored)
    return tuple(records), [str(problem) for problem in findings.problems()]


def test_a_number_is_an_id(suite: Suite) -> None:
    """The queries of StableToolBench have numbers, and so have answers to them."""
    suite = replace(suite, by_id={"7": case("7"), "B001": case("B001")})
    rows = [{"id": 7, "model_text": "a"}, {"id": "B001", "model_text": "b"}, {"id": True}]
    records, problems = read(rows, suite)
    assert ["7", "B001"] == [record.response.case_id for record in records]
    assert 1 == len(problems)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda rows: rows,
        lambda rows: {"test_results": rows},
        lambda rows: {"with_tools": {"test_results": rows}},
        lambda rows: {"no_tools": {"test_results": rows}},
        lambda rows: {
            "with_tools": {"test_results": rows[:1]},
            "no_tools": {"test_results": rows[1:]},
        },
    ],
    ids=["array", "test_results", "with_tools", "no_tools", "both modes"],
)
def test_every_form_of_the_seed_systems_loads(suite: Suite, wrap: Any) -> None:
    """A bare array, `test_results`, and either or both tool modes hold the same records."""
    rows = [{"id": "B001", "model_text": "a"}, {"id": "B002", "model_text": "b"}]
    records, problems = read(wrap(rows), suite)
    assert [] == problems
    assert [("B001", "a", 1), ("B002", "b", 1)] == [
        (r.response.case_id, r.response.text, r.trial) for r in records
    ]


@pytest.mark.parametrize("mode", ["with_tools", "no_tools"])
def test_records_that_nobody_reads_are_a_problem(suite: Suite, mode: str) -> None:
    """A reader of the file could take them for the answers that count."""
    rows = [{"id": "B001", "model_text": "a"}]
    records, problems = read({"test_results": rows, mode: {"test_results": rows}}, suite)
    assert 1 == len(records)
    (problem,) = problems
    assert f"$.{mode}: is not read: test_results is there too" in problem


def test_a_call_with_arguments_in_an_unread_key_is_reported(suite: Suite) -> None:
    """It is read without arguments, so its submitter must know."""
    call = {"id": "1", "type": "function", "name": "find", "parameters": {"city": "Rome"}}
    rows = [
        {"id": "B001", "model_function_calls": [{"function": call}]},
        {"id": "B002", "model_function_call": {**call, "arguments": {}}},
        {"id": "B001", "model_function_call": {**call, "parameters": {}}, "trial": 2},
        {"id": "B002", "model_text": "yes", "trial": 2},
    ]
    records, problems = read(rows, suite)
    assert (Call("find", {}),) == records[0].response.calls
    (problem,) = problems
    assert "$[0].model_function_calls: has a call without arguments" in problem


def test_a_text_that_looks_like_a_call_is_reported(suite: Suite) -> None:
    """A server without a parser of calls leaves them in the text, where no call is seen.

    A text beside a call is no matter: the call is the answer.
    """
    tools = (Tool("find", "", ()),)
    suite = replace(suite, by_id={name: replace(c, tools=tools) for name, c in suite.by_id.items()})
    texts = {
        "B001": '<tool_call>{"name": "find", "arguments": {}}</tool_call>',
        "B002": "find(city='Rome')",
    }
    rows = [
        *({"id": name, "model_text": text} for name, text in texts.items()),
        {"id": "B001", "model_text": "I would find it.", "trial": 2},
        {
            "id": "B002",
            "model_function_call": {"name": "find"},
            "model_text": texts["B001"],
            "trial": 2,
        },
    ]
    records, problems = read(rows, suite)

    assert [len(record.response.calls) for record in records] == [0, 0, 0, 1]
    words = "looks like a tool call, but is scored as a text"
    assert all("write it into `model_function_call`)" in one for one in problems)
    assert [f"$[{place}].model_text: {words}" in one for place, one in enumerate(problems)] == [
        True,
        True,
    ]


def test_thoughts_before_an_answer_are_reported(suite: Suite) -> None:
    """They are scored as a part of the text, and lb new and lb run remove them from replies."""
    rows = [
        {"id": "B001", "model_text": "<think>Hm.</think>\n\nParis"},
        {"id": "B002", "model_text": "In 1969. <think>Hm.</think>"},
    ]
    _, problems = read(rows, suite)

    (problem,) = problems
    assert "$[0].model_text: has thoughts beside the answer" in problem


@each_row(
    ("text", "warning"),
    [
        ("[THINK]Hm.[/THINK]Paris", "has thoughts beside the answer"),
        ("<think>Hm. Paris", "has thoughts that never end, which are scored as an answer"),
        ("Paris<|im_end|>", "has tokens of a chat template around the answer"),
        ("<|channel|>final<|message|>Paris<|return|>", "has tokens of a chat template"),
        ("It ends with `<|im_end|>`.", None),
    ],
)
def test_what_is_no_part_of_an_answer_is_reported(
    suite: Suite, text: str, warning: str | None
) -> None:
    """Records are scored as they are, in each field that may have the answer of its suite."""
    over_apis = replace(suite, kind=KINDS["stable_toolbench"])
    _, problems = read([{"id": "B001", "model_text": text}], suite)
    answer = {"final_answer": text, "answer_details": []}
    _, nested = read([{"id": "B001", "answer": answer}], over_apis)
    _, flat = read([{"id": "B001", **answer}], over_apis)

    places = ("$[0].model_text", "$[0].answer", "$[0].final_answer")
    for place, found in zip(places, (problems, nested, flat), strict=True):
        assert len(found) == (warning is not None)
        assert all(f"{place}: {warning}" in problem for problem in found)


def test_two_fields_for_calls_with_other_calls_are_reported(suite: Suite) -> None:
    """The same call in both is none: some systems write both."""
    f, g = {"name": "f"}, {"name": "g"}
    rows = [
        {"id": "B001", "model_function_calls": [f], "model_function_call": f},
        {"id": "B002", "model_function_calls": [f], "model_function_call": g},
        {"id": "B002", "model_function_calls": [f], "model_function_call": [f], "trial": 2},
        {"id": "B001", "model_function_calls": [f], "trial": 2},
    ]
    records, problems = read(rows, suite)
    assert [[Call("f", {})]] * 4 == [list(record.response.calls) for record in records]
    (problem,) = problems
    assert "$[1].model_function_call: is ignored" in problem


CALL = {"name": "f", "arguments": {"a": 1}}


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("model_function_cal", CALL, "model_function_call"),
        ("Model_Function_Call", CALL, "model_function_call"),
        ("modeltext", "yes", "model_text"),
        ("tool_calls", [CALL], "model_function_call"),
        ("model_tool_calls", [CALL], "model_function_call"),
    ],
)
def test_an_answer_in_an_unread_field_is_a_problem(
    suite: Suite, name: str, value: Any, meant: str
) -> None:
    """It is an error if the record has no other answer: it would count as an empty one."""
    text = {"model_function_call": CALL} if meant == "model_text" else {"model_text": "yes"}
    rows = [{"id": "B001", meant: None, name: value}, {"id": "B002", **text, name: value}]
    findings = Findings("r.json", orjson.dumps(rows))
    records = read_records(rows, suite, findings, Interner())
    assert ["B002"] == [record.response.case_id for record in records]
    error, warning = findings.problems()
    assert ("error", f"$[0].{name}") == (error.severity, error.at)
    assert ("warning", f"$[1].{name}") == (warning.severity, warning.at)
    assert [f"rename it to {meant}"] * 2 == [error.fix, warning.fix]


@pytest.mark.parametrize(
    "extra",
    [
        {"model_text": "yes", "tool_calls": []},
        {"model_function_call": CALL, "tool_calls": [CALL]},
        {"model_text": "yes", "modeltext": "yes"},
        {"model_text": None, "notes": "slow", "type": "no_tool"},
    ],
)
def test_an_unread_field_that_loses_nothing_is_no_problem(
    suite: Suite, extra: dict[str, Any]
) -> None:
    """Unknown fields may stay, and so may empty ones and copies of an answer."""
    assert [] == read([{"id": "B001", **extra}], suite)[1]


def test_an_unread_field_beside_an_error_is_a_warning(suite: Suite) -> None:
    """The error of the record decides: the case counts as failed anyway."""
    records, problems = read([{"id": "B001", "error": "late", "modeltext": "yes"}], suite)
    assert 1 == len(records)
    assert ["r.json:1 $[0].modeltext"] == [problem.partition(": ")[0] for problem in problems]


def test_imported_votes_are_kept_beside_the_answer(suite: Suite) -> None:
    """Votes are kept by record; equal answers stay one response, whatever their votes."""
    rows = [
        {"id": "B001", "model_text": "a", "trial": n, "origin": {"votes": [{"status": w}]}}
        for n, w in ((1, "x"), (2, "y"))
    ]
    rows += [{"id": "B002", "model_text": "b", "trial": n, "origin": {}} for n in (1, 2)]
    findings = Findings("r.json", orjson.dumps(rows))
    records = read_records(rows, suite, findings, Interner())
    assert {0: ["x"], 1: ["y"]} == {
        place: [vote.status for vote in votes] for place, votes in records.votes.items()
    }
    assert records.responses[0] is records.responses[1]
    assert () == findings.problems()


CALLS: dict[str, tuple[Any, tuple[Call, ...], str | None]] = {
    "null": (None, (), None),
    "empty object": ({}, (), None),
    "empty list": ([], (), None),
    "object": ({"name": "f", "arguments": {"a": 1}}, (Call("f", {"a": 1}),), None),
    "arguments missing": ({"name": "f"}, (Call("f", {}),), None),
    "arguments null": ({"name": "f", "arguments": None}, (Call("f", {}),), None),
    "arguments as JSON text": (
        {"name": "f", "arguments": '{"a": 1}'},
        (Call("f", {"a": 1}),),
        None,
    ),
    "arguments as blank text": ({"name": "f", "arguments": " "}, (Call("f", {}),), None),
    "Gemini's args": ({"name": "f", "args": {"a": 1}}, (Call("f", {"a": 1}),), None),
    "OpenAI's wrapper": (
        {"type": "function", "function": {"name": "f", "arguments": "{}"}},
        (Call("f", {}),),
        None,
    ),
    "two calls": ([{"name": "f"}, {"name": "g"}], (Call("f", {}), Call("g", {})), None),
    "no name": ({"arguments": {}}, (), "a call without a name"),
    "arguments a list": (
        {"name": "f", "arguments": [1]},
        (),
        "the arguments of f are not an object",
    ),
    "arguments not JSON": (
        {"name": "f", "arguments": "{a"},
        (),
        "the arguments of f are text that is not JSON",
    ),
    "arguments as text with a long integer": (
        {"name": "f", "arguments": '{"a": 12345678901234567890123}'},
        (Call("f", {"a": 12345678901234567890123}),),
        None,
    ),
    "arguments as text that repeats a key": (
        {"name": "f", "arguments": '{"a": 1, "a": 2}'},
        (),
        "the arguments of f are text that repeats the key 'a'",
    ),
}


@pytest.mark.parametrize(("given", "calls", "malformed"), CALLS.values(), ids=CALLS.keys())
def test_calls_are_read_as_they_are_written(
    suite: Suite, given: Any, calls: tuple[Call, ...], malformed: str | None
) -> None:
    """Every spelling of calls and arguments is read; an unreadable call stops nothing else."""
    (record,), problems = read([{"id": "B001", "model_function_call": given}], suite)
    assert [] == problems
    assert calls == record.response.calls
    assert (record.response.malformed or "").startswith(malformed or "")
    assert (malformed is None) == (record.response.malformed is None)


def test_equal_answers_are_one_object(suite: Suite) -> None:
    """The same answer to the same case is one Response across submissions."""
    interner = Interner()
    rows = [{"id": "B001", "model_text": "a", "latency_s": 1.0}, {"id": "B002", "model_text": "a"}]
    first, other = read_records(rows, suite, Findings("a", b""), interner)
    (second,) = read_records(
        [{"id": "B001", "model_text": "a", "latency_s": 2.0}], suite, Findings("b", b""), interner
    )
    assert first.response is second.response
    assert first.response is not other.response
    assert (1.0, 2.0) == (first.latency_s, second.latency_s)


def test_names_shown_with_underscores_are_part_of_the_answer(suite: Suite) -> None:
    """The same call under shown names is decided apart, because other names are right for it."""
    rows = [{"id": "B001", "model_function_call": {"name": "a_b"}}]
    (plain,), _ = read(rows, suite)
    (shown,), _ = read(rows, suite, underscored=True)
    assert plain.response.key != shown.response.key
    assert shown.response.underscored


@pytest.mark.parametrize("error", [None, "", False, 0, "None", " n/a ", "null", "-", [], {}])
def test_an_error_that_says_there_was_none_fails_no_case(suite: Suite, error: Any) -> None:
    """Programs and tables write it in many ways. `lb new` reads all of them so."""
    acting = replace(suite, kind=KINDS["tool_usage"])
    record = {"id": "B001", "error": error}
    (answered,), problems = read([{**record, "model_text": "yes"}], suite)
    _, unanswered = read([record], suite)
    _, warned = read([{**record, "output": "yes"}], acting)
    assert (answered.response.error, problems) == (None, [])
    assert "has no answer" in unanswered[0]
    assert "does not say which steps were taken" in warned[0]


@pytest.mark.parametrize(
    ("names", "problems"),
    [
        (["functions.f"] * 3, 1),
        (["functions.f"] * 27 + ["f"] * 3, 1),
        (["functions.f"] * 8 + ["f"], 0),
        (["functions.f"] * 2, 0),
        (["g_h"] * 3, 0),
    ],
)
def test_names_that_no_case_offers_are_a_warning(
    suite: Suite, names: list[str], problems: int
) -> None:
    """They come from a conversion. Some wrong names of a model are its own fault."""
    tools = (Tool("f", "", ()), Tool("g.h", "", ()))
    cases = {f"C{number:02}": case(f"C{number:02}") for number in range(len(names))}
    offering = {name: replace(one, tools=tools) for name, one in cases.items()}
    rows = [
        {"id": name, "model_function_call": {"name": called, "arguments": {}}}
        for name, called in zip(cases, names, strict=True)
    ]
    _, found = read(rows, replace(suite, by_id=offering))
    assert [line for line in found if "name no tool of their case" in line] == found
    assert len(found) == problems
    assert all("such as 'functions.f'" in line for line in found)


def test_usage_trial_and_error_are_kept(suite: Suite) -> None:
    """Cost, trial and error are kept with a response; an error that is not text becomes JSON."""
    row = {
        "id": "B001",
        "trial": 1,
        "error": {"code": 500},
        "usage": {"input_tokens": 5, "output_tokens": None, "cost_usd": 0.5},
        "latency_s": 2,
    }
    (record,), problems = read([row], suite)
    assert [] == problems
    assert '{"code":500}' == record.response.error
    assert (1, 5, None, 0.5, 2) == (
        record.trial,
        record.input_tokens,
        record.output_tokens,
        record.cost_usd,
        record.latency_s,
    )


def test_records_of_retired_cases_are_skipped_and_counted(suite: Suite) -> None:
    """The owner retires a case, and strangers' files stay as they are. All else is read."""
    suite = replace(suite, retired=frozenset(["B000", "7"]))
    rows = [
        {"id": "B000", "model_text": "yes", "trial": 3},
        {"id": "B001", "model_text": "yes"},
        {"id": "B000"},
        {"id": 7, "model_text": "yes"},
        {"id": "B002", "model_text": "yes", "trial": 2},
    ]
    records, problems = read(rows, suite)
    skipped, gap = problems
    assert ["B001", "B002"] == [record.response.case_id for record in records]
    assert "r.json:1 $: has records of retired cases, which are skipped: 3 (nothing to" in skipped
    assert "$[4].trial: is trial 2 of 'B002', which has no trial 1" in gap


PROBLEMS = {
    "not a list": ("text", "is neither a list of records nor an object"),
    "no results": ({"with_tools": {}}, "holds no list of test_results"),
    "unknown case": ([{"id": "Z999"}], "names a case that is not in s: 'Z999'"),
    "id with a sign": ([{"id": "B-001"}], "(correct its id; did you mean 'B001'?)"),
    "id with a letter like a digit": ([{"id": "BOOl"}], "(correct its id; did you mean 'B001'?)"),
    "id with another number": ([{"id": "B003"}], "(correct its id, or remove the record; if"),
    "id in another case": ([{"id": "b001 "}], "(correct its id; did you mean 'B001'?)"),
    "case answered twice": ([{"id": "B001"}, {"id": "B001"}], "answers case B001 again (trial 1)"),
    "case in both modes": (
        {
            "with_tools": {"test_results": [{"id": "B001"}]},
            "no_tools": {"test_results": [{"id": "B001"}]},
        },
        "answers case B001 again",
    ),
    "no id": ([{"model_text": "a"}], "missing required key 'id'"),
    "id a fraction": ([{"id": 1.5}], "write a text in quotes, got 1.5"),
    "record no object": (["B001"], "got 'B001'"),
    "text a number": ([{"id": "B001", "model_text": 5}], "write a text in quotes, got 5"),
    "call a text": ([{"id": "B001", "model_function_call": "f"}], "write an object, {...}"),
    "trial 0": ([{"id": "B001", "trial": 0}], "trial: expected an integer from 1 to 100, got 0"),
    "too many tokens": (
        [{"id": "B001", "usage": {"output_tokens": 10**13}}],
        "less than or equal to 1000000000000",
    ),
    "cost beyond all": (
        [{"id": "B001", "usage": {"cost_usd": 1e300}}],
        "an amount is 0, or from 1e-12 to 1,000,000 US dollars, got 1e+300",
    ),
    "cost below all": (
        [{"id": "B001", "usage": {"cost_usd": 1e-300}}],
        "an amount is 0, or from 1e-12",
    ),
    "negative cost": (
        [{"id": "B001", "usage": {"cost_usd": -0.5}}],
        "an amount is 0, or from 1e-12",
    ),
    "more than a year": (
        [{"id": "B001", "latency_s": 31_622_401}],
        "to 31,622,400 seconds (a year), got 31622401",
    ),
    "negative tokens": (
        [{"id": "B001", "usage": {"input_tokens": -1}}],
        "greater than or equal to 0",
    ),
}


@pytest.mark.parametrize(("document", "what"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_a_bad_record_is_a_problem_with_its_place(suite: Suite, document: Any, what: str) -> None:
    """Mistakes in a record have a file, line and path, and the other records still load."""
    _, problems = read(document, suite)
    assert any(what in problem for problem in problems), problems
    assert all(problem.startswith("r.json:1 $") for problem in problems)


@pytest.mark.parametrize("amount", [0, 0.0, 1e-12, 1_000_000])
def test_every_amount_that_can_be_is_taken(suite: Suite, amount: float) -> None:
    """Zero, and both ends of the allowed range, are accepted."""
    (record,), problems = read(
        [{"id": "B001", "model_text": "a", "usage": {"cost_usd": amount}, "latency_s": amount}],
        suite,
    )

    assert problems == []
    assert (record.cost_usd, record.latency_s) == (amount, amount)


def test_one_bad_record_does_not_lose_the_others(suite: Suite) -> None:
    """Good records beside a bad one are read."""
    records, problems = read([{"id": 7}, {"id": "B002", "model_text": "b"}], suite)
    assert ["B002"] == [record.response.case_id for record in records]
    assert 1 == len(problems)


def test_another_version_of_a_case_is_reported_and_does_not_count(suite: Suite) -> None:
    """A record with another question or ground truth gets a warning; the suite's own counts."""
    rows = [
        {"id": "B001", "user_query": "another question", "model_text": "a"},
        {"id": "B002", "ground_truth": {"text": "no"}, "model_text": "b"},
    ]
    findings = Findings("r.json", orjson.dumps(rows))
    records = read_records(rows, suite, findings, Interner())
    assert 2 == len(records)
    assert ["warning", "warning"] == [problem.severity for problem in findings.problems()]


def test_the_older_dialects_ground_truth_is_the_same_one(suite: Suite) -> None:
    """The older and the newer form of the same ground truth do not differ."""
    _, problems = read(
        [
            {
                "id": "B001",
                "model_text": "a",
                "ground_truth": {"text": "yes", "no_function_call": True},
            }
        ],
        suite,
    )
    assert [] == problems


@pytest.mark.parametrize(
    ("record", "answered"),
    [
        ({}, False),
        ({"output": "of an agent", "error": None}, False),
        ({"error": "timed out"}, True),
        ({"model_text": None}, True),
        ({"model_function_call": {}}, True),
    ],
)
def test_a_record_without_an_answer_is_a_problem(
    suite: Suite, record: dict[str, Any], *, answered: bool
) -> None:
    """A record needs a field that can hold an answer, even null, or an error."""
    records, problems = read([{"id": "B001", **record}], suite)
    assert answered == (len(records) == 1) == (problems == [])
    assert answered or "$[0]: has no answer" in problems[0]


@pytest.mark.parametrize(
    ("trials", "what"),
    [
        ((1, 3), "is trial 3 of 'B001', which has no trial 2"),
        ((2,), "number trials 1, 2, 3"),
        ((101,), "expected an integer from 1 to 100, got 101"),
    ],
)
def test_t8_trials_have_no_gaps_and_a_limit(
    suite: Suite, trials: tuple[int, ...], what: str
) -> None:
    """Trials of a case are 1, 2, 3 and so on, up to the limit."""
    rows = [{"id": "B001", "model_text": "a", "trial": trial} for trial in trials]
    _, problems = read(rows, suite)
    assert any(what in problem for problem in problems), problems


def test_trials_of_some_cases_alone_are_a_warning(suite: Suite) -> None:
    """They are read, but each missing trial of another case is a fail."""
    rows = [{"id": "B001", "model_text": "a", "trial": trial} for trial in (1, 2)]
    rows.append({"id": "B002", "model_text": "a"})
    records, (problem,) = read(rows, suite)
    assert 3 == len(records)
    assert "has 2 trials, but 1 of the 2 answered cases has fewer" in problem
    _, problems = read([*rows, {"id": "B002", "model_text": "a", "trial": 2}], suite)
    assert [] == problems


def test_t8_trials_answer_most_cases(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few records cannot make a board large: trials after the first cannot leave out too much."""
    monkeypatch.setattr("leaderboard.responses.accepted_records.MOST_UNANSWERED", 1)
    rows = [{"id": "B001", "model_text": "a", "trial": trial} for trial in (1, 2, 3, 4)]
    assert read(rows[:3], suite)[1] == []
    (problem,) = read(rows, suite)[1]
    assert "has 4 trials, but no record for 4 of their cases" in problem


@pytest.mark.parametrize(
    ("limit", "value", "what"),
    [
        ("TEXT_LENGTH", 4, "has a text or call of 5 characters; the limit is 4"),
        ("RECORD_BYTES", 20, "is 0 MB; the limit of a record"),
        ("MOST_RECORDS", 0, "has 1 records; the limit is 0"),
        ("ANSWERS_LENGTH", 4, "has 5 characters of answers; the limit is 4"),
    ],
)
def test_records_have_limits(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, what: str
) -> None:
    """The number of records, their size and the length of an answer are bounded."""
    monkeypatch.setattr("leaderboard.responses.accepted_records.TEXT_LENGTH", 4)
    monkeypatch.setattr(f"leaderboard.responses.accepted_records.{limit}", value)
    _, problems = read([{"id": "B001", "model_text": "Paris"}], suite)
    assert any(what in problem for problem in problems), problems


@pytest.mark.parametrize("kind", ["tool_selection", "tool_usage", "stable_toolbench"])
def test_t12_texts_and_calls_have_a_limit(suite: Suite, kind: str) -> None:
    """Of a model, of an agent, and in an execution. The results of calls have none."""
    suite = replace(suite, kind=KINDS[kind])

    def problems(text: str, result: str, argument: str) -> list[str]:
        call = {"name": "f", "arguments": {"a": [argument]}}
        node = {"role": "tool", "message": {**call, "response": result}}
        answer: dict[str, Any] = {
            "tool_selection": {"model_function_call": [call], "model_text": text},
            "tool_usage": {"intermediate_steps": [[call, result]], "output": text},
            "stable_toolbench": {"answer": {"final_answer": text, "answer_details": [node]}},
        }
        return read([{"id": "B001", **answer[kind]}], suite)[1]

    long = "x" * 200_000
    assert problems(long, long + "x", long[20:]) == []
    (problem,) = problems("x", "x", long)
    assert "[0]: has a text or call of 200,016 characters; the limit is 200,000" in problem
    (problem,) = problems(long + "x", "x", "x")
    assert "[0]: has a text or call of 200,001 characters; the limit is 200,000" in problem
