"""From responses to verdicts: rules first, a judge for what is left, each distinct answer to a case decided once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from leaderboard.frames import LABELLED, RECORDS, VERDICTS
from leaderboard.types import (
    Ask,
    Case,
    Decision,
    JudgeCall,
    JudgeReply,
    JudgeSettings,
    Prompt,
    Record,
    Referral,
    Response,
    Submission,
    Suite,
    Verdict,
)
from scoring import status
from scoring.judge import render, settle
from scoring.rules import RULES, missing

_PLACES = {"category": pl.String, "case_id": pl.String, "trial": pl.Int32, "row": pl.UInt32}

# Equal answers to a case share one Response object: its identity is the answer's.
_Answer = int


@dataclass(frozen=True, slots=True)
class Missing:
    """A judge call that no cassette holds: who needs it, and which recorded call comes closest."""

    submission: str
    suite: str
    case_id: str
    judge: str
    reply: JudgeReply


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
    """The verdicts of one suite: each distinct answer's, once, in `table`; `rows` says which stands where."""

    suite: Suite
    table: list[Verdict] = field(default_factory=list)
    known: dict[_Answer, range] = field(default_factory=dict)
    kept: list[Response] = field(default_factory=list)  # what is known by identity must stay alive
    unanswered: range = range(0)
    # The columns that every submission with one answer to each case shares.
    once: pl.DataFrame = field(init=False)

    def __post_init__(self) -> None:
        self.unanswered = self.add([_ruled(decision) for decision in missing(self.suite.kind, self.suite.policy)])
        places = [(case.category, case.id) for case in self.suite.cases for _ in self.unanswered]
        frame = pl.DataFrame(places, schema={"category": pl.String, "case_id": pl.String}, orient="row")
        self.once = frame.with_columns(trial=pl.lit(1, pl.Int32))

    def add(self, verdicts: Sequence[Verdict]) -> range:
        start = len(self.table)
        self.table.extend(verdicts)
        return range(start, len(self.table))


@dataclass(frozen=True, slots=True)
class _Columns:
    """The records of one responses file, turned on their side: a million of them are read faster by column."""

    responses: Sequence[Response] = ()
    trials: Sequence[int] = ()
    input_tokens: Sequence[int | None] = ()
    output_tokens: Sequence[int | None] = ()
    cost_usd: Sequence[float | None] = ()
    latency_s: Sequence[float | None] = ()

    def case_ids(self) -> list[str]:
        return [response.case_id for response in self.responses]


@dataclass(frozen=True, slots=True)
class _Pending:
    """An answer whose verdicts wait for a judge."""

    case: Case
    response: Response
    findings: tuple[Decision | Referral, ...]

    @property
    def referrals(self) -> Iterator[Referral]:
        return (finding for finding in self.findings if isinstance(finding, Referral))


@dataclass(slots=True)
class _Referred:
    """A finding that the judges are asked about, and what each of them replied, in the order asked."""

    case: Case
    finding: Referral
    given: Mapping[str, list[JudgeReply]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Voter:
    """A judge of the panel, or a judge in one of several rounds, which differs from the others by its seed."""

    name: str
    judge: JudgeSettings


def _in_rounds(judge: JudgeSettings, rounds: int) -> Iterator[_Voter]:
    yield _Voter(judge.name, judge)
    seed = judge.settings.get("seed")
    first = seed if isinstance(seed, int) else 0
    for number in range(1, rounds):
        again = replace(judge, settings={**judge.settings, "seed": first + number})
        yield _Voter(f"{judge.name}, round {number + 1}", again)


@dataclass(slots=True)
class Scorer:
    """Scores submissions, one (submission, suite) at a time; remembers what it has decided."""

    suites: Mapping[str, Suite]
    prompts: Mapping[tuple[str, str], Prompt]
    panel: Sequence[JudgeSettings]
    ask: Ask
    _decided: dict[str, _Decided] = field(default_factory=dict)
    _missing: dict[Missing, None] = field(default_factory=dict)
    _voters: dict[int, tuple[_Voter, ...]] = field(default_factory=dict)
    _blocks: list[tuple[str, str, pl.DataFrame]] = field(default_factory=list)
    _records: list[pl.DataFrame] = field(default_factory=list)

    def score(self, submission: Submission, suite: Suite, records: Sequence[Record]) -> None:
        """Decides every case of a suite for one submission; a case with no record is a fail."""
        decided = self._decided.get(suite.id)
        if decided is None:
            decided = self._decided[suite.id] = _Decided(suite)
        columns = _Columns(*zip(*records, strict=True)) if records else _Columns()
        self._decide(submission, decided, columns.responses)
        self._blocks.append((submission.id, suite.id, _block(decided, columns)))
        self._records.append(_records_frame(submission, suite, columns))

    def _decide(self, submission: Submission, decided: _Decided, responses: Sequence[Response]) -> None:
        known, suite = decided.known, decided.suite
        rule = RULES[suite.kind]
        pending: dict[_Answer, _Pending] = {}
        fresh = {id(response): response for response in responses if id(response) not in known}
        decided.kept.extend(fresh.values())
        for answer, response in fresh.items():
            case = suite.by_id[response.case_id]
            findings = rule(suite, case, response)
            if any(isinstance(finding, Referral) for finding in findings):
                pending[answer] = _Pending(case, response, findings)
            else:
                known[answer] = decided.add([_ruled(f) for f in findings if isinstance(f, Decision)])
        if pending:
            self._judge(submission, decided, pending)

    def _judge(self, submission: Submission, decided: _Decided, pending: Mapping[_Answer, _Pending]) -> None:
        """Asks the panel everything that one submission leaves open, in one go; whoever is unsure once more, in another."""
        suite = decided.suite
        referred = [_Referred(waiting.case, finding) for waiting in pending.values() for finding in waiting.referrals]
        calls = [call for asked in referred for call in self._calls(submission, suite, asked)]
        replies = iter(self.ask(calls))
        for asked in referred:
            asked.given = {voter.name: [next(replies) for _ in asked.finding.questions] for voter in self._panel(suite, asked)}
        self._follow_up(submission, suite, referred)
        settled = iter([self._settle(submission, suite, asked) for asked in referred])
        for answer, waiting in pending.items():
            verdicts = [_ruled(f) if isinstance(f, Decision) else next(settled) for f in waiting.findings]
            decided.known[answer] = decided.add(verdicts)

    def _calls(self, submission: Submission, suite: Suite, asked: _Referred) -> Iterator[JudgeCall]:
        prompt = self.prompts[suite.id, asked.finding.prompt or suite.category(asked.case.category).prompt or ""]
        for voter in self._panel(suite, asked):
            for question in asked.finding.questions:
                yield JudgeCall(voter.judge, suite.id, submission.id, render(prompt, question))

    def _panel(self, suite: Suite, asked: _Referred) -> tuple[_Voter, ...]:
        """Who is asked: every judge once or, where a suite wants several rounds on whether a query is solved, once in each."""
        rounds = 1 if asked.finding.scale == "equivalence" else int(suite.policy.get("rounds", "1"))
        if rounds not in self._voters:
            self._voters[rounds] = tuple(voter for judge in self.panel for voter in _in_rounds(judge, rounds))
        return self._voters[rounds]

    def _follow_up(self, submission: Submission, suite: Suite, referred: Sequence[_Referred]) -> None:
        """Asks those who are unsure the second question, if there is one; what they reply comes behind the first reply."""
        calls, places = [], []
        for asked in referred:
            if asked.finding.then is None:
                continue
            prompt = self.prompts[suite.id, suite.category(asked.case.category).follow_up or ""]
            for voter in self._panel(suite, asked):
                given = asked.given[voter.name]
                if given[-1].text is not None and status.parse(given[-1].text) == "unsure":
                    calls.append(JudgeCall(voter.judge, suite.id, submission.id, render(prompt, asked.finding.then)))
                    places.append(given)
        for given, reply in zip(places, self.ask(calls) if calls else (), strict=True):
            given.append(reply)

    def _settle(self, submission: Submission, suite: Suite, asked: _Referred) -> Verdict:
        for judge, given in asked.given.items():
            for reply in given:
                if reply.text is None:
                    self._missing[Missing(submission.id, suite.id, asked.case.id, judge, reply)] = None
        finding = asked.finding
        if finding.scale == "equivalence":
            return settle(finding.metric, finding.detail, asked.given)
        unsure = 0.5 if finding.scale == "status" else 0.0
        return status.settle(finding.metric, finding.detail, asked.given, unsure=unsure)

    def finish(self) -> Scored:
        """Both frames, in the order of `score` calls; within one, by case and trial in the suite's order."""
        tables = {suite_id: _table(decided.table) for suite_id, decided in self._decided.items()}
        blocks = [
            block.drop("row")
            .hstack(tables[suite_id].select(pl.all().gather(block["row"])).get_columns())
            .with_columns(submission=pl.lit(submission_id), suite=pl.lit(suite_id))
            for submission_id, suite_id, block in self._blocks
        ]
        verdicts = pl.concat(blocks) if blocks else pl.DataFrame(schema=VERDICTS)
        records = pl.concat(self._records) if self._records else pl.DataFrame(schema=RECORDS)
        return Scored(verdicts.select(list(VERDICTS)), records, tuple(self._missing))


def _block(decided: _Decided, columns: _Columns) -> pl.DataFrame:
    """Where each verdict of one submission stands in the table, by case and trial in the suite's order."""
    case_ids = columns.case_ids()
    places = list(map(decided.known.__getitem__, map(id, columns.responses)))
    answers = dict(zip(case_ids, places, strict=True))
    if len(answers) == len(case_ids) and set(columns.trials) <= {1}:
        unanswered = decided.unanswered
        rows = [place for case_id in decided.suite.by_id for place in answers.get(case_id, unanswered)]
        return decided.once.with_columns(row=pl.Series(rows, dtype=pl.UInt32))
    return _block_of_trials(decided, dict(zip(zip(case_ids, columns.trials, strict=True), places, strict=True)))


def _block_of_trials(decided: _Decided, places: Mapping[tuple[str, int], range]) -> pl.DataFrame:
    """The same where cases were answered several times: every case has as many trials as the submission's last one.

    A trial without a record is a fail, so that leaving out the trials that went wrong gains nothing.
    """
    trials = range(1, max(trial for _, trial in places) + 1)
    rows = [
        (case.category, case.id, trial, place)
        for case in decided.suite.cases
        for trial in trials
        for place in places.get((case.id, trial), decided.unanswered)
    ]
    return pl.DataFrame(rows, schema=_PLACES, orient="row")


def _ruled(decision: Decision) -> Verdict:
    return Verdict(decision.metric, decision.outcome, decision.score, decision.reason, decision.detail, "rule")


_VERDICT_COLUMNS = ("metric", "outcome", "score", "reason", "detail", "decided_by", "judge_call")


def _table(verdicts: Sequence[Verdict]) -> pl.DataFrame:
    columns = {name: [getattr(verdict, name) for verdict in verdicts] for name in _VERDICT_COLUMNS}
    return pl.DataFrame(columns, schema={name: VERDICTS[name] for name in _VERDICT_COLUMNS})


def _records_frame(submission: Submission, suite: Suite, columns: _Columns) -> pl.DataFrame:
    told = {
        "case_id": columns.case_ids(),
        "trial": columns.trials,
        "error": [response.error is not None for response in columns.responses],
        "input_tokens": columns.input_tokens,
        "output_tokens": columns.output_tokens,
        "cost_usd": columns.cost_usd,
        "latency_s": columns.latency_s,
    }
    series = [pl.Series(name, values, dtype=RECORDS[name], strict=True) for name, values in told.items()]
    frame = pl.DataFrame(series)
    return frame.with_columns(submission=pl.lit(submission.id), suite=pl.lit(suite.id)).select(list(RECORDS))
