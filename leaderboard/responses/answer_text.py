"""Final answers as text, in every form that models and agent frameworks write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.digest import canonical
from leaderboard.types import Json

_TEXT_BLOCKS: Final = (None, "text", "output_text")


def answer_text(output: Json) -> str | None:
    """A final answer as text; None for null.

    The texts of content blocks are joined. Other values become JSON.
    """
    if output is None or isinstance(output, str):
        return output
    blocks = output if isinstance(output, list | tuple) else [output]
    texts = []
    for block in blocks:
        if isinstance(block, str):
            texts.append(block)
        elif not isinstance(block, Mapping) or not ("type" in block or "text" in block):
            return canonical(output).decode()
        elif isinstance(block.get("text"), str) and block.get("type") in _TEXT_BLOCKS:
            texts.append(block["text"])  # tool calls, reasoning and images are left out
    return "".join(texts)
