"""The small board with a submission in which all that a submitter can write is hostile, and 100 KB long where it may be."""

from __future__ import annotations

import dataclasses

import polars as pl
import site_board
import site_history

from leaderboard.types import Call, Card, Price, Record, Records, Submission
from site_templates.board import Board, Exchange

MARKUP = (
    "<script>window.pwned=1</script><img src=x onerror=window.pwned=2><svg onload=window.pwned=3>"
    "<a href=javascript:window.pwned=4>x</a></title></textarea></style>"
    "<!--<iframe srcdoc='<script>parent.pwned=5</script>'><math><mtext></form><form>"
)
CODE = "{{ 7*7 }}{% for x in y %}${7*7}#{7*7}<%= 7*7 %>{{constructor.constructor('window.pwned=6')()}}"
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
    LONG, "agent", LONG, LONG, "2026-05-06", framework=LONG, url=f"javascript:window.pwned=16//{EVIL}", license=LONG,
    open_weights=True, contact=LONG, settings={EVIL: LONG, WORD: {EVIL: [EVIL, None, 1e300]}}, price=Price(1e300, 0.0),
)  # fmt: skip
CALLS = (
    Call(LONG, {EVIL: LONG, WORD: [{EVIL: EVIL}], "__proto__": {"constructor": EVIL}}, result=LONG),
    Call(EVIL, {"time": WORD}),
)


def board() -> Board:
    """The board, with its history, in which `hostile` has taken two suites."""
    given = site_history.board()
    files = {name: f"submissions/hostile/{name}.json" for name in ("tools", "acting")}
    hostile = Submission("hostile", CARD, README, files)
    mine = given.verdicts.filter(pl.col("submission") == "model-b", pl.col("suite").is_in(list(files))).with_columns(
        submission=pl.lit("hostile"), detail=pl.lit(LONG), judge_call=pl.lit("evil"), decided_by=pl.lit("judge"),
    )  # fmt: skip
    verdicts = pl.concat([given.verdicts, mine])
    records = dict(given.records)
    for suite in files:
        records["hostile", suite] = Records.of(_turned(record) for record in given.records["model-b", suite])
    scores = pl.concat([given.scores, given.scores.filter(submission="model-b").filter(pl.col("suite") != "match").with_columns(
        submission=pl.lit("hostile"))])  # fmt: skip
    usage = pl.concat([given.usage, given.usage.filter(submission="model-b", suite="tools").with_columns(
        submission=pl.lit("hostile"))])  # fmt: skip
    exchange = Exchange(LONG, LONG, "embedded-1", {EVIL: LONG}, "cassettes/embedded-1/tools/hostile.json")
    return dataclasses.replace(
        given,
        submissions=(*given.submissions, hostile),
        verdicts=verdicts,
        scores=scores,
        usage=usage,
        records=records,
        sheets={suite.id: site_board.compared(verdicts, suite) for suite in given.suites},
        exchange=lambda key: exchange if key == "evil" else site_board.EXCHANGES.get(key),
    )


def _turned(record: Record) -> Record:
    """The record with hostile calls, words, state and error."""
    response = dataclasses.replace(
        record.response, calls=CALLS, text=LONG, error=LONG if record.trial == 1 else None, malformed=LONG, state={EVIL: LONG},
        has_state=True, key=site_board.digest("hostile", record.response.case_id).encode()[:16],
    )  # fmt: skip
    return record._replace(response=response)
