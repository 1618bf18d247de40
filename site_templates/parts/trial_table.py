"""The reliability of a submission over trials, as a table: pass^k and pass@k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.links import Link
from site_templates.parts.named_links import places

_MOST_KS: Final = 5  # columns for k; the largest k takes the place of the fifth


@dataclass(frozen=True, slots=True)
class TrialRow:
    """pass^k (`hats`) and pass@k (`ats`) of a suite or category for each k, in percent."""

    level: str
    link: Link
    hats: tuple[str, ...]
    ats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialTable:
    """The reliability of one submission on a suite.

    `same` is the share of the cases with several answers that have the same one each time.
    """

    suite: str
    same: float | None
    ks: tuple[int, ...]
    rows: tuple[TrialRow, ...]


def trial_table(index: BoardIndex, submission: Submission, suite: Suite) -> TrialTable | None:
    """pass^k and pass@k of a submission on a suite; None if it answered each case once."""
    with_trials = []
    for category, level, link in places(index, suite):
        trials = index.trials(submission.id, suite.id, category)
        if trials:
            with_trials.append((level, link, {trial.k: trial for trial in trials}))

    ks = sorted({k for _, _, by_k in with_trials for k in by_k})
    if len(ks) < 2:
        return None
    if len(ks) > _MOST_KS:
        ks = [*ks[: _MOST_KS - 1], ks[-1]]
    rows = []
    for level, link, by_k in with_trials:
        hats = (formatting.percent(by_k[k].hat if k in by_k else None) for k in ks)
        ats = (formatting.percent(by_k[k].at if k in by_k else None) for k in ks)
        rows.append(TrialRow(level, link, tuple(hats), tuple(ats)))
    usage = index.usage(submission.id, suite.id)
    same = usage.same_in_trials if usage else None
    return TrialTable(suite.title, same, tuple(ks), tuple(rows))
