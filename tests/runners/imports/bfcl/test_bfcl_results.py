"""The result files of BFCL as records."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.imports.bfcl.bfcl_results import read_reply
from tests.each_row import each_row
from tests.runners.imports.bfcl.bfcl_source import PLAY, Source


@each_row(
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
        ([], None, "[]"),
        (None, None, None),
        (["f(a=1)"], None, '["f(a=1)"]'),
        ([{"f": '{"a": 1}'}, "and more"], None, '[{"f": "{\\"a\\": 1}"}, "and more"]'),
        ([{"f": '{"a": 1}'}, {"g": "{a: 1}"}], None, '[{"f": "{\\"a\\": 1}"}, {"g": "{a: 1}"}]'),
        ([{}], None, "[{}]"),
        ([{"f": 7}], None, '[{"f": 7}]'),
        ({"f": '{"a": 1}'}, None, '{"f": "{\\"a\\": 1}"}'),
        (7, None, "7"),
        ([{"f": '{"a": 1}', "g": "{}"}], [{"name": "f", "arguments": {"a": 1}}], None),
        ([{"f": "[1]"}], None, '[{"f": "[1]"}]'),
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
    """Calls become a list.

    A reply with any part that is not a call has no calls, and keeps its text.
    """
    assert read_reply(result) == (calls, text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.large
@given(
    JSON
    | st.lists(
        st.dictionaries(st.text(max_size=4), st.text(max_size=8) | JSON, max_size=2), max_size=3
    )
)
def test_no_reply_breaks_the_reading(result: Any) -> None:
    """Any JSON value is read as calls, as text or as neither, never as both."""
    calls, text = read_reply(result)
    assert calls is None or text is None
    assert calls is None or all(set(call) == {"name", "arguments"} for call in calls)


def test_usage_and_latency_are_kept(source: Source) -> None:
    """The record has tokens and seconds. Null, missing values and zero tokens are left out."""
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


def test_unfinished_results_are_warned_about(source: Source) -> None:
    """Missing answers and other categories give warnings and do not stop the import."""
    source.add("relevance", PLAY, None)
    source.reply("model-FC", [], category="java")
    warnings = [str(warning).replace(f"{source.root}/", "") for warning in source.load().warnings]
    assert warnings == [
        ("result/model-FC: contains results for categories that are not imported: java"),
        "result/model-FC: answers 0 of 1 cases of relevance; the others will count as failed",
    ]


def test_files_of_another_name_are_warned_about(source: Source) -> None:
    """They are not read. The warning says which name is read."""
    names = ("model-FC/simple.json", "model-FC/live/simple_result.json.gz", "other/simple.jsonl")
    for name in (*names, "model-FC/readme.md", "model-FC/simple_score.json"):
        source.lines(f"result/{name}", {"id": "simple_0", "result": []})
    warnings = [str(warning).partition("result/")[2] for warning in source.load().warnings]
    what = (
        "is not read, because its name is not that of a file of results (name it like"
        " BFCL_v4_<category>_result.json, unpacked, if it has results)"
    )
    assert warnings == [f"{name}: {what}" for name in sorted(names)]


def test_failed_requests_are_errors_and_no_answers(source: Source) -> None:
    """What BFCL writes for a failed request fails, also where no call is right, and is counted."""
    source.add("relevance", PLAY, None)
    error = "Error during inference: Error code: 429 - rate limit"
    source.reply("model-FC", error, category="relevance", traceback="Traceback …")
    source.reply("texts", "[shape.area(sides=[1.0])]")
    source.reply("texts", "timed out", category="relevance", traceback="Traceback …")
    report = source.load()
    record = {"id": "relevance_0", "model_function_call": None, "model_text": None}
    assert source.records()[1] == {**record, "error": error}
    assert source.records("texts")[1] == {**record, "error": "timed out"}
    assert str(report.warnings[0]).replace(f"{source.root}/", "") == (
        f"result/model-FC: has errors in place of answers: 1, the first: {error} (they count as "
        "failed; ask these cases again, and import the results again)"
    )
