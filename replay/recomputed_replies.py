"""Compares recorded replies with the judge's own, for a judge whose code is here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from leaderboard.errors import Problem
from leaderboard.network.secret_keys import redact
from leaderboard.texts.short_text import cut, single_spaced
from leaderboard.types import JudgeSettings
from replay.cassettes import cassette_file
from replay.cassettes.cassette_file import Recorded
from replay.providers import embedded

MOST_SHOWN: Final = 20
_CLIP: Final = 120
_FIX: Final = "nobody may edit replies; record it again: lb rescore --record-mode all"


class ChangedReply(NamedTuple):
    """A recorded reply that is not the one that its judge gives."""

    recorded: Recorded
    judge: str
    own: str


class RecomputedReplies:
    """The own replies of judges whose code is here, each computed once. `by_key` has them."""

    def __init__(self) -> None:
        self.by_key: dict[str, str] = {}

    def changed(self, recorded: Recorded, judge: JudgeSettings, prompt: str) -> ChangedReply | None:
        """Compares a recorded reply with the judge's own. Returns None if they are equal."""
        if recorded.key not in self.by_key:
            self.by_key[recorded.key] = redact(embedded.recompute(judge, prompt))
        own = self.by_key[recorded.key]
        return None if own == recorded.text else ChangedReply(recorded, judge.name, own)


def problems_of(root: Path, differences: Iterable[ChangedReply]) -> tuple[Problem, ...]:
    """A problem for each difference, in order of files; at most `MOST_SHOWN`, and one more.

    Raises FilesError.
    """
    ordered = sorted(differences, key=lambda it: (it.recorded.file, it.recorded.position))
    problems = [_problem(root, difference) for difference in ordered[:MOST_SHOWN]]
    if len(ordered) > MOST_SHOWN:
        more = f"and {len(ordered) - MOST_SHOWN:,} more replies that their judge does not give"
        problems.append(Problem(ordered[MOST_SHOWN].recorded.file, more, _FIX))
    return tuple(problems)


def _problem(root: Path, difference: ChangedReply) -> Problem:
    file, position = difference.recorded.file, difference.recorded.position
    key = difference.recorded.key[:16]
    what = (
        f"holds a reply that {difference.judge} does not give to call {key}: "
        f"recorded {_shown(difference.recorded.text)}, recomputed {_shown(difference.own)}"
    )
    if difference.recorded.is_new:  # by a server that is not the judge
        return Problem(file, what, _FIX)
    return cassette_file.problem_at(root, file, position, what, _FIX)


def _shown(text: str) -> str:
    line = cut(single_spaced(text), _CLIP)
    return f'"{line}"'
