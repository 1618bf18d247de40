"""Compares recorded replies with the judge's own, for a judge whose code is here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from leaderboard.errors import Problem
from leaderboard.network.secret_keys import redact
from leaderboard.texts.short_text import cut, single_spaced
from leaderboard.types import JudgeCall, JudgeSettings
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


def own_reply(judge: JudgeSettings, prompt: str) -> str:
    """Returns the reply of a judge, one of the `RECOMPUTED`, as a cassette holds it."""
    return redact(embedded.recompute(judge, prompt))


def difference_from_own_reply(
    recorded: Recorded, judge: JudgeSettings, own: str
) -> ChangedReply | None:
    """Returns how a recorded reply differs from the judge's own; None if it does not."""
    return None if own == recorded.text else ChangedReply(recorded, judge.name, own)


class RecomputedReplies:
    """The replies of judges whose code is here, each computed once.

    `keys` has the calls that were computed, `differences` those of them whose recorded reply is
    another one, by key.
    """

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.differences: dict[str, ChangedReply] = {}

    def own_reply(self, recorded: Recorded, call: JudgeCall) -> str:
        """Returns the judge's own reply to a recorded call. See `difference_from_own_reply`."""
        if recorded.key not in self.keys:
            self.keys.add(recorded.key)
            found = difference_from_own_reply(
                recorded, call.judge, own_reply(call.judge, call.prompt)
            )
            if found is not None:
                self.differences[recorded.key] = found
        changed = self.differences.get(recorded.key)
        return recorded.text if changed is None else changed.own


def problems_of(root: Path, differences: Iterable[ChangedReply]) -> tuple[Problem, ...]:
    """Returns a problem for each difference, in order of files; at most `MOST_SHOWN`, and one more.

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
