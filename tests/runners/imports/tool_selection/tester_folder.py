"""A folder of the tool-selection tester on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from leaderboard.errors import FilesError
from runners.imports.import_writer import ImportReport
from runners.imports.tool_selection.tester_import import import_tester
from scoring.rules import KINDS

TOOLS = """
from vertexai import nothing_that_is_installed
registry = FunctionRegistry()
registry.register(Function(
    name="ring",
    description="Rings "
                "a bell.",
    parameters=[
        FunctionParameter(name="bell", type="string", description="Which."),
        FunctionParameter("times", "integer", "How often.", required=False),
    ]
))
raise SystemExit("never run")
"""
CALL = {"function_call": {"name": "ring", "arguments": {"bell": "door"}}}
TEXT = {"text": "Which bell?", "no_function_call": True}
PROMPT = 'Q: "{question}"\nOne: "{text1}"\nTwo: {text2}\n{"json": 1} {other}'


class OldTester:
    """The tester's folder, and the import of it into a board."""

    def __init__(self, root: Path) -> None:
        self.root = root / "tester"
        self.board = root / "board"
        self.write("tools/functions.py", TOOLS)
        for name in ("tool_selection", "text_response", "clarifying", "error", "not_supported"):
            self.write(f"prompts/semantic_judge_{name}.txt", PROMPT)

    def write(self, name: str, content: Any) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def cases(self, *records: Any, name: str = "test_dataset") -> None:
        self.write(f"datasets/{name}.json", list(records))

    def load(self, suite: str = "tool_selection", date: str | None = None) -> ImportReport:
        return import_tester(self.board, self.root, suite, KINDS, date)

    def problems(self) -> list[str]:
        """The problems of an import, which must not write anything."""
        try:
            self.load()
        except FilesError as error:
            assert not self.board.exists()
            return [str(problem).replace(f"{self.root}/", "") for problem in error.problems]
        return []


def case(case_id: Any, truth: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": case_id, "user_query": "Ring.", "ground_truth": truth or TEXT, **more}
