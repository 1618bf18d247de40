"""Joins the four packages that never import each other: what several commands need."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.output.problem_output import show_problems
from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.files.cassette_paths import JOURNAL
from leaderboard.files.file_bytes import read_bytes
from leaderboard.kinds import Interaction, Kinds, as_reported
from leaderboard.responses.response_file_names import response_file_names
from leaderboard.texts.near_names import suggestion
from leaderboard.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from leaderboard.files.board_settings import Leaderboard
    from leaderboard.load import Contents
    from leaderboard.results import Results
    from leaderboard.types import (
        Case,
        Confirm,
        JudgeSettings,
        Records,
        Response,
        Submission,
        Suite,
    )
    from replay.asker import Asker
    from replay.cassettes.cassette_check import Needed
    from scoring.judging.panel_questions import MissingCall

_CHANGED = "has changed since it was scored"


def open_board(workspace_root: Path, only: Sequence[str] = ()) -> tuple[Workspace, Contents]:
    """The workspace and everything in it, or the submissions in `only`. Raises FilesError."""
    from leaderboard.load import load_contents, united_problems

    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, kinds_of(workspace), only)
    if contents.errors:
        raise FilesError(united_problems(contents.problems, contents.suites))
    return workspace, contents


def open_suites(
    workspace_root: Path, names: Sequence[str] = (), *, option: str = "--suite"
) -> tuple[Workspace, list[Suite]]:
    """The workspace and the suites named, or all of them. Raises BadParameter for unknown names."""
    workspace = open_workspace(workspace_root)
    suites = suite_names(workspace)
    for name in names:
        if name not in suites:
            message = f"no suite {name!r}; choose one of: {', '.join(suites)}"
            raise click.BadParameter(message, param_hint=option)
    return workspace, named_suites(workspace, dict.fromkeys(names or suites))


def suite_names(workspace: Workspace) -> Sequence[str]:
    """The ids of a board's suites, in its order. Raises FilesError."""
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.suite_files import suite_ids

    return suite_ids(workspace, load_leaderboard(workspace))


def named_suites(workspace: Workspace, names: Iterable[str]) -> list[Suite]:
    """The suites with these ids. Raises FilesError."""
    from leaderboard.files.suite_files import load_suite

    kinds = kinds_of(workspace)
    return [load_suite(workspace, name, kinds) for name in names]


def open_results(workspace_root: Path, folder: Path | None) -> tuple[Workspace, Results]:
    """The workspace and its results, or those in another folder. Raises FilesError."""
    from leaderboard.results import read_results

    workspace = open_workspace(workspace_root)
    return workspace, read_results(folder or workspace.results)


def judges_of(results: Results, settings: Leaderboard) -> list[JudgeSettings]:
    """The judges that decided in these results, if leaderboard.toml still has them."""
    names = results.manifest["judges"]
    return [settings.judges[name] for name in names if name in settings.judges]


def panel_of(contents: Contents, judge_name: str | None) -> tuple[JudgeSettings, ...]:
    """The panel of leaderboard.toml, or the judge that is named. Raises UsageError."""
    judges = contents.leaderboard.judges
    if judge_name is None:
        return contents.leaderboard.panel
    if judge_name not in judges:
        known = ", ".join(judges)
        raise click.UsageError(
            f"no judge {judge_name!r} in leaderboard.toml; choose one of: {known}"
        )
    return (judges[judge_name],)


def kinds_of(workspace: Workspace, rules: Workspace | None = None) -> Kinds:
    """The kinds that suites of a workspace can have, with the check of what responses report.

    The board's own rules are those of `rules`, if it is given.
    """
    from scoring.rules import workspace_rules

    check_of = cache(partial(_confirming, workspace))

    def confirm(suite: Suite, case: Case, response: Response) -> Response:
        return check_of(suite.kind.interaction)(suite, case, response)

    kinds = workspace_rules.kinds_of((rules or workspace).root)
    return {name: replace(kind, confirm=confirm) for name, kind in kinds.items()}


def _confirming(workspace: Workspace, interaction: Interaction) -> Confirm:
    """The check for suites that are answered in one way. Only its own modules are imported."""
    if interaction == "apis":
        from runners.apis.confirmed_replies import confirming_replies

        return confirming_replies(workspace)
    if interaction == "environment":
        from runners.environments.confirmed_steps import confirmed_steps

        return confirmed_steps
    return as_reported


def score_offline(workspace: Workspace, contents: Contents) -> Results:
    """Every table of the board, derived from the files and cassettes alone."""
    return replay_board(workspace, contents)[0]


def replay_board(
    workspace: Workspace, contents: Contents, base: Path | None = None
) -> tuple[Results, tuple[MissingCall, ...], Asker]:
    """Every table of the board, the judge calls without a reply that counts, and the used asker.

    With `base`, recorded replies count as there: see `open_reviewer`.
    """
    from replay.asker import open_asker, open_reviewer
    from scoring.manifest import cassette_digests
    from scoring.scorer import score_all
    from scoring.summary import summarise

    panel = contents.leaderboard.panel
    root = workspace.root
    opened = open_asker(root, offline=True) if base is None else open_reviewer(root, base)
    with opened as ask:
        scored = score_all(contents, panel, ask)
    results = summarise(contents, panel, scored, cassette_digests(workspace))
    return results, scored.missing_calls, ask


def warn_of_leftover(root: Path) -> None:
    """Warns of calls that an interrupted recording left: they do not count yet."""
    if (root / JOURNAL).exists():
        from replay.recording.journal import journal_problem

        problem = replace(journal_problem(root), file=str(root / JOURNAL), severity="warning")
        show_problems([problem], "text")


def calls_in_need(workspace: Workspace, contents: Contents) -> Needed:
    """The judge calls that answers and labelled pairs need."""
    from replay.network_guard import no_network
    from replay.recorded_calls import replay_only
    from scoring.judging.needed_judge_calls import needed_judge_calls

    with no_network():
        return needed_judge_calls(contents, replay_only(workspace.root))


def answered_suites(
    workspace: Workspace, results: Results, submission_id: str, suite_id: str | None
) -> tuple[Submission, list[tuple[Suite, Records]]]:
    """A submission with its scored suites and responses. Raises FilesError if any has changed."""
    from leaderboard.files.submission_files import load_records, load_submission
    from leaderboard.responses.response_records import Interner

    scored = results.manifest["submissions"]
    shown = f"submissions/{submission_id}"
    if submission_id not in scored:
        fix = suggestion(submission_id, scored)
        if (workspace.submissions / submission_id).is_dir():
            fix = f"score it first: lb rescore {submission_id}"
        raise FilesError.about(shown, "has no results", fix)
    names = suite_names(workspace)
    submission = load_submission(workspace, submission_id, names)
    taken = [name for name in names if name in submission.files]
    if suite_id is not None and suite_id not in taken:
        what = f"has no responses to the suite {suite_id!r}"
        raise FilesError.about(shown, what, suggestion(suite_id, taken))
    suites = named_suites(workspace, [suite_id] if suite_id else taken)
    refuse_changed(workspace, results, suites, [submission_id])
    return submission, [
        (suite, load_records(workspace, submission, suite, Interner()).records) for suite in suites
    ]


def refuse_changed(
    workspace: Workspace, results: Results, suites: Sequence[Suite], submissions: Sequence[str]
) -> None:
    """Raises FilesError if suites, or responses to them, are not those that were scored.

    Responses that are no longer there do not contradict their scores.
    """
    problems = []
    for suite in suites:
        scored = results.manifest["suites"].get(suite.id)
        if scored is None or suite.digest != scored["digest"]:
            fix = "score the board again: lb rescore"
            problems.append(Problem(f"datasets/{suite.id}", _CHANGED, fix))
        for name in submissions:
            problems += _changed_responses(workspace, results, name, suite.id)
    raise_any(problems)


def _changed_responses(
    workspace: Workspace, results: Results, submission_id: str, suite_id: str
) -> Iterator[Problem]:
    """A problem for responses to a suite that are not those that were scored."""
    from leaderboard.digest import digest_bytes

    scored = results.manifest["submissions"][submission_id]
    for name in response_file_names(suite_id):
        file = workspace.submissions / submission_id / name
        path = workspace.shown(file)
        if not file.exists():
            continue
        if digest_bytes(read_bytes(file, path, workspace.root)) != scored.get(path):
            yield Problem(path, _CHANGED, f"score it again: lb rescore {submission_id}")


def require_packages(command: str, extra: str, *packages: str) -> None:
    """Raises FilesError if a package of an extra is not installed."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        what = f"needs {' and '.join(missing)}, which {verb} not installed"
        raise FilesError.about(command, what, f"pip install 'toolboard[{extra}]'")
