"""A small board in memory: three models, three baselines, three suites, every verdict.

All names are placeholders. Scores are plain means of the verdicts and do not test the statistics.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

import polars as pl

from leaderboard.files.audit_files import Audit, ChangedGrade, GradeFlips
from leaderboard.files.label_files import LabelledPair
from leaderboard.frames import (
    AGREEMENT,
    CONCORDANCE,
    CORRECTED,
    GAPS,
    LABELLED,
    RANKS,
    RECORDS,
    SCORES,
    USAGE,
    VERDICTS,
)
from leaderboard.kinds import CORRECT
from leaderboard.results import Results
from leaderboard.site_look import SiteLook
from leaderboard.types import (
    Call,
    Card,
    Case,
    Category,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    JudgeSettings,
    Parameter,
    Price,
    Prompt,
    Record,
    RecordedCall,
    Records,
    Response,
    Submission,
    Suite,
    Tool,
    Trajectory,
)
from scoring.rules import KINDS
from scoring.tables.case_health import health
from scoring.tables.equal_answers import answers as answers_given
from scoring.tables.one_pair import comparer
from scoring.tables.scores import case_scores, category_sums, mean_of_suites
from scoring.tables.trials import trials
from site_templates.board import Board, SuiteComparisons

HOSTILE = (
    "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}{% raw %}"
    "\u202eevil\u200b javascript:alert(3)"
)
LONG = "W" * 3000


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


# ---------------------------------------------------------------- suites


def tool(name: str, *parameters: str) -> Tool:
    given = tuple(
        Parameter(
            p.rstrip("?"),
            "string",
            f"The {p.rstrip('?')} <b>of</b> it",
            not p.endswith("?"),
            {"type": "string"},
        )
        for p in parameters
    )
    return Tool(name, f"Does {name}.", given)


TOOLS = (
    tool("set_alarm", "time", "label?"),
    tool("find_route", "start", "end"),
    tool("send_note", "to", "body"),
)


def argument(
    name: str, *accepted: Any, closed: bool = True, absent: bool = False
) -> ExpectedArgument:
    return ExpectedArgument(name, accepted, closed, absent, required=not absent)


def case(
    place: str, id_: str, query: str, truth: GroundTruth, *, tools: tuple[Tool, ...] = TOOLS
) -> Case:
    """A case of the category that `place` names."""
    return Case(
        id_, place, query, truth, tools, {"id": id_, "user_query": query}, digest(place, id_, query)
    )


# A suite over simulated APIs, ranked by the metric of this board.
OVER_APIS = dataclasses.replace(
    KINDS["stable_toolbench"], metrics=(CORRECT, *KINDS["stable_toolbench"].metrics)
)


def suite(id_: str, title: str, kind: str, categories: Sequence[Category]) -> Suite:
    cases = {c.id: c for category in categories for c in category.cases}
    return Suite(
        id_,
        title,
        f"{title} asks *something*.\n\nIt has cases.",
        KINDS[kind],
        tuple(categories),
        {"optional_arguments": "allow"},
        digest(id_, *cases),
        cases,
    )


def tool_suite() -> Suite:
    alarm = ExpectedCall(
        "set_alarm",
        (
            argument("time", "07:30", "7:30"),
            argument("label", "Wake up", closed=False, absent=True),
        ),
    )
    route = ExpectedCall("find_route", (argument("start", "Harbour"), argument("end", "Old mill")))
    calls = [
        case("tool_selection", "A001", "Wake me at half past seven.", GroundTruth((alarm,))),
        case(
            "tool_selection",
            "A002",
            "How do I get from the harbour to the old mill?",
            GroundTruth((route,)),
        ),
        case(
            "tool_selection", f"A/3 {HOSTILE}", f"Hostile {HOSTILE} {LONG}", GroundTruth((alarm,))
        ),
        case("tool_selection", "a001", "Differs from A001 in case only.", GroundTruth((alarm,))),
    ]
    texts = [
        case(
            "clarifying",
            "C001",
            "Send a note.",
            GroundTruth(text="To whom, and what shall it say?"),
        ),
        case("clarifying", "C002", "Set it.", GroundTruth(text="Set what?"), tools=()),
    ]
    return suite(
        "tools",
        "Tools, synthetic",
        "tool_selection",
        [
            Category(
                "tool_selection",
                "Tool selection",
                "The right tool. With *arguments*.",
                2.0,
                "arguments",
                tuple(calls),
            ),
            Category("clarifying", "Clarifying", "", 1.0, "clarifying", tuple(texts)),
        ],
    )


def match_suite() -> Suite:
    """Accepted values, several calls; 60 cases, so that squares fill more than one line."""
    wanted = ExpectedCall(
        "geometry.area", (argument("base", 3, 3.0), argument("unit", "cm", "", absent=True))
    )
    tools = (tool("geometry.area", "base", "unit?"),)
    both = GroundTruth((wanted, wanted))
    numbered = ((f"parallel_function_{i}", f"Area {i} and area {i + 1}?") for i in range(60))
    pairs = [case("parallel_function", id_, query, both, tools=tools) for id_, query in numbered]
    none = [
        case("relevance", f"relevance_{i}", f"Who wrote song {i}?", GroundTruth(), tools=tools)
        for i in range(3)
    ]
    return suite(
        "match",
        "Match, synthetic",
        "call_match",
        [
            Category(
                "parallel_function",
                "Parallel calls",
                "Several calls at once.",
                60.0,
                None,
                tuple(pairs),
            ),
            Category("relevance", "Relevance", "No call fits.", 3.0, None, tuple(none)),
        ],
    )


DESK = (tool("open_drawer", "number"), tool("take", "thing"), tool("office.close"))


def acted(place: str, id_: str, query: str, paths: Sequence[Sequence[Call]], **more: Any) -> Case:
    """A case that is acted out. The record tells the arguments of the expected calls."""
    calls, *others = [[{"name": c.name, "arguments": c.arguments} for c in path] for path in paths]
    truth = Trajectory(tuple(tuple(c.name for c in path) for path in paths), **more)
    record = {
        "id": id_,
        "inputs": {"question": query},
        "outputs": {"expected_calls": calls, "alternative_calls": others},
    }
    return Case(
        id_, place, query, GroundTruth(trajectory=truth), (), record, digest(place, id_, query)
    )


OPEN, TAKE, CLOSE = (
    Call("open_drawer", {"number": 2}),
    Call("take", {"thing": "key"}),
    Call("office.close", {}),
)
STATE = {"drawer": 2, "hand": "key"}


def acting_suite() -> Suite:
    """Environment cases: a final state with two paths, steps in any order, a hostile one."""
    desk = [
        acted(
            "desk",
            "desk_1",
            "Fetch the key.",
            [[OPEN, TAKE, CLOSE], [OPEN, TAKE]],
            state=STATE,
            has_state=True,
        ),
        acted(
            "desk",
            "desk_2",
            f"Hostile {HOSTILE}",
            [[OPEN]],
            state=HOSTILE,
            has_state=True,
            reference=HOSTILE,
        ),
    ]
    look = [
        acted(
            "look",
            "look_1",
            "What is in both drawers?",
            [[OPEN, Call("open_drawer", {"number": 1})]],
            order_matters=False,
            reference="A key and a pen",
        )
    ]
    return suite(
        "acting",
        "Acting, synthetic",
        "tool_usage",
        [
            Category(
                "desk",
                "At the desk",
                "The final text counts.",
                1.0,
                None,
                tuple(desk),
                "Desk",
            ),
            Category("look", "Looking", "What is said counts.", 1.0, "qa", tuple(look), "Unknown"),
        ],
    )


# ---------------------------------------------------------------- submissions

CARDS = {
    "model-a": Card(
        "Model A",
        "model",
        "Lab One",
        "model-a-1",
        "2026-03-01",
        url="https://example.org/a",
        open_weights=True,
        license="MIT",
        settings={"temperature": 0, "seed": 7},
        price=Price(0.5, 1.5),
    ),
    "model-b": Card(
        "Model B",
        "agent",
        "Lab Two",
        "model-b-1",
        "2026-04-02",
        framework="Framework X",
        url="javascript:alert(1)",
    ),
    "model-c": Card(
        f"Model C {HOSTILE}",
        "model",
        f"Org {HOSTILE}",
        HOSTILE,
        "2026-02-03",
        contact=HOSTILE,
        settings={HOSTILE: HOSTILE},
    ),
    "oracle": Card("oracle", "baseline", "Toolboard", "none", "2026-01-01"),
    "silent": Card("silent", "baseline", "Toolboard", "none", "2026-01-01"),
    "keyword": Card("keyword", "baseline", "Toolboard", "none", "2026-01-01"),
}
READMES = {
    "model-a": "# Model A\n\nOne call.\n\n"
    "![shot](https://example.org/x.png) [relative](notes.md) [bad](javascript:alert(1))\n\n"
    "| a | b |\n|---|--:|\n| 1 | 2 |\n\n<script>alert(1)</script>\n\n" + HOSTILE,
    "oracle": "Answers the ground truth.",
    "silent": "Never says anything. Not a word.",
}
TAKES = {"model-c": ("tools",)}


def submissions(*, baselines_only: bool = False) -> tuple[Submission, ...]:
    return tuple(
        Submission(
            id_,
            card,
            READMES.get(id_),
            {
                s: f"submissions/{id_}/{s}.json"
                for s in TAKES.get(id_, ("tools", "match", "acting"))
            },
        )
        for id_, card in CARDS.items()
        if not baselines_only or card.kind == "baseline"
    )


class Given(NamedTuple):
    """One answer with its verdict. `more` are further fields; `sent` False omits the record."""

    calls: tuple[Call, ...]
    text: str | None
    reason: str
    detail: str = ""
    outcome: str = "fail"
    judge_call: str | None = None
    more: Mapping[str, Any] = MappingProxyType({})
    sent: bool = True
    further: tuple[
        tuple[str, str, float | None, str, str], ...
    ] = ()  # metric, outcome, score, reason, detail

    @property
    def decided_by(self) -> str:
        return "judge" if self.judge_call else "rule"


ALARM = Call("set_alarm", {"time": "07:30", "label": "Wake up"})
SILENT = Given((), None, "empty_response", "Nothing was answered.")
EXACT = "The call expected, with every argument equal."
LOST = Given(
    (Call("find_route", {"start": "harbour", "end": "New mill"}),),
    "On it.",
    "wrong_value",
    "end differs.",
)
MISSED = Given((), None, "missing_response", sent=False)

# The answers to the call cases of the suite "tools", by submission and case; "" for all others.
CALLS: dict[str, dict[str, Given]] = {
    "model-a": {
        "A001": Given(
            (Call("set_alarm", {"time": "7:30", "label": "Rise"}),),
            None,
            "judge_equivalent",
            "Judged equal.",
            "pass",
            "k1",
        ),
        "A002": LOST,
        "": Given((ALARM,), None, "exact", EXACT, "pass"),
    },
    "model-b": {
        "A001": Given(
            (Call("set_alarm", {"time": "19:30", "snooze": True}),),
            None,
            "wrong_value",
            "time differs.",
        ),
        "A002": LOST,
        "": Given(
            (), HOSTILE + LONG, "response_error", "The system failed.", more={"error": HOSTILE}
        ),
    },
    "model-c": {
        "A001": Given(
            (Call("set_alarm", {"label": "Rise"}),), None, "missing_argument", "time is missing."
        ),
        "A002": MISSED,
        "": Given(
            (),
            "x",
            "malformed_call",
            "A call cannot be read.",
            more={"malformed": "arguments are a list"},
        ),
    },
    "keyword": {
        "": Given(
            (Call("send_note", {"to": HOSTILE, "body": "x"}),),
            "and text",
            "wrong_function",
            "Another tool.",
        )
    },
}
TEXTS = {
    "model-a": Given((), "Who is it for?", "judge_equivalent", "Judged equal.", "pass", "k2 k3"),
    "model-b": Given((), "Who is it for?", "judge_equivalent", "Judged equal.", "pass", "k2 k3"),
    "model-c": Given(
        (), "Hm?", "judge_missing", "No recorded judge call answers this.", "unscored", "gone"
    ),
    "keyword": Given((), "No.", "judge_different", HOSTILE, "fail", "k3"),
}


def tools_answer(submission: str, c: Case) -> Given:
    """What a submission answers to a case of the suite "tools"."""
    if submission == "silent":
        return SILENT
    if submission == "oracle":
        calls = tuple(
            Call(e.name or "", {a.name: a.accepted[0] for a in e.arguments})
            for e in c.ground_truth.calls
        )
        return Given(calls, c.ground_truth.text, "exact", EXACT, "pass")
    if c.category == "clarifying":
        return TEXTS[submission]
    answers = CALLS[submission]
    return answers.get(c.id, answers[""])


def match_answer(submission: str, c: Case) -> Given:
    """What a submission answers to a case of the suite "match"."""
    number = int(c.id.rpartition("_")[2])
    good, other = (
        Call("geometry.area", {"base": 3, "unit": "c m"}),
        Call("geometry.area", {"base": 4}),
    )
    if c.category == "relevance":
        if submission == "keyword":
            return Given((good,), None, "call_when_text_expected", "A call was made.")
        return Given((), "I cannot.", "no_call_expected", "No call, as expected.", "pass")
    if submission == "silent":
        return Given((), "I cannot.", "no_call", "No call was made.")
    if submission == "oracle" or number % (3 if submission == "model-a" else 2):
        return Given((good, good), None, "accepted_calls", "Both calls.", "pass")
    if submission == "model-b" and number % 4 == 0:
        return Given((good,), None, "wrong_count", "2 calls expected, 1 made.")
    return Given((other, good), None, "wrong_value", "base: 4 is not accepted.")


def steps(
    outcome: str, taken: int, expected: int
) -> tuple[tuple[str, str, float | None, str, str], ...]:
    """What the other two metrics of the suite "acting" say."""
    few = {True: "too_few_steps", False: "too_many_steps"}[taken < expected]
    ratio = (
        ("step_ratio", "pass", 1.0, "expected_number_of_steps")
        if taken == expected
        else ("step_ratio", "fail", taken / expected, few)
    )
    path = {"pass": "expected_path", "fail": "other_path"}[outcome]
    return (
        ("trajectory", outcome, float(outcome == "pass"), path, f"The path: {path}."),
        (*ratio, f"{taken} steps, expected {expected}."),
    )


def answered(call: Call, result: Any) -> Call:
    return dataclasses.replace(call, result=result)


FETCHED = (answered(OPEN, "open"), answered(TAKE, {"hand": "key"}))
RIGHT = Given(
    (*FETCHED, answered(CLOSE, None)),
    "Done.",
    "same_state",
    "As expected.",
    "pass",
    more={"state": STATE, "has_state": True},
    further=steps("pass", 3, 3),
)
LONGER = Given(
    (
        answered(Call("open_drawer", {"number": 1}), f"stuck {HOSTILE}"),
        *FETCHED,
        Call("look", {"at": LONG}),
        CLOSE,
    ),
    "Done.",
    "wrong_state",
    "Another state.",
    more={"state": {"drawer": 1}, "has_state": True},
    further=steps("fail", 5, 3),
)
FAILED = Given(
    (),
    None,
    "response_error",
    "The system failed.",
    more={"error": "time out"},
    further=steps("fail", 0, 3),
)
LOOKED = (answered(Call("open_drawer", {"number": 1}), "pen"), answered(OPEN, "key"))

# What is answered to the cases of the suite "acting", one for each trial; "" stands for all others.
ACTED: dict[str, dict[str, tuple[Given, ...]]] = {
    "model-a": {
        "desk_1": (RIGHT, LONGER, RIGHT),
        "desk_2": (FAILED, FAILED, FAILED),
        "look_1": (
            *2
            * (
                Given(
                    LOOKED,
                    "A pen and a key.",
                    "judge_equivalent",
                    "Judged.",
                    "pass",
                    "k1",
                    further=steps("pass", 2, 2),
                ),
            ),
            Given(
                (OPEN, OPEN),
                "A key.",
                "judge_missing",
                "Waits.",
                "unscored",
                "gone",
                further=steps("pass", 2, 2),
            ),
        ),
    },
    "model-b": {
        "desk_1": (LONGER,),
        "desk_2": (Given((), HOSTILE, "missing_state", "No state.", further=steps("fail", 0, 1)),),
        "look_1": (
            Given(
                (OPEN,),
                "A\u202e spoon",
                "judge_different",
                "Other.",
                "fail",
                "k3",
                further=steps("fail", 1, 2),
            ),
        ),
    },
    "": {"": (Given((), None, "empty_response", "Nothing.", further=steps("fail", 0, 3)),)},
    "oracle": {
        "desk_1": (RIGHT,),
        "": (
            Given(
                (OPEN,),
                "A key and a pen",
                "same_state",
                "As expected.",
                "pass",
                more={"state": HOSTILE, "has_state": True},
                further=steps("pass", 1, 1),
            ),
        ),
    },
}


def given(submission: str, suite_id: str, c: Case) -> tuple[Given, ...]:
    """What a submission answers to a case in each of its trials."""
    if suite_id == "acting":
        answers = ACTED.get(submission, ACTED[""])
        return answers.get(c.id) or answers[""]
    return ((tools_answer if suite_id == "tools" else match_answer)(submission, c),)


def _record(c: Case, given: Given, position: int, trial: int) -> Record:
    key = digest(given.calls, given.text, sorted(given.more.items())).encode()[:16]
    response = Response(c.id, key, given.calls, given.text, **given.more)
    return Record(response, trial, 100 + position, 20, 0.001 + position / 1e5, 0.5 + position / 100)


def _verdicts(
    submission: str, suite_id: str, c: Case, given: Given, trial: int
) -> list[dict[str, Any]]:
    first = {
        "submission": submission,
        "suite": suite_id,
        "category": c.category,
        "case_id": c.id,
        "trial": trial,
        "metric": "correct",
        "outcome": given.outcome,
        "score": {"pass": 1.0, "fail": 0.0}.get(given.outcome),
        "reason": given.reason,
        "detail": given.detail,
        "decided_by": given.decided_by,
        "judge_call": given.judge_call,
    }
    names = ("metric", "outcome", "score", "reason", "detail")
    others = [dict(zip(names, values, strict=True)) for values in given.further]
    return [
        first,
        *(first | other | {"decided_by": "rule", "judge_call": None} for other in others),
    ]


Sent = dict[tuple[str, str], Records]


def answers(
    sent_in: Sequence[Submission], suites: Sequence[Suite]
) -> tuple[list[dict[str, Any]], Sent]:
    """The verdicts of all submissions, and their records."""
    rows: list[dict[str, Any]] = []
    records: Sent = {}
    for s, u in product(sent_in, suites):
        if u.id in s.files:
            all_given = [
                (c, g, trial) for c in u.cases for trial, g in enumerate(given(s.id, u.id, c), 1)
            ]
            rows += [row for c, g, trial in all_given for row in _verdicts(s.id, u.id, c, g, trial)]
            records[s.id, u.id] = Records.of(
                _record(c, g, n, trial) for n, (c, g, trial) in enumerate(all_given) if g.sent
            )
    return rows, records


# ---------------------------------------------------------------- tables


def _score_row(key: tuple[str, str, str, str], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    scored = [row for row in rows if row["score"] is not None]
    n = len(scored)
    p = sum(row["score"] for row in scored) / n if n else None
    low = high = None
    if p is not None and key[3] == "step_ratio":
        low, high = 0.9 * p, 1.1 * p
    elif p is not None:
        centre, z = (p + 3.84 / (2 * n)) / (1 + 3.84 / n), 1.96
        half = z * math.sqrt(p * (1 - p) / n + 3.84 / (4 * n * n)) / (1 + 3.84 / n)
        low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    judged = [row for row in scored if row["decided_by"] == "judge"]
    return {
        "submission": key[0],
        "suite": key[1],
        "category": key[2],
        "metric": key[3],
        "cases": len({row["case_id"] for row in rows}),
        "scored": n,
        "unscored": len(rows) - n,
        "score": p,
        "low": low,
        "high": high,
        "judged_share": len(judged) / n if n else None,
        "rules_only_score": sum(row["score"] for row in scored if row["decided_by"] == "rule") / n
        if n
        else None,
    }


def score_rows(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str, str, str], list[dict[str, Any]]] = {}
    for row in rows:
        for category in (row["category"], "*"):
            groups.setdefault(
                (row["submission"], row["suite"], category, row["metric"]), []
            ).append(row)
    return [_score_row(key, group) for key, group in groups.items()]


def usage_rows(records: Sent) -> list[dict[str, Any]]:
    told = {
        "input_tokens": 100.0,
        "output_tokens": 20.0,
        "latency_mean": 1.0,
        "latency_sd": 0.1,
        "latency_p95": 1.5,
    }
    rows = []
    for (s, u), sent in records.items():
        row = dict.fromkeys(USAGE.names()) | {
            "submission": s,
            "suite": u,
            "responses": len(sent),
            "errors": 0,
            "priced": 0,
            "timed": 0,
        }
        row["trials"] = max(record.trial for record in sent)
        if CARDS[s].kind != "baseline":
            row |= told | {"cost_usd": None if s == "model-b" else 0.00125, "latency_p50": 0.9}
            row |= {"priced": 0 if s == "model-b" else len(sent), "timed": len(sent)}
        rows.append(row)
    return rows


PROMPTS = (
    Prompt(
        "tools",
        "arguments",
        ("Compare ", "expected", " with <b> ", "got", ".\nAnswer."),
        digest("arguments"),
    ),
    Prompt("acting", "qa", ("", "reference", " or ", "answer", "?"), digest("qa")),
    Prompt("tools", "clarifying", ("Same question? ", "got", ""), digest("clarifying")),
)
EXCHANGES = {
    "k1": RecordedCall(
        "Compare Wake up with Rise.",
        "equivalent\nBoth wake.",
        "embedded-1",
        {"temperature": 0},
        "cassettes/embedded-1/tools/model-a.json",
    ),
    "k2": RecordedCall(
        f"Prompt {HOSTILE}",
        f"equivalent\n{HOSTILE}",
        "judge-x",
        {"temperature": 0, "seed": 7},
        "cassettes/judge-x/tools/model-a.json",
    ),
    "k3": RecordedCall(
        "\nSame question?",
        "equivalent\n" + LONG,
        "embedded-1",
        {},
        "cassettes/embedded-1/tools/model-b.json",
    ),
}
JUDGES = (
    JudgeSettings("embedded-1", "embedded", "embedded-1"),
    JudgeSettings("judge-x", "openai", "model-x", settings={"temperature": 0, "seed": 7}),
)
DOCS = {
    "methodology": "# How scores are computed\n\nRules. See [submitting](submitting.md#steps) "
    "and [a file](../leaderboard.toml).\n",
    "submitting": "# Send in\n\n## Steps\n\n1. Copy\n2. Send\n\n```sh\nlb new my-model\n```\n\n"
    "## main\n\n[above](#steps)\n",
    "judges": "# Judges\n\nA judge reads.\n",
}


# ---------------------------------------------------------------- judges against labels


def pair(number: int, label: str, got: str = "It rings at seven.") -> LabelledPair:
    return LabelledPair(
        f"L{number}",
        "tools",
        "clarifying",
        "C001",
        None,
        got,
        label,
        f"Why {HOSTILE}",
    )


LABELS = {
    ("tools", p.id): p
    for p in (pair(1, "equivalent"), pair(2, "different", HOSTILE), pair(3, "different"))
}
SAID = {
    "embedded-1": ("equivalent", "equivalent", "different"),
    "judge-x": ("equivalent", "different", "missing"),
    "*": ("equivalent", "unparseable", "different"),
}


def labelled_rows() -> list[dict[str, Any]]:
    return [
        {
            "judge": judge,
            "suite": p.suite,
            "category": p.category,
            "pair": p.id,
            "case_id": p.case_id,
            "label": p.label,
            "said": said,
            "passed": {"equivalent": 1.0, "different": 0.0}.get(said),
            "reply": None if judge == "*" or said == "missing" else f"{said}\n{HOSTILE}",
            "judge_call": "k1",
        }
        for judge, answers in SAID.items()
        for p, said in zip(LABELS.values(), answers, strict=True)
    ]


def agreement_rows() -> list[dict[str, Any]]:
    """The counts of what was said, with shares and limits that need no formula to be tested by."""
    rows = []
    for judge in SAID:
        mine = [row for row in labelled_rows() if row["judge"] == judge]
        graded = [row for row in mine if row["said"] in ("equivalent", "different")]
        count = {
            "true_equivalent": sum(r["label"] == r["said"] == "equivalent" for r in graded),
            "false_different": sum(r["label"] == "equivalent" != r["said"] for r in graded),
            "false_equivalent": sum(r["label"] == "different" != r["said"] for r in graded),
            "true_different": sum(r["label"] == r["said"] == "different" for r in graded),
            "unparseable": sum(r["said"] == "unparseable" for r in mine),
            "missing": sum(r["said"] == "missing" for r in mine),
            "unsure": sum(r["said"] == "unsure" for r in mine),
        }
        share = (count["true_equivalent"] + count["true_different"]) / len(graded)
        row = {
            "judge": judge,
            "pairs": 3,
            "graded": len(graded),
            "agreement": share,
            "low": share / 2,
            "high": (1 + share) / 2,
            "expected": 0.5,
            "kappa": -0.25,
            "sensitivity": 1.0,
            "sensitivity_low": 0.2,
            "sensitivity_high": 1.0,
            "specificity": 0.5,
            "specificity_low": 0.1,
            "specificity_high": 0.9,
            **count,
        }
        rows += [
            row | {"suite": s, "category": c}
            for s, c in (("*", "*"), ("tools", "*"), ("tools", "clarifying"))
        ]
    return rows


CONCORDANT = [
    {
        "judge": "embedded-1",
        "other": "judge-x",
        "suite": "*",
        "category": "*",
        "pairs": 2,
        "agreement": 0.5,
        "low": 0.1,
        "high": 0.9,
        "kappa": 0.0,
    }
]
CORRECTIONS = [
    {
        "submission": "model-a",
        "suite": "tools",
        "category": "*",
        "metric": "correct",
        "judged": 3,
        "passed": 3,
        "score": 0.833,
        "corrected": 0.771,
        "low": 0.5,
        "high": 0.95,
        "labelled": 4,
        "agreement": 0.75,
        "sensitivity": 0.8,
        "specificity": 0.7,
        "youden": 0.5,
        "youden_low": 0.1,
        "youden_high": 0.9,
        "validated": True,
    }
]
AUDIT = Audit(
    2,
    "embedded-1",
    "embedded",
    "embedded-1",
    {},
    7,
    20,
    0.05,
    40,
    (
        GradeFlips("*", "*", "*", 20, 19, 1, 1 / 19, 0.01, 0.25, 1, 0),
        GradeFlips("tools", "clarifying", "*", 20, 19, 1, 1 / 19, 0.01, 0.25, 1, 0),
        GradeFlips("tools", "*", "_labels", 20, 19, 1, 1 / 19, 0.01, 0.25, 1, 0),
    ),
    (
        ChangedGrade(
            "k1",
            "tools",
            "clarifying",
            "c1",
            "_labels",
            "cassettes/embedded-1/tools/_labels.json",
            "equivalent",
            "different",
        ),
    ),
)


def compared(verdicts: pl.DataFrame, suite: Suite) -> SuiteComparisons:
    """What comparing takes, as the command line hands it over."""
    made = comparer(verdicts.filter(suite=suite.id, metric="correct"), suite, "correct")
    return SuiteComparisons(
        scale=made.bits.scale,
        bounded=made.bits.bounded,
        levels={name: made.levels(name) for name in made.submissions},
        passes={name: made.passes(name) for name in made.submissions},
        compare=made.compare,
    )


def board(
    *,
    baselines_only: bool = False,
    suites: Sequence[Suite] | None = None,
    sent_in: Sequence[str] | None = None,
) -> Board:
    """The board, with baselines only, or with the submissions in `sent_in` only."""
    names = None if sent_in is None else tuple(sent_in)
    if suites is None:
        return _board_of_all_suites(names, baselines_only=baselines_only)
    return board_of(tuple(suites), _chosen(names, baselines_only=baselines_only))


@cache
def _board_of_all_suites(sent_in: tuple[str, ...] | None, *, baselines_only: bool) -> Board:
    all_suites = (match_suite(), tool_suite(), acting_suite())
    return board_of(all_suites, _chosen(sent_in, baselines_only=baselines_only))


def _chosen(sent_in: tuple[str, ...] | None, *, baselines_only: bool) -> tuple[Submission, ...]:
    chosen = submissions(baselines_only=baselines_only)
    return tuple(s for s in chosen if sent_in is None or s.id in sent_in)


def worst(row: Mapping[str, Any]) -> int:
    """The highest rank of a row of SCORES."""
    return 2 if row["suite"] == "match" else 3


def board_of(all_suites: tuple[Suite, ...], sent_in: tuple[Submission, ...]) -> Board:
    """The board of these suites and submissions."""
    baselines_only = all(s.is_baseline for s in sent_in)
    rows, records = answers(sent_in, all_suites)
    scores = score_rows(rows)
    ranked = [
        (row["suite"], row["category"], row["submission"], "ranked", *2 * (1, worst(row)))
        for row in scores
        if CARDS[row["submission"]].kind != "baseline" and row["metric"] == "correct"
    ]
    places = [
        (u.id, c) for u in all_suites for c in ("*", *(category.id for category in u.categories))
    ]
    gaps = [
        (*place, 0, None, None) if baselines_only else (*place, 3, 0.2, 0.085) for place in places
    ]
    verdicts = pl.DataFrame(rows, schema=VERDICTS)
    results = Results(
        verdicts=verdicts,
        records=pl.DataFrame(schema=RECORDS),
        scores=pl.DataFrame(scores, schema=SCORES),
        usage=pl.DataFrame(usage_rows(records), schema=USAGE),
        ranks=pl.DataFrame(ranked, schema=RANKS, orient="row"),
        gaps=pl.DataFrame(gaps, schema=GAPS, orient="row"),
        health=health(
            verdicts,
            all_suites,
            sent_in,
            answers_given(all_suites, records),
            cases=case_scores(verdicts),
        ),
        trials=trials(verdicts, all_suites),
        labelled=pl.DataFrame(labelled_rows(), schema=LABELLED),
        agreement=pl.DataFrame(agreement_rows(), schema=AGREEMENT),
        concordance=pl.DataFrame(CONCORDANT, schema=CONCORDANCE),
        corrected=pl.DataFrame(CORRECTIONS, schema=CORRECTED),
        manifest={
            "schema": 1,
            "as_of": max((s.card.date for s in sent_in), default=None),
            "digest": digest("all"),
            "rules": {"version": 3},
            "submissions": {
                s.id: {path: digest(path) for path in s.files.values()} for s in sent_in
            },
            "suites": {u.id: {"digest": u.digest, "cases": len(u.cases)} for u in all_suites},
            "prompts": {f"{p.suite}/{p.id}": p.digest for p in PROMPTS},
            "judges": {j.name: {"model": j.model, "digest": digest(j.name)} for j in JUDGES},
            "cassettes": {e.cassette: digest(e.cassette) for e in EXCHANGES.values()},
        },
    )
    return Board(
        title="Toolboard",
        description="A leaderboard of synthetic models.",
        repository="https://github.com/example/toolboard",
        suites=all_suites,
        submissions=sent_in,
        results=results,
        records=records,
        judges=JUDGES,
        prompts=PROMPTS,
        exchange=EXCHANGES.get,
        judge_of=lambda key: EXCHANGES[key].judge if key in EXCHANGES else None,
        find_facts=lambda _case, _text: (),
        docs=DOCS,
        makefile=True,
        look=SiteLook(headline="Which systems use tools well, and how sure can we be?"),
        ranked=all_suites[0].id,
        mean_intervals=mean_of_suites(category_sums(case_scores(verdicts)), all_suites),
        offered={("acting", "desk"): DESK},
        labels=LABELS,
        audits={"embedded-1": (dataclasses.replace(AUDIT, changed=()), AUDIT)},
        comparisons={u.id: compared(verdicts, u) for u in all_suites},
        history=None,
        states=(),
        references={},
        citation=None,
        packaged_docs=frozenset(),
    )


def changed(given: Board, **changes: Any) -> Board:
    """The same board with other tables, a manifest of its own, or other fields."""
    tables = {field.name for field in dataclasses.fields(Results)} - {"records"}
    results = {name: value for name, value in changes.items() if name in tables}
    others = {name: value for name, value in changes.items() if name not in tables}
    return dataclasses.replace(
        given, results=dataclasses.replace(given.results, **results), **others
    )


def reordered(given: Board) -> Board:
    """The same board with everything handed over in another order."""
    return changed(
        given,
        submissions=tuple(reversed(given.submissions)),
        verdicts=given.results.verdicts.reverse(),
        scores=given.results.scores.reverse(),
        usage=given.results.usage.reverse(),
        ranks=given.results.ranks.reverse(),
        gaps=given.results.gaps.reverse(),
        trials=given.results.trials.reverse(),
        health=given.results.health.reverse(),
        comparisons=dict(reversed(list(given.comparisons.items()))),
        labelled=given.results.labelled.reverse(),
        agreement=given.results.agreement.reverse(),
        concordance=given.results.concordance.reverse(),
        corrected=given.results.corrected.reverse(),
        labels=dict(reversed(list(given.labels.items()))),
        records=dict(reversed(list(given.records.items()))),
        manifest=dict(reversed(list(given.results.manifest.items()))),
        docs=dict(reversed(list(given.docs.items()))),
    )


def partial() -> Board:
    """The full board, in which Model B has no record for ten cases of the suite match."""
    given = board()
    lost = [f"parallel_function_{number}" for number in range(10)]
    here = (
        (pl.col("submission") == "model-b")
        & (pl.col("suite") == "match")
        & pl.col("case_id").is_in(lost)
    )
    verdicts = given.results.verdicts.with_columns(
        pl.when(here).then(pl.lit(value)).otherwise(name).alias(name)
        for name, value in {"reason": "missing_response", "outcome": "fail", "score": 0.0}.items()
    )
    records = {
        key: Records.of(
            r for r in sent if key != ("model-b", "match") or r.response.case_id not in lost
        )
        for key, sent in given.records.items()
    }
    return changed(given, verdicts=verdicts, records=records)
