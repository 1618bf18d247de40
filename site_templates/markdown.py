"""Markdown as safe HTML: no raw HTML, no third-party request, only web, mail and site addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from leaderboard.texts.short_text import single_spaced
from site_templates.formatting import clip, visible
from site_templates.links import web

# Turns a relative address of a document into one that works on its page, or None.
Resolve = Callable[[str], str | None]

# Ids that the templates use themselves.
_TAKEN: Final = ("main", "p", "f", "u", "ax", "board", "controls")
_LAST: Final = 6  # the smallest heading HTML has
_LABEL: Final = 100  # letters of the name of a box
_MAIL: Final = re.compile(r"mailto:[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+(\?subject=[A-Za-z0-9%._+-]*)?")
# "https://x", "x.example" and "Node.js", but not "1.2".
_LIKE_ADDRESS: Final = re.compile(r"://|\w\.[^\W\d]")


def nowhere(_: str) -> str | None:
    """The resolver of text that has no folder of its own: a relative address leads nowhere."""
    return None


def render(
    source: str, *, resolve: Resolve = nowhere, shift: int = 0, anchors: bool = False
) -> Markup:
    """HTML of Markdown text. Images become links.

    Headings move down by `shift` levels, and get ids with `anchors`.
    """
    tokens = _PARSER.parse(visible(source))
    if anchors:
        _name_headings(tokens)
    _move(tokens, shift)
    _links(tokens, resolve)
    _corners(tokens)
    return Markup(_RENDERER.render(tokens, _PARSER.options, {}))  # noqa: S704 - escaped, and tested


@lru_cache(maxsize=256)  # every document names all others
def title(source: str) -> str:
    """The text of the first heading of the first level, or nothing."""
    return _first(source, lambda token: token.type == "heading_open" and token.tag == "h1")


def headings(source: str) -> list[str]:
    """The texts of all headings, in order."""
    tokens = pairwise(_PARSER.parse(visible(source)))
    return [_plain(inline) for opening, inline in tokens if opening.type == "heading_open"]


def link_hosts(source: str) -> list[str]:
    """The hosts and mail addresses that links lead to, each once, by name."""
    tokens = _PARSER.parse(visible(source))
    _links(tokens, nowhere)
    children = [child for token in tokens for child in token.children or ()]
    targets = {urlsplit(str(child.attrGet("href") or "")) for child in children}
    return sorted({target.netloc or target.path for target in targets} - {""})


def without_title(source: str) -> str:
    """The source without its title, a heading with one `#`, which a page shows elsewhere."""
    return re.sub(r"\A\s*#[ \t]+[^\n]*\n?", "", source, count=1)


def first_sentence(source: str, length: int) -> str:
    """The first sentence of the first paragraph as plain text, at most `length` characters."""
    paragraph = _first(
        source[:4000], lambda token: token.type == "paragraph_open" and token.level == 0
    )
    return clip(re.split(r"(?<=[.!?])\s", paragraph, maxsplit=1)[0], length)


def _first(source: str, opens: Callable[[Token], bool]) -> str:
    """The plain text of the first block that such a token opens, or nothing."""
    for opening, inline in pairwise(_PARSER.parse(visible(source))):
        if opens(opening):
            return _plain(inline)
    return ""


def _plain(token: Token) -> str:
    return single_spaced("".join(_words(token.children or ())))


def _words(tokens: Sequence[Token]) -> list[str]:
    return [" " if token.type.endswith("break") else token.content for token in tokens]


def _name_headings(tokens: Sequence[Token]) -> None:
    """Give headings ids made of their words, as GitHub does. Equal ones get a number."""
    seen = dict.fromkeys(_TAKEN, 0)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = re.sub(r"[^\w\- ]", "", _plain(inline).lower()).replace(" ", "-") or "section"
            seen[name] = seen.get(name, -1) + 1
            opening.attrSet("id", f"{name}-{seen[name]}" if seen[name] else name)


def _move(tokens: Sequence[Token], shift: int) -> None:
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1:]) + shift, _LAST)}"


def _links(tokens: Sequence[Token], resolve: Resolve) -> None:
    """Keep the links whose address is allowed. Others become plain text."""
    for token in tokens:
        opened: list[Token] = []
        text: list[Token] = []
        shown: list[Token] = []
        for child in token.children or ():
            shown.append(child)
            if child.type == "link_open":
                opened.append(child)
                text = []
                _address(child, str(child.attrGet("href") or ""), resolve)
            elif child.type == "link_close" and opened:
                opening = opened.pop()
                child.tag = opening.tag
                if host := _other_host("".join(_words(text)), str(opening.attrGet("href") or "")):
                    shown.append(Token("text", "", 0, content=f" ({host})"))
            elif child.type == "image":
                _image(child, resolve, linked=bool(opened) and opened[-1].tag == "a")
            text.append(child)
        if token.children:
            token.children = shown


def _other_host(text: str, target: str) -> str:
    """The host or mail address that a link leads to, if its text reads like another address."""
    parts = urlsplit(target)
    if not parts.scheme or not _LIKE_ADDRESS.search(text):
        return ""
    host = parts.netloc or parts.path
    text = text.strip()
    try:
        named = urlsplit(text if "://" in text else f"//{text}").netloc
    except ValueError:
        named = ""
    return "" if named.casefold() == host.casefold() else host


def _corners(tokens: Sequence[Token]) -> None:
    """Turn empty header cells into plain cells."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not _plain(inline):
            opening.tag = closing.tag = "td"


def _heads(tokens: Iterable[Token]) -> str:
    """The column headings of the table that begins with these tokens."""
    row = takewhile(lambda token: token.type != "tr_close", tokens)
    return clip(
        ", ".join(filter(None, (_plain(token) for token in row if token.type == "inline"))), _LABEL
    )


def _address(token: Token, href: str, resolve: Resolve) -> None:
    target = _allowed(href, resolve)
    token.attrs = {}
    if target is None:
        token.tag = "span"
        return
    token.attrs["href"] = target
    if urlsplit(target).scheme:
        token.attrs["rel"] = "nofollow noopener"


def _image(token: Token, resolve: Resolve, *, linked: bool) -> None:
    """Turn an image into a link named by its alternative text: pages load nothing from other hosts.

    Within a link (`linked`) it becomes that text alone.
    """
    label = "".join(_words(token.children or ())) or "image"
    target = None if linked else _allowed(str(token.attrGet("src") or ""), resolve)
    token.attrs = {"href": target, "rel": "nofollow noopener"} if target else {}
    host = _other_host(label, target or "")
    token.content = f"{label} ({host})" if host else label


def _allowed(href: str, resolve: Resolve) -> str | None:
    if re.match(r"https?:", href, re.IGNORECASE):
        return web(href[:6].lower() + href[6:])
    if href.startswith("mailto:"):
        return href if _MAIL.fullmatch(href) else None
    if re.match(r"[/\\]|[^/?#]*:", href) or "\\" in href:
        return None
    return resolve(href)


class _Renderer(RendererHTML):
    """The differences from the usual HTML: boxes around tables, no style or class attributes."""

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        # A box that scrolls has to be reached by keyboard, and then to have a name.
        name = escape(_heads(tokens[place] for place in range(idx, len(tokens))) or "Table")
        return f'<div class="box" role="group" aria-label="{name}" tabindex="0"><table>\n'

    def table_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</table></div>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f"<pre><code>{escape(tokens[idx].content)}</code></pre>\n"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        attributes = "".join(
            f' {name}="{escape(str(value))}"' for name, value in token.attrs.items()
        )
        tag = "a" if attributes else "span"
        return f"<{tag}{attributes}>{escape(token.content)}</{tag}>"

    def _cell(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        right = "right" in str(token.attrGet("style") or "")
        scope = ' scope="col"' if token.tag == "th" else ""
        number = ' class="n"' if right else ""
        return f"<{token.tag}{scope}{number}>"

    td_open = th_open = _cell


class _Parser(MarkdownIt):
    """A parser that accepts every address, because `_allowed` checks them."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - overrides
        return True


_PARSER: Final = _Parser("commonmark", {"html": False}).enable(["table", "strikethrough"])
_RENDERER: Final = _Renderer()
