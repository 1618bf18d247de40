"""From a workspace to the site by commands alone: what comparing, health, history and badges take is handed over."""

from __future__ import annotations

import json
from typing import Any

from conftest import Folder


def answers(*passed: str) -> list[dict[str, Any]]:
    """Records of the suite `small` in which the named cases are right."""
    units = {"A001": (3, "yards"), "A002": (4, "feet"), "A003": (5, "miles")}
    calls = [
        {"id": name, "model_function_call": {"name": "convert_units", "arguments": {"value": value, "to_unit": unit}}
         if name in passed else None, "model_text": None}
        for name, (value, unit) in units.items()
    ]  # fmt: skip
    texts = {"B001": "It is Paris.", "B002": "In 1969."}
    return calls + [{"id": name, "model_function_call": None, "model_text": text} for name, text in texts.items()]


def site(folder: Folder, *arguments: str) -> dict[str, bytes]:
    """The site of the workspace, scored and built anew."""
    for command in (("rescore", "--offline"), ("build", *arguments)):
        done = folder.lb(*command)
        assert done.exit_code == 0, done.output
    return folder.tree("_site")


def test_build_hands_over_what_compares(folder: Folder) -> None:
    """The page of a pair says what lb compare says, in the same words."""
    folder.submission("one", answers("A001", "A002", "A003"))
    folder.submission("two", answers("A001"))
    files = site(folder)
    said = json.loads(folder.lb("compare", "one", "two", "--format", "json").output)["suites"][0]
    page = json.loads(files["data/compare/small/one--two.json"])

    assert page["said"] == said["said"]
    assert (page["whole"], page["categories"]) == (said["whole"], said["categories"])
    assert {"compare/index.html", "health/index.html", "badges/one.svg", "data/compare/small/one.js"} <= files.keys()
    assert [path for path in files if path.startswith("history")] == []


def test_history_follows_from_snapshots(folder: Folder) -> None:
    """After a snapshot the site has a history; what changed since stands first; a second snapshot makes it permanent."""
    folder.submission("one", answers("A001"))
    site(folder)
    assert folder.lb("snapshot").exit_code == 0
    first = site(folder, "--base-url", "https://example.org/b")
    folder.submission("one", answers("A001", "A002"))
    since = site(folder)
    assert folder.lb("snapshot", "--label", "better").exit_code == 0
    second = site(folder)
    pages = [path for path in second if path.startswith("history/") and path != "history/index.html"]

    assert b"The first snapshot, of 1 submission." in first["history/index.html"]
    assert b"Since the last snapshot" not in first["history/index.html"]
    assert {"feed.xml", "sitemap.xml"} <= first.keys()
    assert b"Since the last snapshot" in since["history/index.html"]
    assert b"responses: submissions/one/small.json" in since["history/index.html"]
    assert b"What moved this row" in since["submissions/one.html"]
    assert len(pages) == 2
    assert b">better</a>" in second["history/index.html"]
    assert "feed.xml" not in second


def test_verify_builds_the_same_with_a_history(folder: Folder) -> None:
    """Every byte of the site follows from the files, the history's pages included, and the feed with its address."""
    folder.submission("one", answers("A001"))
    site(folder)
    folder.lb("snapshot")
    folder.submission("one", answers("A001", "A003"))
    site(folder, "--base-url", "https://example.org/b/")
    done = folder.lb("verify", "--base-url", "https://example.org/b/")

    assert done.exit_code == 0, done.output
