"""What a run costs: tokens and dollars so far, and a budget that it never exceeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from leaderboard.types import Json, Price

CHARACTERS_PER_TOKEN: Final = 4  # of English text and JSON, about
# A budget counts twice the tokens that are estimated, because other languages need more.
_CAUTION: Final = 2
_USUAL_REPLY: Final = 4096  # tokens, where the length of replies has no limit


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
    _longest: int = field(default=0, repr=False)

    def count_earlier(self, records: Iterable[Mapping[str, Json]]) -> None:
        """Counts what the answers of an earlier run cost against the budget."""
        for record in records:
            usage = record.get("usage") or {}
            given = usage.get("input_tokens") or 0, usage.get("output_tokens") or 0
            self.dollars += self._cost(*given)

    def reserve(self, characters: int) -> float:
        """Returns the most that a request of this length can cost, and keeps it aside.

        Raises BudgetReachedError.
        """
        longest = self.max_tokens or max(_USUAL_REPLY, 2 * self._longest)
        bound = self._cost(_CAUTION * tokens_of(characters), longest)
        if self.budget is not None and self.dollars + self._reserved + bound > self.budget:
            raise BudgetReachedError
        self._reserved += bound
        return bound

    def settle(
        self, reserved: float, input_tokens: int | None = None, output_tokens: int | None = None
    ) -> None:
        """Replaces what was kept aside by what the reply reports."""
        self._reserved -= reserved
        self.requests += 1
        self.input_tokens += input_tokens or 0
        self.output_tokens += output_tokens or 0
        self._longest = max(self._longest, output_tokens or 0)
        # A reply that reports nothing may have cost as much as was kept aside.
        known = input_tokens is not None or output_tokens is not None
        self.dollars += self._cost(input_tokens or 0, output_tokens or 0) if known else reserved

    def release(self, reserved: float) -> None:
        """Gives back what was kept aside for a request without a reply."""
        self._reserved -= reserved

    def _cost(self, input_tokens: int, output_tokens: int) -> float:
        return 0.0 if self.price is None else self.price.cost(input_tokens, output_tokens)


def tokens_of(characters: int) -> int:
    """Returns about how many tokens a text of this length has."""
    return -(-characters // CHARACTERS_PER_TOKEN)
