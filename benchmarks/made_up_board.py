"""Make a seeded workspace of any size. Rules decide 60 % of the responses, judge calls 40 %.

Submissions answer the same 1,000 cases. As on real boards, many give the same answer: a million
responses hold about 72,000 distinct pairs of case and answer. Records have the form in which the
tool-selection tester writes them (`processed_responses.json`), with question and ground truth.
"""

from __future__ import annotations

import random
from pathlib import Path

import orjson

CASES = 1000
JUDGED = 400  # text cases, whose answers no rule can decide

SETTINGS = """\
schema = 1
title = "Benchmark"
panel = ["embedded-1"]
recordings = "submitters"

# No embedded judge: its replies would be computed again, which measures the judge.
[judges.embedded-1]
provider = "openai"
model = "embedded-1"
settings = { temperature = 0, seed = 7 }
"""

SUITE = """\
schema = 1
title = "Benchmark"
kind = "tool_selection"
tools = "tools.json"

[[categories]]
id = "calls"
title = "Calls"
file = "calls.json"

[[categories]]
id = "texts"
title = "Texts"
file = "texts.json"
prompt = "texts"
"""

TOOLS = [
    {
        "name": "convert_units",
        "description": "Converts an amount from one unit into another.",
        "parameters": [
            {"name": "value", "type": "number", "description": "The amount.", "required": True},
            {
                "name": "from_unit",
                "type": "string",
                "description": "The unit given.",
                "required": True,
            },
            {
                "name": "to_unit",
                "type": "string",
                "description": "The unit wanted.",
                "required": True,
            },
        ],
    }
]

PROMPT = (
    "You compare the answer of a system with the one expected.\n"
    + "Be strict about facts and lenient about wording.\n" * 30
) + (
    "Question:\n<<<{{fence}}\n{{question}}\n{{fence}}>>>\n"
    "Expected:\n<<<{{fence}}\n{{expected}}\n{{fence}}>>>\n"
    "Given:\n<<<{{fence}}\n{{got}}\n{{fence}}>>>\n\n"
    "First line: equivalent or different. Then one sentence that says why.\n"
)


def write_workspace(root: Path, submissions: int) -> None:
    """Write a workspace with `submissions` times 1,000 responses, without cassettes."""
    files: dict[str, bytes] = {
        "leaderboard.toml": SETTINGS.encode(),
        "datasets/bench/suite.toml": SUITE.encode(),
        "datasets/bench/tools.json": orjson.dumps(TOOLS),
        "datasets/bench/calls.json": orjson.dumps([_call_case(n) for n in range(CASES - JUDGED)]),
        "datasets/bench/texts.json": orjson.dumps([_text_case(n) for n in range(JUDGED)]),
        "prompts/bench/texts.md": PROMPT.encode(),
    }
    for number in range(submissions):
        name = f"s{number:04}"
        card = {
            "schema": 1,
            "name": name,
            "kind": "model",
            "organization": "Bench",
            "model": name,
            "date": "2026-01-31",
        }
        files[f"submissions/{name}/submission.json"] = orjson.dumps(card)
        files[f"submissions/{name}/bench.json"] = _responses(number)
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


def _call_case(n: int) -> dict[str, object]:
    call = {"name": "convert_units", "arguments": _arguments(n, 0)}
    truth = {"function_call": call, "expected_response_type": "function_call"}
    accepted = {"from_unit": ["mile", "mi"], "to_unit": ["km", "kilometre"]}
    return {
        "id": f"A{n:04}",
        "user_query": _query(n),
        "ground_truth": {**truth, "text": None, "accepted": accepted},
    }


def _text_case(n: int) -> dict[str, object]:
    truth = {"function_call": None, "text": _text(n, 0), "expected_response_type": "text"}
    return {"id": f"B{n:04}", "user_query": _query(n), "ground_truth": truth}


def _query(n: int) -> str:
    return (
        f"How far is it from town {n} to town {n + 1}, in kilometres, if the sign says {n} miles?"
        " Please be exact."
    )


def _arguments(n: int, variant: int) -> dict[str, object]:
    unit = ["kilometres", "km", "feet"][variant % 3]
    return {
        "value": n + (variant if variant % 3 == 1 else 0),
        "from_unit": "miles",
        "to_unit": unit,
    }


def _text(n: int, variant: int) -> str:
    distance = n * 1.6 + variant
    return (
        f"It is {distance:.1f} kilometres from the one town to the other, wording {variant},"
        " which is not far."
    )


def _variant(chance: random.Random) -> int:
    """The number of the answer that a system gives. A few are common, and there is a long tail."""
    return 1 + min(int(chance.paretovariate(0.65)), 400)


def _responses(number: int) -> bytes:
    chance = random.Random(number)
    records: list[dict[str, object]] = []
    for n in range(CASES - JUDGED):
        call = {"name": "convert_units", "arguments": _arguments(n, _variant(chance))}
        records.append(_record(_call_case(n), "tool_selection", call, None, chance))
    texts = ((n, _text(n, _variant(chance))) for n in range(JUDGED))
    records.extend(_record(_text_case(n), "clarifying", None, text, chance) for n, text in texts)
    return orjson.dumps({"test_results": records})


def _record(
    case: dict[str, object], kind: str, call: object, text: str | None, chance: random.Random
) -> dict[str, object]:
    usage = {"input_tokens": chance.randrange(300, 600), "output_tokens": chance.randrange(20, 90)}
    return {
        "id": case["id"],
        "type": kind,
        "user_query": case["user_query"],
        "ground_truth": case["ground_truth"],
        "model_function_call": call,
        "model_text": text,
        "usage": usage,
        "latency_s": round(chance.uniform(0.3, 3), 3),
    }
