"""Lets a MirrorAPI model play an API: a model that was trained for it, with one fixed prompt.

StableToolBench publishes such models and the system prompt of their training, `SFT_SYSTEM` in its
`server/system_prompts.py`. The user's message has the form of its `server/main_mirrorapi.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.apis.api_definitions import ApiParameter, ToolDefinition
from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import read_named
from leaderboard.types import Json
from runners.apis.api_call import ApiReply
from runners.apis.played_by_model import MAX_REPLY_TEXT, Example, read_reply
from runners.models.prompt_completion import Complete

# The settings of a request, as upstream's server sends it.
SETTINGS: Final[Mapping[str, Json]] = {"max_tokens": 2048, "seed": 42}
_CONSTANT: Final = "SFT_SYSTEM"
# The models write JSON inside a JSON text without escaping its quotes.
_LOOSE: Final = re.compile(
    r'"error"\s*:\s*"(?P<error>[^"]*)"\s*,\s*"response"\s*:\s*"(?P<response>.*)', re.DOTALL
)
_END: Final = re.compile(r'"?\s*\}?\s*$')


@dataclass(frozen=True, slots=True)
class MirrorSimulator:
    """A MirrorAPI model. `complete` sends its system prompt with every request."""

    complete: Complete
    model: str

    def answer(
        self,
        api: ToolDefinition | None,
        named: str,
        arguments: Mapping[str, Json],
        examples: Sequence[Example],  # noqa: ARG002 - these models are not shown earlier replies
    ) -> ApiReply | None:
        """A reply to this input, which may be an error.

        Asks once: with a fixed seed a model repeats itself.
        """
        reply = read_loosely(self.complete(mirror_request(api, named, arguments)))
        return reply if reply is not None and (reply.error or reply.is_usable) else None


def mirror_request(api: ToolDefinition | None, named: str, arguments: Mapping[str, Json]) -> str:
    """The user's message: the API's documentation and the input, as Python values."""
    tool, _, name = named.partition(": ")
    documentation: dict[str, Json] = {
        "api_name": api.name.api if api else name,
        "api_description": api.api_description if api else "",
        "required_parameters": list(_parameters(api, required=True)),
        "optional_parameters": list(_parameters(api, required=False)),
        "tool_description": api.tool_description if api else "",
        "tool_name": api.name.tool if api else tool,
        "tool_category": api.name.category if api else "",
    }
    return f"API doc:\n{documentation}\n\nRequest:\n{dict(arguments)}"


def _parameters(api: ToolDefinition | None, *, required: bool) -> Iterator[Json]:
    listed: Sequence[ApiParameter] = api.parameters if api else ()
    for item in listed:
        if item.required is required:
            example = "" if item.example is None else item.example
            about = {"type": item.type.upper(), "description": item.description}
            yield {"name": item.name, **about, "default": example}


def read_loosely(text: str) -> ApiReply | None:
    """The reply in a model's text: a JSON object, or one with unescaped quotes. Else None."""
    reply = read_reply(text)
    if reply is not None or len(text) > MAX_REPLY_TEXT:
        return reply
    found = _LOOSE.search(text)
    return ApiReply(found["error"], _END.sub("", found["response"])) if found else None


def read_system_prompt(path: Path) -> str:
    """The system prompt in a text file, or SFT_SYSTEM in a Python file, which is not run.

    Raises FilesError.
    """
    shown = path.name
    try:
        text = read_named(path, shown).decode("utf-8")
        prompt = _constant(text) if path.suffix == ".py" else text
    except (UnicodeDecodeError, SyntaxError, ValueError, RecursionError) as error:
        raise FilesError.about(shown, f"cannot be read: {error}", "save it as UTF-8") from error
    if not prompt or not prompt.strip():
        what = f"has no text {_CONSTANT}" if path.suffix == ".py" else "is empty"
        fix = "name upstream's server/system_prompts.py, or a text file with the prompt"
        raise FilesError.about(shown, what, fix)
    return prompt


def _constant(source: str) -> str | None:
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            value = node.value
            if _CONSTANT in names and isinstance(value, ast.Constant):
                return value.value if isinstance(value.value, str) else None
    return None
