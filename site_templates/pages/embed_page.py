"""The ranking as one plain table that other pages can show in a frame."""

from __future__ import annotations

from dataclasses import dataclass

from site_templates.board_index import BoardIndex
from site_templates.links import EMBED_PATH
from site_templates.page_head import Head
from site_templates.parts.rankings.ranking_table import Ranking, Row


@dataclass(frozen=True, slots=True)
class EmbedPage:
    """Model of embed/index.html: the first page of the board's ranking, baselines last."""

    head: Head
    ranking: Ranking
    rows: tuple[Row, ...]


def embed_page(index: BoardIndex, table: Ranking) -> EmbedPage:
    """The table to embed, with the rows of the first page."""
    return EmbedPage(
        head=Head(
            path=EMBED_PATH,
            title=f"Ranking to embed: {index.board.title}",
            description=f"The ranking on {table.subject.title} as a table to embed.",
            section="Board",
        ),
        ranking=table,
        rows=(*table.rows, *table.unranked, *table.baselines),
    )
