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
        "facts_stated": "every fact of the case stated",
        "same_state": "the expected final state",
        "same_number": "the expected number",
        "expected_path": "the expected tools",
        "expected_number_of_steps": "as many steps as expected",
        "gold_apis_called": "every required API called",
        "finished": "finished",
        "judge_solved": "judged solved",
        "heuristic_solved": "solved by rule of thumb, no judge",
        "only_gold_apis": "only required APIs called",
        # fails
        "judge_different": "judged different",
        "fact_missing": "a fact of the case not stated",
        "contradiction": "contradicts a fact of the case",
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
        "wrong_state": "another final state",
        "missing_state": "no final state reported",
        "wrong_number": "another number",
        "no_number": "no number in the answer",
        "other_path": "other tools, or in another order",
        "too_few_steps": "fewer steps than expected",
        "too_many_steps": "more steps than expected",
        "gold_apis_missed": "a required API was not called",
        "not_finished": "not finished",
        "gave_up": "given up",
        "judge_unsure": "judged unsure",
        "judge_unsolved": "judged unsolved",
        "heuristic_unsure": "unsure by rule of thumb, no judge",
        "heuristic_unsolved": "unsolved by rule of thumb, no judge",
        "further_apis": "an API that is not required was called",
        "with_tools": "a tool call succeeded",
        # unscored
        "judge_missing": "waits for a judge",
        "judge_pending": "waits for a maintainer to record the judge's reply",
        "judge_unparseable": "the judge's reply cannot be read",
        "no_gold_api": "names no gold API",
        "no_api_called": "no API called",
        "steps_not_told": "the steps are not reported",
        "outcomes_not_told": "the outcomes of the calls are not reported",
        "not_replayed": "the steps cannot be replayed",
        "no_step_expected": "undefined: no steps are expected",
    }
)
