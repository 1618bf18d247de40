"""Services answer from tables: lookups, lists, computed values, and errors like an API's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_definitions import ApiParameter, ToolDefinition, definition
from leaderboard.apis.api_names import ApiName
from leaderboard.errors import FilesError
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.catalogue import Catalogue
from runners.apis.reply_cache import ApiCache, CachedReply
from runners.apis.reply_files import place_of
from runners.apis.table_services import Services, load_services
from runners.apis.virtual_apis import VirtualApis

TABLES = {
    "hotels": {
        "columns": ["id", "city", "stars", "price"],
        "rows": [
            ["h-1", "Velmora", 3, 79.5],
            ["h-2", "Velmora", 5, 264],
            ["h-3", "Tarnwick", 4, 92],
            ["h-4", "Velmora", 4, 118],
        ],
    }
}
SEARCH = {
    "arguments": {"city": "hotels.city", "max_price": "number 0..", "_limit": "integer 1..9 = 2"},
    "list": {
        "from": "hotels",
        "where": ["row.city == city", "row.price <= max_price"],
        "sort": "-stars",
        "limit": "_limit",
        "each": {"id": "row.id", "stars": "row.stars"},
    },
    "reply": {"city": "=city", "hotels": "=rows", "found": "=count"},
}
RATES = {
    "arguments": {"hotel_id": "hotels.id", "nights": "integer 1..14"},
    "lookup": {"hotel": "hotels where row.id == hotel_id"},
    "compute": {"total": "hotel.price * nights"},
    "checks": [["nights < 14 or hotel.stars > 3", "{hotel.id} takes guests for 13 nights at most"]],
    "reply": {"total": "=round(total, 2)", "note": "no breakfast"},
}


def api(name: str, required: str, optional: str = "") -> ToolDefinition:
    parameters = tuple(
        ApiParameter(one, "string", "", needed)
        for names, needed in ((required, True), (optional, False))
        for one in names.split()
    )
    return definition(ApiName("Travel", "InnIbis", name), "", "", parameters)


SEARCH_API = api("Search", "city", "max_price _limit")
RATES_API = api("Rates", "hotel_id nights")
CATALOGUE = Catalogue((SEARCH_API, RATES_API))


def services(folder: Path, **apis: Any) -> Services:
    record = {"tool_name": "InnIbis", "tables": TABLES, "apis": apis}
    path = folder / "services/Travel/innibis.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record), encoding="utf-8")
    return load_services(folder / "services", folder, CATALOGUE)


@pytest.fixture
def inns(tmp_path: Path) -> Services:
    return services(tmp_path, Search=SEARCH, Rates=RATES)


def found(inns: Services, **arguments: Any) -> Any:
    reply = inns.answer(SEARCH_API, arguments)
    assert reply is not None
    assert "" == reply.error
    return reply.response


def test_a_list_is_filtered_sorted_and_cut(inns: Services) -> None:
    """An argument that is left out does not filter. The count is that before the cut."""
    best = [{"id": "h-2", "stars": 5}, {"id": "h-4", "stars": 4}]
    assert {"city": "Velmora", "hotels": best, "found": 3} == found(inns, city="velmora")
    cheap = found(inns, city=" VELMORA ", max_price="100", _limit="5", unknown="ignored")
    assert ([{"id": "h-1", "stars": 3}], 1) == (cheap["hotels"], cheap["found"])


def test_a_row_is_looked_up_and_computed_with(inns: Services) -> None:
    """A price times nights, with text that is not an expression as it is."""
    reply = ApiReply("", {"total": 238.5, "note": "no breakfast"})
    assert reply == inns.answer(RATES_API, {"hotel_id": "H-1", "nights": "3"})


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, "missing required parameter: hotel_id, nights"),
        ({"hotel_id": "h-1", "nights": " "}, "missing required parameter: nights"),
        (
            {"hotel_id": "The Inn", "nights": 2},
            "unknown hotel_id: 'The Inn'; values look like 'h-1'",
        ),
        ({"hotel_id": "h-1", "nights": 14}, "h-1 takes guests for 13 nights at most"),
    ],
)
def test_a_call_that_does_not_fit_gets_an_error(
    inns: Services, given: dict[str, Any], error: str
) -> None:
    """What is missing, unknown, or refused by a check."""
    assert ApiReply(error, "") == inns.answer(RATES_API, given)


def test_values_that_cannot_be_used_together_are_an_error(tmp_path: Path) -> None:
    """Never a traceback: the reply has the error."""
    broken = services(tmp_path, Rates={"arguments": {"nights": "text"}, "reply": "=nights - 1"})
    reply = broken.answer(RATES_API, {"hotel_id": "h-1", "nights": "two"})
    assert reply is not None
    assert reply.error.startswith("these values cannot be used together")


def test_nothing_found_is_an_error(tmp_path: Path) -> None:
    """A lookup without a row names the table."""
    none = services(
        tmp_path, Rates={**RATES, "lookup": {"hotel": "hotels where row.stars == nights"}}
    )
    reply = none.answer(RATES_API, {"hotel_id": "h-1", "nights": 9})
    assert ApiReply("no hotels for these arguments", "") == reply


@pytest.mark.parametrize(
    ("apis", "what"),
    [
        ({"Book": {"reply": 1}}, "is not an API of this suite: 'InnIbis' 'Book'"),
        ({"Rates": {}}, "missing required key 'reply'"),
        ({"Rates": {"reply": "=open('x')"}}, "calls no function of services"),
        ({"Rates": {"reply": {"a": ["=night"]}}}, "uses an unknown name: 'night'"),
        ({"Rates": {"arguments": {"night": "text"}, "reply": 1}}, "is not a parameter of the API"),
        (
            {"Rates": {"arguments": {"nights": "inns.id"}, "reply": 1}},
            "names a column that is not in a table: 'inns.id'",
        ),
        (
            {"Rates": {"lookup": {"a": "inns where 1"}, "reply": 1}},
            "names a table that is not in this file: 'inns'",
        ),
        ({"Rates": {"checks": [["1 +", "no"]], "reply": 1}}, "is not an expression"),
        (
            {"Search": {**SEARCH, "list": {"from": "hotels", "sort": "-star"}}},
            "sorts by a column that is not in the table: '-star'",
        ),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_place(
    tmp_path: Path, apis: dict[str, Any], what: str
) -> None:
    """Every problem has the file, the path in it, and a fix."""
    with pytest.raises(FilesError) as error:
        services(tmp_path, **apis)
    (problem,) = error.value.problems
    assert what in problem.what
    assert ("services/Travel/innibis.json", True) == (problem.file, bool(problem.fix))


def test_a_row_has_a_value_for_each_column(tmp_path: Path) -> None:
    """A row that is too short is named by its position."""
    path = tmp_path / "services/inn.json"
    path.parent.mkdir()
    tables = {"hotels": {"columns": ["id", "city"], "rows": [["h-1", "Velmora"], ["h-2"]]}}
    path.write_text(json.dumps({"tool_name": "InnIbis", "tables": tables, "apis": {}}))
    with pytest.raises(FilesError, match="1 values for 2 columns"):
        load_services(tmp_path / "services", tmp_path, CATALOGUE)


def test_a_recorded_reply_comes_before_the_service(tmp_path: Path, inns: Services) -> None:
    """The cache answers first, then the service; another API is a cache miss."""
    cache = ApiCache(tmp_path / "cache")
    apis = VirtualApis(cache, CATALOGUE, services=inns)
    call = ApiCall(ApiName("Travel", "InnIbis", "Rates"), {"hotel_id": "h-1", "nights": 2})
    assert ("service", {"total": 159.0, "note": "no breakfast"}) == (
        apis.answer(call).source,
        apis.answer(call).reply.response,
    )
    place = place_of(call.name)
    cache.store(place, call.arguments, CachedReply(ApiReply("", "recorded"), "real"))
    assert ("cache", "recorded") == (apis.answer(call).source, apis.answer(call).reply.response)
    assert "miss" == apis.answer(ApiCall(ApiName("Travel", "InnIbis", "Book"), {})).source


def test_a_suite_without_services_has_none(tmp_path: Path) -> None:
    """No folder is no mistake."""
    assert {} == load_services(tmp_path / "services", tmp_path, CATALOGUE).operations
