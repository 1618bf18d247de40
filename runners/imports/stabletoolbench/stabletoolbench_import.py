"""`lb import stabletoolbench`: files of StableToolBench and its wrapper as submissions, and query files as a suite.

Everything is read and checked before anything is written. Importing the same files again changes nothing. The votes of the
judges that came with the files are kept beside the answers, under `origin`, and shown; they never decide a score here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.files.imported_votes import IMPORTED_FROM as ORIGIN
from leaderboard.files.suite_files import load_suite
from leaderboard.kinds import Kinds
from leaderboard.types import Case, Json
from leaderboard.workspace import Workspace
from runners.apis.queries import load_test_sets
from runners.imports.stabletoolbench.recomputed_sums import (
    differences,
    pass_rate,
    win_rates,
    wrapper_rate,
)
from runners.imports.stabletoolbench.result_files import AnswerFile, Found, Vote, read_files
from runners.submission_writer import (
    Written,
    imported_card,
    lines_bytes,
    refuse_foreign,
    write_files,
    write_submission,
    wrong_date,
    wrong_ids,
)

KIND: Final = "stable_toolbench"
FORMAT: Final = "stabletoolbench"
PROMPTS: Final = ("answer_status", "execution_status", "preference")

# The published order; test sets of other names come behind, sorted.
TEST_SETS: Final = (
    "G1_instruction",
    "G1_tool",
    "G1_category",
    "G2_instruction",
    "G2_category",
    "G3_instruction",
)

_MARK: Final = "# Written by `lb import stabletoolbench`, which may write it again."
_DESCRIPTION: Final = (
    "Queries over simulated web APIs, imported from query files of StableToolBench: whether a judge finds a query solved, which"
    " of the APIs that it takes are called, and whether it is brought to an end."
)
# Where a query was answered in several files, the first of these kinds counts: it tells most of what was done.
_RICHEST_FIRST: Final = ("answers", "votes", "results")


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `suite` is None where the suite was there already; `found` are the lines about what the files say."""

    suite_id: str
    suite: Written | None
    cases: int
    submissions: tuple[tuple[str, Written, int], ...]
    found: tuple[str, ...]
    warnings: tuple[Problem, ...]

    def __str__(self) -> str:
        """One line for the suite and for every submission, then what the files' own judges said, and the warnings."""
        lines = [f"datasets/{self.suite_id}/: {self.suite or 'as it was'} (queries: {self.cases})"]
        lines += [
            f"submissions/{name}/: {written} (answers: {records})"
            for name, written, records in self.submissions
        ]
        lines += self.found
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Suite:
    """The suite that is answered. `files` are what is to be written, by path below the workspace; none where it is there."""

    test_sets: Mapping[str, tuple[Case, ...]]
    files: Mapping[str, bytes] = field(default_factory=dict)

    def ids(self, test_set: str) -> tuple[str, ...]:
        return tuple(case.id for case in self.test_sets.get(test_set, ()))


@dataclass(slots=True)
class _System:
    """What one system answered, by query id, and what its files say of it."""

    records: dict[str, dict[str, Json]] = field(default_factory=dict)
    settings: dict[str, Json] = field(default_factory=dict)
    dates: set[str] = field(default_factory=set)
    told: list[str] = field(default_factory=list)


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
    """Writes a submission for every system whose answers are found in a file or folder, answering the suite `suite_id`.

    With `queries`, a folder of query files, the suite is written first, with `ids` only the queries that its files list;
    without it the suite must be there. A system is named by its folder or file, a wrapper's by its agent and number of tools;
    `submission_id` names it where there is one. `date` and `fields` go onto the cards; what a card already says otherwise, in
    a submission of an earlier import, stays. A suite or submission of any other origin is never touched. Raises FilesError
    with the problems of all files.
    """
    suite = (
        _existing_suite(root, suite_id, kinds)
        if queries is None
        else _new_suite(root, suite_id, queries, ids)
    )
    found = read_files(source, tuple(suite.test_sets))
    warnings: list[Problem] = []
    systems = _systems(found, suite, warnings)
    warnings += found.unread
    named = _submission_ids(systems, submission_id, source)
    problems = [problem for findings in found.findings for problem in findings.problems()]
    if not (problems or found.anything):
        unread = "".join(f"; {problem.file} {problem.what}" for problem in found.unread[:3])
        what = f"holds no file of StableToolBench{unread}"
        problems.append(Problem(source.name, what, "name the folder of the answers, or one file"))
    problems += [
        *wrong_ids(suite_id, named.values()),
        *(wrong_date(date) if date is not None else ()),
    ]
    if problems:
        raise FilesError(problems)
    cards = {}
    for system, name in named.items():
        if (Workspace(root).submissions / name).exists():
            refuse_foreign(root, name, ORIGIN, FORMAT)
        told = {
            "name": system,
            "date": max(systems[system].dates, default=None),
            "settings": systems[system].settings,
        }
        cards[system] = imported_card(root, name, told, date, fields)
    return ImportReport(
        suite_id=suite_id,
        suite=None if queries is None else write_files(root, suite.files),
        cases=sum(map(len, suite.test_sets.values())),
        submissions=tuple(
            _write(
                root,
                named[name],
                cards[name],
                {suite_id: _records(suite, system)},
                _readme(str(cards[name]["name"]), system),
            )
            for name, system in systems.items()
        ),
        found=(
            *(line for system in systems.values() for line in system.told),
            *_preferences(found),
        ),
        warnings=tuple(warnings),
    )


def _submission_ids(
    systems: Mapping[str, _System], given: str | None, source: Path
) -> dict[str, str]:
    """A submission's id for each system."""
    if given is not None and len(systems) != 1:
        what = f"hold the answers of {len(systems)} systems: {', '.join(systems)}"
        raise FilesError(
            Problem(source.name, what, "leave --submission out, or import one system at a time")
        )
    named = {system: given or _slug(system) for system in systems}
    taken: dict[str, str] = {}
    for system, name in named.items():
        if name in taken:
            what = f"{taken[name]!r} and {system!r} would both be the submission {name!r}"
            raise FilesError(
                Problem(source.name, what, "import them one at a time, with --submission")
            )
        taken[name] = system
    return named


def _slug(system: str) -> str:
    """A system's name as an id: small letters, everything unusual a dash."""
    return re.sub(r"[^a-z0-9._-]+", "-", system.lower()).strip("-._")[:64] or "system"


# ---------------------------------------------------------------- the suite


def _existing_suite(root: Path, suite_id: str, kinds: Kinds) -> _Suite:
    suite = load_suite(Workspace(root), suite_id, kinds)
    if suite.kind.name != KIND:
        what = f"is of kind {suite.kind.name}, and these files answer suites of kind {KIND}"
        raise FilesError(
            Problem(
                f"datasets/{suite_id}/suite.toml", what, "name another suite, or give --queries"
            )
        )
    return _Suite({category.id: category.cases for category in suite.categories})


def _new_suite(root: Path, suite_id: str, queries: Path, ids: Path | None) -> _Suite:
    """The suite that query files make: a category for each test set, judged with the prompts of the project's own suite."""
    places = Workspace(root)
    folder = places.datasets / suite_id
    toml = folder / "suite.toml"
    if folder.exists() and not (toml.is_file() and toml.read_bytes().startswith(_MARK.encode())):
        what = "was not written by an import of stabletoolbench"
        raise FilesError(
            Problem(places.shown(folder), what, "choose another suite id, or move that folder away")
        )
    test_sets = {
        name: cases
        for name, cases in sorted(load_test_sets(queries, ids).items(), key=_published)
        if cases
    }
    if not test_sets:
        raise FilesError(
            Problem(queries.name, "holds no query", "name the folder of <test set>.json files")
        )
    files = {
        places.shown(folder / f"{name}.json"): lines_bytes([c.record for c in cases])
        for name, cases in test_sets.items()
    }
    for name in PROMPTS:
        model = places.prompts / KIND / f"{name}.md"
        if not model.is_file():
            raise FilesError(
                Problem(
                    places.shown(model),
                    "does not exist",
                    "write the judge's prompt, then import again",
                )
            )
        files[places.shown(places.prompts / suite_id / f"{name}.md")] = model.read_bytes()
    files[places.shown(toml)] = _suite_toml(suite_id, test_sets).encode()
    return _Suite(test_sets, files)


def _published(item: tuple[str, object]) -> tuple[int, str]:
    name, _ = item
    return (TEST_SETS.index(name) if name in TEST_SETS else len(TEST_SETS), name)


def _suite_toml(suite_id: str, test_sets: Iterable[str]) -> str:
    head = (
        f'{_MARK}\nschema = 1\ntitle = "{suite_id}"\ndescription = "{_DESCRIPTION}"\nkind = "{KIND}"\n'
        f'preference = "{PROMPTS[2]}"\n'
    )
    return head + "".join(
        f'\n[[categories]]\nid = "{name}"\ntitle = "{name}"\nfile = "{name}.json"\n'
        f'prompt = "{PROMPTS[0]}"\nfollow_up = "{PROMPTS[1]}"\n'
        for name in test_sets
    )


# ---------------------------------------------------------------- the systems


def _systems(found: Found, suite: _Suite, warnings: list[Problem]) -> dict[str, _System]:
    """What each system answered, by its name; of several answers to a query the one that tells most."""
    systems: dict[str, _System] = {}
    for kind in _RICHEST_FIRST:
        for file in getattr(found, kind):
            if file.test_set not in suite.test_sets:
                what = f"answers the test set {file.test_set!r}, which the suite does not have: left out"
                warnings.append(
                    Problem(
                        file.shown, what, "import its queries with --queries", severity="warning"
                    )
                )
                continue
            system = systems.setdefault(file.system, _System(settings={ORIGIN: FORMAT}))
            _take(system, file, suite.ids(file.test_set), warnings)
            system.told += _sums(file, kind, suite.ids(file.test_set))
    return systems


def _take(system: _System, file: AnswerFile, ids: Sequence[str], warnings: list[Problem]) -> None:
    """The answers to the queries of the suite, each with the votes on it; those to others are left out."""
    for query_id in ids:
        if query_id in file.records:
            record = system.records.setdefault(query_id, dict(file.records[query_id]))
            if query_id in file.votes:
                before = record.get("origin", {"votes": []})["votes"]
                record["origin"] = {"votes": [*before, *_as_json(file.votes[query_id], file)]}
    if strangers := sorted(set(file.records) - set(ids)):
        what = f"answers {len(strangers)} queries that the suite does not have, such as {strangers[0]}: left out"
        warnings.append(Problem(file.shown, what, severity="warning"))
    if missing := [query_id for query_id in ids if query_id not in file.records]:
        what = f"leaves {len(missing)} of {len(ids)} queries of {file.test_set} unanswered; they will count as failed"
        warnings.append(Problem(file.shown, what, severity="warning"))
    system.settings |= file.settings
    if file.date is not None:
        system.dates.add(file.date)


def _as_json(votes: Sequence[Vote], file: AnswerFile) -> list[Json]:
    named = (
        {"file": file.shown} if file.judge is None else {"judge": file.judge, "file": file.shown}
    )
    return [
        {
            "status": vote.status,
            "by": vote.by,
            "round": vote.round,
            **named,
            **({"reason": vote.reason} if vote.reason else {}),
        }
        for vote in votes
    ]


def _sums(file: AnswerFile, kind: str, ids: Sequence[str]) -> Iterator[str]:
    """What the files' own judges come to, and where a stored summary is not what its rows give."""
    head = f"{file.shown}: "
    if kind == "votes":
        yield f"{head}{pass_rate(file.votes, ids)}, by the judge of these files"
    elif kind == "results":
        rate, heuristic = wrapper_rate(file)
        aside = f"; {heuristic} decided by its heuristic and left out" if heuristic else ""
        yield f"{head}{rate}, by {file.judge or 'an unnamed judge'}{aside}"
        yield from (f"{head}{line}" for line in differences(file))


def _preferences(found: Found) -> Iterator[str]:
    for file in found.preferences:
        yield from (
            f"{file.shown}: {rate}, by the judge of these files" for rate in win_rates(file)
        )


def _records(suite: _Suite, system: _System) -> list[dict[str, Json]]:
    """The records in the suite's order."""
    order = (query_id for test_set in suite.test_sets for query_id in suite.ids(test_set))
    return [system.records[query_id] for query_id in order if query_id in system.records]


def _write(
    root: Path,
    name: str,
    card: Mapping[str, Json],
    responses: Mapping[str, Sequence[Json]],
    readme: str,
) -> tuple[str, Written, int]:
    has_readme = (Workspace(root).submissions / name / "README.md").exists()
    written = write_submission(
        root, name, card, responses, origin=ORIGIN, readme=None if has_readme else readme
    )
    return name, written, sum(map(len, responses.values()))


def _readme(name: str, system: _System) -> str:
    text = f"What `{name}` answered, imported from files of StableToolBench.\n"
    if system.told:
        text += "\nThe files bring verdicts of their own. They are no part of the scores here, which this board's judges give:\n\n"
        text += "".join(f"- {line}\n" for line in system.told)
    return text
