"""Raw inference files, and what their answers say."""

from __future__ import annotations

from typing import Any

from leaderboard.apis.executions import tool_nodes
from runners.imports.stabletoolbench.inference_files import answer_from


def made(messages: list[dict[str, Any]], final: str = "") -> dict[str, Any]:
    return {
        "answer_generation": {
            "valid_data": True,
            "final_answer": final,
            "train_messages": [[{"role": "user"}], messages],
        }
    }


def steps(*kinds: tuple[str, str, str | None]) -> list[dict[str, Any]]:
    return [
        {"node_type": kind, "description": text, "observation": seen, "children": []}
        for kind, text, seen in kinds
    ]


def node_texts(document: dict[str, Any]) -> list[tuple[str, Any]]:
    """Each node of an answer: ("said", text) of the model, or (API name, result)."""
    found: list[tuple[str, Any]] = []
    for node in answer_from(document)["answer_details"]:
        if node["role"] == "assistant":
            found.append(("said", node["message"]))
        else:
            (one,) = tool_nodes([node])
            found.append((one.call.name, one.call.result))
    return found
