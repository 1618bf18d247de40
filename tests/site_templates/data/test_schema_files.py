"""The JSON Schemas of the site's data: every file follows the one that is said to hold for it."""

from __future__ import annotations

import json
from fnmatch import fnmatch
from functools import cache

import pytest

from site_templates.data import schema_files
from site_templates.links import CROISSANT_PATH
from tests.each_row import each_row
from tests.site_templates import site_history
from tests.site_templates.data.data_formats import validate
from tests.site_templates.rendered import baselines_site, history_site, render


@cache
def files() -> dict[str, bytes]:
    return {path: content for path, content in history_site().items() if path.endswith(".json")}


@pytest.mark.large
@each_row("name", list(schema_files.FORMATS))
def test_files_follow_their_format(name: str) -> None:
    """Every file has exactly the fields of its format, with the right types."""
    pattern, _ = schema_files.FORMATS[name]
    found = [content for path, content in files().items() if fnmatch(path, pattern)]
    for content in found:
        validate(name, content)

    assert found


def test_every_json_file_has_a_format_and_its_version() -> None:
    """No file is without a format; all of our own say which version of it they follow."""
    patterns = [pattern for pattern, _ in schema_files.FORMATS.values()]
    others = {"toolboard.json", CROISSANT_PATH}
    others |= {path for path in files() if path.startswith("data/schemas/")}

    assert [
        path
        for path in files()
        if path not in others and not any(fnmatch(path, p) for p in patterns)
    ] == []
    assert [
        path
        for path, content in files().items()
        if path not in others
        and not path.startswith("badges/")
        and json.loads(content)["schema"] != 1
    ] == []


def test_the_list_names_every_schema() -> None:
    """The list links every schema. Each one describes its file and the version."""
    listed = json.loads(files()[schema_files.INDEX])["formats"]

    assert {row["schema"] for row in listed} | {schema_files.INDEX} == {
        p for p in files() if p.startswith("data/schemas/")
    }
    for row in listed:
        schema = json.loads(files()[row["schema"]])
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert row["says"] == schema["description"].partition("\n")[0]
        version = schema["properties"].get("schema") or schema["properties"]["schemaVersion"]
        assert version["const"] == 1


def test_formats_refuse_what_they_do_not_name() -> None:
    """A field that no format names is found, so that none is added without one."""
    scores = json.loads(files()["data/scores.json"])
    scores["scores"][0]["colour"] = "blue"

    with pytest.raises(ValueError, match="colour"):
        validate("scores", json.dumps(scores).encode())


def listed(made: dict[str, bytes]) -> set[str]:
    return {row["file"] for row in json.loads(made[schema_files.INDEX])["formats"]}


@pytest.mark.large
def test_only_the_formats_of_files_that_exist_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board without a history lists no snapshots, and a large board no JSON of cases."""
    everything, baselines = listed(files()), listed(baselines_site())
    monkeypatch.setattr("site_templates.board.CSV_ROWS", 0)
    large = render(site_history.board())

    assert everything - baselines >= {"data/history/*.json"}
    assert everything - listed(large) == {"data/cases/*.json", "data/submissions/*.json"}
    assert "data/schemas/case.json" not in large
