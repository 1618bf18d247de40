"""The reference pages: current, complete, and found by every message that names one."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, app
from leaderboard.doc_pages import doc_pages
from leaderboard.files.file_schemas import file_schemas
from scoring.rules import KINDS
from scoring.rules.workspace_rules import OWN
from tests.conftest import PROJECT
from tests.each_row import each_row

PACKAGES = ("cli", "leaderboard", "replay", "runners", "scoring", "site_templates")
SCHEMAS = file_schemas((*KINDS.values(), OWN))


@pytest.mark.large
def test_the_pages_are_current() -> None:
    """They say what the schemas and the commands say: scripts/reference writes them."""
    done = subprocess.run(
        [sys.executable, PROJECT / "scripts" / "reference", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


@each_row("name", SCHEMAS)
def test_every_key_is_described(name: str) -> None:
    """The docstring of each shape has a line for each of its keys, and for no others."""
    schema = SCHEMAS[name]
    shapes = {"": schema, **schema.get("$defs", {})}
    bare = [
        f"{shape}.{key}"
        for shape, inner in shapes.items()
        for key, value in inner.get("properties", {}).items()
        if "description" not in value
    ]

    assert bare == []
    assert [shape for shape, inner in shapes.items() if "- `" in inner.get("description", "")] == []


def test_every_kind_and_command_has_its_part() -> None:
    """Nothing is left out of the pages."""
    pages = {name: path.read_text(encoding="utf-8") for name, path in doc_pages().items()}

    assert [kind for kind in KINDS if f"\n## {kind}\n" not in pages["cases"]] == []
    assert [name for name in COMMANDS if f"\n## lb {name}\n" not in pages["commands"]] == []


@pytest.mark.large
@pytest.mark.parametrize("name", ["suite", "cases-exact"])
def test_a_schema_can_be_printed(name: str) -> None:
    """For editors: `lb schema NAME` needs no workspace."""
    printed = CliRunner().invoke(app, ["schema", name])

    assert json.loads(printed.stdout) == SCHEMAS[name]
    assert CliRunner().invoke(app, ["schema", "siute"]).exit_code == 2


def texts() -> Iterator[tuple[str, str]]:
    """Every text in the code that is no docstring, with its file."""
    for path in sorted(p for package in PACKAGES for p in (PROJECT / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        notes = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and id(node) not in notes:
                yield path.relative_to(PROJECT).as_posix(), value


@pytest.mark.large
def test_every_page_that_a_message_names_exists() -> None:
    """A message says `lb docs PAGE`, which works wherever the package is installed."""
    named = [
        (file, page) for file, text in texts() for page in re.findall(r"lb docs ([\w-]+)", text)
    ]
    paths = [(file, text) for file, text in texts() if re.search(r"docs/[\w-]+\.md", text)]
    vague = [(file, text) for file, text in texts() if re.search(r"\bsee (?:the|docs/)", text)]

    assert len(named) > 8
    assert [(file, page) for file, page in named if page not in doc_pages()] == []
    assert paths == []
    assert vague == []


def test_files_of_new_boards_name_pages_that_exist() -> None:
    """The README that `lb init` writes is read where there is no docs/ folder."""
    folder = PROJECT / "runners" / "init" / "files"
    named = {page for path in folder.iterdir() if path.is_file() for page in pages_named(path)}

    assert named
    assert named <= set(doc_pages())


def pages_named(path: Path) -> list[str]:
    return re.findall(r"lb docs ([\w-]+)", path.read_text(encoding="utf-8"))
