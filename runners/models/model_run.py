"""Runs a model over suites: every case is asked, what is answered is kept at once, and the answers become a submission."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.errors import Problem
from leaderboard.retries import CallError
from leaderboard.types import Case, Json, Suite
from leaderboard.workspace import Workspace
from runners.instructions import task_of
from runners.models.answer_case import Ask, Meter, act, answer_once, unanswered
from runners.models.conversation import Conversation, Model, Reply
from runners.models.model_choice import ModelError, ModelSettings, api_key, hide, open_model, scrub
from runners.models.rate_limit import Clock, RateLimit, SystemClock, ask_with_retries
from runners.models.raw_replies import RawReplies
from runners.models.run_journal import Entry, Place, RunJournal, open_journal
from runners.preflight import check
from runners.run_plan import ORIGIN, Plan, SuiteRun
from runners.submission_writer import Written, existing_card, write_submission

UNKNOWN: Final = "unknown"
# So many cases without a reply and none with one: then there is no use in asking the others.
GIVEN_UP_AFTER: Final = 10

# Told of a suite how many of how many answers there are.
Progress = Callable[[str, int, int], None]
# Opens a model: settings, key, seconds for one try, connections at a time.
Opener = Callable[[ModelSettings, str, float, int], Model]


@dataclass(frozen=True, slots=True)
class CardChoice:
    """What the card says of who made the submission, where it is given; None leaves what is there, or a default."""

    name: str | None = None
    organization: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True)
class ModelRunReport:
    """Which submission a run wrote, how many answers it holds, and how many of them were asked for now.

    `errors` are `case: what went wrong` of all answers that are errors; `unanswered` of them got no reply, so that asking
    again is worth while.
    """

    submission: str
    outcome: Written
    answers: int
    asked: int
    errors: tuple[str, ...] = ()
    unanswered: int = 0


class RunInterrupted(Exception):  # noqa: N818 - it is no error
    """Ctrl-C. `kept` of `total` answers to the suite are kept."""

    def __init__(self, suite: str, kept: int, total: int) -> None:
        super().__init__(f"{kept} of {total} answers to {suite} are kept")
        self.suite, self.kept, self.total = suite, kept, total


def run_model(
    root: Path,
    suites: Sequence[Suite],
    plan: Plan,
    submission_id: str,
    card: CardChoice | None = None,
    *,
    progress: Progress | None = None,
    clock: Clock | None = None,
    opener: Opener = open_model,
) -> ModelRunReport:
    """Asks the model every case of the suites (one at least) and writes `submissions/<submission_id>/` below `root`.

    Everything that can be wrong is looked at before the first request. Raises FilesError for what stands in the way,
    models.MissingKeyError without a key, ModelError when the model cannot be asked at all, RunInterrupted on Ctrl-C; whatever
    ends it, the answers that came are kept for `resume`.
    """
    choice = card or CardChoice()
    key = api_key(plan.model)
    runs = [SuiteRun(root, suite, plan, submission_id) for suite in suites]
    check(root, submission_id, runs, choice.date)
    session = _Session(key, choice, clock or SystemClock(), _Count(progress))
    try:
        return asyncio.run(session.ask_suites(runs, plan, opener))
    except KeyboardInterrupt:
        raise RunInterrupted(session.count.suite, session.count.kept, session.count.total) from None


@dataclass(slots=True)
class _Count:
    """How far a suite is: of `total` cases and trials `done` are through, and `kept` of them answered."""

    progress: Progress | None
    suite: str = ""
    done: int = 0
    kept: int = 0
    total: int = 0

    def begin(self, suite: str, kept: int, total: int) -> None:
        self.suite, self.done, self.kept, self.total = suite, kept, kept, total
        self._show()

    def one_more(self, *, answered: bool) -> None:
        self.done += 1
        self.kept += answered
        self._show()

    def _show(self) -> None:
        if self.progress is not None:
            self.progress(self.suite, self.done, self.total)


@dataclass(frozen=True, slots=True)
class _Session:
    """What all suites of one run share."""

    key: str
    card: CardChoice
    clock: Clock
    count: _Count

    async def ask_suites(
        self, runs: Sequence[SuiteRun], plan: Plan, opener: Opener
    ) -> ModelRunReport:
        """One suite after the other; each is written before the next begins."""
        model = opener(plan.model, self.key, plan.retry_policy.timeout, plan.concurrency)
        limit = None if plan.rate is None else RateLimit(plan.rate)
        try:
            return _summed([await self._ask_suite(run, model, limit) for run in runs])
        finally:
            await model.close()

    async def _ask_suite(
        self, run: SuiteRun, model: Model, limit: RateLimit | None
    ) -> ModelRunReport:
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        header = {"schema": 1, "asked": run.asked(), "date": self.card.date or today}
        with ExitStack() as stack:
            journal = stack.enter_context(
                open_journal(run.journal, Workspace(run.root).shown(run.journal), header)
            )
            raw = (
                stack.enter_context(RawReplies(run.raw, self.key)) if run.raw is not None else None
            )
            asked = await _Asker(self, run, model, limit, journal, raw).ask_all()
            entries = _in_order(run, journal.entries)
            outcome = _write(run, self.card, entries, str(journal.header["date"]))
            if raw is not None:
                raw.settle([case.id for case in run.suite.cases])
        errors = tuple(
            f"{entry.record['id']}: {entry.record['error']}"
            for entry in entries
            if entry.record.get("error")
        )
        missing = sum(not entry.answered for entry in entries)
        return ModelRunReport(run.submission_id, outcome, len(entries), asked, errors, missing)


def _summed(reports: Sequence[ModelRunReport]) -> ModelRunReport:
    return ModelRunReport(
        reports[0].submission,
        "written" if any(report.outcome == "written" for report in reports) else "unchanged",
        sum(report.answers for report in reports),
        sum(report.asked for report in reports),
        tuple(error for report in reports for error in report.errors),
        sum(report.unanswered for report in reports),
    )


# ---------------------------------------------------------------- asking


@dataclass(slots=True)
class _Asker:
    """Asks one suite's cases, several at a time, and keeps each answer as it comes."""

    session: _Session
    run: SuiteRun
    model: Model
    limit: RateLimit | None
    journal: RunJournal
    raw: RawReplies | None
    answered: int = 0
    unanswered: int = 0
    stopped: CallError | None = None

    async def ask_all(self) -> int:
        """Asks whatever is not answered yet; how many cases that were. Raises ModelError when no case can be answered."""
        places = self.run.places()
        left = [(case, trial) for case, trial in places if not self._is_answered((case.id, trial))]
        self.session.count.begin(self.run.suite.id, len(places) - len(left), len(places))
        queue = iter(left)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self.run.plan.concurrency, len(left))):
                    group.create_task(self._work(queue))
        except ExceptionGroup as several:  # a full disk, or a bug: the first is what happened
            raise several.exceptions[0] from several
        if self.stopped is not None:
            raise ModelError(self._problem(self.stopped))
        return len(left)

    def _is_answered(self, place: Place) -> bool:
        entry = self.journal.entries.get(place)
        return entry is not None and entry.answered

    async def _work(self, queue: Iterator[tuple[Case, int]]) -> None:
        """One case after the other until there is none left, or no use. A case that is under way is finished in any case."""
        for case, trial in queue:
            entry = await self._entry(case, trial)
            if entry is not None:
                self.journal.keep(entry)
                self.session.count.one_more(answered=entry.answered)
            if self.stopped is not None:
                return

    async def _entry(self, case: Case, trial: int) -> Entry | None:
        """The entry of one case; None for the error that stops the run."""
        meter = Meter()
        try:
            fields = await self._answer(case, self._asking(case, trial, meter))
        except CallError as error:
            self.unanswered += 1
            if error.fatal or (self.answered == 0 and self.unanswered >= GIVEN_UP_AFTER):
                self.stopped = self.stopped or error
                return None
            fields = unanswered(self.run.suite.kind.interaction, str(error))
            return Entry(self._record(case, trial, fields, meter), answered=False)
        self.answered += 1
        return Entry(
            self._record(case, trial, fields, meter),
            answered=True,
            models=tuple(sorted(meter.models)),
        )

    def _record(
        self, case: Case, trial: int, fields: Mapping[str, Json], meter: Meter
    ) -> dict[str, Json]:
        """A record of the submission. Nothing that a server sends can put the key into it."""
        answer: dict[str, Json] = scrub(fields, self.session.key)
        about = {"id": case.id, "type": case.category, "user_query": case.query}
        return {**about, **answer, **meter.fields(), "trial": trial}

    async def _answer(self, case: Case, ask: Ask) -> dict[str, Json]:
        system = self.run.system(case.category)
        if self.run.suite.kind.interaction != "environment":
            return await answer_once(ask, Conversation(system, case.query, self.run.tools(case)))
        environment = task_of(self.run.suite, case.category).create_environment()
        return await act(ask, system, case.query, environment, self.run.plan.step_limit)

    def _asking(self, case: Case, trial: int, meter: Meter) -> Ask:
        """The way to the model for one case: with retries, metered, raw replies kept."""
        policy, clock = self.run.plan.retry_policy, self.session.clock

        async def ask(conversation: Conversation) -> Reply:
            reply, seconds = await ask_with_retries(
                lambda: self.model.ask(conversation), policy, clock, self.limit
            )
            meter.count(reply, seconds)
            if self.raw is not None:
                self.raw.keep(case.id, trial, len(conversation.exchanges), reply.body)
            return reply

        return ask

    def _problem(self, error: CallError) -> Problem:
        count = self.session.count
        kept = (
            f"{count.kept:,} of {count.total:,} answers are kept"
            if count.kept
            else "nothing was answered"
        )
        what = f"{hide(str(error), self.session.key)}: the run was stopped, {kept}"
        fix = "mend the key, the model's name or --base-url, and run it again" + (
            " with --resume" if count.kept else ""
        )
        return Problem(self.run.plan.model.title, what, fix)


# ---------------------------------------------------------------- writing


def _in_order(run: SuiteRun, entries: Mapping[Place, Entry]) -> list[Entry]:
    """All entries by case and trial: nothing tells who answered first."""
    position = {case.id: number for number, case in enumerate(run.suite.cases)}
    return [
        entries[place]
        for place in sorted(entries, key=lambda place: (position[place[0]], place[1]))
    ]


def _write(run: SuiteRun, choice: CardChoice, entries: Sequence[Entry], date: str) -> Written:
    there = existing_card(run.root, run.submission_id)
    card = _card(run, choice, there, date, {model for entry in entries for model in entry.models})
    readme = None if there else _readme(run.plan.model)
    records = [entry.record for entry in entries]
    return write_submission(
        run.root, run.submission_id, card, {run.suite.id: records}, origin=ORIGIN, readme=readme
    )


def _card(
    run: SuiteRun, choice: CardChoice, there: Mapping[str, Json], date: str, versions: Iterable[str]
) -> dict[str, Json]:
    """The card: what is there already stays, unless it is given anew."""
    model = run.plan.model.name
    default = {
        "schema": 1,
        "name": model,
        "kind": "model",
        "organization": UNKNOWN,
        "model": model,
        "date": date,
    }
    given = {"name": choice.name, "organization": choice.organization, "date": choice.date}
    before: Mapping[str, Json] = there.get("settings") or {}
    settings: dict[str, Json] = {**before, **run.plan.settings()}
    if run.underscored:
        settings["tool_names"] = "underscored"
    if named := sorted({*versions, *before.get("answered_by", ())} - {model}):
        settings["answered_by"] = named
    settings["suites"] = {**before.get("suites", {}), run.suite.id: run.settings()}
    return {
        **default,
        **there,
        **{name: value for name, value in given.items() if value is not None},
        "settings": settings,
    }


def _readme(model: ModelSettings) -> str:
    where = "" if model.endpoint is None else f" at {model.endpoint}"
    return f"The answers of `{model.name}`{where}, asked case by case with `lb run --model {model.title}`.\n"
