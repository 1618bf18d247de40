"""Reading the facts in the ground truth of a case. Every broken form is found at loading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import TypeAdapter

from leaderboard.facts.fact_shapes import FactGroup, Facts
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.files.shaped_files import read_part
from leaderboard.types import Json

# The keys of a ground truth that hold facts.
KEYS: Final = (
    *("facts", "order", "pairs"),
    *("asks", "may_ask", "told", "guesses"),
    *("fault", "refuses"),
)

_FACTS: Final = TypeAdapter(Facts)


def read_facts(truth: Mapping[str, Json], findings: Findings, at: At) -> Facts | None:
    """Reads the facts of a ground truth at this path. None if it has none, or has broken ones."""
    given = {key: truth[key] for key in KEYS if truth.get(key) is not None}
    if not given:
        return None
    facts = read_part(_FACTS, given, findings, "see lb docs facts", at)
    if facts:
        _check_ids(facts, findings, at)
    return facts


def _check_ids(facts: Facts, findings: Findings, at: At) -> None:
    ids: set[str] = set()
    for place, item in enumerate(facts.items):
        members = item.any if isinstance(item, FactGroup) else ()
        if isinstance(item, FactGroup) and item.at_least > len(members):
            what = f"asks for {item.at_least} of {len(members)} facts"
            findings.add((*at, "facts", place, "at_least"), what, "lower it, or add facts")
        for fact_id in (item.id, *(member.id for member in members)):
            if fact_id in ids:
                what = f"repeats the fact id {fact_id!r}"
                findings.add((*at, "facts", place, "id"), what, "give every fact its own id")
            ids.add(fact_id)
    for place, fact_id in enumerate(facts.order):
        if fact_id not in ids:
            what = f"names a fact that is not in this case: {fact_id!r}"
            findings.add((*at, "order", place), what, "use the id of a fact")
