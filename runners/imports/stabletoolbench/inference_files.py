"""Reads StableToolBench's raw inference files, `<query id>_<method>.json`, as answers.

The answer of a finished run is the last list of its `train_messages`. For an unfinished run it is
the last try of a chain of thought, or the first of the deepest branches of a search tree. Nothing
is random: the same file gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leaderboard.apis.api_names import FINISH
from leaderboard.responses.forms.model_reply import member, objects, text_of
from leaderboard.responses.forms.openai_chat import written_calls
from leaderboard.types import Json

_NOT_THE_MODEL = ("system", "user", "function", "tool")


def is_inference(document: Json) -> bool:
    """Whether a document is a raw inference file."""
    return isinstance(document, dict) and isinstance(document.get("answer_generation"), dict)


def answer_from(document: Mapping[str, Json]) -> dict[str, Json]:
    """The file's `final_answer`, and what the model did as a flat list of nodes."""
    generation = document["answer_generation"]
    messages: Json = generation.get("train_messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    if generation.get("valid_data") and isinstance(last, list):
        nodes = _message_nodes(objects(last))
    else:
        nodes = _step_nodes(_unfinished_steps(document))
    return {"final_answer": generation.get("final_answer") or "", "answer_details": list(nodes)}


def _text_node(text: str) -> Json:
    return {"role": "assistant", "message": text, "next": []}


def _call_node(call: Mapping[str, Json], reply: Json) -> Json:
    name = call.get("name")
    response = "" if name == FINISH else reply
    message = {"name": name, "arguments": call.get("arguments"), "response": response}
    return {"role": "tool", "message": message, "next": []}


def _message_nodes(messages: Sequence[Mapping[str, Json]]) -> Iterator[Json]:
    """A node for each text and call of the model. Keeps a call without a reply."""
    for place, message in enumerate(messages):
        if message.get("role") in _NOT_THE_MODEL:
            continue
        text = message.get("content")
        if isinstance(text, str) and text.strip():
            yield _text_node(text)
        replies = _replies(messages[place + 1 :])
        for number, written in enumerate(_written(message)):
            called = member(written, "function")
            call = called if isinstance(called, dict) else written
            if isinstance(member(call, "name"), str):
                call_id = text_of(member(written, "id"))
                yield _call_node(call, replies.get(call_id, replies.get(number)))


def _written(message: Mapping[str, Json]) -> Sequence[Json]:
    """The calls of a message as they were written, in either or both of OpenAI's forms."""
    if message.get("tool_calls") and message.get("function_call"):
        return [message["function_call"], *written_calls(message)]
    return written_calls(message)


def _replies(following: Sequence[Mapping[str, Json]]) -> dict[Json, Json]:
    """The tools' messages before the model's next one, by position and, if given, by call id."""
    found: dict[Json, Json] = {}
    for number, message in enumerate(following):
        if message.get("role") not in ("function", "tool"):
            break
        found[number] = message.get("content")
        if isinstance(message.get("tool_call_id"), str):
            found[message["tool_call_id"]] = message.get("content")
    return found


def _unfinished_steps(document: Mapping[str, Json]) -> Sequence[Mapping[str, Json]]:
    tries = document.get("trys")
    if isinstance(tries, list) and tries:
        return objects(member(tries[-1], "chain"))
    tree = document.get("tree")
    root = tree.get("tree", tree) if isinstance(tree, dict) else None
    return _deepest_branch(root) if isinstance(root, dict) else []


def _deepest_branch(root: Mapping[str, Json]) -> Sequence[Mapping[str, Json]]:
    """The first of the longest paths from the root. A loop, because trees may be very deep."""
    longest: tuple[Mapping[str, Json], ...] = ()
    paths: list[tuple[Mapping[str, Json], ...]] = [(root,)]
    while paths:
        path = paths.pop()
        if len(path) > len(longest):
            longest = path
        children = objects(path[-1].get("children"))
        paths += [(*path, child) for child in reversed(children)]
    return longest


def _step_nodes(steps: Sequence[Mapping[str, Json]]) -> Iterator[Json]:
    """A thought is a text of the model. An action and the input after it are a call."""
    for place, step in enumerate(steps):
        kind, text = step.get("node_type"), step.get("description")
        if kind == "Thought" and isinstance(text, str) and text.strip():
            yield _text_node(text)
        elif kind == "Action" and isinstance(text, str):
            after = steps[place + 1] if place + 1 < len(steps) else {}
            given = after if after.get("node_type") == "Action Input" else {}
            call = {"name": text, "arguments": given.get("description") or ""}
            yield _call_node(call, given.get("observation"))
