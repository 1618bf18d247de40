"""Every known defect of the replaced systems has a test that is named after its id."""

from __future__ import annotations

import re
from pathlib import Path

from tests.each_row import each_row

TESTS = Path(__file__).parent
NAMED = {
    (letter, int(number))
    for path in TESTS.rglob("test_*.py")
    for letter, number in re.findall(r"def test_([abc])_(\d\d)_", path.read_text(encoding="utf-8"))
}

# A: StableToolBench and its wrapper. B: the tool-selection tester. C: the environment tasks.
# C-14 to C-17 concern a task that this project does not have, and C-31 is not about code.
IDS = (
    [("a", n) for n in range(1, 66)]
    + [("b", n) for n in range(1, 37)]
    + [("c", n) for n in range(1, 31) if n not in (14, 15, 16, 17)]
)


@each_row(("letter", "number"), IDS)
def test_every_defect_has_a_test_of_its_name(letter: str, number: int) -> None:
    """A defect without a test could return unnoticed."""
    assert (letter, number) in NAMED
