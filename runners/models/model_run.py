"""Runs a model over suites: asks every case, keeps every answer at once, writes a submission."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Final

from leaderboard.mappings import without_none
from leaderboard.network.retries import CallError
from leaderboard.network.secret_keys import without_known_keys
from leaderboard.responses.answer_fields import has_calls, has_text
from leaderboard.responses.forms.model_reply import Reply
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import UNKNOWN, Case, Json, Suite
from runners.early_ends import FirstFailures, RunInterrupted, empty_run, interrupted_by_faults
from runners.instructions import task_of
from runners.models.case_conversation import (
    Meter,
    act,
    answer_once,
    fields_without_reply,
    too_long,
)
from runners.models.error_advice import advice
from runners.models.model_clients import open_model
from runners.models.model_interface import Conversation, Model
from runners.models.model_settings import ModelError, api_key
from runners.models.rate_limit import Clock, RateLimit, ask_with_retries
from runners.models.raw_replies import RawReplies, open_raw_replies, sort_raw_replies
from runners.models.request_bodies import openai_body
from runners.models.run_journal import (
    JournalEntry,
    RunJournal,
    open_journal,
    read_journal,
)
from runners.models.spending import NO_TOKENS, BudgetReachedError, Spending, tokens_of
from runners.run_card import CardChoice, RunCard, write_answers
from runners.run_checks import check_run
from runners.run_plan import ORIGIN, ModelPlan, SuiteRun
from runners.run_report import (
    Announce,
    RunReport,
    Spent,
    SuiteProgress,
)
from runners.submission_writer import existing_card

# After this many cases without a reply, and none with one, the run stops.
GIVEN_UP_AFTER: Final = 10
_FORBIDDEN: Final = 403


def run_model(
    root: Path,
    suites: Sequence[Suite],
    plan: ModelPlan,
    submission_id: str,
    choice: CardChoice,
    *,
    progress: SuiteProgress,
    announce: Announce,
    clock: Clock | None = None,
) -> RunReport:
    """Asks the model every case of the suites and writes `submissions/<submission_id>/`.

    Checks everything before the first request. Raises FilesError when the run cannot start,
    MissingKeyError without a key, ModelError when the model cannot be asked, RunInterrupted on
    Ctrl-C, at the end of the budget and on a full disk. In every case the journal keeps the
    answers for `resume`.
    """
    key = api_key(plan.model)
    runs = [SuiteRun(suite, plan) for suite in suites]
    # These checks run before the first paid request.
    check_run(root, submission_id, runs, choice.date)
    count = _Count(progress)
    clock = clock or Clock()
    spending = Spending(plan.price, plan.budget, plan.model.reply_limit)
    # All of it counts from the first request on, also what later suites have cost.
    journals = [read_journal(root, submission_id, suite.id) for suite in suites]
    spending.count_earlier(journal.counted for journal in journals)
    session = _Session(
        root=root,
        submission_id=submission_id,
        plan=plan,
        key=key,
        choice=choice,
        clock=clock,
        count=count,
        spending=spending,
        announce=announce,
    )
    started = clock.now()
    try:
        report = asyncio.run(session.ask_suites(runs))
    except KeyboardInterrupt:
        raise RunInterrupted(count.suite, count.kept, count.total) from None
    return replace(report, spent=session.spent(clock.now() - started))


@dataclass(slots=True)
class _Count:
    """The progress in a suite: `done` of `total` answers, `kept` of them with a reply."""

    progress: SuiteProgress
    suite: str = ""
    done: int = 0
    kept: int = 0
    total: int = 0

    def begin(self, suite: str, kept: int, total: int) -> None:
        self.suite, self.done, self.kept, self.total = suite, kept, kept, total
        self.progress(suite, kept, total)

    def one_more(self, *, answered: bool) -> None:
        self.done += 1
        self.kept += answered
        self.progress(self.suite, self.done, self.total)


@dataclass(frozen=True, slots=True)
class _Session:
    """What all suites of one run share."""

    root: Path
    submission_id: str
    plan: ModelPlan
    key: str
    choice: CardChoice
    clock: Clock
    count: _Count
    spending: Spending
    announce: Announce

    def spent(self, seconds: float) -> Spent:
        return Spent(
            requests=self.spending.requests,
            input_tokens=self.spending.input_tokens,
            output_tokens=self.spending.output_tokens,
            seconds=seconds,
            dollars=self.spending.dollars if self.plan.price else None,
        )

    async def ask_suites(self, runs: Sequence[SuiteRun]) -> RunReport:
        """Asks one suite after the other, and writes each one before the next begins."""
        plan = self.plan
        model = open_model(plan.model, self.key, plan.retry_policy.timeout, plan.concurrency)
        limit = None if plan.rate is None else RateLimit(plan.rate)
        try:
            return reduce(add, [await self._ask_suite(run, model, limit) for run in runs])
        finally:
            await model.close()

    async def _ask_suite(self, run: SuiteRun, model: Model, limit: RateLimit | None) -> RunReport:
        root, name, suite = self.root, self.submission_id, run.suite
        open_file = open_journal(root, name, suite.id, run.asked(), self.choice.date)
        keep_raw = nullcontext() if run.raw is None else open_raw_replies(run.raw)
        with interrupted_by_faults(root, name, suite, self.plan.attempts(suite)):
            with open_file as journal, keep_raw as raw:
                asked = await _Asker(self, run, model, limit, journal, raw).ask_all()
                entries = journal.whole_trials(suite)
                self._refuse_empty(suite, journal, entries)
                card = self._card(run, entries, str(journal.header["date"]))
                records = [entry.record for entry in entries]
                outcome = write_answers(root, name, suite, records, card=card, choice=self.choice)
            # Replies arrive in any order, and equal runs should write equal files.
            if run.raw is not None:
                sort_raw_replies(run.raw, [case.id for case in suite.cases])
        left_out = len(journal.entries) - len(entries)
        return RunReport.of(name, outcome, entries, asked, left_out)

    def _refuse_empty(
        self, suite: Suite, journal: RunJournal, entries: Sequence[JournalEntry]
    ) -> None:
        """Raises ModelError if no reply has a call or a text: that is a fault of the set-up."""
        if any(has_calls(entry.record) or has_text(entry.record) for entry in entries):
            return
        replies = f"reply to {suite.id} has", f"replies to {suite.id} have"
        what = f"{counted(len(entries), *replies)} neither a call nor text"
        check = "check the model and its server"
        raise empty_run(self.plan.model.title, what, check, journal.shown, entries)

    def _card(self, run: SuiteRun, entries: Sequence[JournalEntry], date: str) -> RunCard:
        model = self.plan.model
        settings = without_none(self.plan.fixed())
        if run.underscored:
            settings["tool_names"] = "underscored"
        before = existing_card(self.root, self.submission_id).get("settings") or {}
        versions = {version for entry in entries for version in entry.models}
        if other_names := versions.union(before.get("answered_by", ())) - {model.name}:
            settings["answered_by"] = sorted(other_names)
        default = {"name": model.name, "kind": "model", "organization": UNKNOWN}
        default |= {"model": model.name, "date": date}
        where = "" if model.endpoint is None else f" at {model.endpoint}"
        asked = f"asked case by case with `lb run --model {model.title}`"
        readme = f"The answers of `{model.name}`{where}, {asked}.\n"
        return RunCard(ORIGIN, default, settings, run.settings(), readme)


@dataclass(slots=True)
class _Asker:
    """Asks the cases of one suite, several at a time, and keeps each answer at once."""

    session: _Session
    run: SuiteRun
    model: Model
    limit: RateLimit | None
    journal: RunJournal
    raw: RawReplies | None
    failures: FirstFailures = field(default_factory=lambda: FirstFailures(GIVEN_UP_AFTER))
    stopped: CallError | None = None
    last_error: CallError | None = None
    over_budget: bool = False
    fault: OSError | None = None

    async def ask_all(self) -> int:
        """Asks all cases without an answer, and returns their number.

        Raises ModelError when no case can be answered.
        """
        plan = self.run.plan
        asked = plan.attempts(self.run.suite)
        left = self.journal.unanswered(asked)
        self.session.count.begin(self.run.suite.id, len(asked) - len(left), len(asked))
        characters = sum(self._characters(self.run.first_request(case)) for case, _ in left)
        cases = {case.id for case, _ in left}
        self.session.announce(self.run.suite.id, len(cases), len(left), tokens_of(characters))
        queue = iter(left)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(plan.concurrency, len(left))):
                    group.create_task(self._work(queue))
        except ExceptionGroup as several:  # a bug: the first one is the cause
            raise several.exceptions[0] from several
        self._raise_early_end()
        return len(left)

    def _raise_early_end(self) -> None:
        """Raises the fault of the disk, RunInterrupted at the end of the budget, or ModelError.

        A run without a single answer ends with a ModelError too, because its errors say nothing
        about the model.
        """
        if self.fault is not None:
            raise self.fault
        plan, count = self.run.plan, self.session.count
        if self.over_budget:
            dollars = self.session.spending.dollars
            raise RunInterrupted(count.suite, count.kept, count.total, dollars)
        error = self.stopped or (None if count.kept else self.last_error)
        if error is None:
            return
        kept, fix = "nothing was answered", "run it again"
        if count.kept:
            kept = f"{count.kept:,} of {count.total:,} answers are kept"
            fix = "run it again with --resume"
        what = f"{without_known_keys(str(error))}: the run was stopped, {kept}"
        raise ModelError.about(plan.model.title, what, f"{advice(error, plan.model)}; then {fix}")

    async def _work(self, queue: Iterator[tuple[Case, int]]) -> None:
        """Answers one case after the other. A stopped run still finishes the cases under way."""
        for case, trial in queue:
            meter = Meter()
            fields, error = None, ""
            try:
                fields = await self._answer(case, trial, meter)
                self.failures.count(answered=True)
            except BudgetReachedError:
                self.over_budget, error = True, "the budget ended the run"
            except CallError as refused:
                self.last_error, error = refused, str(refused)
                if self._stops(refused):
                    self.stopped = self.stopped or refused
            except asyncio.CancelledError:
                if meter.counted != NO_TOKENS:
                    self._keep(case, trial, meter, None, "the run was interrupted")
                raise
            # What a case has cost so far counts when the run is resumed.
            if fields is not None or not self._ends or meter.counted != NO_TOKENS:
                # On a full disk too: a shorter answer may fit, or space may be free again.
                with self._noted_fault():
                    self._keep(case, trial, meter, fields, error)
            if self._ends:
                return

    @property
    def _ends(self) -> bool:
        """Whether no further case is begun."""
        return self.stopped is not None or self.over_budget or self.fault is not None

    @contextmanager
    def _noted_fault(self) -> Iterator[None]:
        """Notes the first fault of the disk, which ends the run after the cases under way."""
        try:
            yield
        except OSError as fault:
            self.fault = self.fault or fault

    def _keep(
        self, case: Case, trial: int, meter: Meter, fields: dict[str, Json] | None, error: str
    ) -> None:
        """Keeps the answer to a case, or without `fields` the error in place of one."""
        interaction = self.run.suite.kind.interaction
        answered = fields is not None
        # A server may repeat the key, and a submission must never contain it.
        answer: dict[str, Json] = without_known_keys(
            fields_without_reply(interaction, error) if fields is None else fields
        )
        about = {"id": case.id, "type": case.category, "user_query": case.query}
        rest = {**meter.fields(answered=answered), "trial": trial}
        record = {**about, **answer, **rest}
        if problem := too_long(record, interaction):
            record = {**about, **fields_without_reply(interaction, problem), **rest}
        # A case without an answer says nothing about who answers, and is asked again.
        models = tuple(sorted(map(without_known_keys, meter.models))) if answered else ()
        marks = frozenset(meter.marks)
        self.journal.keep(JournalEntry(record, answered, models, meter.counted, marks))
        self.session.count.one_more(answered=answered)

    def _stops(self, error: CallError) -> bool:
        """Whether an error ends the run: it concerns every case, or the first cases all fail."""
        kept = self.session.count.kept
        key_works = self.session.spending.requests or kept
        # With a key that works, 403 is the moderation of one case.
        if error.fatal and not (error.status == _FORBIDDEN and key_works):
            return True
        # After answers of an earlier run, a refusal concerns one case. A server may be away again.
        if kept and error.status is not None and not error.retryable:
            return False
        return self.failures.count(answered=False)

    async def _answer(self, case: Case, trial: int, meter: Meter) -> dict[str, Json]:
        """Asks the model for one case: with retries, costs counted, raw replies kept."""
        suite, plan = self.run.suite, self.run.plan

        async def ask(conversation: Conversation) -> Reply:
            characters = self._characters(conversation)
            reply, seconds = await ask_with_retries(
                lambda: self._attempt(conversation, characters, meter),
                plan.retry_policy,
                self.session.clock,
                self.limit,
                lambda: self.session.spending.wait_for_room(characters),
            )
            if self.raw is not None:
                with self._noted_fault():
                    self.raw.keep(case.id, trial, len(conversation.turns), reply.body)
            return meter.count(reply, seconds)

        first = self.run.first_request(case)
        if suite.kind.interaction != "environment":
            return await answer_once(ask, first)
        environment = task_of(suite, case.category).create_environment()
        return await act(ask, first.system, case.query, environment, plan.step_limit)

    async def _attempt(self, conversation: Conversation, characters: int, meter: Meter) -> Reply:
        """One request, with its cost counted. Raises BudgetReachedError, or CallError."""
        spending = self.session.spending
        reserved = spending.reserve(characters)
        try:
            reply = await self.model.ask(conversation)
        except CallError as error:
            if error.taken is None:
                spending.release(reserved)
            else:
                meter.charge(spending.settle(reserved, *error.taken))
            raise
        except BaseException:
            spending.release(reserved)
            raise
        meter.charge(spending.settle(reserved, reply.input_tokens, reply.output_tokens))
        return reply

    def _characters(self, conversation: Conversation) -> int:
        """The length of a request."""
        return len(json.dumps(openai_body(self.run.plan.model, conversation), default=str))
