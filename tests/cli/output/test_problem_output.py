"""How problems are printed: foreign text never ends a line, and a list is bounded."""

from __future__ import annotations

import json

import pytest

from cli.output.problem_output import show_problems
from leaderboard.errors import Problem

HOSTILE = "a\n::error::x\r\x1b[2J\u202e\u2028\x85b"


@pytest.mark.parametrize("form", ["text", "github", "json"])
def test_t10_a_problem_is_one_line(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """A newline in a name, a message or a fix starts no log command in any format."""
    show_problems([Problem(f"f{HOSTILE}", HOSTILE, HOSTILE, at=HOSTILE)], form)
    printed = "".join(capsys.readouterr())
    starts = [line for line in printed.splitlines() if line.startswith("::error::")]
    assert [] == starts
    assert printed.isascii() or printed.replace("\n", "").isprintable()
    if form != "json":
        assert 1 == len(printed.splitlines())


@pytest.mark.parametrize("form", ["text", "github", "json"])
def test_t9_a_list_of_problems_is_bounded(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """Of 4,000 problems 200 are shown, errors first, equal ones once, and the others counted."""
    warnings = [Problem(f"f{number}", "w", severity="warning") for number in range(3800)]
    errors = [Problem(f"e{number}", "e") for number in range(200)]
    show_problems([*warnings, *errors, *errors], form)
    shown = capsys.readouterr()
    text = shown.out + shown.err
    assert "e199" in text
    assert "f0" not in text
    assert "3,800 more problems not shown" in text
    assert len(text) < 50_000


def test_one_kind_of_problem_is_one_line_with_a_count(capsys: pytest.CaptureFixture[str]) -> None:
    """Problems of a file that differ in the record and in values are counted, but not in JSON."""
    what = "names a case that does not exist: 'x{}'"
    many = [Problem("f", what.format(n), "fix", n, f"$.rows[{n}].id") for n in range(273)]
    show_problems([*many, Problem("f", "is empty")], "text")
    told = capsys.readouterr().err.splitlines()
    assert [
        "error: f $.rows[0].id: names a case that does not exist: 'x0', and 272 more like it (fix)",
        "error: f: is empty",
    ] == told
    show_problems(many[:3], "text")
    assert 3 == len(capsys.readouterr().err.splitlines())
    show_problems(many[:150], "json")
    assert 150 == len(json.loads(capsys.readouterr().out))
