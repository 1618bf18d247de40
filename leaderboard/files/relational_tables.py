"""The tables of a relational environment: users, the places where they live, the foods they like.

A suite may bring its own in a JSON file, which a category names: `{"users": […], "locations": […],
"foods": […], "current_user": 35}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, with_config

from leaderboard.files.field_types import CLOSED
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.files.shaped_files import read_shaped

_FIX: Final = "see lb docs kinds"


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class User:
    """A person. `location` is a location's id, `favorite_foods` holds ids of foods."""

    id: int
    name: str
    email: str
    location: int
    favorite_color: str
    favorite_foods: tuple[int, ...]


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class Location:
    """A city, its current time and its current weather."""

    id: int
    city: str
    current_time: str
    current_weather: str


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class Food:
    """A dish, the calories of one serving, and the ingredients that people are allergic to."""

    id: int
    name: str
    calories: int
    allergic_ingredients: tuple[str, ...]


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class Tables:
    """Three tables that refer to one another by id, and the id of the user who asks."""

    users: tuple[User, ...]
    locations: tuple[Location, ...]
    foods: tuple[Food, ...]
    current_user: int


TABLES_FILE: Final = TypeAdapter(Tables)


def read_tables(path: Path, shown: str, root: Path) -> Tables:
    """Reads the tables in a JSON file. `shown` names it in messages. Raises FilesError."""
    tables, findings = read_shaped(TABLES_FILE, path, shown, root, _FIX)
    check_tables(tables, findings)
    findings.raise_errors()
    return tables


def check_tables(tables: Tables, findings: Findings) -> None:
    """Reports ids that occur twice in a table, and ids that lead to no row."""
    ids = {}
    for name in ("users", "locations", "foods"):
        ids[name] = Counter(row.id for row in getattr(tables, name))
        for row_id, number in ids[name].items():
            if number > 1:
                findings.add((name,), f"has {number} rows with the id {row_id}", "keep one")
    for at, row_id in _references(tables):
        if row_id not in ids["locations" if at[2] == "location" else "foods"]:
            findings.add(at, f"leads to no row: {row_id}", "add the row, or correct the id")
    if tables.current_user not in ids["users"]:
        what = f"names a user that is not in the table: {tables.current_user}"
        findings.add(("current_user",), what, "give the id of the user who asks")


def _references(tables: Tables) -> Iterator[tuple[At, int]]:
    """The ids in the rows of users, with their places."""
    for place, user in enumerate(tables.users):
        yield ("users", place, "location"), user.location
        for number, food in enumerate(user.favorite_foods):
            yield ("users", place, "favorite_foods", number), food
