"""Relational data: tools that look up users, locations and foods by id, and ids by name.

Most questions need several look-ups, each with an id from an earlier one. Nothing changes, so there
is no state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MethodType
from typing import Final, TypeVar

from typing_extensions import TypedDict

from leaderboard.files.relational_tables import Food, Location, Tables, User
from runners.environments.environment import Environment, ToolError, tool_from_function
from runners.environments.tasks import ToolUsageTask

# All rows are made up. Ids differ between tables, have gaps and are no positions, so a guessed
# id finds nothing.
USERS: Final = (
    User(17, "Brimlo", "brimlo@example.org", 55, "teal", (131, 194)),
    User(24, "Zuvia", "zuvia@example.org", 12, "crimson", (118,)),
    User(38, "Ottka", "ottka@example.org", 83, "amber", (142, 105, 167)),
    User(52, "Wexelle", "wexelle@example.org", 55, "ivory", (156, 183)),
    User(61, "Fanno", "fanno@example.org", 29, "crimson", (105,)),
    User(79, "Yuriba", "yuriba@example.org", 34, "indigo", (167, 118)),
    User(94, "Plimmo", "plimmo@example.org", 68, "olive", (183, 131, 142)),
)

LOCATIONS: Final = (
    Location(12, "Tindleford", "2031-03-14 09:40", "Light Rain, Temperature: 52°F"),
    Location(29, "Port Quillon", "2031-03-14 16:05", "Windy, Temperature: 61°F"),
    Location(34, "Vantris", "2031-03-14 23:20", "Clear, Temperature: 70°F"),
    Location(55, "Kestrel Bay", "2031-03-14 11:55", "Foggy, Temperature: 47°F"),
    Location(68, "Old Marrow", "2031-03-14 14:30", "Partly Cloudy, Temperature: 66°F"),
    Location(83, "Snowmere", "2031-03-14 18:45", "Snow, Temperature: 28°F"),
)

FOODS: Final = (
    Food(105, "Lentil Soup", 240, ()),
    Food(118, "Walnut Brownie", 410, ("walnuts", "eggs", "wheat")),
    Food(131, "Shrimp Dumplings", 330, ("shellfish", "wheat", "soy")),
    Food(142, "Mushroom Risotto", 380, ("milk",)),
    Food(156, "Papaya Salad", 170, ("peanuts", "fish")),
    Food(167, "Cheese Toast", 290, ("milk", "wheat")),
    Food(183, "Plum Sorbet", 130, ()),
    Food(194, "Seaweed Rolls", 210, ("soy", "sesame")),
)

CURRENT_USER: Final = 52

TABLES: Final = Tables(USERS, LOCATIONS, FOODS, CURRENT_USER)


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


def _find(table: str, rows: Sequence[_RowWithId], row_id: int) -> _RowWithId:
    for row in rows:
        if row.id == row_id:
            return row
    raise ToolError(f"{table} ID {row_id} cannot be resolved")


@dataclass(frozen=True, slots=True)
class Lookups:
    """The tools, as methods over some tables. Their docstrings are what models read."""

    tables: Tables

    def get_user_name(self, user_id: int) -> str:
        """The name of a user."""
        return self._user(user_id).name

    def list_user_ids(self) -> list[int]:
        """The IDs of all users."""
        return [user.id for user in self.tables.users]

    def find_users_by_name(self, name: str) -> list[NameHit]:
        """Finds users by name: every user with ID and name, the most similar names first.

        Even the first may be another user.
        """
        found = most_similar_first(name, self.tables.users, lambda user: user.name)
        return [{"id": user.id, "name": user.name} for user in found]

    def find_locations_by_name(self, city: str) -> list[CityHit]:
        """Finds locations by city: every location with ID and city, the most similar first.

        Even the first may be another city.
        """
        found = most_similar_first(city, self.tables.locations, lambda place: place.city)
        return [{"id": place.id, "city": place.city} for place in found]

    def find_foods_by_name(self, food: str) -> list[NameHit]:
        """Finds foods by name: every food with ID and name, the most similar names first.

        Even the first may be another food.
        """
        found = most_similar_first(food, self.tables.foods, lambda row: row.name)
        return [{"id": row.id, "name": row.name} for row in found]

    def get_user_email(self, user_id: int) -> str:
        """The e-mail address of a user."""
        return self._user(user_id).email

    def get_user_location(self, user_id: int) -> int:
        """The ID of the location where a user lives."""
        return self._user(user_id).location

    def get_user_favorite_color(self, user_id: int) -> str:
        """The favorite color of a user."""
        return self._user(user_id).favorite_color

    def get_user_favorite_foods(self, user_id: int) -> list[int]:
        """The IDs of a user's favorite foods."""
        return list(self._user(user_id).favorite_foods)

    def get_weather_at_location(self, location_id: int) -> str:
        """The weather at a location now."""
        return self._location(location_id).current_weather

    def get_city_for_location(self, location_id: int) -> str:
        """The city of a location."""
        return self._location(location_id).city

    def get_current_time_for_location(self, location_id: int) -> str:
        """Date and time at a location now."""
        return self._location(location_id).current_time

    def get_current_weather_for_location(self, location_id: int) -> str:
        """The current weather at a location."""
        return self._location(location_id).current_weather

    def get_food_name(self, food_id: int) -> str:
        """The name of a food."""
        return self._food(food_id).name

    def get_food_calories(self, food_id: int) -> int:
        """The calories of one serving of a food."""
        return self._food(food_id).calories

    def get_food_allergic_ingredients(self, food_id: int) -> list[str]:
        """The ingredients of a food that people may be allergic to."""
        return list(self._food(food_id).allergic_ingredients)

    def get_current_user_id(self) -> int:
        """The ID of the user who is asking."""
        return self.tables.current_user

    def _user(self, user_id: int) -> User:
        return _find("User", self.tables.users, user_id)

    def _location(self, location_id: int) -> Location:
        return _find("Location", self.tables.locations, location_id)

    def _food(self, food_id: int) -> Food:
        return _find("Food", self.tables.foods, food_id)


_PARAMETERS: Final[Mapping[str, str]] = {
    "user_id": "The ID of a user.",
    "location_id": "The ID of a location.",
    "food_id": "The ID of a food.",
    "name": "The name to look for.",
    "city": "The city to look for.",
    "food": "The name of the food to look for.",
}

# In the order that models see. A method is a tool only if it is listed here.
_TOOLS: Final = (
    Lookups.get_user_name,
    Lookups.list_user_ids,
    Lookups.find_users_by_name,
    Lookups.find_locations_by_name,
    Lookups.find_foods_by_name,
    Lookups.get_user_email,
    Lookups.get_user_location,
    Lookups.get_user_favorite_color,
    Lookups.get_user_favorite_foods,
    Lookups.get_weather_at_location,
    Lookups.get_city_for_location,
    Lookups.get_current_time_for_location,
    Lookups.get_current_weather_for_location,
    Lookups.get_food_name,
    Lookups.get_food_calories,
    Lookups.get_food_allergic_ingredients,
    Lookups.get_current_user_id,
)


def create(tables: Tables = TABLES) -> Environment:
    """The 17 look-up tools, over this project's tables or others."""
    found = [MethodType(tool, Lookups(tables)) for tool in _TOOLS]
    return Environment(tuple(tool_from_function(function, _PARAMETERS) for function in found))


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
    create_over=create,
    upstream_ids=("1d89f4b3-5f73-48cf-a127-2fdeb22f6d84",),
)
