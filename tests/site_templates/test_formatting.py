"""Numbers, ranks, digests and hidden characters as readers see them, and file names."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from site_templates import builder, formatting
from site_templates.links import issue, repository_file, repository_link, slug, slugs, web
from tests.each_row import each_row


@each_row(
    ("given", "shown"),
    [
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("\u200b\u200d\ufeff", "⟨U+200B⟩⟨U+200D⟩⟨U+FEFF⟩"),
        ("\x00\x1b[31m\x7f", "⟨U+0000⟩⟨U+001B⟩[31m⟨U+007F⟩"),
        ("a\r\nb\tc\nd", "a\r\nb\tc\nd"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("\ud800", "⟨U+D800⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 4),
        ("می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"),
        ("👩🏽\u200d🔬 👁\ufe0f\u200d🗨", "👩🏽\u200d🔬 👁\ufe0f\u200d🗨"),
        ("a\u200cb\u200d 👩\u200d", "a⟨U+200C⟩b⟨U+200D⟩ 👩⟨U+200D⟩"),
        ("می\u200c\u200cخ", "می⟨U+200C⟩⟨U+200C⟩خ"),
        ("naïve – 25\u202f% 東京 🚋", "naïve – 25\u202f% 東京 🚋"),
        ("a\u200b" * 100, "a⟨U+200B⟩" * 100),
        ("a\u200b" * 101, "a⟨U+200B⟩" * 100 + "a ⟨1 more hidden character⟩"),
        ("\u200b\u202e" * 90_000, "⟨U+200B⟩⟨U+202E⟩" * 50 + " ⟨179,900 more hidden characters⟩"),
    ],
)
def test_visible_writes_out_what_hides(given: str, shown: str) -> None:
    """Control, bidi and zero-width characters show as numbers. Other text does not change.

    Of very many, some are written out: each of them takes twelve bytes.
    """
    assert formatting.visible(given) == shown


@each_row(
    ("share", "shown"),
    [
        (0.0, "0\u202f%"),
        (0.001, "<1\u202f%"),
        (0.36, "36\u202f%"),
        (0.999, ">99\u202f%"),
        (1.0, "100\u202f%"),
    ],
)
def test_whole_percent_never_rounds_to_nothing_or_all(share: float, shown: str) -> None:
    """Something is never 0 %, and not all is never 100 %."""
    assert formatting.whole_percent(share) == shown


@pytest.mark.browser
def test_scripts_round_like_the_pages(browser: Browser) -> None:
    """Every share of 0 to 400 cases reads the same in both languages, also as a difference."""
    shares = [passed / cases for cases in (8, 40, 163, 400) for passed in range(-cases, cases + 1)]
    shares += [0.1 * 3 + 0.0005, 0.88249999999999995, 0.00004, -0.00004]
    page = browser.new_page()
    script = Path(builder.__file__).parent / "assets" / "toolboard.js"
    page.add_script_tag(content=script.read_text(encoding="utf-8"))
    read = "shares => shares.map(share => toolboard.{}(share))"
    plain, signed = (page.evaluate(read.format(name), shares) for name in ("percentage", "signed"))
    page.close()

    # A script may write "-0.0" as 0.0.
    expected = [formatting.percent(share).replace("-0.0", "0.0") for share in shares]
    assert plain == [text.replace("-", "−") for text in expected]
    assert signed == [formatting.signed(share) for share in shares]


def test_numbers() -> None:
    """One decimal, signs as such, thousands parted, a dash for what is not there."""
    assert (formatting.percent(0.81935), formatting.percent(None)) == ("81.9", "—")
    assert (formatting.bounds(0.797, 0.84), formatting.bounds(None, None)) == ("79.7–84.0", "")
    assert (formatting.signed(0.025), formatting.signed(-0.004), formatting.signed(-0.0001)) == (
        "+2.5",
        "−0.4",
        "0.0",
    )
    assert (formatting.rank((1, 1)), formatting.rank((2, 4)), formatting.rank(None)) == (
        "1",
        "2–4",
        "",
    )
    assert (
        formatting.number(2.189),
        formatting.number(0.00123),
        formatting.number(0.0000456),
        formatting.number(1234.5),
        formatting.number(0),
    ) == (
        "2.19",
        "0.0012",
        "0.000046",
        "1,234.50",
        "0.00",
    )


@each_row(
    ("value", "shown"),
    [
        (None, "—"),
        (0.0, "0.00"),
        (-0.0, "0.00"),
        (0.9, "0.90"),
        (0.0042, "0.0042"),
        (-0.0042, "-0.0042"),
        (1e-6, "0.0000010"),
        (9.9e-7, "9.9e-7"),
        (1e-300, "1.0e-300"),
        (5e-324, "4.9e-324"),
        (999_999.994, "999,999.99"),
        (1_234_567.8, "1,234,568"),
        (999_999_999.0, "999,999,999"),
        (1e9, "1.0e9"),
        (1.79e308, "1.8e308"),
        (-1e300, "-1.0e300"),
    ],
)
def test_no_number_is_long(value: float | None, shown: str) -> None:
    """A number has at most a dozen characters, and never reads as zero unless it is zero."""
    assert formatting.number(value) == shown
    assert len(shown) <= 12


def test_words() -> None:
    """Lists, settings, digests and cut texts read as a person would write them."""
    assert formatting.listed(["a"]) == "a"
    assert formatting.listed(["a", "b", "c"]) == "a, b and c"
    assert formatting.settings({"seed": 7, "model": "m", "on": True}) == "model m, on true, seed 7"
    assert formatting.digest("0123456789abcdef" * 4) == "0123 4567 89ab cdef"
    assert formatting.digest("sha256:" + "0123456789abcdef" * 4) == "sha256 0123 4567 89ab cdef"
    assert formatting.digest("v3") == "v3"
    assert formatting.values(["a", 1, None]) == '"a", 1, null'
    assert formatting.clip("one two three", 9) == "one two…"
    assert formatting.clip("W" * 50, 10) == "WWWWWWWWW…"


# ---------------------------------------------------------------- links


@pytest.mark.parametrize("identifier", ["A001", "G1_tool-3.b", "x" * 100])
def test_slug_keeps_what_is_safe(identifier: str) -> None:
    """An id that is a file name already is its own."""
    assert slug(identifier) == identifier


@each_row(
    "identifier",
    [
        "a/b",
        "..",
        ".hidden",
        "a b",
        "index",
        "CON",
        "com1",
        "lpt1.x",
        "é",
        "x" * 101,
        "",
        "a~b",
        "\ud800",
    ],
)
def test_slug_of_anything_else_is_safe_and_its_own(identifier: str) -> None:
    """Any other id becomes a name of safe characters that no safe id can have."""
    made = slug(identifier)

    assert "~" in made
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-~")
    assert len(made) < 80


def test_slugs_tell_apart_what_some_disks_cannot() -> None:
    """Ids that differ in case alone get names that differ in more."""
    made = slugs(["A1", "a1", "b"])

    assert made["b"] == "b"
    assert len({name.casefold() for name in made.values()}) == 3


@each_row(
    ("url", "kept"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("http://example.org/ä b", "http://example.org/%C3%A4%20b"),
        ("javascript:alert(1)", None),
        ("https:evil", None),
        ("//example.org", None),
        ("https://[", None),
        ("", None),
        (None, None),
    ],
)
def test_web_keeps_only_web_addresses(url: str | None, kept: str | None) -> None:
    """Only http and https with a host are addresses."""
    assert web(url) == kept


def test_repository_links_where_the_host_is_known() -> None:
    """Files and issues are linked on hosts whose addresses are known, and on no others."""
    github = "https://github.com/example/board.git"

    assert (
        repository_file(github, "docs/a b.md")
        == "https://github.com/example/board/blob/HEAD/docs/a%20b.md"
    )
    assert repository_file("https://gitlab.com/e/b/", "x") == "https://gitlab.com/e/b/-/blob/HEAD/x"
    assert repository_file("https://example.org/board", "x") is None
    assert issue(github, "a & b", "") == "https://github.com/example/board/issues/new?title=a+%26+b"
    assert issue("https://example.org/board", "a", "") is None


@each_row(
    ("href", "path"),
    [
        ("a%20b.json", "submissions/x/a%20b.json"),
        ("a b.json", "submissions/x/a%20b.json"),
        ("../../docs/judges.md#panel", "docs/judges.md#panel"),
        ("..", "submissions"),
        ("../..", None),
        ("../../../../../stranger/board", None),
    ],
)
def test_a_relative_link_leads_to_a_file_of_the_repository(href: str, path: str | None) -> None:
    """Escapes stay single, an anchor stays, and no link leads to another repository."""
    found = repository_link("https://github.com/example/board", "submissions/x", href)

    assert found == (path and f"https://github.com/example/board/blob/HEAD/{path}")


def test_names_break_where_a_word_begins() -> None:
    """At capitals, dots and underscores. Markup stays text; hidden characters show."""
    assert formatting.breakable("StableToolBench <b>") == "Stable<wbr>Tool<wbr>Bench &lt;b&gt;"
    assert formatting.breakable("math.sum_of") == "math.<wbr>sum_<wbr>of"
    assert formatting.breakable("_x_<b>.1") == "_<wbr>x_&lt;b&gt;.1"
    assert formatting.breakable("a\u202eb") == "a⟨U+202E⟩b"


def test_points_and_p_values() -> None:
    """Points have a true minus sign and no sign at 0; small p-values have three decimals."""
    assert [formatting.points(0.052), formatting.points(-0.004)] == ["5.2", "−0.4"]
    assert [formatting.signed(0.052), formatting.signed(-0.0004)] == ["+5.2", "0.0"]
    values = [formatting.p_value(p) for p in (0.0004, 0.0431, 0.351, None)]
    assert values == ["< 0.001", "0.043", "0.35", ""]


def test_b15_coefficients_have_a_true_minus() -> None:
    """Two decimals, and no minus before 0.00; a dash if it is not defined."""
    values = [formatting.coefficient(value) for value in (0.876, -0.1, -0.004, None)]
    assert values == ["0.88", "−0.10", "0.00", "—"]
