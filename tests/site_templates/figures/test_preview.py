"""Pictures beside links: what they show, that any machine makes the same bytes, that nothing strangers write breaks them."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image, ImageFont

from leaderboard.types import Submission
from site_templates import builder
from site_templates.board import Board
from site_templates.board_index import register
from site_templates.figures import preview as preview_module
from site_templates.figures.preview import (
    ACROSS,
    COLOURS,
    DOWN,
    PAPER,
    ROWS,
    Font,
    Preview,
    draw,
    drawable,
    fitted,
    previews,
    width,
)
from tests.conftest import PROJECT
from tests.site_templates import site_board, site_hostile
from tests.site_templates.site_html import Html, parse
from tests.site_templates.test_assets import STYLE

BASE = "https://example.org/board/"
BOARD = site_board.board()


class Pixels:
    """A PNG, read again: its size and the colour of each pixel, as #2b46a8."""

    def __init__(self, content: bytes) -> None:
        Image.open(io.BytesIO(content), formats=["PNG"]).verify()
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            self.metadata = dict(image.info)
            self._image = image.convert("RGB")
        self.across, self.down = self._image.size

    def at(self, x: int, y: int) -> str:
        return next(iter(self.colours((x, y, x + 1, y + 1))))

    def colours(self, box: tuple[int, int, int, int] | None = None) -> Counter[str]:
        """How many pixels of a part of the picture (left, top, right, bottom) have each colour."""
        part = self._image.crop(box or (0, 0, self.across, self.down))
        found: Counter[str] = Counter()
        for number, colour in part.getcolors(self.across * self.down) or ():
            assert isinstance(colour, tuple)
            found[f"#{bytes(colour).hex()}"] = number
        return found


def preview(board: Board = BOARD, page: str = "index.html", base: str = BASE) -> Preview:
    return previews(register(board), base)[page]


def pictures(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if path.endswith(".png")}


def named(page: Html) -> dict[str, str]:
    """The head's words on the picture, by property or name."""
    metas = (tag.attributes for tag in page.all("meta"))
    found = {
        meta.get("property") or meta.get("name") or "": meta.get("content") or "" for meta in metas
    }
    return {
        name: content
        for name, content in found.items()
        if name.startswith(("og:image", "twitter:"))
    }


def renamed(name: str, id_: str = "model-a") -> Board:
    """The board with another name for its best model."""
    cards = {one.id: one for one in BOARD.submissions}
    card = dataclasses.replace(cards["model-a"].card, name=name)
    changed: dict[str, Submission] = {
        **cards,
        "model-a": dataclasses.replace(cards["model-a"], card=card, id=id_),
    }
    return dataclasses.replace(BOARD, submissions=tuple(changed.values()))


# ---------------------------------------------------------------- what they show


def test_the_board_shows_its_best_with_their_own_numbers() -> None:
    """Rank, name, score and interval are those of the ranking, counts and date those of the first page."""
    shown = preview()
    [score] = BOARD.scores.filter(submission="model-a", suite="match", category="*").to_dicts()

    assert shown.title == "Toolboard"
    assert shown.line == "The best on Match, synthetic"
    assert [(row.rank, row.name, row.score) for row in shown.rows] == [
        ("1-2", "Model A", "68.3"),
        ("1-2", "Model B", "52.4"),
    ]
    assert (shown.rows[0].low, shown.rows[0].at, shown.rows[0].high) == (
        score["low"],
        score["score"],
        score["high"],
    )
    assert shown.foot == "3 submissions · 3 baselines · 72 cases in 3 suites · as of 2026-04-02"
    assert shown.alt.startswith(
        "Toolboard: 3 submissions, 3 baselines, 72 cases in 3 suites, as of 2026-04-02. The best on Match"
    )


def test_baselines_alone_are_called_that() -> None:
    """Where nobody else is there, the picture does not speak of the best."""
    shown = preview(site_board.board(baselines_only=True))

    assert shown.line == "Baselines on Match, synthetic"
    assert [(row.rank, row.name, row.baseline) for row in shown.rows] == [
        ("", name, True) for name in ("oracle", "keyword", "silent")
    ]


def test_a_submission_shows_its_scores_the_ranked_suite_first() -> None:
    """Name, who made it, and a row for each suite it took; a suite that it did not take is not there."""
    shown = preview(page="submissions/model-b.html")

    assert (shown.title, shown.line) == ("Model B", "agent · Lab Two · Framework X")
    assert [row.name for row in shown.rows] == [
        "Match, synthetic",
        "Tools, synthetic",
        "Acting, synthetic",
    ]
    assert [row.name for row in preview(page="submissions/model-c.html").rows] == [
        "Tools, synthetic"
    ]
    assert "Toolboard" in shown.foot


def test_without_any_score_the_picture_says_so() -> None:
    """A board on which nothing is scored, and one without submissions, have a picture without rows."""
    cleared = {
        name: getattr(BOARD, name).clear()
        for name in ("verdicts", "scores", "ranks", "usage", "trials")
    }
    bare = dataclasses.replace(BOARD, **cleared)
    empty = dataclasses.replace(bare, submissions=(), records={})

    assert [(preview(board).line, preview(board).rows) for board in (bare, empty)] == [
        ("Nothing is scored yet", ())
    ] * 2
    assert preview(empty).foot == "72 cases in 3 suites"
    assert len(Pixels(draw(preview(empty))).colours()) > 2


def test_marks_stand_where_the_scores_are() -> None:
    """In the first row the accent covers the axis from the low to the high end of the interval, and the dot is in between."""
    shown = preview()
    [row] = shown.rows[:1]
    pixels = Pixels(draw(dataclasses.replace(shown, title="", rows=(row,))))
    middle = 236 + 96 // 2
    marked = [x for x in range(700, ACROSS) if pixels.at(x, middle) == COLOURS["accent"]]
    tall = [x for x in range(700, ACROSS) if pixels.at(x, middle - 7) == COLOURS["accent"]]

    assert abs(min(marked) - (760 + 360 * row.low)) <= 2
    assert abs(max(marked) - (760 + 360 * row.high)) <= 2
    assert any(abs(x - (760 + 360 * row.at)) <= 3 for x in tall)


@pytest.mark.parametrize("number", range(ROWS + 1))
def test_any_number_of_rows_fits(number: int) -> None:
    """Rows end above the foot: between the last rule and the foot the paper is empty."""
    row = preview().rows[0]
    pixels = Pixels(draw(dataclasses.replace(preview(), rows=(row,) * number)))

    assert set(pixels.colours((0, 560, ACROSS, 572))) == {PAPER}


# ---------------------------------------------------------------- bytes

DIGEST = """
import hashlib, sys
sys.path[:0] = [{tests!r}, {root!r}]
from tests.site_templates import site_board
from site_templates.builder import render
files = render(site_board.reordered(site_board.board()), base_url={base!r})
print({{path: hashlib.sha256(content).hexdigest() for path, content in files.items() if path.endswith(".png")}})
"""


def test_another_process_without_fonts_makes_the_same_bytes(tmp_path: Path) -> None:
    """Same data, same bytes: whatever the hash seed, the locale, the order of things, and with no font to be found."""
    here = pictures(builder.render(BOARD, base_url=BASE))
    code = DIGEST.format(tests=str(PROJECT / "tests"), root=str(PROJECT), base=BASE)
    none = {
        "FONTCONFIG_FILE": os.devnull,
        "FONTCONFIG_PATH": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "HOME": str(tmp_path),
    }
    env = {
        **os.environ,
        **none,
        "PYTHONHASHSEED": "77",
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Asia/Kathmandu",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )

    assert len(here) == 1 + len(BOARD.submissions)
    assert done.stdout.strip() == str(
        {path: hashlib.sha256(content).hexdigest() for path, content in here.items()}
    )


def test_pictures_are_of_the_size_that_is_asked_for_and_not_blank() -> None:
    """1200 by 630 pixels, most of it paper, with ink, accent and shades between."""
    for content in pictures(builder.render(BOARD, base_url=BASE)).values():
        pixels = Pixels(content)
        colours = pixels.colours()

        assert (pixels.across, pixels.down) == (1200, 630) == (ACROSS, DOWN)
        assert 0.5 < colours[PAPER] / (ACROSS * DOWN) < 0.98
        assert colours[COLOURS["ink"]] > 5000
        assert colours[COLOURS["accent"]] > 300
        assert len(colours) == 16
        assert pixels.metadata == {}
        assert len(content) < 40_000


NOTHING = """
import sys
sys.path[:0] = [{tests!r}, {root!r}]
from tests.site_templates import site_board
from cli.main import app
from site_templates.builder import render
render(site_board.board(baselines_only=True), base_url={base!r})
print("PIL" in sys.modules)
"""


@pytest.mark.parametrize(
    ("base", "imported"), [(None, "False"), ("/board/", "False"), (BASE, "True")]
)
def test_who_makes_no_picture_does_not_wait_for_pillow(base: str | None, imported: str) -> None:
    """The command line and a build without a full address do not import it."""
    code = NOTHING.format(tests=str(PROJECT / "tests"), root=str(PROJECT), base=base)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == imported


def test_other_data_give_another_picture() -> None:
    """A score that changes changes the bytes of its picture."""
    row = preview().rows[0]
    other = dataclasses.replace(preview(), rows=(dataclasses.replace(row, score="68.4"),))

    assert draw(other) != draw(dataclasses.replace(preview(), rows=(row,)))


def test_an_unchanged_build_writes_no_picture(tmp_path: Path) -> None:
    """The second build finds every file as it is."""
    builder.build(BOARD, tmp_path / "site", base_url=BASE)
    report = builder.build(BOARD, tmp_path / "site", base_url=BASE)

    assert report.written == ()
    assert (tmp_path / "site" / "previews" / "board.png").is_file()


def test_colours_are_those_of_the_stylesheet() -> None:
    """The picture wears the light theme."""
    block = re.search(r":root \{(.*?)\n\}", STYLE, re.DOTALL)
    assert block is not None
    tokens = dict(re.findall(r"--([\w-]+): #([0-9a-f]{6})", block.group(1)))

    assert f"#{tokens['paper']}" == PAPER
    assert {name: f"#{tokens[name]}" for name in COLOURS} == COLOURS


# ---------------------------------------------------------------- heads of pages


def test_pages_name_their_picture_by_its_full_address() -> None:
    """A submission's page names its own, others that of the board, with size and words; the page for lost addresses none."""
    files = builder.render(BOARD, base_url=BASE.rstrip("/"))
    pages = {
        path: named(parse(content)) for path, content in files.items() if path.endswith(".html")
    }
    alone = pages.pop("404.html")
    images = {path: found["og:image"] for path, found in pages.items()}

    assert alone == {}
    assert pages["index.html"] == {
        "og:image": f"{BASE}previews/board.png",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": preview().alt,
        "twitter:card": "summary_large_image",
    }
    assert images["submissions/model-a.html"] == f"{BASE}previews/submissions/model-a.png"
    assert pages["submissions/model-a.html"]["og:image:alt"].startswith(
        "Model A: Match, synthetic 68.3"
    )
    assert {image.removeprefix(BASE) for image in images.values()} == set(pictures(files))
    assert {image for path, image in images.items() if not path.startswith("submissions/")} == {
        f"{BASE}previews/board.png"
    }


@pytest.mark.parametrize(
    "base",
    [None, "", "/board/", "board", "//example.org/", "ftp://example.org/", "javascript:alert(1)"],
)
def test_without_a_full_address_there_is_no_picture(base: str | None) -> None:
    """A link to a picture must be complete; where the site does not know its address, none is made and none is named."""
    files = builder.render(site_board.board(baselines_only=True), base_url=base)

    assert pictures(files) == {}
    assert named(parse(files["index.html"])) == {}


# ---------------------------------------------------------------- strangers' words


def test_hostile_words_are_escaped_and_cut() -> None:
    """Markup, hidden characters and a name of 100 KB: pictures are whole, their words short, and pages have no new element."""
    board = dataclasses.replace(site_hostile.board(), title=site_hostile.LONG)
    files = builder.render(board, base_url=BASE)
    html = parse(files["submissions/hostile.html"])
    alts = [
        named(parse(content)).get("og:image:alt", "")
        for path, content in files.items()
        if path.endswith(".html")
    ]

    assert {(pixels.across, pixels.down) for pixels in map(Pixels, pictures(files).values())} == {
        (ACROSS, DOWN)
    }
    assert max(map(len, alts)) <= 400
    assert "<script>window.pwned=1</script>" in named(html)["og:image:alt"]
    assert len(html.all("script")) == 1
    assert [
        alt for alt in alts if re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", alt)
    ] == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        " \n\t ",
        "\u202e\u200b",
        "W" * 100_000,
        "i" * 100_000,
        "\u0301" * 50,
        "<b>&amp;</b>",
        "🚀",
        "\ud800",
    ],
)
def test_odd_names_leave_the_columns_whole(name: str) -> None:
    """Whatever the name, it ends before the score begins, and the paper right of the axis stays empty."""
    shown = preview(renamed(name))
    pixels = Pixels(draw(shown))

    assert (
        set(pixels.colours((624, 245, 640, 295)))
        == set(pixels.colours((1150, 245, ACROSS, 295)))
        == {PAPER}
    )
    assert Pixels(draw(preview(renamed(name), "submissions/model-a.html"))).across == ACROSS


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("模型 A", "model-a"), ("Модель", "model-a"), ("Rocket 🚀 one", "Rocket one"), ("Dvořák", "Dvorak"), ("Zoë", "Zoe"),
        ("a\u202eb", "a‹U+202E›b"), ("a\u0301", "a"), ("−1 – 2 — ‘x’ · ½", "-1 - 2 - ‘x’ · 1/2"),
        ("Øre æß", "Ore aess"), ("", "model-a"), ("İı", "Ii"), ("a\u0489b", "ab"), ("£ 5", "5"),
    ],
)  # fmt: skip
def test_a_name_in_other_letters_gives_way_to_the_id(name: str, expected: str) -> None:
    """Latin letters are drawn without accents; for a name in another script the id stands. `alt` keeps it."""
    shown = preview(renamed(name), "submissions/model-a.html")

    assert shown.title == expected
    assert drawable(shown.title, "") == shown.title
    if name.isalpha():
        assert name in shown.alt


def test_a_board_whose_title_cannot_be_drawn_shows_its_host() -> None:
    """A title in another script: the address says whose board it is."""
    assert preview(dataclasses.replace(BOARD, title="排行榜")).title == "example.org"


# ---------------------------------------------------------------- letters


def test_every_word_of_a_picture_can_be_drawn() -> None:
    """Whatever the board says, no picture shows the sign for letters that the typeface lacks."""
    for shown in (
        *previews(register(BOARD), BASE).values(),
        *previews(register(site_hostile.board()), BASE).values(),
    ):
        words = (
            shown.title,
            shown.line,
            shown.foot,
            *(word for row in shown.rows for word in (row.rank, row.name, row.remark, row.score)),
        )

        assert [word for word in words if drawable(word, "") != word] == []


def test_letters_that_the_typeface_lacks_are_known() -> None:
    """ASCII is there, with quotation marks, ellipsis and middle dot; what is drawn like an unassigned code point is not."""
    ascii_ = "".join(map(chr, range(0x21, 0x7F)))

    assert drawable(ascii_ + "“”‘’…·", "") == ascii_ + "“”‘’…·"
    assert [drawable(letter, "none") for letter in ("ж", "中", "ا", "ʘ", "①", "\U0001d54f")] == [
        "none"
    ] * 4 + ["1", "X"]


def test_letters_are_set_without_libraries_of_the_machine() -> None:
    """Pillow's own typeface, with its own layout."""
    face = preview_module._face(26)

    assert face.getname() == ("Aileron", "Regular")
    assert face.layout_engine == ImageFont.Layout.BASIC


def test_text_is_cut_to_the_room_there_is() -> None:
    """What fits stays as it is; what does not ends with an ellipsis and fits."""
    font = Font(30)

    assert fitted("Model A", font, 400) == "Model A"
    assert fitted("Model A " * 20, font, 200).endswith("…")
    assert width(fitted("Model A " * 20, font, 200), font) <= 200
    assert fitted("Model A", font, 1) == "…"
    assert fitted("", font, 400) == ""
