"""`lb build`: from results/ to the site."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say

if TYPE_CHECKING:
    from leaderboard.board.board_changes import History
    from leaderboard.board.history import State
    from leaderboard.board.preferences import Preferences
    from leaderboard.files.audit_files import Audit
    from leaderboard.load import Contents
    from leaderboard.results import Results
    from leaderboard.types import Json, JudgeSettings, Suite, Tool
    from leaderboard.workspace import Workspace
    from site_templates.board import Board, Exchange, Sheet


@click.command()
@click.option(
    "--base-url", help="Where the site will live, for pages that need a full address (404, feeds)."
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="The results to show (default: results/ in the workspace).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Where the site goes (default: _site/ in the workspace).",
)
@click.option(
    "--repository", help="Where people clone the board from (default: what leaderboard.toml says)."
)
@click.pass_obj
def command(
    workspace_root: Path,
    base_url: str | None,
    results: Path | None,
    out: Path | None,
    repository: str | None,
) -> None:
    """Build the site from results/. Files that would not change are left alone; a failed build leaves the site as it was.

    \b
    Example:
      lb build --base-url https://example.org/toolboard/
    """
    from leaderboard.load import load_contents
    from leaderboard.results import read_results
    from leaderboard.workspace import open_workspace
    from scoring.rules import KINDS
    from site_templates.builder import build

    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, KINDS)
    scored = read_results(results or workspace.root / "results")
    _refuse_stale(contents, scored)
    site = out or workspace.root / "_site"
    report = build(board_of(workspace, contents, scored, repository), site, base_url=base_url)
    said = f"{count(len(report.written), 'file')} written, {report.unchanged:,} unchanged, {len(report.removed):,} removed"
    say(f"{workspace.shown(site)}/index.html: {said}")


def _refuse_stale(contents: Contents, results: Results) -> None:
    """Pages show responses beside their verdicts: both must be of the same files."""
    from leaderboard.errors import FilesError, Problem

    if contents.errors:
        raise FilesError(contents.problems)
    scored = {
        path: digest
        for files in results.manifest["submissions"].values()
        for path, digest in files.items()
    }
    suites = {name: suite["digest"] for name, suite in results.manifest["suites"].items()}
    if scored != contents.digests or suites != {
        suite.id: suite.digest for suite in contents.suites
    }:
        raise FilesError(
            Problem(
                "results/manifest.json",
                "is of other responses or cases than those here",
                "run lb rescore again",
            )
        )


def board_of(
    workspace: Workspace, contents: Contents, results: Results, repository: str | None = None
) -> Board:
    """Everything the pages show, in one piece. Links into a `repository` are of that one instead of leaderboard.toml's."""
    from cli.prefer import recorded
    from leaderboard.apis.reference_runs import load_reference
    from leaderboard.board.history import load_history
    from site_templates.board import Board

    settings = contents.leaderboard
    metrics = {suite.id: suite.kind.ranked for suite in contents.suites}
    states = load_history(workspace)
    deciding = [
        settings.judges[name] for name in results.manifest["judges"] if name in settings.judges
    ]
    taken = [suite.id for suite in contents.suites]
    return Board(
        title=settings.title,
        description=settings.description,
        repository=repository or settings.repository,
        suites=contents.suites,
        submissions=contents.submissions,
        verdicts=results.verdicts,
        scores=results.scores,
        usage=results.usage,
        ranks=results.ranks,
        gaps=results.gaps,
        trials=results.trials,
        labelled=results.labelled,
        agreement=results.agreement,
        concordance=results.concordance,
        corrected=results.corrected,
        labels={
            (pair.suite, pair.id): pair
            for labelled in contents.labels.values()
            for pair in labelled.pairs
        },
        audits=_audits(workspace, deciding),
        records=contents.records,
        judges=tuple(deciding),
        prompts=tuple(contents.prompts.values()),
        exchange=_exchange(workspace),
        manifest=results.manifest,
        docs={
            path.stem: path.read_text(encoding="utf-8")
            for path in sorted(workspace.docs.glob("*.md"))
        },
        rules_version=str(results.manifest["rules"]["version"]),
        ranked=settings.ranked if settings.ranked in taken else taken[0],
        metrics=metrics,
        offered=_offered(contents.suites),
        sheets={
            suite.id: _sheet(
                results,
                suite,
                metrics[suite.id],
                recorded(workspace, contents, results, suite, deciding),
            )
            for suite in contents.suites
        },
        health=results.health,
        history=_history(states, results, metrics),
        states=states,
        references={
            (suite.id, case_id): run
            for suite in contents.suites
            for case_id, run in load_reference(workspace, suite).items()
        },
        citation=_citation(workspace),
    )


def _citation(workspace: Workspace) -> bytes | None:
    """How to cite the board: CITATION.cff, where the workspace has one."""
    from leaderboard.files.document import read_bytes
    from site_templates.data.board_tables import CITATION

    path = workspace.root / CITATION
    return read_bytes(path, CITATION, workspace.root) if path.is_file() else None


def _sheet(
    results: Results,
    suite: Suite,
    metric: str,
    prefer: Callable[[str, str], Preferences | None] | None = None,
) -> Sheet:
    """What comparing two submissions on a suite takes."""
    from scoring.tables.paired_tests import sheet
    from site_templates.board import Sheet

    made = sheet(results.verdicts.filter(suite=suite.id, metric=metric), suite, metric)
    return Sheet(
        made.scale,
        made.bounded,
        {name: made.levels(name) for name in made.submissions},
        made.compare,
        prefer,
    )


def _history(
    states: Sequence[State], results: Results, metrics: Mapping[str, str]
) -> History | None:
    """What moved between the snapshots, and since the last one; None where nothing was ever kept."""
    from leaderboard.board.history import KEPT, State
    from scoring.changes.score_history import changes

    if not states:
        return None
    now = State(
        "now",
        results.manifest,
        results.scores,
        results.ranks,
        lambda: results.verdicts.select(list(KEPT)),
    )
    return changes(states if states[-1].digest == now.digest else [*states, now], metrics)


def _audits(workspace: Workspace, judges: Sequence[JudgeSettings]) -> dict[str, Audit]:
    """The audit of each judge that has been asked again."""
    from leaderboard.files.audit_files import load_audit

    found = ((judge.name, load_audit(workspace, judge.name)) for judge in judges)
    return {name: audit for name, audit in found if audit is not None}


def _offered(suites: Sequence[Suite]) -> dict[tuple[str, str], tuple[Tool, ...]]:
    """The tools of each category that is acted out in an environment known here."""
    from runners.environments import registry

    return {
        (suite.id, category.id): tuple(
            tool.tool for tool in registry[category.environment].create_environment().tools
        )
        for suite in suites
        for category in suite.categories
        if category.environment is not None and category.environment in registry
    }


def _exchange(workspace: Workspace) -> Callable[[str], Exchange | None]:
    """Finds a recorded judge call by its key, as pages show it. Nothing is read before the first one is asked for."""
    from replay.cassettes import cassette_file
    from replay.cassettes.cassette_index import Index
    from site_templates.board import Exchange

    index: list[Index] = []
    opened: dict[str, Sequence[Json]] = {}

    @cache  # pages of cases and judges ask for the same call
    def find(key: str) -> Exchange | None:
        if not index:
            index.append(Index.load(workspace.root))
        call = index[0].find(key)
        if call is None:
            return None
        if call.file not in opened:
            opened[call.file] = cassette_file.read(workspace.root, call.file)
        asked = cassette_file.exchange(opened[call.file][call.position])
        settings = {
            name: value
            for name, value in asked.body.items()
            if name not in ("messages", "contents")
        }
        return Exchange(asked.prompt, call.text, call.file.split("/")[1], settings, call.file)

    return find
