"""The lines of a list of answers, as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup, escape

from site_templates import formatting


class AnswerLine(NamedTuple):
    """One answer: its case, the page of the case, the anchor there, and the question or ""."""

    label: str
    path: str
    anchor: str
    question: str


def answer_lines(lines: Iterable[AnswerLine], root: str) -> Markup:
    """Lines as HTML. The lists of all submissions have the same cases, but for the anchors."""
    html = []
    for label, path, anchor, question in lines:
        before, after = _around(label, path, question, root)
        html.append(f"{before}{_escaped(anchor)}{after}")
    return Markup("\n".join(html))  # noqa: S704 - each of them is escaped


_escaped = lru_cache(maxsize=1_000)(escape)


@lru_cache(maxsize=20_000)
def _around(label: str, path: str, question: str, root: str) -> tuple[str, str]:
    """The HTML of a line before the anchor and after it."""
    text = f" {formatting.visible(question)}" if question else ""
    before = Markup('<li><a href="{}{}#').format(root, path)
    after = Markup('">{}</a>{}</li>').format(formatting.visible(label), text)
    return str(before), str(after)
