"""Runs an agent over a suite of simulated APIs: each answer is kept at once, and all of them become a submission."""

from __future__ import annotations

import datetime
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from leaderboard.digest import digest_of
from leaderboard.errors import Problem
from leaderboard.types import Case, Json, Suite
from leaderboard.workspace import Workspace
from runners.agents.agent_answer import answer_case
from runners.agents.agent_loading import AgentChoice
from runners.agents.base import INSTRUCTIONS
from runners.agents.tool_tracking import STEP_LIMIT
from runners.apis.selector import DEFAULT_MAX_TOOLS, Selection
from runners.models.model_choice import ModelError, ModelSettings, scrub
from runners.models.run_journal import Entry, Place, RunJournal, open_journal, path_of
from runners.preflight import check_submission, unwritable
from runners.run_outcome import UNKNOWN, CardChoice, Progress, RunInterrupted, RunReport
from runners.run_plan import places
from runners.submission_writer import (
    Written,
    existing_card,
    write_submission,
)

KIND: Final = "stable_toolbench"
ORIGIN: Final = "agent"  # the key of a card's settings that says which agent `lb run` let answer
# So many cases that the agent failed and none that it answered: then there is no use in asking the others.
GIVEN_UP_AFTER: Final = 5

# How the tools of a case are chosen: by words in common with its query, by a model, or those that the query itself lists.
Selector = Literal["keyword", "llm", "candidates"]
# The tools for a case.
Select = Callable[[Case], Selection]


@dataclass(frozen=True, slots=True)
class AgentPlan:
    """How an agent is run. `key` is the model's; `sweep` names the group of submissions that one sweep makes."""

    agent: AgentChoice
    model: ModelSettings
    key: str
    max_tools: int = DEFAULT_MAX_TOOLS
    selector: Selector = "keyword"
    selector_model: str | None = None
    step_limit: int = STEP_LIMIT
    trials: int = 1
    limit: int | None = None
    concurrency: int = 1
    timeout: float = 120.0
    retries: int = 4
    resume: bool = False
    sweep: str | None = None

    def settings(self) -> dict[str, Json]:
        """What a card's settings say of the run, and what a run that goes on must have alike."""
        told: dict[str, Json] = {
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
        return {name: value for name, value in told.items() if value is not None}

    def made(self, server_url: str) -> object:
        """A new agent. Raises FilesError."""
        return self.agent.made(
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
    """One suite of a run: who answers it, and where it is kept. `catalogue` is the fingerprint of the APIs to choose from."""

    root: Path
    suite: Suite
    plan: AgentPlan
    submission_id: str
    catalogue: str

    def asked(self) -> Mapping[str, Json]:
        """What a journal's answers answer."""
        cases = [[case.id, case.query] for case in self.suite.cases]
        about = {"suite": self.suite.id, "cases": digest_of(cases), "catalogue": self.catalogue}
        return {**self.plan.settings(), **about, "framework": self.plan.agent.framework}

    def places(self) -> list[tuple[Case, int]]:
        """The cases and trials to be answered, in order."""
        return places(self.suite, self.plan.limit, self.plan.trials)


def run_agent(
    run: AgentRun,
    select: Select,
    server_url: str,
    card: CardChoice | None = None,
    progress: Progress | None = None,
) -> RunReport:
    """Lets the agent answer every case of the suite and writes `submissions/<submission_id>/`.

    Raises FilesError for what stands in the way (looked at first), ModelError when the agent answers no case at all,
    RunInterrupted on Ctrl-C; whatever ends it, the answers that came are kept for `resume`.
    """
    choice = card or CardChoice()
    check(run, choice.date)
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    header = {"schema": 1, "asked": run.asked(), "date": choice.date or today}
    path = path_of(run.root, run.submission_id, run.suite.id)
    with open_journal(path, Workspace(run.root).shown(path), header) as journal:
        asked = _Answering(run, select, server_url, journal, progress).answer_all()
        entries = journal.in_order(run.suite)
        outcome = _write(run, choice, entries, str(journal.header["date"]))
    return RunReport.of(run.submission_id, outcome, entries, asked)


# ---------------------------------------------------------------- what stands in the way


def check(run: AgentRun, date: str | None) -> None:
    """Raises FilesError with everything that prevents a run. `date` is the card's, if given."""
    asked, resume = run.asked(), run.plan.resume
    settings = run.plan.settings()
    check_submission(
        run.root,
        run.submission_id,
        date,
        [
            *_other_kind(run.suite),
            *unwritable(run.root, run.submission_id, run.suite.id, asked, resume=resume),
        ],
        origin=ORIGIN,
        settings=settings,
        fixed=sorted({*settings, "endpoint", "temperature", "selector_model", "sweep"} - {ORIGIN}),
    )


def _other_kind(suite: Suite) -> Iterator[Problem]:
    if suite.kind.interaction != "apis":
        what = f"is of kind {suite.kind.name}, which agents do not answer"
        yield Problem(
            f"datasets/{suite.id}/suite.toml",
            what,
            f"name a suite of kind {KIND}, or leave out --agent",
        )


# ---------------------------------------------------------------- answering


@dataclass(slots=True)
class _Answering:
    """Answers the cases that are left, each in one of some threads, and keeps each answer as it comes."""

    run: AgentRun
    select: Select
    server_url: str
    journal: RunJournal
    progress: Progress | None
    stop: threading.Event = field(default_factory=threading.Event)
    selecting: threading.Lock = field(default_factory=threading.Lock)

    def answer_all(self) -> int:
        """How many cases were put to the agent now."""
        places = self.run.places()
        left = [place for place in places if not self._is_answered((place[0].id, place[1]))]
        self._show(len(places) - len(left), len(places))
        agents = [
            self.run.plan.made(self.server_url)
            for _ in range(min(self.run.plan.concurrency, len(left)))
        ]
        waiting, done = _queue(left), queue.SimpleQueue[Entry | BaseException]()
        threads = [
            threading.Thread(target=self._work, args=(agent, waiting, done), daemon=True)
            for agent in agents
        ]
        for thread in threads:
            thread.start()
        kept = len(places) - len(left)
        try:
            self._keep(done, len(left), len(places))
        except KeyboardInterrupt:
            kept = sum(self._is_answered((case.id, trial)) for case, trial in places)
            raise RunInterrupted(self.run.suite.id, kept, len(places)) from None
        finally:
            self.stop.set()
        for thread in threads:
            thread.join()
        return len(left)

    def _is_answered(self, place: Place) -> bool:
        entry = self.journal.entries.get(place)
        return entry is not None and entry.answered

    def _work(
        self,
        agent: object,
        waiting: queue.SimpleQueue[tuple[Case, int]],
        done: queue.SimpleQueue[Entry | BaseException],
    ) -> None:
        try:
            while not self.stop.is_set():
                done.put(self._entry(agent, *waiting.get_nowait()))
        except queue.Empty:
            return
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits for the answers
            done.put(error)

    def _entry(self, agent: object, case: Case, trial: int) -> Entry:
        with self.selecting:
            selection = self.select(case)
        plan = self.run.plan
        answered = answer_case(agent, case.query, selection, self.server_url, plan.step_limit)
        share = selection.gold_share(case.ground_truth.apis.pairs if case.ground_truth.apis else ())
        about: dict[str, Json] = {"id": case.id, "type": case.category, "user_query": case.query}
        chosen: dict[str, Json] = (
            {}
            if share is None or answered.fields["tools"] is None
            else {"gold_in_selection": share}
        )
        record = {**about, **scrub(answered.fields, plan.key), **chosen, "trial": trial}
        return Entry(record, answered.ok)

    def _keep(
        self, done: queue.SimpleQueue[Entry | BaseException], expected: int, total: int
    ) -> None:
        """Keeps what comes until all is there. Raises ModelError when the agent fails and fails."""
        answered = failed = 0
        for number in range(1, expected + 1):
            entry = done.get()
            if isinstance(entry, BaseException):
                raise entry
            self.journal.keep(entry)
            self._show(total - expected + number, total)
            answered += entry.answered
            failed += not entry.answered
            if not answered and failed >= GIVEN_UP_AFTER:
                raise ModelError(self._hopeless(entry, failed))

    def _hopeless(self, entry: Entry, failed: int) -> Problem:
        what = f"failed {failed} cases one after the other and answered none; the last: {entry.record['error']}"
        fix = "mend the agent, the key, the model's name or --base-url, and run it again"
        return Problem(self.run.plan.agent.name, what, fix)

    def _show(self, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(self.run.suite.id, done, total)


def _queue(places: Sequence[tuple[Case, int]]) -> queue.SimpleQueue[tuple[Case, int]]:
    waiting = queue.SimpleQueue[tuple[Case, int]]()
    for place in places:
        waiting.put(place)
    return waiting


# ---------------------------------------------------------------- writing


def _write(run: AgentRun, choice: CardChoice, entries: Sequence[Entry], date: str) -> Written:
    there = existing_card(run.root, run.submission_id)
    records = [entry.record for entry in entries]
    card = _card(run, choice, there, date, records)
    readme = None if there else _readme(run.plan)
    return write_submission(
        run.root, run.submission_id, card, {run.suite.id: records}, origin=ORIGIN, readme=readme
    )


def _card(
    run: AgentRun,
    choice: CardChoice,
    there: Mapping[str, Json],
    date: str,
    records: Sequence[Mapping[str, Json]],
) -> dict[str, Json]:
    """The card: what is there already stays, unless it is given anew."""
    plan = run.plan
    name = f"{plan.agent.title}, {plan.model.name}" + (
        f", {plan.max_tools} tools" if plan.sweep else ""
    )
    default: dict[str, Json] = {"name": name, "kind": "agent", "organization": UNKNOWN}
    default |= {"model": plan.model.name, "date": date}
    if plan.agent.framework is not None:
        default["framework"] = plan.agent.framework
    before: Mapping[str, Json] = there.get("settings") or {}
    suites = {**before.get("suites", {}), run.suite.id: _about(run, records)}
    settings = {**before, **plan.settings(), "suites": suites}
    return choice.fields(default, there, settings)


def _about(run: AgentRun, records: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """What decided the answers: the instructions, the APIs to choose from, and the share of gold APIs that the agent got."""
    told: dict[str, Json] = {"catalogue": run.catalogue}
    if run.plan.agent.framework is not None:
        told["system"] = INSTRUCTIONS
    shares = [
        record["gold_in_selection"]
        for record in records
        if record.get("gold_in_selection") is not None
    ]
    if shares:
        told["gold_in_selection"] = round(sum(shares) / len(shares), 4)
    return told


def _readme(plan: AgentPlan) -> str:
    where = "" if plan.model.endpoint is None else f" at {plan.model.endpoint}"
    who = plan.agent.framework or f"the agent `{plan.agent.name}`"
    return (
        f"The answers of {who} with `{plan.model.name}`{where}, which got at most {plan.max_tools} tools for each query; made "
        f"with `lb run --agent {plan.agent.name} --model {plan.model.title} --max-tools {plan.max_tools}`.\n"
    )
