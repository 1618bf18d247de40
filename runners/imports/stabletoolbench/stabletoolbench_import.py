"""`lb import stabletoolbench`: answers as submissions, and query files as a suite.

Reads and checks everything before it writes. Importing the same files again changes nothing. The
votes of the judges that come with the files are kept beside the answers, under `origin`, and
shown. They never decide a score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.files.imported_votes import IMPORTED_FROM
from leaderboard.kinds import Kinds
from leaderboard.types import Json
from leaderboard.workspace import Workspace
from runners.apis.queries import load_test_sets
from runners.imports.import_writer import (
    ImportedSubmission,
    ImportedSuite,
    ImportReport,
    existing_suite,
    foreign_suite,
    imported_card,
    suite_toml,
    write_imported,
)
from runners.imports.stabletoolbench.imported_answers import RICHEST_FIRST, AnswerFile
from runners.imports.stabletoolbench.pass_rates import pass_rate, win_rates
from runners.imports.stabletoolbench.source_files import SourceFiles, read_files
from runners.submission_writer import (
    lines_bytes,
    refuse_foreign,
    write_files,
    wrong_date,
    wrong_ids,
)

KIND: Final = "stable_toolbench"
FORMAT: Final = "stabletoolbench"

# The published order of the test sets. Others come after them, sorted by name.
TEST_SETS: Final = (
    "G1_instruction",
    "G1_tool",
    "G1_category",
    "G2_instruction",
    "G2_category",
    "G3_instruction",
)
_PROMPT, _FOLLOW_UP, _PREFERENCE = "answer_status", "execution_status", "preference"
_DESCRIPTION: Final = (
    "Queries over simulated web APIs, imported from query files of StableToolBench: whether a judge"
    " finds a query solved, which of the APIs that it takes are called, and whether it is brought"
    " to an end."
)


@dataclass(slots=True)
class _System:
    """What one system answered, by query id, and the notes about its files."""

    records: dict[str, dict[str, Json]] = field(default_factory=dict)
    settings: dict[str, Json] = field(default_factory=lambda: {IMPORTED_FROM: FORMAT})
    dates: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


def import_stabletoolbench(
    root: Path,
    source: Path,
    suite_id: str,
    *,
    kinds: Kinds,
    queries: Path | None = None,
    ids: Path | None = None,
    submission_id: str | None = None,
    date: str | None = None,
    fields: Mapping[str, str] = MappingProxyType({}),
) -> ImportReport:
    """Writes a submission to the suite `suite_id` for each system in a file or folder.

    `queries`, a folder of query files, writes the suite too; `ids`, a folder of id files, limits
    it to the queries that they list. A system is named by its folder or file, or by the wrapper's
    agent and number of tools; `submission_id` renames a single one. `date` and `fields` replace
    what an earlier import wrote on the cards. Never changes a suite or submission of any other
    origin. Raises FilesError with the problems of all files.
    """
    if queries is None:
        suite = existing_suite(root, suite_id, kinds, "apis", "--queries")
    else:
        suite = _new_suite(root, suite_id, queries, ids)
    found = read_files(source, tuple(suite.cases))
    problems = [problem for findings in found.findings for problem in findings.problems()]
    if not (problems or found.answers or found.preferences):
        unread = "".join(f"; {problem.file} {problem.what}" for problem in found.unread[:3])
        what = f"contains no file of StableToolBench{unread}"
        problems.append(Problem(source.name, what, "name the folder of the answers, or one file"))
    warnings: list[Problem] = []
    systems = _systems(found, suite, warnings)
    submission_ids = _submission_ids(systems, submission_id, source)
    problems += wrong_ids(suite_id, submission_ids.values())
    problems += wrong_date(date) if date is not None else ()
    if problems:
        raise FilesError(problems)
    cards = {}
    for name, system in systems.items():
        if (Workspace(root).submissions / submission_ids[name]).exists():
            refuse_foreign(root, submission_ids[name], IMPORTED_FROM, FORMAT)
        latest = max(system.dates, default=None)
        read = {"name": name, "date": latest, "settings": system.settings}
        cards[name] = imported_card(root, submission_ids[name], read, date, fields)

    outcome = write_files(root, suite.files) if suite.files else None
    submissions: list[ImportedSubmission] = []
    notes: list[str] = []
    in_order = [case.id for cases in suite.cases.values() for case in cases]
    for name, system in systems.items():
        card = cards[name]
        submission = write_imported(
            root,
            submission_ids[name],
            card,
            suite_id,
            records=[system.records[key] for key in in_order if key in system.records],
            readme=_readme(card["name"], system.notes),
        )
        submissions.append(submission)
        notes += system.notes
    for file in found.preferences:
        rates = win_rates(file)
        notes += [f"{file.shown}: {rate}, by the judge of these files" for rate in rates]
    counts = {test_set: len(cases) for test_set, cases in suite.cases.items()}
    warnings += found.unread
    return ImportReport(
        suite_id, outcome, counts, tuple(submissions), tuple(notes), tuple(warnings)
    )


def _submission_ids(
    systems: Mapping[str, _System], given: str | None, source: Path
) -> dict[str, str]:
    """The submission id of each system. Raises FilesError if two systems would share one."""
    if given is not None and len(systems) != 1:
        what = f"contains the answers of {len(systems)} systems: {', '.join(systems)}"
        fix = "leave --submission out, or import one system at a time"
        raise FilesError(Problem(source.name, what, fix))
    ids: dict[str, str] = {}
    for system in systems:
        # Lower case, with "-" for what an id cannot contain.
        slug = re.sub(r"[^a-z0-9._-]+", "-", system.lower()).strip("-._")[:64]
        ids[system] = given or slug or "system"
    owners: dict[str, str] = {}
    for system, submission_id in ids.items():
        if owners.setdefault(submission_id, system) != system:
            both = f"{owners[submission_id]!r} and {system!r}"
            what = f"{both} would both be the submission {submission_id!r}"
            fix = "import them one at a time, with --submission"
            raise FilesError(Problem(source.name, what, fix))
    return ids


def _readme(name: str, notes: Sequence[str]) -> str:
    text = f"What `{name}` answered, imported from files of StableToolBench.\n"
    if notes:
        text += (
            "\nThe files contain verdicts of other judges. They are not part of the scores here,"
            " which come from this board's own judges:\n\n"
        )
        text += "".join(f"- {line}\n" for line in notes)
    return text


# ---------------------------------------------------------------- the suite


def _new_suite(root: Path, suite_id: str, queries: Path, ids: Path | None) -> ImportedSuite:
    """A suite of query files with a category per test set.

    Its judge prompts are copies of those of the suite that the project ships.
    """
    if foreign := tuple(foreign_suite(root, suite_id, FORMAT)):
        raise FilesError(foreign)
    test_sets = {name: cases for name, cases in load_test_sets(queries, ids).items() if cases}
    if not test_sets:
        fix = "name the folder of <test set>.json files"
        raise FilesError(Problem(queries.name, "contains no query", fix))
    others = sorted(set(test_sets) - set(TEST_SETS))
    cases = {name: test_sets[name] for name in (*TEST_SETS, *others) if name in test_sets}
    workspace = Workspace(root)
    folder = workspace.shown(workspace.datasets / suite_id)
    head = {"title": suite_id, "description": _DESCRIPTION, "kind": KIND}
    head["preference"] = _PREFERENCE
    tables = []
    for name in cases:
        table = {"id": name, "title": name, "file": f"{name}.json"}
        tables.append({**table, "prompt": _PROMPT, "follow_up": _FOLLOW_UP})
    files = {f"{folder}/suite.toml": suite_toml(FORMAT, head, tables)}
    for name, listed in cases.items():
        files[f"{folder}/{name}.json"] = lines_bytes([case.record for case in listed])
    for name in (_PROMPT, _FOLLOW_UP, _PREFERENCE):
        model = workspace.prompts / KIND / f"{name}.md"
        if not model.is_file():
            fix = "write the judge's prompt, then import again"
            raise FilesError(Problem(workspace.shown(model), "does not exist", fix))
        prompt = workspace.prompts / suite_id / f"{name}.md"
        files[workspace.shown(prompt)] = model.read_bytes()
    return ImportedSuite(cases, files)


# ---------------------------------------------------------------- the systems


def _systems(
    found: SourceFiles, suite: ImportedSuite, warnings: list[Problem]
) -> dict[str, _System]:
    """The answers of each system. If several files answer a query, the richest one counts."""
    systems: dict[str, _System] = {}
    for file in sorted(found.answers, key=lambda file: RICHEST_FIRST.index(file.kind)):
        if file.test_set not in suite.cases:
            what = (
                f"answers the test set {file.test_set!r}, which the suite does not have: left out"
            )
            fix = "import its queries with --queries"
            warnings.append(Problem(file.shown, what, fix, severity="warning"))
            continue
        query_ids = [case.id for case in suite.cases[file.test_set]]
        system = systems.setdefault(file.system, _System())
        for query_id in query_ids:
            if query_id in file.records:
                record = system.records.setdefault(query_id, dict(file.records[query_id]))
                _add_votes(record, query_id, file)
        warnings += _mismatches(file, query_ids)
        system.settings |= file.settings
        if file.date is not None:
            system.dates.add(file.date)
        notes = file.notes
        if file.kind == "votes":
            notes = (f"{pass_rate(file.votes, query_ids)}, by the judge of these files",)
        system.notes += [f"{file.shown}: {line}" for line in notes]
    return systems


def _mismatches(file: AnswerFile, query_ids: Sequence[str]) -> Iterator[Problem]:
    """Warnings if the queries that a file answers differ from those of the suite."""
    if strangers := sorted(set(file.records) - set(query_ids)):
        count = f"{len(strangers)} queries that the suite does not have"
        what = f"answers {count}, such as {strangers[0]}: left out"
        yield Problem(file.shown, what, severity="warning")
    if missing := set(query_ids) - set(file.records):
        count = f"{len(missing)} of {len(query_ids)} queries"
        what = f"leaves {count} of {file.test_set} unanswered; they will count as failed"
        yield Problem(file.shown, what, severity="warning")


def _add_votes(record: dict[str, Json], query_id: str, file: AnswerFile) -> None:
    if query_id not in file.votes:
        return
    source = (
        {"file": file.shown} if file.judge is None else {"judge": file.judge, "file": file.shown}
    )
    votes = record.setdefault("origin", {"votes": []})["votes"]
    for vote in file.votes[query_id]:
        entry: dict[str, Json] = {"status": vote.status, "by": vote.by, "round": vote.round}
        entry |= source
        if vote.reason:
            entry["reason"] = vote.reason
        votes.append(entry)
