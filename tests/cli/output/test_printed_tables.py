"""Reports: what a terminal or a comment shows of text that others wrote."""

from __future__ import annotations

from cli.output.printed_tables import Table, code, markdown_report, plain, text_report
from tests.each_row import each_row


def test_text_columns_line_up() -> None:
    """The first column is left-aligned, the others are right-aligned."""
    assert text_report([Table(("a", "b"), [("long", "10")])]) == "  a      b\n  long  10"


def test_markdown_escapes_foreign_cells_only() -> None:
    """Names become code. Our own numbers stay as they are, and an empty cell stays empty."""
    table = Table(("case", "n"), [("a|b", "1"), ("", "2")], foreign=1)

    assert markdown_report([table]).splitlines()[2:] == ["| `a\\|b` | 1 |", "|  | 2 |"]


def test_a_table_with_a_title_is_folded_and_bounded() -> None:
    """A folded table shows 150 rows and counts the others."""
    report = markdown_report([Table(("case",), [(str(n),) for n in range(200)], title="Cases")])

    assert report.startswith("<details><summary>Cases</summary>")
    assert "| `149` |" in report
    assert "| `150` |" not in report
    assert report.endswith("and 50 more\n\n</details>")


@each_row(
    ("text", "shown"),
    [
        ("x", "`x`"),
        ("a|b", "`a|b`"),
        ("`", "`` ` ``"),
        ("a``b", "```a``b```"),
        ("", "`  `"),
        ("a\nb", "`a\\nb`"),
    ],
)
def test_code_holds_any_text(text: str, shown: str) -> None:
    """Bars, backticks and line ends stay inside the code."""
    assert shown == code(text)


def test_a_bar_does_not_end_a_cell() -> None:
    """In a table, a bar is escaped in code too."""
    report = markdown_report([Table(("a", "b"), [("x|y", "z|")], foreign=1)])

    assert "| `x\\|y` | z\\| |" in report


def test_long_words_and_long_reports_are_cut() -> None:
    """A cell has at most 120 characters, a report one comment. Left-out lines are counted.

    A long part leaves room for the parts after it, so nobody can hide those.
    """
    long = "\n".join(["x" * 40_000] * 2)
    folded = Table(("case",), [("é" * 200,)] * 150, title="Cases")
    report = markdown_report([long, folded, "## Problems", "z"])

    assert (len(plain("W" * 3000)), plain("W" * 3000)[-1]) == (120, "…")
    assert len(report.encode()) < 65_536
    assert "<details>" not in report
    assert report.endswith("\n\n## Problems\n\nz\n\n… and 157 more lines, too long for a comment.")
