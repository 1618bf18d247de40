"""The ids of the shipped cases: they say nothing about category or answer."""

from __future__ import annotations

import json
import re
import tomllib
from itertools import combinations

import pytest

from tests.conftest import shipped

PREFIXES = {"tool_selection": "ts", "tool_usage": "tu"}
every_suite = pytest.mark.parametrize("suite", PREFIXES)


def numbers(suite: str) -> dict[str, list[int]]:
    """The numbers of the ids of each category, in the order of its file."""
    folder = shipped(f"datasets/{suite}")
    found = {}
    for category in tomllib.loads((folder / "suite.toml").read_text(encoding="utf-8"))[
        "categories"
    ]:
        ids = [case["id"] for case in json.loads((folder / category["file"]).read_text("utf-8"))]
        odd = [name for name in ids if not re.fullmatch(rf"{PREFIXES[suite]}-[1-9]\d\d", name)]
        assert odd == [], f"{category['id']}: expected ids like {PREFIXES[suite]}-137"
        found[category["id"]] = [int(name[-3:]) for name in ids]
    return found


@every_suite
def test_ids_are_unique_and_in_order(suite: str) -> None:
    """No two cases of a suite have one id, and each file is in the order of its ids."""
    of = numbers(suite)
    assert {category: sorted(set(found)) for category, found in of.items()} == of
    everything = [number for found in of.values() for number in found]
    assert len(everything) == len(set(everything))


@every_suite
def test_the_order_of_ids_does_not_separate_categories(suite: str) -> None:
    """Of two cases of two categories, each comes first about as often as the other."""
    for (one, first), (two, second) in combinations(numbers(suite).items(), 2):
        before = sum(a < b for a in first for b in second) / (len(first) * len(second))
        assert 0.4 < before < 0.6, (one, two)


@every_suite
def test_the_last_digit_does_not_tell_the_category(suite: str) -> None:
    """No last digit has more than twice its share of a category."""
    for category, found in numbers(suite).items():
        for digit in range(10):
            same = sum(number % 10 == digit for number in found)
            assert same <= max(6, 2 * len(found) / 10), (category, digit)
