"""What stands in the way of a run, looked at before the first request: nothing is paid for that could not be written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from leaderboard.errors import FilesError, Problem
from leaderboard.types import Json, Suite
from leaderboard.workspace import SUBMISSION_ID, Workspace
from runners import instructions
from runners.models.run_journal import begun_with
from runners.run_plan import ORIGIN, Plan, SuiteRun
from runners.submission_writer import existing_card, refuse_foreign, wrong_date


def check(root: Path, submission_id: str, runs: Sequence[SuiteRun], date: str | None) -> None:
    """Raises FilesError with everything that stands in the way of a run. `date` is what the card is to say, if given."""
    if not SUBMISSION_ID.fullmatch(submission_id):
        fix = "--id with a-z, 0-9, dot, dash, underscore; at most 64"
        raise FilesError(Problem(f"submissions/{submission_id}", "is not a valid id", fix))
    problems = [
        problem
        for run in runs
        for problem in tuple(_cannot_be_asked(run)) or tuple(in_the_way(run))
    ]
    problems += wrong_date(date) if date is not None else ()
    if (Workspace(root).submissions / submission_id).exists():
        refuse_foreign(root, submission_id, ORIGIN, runs[0].plan.model.title)
        problems += _other_card(root, submission_id, runs[0].plan)
    if problems:
        raise FilesError(problems)


def _cannot_be_asked(run: SuiteRun) -> Iterator[Problem]:
    shown = f"datasets/{run.suite.id}/suite.toml"
    if run.suite.kind.system_text is None:
        yield Problem(
            shown,
            f"is of kind {run.suite.kind.name}, which lb run does not ask",
            "lb run --agent answers suites of simulated APIs",
        )
    elif run.suite.kind.interaction == "environment" and not run.plan.tools:
        yield Problem(shown, "cannot be answered without tools", "leave out --no-tools")
    yield from instructions.without_environment(run.suite)


class Resumable(Protocol):
    """The plan of a run, as far as it is looked at here."""

    @property
    def resume(self) -> bool: ...


class Journalled(Protocol):
    """One suite of a run that keeps its answers in a journal: of a model, or of an agent."""

    @property
    def root(self) -> Path: ...
    @property
    def suite(self) -> Suite: ...
    @property
    def submission_id(self) -> str: ...
    @property
    def plan(self) -> Resumable: ...
    @property
    def journal(self) -> Path: ...
    @property
    def raw(self) -> Path | None: ...
    def asked(self) -> Mapping[str, Json]: ...


def in_the_way(run: Journalled) -> Iterator[Problem]:
    """Answers that are there already, and journals that a run cannot or should not go on from."""
    workspace = Workspace(run.root)
    answers = workspace.submissions / run.submission_id / f"{run.suite.id}.json"
    packed = answers.with_name(f"{answers.name}.gz")
    shown = workspace.shown(run.journal)
    header, answered = begun_with(run.journal, shown)
    if packed.exists():
        yield Problem(
            workspace.shown(packed), "stands where new responses go", "unpack or delete it"
        )
    if header is not None and run.plan.resume and (answered or answers.exists()):
        yield from _other_settings(header, run, shown)
    elif answered:
        fix = (
            "go on from it with --resume, choose another --id, or delete it to ask everything again"
        )
        yield Problem(shown, "holds what an earlier run answered", fix)
    elif answers.exists():
        fix = "choose another --id, or delete it to ask everything again"
        yield Problem(workspace.shown(answers), "is there already", fix)
    elif header is None and run.raw is not None and run.raw.exists():
        yield Problem(
            workspace.shown(run.raw),
            "holds raw replies of another run",
            "move it away, or name another folder",
        )


def _other_settings(header: Mapping[str, Json], run: Journalled, shown: str) -> Iterator[Problem]:
    """How what a journal was begun with differs from what is asked for now."""
    begun, now = header.get("asked") or {}, run.asked()
    for name in sorted({*begun, *now}):
        if begun.get(name) != now.get(name):
            what = f"was begun with {name} {_brief(begun.get(name))}, not {_brief(now.get(name))}"
            what = "answers other cases, or cases with other tools" if name == "cases" else what
            yield Problem(
                shown,
                what,
                "--resume needs the same; or choose another --id",
                at=f"$.run.asked.{name}",
            )


def _other_card(root: Path, submission_id: str, plan: Plan) -> Iterator[Problem]:
    """A further suite joins a submission only if the model is asked alike."""
    there, now = existing_card(root, submission_id)["settings"], plan.settings()
    for name in ("endpoint", "temperature", "tools"):
        if there.get(name) != now.get(name):
            what = f"says {name} {_brief(there.get(name))}, not {_brief(now.get(name))}"
            card = f"submissions/{submission_id}/submission.json"
            yield Problem(
                card,
                what,
                "a submission was asked in one way: choose another --id",
                at=f"$.settings.{name}",
            )


def _brief(value: Json) -> str:
    text = "none" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
