"""Samples of lm-evaluation-harness: `samples_<task>_<time>.jsonl`, written with --log_samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.responses.forms.foreign_records import ForeignRecord, Row, ids_of
from leaderboard.responses.forms.model_reply import UnreadableRecordError, first

_FIX: Final = "run a task of type generate_until: only generated texts can be scored"


def lm_eval_form(row: Row) -> str | None:
    """The form's name for a sample; None for other records."""
    return "lm-evaluation-harness samples" if "doc" in row and "resps" in row else None


def read_lm_eval(row: Row) -> ForeignRecord:
    """Reads one sample: the text as it was generated, before filters took a part of it.

    Raises UnreadableRecordError for log-likelihoods, which are no answers.
    """
    repeats = first(row["resps"])
    text = first(repeats) if isinstance(repeats, list) else repeats
    if isinstance(repeats, list) and len(repeats) > 1:
        what = f"has {len(repeats)} repeats of one answer"
        raise UnreadableRecordError(what, "set repeats to 1, or write one record for each trial")
    if not isinstance(text, str):
        raise UnreadableRecordError("holds log-likelihoods, and no text of an answer", _FIX)
    doc = row["doc"] if isinstance(row["doc"], Mapping) else {}
    position = next(iter(ids_of({"doc_id": row.get("doc_id")})), None)
    variant = {"filter": row["filter"]} if isinstance(row.get("filter"), str) else {}
    return ForeignRecord(doc, text, position=position, variant=variant)
