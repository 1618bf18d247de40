"""One model reply in whichever provider's form it has: bodies, messages, blocks, parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.responses.forms.ai_sdk_messages import is_ui_message, refuse_unknown_parts
from leaderboard.responses.forms.anthropic_message import (
    BLOCK_TYPES,
    read_anthropic_body,
    read_blocks,
)
from leaderboard.responses.forms.conversations import (
    is_conversation,
    last_question,
    read_conversation,
    read_message,
)
from leaderboard.responses.forms.gemini_content import read_content, read_parts
from leaderboard.responses.forms.model_reply import Reply, Turn, UnreadableRecordError, member
from leaderboard.responses.forms.openai_chat import read_chat
from leaderboard.responses.forms.openai_responses import (
    ITEM_TYPES,
    read_output_items,
    read_responses_body,
)
from leaderboard.types import Json

# What choices of the older protocol of plain completions have, besides the reason why they ended.
_TEXT_CHOICE: Final = frozenset({"text", "index", "logprobs"})
# What candidates of Gemini have, and what bodies have beside a list of replies.
_CANDIDATE: Final = frozenset({"content", "finishReason", "finish_reason"})
_BODY: Final = frozenset({"object", "created", "usageMetadata", "modelVersion"})
_CALLS: Final = ("tool_calls", "function_call", "invalid_tool_calls")


class ProviderReply(NamedTuple):
    """What a model said, turn by turn, and the name of the form for readers.

    `asked` is the user's last message in a conversation. `submits`: the last turn is the answer,
    because the agent called a tool that submits it.
    """

    form: str
    turns: tuple[Turn, ...]
    asked: str = ""
    submits: bool = False

    @property
    def waits(self) -> bool:
        """Whether the user has the last word, as in a request with examples."""
        return self.turns[-1].asked != self.asked


def single_reply(form: str, reply: Reply) -> ProviderReply:
    """A reply without the tools' replies to its calls."""
    return ProviderReply(form, (Turn(reply, (None,) * len(reply.calls)),))


def read_provider_reply(value: Json) -> ProviderReply | None:
    """Reads a body, message or list in a provider's form; None for any other value.

    Raises UnreadableRecordError for a body with several answers.
    """
    if isinstance(value, Mapping):
        return _read_object(value)
    return _read_list(value)


def _read_object(value: Mapping[str, Json]) -> ProviderReply | None:
    for name, is_body in (("choices", _is_chat_body), ("candidates", _is_gemini_body)):
        replies = value.get(name)
        if is_body(value) and isinstance(replies, list) and len(replies) > 1:
            what = f"has {len(replies)} {name}, each of which is an answer"
            fix = "request one, or write one record for each trial"
            raise UnreadableRecordError(what, fix)
    if is_ui_message(value) and is_conversation([value]):
        return _read_list([value])
    for form, fits, read in _OBJECTS:
        if fits(value):
            return single_reply(form, read(value))
    return _read_list(member(value, "messages", "contents"))


def _is_calling_message(value: Mapping[str, Json]) -> bool:
    is_message = "content" in value or "role" in value
    return is_message and any(_is_call_field(value.get(key)) for key in _CALLS)


def _is_chat_body(value: Mapping[str, Json]) -> bool:
    return _has_replies(value, "choices", _is_chat_choice)


def _is_chat_choice(item: Mapping[str, Json]) -> bool:
    """Whether it is one of a reply. Texts of multiple choices have labels beside them."""
    is_text = "text" in item and ("finish_reason" in item or item.keys() <= _TEXT_CHOICE)
    return is_text or "message" in item


def _is_gemini_body(value: Mapping[str, Json]) -> bool:
    if isinstance(member(value, "promptFeedback", "prompt_feedback"), Mapping):
        return True
    return _has_replies(value, "candidates", lambda item: not _CANDIDATE.isdisjoint(item))


def _has_replies(
    value: Mapping[str, Json], name: str, is_reply: Callable[[Mapping[str, Json]], bool]
) -> bool:
    """Whether a value has a list of replies. Multiple choices are such lists too.

    Without any reply in it, other fields of the body say what it is.
    """
    items = value.get(name)
    if not isinstance(items, list) or not (items or not _BODY.isdisjoint(value)):
        return False
    return all(isinstance(item, Mapping) and is_reply(item) for item in items)


def _is_responses_body(value: Mapping[str, Json]) -> bool:
    return value.get("object") == "response" or _is_list_of(value.get("output"), ITEM_TYPES)


def _is_anthropic_body(value: Mapping[str, Json]) -> bool:
    content = value.get("content")
    ended = "stop_reason" in value and isinstance(content, list)
    return ended or _is_list_of(content, BLOCK_TYPES)


def _parts_of(value: Mapping[str, Json]) -> Json:
    return member(value.get("content"), "parts") or value.get("parts")


def _is_gemini_content(value: Mapping[str, Json]) -> bool:
    parts = _parts_of(value)
    if not isinstance(parts, list) or not (parts or "role" in value):
        return False
    return all(isinstance(part, Mapping) for part in parts)


# Each form of a reply: its name, how it is recognised, and how it is read. The first one counts.
_OBJECTS: Final[
    Sequence[
        tuple[str, Callable[[Mapping[str, Json]], bool], Callable[[Mapping[str, Json]], Reply]]
    ]
] = (
    ("OpenAI messages", _is_calling_message, read_message),
    ("OpenAI chat completions", _is_chat_body, read_chat),
    ("Gemini replies", _is_gemini_body, read_content),
    ("OpenAI responses", _is_responses_body, read_responses_body),
    ("Anthropic messages", _is_anthropic_body, read_anthropic_body),
    (
        "Gemini contents",
        _is_gemini_content,
        lambda value: Reply(*read_parts(_parts_of(value))),
    ),
    (
        "OpenAI messages",
        lambda value: value.get("role") == "assistant" and "content" in value,
        read_message,
    ),
)


def _is_call_field(value: Json) -> bool:
    return isinstance(value, Mapping | list) and bool(value)


def _read_list(value: Json) -> ProviderReply | None:
    if is_conversation(value):
        refuse_unknown_parts(value)
        return ProviderReply("conversations", read_conversation(value), last_question(value))
    if _is_list_of(value, ITEM_TYPES):
        return single_reply("OpenAI responses", Reply(*read_output_items(value)))
    if _is_list_of(value, BLOCK_TYPES):
        return single_reply("Anthropic content blocks", Reply(*read_blocks(value)))
    parts = value if isinstance(value, list) else ()
    if any(member(part, "functionCall", "function_call") for part in parts):
        return single_reply("Gemini parts", Reply(*read_parts(value)))
    return None


def _is_list_of(value: Json, types: frozenset[str]) -> bool:
    """Whether a value is a list whose items all have one of these types."""
    if not isinstance(value, list) or not value:
        return False
    kinds = [member(item, "type") for item in value]
    return all(isinstance(kind, str) and kind in types for kind in kinds)
