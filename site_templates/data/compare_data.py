"""What comparing takes as data: for the script, per suite its cases and per submission its outcomes; and a pair as JSON.

A shard is a call of one function with one JSON value, because a page that is opened from a folder may read scripts and nothing
else.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

import polars as pl

from leaderboard.reasons import REASONS
from leaderboard.types import Json, Submission, Suite
from site_templates import formatting
from site_templates.board_index import Answer, Register, label
from site_templates.data.board_tables import SCHEMA, encode, written
from site_templates.pages.compare_page import GROUPS, QUERY, cost, same_answers, standing
from site_templates.parts.comparison_words import verdict_in_words
from site_templates.parts.pair_pages import Pair, comparable

_ONE_LETTER: Final = 36  # levels that a letter can tell
_PAIRS: Final = pl.Schema(
    dict.fromkeys(("suite", "metric", "first", "second"), pl.String())
    | dict.fromkeys(
        ("cases", "shared", "unscored", "both", "only_first", "only_second", "neither"), pl.Int64()
    )
    | dict.fromkeys(("first_score", "second_score", "difference", "low", "high", "p"), pl.Float64())
    | {"test": pl.String(), "smallest_gap": pl.Float64()}
)
_ABSENT: Final = "    "  # in the place of an answer's digest


def shards(register: Register) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of what the script compares: the cases of each suite, and every submission that took it."""
    for suite in comparable(register):
        yield register.paths.compared_cases(suite.id), _call(_cases(register, suite))
        for submission in register.submissions:
            if submission.id in register.board.sheets[suite.id].levels:
                yield (
                    register.paths.compared(suite.id, submission.id),
                    _call(_outcomes(register, suite, submission)),
                )


def _call(value: Json) -> bytes:
    return f"toolboardPair({json.dumps(value, separators=(',', ':'), allow_nan=False)});\n".encode()


def _cases(register: Register, suite: Suite) -> Json:
    """A suite: its categories that have cases, with their weights, and of each case its id, its page and its question."""
    sheet = register.board.sheets[suite.id]
    return {
        "schema": SCHEMA,
        "file": register.paths.compared_cases(suite.id),
        "suite": suite.id,
        "title": formatting.visible(suite.title),
        "path": register.paths.suite(suite.id),
        "scale": sheet.scale,
        "bounded": sheet.bounded,
        "categories": [
            [
                c.id,
                formatting.visible(label(c)),
                register.paths.category(suite.id, c.id),
                c.weight,
                len(c.cases),
            ]
            for c in suite.categories
            if c.cases
        ],
        "folder": register.paths.suites[suite.id],
        "cases": [_case(register, suite, case.id, case.query) for case in suite.cases],
        "reasons": dict(sorted(REASONS.items())),
    }


def _case(register: Register, suite: Suite, case: str, query: str) -> Json:
    name = register.paths.cases[suite.id, case]
    row = [
        formatting.visible(formatting.clip(case, 60)),
        formatting.visible(formatting.clip(query, QUERY)),
    ]
    return row if name == row[0] else [*row, name]


def _outcomes(register: Register, suite: Suite, submission: Submission) -> Json:
    """A submission: at each case its level, why, and a digest of each trial's answer (24 bits, four letters a trial)."""
    sheet = register.board.sheets[suite.id]
    levels = sheet.levels[submission.id]
    answers: dict[str, list[Answer]] = {}
    for case, answer in register.sent.get((submission.id, suite.id), ()):
        answers.setdefault(case.id, []).append(answer)
    by_case = [answers.get(case.id, []) for case in suite.cases]
    codes = [list(dict.fromkeys(answer.reason for answer in given)) for given in by_case]
    reasons = list(dict.fromkeys(", ".join(one) for one in codes))
    places = {reason: place for place, reason in enumerate(reasons)}
    trials = max((answer.trial for given in by_case for answer in given), default=1)
    return {
        "schema": SCHEMA,
        "file": register.paths.compared(suite.id, submission.id),
        "suite": suite.id,
        "submission": submission.id,
        "name": formatting.visible(formatting.clip(submission.card.name, 60)),
        "path": register.paths.submission(submission.id),
        "rank": formatting.rank(register.rank(submission.id, suite.id)),
        "cost": cost(register, suite, submission),
        "levels": _compact(levels) if sheet.bounded and sheet.scale < _ONE_LETTER else list(levels),
        "reasons": reasons,
        "why": [places[", ".join(one)] for one in codes],
        "trials": trials,
        "answers": "".join(_digests(given, trials) for given in by_case),
    }


def _compact(levels: Sequence[int | None]) -> str:
    """Levels as one letter each, 0-9 and a-z; a hyphen where there is none."""
    return "".join(
        "-" if level is None else "0123456789abcdefghijklmnopqrstuvwxyz"[level] for level in levels
    )


def _digests(given: Sequence[Answer], trials: int) -> str:
    found = {
        a.trial: b64encode(hashlib.sha256(a.response.key).digest()[:3]).decode()
        for a in given
        if a.response is not None
    }
    return "".join(found.get(trial, _ABSENT) for trial in range(1, trials + 1))


def pairs(register: Register, found: Mapping[str, Sequence[Pair]]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON beside each page of a pair, and of the table of all of them."""
    rows = []
    for suite in comparable(register):
        for pair in found[suite.id]:
            made = _pair(register, suite, pair)
            rows.append(_pair_row(made))
            yield register.paths.pair_data(suite.id, pair[0].id, pair[1].id), encode(made)
    if rows:
        yield "data/compare.json", encode({"schema": SCHEMA, "pairs": rows})
        yield from written("data/compare", pl.DataFrame(rows, schema=_PAIRS))


def _pair_row(made: Mapping[str, Json]) -> dict[str, Json]:
    """What a pair is on the whole suite."""
    named = {"first": "first_score", "second": "second_score"}
    whole = {
        named.get(name, name): value
        for name, value in made["whole"].items()
        if name not in ("category", "holm")
    }
    return {name: made[name] for name in ("suite", "metric", "first", "second")} | whole


def _pair(register: Register, suite: Suite, pair: Pair) -> dict[str, Json]:
    first, second = pair
    sheet = register.board.sheets[suite.id]
    compared = sheet.compare(first.id, second.id)
    same, both = same_answers(register, suite, pair)
    cases: dict[str, list[str]] = {name: [] for name in GROUPS}
    for case, a, b in zip(
        suite.cases, sheet.levels[first.id], sheet.levels[second.id], strict=True
    ):
        cases[standing(sheet, a, b)].append(case.id)
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "metric": compared.metric,
        "first": first.id,
        "second": second.id,
        "said": verdict_in_words(compared.whole, first.id, second.id),
        "whole": asdict(compared.whole),
        "categories": [asdict(line) for line in compared.categories],
        "same_answers": {"same": same, "of": both},
        "cases": {name: cases[name] for name in ("first", "second", "unscored")},
    }
