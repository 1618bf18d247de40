"""Relational data: tools that look up users, locations and foods by id, and ids by name.

Most questions need several look-ups, each with an id from an earlier one. Nothing changes, so there
is no state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType
from typing import Final, TypeVar

from typing_extensions import TypedDict

from runners.environments.environment import Environment, ToolError, tool_from_function
from runners.environments.relational_tables import (
    CURRENT_USER,
    FOODS,
    LOCATIONS,
    USERS,
    Food,
    Location,
    User,
)
from runners.environments.tasks import ToolUsageTask


class NameHit(TypedDict):
    """A user or a food, found by its name."""

    id: int
    name: str


class CityHit(TypedDict):
    """A location, found by its city."""

    id: int
    city: str


_Row = TypeVar("_Row")
_RowWithId = TypeVar("_RowWithId", User, Location, Food)


def similarity(one: str, other: str) -> float:
    """The similarity of two texts, 0 to 1: the Jaccard index of their sets of characters.

    Case matters and order does not, so anagrams count as equal.
    """
    both = set(one) | set(other)
    return len(set(one) & set(other)) / len(both) if both else 1.0


def most_similar_first(query: str, rows: Iterable[_Row], text: Callable[[_Row], str]) -> list[_Row]:
    """All rows, the most similar first; equally similar rows keep their order."""
    return sorted(rows, key=lambda row: similarity(query, text(row)), reverse=True)


def _find(rows: Sequence[_RowWithId], row_id: int) -> _RowWithId:
    for row in rows:
        if row.id == row_id:
            return row
    raise ToolError(f"{type(rows[0]).__name__} ID {row_id} cannot be resolved")


# The docstrings are the descriptions that models read.


def get_user_name(user_id: int) -> str:
    """The name of a user."""
    return _find(USERS, user_id).name


def list_user_ids() -> list[int]:
    """The IDs of all users."""
    return [user.id for user in USERS]


def find_users_by_name(name: str) -> list[NameHit]:
    """Finds users by name: every user with ID and name, the most similar names first.

    Even the first may be another user.
    """
    found = most_similar_first(name, USERS, lambda user: user.name)
    return [{"id": user.id, "name": user.name} for user in found]


def find_locations_by_name(city: str) -> list[CityHit]:
    """Finds locations by city: every location with ID and city, the most similar first.

    Even the first may be another city.
    """
    found = most_similar_first(city, LOCATIONS, lambda place: place.city)
    return [{"id": place.id, "city": place.city} for place in found]


def find_foods_by_name(food: str) -> list[NameHit]:
    """Finds foods by name: every food with ID and name, the most similar names first.

    Even the first may be another food.
    """
    found = most_similar_first(food, FOODS, lambda row: row.name)
    return [{"id": row.id, "name": row.name} for row in found]


def get_user_email(user_id: int) -> str:
    """The e-mail address of a user."""
    return _find(USERS, user_id).email


def get_user_location(user_id: int) -> int:
    """The ID of the location where a user lives."""
    return _find(USERS, user_id).location


def get_user_favorite_color(user_id: int) -> str:
    """The favorite color of a user."""
    return _find(USERS, user_id).favorite_color


def get_user_favorite_foods(user_id: int) -> list[int]:
    """The IDs of a user's favorite foods."""
    return list(_find(USERS, user_id).favorite_foods)


def get_weather_at_location(location_id: int) -> str:
    """The weather at a location now."""
    return _find(LOCATIONS, location_id).current_weather


def get_city_for_location(location_id: int) -> str:
    """The city of a location."""
    return _find(LOCATIONS, location_id).city


def get_current_time_for_location(location_id: int) -> str:
    """Date and time at a location now."""
    return _find(LOCATIONS, location_id).current_time


def get_current_weather_for_location(location_id: int) -> str:
    """The current weather at a location."""
    return _find(LOCATIONS, location_id).current_weather


def get_food_name(food_id: int) -> str:
    """The name of a food."""
    return _find(FOODS, food_id).name


def get_food_calories(food_id: int) -> int:
    """The calories of one serving of a food."""
    return _find(FOODS, food_id).calories


def get_food_allergic_ingredients(food_id: int) -> list[str]:
    """The ingredients of a food that people may be allergic to."""
    return list(_find(FOODS, food_id).allergic_ingredients)


def get_current_user_id() -> int:
    """The ID of the user who is asking."""
    return CURRENT_USER


_PARAMETERS: Final = MappingProxyType(
    {
        "user_id": "The ID of a user.",
        "location_id": "The ID of a location.",
        "food_id": "The ID of a food.",
        "name": "The name to look for.",
        "city": "The city to look for.",
        "food": "The name of the food to look for.",
    }
)

# In the order that models see. A function is a tool only if it is listed here.
_FUNCTIONS: Final = (
    get_user_name,
    list_user_ids,
    find_users_by_name,
    find_locations_by_name,
    find_foods_by_name,
    get_user_email,
    get_user_location,
    get_user_favorite_color,
    get_user_favorite_foods,
    get_weather_at_location,
    get_city_for_location,
    get_current_time_for_location,
    get_current_weather_for_location,
    get_food_name,
    get_food_calories,
    get_food_allergic_ingredients,
    get_current_user_id,
)


def create() -> Environment:
    """The 17 look-up tools."""
    return Environment(tuple(tool_from_function(function, _PARAMETERS) for function in _FUNCTIONS))


RELATIONAL_DATA: Final = ToolUsageTask(
    name="Tool Usage - Relational Data",
    suite="tool_usage",
    category="relational_data",
    description=(
        "Made-up users, the locations where they live and the foods they like, in three tables "
        "that refer to one another by ID. Tools look up one thing at a time. The questions take "
        "from one to five look-ups, most of which need what an earlier one gave. It counts whether "
        "the answer is right, and whether it was found without detours."
    ),
    instructions=(
        "Answer the question by using the tools, which look things up about users, locations and "
        "foods. Do not guess, and do not answer from what you know yourself: everything you need "
        "can be looked up. Every user, location and food has both a name and an ID, and these are "
        "two different things. Where a tool takes an ID, find the ID first."
    ),
    create_environment=create,
    upstream_ids=("1d89f4b3-5f73-48cf-a127-2fdeb22f6d84",),
)
