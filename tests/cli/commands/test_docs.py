"""`lb docs`: the documentation of the package."""

from __future__ import annotations

import re

from click.testing import CliRunner

from cli.main import app
from leaderboard.doc_pages import NOT_PACKAGED, doc_pages
from tests.conftest import PROJECT


def test_the_list_names_every_page() -> None:
    """It needs no workspace, and shows the title of each page."""
    listed = CliRunner().invoke(app, ["docs"]).stdout.splitlines()

    assert [line.split()[0] for line in listed] == list(doc_pages())
    assert "methodology                  How scores are computed" in listed
    assert not NOT_PACKAGED & set(doc_pages())


def test_a_page_is_printed_whole() -> None:
    """Without the marks that say which boards a part concerns."""
    printed = CliRunner().invoke(app, ["docs", "methodology"])
    source = (PROJECT / "docs" / "methodology.md").read_text(encoding="utf-8")

    assert printed.exit_code == 0
    assert printed.stdout == re.sub(r"<!-- .+ -->\n", "", source)


def test_an_unknown_page_suggests_the_nearest() -> None:
    """It is a usage error."""
    refused = CliRunner().invoke(app, ["docs", "metodology"])

    assert (refused.exit_code, "did you mean methodology?" in refused.stderr) == (2, True)
