"""From verdicts to every table of a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from leaderboard.frames import OF_RANKED_METRIC, SCORES
from leaderboard.judge_providers import DECISION
from leaderboard.load import Contents
from leaderboard.reasons import MISSING_RESPONSE
from leaderboard.results import Results
from leaderboard.types import JudgeSettings, Submission, Suite
from scoring.judging.agreement import agreement, concordance, judge_quality, two_sided
from scoring.judging.corrected_scores import corrected
from scoring.manifest import build_manifest
from scoring.scorer import Scored
from scoring.tables.case_health import health
from scoring.tables.rank_ranges import ranks
from scoring.tables.scores import case_scores, category_sums, is_ranked, scores
from scoring.tables.trials import trials
from scoring.tables.usage import usage


def summarise(
    contents: Contents,
    panel: Sequence[JudgeSettings],
    scored: Scored,
    cassettes: Mapping[str, str],
) -> Results:
    """The tables of a board. `cassettes` maps a path to its file's digest, for the manifest."""
    scored = replace(scored, verdicts=_asked_cases(scored.verdicts, contents.submissions))
    suites = contents.suites
    cases = case_scores(scored.verdicts)
    sums = category_sums(cases)
    own = {s.id: s.kind.grades for s in suites if s.kind.own_grades}
    labelled = two_sided(scored.labelled, own)
    quality = judge_quality(labelled, sums, suites)
    unvalidated = {place for place, figures in quality.items() if not figures.validated}
    rank_rows, gap_rows = ranks(cases, sums, suites, contents.submissions, unvalidated=unvalidated)
    agreement_rows = agreement(labelled)
    corrected_rows = corrected(sums, suites, quality)
    score_rows = scores(sums, suites)
    return Results(
        verdicts=scored.verdicts,
        records=scored.records,
        scores=_with_trust(score_rows, suites, rank_rows, agreement_rows, corrected_rows),
        usage=usage(scored.records, contents.submissions, scored.answers),
        ranks=rank_rows,
        gaps=gap_rows,
        health=health(scored.verdicts, suites, contents.submissions, scored.answers, cases=cases),
        labelled=scored.labelled,
        agreement=agreement_rows,
        concordance=concordance(labelled),
        corrected=corrected_rows,
        trials=trials(scored.verdicts, suites),
        manifest=build_manifest(contents, panel, cassettes),
    )


def _asked_cases(verdicts: pl.DataFrame, submissions: Iterable[Submission]) -> pl.DataFrame:
    """The VERDICTS without cases that were not asked.

    A card that lists a suite in `partial` declares that cases without any record were not asked.
    Everywhere else such cases fail. A missing trial of a case that was asked still fails. A suite
    that was asked in part has no rank, see `ranking.ranks`.
    """
    declared = [(one.id, suite) for one in submissions for suite in one.card.partial]
    if not declared:
        return verdicts
    chosen = [
        (pl.col("submission") == name) & (pl.col("suite") == suite) for name, suite in declared
    ]
    silent = (pl.col("reason") == MISSING_RESPONSE).fill_null(value=False)
    not_asked = silent.all().over("submission", "suite", "case_id")
    return verdicts.filter(~(pl.any_horizontal(*chosen) & not_asked))


def _with_trust(
    score_rows: pl.DataFrame,
    suites: Iterable[Suite],
    rank_rows: pl.DataFrame,
    agreement_rows: pl.DataFrame,
    corrected_rows: pl.DataFrame,
) -> pl.DataFrame:
    """SCORES with the ranks, corrected scores and agreement with the labels of ranked metrics."""
    place, row = ["suite", "category"], ["submission", "suite", "category"]
    decided = agreement_rows.filter(judge=DECISION).select(*place, decision_agreement="agreement")
    right = corrected_rows.select(*row, "corrected", corrected_low="low", corrected_high="high")
    joined = (
        score_rows.drop(OF_RANKED_METRIC)
        .join(
            rank_rows.select(*row, "rank_low", "rank_high"),
            on=row,
            how="left",
            maintain_order="left",
        )
        .join(decided, on=place, how="left", maintain_order="left")
        .join(right, on=row, how="left", maintain_order="left")
    )
    ranked = is_ranked(suites)
    kept = [pl.when(ranked).then(pl.col(name)).alias(name) for name in OF_RANKED_METRIC]
    return joined.with_columns(kept).select(list(SCORES))
