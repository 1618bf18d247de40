"""From responses to verdicts: rules first, a judge for what is left, each distinct answer to a case decided once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

import polars as pl

from leaderboard.frames import LABELLED, RECORDS, VERDICTS
from leaderboard.load import Contents
from leaderboard.types import (
    Ask,
    Case,
    Decision,
    JudgeSettings,
    Prompt,
    Records,
    Referral,
    Response,
    Submission,
    Suite,
    Verdict,
)
from scoring.judging.labelled import ask_labels
from scoring.judging.panel import Missing, Panel, Referred
from scoring.rules import missing
from scoring.tables.columns import chained, repeated


@dataclass(frozen=True, slots=True)
class Scored:
    """Everything that was decided: the VERDICTS and RECORDS frames, and the judge calls that are missing.

    `labelled` is the LABELLED frame: what the judges said of the labelled set.
    """

    verdicts: pl.DataFrame
    records: pl.DataFrame
    missing: tuple[Missing, ...]
    labelled: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=LABELLED))


@dataclass(slots=True)
class _Decided:
    """The verdicts of one suite: each distinct answer's, once, in `table`, one after another by metric.

    Which answer stands where is kept by column: of each answer its case, its trial and where its verdicts begin.
    """

    suite: Suite
    table: list[Verdict] = field(default_factory=list)
    known: dict[Response, int] = field(default_factory=dict)
    unanswered: int = 0
    metrics: int = 0
    cases: list[int] = field(default_factory=list)
    trials: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        verdicts = [_ruled(decision) for decision in missing(self.suite)]
        self.metrics = len(verdicts)
        self.unanswered = self.add(verdicts)

    def add(self, verdicts: Sequence[Verdict]) -> int:
        """Where the verdicts of an answer, one by each metric, begin in the table."""
        if len(verdicts) != self.metrics:
            raise ValueError(
                f"{self.suite.kind.name}: {len(verdicts)} verdicts on an answer, by {self.metrics} metrics"
            )
        start = len(self.table)
        self.table.extend(verdicts)
        return start

    def place(self, records: Records) -> int:
        """Notes every case and trial of one submission, in the suite's order; returns how many rows those are."""
        before = len(self.starts)
        starts = list(map(self.known.__getitem__, records.responses))
        case_ids = [response.case_id for response in records.responses]
        answers = dict(zip(case_ids, starts, strict=True))
        if len(answers) == len(case_ids) and set(records.trials) <= {1}:
            get, unanswered = answers.get, self.unanswered
            self.starts.extend([get(case_id, unanswered) for case_id in self.suite.by_id])
            self.cases.extend(range(len(self.suite.by_id)))
            self.trials.extend([1] * len(self.suite.by_id))
        else:
            self._place_trials(
                dict(zip(zip(case_ids, records.trials, strict=True), starts, strict=True))
            )
        return (len(self.starts) - before) * self.metrics

    def _place_trials(self, answers: Mapping[tuple[str, int], int]) -> None:
        """The same where cases were answered several times: every case has as many trials as the submission's last one.

        A trial without a record is a fail, so that leaving out the trials that went wrong gains nothing.
        """
        trials = range(1, max(trial for _, trial in answers) + 1)
        for number, case_id in enumerate(self.suite.by_id):
            self.starts.extend(answers.get((case_id, trial), self.unanswered) for trial in trials)
            self.cases.extend([number] * len(trials))
            self.trials.extend(trials)

    def frame(self) -> pl.DataFrame:
        """The VERDICTS of all submissions, one after another, without the column that names them."""
        columns = [
            pl.Series("row", self.starts, pl.UInt32),
            pl.Series("trial", self.trials, pl.Int32),
        ]
        places = pl.Series(self.cases, dtype=pl.UInt32)
        cases = pl.DataFrame(
            [(case.category, case.id) for case in self.suite.by_id.values()],
            schema={"category": pl.String, "case_id": pl.String},
            orient="row",
        )
        frame = pl.DataFrame(columns).hstack(cases.select(pl.all().gather(places)).get_columns())
        if self.metrics > 1:
            steps = pl.int_ranges("row", pl.col("row") + self.metrics, dtype=pl.UInt32)
            frame = frame.with_columns(row=steps).explode("row")
        verdicts = _table(self.table).select(pl.all().gather(frame["row"]))
        return (
            frame.drop("row")
            .hstack(verdicts.get_columns())
            .with_columns(suite=pl.lit(self.suite.id))
        )


@dataclass(frozen=True, slots=True)
class _File:
    """A responses file that was scored, and how many verdicts it has come to."""

    submission: str
    suite: str
    records: Records
    verdicts: int


@dataclass(frozen=True, slots=True)
class _Pending:
    """An answer whose verdicts wait for a judge."""

    case: Case
    findings: tuple[Decision | Referral, ...]

    @property
    def referrals(self) -> Iterator[Referral]:
        return (finding for finding in self.findings if isinstance(finding, Referral))


@dataclass(slots=True)
class Scorer:
    """Scores submissions, one (submission, suite) at a time; remembers what it has decided."""

    prompts: Mapping[tuple[str, str], Prompt]
    panel: Sequence[JudgeSettings]
    ask: Ask
    _decided: dict[str, _Decided] = field(default_factory=dict)
    _missing: dict[Missing, None] = field(default_factory=dict)
    _asking: Panel = field(init=False)
    _scored: list[_File] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._asking = Panel(self.prompts, self.panel, self.ask)

    def score(self, submission: Submission, suite: Suite, records: Records) -> None:
        """Decides every case of a suite for one submission; a case with no record is a fail."""
        decided = self._decided.get(suite.id)
        if decided is None:
            decided = self._decided[suite.id] = _Decided(suite)
        self._decide(submission, decided, records.responses)
        self._scored.append(_File(submission.id, suite.id, records, decided.place(records)))

    def _decide(
        self, submission: Submission, decided: _Decided, responses: Sequence[Response]
    ) -> None:
        known, suite = decided.known, decided.suite
        rule = suite.kind.decide
        pending: dict[Response, _Pending] = {}
        for response in dict.fromkeys(responses):
            if response in known:
                continue
            case = suite.by_id[response.case_id]
            findings = rule(suite, case, response)
            if any(isinstance(finding, Referral) for finding in findings):
                pending[response] = _Pending(case, findings)
            else:
                known[response] = decided.add(
                    [_ruled(f) for f in findings if isinstance(f, Decision)]
                )
        if pending:
            self._judge(submission, decided, pending)

    def _judge(
        self, submission: Submission, decided: _Decided, pending: Mapping[Response, _Pending]
    ) -> None:
        """Asks the panel everything that one submission leaves open, in one go; whoever is unsure once more, in another."""
        suite = decided.suite
        referred = [
            Referred(waiting.case, finding)
            for waiting in pending.values()
            for finding in waiting.referrals
        ]
        self._asking.put(submission.id, suite, referred)
        for asked in referred:
            self._missing.update(dict.fromkeys(asked.missing(submission.id, suite.id)))
        settled = iter([asked.settle() for asked in referred])
        for response, waiting in pending.items():
            verdicts = [
                _ruled(f) if isinstance(f, Decision) else next(settled) for f in waiting.findings
            ]
            decided.known[response] = decided.add(verdicts)

    def finish(self) -> Scored:
        """Both frames, in the order of `score` calls; within one, by case and trial in the suite's order."""
        return Scored(self._verdicts(), _records_frame(self._scored), tuple(self._missing))

    def _verdicts(self) -> pl.DataFrame:
        blocks = []
        rest = {suite_id: decided.frame() for suite_id, decided in self._decided.items()}
        for file in self._scored:
            frame = rest[file.suite]
            blocks.append(frame.head(file.verdicts))
            rest[file.suite] = frame.slice(file.verdicts)
        if not blocks:
            return pl.DataFrame(schema=VERDICTS)
        names = [file.submission for file in self._scored]
        submissions = repeated("submission", names, [block.height for block in blocks])
        return pl.concat(blocks).with_columns(submissions).select(list(VERDICTS))


def _ruled(decision: Decision) -> Verdict:
    return Verdict(
        decision.metric, decision.outcome, decision.score, decision.reason, decision.detail, "rule"
    )


_VERDICT_COLUMNS = ("metric", "outcome", "score", "reason", "detail", "decided_by", "judge_call")


def _table(verdicts: Sequence[Verdict]) -> pl.DataFrame:
    columns = {name: [getattr(verdict, name) for verdict in verdicts] for name in _VERDICT_COLUMNS}
    return pl.DataFrame(columns, schema={name: VERDICTS[name] for name in _VERDICT_COLUMNS})


def _records_frame(files: Sequence[_File]) -> pl.DataFrame:
    lengths = [len(file.records) for file in files]
    columns = [
        repeated("submission", [file.submission for file in files], lengths),
        repeated("suite", [file.suite for file in files], lengths),
        chained(
            "case_id",
            ([response.case_id for response in file.records.responses] for file in files),
            pl.String,
        ),
        chained("trial", (file.records.trials for file in files), pl.Int32),
        chained(
            "error",
            ([response.error is not None for response in file.records.responses] for file in files),
            pl.Boolean,
        ),
        chained("input_tokens", (file.records.input_tokens for file in files), pl.Int64),
        chained("output_tokens", (file.records.output_tokens for file in files), pl.Int64),
        chained("cost_usd", (file.records.cost_usd for file in files), pl.Float64),
        chained("latency_s", (file.records.latency_s for file in files), pl.Float64),
    ]
    return pl.DataFrame(columns, schema=RECORDS)


Work = tuple[Submission, Suite]


def score_all(
    contents: Contents,
    panel: Sequence[JudgeSettings],
    ask: Ask,
    *,
    progress: Callable[[Sequence[Work]], AbstractContextManager[Iterable[Work]]] = nullcontext,
) -> Scored:
    """Every response of every submission, decided, and what the judges say of the labelled set.

    `progress` wraps the list of what is to be scored, for a progress bar.
    """
    scorer = Scorer(contents.prompts, panel, ask)
    work = [
        (submission, suite)
        for submission in contents.submissions
        for suite in contents.suites
        if (submission.id, suite.id) in contents.records
    ]
    with progress(work) as steps:
        for submission, suite in steps:
            scorer.score(submission, suite, contents.records[submission.id, suite.id])
    scored = scorer.finish()
    suites = {suite.id: suite for suite in contents.suites}
    labelled = ask_labels(contents.labels.values(), suites, contents.prompts, panel, ask)
    missing_calls = (*scored.missing, *labelled.missing)
    return replace(scored, labelled=labelled.frame, missing=missing_calls)
