"""Cells of tables that a spreadsheet would run as formulas."""

from __future__ import annotations

import re
from typing import Final

# Where lists are separated by ";", a spreadsheet splits cells there, and some do at tabs and line
# breaks. The last four signs are full-width forms. The pattern works in Python and in Polars, and
# saveTable of assets/toolboard.js has the same.
FORMULA: Final = r'(^|[;\t\r\n])([ "]*[=+\-@\uff1d\uff0b\uff0d\uff20])'


def guard_formula(cell: str) -> str:
    """The cell with an apostrophe before whatever a spreadsheet would run as a formula."""
    return re.sub(FORMULA, r"\1'\2", cell)
