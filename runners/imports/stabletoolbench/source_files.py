"""Reads the files of StableToolBench and its wrapper. Their content shows what they are.

- answers: an object by query id of `{"query", "answer": {"final_answer", "answer_details"}}`
- votes (pass rates): an object by query id of `{"query", "answer_steps", "is_solved": {"0":
  "AnswerStatus.Solved", ...}}`, or a table (`.csv`, `.tsv`) with a row for each query
- preferences: an object by query id of `{"<model>": rounds won, "round_0": "complete", ...}`
- raw inference files, `<test set>/<query id>_<method>.json`, one for each query
- results of the wrapper: `{"metadata", "summary", "results": [...]}`, a row for each query
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.file_bytes import read_named
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import parse
from leaderboard.responses.solved_grades import Status, status_of
from leaderboard.types import Json
from runners.imports.stabletoolbench.imported_answers import AnswerFile, PreferenceFile, Vote
from runners.imports.stabletoolbench.inference_files import answer_from, is_inference
from runners.imports.stabletoolbench.pass_rate_tables import COLUMNS, PassRow, read_table
from runners.imports.stabletoolbench.wrapper_results import is_wrapper_results, read_wrapper_results

_ROUND: Final = re.compile(r"round_\d+")
_ROUND_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(slots=True)
class SourceFiles:
    """What was read from the files. `unread` has a warning for every file that was skipped.

    `single`: one file was named, so that a file of no use is a problem and not skipped.
    """

    test_sets: Sequence[str]
    single: bool
    answers: list[AnswerFile] = field(default_factory=list)
    preferences: list[PreferenceFile] = field(default_factory=list)
    findings: list[Findings] = field(default_factory=list)
    unread: list[Problem] = field(default_factory=list)

    def skip(self, shown: str, why: str) -> None:
        self.unread.append(Problem(shown, f"is not read: {why}", severity="warning"))

    def _refuse(self, findings: Findings, what: str, fix: str) -> None:
        """Reports a file of no use. A folder may have other files, so there it is skipped."""
        if self.single:
            findings.add((), what, fix)
        else:
            self.skip(findings.file, f"it {what}")

    def add_json(self, path: Path, shown: str) -> None:
        """Reads a JSON file.

        Raises FilesError if it is not JSON, and is the one file that was named, or has the name of
        a file of a test set.
        """
        try:
            data = read_named(path, shown)
            document = parse(data, shown)
        except FilesError as error:
            if self.single or self._has_name_of_a_test_set(path):
                raise
            self.skip(shown, f"it {error.problems[0].what}")
            return
        findings = Findings(shown, data)
        self.findings.append(findings)
        if is_inference(document):
            self._add_inference(document, path, findings)
        elif is_wrapper_results(document):
            self.answers.append(read_wrapper_results(document, path, findings))
        else:
            self._add_rows(document if isinstance(document, dict) else {}, path, findings)

    def _has_name_of_a_test_set(self, path: Path) -> bool:
        """Whether the name of a file or of its folder says that it answers queries of the suite."""
        folder = path.resolve().parent.name
        return folder in self.test_sets or self._name_parts(path) is not None

    def _add_rows(self, rows: Mapping[str, Json], path: Path, findings: Findings) -> None:
        """Adds an object of answers, votes or preferences by query id."""
        kinds = {_row_kind(row) for row in rows.values()}
        known = kinds - {None}
        kind = known.pop() if len(known) == 1 else None
        if kind is None:
            what = "contains neither answers, votes, preferences nor results of StableToolBench"
            self._refuse(findings, what, "name the files or the folder to import more exactly")
            return
        named = self._names(path, findings)
        if named is None:
            return
        bad = [key for key, row in rows.items() if _row_kind(row) is None]
        for key in bad:
            fix = "correct it; or remove it: a query without an answer counts as failed"
            findings.add((key,), f"has no {kind}, unlike the other queries", fix)
        if bad:
            return
        if kind == "preferences":
            won = {key: dict(_rounds_won(row)) for key, row in rows.items()}
            self.preferences.append(PreferenceFile(findings.file, won))
        elif kind == "votes":
            voted = []
            for key, row in rows.items():
                steps = row.get("answer_steps")
                voted.append(PassRow(key, row["query"], steps, row["is_solved"]))
            self.answers.append(_voted(findings.file, *named, voted))
        else:
            records = {}
            for key, row in rows.items():
                records[key] = _record(key, row.get("query"), row["answer"])
            self.answers.append(AnswerFile("answers", findings.file, *named, records))

    def _name_parts(self, path: Path) -> re.Match[str] | None:
        """The test set in a file's name, and what is before and after it; None without one."""
        longest_first = sorted(self.test_sets, key=len, reverse=True)
        test_set = "|".join(map(re.escape, longest_first))
        form = rf"(?:(?P<before>.+?)_)??(?P<test_set>{test_set})(?:_(?P<after>.*))?"
        return re.fullmatch(form, path.stem, re.DOTALL)

    def _names(self, path: Path, findings: Findings) -> tuple[str, str] | None:
        """The system and the test set of a file; None if it is of no test set of the suite.

        The name starts with the test set. The system is the rest of the name, or the folder.
        """
        parts = self._name_parts(path)
        if parts and parts["before"] is None:
            after = parts["after"]
            return path.resolve().parent.name if after is None else after, parts["test_set"]
        what = f"is of no test set of the suite: {path.stem}"
        self._refuse(findings, what, f"one of: {', '.join(self.test_sets)}")
        return None

    def _add_inference(self, document: Mapping[str, Json], path: Path, findings: Findings) -> None:
        """Adds one query's answer to those of its folder: `<system>/<test set>/<query>.json`."""
        folder = path.resolve().parent
        test_set, system = folder.name, folder.parent.name
        if test_set not in self.test_sets:
            what = f"is not in a folder of a test set: {test_set}"
            self._refuse(findings, what, f"one of: {', '.join(self.test_sets)}")
            return
        query_id = path.stem.partition("_")[0]
        query = document["answer_generation"].get("query")
        record = _record(query_id, query, answer_from(document))
        shown = findings.file.rpartition("/")[0] or test_set
        before = self.answers[-1] if self.answers else None
        if before and (before.shown, before.system, before.test_set) == (shown, system, test_set):
            if query_id in before.records:
                self.skip(findings.file, f"an earlier file of its folder answers query {query_id}")
                return
            self.answers[-1] = replace(before, records={**before.records, query_id: record})
        else:
            self.answers.append(AnswerFile("answers", shown, system, test_set, {query_id: record}))

    def add_table(self, path: Path, shown: str) -> None:
        """Reads the votes of a table, unless a JSON file has those of the same answers.

        StableToolBench writes both formats side by side. Raises FilesError for bad rows.
        """
        rows = read_table(read_named(path, shown), shown)
        if rows is None:
            columns = ", ".join(COLUMNS)
            self.skip(shown, f"a table of pass rates names {columns} in its first line")
            return
        findings = Findings(shown, b"")
        self.findings.append(findings)
        named = self._names(path, findings)
        if named is None:
            return
        table = _voted(shown, *named, rows)
        for other in self.answers:
            if (other.kind, other.system, other.test_set) == ("votes", *named):
                whose = "the votes" if _statuses(other) == _statuses(table) else "other votes than"
                self.skip(shown, f"it contains {whose} of {other.shown}, which count")
                return
        self.answers.append(table)


def read_files(source: Path, test_sets: Sequence[str]) -> SourceFiles:
    """Reads a file, or every `.json`, `.csv` and `.tsv` file in a folder and below it.

    Raises FilesError for a table with bad rows, and for a file that cannot be read, unless it is
    one of several and its name says that it is none of a test set.
    """
    found = SourceFiles(test_sets, single=not source.is_dir())
    paths = [source]
    if source.is_dir():
        inside = [path for path in source.rglob("*") if path.is_file()]
        paths = sorted(inside, key=lambda path: path.relative_to(source).parts)
    tables = []
    problems: list[Problem] = []
    for path in paths:
        shown = path.relative_to(source if source.is_dir() else source.parent).as_posix()
        if path.suffix.lower() in (".csv", ".tsv"):
            tables.append((path, shown))
        elif path.suffix.lower() == ".json" or path == source:
            with collect_problems(problems):
                found.add_json(path, shown)
        else:
            found.skip(shown, "only .json, .csv and .tsv are files of StableToolBench")
    # Tables come last: a table counts only if no JSON file has the same votes.
    for path, shown in tables:
        with collect_problems(problems):
            found.add_table(path, shown)
    raise_any(problems)
    found.unread.sort(key=lambda problem: problem.file)
    return found


def _row_kind(row: Json) -> str | None:
    if not isinstance(row, dict):
        return None
    if isinstance(row.get("is_solved"), dict) and isinstance(row.get("query"), str):
        return "votes"
    if isinstance(row.get("answer"), dict):
        return "answers"
    counts = [value for _, value in _rounds_won(row)]
    is_pair = len(counts) == 2 and all(isinstance(count, int) for count in counts)
    return "preferences" if is_pair else None


def _rounds_won(row: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    for key, value in row.items():
        if not _ROUND.fullmatch(key):
            yield key, value


def _record(query_id: str, query: Json, answer: Mapping[str, Json]) -> dict[str, Json]:
    asked = {"user_query": query} if isinstance(query, str) else {}
    return {"id": query_id, **asked, "answer": dict(answer)}


def _voted(shown: str, system: str, test_set: str, rows: Iterable[PassRow]) -> AnswerFile:
    """The answers of a file of pass rates, with the votes on them."""
    records, votes = {}, {}
    for row in rows:
        records[row.query_id] = _record(row.query_id, row.query, _shown_steps(row.steps))
        votes[row.query_id] = tuple(_votes(row.is_solved))
    return AnswerFile("votes", shown, system, test_set, records, votes)


def _shown_steps(steps: Json) -> dict[str, Json]:
    """An answer given as the text of its steps. The last step, Finish, has the final answer."""
    return {"final_answer": "", "answer_details": steps if isinstance(steps, str) else ""}


def _votes(given: Mapping[str, Json]) -> Iterator[Vote]:
    """The votes by round. Rounds are "0", "1", ...; if one has another name, all are numbered."""
    are_numbers = all(map(_ROUND_NUMBER.fullmatch, given))
    for place, key in enumerate(sorted(given, key=lambda key: (len(key), key))):
        word = given[key]
        status = status_of(word) if isinstance(word, str) else None
        yield Vote(status, round=int(key) if are_numbers else place)


def _statuses(file: AnswerFile) -> dict[str, list[Status | None]]:
    statuses: dict[str, list[Status | None]] = {}
    for query_id, votes in file.votes.items():
        statuses[query_id] = [vote.status for vote in votes]
    return statuses
