"""Loads a whole workspace: settings, suites, prompts, submissions, responses. Problems of all files come together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from leaderboard.errors import FilesError, Problem
from leaderboard.files.board_settings import Leaderboard, load_leaderboard
from leaderboard.files.label_files import LabelledSet, load_labels
from leaderboard.files.prompt_files import load_prompts
from leaderboard.files.submission_files import load_records, load_submission, submission_ids
from leaderboard.files.suite_files import load_suite, suite_ids
from leaderboard.gc_pause import paused_collector
from leaderboard.kinds import Kinds
from leaderboard.responses.response_files import Interner
from leaderboard.types import Prompt, Records, Submission, Suite
from leaderboard.workspace import Workspace


@dataclass(slots=True)
class Contents:
    """Everything a board is made from, and every problem met on the way."""

    leaderboard: Leaderboard
    suites: tuple[Suite, ...] = ()
    prompts: dict[tuple[str, str], Prompt] = field(default_factory=dict)
    labels: dict[tuple[str, str], LabelledSet] = field(default_factory=dict)
    submissions: tuple[Submission, ...] = ()
    records: dict[tuple[str, str], Records] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(p for p in self.problems if p.severity == "error")

    def suite(self, suite_id: str) -> Suite | None:
        return next((s for s in self.suites if s.id == suite_id), None)


def load_contents(workspace: Workspace, kinds: Kinds, only: Iterable[str] = ()) -> Contents:
    """The whole workspace, or the submissions named in `only`. Problems are collected, except in leaderboard.toml."""
    contents = Contents(load_leaderboard(workspace))
    with paused_collector():
        _load_suites(workspace, kinds, contents)
        _load_submissions(workspace, contents, tuple(only))
    return contents


def _load_suites(workspace: Workspace, kinds: Kinds, contents: Contents) -> None:
    suites = []
    for suite_id in suite_ids(workspace, contents.leaderboard):
        try:
            suite = load_suite(workspace, suite_id, kinds)
            contents.prompts.update(load_prompts(workspace, suite))
        except FilesError as error:
            contents.problems.extend(error.problems)
            continue
        suites.append(suite)
        try:
            contents.labels.update(load_labels(workspace, suite))
        except FilesError as error:
            contents.problems.extend(error.problems)
    contents.suites = tuple(suites)
    unknown = [
        name
        for name in contents.leaderboard.suites
        if not (workspace.datasets / name / "suite.toml").is_file()
    ]
    contents.problems.extend(
        Problem(
            "leaderboard.toml",
            f"names the suite {name!r}, which is not in datasets/",
            "correct the name, or add the suite",
        )
        for name in unknown
    )


def _load_submissions(workspace: Workspace, contents: Contents, only: tuple[str, ...]) -> None:
    on_disk = {path.parent.name for path in workspace.datasets.glob("*/suite.toml")}
    interner = Interner()
    submissions = []
    for submission_id in only or submission_ids(workspace):
        try:
            submission, warnings = load_submission(workspace, submission_id, on_disk)
        except FilesError as error:
            contents.problems.extend(error.problems)
            continue
        contents.problems.extend(warnings)
        if _load_responses(workspace, contents, submission, interner):
            submissions.append(submission)
    contents.submissions = tuple(submissions)


def _load_responses(
    workspace: Workspace, contents: Contents, submission: Submission, interner: Interner
) -> bool:
    """Loads every responses file of a submission; False when one of them cannot be read, and then none of them counts."""
    loaded: dict[str, tuple[Records, str]] = {}
    whole = True
    for suite_id in submission.files:
        suite = contents.suite(suite_id)
        if suite is None:
            whole = False  # the suite's own problems are reported already
            continue
        try:
            records, digest, warnings = load_records(workspace, submission, suite, interner)
        except FilesError as error:
            contents.problems.extend(_with_hint(error, contents.suites, suite))
            whole = False
            continue
        contents.problems.extend(warnings)
        loaded[suite_id] = (records, digest)
    if whole:
        for suite_id, (records, digest) in loaded.items():
            contents.records[submission.id, suite_id] = records
            contents.digests[submission.files[suite_id]] = digest
    return whole


def _with_hint(error: FilesError, suites: tuple[Suite, ...], suite: Suite) -> Iterable[Problem]:
    """Says so when the unknown case ids of a file are those of another suite."""
    strangers = [
        m.group(1)
        for p in error.problems
        if (m := re.search(r"names no case of [^:]+: '(.*)'", p.what))
    ]
    for other in suites:
        if (
            other.id != suite.id
            and strangers
            and sum(id_ in other.by_id for id_ in strangers) > len(strangers) / 2
        ):
            first = error.problems[0]
            yield Problem(
                first.file,
                f"answers {other.id}, not {suite.id}: {len(strangers)} of its case ids belong there",
                f"name it {other.id}.json",
            )
            return
    yield from error.problems
