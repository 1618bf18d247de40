"""The reason codes of verdicts, each with the words a reader sees."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

REASONS: Final = MappingProxyType(
    {
        # passes
        "exact": "exactly the expected answer",
        "equal_values": "equal in value, written differently",
        "accepted_value": "a value from the accepted list",
        "judge_equivalent": "judged equal in meaning",
        "no_call_expected": "no call, as expected",
        "accepted_calls": "every expected call, with accepted values",
        # fails
        "judge_different": "judged different",
        "wrong_function": "another tool",
        "wrong_count": "wrong number of calls",
        "missing_argument": "an argument missing",
        "unexpected_argument": "an argument not expected",
        "wrong_value": "a value not accepted",
        "no_call": "text instead of a call",
        "call_when_text_expected": "a call where text was expected",
        "malformed_call": "a call that cannot be read",
        "empty_response": "nothing answered",
        "missing_response": "case not answered",
        "response_error": "the system failed",
        # unscored
        "judge_missing": "waits for a judge",
        "judge_unparseable": "the judge's reply cannot be read",
    }
)
