"""StableToolBench's raw inference files, `<query id>_<method>.json`, as answers: what the model did, step by step.

A finished run is the last of its `train_messages`. One that came to no end is rebuilt: of a chain of thought the last try, of a
search tree the first of its deepest branches. Nothing is drawn at random, so the same file gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leaderboard.apis.api_names import FINISH
from leaderboard.types import Json

_SILENT = ("system", "user", "function", "tool")


def is_inference(document: Json) -> bool:
    """Whether a document is a raw inference file."""
    return isinstance(document, dict) and isinstance(document.get("answer_generation"), dict)


def answer_from(document: Mapping[str, Json]) -> dict[str, Json]:
    """The answer of a raw inference file: `final_answer` as it is given there, `answer_details` as a flat list of nodes."""
    made = document["answer_generation"]
    messages = made.get("train_messages")
    if (
        made.get("valid_data")
        and isinstance(messages, list)
        and messages
        and isinstance(messages[-1], list)
    ):
        nodes = list(
            _of_messages([message for message in messages[-1] if isinstance(message, dict)])
        )
    else:
        nodes = list(_of_chain(_unfinished(document)))
    return {"final_answer": made.get("final_answer") or "", "answer_details": nodes}


def _node(role: str, message: Json) -> dict[str, Json]:
    return {"role": role, "message": message, "next": []}


# ---------------------------------------------------------------- finished: the messages


def _of_messages(messages: Sequence[Mapping[str, Json]]) -> Iterator[Json]:
    """A node for everything the model said or called. A call without a reply is kept, and so is text beside a call."""
    for place, message in enumerate(messages):
        if message.get("role") in _SILENT:
            continue
        text = message.get("content")
        if isinstance(text, str) and text.strip():
            yield _node("assistant", text)
        replies = _replies(messages[place + 1 :])
        for number, (call, call_id) in enumerate(_calls(message)):
            yield _node("tool", _message(call, replies.get(call_id, replies.get(number))))


def _calls(message: Mapping[str, Json]) -> Iterator[tuple[Mapping[str, Json], Json]]:
    """The calls of a message in either spelling, each with its id."""
    if isinstance(message.get("function_call"), dict):
        yield message["function_call"], None
    listed = message.get("tool_calls")
    for call in listed if isinstance(listed, list) else []:
        if isinstance(call, dict) and isinstance(call.get("function"), dict):
            yield call["function"], call.get("id")


def _replies(following: Sequence[Mapping[str, Json]]) -> dict[Json, Json]:
    """The tools' messages up to the model's next one: by place and, where they say what they reply to, by id."""
    found: dict[Json, Json] = {}
    for number, message in enumerate(following):
        if message.get("role") not in ("function", "tool"):
            break
        found[number] = message.get("content")
        if isinstance(message.get("tool_call_id"), str):
            found[message["tool_call_id"]] = message.get("content")
    return found


def _message(call: Mapping[str, Json], reply: Json) -> Json:
    response = "" if call.get("name") == FINISH else reply
    return {"name": call.get("name"), "arguments": call.get("arguments"), "response": response}


# ---------------------------------------------------------------- unfinished: a try, or a branch of a tree


def _unfinished(document: Mapping[str, Json]) -> Sequence[Mapping[str, Json]]:
    tries = document.get("trys")
    if isinstance(tries, list) and tries:
        chain = tries[-1].get("chain") if isinstance(tries[-1], dict) else None
        return [step for step in chain if isinstance(step, dict)] if isinstance(chain, list) else []
    tree = document.get("tree")
    root = tree.get("tree", tree) if isinstance(tree, dict) else None
    return _deepest(root) if isinstance(root, dict) else []


def _deepest(root: Mapping[str, Json]) -> Sequence[Mapping[str, Json]]:
    """The first of the longest ways from the root down."""
    longest: tuple[Mapping[str, Json], ...] = ()
    left: list[tuple[Mapping[str, Json], ...]] = [(root,)]
    while left:
        way = left.pop()
        if len(way) > len(longest):
            longest = way
        children = way[-1].get("children")
        left += [
            (*way, child)
            for child in reversed(children if isinstance(children, list) else [])
            if isinstance(child, dict)
        ]
    return longest


def _of_chain(steps: Sequence[Mapping[str, Json]]) -> Iterator[Json]:
    """Thoughts are the model's words; an action and the input that follows it are a call."""
    for place, step in enumerate(steps):
        kind, text = step.get("node_type"), step.get("description")
        if kind == "Thought" and isinstance(text, str) and text.strip():
            yield _node("assistant", text)
        elif kind == "Action" and isinstance(text, str):
            given = (
                steps[place + 1]
                if place + 1 < len(steps) and steps[place + 1].get("node_type") == "Action Input"
                else {}
            )
            call = {"name": text, "arguments": given.get("description") or ""}
            yield _node("tool", _message(call, given.get("observation")))
