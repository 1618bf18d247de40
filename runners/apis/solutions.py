"""How the queries of a suite can be solved: `solutions.json`, the calls to make and the answer.

    {"1001": {"calls": [{"tool_name": "TramLine", "api_name": "status", "arguments": {"line": 7}}],
              "final_answer": "Line 7 has minor delays.", "facts": ["minor delays"]}}

No rule and no judge sees this file. It shows that every query can be solved. Imported suites have
no such file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import ConfigDict, TypeAdapter

from leaderboard.errors import FilesError
from leaderboard.files.shaped_files import read_shaped
from leaderboard.types import Json, Suite
from leaderboard.workspace import Workspace
from runners.apis.catalogue import Catalogue

FILE: Final = "solutions.json"
_CLOSED: Final = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class SolvingCall:
    """One call of a solution."""

    __pydantic_config__ = _CLOSED

    tool_name: str
    api_name: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Solution:
    """One way to solve a query. `facts` are what the final answer takes from the replies."""

    __pydantic_config__ = _CLOSED

    calls: list[SolvingCall]
    final_answer: str
    facts: list[str]


_SOLUTIONS: Final = TypeAdapter(dict[str, Solution])


def load_solutions(
    workspace: Workspace, suite: Suite, catalogue: Catalogue
) -> Mapping[str, Solution]:
    """The solution of every query of a suite, by its id.

    Raises FilesError with all problems: no file, a query without a solution, an unknown API.
    """
    path = workspace.datasets / suite.id / FILE
    shown = workspace.shown(path)
    if not path.is_file():
        what = "does not exist, so nothing says how the queries of this suite can be solved"
        raise FilesError.about(shown, what, "write it, or name other suites with --suite")
    fix = 'write each as {"calls": […], "final_answer": "…", "facts": […]}'
    solutions, findings = read_shaped(_SOLUTIONS, path, shown, workspace.root, fix)
    for case in suite.cases:
        if case.id not in solutions:
            what = f"does not say how query {case.id} can be solved"
            findings.add((), what, f'add a solution under "{case.id}"')
    for case_id, solution in solutions.items():
        for place, call in enumerate(solution.calls):
            if catalogue.registry.find(call.tool_name, call.api_name) is None:
                what = f"is not an API of this suite: {call.tool_name!r} {call.api_name!r}"
                fix = "write both names as the tool's file does"
                findings.add((case_id, "calls", place), what, fix)
    findings.raise_errors()
    return solutions
