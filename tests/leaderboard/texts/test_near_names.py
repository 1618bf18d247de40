"""Misspelt names."""

from __future__ import annotations

from leaderboard.texts.near_names import SLIP, nearest
from tests.each_row import each_row

KEYS = ("id", "facts", "text", "accepted", "any_call", "order_matters", "optional_members")


@each_row(
    ("name", "meant"),
    [
        ("acepted", "accepted"),
        ("Facts", "facts"),
        ("order_mater", "order_matters"),
        ("any_cal", "any_call"),
        ("optional_member", "optional_members"),
        ("idx", None),
        ("source", None),
        ("context", None),
    ],
)
def test_a_misspelt_name_has_a_nearest_one(name: str, meant: str | None) -> None:
    """Other names are left alone: they are a file's own."""
    assert nearest(name, KEYS, SLIP) == meant


def test_a_suggestion_may_be_less_alike() -> None:
    """A name that a user typed is compared without letter case, and more loosely."""
    assert nearest("ACEPT", KEYS) == "accepted"
    assert nearest("xyz", KEYS) is None
