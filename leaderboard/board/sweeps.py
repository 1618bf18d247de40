"""Sweeps: the same agent with more and more tools, one submission for each number of tools.

`lb run --sweep` writes the submissions `<name>-k<number>`. Their cards hold the name as
`settings.sweep` and the number as `settings.max_tools`. A card can say anything, so a submission
belongs to a sweep only if its id agrees with its card, and only together with submissions of the
same kind, organisation, model and framework. A stranger can write all of these, so `lb review`
names a submission that joins a sweep of others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from leaderboard.types import Submission

MOST_TOOLS: Final = 1_000_000  # a larger number in a card is not a number of tools


@dataclass(frozen=True, slots=True)
class Member:
    """A submission of a sweep, with the greatest number of tools that it was offered."""

    submission: Submission
    tools: int


# The members of a sweep by each submission's id, the least number of tools first.
Swept = Mapping[str, tuple[Member, ...]]


def swept(submissions: Iterable[Submission]) -> Swept:
    """The sweeps among these submissions that have at least two members."""
    groups: defaultdict[tuple[str, ...], list[Member]] = defaultdict(list)
    for submission in submissions:
        card = submission.card
        name, tools = card.settings.get("sweep"), card.settings.get("max_tools")
        if not isinstance(name, str) or type(tools) is not int or not 1 <= tools <= MOST_TOOLS:
            continue
        if submission.id == f"{name}-k{tools}":
            key = (name, card.kind, card.organization, card.model, card.framework or "")
            groups[key].append(Member(submission, tools))

    by_submission = {}
    for group in groups.values():
        if len(group) > 1:
            members = tuple(sorted(group, key=lambda member: member.tools))
            for member in members:
                by_submission[member.submission.id] = members
    return by_submission
