"""The journal of a run: one line per case and trial, on disk before the next one counts.

Journals are in `.cache/runs/<submission>/`, which git ignores. A run that is killed leaves its
journal behind, and `--resume` continues from it. The first line says which model was asked what:
`asked` in `runners.run_plan`. `runners.run_checks` refuses to resume with anything else.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from io import BytesIO
from pathlib import Path
from typing import IO, Final, Literal, NamedTuple, get_args

from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import is_linked, link_problem
from leaderboard.files.json_files import parse
from leaderboard.machine.appended_lines import append_line, open_for_lines, try_lock
from leaderboard.machine.atomic_files import errors_naming
from leaderboard.machine.clock import today
from leaderboard.types import Case, Json, Suite
from leaderboard.workspace import Workspace
from runners.models.spending import NO_TOKENS, Tokens
from runners.submission_writer import encode

# A case's id and the number of the trial, from 1.
CaseTrial = tuple[str, int]

# What is noted of the replies to a case. `unreadable`: a call cannot be read. `cut_off`: the token
# limit ended a reply. `unfinished`: a filter ended one, or its provider marks it as incomplete.
# `unclosed`: a reply without calls ended within its thoughts. `thoughts`: thoughts in a text were
# removed. `tokens`: tokens around a text were removed.
ReplyMark = Literal["unreadable", "cut_off", "unfinished", "unclosed", "thoughts", "tokens"]
REPLY_MARKS: Final[tuple[ReplyMark, ...]] = get_args(ReplyMark)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One record. `answered` is False where no reply came, so `--resume` asks again.

    `counted` are the tokens that count towards a budget.
    """

    record: Mapping[str, Json]
    answered: bool
    models: tuple[str, ...] = ()
    counted: Tokens = NO_TOKENS
    marks: frozenset[ReplyMark] = frozenset()

    @property
    def place(self) -> CaseTrial:
        return self.record["id"], self.record["trial"]

    @property
    def failed(self) -> bool:
        """Whether the record has an error in place of an answer."""
        return bool(self.record.get("error"))


class JournalContents(NamedTuple):
    """The header (None: no journal), the last entry of each place, the bytes of whole lines.

    `counted` are the tokens of all entries, and of earlier runs without an answer.
    """

    header: Mapping[str, Json] | None
    entries: dict[CaseTrial, JournalEntry]
    size: int
    counted: Tokens = NO_TOKENS

    @property
    def has_answers(self) -> bool:
        return any(entry.answered for entry in self.entries.values())


def folder_of(root: Path, submission_id: str) -> Path:
    """The folder of the journals of a submission's runs."""
    return root / ".cache/runs" / submission_id


def path_of(root: Path, submission_id: str, suite_id: str) -> Path:
    """The journal of one suite."""
    return folder_of(root, submission_id) / f"{suite_id}.jsonl"


@dataclass(slots=True)
class RunJournal:
    """An open journal. `entries` holds the last entry of each place. `shown` is for messages."""

    path: Path
    shown: str
    file: IO[bytes]
    header: Mapping[str, Json]
    entries: dict[CaseTrial, JournalEntry]

    def keep(self, entry: JournalEntry) -> None:
        """Writes an entry, and returns when it is on disk. Raises OSError, which names the file."""
        about = {"record": entry.record, "answered": entry.answered, "models": entry.models}
        marks = {mark: mark in entry.marks for mark in REPLY_MARKS}
        line = _line({**about, "counted": entry.counted, **marks})
        with errors_naming(self.path):
            # An answer counts as kept only when a power cut cannot lose it: it may cost money.
            append_line(self.file, line, durable=True)
        self.entries[entry.place] = entry

    def unanswered(self, attempts: Iterable[tuple[Case, int]]) -> list[tuple[Case, int]]:
        """Those of these cases and trials that have no answer yet: first those never asked."""
        answered = {place for place, entry in self.entries.items() if entry.answered}
        left = [(case, trial) for case, trial in attempts if (case.id, trial) not in answered]
        # Cases that fail every time must not keep a run from the others.
        return sorted(left, key=lambda asked: (asked[0].id, asked[1]) in self.entries)

    def whole_trials(self, suite: Suite) -> list[JournalEntry]:
        """The entries of the trials that every answered case has, in the order of the suite.

        A run with fewer cases may have had more trials. The others of its trials would count as
        fails of all other cases.
        """
        trials = Counter(case_id for case_id, _ in self.entries)
        fewest = min(trials.values(), default=0)
        position = {case.id: number for number, case in enumerate(suite.cases)}
        places = sorted(self.entries, key=lambda place: (position[place[0]], place[1]))
        return [self.entries[place] for place in places if place[1] <= fewest]


@contextmanager
def open_journal(
    root: Path, submission_id: str, suite_id: str, asked: Mapping[str, Json], date: str | None
) -> Iterator[RunJournal]:
    """Opens and locks the journal of one suite, or starts a new one.

    `asked` is everything that decides the answers, and `date` the day on the card (None: today).
    A journal without an answer is started again, and its header keeps what its entries cost.
    Raises FilesError when another run holds the lock, the file is not a journal, or a link below
    `root` leads to it.
    """
    path = path_of(root, submission_id, suite_id)
    shown = _shown(root, path)
    header = {"schema": 1, "asked": asked, "date": date or today().isoformat()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_for_lines(path) as file:
        if not try_lock(file):
            fix = "wait until it has ended, or choose another --id"
            raise FilesError.about(shown, "is being written by another lb run", fix)
        file.seek(0)
        found = _read(file.read(), shown)
        if found.header is None or not found.has_answers:
            first = _line({"run": {**header, "counted": found.counted}})
            with errors_naming(path):
                file.truncate(0)
                append_line(file, first, durable=False)
            yield RunJournal(path, shown, file, header, {})
        else:
            file.truncate(found.size)  # a kill may have cut off the last line
            yield RunJournal(path, shown, file, found.header, found.entries)


def read_journal(root: Path, submission_id: str, suite_id: str) -> JournalContents:
    """The contents of a journal, which may be open in another run. Raises FilesError."""
    path = path_of(root, submission_id, suite_id)
    shown = _shown(root, path)
    if not path.is_file():
        return JournalContents(None, {}, 0)
    return _read(path.read_bytes(), shown)


def _shown(root: Path, path: Path) -> str:
    """The journal's path for messages. Raises FilesError for a link: it could lead to any file."""
    shown = Workspace(root).shown(path)
    if is_linked(path, root):
        raise FilesError(link_problem(shown))
    return shown


def _read(written: bytes, shown: str) -> JournalContents:
    header: Mapping[str, Json] | None = None
    entries: dict[CaseTrial, JournalEntry] = {}
    size, earlier = 0, NO_TOKENS
    for number, data in enumerate(BytesIO(written), start=1):
        if not data.endswith(b"\n"):  # a kill cut it off
            break
        size += len(data)
        try:
            line = parse(data, shown)
            if number == 1:
                header = {**line["run"]}
                earlier = Tokens(*header["counted"])
            else:
                marks = frozenset(mark for mark in REPLY_MARKS if line.get(mark))
                about = line["record"], line["answered"], tuple(line["models"])
                entry = JournalEntry(*about, Tokens(*line["counted"]), marks)
                if before := entries.get(entry.place):  # asked again, and both have cost something
                    entry = replace(entry, counted=entry.counted.plus(before.counted))
                entries[entry.place] = entry
        except (FilesError, KeyError, TypeError) as error:
            what, fix = "contains a line that is not an answer", "delete that line"
            if number == 1:
                what = "is not the journal of a run"
                fix = "delete it, and start again without --resume"
            raise FilesError.about(shown, what, fix, line=number) from error
    counted = reduce(Tokens.plus, (entry.counted for entry in entries.values()), earlier)
    return JournalContents(header, entries, size, counted)


def _line(value: Json) -> bytes:
    return encode(json.dumps(value, ensure_ascii=False, allow_nan=False)) + b"\n"
