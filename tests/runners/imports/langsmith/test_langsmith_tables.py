"""The tables of a relational dataset, and a run over them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from runners.imports.langsmith.langsmith_tables import read_given_tables
from tests.conftest import Folder
from tests.runners.imports.langsmith.langsmith_files import (
    RELATIONAL_EXAMPLE,
    RELATIONAL_MODULE,
    RELATIONAL_RUN,
    relational_turn,
)
from tests.runners.scripted_server import serving


def write(path: Path, content: Any) -> str:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.large
def test_an_imported_data_set_is_run_over_its_own_tables(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model finds what these tables say, and its path and answer are scored."""
    outside = folder.root.parent
    module = write(outside / "relational_data.py", RELATIONAL_MODULE)
    given = ["import", "langsmith", write(outside / "runs.json", [RELATIONAL_RUN])]
    given += ["--suite", "relational", "--submission", "agent"]
    examples = ["--examples", write(outside / "examples.json", [RELATIONAL_EXAMPLE])]
    task = "Tool Usage - Relational Data"

    refused = folder.lb(*given, *examples, "--environment", task)
    assert (2, True) == (refused.exit_code, "with --tables" in refused.stderr)
    done = folder.lb(*given, *examples, "--tables", module)
    assert done.exit_code == 0, done.output
    assert folder.lb("validate").exit_code == 0
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted")
    with serving(relational_turn) as model:
        asked = ["run", "--model", "openai:m", "--base-url", model.openai, "--suite", "relational"]
        ran = folder.lb(*asked, "--id", "mine")
        assert ran.exit_code == 0, ran.stderr
    records = json.loads((folder.root / "submissions/mine/relational.json").read_bytes())
    (record,) = records["test_results"]
    steps = [(one["action"]["tool"], one["observation"]) for one in record["intermediate_steps"]]
    assert steps == [("get_current_user_id", 35), ("get_user_favorite_color", "orange")]
    assert folder.lb("rescore", "mine", "--offline").exit_code == 0
    scores = json.loads((folder.root / "results/scores.json").read_bytes())
    mine = [row for row in scores if (row["submission"], row["category"]) == ("mine", "*")]
    found = {row["metric"]: row["score"] for row in mine}
    assert (found["correct"], found["trajectory"]) == (1.0, 1.0)

    tables = folder.root / "datasets/relational/tables.json"
    before = json.loads((folder.root / "results/manifest.json").read_bytes())
    tables.write_text(tables.read_text().replace("orange", "blue"))
    assert folder.lb("rescore", "mine", "--offline").exit_code == 0
    after = json.loads((folder.root / "results/manifest.json").read_bytes())
    assert before["suites"]["relational"] != after["suites"]["relational"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("FOOD_DATA =", "FOODS =", "cannot be read as tables: foods: Field required"),
        ("return 35", "return 36", "$.current_user: names a user that is not in the table: 36"),
        ("[1, 2]", "[1, 9]", "$.users[1].favorite_foods[1]: leads to no row: 9"),
        ('"location": 2', '"location": 9', "$.users[1].location: leads to no row: 9"),
        ('{"id": 35', '{"id": 1', "$.users: has 2 rows with the id 1"),
        ('"calories": 285', '"calories": open("x")', "cannot be read as tables"),
        ("USER_DATA = [", "USER_DATA = [[", "cannot be read as tables"),
    ],
)
def test_tables_that_do_not_fit_together_are_refused(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    """Ids are unique and lead to rows, and nothing of a module is run."""
    assert old in RELATIONAL_MODULE
    path = tmp_path / "relational_data.py"
    write(path, RELATIONAL_MODULE.replace(old, new))
    with pytest.raises(FilesError) as caught:
        read_given_tables(path)
    assert problem in "\n".join(map(str, caught.value.problems))


def test_json_tables_and_tables_that_no_environment_reads(folder: Folder) -> None:
    """A suite's own file may be given again. Another task reads none."""
    outside = folder.root.parent
    tables = read_given_tables(
        Path(write(outside / "relational_data.py", RELATIONAL_MODULE)).absolute()
    )
    again = Path(write(outside / "tables.json", asdict(tables)))
    assert read_given_tables(again) == tables
    given = ["import", "langsmith", write(outside / "runs.json", [RELATIONAL_RUN]), "--suite", "r"]
    given += [
        "--submission",
        "agent",
        "--examples",
        write(outside / "e.json", [RELATIONAL_EXAMPLE]),
    ]
    refused = folder.lb(*given, "--tables", str(again), "--environment", "Multiverse Math")
    assert (2, True) == (refused.exit_code, "reads no tables" in refused.stderr)
    assert folder.lb(*given, "--tables", str(again)).exit_code == 0
    toml = folder.root / "datasets/r/suite.toml"
    toml.write_text(toml.read_text().replace("Tool Usage - Relational Data", "Multiverse Math"))
    ran = folder.lb("run", "--model", "baseline:planner", "--suite", "r")
    assert (1, True) == (ran.exit_code, "whose environment reads no tables" in ran.stderr)
