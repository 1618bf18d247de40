"""Four tools, and a selector whose model gives one reply."""

from __future__ import annotations

from leaderboard.apis.api_definitions import ToolDefinition, definition
from leaderboard.apis.api_names import ApiName
from runners.agents.tool_selector import Selection, ToolSelector


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
    reply: str, tools: tuple[ToolDefinition, ...] = TOOLS, query: str = QUERY, k: int = 3
) -> Selection:
    return ToolSelector(lambda _: reply, "m", k).select_tools(query, tools)


def names(selection: Selection) -> list[str]:
    return [found.sanitised_name for found in selection.tools]


BOTH = ["Stock_price", "News_top"]
