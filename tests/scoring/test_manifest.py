"""The manifest: whatever changes a score, a rank or a cost changes its digest, and has a name."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import Any

import pytest

from leaderboard.board.manifest_shape import Manifest
from leaderboard.types import JudgeSettings
from scoring.changes.board_difference import input_changes
from scoring.manifest import build_manifest
from tests.cli.records import RIGHT
from tests.conftest import Folder
from tests.leaderboard.workspaces import load

JUDGE = JudgeSettings("j", "openai", "m", "https://a.example/v1")

SUMS = """\
schema = 1
title = "Sums"
description = "Two categories."
kind = "exact"

[[categories]]
id = "easy"
title = "Easy"
file = "easy.json"

[[categories]]
id = "hard"
title = "Hard"
file = "hard.json"
"""


def manifest(folder: Folder, *panel: JudgeSettings) -> Manifest:
    return build_manifest(load(folder), panel, {})


def causes(base: Manifest, new: Manifest) -> list[tuple[str, str]]:
    """The inputs that changed by kind and name. They change the digest, and nothing else does."""
    found: list[tuple[str, str]] = [(cause.kind, cause.name) for cause in input_changes(base, new)]
    assert bool(found) is (base["digest"] != new["digest"])
    return found


@pytest.mark.parametrize(
    "field",
    [
        {"partial": ["small"]},
        {"kind": "baseline"},
        {"settings": {"tool_names": "underscored"}},
        {"price": {"input": 1, "output": 2}},
    ],
)
def test_what_counts_of_a_card_is_an_input(folder: Folder, field: dict[str, Any]) -> None:
    """It changes which cases count, ranks, the names of tools or costs. A new name does not."""
    folder.submission("m1", [RIGHT])
    base = manifest(folder)
    folder.submission("m1", [RIGHT], name="Another", settings={"temperature": 0})
    assert causes(base, manifest(folder)) == []
    folder.submission("m1", [RIGHT], **field)
    assert causes(base, manifest(folder)) == [("cards", "m1")]


def test_the_category_of_a_case_is_an_input(folder: Folder) -> None:
    """A case that moves to another category counts differently, though it is the same case."""
    shutil.rmtree(folder.root / "datasets/small")
    one, two, three = (
        {"id": f"s-{n}", "user_query": f"{n} + 1?", "ground_truth": {"number": n + 1}}
        for n in (1, 2, 3)
    )
    folder.write("datasets/sums/suite.toml", SUMS)
    folder.write("datasets/sums/easy.json", [one, two])
    folder.write("datasets/sums/hard.json", [three])
    base = manifest(folder)
    folder.write("datasets/sums/easy.json", [one])
    folder.write("datasets/sums/hard.json", [two, three])
    new = manifest(folder)
    assert causes(base, new) == [("cases", "sums")]
    (cause,) = input_changes(base, new)
    assert [(part.kind, part.name) for part in cause.parts] == [("case", "s-2")]


@pytest.mark.parametrize(
    ("address", "changed"),
    [("https://b.example/v1", False), ("https://a.example/api/v1", True)],
)
def test_the_path_of_a_judge_is_an_input(folder: Folder, address: str, changed: bool) -> None:
    """It is part of the identity of judge calls. The host is not."""
    base, new = (
        manifest(folder, replace(JUDGE, base_url=url)) for url in (JUDGE.base_url, address)
    )
    assert causes(base, new) == ([("judges", "j")] if changed else [])
