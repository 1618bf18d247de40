"""Relational data: seventeen look-ups over three made-up tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from itertools import combinations
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from leaderboard.files.relational_tables import Food, Location, User
from leaderboard.types import Json
from runners.environments import registry, relational
from runners.environments.environment import Environment
from runners.environments.relational import (
    CURRENT_USER,
    FOODS,
    LOCATIONS,
    TABLES,
    USERS,
    most_similar_first,
    similarity,
)

SIGNATURES = [
    ("get_user_name", {"user_id": "integer"}),
    ("list_user_ids", {}),
    ("find_users_by_name", {"name": "string"}),
    ("find_locations_by_name", {"city": "string"}),
    ("find_foods_by_name", {"food": "string"}),
    ("get_user_email", {"user_id": "integer"}),
    ("get_user_location", {"user_id": "integer"}),
    ("get_user_favorite_color", {"user_id": "integer"}),
    ("get_user_favorite_foods", {"user_id": "integer"}),
    ("get_weather_at_location", {"location_id": "integer"}),
    ("get_city_for_location", {"location_id": "integer"}),
    ("get_current_time_for_location", {"location_id": "integer"}),
    ("get_current_weather_for_location", {"location_id": "integer"}),
    ("get_food_name", {"food_id": "integer"}),
    ("get_food_calories", {"food_id": "integer"}),
    ("get_food_allergic_ingredients", {"food_id": "integer"}),
    ("get_current_user_id", {}),
]
CITIES = ["New York", "Los Angeles", "Chicago", "Houston", "Miami"]


@pytest.fixture
def world() -> Environment:
    """A fresh environment."""
    return registry["Tool Usage - Relational Data"].create_environment()


def every_call(world: Environment) -> Iterator[tuple[str, Json]]:
    """Every look-up with every id, and the others once: the tool's name and its answer."""
    ids = {
        "user_id": [u.id for u in USERS],
        "location_id": [p.id for p in LOCATIONS],
        "food_id": [f.id for f in FOODS],
    }
    for tool in world.tools:
        if not tool.tool.parameters:
            yield tool.name, world.call(tool.name, {})
        for parameter in tool.tool.parameters:
            for value in ids.get(parameter.name, ["La"]):
                yield tool.name, world.call(tool.name, {parameter.name: value})


def test_the_seventeen_signatures(world: Environment) -> None:
    """The tools are in order, with their parameters and types; ids are integers."""
    found = [(tool.name, {p.name: p.type for p in tool.tool.parameters}) for tool in world.tools]
    assert found == SIGNATURES


def test_there_is_no_state(world: Environment) -> None:
    """The environment has no state, because looking things up changes nothing."""
    assert (None, False) == (world.read_state(), world.has_state)


@pytest.mark.parametrize("user", USERS, ids=lambda user: user.name)
def test_users(world: Environment, user: User) -> None:
    """Every field of a user is found by the user's id."""
    fields = ("name", "email", "location", "favorite_color", "favorite_foods")
    expected = [
        user.name,
        user.email,
        user.location,
        user.favorite_color,
        list(user.favorite_foods),
    ]
    assert expected == [world.call(f"get_user_{field}", {"user_id": user.id}) for field in fields]


@pytest.mark.parametrize("location", LOCATIONS, ids=lambda location: location.city)
def test_locations(world: Environment, location: Location) -> None:
    """Every field of a location is found by its id; the two tools for the weather say the same."""
    tools = (
        "get_city_for_location",
        "get_current_time_for_location",
        "get_weather_at_location",
        "get_current_weather_for_location",
    )
    expected = [
        location.city,
        location.current_time,
        location.current_weather,
        location.current_weather,
    ]
    assert expected == [world.call(tool, {"location_id": location.id}) for tool in tools]


@pytest.mark.parametrize("food", FOODS, ids=lambda food: food.name)
def test_foods(world: Environment, food: Food) -> None:
    """Every field of a food is found by its id; no allergic ingredients are an empty list."""
    expected = [food.name, food.calories, list(food.allergic_ingredients)]
    assert expected == [
        world.call(f"get_food_{field}", {"food_id": food.id})
        for field in ("name", "calories", "allergic_ingredients")
    ]


def test_everybody_and_oneself(world: Environment) -> None:
    """All users are listed in the table's order, and the one who asks is one of them."""
    assert world.call("list_user_ids") == [user.id for user in USERS]
    assert world.call("get_current_user_id") == CURRENT_USER
    assert CURRENT_USER in world.call("list_user_ids")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (name, next(iter(given)).removesuffix("_id").title())
        for name, given in SIGNATURES
        if "integer" in given.values()
    ],
)
@pytest.mark.parametrize("unknown", [999, 0, -1])
def test_an_unknown_id_is_an_answer(world: Environment, name: str, what: str, unknown: int) -> None:
    """A look-up of an id that is not there says so in the tool's answer."""
    assert (
        world.call(name, {f"{what.lower()}_id": unknown})
        == f"{what} ID {unknown} cannot be resolved"
    )


def test_ids_of_one_table_are_unknown_in_the_others(world: Environment) -> None:
    """An id that belongs to another table is not resolved by chance."""
    assert (
        world.call("get_user_name", {"user_id": LOCATIONS[0].id})
        == f"User ID {LOCATIONS[0].id} cannot be resolved"
    )
    assert (
        world.call("get_food_name", {"food_id": USERS[0].id})
        == f"Food ID {USERS[0].id} cannot be resolved"
    )


@pytest.mark.parametrize("value", ["17", "Brimlo", 17.5, None, True, [17]])
def test_an_id_is_an_integer(world: Environment, value: Json) -> None:
    """A name, or an id in another type, is answered with an error text."""
    assert world.call("get_user_name", {"user_id": value}).startswith(
        "ERROR: the argument user_id of get_user_name must be an"
    )


# ---------------------------------------------------------------- search


def test_similarity_is_of_character_sets() -> None:
    """Shared characters over all characters, each counted once."""
    pairs = [("abc", "bcd"), ("aab", "ab"), ("x", "y"), ("", "ab"), ("", "")]
    assert [0.5, 1.0, 0.0, 0.0, 1.0] == [similarity(*pair) for pair in pairs]


def test_the_vector_of_the_cities() -> None:
    """The query LA has Los Angeles first, the others in the table's order."""
    expected = ["Los Angeles", "New York", "Chicago", "Houston", "Miami"]
    assert most_similar_first("LA", CITIES, lambda city: city) == expected


@pytest.mark.parametrize(
    ("tool", "argument", "field", "rows"),
    [
        ("find_users_by_name", "name", "name", [(row.id, row.name) for row in USERS]),
        ("find_locations_by_name", "city", "city", [(row.id, row.city) for row in LOCATIONS]),
        ("find_foods_by_name", "food", "name", [(row.id, row.name) for row in FOODS]),
    ],
)
def test_an_exact_name_comes_first(
    world: Environment, tool: str, argument: str, field: str, rows: list[tuple[int, str]]
) -> None:
    """Every search gives all rows with id and name; an exact name is alone at the top."""
    for row_id, name in rows:
        hits = world.call(tool, {argument: name})
        assert hits[0] == {"id": row_id, field: name}
        assert sorted((hit["id"], hit[field]) for hit in hits) == sorted(rows)
        assert similarity(name, hits[1][field]) < 1


def test_c_26_search_is_as_it_is_published() -> None:
    """C-26: case counts, anagrams tie, an empty query keeps the order, every row is a hit."""

    def search(query: str, names: list[str]) -> list[str]:
        return most_similar_first(query, names, lambda name: name)

    assert search("la", ["LALA", "al-Hala"]) == ["al-Hala", "LALA"]
    assert search("ABLE", ["Able", "BALE", "ABLE"]) == ["BALE", "ABLE", "Able"]
    assert search("", CITIES) == CITIES
    assert search("zzz", CITIES) == CITIES


def test_c_26_the_tools_say_that_a_hit_may_be_another(world: Environment) -> None:
    """C-26: the descriptions say that every row comes back and that the first may be wrong."""
    for tool in world.tools[2:5]:
        assert "the most similar" in tool.tool.description
        assert "Even the first may be another" in tool.tool.description
    assert [user.id for user in USERS] == [
        hit["id"] for hit in world.call("find_users_by_name", {"name": ""})
    ]


# ---------------------------------------------------------------- defects


def test_c_12_results_are_copies(world: Environment) -> None:
    """C-12: changing a result changes no later look-up, here or in another environment."""
    before = list(every_call(world))
    for _, answer in every_call(world):
        if isinstance(answer, list):
            for hit in answer:
                if isinstance(hit, dict):
                    hit.clear()
            answer.append("scribble")
    assert before == list(every_call(world))
    assert before == list(every_call(registry["Tool Usage - Relational Data"].create_environment()))


def test_c_12_the_functions_alone_give_copies_too() -> None:
    """C-12: the rows are frozen, and no list that a function gives is the table's own."""
    lookups = relational.Lookups(TABLES)
    lookups.get_user_favorite_foods(17).append(0)
    lookups.get_food_allergic_ingredients(118).clear()
    assert [131, 194] == lookups.get_user_favorite_foods(17)
    assert ["walnuts", "eggs", "wheat"] == lookups.get_food_allergic_ingredients(118)
    with pytest.raises(FrozenInstanceError):
        USERS[0].name = "x"  # type: ignore[misc]


def test_c_13_annotations_hold(world: Environment) -> None:
    """C-13: every result has its function's declared type, ids in lists and hits included."""
    seen = set()
    for name, answer in every_call(world):
        declared: Any = get_type_hints(getattr(relational.Lookups, name))["return"]
        assert TypeAdapter(declared).validate_python(answer, strict=True) == answer
        seen.add(name)
    assert seen == {name for name, _ in SIGNATURES}


def test_c_13_ids_are_integers() -> None:
    """C-13: lists of ids and the ids of hits are declared as integers."""
    assert get_type_hints(relational.Lookups.list_user_ids)["return"] == list[int]
    assert (
        get_type_hints(relational.NameHit)["id"] is get_type_hints(relational.CityHit)["id"] is int
    )


def test_c_28_only_listed_functions_are_tools(
    world: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-28: only listed functions are tools, no other method."""
    secret = relational.Lookups.get_user_name
    monkeypatch.setattr(relational.Lookups, "get_user_secret", secret, raising=False)
    names = [tool.name for tool in relational.create().tools]
    assert names == [tool.name for tool in world.tools] == [name for name, _ in SIGNATURES]


def test_the_instructions_say_what_matters() -> None:
    """Use the tools, do not guess, and take names and ids for two different things."""
    text = registry["Tool Usage - Relational Data"].instructions
    for words in (
        "using the tools",
        "Do not guess",
        "both a name and an ID",
        "two different things",
    ):
        assert words in text


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
