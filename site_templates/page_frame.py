"""What every page has around it: head, navigation, breadcrumbs, footer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from leaderboard.site_look import SiteLook
from leaderboard.texts.counted_nouns import counted
from site_templates.board import Board
from site_templates.board_index import BoardIndex
from site_templates.data import board_tables
from site_templates.data.download_formats import Downloads
from site_templates.data.download_links import board_downloads
from site_templates.links import (
    COMPARE_PATH,
    HEALTH_PATH,
    HISTORY_PATH,
    JUDGES_PATH,
    Link,
    issue,
    web,
)
from site_templates.parts.named_links import SUITES, document
from site_templates.parts.pairs.pair_pages import comparable

DOCUMENTS = ("methodology", "submitting", "formats", "judges", "hosting")


@dataclass(frozen=True, slots=True)
class Frame:
    """What all pages share. `commands` reproduce the scores. `digest` is of all inputs.

    `feed` and `citation` are the paths of these files if the site has them.
    """

    title: str
    navigation: tuple[Link, ...]
    downloads: Downloads
    digest: str
    inputs: str
    commands: tuple[str, ...]
    report: str | None
    repository: str | None
    submitting: str | None
    methodology: str | None
    look: SiteLook
    feed: str | None
    citation: str | None


def documents(docs: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the documents in reading order: those every board has first, others by name."""
    return (*(name for name in DOCUMENTS if name in docs), *sorted(set(docs) - set(DOCUMENTS)))


def frame(index: BoardIndex, base: str | None) -> Frame:
    """The frame of a board's pages. `base` is the address of the published site, if known."""
    board, paths = index.board, index.paths
    docs = documents(board.docs)
    navigation = [Link("Board", "index.html"), SUITES]
    if comparable(index):
        navigation.append(Link("Compare", COMPARE_PATH))
    if board.judges:
        navigation.append(Link("Judges", JUDGES_PATH))
    if not board.results.health.is_empty():
        navigation.append(Link("Case health", HEALTH_PATH))
    if board.states:
        navigation.append(Link("History", HISTORY_PATH))
    if docs:
        navigation.append(Link("Docs", paths.document(docs[0])))
    return Frame(
        title=board.title,
        navigation=tuple(navigation),
        downloads=board_downloads(index),
        digest=board.results.manifest["digest"],
        inputs=_inputs(index),
        commands=commands(board),
        report=issue(board.repository, "", ""),
        repository=web(board.repository),
        submitting=document(index, "submitting"),
        methodology=document(index, "methodology"),
        look=board.look,
        feed="feed.xml" if base and board.states else None,
        citation=board_tables.CITATION if board.citation is not None else None,
    )


def _inputs(index: BoardIndex) -> str:
    board = index.board
    baselines = sum(submission.is_baseline for submission in board.submissions)
    counts = (
        (sum(len(suite.by_id) for suite in board.suites), "case"),
        (len(board.submissions) - baselines, "submission"),
        (baselines, "baseline"),
        (len(board.prompts), "prompt"),
        (len(board.judges), "judge"),
    )
    parts = [counted(number, noun) for number, noun in counts]
    return ", ".join([*parts, f"rules {board.rules_version}"])


def commands(board: Board, last: str = "lb rescore --offline") -> tuple[str, ...]:
    """The commands that score a board again from nothing, ending with `last`."""
    lines, set_up = [], []
    url = web(board.repository)
    folder = urlsplit(url).path.rstrip("/").rpartition("/")[2].removesuffix(".git") if url else ""
    if folder:
        lines.append(f"git clone {url}")
        set_up.append(f"cd {folder}")
    if board.makefile:
        set_up.append("make site")
    if set_up:
        lines.append(" && ".join(set_up))
    return (*lines, last)
