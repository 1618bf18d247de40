"""What a run costs: tokens and dollars so far, and a budget that limits each request."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from leaderboard.types import Price

CHARACTERS_PER_TOKEN: Final = 4  # of English text and JSON, about
# A budget counts twice the tokens that are estimated, because other languages need more.
_CAUTION: Final = 2
_USUAL_REPLY: Final = 4096  # tokens, where the length of replies has no limit


class Tokens(NamedTuple):
    """The tokens of requests and their replies."""

    input: int
    output: int

    def plus(self, other: Tokens) -> Tokens:
        """Both together."""
        return Tokens(self.input + other.input, self.output + other.output)


NO_TOKENS: Final = Tokens(0, 0)


class BudgetReachedError(Exception):
    """The next request could cost more than is left."""


@dataclass(slots=True)
class Spending:
    """The tokens and US dollars of all requests, and what those under way may cost.

    `max_tokens` limits a reply. A budget needs a price.
    """

    price: Price | None = None
    budget: float | None = None
    max_tokens: int | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0
    requests: int = 0
    _reserved: float = 0.0
    _under_way: int = field(default=0, repr=False)
    _longest: int = field(default=0, repr=False)
    _released: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def count_earlier(self, counted: Iterable[Tokens]) -> None:
        """Counts what earlier runs cost against the budget."""
        self.dollars += sum(map(self._cost, counted))

    def reserve(self, characters: int) -> Tokens:
        """The most that a request of this length can take, and keeps its cost aside.

        Raises BudgetReachedError.
        """
        bound = self._bound(characters)
        cost = self._cost(bound)
        if self.budget is not None and self.dollars + self._reserved + cost > self.budget:
            raise BudgetReachedError
        self._reserved += cost
        self._under_way += 1
        return bound

    async def wait_for_room(self, characters: int) -> None:
        """Returns when a request of this length is within the budget, or can never be.

        Those under way may cost less than is kept aside for them, so it waits for their replies.
        """
        if self.budget is None:
            return
        while self._under_way:
            most = self.dollars + self._cost(self._bound(characters))
            if most > self.budget or most + self._reserved <= self.budget:
                return
            self._released.clear()
            await self._released.wait()

    def settle(
        self, reserved: Tokens, input_tokens: int | None = None, output_tokens: int | None = None
    ) -> Tokens:
        """Replaces what was kept aside by what the reply reports, and returns what counts."""
        self.release(reserved)
        self.requests += 1
        self.input_tokens += input_tokens or 0
        self.output_tokens += output_tokens or 0
        self._longest = max(self._longest, output_tokens or 0)
        # A side that is not reported may have cost as much as was kept aside.
        counted = Tokens(
            reserved.input if input_tokens is None else input_tokens,
            reserved.output if output_tokens is None else output_tokens,
        )
        self.dollars += self._cost(counted)
        return counted

    def release(self, reserved: Tokens) -> None:
        """Gives back what was kept aside for a request without a reply."""
        self._reserved -= self._cost(reserved)
        self._under_way -= 1
        self._released.set()

    def _bound(self, characters: int) -> Tokens:
        longest = self.max_tokens or max(_USUAL_REPLY, 2 * self._longest)
        return Tokens(_CAUTION * tokens_of(characters), longest)

    def _cost(self, tokens: Tokens) -> float:
        return 0.0 if self.price is None else self.price.cost(*tokens)


def tokens_of(characters: int) -> int:
    """About how many tokens a text of this length has."""
    return -(-characters // CHARACTERS_PER_TOKEN)
