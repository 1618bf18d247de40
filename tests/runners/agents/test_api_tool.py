"""The tools of agents, and the log of their calls."""

from __future__ import annotations

import pytest

from runners.agents.api_tool import ApiTool
from runners.agents.call_log import CallLog, NoCallsLeftError
from runners.apis.api_server import make_app, serving
from runners.apis.catalogue import Catalogue
from runners.apis.reply_cache import ApiCache
from runners.apis.virtual_apis import VirtualApis
from tests.conftest import Folder
from tests.runners.agents.tram_tools import NOWHERE, named


def test_a_tool_shows_what_a_model_needs(catalogue: Catalogue) -> None:
    """It has a name, a description, metadata and parameters without leading underscores."""
    tool = ApiTool(named(catalogue, "Odd_names"))
    assert ("Odd_names", "Takes parameters of awkward names.") == (tool.name, tool.description)
    names = {
        "category": "Data, Odd",
        "tool_name": "Odd",
        "api_name": "names",
        "original_name": "Odd_names",
    }
    assert names == tool.metadata
    assert ["count"] == tool.parameters["required"]
    assert ["count", "param_limit", "self"] == list(tool.parameters["properties"])[:3]


@pytest.mark.parametrize("name", ["param_limit", "_limit"])
def test_a_parameter_is_sent_under_its_own_name(catalogue: Catalogue, name: str) -> None:
    """The model may use either name."""
    log = CallLog()
    ApiTool(named(catalogue, "Tram-Line_7_next_departures"), NOWHERE, log)(
        stop="Harbour", **{name: 2}
    )
    assert {"stop": "Harbour", "_limit": 2} == log.calls[0].arguments


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("[1]", "Error: the arguments are not an object"),
        ('{"a', "Error: the arguments are text that is not JSON:"),
    ],
)
def test_arguments_that_are_not_an_object_are_not_sent(
    catalogue: Catalogue, arguments: str, expected: str
) -> None:
    """The model gets an error, and the log stays empty."""
    log = CallLog()
    assert ApiTool(catalogue.definitions[0], NOWHERE, log).call_json(arguments).startswith(expected)
    assert () == log.calls


def test_empty_arguments_are_an_empty_object(board: Folder, catalogue: Catalogue) -> None:
    """Some servers send empty text for a tool without parameters."""
    apis = VirtualApis(ApiCache(board.root / "datasets/apis/cache"), catalogue)
    with serving(make_app(apis)) as url:
        tool = ApiTool(named(catalogue, "Tram-Line_7_news"), url)
        assert '["works at Glassworks"]' == tool.call_json("") == tool()


def test_calls_beyond_the_limit_are_refused(catalogue: Catalogue) -> None:
    """The model is told to answer. A cleared log has room again."""
    log = CallLog(most=1)
    tool = ApiTool(catalogue.definitions[0], NOWHERE, log)
    tool()
    assert "Error: no more calls are allowed. Answer with what you have." == tool()
    assert 1 == len(log.calls)
    log.clear()
    assert not log.calls


def test_a_model_that_goes_on_calling_is_stopped(catalogue: Catalogue) -> None:
    """After some calls that were refused, and again after as many once the log is cleared."""
    log = CallLog(most=0)
    tool = ApiTool(catalogue.definitions[0], NOWHERE, log)
    for _ in range(2):
        refused = [tool() for _ in range(10)]
        assert (len(refused), log.has_stopped) == (10, False)
        with pytest.raises(NoCallsLeftError, match="the limit is 0 calls"):
            tool()
        assert log.has_stopped
        log.clear()
