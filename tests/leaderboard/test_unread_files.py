"""Files that no reader reads are warned of, with the name that they should have."""

from __future__ import annotations

import pytest

from leaderboard.errors import Problem
from leaderboard.unread_files import unread_files
from leaderboard.workspace import open_workspace
from tests.conftest import Folder, replaced
from tests.leaderboard.workspaces import load


def unread(folder: Folder) -> list[Problem]:
    """All problems of the workspace, those of files that nothing reads last."""
    contents = load(folder)
    return [*contents.problems, *unread_files(open_workspace(folder.root), contents)]


WRONG_PLACE = [
    ("datasets/more.json", "datasets/<suite>/<file>, named in suite.toml"),
    ("datasets/small/more.json", "datasets/<suite>/<file>, named in suite.toml"),
    ("datasets/small/solutions.json", "datasets/<suite>/<file>, named in suite.toml"),
    ("prompts/small/spare.md", "<suite>/<name>.md, named in suite.toml"),
    ("prompts/other/tool_selection.md", "<suite>/<name>.md, named in suite.toml"),
    ("prompts/small/no_tool.json", "did you mean prompts/small/labels/no_tool.json?"),
    ("prompts/small/Label/no_tool.json", "did you mean prompts/small/labels/no_tool.json?"),
    ("rules/Foo-Bar.py", "rules/<kind>.py, in lower case"),
    ("rules/other.py", "for a kind in a suite.toml"),
    ("theme/extras.css", "did you mean theme/extra.css?"),
    ("theme/fonts/own.woff2", "this folder is for theme/extra.css"),
    ("audits/nobody/0001.json", "this folder is for audits/<judge>/<number>.json"),
    ("audits/embedded-1/1.json", "this folder is for audits/<judge>/<number>.json"),
    ("audits/embedded-1/first.json", "this folder is for audits/<judge>/<number>.json"),
]


@pytest.mark.parametrize(("file", "fix"), WRONG_PLACE)
def test_a_file_that_nothing_reads_is_named(folder: Folder, file: str, fix: str) -> None:
    """Its owner believes that it has an effect."""
    folder.write(file, "x")
    (problem,) = unread(folder)
    assert (problem.file, problem.severity) == (file, "warning")
    assert problem.what == "has no effect: nothing reads it"
    assert fix in problem.fix


def test_what_is_read_or_set_aside_is_fine(folder: Folder) -> None:
    """A logo, a stylesheet, tests of rules, READMEs, licences and hidden files."""
    replaced("leaderboard.toml", "schema = 1", 'schema = 1\nsite.logo = "theme/logo.svg"')(folder)
    folder.write("theme/logo.svg", "<svg></svg>")
    for file in (
        "theme/extra.css",
        "rules/test_length.py",
        "rules/__pycache__/length.pyc",
        "datasets/README.md",
        "datasets/small/LICENSE-data.txt",
        "datasets/_old/cases.json",
        "prompts/.DS_Store",
        "audits/embedded-1/README",
    ):
        folder.write(file, "")
    assert unread(folder) == []


def test_files_of_a_suite_that_cannot_be_loaded_are_left_out(folder: Folder) -> None:
    """What it reads is not known. Its own problem comes alone."""
    folder.write("datasets/broken/suite.toml", "kind = 1")
    folder.write("datasets/broken/cases.json", [])
    folder.write("prompts/broken/qa.md", "")
    folder.write("rules/length.py", "")
    assert {problem.file for problem in unread(folder)} == {"datasets/broken/suite.toml"}


def test_a_misnamed_label_is_reported_once(folder: Folder) -> None:
    """It is an error already."""
    folder.write("prompts/small/labels/other.json", [])
    (problem,) = unread(folder)
    assert problem.severity == "error"
