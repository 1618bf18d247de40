"""`lb import langsmith`: LangSmith examples as a suite, and the runs over them as a submission.

Reads and checks everything before it writes. Importing the same files again changes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem, errors_in, raise_any
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.tool_usage import read_tool_usage
from leaderboard.files.findings import Findings
from leaderboard.files.relational_tables import Tables
from leaderboard.kinds import Kinds
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Case
from leaderboard.workspace import Workspace
from runners.imports.import_writer import (
    ImportedCategory,
    ImportedSuite,
    ImportReport,
    ReadyImport,
    existing_suite,
    foreign_suite,
    ready_submission,
    suite_files,
)
from runners.imports.judge_prompts import model_prompt
from runners.imports.langsmith.langsmith_runs import (
    Runs,
    Seen,
    equal_trials,
    read_listing,
    read_runs,
    without_trial,
)
from runners.submission_writer import wrong_date, wrong_ids

KIND: Final = "tool_usage"
FORMAT: Final = "langsmith"
PROMPT: Final = "qa"
TABLES: Final = "tables.json"

_CASE_KEYS: Final = ("id", "inputs", "input", "outputs", "output")
_DESCRIPTION: Final = (
    "Questions to be answered by acting, imported from LangSmith examples: the tools called, how"
    " many steps they take, and the final state or answer are compared with the expected ones."
)


@dataclass(frozen=True, slots=True)
class SuiteChoices:
    """How the cases of a new suite are acted out and decided.

    `environment` names a task of the registry, and `tables` are those that it reads, if it reads
    any. `judge_numbers`: a judge reads answers whose last number is not the expected one.
    """

    environment: str | None = None
    tables: Tables | None = None
    judge_numbers: bool = False


def import_langsmith(
    root: Path,
    examples: Path | None,
    runs: Sequence[Path],
    suite_id: str,
    submission_id: str,
    *,
    kinds: Kinds,
    choices: SuiteChoices,
    date: str | None,
    fields: Mapping[str, str],
) -> ImportReport:
    """Writes a submission from files of runs and, with `examples`, the suite that they answer.

    Each file has a project's runs; a case that several of them answer has several trials. The new
    suite has one category, named like the suite. Without `date` (YYYY-MM-DD), it is the
    day on which the latest run started. `date` and `fields` (name, organization, model, framework)
    replace what an earlier import wrote on the card. Never changes a suite or submission of any
    other origin, and never drops a run of an earlier import. Raises FilesError with the problems
    of all files.
    """
    raise_any([*wrong_ids(suite_id, (submission_id,)), *wrong_date(date)])
    if examples is None:
        suite = existing_suite(root, suite_id, kinds, "environment", "--examples")
    else:
        suite = _new_suite(root, suite_id, examples, choices)
    cases = tuple(case for category in suite.cases.values() for case in category)
    seen = Seen()
    found = [read_runs(path, Workspace(root).shown(path), cases, seen) for path in runs]
    warnings = [*suite.warnings, *_check_runs(found)]
    every = [record for one in found for record in one.records]
    records, left_out = equal_trials(every)
    warnings += _incomplete(found[-1].findings.file, seen, len(cases), left_out)
    settings = {"runs_left_out": left_out} if left_out else {}
    dates = {date for one in found for date in one.dates}
    read = {"date": max(dates, default=None), "settings": settings}
    readme = "What {name} did, imported from LangSmith runs.\n"
    ready = ready_submission(
        root, submission_id, FORMAT, read, records, readme=readme, date=date, fields=fields
    )
    ready = ready._replace(read=every, key=without_trial)
    notes = list(_notes(found))
    made = ReadyImport(suite_id, suite.cases, suite.files, [ready], notes=notes, warnings=warnings)
    return made.write(root, kinds)


def _notes(found: Sequence[Runs]) -> Iterator[str]:
    if children := sum(runs.children for runs in found):
        yield f"left out, because they are parts of other runs: {children}"
    if by_question := sum(runs.by_question for runs in found):
        yield f"matched by their question, because they name no example of the suite: {by_question}"


def _check_runs(found: Sequence[Runs]) -> Sequence[Problem]:
    """The warnings about the runs. Raises FilesError for errors, and for a file without runs."""
    problems = [problem for runs in found for problem in runs.findings.problems()]
    if not errors_in(problems):
        problems += [_no_run(runs) for runs in found if not runs.records]
    if errors_in(problems):
        raise FilesError(problems)
    return [*problems, *(warning for runs in found for warning in _failed(runs))]


def _no_run(runs: Runs) -> Problem:
    """The problem of a file from which no run can be imported."""
    if runs.pending:
        what = f"contains only runs that have not ended: {len(runs.pending)}"
        return Problem(runs.findings.file, what, "export the runs again when they have ended")
    fix = "export the root runs of a project over the dataset"
    return Problem(runs.findings.file, "contains no run", fix)


def _failed(runs: Runs) -> Iterator[Problem]:
    """Warnings about runs that have not ended, and about errors in place of answers."""
    file = runs.findings.file
    if runs.pending:
        number, first = len(runs.pending), runs.pending[0]
        what = f"contains runs that have not ended: {number}, the first of case {first}"
        fix = "they are left out; export the runs again when all have ended, and import them again"
        yield Problem(file, what, fix, severity="warning")
    if runs.errors:
        what = (
            f"has errors in place of answers: {len(runs.errors)}, the first: {runs.errors[0]:.100}"
        )
        fix = (
            "they count as failed; if the system is not the cause, run all examples again, and"
            " import the new runs with another --submission"
        )
        yield Problem(file, what, fix, severity="warning")


def _incomplete(shown: str, seen: Seen, cases: int, left_out: int) -> Iterator[Problem]:
    """Warnings if a case has no run, or if some have more runs than others."""
    answered = len(seen.trials)
    if answered < cases:
        what = f"answers {answered} of {cases} cases; the others will count as failed"
        yield Problem(shown, what, severity="warning")
    if left_out:
        fewest = min(seen.trials.values())
        more = sum(number > fewest for number in seen.trials.values())
        what = (
            f"has unequal numbers of runs per case (more for {more} of {answered} cases);"
            f" kept: the first {counted(fewest, 'run')} of each case; left out: {left_out}"
        )
        fix = "a missing trial would count as failed; run every case equally often to keep them"
        yield Problem(shown, what, fix, severity="warning")


def _new_suite(root: Path, suite_id: str, examples: Path, choices: SuiteChoices) -> ImportedSuite:
    """The suite of the examples, checked by the reader that will load it."""
    raise_any(foreign_suite(root, suite_id, FORMAT))
    rows, findings = read_listing(examples, Workspace(root).shown(examples), "examples")
    records = []
    for _, _, row in rows:
        records.append({key: row[key] for key in _CASE_KEYS if row.get(key) is not None})
    # The reader reports places in `records`. They are translated into places in the file.
    in_records = Findings("", b"")
    cases = read_tool_usage(CategoryCases(records, suite_id, (), False, in_records))
    for one in in_records.found:
        index, *rest = one.at
        findings.add((*rows[int(index)].at, *rest), one.what, one.fix, one.severity)
    for case_id, number in Counter(case.id for case in cases).items():
        if number > 1:
            what = f"contains {number} examples with the id {case_id!r}"
            findings.add((), what, "give every example its own id")
    if not rows:
        findings.add((), "contains no example", "export the examples of a dataset")
    raise_any(findings.problems())
    return _suite_of(root, suite_id, cases, choices)


def _suite_of(
    root: Path, suite_id: str, cases: tuple[Case, ...], choices: SuiteChoices
) -> ImportedSuite:
    """The suite's files, with a judge prompt if a judge may have to compare answers."""
    workspace = Workspace(root)
    prompt = workspace.prompts / suite_id / f"{PROMPT}.md"
    files: dict[str, bytes] = {}
    keys = {}
    judged = choices.judge_numbers or any(_needs_judge(case) for case in cases)
    if judged:
        keys["prompt"] = PROMPT
    if judged and not prompt.is_file():
        files[workspace.shown(prompt)] = model_prompt(workspace, KIND, PROMPT).read_bytes()
    if choices.environment is not None:
        keys["environment"] = choices.environment
    if choices.tables is not None:
        keys["tables"] = TABLES
        text = json.dumps(asdict(choices.tables), ensure_ascii=False, indent=1)
        files[f"datasets/{suite_id}/{TABLES}"] = f"{text}\n".encode()
    head = {"title": suite_id, "description": _DESCRIPTION, "kind": KIND}
    if choices.judge_numbers:
        head["numbers"] = "judge"
    category = ImportedCategory(suite_id, [{**case.record, "id": case.id} for case in cases], keys)
    files |= suite_files(FORMAT, suite_id, head, {suite_id: category})
    return ImportedSuite({suite_id: cases}, files)


def _needs_judge(case: Case) -> bool:
    truth = case.ground_truth.trajectory
    return truth is not None and not truth.has_state and isinstance(truth.reference, str)
