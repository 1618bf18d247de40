"""`lb import stabletoolbench`: answers as submissions, and query files as a suite.

Reads and checks everything before it writes. Importing the same files again changes nothing. The
votes of the judges that come with the files are kept beside the answers, under `origin`, and
shown. They never decide a score.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.files.imported_votes import PREFERENCE
from leaderboard.kinds import Kinds
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Case, Json
from runners.imports.import_writer import (
    ImportedSuite,
    ImportReport,
    ReadyImport,
    existing_suite,
    ready_submission,
)
from runners.imports.stabletoolbench.imported_answers import (
    RICHEST_FIRST,
    AnswerFile,
    PreferenceFile,
)
from runners.imports.stabletoolbench.pass_rates import pass_rate, win_rates
from runners.imports.stabletoolbench.source_files import SourceFiles, read_files
from runners.imports.stabletoolbench.suite_of_queries import FORMAT, UpstreamFiles, upstream_suite
from runners.submission_writer import declare_part, id_of, wrong_date, wrong_ids

_NO_ANSWER: Final = "no answer in the imported files"
# The words of a preference, by who won more rounds.
_LEADS: Final = {1: "preferred", 0: "tied", -1: "not preferred"}


@dataclass(slots=True)
class _System:
    """What one system answered, by query id, and the notes about its files.

    `sources` has the file of each record. `asked` has the queries of its test sets, unless a file
    says that it was asked only some.
    """

    records: dict[str, dict[str, Json]] = field(default_factory=dict)
    sources: dict[str, AnswerFile] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    settings: dict[str, Json] = field(default_factory=dict)
    dates: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def in_order(self, suite: ImportedSuite) -> list[dict[str, Json]]:
        """The records in the order of the suite's cases."""
        ids = (case.id for cases in suite.cases.values() for case in cases)
        return [self.records[key] for key in ids if key in self.records]

    def take(self, file: AnswerFile, cases: Sequence[Case], taken: set[str]) -> Iterator[Problem]:
        """Adds what a file says about the cases of its test set. Only `taken` ones have answers.

        Yields a warning if it is of another run: an earlier file of its kind has other answers.
        """
        ids = [case.id for case in cases]
        again = []
        for case_id in ids:
            if case_id in taken:
                first = self.sources.setdefault(case_id, file)
                if first.kind == file.kind and first.records[case_id] != file.records[case_id]:
                    again.append(case_id)
                    continue
                record = self.records.setdefault(case_id, dict(file.records[case_id]))
                _add_votes(record, case_id, file)
        if again:
            count = counted(len(again), "query", "queries")
            what = f"answers {count} otherwise than {self.sources[again[0]].shown}, which counts"
            yield Problem(file.shown, what, "import the runs one at a time", severity="warning")
        self.asked |= set(file.records if file.limited else ids)
        times = self.settings.get("overall_time_s", {}) | file.settings.get("overall_time_s", {})
        self.settings |= file.settings
        if times:
            self.settings["overall_time_s"] = times
        if file.date is not None:
            self.dates.add(file.date)
        self.notes += [f"{file.shown}: {line}" for line in file.notes]

    def note_pass_rates(self, files: Iterable[AnswerFile], query_ids: Sequence[str]) -> None:
        """Notes the SoPR of each file of votes, once the answers of all files are known."""
        for file in files:
            if file.kind == "votes":
                rate = pass_rate(file.votes, query_ids, self.records)
                self.notes.append(f"{file.shown}: {rate}, by the judge of these files")


def import_stabletoolbench(
    root: Path,
    source: Path | None,
    suite_id: str,
    *,
    kinds: Kinds,
    upstream: UpstreamFiles | None,
    submission_id: str | None,
    date: str | None,
    fields: Mapping[str, str],
) -> ImportReport:
    """Writes a submission to the suite `suite_id` for each system in a file or folder, if any.

    With `upstream`, the suite is written too. A system is named by its folder or file, or by the
    wrapper's agent and number of tools; `submission_id` renames a single one. `date` and `fields`
    replace what an earlier import wrote on the cards. Never changes a suite or submission of any
    other origin. Raises FilesError with the problems of all files.
    """
    if upstream is None:
        suite = existing_suite(root, suite_id, kinds, "apis", "--queries")
    else:
        suite = upstream_suite(root, suite_id, upstream)
    found = SourceFiles((), single=False)
    if source is not None:
        found = read_files(source, tuple(suite.cases))
    warnings = list(suite.warnings)
    systems = _systems(found, suite, warnings)
    for file in found.preferences:
        warnings += _add_preferences(file, systems)
    notes = list(_notes(systems, found.preferences))

    problems = [] if source is None else list(_unusable(found, source))
    problems += _strangers(found, systems, suite_id)
    problems += _without_replies(found, systems, suite, suite_id)
    names = {} if source is None else _submission_ids(systems, submission_id, source)
    problems += wrong_ids(suite_id, names.values())
    problems += wrong_date(date)
    raise_any(problems)
    submissions = []
    for name, system in systems.items():
        latest = max(system.dates, default=None)
        read = {"name": name, "date": latest, "settings": system.settings}
        whole = _fill_up(system, suite)
        records, readme = system.in_order(suite), _readme(system.notes)
        ready = ready_submission(
            root, names[name], FORMAT, read, records, readme=readme, date=date, fields=fields
        )
        declare_part(ready.card, suite_id, whole=whole)
        submissions.append(ready._replace(key=_answered))
    return ReadyImport(
        suite_id,
        suite.cases,
        suite.files,
        submissions,
        notes=notes,
        warnings=warnings + found.unread,
        copies=suite.copies,
    ).write(root, kinds)


def _notes(systems: Mapping[str, _System], preferences: Iterable[PreferenceFile]) -> Iterator[str]:
    """What the judges of the files found: pass rates by system, then win rates."""
    for system in systems.values():
        yield from system.notes
    answered = {name: system.records for name, system in systems.items()}
    for file in preferences:
        for rate in win_rates(file, answered):
            yield f"{file.shown}: {rate}, by the judge of these files"


def _unusable(found: SourceFiles, source: Path) -> Iterator[Problem]:
    """The problems of the files, and one if none of them is of use."""
    for findings in found.findings:
        yield from findings.problems()
    if not (found.answers or found.preferences):
        unread = "".join(f"; {problem.file} {problem.what}" for problem in found.unread[:3])
        what = f"contains no file of StableToolBench for this suite{unread}"
        fix = "name the folder of the answers, or one file; or another suite with --suite"
        yield Problem(source.name, what, fix)


def _strangers(
    found: SourceFiles, systems: Mapping[str, _System], suite_id: str
) -> Iterator[Problem]:
    """A problem for each file of a system that answers no query of the suite."""
    fix = "name their suite with --suite, or import its queries with --queries"
    for file in found.answers:
        system = systems.get(file.system)
        if not systems or (system is not None and not system.records):
            yield Problem(file.shown, f"answers no query of the suite {suite_id!r}", fix)


def _without_replies(
    found: SourceFiles, systems: Mapping[str, _System], suite: ImportedSuite, suite_id: str
) -> Iterator[Problem]:
    """A problem for each file of answers that would fail because it leaves out the tools' replies.

    Facts decide such a query, and an answer passes only if the replies to its calls support it.
    """
    fix = (
        "import the inference files of these runs, which have the replies, run the agent with "
        "lb run --agent, or import into a suite without facts"
    )
    for file in found.answers:
        taken = systems[file.system].records if file.system in systems else {}
        cases = suite.cases.get(file.test_set, ())
        by_facts = [case.id for case in cases if case.ground_truth.facts is not None]
        hidden = [key for key in by_facts if taken.get(key, {}).get("called_apis")]
        if hidden:
            number = f"{len(hidden)} of {len(file.records)} answers"
            what = (
                f"names the called APIs of {number}, but no reply of them: the facts of suite "
                f"{suite_id!r} would fail these answers"
            )
            yield Problem(file.shown, what, fix)


def _submission_ids(
    systems: Mapping[str, _System], given: str | None, source: Path
) -> dict[str, str]:
    """The submission id of each system. Raises FilesError if two systems would share one."""
    if given is not None and len(systems) != 1:
        what = f"contains the answers of {len(systems)} systems: {', '.join(systems)}"
        fix = "leave --submission out, or import one system at a time"
        raise FilesError.about(source.name, what, fix)
    ids = {system: given or id_of(system) or "system" for system in systems}
    owners: dict[str, str] = {}
    for system, submission_id in ids.items():
        if owners.setdefault(submission_id, system) != system:
            both = f"{owners[submission_id]!r} and {system!r}"
            what = f"{both} would both be the submission {submission_id!r}"
            fix = "import them one at a time, with --submission"
            raise FilesError.about(source.name, what, fix)
    return ids


def _readme(notes: Sequence[str]) -> str:
    text = "What `{name}` answered, imported from files of StableToolBench.\n"
    if notes:
        text += (
            "\nThe files contain verdicts of other judges. They are not part of the scores here,"
            " which come from this board's own judges:\n\n"
        )
        text += "".join(f"- {line}\n" for line in notes)
    return text


# ---------------------------------------------------------------- the systems


def _systems(
    found: SourceFiles, suite: ImportedSuite, warnings: list[Problem]
) -> dict[str, _System]:
    """The answers of each system. If several files answer a query, the richest one counts."""
    systems: dict[str, _System] = {}
    read: dict[tuple[str, str], list[AnswerFile]] = {}
    for file in sorted(found.answers, key=lambda file: RICHEST_FIRST.index(file.kind)):
        if file.test_set not in suite.cases:
            what = (
                f"answers the test set {file.test_set!r}, which the suite does not have: left out"
            )
            fix = "import its queries with --queries"
            warnings.append(Problem(file.shown, what, fix, severity="warning"))
            continue
        cases = suite.cases[file.test_set]
        asked = {case.id: case.query for case in cases if case.id in file.records}
        others = [key for key, query in asked.items() if _asks_else(file.records[key], query)]
        if len(others) == len(asked):  # The ids are equal by chance.
            asked = {}
        elif others:
            count = f"{len(others)} of {len(asked)} queries"
            what = f"differs from the suite in the text of {count}, such as {others[0]}"
            fix = "check that the queries are of the same version"
            warnings.append(Problem(file.shown, what, fix, severity="warning"))
        system = systems.setdefault(file.system, _System())
        warnings += system.take(file, cases, set(asked))
        warnings += _strange_queries(file, [case.id for case in cases])
        read.setdefault((file.system, file.test_set), []).append(file)
    for (name, test_set), files in read.items():
        query_ids = [case.id for case in suite.cases[test_set]]
        systems[name].note_pass_rates(files, query_ids)
        warnings += _unanswered(files, query_ids, systems[name].records)
    return systems


def _fill_up(system: _System, suite: ImportedSuite) -> bool:
    """Whether a system was asked the whole suite. If not, misses in its test sets get an error.

    A card declares a part as a whole: without a record, they would count as not asked.
    """
    every = {case.id for cases in suite.cases.values() for case in cases}
    if every <= system.asked:
        return True
    for query_id in system.asked - system.records.keys():
        system.records[query_id] = {"id": query_id, "error": _NO_ANSWER}
    return every <= system.records.keys()


def _answered(record: Mapping[str, Json]) -> str | None:
    """The query of an answer; None for a record that `_fill_up` made."""
    return None if record.get("error") == _NO_ANSWER else str(record["id"])


def _asks_else(record: Mapping[str, Json], query: str) -> bool:
    """Whether a record names another question. Blanks do not count."""
    given = record.get("user_query")
    return isinstance(given, str) and given.split() != query.split()


def _strange_queries(file: AnswerFile, query_ids: Sequence[str]) -> Iterator[Problem]:
    """A warning if a file answers queries that the suite does not have."""
    if strangers := sorted(set(file.records) - set(query_ids)):
        count = counted(len(strangers), "query", "queries")
        what = f"answers {count} that the suite does not have, such as {strangers[0]}"
        what += "; these answers are left out"
        yield Problem(file.shown, what, severity="warning")


def _unanswered(
    files: Sequence[AnswerFile], query_ids: Sequence[str], answered: Container[str]
) -> Iterator[Problem]:
    """A warning if none of a system's files of a test set answers a query."""
    file = next((file for file in files if not file.limited), files[0])
    if missing := [key for key in query_ids if key not in answered]:
        count = f"{len(missing)} of {len(query_ids)} queries"
        fate = "not asked, so the row gets no rank" if file.limited else "failed"
        what = f"does not answer {count} of {file.test_set}; missing answers count as {fate}"
        yield Problem(file.shown, what, severity="warning")


def _add_votes(record: dict[str, Json], query_id: str, file: AnswerFile) -> None:
    if query_id not in file.votes:
        return
    votes = record.setdefault("origin", {"votes": []})["votes"]
    for vote in file.votes[query_id]:
        entry: dict[str, Json] = {"status": vote.status, "by": vote.by, "round": vote.round}
        if file.judge is not None:
            entry["judge"] = file.judge
        entry["file"] = file.shown
        if vote.reason:
            entry["reason"] = vote.reason
        votes.append(entry)


def _add_preferences(file: PreferenceFile, systems: Mapping[str, _System]) -> Iterator[Problem]:
    """Keeps each query's preference as a vote on both answers. Warns of those without an answer."""
    left_out: dict[str, int] = {}
    for query_id, rounds in file.won.items():
        for (name, won), (other, lost) in permutations(rounds.items()):
            record = systems[name].records.get(query_id) if name in systems else None
            if record is None:
                left_out[name] = left_out.get(name, 0) + 1
                continue
            status = _LEADS[(won > lost) - (won < lost)]
            reason = f"{won} of {won + lost} rounds, against {other}"
            vote = {"status": status, "by": PREFERENCE, "reason": reason, "file": file.shown}
            record.setdefault("origin", {"votes": []})["votes"].append(vote)
    for name, number in left_out.items():
        count = counted(number, "query", "queries")
        what = f"has preferences on {count} that {name} does not answer here; they are left out"
        fix = "import the answers together with the preferences"
        yield Problem(file.shown, what, fix, severity="warning")
