"""Raw inference files of StableToolBench as answers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from runners.imports.stabletoolbench.inference_files import answer_from, is_inference
from tests.each_row import each_row
from tests.runners.imports.stabletoolbench.inference import made, node_texts, steps


def test_a_finished_run_is_its_last_messages() -> None:
    """Texts and calls come in order, each call with its reply. Finish has none."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You may call tools."},
        {"role": "user", "content": "When?"},
        {
            "role": "assistant",
            "content": "Let me see.",
            "function_call": {"name": "a", "arguments": "{}"},
        },
        {"role": "function", "name": "a", "content": '{"error": "", "response": "18:04"}'},
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "Finish", "arguments": '{"return_type": "give_answer"}'},
        },
    ]
    assert [("said", "Let me see."), ("a", "18:04"), ("Finish", "")] == node_texts(made(messages))


@pytest.mark.parametrize("order", [("i", "j"), ("j", "i")])
def test_calls_of_one_message_find_their_replies(order: tuple[str, str]) -> None:
    """Replies are found by id, in any order. A call without a reply is kept."""
    calls: list[dict[str, Any]] = [
        {"id": name, "function": {"name": f"t_{name}", "arguments": "{}"}} for name in "ijk"
    ]
    replies = [
        {"role": "tool", "tool_call_id": name, "content": f"reply to {name}"} for name in order
    ]
    found = node_texts(made([{"role": "assistant", "content": "", "tool_calls": calls}, *replies]))
    assert [("t_i", "reply to i"), ("t_j", "reply to j"), ("t_k", None)] == found


def test_calls_without_a_name_are_skipped_with_their_replies() -> None:
    """The calls after them keep their own replies, and an id that is no text is none."""
    calls: list[Any] = [
        {"id": "1", "function": "search"},
        {"id": "2"},
        {"id": ["3"], "function": {"name": 4}},
        "search",
        {"id": ["5"], "name": "found", "function": "search"},
    ]
    replies = [{"role": "tool", "content": f"reply {number}"} for number in range(5)]
    found = node_texts(made([{"role": "assistant", "tool_calls": calls}, *replies]))
    assert [("found", "reply 4")] == found


def test_a_message_in_both_forms_keeps_all_its_calls() -> None:
    """The call of the first form comes first."""
    message = {
        "role": "assistant",
        "function_call": {"name": "first", "arguments": "{}"},
        "tool_calls": [{"id": "i", "function": {"name": "second", "arguments": "{}"}}],
    }
    reply = {"role": "tool", "tool_call_id": "i", "content": "18:04"}
    first, second = node_texts(made([message, reply]))
    assert ("first", ("second", "18:04")) == (first[0], second)


def test_an_unfinished_chain_is_its_last_try() -> None:
    """The last try counts."""
    chains = [
        steps(("Action", name, None), ("Action Input", "{}", f"of {name}"))
        for name in ("first", "last")
    ]
    document = {
        "answer_generation": {"valid_data": False, "final_answer": ""},
        "trys": [{"chain": chain} for chain in chains],
    }
    assert [("last", "of last")] == node_texts(document)


def test_an_unfinished_tree_is_its_first_deepest_branch() -> None:
    """The deepest branch counts, and of two equal ones the first."""

    def branch(*nodes: dict[str, Any]) -> dict[str, Any]:
        for parent, child in pairwise(nodes):
            parent["children"].append(child)
        return nodes[0]

    root: dict[str, Any] = {
        "node_type": "Action Input",
        "description": "",
        "observation": "",
        "children": [],
    }
    short = branch(*steps(("Thought", "short", None)))
    first, second = (
        branch(*steps(("Thought", w, None), ("Action", w, None), ("Action Input", "{}", w)))
        for w in ("one", "two")
    )
    root["children"] = [short, first, second]
    document = {"answer_generation": {"valid_data": False}, "tree": {"tree": root}}
    assert [("said", "one"), ("one", "one")] == node_texts(document)


@each_row(
    "document",
    [
        {"answer_generation": {}},
        {"answer_generation": {"valid_data": True, "train_messages": []}},
        {
            "answer_generation": {
                "valid_data": True,
                "train_messages": [[1, {"role": "assistant", "tool_calls": [3]}]],
            }
        },
        {"answer_generation": {}, "trys": [3]},
        {"answer_generation": {}, "tree": {"tree": {"children": 4}}},
    ],
)
def test_a_file_without_steps_is_an_empty_answer(document: dict[str, Any]) -> None:
    """No file raises an error."""
    assert is_inference(document)
    assert {"final_answer": "", "answer_details": []} == answer_from(document)
