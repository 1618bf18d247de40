"""The card of a submission as pages show it."""

from __future__ import annotations

import dataclasses
import time

from leaderboard.types import Json
from site_templates.parts.card_facts import card_settings
from tests.site_templates.site_sweep import CARD


def test_a_setting_has_the_names_around_it() -> None:
    """Also an empty name, and an empty object."""
    inner: Json = {"b": {"c": 1}, "": True, "d": {}}
    card = dataclasses.replace(CARD, settings={"a": inner})
    shown = [(setting.name, setting.value) for setting in card_settings(card)]
    assert shown == [("a,", "true"), ("a, b, c", "1"), ("a, d", "{}")]


def test_t12_a_long_name_around_many_settings_is_cut_once() -> None:
    """The largest card that is read is shown in little time."""
    long = "a " * 30_000
    card = dataclasses.replace(CARD, settings={long: {str(place): 0 for place in range(7_000)}})
    start = time.process_time()
    assert len(card_settings(card)) == 7_000
    assert time.process_time() - start < 2
