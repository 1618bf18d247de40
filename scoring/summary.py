"""From verdicts to every table of a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leaderboard.load import Contents
from leaderboard.results import Results
from leaderboard.types import JudgeSettings
from scoring.judging.agreement import agreement, concordance, judge_quality
from scoring.judging.corrected import corrected
from scoring.manifest import build_manifest
from scoring.scorer import Scored
from scoring.tables.aggregate import case_scores, category_sums, scores, usage
from scoring.tables.case_health import answers, health
from scoring.tables.ranking import ranks
from scoring.tables.trials import trials


def summarise(
    contents: Contents,
    panel: Sequence[JudgeSettings],
    scored: Scored,
    cassettes: Mapping[str, str],
) -> Results:
    """The tables of a board. `cassettes` maps a path to its file's digest, for the manifest."""
    ranked = {suite.id: suite.kind.ranked for suite in contents.suites}
    cases = case_scores(scored.verdicts)
    sums = category_sums(cases)
    quality = judge_quality(scored.labelled, sums, ranked)
    validated = {place for place, found in quality.items() if found.validated}
    rank_rows, gap_rows = ranks(
        cases, sums, contents.suites, contents.submissions, ranked, validated=validated
    )
    given = answers(contents.suites, contents.records)
    return Results(
        verdicts=scored.verdicts,
        records=scored.records,
        scores=scores(sums, contents.suites),
        usage=usage(scored.records, contents.submissions),
        ranks=rank_rows,
        gaps=gap_rows,
        health=health(
            scored.verdicts, contents.suites, contents.submissions, ranked, given, cases=cases
        ),
        labelled=scored.labelled,
        agreement=agreement(scored.labelled),
        concordance=concordance(scored.labelled),
        corrected=corrected(sums, contents.suites, ranked, quality),
        trials=trials(scored.verdicts, contents.suites, ranked),
        manifest=build_manifest(contents, panel, cassettes),
    )
