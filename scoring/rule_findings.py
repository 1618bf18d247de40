"""What rules find about answers. Boards with the same suites can share it, as reviews do."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from leaderboard.types import Case, Confirm, Decision, Referral, Response, Suite

# What was found before, by response or labelled pair. Another suite has other ones.
KeptFindings = dict[Hashable, Sequence[Decision | Referral]]


def findings(
    suite: Suite,
    case: Case,
    response: Response,
    confirm: Confirm,
    kept: KeptFindings | None = None,
    *,
    key: Hashable = None,
) -> Sequence[Decision | Referral]:
    """Returns what the suite's rule finds, one per metric, about a response that is confirmed.

    With `kept`, each response is decided once. `key` identifies one that is created every time.
    """
    key = response if key is None else key
    if kept is not None and key in kept:
        return kept[key]
    found = suite.kind.decide(suite, case, confirm(suite, case, response))
    if kept is not None:
        kept[key] = found
    return found
