"""The files of StableToolBench and its wrapper, told apart by what they hold: answers, votes, preferences, results.

- answers: an object by query id of `{"query", "answer": {"final_answer", "answer_details"}}`
- votes (pass rate): an object by query id of `{"query", "answer_steps", "is_solved": {"0": "AnswerStatus.Solved", ...}}`, or a
  table of the same (`.tsv`), a row per query, whose columns are named in its first line
- preferences: an object by query id of `{"<model>": rounds won, "round_0": "complete", ...}`
- raw inference files, `<test set>/<query id>_<method>.json`, one per query (see `runners.imports.stabletoolbench.inference_files`)
- results of the wrapper: `{"metadata", "summary", "results": [...]}`, one row per query
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from leaderboard.errors import Problem
from leaderboard.files.document import Findings, parse, read_bytes
from leaderboard.responses.solved import Status, status_of
from leaderboard.types import Json
from runners.imports.stabletoolbench.inference_files import answer_from, is_inference
from runners.imports.stabletoolbench.pass_rate_tables import COLUMNS, read_table

_ROUND: Final = re.compile(r"round_\d+")
_VARIANT: Final = re.compile(r"(?:_k(\d+))?(?:_q(\d+))?$")
_CUT_MARK: Final = "..."
_LONGEST_UNCUT: Final = (
    203  # characters; the wrapper puts "..." behind longer texts without cutting them
)


@dataclass(frozen=True, slots=True)
class Vote:
    """One judge's word on one answer: None where it is none of the three, or where the judge failed."""

    status: Status | None
    by: str = "judge"  # official | heuristic | judge
    reason: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """What one system answered to one test set: a record per query, and the votes that stand beside them, by query id."""

    shown: str
    system: str
    test_set: str
    records: Mapping[str, Mapping[str, Json]]
    votes: Mapping[str, tuple[Vote, ...]] = field(default_factory=dict)
    judge: str | None = None
    date: str | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    rows: tuple[Mapping[str, Json], ...] = ()
    summary: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PreferenceFile:
    """How often each of two systems was preferred, by query id."""

    shown: str
    test_set: str
    won: Mapping[str, Mapping[str, int]]


@dataclass(slots=True)
class Found:
    """Everything that was recognised below one place, in the order of the file names."""

    answers: list[AnswerFile] = field(default_factory=list)
    votes: list[AnswerFile] = field(default_factory=list)
    results: list[AnswerFile] = field(default_factory=list)
    preferences: list[PreferenceFile] = field(default_factory=list)
    findings: list[Findings] = field(default_factory=list)
    unread: list[Problem] = field(
        default_factory=list
    )  # warnings, one for every file that was passed over

    @property
    def anything(self) -> bool:
        return bool(self.answers or self.votes or self.results or self.preferences)


def read_files(source: Path, test_sets: Sequence[str]) -> Found:
    """Reads a file, or every `.json` and `.tsv` file below a folder; what was not read is told under `unread`.

    Raises FilesError for what should be one of these and cannot be read at all.
    """
    found = Found()
    tables: list[AnswerFile] = []
    for path in _paths(source):
        shown = path.relative_to(source if source.is_dir() else source.parent).as_posix()
        kind = path.suffix.lower()
        if kind == ".tsv":
            tables += _table(path, shown, test_sets, found)
        elif kind == ".json" or not source.is_dir():
            data = read_bytes(path, shown, path.resolve().parent)
            findings = Findings(shown, data)
            _read(parse(data, shown), path, test_sets, findings, found)
            found.findings.append(findings)
        else:
            found.unread.append(
                _passed_over(shown, "only .json and .tsv are files of StableToolBench")
            )
    for table in tables:
        _join(table, found)
    return found


def _paths(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    return sorted(
        (path for path in source.rglob("*") if path.is_file()),
        key=lambda path: path.relative_to(source).parts,
    )


def _passed_over(shown: str, why: str) -> Problem:
    return Problem(shown, f"is not read: {why}", severity="warning")


def _table(path: Path, shown: str, test_sets: Sequence[str], found: Found) -> Iterable[AnswerFile]:
    """The votes of a table of pass rates; nothing where it is another table."""
    rows = read_table(read_bytes(path, shown, path.resolve().parent), shown)
    if rows is None:
        found.unread.append(
            _passed_over(
                shown, f"a table of pass rates names {', '.join(COLUMNS)} in its first line"
            )
        )
        return
    findings = Findings(shown, b"")
    found.findings.append(findings)
    test_set, system = _named(path, test_sets)
    if test_set is None:
        findings.add(
            (), f"is of no test set of the suite: {path.stem}", f"one of: {', '.join(test_sets)}"
        )
        return
    records, votes = {}, {}
    for row in rows:
        records[row.query_id] = _record(
            row.query_id, row.query, _of_steps({"answer_steps": row.steps})
        )
        votes[row.query_id] = tuple(_votes(row.is_solved))
    yield AnswerFile(shown, system, test_set, records, votes)


def _join(table: AnswerFile, found: Found) -> None:
    """A table's votes, unless a JSON file holds those of the same system and test set: they are written side by side."""
    other = next(
        (
            file
            for file in found.votes
            if (file.system, file.test_set) == (table.system, table.test_set)
        ),
        None,
    )
    if other is None:
        found.votes.append(table)
        return
    same = {key: [vote.status for vote in votes] for key, votes in other.votes.items()} == {
        key: [vote.status for vote in votes] for key, votes in table.votes.items()
    }
    why = f"it holds {'the votes' if same else 'other votes than those'} of {other.shown}, which count"
    found.unread.append(_passed_over(table.shown, why))


def _read(
    document: Json, path: Path, test_sets: Sequence[str], findings: Findings, found: Found
) -> None:
    shown = findings.file
    if is_inference(document):
        _read_inference(document, path, test_sets, findings, found)
        return
    if (
        isinstance(document, dict)
        and isinstance(document.get("results"), list)
        and "metadata" in document
    ):
        found.results.append(_results(document, path, shown, findings))
        return
    rows = document if isinstance(document, dict) else {}
    kinds = {_kind(row) for row in rows.values()}
    if len(kinds) != 1 or None in kinds:
        what = "holds neither answers, votes, preferences nor results of StableToolBench"
        findings.add((), what, "name the files or the folder to import more exactly")
        return
    (kind,) = kinds
    test_set, system = _named(path, test_sets)
    if test_set is None:
        findings.add(
            (), f"is of no test set of the suite: {path.stem}", f"one of: {', '.join(test_sets)}"
        )
    elif kind == "preferences":
        found.preferences.append(
            PreferenceFile(shown, test_set, {str(key): _won(row) for key, row in rows.items()})
        )
    elif kind == "votes":
        records = {key: _record(key, row["query"], _of_steps(row)) for key, row in rows.items()}
        votes = {key: tuple(_votes(row["is_solved"])) for key, row in rows.items()}
        found.votes.append(AnswerFile(shown, system, test_set, records, votes))
    else:
        records = {key: _record(key, row.get("query"), row["answer"]) for key, row in rows.items()}
        found.answers.append(AnswerFile(shown, system, test_set, records))


def _read_inference(
    document: Json, path: Path, test_sets: Sequence[str], findings: Findings, found: Found
) -> None:
    """One query's answer joins those of the same folder; the folder is the test set, the folder above it the system."""
    folder = path.resolve().parent
    query_id = path.stem.partition("_")[0]
    if folder.name not in test_sets:
        findings.add(
            (), f"lies in no folder of a test set: {folder.name}", f"one of: {', '.join(test_sets)}"
        )
        return
    record = _record(query_id, document["answer_generation"].get("query"), answer_from(document))
    shown, system = findings.file.rpartition("/")[0] or folder.name, folder.parent.name
    before = found.answers[-1] if found.answers else None
    if before is not None and (before.shown, before.system, before.test_set) == (
        shown,
        system,
        folder.name,
    ):
        found.answers[-1] = replace(before, records={**before.records, query_id: record})
    else:
        found.answers.append(AnswerFile(shown, system, folder.name, {query_id: record}))


def _kind(row: Json) -> str | None:
    if not isinstance(row, dict):
        return None
    if isinstance(row.get("is_solved"), dict) and isinstance(row.get("query"), str):
        return "votes"
    if isinstance(row.get("answer"), dict):
        return "answers"
    counts = [value for key, value in row.items() if not _ROUND.fullmatch(key)]
    return (
        "preferences"
        if len(counts) == 2 and all(isinstance(count, int) for count in counts)
        else None
    )


def _named(path: Path, test_sets: Iterable[str]) -> tuple[str | None, str]:
    """The test set that a file's name begins with, and the system: what follows in the name, else the folder's name."""
    for test_set in sorted(test_sets, key=len, reverse=True):
        if path.stem == test_set:
            return test_set, path.resolve().parent.name
        if path.stem.startswith(f"{test_set}_"):
            return test_set, path.stem.removeprefix(f"{test_set}_")
    return None, path.resolve().parent.name


def _record(query_id: str, query: Json, answer: Mapping[str, Json]) -> dict[str, Json]:
    asked = {"user_query": query} if isinstance(query, str) else {}
    return {"id": str(query_id), **asked, "answer": dict(answer)}


def _of_steps(row: Mapping[str, Json]) -> dict[str, Json]:
    """The answer that a file of votes shows as text: its steps; the final answer stands in the last one, Finish."""
    steps = row.get("answer_steps")
    return {"final_answer": "", "answer_details": steps if isinstance(steps, str) else ""}


def _votes(given: Mapping[str, Json]) -> Iterable[Vote]:
    for place, key in enumerate(sorted(given, key=lambda key: (len(key), key))):
        word = given[key]
        yield Vote(
            status_of(word) if isinstance(word, str) else None,
            round=int(key) if key.isdecimal() else place,
        )


def _won(row: Mapping[str, Json]) -> dict[str, int]:
    return {key: value for key, value in row.items() if not _ROUND.fullmatch(key)}


# ---------------------------------------------------------------- the wrapper's results


def _results(
    document: Mapping[str, Json], path: Path, shown: str, findings: Findings
) -> AnswerFile:
    metadata = _object(document.get("metadata"))
    summary = _object(document.get("summary"))
    rows = []
    for index, row in enumerate(document["results"]):
        if isinstance(row, dict) and isinstance(row.get("query_id"), int | str):
            rows.append(row)
        else:
            findings.add(
                ("results", index), "is no row with a query_id", "export the results again"
            )
    limits = _VARIANT.search(path.stem)
    most, first = (limits[1], limits[2]) if limits else (None, None)
    agent, test_set = metadata.get("agent_name"), metadata.get("test_set")
    if not isinstance(agent, str) or not isinstance(test_set, str):
        findings.add(
            ("metadata",), "lacks agent_name or test_set", "both are written by run_benchmark"
        )
        agent, test_set = "", ""
    judge, time = metadata.get("evaluator_model"), metadata.get("timestamp")
    return AnswerFile(
        shown=shown,
        system=f"{agent}_k{most}" if most else agent,
        test_set=test_set,
        records={str(row["query_id"]): _row_record(row) for row in rows},
        votes={str(row["query_id"]): (_row_vote(row),) for row in rows},
        judge=judge if isinstance(judge, str) else None,
        date=time[:10] if isinstance(time, str) else None,
        settings={
            key: int(value) for key, value in (("max_tools", most), ("max_queries", first)) if value
        },
        rows=tuple(rows),
        summary=summary,
    )


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _row_record(row: Mapping[str, Json]) -> dict[str, Json]:
    """The record of a row. Only the text of the answer and the APIs called are kept in these files, never the execution."""
    record: dict[str, Json] = {"id": str(row["query_id"])}
    if isinstance(row.get("query_text"), str):
        record["user_query"] = row["query_text"]
    if row.get("error") not in (None, ""):
        record["error"] = row["error"]
    else:
        record["answer"] = {
            "final_answer": _uncut(_object(row.get("system_answer")).get("final_answer"))
        }
        record["called_apis"] = (
            row.get("called_apis") if isinstance(row.get("called_apis"), list) else None
        )
    seconds = row.get("system_answer_time")
    if isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds >= 0:
        record["latency_s"] = seconds
    return record


def _uncut(text: Json) -> Json:
    """The text without the mark that the wrapper puts behind long ones."""
    if isinstance(text, str) and len(text) > _LONGEST_UNCUT:
        return text.removesuffix(_CUT_MARK)
    return text


def _row_vote(row: Mapping[str, Json]) -> Vote:
    word, how = _object(row.get("scores")).get("answer_status"), _object(row.get("evaluation"))
    method, told = how.get("evaluation_method"), how.get("reason")
    status = status_of(word) if isinstance(word, str) else None
    return Vote(
        status, method if isinstance(method, str) else "none", told if isinstance(told, str) else ""
    )
