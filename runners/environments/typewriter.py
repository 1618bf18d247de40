"""Typewriters: a sheet of paper, and tools that type one letter each.

The task is to repeat a text letter by letter, with one tool that takes the letter or with one tool
per letter. The state is the text on the paper.
"""

from __future__ import annotations

from functools import partial
from string import ascii_lowercase
from typing import Final

from leaderboard.types import Tool
from runners.environments.environment import (
    Environment,
    EnvironmentTool,
    ToolError,
    tool_from_function,
)
from runners.environments.tasks import ToolUsageTask


class _Paper:
    """A sheet that letters are appended to."""

    def __init__(self) -> None:
        self.text = ""

    def read(self) -> str:
        return self.text

    def append(self, letter: str) -> str:
        self.text += letter
        return "OK"

    # The docstring is the description that models read. A wrong character is typed too, because
    # it must count against the state.
    def type_letter(self, letter: str) -> str:
        """Types one letter on the paper, after what is there already."""
        if len(letter) != 1:
            raise ToolError(
                f"ERROR: a letter is one character, not {len(letter)}; nothing was typed"
            )
        return self.append(letter)


def create_one_tool() -> Environment:
    """A blank sheet and `type_letter`."""
    paper = _Paper()
    described = {"letter": "The letter, digit or space to type, one character."}
    return Environment((tool_from_function(paper.type_letter, described),), paper.read)


def create_26_tools() -> Environment:
    """A blank sheet and the tools `a` to `z`, which take no arguments."""
    paper = _Paper()
    keys = []
    for letter in ascii_lowercase:
        types = f'Types the letter "{letter}" on the paper, after what is there already.'
        tool = Tool(letter, f"{types} Takes no arguments.", ())
        keys.append(EnvironmentTool(tool, partial(paper.append, letter)))
    return Environment(tuple(keys), paper.read)


ONE_TOOL: Final = ToolUsageTask(
    name="Tool Usage - Typewriter (1 tool)",
    suite="tool_usage",
    category="typewriter_1",
    description=(
        "A typewriter with a single tool, which is given a character and types it on a sheet of "
        "paper. The given text has to be repeated on the paper: for 'abc' the tool is called three "
        "times, with 'a', with 'b' and with 'c', in that order. The longer the text, the harder "
        "the case."
    ),
    instructions=(
        "You have a typewriter. Repeat the text that you are given on its paper, by calling the "
        "tool: one letter at a time, in the order of the text, every letter exactly as often as it "
        "occurs. Digits and spaces are typed like letters. Type nothing else, and answer with no "
        "other text."
    ),
    create_environment=create_one_tool,
    upstream_ids=("59577193-8938-4ccf-92a7-e8a96bcf4f86",),
)

TWENTY_SIX_TOOLS: Final = ToolUsageTask(
    name="Tool Usage - Typewriter (26 tools)",
    suite="tool_usage",
    category="typewriter_26",
    description=(
        "A typewriter with 26 tools, one for each letter of the alphabet, none of which takes an "
        "argument. The given text has to be repeated on the paper: for 'abc' the tools 'a', 'b' "
        "and 'c' are called in that order. The longer the text, the harder the case."
    ),
    instructions=(
        "You have a typewriter with one tool for each letter. Repeat the text that you are given "
        "on its paper, by calling the tools: one letter at a time, in the order of the text, every "
        "letter exactly as often as it occurs. The tools take no arguments. Type nothing else, and "
        "answer with no other text."
    ),
    create_environment=create_26_tools,
    upstream_ids=("128af05e-aa00-4e3b-a958-d166dd450581",),
)
