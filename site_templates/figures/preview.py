"""The picture that other places show beside a link to a page: of the board, and of each submission.

It says what the page says: names, scores, intervals and counts are the board's own. Made only where the site knows its full
address, for the link to a picture must hold it. Pillow draws it, with the typeface that Pillow brings along, and is imported
only then: no font of the machine is looked for, and nobody who makes no picture waits for it.
"""

from __future__ import annotations

import io
import unicodedata
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import Register, Score
from site_templates.figures import axis
from site_templates.pages.index_page import as_of

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

ACROSS: Final = 1200  # pixels: what the places that show such pictures ask for
DOWN: Final = 630
ROWS: Final = 5
_LETTERS: Final = 200  # of a name, before it is cut to the room there is
_ALT: Final = 400

Colour = Literal["ink", "ink2", "ink3", "hair", "rule", "accent"]

# The light theme of the stylesheet.
PAPER: Final = "#fcfcf9"
COLOURS: Final[dict[Colour, str]] = {
    "ink": "#1a1c1f",
    "ink2": "#4a4e54",
    "ink3": "#65696f",
    "hair": "#e3e2db",
    "rule": "#c4c3ba",
    "accent": "#2b46a8",
}
# How much of a colour is on paper where edges are smoothed, beside all and nothing. Greys serve each other as shades; with
# the full colours and paper these are 16, which is four bits for each pixel.
_SHADES: Final[dict[Colour, tuple[float, ...]]] = {
    "ink": (0.18, 0.33, 0.42, 0.5, 0.58, 0.9),
    "accent": (0.25, 0.5, 0.75),
}
_SCALE: Final = 2  # drawn so many times larger, then reduced: Pillow smooths letters, but no dots

# What stands for letters that the typeface lacks, accents aside.
_LIKE: Final = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "‑": "-",
        "−": "-",
        "×": "x",
        "•": "·",
        "⟨": "‹",
        "⟩": "›",
        "⁄": "/",
        "ı": "i",
        "ł": "l",
        "Ł": "L",
    }
    | {
        "đ": "d",
        "Đ": "D",
        "ø": "o",
        "Ø": "O",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ß": "ss",
    }
)


@dataclass(frozen=True, slots=True)
class Font:
    """How a text is set: its size, and by how much its strokes are thickened (the typeface has one weight), in pixels."""

    size: int
    stroke: float = 0.0


_BIG, _FIGURE, _LABEL = Font(56, 0.5), Font(34, 0.35), Font(30, 0.35)
_TEXT, _SMALL = Font(26), Font(22)
_LEFT, _RIGHT = 64, ACROSS - 64
_TITLE, _RANK = 164, 96  # where the title begins; how much room ranks take
_SCORE, _AXIS = 716, 760  # where a score ends, where the axis begins
_HEAD, _BODY, _HIGHEST = (
    236,
    320,
    96,
)  # where the rows begin, how much room they share, how high one may be


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A line: rank, name, a remark, the score, and its interval in shares of 1."""

    rank: str
    name: str
    remark: str
    score: str
    low: float
    at: float
    high: float
    baseline: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What a picture shows, in letters that can be drawn. `alt` says the same in words, whatever letters these take."""

    path: str
    title: str
    line: str
    rows: tuple[PreviewRow, ...]
    foot: str
    alt: str


def previews(register: Register, base: str) -> dict[str, Preview]:
    """The pictures of a board whose site stands at `base`, by the page they are of; that of the board is index.html's."""
    found = {"index.html": board_preview(register, base)}
    found |= {
        register.paths.submission(s.id): submission_preview(register, s, base)
        for s in register.submissions
    }
    return found


def board_preview(register: Register, base: str) -> Preview:
    """The best of the ranked suite, with how much there is beside them."""
    board = register.board
    suite = next(suite for suite in board.suites if suite.id == board.ranked)
    rivals = [s for s in register.field(suite.id) if _score(register, s, suite) is not None]
    rows = [_row(register, s, suite, s.card.name, s.id) for s in rivals[:ROWS]]
    baselines = sum(s.is_baseline for s in register.submissions)
    numbers = ((len(register.submissions) - baselines, "submission"), (baselines, "baseline"))
    counts = (
        *(formatting.count(number, noun) for number, noun in numbers if number),
        f"{formatting.count(sum(len(s.by_id) for s in board.suites), 'case')} in {formatting.count(len(board.suites), 'suite')}",
        *((f"as of {as_of(register)}",) if register.submissions else ()),
    )
    who = "Baselines" if rivals and rivals[0].is_baseline else "The best"
    told = "; ".join(_told(s.card.name, _score(register, s, suite)) for s in rivals[:ROWS])
    best = f" {who} on {suite.title}: {told}." if told else ""
    return Preview(
        path="previews/board.png",
        title=_title(board.title, base),
        line=f"{who} on {_words(suite.title, suite.id)}" if rows else "Nothing is scored yet",
        rows=tuple(rows),
        foot=" · ".join(counts),
        alt=formatting.clip(
            formatting.visible(
                f"{formatting.clip(board.title, _LETTERS)}: {', '.join(counts)}.{best}"
            ),
            _ALT,
        ),
    )


def submission_preview(register: Register, submission: Submission, base: str) -> Preview:
    """The scores of one submission on the suites it took, as many as there is room for, the ranked one first."""
    board, card = register.board, submission.card
    ordered = sorted(board.suites, key=lambda suite: suite.id != board.ranked)
    taken = [suite for suite in ordered if _score(register, submission, suite) is not None]
    about = [_words(given, "") for given in (card.organization, card.framework or "")]
    told = [_told(suite.title, _score(register, submission, suite)) for suite in taken[:ROWS]]
    more = formatting.count(len(taken) - ROWS, "more suite") if len(taken) > ROWS else ""
    return Preview(
        path=register.paths.preview(submission.id),
        title=_words(card.name, submission.id),
        line=" · ".join(filter(None, (card.kind, *(formatting.clip(part, 40) for part in about)))),
        rows=tuple(
            _row(register, submission, suite, suite.title, suite.id) for suite in taken[:ROWS]
        ),
        foot=" · ".join(filter(None, (_title(board.title, base), more, card.date))),
        alt=formatting.clip(
            formatting.visible(
                f"{formatting.clip(card.name, _LETTERS)}: "
                + ("; ".join(told) or "nothing is scored yet")
                + "."
            ),
            _ALT,
        ),
    )


def _score(register: Register, submission: Submission, suite: Suite) -> Score | None:
    """The score of a submission on a suite, if there is one."""
    score = register.score(submission.id, suite.id)
    return None if score is None or score.score is None else score


def _row(
    register: Register, submission: Submission, suite: Suite, name: str, identifier: str
) -> PreviewRow:
    score = register.score(submission.id, suite.id)
    if score is None or score.score is None:
        raise ValueError(f"{submission.id} has no score on {suite.id}")
    return PreviewRow(
        rank=drawable(formatting.rank(register.rank(submission.id, suite.id)), ""),
        name=_words(name, identifier),
        remark=score.remark,
        score=formatting.percent(score.score),
        low=score.score if score.low is None else score.low,
        at=score.score,
        high=score.score if score.high is None else score.high,
        baseline=submission.is_baseline,
    )


def _told(name: str, score: Score | None) -> str:
    """A score in words."""
    limits = formatting.bounds(score.low, score.high) if score else ""
    told = f"{formatting.clip(name, 60)} {formatting.percent(score.score if score else None)}{formatting.NARROW}%"
    return told + (f" ({limits})" if limits else "")


def _words(given: str, fallback: str) -> str:
    """What a stranger wrote, on one line, in letters that can be drawn; the fallback where it takes other ones, or is empty."""
    return drawable(formatting.visible(formatting.clip(given, _LETTERS)), fallback) or drawable(
        fallback, ""
    )


def _title(given: str, base: str) -> str:
    """A board's title, or the host it stands at."""
    return _words(given, urlsplit(base).hostname or "")


# ---------------------------------------------------------------- letters


@cache
def _face(size: int) -> FreeTypeFont:
    """The typeface that Pillow brings along (Aileron, in the public domain), set letter by letter without further libraries."""
    from PIL import ImageFont

    face = ImageFont.load_default(size)
    if not isinstance(face, ImageFont.FreeTypeFont):
        raise TypeError("Pillow has no typeface of this size")
    return face


@cache
def _known(letter: str) -> bool:
    """Whether the typeface has a letter: it has one sign for all those that it lacks."""
    face = _face(_TEXT.size)
    return bytes(face.getmask(letter)) != bytes(face.getmask("\U0010ffff"))


def drawable(given: str, fallback: str) -> str:
    """The text in letters that can be drawn, or `fallback` where it holds a letter or digit that cannot.

    Accents that the typeface lacks go; so do signs that are no letters, such as pictographs.
    """
    kept = []
    for letter in unicodedata.normalize("NFC", given):
        found = letter if _known(letter) else _like(letter)
        if not found and unicodedata.category(letter)[0] in "LN":
            return fallback
        kept.append(found)
    return " ".join("".join(kept).split())


def _like(letter: str) -> str:
    """What stands for a letter that the typeface lacks; empty where nothing does."""
    parts = unicodedata.normalize("NFKD", letter.translate(_LIKE))
    bare = "".join(part for part in parts if not unicodedata.combining(part)).translate(_LIKE)
    return bare if all(map(_known, bare)) else ""


def width(given: str, font: Font) -> float:
    """How many pixels a text takes."""
    return _face(font.size * _SCALE).getlength(given) / _SCALE


def fitted(given: str, font: Font, room: float) -> str:
    """The text, or as much of its beginning as there is room for, with an ellipsis."""
    if width(given, font) <= room:
        return given
    kept = (
        bisect_right(range(len(given)), room, key=lambda length: width(given[:length] + "…", font))
        - 1
    )
    return given[: max(kept, 0)].rstrip(" ,;:.-") + "…"


# ---------------------------------------------------------------- drawing


def pictures(found: dict[str, Preview]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each picture."""
    for preview in found.values():
        yield preview.path, draw(preview)


def draw(preview: Preview) -> bytes:
    """The picture, as PNG: title, a line on what it shows, a row for each score on one axis, and a foot."""
    sheet = _Sheet()
    _mark(sheet)
    sheet.write(fitted(preview.title, _BIG, _RIGHT - _TITLE), _TITLE, 112, _BIG, "ink")
    sheet.write(fitted(preview.line, _TEXT, _RIGHT - _LEFT), _LEFT, 166, _TEXT, "ink2")
    if preview.rows:
        _table(sheet, preview.rows)
    sheet.write(fitted(preview.foot, _TEXT, _RIGHT - _LEFT), _LEFT, DOWN - 30, _TEXT, "ink2")
    return sheet.png()


def _mark(sheet: _Sheet) -> None:
    """The mark of the site: a dot on a whisker."""
    for x in (_LEFT, _LEFT + 72):
        sheet.block(x, 74, 4, 38, "ink")
    sheet.block(_LEFT, 91, 76, 4, "ink")
    sheet.dot(_LEFT + 44, 93, 13, "accent")


def _table(sheet: _Sheet, rows: Sequence[PreviewRow]) -> None:
    """The rows below their heads, and the axis that runs down them. Ranks have a column where there are any."""
    height = min(_HIGHEST, _BODY // len(rows))
    ranked = any(row.rank for row in rows)
    if ranked:
        sheet.write("Rank", _LEFT, 216, _SMALL, "ink3")
    sheet.write_to("Score in percent, 95 % interval", _SCORE, 216, _SMALL, "ink3")
    for tick in axis.TICKS:
        x = _place(tick / 100)
        sheet.write(str(tick), x - width(str(tick), _SMALL) / 2, 216, _SMALL, "ink3")
        sheet.block(x - 1, _HEAD, 2, len(rows) * height, "hair")
    for place, row in enumerate(rows):
        sheet.block(_LEFT, _HEAD + place * height, _RIGHT - _LEFT, 1, "rule")
        _line(sheet, row, _LEFT + _RANK if ranked else _LEFT, _HEAD + (place + 0.5) * height)
    sheet.block(_LEFT, _HEAD - 3, _RIGHT - _LEFT, 3, "ink")
    sheet.block(_LEFT, _HEAD + len(rows) * height, _RIGHT - _LEFT, 2, "ink")


def _line(sheet: _Sheet, row: PreviewRow, start: float, middle: float) -> None:
    """One row: rank, name from `start` on, score, and the mark on the axis."""
    base = middle + 11
    sheet.write(fitted(row.rank, _TEXT, _RANK - 8), _LEFT, base, _TEXT, "ink3")
    sheet.write_to(row.score, _SCORE, base, _FIGURE, "ink")
    room = _SCORE - start - width(row.score, _FIGURE) - 24
    remark = width(row.remark, _SMALL) + 14 if row.remark else 0
    name = fitted(row.name, _LABEL, room - remark)
    sheet.write(name, start, base, _LABEL, "ink")
    sheet.write(row.remark, start + width(name, _LABEL) + 14, base, _SMALL, "ink3")
    _whisker(sheet, row, middle)


def _whisker(sheet: _Sheet, row: PreviewRow, middle: float) -> None:
    colour: Colour = "ink2" if row.baseline else "accent"
    low, at, high = map(_place, (row.low, row.at, row.high))
    sheet.block(low, middle - 1, max(high - low, 3), 3, colour)
    for end in (low, high):
        sheet.block(end - 1, middle - 8, 3, 17, colour)
    (sheet.diamond if row.baseline else sheet.dot)(
        at, middle + 0.5, 10 if row.baseline else 9, colour
    )


def _place(share: float) -> float:
    """A share of 1 on the axis."""
    return _AXIS + (_RIGHT - 16 - _AXIS) * min(max(share, 0.0), 1.0)


class _Sheet:
    """Paper to draw on. Places and lengths are pixels of the picture."""

    def __init__(self) -> None:
        from PIL import Image, ImageDraw

        self._image = Image.new("RGB", (ACROSS * _SCALE, DOWN * _SCALE), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def block(self, x: float, y: float, across: float, down: float, colour: Colour) -> None:
        """A rectangle, its edges on whole pixels."""
        left, top, right, bottom = (round(edge) * _SCALE for edge in (x, y, x + across, y + down))
        self._draw.rectangle((left, top, right - 1, bottom - 1), COLOURS[colour])

    def dot(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A disc."""
        self._draw.circle((x * _SCALE, y * _SCALE), radius * _SCALE, COLOURS[colour])

    def diamond(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A square on its corner."""
        corners = ((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y))
        self._draw.polygon([(a * _SCALE, b * _SCALE) for a, b in corners], COLOURS[colour])

    def write(self, given: str, x: float, y: float, font: Font, colour: Colour) -> None:
        """A line of text that begins at `x` with its baseline at `y`."""
        place, face = (x * _SCALE, y * _SCALE), _face(font.size * _SCALE)
        self._draw.text(
            place, given, COLOURS[colour], face, anchor="ls", stroke_width=font.stroke * _SCALE
        )

    def write_to(self, given: str, x: float, y: float, font: Font, colour: Colour) -> None:
        """A line of text that ends at `x`."""
        self.write(given, x - width(given, font), y, font, colour)

    def png(self) -> bytes:
        """The picture as a PNG file, in the colours of the palette."""
        from PIL import Image

        found = io.BytesIO()
        small = self._image.reduce(_SCALE).quantize(palette=_palette(), dither=Image.Dither.NONE)
        # Runs of one colour are nearly all there is to find: as small as with a full search, in half the time.
        small.save(found, "PNG", compress_type=zlib.Z_RLE)
        return found.getvalue()


@cache
def _palette() -> Image:
    """Paper, the colours, and their shades on paper."""
    from PIL import Image, ImageColor

    paper = ImageColor.getrgb(PAPER)
    mixed = [*paper]
    for colour, given in COLOURS.items():
        for share in (1.0, *_SHADES.get(colour, ())):
            mixed += [
                round(a + (b - a) * share)
                for a, b in zip(paper, ImageColor.getrgb(given), strict=True)
            ]
    found = Image.new("P", (1, 1))
    found.putpalette(mixed)
    return found
