"""Keys of cases that nothing reads: what is a warning, in which kinds."""

from __future__ import annotations

from typing import Any

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.findings import Findings
from leaderboard.kinds import Kind
from leaderboard.types import Json
from scoring.rules import KINDS
from scoring.rules.workspace_rules import OWN
from tests.each_row import each_row

MESSAGES = [{"role": "user", "content": "In Lisbon."}]
TRUTHS: dict[str, dict[str, Json]] = {
    "tool_selection": {"text": "Paris"},
    "call_match": {"no_call": True},
    "exact": {"texts": ["Paris"]},
    "judged": {"text": "Paris"},
    "stable_toolbench": {},
    "own": {},
}


def warnings(
    kind: Kind, record: dict[str, Json], truth: dict[str, Json] | None = None
) -> list[Any]:
    """The warnings of a case with these keys: where, what and how to fix it."""
    outputs = {"expected_steps": [], "reference": "Paris"}
    case: dict[str, Json] = {"inputs": {"question": "?"}, "outputs": outputs}
    if kind.name != "tool_usage":
        expected = {**TRUTHS[kind.name], **(truth or {})}
        case = {"id": "c1", "user_query": "?", "ground_truth": expected}
    if kind.name == "stable_toolbench":
        case |= {"query_id": "c1", "query": "?"}
    findings = Findings("c.json", b"[]")
    assert kind.read_cases(CategoryCases([{**case, **record}], "c", (), False, findings))
    assert {one.severity for one in findings.found} <= {"warning"}
    return [(one.at, one.what, one.fix) for one in findings.found]


@each_row("kind", [kind for kind in KINDS.values() if not kind.reported])
def test_a_conversation_that_a_kind_does_not_read_is_a_warning(kind: Kind) -> None:
    """Systems would be asked the last question alone."""
    fix = "suites of kind call_match read a conversation from 'earlier_messages'"
    if kind.name == "call_match":
        fix = "write the conversation as 'earlier_messages': see lb docs kinds"
    what = f"has no effect in suites of kind {kind.name}"
    keys = ["messages", "conversation", "history"]
    if kind.name != "call_match":
        keys.append("earlier_messages")
    for key in keys:
        assert warnings(kind, {key: MESSAGES}) == [((0, key), what, fix)]


@each_row(
    ("kind", "key", "reader"),
    [
        ("tool_selection", "tools", "call_match"),
        ("exact", "tools", "call_match"),
        ("judged", "options", "exact"),
        ("call_match", "options", "exact"),
    ],
)
def test_what_only_another_kind_reads_is_a_warning(kind: str, key: str, reader: str) -> None:
    """The fix names the kind that reads it."""
    what = f"has no effect in suites of kind {kind}"
    fix = f"suites of kind {reader} read it"
    assert warnings(KINDS[kind], {key: ["Paris", "Rome"]}) == [((0, key), what, fix)]


@each_row(
    ("kind", "key", "right"),
    [
        ("tool_selection", "tool_calls", "function_call"),
        ("tool_selection", "function_calls", "function_call"),
        ("tool_selection", "calls", "function_call"),
        ("call_match", "tool_calls", "calls"),
        ("call_match", "function_call", "calls"),
    ],
)
def test_expected_calls_under_another_key_are_a_warning(kind: str, key: str, right: str) -> None:
    """The case would expect the text beside them, or no call."""
    what = f"has no effect in suites of kind {kind}"
    fix = f"write expected calls as {right!r}"
    assert warnings(KINDS[kind], {}, {key: [{"name": "a"}]}) == [
        ((0, "ground_truth", key), what, fix)
    ]


def test_keys_that_lose_nothing_are_no_warning() -> None:
    """A kind reads its own keys, a rule of the board all of them, and a text may be a note."""
    own_keys: dict[str, Json] = {"earlier_messages": MESSAGES, "tools": []}
    assert not warnings(KINDS["call_match"], own_keys)
    assert not warnings(OWN, {**own_keys, "options": ["a"]}, {"tool_calls": ["a"]})
    for kind in (KINDS["tool_selection"], KINDS["judged"]):
        assert not warnings(kind, {"messages": [], "tools": None, "history": "asked in 2024"})
