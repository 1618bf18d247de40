"""The statuses of rows: ranked, or why a row has no rank, with the words for it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

RANKED: Final = "ranked"  # only these rows have ranks, and take part in tests
PENDING: Final = "pending"  # verdicts wait for a judge call
INCOMPLETE: Final = "incomplete"  # verdicts are unscored
PARTIAL: Final = "partial"  # the card says that only a part of the suite was asked
REPLIES_UNCHECKED: Final = "replies_unchecked"  # nobody can check the reported tool replies
JUDGE_NOT_VALIDATED: Final = "judge_not_validated"
REPORTED: Final = "reported"  # computed elsewhere

# The words for rows without a rank, by their status.
NOT_RANKED: Final = MappingProxyType(
    {
        PENDING: "not ranked: it waits for a judge call",
        INCOMPLETE: "not ranked: unscored verdicts",
        PARTIAL: "not ranked: only a part of the suite was asked",
        REPLIES_UNCHECKED: "not ranked: the reported tool replies cannot be checked",
        JUDGE_NOT_VALIDATED: "not ranked: the judge is not validated here",
        REPORTED: "reported, not derived here",
    }
)
