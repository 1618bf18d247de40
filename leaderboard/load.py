"""Loads a whole workspace, and collects the problems of all its files."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, UnknownCase, collect_problems, errors_in
from leaderboard.files.board_settings import Leaderboard, load_leaderboard, request_of
from leaderboard.files.cassette_paths import stray_files
from leaderboard.files.file_bytes import link_problem
from leaderboard.files.label_files import LabelledSet, load_labels
from leaderboard.files.prompt_files import load_prompts
from leaderboard.files.submission_files import (
    load_records,
    load_submission,
    read_responses,
    submission_ids,
    unaccepted_submission,
)
from leaderboard.files.suite_files import (
    find_missing_suites,
    find_unknown_suites,
    load_suite,
    suite_ids,
    suites_on_disk,
)
from leaderboard.kinds import Kinds
from leaderboard.machine.gc_pause import paused_collector
from leaderboard.machine.processes import in_processes, processors
from leaderboard.proposals.look_alikes import refused_names
from leaderboard.responses.response_records import Interner
from leaderboard.texts.near_names import nearest
from leaderboard.texts.short_text import first_of
from leaderboard.types import UNDERSCORED, Prompt, Records, Submission, Suite
from leaderboard.workspace import Workspace, card_file, suite_file

# With more submissions, a second process saves more time than it takes to start.
_MANY: Final = 20

_FEW: Final = 3  # ids of cases that a message names

# `cassettes/` is not here: see `cassette_paths.stray_files`.
_WITHOUT_LINKS: Final = ("submissions", "datasets", "prompts", "docs", "history", "audits")


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
        return errors_in(self.problems)

    def add(self, more: Contents) -> None:
        """Adds the submissions of another share of the same board, and the problems found there."""
        self.submissions = (*self.submissions, *more.submissions)
        self.records.update(more.records)
        self.digests.update(more.digests)
        self.problems.extend(more.problems)

    def for_submissions(self) -> Contents:
        """The same suites, with nothing yet read of the submissions."""
        return replace(self, submissions=(), records={}, digests={}, problems=[])

    def without_suites(self) -> Contents:
        """What was read of the submissions.

        The rules of a workspace cannot be sent from one process to another.
        """
        return replace(self, suites=(), prompts={}, labels=[])

    def suite(self, suite_id: str) -> Suite | None:
        return next((suite for suite in self.suites if suite.id == suite_id), None)


# Returns the warnings about a responses file of this digest, if its verdicts are known already.
Known = Callable[[Submission, Suite, str], Sequence[Problem] | None]

# Takes the records of a submission, by submission and suite.
Take = Callable[[Submission, Mapping[tuple[str, str], Records]], None]


def load_contents(workspace: Workspace, kinds: Kinds, only: Iterable[str] = ()) -> Contents:
    """Loads the workspace with all submissions, or with those in `only`.

    Problems are collected, except for those of leaderboard.toml, which raise FilesError.
    """
    contents = load_suites(workspace, kinds)

    def load(ids: Sequence[str]) -> Contents:
        share = contents.for_submissions()
        load_submissions(workspace, share, ids)
        return share.without_suites()

    ids = tuple(only) or submission_ids(workspace)
    shares = in_processes(load, ids, processors() if len(ids) >= _MANY else 1)
    for share in shares:
        contents.add(share)
    if len(shares) > 1:
        _unite_equal_answers(contents)
    find_board_problems(workspace, contents)
    return contents


def _unite_equal_answers(contents: Contents) -> None:
    """Makes equal answers one object again, also those that different processes loaded."""
    interner = Interner()
    for (submission, suite), records in contents.records.items():
        responses = interner.united(suite, records.responses)
        contents.records[submission, suite] = replace(records, responses=responses)


def load_suites(workspace: Workspace, kinds: Kinds) -> Contents:
    """Loads the settings, suites, prompts and labels of a workspace. See `load_contents`."""
    contents = Contents(load_leaderboard(workspace))
    suites = []
    with paused_collector():
        for suite_id in suite_ids(workspace, contents.leaderboard):
            with collect_problems(contents.problems):
                suite = load_suite(workspace, suite_id, kinds)
                contents.problems.extend(suite.warnings)
                prompts = load_prompts(workspace, suite)
                contents.problems.extend(_missing_judge(suite, prompts, contents.leaderboard))
                contents.problems.extend(_equal_rounds(suite, contents.leaderboard))
                contents.prompts.update(prompts)
                suites.append(suite)
                contents.labels.extend(load_labels(workspace, suite))
    contents.suites = tuple(suites)
    contents.problems.extend(_ungraded(suites, contents.leaderboard))
    contents.problems.extend(find_missing_suites(workspace))
    contents.problems.extend(find_unknown_suites(workspace, contents.leaderboard))
    return contents


def load_submissions(
    workspace: Workspace,
    contents: Contents,
    ids: Iterable[str],
    known: Known | None = None,
    *,
    interner: Interner | None = None,
    take: Take | None = None,
) -> None:
    """Adds these submissions to `contents`, whose suites are loaded.

    Responses whose verdicts are `known` are not read: `contents` has their digest, no records.
    With the `interner` of other submissions to the same suites, equal responses are one object.
    `take` receives the records of each submission, and `contents` does not keep them: those of a
    million responses fill the memory.
    """
    on_disk = suites_on_disk(workspace)
    interner = interner or Interner()
    submissions = []

    def load(submission_id: str) -> None:
        try:
            submission = load_submission(workspace, submission_id, on_disk)
        except FilesError as error:
            rest = contents.for_submissions()
            unaccepted = unaccepted_submission(workspace, submission_id, on_disk)
            _load_responses(workspace, rest, unaccepted, interner, None)
            contents.problems.extend((*error.problems, *rest.problems))
            return
        contents.problems.extend(_unlisted_baseline(submission, contents.leaderboard))
        contents.problems.extend(_other_tool_names(submission))
        if not _load_responses(workspace, contents, submission, interner, known):
            return
        submissions.append(submission)
        if take is not None:
            take(submission, contents.records)
            contents.records.clear()

    with paused_collector():
        for submission_id in ids:
            with collect_problems(contents.problems):
                load(submission_id)
    contents.submissions = (*contents.submissions, *submissions)


def find_board_problems(
    workspace: Workspace, contents: Contents, before: Iterable[Submission] = ()
) -> None:
    """Adds the problems of the board as a whole: stray files, links, names that look alike.

    `before`: the submissions that the board had, if this is a proposal.
    """
    judges, suites = contents.leaderboard.judges, suite_ids(workspace, contents.leaderboard)
    strays = stray_files(workspace.root, judges, suites, submission_ids(workspace))
    contents.problems.extend(strays)
    contents.problems.extend(find_links(workspace))
    contents.problems.extend(refused_names(contents.submissions, before))
    contents.problems.extend(_unknown_baselines(workspace, contents.leaderboard))
    contents.problems = list(dict.fromkeys(contents.problems))


def united_problems(problems: Sequence[Problem], suites: Iterable[Suite]) -> list[Problem]:
    """The problems, with one for each suite in place of those of cases that it probably had.

    These are cases that several submissions answer.
    """
    files: dict[UnknownCase, set[str]] = {}
    for problem in problems:
        if problem.unknown_case is not None:
            files.setdefault(problem.unknown_case, set()).add(problem.file)
    shared = {case: found for case, found in files.items() if len(found) > 1}
    united = [problem for problem in problems if problem.unknown_case not in shared]
    for suite in suites:
        of_suite = {case.id: found for case, found in shared.items() if case.suite == suite.id}
        if of_suite:
            united.append(_probably_retired(suite, of_suite))
    return united


def _probably_retired(suite: Suite, answered: Mapping[str, Collection[str]]) -> Problem:
    """The problem of cases that a suite does not have, with the files that answer each."""
    ids, files = list(map(repr, answered)), set().union(*answered.values())
    cases = f"{'case' if len(ids) == 1 else 'cases'} {first_of(ids, _FEW)}"
    what = f"has no {cases}, which {len(files):,} submissions answer"
    listed = ", ".join(ids[:_FEW]) + (", …" if len(ids) > _FEW else "")
    fix = f"if the suite had them, list all: retired = [{listed}]; else correct the submissions"
    return Problem(suite_file(suite.id), what, fix, at="$.retired")


def _missing_judge(
    suite: Suite, prompts: Collection[tuple[str, str]], leaderboard: Leaderboard
) -> Iterator[Problem]:
    """Yields a problem if a suite has questions for a judge, and the board has none."""
    if prompts and not leaderboard.panel:
        what = f"names no judge in `panel`, but the suite {suite.id} has prompts for one"
        yield Problem("leaderboard.toml", what, "add panel and [judges.NAME]: lb docs judges")


def _equal_rounds(suite: Suite, leaderboard: Leaderboard) -> Iterator[Problem]:
    """Yields a problem for two judges that send equal requests in different rounds of a suite.

    They would share each recorded reply, which would be two votes.
    """
    rounds = int(suite.policy.get("rounds", "1"))
    for one, other in combinations(leaderboard.panel, 2):
        requests = [request_of(judge) for judge in one.in_rounds(rounds)]
        if any(request_of(judge) in requests for judge in other.in_rounds(rounds)):
            what = f"judges {one.name!r} and {other.name!r} send the same requests in some rounds"
            what += ", because their seeds overlap"
            fix = f"set seeds in leaderboard.toml that differ by {rounds} or more"
            yield Problem(suite_file(suite.id), what, fix, at="$.rounds")


def _ungraded(suites: Iterable[Suite], leaderboard: Leaderboard) -> Iterator[Problem]:
    """Yields a warning for each suite whose own labels no judge of the panel can give."""
    if not leaderboard.panel or any(not judge.is_recomputed for judge in leaderboard.panel):
        return
    for suite in suites:
        if suite.kind.own_grades:
            what = "defines its own labels, which no judge of the panel can give"
            fix = "name another judge in leaderboard.toml: lb docs judges"
            file = suite_file(suite.id)
            yield Problem(file, what, fix, at="$.kind", severity="warning")


def _unknown_baselines(workspace: Workspace, leaderboard: Leaderboard) -> Iterator[Problem]:
    """Yields a warning for each listed baseline that the board does not have."""
    ids = submission_ids(workspace)
    for place, name in enumerate(leaderboard.baselines or ()):
        if name not in ids:
            near = nearest(name, ids)
            fix = f"did you mean {near!r}?" if near else "add it, or remove the name"
            what = f"names a submission that is not on this board: {name!r}"
            at = f"$.baselines[{place}]"
            yield Problem(workspace.settings.name, what, fix, at=at, severity="warning")


def _unlisted_baseline(submission: Submission, leaderboard: Leaderboard) -> Iterator[Problem]:
    """Yields a problem if a submission calls itself a baseline, and the owner does not list it."""
    listed = leaderboard.baselines
    if submission.is_baseline and listed is not None and submission.id not in listed:
        file = card_file(submission.id)
        what = "is not one of the baselines that leaderboard.toml lists"
        yield Problem(file, what, 'write "kind": "model" or "agent"', at="$.kind")


def _other_tool_names(submission: Submission) -> Iterator[Problem]:
    """Yields a warning if a card has another value where only `underscored` has an effect."""
    value = submission.card.settings.get("tool_names", UNDERSCORED)
    if value != UNDERSCORED:
        file = card_file(submission.id)
        what = f"has no effect: it is {value!r:.80}"
        fix = f'write "{UNDERSCORED}" if the model saw "." in names of tools as "_", or remove it'
        yield Problem(file, what, fix, at="$.settings.tool_names", severity="warning")


def _load_responses(
    workspace: Workspace,
    contents: Contents,
    submission: Submission,
    interner: Interner,
    known: Known | None,
) -> bool:
    """Loads the responses files of a submission.

    Returns False if one of them cannot be read. Then none of them counts.
    """
    records: dict[str, Records] = {}
    digests: dict[str, str] = {}
    for suite_id in submission.files:
        suite = contents.suite(suite_id)
        if suite is None:
            continue  # the suite's own problems are reported already
        with collect_problems(contents.problems):
            data = read_responses(workspace, submission, suite)
            digest = digest_bytes(data) if known else ""
            warnings = known(submission, suite, digest) if known else None
            if warnings is None:
                records[suite_id], digest, warnings = load_records(
                    workspace, submission, suite, interner, contents.suites, data=data
                )
            contents.problems.extend(warnings)
            digests[submission.files[suite_id]] = digest
    if len(digests) < len(submission.files):
        return False
    contents.records.update({(submission.id, suite_id): r for suite_id, r in records.items()})
    contents.digests.update(digests)
    return True


def find_links(workspace: Workspace) -> Iterator[Problem]:
    """Yields a problem for each link in the folders that are read or published, sorted."""
    for name in _WITHOUT_LINKS:
        top = workspace.root / name
        if top.is_symlink():
            yield link_problem(name)
        else:
            yield from (link_problem(workspace.shown(path)) for path in sorted(_links_below(top)))


def _links_below(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        paths = (Path(folder, name) for name in (*folders, *names))
        yield from (path for path in paths if path.is_symlink())
