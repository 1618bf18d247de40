"""The judges of a board as commands open them: recording, replaying, or looking calls up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from leaderboard.types import Ask, JudgeCall, JudgeReply, JudgeSettings, RecordedCall
from replay.asker import Asker, RecordMode, open_asker
from replay.cassettes.cassette_index import Index


@contextmanager
def open_judges(
    root: Path,
    panel: Sequence[JudgeSettings],
    named: Collection[str] = (),
    *,
    offline: bool = True,
    record_mode: RecordMode = "none",
    jobs: int = 4,
) -> Iterator[tuple[Asker, Ask]]:
    """Opens an asker; with `named` submissions, judges are only asked for those."""
    mode: RecordMode = "none" if offline else record_mode
    with open_asker(root, panel, offline=offline, record_mode=mode, jobs=jobs) as asker:
        replaying = Asker(root, panel, asker.index)

        def ask(calls: Sequence[JudgeCall]) -> Sequence[JudgeReply]:
            # The calls of one batch belong to one submission.
            may_record = not named or any(call.submission in named for call in calls[:1])
            return (asker if may_record else replaying)(calls)

        yield asker, ask


def replay_only(root: Path, panel: Sequence[JudgeSettings]) -> Ask:
    """Answers from the cassettes alone, without looking for the nearest call of a missing one."""
    return Asker(root, panel, Index.load(root), explain_misses=False)


def recorded_calls(root: Path) -> Callable[[str], RecordedCall | None]:
    """Finds a recorded judge call by its key. Nothing is read before the first one is needed."""

    @cache
    def index() -> Index:
        return Index.load(root)

    @cache  # pages of cases and judges show the same call
    def find(key: str) -> RecordedCall | None:
        call = index().find(key)
        if call is None:
            return None
        asked = index().exchange(call)
        settings = {
            name: value
            for name, value in asked.body.items()
            if name not in ("messages", "contents")
        }
        judge = call.file.split("/")[1]
        return RecordedCall(asked.prompt, call.text, judge, settings, call.file)

    return find
