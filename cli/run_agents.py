"""What `lb run --agent` does: agents, their tools, and the APIs that they call."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.output.console import say
from cli.output.problem_output import show_problems
from cli.wiring import require_packages
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import Workspace

if TYPE_CHECKING:
    from cli.run_options import RunOptions
    from leaderboard.types import Suite
    from runners.agents.agent_loading import AgentChoice
    from runners.agents.agent_run import AgentPlan
    from runners.apis.catalogue import Catalogue
    from runners.run_report import RunReport, SuiteProgress


def run_agents(
    workspace: Workspace,
    suites: Sequence[Suite],
    options: RunOptions,
    progress: SuiteProgress,
) -> list[RunReport]:
    """One submission, or one for every number of a sweep.

    Raises what `runners.agents.agent_run.run_agent` raises.
    """
    from runners.agents.agent_loading import load_agent, switch_telemetry_off
    from runners.agents.agent_run import AgentRun, run_agent
    from runners.agents.selector_choice import select_for
    from runners.apis.api_client import check_server
    from runners.submission_writer import id_of

    switch_telemetry_off()
    model = options.settings
    if model.base_url is not None:  # for an agent of one's own, whose client looks there
        os.environ["OPENAI_BASE_URL"] = model.base_url
    agent = load_agent(options.agent or "")
    name = f"{agent.name.removesuffix('.py')}-{model.name}"
    submission_id = options.submission_id or id_of(name)
    plan = _plan(agent, options)
    plans = {submission_id: plan}
    if options.sweep is not None:
        plans = {
            f"{submission_id}-k{number}": replace(plan, max_tools=number, sweep=submission_id)
            for number in options.sweep
        }
    reports = []
    for suite in suites:
        server = options.server_url
        mode = "replay" if server is None else check_server(server)
        with _apis(workspace, suite, server) as (catalogue, url):
            for plan_id, one in plans.items():
                run = AgentRun(
                    root=workspace.root,
                    suite=suite,
                    plan=one,
                    submission_id=plan_id,
                    catalogue=catalogue.fingerprint,
                    apis=mode,
                    server=server,
                )
                select = select_for(run, catalogue, say)
                report = run_agent(run, select, url, options.card, progress)
                reports.append(report)
                if one.sweep is not None:
                    number = len(report.errors)
                    failed = f", {counted(number, 'answer')} failed" if number else ""
                    say(f"max-tools={one.max_tools}: submissions/{plan_id}/{failed}")
    return reports


def _plan(agent: AgentChoice, options: RunOptions) -> AgentPlan:
    from runners.agents.agent_run import AgentPlan
    from runners.models.model_settings import api_key

    model = options.settings
    selector_model: str | None = None
    if options.selector == "llm":
        selector_model = options.selector_model or model.name
    return AgentPlan(
        model,
        agent=agent,
        key=api_key(model),
        max_tools=options.max_tools,
        selector=options.selector,
        selector_model=selector_model,
        step_limit=options.step_limit,
        trials=options.trials,
        limit=options.limit,
        # Not every agent is made for several threads.
        concurrency=options.concurrency if "concurrency" in options.given else 1,
        timeout=options.timeout,
        retries=options.retries,
        resume=options.resume,
    )


@contextmanager
def _apis(
    workspace: Workspace, suite: Suite, server_url: str | None
) -> Iterator[tuple[Catalogue, str]]:
    """The APIs to choose from and the server that answers: the one named, or a local replay."""
    from runners.apis.virtual_apis import replaying

    apis = replaying(workspace, suite)
    show_problems(apis.catalogue.warnings, "text")
    if server_url is not None:
        yield apis.catalogue, server_url
        return
    require_packages("lb run --agent", "apis", "fastapi", "uvicorn")
    from runners.apis.api_server import Limits, make_app, serving

    with serving(make_app(apis, Limits(rate=10_000.0, burst=10_000))) as url:
        yield apis.catalogue, url
