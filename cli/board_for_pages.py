"""Collects everything that the pages show: `lb build` and `lb review` make a site of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.wiring import judges_of
from leaderboard.files.cassette_paths import PREFERENCES, relative_path
from leaderboard.files.file_bytes import read_bytes
from leaderboard.workspace import Workspace

if TYPE_CHECKING:
    from leaderboard.apis.reference_runs import ReferenceRun
    from leaderboard.load import Contents
    from leaderboard.results import Results
    from leaderboard.types import Ask, JudgeSettings, Suite
    from replay.recorded_calls import RecordedCalls
    from site_templates.board import Board, SuiteComparisons


def board_of(
    workspace: Workspace,
    contents: Contents,
    results: Results,
    repository: str | None = None,
    calls: RecordedCalls | None = None,
) -> Board:
    """Everything the pages show. `repository` replaces that of leaderboard.toml.

    `calls` are the recorded judge calls, if they are read already.
    """
    from leaderboard.board.snapshots import load_history
    from leaderboard.doc_pages import board_pages, own_pages
    from leaderboard.files.audit_files import load_audits
    from replay.recorded_calls import RecordedCalls
    from runners.environments import offered_tools
    from scoring.changes.board_history import board_history
    from scoring.facts.decisions import found_facts
    from site_templates.board import Board
    from site_templates.data.board_tables import CITATION

    settings, suites = contents.leaderboard, contents.suites
    calls = calls or RecordedCalls(workspace.root)
    judges = judges_of(results, settings)
    states = load_history(workspace)
    ranked_metrics = {suite.id: suite.kind.ranked for suite in suites}
    citation = workspace.root / CITATION
    makefile = (workspace.root / "Makefile").is_file()
    packaged = board_pages(suites, judged=bool(contents.prompts), makefile=makefile)
    own = own_pages(workspace)
    return Board(
        title=settings.title,
        description=settings.description,
        repository=repository or settings.repository,
        suites=suites,
        submissions=contents.submissions,
        results=results,
        labels={(pair.suite, pair.id): pair for one in contents.labels for pair in one.pairs},
        audits={judge.name: load_audits(workspace, judge.name) for judge in judges},
        records=contents.records,
        judges=tuple(judges),
        prompts=tuple(contents.prompts.values()),
        exchange=calls.find,
        judge_of=calls.judge_of,
        find_facts=found_facts,
        docs={**packaged, **own},
        packaged_docs=frozenset(packaged.keys() - own.keys()),
        makefile=makefile,
        look=settings.look,
        ranked=settings.ranked if settings.ranked in ranked_metrics else suites[0].id,
        mean_intervals=_mean_intervals(results, suites),
        offered=offered_tools(suites),
        comparisons=_comparisons(workspace, contents, results, judges),
        history=board_history(states, results, ranked_metrics),
        states=states,
        references=_reference_runs(workspace, suites),
        citation=read_bytes(citation, CITATION, workspace.root) if citation.is_file() else None,
    )


def _reference_runs(
    workspace: Workspace, suites: Sequence[Suite]
) -> dict[tuple[str, str], ReferenceRun]:
    """The runs of the reference by suite and case."""
    from leaderboard.apis.reference_runs import load_reference

    return {
        (suite.id, case_id): run
        for suite in suites
        for case_id, run in load_reference(workspace, suite).items()
    }


def _mean_intervals(results: Results, suites: Sequence[Suite]) -> dict[str, tuple[float, float]]:
    """The interval of each submission's mean over the suites that derive scores here."""
    from scoring.tables.scores import case_scores, category_sums, mean_of_suites

    sums = category_sums(case_scores(results.verdicts))
    answered = set(sums["suite"])
    together = [suite for suite in suites if suite.id in answered and not suite.kind.reported]
    of_these = sums.filter(sums["suite"].is_in([suite.id for suite in together]))
    return mean_of_suites(of_these, together)


def _comparisons(
    workspace: Workspace, contents: Contents, results: Results, judges: Sequence[JudgeSettings]
) -> dict[str, SuiteComparisons]:
    """What comparing two submissions takes, by suite."""
    from replay.recorded_calls import replay_only
    from scoring.judging.win_rate import recorded_preferences
    from scoring.tables.one_pair import comparer
    from site_templates.board import SuiteComparisons

    comparisons = {}
    replay: Ask | None = None
    for suite in contents.suites:
        prefer = None
        if any(workspace.root.glob(relative_path("*", suite.id, PREFERENCES))):
            replay = replay or replay_only(workspace.root)
            prefer = recorded_preferences(contents, results, suite, judges, replay)
        made = comparer(results.verdicts, suite, suite.kind.ranked)
        comparisons[suite.id] = SuiteComparisons(
            scale=made.bits.scale,
            bounded=made.bits.bounded,
            levels={name: made.levels(name) for name in made.submissions},
            passes={name: made.passes(name) for name in made.submissions},
            compare=made.compare,
            prefer=prefer,
        )
    return comparisons
