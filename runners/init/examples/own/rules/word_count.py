"""The answer has as many words as the question asks for.

This is a rule of a board's own. It is executed with your rights when you score the board, so
change it as carefully as any program. The same case and response must always get the same score:
no clock, no random numbers, no network, no files.
"""

from __future__ import annotations

from typing import Any


def score(case: dict[str, Any], response: dict[str, Any]) -> dict[str, Any]:
    """Scores one response.

    `case` is the record of the case file, such as `{"id": ..., "user_query": ...,
    "ground_truth": 5}`. `response` has the `text` (or None) and the `calls`, a list of
    `{"name": ..., "arguments": {...}}`.

    Return a score from 0 to 1 (1 is a pass), True, False, or None for unscored. Or return an
    object with `score`, and perhaps a `reason` (a code such as `more_words`, which pages count) and
    a `detail` (a sentence for readers). If suite.toml declares several `[[metrics]]`, return an
    object with one of these for each metric.
    """
    wanted = int(case["ground_truth"])
    got = len((response["text"] or "").split())
    if got == wanted:
        return {"score": 1, "reason": "right_length", "detail": f"The answer has {got} words."}
    reason = "more_words" if got > wanted else "fewer_words"
    return {"score": 0, "reason": reason, "detail": f"Expected {wanted} words, got {got}."}
