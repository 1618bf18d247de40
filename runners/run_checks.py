"""Checks before the first paid request: can the suites be asked, and the answers be written?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.files.file_bytes import is_linked, link_problem
from leaderboard.ids import id_problem
from leaderboard.texts.short_text import cut
from leaderboard.types import Json
from leaderboard.workspace import Workspace, card_file, suite_file
from runners.instructions import missing_environments
from runners.models.run_journal import path_of, read_journal
from runners.run_plan import ORIGIN, SuiteRun
from runners.submission_writer import (
    existing_card,
    other_encodings,
    refuse_foreign,
    wrong_date,
)

# Digests tell a reader nothing.
_CHANGED_DIGESTS: Final[Mapping[str, str]] = {
    "cases": "was started with other cases or other tools",
    "environments": "was started with other environments or other tables",
}


def check_run(root: Path, submission_id: str, runs: Sequence[SuiteRun], date: str | None) -> None:
    """Raises FilesError with everything that prevents a run. `date` is the card's, if given."""
    problems, fixed = _problems(root, submission_id, runs), runs[0].plan.fixed()
    check_submission(root, submission_id, date, problems, origin=ORIGIN, fixed=fixed)


def _problems(root: Path, submission_id: str, runs: Sequence[SuiteRun]) -> Iterator[Problem]:
    """Suites that cannot be asked in this way, and answers that could not be written."""
    for run in runs:
        kind, plan = run.suite.kind, run.plan
        path = suite_file(run.suite.id)
        unsuitable = [*missing_environments(run.suite), *run.unsendable_tools()]
        if kind.system_text is None:
            what = f"is of kind {kind.name}, which lb run does not ask"
            over_apis = kind.interaction == "apis"
            fix = "run an agent: --agent" if over_apis else "bring the scores: lb new --from FILE"
            unsuitable.insert(0, Problem(path, what, fix))
        elif kind.interaction == "environment" and not plan.tools:
            problem = Problem(path, "cannot be answered without tools", "leave out --no-tools")
            unsuitable.insert(0, problem)
        yield from unsuitable or unwritable(
            root, submission_id, run.suite.id, run.asked(), resume=plan.resume, raw=run.raw
        )


def check_submission(
    root: Path,
    submission_id: str,
    date: str | None,
    problems: Iterable[Problem],
    *,
    origin: str,
    fixed: Mapping[str, Json],
) -> None:
    """Raises FilesError with `problems` and what is wrong with the id, the date and the card.

    An existing card must have the same `fixed` settings: all suites of a submission are answered
    in one way. Another `origin` among them is another system.
    """
    if problem := id_problem(submission_id):
        raise FilesError(problem)
    found = [*problems, *wrong_date(date)]
    # Answers of two models in one submission would be scored as those of one.
    if (Workspace(root).submissions / submission_id).exists():
        refuse_foreign(root, submission_id, origin, fixed[origin])
        before = existing_card(root, submission_id)["settings"]
        path = card_file(submission_id)
        fix = "all suites of a submission are asked in one way: choose another --id"
        for name, value in fixed.items():
            if before.get(name) != value:
                what = f"has {name} {_brief(before.get(name))}, but this run uses {_brief(value)}"
                found.append(Problem(path, what, fix, at=f"$.settings.{name}"))
    raise_any(found)


def unwritable(
    root: Path,
    submission_id: str,
    suite_id: str,
    asked: Mapping[str, Json],
    *,
    resume: bool,
    raw: Path | None = None,
) -> Iterator[Problem]:
    """Problems with existing answers to a suite, and with a journal that a run cannot continue."""
    workspace = Workspace(root)
    answers = workspace.submissions / submission_id / f"{suite_id}.json"
    yield from other_encodings(workspace, submission_id, suite_id)
    shown = workspace.shown(path_of(root, submission_id, suite_id))
    journal = read_journal(root, submission_id, suite_id)
    if raw is not None and raw.is_relative_to(root) and is_linked(raw, root):
        yield link_problem(workspace.shown(raw))
    if journal.header is not None and resume and (journal.has_answers or answers.exists()):
        before = journal.header.get("asked") or {}
        for name in sorted({*before, *asked}):
            old, new = before.get(name), asked.get(name)
            if old != new:
                what = f"was started with {name} {_brief(old)}, but this run uses {_brief(new)}"
                fix = "use the same value with --resume, or choose another --id"
                if name in _CHANGED_DIGESTS:
                    what = _CHANGED_DIGESTS[name]
                    fix = "restore them to use --resume, or choose another --id"
                yield Problem(shown, what, fix, at=f"$.run.asked.{name}")
    elif journal.has_answers:
        fix = "continue it with --resume, choose another --id, or delete it to ask everything again"
        yield Problem(shown, "contains answers of an earlier run", fix)
    elif answers.exists():
        fix = "choose another --id, or delete it to ask everything again"
        yield Problem(workspace.shown(answers), "exists already", fix)
    elif journal.header is None and raw is not None and raw.exists():
        fix = "move it away, or name another folder"
        yield Problem(workspace.shown(raw), "contains raw replies of another run", fix)


def _brief(value: Json) -> str:
    text = "none" if value is None else json.dumps(value, ensure_ascii=False)
    return cut(text, 60)
