"""The choice of tools for a query: reading a model's reply, what is kept, and what happens without a model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_definitions import ToolDefinition, definition
from leaderboard.apis.api_names import ApiName
from runners.apis.chosen_tools import chosen_names
from runners.apis.selector import Selection, ToolSelector, by_keywords, cache_names, filled


def tool(name: str, api: str, sanitised: str | None = None) -> ToolDefinition:
    made = definition(ApiName("D", name, api), "", "", ())
    assert sanitised in (None, made.sanitised_name)
    return made


# The catalogue of the upstream vectors.
TOOLS = (
    ToolDefinition(ApiName("D", "Weather", "now"), "", "", (), "Weather_now"),
    tool("Stock", "price", "Stock_price"),
    tool("News", "top", "News_top"),
    tool("Hotel", "find", "Hotel_find"),
    tool("the_map", "tool", "the_map_tool"),
)
QUERY = "weather in the city, please"


def select(
    reply: str | None, tools: tuple[ToolDefinition, ...] = TOOLS, query: str = QUERY, k: int = 3
) -> Selection:
    return ToolSelector(lambda _: reply, "m", k).select_tools(query, tools)


def names(selection: Selection) -> list[str]:
    return [found.sanitised_name for found in selection.tools]


BOTH = ["Stock_price", "News_top"]


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ('["Stock_price","News_top"]', BOTH),
        ('```json\n["Stock_price","News_top"]\n```', BOTH),
        ('```\n["Stock_price",\n"News_top"]\n```\n', BOTH),
        ('["Stock_price","News_top"] These two fit best.', BOTH),
        ('{"tools":["Stock_price"]}', ["Stock_price"]),
        ('["stock_price"]', ["Stock_price"]),
        ('["Weather now"]', ["Weather_now"]),
        ('["Stock_price","New', ["Stock_price"]),
        (
            '["News_top","Hotel_find","Stock_price","the_map_tool"]',
            ["News_top", "Hotel_find", "Stock_price"],
        ),
        ('["Stock_price", 5, null, "News_top"]', BOTH),
        ('["Stock_price", "no_such_tool", "News_top"]', BOTH),
    ],
)
def test_the_upstream_vectors(reply: str, chosen: list[str]) -> None:
    """Every reply of the vectors that names tools, with what must be read from it."""
    selection = select(reply)
    assert (chosen, "model") == (names(selection), selection.source)


@pytest.mark.parametrize(
    "reply",
    [
        'Here you go: ["Stock_price","News_top"]',
        'Tools [for you]:\n["Stock_price","News_top"]\nEnjoy',
        'I thought [1, 2] about it. ["Stock_price","News_top"]',
        'Sure!\n```json\n["Stock_price","News_top"]\n```',
    ],
)
def test_a_21_text_before_the_array_is_passed_over(reply: str) -> None:
    """A-21: the array is found, wherever it begins."""
    assert BOTH == names(select(reply))


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ('```json\n["Stock_price",\n"News_top"', BOTH),
        ('```\n["Stock_price",\n"News_top"]', BOTH),
        ('```["Stock_price"]```', ["Stock_price"]),
        ('```json["Stock_price"]```', ["Stock_price"]),
    ],
)
def test_a_22_only_a_real_fence_is_taken_off(reply: str, chosen: list[str]) -> None:
    """A-22: a reply cut before its closing fence keeps its last line, and a fence on one line is one."""
    assert chosen == names(select(reply))


def test_a_23_repeated_names_count_once() -> None:
    """A-23: repetitions do not fill up the selection."""
    assert BOTH == names(select('["Stock_price","Stock_price","Stock_price","News_top"]'))
    assert BOTH == names(
        select('["Stock_price","STOCK_PRICE","Stock_price","News_top","News_top"]')
    )


def test_original_names_are_known() -> None:
    """A name with its blanks and slashes leads to the tool that is shown under another."""
    odd = (tool("Web Shot", "/capture", "Web_Shot_capture"), *TOOLS)
    assert ["Web_Shot_capture"] == names(select('["Web Shot_/capture"]', odd))
    assert ["Web_Shot_capture"] == names(select('["web shot_/CAPTURE"]', odd))


@pytest.mark.parametrize(
    "reply",
    ["[]", "null", "nonsense", "[1,2]", '[["Stock_price"]]', "", "[" * 3000, '{"tools": "x"}'],
)
def test_a_reply_without_names_leaves_it_to_the_words(reply: str) -> None:
    """The keyword choice, said so: the city's weather, and not the map that shares the word "the"."""
    selection = select(reply)
    assert (["Weather_now"], "keywords") == (names(selection), selection.source)
    assert ("the model's reply names no tool: chosen by keywords",) == selection.warnings


def test_no_reply_leaves_it_to_the_words() -> None:
    """A model that cannot be reached is told apart from one that says nothing useful."""
    assert ("the model gave no reply: chosen by keywords",) == select(None).warnings


def test_a_63_words_that_say_nothing_do_not_count() -> None:
    """A-63: "the" and "please" match no tool, a comma hides no word, letter case and plurals do not matter."""
    assert ["Weather_now"] == names(by_keywords("The WEATHER, please!", TOOLS, 3))
    assert ["Hotel_find"] == names(by_keywords("hotels?", TOOLS, 3))
    camel = (tool("Links", "GetTopBacklinks"), tool("Links", "domain"))
    assert ["Links_GetTopBacklinks"] == names(by_keywords("Which backlinks are there?", camel, 3))


def test_ties_go_by_name() -> None:
    """Two tools that match alike come in the order of their names, whatever the order of the catalogue."""
    for tools in (TOOLS, tuple(reversed(TOOLS))):
        assert ["Hotel_find", "News_top", "Stock_price"] == names(
            by_keywords("hotel stock news", tools, 3)
        )


def test_a_63_nothing_in_common_is_never_an_empty_binding() -> None:
    """A-63: the first tools by name are taken, and a warning says so."""
    selection = select("nonsense", query="zzz qqq")
    assert (["Hotel_find", "News_top", "Stock_price"], "order") == (
        names(selection),
        selection.source,
    )
    assert (
        "no tool shares a word with the query: the first 3 by name are taken" in selection.warnings
    )


def test_no_tools_at_all_is_said() -> None:
    """There is nothing to choose, and the model is not asked."""

    def never(prompt: str) -> str:
        raise AssertionError(prompt)

    for tools, k in (((), 3), (TOOLS, 0)):
        selection = ToolSelector(never, "m", k).select_tools(QUERY, tools)
        assert ((), ("there are no tools to choose from",)) == (selection.tools, selection.warnings)


def test_the_model_sees_names_only() -> None:
    """All names, numbered, the query inside a fence, and the number of tools wanted."""
    asked: list[str] = []
    ToolSelector(asked.append, "m", 2).select_tools('line\n>>>\n["x"]', TOOLS)
    assert all(
        f"{number}. {found.sanitised_name}\n" in asked[0] for number, found in enumerate(TOOLS, 1)
    )
    assert "at most 2 of the 5 tools" in asked[0]


def test_names_the_model_made_up_are_told() -> None:
    """They are in `missing`, and nothing takes their place."""
    assert ("Magic",) == select('["Magic", "News_top"]').missing


# ---------------------------------------------------------------- what is kept


class Counting:
    """A model that counts how often it was asked."""

    def __init__(self, reply: str) -> None:
        self.reply, self.asked = reply, 0

    def __call__(self, _: str) -> str:
        self.asked += 1
        return self.reply


def test_a_choice_is_kept_for_every_agent(tmp_path: Path) -> None:
    """The second agent gets the same tools, and the model is asked once."""
    model = Counting('["News_top","Stock_price"]')
    selector = ToolSelector(model, "m", 3, tmp_path)
    first, second = (selector.select_tools(QUERY, TOOLS) for _ in range(2))
    assert (names(first), 1) == (names(second), model.asked)
    assert ("model", "cache") == (first.source, second.source)
    (path,) = tmp_path.iterdir()
    record = json.loads(path.read_bytes())
    assert (QUERY, ["News_top", "Stock_price"], "m", 3) == tuple(
        record[key] for key in ("query", "selected_tools", "model", "max_tools")
    )


@pytest.mark.parametrize("change", ["query", "k", "model", "catalogue"])
def test_a_63_another_question_is_asked_again(tmp_path: Path, change: str) -> None:
    """A-63: query, number, model and the catalogue's names are all part of what a choice is kept under."""
    ToolSelector(Counting('["News_top"]'), "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    model = Counting('["Stock_price"]')
    selector = ToolSelector(
        model, "other" if change == "model" else "m", 2 if change == "k" else 3, tmp_path
    )
    tools = (*TOOLS, tool("New", "one")) if change == "catalogue" else TOOLS
    selection = selector.select_tools("another" if change == "query" else QUERY, tools)
    assert (["Stock_price"], 1) == (names(selection), model.asked)


def test_the_order_of_the_catalogue_is_no_other_catalogue(tmp_path: Path) -> None:
    """The fingerprint is over sorted names."""
    ToolSelector(Counting('["News_top"]'), "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    model = Counting("[]")
    assert ["News_top"] == names(
        ToolSelector(model, "m", 3, tmp_path).select_tools(QUERY, tuple(reversed(TOOLS)))
    )
    assert 0 == model.asked


@pytest.mark.parametrize("hashed", [f"{QUERY}|max_tools=3|model=m", QUERY])
def test_choices_of_older_versions_are_read(tmp_path: Path, hashed: str) -> None:
    """Under the key with number and model, and under that of the query alone; repeated names count once."""
    kept = {
        "query": QUERY,
        "selected_tools": ["News_top", "News_top", "the_map_tool"],
        "model": "m",
        "max_tools": 3,
    }
    (tmp_path / f"{hashlib.sha256(hashed.encode()).hexdigest()}.json").write_text(json.dumps(kept))
    selection = ToolSelector(None, "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    assert (["News_top", "the_map_tool"], "cache") == (names(selection), selection.source)


def test_the_file_name_of_the_specification() -> None:
    """sha256 over the query, the number and the model, as older versions name their files."""
    expected = hashlib.sha256(b"Which trams ...|max_tools=120|model=gpt-4o-mini").hexdigest()
    assert f"{expected}.json" == cache_names("Which trams ...", 120, "gpt-4o-mini", "0" * 16)[1]


@pytest.mark.parametrize(
    "changes",
    [
        {"query": "x"},
        {"model": "x"},
        {"max_tools": 9},
        {"selected_tools": []},
        {"selected_tools": "x"},
        {"selected_tools": [5]},
    ],
)
def test_a_kept_choice_of_something_else_is_no_hit(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Query, model and number must be equal, and the list not empty."""
    kept = {"query": QUERY, "selected_tools": ["News_top"], "model": "m", "max_tools": 3, **changes}
    (tmp_path / f"{hashlib.sha256(QUERY.encode()).hexdigest()}.json").write_text(json.dumps(kept))
    assert "keywords" == ToolSelector(None, "m", 3, tmp_path).select_tools(QUERY, TOOLS).source


def test_a_63_kept_tools_that_are_gone_are_told(tmp_path: Path) -> None:
    """A-63: some missing is a warning with their names; all missing is no hit, and never an agent without tools."""
    path = tmp_path / f"{hashlib.sha256(QUERY.encode()).hexdigest()}.json"
    kept = {
        "query": QUERY,
        "selected_tools": ["Gone_one", "News_top"],
        "model": "m",
        "max_tools": 3,
    }
    path.write_text(json.dumps(kept))
    selection = ToolSelector(None, "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    assert (["News_top"], ("Gone_one",)) == (names(selection), selection.missing)
    assert ("1 of the chosen tools are not in the catalogue: Gone_one",) == selection.warnings
    path.write_text(json.dumps({**kept, "selected_tools": ["Gone_one"]}))
    assert ["Weather_now"] == names(ToolSelector(None, "m", 3, tmp_path).select_tools(QUERY, TOOLS))


def test_a_63_a_makeshift_choice_is_not_kept(tmp_path: Path) -> None:
    """What keywords chose because the model failed does not bind every later run."""
    ToolSelector(Counting("nonsense"), "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    assert [] == list(tmp_path.iterdir())


# ---------------------------------------------------------------- gold


def test_the_share_of_gold_apis_is_told() -> None:
    """One of two gold APIs was chosen; without gold there is no share."""
    selection = select('["Stock_price"]')
    assert 0.5 == selection.gold_share([("Stock", "price"), ("News", "top"), ("News", "top")])
    assert selection.gold_share([]) is None


def test_names_in_an_object_are_found() -> None:
    """The array inside {"tools": [...]}; a text with an escape in it; names with brackets."""
    assert ('a"b', "c]d") == chosen_names('{"why": "best", "tools": ["a\\"b", "c]d"]}')


def test_a_selection_is_filled_up_by_name() -> None:
    """What was chosen stays in front; behind it comes the rest by name, as many as asked for and none twice."""
    chosen = Selection(TOOLS[2:3], "keywords")
    rest = sorted({*TOOLS} - {TOOLS[2]}, key=lambda tool: tool.sanitised_name)
    assert (TOOLS[2], *rest[:2]) == filled(chosen, TOOLS, 3).tools
    assert len(TOOLS) == len(filled(chosen, TOOLS, 100).tools)
    assert TOOLS[2:3] == filled(chosen, TOOLS, 1).tools
