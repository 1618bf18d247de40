"""docs/kinds.md: every kind has a section, and its examples are read without a problem."""

from __future__ import annotations

import json
import re

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.findings import Findings
from leaderboard.types import Parameter, Tool
from scoring.rules import KINDS
from tests.conftest import PROJECT
from tests.each_row import each_row

PAGE = (PROJECT / "docs/kinds.md").read_text(encoding="utf-8")
TOOLS = (
    Tool(
        "convert",
        "",
        (
            Parameter("value", "number", "", required=True, schema={}),
            Parameter("to", "string", "", required=True, schema={}),
        ),
    ),
)


@each_row("name", KINDS)
def test_the_examples_of_a_kind_are_cases(name: str) -> None:
    """A reader who copies an example gets cases, and no message."""
    section = PAGE.split(f"\n## {name}\n")[1].split("\n## ")[0]
    examples = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    tools = TOOLS if name in ("tool_selection", "call_match") else ()

    assert examples
    for example in examples:
        given = json.loads(example)
        records = given if isinstance(given, list) else [given]
        findings = Findings("docs/kinds.md", example.encode())
        cases = KINDS[name].read_cases(CategoryCases(records, "c", tools, False, findings))
        assert findings.found == []
        assert len(cases) == len(records)
