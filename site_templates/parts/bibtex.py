"""BibTeX entries of a board and of its submissions, to copy."""

from __future__ import annotations

import re
from typing import Final

from leaderboard.types import UNKNOWN, Submission
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.links import web

_LETTERS: Final = 200  # of a field, at most
_NOT_IN_KEYS: Final = re.compile(r"[^a-z0-9._-]+")
# Braces are written as words: BibTeX counts them, even with a backslash.
_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{letter: f"\\{letter}" for letter in "$&#_%"},
    }
)


def board_entry(index: BoardIndex, base: str | None) -> str:
    """The entry of the whole board. It names no author, because the board's files name none.

    `base` is the address of the published site, if known.
    """
    board = index.board
    return _entry(
        index, _key(board.title), board.title, board.newest, base or web(board.repository)
    )


def submission_entry(index: BoardIndex, submission: Submission, base: str | None) -> str:
    """The entry of a submission, by the organisation of its card."""
    card, board = submission.card, index.board
    page = f"{base}{index.paths.submission(submission.id)}" if base else web(board.repository)
    key = f"{_key(board.title)}-{_key(submission.id)}"
    title = f"{formatting.clip(card.name, 100)} on {formatting.clip(board.title, 90)}"
    author = "" if card.organization == UNKNOWN else card.organization
    return _entry(index, key, title, card.date, page, author=author)


def _entry(
    index: BoardIndex, key: str, title: str, date: str, url: str | None, *, author: str = ""
) -> str:
    """An entry with the fields that have a value. `date` is that of the newest responses."""
    inputs = f"inputs sha256 {formatting.digest(index.board.results.manifest['digest'])}"
    fields = {
        # The second braces keep an organisation whole, and the capitals of a title.
        "author": f"{{{_escaped(author)}}}" if author else "",
        "title": f"{{{_escaped(title)}}}",
        "year": date[:4],
        "url": url,
        "note": f"Responses of {date}, {inputs}" if date else inputs,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join((f"@misc{{{key},", *lines, "}"))


def _escaped(text: str) -> str:
    return formatting.clip(text, _LETTERS).translate(_ESCAPES)


def _key(text: str) -> str:
    return _NOT_IN_KEYS.sub("-", text.lower()).strip("-.") or "board"
