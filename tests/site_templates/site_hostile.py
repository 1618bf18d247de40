"""The small board with a submission whose every field is hostile, and 100 KB long if possible.

Two more say numbers and dates of which no page can make sense: the largest ones, the smallest ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import polars as pl

from leaderboard.types import Call, Card, Json, Price, Record, RecordedCall, Records, Submission
from site_templates.board import Board
from tests.site_templates import site_board, site_history

MARKUP = (
    "<script>window.pwned=1</script><img src=x onerror=window.pwned=2><svg onload=window.pwned=3>"
    "<a href=javascript:window.pwned=4>x</a></title></textarea></style>"
    "<!--<iframe srcdoc='<script>parent.pwned=5</script>'><math><mtext></form><form>"
)
CODE = (
    "{{ 7*7 }}{% for x in y %}${7*7}#{7*7}<%= 7*7 %>{{constructor.constructor('window.pwned=6')()}}"
)
HIDDEN = "\u202e\u2066\u200b\u200d\ufeff\u2028\u2029\x00\x1b[31m\ufffe\U000e0041a\u0300\u0301\u0302\u0303\u0304\u0305\u0306"
LINKS = "javascript:window.pwned=7 data:text/html,<script>window.pwned=8</script> //evil.example/x.js vbscript:x"
QUOTES = "\"'`>&quot;&#x3c;script&#x3e;&lt;b&gt;]]>\\\r\n\t</script>"
WORD = "W" * 100_000
EVIL = f"{MARKUP}{CODE}{HIDDEN}{LINKS}{QUOTES}"
LONG = f"{EVIL} {WORD}"

README = f"""# {EVIL}

[click](javascript:window.pwned=9) [data](data:text/html;base64,PHNjcmlwdD4=) [proto](//evil.example) <https://evil.example/"onclick="x>
![image](https://evil.example/pixel.png) ![x](javascript:window.pwned=10) [ref]: javascript:window.pwned=11
[ref] <javascript:window.pwned=12> `{EVIL}` **{EVIL}**

<script>window.pwned=13</script>
<div onmouseover="window.pwned=14" style="position:fixed;inset:0">over</div>
<style>body {{ display: none }}</style>

```html
{EVIL}
```

| {EVIL.replace("|", "")[:300].splitlines()[0]} | b |
|---|---|
| {"W" * 5000} | [x](java\tscript:window.pwned=15) |

- [ ] {WORD}
{"> " * 60}deep
{"[" * 500}{"]" * 500}
"""

CARD = Card(
    LONG,
    "agent",
    LONG,
    LONG,
    "2026-05-06",
    framework=LONG,
    url=f"javascript:window.pwned=16//{EVIL}",
    license=LONG,
    open_weights=True,
    contact=LONG,
    settings={EVIL: LONG, WORD: {EVIL: [EVIL, None, 1e300]}},
    price=Price(1e300, 0.0),
)
CALLS = (
    Call(LONG, {EVIL: LONG, WORD: [{EVIL: EVIL}], "__proto__": {"constructor": EVIL}}, result=LONG),
    Call(EVIL, {"time": WORD}),
)


GREATEST, LEAST = 1e300, 5e-324  # the next step up or down is infinity, or nought
ENDLESS = 10**4000  # JSON knows no longest integer
USED = (
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "latency_mean",
    "latency_sd",
    "latency_p50",
    "latency_p95",
)


def extreme(
    name: str, day: str, amount: float, number: Json
) -> tuple[Submission, tuple[Call, ...]]:
    """A submission whose every number is `amount` or `number`, and the calls it makes."""
    card = Card(
        f"Extreme {name}",
        "model",
        "Extremists",
        name,
        day,
        open_weights=True,
        price=Price(amount, amount),
        settings={
            "temperature": amount,
            "seed": number,
            "max_tools": number,
            "list": [amount, number, -amount],
        },
    )
    files = {suite: f"submissions/{name}/{suite}.json" for suite in ("tools", "match", "acting")}
    calls = (
        Call(
            "geometry.area",
            {"base": number, "unit": amount, str(number): [-amount]},
            result={"area": number},
        ),
    )
    return Submission(name, card, None, files), calls


def board() -> Board:
    """The board and its history. `hostile` took two suites, `greatest` and `least` all three."""
    given = site_history.board()
    files = {name: f"submissions/hostile/{name}.json" for name in ("tools", "acting")}
    made = added(given, Submission("hostile", CARD, README, files), _turned)
    hostile = pl.col("submission") == "hostile"
    said = {"detail": pl.lit(LONG), "judge_call": pl.lit("evil"), "decided_by": pl.lit("judge")}
    verdicts = made.results.verdicts.with_columns(
        **{n: pl.when(hostile).then(v).otherwise(n) for n, v in said.items()}
    )
    made = site_board.changed(made, verdicts=verdicts)
    for name, day, amount, number in (
        ("greatest", "9999-12-31", GREATEST, ENDLESS),
        ("least", "0001-01-01", LEAST, -ENDLESS),
    ):
        submission, calls = extreme(name, day, amount, number)
        made = added(made, submission, lambda record, calls=calls: _extreme(record, calls))  # type: ignore[misc]
        amounts: dict[str, float | pl.Expr] = dict.fromkeys(USED, amount)
        amounts["priced"] = pl.col("responses")
        used = {
            column: pl.when(submission=name).then(value).otherwise(column)
            for column, value in amounts.items()
        }
        made = site_board.changed(made, usage=made.results.usage.with_columns(**used))
    exchange = RecordedCall(
        LONG, LONG, "embedded-1", {EVIL: LONG}, "cassettes/embedded-1/tools/hostile.json"
    )
    return dataclasses.replace(
        made,
        comparisons={
            suite.id: site_board.compared(made.results.verdicts, suite) for suite in given.suites
        },
        exchange=lambda key: exchange if key == "evil" else site_board.EXCHANGES.get(key),
        judge_of=lambda key: exchange.judge if key == "evil" else made.judge_of(key),
    )


def added(given: Board, submission: Submission, turn: Callable[[Record], Record]) -> Board:
    """The board with a further submission that copies `model-b`, with reversed records."""

    def mine(frame: pl.DataFrame) -> pl.DataFrame:
        rows = frame.filter(
            pl.col("submission") == "model-b", pl.col("suite").is_in(list(submission.files))
        )
        return pl.concat([frame, rows.with_columns(submission=pl.lit(submission.id))])

    turned = {
        (submission.id, u): Records.of(map(turn, given.records["model-b", u]))
        for u in submission.files
    }
    return site_board.changed(
        given,
        submissions=(*given.submissions, submission),
        verdicts=mine(given.results.verdicts),
        scores=mine(given.results.scores),
        ranks=mine(given.results.ranks),
        usage=mine(given.results.usage),
        records={**given.records, **turned},
    )


def _extreme(record: Record, calls: tuple[Call, ...]) -> Record:
    """The record with calls whose arguments are extreme."""
    name = str(len(str(calls[0].arguments["base"])))
    key = site_board.digest(name, record.response.case_id).encode()[:16]
    return record._replace(response=dataclasses.replace(record.response, calls=calls, key=key))


def _turned(record: Record) -> Record:
    """The record with hostile calls, words, state and error."""
    response = dataclasses.replace(
        record.response,
        calls=CALLS,
        text=LONG,
        error=LONG if record.trial == 1 else None,
        malformed=LONG,
        state={EVIL: LONG},
        has_state=True,
        key=site_board.digest("hostile", record.response.case_id).encode()[:16],
    )
    return record._replace(response=response)
