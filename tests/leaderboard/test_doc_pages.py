"""The documents of the package: each board gets the parts that concern it."""

from __future__ import annotations

import re

from leaderboard.doc_pages import BOARD_PAGES, board_pages, docs_folder, parts_for
from leaderboard.types import Suite
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder

TEXT = """\
# Title

### Suites of kind `exact`

Compared.

### Suites of kind `judged`

Read.

## After

<!-- if exact, makefile -->
One.
<!-- end -->
Two.
"""

OWN = """\
schema = 1
title = "Own"
kind = "own_kind"

[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""


def small_suite(folder: Folder) -> Suite:
    from cli.wiring import open_suites

    return open_suites(folder.root)[1][0]


def test_a_board_gets_the_parts_that_concern_it() -> None:
    """Sections of other kinds and parts under other names are left out, and no marker is left."""
    both = TEXT.replace("<!-- if exact, makefile -->\n", "").replace("<!-- end -->\n", "")

    assert parts_for(TEXT) == both
    assert parts_for(TEXT, {"exact", "judged"}) == both
    assert parts_for(TEXT, {"judged"}) == (
        "# Title\n\n### Suites of kind `judged`\n\nRead.\n\n## After\n\nTwo.\n"
    )
    assert parts_for(TEXT, ()) == "# Title\n\n## After\n\nTwo.\n"


def test_the_pages_of_a_board_describe_its_own_kinds(folder: Folder) -> None:
    """A board of one kind reads nothing about others, about `make`, or about this repository."""
    pages = board_pages([small_suite(folder)], judged=True, makefile=False)

    assert set(pages) == {"methodology", "submitting", "formats"}
    assert "Suites of kind `tool_selection`" in pages["methodology"]
    others = "|".join(kind for kind in KINDS if kind != "tool_selection")
    assert re.findall(rf"Suites of kind `({others})`", "".join(pages.values())) == []
    assert (
        re.findall(r"\bmake \w+|benchmarks/|no-understanding|<!--", "".join(pages.values())) == []
    )
    assert "make site" in board_pages([], judged=False, makefile=True)["methodology"]
    assert "Youden" not in board_pages([], judged=False, makefile=True)["submitting"]


def test_a_board_with_its_own_rule_says_what_that_is(folder: Folder) -> None:
    """A name that the owner chose has no section of its own."""
    folder.write("rules/own_kind.py", "def score(case, response):\n    return 1\n")
    folder.write("datasets/small/suite.toml", OWN)
    folder.write("datasets/small/cases.json", [{"id": "1", "user_query": "?"}])
    page = board_pages([small_suite(folder)], judged=False, makefile=False)["methodology"]
    assert "### Suites with a rule of this board" in page
    assert "Suites of kind" not in page


def test_every_condition_is_known_and_closed() -> None:
    """A name that nothing has would hide its part from every board."""
    texts = [(docs_folder() / f"{name}.md").read_text(encoding="utf-8") for name in BOARD_PAGES]
    conditions = [found for text in texts for found in re.findall(r"<!-- if (.+) -->", text)]
    names = {name for condition in conditions for name in condition.split(", ")}

    assert {"judges"} < names <= {*KINDS, "own", "judges", "makefile", "toolboard"}
    for text in texts:
        assert text.count("<!-- if ") == text.count("<!-- end -->")
        assert "<!--" not in parts_for(text)


def test_a_checkout_reads_its_own_documents() -> None:
    """An editable installation has a copy too, which may be old."""
    assert docs_folder() == PROJECT / "docs"
