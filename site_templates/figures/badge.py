"""A badge for each submission: its score and its rank, to be shown wherever its makers like."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from leaderboard.types import Json, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.data.board_tables import encode
from site_templates.data.feed import xml

_LETTER: Final = 6.6  # pixels of a letter at 11 px, about; the text is fitted to the sum
_PAD: Final = 7
_LABEL: Final = 40
_SHIELD: Final = "2b46a8"  # the accent of the stylesheet


@dataclass(frozen=True, slots=True)
class Badge:
    """Model of badges/<submission>.svg: two texts with widths and middles in pixels, and the words for all of it."""

    label: str
    message: str
    left: int
    right: int
    label_width: int
    message_width: int
    label_middle: float
    message_middle: float
    says: str

    @property
    def width(self) -> int:
        return self.left + self.right


@dataclass(frozen=True, slots=True)
class Embed:
    """How a submission's badge is put into another page. Full addresses are None where the site does not know its own."""

    svg: str
    shields: str
    markdown: str | None
    html: str | None


def badge(index: BoardIndex, submission: Submission) -> Badge:
    """The badge of a submission."""
    label, message = _words(index, submission)
    left, right = _width(label), _width(message)
    return Badge(
        label=label,
        message=message,
        left=left + 2 * _PAD,
        right=right + 2 * _PAD,
        label_width=left,
        message_width=right,
        label_middle=left / 2 + _PAD,
        message_middle=left + 3 * _PAD + right / 2,
        says=xml(f"{formatting.clip(submission.card.name, 80)}: {label}, {message}"),
    )


def _words(index: BoardIndex, submission: Submission) -> tuple[str, str]:
    """Board and suite; score and rank. The suite is the ranked one, or else the first that was taken."""
    board = index.board
    ordered = sorted(board.suites, key=lambda suite: suite.id != board.ranked)
    taken: Suite | None = next(
        (suite for suite in ordered if index.score(submission.id, suite.id) is not None), None
    )
    title = xml(formatting.clip(board.title, _LABEL))
    if taken is None:
        return title, "nothing scored yet"
    return f"{title} · {xml(formatting.clip(taken.title, _LABEL))}", _score(
        index, submission, taken
    )


def _score(index: BoardIndex, submission: Submission, suite: Suite) -> str:
    score = index.score(submission.id, suite.id)
    if score is None or score.score is None:
        return "not scored yet"
    rank = formatting.rank(index.rank(submission.id, suite.id))
    place = "baseline" if submission.is_baseline else f"rank {rank}" if rank else "no rank yet"
    remark = f", {score.remark}" if score.remark else ""
    limits = formatting.bounds(score.low, score.high)
    told = f"{formatting.percent(score.score)}{formatting.NARROW}%" + (
        f" ({limits})" if limits else ""
    )
    return f"{told}{remark} · {place}"


def _width(words: str) -> int:
    """About how many pixels a text takes: letters of East Asian scripts are twice as wide."""
    letters = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in words)
    return round(_LETTER * letters)


def shields(index: BoardIndex, submission: Submission) -> bytes:
    """The same for shields.io: what its endpoint badge reads."""
    label, message = _words(index, submission)
    value: Json = {"schemaVersion": 1, "label": label, "message": message, "color": _SHIELD}
    return encode(value)


def embed(index: BoardIndex, submission: Submission, base: str | None) -> Embed:
    """The words to copy for the badge of a submission."""
    svg, page = index.paths.badge(submission.id), index.paths.submission(submission.id)
    alt = (
        "".join(
            letter
            for letter in formatting.clip(index.board.title, _LABEL)
            if letter.isalnum() or letter in " -"
        )
        or "Score"
    )
    return Embed(
        svg=svg,
        shields=index.paths.badge(submission.id, "json"),
        markdown=f"[![{alt}]({base}{svg})]({base}{page})" if base else None,
        html=f'<a href="{base}{page}"><img src="{base}{svg}" alt="{alt}"></a>' if base else None,
    )
