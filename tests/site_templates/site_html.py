"""Reading the pages of a built site, as the tests of the site do: elements, links, ids, text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

VOID = frozenset({"meta", "link", "br", "wbr", "hr", "input", "img"})


@dataclass
class Element:
    """One element: its tag, its attributes, and the text directly and indirectly within."""

    tag: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Html:
    """A page: its elements in order, and what is wrong with its nesting."""

    elements: list[Element] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """The elements of a tag whose attributes are these; `class_` is one of its classes."""
        wanted = attributes.pop("class_", None)
        return [
            e
            for e in self.elements
            if e.tag == tag
            and all(e.attributes.get(name) == value for name, value in attributes.items())
            and (wanted is None or wanted in e.attributes.get("class", "").split())
        ]

    @property
    def ids(self) -> list[str]:
        return [e.attributes["id"] for e in self.elements if "id" in e.attributes]

    @property
    def text(self) -> str:
        return "\n".join(e.text for e in self.all("body"))

    def links(self) -> Iterator[str]:
        """Every address in the page, of links, scripts and styles."""
        for element in self.elements:
            for name in ("href", "src", "action"):
                if name in element.attributes:
                    yield element.attributes[name]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Html()
        self._open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.page.faults.append(f"<{tag}> has an attribute twice")
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.page.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        open_tag = self._open[-1].tag if self._open else "nothing"
        if open_tag != tag:
            self.page.faults.append(f"</{tag}> at {self.getpos()} closes {open_tag}")
        if self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def close(self) -> None:
        super().close()
        self.page.faults += [f"<{element.tag}> is never closed" for element in self._open]


def parse(content: bytes) -> Html:
    parser = _Parser()
    parser.feed(content.decode())
    parser.close()
    return parser.page


Pages = Mapping[str, Html]


class _ParsedPages(Pages):
    """The pages of a site by path. Each is parsed when a test first looks at it."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents
        self._parsed: dict[str, Html] = {}

    def __getitem__(self, path: str) -> Html:
        if path not in self._parsed:
            self._parsed[path] = parse(self._contents[path])
        return self._parsed[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)


def pages(files: Mapping[str, bytes]) -> Pages:
    """Every page of a site, to look at parsed."""
    return _ParsedPages({path: files[path] for path in files if path.endswith(".html")})


def target(page: str, link: str) -> tuple[str, str] | None:
    """The file and fragment of a page's link; None if it leads to another site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = normpath(join(dirname(page), unquote(parts.path))) if parts.path else page
    return path, unquote(parts.fragment)
