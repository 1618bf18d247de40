"""The spelling of tool replies that are compared."""

from __future__ import annotations

import json

from leaderboard.types import Json
from runners.normalised_replies import beginning, is_same, spelling_of, unwrapped
from tests.each_row import each_row


@each_row(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": [2.0]}, {"b": [2], "a": 1}, True),
        ({"a": 1}, '{"a": 1}', True),
        ({"a": 1}, "{'a': 1}", True),
        (16.5, "16.5", True),
        (16.5, 16.6, False),
        ("to  the\nline", " to the line ", True),
        ("text", '"text"', True),
        ("text", "Text", False),
        (None, "", False),
        (None, "null", True),
        ("[" * 100_000, "[" * 100_000, True),
    ],
)
def test_replies_that_say_the_same_have_one_spelling(one: Json, other: Json, same: bool) -> None:
    """As JSON or as text of it, in any order, and with any blanks."""
    assert same is (spelling_of(one) == spelling_of(other))


RESULT = {"value": 1, "result": 240.0}
MESSAGE = {"type": "tool", "content": "16.5", "tool_call_id": "c1"}


@each_row(
    ("reply", "reported", "same"),
    [
        (16.5, [{"type": "text", "text": "16.5"}], True),
        (16.5, '[{"type": "text", "text": "16.5"}]', True),
        (16.5, {"type": "text", "text": "16.5"}, True),
        (16.5, MESSAGE, True),
        (16.5, str(MESSAGE), True),
        (16.5, {"content": [{"type": "text", "text": "16.5"}], "isError": False}, True),
        (16.5, {"result": 16.5}, True),
        (16.5, {"output": "16.5"}, True),
        (16.5, {"result": 16.6}, False),
        (16.5, {"arguments": 16.5}, False),
        ([{"id": 1}], {"result": '[{"id": 1}]'}, True),
        ({"result": 16.5, "unit": "m"}, {"result": 16.5, "unit": "m"}, True),
        ({"result": 16.5, "unit": "m"}, {"result": 16.5}, False),
        (None, {"result": None}, True),
        ("OK", None, False),
        # A reply that looks like a message itself, and a list of texts.
        (RESULT, {"content": '{"value": 1, "result": 240.0}'}, True),
        (RESULT, [{"type": "text", "text": '{"value": 1, "result": 240.0}'}], True),
        (RESULT, {"content": '{"value": 2, "result": 240.0}'}, False),
        (["milk"], {"type": "tool", "content": '["milk"]'}, True),
        (["milk", "egg"], {"type": "tool", "content": '["milk", "egg"]'}, True),
        (["milk"], {"type": "tool", "content": '["egg"]'}, False),
    ],
)
def test_a_reply_may_be_wrapped_as_frameworks_do(reply: Json, reported: Json, same: bool) -> None:
    """In a message, in content blocks, or in an object with a result. The reply itself is not."""
    assert same is is_same(reply, reported)


def test_text_inside_wrappers_is_read() -> None:
    """What is left is the value, or text that is no JSON."""
    assert {"a": 1} == unwrapped({"content": '{"result": {"a": 1}}'})
    assert "1 validation error" == unwrapped([{"type": "text", "text": "1 validation error"}])


TRAMS = {"stop": "Café Mill", "trams": [{"line": n, "late": False} for n in range(30)]}
PLAIN = json.dumps(TRAMS, ensure_ascii=False)
WRAPPED = {"error": "", "response": TRAMS}
TEXT_INSIDE = {"error": "", "response": PLAIN}
LINES = 'Trams from "Café Mill":\n' + "\n".join(f"line {n}, 18:{n}" for n in range(10, 40))


@each_row(
    ("reply", "written"),
    [
        (PLAIN, PLAIN),
        (PLAIN, json.dumps(TRAMS)),
        (PLAIN, str(TRAMS)),
        (PLAIN, json.dumps(TRAMS, separators=(",", ":"))),
        (PLAIN, json.dumps(TRAMS, indent=2)),
        (PLAIN, json.dumps(WRAPPED)),
        (PLAIN, json.dumps(WRAPPED, ensure_ascii=False)),
        (PLAIN, json.dumps(WRAPPED, separators=(",", ":"))),
        (PLAIN, json.dumps(WRAPPED, indent=2)),
        (PLAIN, str(WRAPPED)),
        (PLAIN, json.dumps(TEXT_INSIDE)),
        (PLAIN, str(TEXT_INSIDE)),
        (json.dumps(TRAMS), json.dumps(WRAPPED, ensure_ascii=False)),
        (LINES, LINES),
        (LINES, json.dumps({"error": "", "response": LINES})),
        (LINES, str({"error": "", "response": LINES})),
    ],
)
def test_the_beginning_of_a_reply_is_found_in_every_usual_spelling(
    reply: str, written: str
) -> None:
    """The part that it shows comes from the reply. With one wrong character it is no beginning."""
    cut = written[:300]
    shown = beginning(reply, f"{cut}...")
    assert shown is not None
    assert shown.endswith("...")
    assert reply.startswith(shown[:-3])
    assert 140 < len(shown) < 360
    assert beginning(reply, f"{cut}…") == shown
    assert beginning(reply, f"{cut[:280]}?{cut[281:]}...") is None
    assert beginning(reply, cut) is None
    assert beginning(reply, f"{cut[:90]}...") is None


def test_what_a_cut_reply_shows_is_exact_where_it_is_written_alike() -> None:
    """Not a character more; blanks are those of the reply."""
    assert beginning(LINES, f"{LINES[:200]}...") == f"{LINES[:200]}..."
    assert beginning(LINES, f"{' '.join(LINES[:200].split())}...") == f"{LINES[:200]}..."
    assert beginning(LINES, f"{LINES}...") == f"{LINES}..."
    assert beginning(LINES, 5) is None
