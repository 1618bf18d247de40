"""The mutation testing of benchmarks/mutants.py changes one place at a time."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest

from tests.conftest import PROJECT
from tests.each_row import each_row

SCRIPT = PROJECT / "benchmarks" / "mutants.py"


def loaded() -> ModuleType:
    """The benchmark, which is a script and not part of a package."""
    spec = spec_from_file_location("mutants", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MUTANTS = loaded()


@each_row(
    ("source", "changed"),
    [
        ("x < y", {"x <= y"}),
        ("x in y", {"x not in y"}),
        ("x and y", {"x or y"}),
        ("not x", {"not not x"}),
        ("x + 1", {"x - 1", "x + 2"}),
        ("x = True", {"x = False"}),
        ("x: Literal[1] = 'text'", set()),
        ("def f(x):\n    return x", {"def f(x):\n    return None"}),
    ],
)
def test_each_mutant_has_one_change(source: str, changed: set[str]) -> None:
    """Operators, numbers and returns change. Texts and annotations do not."""
    assert {ast.unparse(one.tree) for one in MUTANTS.mutants(source)} == changed


def test_a_mutant_knows_its_file() -> None:
    """A module that reads a table beside it can be tried, too."""
    tree = ast.parse("found = __file__")
    spec = MUTANTS.Substitute("tried", SCRIPT, tree).find_spec("tried")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.found == str(SCRIPT)


@pytest.mark.large
def test_wrong_code_is_noticed() -> None:
    """The tests pass on the unchanged module, and few of its mutants survive them."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "scoring/statistics/multiple_tests.py", "--most", "5"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ mutants, 5 tried, [01] survived$", done.stdout.strip())
