"""Chooses the tools that an agent gets for a query, with the selector that the run's plan names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from leaderboard.apis.api_definitions import definitions_of, with_unique_names
from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import is_linked, link_problem
from leaderboard.types import Case
from leaderboard.workspace import Workspace
from runners.agents.agent_run import AgentRun
from runners.agents.tool_selector import Select, Selection, ToolSelector, filled
from runners.apis.catalogue import Catalogue
from runners.models.prompt_completion import open_completion

SELECTIONS: Final = ".cache/selections"


def select_for(run: AgentRun, catalogue: Catalogue, warn: Callable[[str], None]) -> Select:
    """The selector that the plan names. `warn` gets each warning once.

    - candidates: the APIs that the query lists.
    - keyword: those that share most words with the query, then the others by name, until there
      are as many as an agent may get.
    - llm: those that a model chooses. Its choice is kept, for every other agent and the next run.

    Raises FilesError if a link leads to the folder of the choices.
    """
    plan = run.plan
    if plan.selector == "candidates":
        return lambda case: _candidates(case, catalogue, plan.max_tools)
    complete, folder = None, None
    if plan.selector == "llm":
        model = replace(plan.model, name=plan.selector_model or plan.model.name)
        complete = open_completion(model, plan.key, plan.timeout, plan.retries)
        folder = run.root / SELECTIONS / run.suite.id
        if is_linked(folder, run.root):
            raise FilesError(link_problem(Workspace(run.root).shown(folder)))
    selector = ToolSelector(complete, plan.selector_model or "", plan.max_tools, folder)
    warned: set[str] = set()

    def select(case: Case) -> Selection:
        selection = selector.select_tools(case.query, catalogue.definitions)
        for warning in selection.warnings:
            if warning not in warned:
                warned.add(warning)
                warn(f"{case.id}: {warning}")
        if complete is not None:
            return selection
        return filled(selection, catalogue.definitions, plan.max_tools)

    return select


def _candidates(case: Case, catalogue: Catalogue, limit: int) -> Selection:
    """The APIs that the query lists, as the catalogue describes them if it does."""
    known = {found.name: found for found in catalogue.definitions}
    listed = (known.get(found.name, found) for found in definitions_of(case.record))
    return Selection(with_unique_names(listed)[:limit], "query")
