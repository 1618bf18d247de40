"""What a row of USAGE says of cost, latency, tokens and trials, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from site_templates.formatting import number, whole_percent


def reported_in_words(usage: Mapping[str, Any]) -> str:
    """Cost, latency and tokens, with the number of responses that they are known for."""
    return ", ".join(_amounts(usage))


def _amounts(usage: Mapping[str, Any]) -> Iterator[str]:
    responses = f"of {usage['responses']:,} responses"
    if usage["cost_usd"] is not None:
        cost = number(1000 * usage["cost_usd"])
        yield f"${cost} per 1,000 cases (known for {usage['priced']:,} {responses})"
    if usage["latency_p50"] is not None:
        latency = number(usage["latency_p50"])
        yield f"a median of {latency} s (known for {usage['timed']:,} {responses})"
    for way in ("input", "output"):
        if (tokens := usage[f"{way}_tokens"]) is not None:
            yield f"a mean of {number(tokens)} {way} tokens"


def trials_in_words(usage: Mapping[str, Any]) -> str:
    """How many trials there are, and how often they have the same answer. "" for one trial."""
    if (same := usage["same_in_trials"]) is None:
        return ""
    cases = "of the cases with several answers have the same answer each time"
    return f"{usage['trials']:,} trials: {whole_percent(same)} {cases}"
