"""Markdown of strangers as HTML: what may stand, and everything that may not."""

from __future__ import annotations

import pytest

from site_templates.markdown import (
    first_sentence,
    headings,
    link_hosts,
    render,
    title,
    without_title,
)
from tests.each_row import each_row
from tests.site_templates.site_html import parse

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\u200bscript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example/)",
    "[x](/\\evil.example)",
    "[x](\\\\evil.example)",
    "[x](http:evil.example)",
    "[x](https://)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "[x]: javascript:alert(1)\n\n[x]",
    '[x](https://a.example "onclick=alert(1)")',
    '[x](<https://a.example/" onclick="alert(1)>)',
    "```html onload=alert(1)\n<script>\n```",
    "[![x](https://a.example/x.png)](https://a.example)",
    "|a|\n|:-:|\n|<b>|",
    "<!-- <script> -->",
    "&lt;script&gt;",
    "{{ 7*7 }}",
]


@each_row("source", ATTACKS)
def test_attacks_stay_text(source: str) -> None:
    """No element but plain prose, no attribute but a safe address, whatever the source says."""
    page = parse(str(render(source)).encode())
    allowed = {"p", "a", "span", "pre", "code", "div", "table", "thead", "tbody", "tr", "th", "td"}

    assert page.faults == []
    assert {e.tag for e in page.elements} <= allowed
    box = {"class", "role", "aria-label", "tabindex"}
    for element in page.elements:
        assert element.attributes.keys() <= (
            box if element.tag == "div" else {"href", "rel", "class", "scope"}
        ), element
        assert element.attributes.get("href", "https://").startswith("https://a.example"[:8]), (
            element
        )


def test_web_addresses_are_links_that_lend_no_weight() -> None:
    """Addresses of http and https become links with rel; a capital scheme is written small."""
    expected = '<p><a href="https://a.example/x?y=1&amp;z" rel="nofollow noopener">x</a></p>\n'

    assert render("[x](HTTPS://a.example/x?y=1&z)") == expected


def test_mail_addresses_are_links() -> None:
    """mailto: is allowed where it holds one plain address."""
    assert (
        render("[x](mailto:a@b.example)")
        == '<p><a href="mailto:a@b.example" rel="nofollow noopener">x</a></p>\n'
    )
    assert render("[x](mailto:a@b.example?bcc=c@d.example)") == "<p><span>x</span></p>\n"


@each_row(
    ("text", "target", "shown"),
    [
        ("https://good.example", "https://evil.example/x", " (evil.example)"),
        ("**good.example**/x", "https://evil.example", " (evil.example)"),
        ("https://good.example@evil.example", "https://evil.example", " (evil.example)"),
        ("a@good.example", "mailto:b@evil.example", " (b@evil.example)"),
        ("http://\\[x", "https://evil.example", " (evil.example)"),
        ("evil.example/a", "https://evil.example/b", ""),
        ("b@evil.example", "mailto:b@evil.example", ""),
        ("version 1.2", "https://evil.example", ""),
        ("other.md", "other.md", ""),
    ],
)
def test_a_text_that_reads_like_another_address_is_named(
    text: str, target: str, shown: str
) -> None:
    """Beside the link, and in the name of what was an image, is the host that it leads to."""
    link = render(f"[{text}]({target})", resolve=str)
    assert link.endswith(f"</a>{shown}</p>\n")
    assert render(f"[{text}]({target}) and more", resolve=str).endswith(f"{shown} and more</p>\n")
    image = render(f"![{text}]({target})", resolve=str)
    assert image.endswith(f"{shown}</a></p>\n")


def test_relative_addresses_go_through_the_resolver() -> None:
    """What the resolver returns is linked; what it does not know is plain text."""
    known = {"a.md": "a.html"}

    assert (
        render("[x](a.md) [y](b.md)", resolve=known.get)
        == '<p><a href="a.html">x</a> <span>y</span></p>\n'
    )


def test_images_become_links() -> None:
    """An image is a link named by its text, so that the page asks nothing of another host."""
    assert render("![a *b*](https://a.example/x.png)") == (
        '<p><a href="https://a.example/x.png" rel="nofollow noopener">a b</a></p>\n'
    )


def test_a_document_has_headings_and_link_hosts() -> None:
    """What an address leads to counts, not its text, and each host once. A page shows no others."""
    source = (
        "# One *big* claim\n\n[a](https://b.example/x) <https://b.example/y> [b](docs/x.md)\n\n"
        "Two\n---\n\n| ![i](http://a.example/i.png) | [m](mailto:x@c.example) |\n|-|-|\n\n"
        "[c](javascript:x) [d](ftp://d.example)\n"
    )

    assert headings(source) == ["One big claim", "Two"]
    assert link_hosts(source) == ["a.example", "b.example", "x@c.example"]
    assert headings("No title.") == link_hosts("No link.") == []


def test_headings_move_down() -> None:
    """Headings shift by the given number of levels and stop at the sixth."""
    assert render("# a\n\n###### b", shift=2) == "<h3>a</h3>\n<h6>b</h6>\n"


def test_headings_get_ids_of_their_words() -> None:
    """Ids are made of the words, numbered where equal or taken by the page itself."""
    html = render("## The `lb` rule, 2\n\n## Same\n\n## Same\n\n## main", anchors=True)

    assert [e.attributes["id"] for e in parse(html.encode()).all("h2")] == [
        "the-lb-rule-2",
        "same",
        "same-1",
        "main-1",
    ]


def test_tables_carry_no_style() -> None:
    """Right-aligned columns get a class, since inline styles are forbidden."""
    html = render("| a | b |\n|---|--:|\n| 1 | 2 |")

    assert "style" not in html
    assert '<td class="n">2</td>' in html


def test_hidden_characters_are_written_out() -> None:
    """Bidi and zero-width characters show as their numbers."""
    assert render("a\u202eb\u200b") == "<p>a⟨U+202E⟩b⟨U+200B⟩</p>\n"


@pytest.mark.large
def test_deep_nesting_ends() -> None:
    """Thousands of open brackets and quotes render in no time and to something."""
    assert len(render("> " * 3000 + "x")) > 0
    assert len(render("[" * 20000)) > 0


def test_titles_and_first_sentences() -> None:
    """The first heading is the title and the first sentence the summary, both as plain text."""
    source = "# A *b* `c`\n\nOne [sentence](x.md). Another.\n"

    assert title(source) == "A b c"
    assert first_sentence(source, 80) == "One sentence."
    assert first_sentence("Words that go on and on and on", 20) == "Words that go on…"
    assert first_sentence("", 20) == ""
    assert without_title(source) == "\nOne [sentence](x.md). Another.\n"


def test_a_table_stands_in_a_box_with_a_name() -> None:
    """A scrolling box can be reached by keyboard. Its name is escaped."""
    page = parse(str(render('| a" onclick="x | `b` | |\n|---|---|---|\n| 1 | 2 | 3 |')).encode())
    [box] = page.all("div", class_="box")
    [bare] = parse(str(render("| | |\n|---|---|\n| 1 | 2 |")).encode()).all("div")
    [long] = parse(str(render(f"| {'word ' * 50}|\n|---|\n| 1 |")).encode()).all("div")

    assert box.attributes == {
        "class": "box",
        "role": "group",
        "aria-label": 'a" onclick="x, b',
        "tabindex": "0",
    }
    assert bare.attributes["aria-label"] == "Table"
    assert len(long.attributes["aria-label"]) <= 100


def test_what_heads_no_column_is_no_head() -> None:
    """An empty cell above a column is a plain one; heads with words, or with a link, stay heads."""
    page = parse(
        str(
            render("| | a | [b](https://x.example) | `c` |\n|---|---:|---|---|\n| 1 | | 3 | 4 |")
        ).encode()
    )

    assert page.faults == []
    assert [e.text for e in page.all("th")] == ["a", "b", "c"]
    assert [e.text for e in page.all("td")] == ["", "1", "", "3", "4"]
