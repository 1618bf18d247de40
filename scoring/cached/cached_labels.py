"""What was found about labelled pairs, cached between two runs in the user's cache folder.

The rows about a suite are used again if their basis is the same (`verdict_basis.py`) and if every
judge call behind them still has the same reply. Rows that wait for a reply are not cached.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from leaderboard.machine.cache_folder import read_document, write_document
from scoring.cached.cached_verdicts import ReplyNow
from scoring.judging.labelled import LabelRows

FILE: Final = "labels.json"


class CachedLabels(NamedTuple):
    """The rows about the labelled pairs of a suite, and what they depend on."""

    basis: str
    labels: LabelRows


def read_labels(folder: Path) -> dict[str, CachedLabels]:
    """Reads the cached rows, by suite: nothing if the file is missing or damaged."""
    try:
        document = read_document(folder / FILE)
        return {
            suite_id: CachedLabels(
                basis, LabelRows(list(map(tuple, rows)), list(map(tuple, replies)))
            )
            for suite_id, (basis, rows, replies) in document.items()
        }
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def still_decided(
    cached: Mapping[str, CachedLabels], basis: Mapping[str, str], reply_now: ReplyNow
) -> dict[str, LabelRows]:
    """The suites whose labelled pairs need not be decided again. `basis` is the one of now."""
    decided = {}
    for suite_id, (was, labels) in cached.items():
        same = all(reply_now(judge, key) == text for judge, key, text in labels.replies)
        if same and basis.get(suite_id) == was:
            decided[suite_id] = labels
    return decided


def write_labels(folder: Path, basis: Mapping[str, str], labels: Mapping[str, LabelRows]) -> None:
    """Keeps what was found for the next run. Raises OSError."""
    document = {
        suite_id: (basis[suite_id], of_suite.rows, of_suite.replies)
        for suite_id, of_suite in labels.items()
        if not of_suite.missing_calls
    }
    write_document(folder / FILE, document)
