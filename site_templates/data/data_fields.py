"""The fields of the site's JSON files: types for the code that writes them, and for their schemas.

The rows of a table have the columns of its frame. `schema` is the version of a file's format. It
rises when a field is removed or renamed, or changes its meaning. A new field does not raise it, so
readers should ignore fields that they do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, NotRequired

import polars as pl
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict

from leaderboard.board.comparison import Paired, Standing
from leaderboard.board.manifest_shape import Manifest
from leaderboard.frames import (
    AGREEMENT,
    CONCORDANCE,
    CORRECTED,
    HEALTH,
    RANKS,
    SCORES,
    USAGE,
)
from leaderboard.judge_providers import Provider
from leaderboard.types import (
    DecidedBy,
    ImportedVote,
    Json,
    Outcome,
    SubmissionKind,
)
from site_templates.indexed_rows import Finding, Score, Trials

# ---------------------------------------------------------------- tables

Rows = list[dict[str, Json]]

# The submissions as their cards describe them.
SUBMISSIONS: Final = pl.Schema(
    {
        "submission": pl.String,
        "name": pl.String,
        "kind": pl.String,  # model | agent | baseline
        "organization": pl.String,
        "model": pl.String,
        "date": pl.String,  # the day when the responses were made
        "framework": pl.String,
        "url": pl.String,
        "parameters": pl.String,
        "license": pl.String,
        "open_weights": pl.Boolean,
        "input_price": pl.Float64,  # US dollars per million tokens
        "output_price": pl.Float64,
    }
)
OPTIONAL: Final = ("framework", "url", "parameters", "license", "open_weights")

# SCORES with the status and the ranges of ranks, which only the ranked metric of a suite has.
RANKING: Final = ("status", "rank_low", "rank_high", "all_low", "all_high")
RANKED_SCORES: Final = pl.Schema(SCORES | {name: RANKS[name] for name in RANKING})

# The suites with the number of submissions that took each, and the best score of those with a rank.
SUITES: Final = pl.Schema(
    {
        "suite": pl.String,
        "title": pl.String,
        "kind": pl.String,
        "metric": pl.String,  # the metric that is ranked
        "categories": pl.Int64,
        "cases": pl.Int64,
        "submissions": pl.Int64,
        "baselines": pl.Int64,
        "best": pl.Float64,
        "best_of": pl.String,  # the first by id, if several have this score
    }
)

# The submissions on all suites together. Only those with a full score on each suite have a score.
ALL: Final = pl.Schema(
    {
        "submission": pl.String,
        # 1 + the number of submissions with a higher score; null for baselines, and for those
        # that have no rank on one of the suites
        "place": pl.Int64,
        "suites": pl.Int64,  # taken; the counts that follow are of these
        "cases": pl.Int64,
        "scored": pl.Int64,
        "unscored": pl.Int64,
        "score": pl.Float64,  # the mean of the scores of the suites
        "low": pl.Float64,
        "high": pl.Float64,
        "judged_share": pl.Float64,
        # why it has no place, as in RANKS, from the first suite that gives it no rank; null if it
        # has one
        "status": pl.String,
    }
)

# The pairs of submissions that have a page: the columns of `Paired` for the whole suite.
PAIRS: Final = pl.Schema(
    {
        "suite": pl.String,
        "metric": pl.String,
        "first": pl.String,
        "second": pl.String,
        "cases": pl.Int64,
        "shared": pl.Int64,  # cases that have a score for both; all that follows is of these
        "unscored": pl.Int64,
        "both": pl.Int64,
        "only_first": pl.Int64,
        "only_second": pl.Int64,
        "neither": pl.Int64,
        "judged": pl.Int64,  # cases with different scores in which a judge decided one of the two
        "first_score": pl.Float64,
        "second_score": pl.Float64,
        "difference": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "p": pl.Float64,
        "test": pl.String,
        "smallest_gap": pl.Float64,
    }
)


@dataclass(frozen=True, slots=True)
class Columns:
    """Gives a list of rows the columns of a table, for its JSON Schema.

    Numbers with decimals may be null, and so may the columns named `nullable`. `more` holds the
    types of fields that only the JSON has.
    """

    table: pl.Schema
    nullable: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        types: dict[str, Any] = {}
        for name, column in self.table.items():
            plain = column.to_python()
            types[name] = plain | None if plain is float or name in self.nullable else plain
        fields = {
            name: core_schema.typed_dict_field(handler.generate_schema(type_))
            for name, type_ in (types | dict(self.more)).items()
        }
        return core_schema.list_schema(core_schema.typed_dict_schema(fields))


def _without(table: pl.Schema, *names: str) -> pl.Schema:
    return pl.Schema({name: column for name, column in table.items() if name not in names})


# ---------------------------------------------------------------- files


class DataFile(TypedDict):
    """A JSON file with the version of its format."""

    schema: Literal[1]


class SubmissionsFile(DataFile):
    """Who made each submission, and how. What a card does not say is null."""

    submissions: Annotated[Rows, Columns(SUBMISSIONS, OPTIONAL)]


class ScoresFile(DataFile):
    """Every score of the board. The category `*` is the whole suite."""

    scores: Annotated[Rows, Columns(SCORES, nullable=("rank_low", "rank_high"))]


class RanksFile(DataFile):
    """The range of ranks of every model and agent, in each suite and category."""

    ranks: Annotated[Rows, Columns(RANKS, RANKING)]


class UsageFile(DataFile):
    """What answering cost, per response: tokens, US dollars, seconds. Null if not reported."""

    usage: Annotated[Rows, Columns(USAGE)]


class SuitesFile(DataFile):
    """The suites of the board, in its order."""

    suites: Annotated[Rows, Columns(SUITES, ("best_of",))]


class AllFile(DataFile):
    """The ranking on all suites together, the best first."""

    suites: list[str]
    scores: Annotated[
        Rows, Columns(ALL, ("place", "status"), {"by_suite": dict[str, float | None]})
    ]


class CompareFile(DataFile):
    """Every pair of submissions that has a page of its own. Shares are of 1, p is two-sided."""

    pairs: Annotated[Rows, Columns(PAIRS)]


_Health = Annotated[Rows, Columns(HEALTH, ("solved_by", "same_answer_of", "reason", "detail"))]


class HealthFile(DataFile):
    """The health of a suite's cases, in the suite's order."""

    suite: str
    cases: _Health


class BoardHealthFile(DataFile):
    """The health of all cases of the board, in the order of its suites."""

    cases: _Health


class Standings(TypedDict):
    """A submission on a suite. Categories are named by id; `*` is the whole suite.

    `rank` is a range, null where the submission is not ranked. `by_metric` holds other metrics.
    """

    rank: tuple[int, int] | None
    by_category: dict[str, Score]
    by_metric: NotRequired[dict[str, dict[str, Score]]]
    trials: NotRequired[dict[str, tuple[Trials, ...]]]


class SuiteCategory(TypedDict):
    """A category: its weight in its suite's score, its judge prompt or null, and its cases."""

    category: str
    title: str
    weight: float
    prompt: str | None
    cases: list[str]


class TakerRow(Standings):
    """A submission that took the suite."""

    submission: str


class SuiteFile(DataFile):
    """A suite: what it holds and how the submissions did. The best score comes first.

    `metric` is the metric that is ranked.
    """

    suite: str
    title: str
    kind: str
    digest: str
    policy: dict[str, str]
    metric: str
    categories: list[SuiteCategory]
    scores: list[TakerRow]


class CategoryFile(DataFile, SuiteCategory):
    """A category: its weight in its suite's score, its judge prompt, its cases, and its scores.

    `metric` is the metric that is ranked.
    """

    suite: str
    metric: str
    scores: Annotated[Rows, Columns(_without(RANKED_SCORES, "suite", "category"), RANKING)]


class CallValue(TypedDict):
    """A tool call."""

    name: str
    arguments: dict[str, Json]
    result: NotRequired[Json]


class ResponseValue(TypedDict):
    """What a submission answered."""

    calls: list[CallValue]
    text: str | None
    error: NotRequired[str]
    malformed: NotRequired[str]
    state: NotRequired[Json]


class VerdictValue(TypedDict):
    """The verdict by the ranked metric."""

    outcome: Outcome
    reason: str
    detail: str
    decided_by: DecidedBy
    judge_calls: tuple[str, ...]


class AnswerValue(TypedDict):
    """An answer to a case, once, and who gave it with this verdict: trials by submission.

    `response` is null if these submissions have no record of the case. `further` holds the verdicts
    by other metrics. `imported_votes` are no verdicts of this board.
    """

    given_by: dict[str, list[int]]
    response: ResponseValue | None
    verdict: VerdictValue
    further: NotRequired[tuple[Finding, ...]]
    imported_votes: NotRequired[tuple[ImportedVote, ...]]


class ReferenceValue(TypedDict):
    """The gold APIs called with example values. It is no ground truth, and no score uses it."""

    about: str
    calls: list[CallValue]
    final_answer: str


class CaseFile(DataFile):
    """A case and every answer to it. `record` is the case as its file gives it."""

    suite: str
    category: str
    case: str
    digest: str
    record: dict[str, Json]
    answers: list[AnswerValue]
    reference_run: NotRequired[ReferenceValue]


class MistakeRow(TypedDict):
    """A verdict other than a pass."""

    suite: str
    case: str
    trial: int
    outcome: Outcome
    reason: str


class SubmissionDataFile(DataFile):
    """A submission: its scores by suite, and every verdict other than a pass."""

    submission: str
    name: str
    kind: SubmissionKind
    organization: str
    model: str
    date: str
    files: dict[str, str]
    scores: dict[str, Standings]
    mistakes: list[MistakeRow]


class SameAnswers(TypedDict):
    """How many answers are equal to the letter, of the cases and trials that both answered."""

    same: int
    of: int


class PairFile(DataFile):
    """Two submissions compared on one suite. Shares are of 1, p-values two-sided.

    `cases` lists the cases that one alone passes, and those that are unscored for one of them.
    """

    suite: str
    metric: str
    first: str
    second: str
    said: str
    whole: Paired
    categories: tuple[Paired, ...]
    same_answers: SameAnswers
    cases: dict[Standing, list[str]]


class JudgeValue(TypedDict):
    """A judge of the board."""

    judge: str
    provider: Provider
    model: str
    settings: dict[str, Json]


class JudgesFile(DataFile):
    """The judges, and how far they can be relied on. The judge `*` is the panel."""

    judges: list[JudgeValue]
    agreement: Annotated[Rows, Columns(AGREEMENT)]
    concordance: Annotated[Rows, Columns(CONCORDANCE)]
    corrected: Annotated[Rows, Columns(CORRECTED)]


class SnapshotFile(DataFile):
    """The board as it was.

    `taken` is the day of the snapshot, null if it was not recorded. `as_of` is the date of the
    newest submission.
    """

    snapshot: str
    sequence: int | None
    label: str | None
    taken: str | None
    as_of: str | None
    digest: str
    metrics: dict[str, str]
    scores: Annotated[Rows, Columns(SCORES, nullable=("rank_low", "rank_high"))]
    ranks: Annotated[Rows, Columns(RANKS, RANKING)]


class ManifestFile(Manifest):
    """A digest of every input of the scores; `digest` is of all of them together."""

    results: NotRequired[dict[str, str]]


class SchemaRow(TypedDict):
    """A schema, and the files that follow it: a path in which `*` is any name."""

    file: str
    schema: str
    says: str


class SchemasFile(DataFile):
    """The formats of this site's JSON files."""

    formats: list[SchemaRow]
