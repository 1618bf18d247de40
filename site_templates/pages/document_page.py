"""Documents: Markdown files of the repository as pages. And the page for unknown addresses."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final
from urllib.parse import unquote

from markupsafe import Markup

from site_templates import markdown
from site_templates.board_index import BoardIndex
from site_templates.links import Link, repository_file, repository_link
from site_templates.page_frame import documents
from site_templates.page_head import Head, page_head

_STYLE: Final = (
    "body { margin: 12vh auto; max-width: 60ch; padding: 0 16px; font: 1rem/1.5 Georgia, serif }"
)


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Model of docs/<name>.html. `source` is the address of the Markdown file, if known."""

    head: Head
    title: str
    body: Markup
    bar: tuple[Link, ...]
    source: str | None


@dataclass(frozen=True, slots=True)
class LostPage:
    """Model of 404.html. Without the site's address it has its own style, and no links.

    `style_hash` is the sha256 of the style in base64, which the page's policy names.
    """

    head: Head
    style: str
    style_hash: str


def document_page(index: BoardIndex, name: str) -> DocumentPage:
    """The page of one document."""
    docs, packaged = index.board.docs, name in index.board.packaged_docs
    title, body = _title(name, docs[name]), markdown.without_title(docs[name])
    bar = [Link(_title(n, docs[n]), index.paths.document(n)) for n in documents(docs)]

    def resolve(href: str) -> str | None:
        """Links to documents stay in the site. Links to other files lead to the repository.

        Files that a document of the package links to are not in the board's repository.
        """
        path, hash_, anchor = href.partition("#")
        if not path:
            return href
        target = PurePosixPath(normpath(f"docs/{unquote(path)}"))
        if target == PurePosixPath("docs", f"{target.stem}.md") and target.stem in docs:
            return f"{index.paths.docs[target.stem]}.html{hash_}{anchor}"
        return None if packaged else repository_link(index.board.repository, "docs", href)

    return DocumentPage(
        head=page_head(
            index,
            index.paths.document(name),
            f"{title}, docs",
            markdown.first_sentence(body, 160),
            section="Docs",
            crumbs=[Link("Docs"), Link(title)],
        ),
        title=title,
        body=markdown.render(body, resolve=resolve, anchors=True),
        bar=tuple(bar),
        source=None if packaged else repository_file(index.board.repository, f"docs/{name}.md"),
    )


def _title(name: str, source: str) -> str:
    return markdown.title(source) or name.replace("-", " ").capitalize()


def lost_page(index: BoardIndex) -> LostPage:
    """The page that a host shows for an unknown address."""
    head = Head(
        path="404.html",
        title=f"Not found: {index.board.title}",
        description="There is no page at this address.",
        section="",
    )
    style_hash = b64encode(sha256(_STYLE.encode()).digest()).decode()
    return LostPage(head, _STYLE, style_hash)
