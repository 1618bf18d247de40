"""What a run costs, and the budget that limits each request."""

from __future__ import annotations

import asyncio

import pytest

from leaderboard.types import Price
from runners.models.spending import BudgetReachedError, Spending, Tokens, tokens_of

PRICE = Price(1.0, 10.0)  # dollars per million tokens


def test_a_request_is_refused_if_it_could_exceed_the_budget() -> None:
    """Requests under way count with the most that they can cost, until their replies are known."""
    # 400 characters are 100 tokens, counted twice; a reply has at most 1,000.
    bound = PRICE.cost(200, 1000)
    spending = Spending(PRICE, 2.5 * bound, max_tokens=1000)
    first, second = spending.reserve(400), spending.reserve(400)
    assert first == second == Tokens(200, 1000)
    with pytest.raises(BudgetReachedError):
        spending.reserve(400)
    assert spending.settle(first, 100, 50) == Tokens(100, 50)
    assert spending.dollars == pytest.approx((100 + 500) / 1e6)
    third = spending.reserve(400)
    spending.release(third)
    # One that reports nothing may have cost as much as was kept aside.
    assert spending.settle(second) == second
    assert spending.dollars == pytest.approx(600 / 1e6 + bound)
    assert (spending.requests, spending.input_tokens, spending.output_tokens) == (2, 100, 50)


def test_a_side_that_a_reply_does_not_report_costs_what_was_kept_aside() -> None:
    """A server may report only one of the two, or a number that is no count of tokens."""
    spending = Spending(PRICE, 1.0, max_tokens=1000)
    assert spending.settle(spending.reserve(400), None, 50) == Tokens(200, 50)
    assert spending.settle(spending.reserve(400), 100, None) == Tokens(100, 1000)
    assert spending.dollars == pytest.approx(PRICE.cost(300, 1050))


def test_a_request_waits_for_those_under_way() -> None:
    """Only if it fits without them. A wait ends with any of their replies."""
    bound = PRICE.cost(200, 1000)

    async def waits(spending: Spending, characters: int = 400) -> bool:
        waiting = asyncio.create_task(spending.wait_for_room(characters))
        await asyncio.sleep(0)
        if waiting.done():
            return False
        spending.settle(Tokens(200, 1000), 0, 0)
        await waiting
        return True

    for under_way, characters, expected in ((0, 400, False), (1, 400, True), (1, 10**6, False)):
        spending = Spending(PRICE, 1.5 * bound, max_tokens=1000)
        for _ in range(under_way):
            spending.reserve(400)
        assert asyncio.run(waits(spending, characters)) == expected
    assert not asyncio.run(waits(Spending(PRICE)))


def test_without_a_limit_the_longest_reply_so_far_is_doubled() -> None:
    """A budget cannot know the next reply, so it keeps a distance."""
    spending = Spending(PRICE, 1.0)
    usual = spending.reserve(0)
    assert usual == Tokens(0, 4096)
    spending.settle(usual, 0, 6000)
    assert spending.reserve(0) == Tokens(0, 12000)


def test_earlier_answers_count() -> None:
    """A resumed run has what is left of the budget."""
    spending = Spending(PRICE, 1.0)
    spending.count_earlier([Tokens(100_000, 50_000), Tokens(0, 40_000)])
    assert spending.dollars == pytest.approx(1.0)
    with pytest.raises(BudgetReachedError):
        spending.reserve(4)


def test_without_a_price_nothing_is_refused() -> None:
    """Tokens are counted all the same."""
    spending = Spending()
    spending.settle(spending.reserve(10**9), 5, 6)
    assert (spending.dollars, spending.input_tokens) == (0.0, 5)
    assert [tokens_of(number) for number in (0, 1, 4, 5)] == [0, 1, 1, 2]
