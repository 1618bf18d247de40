"""The tables of a relational environment that a suite brings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.relational_tables import Tables, read_tables

USER = {"id": 1, "name": "Ada", "email": "ada@example.org", "location": 10}
TABLES: dict[str, Any] = {
    "users": [{**USER, "favorite_color": "red", "favorite_foods": [20]}],
    "locations": [{"id": 10, "city": "Porto", "current_time": "09:00", "current_weather": "rain"}],
    "foods": [{"id": 20, "name": "Soup", "calories": 90, "allergic_ingredients": ["milk"]}],
    "current_user": 1,
}


def read(tmp_path: Path, **changed: Any) -> Tables:
    path = tmp_path / "tables.json"
    path.write_text(json.dumps(TABLES | changed), encoding="utf-8")
    return read_tables(path, "tables.json", tmp_path)


def test_tables_are_read(tmp_path: Path) -> None:
    """Each row has its fields."""
    tables = read(tmp_path)

    assert (tables.users[0].name, tables.locations[0].city) == ("Ada", "Porto")
    assert (tables.foods[0].calories, tables.current_user) == (90, 1)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"foods": TABLES["foods"] * 2}, r"\$\.foods: has 2 rows with the id 20"),
        ({"foods": []}, r"\$\.users\[0\]\.favorite_foods\[0\]: leads to no row: 20"),
        ({"locations": []}, r"\$\.users\[0\]\.location: leads to no row: 10"),
        ({"current_user": 2}, r"\$\.current_user: names a user that is not in the table: 2"),
    ],
)
def test_ids_that_lead_nowhere_or_twice_are_problems(
    tmp_path: Path, changed: dict[str, Any], what: str
) -> None:
    """Each problem has its place."""
    with pytest.raises(FilesError, match=what):
        read(tmp_path, **changed)
