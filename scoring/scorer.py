"""From responses to verdicts: rules first, then judges for what the rules leave open.

Each distinct response to a case is decided once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import polars as pl

from leaderboard.frames import LABELLED, RECORDS, VERDICTS
from leaderboard.load import Contents
from leaderboard.types import (
    Ask,
    Confirm,
    Decision,
    JudgeSettings,
    Prompt,
    Records,
    Referral,
    Response,
    Submission,
    Suite,
    Verdict,
    by_rule,
)
from scoring.judging.labelled import ask_labels
from scoring.judging.panel import Missing, Panel, Referred
from scoring.rules import missing
from scoring.tables.bulk_series import chained, repeated


@dataclass(frozen=True, slots=True)
class Scored:
    """The VERDICTS, RECORDS and LABELLED frames, and the judge calls that are missing."""

    verdicts: pl.DataFrame
    records: pl.DataFrame
    missing: tuple[Missing, ...]
    labelled: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=LABELLED))


@dataclass(slots=True)
class _SuiteVerdicts:
    """The verdicts on one suite.

    `table` holds the verdicts on each distinct response once, one per metric, and `known` where
    they start. Placement is stored column-wise: for each case and trial of each submission,
    `cases` has the case, `trials` the trial and `starts` where its verdicts start in `table`.
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
        verdicts = [by_rule(decision) for decision in missing(self.suite)]
        self.metrics = len(verdicts)
        self.unanswered = self.add(verdicts)

    def add(self, verdicts: Sequence[Verdict]) -> int:
        """Adds the verdicts on a response, one per metric. Returns where they start."""
        if len(verdicts) != self.metrics:
            kind, number = self.suite.kind.name, len(verdicts)
            raise ValueError(f"{kind}: {number} verdicts on an answer, by {self.metrics} metrics")
        start = len(self.table)
        self.table.extend(verdicts)
        return start

    def place(self, records: Records) -> int:
        """Places every case and trial of a submission in the suite's order. Returns the rows.

        Each case has as many trials as the submission's last one. A trial without a record fails,
        so that leaving out bad trials gains nothing.
        """
        before = len(self.starts)
        starts = list(map(self.known.__getitem__, records.responses))
        case_ids = [response.case_id for response in records.responses]
        by_case = dict(zip(case_ids, starts, strict=True))
        if len(by_case) == len(case_ids) and set(records.trials) <= {1}:
            # The usual case of one trial, without a key for each trial.
            get, unanswered = by_case.get, self.unanswered
            self.starts.extend([get(case_id, unanswered) for case_id in self.suite.by_id])
            self.cases.extend(range(len(self.suite.by_id)))
            self.trials.extend([1] * len(self.suite.by_id))
        else:
            by_trial = dict(zip(zip(case_ids, records.trials, strict=True), starts, strict=True))
            trials = range(1, max(records.trials) + 1)
            for number, case_id in enumerate(self.suite.by_id):
                for trial in trials:
                    self.starts.append(by_trial.get((case_id, trial), self.unanswered))
                self.cases.extend([number] * len(trials))
                self.trials.extend(trials)
        return (len(self.starts) - before) * self.metrics

    def frame(self) -> pl.DataFrame:
        """The VERDICTS of all submissions in order, without the column that names them."""
        places = pl.Series(self.cases, dtype=pl.UInt32)
        cases = pl.DataFrame(
            [(case.category, case.id) for case in self.suite.by_id.values()],
            schema={"category": pl.String, "case_id": pl.String},
            orient="row",
        ).select(pl.all().gather(places))
        columns = [
            pl.Series("row", self.starts, pl.UInt32),
            pl.Series("trial", self.trials, pl.Int32),
        ]
        frame = pl.DataFrame(columns).hstack(cases.get_columns())
        if self.metrics > 1:
            steps = pl.int_ranges("row", pl.col("row") + self.metrics, dtype=pl.UInt32)
            frame = frame.with_columns(row=steps).explode("row")
        verdicts = _verdict_table(self.table).select(pl.all().gather(frame["row"]))
        frame = frame.drop("row").hstack(verdicts.get_columns())
        return frame.with_columns(suite=pl.lit(self.suite.id))


class _ScoredFile(NamedTuple):
    """A responses file that was scored, and its number of verdicts."""

    submission: str
    suite: str
    records: Records
    verdicts: int


@dataclass(slots=True)
class Scorer:
    """Scores submissions, one (submission, suite) at a time, and remembers what it decided."""

    prompts: Mapping[tuple[str, str], Prompt]
    panel: Sequence[JudgeSettings]
    ask: Ask
    confirm: Confirm
    _suites: dict[str, _SuiteVerdicts] = field(default_factory=dict)
    _missing: dict[Missing, None] = field(default_factory=dict)
    _files: list[_ScoredFile] = field(default_factory=list)

    def score(self, submission: Submission, suite: Suite, records: Records) -> None:
        """Decides every case of a suite for one submission. A case with no record fails."""
        if suite.id not in self._suites:
            self._suites[suite.id] = _SuiteVerdicts(suite)
        verdicts = self._suites[suite.id]
        pending: dict[Response, list[Decision | Referred]] = {}
        for response in dict.fromkeys(records.responses):
            if response in verdicts.known:
                continue
            case = suite.by_id[response.case_id]
            confirmed = self.confirm(suite, case, response)
            findings = [
                Referred(case, finding) if isinstance(finding, Referral) else finding
                for finding in suite.kind.decide(suite, case, confirmed)
            ]
            decided = [by_rule(f) for f in findings if isinstance(f, Decision)]
            if len(decided) == len(findings):
                verdicts.known[response] = verdicts.add(decided)
            else:
                pending[response] = findings
        if pending:
            self._judge(submission, verdicts, pending)
        number = verdicts.place(records)
        self._files.append(_ScoredFile(submission.id, suite.id, records, number))

    def _judge(
        self,
        submission: Submission,
        verdicts: _SuiteVerdicts,
        pending: Mapping[Response, Sequence[Decision | Referred]],
    ) -> None:
        """Asks the panel everything that one submission leaves open, in one go."""
        suite = verdicts.suite
        referred = [f for findings in pending.values() for f in findings if isinstance(f, Referred)]
        Panel(self.prompts, self.panel, self.ask).put(submission.id, suite, referred)
        for asked in referred:
            self._missing.update(dict.fromkeys(asked.missing(submission.id, suite.id)))
        for response, findings in pending.items():
            settled = [f.settle() if isinstance(f, Referred) else by_rule(f) for f in findings]
            verdicts.known[response] = verdicts.add(settled)

    def finish(self) -> Scored:
        """All frames, in the order of the `score` calls, then by case and trial."""
        return Scored(self._verdicts(), _records_frame(self._files), tuple(self._missing))

    def _verdicts(self) -> pl.DataFrame:
        blocks = []
        rest = {suite_id: verdicts.frame() for suite_id, verdicts in self._suites.items()}
        for file in self._files:
            frame = rest[file.suite]
            blocks.append(frame.head(file.verdicts))
            rest[file.suite] = frame.slice(file.verdicts)
        if not blocks:
            return pl.DataFrame(schema=VERDICTS)
        names = [file.submission for file in self._files]
        submissions = repeated("submission", names, [block.height for block in blocks])
        return pl.concat(blocks).with_columns(submissions).select(list(VERDICTS))


def _verdict_table(verdicts: Sequence[Verdict]) -> pl.DataFrame:
    names = ("metric", "outcome", "score", "reason", "detail", "decided_by", "judge_call")
    columns = {name: [getattr(verdict, name) for verdict in verdicts] for name in names}
    return pl.DataFrame(columns, schema={name: VERDICTS[name] for name in names})


def _records_frame(files: Sequence[_ScoredFile]) -> pl.DataFrame:
    records = [file.records for file in files]
    lengths = list(map(len, records))
    responses = [one.responses for one in records]
    case_ids = ([response.case_id for response in some] for some in responses)
    errors = ([response.error is not None for response in some] for some in responses)
    columns = [
        repeated("submission", [file.submission for file in files], lengths),
        repeated("suite", [file.suite for file in files], lengths),
        chained("case_id", case_ids, pl.String),
        chained("trial", (one.trials for one in records), pl.Int32),
        chained("error", errors, pl.Boolean),
        chained("input_tokens", (one.input_tokens for one in records), pl.Int64),
        chained("output_tokens", (one.output_tokens for one in records), pl.Int64),
        chained("cost_usd", (one.cost_usd for one in records), pl.Float64),
        chained("latency_s", (one.latency_s for one in records), pl.Float64),
    ]
    return pl.DataFrame(columns, schema=RECORDS)


Work = tuple[Submission, Suite]


def score_all(
    contents: Contents,
    panel: Sequence[JudgeSettings],
    ask: Ask,
    confirm: Confirm,
    *,
    progress: Callable[[Sequence[Work]], AbstractContextManager[Iterable[Work]]] = nullcontext,
) -> Scored:
    """Decides every response of every submission, and asks the judges about the labelled set.

    Rules and judges see each response as `confirm` returns it.
    `progress` wraps the list of submissions and suites, for a progress bar.
    """
    scorer = Scorer(contents.prompts, panel, ask, confirm)
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
    labelled = ask_labels(contents.labels, suites, contents.prompts, panel, ask, confirm=confirm)
    missing_calls = (*scored.missing, *labelled.missing)
    return replace(scored, labelled=labelled.frame, missing=missing_calls)
