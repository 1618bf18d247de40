"""Tool catalogues: flat or in folders of categories, in a fixed order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from leaderboard.errors import FilesError
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.stable_toolbench import read_stable_toolbench
from leaderboard.files.findings import Findings
from runners.apis.catalogue import Catalogue, catalogue_of, load_catalogue
from runners.imports.stabletoolbench.query_files import load_test_sets


def tool(name: str, *apis: str, **more: Any) -> dict[str, Any]:
    """A tool file in the upstream form, with further keys."""
    listed = [
        {
            "name": api,
            "description": f"{api} it",
            "required_parameters": [],
            "optional_parameters": [],
            "url": "https://x",
        }
        for api in apis
    ]
    return {
        "tool_name": name,
        "tool_description": f"About {name}",
        "score": {"avg": 9},
        "api_list": listed,
        **more,
    }


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def names(catalogue: Catalogue) -> list[tuple[str, str, str]]:
    return [
        (found.name.category, found.name.tool, found.name.api) for found in catalogue.definitions
    ]


def test_folders_give_the_category(tmp_path: Path) -> None:
    """The layout is StableToolBench's `<category>/<tool>.json`. Further keys do not matter."""
    write(tmp_path / "News_Media" / "heron.json", tool("Heron", "top", "latest"))
    assert [("News_Media", "Heron", "top"), ("News_Media", "Heron", "latest")] == names(
        load_catalogue(tmp_path)
    )


def test_a_24_a_category_is_found_in_four_places(tmp_path: Path) -> None:
    """A-24: the tool's own category, its folder's, a query's, or Data with a warning."""
    write(tmp_path / "own.json", tool("Own", "x", tool_category="Food"))
    write(tmp_path / "Sports" / "folder.json", tool("Folder", "x"))
    write(tmp_path / "query.json", tool("Asked", "x"))
    write(tmp_path / "none.json", tool("None", "x"))
    record = {
        "query_id": 1,
        "query": "?",
        "api_list": [{"category_name": "Music", "tool_name": "Asked", "api_name": "x"}],
    }
    cases = read_stable_toolbench(
        CategoryCases([record], "G1_instruction", (), shared=False, findings=Findings("q", b""))
    )

    catalogue = load_catalogue(tmp_path, queries=cases)

    assert {"Own": "Food", "Folder": "Sports", "Asked": "Music", "None": "Data"} == {
        found.name.tool: found.name.category for found in catalogue.definitions
    }
    assert ["none.json"] == [warning.file.split("/")[-1] for warning in catalogue.warnings]


def test_a_25_files_are_sorted_by_name(tmp_path: Path) -> None:
    """A-25: the order of writing does not matter."""
    for name in ("b/z.json", "b/a.json", "a/m.json", "c.json"):
        write(tmp_path / name, tool(name, "x", tool_category="D"))
    assert ["a/m.json", "b/a.json", "b/z.json", "c.json"] == [
        found.name.tool for found in load_catalogue(tmp_path).definitions
    ]


def test_a_39_a_renamed_api_is_found(tmp_path: Path) -> None:
    """A-39: an API named by a reserved word is found in both spellings."""
    write(tmp_path / "Data" / "parrot.json", tool("Page Parrot", "id", "24h volume"))
    catalogue = load_catalogue(tmp_path)
    spellings = [
        ("Page Parrot", "id"),
        ("page_parrot", "is_id"),
        ("page_parrot_for_Data", "is_id_for_page_parrot"),
    ]
    found = [catalogue.documented(ApiName("Data", *spelling)) for spelling in spellings[:2]]
    assert ["id", "id"] == [api.name.api for api in found if api]
    assert (
        catalogue.documented(
            ApiName("Data", "page_parrot_for_Data", "get_24h_volume_for_page_parrot")
        )
        is not None
    )
    assert catalogue.documented(ApiName("Data", "Page Parrot", "volume")) is None


def test_every_problem_of_every_file_is_reported(tmp_path: Path) -> None:
    """A broken file does not hide the problems of another."""
    write(tmp_path / "a.json", "{")
    write(tmp_path / "b.json", {"tool_name": "B", "api_list": [{"description": "no name"}]})
    write(tmp_path / "c.json", [])
    with pytest.raises(FilesError) as raised:
        load_catalogue(tmp_path)
    assert ["a.json", "b.json", "c.json"] == [
        problem.file.split("/")[-1] for problem in raised.value.problems
    ]
    assert "$.api_list[0]" == raised.value.problems[1].at


def test_a_missing_folder_is_a_problem(tmp_path: Path) -> None:
    """The problem has a hint and no traceback."""
    with pytest.raises(FilesError, match="is not a folder of tools"):
        load_catalogue(tmp_path / "nowhere")


def test_an_api_described_twice_counts_once(tmp_path: Path) -> None:
    """Of different descriptions the first counts, with a warning."""
    twice = tool("T", "x", "x", tool_category="D")
    write(tmp_path / "a.json", twice)
    assert () == load_catalogue(tmp_path).warnings
    twice["api_list"][1]["description"] = "another"
    write(tmp_path / "a.json", twice)
    catalogue = load_catalogue(tmp_path)
    assert ["x it"] == [found.api_description for found in catalogue.definitions]
    assert "twice, in different ways" in catalogue.warnings[0].what


def test_a_60_apis_with_shared_replies_give_a_warning(tmp_path: Path) -> None:
    """A-60: upstream's file names are equal for `get data` and `Get-Data`. Both APIs stay."""
    write(tmp_path / "a.json", tool("T", "get data", "Get-Data", "other", tool_category="D"))
    catalogue = load_catalogue(tmp_path)
    assert 3 == len(catalogue)
    assert ["D/t_for_D/get_data.json"] == [
        warning.what.split()[-1] for warning in catalogue.warnings
    ]


def test_the_fingerprint_depends_on_the_names(tmp_path: Path) -> None:
    """Another API changes it. Another description or file name does not."""
    write(tmp_path / "a.json", tool("T", "x", tool_category="D"))
    before = load_catalogue(tmp_path).fingerprint
    write(tmp_path / "a.json", tool("T", "x", tool_category="D", tool_description="new"))
    (tmp_path / "a.json").rename(tmp_path / "z.json")
    assert before == load_catalogue(tmp_path).fingerprint
    write(tmp_path / "b.json", tool("T", "y", tool_category="D"))
    assert before != load_catalogue(tmp_path).fingerprint


def test_every_api_keeps_its_own_definition(tmp_path: Path) -> None:
    """Names in the registry lead back to their definition."""
    write(tmp_path / "a.json", tool("T", "a b", "a/b", "c", tool_category="D"))
    catalogue = load_catalogue(tmp_path)
    for found in catalogue.definitions:
        resolved = catalogue.registry.resolve(found.sanitised_name)
        assert resolved is not None
        assert found is catalogue.named(resolved)


def test_queries_make_a_catalogue(real_files: Any) -> None:
    """It has the candidate APIs of real queries, each once."""
    cases = load_test_sets(real_files("stabletoolbench") / "solvable_queries_example")[
        "G1_instruction"
    ]
    catalogue = catalogue_of(cases)
    assert 23 == len(catalogue) == len({found.sanitised_name for found in catalogue.definitions})
