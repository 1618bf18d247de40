"""Whether an answer would be right for many other requests of its category, too.

A list of questions, or of faults, fits any request. An honest answer fits its own request and a few
similar ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from leaderboard.facts.fact_shapes import Facts
from leaderboard.types import Case
from scoring.facts.unmet_requests.answer_reading import read_answer
from scoring.facts.unmet_requests.faults import References, decide_fault
from scoring.facts.unmet_requests.questions import decide_question
from scoring.facts.unmet_requests.slots import slots_of

# Among 660 and 490 right answers to the requests of this project, none fits more.
_MOST_NEEDS: Final = 8  # other things, or sets of things, that are missing in other requests
_MOST_FAULTS: Final = 3  # other types of faults


def asks_for_all(facts: Facts, text: str, cases: Iterable[Case], date: str | None) -> bool:
    """Whether an answer asks for what is missing in many requests that miss something else."""
    own = slots_of((*facts.asks, *facts.may_ask))
    fitting = set()
    for case in cases:
        other = case.ground_truth.facts
        if other is None or not other.asks or other.asks in fitting:
            continue
        if own.isdisjoint(slots_of(other.asks)):
            reading = read_answer(case.query, text, date)
            if decide_question(other, reading).decided == "pass":
                fitting.add(other.asks)
                if len(fitting) > _MOST_NEEDS:
                    return True
    return False


def names_all(type_: str, text: str, cases: Iterable[Case], references: References) -> bool:
    """Whether an answer names what is wrong with requests that have several other faults."""
    fitting = {type_}
    for case in cases:
        other = case.ground_truth.facts
        if other is None or other.fault is None or other.fault.type in fitting:
            continue
        reading = read_answer(case.query, text)
        if decide_fault(other.fault, reading, references).decided == "pass":
            fitting.add(other.fault.type)
            if len(fitting) - 1 > _MOST_FAULTS:
                return True
    return False
