"""Badges: small pictures of a submission's score, interval and rank, for other pages."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from leaderboard.types import Submission
from site_templates import formatting
from site_templates.board_index import BoardIndex

_LETTER: Final = 6.6  # mean width of a letter at 11 px; the picture stretches the text to fit
_PADDING: Final = 7  # pixels on either side of a text
_TITLE: Final = 40  # letters of a board's or suite's title


@dataclass(frozen=True, slots=True)
class Badge:
    """Model of badges/<submission>.svg: two texts with their widths, and the words for the picture.

    `left` and `right` are the widths of the two fields, and `colour` is that of the right one. All
    measures are in pixels.
    """

    label: str
    message: str
    label_width: int
    message_width: int
    says: str
    colour: str

    @property
    def left(self) -> int:
        return self.label_width + 2 * _PADDING

    @property
    def right(self) -> int:
        return self.message_width + 2 * _PADDING

    @property
    def width(self) -> int:
        return self.left + self.right


@dataclass(frozen=True, slots=True)
class Embed:
    """A badge's path, and the code that embeds it: None if the site's own address is unknown."""

    svg: str
    markdown: str | None
    html: str | None


def badge(index: BoardIndex, submission: Submission) -> Badge:
    """The badge of a submission."""
    label, message = _texts(index, submission)
    says = formatting.xml(f"{index.names.of(submission.id)}: {label}, {message}")
    colour = index.board.look.accent
    return Badge(label, message, _width(label), _width(message), says, colour)


def embed(index: BoardIndex, submission: Submission, base: str | None) -> Embed:
    """The path and the embed code of a submission's badge. `base` is the site's own address."""
    svg = index.paths.badge(submission.id)
    if not base:
        return Embed(svg, None, None)

    # Markdown and HTML would read other characters of the title as markup.
    title = formatting.clip(index.board.title, _TITLE)
    alt = "".join(letter for letter in title if letter.isalnum() or letter in " -") or "Score"
    page, picture = f"{base}{index.paths.submission(submission.id)}", f"{base}{svg}"
    return Embed(
        svg,
        markdown=f"[![{alt}]({picture})]({page})",
        html=f'<a href="{page}"><img src="{picture}" alt="{alt}"></a>',
    )


def _texts(index: BoardIndex, submission: Submission) -> tuple[str, str]:
    """Board and suite; score and rank. The suite is the ranked one, or else the first one taken."""
    board = index.board
    title = formatting.xml(formatting.clip(board.title, _TITLE))
    for suite in sorted(board.suites, key=lambda suite: suite.id != board.ranked):
        score = index.score(submission.id, suite.id)
        if score is None:
            continue
        label = f"{title} · {formatting.xml(formatting.clip(suite.title, _TITLE))}"
        if score.score is None:
            return label, "not scored yet"

        # The top submission is the one most likely to show its badge. For a submission that was
        # chosen by its place, only the joint range holds.
        rank = formatting.rank(index.joint_rank(submission.id, suite.id))
        if score.not_ranked:
            return label, score.not_ranked
        place = f"rank {rank}" if rank else "no rank yet"
        if submission.is_baseline:
            place = "baseline"
        shown = formatting.exact_percent(score.score)
        bounds = formatting.bounds(score.low, score.high)
        if bounds:
            shown += f" ({bounds})"
        if score.remark:
            shown += f", {score.remark}"
        return label, f"{shown} · {place}"
    return title, "nothing scored yet"


def _width(text: str) -> int:
    """The approximate width of a text in pixels. East Asian wide letters count twice."""
    letters = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
    return round(_LETTER * letters)
