"""The reason codes of verdicts, each with its words."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

# The fail of a case, or of a trial, without a record.
MISSING_RESPONSE: Final = "missing_response"

REASONS: Final = MappingProxyType(
    {
        # passes
        "exact": "exactly the expected answer",
        "equal_values": "equal in value, written differently",
        "accepted_value": "a value from the accepted list",
        "judge_equivalent": "judged equal in meaning",
        "no_call_expected": "no call, as expected",
        "any_call_made": "a call, where any call is right",
        "accepted_calls": "every expected call, with accepted values",
        "facts_stated": "every fact of the case stated",
        "asks_for_missing": "asks for what is missing",
        "fault_named": "names what is wrong with the request",
        "refused": "says that it cannot be done",
        "same_state": "the expected final state",
        "same_number": "the expected number",
        "accepted_text": "an accepted text",
        "pattern_matched": "a text of the expected form",
        "right_option": "the right option",
        "expected_path": "the expected tools",
        "expected_number_of_steps": "as many steps as expected",
        "gold_apis_called": "every required API called",
        "finished": "finished",
        "judge_solved": "judged solved",
        "heuristic_solved": "solved by rule of thumb, no judge",
        "only_gold_apis": "only required APIs called",
        "rule_pass": "passed by the board's own rule",
        "reported_pass": "reported as passed",
        # fails
        "judge_different": "judged different",
        "fact_missing": "missing fact",
        "contradiction": "contradicts a fact of the case",
        "missing_not_asked": "does not ask for what is missing",
        "fault_not_named": "does not name what is wrong with the request",
        "not_refused": "does not say that it cannot be done",
        "wrong_function": "wrong tool",
        "wrong_count": "wrong number of calls",
        "missing_argument": "missing argument",
        "unexpected_argument": "unexpected argument",
        "wrong_value": "wrong value",
        "no_call": "text instead of a call",
        "call_when_text_expected": "a call where text was expected",
        "malformed_call": "a call that cannot be read",
        "empty_response": "empty answer",
        MISSING_RESPONSE: "not answered",
        "response_error": "the system failed",
        "wrong_state": "wrong final state",
        "missing_state": "no final state reported",
        "wrong_number": "wrong number",
        "no_number": "no number in the answer",
        "wrong_text": "wrong text",
        "pattern_not_matched": "not in the expected form",
        "wrong_option": "wrong option",
        "no_option": "names no option",
        "several_options": "names several options",
        "other_path": "wrong tools, or wrong order",
        "too_few_steps": "fewer steps than expected",
        "too_many_steps": "more steps than expected",
        "gold_apis_missed": "a required API was not called",
        "not_finished": "not finished",
        "gave_up": "gave up",
        "fact_unsupported": "a fact that no reply gives",
        "mixed_up": "facts mixed up",
        "wrong_order": "in the wrong order",
        "invented": "a value that no reply gives",
        "pasted": "pasted replies, with the choice left open",
        "withdrawn": "the answer is withdrawn",
        "too_long": "too long to read in full",
        "judge_unsure": "judged unsure",
        "judge_unsolved": "judged unsolved",
        "heuristic_unsure": "unsure by rule of thumb, no judge",
        "heuristic_unsolved": "unsolved by rule of thumb, no judge",
        "further_apis": "an API that is not required was called",
        "with_tools": "a tool call succeeded",
        "rule_fail": "failed by the board's own rule",
        "rule_part": "passed in part by the board's own rule",
        "reported_fail": "reported as failed",
        "reported_part": "reported as passed in part",
        # unscored
        "judge_missing": "waits for a judge",
        "judge_pending": "waits for a maintainer to record the judge's reply",
        "judge_unparseable": "the judge's reply cannot be read",
        "judge_tie": "the judges disagree, without a majority",
        "rule_undecided": "left open by the board's own rule",
        "rule_failed": "the board's own rule failed",
        "not_reported": "no score is reported",
        "no_gold_api": "the query names no required API",
        "no_api_called": "no API called",
        "steps_not_told": "the steps are not reported",
        "outcomes_not_told": "the outcomes of the calls are not reported",
        "not_replayed": "the steps cannot be replayed",
        "no_step_expected": "undefined: no steps are expected",
    }
)

# Fails without an answer.
NO_ANSWER: Final = (MISSING_RESPONSE, "empty_response")

# Unscored, because the record leaves out what the rule needs.
NOT_SHOWN: Final = ("steps_not_told", "outcomes_not_told", "not_replayed")

# Unscored, because the case has no such metric. This leaves nothing open.
NOT_APPLICABLE: Final = ("no_gold_api", "no_api_called", "no_step_expected")

# Unscored, because no recorded reply of a judge counts.
WAITING: Final = ("judge_missing", "judge_pending")


def reason_words(code: str) -> str:
    """The words of a reason. Those of a suite's own labels and rules are in their code."""
    return REASONS.get(code, code.replace("_", " "))
