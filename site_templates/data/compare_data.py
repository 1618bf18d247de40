"""The data of comparisons: what the script compares, and the JSON beside the page of a pair.

The script's files are calls of one function with one JSON value, because a page that is opened from
a folder may read scripts and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import polars as pl

from leaderboard.board.comparison import Standing
from leaderboard.reasons import REASONS
from leaderboard.types import Case, Json, Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.data.data_fields import PAIRS, CompareFile, PairFile
from site_templates.data.download_formats import SCHEMA, encode, table_files
from site_templates.formatting import clip, rank, visible
from site_templates.indexed_rows import Answer
from site_templates.parts.answers.case_answers import brief
from site_templates.parts.named_links import label
from site_templates.parts.pairs.comparison_words import verdict_in_words
from site_templates.parts.pairs.pair_figures import QUERY, cases_by_standing, cost, same_answers
from site_templates.parts.pairs.pair_pages import Pair, comparable

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_NAME: Final = 60  # letters of a name
_LETTERS: Final = 3  # of an answer's number, in base 36


def script_files(
    index: BoardIndex, pairs: Mapping[str, Sequence[Pair]]
) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the script's data: the cases of each suite, and each of its submissions."""
    paths = index.paths
    for suite in comparable(index):
        yield paths.compared_cases(suite.id), _call(_cases(index, suite))
        different = _different(index, suite)
        yield paths.compared_answers(suite.id), _call(_answers(index, suite, different))
        numbers = {}
        for case, texts in different.items():
            numbers[case] = {key: _base36(place) for place, key in enumerate(texts)}
        for submission in index.submissions:
            if submission.id in index.board.comparisons[suite.id].levels:
                path = paths.compared(suite.id, submission.id)
                pages = _pages(index, suite, submission, pairs[suite.id])
                yield path, _call({**_outcomes(index, suite, submission, numbers), "pages": pages})


def _call(value: Json) -> bytes:
    return f"toolboardPair({json.dumps(value, separators=(',', ':'), allow_nan=False)});\n".encode()


def _cases(index: BoardIndex, suite: Suite) -> Json:
    """A suite: its categories with their weights, and its cases."""
    paths, comparisons = index.paths, index.board.comparisons[suite.id]
    quality = index.quality(suite.id)
    categories = [
        [c.id, visible(label(c)), paths.category(suite.id, c.id), c.weight, len(c.cases)]
        for c in suite.categories
    ]
    return {
        "schema": SCHEMA,
        "file": paths.compared_cases(suite.id),
        "suite": suite.id,
        "title": visible(suite.title),
        "path": paths.suite(suite.id),
        "scale": comparisons.scale,
        "bounded": comparisons.bounded,
        "categories": categories,
        "folder": paths.suites[suite.id],
        "cases": [_case(case, paths.cases[suite.id, case.id]) for case in suite.cases],
        "reasons": dict(sorted(REASONS.items())),
        "takers": [
            paths.submissions[s.id] for s in index.submissions if s.id in comparisons.levels
        ],
        "judge": quality.said if quality else "",
        "note": suite.kind.about_truth if suite.kind.reported else "",
    }


def _case(case: Case, file: str) -> list[str]:
    """The id of a case and its question, and the name of its page if that is not the id."""
    row = [visible(clip(case.id, _NAME)), visible(clip(case.query, QUERY))]
    return row if file == row[0] else [*row, file]


def _different(index: BoardIndex, suite: Suite) -> dict[str, dict[bytes, str]]:
    """The different answers to each case by their keys, on one line each."""
    texts: dict[str, dict[bytes, str]] = {}
    for case in suite.cases:
        texts[case.id] = {}
        for answer in index.answered(suite.id, case.id):
            if answer.key is not None and answer.key not in texts[case.id]:
                texts[case.id][answer.key] = visible(brief(answer.response))
    return texts


def _answers(index: BoardIndex, suite: Suite, different: Mapping[str, Mapping[bytes, str]]) -> Json:
    """The different answers to each case in the order of their numbers."""
    path = index.paths.compared_answers(suite.id)
    answers: list[Json] = [list(texts.values()) for texts in different.values()]
    return {"schema": SCHEMA, "file": path, "suite": suite.id, "answers": answers}


def _outcomes(
    index: BoardIndex,
    suite: Suite,
    submission: Submission,
    numbers: Mapping[str, Mapping[bytes, str]],
) -> dict[str, Json]:
    """A submission: its level at each case, what it passes, why, and the numbers of its answers."""
    paths, comparisons = index.paths, index.board.comparisons[suite.id]
    sent = index.by_case(submission.id, suite.id)
    by_case = [sent.get(case.id, ()) for case in suite.cases]
    reasons = list(map(_reasons, by_case))
    places = {reason: place for place, reason in enumerate(dict.fromkeys(reasons))}
    judged = index.judged_score(submission.id, suite.id)
    trials = max((answer.trial for answers in by_case for answer in answers), default=1)
    return {
        "schema": SCHEMA,
        "file": paths.compared(suite.id, submission.id),
        "suite": suite.id,
        "submission": submission.id,
        "name": index.names.of(submission.id, _NAME),
        "path": paths.submission(submission.id),
        "rank": rank(index.rank(submission.id, suite.id)),
        "cost": cost(index, suite, submission),
        "answered": index.answered_part(submission.id, suite.id),
        "levels": _levels(
            comparisons.levels[submission.id], comparisons.bounded and comparisons.scale
        ),
        "passed": _bits(passed is True for passed in comparisons.passes[submission.id]),
        "reasons": list(places),
        "why": [places[reason] for reason in reasons],
        "trials": trials,
        "answers": "".join(
            _places(answers, trials, numbers[case.id])
            for case, answers in zip(suite.cases, by_case, strict=True)
        ),
        "brief": judged.brief if judged else "",
        "judged": _bits(map(_is_judged, by_case)) if judged else "",
    }


def _reasons(answers: Sequence[Answer]) -> str:
    return ", ".join(dict.fromkeys(answer.reason for answer in answers))


def _pages(
    index: BoardIndex, suite: Suite, submission: Submission, pairs: Iterable[Pair]
) -> dict[str, Json]:
    """The pages of the pairs in which this submission comes first, by the name of the second."""
    paths = index.paths
    return {
        paths.submissions[second.id]: paths.pair(suite.id, first.id, second.id)
        for first, second in pairs
        if first.id == submission.id
    }


def _is_judged(answers: Sequence[Answer]) -> bool:
    return any(answer.decided_by == "judge" for answer in answers)


def _bits(values: Iterable[bool]) -> str:
    """Four values in each hexadecimal digit."""
    bits = list(values)
    digits = []
    for start in range(0, len(bits), 4):
        digit = sum(bit << place for place, bit in enumerate(bits[start : start + 4]))
        digits.append(f"{digit:x}")
    return "".join(digits)


def _levels(levels: Sequence[int | None], most: int) -> Json:
    """Levels up to `most` as one letter each, with a hyphen for none; else as numbers."""
    if not 0 < most < len(_DIGITS):
        return list(levels)
    return "".join("-" if level is None else _DIGITS[level] for level in levels)


def _places(answers: Sequence[Answer], trials: int, numbers: Mapping[bytes, str]) -> str:
    """The number of the answer of each trial in three letters, blank without an answer."""
    by_trial = {a.trial: numbers[a.key] for a in answers if a.key is not None}
    return "".join(by_trial.get(trial, " " * _LETTERS) for trial in range(1, trials + 1))


def _base36(number: int) -> str:
    letters = ""
    for _ in range(_LETTERS):
        number, digit = divmod(number, len(_DIGITS))
        letters = _DIGITS[digit] + letters
    return letters


def pair_files(
    index: BoardIndex, pairs: Mapping[str, Sequence[Pair]]
) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON beside each page of a pair, and of the table of all pairs."""
    rows = []
    for suite in comparable(index):
        for pair in pairs[suite.id]:
            file = _pair(index, suite, pair)
            rows.append(_pair_row(file))
            yield index.paths.pair_data(suite.id, pair[0].id, pair[1].id), encode(file)
    if rows:
        table: CompareFile = {"schema": SCHEMA, "pairs": rows}
        yield from table_files("data/compare.json", table, pl.DataFrame(rows, schema=PAIRS))


def _pair_row(file: PairFile) -> dict[str, Json]:
    """A pair on the whole suite, with the columns of PAIRS."""
    whole = file["whole"]
    row: dict[str, Json] = {name: getattr(whole, name, None) for name in PAIRS}
    row |= {"suite": file["suite"], "metric": file["metric"]}
    row |= {"first": file["first"], "second": file["second"]}
    return row | {"first_score": whole.first, "second_score": whole.second}


def _ids(cases: Iterable[Case]) -> list[str]:
    return [case.id for case in cases]


def _pair(index: BoardIndex, suite: Suite, pair: Pair) -> PairFile:
    first, second = (submission.id for submission in pair)
    compared = index.board.comparisons[suite.id].compare(first, second)
    same, both = same_answers(index, suite, pair)
    by_standing = cases_by_standing(index, suite, pair)
    listed: tuple[Standing, ...] = ("first", "second", "unscored")
    cases = {standing: _ids(by_standing[standing]) for standing in listed}
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "metric": compared.metric,
        "first": first,
        "second": second,
        "said": verdict_in_words(compared.whole, first, second),
        "whole": compared.whole,
        "categories": compared.categories,
        "same_answers": {"same": same, "of": both},
        "cases": cases,
    }
