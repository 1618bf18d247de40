"""SECURITY.md: every threat names what stops it, and a test that exists."""

from __future__ import annotations

import re

from tests.conftest import PROJECT
from tests.each_row import each_row

PAGE = (PROJECT / "SECURITY.md").read_text(encoding="utf-8")
HEADS = {"| threat | what stops it | tests |", "|---|---|---|"}
THREATS = [line for line in PAGE.splitlines() if line.startswith("|") and line not in HEADS]


def named_tests(threat: str) -> list[tuple[str, str]]:
    """File and function of each test that a row names."""
    return re.findall(r"`(tests/[\w/.]+\.py)::(test_\w+)`", threat)


@each_row("threat", THREATS)
def test_every_threat_names_tests_that_exist(threat: str) -> None:
    """A row has three cells, and the last one names at least one test."""
    assert threat.count("|") == 4
    assert named_tests(threat)
    for file, name in named_tests(threat):
        module = (PROJECT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", module, re.MULTILINE)


def test_every_attack_that_was_tried_is_listed() -> None:
    """T1 to T19 each have a row."""
    assert {int(number) for number in re.findall(r"\bT(\d+)\b", "".join(THREATS))} == set(
        range(1, 20)
    )
