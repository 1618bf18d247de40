"""Loads a whole workspace, and collects the problems of all its files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from leaderboard.board.look_alikes import refused_names
from leaderboard.errors import Problem, collect_problems
from leaderboard.files.board_settings import Leaderboard, load_leaderboard
from leaderboard.files.cassette_paths import stray_files
from leaderboard.files.label_files import LabelledSet, load_labels
from leaderboard.files.prompt_files import load_prompts
from leaderboard.files.submission_files import load_records, load_submission, submission_ids
from leaderboard.files.suite_files import (
    find_unknown_suites,
    load_suite,
    suite_ids,
    suites_on_disk,
)
from leaderboard.files.symbolic_links import find_links
from leaderboard.gc_pause import paused_collector
from leaderboard.kinds import Kinds
from leaderboard.responses.response_files import Interner
from leaderboard.types import Prompt, Records, Submission, Suite
from leaderboard.workspace import Workspace


@dataclass(slots=True)
class Contents:
    """Everything a board is made from, and every problem found while loading.

    `prompts` has keys (suite, name), `records` (submission, suite). `digests` has the
    digest of each responses file by its path.
    """

    leaderboard: Leaderboard
    suites: tuple[Suite, ...] = ()
    prompts: dict[tuple[str, str], Prompt] = field(default_factory=dict)
    labels: list[LabelledSet] = field(default_factory=list)
    submissions: tuple[Submission, ...] = ()
    records: dict[tuple[str, str], Records] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")

    def suite(self, suite_id: str) -> Suite | None:
        return next((suite for suite in self.suites if suite.id == suite_id), None)


def load_contents(workspace: Workspace, kinds: Kinds, only: Iterable[str] = ()) -> Contents:
    """Loads the workspace with all submissions, or with those in `only`.

    Problems are collected, except for those of leaderboard.toml, which raise FilesError.
    """
    contents = Contents(load_leaderboard(workspace))
    with paused_collector():
        _load_suites(workspace, kinds, contents)
        _load_submissions(workspace, contents, tuple(only))
    contents.problems.extend(_strays(workspace, contents.leaderboard))
    contents.problems.extend(find_links(workspace))
    contents.problems.extend(refused_names(contents.submissions))
    contents.problems = list(dict.fromkeys(contents.problems))
    return contents


def _strays(workspace: Workspace, leaderboard: Leaderboard) -> tuple[Problem, ...]:
    suites = suite_ids(workspace, leaderboard)
    return stray_files(workspace.root, leaderboard.judges, suites, submission_ids(workspace))


def _load_suites(workspace: Workspace, kinds: Kinds, contents: Contents) -> None:
    suites = []
    for suite_id in suite_ids(workspace, contents.leaderboard):
        with collect_problems(contents.problems):
            suite = load_suite(workspace, suite_id, kinds)
            prompts = load_prompts(workspace, suite)
            contents.problems.extend(_missing_judge(suite, prompts, contents.leaderboard))
            contents.prompts.update(prompts)
            suites.append(suite)
            contents.labels.extend(load_labels(workspace, suite))
    contents.suites = tuple(suites)
    contents.problems.extend(_ungraded(suites, contents.leaderboard))
    contents.problems.extend(find_unknown_suites(workspace, contents.leaderboard))


def _missing_judge(
    suite: Suite, prompts: Collection[tuple[str, str]], leaderboard: Leaderboard
) -> Iterator[Problem]:
    """Yields a problem if a suite has questions for a judge, and the board has none."""
    if prompts and not leaderboard.panel:
        what = f"names no judge in `panel`, but the suite {suite.id} has prompts for one"
        yield Problem("leaderboard.toml", what, "add panel and [judges.NAME]: lb docs judges")


def _ungraded(suites: Iterable[Suite], leaderboard: Leaderboard) -> Iterator[Problem]:
    """Yields a warning for each suite whose own labels no judge of the panel can give."""
    if not leaderboard.panel or any(not judge.is_recomputed for judge in leaderboard.panel):
        return
    for suite in suites:
        if suite.kind.own_grades:
            what = "is judged by labels of its own, which no judge of the panel can give"
            fix = "name another judge in leaderboard.toml: lb docs judges"
            file = f"datasets/{suite.id}/suite.toml"
            yield Problem(file, what, fix, at="$.kind", severity="warning")


def _load_submissions(workspace: Workspace, contents: Contents, only: tuple[str, ...]) -> None:
    on_disk = suites_on_disk(workspace)
    interner = Interner()
    submissions = []
    for submission_id in only or submission_ids(workspace):
        with collect_problems(contents.problems):
            submission = load_submission(workspace, submission_id, on_disk)
            contents.problems.extend(_unlisted_baseline(submission, contents.leaderboard))
            if _load_responses(workspace, contents, submission, interner):
                submissions.append(submission)
    contents.submissions = tuple(submissions)


def _unlisted_baseline(submission: Submission, leaderboard: Leaderboard) -> Iterator[Problem]:
    """Yields a problem if a submission calls itself a baseline, and the owner does not list it."""
    listed = leaderboard.baselines
    if submission.is_baseline and listed is not None and submission.id not in listed:
        file = f"submissions/{submission.id}/submission.json"
        what = "is not one of the baselines that leaderboard.toml lists"
        yield Problem(file, what, 'write "kind": "model" or "agent"', at="$.kind")


def _load_responses(
    workspace: Workspace, contents: Contents, submission: Submission, interner: Interner
) -> bool:
    """Loads the responses files of a submission.

    Returns False if one of them cannot be read. Then none of them counts.
    """
    loaded: dict[str, tuple[Records, str]] = {}
    for suite_id in submission.files:
        suite = contents.suite(suite_id)
        if suite is None:
            continue  # the suite's own problems are reported already
        with collect_problems(contents.problems):
            records, digest, warnings = load_records(
                workspace, submission, suite, interner, contents.suites
            )
            contents.problems.extend(warnings)
            loaded[suite_id] = (records, digest)
    if len(loaded) < len(submission.files):
        return False
    for suite_id, (records, digest) in loaded.items():
        contents.records[submission.id, suite_id] = records
        contents.digests[submission.files[suite_id]] = digest
    return True
