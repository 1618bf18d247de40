"""The structure of the code: unique names, and imports that are not allowed."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.each_row import each_row

PACKAGES = ("cli", "leaderboard", "replay", "runners", "scoring", "site_templates")
MODULES = sorted(path for package in PACKAGES for path in (PROJECT / package).rglob("*.py"))
TESTS = sorted((PROJECT / "tests").rglob("*.py"))

# Folders with one module for each kind of suite, or for each provider of models. A kind or a
# provider has one name, so its modules in two of these folders share it.
BY_KIND_OR_PROVIDER = {
    "leaderboard/files/cases",
    "replay/providers",
    "runners/models",
    "scoring/rules",
}


class _WithoutTypes(ast.NodeTransformer):
    """Removes what only type checkers see."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        is_for_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if is_for_types else self.generic_visit(node)


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")


def module_of(name: str, modules: Container[str]) -> str:
    """The module of this project that an imported name is, or comes from."""
    return name if name in modules else name.rpartition(".")[0]


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path, *, types: bool = True) -> Iterator[str]:
    """Every module that a file imports, or every name that it imports from one, dotted.

    With `types` False, what it imports for type checkers alone is left out.
    """
    code = tree(path)
    if not types:
        code = _WithoutTypes().visit(code)
    for node in ast.walk(code):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_module_name_occurs_twice() -> None:
    """A name leads to one file; only a kind's or provider's modules share theirs."""
    folders = defaultdict(set)
    for path in MODULES:
        if path.stem not in {"__init__", "__main__"}:
            folders[path.stem].add(path.parent.relative_to(PROJECT).as_posix())

    assert {
        name: places
        for name, places in folders.items()
        if len(places) > 1 and not places <= BY_KIND_OR_PROVIDER
    } == {}


@pytest.mark.large
def test_no_public_class_name_occurs_twice() -> None:
    """A class name means one thing in the whole product."""
    modules = defaultdict(list)
    for path in MODULES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(path.relative_to(PROJECT).as_posix())

    assert {name: places for name, places in modules.items() if len(places) > 1} == {}


@each_row("path", sorted((PROJECT / "cli").rglob("*.py")))
@pytest.mark.large
def test_nothing_imports_a_command(path: Path) -> None:
    """What two commands share is in a module without a command. `lb` imports them by name."""
    assert [name for name in imported(path) if name.startswith("cli.commands")] == []


@pytest.mark.large
def test_imports_run_in_no_circle() -> None:
    """A module never needs one that needs it, also not later: data flows one way.

    Types may mention each other: a suite has a kind, and the rule of a kind reads suites.
    """
    modules = {module_name(path): path for path in MODULES}
    needed = {
        name: {module_of(other, modules) for other in imported(path, types=False)}
        for name, path in modules.items()
    }

    assert list(TopologicalSorter(needed).static_order())  # raises CycleError


def test_no_folder_has_too_many_modules_to_look_through() -> None:
    """Beyond that, modules that belong together get a folder of their own."""
    modules = Counter(path.parent.relative_to(PROJECT).as_posix() for path in MODULES)

    assert {folder: number for folder, number in modules.items() if number > 27} == {}


@pytest.mark.large
def test_nothing_but_the_list_of_pages_imports_a_page() -> None:
    """What pages share with each other or with data files is in `parts/`."""
    pages = "site_templates.pages."
    importers = {
        path.name: {name for name in imported(path) if name.startswith(pages)}
        for path in (PROJECT / "site_templates").rglob("*.py")
        if path.name != "all_pages.py"
    }
    listed = f"{pages}all_pages"

    assert {
        name: found
        for name, modules in importers.items()
        if (found := {module for module in modules if not module.startswith(listed)})
    } == {}


@pytest.mark.large
@each_row("path", TESTS)
def test_no_file_imports_a_test_file(path: Path) -> None:
    """What two test files share is in a helper module beside them."""
    statement = r"^ *(?:from|import) tests\b(?:.*\([^)]*|.*)\btest_\w"
    if re.search(statement, path.read_text(encoding="utf-8"), re.MULTILINE):  # it may be in a text
        wrong = re.compile(r"tests\.(?:\w+\.)*test_\w+")
        assert [name for name in imported(path) if wrong.match(name)] == []
