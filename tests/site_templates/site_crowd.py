"""A board of many submissions that shows how pages grow: two suites, seeded answers, prices."""

from __future__ import annotations

import random
from datetime import date, timedelta

import polars as pl

from leaderboard.frames import GAPS, RANKS, SCORES, USAGE, VERDICTS
from leaderboard.types import (
    Call,
    Card,
    Case,
    Category,
    GroundTruth,
    Record,
    Records,
    Response,
    Submission,
    Suite,
)
from scoring.tables.case_health import health
from scoring.tables.equal_answers import answers as answers_given
from scoring.tables.scores import case_scores
from site_templates.board import Board
from tests.site_templates import site_board

CATEGORIES = {
    "simple": 20,
    "multiple": 10,
    "parallel": 10,
    "parallel_multiple": 10,
    "relevance": 10,
}
OTHER = {"asking": 6, "acting": 6}
REASONS = ("wrong_value", "missing_argument", "wrong_function", "no_call", "wrong_count")


def suite(name: str, categories: dict[str, int]) -> Suite:
    made = []
    for category, number in categories.items():
        cases = [
            site_board.case(category, f"{category}_{i}", f"Question {i}?", GroundTruth())
            for i in range(number)
        ]
        made.append(
            Category(category, category.replace("_", " ").title(), "", 1.0, None, tuple(cases))
        )
    return site_board.suite(name, name.title(), "call_match", made)


def card(number: int, chance: random.Random) -> Card:
    """A card with all that a row shows."""
    day = date(2024, 1, 1) + timedelta(days=chance.randrange(800))
    return Card(
        f"provider{number % 37}-model-{number}-instruct",
        "agent" if number % 3 == 0 else "model",
        f"Organisation {number % 37}",
        f"model-{number}",
        day.isoformat(),
        framework=f"framework-{number % 5}" if number % 3 == 0 else None,
        open_weights=number % 2 == 0,
    )


def _verdict(
    submission: str, suite_id: str, case: Case, skill: float, chance: random.Random
) -> dict[str, object]:
    passed = chance.random() < skill
    return {
        "submission": submission,
        "suite": suite_id,
        "category": case.category,
        "case_id": case.id,
        "trial": 1,
        "metric": "correct",
        "outcome": "pass" if passed else "fail",
        "score": float(passed),
        "reason": "accepted_calls" if passed else chance.choice(REASONS),
        "detail": "base: 4 is not accepted.",
        "decided_by": "rule",
        "judge_call": None,
    }


def crowd(number: int, categories: dict[str, int] | None = None) -> Board:
    """A board of that many submissions. Every tenth has not taken the first suite.

    `categories` are those of the first suite, with their numbers of cases.
    """
    chance = random.Random(number)
    suites = (suite("bench", categories or CATEGORIES), suite("more", OTHER))
    rows: list[dict[str, object]] = []
    usage: list[dict[str, object]] = []
    submissions: list[Submission] = []
    records: dict[tuple[str, str], Records] = {}
    answers = {
        c.id: Response(c.id, c.id.encode(), (Call("area", {"base": 4}),), None)
        for u in suites
        for c in u.cases
    }
    for index in range(number):
        name = f"s{index:04}"
        taken = suites[1:] if index % 10 == 9 else suites
        submissions.append(
            Submission(
                name,
                card(index, chance),
                None,
                {u.id: f"submissions/{name}/{u.id}.json" for u in taken},
            )
        )
        skill = 0.3 + 0.65 * chance.random()
        for u in taken:
            rows += [_verdict(name, u.id, c, skill, chance) for c in u.cases]
            records[name, u.id] = Records.of(Record(answers[c.id], 1) for c in u.cases)
            cost = 10 ** (chance.gauss(-3.5, 0.6) + skill) if index % 4 else None
            usage.append(
                dict.fromkeys(USAGE.names())
                | {
                    "submission": name,
                    "suite": u.id,
                    "responses": len(u.cases),
                    "trials": 1,
                    "errors": 0,
                    "priced": len(u.cases) if cost else 0,
                    "cost_usd": cost,
                    "timed": len(u.cases),
                    "latency_p50": 0.2 + 5 * chance.random(),
                }
            )
    scores = site_board.score_rows(rows)
    places = sorted({(row["suite"], row["category"]) for row in scores})
    ranked = []
    for place in places:
        here = sorted(
            (row["score"], row["submission"])
            for row in scores
            if (row["suite"], row["category"]) == place
        )
        ranked += [
            (*place, name, "ranked", *2 * (max(1, i - number // 20), i))
            for i, (_, name) in enumerate(reversed(here), 1)
        ]
    verdicts = pl.DataFrame(rows, schema=VERDICTS)
    return site_board.changed(
        site_board.board(suites=suites, baselines_only=True),
        submissions=tuple(submissions),
        verdicts=verdicts,
        scores=pl.DataFrame(scores, schema=SCORES),
        usage=pl.DataFrame(usage, schema=USAGE),
        ranks=pl.DataFrame(ranked, schema=RANKS, orient="row"),
        gaps=pl.DataFrame([(*place, 3, 0.2, 0.085) for place in places], schema=GAPS, orient="row"),
        records=records,
        ranked="bench",
        comparisons={u.id: site_board.compared(verdicts, u) for u in suites},
        health=health(
            verdicts,
            suites,
            submissions,
            answers_given(suites, records),
            cases=case_scores(verdicts),
        ),
    )
