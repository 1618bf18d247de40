"""What a submission reports of cost, latency and tokens, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from site_templates.formatting import number


def reported_usage(usage: Mapping[str, Any]) -> str:
    """A row of USAGE, each amount with the number of responses that it is known for."""
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
