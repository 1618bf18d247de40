"""A conversation with a model, in a form that no provider dictates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from leaderboard.responses.forms.model_reply import Reply, Turn
from leaderboard.types import Message, Tool


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a model is asked next: system text (may be empty), query, tools, turns since then.

    `earlier` are the messages before the query.
    """

    system: str
    query: str
    tools: tuple[Tool, ...]
    turns: tuple[Turn, ...] = ()
    earlier: tuple[Message, ...] = ()

    @property
    def whole_system(self) -> str:
        """The system text, and the system messages among the earlier ones."""
        own = [message.content for message in self.earlier if message.role == "system"]
        return "\n\n".join(text for text in (self.system, *own) if text)

    @property
    def before(self) -> list[Message]:
        """The earlier messages of the user and the assistant."""
        return [message for message in self.earlier if message.role != "system"]


class Model(Protocol):
    """A model that answers many questions at a time."""

    async def ask(self, conversation: Conversation) -> Reply:
        """The model's next turn. Raises CallError when there is none."""

    async def close(self) -> None:
        """Closes the connections."""
