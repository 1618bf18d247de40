"""Names of tools that cannot be sent to models."""

from __future__ import annotations

from leaderboard.files.tool_names import find_unsendable, sent_name
from leaderboard.types import Case, GroundTruth, Tool


def case(*names: str) -> Case:
    tools = tuple(Tool(name, "A tool.", ()) for name in names)
    return Case("c", "k", "Q?", GroundTruth(), tools, {}, "")


def test_dots_are_sent_as_underscores() -> None:
    """Other signs stay."""
    assert sent_name("a.b-c_d") == "a_b-c_d"


def test_names_that_providers_refuse_are_problems() -> None:
    """The limit is 64 letters, digits, underscores and hyphens. Each name is reported once."""
    cases = [case("fine.name-1", "x" * 64), case("x" * 65, "two words", "é"), case("é")]
    found = list(find_unsendable(cases, "suite.toml", "warning"))
    assert [(problem.file, problem.severity) for problem in found] == [
        ("suite.toml", "warning")
    ] * 3
    words = "has a tool with a name that providers refuse: "
    assert [problem.what for problem in found] == [
        f"{words}{'x' * 65!r}",
        f"{words}'two words'",
        f"{words}'é'",
    ]


def test_tools_that_are_sent_under_one_name_are_a_problem() -> None:
    """Only tools that are offered together collide."""
    assert list(find_unsendable([case("a.b"), case("a_b")], "suite.toml", "error")) == []
    (problem,) = find_unsendable([case("a.b", "a_b")], "suite.toml", "error")
    assert problem.what == "offers two tools that are sent as 'a_b': 'a.b', 'a_b'"
