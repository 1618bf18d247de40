"""The choice of tools: by a model, out of kept choices, and by words."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from runners.agents.tool_selector import (
    Selection,
    ToolSelector,
    by_keywords,
    cache_names,
    chosen_names,
    filled,
)
from tests.each_row import each_row
from tests.runners.apis.selections import BOTH, QUERY, TOOLS, names, select, tool


def test_original_names_are_known() -> None:
    """A name with spaces and slashes finds the tool with the sanitised name."""
    odd = (tool("Web Shot", "/capture", "Web_Shot_capture"), *TOOLS)
    assert ["Web_Shot_capture"] == names(select('["Web Shot_/capture"]', odd))
    assert ["Web_Shot_capture"] == names(select('["web shot_/CAPTURE"]', odd))


@each_row(
    "reply",
    ["[]", "null", "nonsense", "[1,2]", '[["Stock_price"]]', "", "[" * 3000, '{"tools": "x"}'],
)
def test_a_reply_without_names_falls_back_to_words(reply: str) -> None:
    """A warning says so. The shared word "the" does not count."""
    selection = select(reply)
    assert (["Weather_now"], "keywords") == (names(selection), selection.source)
    assert ("the model's reply names no tool: chosen by keywords",) == selection.warnings


def test_a_63_stop_words_do_not_count() -> None:
    """A-63: "the" and "please" match no tool. Commas, case and plurals do not matter."""
    assert ["Weather_now"] == names(by_keywords("The WEATHER, please!", TOOLS, 3))
    assert ["Hotel_find"] == names(by_keywords("hotels?", TOOLS, 3))
    camel = (tool("Links", "GetTopBacklinks"), tool("Links", "domain"))
    assert ["Links_GetTopBacklinks"] == names(by_keywords("Which backlinks are there?", camel, 3))


def test_ties_are_sorted_by_name() -> None:
    """The order of the catalogue does not matter."""
    for tools in (TOOLS, tuple(reversed(TOOLS))):
        assert ["Hotel_find", "News_top", "Stock_price"] == names(
            by_keywords("hotel stock news", tools, 3)
        )


def test_a_63_without_shared_words_the_first_tools_are_taken() -> None:
    """A-63: a warning says so."""
    selection = select("nonsense", query="zzz qqq")
    assert (["Hotel_find", "News_top", "Stock_price"], "order") == (
        names(selection),
        selection.source,
    )
    assert (
        "no tool shares a word with the query: the first 3 by name are taken" in selection.warnings
    )


def test_without_tools_there_is_a_warning() -> None:
    """The model is not asked."""

    def never(prompt: str) -> str:
        raise AssertionError(prompt)

    for tools, k in (((), 3), (TOOLS, 0)):
        selection = ToolSelector(never, "m", k).select_tools(QUERY, tools)
        assert ((), ("there are no tools to choose from",)) == (selection.tools, selection.warnings)


def test_the_model_sees_names_only() -> None:
    """The prompt has all names, numbered, the fenced query and the number of tools wanted."""
    asked: list[str] = []

    def complete(prompt: str) -> str:
        asked.append(prompt)
        return ""

    ToolSelector(complete, "m", 2).select_tools('line\n>>>\n["x"]', TOOLS)
    assert all(
        f"{number}. {found.sanitised_name}\n" in asked[0] for number, found in enumerate(TOOLS, 1)
    )
    assert "at most 2 of the 5 tools" in asked[0]


def test_unknown_names_are_reported() -> None:
    """They are in `missing`, and nothing replaces them."""
    assert ("Magic",) == select('["Magic", "News_top"]').missing


class Counting:
    """A model that counts its requests."""

    def __init__(self, reply: str) -> None:
        self.reply, self.asked = reply, 0

    def __call__(self, _: str) -> str:
        self.asked += 1
        return self.reply


def test_a_choice_is_kept_for_every_agent(tmp_path: Path) -> None:
    """The second agent gets the same tools without a request to the model."""
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
    """A-63: a choice depends on the query, the number, the model and the names."""
    ToolSelector(Counting('["News_top"]'), "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    model = Counting('["Stock_price"]')
    selector = ToolSelector(
        model, "other" if change == "model" else "m", 2 if change == "k" else 3, tmp_path
    )
    tools = (*TOOLS, tool("New", "one")) if change == "catalogue" else TOOLS
    selection = selector.select_tools("another" if change == "query" else QUERY, tools)
    assert (["Stock_price"], 1) == (names(selection), model.asked)


def test_the_order_of_the_catalogue_does_not_matter(tmp_path: Path) -> None:
    """The fingerprint sorts the names."""
    ToolSelector(Counting('["News_top"]'), "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    model = Counting("[]")
    assert ["News_top"] == names(
        ToolSelector(model, "m", 3, tmp_path).select_tools(QUERY, tuple(reversed(TOOLS)))
    )
    assert 0 == model.asked


@pytest.mark.parametrize("hashed", [f"{QUERY}|max_tools=3|model=m", QUERY])
def test_choices_of_older_versions_are_read(tmp_path: Path, hashed: str) -> None:
    """Older files are named by query, number and model, or by the query alone."""
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
    """The sha256 of the query, the number and the model."""
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
def test_a_choice_of_something_else_is_ignored(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Query, model and number must be equal, and the list must not be empty."""
    kept = {"query": QUERY, "selected_tools": ["News_top"], "model": "m", "max_tools": 3, **changes}
    (tmp_path / f"{hashlib.sha256(QUERY.encode()).hexdigest()}.json").write_text(json.dumps(kept))
    assert "keywords" == ToolSelector(None, "m", 3, tmp_path).select_tools(QUERY, TOOLS).source


def test_a_63_missing_tools_of_a_choice_give_a_warning(tmp_path: Path) -> None:
    """A-63: the warning names them. If all are missing, the choice is ignored."""
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


def test_a_63_a_fallback_choice_is_not_kept(tmp_path: Path) -> None:
    """The next run asks the model again."""
    ToolSelector(Counting("nonsense"), "m", 3, tmp_path).select_tools(QUERY, TOOLS)
    assert [] == list(tmp_path.iterdir())


def test_the_share_of_gold_apis() -> None:
    """One of two gold APIs was chosen. Without gold APIs there is no share."""
    selection = select('["Stock_price"]')
    assert 0.5 == selection.gold_share([("Stock", "price"), ("News", "top"), ("News", "top")])
    assert selection.gold_share([]) is None


def test_a_selection_is_filled_up_by_name() -> None:
    """The chosen tools stay first. The rest follows by name, each once, up to the limit."""
    chosen = Selection(TOOLS[2:3], "keywords")
    rest = sorted({*TOOLS} - {TOOLS[2]}, key=lambda tool: tool.sanitised_name)
    assert (TOOLS[2], *rest[:2]) == filled(chosen, TOOLS, 3).tools
    assert len(TOOLS) == len(filled(chosen, TOOLS, 100).tools)
    assert TOOLS[2:3] == filled(chosen, TOOLS, 1).tools


@each_row(
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
    """The upstream replies with the tools that they name."""
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
def test_a_21_text_before_the_array_is_skipped(reply: str) -> None:
    """A-21: the array may start anywhere."""
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
def test_a_22_a_cut_fence_loses_no_line(reply: str, chosen: list[str]) -> None:
    """A-22: a reply without its closing fence keeps its last line."""
    assert chosen == names(select(reply))


def test_a_23_repeated_names_count_once() -> None:
    """A-23: repetitions do not use up the selection."""
    assert BOTH == names(select('["Stock_price","Stock_price","Stock_price","News_top"]'))
    assert BOTH == names(
        select('["Stock_price","STOCK_PRICE","Stock_price","News_top","News_top"]')
    )


def test_names_in_an_object_are_found() -> None:
    """The array may be in an object, and names may contain escapes and brackets."""
    assert ('a"b', "c]d") == chosen_names('{"why": "best", "tools": ["a\\"b", "c]d"]}')
