"""The judges on the labelled set: each pair is asked like an answer of a submission."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from leaderboard.files.cassette_paths import LABELS
from leaderboard.files.label_files import LabelledPair, LabelledSet
from leaderboard.frames import LABELLED
from leaderboard.types import Ask, Call, Case, JudgeSettings, Prompt, Referral, Response, Suite
from scoring.judging.panel import Missing, Panel, Referred

PANEL: Final = "*"  # the "judge" of the rows that hold the verdict of the whole panel


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
    """Asks every judge about the pairs that rules and facts leave open.

    A pair has a row per judge, then the panel's. A pair that code decides has none, because it says
    nothing about a judge.
    """
    referred: dict[str, list[tuple[LabelledPair, Referred]]] = {}
    for labelled in labels:
        for pair in labelled.pairs:
            suite = suites[pair.suite]
            if referral := referral_of(suite, pair):
                asked = Referred(suite.by_id[pair.case_id], referral)
                referred.setdefault(suite.id, []).append((pair, asked))

    asking = Panel(prompts, panel, ask)
    rows: list[tuple[str | None, ...]] = []
    missing: list[Missing] = []
    for suite_id, pairs in referred.items():
        asking.put(LABELS, suites[suite_id], [asked for _, asked in pairs])
        for pair, asked in pairs:
            rows.extend(_rows(pair, asked, panel))
            missing.extend(asked.missing(LABELS, suite_id))
    return Labelled(pl.DataFrame(rows, schema=LABELLED, orient="row"), tuple(missing))


def referral_of(suite: Suite, pair: LabelledPair) -> Referral | None:
    """What the suite's rule asks a judge about the ranked metric, if a submission answers this.

    The pairs measure the judge, so facts decide none of them.
    """
    case = suite.by_id[pair.case_id]
    case = replace(case, ground_truth=replace(case.ground_truth, facts=None))
    for finding in suite.kind.decide(suite, case, _response(case, pair)):
        if finding.metric == suite.kind.ranked and isinstance(finding, Referral):
            return finding
    return None


def _response(case: Case, pair: LabelledPair) -> Response:
    """The text as a response: as it is, or as one argument of the expected call."""
    if pair.argument is None:
        return Response(case.id, b"", pair.calls, pair.got)
    expected = case.ground_truth.calls[0]
    arguments = {a.name: a.accepted[0] for a in expected.arguments if not a.may_be_absent}
    call = Call(expected.name or "", {**arguments, pair.argument: pair.got})
    return Response(case.id, b"", (call,), None)


def _rows(
    pair: LabelledPair, asked: Referred, panel: Sequence[JudgeSettings]
) -> Iterator[tuple[str | None, ...]]:
    place = (pair.suite, pair.category, pair.id, pair.case_id, pair.label)
    for judge in panel:
        verdict = asked.settle(judge.name)
        said = verdict.reason.removeprefix("judge_")
        yield (judge.name, *place, said, asked.words(judge.name), verdict.judge_call)
    verdict = asked.settle()
    yield (PANEL, *place, verdict.reason.removeprefix("judge_"), None, verdict.judge_call)
