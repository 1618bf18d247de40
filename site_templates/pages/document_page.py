"""Documents: Markdown of the repository as pages of the site; and the page for addresses that lead nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import normpath

from markupsafe import Markup

from site_templates import markdown, page_frame
from site_templates.board_index import Register
from site_templates.links import Link, repository_file


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Model of docs/<name>.html. `source` is the address of the Markdown file, where that is known."""

    head: page_frame.Head
    title: str
    body: Markup
    bar: tuple[Link, ...]
    source: str | None


@dataclass(frozen=True, slots=True)
class LostPage:
    """Model of 404.html."""

    head: page_frame.Head
    ways: tuple[Link, ...]


def document_page(register: Register, name: str) -> DocumentPage:
    """The page of one document."""
    source = register.board.docs[name]
    title = _title(name, source)
    return DocumentPage(
        head=page_frame.Head(
            path=register.paths.document(name),
            title=f"{title}, docs: {register.board.title}",
            description=markdown.first_sentence(markdown.without_title(source), 160),
            section="Docs",
            crumbs=(Link("Board", "index.html"), Link("Docs"), Link(title)),
        ),
        title=title,
        body=_body(register, source),
        bar=tuple(
            Link(_title(other, register.board.docs[other]), register.paths.document(other))
            for other in page_frame.documents(register.board.docs)
        ),
        source=repository_file(register.board.repository, f"docs/{name}.md"),
    )


def _title(name: str, source: str) -> str:
    return markdown.title(source) or name.replace("-", " ").capitalize()


def _body(register: Register, source: str) -> Markup:
    """The document below its title. Links between documents stay in the site, those to other files lead to the repository."""
    docs = register.board.docs

    def resolve(href: str) -> str | None:
        path, hash_, anchor = href.partition("#")
        if not path:
            return href
        target = PurePosixPath(normpath(f"docs/{path}"))
        if (
            target.suffix == ".md"
            and target.parent == PurePosixPath("docs")
            and target.stem in docs
        ):
            return f"{register.paths.docs[target.stem]}.html{hash_}{anchor}"
        return (
            None
            if target.parts[0] == ".."
            else repository_file(register.board.repository, str(target))
        )

    return markdown.render(markdown.without_title(source), resolve=resolve, anchors=True)


def lost_page(register: Register, navigation: tuple[Link, ...]) -> LostPage:
    """The page a host shows for an address that leads nowhere."""
    head = page_frame.Head(
        path="404.html",
        title=f"Not found: {register.board.title}",
        description="There is no page at this address.",
        section="",
    )
    return LostPage(head, navigation)
