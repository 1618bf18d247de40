"""Where replies are stored: one place for every spelling, and none outside the cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.apis.api_names import ApiName
from runners.apis.api_call import ApiReply
from runners.apis.reply_cache import ApiCache, CacheFileError
from runners.apis.reply_files import CachePlace, place_of
from tests.each_row import each_row
from tests.runners.apis.cached_replies import ENTRY, FILE, legacy, reply


@each_row(
    ("tool", "api"),
    [
        ("TramLine", "next departures"),
        ("tramline_for_Transportation", "next_departures"),
        ("TramLine", "next_departures_for_tramline"),
        ("tramline_for_Transportation", "next_departures_for_tramline"),
        ("tramline_for_Transportation", "next_departures_for_tramline_for_Transportation"),
    ],
)
def test_every_spelling_has_one_place(tool: str, api: str) -> None:
    """Requests of the wrapper and of the original pipeline mean the same file."""
    assert FILE == place_of(ApiName("Transportation", tool, api)).path


def test_reserved_words_are_changed_in_paths() -> None:
    """An API named `id` is in is_id.json, as upstream stores it."""
    assert "Data/parrot_for_Data/is_id.json" == place_of(ApiName("Data", "Parrot", "id")).path


HOSTILE = [
    *(
        "..",
        "../../etc/passwd",
        "a/../../b",
        "/etc/passwd",
        "..\\..\\x",
        "\0",
        "a\nb",
        ".",
        "",
        "C:\\x",
        "~",
        "%2e%2e/",
        "日本",
    ),
]


@pytest.mark.parametrize("name", [*HOSTILE, "x" * 5000])
def test_a_38_no_name_leads_out_of_the_cache(tmp_path: Path, name: str) -> None:
    """A-38: for any category, tool or API, every path is in the cache and can be written."""
    root = tmp_path / "cache"
    cache = ApiCache(root)
    for place in (
        place_of(ApiName(name, "T", "x")),
        place_of(ApiName("D", name, "x")),
        place_of(ApiName("D", "T", name)),
        place_of(ApiName("D", f"{name}_for_D", "x")),
    ):
        for path in (place.path, *place.others):
            whole = (root / path).resolve()
            assert whole.is_relative_to(root.resolve())
            assert 4 == len(whole.relative_to(tmp_path).parts)
        assert ENTRY.reply == cache.store(place, {"a": 1}, ENTRY)
        assert ENTRY.reply == cache.find(place, {"a": 1})
    assert {"cache"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.large
@given(*[st.text(max_size=12)] * 3)
def test_paths_are_plain(category: str, tool: str, api: str) -> None:
    """A path has three parts of letters, digits, `_` and `-`."""
    parts = place_of(ApiName(category, tool, api)).path.removesuffix(".json").split("/")
    assert 3 == len(parts)
    assert all(
        part and all(c.isascii() and (c.isalnum() or c in "_-") for c in part) for part in parts
    )


def test_names_that_are_made_plain_stay_apart() -> None:
    """Two Chinese tool names get the same underscores, but different files."""
    assert (
        place_of(ApiName("Data", "天气", "x")).path != place_of(ApiName("Data", "新闻", "x")).path
    )


def test_an_upstream_folder_with_other_letters_is_found(tmp_path: Path) -> None:
    """Upstream stores names with Chinese characters and carets. These files are read too."""
    legacy(tmp_path, {"{}": reply("sun")}, "Data/天气_for_Data/now.json")
    legacy(tmp_path, {"{}": reply("caret")}, "Data/t_for_Data/a^b.json")
    cache = ApiCache(tmp_path)
    assert ApiReply("", "sun") == cache.find(place_of(ApiName("Data", "天气", "now")), {})
    assert ApiReply("", "caret") == cache.find(place_of(ApiName("Data", "T", "a^b")), {})


def test_a_link_out_of_the_cache_is_not_followed(tmp_path: Path) -> None:
    """Such a link is neither read nor written through."""
    outside = tmp_path / "outside"
    legacy(outside, {"{}": reply("secret")}, "t_for_D/x.json")
    root = tmp_path / "cache"
    root.mkdir()
    (root / "D").symlink_to(outside, target_is_directory=True)
    cache = ApiCache(root)
    with pytest.raises(CacheFileError, match="is a link"):
        cache.find(place_of(ApiName("D", "T", "x")), {})
    with pytest.raises(CacheFileError, match="leads out of the cache"):
        cache.store(place_of(ApiName("D", "New", "x")), {}, ENTRY)
    assert ["t_for_D"] == [path.name for path in outside.iterdir()]


def test_a_place_as_text() -> None:
    """Messages show it without the suffix."""
    assert "a/b/c" == str(CachePlace("a/b/c.json"))
