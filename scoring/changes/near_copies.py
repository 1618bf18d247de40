"""Submissions whose answers equal those of another submission, all of them or nearly all."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import polars as pl

from leaderboard.load import Contents
from leaderboard.types import Case, Records, Suite
from scoring.changes.shared_calls import (
    NO_CALLS,
    calls_of_answers,
    containing_answers,
    paths,
)
from scoring.changes.shared_texts import LONG, long_texts, padded_answers
from scoring.tables import equal_answers
from scoring.tables.scores import is_ranked

# Two good systems often agree on what is right. Few agree on what is wrong.
_FEWEST: Final = 10
_OF_ALL: Final = 0.95
_OF_WRONG: Final = 0.80
_OF_PATHS: Final = 0.90  # over simulated APIs, where wrong texts often follow the same calls
_OF_TEXTS: Final = 0.50  # two good systems use the same words less often
_CASE: Final = ("suite", "case_id")

_Compared = Literal["answers", "calls", "API calls", "texts"]


@dataclass(frozen=True, slots=True)
class NearCopy:
    """The answers of a submission to a suite that equal those of another submission.

    `answered` counts the answers that both gave, `wrong` those of them that fail. Of a case with
    several trials, as many answers count as both gave. `exact`: the files hold the same bytes, or
    all answers are equal and many of them are wrong.
    `compared` says which answers count: all; those in which one of the two calls a tool, by their
    "calls" alone, and as wrong those that lead to a wrong state; those with several "API calls" by
    these; or only "texts" of some length.
    `sources`: where the texts are those of several submissions together, all of these, each with
    its number of equal texts. `other` is the first of them.
    """

    submission: str
    suite: str
    other: str
    exact: bool
    answered: int
    equal: int
    wrong: int
    equal_wrong: int
    compared: _Compared = "answers"
    sources: tuple[tuple[str, int], ...] = ()


def near_copies(
    contents: Contents, verdicts: pl.DataFrame, submissions: Iterable[str]
) -> Iterator[NearCopy]:
    """Yields the near copies among `submissions`, by suite, with the closest other first.

    Answers are equal if their letters and digits are, in any case, and texts also if they share
    most of their phrases. Empty answers do not count.
    Trials with the same number are compared. Trials with other numbers are compared too, where a
    submission answers a case differently in each of its trials: such an answer is rarely given
    twice, while systems that answer yes or no often agree in one of ten trials. Texts of
    some length are compared in any trials. The answers that submissions give most often to each
    case are compared again, whatever the number of the trial.
    Of wrong calls of a model, those that contain all calls of the other answer are equal to it.
    In environments and over simulated APIs, equal calls make a near copy too, whatever the texts
    beside them say. In all suites, equal texts of some length do, whatever the other answers are.
    They may be those of several submissions, if they are long and no more than words were added.
    """
    answers = equal_answers.answers(contents.suites, contents.records, folded=True)
    wrong = _failed(contents, verdicts)
    digests = {
        (submission.id, suite): contents.digests[path]
        for submission in contents.submissions
        for suite, path in submission.files.items()
    }
    with_failed = answers.drop_nulls("answer").join(
        wrong, on=[*_CASE, "submission", "trial"], how="left"
    )
    answers = with_failed.with_columns(pl.col("failed").fill_null(value=False))
    by_calls = _by_calls(contents, answers)
    texts = long_texts(contents)
    calls = calls_of_answers(contents)
    over_apis = {suite.id for suite in contents.suites if suite.kind.interaction == "apis"}
    for name in submissions:
        more_calls = containing_answers(answers.filter("failed"), calls, name)
        padded_texts = padded_answers(contents, name)
        padded = pl.concat([padded_texts.drop("contained"), more_calls])
        unpadded = _without_padding(answers, padded, name)
        acted = _without_padding(by_calls, containing_answers(by_calls, calls, name), name)
        long = _of_length(unpadded, texts)
        contained = padded_texts.filter("contained").drop("contained")
        whole = _of_length(_without_padding(answers, contained, name), texts)
        near = [
            *_copies(name, unpadded, acted, digests, over_apis),
            *_copies(name, _most_given(unpadded), _most_given(acted), digests, over_apis),
            *_copied_texts(name, long),
            *_copied_texts(name, long.filter(pl.col("letters") >= LONG)),
            *_merged_texts(name, whole.filter(pl.col("letters") >= LONG)),
        ]
        first: dict[tuple[str, str, bool], NearCopy] = {}
        for copy in sorted(near, key=lambda copy: not copy.exact):
            first.setdefault((copy.suite, copy.other, bool(copy.sources)), copy)
        yield from sorted(first.values(), key=lambda copy: (copy.suite, -copy.equal, copy.other))


def _copies(
    name: str,
    answers: pl.DataFrame,
    acted: pl.DataFrame,
    digests: Mapping[tuple[str, str], str],
    over_apis: Container[str],
) -> Iterator[NearCopy]:
    """The copies by the answers, and then by the calls alone."""
    of_calls = {row[:2]: row[2:] for row in _counted(acted, name).iter_rows()}
    for suite, other, *counts in _counted(answers, name).iter_rows():
        answered, equal, failed, _ = counts
        exact = digests[name, suite] == digests[other, suite]
        exact = exact or (equal == answered and failed >= _FEWEST)
        copies = [NearCopy(name, suite, other, exact, *counts)]
        if by_calls := of_calls.get((suite, other)):
            copy = NearCopy(name, suite, other, False, *by_calls)
            in_suite: _Compared = "API calls" if suite in over_apis else "calls"
            copies.append(replace(copy, compared=in_suite))
        yield from (copy for copy in copies if copy.exact or _is_near(copy, failed))


def _of_length(answers: pl.DataFrame, texts: pl.DataFrame) -> pl.DataFrame:
    """The answers that are a text of some length, with its `letters`: see `long_texts`."""
    return answers.join(texts, left_on=[*_CASE, "given"], right_on=[*_CASE, "answer"])


def _copied_texts(name: str, long: pl.DataFrame) -> Iterator[NearCopy]:
    for suite, other, *counts in _counted(long, name, in_any_trial=True).iter_rows():
        copy = NearCopy(name, suite, other, False, *counts)
        if copy.answered >= _FEWEST and copy.equal >= _OF_TEXTS * copy.answered:
            yield replace(copy, compared="texts")


def _merged_texts(name: str, long: pl.DataFrame) -> Iterator[NearCopy]:
    """The texts that are those of several others, none of which has half of them alone."""
    is_mine = pl.col("submission") == name
    merged = pl.when(is_mine).then("submission").otherwise(pl.lit(""))
    of_each = _counted(long, name, in_any_trial=True).filter(pl.col("equal") > 0)
    for copy in _copied_texts(name, long.with_columns(submission=merged)):
        found = of_each.filter(suite=copy.suite).select("submission_other", "equal").rows()
        sources = sorted(found, key=lambda source: (-source[1], source[0]))
        other, most = sources[0]
        if most < _OF_TEXTS * copy.answered:
            yield replace(copy, other=other, sources=tuple(sources))


def _most_given(answers: pl.DataFrame) -> pl.DataFrame:
    """The answer that each submission gives most often to a case, as its only trial.

    If several are equally frequent, the first one.
    """
    times = answers.group_by(*_CASE, "submission", "answer").agg(
        pl.col("trial").min(), pl.col("failed").any(), times=pl.len()
    )
    ordered = times.sort("times", "trial", descending=[True, False])
    most = ordered.unique([*_CASE, "submission"], keep="first", maintain_order=True)
    return most.with_columns(trial=pl.lit(1, pl.Int32))


def _without_padding(answers: pl.DataFrame, padded: pl.DataFrame, name: str) -> pl.DataFrame:
    """The answers, where those of others that are `padded` are the submission's.

    `given` is the answer as it was.
    """
    is_mine = pl.col("submission") == name
    joined = answers.join(padded, on=[*_CASE, "answer"], how="left")
    same = pl.when(~is_mine).then("same_as")
    return joined.select(
        pl.exclude("answer", "same_as"), given="answer", answer=pl.coalesce(same, "answer")
    )


def _by_calls(contents: Contents, answers: pl.DataFrame) -> pl.DataFrame:
    """The answers in environments and over simulated APIs, where each is its calls alone.

    In environments, only those that lead to a wrong state count as failed. On the way to a text
    that is wrong, honest systems often make the same calls.
    """
    suites = [s for s in contents.suites if s.kind.interaction in {"environment", "apis"}]
    calls = pl.concat([pl.DataFrame(schema=equal_answers.ANSWERS), *_calls_alone(contents, suites)])
    cases = [(suite.id, case.id, _may_fail(case)) for suite in suites for case in suite.cases]
    schema = {"suite": pl.String, "case_id": pl.String, "may_fail": pl.Boolean}
    return (
        answers.drop("answer")
        .join(calls, on=[*_CASE, "submission", "trial"])
        .join(pl.DataFrame(cases, schema=schema, orient="row"), on=_CASE)
        .with_columns(pl.col("answer").fill_null(NO_CALLS), pl.col("failed") & pl.col("may_fail"))
    )


def _calls_alone(contents: Contents, suites: Iterable[Suite]) -> Iterator[pl.DataFrame]:
    for suite in suites:
        records = {name: made for (name, of), made in contents.records.items() if of == suite.id}
        if suite.kind.interaction == "apis":
            yield paths(suite, records)
        else:
            silent = {(name, suite.id): _without_texts(made) for name, made in records.items()}
            yield equal_answers.answers([suite], silent, folded=True)


def _without_texts(records: Records) -> Records:
    bare = {response: replace(response, text=None) for response in set(records.responses)}
    return replace(records, responses=[bare[response] for response in records.responses])


def _may_fail(case: Case) -> bool:
    """Whether a failed answer counts as one, if its calls alone are compared."""
    trajectory = case.ground_truth.trajectory
    return trajectory is None or trajectory.has_state


def _counted(answers: pl.DataFrame, name: str, *, in_any_trial: bool = False) -> pl.DataFrame:
    """The counts of a submission and each other one on each suite."""
    is_mine = pl.col("submission") == name
    mine, others = answers.filter(is_mine), answers.filter(~is_mine)
    key = [*_CASE, "submission_other"]
    trials = answers.group_by(*_CASE, "submission").agg(
        pl.len().alias("trials"),
        pl.col("failed").sum(),
        varied=pl.col("answer").n_unique() == pl.len(),
        silent=(pl.col("answer") == NO_CALLS).all(),
    )
    cases = trials.filter(is_mine).join(trials.filter(~is_mine), on=_CASE, suffix="_other")
    cases = cases.filter(~(pl.col("silent") & pl.col("silent_other")))
    same = mine.join(others, on=[*_CASE, "trial", "answer"], suffix="_other")
    any_trial = mine.join(
        others.unique([*_CASE, "submission", "answer"]), on=[*_CASE, "answer"], suffix="_other"
    )
    for equal_rows, column in ((same, "same"), (any_trial, "any")):
        counts = equal_rows.group_by(key).agg(
            pl.len().alias(column), pl.col("failed").sum().alias(f"{column}_wrong")
        )
        cases = cases.join(counts, on=key, how="left")
    any_number = pl.lit(value=True) if in_any_trial else _may_have_any_number()
    both = pl.min_horizontal("trials", "trials_other")
    wrong = pl.min_horizontal("failed", both)
    equal = pl.when(any_number).then("any").otherwise("same").fill_null(0)
    equal_wrong = pl.when(any_number).then("any_wrong").otherwise("same_wrong").fill_null(0)
    return cases.group_by("suite", "submission_other").agg(
        answered=both.sum(),
        equal=pl.min_horizontal(equal, both).sum(),
        wrong=wrong.sum(),
        equal_wrong=pl.min_horizontal(equal_wrong, wrong).sum(),
    )


def _may_have_any_number() -> pl.Expr:
    """Whether equal answers to a case count whatever the numbers of their trials are.

    They do if the submission with more trials, or either of two with as many, answers the case
    differently in each of them.
    """
    trials, trials_other = pl.col("trials"), pl.col("trials_other")
    mine = pl.col("varied") & (trials >= trials_other)
    return mine | pl.col("varied_other") & (trials <= trials_other)


def _is_near(copy: NearCopy, failed: int) -> bool:
    """Whether most answers are equal, or most wrong ones. `failed` counts all that fail."""
    of_all = copy.answered >= _FEWEST and copy.equal >= _OF_ALL * copy.answered
    share = _OF_PATHS if copy.compared == "API calls" else _OF_WRONG
    of_wrong = copy.wrong >= _FEWEST and copy.equal_wrong >= share * copy.wrong
    if copy.compared in {"calls", "API calls"}:
        # Two good agents may make the same calls, and two poor ones often fail in the same way.
        of_all = of_all and failed >= _FEWEST
        of_wrong = of_wrong and copy.equal >= share * copy.answered
    return of_all or of_wrong


def _failed(contents: Contents, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Every case and trial that a submission fails by the ranked metric of its suite."""
    failed = verdicts.filter(is_ranked(contents.suites), outcome="fail")
    return failed.select("submission", "suite", "case_id", "trial", failed=pl.lit(value=True))
