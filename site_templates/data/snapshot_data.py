"""The data of the pages of snapshots: the scores and ranks as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from leaderboard.board.board_state import State
from leaderboard.types import Json
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import SCHEMA, encode
from site_templates.parts.history.past_names import snapshots


def snapshot_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON beside the page of each snapshot."""
    if index.board.history is None:
        return
    for state in snapshots(index):
        yield f"data/history/{state.name}.json", encode(_data(state))


def _data(state: State) -> Mapping[str, Json]:
    scores = state.scores.sort("suite", "submission", "category", "metric")
    return {
        "schema": SCHEMA,
        "snapshot": state.name,
        "sequence": state.sequence,
        "label": state.label,
        "taken": state.taken,
        "as_of": state.as_of,
        "digest": state.digest,
        "metrics": dict(sorted(state.metrics.items())),
        "scores": scores.to_dicts(),
        "ranks": state.ranks.sort("suite", "category", "submission").to_dicts(),
    }
