"""Runs an agent over a suite of simulated APIs, keeps each answer, and writes the submission."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_of
from leaderboard.errors import Problem
from leaderboard.mappings import without_none
from leaderboard.network.endpoints import shown_address
from leaderboard.network.retries import CallError
from leaderboard.network.secret_keys import without_known_keys
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import UNKNOWN, Case, Json, Suite
from leaderboard.workspace import suite_file
from runners.agents.agent_answer import answer_case
from runners.agents.agent_loading import AgentChoice
from runners.agents.base import INSTRUCTIONS
from runners.agents.call_log import CallLog
from runners.agents.tool_selector import Select, Selector
from runners.apis.api_client import check_server
from runners.early_ends import FirstFailures, RunInterrupted, empty_run, interrupted_by_faults
from runners.models.case_conversation import fields_without_reply, too_long
from runners.models.model_settings import ModelError
from runners.models.run_journal import JournalEntry, RunJournal, open_journal
from runners.run_card import CardChoice, RunCard, write_answers
from runners.run_checks import check_submission, unwritable
from runners.run_plan import RunPlan
from runners.run_report import RunReport, SuiteProgress, is_empty

ORIGIN: Final = "agent"  # the key of a card's settings that names the agent of `lb run`
# After this many failures, and no answer, the run stops: all other cases would fail too.
MAX_FAILURES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlan(RunPlan):
    """How an agent is run. `key` is the model's. `sweep` names a group of submissions."""

    agent: AgentChoice
    key: str
    max_tools: int
    selector: Selector
    selector_model: str | None
    timeout: float
    retries: int
    sweep: str | None = None

    def fixed(self) -> dict[str, Json]:
        """The settings that all suites of a submission share; None is not on the card."""
        return {
            ORIGIN: self.agent.name,
            "agent_digest": self.agent.digest,
            "run": self.model.title,
            "endpoint": self.model.endpoint,
            "temperature": self.model.temperature,
            "max_tools": self.max_tools,
            "selector": self.selector,
            "selector_model": self.selector_model,
            "step_limit": self.step_limit,
            "sweep": self.sweep,
        }

    def create_agent(self, server_url: str) -> object:
        """A new agent. Raises FilesError."""
        return self.agent.create(
            model=self.model.name,
            server_url=server_url,
            temperature=self.model.temperature,
            verbose=False,
            max_tools=self.max_tools,
            base_url=self.model.base_url,
            api_key=self.key,
            step_limit=self.step_limit,
            timeout=self.timeout,
            retries=self.retries,
        )


@dataclass(frozen=True, slots=True)
class AgentRun:
    """The run of an agent over one suite. `catalogue` is the fingerprint of the APIs.

    `apis` is the mode of the server that answers them. `server` is its address if one was named.
    """

    root: Path
    suite: Suite
    plan: AgentPlan
    submission_id: str
    catalogue: str
    apis: str
    server: str | None

    def asked(self) -> Mapping[str, Json]:
        """What the answers in a journal depend on."""
        cases = [[case.id, case.query] for case in self.suite.cases]
        about = {"suite": self.suite.id, "cases": digest_of(cases), "catalogue": self.catalogue}
        about |= self.served_by() if self.server is not None else {}
        return {**without_none(self.plan.fixed()), **about, "framework": self.plan.agent.framework}

    def served_by(self) -> dict[str, str]:
        """The settings on the card that say who answers the calls."""
        server = {} if self.server is None else {"server": shown_address(self.server).rstrip("/")}
        return {"apis": self.apis, **server}


def run_agent(
    run: AgentRun,
    select: Select,
    server_url: str,
    choice: CardChoice,
    progress: SuiteProgress,
) -> RunReport:
    """Lets the agent answer every case of the suite and writes `submissions/<submission_id>/`.

    Checks first whether the submission can be written. Raises FilesError if not, ModelError if
    the agent answers no case at all, or all of them with nothing, RunInterrupted on Ctrl-C
    and on a full disk. The answers so far are kept for `resume`.
    """
    check(run, choice.date)
    root, name, suite = run.root, run.submission_id, run.suite
    with interrupted_by_faults(root, name, suite, run.plan.attempts(suite)):
        with open_journal(root, name, suite.id, run.asked(), choice.date) as journal:
            asked = _Answering(run, select, server_url, journal, progress).answer_all()
        entries = journal.whole_trials(suite)
        _refuse_empty(run, journal, entries)
        records = [entry.record for entry in entries]
        card = _card(run, str(journal.header["date"]), records)
        outcome = write_answers(root, name, suite, records, card=card, choice=choice)
    left_out = len(journal.entries) - len(entries)
    return RunReport.of(name, outcome, entries, asked, left_out)


def _refuse_empty(run: AgentRun, journal: RunJournal, entries: Sequence[JournalEntry]) -> None:
    """Raises ModelError if the agent has answered no case with a call, a text or by giving up."""
    if any(entry.answered and not is_empty(entry) for entry in entries):
        return
    number = counted(len(entries), "answer")
    what = f"gave no call and no text in {number} to {run.suite.id}"
    check = "check the model and its server"
    if run.plan.agent.framework is None:
        check = "check what answer() returns as final_answer, and what the model replies"
    raise empty_run(run.plan.agent.name, what, check, journal.shown, entries)


def check(run: AgentRun, date: str | None) -> None:
    """Raises FilesError with everything that prevents a run. `date` is the card's, if given."""
    problems: list[Problem] = []
    if run.suite.kind.interaction != "apis":
        what = f"is of kind {run.suite.kind.name}, which agents cannot answer"
        fix = "name a suite of simulated APIs, or leave out --agent"
        problems.append(Problem(suite_file(run.suite.id), what, fix))
    resume = run.plan.resume
    problems += unwritable(run.root, run.submission_id, run.suite.id, run.asked(), resume=resume)
    fixed = run.plan.fixed()
    check_submission(run.root, run.submission_id, date, problems, origin=ORIGIN, fixed=fixed)


@dataclass(slots=True)
class _Answering:
    """Answers the open cases of a run in several threads, and keeps each answer at once."""

    run: AgentRun
    select: Select
    server_url: str
    journal: RunJournal
    progress: SuiteProgress
    stop: threading.Event = field(default_factory=threading.Event)
    selecting: threading.Lock = field(default_factory=threading.Lock)

    def answer_all(self) -> int:
        """How many cases the agent was asked now."""
        planned = self.run.plan.attempts(self.run.suite)
        left = self.journal.unanswered(planned)
        self.progress(self.run.submission_id, len(planned) - len(left), len(planned))
        waiting = queue.SimpleQueue[tuple[Case, int]]()
        for place in left:
            waiting.put(place)
        done = queue.SimpleQueue[JournalEntry | BaseException]()
        # All agents are made before any of them answers, so that a bad one stops the run here.
        number = min(self.run.plan.concurrency, len(left))
        agents = [self.run.plan.create_agent(self.server_url) for _ in range(number)]
        # Daemons, because Ctrl-C must not wait for an agent that never returns.
        threads = [
            threading.Thread(target=self._work, args=(agent, waiting, done), daemon=True)
            for agent in agents
        ]
        for thread in threads:
            thread.start()
        try:
            try:
                self._keep(done, len(left), len(planned))
            except OSError:
                self._keep_under_way(threads, done)
                raise
        except KeyboardInterrupt:
            kept = len(planned) - len(self.journal.unanswered(planned))
            raise RunInterrupted(self.run.suite.id, kept, len(planned)) from None
        finally:
            self.stop.set()
        for thread in threads:
            thread.join()
        return len(left)

    def _work(
        self,
        agent: object,
        waiting: queue.SimpleQueue[tuple[Case, int]],
        done: queue.SimpleQueue[JournalEntry | BaseException],
    ) -> None:
        try:
            while not self.stop.is_set():
                done.put(self._answer(agent, *waiting.get_nowait()))
        except queue.Empty:
            return
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of _keep
            done.put(error)

    def _answer(self, agent: object, case: Case, trial: int) -> JournalEntry:
        about: dict[str, Json] = {"id": case.id, "type": case.category, "user_query": case.query}
        try:
            with self.selecting:
                selection = self.select(case)
        except CallError as error:
            what = f"the model that chooses the tools: {error}"
            fields = without_known_keys(fields_without_reply("apis", what))
            return JournalEntry({**about, **fields, "trial": trial}, answered=False)
        plan = self.run.plan
        log = CallLog(plan.step_limit, plan.timeout)
        answered = answer_case(agent, case.query, selection, self.server_url, log)
        if answered.unreached:
            check_server(self.server_url)  # Stops the run if the server is gone.
        record: dict[str, Json] = {**about, **without_known_keys(answered.fields)}
        gold = case.ground_truth.apis or ()
        share = selection.gold_share(gold)
        if share is not None and record["tools"] is not None:
            record["gold_in_selection"] = share
        record["trial"] = trial
        if problem := too_long(record, "apis"):
            record |= fields_without_reply("apis", problem)
            record.pop("stopped", None)
        return JournalEntry(record, answered.ok)

    def _keep(
        self, done: queue.SimpleQueue[JournalEntry | BaseException], expected: int, total: int
    ) -> None:
        """Keeps all entries as they arrive. Raises ModelError if the agent answers nothing."""
        # Answers of an earlier run show that the agent works.
        failures = FirstFailures(MAX_FAILURES, answered=expected < total)
        for number in range(1, expected + 1):
            entry = done.get()
            if isinstance(entry, BaseException):
                raise entry
            self.journal.keep(entry)
            self.progress(self.run.submission_id, total - expected + number, total)
            if failures.count(answered=entry.answered):
                last = f"the last: {entry.record['error']}"
                what = f"failed {MAX_FAILURES} cases in a row and answered none; {last}"
                fix = "fix the agent, the key, the model's name or --base-url, and run it again"
                raise ModelError.about(self.run.plan.agent.name, what, fix)

    def _keep_under_way(
        self,
        threads: Sequence[threading.Thread],
        done: queue.SimpleQueue[JournalEntry | BaseException],
    ) -> None:
        """Waits for the cases under way, and keeps their answers if they fit on a full disk."""
        self.stop.set()
        for thread in threads:
            thread.join()
        while not done.empty():
            entry = done.get()
            if isinstance(entry, JournalEntry):
                with suppress(OSError):
                    self.journal.keep(entry)


def _card(run: AgentRun, date: str, records: Sequence[Mapping[str, Json]]) -> RunCard:
    plan = run.plan
    name = f"{plan.agent.title}, {plan.model.name}"
    if plan.sweep:
        name += f", {plan.max_tools} tools"
    default: dict[str, Json] = {"name": name, "kind": "agent", "organization": UNKNOWN}
    default |= {"model": plan.model.name, "date": date}
    if plan.agent.framework is not None:
        default["framework"] = plan.agent.framework
    about = _suite_settings(run, records)
    return RunCard(ORIGIN, default, without_none(plan.fixed()), about, _readme(plan))


def _suite_settings(run: AgentRun, records: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """The APIs, the instructions, and the mean share of gold APIs among the tools."""
    settings: dict[str, Json] = {"catalogue": run.catalogue, **run.served_by()}
    if run.plan.agent.framework is not None:
        settings["system"] = INSTRUCTIONS
    shares = [record.get("gold_in_selection") for record in records]
    known = [share for share in shares if share is not None]
    if known:
        settings["gold_in_selection"] = round(sum(known) / len(known), 4)
    return settings


def _readme(plan: AgentPlan) -> str:
    where = "" if plan.model.endpoint is None else f" at {plan.model.endpoint}"
    who = plan.agent.framework or f"the agent `{plan.agent.name}`"
    command = f"lb run --agent {plan.agent.name} --model {plan.model.title}"
    return (
        f"The answers of {who} with `{plan.model.name}`{where}, with at most {plan.max_tools}"
        f" tools for each query. Made with `{command} --max-tools {plan.max_tools}`.\n"
    )
