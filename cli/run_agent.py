"""`lb run --agent`: a submission, made by letting an agent answer a suite of simulated APIs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cli.console import count, printable, say, show_problems

if TYPE_CHECKING:
    from leaderboard.types import Case, Suite
    from leaderboard.workspace import Workspace
    from runners.agents.agent_run import AgentPlan, AgentRun, Select
    from runners.apis.catalogue import Catalogue
    from runners.apis.selector import Complete, Selection
    from runners.models.model_choice import ModelSettings
    from runners.run_outcome import CardChoice, Progress, RunReport

# What means nothing to an agent, which speaks to its model in its own way.
NOT_FOR_AGENTS = ("rate", "no_tools", "system_file", "keep_raw")
# What only an agent has a use for.
FOR_AGENTS = ("max_tools", "server_url", "selector", "selector_model", "sweep")
SELECTIONS = ".cache/selections"
SWEEP = re.compile(r"max-tools=(\d+(?:,\d+)*)")


class Sweep(click.ParamType["tuple[int, ...]"]):
    """`max-tools=8,16,32`: the numbers, each once, from small to large."""

    name = "max-tools=N,N,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        found = SWEEP.fullmatch(value)
        numbers = sorted({int(number) for number in found[1].split(",")}) if found else []
        if not numbers or numbers[0] < 1:
            self.fail(f"{value!r} is not of the form max-tools=8,16,32", param, ctx)
        return tuple(numbers)


def run_agents(
    ctx: click.Context,
    model: ModelSettings,
    suites: Sequence[Suite],
    options: dict[str, Any],
    show_progress: Callable[[], Any],
) -> list[RunReport]:
    """One submission, or one for every number of a sweep. Raises what `runners.agents.agent_run.run_agent` raises."""
    from leaderboard.workspace import open_workspace
    from runners.agents.agent_loading import load_agent
    from runners.agents.telemetry_off import switch_off
    from runners.models.model_choice import api_key, submission_id_of

    workspace = open_workspace(ctx.obj)
    switch_off()
    if model.base_url is not None:  # for an agent of one's own, whose client looks there
        os.environ["OPENAI_BASE_URL"] = model.base_url
    agent = load_agent(options["agent"])
    chosen = options["submission_id"] or submission_id_of(
        f"{agent.name.removesuffix('.py')}-{model.name}"
    )
    plan = _plan(model, api_key(model), agent, options)
    plans = [(chosen, plan)]
    if options["sweep"] is not None:
        plans = [
            (f"{chosen}-k{number}", replace(plan, max_tools=number, sweep=chosen))
            for number in options["sweep"]
        ]
    reports = []
    with ExitStack() as stack:
        progress = stack.enter_context(show_progress())
        for suite in suites:
            at = stack.enter_context(_apis(workspace, suite, options["server_url"]))
            for submission_id, one in plans:
                reports.append(
                    _run_one(workspace, suite, submission_id, one, at, options, progress)
                )
    return reports


def _plan(model: ModelSettings, key: str, agent: Any, options: dict[str, Any]) -> AgentPlan:
    from runners.agents.agent_run import AgentPlan

    selector = options["selector"]
    return AgentPlan(
        agent,
        model,
        key,
        max_tools=options["max_tools"],
        selector=selector,
        selector_model=(options["selector_model"] or model.name) if selector == "llm" else None,
        step_limit=options["step_limit"],
        trials=options["trials"],
        limit=options["limit"],
        concurrency=options["concurrency"],
        timeout=options["timeout"],
        retries=options["retries"],
        resume=options["resume"],
    )


@contextmanager
def _apis(
    workspace: Workspace, suite: Suite, server_url: str | None
) -> Iterator[tuple[Catalogue, str]]:
    """The APIs to choose from, and where they are called: a server that is named, or one of our own in replay mode."""
    from cli.serve_apis import need_the_extra
    from runners.apis.virtual_apis import replaying

    apis = replaying(workspace, suite)
    show_problems(apis.catalogue.warnings, "text")
    if server_url is not None:
        yield apis.catalogue, server_url
        return
    need_the_extra()
    from runners.apis.api_server import Limits, make_app, serving

    with serving(make_app(apis, Limits(rate=10_000.0, burst=10_000))) as url:
        yield apis.catalogue, url


def _run_one(
    workspace: Workspace,
    suite: Suite,
    submission_id: str,
    plan: AgentPlan,
    at: tuple[Catalogue, str],
    options: dict[str, Any],
    progress: Progress | None,
) -> RunReport:
    from runners.agents.agent_run import AgentRun, run_agent

    catalogue, server_url = at
    run = AgentRun(workspace.root, suite, plan, submission_id, catalogue.fingerprint)
    report = run_agent(
        run, _select(run, catalogue), server_url, _card(options), _labelled(progress, submission_id)
    )
    if plan.sweep is not None:
        failed = (
            f", {count(len(report.errors), 'answer')} came to an error: failed"
            if report.errors
            else ""
        )
        say(f"max-tools={plan.max_tools}: submissions/{submission_id}/{failed}")
    return report


def _labelled(progress: Progress | None, submission_id: str) -> Progress | None:
    """A bar for each submission of a sweep."""
    return (
        None
        if progress is None
        else lambda _suite, done, total: progress(submission_id, done, total)
    )


def _card(options: dict[str, Any]) -> CardChoice:
    from runners.run_outcome import CardChoice

    return CardChoice(options["name"], options["organization"], options["date"])


# ---------------------------------------------------------------- which tools


def _select(run: AgentRun, catalogue: Catalogue) -> Select:
    """The way to choose tools that the plan names. What a model chose is kept, for every other agent and the next time.

    Words in common decide which tools come first; there are always as many as an agent may get, or as there are.
    """
    from runners.apis.selector import ToolSelector, filled

    plan = run.plan
    if plan.selector == "candidates":
        return lambda case: _candidates(case, catalogue, plan.max_tools)
    folder = run.root / SELECTIONS / run.suite.id
    complete = _complete(plan) if plan.selector == "llm" else None
    selector = ToolSelector(
        complete, plan.selector_model or "", plan.max_tools, folder if complete else None
    )
    said: set[str] = set()

    def select(case: Case) -> Selection:
        selection = selector.select_tools(case.query, catalogue.definitions)
        for warning in selection.warnings:
            if warning not in said:
                said.add(warning)
                say(f"{case.id}: {printable(warning)}")
        return selection if complete else filled(selection, catalogue.definitions, plan.max_tools)

    return select


def _candidates(case: Case, catalogue: Catalogue, most: int) -> Selection:
    """The APIs that the query itself lists, as the catalogue describes them where it does."""
    from leaderboard.apis.api_definitions import definitions_of, with_unique_names
    from runners.apis.selector import Selection

    listed = definitions_of(case.record)
    known = {found.name: found for found in catalogue.definitions}
    return Selection(
        with_unique_names(known.get(found.name, found) for found in listed)[:most], "query"
    )


def _complete(plan: AgentPlan) -> Complete:
    from runners.agents.plain_question import completing

    return completing(
        replace(plan.model, name=plan.selector_model or plan.model.name),
        plan.key,
        plan.timeout,
        plan.retries,
    )
