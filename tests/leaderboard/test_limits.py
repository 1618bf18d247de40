"""The page of limits, and the constants."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from leaderboard import limits
from tests.conftest import PROJECT
from tests.each_row import each_row

CONSTANTS = {name: value for name, value in vars(limits).items() if name.isupper()}
ROW = re.compile(r"^\| .+ \| ([\d,]+(?:e-\d+)?)(?: [a-z]+)? \| `([A-Z_]+)` \|$", re.MULTILINE)


def test_the_page_lists_every_limit() -> None:
    """docs/limits.md has each constant with its value, and no other."""
    page = (PROJECT / "docs/limits.md").read_text(encoding="utf-8")
    listed = {name: float(value.replace(",", "")) for value, name in ROW.findall(page)}
    assert listed == CONSTANTS


@cache
def modules() -> dict[Path, str]:
    """The code of every module of the product."""
    packages = ("leaderboard", "scoring", "replay", "runners", "site_templates", "cli")
    files = (path for package in packages for path in (PROJECT / package).rglob("*.py"))
    return {path: path.read_text(encoding="utf-8") for path in files}


@each_row("name", CONSTANTS)
def test_every_limit_is_used(name: str) -> None:
    """No limit is only written down."""
    assert any(name in code for file, code in modules().items() if file.name != "limits.py")
