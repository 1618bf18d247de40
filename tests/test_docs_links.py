"""The Markdown pages: every link inside the project has a target."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.conftest import shipped
from tests.each_row import each_row

ROOT = Path(__file__).resolve().parents[1]
DATA = "`datasets/"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@cache
def tokens(path: Path) -> list[Token]:
    """Every token of the page, inline ones included."""
    parsed = MarkdownIt("gfm-like", {"linkify": False}).parse(path.read_text(encoding="utf-8"))
    return [each for token in parsed for each in (token, *(token.children or ()))]


def links(path: Path) -> Iterator[str]:
    """The targets of the page's links and pictures."""
    for token in tokens(path):
        for attribute in ("href", "src"):
            if attribute in token.attrs:
                yield str(token.attrs[attribute])
        if token.type in {"html_inline", "html_block"}:
            yield from re.findall(r"\b(?:href|src|srcset)=\"([^\"]+)\"", token.content)


@cache
def anchors(path: Path) -> set[str]:
    """The anchors of the page's headings, as the hosting service makes them."""
    found: list[str] = []
    heading = False
    for token in tokens(path):
        if token.type == "inline" and heading:
            text = "".join(
                child.content
                for child in token.children or ()
                if child.type in {"text", "code_inline"}
            )
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            found.append(f"{slug}-{found.count(slug)}" if slug in found else slug)
        heading = token.type == "heading_open"
    return set(found)


def broken(page: Path, link: str) -> bool:
    """Whether a link leaves the project folder, or its file or heading is missing."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_relative_to(ROOT) or not target.exists():
        return True
    return bool(parts.fragment) and target.suffix == ".md" and parts.fragment not in anchors(target)


@each_row("page", PAGES)
def test_every_link_inside_the_project_has_a_target(page: Path) -> None:
    """The files, folders, pictures and headings that a page links to exist."""
    assert [link for link in links(page) if broken(page, link)] == []


def test_a_broken_link_is_found() -> None:
    """A missing file, a missing heading and a path out of the project are broken links."""
    readme = ROOT / "README.md"

    assert broken(readme, "no-such-file.md")
    assert broken(readme, "../elsewhere.md")
    assert broken(readme, "CONTRIBUTING.md#no-such-heading")
    assert not broken(readme, "CONTRIBUTING.md")
    assert not broken(readme, "https://example.org/missing")


def test_the_map_of_the_code_is_current() -> None:
    """Every place that docs/architecture.md names as `file.py:name` exists."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    places = re.findall(r"`([\w/]+\.py):(\w+)`", text)
    missing = [
        f"{file}:{name}"
        for file, name in places
        if not re.search(
            rf"^(?:def|class) {name}\b|^{name}\b.*=",
            (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).is_file() else "",
            re.MULTILINE,
        )
    ]

    assert len(places) > 10
    assert missing == []


@pytest.mark.parametrize("page", ["docs/architecture.md", "SECURITY.md", "CONTRIBUTING.md"])
def test_every_file_that_a_page_names_exists(page: str) -> None:
    """Modules, folders and tests that these pages name in code exist."""
    text = (ROOT / page).read_text(encoding="utf-8")
    top = "cli|leaderboard|scoring|replay|runners|site_templates|tests|docs|scripts|requirements"
    named = set(re.findall(rf"`((?:{top})/[\w/.-]*)(?::\w+)?`", text))

    assert named
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def rows_of_the_map() -> dict[str, list[tuple[str, str]]]:
    """The rows of docs/architecture.md on where to make a change, by the heading above them."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    parts = text.partition("\n## Where to make a change\n")[2].split("\n### ")[1:]
    rows = {}
    for part in parts:
        heading = part.partition("\n")[0]
        cells = re.findall(r"^\| (.+?) \| (.+) \|$", part, re.MULTILINE)
        rows[heading] = [(change, start) for change, start in cells if change != "change"]
    return rows


def wrong_steps(start: str) -> Iterator[str]:
    """The steps of a row that do not name exactly one file or folder, or a name that is not there.

    A step is one path from the root. Names in the file may follow after a colon.
    """
    for step in start.split(" then "):
        place, _, names = step.partition(": ")
        named = re.findall(r"`([^`]+)`", place)
        places = [name for name in named if "/" in name or name in {"Makefile", "pyproject.toml"}]
        if len(places) != 1 or ";" in step or not (ROOT / places[0]).exists():
            yield step
        elif names:
            text = (ROOT / places[0]).read_text(encoding="utf-8")
            for name in re.findall(r"`([^`]+)`", names):
                if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                    yield f"{places[0]}: {name}"


def test_every_row_of_the_map_has_one_answer() -> None:
    """A row starts in one place, by its full path, or in several of them joined by "then"."""
    rows = [row for part in rows_of_the_map().values() for row in part]
    changes = [change for change, _ in rows]

    assert len(rows) > 500
    code = [(change, start) for change, start in rows if not start.startswith(DATA)]
    assert [(change, wrong) for change, start in code for wrong in wrong_steps(start)] == []
    assert sorted({change for change in changes if changes.count(change) > 1}) == []


def test_every_row_of_the_map_about_shipped_data_has_one_answer() -> None:
    """The files that a fork may have removed."""
    shipped("datasets/stable_toolbench")
    starts = [start for part in rows_of_the_map().values() for _, start in part]
    about_data = [start for start in starts if start.startswith(DATA)]

    assert about_data
    assert [wrong for start in about_data for wrong in wrong_steps(start)] == []


@each_row(
    "start",
    [
        "`leaderboard/files/file_bytes.py`: `no_such_function`",
        "`leaderboard/files/no_such_file.py`",
        "`leaderboard/files/file_bytes.py`; the limits: `leaderboard/limits.py`",
        "`leaderboard/files/file_bytes.py`, `leaderboard/limits.py`",
        "`json_files.py` beside it",
    ],
)
def test_an_answer_that_is_wrong_or_several_is_found(start: str) -> None:
    """A missing name or file, a second answer and a file without its folder are found."""
    assert list(wrong_steps(start)) != []


def test_the_map_has_short_tables_that_its_list_links() -> None:
    """At most 20 rows under each heading, short first cells, and a link to each heading."""
    rows = rows_of_the_map()
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    linked = re.findall(r"^- .*$", text.partition("## Where to make a change")[2], re.MULTILINE)
    listed = re.findall(r"\[([^\]]+)\]\(#", "\n".join(linked))

    assert [heading for heading, part in rows.items() if not 0 < len(part) <= 20] == []
    assert [change for part in rows.values() for change, _ in part if len(change) > 72] == []
    assert listed == list(rows)
