"""`lb import langsmith`: LangSmith examples as a suite of kind tool_usage, and runs over them as a submission.

Everything is read and checked before anything is written. Importing the same files again changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.files.case_files import CaseFile, read_tool_usage
from leaderboard.files.document import Findings
from leaderboard.files.suite_files import load_suite
from leaderboard.kinds import Kinds
from leaderboard.types import Case
from leaderboard.workspace import Workspace
from runners.imports.langsmith.langsmith_runs import Runs, read_listing, read_runs
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

KIND: Final = "tool_usage"
ORIGIN: Final = "imported_from"
PROMPT: Final = "qa"

_CASE_KEYS: Final = ("id", "inputs", "input", "outputs", "output")
_MARK: Final = "# Written by `lb import langsmith`, which may write it again."
_DESCRIPTION: Final = (
    "Questions to be answered by acting, imported from LangSmith examples: the tools called, how many steps they take, and the"
    " final state or answer are compared with the expected ones."
)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `suite` is None where the suite was there already; `cases` counts those that the suite has."""

    suite_id: str
    submission_id: str
    suite: Written | None
    submission: Written
    cases: int
    records: int
    children: int
    by_question: int
    warnings: tuple[Problem, ...]

    def __str__(self) -> str:
        """One line for the suite and one for the submission, then what was left out, and the warnings."""
        lines = [f"datasets/{self.suite_id}/: {self.suite or 'as it was'} (cases: {self.cases})"]
        lines += [f"submissions/{self.submission_id}/: {self.submission} (runs: {self.records})"]
        if self.children:
            lines += [f"left out, because they are parts of other runs: {self.children}"]
        if self.by_question:
            lines += [
                f"matched by their question, because they name no example of the suite: {self.by_question}"
            ]
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Suite:
    """The suite of the runs. `files` are what is to be written, by path below the workspace; none where it is there already."""

    cases: tuple[Case, ...]
    files: Mapping[str, bytes]
    warnings: tuple[Problem, ...] = ()


def import_langsmith(
    root: Path,
    examples: Path | None,
    runs: Path,
    suite_id: str,
    submission_id: str,
    *,
    kinds: Kinds,
    date: str | None = None,
    fields: Mapping[str, str] = MappingProxyType({}),
) -> ImportReport:
    """Writes `submissions/<submission_id>/` from a file of runs and, with `examples`, `datasets/<suite_id>/` from those.

    Without examples the suite must be there; with them it is written as a suite of one category, named like the suite. `date`
    (YYYY-MM-DD) is by default the day on which the latest run started. `fields` holds further fields of the card (name,
    organization, model, framework). What a card already says otherwise, in a submission of an earlier import, stays. A suite or
    submission of any other origin is never touched. Raises FilesError with the problems of all files.
    """
    problems = [
        *wrong_ids(suite_id, (submission_id,)),
        *(wrong_date(date) if date is not None else ()),
    ]
    if problems:
        raise FilesError(problems)
    suite = (
        _existing_suite(root, suite_id, kinds)
        if examples is None
        else _new_suite(root, suite_id, examples)
    )
    found = read_runs(runs, _shown(root, runs), suite.cases)
    if (Workspace(root).submissions / submission_id).exists():
        refuse_foreign(root, submission_id, ORIGIN, "langsmith")
    warnings = [*suite.warnings, *_checked(found, suite.cases)]
    told = {"date": max(found.dates, default=None), "settings": {ORIGIN: "langsmith"}}
    card = imported_card(root, submission_id, told, date, fields)
    has_readme = (Workspace(root).submissions / submission_id / "README.md").exists()
    readme = None if has_readme else f"What {card['name']} did, imported from LangSmith runs.\n"
    submission = write_submission(
        root, submission_id, card, {suite_id: found.records}, origin=ORIGIN, readme=readme
    )
    return ImportReport(
        suite_id=suite_id,
        submission_id=submission_id,
        suite=None if examples is None else write_files(root, suite.files),
        submission=submission,
        cases=len(suite.cases),
        records=len(found.records),
        children=found.children,
        by_question=found.by_question,
        warnings=tuple(warnings),
    )


def _shown(root: Path, path: Path) -> str:
    return Workspace(root).shown(path)


def _checked(runs: Runs, cases: Sequence[Case]) -> Iterator[Problem]:
    """The warnings about the runs. Raises FilesError where they have errors, or hold nothing."""
    problems = runs.findings.problems()
    if any(problem.severity == "error" for problem in problems):
        raise FilesError(problems)
    if not runs.records:
        raise FilesError(
            Problem(
                runs.findings.file,
                "holds no run",
                "export the root runs of a project over the dataset",
            )
        )
    yield from problems
    answered = len({record["id"] for record in runs.records})
    if answered < len(cases):
        what = f"answers {answered} of {len(cases)} cases; the others will count as failed"
        yield Problem(runs.findings.file, what, severity="warning")


# ---------------------------------------------------------------- the suite


def _existing_suite(root: Path, suite_id: str, kinds: Kinds) -> _Suite:
    suite = load_suite(Workspace(root), suite_id, kinds)
    if suite.kind.name != KIND:
        what = f"is of kind {suite.kind.name}, and runs answer suites of kind {KIND}"
        raise FilesError(
            Problem(
                f"datasets/{suite_id}/suite.toml", what, "name another suite, or give --examples"
            )
        )
    return _Suite(suite.cases, {})


def _new_suite(root: Path, suite_id: str, examples: Path) -> _Suite:
    """The suite that the examples make, checked by the reader that will load it."""
    folder = Workspace(root).datasets / suite_id
    toml = folder / "suite.toml"
    if folder.exists() and not (toml.is_file() and toml.read_bytes().startswith(_MARK.encode())):
        what = "was not written by an import of langsmith"
        raise FilesError(
            Problem(_shown(root, folder), what, "choose another suite id, or move that folder away")
        )
    listing = read_listing(examples, _shown(root, examples), "examples")
    rows = [
        {key: row[key] for key in _CASE_KEYS if row.get(key) is not None}
        for _, _, row in listing.rows
    ]
    findings = Findings("", b"")
    cases = read_tool_usage(CaseFile(rows, suite_id, (), False, findings))
    for (index, *rest), what, fix, severity in findings.found:
        listing.findings.add((*listing.rows[int(index)][0], *rest), what, fix, severity)
    for case_id, number in Counter(case.id for case in cases).items():
        if number > 1:
            listing.findings.add(
                (),
                f"holds {number} examples with the id {case_id!r}",
                "give every example its own id",
            )
    if not listing.rows:
        listing.findings.add((), "holds no example", "export the examples of a dataset")
    if listing.findings.found:
        raise FilesError(listing.findings.problems())
    return _suite_of(root, suite_id, cases)


def _suite_of(root: Path, suite_id: str, cases: tuple[Case, ...]) -> _Suite:
    """The suite's files; and a judge prompt for it, where answers are text that a judge may have to compare."""
    places = Workspace(root)
    folder, prompt = places.datasets / suite_id, places.prompts / suite_id / f"{PROMPT}.md"
    files = {
        places.shown(folder / f"{suite_id}.json"): lines_bytes(
            [{**case.record, "id": case.id} for case in cases]
        )
    }
    warnings: list[Problem] = []
    judged = any(_needs_judge(case) for case in cases)
    if judged and not prompt.is_file():
        model = places.prompts / KIND / f"{PROMPT}.md"
        judged = model.is_file()
        if judged:
            files[places.shown(prompt)] = model.read_bytes()
        else:
            what = "does not exist: answers in other words than the reference will count as wrong"
            fix = f'write it, or copy that of another suite, and add prompt = "{PROMPT}" to the category'
            warnings.append(Problem(places.shown(prompt), what, fix, severity="warning"))
    files[places.shown(folder / "suite.toml")] = _suite_toml(suite_id, judged=judged).encode()
    return _Suite(cases, files, tuple(warnings))


def _needs_judge(case: Case) -> bool:
    truth = case.ground_truth.trajectory
    return truth is not None and not truth.has_state and isinstance(truth.reference, str)


def _suite_toml(suite_id: str, *, judged: bool) -> str:
    prompt = f'prompt = "{PROMPT}"\n' if judged else ""
    return (
        f'{_MARK}\nschema = 1\ntitle = "{suite_id}"\ndescription = "{_DESCRIPTION}"\nkind = "{KIND}"\n\n'
        f'[[categories]]\nid = "{suite_id}"\ntitle = "{suite_id}"\nfile = "{suite_id}.json"\n{prompt}'
    )
