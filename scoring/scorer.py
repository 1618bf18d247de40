"""From responses to verdicts: rules first, then judges for what the rules leave open.

Each distinct response to a case is decided once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import filterfalse, product, repeat
from operator import attrgetter
from typing import Final

import polars as pl

from leaderboard.frames import RECORDS
from leaderboard.load import Contents
from leaderboard.types import (
    Ask,
    JudgeSettings,
    Prompt,
    Records,
    Referral,
    Response,
    Submission,
    Suite,
    Verdict,
)
from scoring.judging.labelled import Labelled, LabelRows, ask_labels
from scoring.judging.panel_questions import MissingCall, Panel, PanelQuestion
from scoring.rules import fail_unanswered
from scoring.tables.equal_answers import ANSWERS, AnswerDigests
from scoring.verdict_parts import (
    DISTINCT,
    FILES,
    GIVEN,
    REPLIES,
    VERDICT_ROWS,
    ScoredPart,
    records_of,
    stacked,
    verdicts_of,
)


@dataclass(frozen=True, slots=True)
class Scored:
    """The VERDICTS, RECORDS, ANSWERS and LABELLED frames, and the judge calls that are missing.

    `labels` has the rows of LABELLED by suite, with the replies that they rest on.
    """

    verdicts: pl.DataFrame
    records: pl.DataFrame
    answers: pl.DataFrame
    missing_calls: tuple[MissingCall, ...]
    labelled: pl.DataFrame
    labels: Mapping[str, LabelRows]


_CASE_ID: Final = attrgetter("case_id")


class _SuiteVerdicts:
    """The verdicts on one suite.

    `distinct` grows by the verdicts on each distinct response, one per metric. All suites of a
    `Scorer` share it. `first_rows` has the row where those on a response start, and
    `unanswered_row` the row where those on a case without a record start, `missing_trial_row` those
    on a trial without one of a case with others. `positions` are those of the cases in the suite.
    """

    def __init__(self, suite: Suite, distinct: list[Verdict]) -> None:
        self.suite = suite
        self.distinct = distinct
        self.first_rows: dict[Response, int] = {}
        self.answers = AnswerDigests(suite)
        self.positions = {case_id: place for place, case_id in enumerate(suite.by_id)}
        unanswered = fail_unanswered(suite)
        self.metrics = len(unanswered)
        self.unanswered_row = self.add(unanswered)
        self.missing_trial_row = self.add(fail_unanswered(suite, in_other_trials=True))

    def add(self, verdicts: Sequence[Verdict]) -> int:
        """Adds the verdicts on a response, one per metric. Returns the first one's row."""
        if len(verdicts) != self.metrics:
            kind, number = self.suite.kind.name, len(verdicts)
            raise ValueError(f"{kind}: {number} verdicts on an answer, by {self.metrics} metrics")
        row = len(self.distinct)
        self.distinct.extend(verdicts)
        return row

    def verdict_rows_of(self, records: Records) -> pl.DataFrame:
        """The VERDICT_ROWS of a file: every case and trial in the suite's order, every metric.

        Each case has as many trials as the submission's last one. A trial without a record fails,
        so that leaving out bad trials gains nothing.
        """
        trials, rows = self._trials_and_rows(records)
        frame = pl.DataFrame({"row": pl.Series(rows, dtype=pl.UInt32)}).with_row_index("attempt")
        attempt = pl.col("attempt")
        frame = frame.select(
            case=attempt // trials, trial=(attempt % trials + 1).cast(pl.Int32), row="row"
        )
        if self.metrics > 1:
            of_each_metric = pl.int_ranges("row", pl.col("row") + self.metrics, dtype=pl.UInt32)
            frame = frame.with_columns(row=of_each_metric).explode("row")
        return frame

    def _trials_and_rows(self, records: Records) -> tuple[int, list[int]]:
        """The number of trials, and the first row of every case and trial in the suite's order."""
        rows = map(self.first_rows.__getitem__, records.responses)
        case_ids = list(map(_CASE_ID, records.responses))
        if len(set(case_ids)) == len(case_ids) and set(records.trials) <= {1}:
            # The usual case of one trial, without a key for each trial.
            by_case = dict(zip(case_ids, rows, strict=True))
            return 1, list(map(by_case.get, self.positions, repeat(self.unanswered_row)))
        by_trial = dict(zip(zip(case_ids, records.trials, strict=True), rows, strict=True))
        trials = max(records.trials)
        missing = dict.fromkeys(self.positions, self.unanswered_row)
        missing |= dict.fromkeys(case_ids, self.missing_trial_row)
        wanted = product(self.positions, range(1, trials + 1))
        return trials, [by_trial.get(attempt, missing[attempt[0]]) for attempt in wanted]

    def given_of(self, records: Records) -> pl.DataFrame:
        """The GIVEN rows of a file."""
        responses = records.responses
        columns = {
            "case": list(map(self.positions.__getitem__, map(_CASE_ID, responses))),
            "trial": records.trials,
            "error": [response.error is not None for response in responses],
            "input_tokens": records.input_tokens,
            "output_tokens": records.output_tokens,
            "cost_usd": records.cost_usd,
            "latency_s": records.latency_s,
            "answer": self.answers.of(responses),
        }
        return pl.DataFrame(columns, schema=GIVEN)


@dataclass(slots=True)
class Scorer:
    """Scores submissions, one (submission, suite) at a time, and remembers what it decided."""

    prompts: Mapping[tuple[str, str], Prompt]
    panel: Sequence[JudgeSettings]
    ask: Ask
    _suites: dict[str, _SuiteVerdicts] = field(default_factory=dict)
    _distinct: list[Verdict] = field(default_factory=list)
    _missing_calls: dict[MissingCall, None] = field(default_factory=dict)
    _replies: dict[tuple[str, str], str] = field(default_factory=dict)
    _files: list[tuple[str, str, int, int]] = field(default_factory=list)
    _verdict_rows: list[pl.DataFrame] = field(default_factory=list)
    _given: list[pl.DataFrame] = field(default_factory=list)

    def score(self, submission: Submission, suite: Suite, records: Records) -> None:
        """Decides every case of a suite for one submission. A case with no record fails."""
        if suite.id not in self._suites:
            self._suites[suite.id] = _SuiteVerdicts(suite, self._distinct)
        verdicts = self._suites[suite.id]
        pending: dict[Response, list[Verdict | PanelQuestion]] = {}
        kind = suite.kind
        distinct = dict.fromkeys(records.responses)
        for response in filterfalse(verdicts.first_rows.__contains__, distinct):
            case = suite.by_id[response.case_id]
            findings = [
                PanelQuestion(case, finding) if isinstance(finding, Referral) else finding
                for finding in kind.decide(suite, case, kind.confirm(suite, case, response))
            ]
            decided = [f for f in findings if isinstance(f, Verdict)]
            if len(decided) == len(findings):
                verdicts.first_rows[response] = verdicts.add(decided)
            else:
                pending[response] = findings
        if pending:
            self._judge(submission, verdicts, pending)
        rows, given = verdicts.verdict_rows_of(records), verdicts.given_of(records)
        self._verdict_rows.append(rows)
        self._given.append(given)
        self._files.append((submission.id, suite.id, rows.height, given.height))

    def _judge(
        self,
        submission: Submission,
        verdicts: _SuiteVerdicts,
        pending: Mapping[Response, Sequence[Verdict | PanelQuestion]],
    ) -> None:
        """Asks the panel everything that one submission leaves open, in one go."""
        suite = verdicts.suite
        questions = [
            f for findings in pending.values() for f in findings if isinstance(f, PanelQuestion)
        ]
        panel = Panel(self.prompts, self.panel, self.ask, self._replies)
        panel.put(submission.id, suite, questions)
        for asked in questions:
            self._missing_calls.update(dict.fromkeys(asked.missing_calls(submission.id, suite.id)))
        for response, findings in pending.items():
            settled = [f.settle() if isinstance(f, PanelQuestion) else f for f in findings]
            verdicts.first_rows[response] = verdicts.add(settled)

    def finish(self) -> ScoredPart:
        """Everything that was decided, with the files in the order of the `score` calls."""
        return ScoredPart(
            files=pl.DataFrame(self._files, schema=FILES, orient="row"),
            verdict_rows=stacked(self._verdict_rows, VERDICT_ROWS),
            distinct=_frame(self._distinct),
            given=stacked(self._given, GIVEN),
            replies=pl.DataFrame(
                [(*asked, text) for asked, text in self._replies.items()], REPLIES, orient="row"
            ),
            missing_calls=tuple(self._missing_calls),
        )


def _frame(verdicts: Sequence[Verdict]) -> pl.DataFrame:
    columns = {name: list(map(attrgetter(name), verdicts)) for name in DISTINCT}
    return pl.DataFrame(columns, schema=DISTINCT)


Work = tuple[Submission, Suite]
Progress = Callable[[Sequence[Work]], AbstractContextManager[Iterable[Work]]]


def score_all(contents: Contents, panel: Sequence[JudgeSettings], ask: Ask) -> Scored:
    """Decides every response of every submission, and asks the judges about the labelled set."""
    return scored_board(contents, score_files(contents, panel, ask), panel, ask)


def score_files(
    contents: Contents,
    panel: Sequence[JudgeSettings],
    ask: Ask,
    *,
    progress: Progress = nullcontext,
    first: Collection[str] = (),
) -> ScoredPart:
    """Decides every response whose records are loaded.

    `progress` wraps the list of submissions and suites, for a progress bar. Equal responses are
    judged once, under the submission that is decided before the others: one of `first`, if any.
    """
    work = [
        (submission, suite)
        for submission in contents.submissions
        for suite in contents.suites
        if (submission.id, suite.id) in contents.records
    ]
    work.sort(key=lambda one: one[0].id not in first)
    scorer = Scorer(contents.prompts, panel, ask)
    with progress(work) as steps:
        for submission, suite in steps:
            scorer.score(submission, suite, contents.records[submission.id, suite.id])
    return scorer.finish()


def scored_board(
    contents: Contents,
    part: ScoredPart,
    panel: Sequence[JudgeSettings],
    ask: Ask,
    *,
    decided: Mapping[str, LabelRows] | None = None,
) -> Scored:
    """The tables of all files, and what the judges say about the labelled set.

    The labelled pairs of suites in `decided` are not decided again.
    """
    labelled = ask_labels(
        contents.labels,
        {suite.id: suite for suite in contents.suites},
        contents.prompts,
        panel,
        ask,
        decided=decided,
    )
    return frames_of(part, contents.suites, labelled)


def frames_of(part: ScoredPart, suites: Sequence[Suite], labelled: Labelled) -> Scored:
    """The tables of all files."""
    records = records_of(part, suites)
    return Scored(
        verdicts=verdicts_of(part, suites),
        records=records.select(list(RECORDS)),
        answers=records.select(list(ANSWERS)),
        missing_calls=(*part.missing_calls, *labelled.missing_calls),
        labelled=labelled.frame,
        labels=labelled.by_suite,
    )
