"""What every import does: find or write the suite, write submissions, and report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from leaderboard.digest import canonical
from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.card_shape import card_problems
from leaderboard.files.file_bytes import read_bytes, read_named
from leaderboard.files.imported_votes import IMPORTED_FROM
from leaderboard.files.json_files import parse
from leaderboard.files.suite_files import load_suite
from leaderboard.ids import id_problem
from leaderboard.kinds import Interaction, Kinds
from leaderboard.responses.record_lists import listed_records
from leaderboard.responses.response_records import Interner, read_records
from leaderboard.types import UNKNOWN, Case, Json, Suite
from leaderboard.workspace import Workspace, card_file, suite_file
from runners.converted_responses import converted_findings
from runners.submission_writer import (
    README_FILE,
    Written,
    existing_card,
    lines_bytes,
    refuse_foreign,
    responses_bytes,
    write_files,
    write_submission,
)


class ReadySubmission(NamedTuple):
    """A submission of an import, ready to be written. An existing README stays.

    An earlier import's records have to be among those `read`: None for `records`. Two records are
    the same answer if `key` gives the same for both, and none if it gives None.
    """

    id: str
    card: dict[str, Json]
    records: Sequence[Json]
    readme: str
    read: Sequence[Json] | None = None
    key: Callable[[Json], Json] = itemgetter("id")


class ImportedCategory(NamedTuple):
    """A category of a new suite: its cases, and further keys of its table in suite.toml."""

    title: str
    records: Sequence[Json]
    keys: Mapping[str, str | float]
    description: str | None = None


class ImportedSubmission(NamedTuple):
    """A submission that an import wrote, and how many answers it has."""

    id: str
    outcome: Written
    answers: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `cases` counts the cases of each category.

    `suite` is None if the import found the suite in the workspace and wrote only submissions.
    """

    suite_id: str
    suite: Written | None
    cases: Mapping[str, int]
    submissions: tuple[ImportedSubmission, ...]
    notes: tuple[str, ...]
    warnings: tuple[Problem, ...]

    def __str__(self) -> str:
        """One line for the suite and for each submission, then the notes and the warnings."""
        counts = f"categories: {len(self.cases)}, cases: {sum(self.cases.values())}"
        lines = [f"datasets/{self.suite_id}/: {self.suite or 'unchanged'} ({counts})"]
        for submission in self.submissions:
            answers = f"answers: {submission.answers}"
            lines.append(f"submissions/{submission.id}/: {submission.outcome} ({answers})")
        lines += self.notes
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class ImportedSuite:
    """The suite that imported answers belong to.

    `files` maps paths in the workspace to what an import of the suite writes there, `copies` to
    files that it copies. Both are empty if the suite was in the workspace before.
    """

    cases: Mapping[str, tuple[Case, ...]]  # by category
    files: Mapping[str, bytes] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    copies: Mapping[str, Path] = field(default_factory=dict)


def existing_suite(
    root: Path, suite_id: str, kinds: Kinds, interaction: Interaction, option: str
) -> ImportedSuite:
    """A suite of the workspace. Raises FilesError if it is missing, or answered in another way.

    `option` is the option of the command that imports a suite together with the answers.
    """
    suite = load_suite(Workspace(root), suite_id, kinds)
    if suite.kind.interaction != interaction:
        what = f"is of kind {suite.kind.name}, which these files do not answer"
        fix = f"name another suite, or give {option}"
        raise FilesError.about(suite_file(suite_id), what, fix)
    return ImportedSuite({category.id: category.cases for category in suite.categories})


@dataclass(frozen=True, slots=True)
class ReadyImport:
    """What an import has read and checked, ready to be written.

    `cases` has the cases of each category of the suite. `files` maps paths in the workspace to
    what is written there, `copies` to files that are copied: both only for a new suite.
    """

    suite_id: str
    cases: Mapping[str, Sized]
    files: Mapping[str, bytes]
    submissions: Sequence[ReadySubmission]
    notes: Sequence[str] = ()
    warnings: Sequence[Problem] = ()
    copies: Mapping[str, Path] = field(default_factory=dict)

    def check(self, root: Path, kinds: Kinds) -> None:
        """Raises FilesError if an answer would be lost, or if the board could not read it."""
        with staged(self.files) as made:
            workspace = made if self.files else Workspace(root)
            suite = load_suite(workspace, self.suite_id, kinds)
        problems: list[Problem] = []
        for ready in self.submissions:
            with collect_problems(problems):
                _refuse_loss(root, self.suite_id, ready)
                _refuse_unreadable(suite, ready)
        raise_any(problems)

    def write(self, root: Path, kinds: Kinds) -> ImportReport:
        """Checks everything, and writes the suite, if it is new, and the submissions."""
        self.check(root, kinds)
        suite = write_files(root, self.files) if self.files else None
        for name, path in self.copies.items():  # one at a time: caches can be large
            write_files(root, {name: read_named(path, path.name)})
        written = tuple(self._written(root, submission) for submission in self.submissions)
        counts = {category: len(cases) for category, cases in self.cases.items()}
        notes, warnings = tuple(self.notes), tuple(self.warnings)
        return ImportReport(self.suite_id, suite, counts, written, notes, warnings)

    def _written(self, root: Path, ready: ReadySubmission) -> ImportedSubmission:
        has_readme = (Workspace(root).submissions / ready.id / README_FILE).exists()
        outcome = write_submission(
            root,
            ready.id,
            ready.card,
            {self.suite_id: ready.records},
            origin=IMPORTED_FROM,
            readme=None if has_readme else ready.readme,
        )
        return ImportedSubmission(ready.id, outcome, len(ready.records))


@contextmanager
def staged(files: Mapping[str, bytes]) -> Iterator[Workspace]:
    """A workspace with these files alone."""
    with TemporaryDirectory() as name:
        write_files(Path(name), files)
        yield Workspace(Path(name))


def _refuse_loss(root: Path, suite_id: str, ready: ReadySubmission) -> None:
    """Raises FilesError if the submission has an answer that the import lacks."""
    workspace = Workspace(root)
    path = workspace.submissions / ready.id / f"{suite_id}.json"
    if not path.is_file():
        return
    shown = workspace.shown(path)
    stored = listed_records(parse(read_bytes(path, shown, root), shown))
    had = _answers(stored, ready.key)
    lost = (had - _answers(ready.records if ready.read is None else ready.read, ready.key)).total()
    if lost:
        what = f"has {had.total()} answers, {lost} of them from files that are not in this import"
        fix = (
            "name the files of all its answers in one import, or another submission; or delete"
            " this file, to replace it"
        )
        raise FilesError.about(shown, what, fix)


def _answers(records: Sequence[Json], key: Callable[[Json], Json]) -> Counter[bytes]:
    keys = map(key, records)
    return Counter(canonical(found) for found in keys if found is not None)


def _refuse_unreadable(suite: Suite, ready: ReadySubmission) -> None:
    """Raises FilesError if the board would refuse a record."""
    shown, data = f"submissions/{ready.id}/{suite.id}.json", responses_bytes(ready.records)
    findings = converted_findings(shown, data, [str(record["id"]) for record in ready.records])
    read_records(parse(data, shown), suite, findings, Interner())
    findings.raise_errors()


def suite_files(
    source: str,
    suite_id: str,
    suite: Mapping[str, str],
    categories: Mapping[str, ImportedCategory],
    metric: Mapping[str, str] | None = None,
) -> dict[str, bytes]:
    """The files of a suite by path: suite.toml, and the cases of each category.

    suite.toml has a mark that names the import from `source`.
    """
    folder = f"datasets/{suite_id}"
    lines = [_mark(source), "schema = 1", *toml_lines(suite)]
    files = {}
    for name, category in categories.items():
        table: dict[str, str | float] = {"id": name, "title": category.title}
        if category.description is not None:
            table["description"] = category.description
        table |= {"file": f"{name}.json", **category.keys}
        lines += ["", "[[categories]]", *toml_lines(table)]
        files[f"{folder}/{name}.json"] = lines_bytes(category.records)
    if metric is not None:
        lines += ["", "[[metrics]]", *toml_lines(metric)]
    return {suite_file(suite_id): "\n".join([*lines, ""]).encode(), **files}


def toml_lines(table: Mapping[str, str | float | list[str]]) -> Iterator[str]:
    """The lines of a TOML table, without its name."""
    for key, value in table.items():
        if isinstance(value, str) and "\n" in value:
            yield f'{key} = """\n{value}\n"""'
        else:
            # A JSON string is a TOML string too.
            yield f"{key} = {json.dumps(value, ensure_ascii=False)}"


def foreign_suite(root: Path, suite_id: str, source: str) -> Iterator[Problem]:
    """A problem if the suite's folder exists and no import from `source` wrote it."""
    workspace = Workspace(root)
    folder = workspace.datasets / suite_id
    toml = root / suite_file(suite_id)
    is_ours = toml.is_file() and toml.read_bytes().startswith(_mark(source).encode())
    if folder.exists() and not is_ours:
        what = f"was not written by an import of {source}"
        yield Problem(workspace.shown(toml), what, "choose another suite id, or move that folder")


def _mark(source: str) -> str:
    return f"# Written by `lb import {source}`, which may write it again."


def ready_submission(
    root: Path,
    submission_id: str,
    source: str,
    found: Mapping[str, Json],
    records: Sequence[Json],
    *,
    readme: str,
    date: str | None,
    fields: Mapping[str, Json] = MappingProxyType({}),
) -> ReadySubmission:
    """A submission of an import from `source`. `{name}` in its README is the name on its card.

    `date` and `fields`, which the user gives, replace those of an existing card. That card's fields
    replace `found`, which the files say. Raises FilesError when nothing gives a date, when the
    board could not read the card, and when the submission exists and another source made it.
    """
    if problem := id_problem(submission_id):
        raise FilesError(problem)
    refuse_foreign(root, submission_id, IMPORTED_FROM, source)
    kept = existing_card(root, submission_id)
    unknown = {"organization": UNKNOWN, "model": UNKNOWN, "date": None}
    card: dict[str, Json] = {"schema": 1, "name": submission_id, "kind": "agent", **unknown}
    card |= {**found, **kept, **fields}
    settings = {IMPORTED_FROM: source, **found.get("settings", {})}
    card["settings"] = {**kept.get("settings", {}), **settings}
    if date is not None:
        card["date"] = date
    path = card_file(submission_id)
    if card["date"] is None:
        what = "has no date: the files do not say when this was run"
        raise FilesError.about(path, what, "give --date YYYY-MM-DD")
    raise_any(card_problems(card, path))
    readme = readme.replace("{name}", card["name"])
    return ReadySubmission(submission_id, card, records, readme)
