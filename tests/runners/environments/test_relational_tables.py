"""The tables of the relational data: ids are unique, references resolve, fields have their form."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from leaderboard.files.tables_file import Food, Location, User
from runners.environments.relational_tables import CURRENT_USER, FOODS, LOCATIONS, USERS


def test_the_tables_are_large_enough() -> None:
    """There are at least 6 users, 5 locations and 7 foods; one food has no allergic ingredients."""
    assert (len(USERS) >= 6, len(LOCATIONS) >= 5, len(FOODS) >= 7) == (True, True, True)
    assert any(not food.allergic_ingredients for food in FOODS)


@pytest.mark.parametrize("rows", [USERS, LOCATIONS, FOODS], ids=["users", "locations", "foods"])
def test_ids_cannot_be_guessed(rows: tuple[User | Location | Food, ...]) -> None:
    """Ids differ, do not follow one another, and are not positions."""
    ids = [row.id for row in rows]
    assert all(abs(one - other) > 1 for one, other in combinations(ids, 2))
    assert not set(ids) & set(range(len(ids) + 1))


def test_ids_differ_between_tables() -> None:
    """No id occurs in two tables."""
    ids = [row.id for rows in (USERS, LOCATIONS, FOODS) for row in rows]
    assert len(ids) == len(set(ids))


def test_the_tables_fit_together() -> None:
    """Users refer to existing locations and foods; addresses, times and weather have their form."""
    places, foods = {place.id for place in LOCATIONS}, {food.id for food in FOODS}
    for user in USERS:
        assert user.location in places
        assert set(user.favorite_foods) <= foods
        assert len(set(user.favorite_foods)) == len(user.favorite_foods) > 0
        assert user.email == f"{user.name.lower()}@example.org"
    for place in LOCATIONS:
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}", place.current_time)
        assert re.fullmatch(r"[A-Z][A-Za-z ]+, Temperature: -?\d+°F", place.current_weather)


def test_the_current_user_is_a_user() -> None:
    """The id of the user who asks is in the table."""
    assert CURRENT_USER in {user.id for user in USERS}
