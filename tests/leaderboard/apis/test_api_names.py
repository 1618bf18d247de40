"""Names of APIs: spellings, unique sanitised names, and finding an API by any of its names."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.apis.api_names import (
    ApiName,
    NameRegistry,
    change_name,
    sanitise,
    stable_toolbench_name,
    standard_category,
    standardise,
    standardise_upstream,
)
from tests.each_row import each_row

# What function-calling APIs take as a name.
SHOWN_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")

TRAM = ApiName("Transportation", "TramLine", "next departures")


@each_row(
    ("name", "standard"),
    [
        ("24h volume", "get_24h_volume"),
        ("/capture", "capture"),
        ("SEO API - Get Backlinks", "seo_api_get_backlinks"),
        ("Éclair", "clair"),
        ("A--B", "a_b"),
        ("***", ""),
        ("a^b", "a_b"),
        ("", ""),
        ("next departures", "next_departures"),
        ("天气 Now", "天气_now"),
    ],
)
def test_standardise(name: str, standard: str) -> None:
    """Unusual characters become one underscore; a leading digit gets the prefix get_."""
    assert standard == standardise(name)


def test_the_upstream_slip_is_kept_for_looking_up() -> None:
    """Upstream's expression keeps the caret, so existing caches may have it."""
    assert ("a^b", "a_b") == (standardise_upstream("a^b"), standardise("a^b"))


def test_words_of_the_language_are_changed() -> None:
    """The seven reserved words get is_ in front; nothing else changes."""
    words = ("from", "class", "return", "false", "true", "id", "and", "ids", "")
    assert [
        "is_from",
        "is_class",
        "is_return",
        "is_false",
        "is_true",
        "is_id",
        "is_and",
        "ids",
        "",
    ] == list(map(change_name, words))


@pytest.mark.parametrize(
    ("category", "standard"),
    [
        ("News, Media", "News_Media"),
        ("a   b", "a__b"),
        ("Health and Fitness", "Health_and_Fitness"),
        ("Data", "Data"),
    ],
)
def test_standard_category(category: str, standard: str) -> None:
    """Blanks, commas and slashes become underscores, and pairs of those one, in a single pass."""
    assert standard == standard_category(category)


def test_a_40_one_function_spells_categories_for_all() -> None:
    """A-40: every folder name spells a category in the same way."""
    from runners.apis.reply_files import place_of

    assert "a___b" == standard_category("a , / b")
    assert place_of(ApiName("a , / b", "T", "x")).path.split("/")[0] == standard_category("a , / b")


@each_row(
    ("name", "clean"),
    [
        ("Website Screenshot or Thumbnail_/capture", "Website_Screenshot_or_Thumbnail_capture"),
        ("SEO API - Get Backlinks_GetTopBacklinks", "SEO_API_-_Get_Backlinks_GetTopBacklinks"),
        ("-lead_x", "tool_-lead_x"),
        ("_", "tool"),
        ("", "tool"),
        ("a" * 70, "a" * 64),
        ("a" * 63 + "_bb", "a" * 63),
        ("--", "tool_--"),
        ("TramLine_next departures", "TramLine_next_departures"),
    ],
)
def test_sanitise(name: str, clean: str) -> None:
    """The vectors of the specification."""
    assert clean == sanitise(name)


@pytest.mark.parametrize("name", ["Türkçe ısı_x", "café_é", "٣٤_x", "köln_ö"])
def test_a_30_only_ascii_gets_through(name: str) -> None:
    """A-30: function-calling APIs accept no letters and digits of other scripts."""
    assert SHOWN_NAME.fullmatch(sanitise(name))


def test_a_30_colliding_names_are_kept_apart() -> None:
    """A-30: two APIs with the same sanitised name both get a hash; a third one does not."""
    first, second, third = (
        ApiName("Data", "Kit", "a b"),
        ApiName("Data", "Kit", "a/b"),
        ApiName("Data", "Kit", "c"),
    )
    registry = NameRegistry([first, second, third])
    names = [registry.sanitised(name) for name in (first, second, third)]
    assert 3 == len(set(names))
    assert "Kit_c" == names[2]
    assert all(
        name.startswith("Kit_a_b_") and len(name) == len("Kit_a_b_") + 8 for name in names[:2]
    )


def test_sanitised_names_do_not_depend_on_the_order() -> None:
    """The same set of APIs gives the same names in any order."""
    apis = [
        ApiName("Data", tool, api)
        for tool in ("a_b", "a")
        for api in ("c d", "b_c d", "c/d", "c-d")
    ]
    whole = NameRegistry(apis)
    for seed in range(5):
        shuffled = random.Random(seed).sample(apis, len(apis))
        assert {api: NameRegistry(shuffled).sanitised(api) for api in apis} == {
            api: whole.sanitised(api) for api in apis
        }


def test_a_name_made_to_look_like_a_hash_collides_with_nothing() -> None:
    """An API whose own name equals the hashed name of another gets a unique name too."""
    first, second = ApiName("Data", "Kit", "a b"), ApiName("Data", "Kit", "a/b")
    imitation = ApiName("Data", "Kit", first.hashed().removeprefix("Kit_"))
    registry = NameRegistry([first, second, imitation])
    names = {registry.sanitised(name) for name in (first, second, imitation)}
    assert 3 == len(names)
    assert all(SHOWN_NAME.fullmatch(name) for name in names)


@pytest.mark.large
@settings(max_examples=60)
@given(
    st.sets(
        st.tuples(
            st.sampled_from(["D", "E"]),
            st.text("aA_ -/é", max_size=4),
            st.text("bB_ -/ö", max_size=4),
        )
    )
)
def test_sanitising_is_injective_and_reversible(triples: set[tuple[str, str, str]]) -> None:
    """Within a registry all shown names differ, fit, and lead back to their pairs."""
    names = [ApiName(*triple) for triple in triples]
    registry = NameRegistry(names)
    shown = [registry.sanitised(name) for name in names]
    assert len(set(shown)) == len(shown)
    assert all(SHOWN_NAME.fullmatch(name) for name in shown)
    for name in names:
        found = registry.resolve(registry.sanitised(name))
        wrapper = [other for other in names if other.wrapper == registry.sanitised(name)]
        if not wrapper:  # a name that is another API's wrapper name, too, is that API
            assert found is not None
            assert name.pair == found.pair


def test_four_spellings_lead_to_one_pair() -> None:
    """The wrapper name, the sanitised name and StableToolBench's name find the same API."""
    registry = NameRegistry([TRAM, ApiName("Transportation", "TramLine", "line status")])
    spelled = [
        registry.resolve(name)
        for name in ("TramLine_next departures", "TramLine_next_departures", TRAM.hashed())
    ]
    other = registry.resolve("next_departures_for_tramline")
    assert [TRAM.pair] * 3 == [found.pair for found in spelled if found]
    assert TRAM == other
    assert TRAM == registry.find("TramLine", "next departures")


def test_a_pair_is_compared_exactly() -> None:
    """Another letter case is another name."""
    registry = NameRegistry([TRAM])
    assert registry.find("tramline", "next departures") is None
    assert registry.resolve("tramline_next departures") is None


def test_a_60_names_cut_at_64_characters_are_not_mistaken() -> None:
    """A-60: if two APIs share the last 64 characters of a name, it names neither of them."""
    tail = "x" * 64
    first, second = ApiName("Data", tail, "one"), ApiName("Data", tail, "two")
    registry = NameRegistry([first, second])
    shared = stable_toolbench_name(*first.pair)
    assert 64 == len(shared)
    assert registry.resolve(shared) is None


@pytest.mark.parametrize("name", ["", "departures", "for_tramline", "s_for_tramline"])
def test_a_60_a_name_is_never_matched_by_its_end(name: str) -> None:
    """A-60: dispatching by the end of a name took suffixes, and the empty name, for an API."""
    assert NameRegistry([TRAM]).resolve(name) is None


def test_a_06_a_name_is_not_taken_apart_while_a_registry_knows_it() -> None:
    """A-06: underscores and blanks inside a tool's name do not decide where it ends."""
    news = ApiName("News", "AI News Global", "v2_get all")
    found = NameRegistry([news]).resolve("AI News Global_v2_get all")
    assert found is not None
    assert ("AI News Global", "v2_get all") == found.pair


def test_a_wrapper_name_of_two_pairs_is_ambiguous() -> None:
    """`a_b_c` may be (a_b, c) or (a, b_c), so it names neither; hashed names still work."""
    first, second = ApiName("Data", "a_b", "c"), ApiName("Data", "a", "b_c")
    registry = NameRegistry([first, second])
    assert registry.resolve("a_b_c") is None
    resolved = [registry.resolve(registry.sanitised(name)) for name in (first, second)]
    assert [first.pair, second.pair] == [found.pair for found in resolved if found]


def test_one_pair_in_two_categories_is_one_api_to_a_score() -> None:
    """Two catalogue entries that differ in the category alone resolve to the pair they share."""
    found = NameRegistry([ApiName("B", "T", "x"), ApiName("A", "T", "x")]).resolve("T_x")
    assert found is not None
    assert (("T", "x"), "A") == (found.pair, found.category)


def test_every_collision_of_a_small_alphabet_is_told_apart() -> None:
    """All triples over a few awkward names, at once."""
    parts = ["a", "a_", "_a", "a b", "a-b", "A", "é", ""]
    names = [ApiName("D", tool, api) for tool, api in itertools.product(parts, parts)]
    registry = NameRegistry(names)
    assert len(names) == len({registry.sanitised(name) for name in names})
