"""The judges of a board as commands open them: recording, replaying, or looking calls up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from leaderboard.types import Ask, Json, JudgeCall, JudgeReply, JudgeSettings, RecordedCall
from replay.asker import Asker, RecordMode, open_asker
from replay.cassettes import cassette_file
from replay.cassettes.cassette_index import Index
from replay.cassettes.request import Keyer, UnkeyableError


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
    """As `open_asker`; with `named` submissions, judges are asked for those alone."""
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
    index = Index.load(root)
    keyers = {judge.name: Keyer(judge) for judge in panel}

    def reply(call: JudgeCall) -> JudgeReply:
        try:
            key = keyers[call.judge.name].key(call.prompt)
        except UnkeyableError:
            return JudgeReply("", None)
        found = index.find(key)
        return JudgeReply(key, None if found is None else found.text)

    return lambda calls: [reply(call) for call in calls]


def recorded_calls(root: Path) -> Callable[[str], RecordedCall | None]:
    """Finds a recorded judge call by its key. Nothing is read before the first one is asked for."""
    opened: dict[str, Sequence[Json]] = {}

    @cache
    def index() -> Index:
        return Index.load(root)

    @cache  # pages of cases and judges ask for the same call
    def find(key: str) -> RecordedCall | None:
        call = index().find(key)
        if call is None:
            return None
        if call.file not in opened:
            opened[call.file] = cassette_file.read(root, call.file)
        asked = cassette_file.exchange(opened[call.file][call.position])
        settings = {
            name: value
            for name, value in asked.body.items()
            if name not in ("messages", "contents")
        }
        judge = call.file.split("/")[1]
        return RecordedCall(asked.prompt, call.text, judge, settings, call.file)

    return find
