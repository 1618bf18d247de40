"""Cells of tables that a spreadsheet would run as formulas."""

from __future__ import annotations

import re
from typing import Final

FORMULA: Final = r"^[=+\-@\t\r]"  # the same in Python and in Polars


def guard_formula(cell: str) -> str:
    """The cell with an apostrophe before what a spreadsheet would run as a formula."""
    return re.sub(FORMULA, r"'\g<0>", cell)
