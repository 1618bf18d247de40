"""The formats of the site's JSON files, as models from which their JSON Schemas are made.

`schema` is the version of a file's format. It rises when a field goes, is named anew or means something else; a new field does
not raise it, so readers should pass over fields that they do not know.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from leaderboard.board.comparison import Standing
from leaderboard.types import DecidedBy, Json, Outcome, Provider, SubmissionKind

Range = tuple[int, int]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _File(_Model):
    schema_: Literal[1] = Field(alias="schema", description="The version of this format.")


class Score(_Model):
    """Verdicts of one metric as a score. Shares are 0..1; `score` is null where nothing is scored."""

    cases: int
    scored: int
    unscored: int
    score: float | None
    low: float | None = Field(description="Of the 95 % interval.")
    high: float | None
    judged_share: float | None = Field(
        description="Of the scored verdicts, those that a judge decided."
    )
    rules_only: float | None = Field(
        description="The score if every answer that needs a judge counted as not passed."
    )
    missing: int = Field(
        description="Cases that the submission holds no record of; they count as fails."
    )


class Trials(_Model):
    """How often k trials of a case are all passes (`hat`), and how often one at least is (`at`): means over cases."""

    k: int
    cases: int
    hat: float
    at: float


class Standings(_Model):
    """A submission on a suite. Categories are named by id; `*` is the whole suite."""

    rank: Range | None = Field(
        description="The range of ranks, null for baselines and what is incomplete."
    )
    by_category: dict[str, Score]
    by_metric: dict[str, dict[str, Score]] | None = Field(
        None, description="The other metrics, by category."
    )
    trials: dict[str, list[Trials]] | None = None


class ScoreRow(_Model):
    """One row of SCORES."""

    submission: str
    suite: str
    category: str = Field(description="A category's id, or * for the whole suite.")
    metric: str
    cases: int
    scored: int
    unscored: int
    score: float | None
    low: float | None
    high: float | None
    judged_share: float | None
    rules_only_score: float | None


class ScoresFile(_File):
    """Every score of the board."""

    scores: list[ScoreRow]


class UsageRow(_Model):
    """What answering a suite cost, per response: tokens, US dollars, seconds. Null where it is not told."""

    submission: str
    suite: str
    responses: int
    trials: int
    errors: int
    input_tokens: float | None
    output_tokens: float | None
    cost_usd: float | None
    latency_mean: float | None
    latency_sd: float | None
    latency_p50: float | None
    latency_p95: float | None


class UsageFile(_File):
    """What answering cost."""

    usage: list[UsageRow]


class SuiteCategory(_Model):
    """A category with its weight in the suite's score, the judge prompt it may need, and its cases."""

    category: str
    title: str
    weight: float
    prompt: str | None
    cases: list[str]


class TakerRow(Standings):
    """A submission that took the suite."""

    submission: str


class SuiteFile(_File):
    """A suite: what it holds and how the submissions did. The best score comes first."""

    suite: str
    title: str
    kind: str
    digest: str
    policy: dict[str, str]
    metric: str = Field(description="The metric that is ranked.")
    categories: list[SuiteCategory]
    scores: list[TakerRow]


class SuiteRow(_Model):
    """A suite: what it holds, who took it, and the best score, baselines aside."""

    suite: str
    title: str
    kind: str
    metric: str = Field(description="The metric that is ranked.")
    categories: int
    cases: int
    submissions: int
    baselines: int
    best: float | None
    best_of: str | None


class SuitesFile(_File):
    """The suites of the board, in its order."""

    suites: list[SuiteRow]


class CategoryRow(_Model):
    """The score of a submission in a category by a metric, with its range of ranks, which the ranked metric alone has."""

    submission: str
    metric: str
    cases: int
    scored: int
    unscored: int
    score: float | None
    low: float | None
    high: float | None
    judged_share: float | None
    rules_only_score: float | None
    rank_low: int | None
    rank_high: int | None


class CategoryFile(_File):
    """A category: its weight in its suite's score, the judge prompt it may need, its cases, and every score in it."""

    suite: str
    category: str
    title: str
    weight: float
    prompt: str | None
    metric: str = Field(description="The metric that is ranked.")
    cases: list[str]
    scores: list[CategoryRow]


class AllRow(_Model):
    """A submission on all suites together. Only one that has a full score on each has a score, with its place."""

    submission: str
    place: int | None = Field(
        description="1 + the number of submissions with a higher score; null for baselines."
    )
    suites: int = Field(
        description="Suites taken, to which the counts of cases and verdicts belong."
    )
    cases: int
    scored: int
    unscored: int
    score: float | None = Field(description="The mean of the scores of the suites.")
    low: float | None
    high: float | None
    judged_share: float | None
    by_suite: dict[str, float | None]


class AllFile(_File):
    """The ranking on all suites together, the best first."""

    suites: list[str]
    scores: list[AllRow]


class CallValue(_Model):
    """A tool call."""

    name: str
    arguments: dict[str, Json]
    result: Json = None


class ResponseValue(_Model):
    """What was answered."""

    calls: list[CallValue]
    text: str | None
    error: str | None = None
    malformed: str | None = None
    state: Json = None


class VerdictValue(_Model):
    """The verdict by the ranked metric."""

    outcome: Outcome
    reason: str
    detail: str
    decided_by: DecidedBy
    judge_calls: list[str]


class FurtherVerdict(_Model):
    """The verdict by another metric."""

    metric: str
    outcome: Outcome
    score: float | None
    reason: str
    detail: str
    decided_by: DecidedBy


class ImportedVoteValue(_Model):
    """What another judge said of an answer before it was imported: no verdict of this board, and in no score."""

    status: str | None = Field(
        description="solved, unsure or unsolved; null where it could not be read."
    )
    by: str = Field(description="How it was decided: judge, official or heuristic.")
    round: int
    judge: str | None
    reason: str
    file: str = Field(description="The imported file that holds it.")


class AnswerValue(_Model):
    """One answer to a case. `response` is null where no record was sent."""

    submission: str
    trial: int
    response: ResponseValue | None
    verdict: VerdictValue
    further: list[FurtherVerdict] | None = None
    imported_votes: list[ImportedVoteValue] | None = None


class ReferenceValue(_Model):
    """The gold APIs called with example values: no ground truth, and nothing rests on it."""

    about: str
    calls: list[CallValue]
    final_answer: str


class CaseFile(_File):
    """A case and every answer to it. `record` is the case as its file gives it."""

    suite: str
    category: str
    case: str
    digest: str
    record: dict[str, Json]
    answers: list[AnswerValue]
    reference_run: ReferenceValue | None = None


class MistakeRow(_Model):
    """A verdict that is no pass."""

    suite: str
    case: str
    trial: int
    outcome: Outcome
    reason: str


class SubmissionFile(_File):
    """A submission: its scores by suite, and every verdict that is no pass."""

    submission: str
    name: str
    kind: SubmissionKind
    organization: str
    model: str
    date: str
    files: dict[str, str]
    scores: dict[str, Standings]
    mistakes: list[MistakeRow]


class PairedLine(_Model):
    """Two submissions on the cases of one category, or of the whole suite (*): shares of 1, p-values two-sided."""

    category: str
    cases: int
    shared: int = Field(description="Cases that have a score for both, on which all else rests.")
    unscored: int
    both: int
    only_first: int
    only_second: int
    neither: int
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    holm: float | None = Field(
        description="p corrected for testing all categories; null for the whole suite."
    )
    test: str
    smallest_gap: float | None


class SameAnswers(_Model):
    """How many answers are the same to the letter, of how many that both gave."""

    same: int
    of: int


class PairFile(_File):
    """Two submissions compared on one suite; `cases` are those that one alone passes, and those unscored for one of them."""

    suite: str
    metric: str
    first: str
    second: str
    said: str
    whole: PairedLine
    categories: list[PairedLine]
    same_answers: SameAnswers
    cases: dict[Standing, list[str]]


class PairRow(_Model):
    """Two submissions on the cases of a suite: shares of 1, p-value two-sided."""

    suite: str
    metric: str
    first: str
    second: str
    cases: int
    shared: int = Field(description="Cases that have a score for both, on which all else rests.")
    unscored: int
    both: int
    only_first: int
    only_second: int
    neither: int
    first_score: float | None
    second_score: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    test: str
    smallest_gap: float | None


class CompareFile(_File):
    """Every pair of submissions that has a page of its own."""

    pairs: list[PairRow]


class JudgeValue(_Model):
    """A judge of the board."""

    judge: str
    provider: Provider
    model: str
    settings: dict[str, Json]


class AgreementRow(_Model):
    """A judge (* for the panel) against the labelled pairs of a category, a suite or all suites (*): counts, shares of 1."""

    judge: str
    suite: str
    category: str
    pairs: int
    graded: int = Field(
        description="Pairs with a grade that is not unsure, of which all shares are."
    )
    agreement: float | None
    low: float | None
    high: float | None
    expected: float | None = Field(description="The agreement to be expected by chance.")
    kappa: float | None
    sensitivity: float | None
    sensitivity_low: float | None
    sensitivity_high: float | None
    specificity: float | None
    specificity_low: float | None
    specificity_high: float | None
    true_equivalent: int
    false_different: int
    false_equivalent: int
    true_different: int
    unparseable: int
    missing: int
    unsure: int


class ConcordanceRow(_Model):
    """Two judges on the labelled pairs that both graded."""

    judge: str
    other: str
    suite: str
    category: str
    pairs: int
    agreement: float | None
    low: float | None
    high: float | None
    kappa: float | None


class CorrectedRow(_Model):
    """A score with the judged passes corrected by how the panel errs on the labelled set."""

    submission: str
    suite: str
    category: str
    metric: str
    judged: int
    passed: int
    score: float | None
    corrected: float | None
    low: float | None
    high: float | None


class JudgesFile(_File):
    """The judges, and how far they can be relied on."""

    judges: list[JudgeValue]
    agreement: list[AgreementRow]
    concordance: list[ConcordanceRow]
    corrected: list[CorrectedRow]


class HealthCase(_Model):
    """What all models and agents together say of a case."""

    suite: str
    category: str
    case_id: str
    submissions: int
    score: float | None
    solved: int
    solved_by: str | None
    tau: float | None
    tau_p: float | None
    same_answer: int
    same_answer_of: str | None
    suspect: bool
    reason: str | None
    detail: str | None


class HealthFile(_File):
    """The health of a suite's cases, in the suite's order."""

    suite: str
    cases: list[HealthCase]


class BoardHealthFile(_File):
    """The health of all cases of the board, in the order of its suites."""

    cases: list[HealthCase]


class RankRow(_Model):
    """A range of ranks."""

    suite: str
    category: str
    submission: str
    rank_low: int
    rank_high: int


class SnapshotFile(_File):
    """The board as it was."""

    snapshot: str
    sequence: int | None
    label: str | None
    taken: str | None = Field(
        None, description="The day on which it was kept, null where that was not recorded."
    )
    as_of: str | None = Field(description="The date of its newest submission.")
    digest: str
    metrics: dict[str, str]
    scores: list[ScoreRow]
    ranks: list[RankRow]


class _Digested(BaseModel):
    digest: str


class ManifestFile(BaseModel):
    """A digest of every input that a score rests on; `digest` is of all of them together."""

    schema_: Literal[1] = Field(alias="schema", description="The version of this format.")
    digest: str
    suites: dict[str, _Digested]
    prompts: dict[str, str]
    judges: dict[str, _Digested]
    submissions: dict[str, dict[str, str]]
    cassettes: dict[str, str]


class ShieldFile(_Model):
    """What shields.io reads for an endpoint badge; `schemaVersion` is theirs."""

    schema_version: Literal[1] = Field(alias="schemaVersion")
    label: str
    message: str
    color: str


class SchemaRow(_Model):
    """A schema, and the files that follow it: a path in which `*` stands for any names."""

    file: str
    schema_: str = Field(alias="schema")
    says: str


class SchemasFile(_File):
    """The formats of this site's JSON files."""

    formats: list[SchemaRow]
