"""The plan of a run: what the model is shown, and what the card says of it."""

from __future__ import annotations

import json
import re

import pytest

from tests.runners.model_board import (
    Bench,
)
from tests.runners.scripted_server import (
    echo,
    said,
)


def test_temperature_and_system_text_can_be_chosen(bench: Bench) -> None:
    """The temperature can be left to the server, and the system text replaced or left out."""
    _, server = bench.run(echo, limit=1, model={"temperature": None}, system="Be brief.")
    assert server.seen[0].system == "Be brief."
    assert "temperature" not in json.dumps(server.seen[0].body)
    assert (
        "temperature" in bench.card()["settings"],
        bench.card()["settings"]["suites"]["small"],
    ) == (
        False,
        {"system": "Be brief."},
    )
    _, bare = bench.run(echo, limit=1, system="", submission="bare")
    assert bare.seen[0].system is None


def test_tools_can_be_left_out(bench: Bench) -> None:
    """Without tools the request names none, and the card says so."""
    _, server = bench.run(echo, limit=1, tools=False)
    assert not {"tools", "tool_choice", "toolConfig"} & set(server.seen[0].body)
    assert bench.card()["settings"]["tools"] is False


@pytest.mark.large
def test_dots_in_tool_names_are_shown_as_underscores(bench: Bench) -> None:
    """The model sees and answers `math_cube`, the card says so, and the answer scores."""
    _, server = bench.run(lambda seen: said(seen, None, [(seen.tools[0], {"n": 3})]), "match")
    assert [seen.tools for seen in sorted(server.seen, key=lambda seen: seen.query)] == [
        ["math_cube"],
        ["plain"],
    ]
    assert bench.card()["settings"]["tool_names"] == "underscored"
    assert [record["model_function_call"]["name"] for record in bench.records("match")] == [
        "math_cube",
        "plain",
    ]
    result = bench.folder.lb("rescore", "--offline", "--allow-missing")
    assert re.search(r"match  m +100\.0", result.stdout), result.output
