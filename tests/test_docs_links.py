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

from tests.each_row import each_row

ROOT = Path(__file__).resolve().parents[1]
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


def test_every_file_that_the_map_puts_beside_another_is_there() -> None:
    """A file that a row names without its folder is in one of the folders that the row names."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found, lost = 0, []
    for row in re.findall(r"^\|.*", text, re.MULTILINE):
        named = re.findall(r"`([\w./-]+)`", row)
        places = [ROOT / name for name in named if (ROOT / name).exists() and "/" in name]
        folders = [place if place.is_dir() else place.parent for place in places]
        for name in named:
            if re.search(r"\w\.(?:py|js|html|toml|css|svg)$", name) and not (ROOT / name).exists():
                found += 1
                if not any((folder / name).exists() for folder in folders):
                    lost.append(name)

    assert found > 30
    assert sorted(set(lost) - {"suite.toml", "leaderboard.toml"}) == []
