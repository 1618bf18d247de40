"""The judges at the labelled set: each pair put as a submission's answer would be, and what every judge says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from leaderboard.errors import FilesError, Problem
from leaderboard.files.label_files import RECORDED_AS, LabelledPair, LabelledSet
from leaderboard.frames import LABELLED
from leaderboard.types import Ask, Call, Case, JudgeSettings, Prompt, Referral, Response, Suite
from scoring.judging.panel import Missing, Panel, Referred

PANEL: Final = "*"  # the judge that stands for the panel as a whole

_REASONS: Final[Mapping[str, str]] = {
    "judge_equivalent": "equivalent",
    "judge_different": "different",
    "judge_solved": "solved",
    "judge_unsolved": "unsolved",
    "judge_unsure": "unsure",
    "judge_unparseable": "unparseable",
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the judges said: the LABELLED frame, and the judge calls that are missing."""

    frame: pl.DataFrame
    missing: tuple[Missing, ...]


def ask_labels(
    labels: Iterable[LabelledSet],
    suites: Mapping[str, Suite],
    prompts: Mapping[tuple[str, str], Prompt],
    panel: Sequence[JudgeSettings],
    ask: Ask,
) -> Labelled:
    """Puts every labelled pair to every judge of the panel; a row for each, and one for the panel as a whole.

    Rows stand in the order of the pairs, within one in the panel's order, the panel last. Raises FilesError for pairs that
    the rules do not leave to a judge.
    """
    put = _put(tuple(labels), suites)
    asking = Panel(prompts, panel, ask)
    for suite_id in dict.fromkeys(pair.suite for pair, _ in put):
        asking.put(
            RECORDED_AS, suites[suite_id], [asked for pair, asked in put if pair.suite == suite_id]
        )
    rows = [row for pair, asked in put for row in _rows(pair, asked, panel)]
    missing = [call for pair, asked in put for call in asked.missing(RECORDED_AS, pair.suite)]
    return Labelled(pl.DataFrame(rows, schema=LABELLED, orient="row"), tuple(missing))


def referral_of(suite: Suite, pair: LabelledPair) -> Referral | None:
    """What the suite's rule leaves to a judge, of the metric that is ranked, if a submission answers this; else None."""
    case = suite.by_id[pair.case_id]
    for finding in suite.kind.decide(suite, case, _response(case, pair)):
        if finding.metric == suite.kind.ranked and isinstance(finding, Referral):
            return finding
    return None


def decided_pairs(
    labels: Iterable[LabelledSet], suites: Mapping[str, Suite]
) -> tuple[Problem, ...]:
    """A problem for every pair that the rules decide alone: it says nothing about a judge."""
    return tuple(
        labelled.problem(pair, "is decided by the rules; no judge is asked about it", "take it out")
        for labelled in labels
        for pair in labelled.pairs
        if referral_of(suites[pair.suite], pair) is None
    )


def _put(
    labels: Sequence[LabelledSet], suites: Mapping[str, Suite]
) -> list[tuple[LabelledPair, Referred]]:
    pairs = [pair for labelled in labels for pair in labelled.pairs]
    found = ((pair, suites[pair.suite], referral_of(suites[pair.suite], pair)) for pair in pairs)
    put = [
        (pair, Referred(suite.by_id[pair.case_id], referral))
        for pair, suite, referral in found
        if referral
    ]
    if len(put) < len(pairs):
        raise FilesError(decided_pairs(labels, suites))
    return put


def _response(case: Case, pair: LabelledPair) -> Response:
    """The answer as a submission would have given it: the text with its calls, or the expected call with one argument so."""
    if pair.argument is None:
        return Response(case.id, b"", pair.calls, pair.got)
    expected = case.ground_truth.calls[0]
    arguments = {a.name: a.accepted[0] for a in expected.arguments if not a.may_be_absent} | {
        pair.argument: pair.got
    }
    return Response(case.id, b"", (Call(expected.name or "", arguments),), None)


def _rows(
    pair: LabelledPair, asked: Referred, panel: Sequence[JudgeSettings]
) -> Iterator[tuple[str | None, ...]]:
    place = (pair.suite, pair.category, pair.id, pair.case_id, pair.label)
    for judge in panel:
        verdict = asked.settle(judge.name)
        said = _REASONS.get(verdict.reason, "missing")
        yield (judge.name, *place, said, asked.words(judge.name), verdict.judge_call)
    verdict = asked.settle()
    yield (PANEL, *place, _REASONS.get(verdict.reason, "missing"), None, verdict.judge_call)
