"""Mutation testing: does a test fail if a comparison, a constant or a return is wrong?

    .venv/bin/python benchmarks/mutants.py scoring/statistics/intervals.py --most 50

Changes one place of a module at a time, in memory, and runs the module's tests: those in the same
place below tests/, or those that `--tests` names. Prints the changes that no test noticed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

# Imported before the forks, which makes each of them faster.
import hypothesis  # noqa: F401
import polars  # noqa: F401
import pydantic  # noqa: F401
import pytest

PROJECT = Path(__file__).resolve().parents[1]
SEED = 1
TIMEOUT = 120
PYTEST = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile", "quick", "-m", "not large"]
PYTEST += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]

OTHER_OPERATOR: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


def change_compared(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    other = OTHER_OPERATOR.get(type(node.ops[0]))
    if other is None:
        return False
    node.ops[0] = other()  # type: ignore[call-overload]
    return True


def change_operator(node: ast.AST) -> bool:
    if not isinstance(node, ast.BoolOp | ast.BinOp):
        return False
    other = OTHER_OPERATOR.get(type(node.op))
    if other is None:
        return False
    node.op = other()  # type: ignore[assignment]
    return True


def change_constant(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, int | float):
        return False
    node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    return True


def drop_not(node: ast.AST) -> bool:
    if not isinstance(node, ast.UnaryOp) or not isinstance(node.op, ast.Not):
        return False
    node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
    return True


def return_nothing(node: ast.AST) -> bool:
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    if isinstance(node.value, ast.Constant) and node.value.value is None:
        return False
    node.value = ast.Constant(None)
    return True


CHANGES: tuple[Callable[[ast.AST], bool], ...] = (
    change_compared,
    change_operator,
    change_constant,
    drop_not,
    return_nothing,
)


class Mutant:
    """A module with one place changed."""

    def __init__(self, tree: ast.Module, line: int, before: str) -> None:
        self.tree = tree
        self.line = line
        self.before = before
        self.after = ""


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a source. Annotations are left alone, because no test runs them."""
    original = ast.parse(source)
    for index, node in enumerate(nodes(original)):
        for change in CHANGES:
            if not change(copy.deepcopy(node)):
                continue
            tree = copy.deepcopy(original)
            changed = nodes(tree)[index]
            mutant = Mutant(tree, getattr(node, "lineno", 0), ast.unparse(node))
            change(changed)
            mutant.after = ast.unparse(changed)
            ast.fix_missing_locations(tree)
            yield mutant


def nodes(tree: ast.Module) -> list[ast.AST]:
    unused: set[int] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                unused.update(id(inner) for inner in ast.walk(part))
    return [node for node in ast.walk(tree) if id(node) not in unused]


class Substitute(MetaPathFinder, Loader):
    """Imports the mutant in place of the module of this name."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name = name
        self.path = path
        self.tree = tree

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        inside = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return spec_from_file_location(
            fullname, self.path, loader=self, submodule_search_locations=inside
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.tree, self.path, "exec"), module.__dict__)


def noticed(name: str, path: Path, tests: list[str], tree: ast.Module) -> bool:
    """Whether a test fails with this tree, in a process of its own. A hang is noticed too."""
    child = os.fork()
    if child == 0:
        signal.alarm(TIMEOUT)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        sys.meta_path.insert(0, Substitute(name, path, tree))
        os._exit(int(pytest.main([*PYTEST, *tests])) != 0)
    return os.waitpid(child, 0)[1] != 0


def own_tests(path: Path) -> str:
    """The test file in the same place. A package's own is named after its folder."""
    stem = path.parent.name if path.stem == "__init__" else path.stem
    return str(PROJECT / "tests" / path.parent / f"test_{stem}.py")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("module", type=Path, help="a module below the project's folder")
    parser.add_argument("--tests", nargs="+", help="test files that know the module")
    parser.add_argument("--most", type=int, default=100, help="size of the sample of mutants")
    options = parser.parse_args()
    os.chdir(PROJECT)
    path = options.module
    parts = path.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    tests = options.tests or [own_tests(path)]
    source = (PROJECT / path).read_text(encoding="utf-8")
    every = list(mutants(source))
    sample = random.Random(SEED).sample(every, min(options.most, len(every)))
    if noticed(name, PROJECT / path, tests, ast.parse(source)):
        sys.exit(f"{path}: the tests fail without any change")
    survived = 0
    for one in sample:
        if not noticed(name, PROJECT / path, tests, one.tree):
            survived += 1
            print(f"  {path}:{one.line}: {one.before}  ->  {one.after}", flush=True)
    print(f"{path}: {len(every)} mutants, {len(sample)} tried, {survived} survived", flush=True)


if __name__ == "__main__":
    main()
