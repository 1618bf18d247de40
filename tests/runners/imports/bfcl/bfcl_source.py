"""Small files of BFCL's form, and the import of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from runners.imports.bfcl.bfcl_import import import_bfcl
from runners.imports.import_writer import ImportReport
from scoring.rules import KINDS

PREFIX = "gorilla_openfunctions_v1_test_"


AREA = {
    "name": "shape.area",
    "description": "The area.",
    "parameters": {
        "type": "dict",
        "properties": {
            "sides": {"type": "array", "items": {"type": "float"}, "description": "The sides."},
            "unit": {"type": "string", "description": "The unit."},
        },
        "required": ["sides"],
    },
}


PLAY = {
    "name": "play",
    "description": "Plays.",
    "parameters": {
        "type": "dict",
        "properties": {"song": {"type": "string"}},
        "required": ["song"],
    },
}


class Source:
    """The three folders of BFCL on disk, and the import of them into a board."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.board = root / "board"
        self.lines(
            "questions/simple.json", {"id": "simple_0", "question": "Area?", "function": AREA}
        )
        self.lines(
            "answers/simple.json",
            {
                "id": "simple_0",
                "ground_truth": {"shape.area": {"sides": [[1.0]], "unit": ["", "m"]}},
            },
        )
        self.reply("model-FC", [{"shape.area": '{"sides": [1.0]}'}])

    def lines(self, name: str, *objects: Any) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{o if isinstance(o, str) else json.dumps(o)}\n" for o in objects))
        return path

    def reply(self, model: str, *results: Any, category: str = "simple", **more: Any) -> Path:
        rows = [
            {"id": f"{category}_{i}", "result": result, **more} for i, result in enumerate(results)
        ]
        return self.lines(f"result/{model}/{PREFIX}{category}_result.json", *rows)

    def add(self, category: str, function: Any, truth: Any) -> None:
        """Adds a category of one case."""
        self.lines(
            f"questions/{category}.json",
            {"id": f"{category}_0", "question": "Q?", "function": function},
        )
        if truth is not None:
            self.lines(f"answers/{category}.json", {"id": f"{category}_0", "ground_truth": truth})

    def load(self, *underscored: str, **options: Any) -> ImportReport:
        return import_bfcl(
            self.board,
            self.root / "result",
            self.root / "questions",
            self.root / "answers",
            underscored,
            kinds=KINDS,
            **options,
        )

    def problems(self, *underscored: str, **options: Any) -> list[str]:
        """The problems of an import, which must not write anything."""
        with pytest.raises(FilesError) as caught:
            self.load(*underscored, **options)
        assert not self.board.exists()
        return [str(problem).replace(f"{self.root}/", "") for problem in caught.value.problems]

    def cases(self, category: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(
            (self.board / f"datasets/bfcl/{category}.json").read_text()
        )
        return found

    def records(self, name: str = "model-fc") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(
            (self.board / f"submissions/{name}/bfcl.json").read_text()
        )["test_results"]
        return found

    def card(self, name: str = "model-fc") -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            (self.board / f"submissions/{name}/submission.json").read_text()
        )
        return found
