"""Facts in the ground truth of a case, and mistakes in them."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.facts.accepted_forms import DateForm, NumberForm, TimeForm
from leaderboard.facts.fact_shapes import Fact, FactGroup
from leaderboard.facts.fault_types import Fault
from leaderboard.facts.text_forms import parse_form
from tests.conftest import Folder, text_case
from tests.leaderboard.workspaces import case_of, errors, load

AUTHOR = {"id": "author", "label": "the author", "accepts": ["tove jansson", "jansson"]}


def write(folder: Folder, **truth: Any) -> None:
    record = text_case("B001", "Tove Jansson.")
    record["ground_truth"].update(truth)
    folder.write("datasets/small/no_tool.json", [record])


def test_facts_and_groups_are_read(folder: Folder) -> None:
    """Each kind of accepted form, and groups of facts."""
    seas = [{**AUTHOR, "id": name, "accepts": [name]} for name in ("baltic", "adriatic")]
    accepts = [{"number": 88, "unit": "key*"}, {"date": "--05-30"}, {"time": "18:04"}]
    values = {"id": "v", "label": "v", "accepts": accepts, "from": ["late 8"], "known": True}
    group = {"id": "seas", "label": "two", "at_least": 2, "only": True, "any": seas}
    facts = [{**AUTHOR, "rivals": ["lindgren"], "excludes": ["drawn by jansson"]}, values, group]
    write(folder, facts=facts, order=["author", "v"], pairs={"Line 2": "07:30"})
    read = case_of(load(folder), "B001").ground_truth.facts
    assert read is not None
    author, numbers, several = read.items
    assert isinstance(author, Fact)
    assert author.accepts == (parse_form("tove jansson"), parse_form("jansson"))
    assert author.rivals == (parse_form("lindgren"),)
    assert isinstance(numbers, Fact)
    assert numbers.accepts == (NumberForm(88, "key*"), DateForm("--05-30"), TimeForm("18:04"))
    assert (numbers.source, numbers.known) == ((parse_form("late 8"),), True)
    assert isinstance(several, FactGroup)
    assert (several.at_least, several.only, len(several.any)) == (2, True, 2)
    assert (read.order, read.pairs) == (("author", "v"), (("Line 2", ("07:30",)),))


def test_what_to_ask_find_wrong_or_refuse(folder: Folder) -> None:
    """The keys of the other text categories."""
    fault = {"type": "no_such_day", "day": "--06-31", "accepts": ["june .. short*"]}
    told, guesses = ["how many"], ["it is open"]
    asks = {"asks": ["day", "place|start"], "may_ask": ["time"], "told": told, "guesses": guesses}
    write(folder, **asks, fault=fault)
    facts = case_of(load(folder), "B001").ground_truth.facts
    assert facts is not None
    assert (facts.asks, facts.may_ask) == (("day", "place|start"), ("time",))
    assert (facts.told, facts.guesses) == (("how many",), ("it is open",))
    details = {"day": "--06-31"}
    assert facts.fault == Fault("no_such_day", (parse_form("june .. short*"),), (), details)
    write(folder, refuses="action")
    refusal = case_of(load(folder), "B001").ground_truth.facts
    assert refusal is not None
    assert refusal.refuses == "action"


def test_a_case_without_facts_has_none(folder: Folder) -> None:
    """Suites without facts stay as they are."""
    write(folder)
    assert case_of(load(folder), "B001").ground_truth.facts is None


def test_facts_change_the_digest_of_a_case(folder: Folder) -> None:
    """A changed fact is a changed ground truth, which the manifest shows."""
    digests = []
    for accepted in ("jansson", "tove"):
        write(folder, facts=[{**AUTHOR, "accepts": [accepted]}])
        digests.append(case_of(load(folder), "B001").digest)
    assert digests[0] != digests[1]


MISTAKES: list[tuple[dict[str, Any], str, str]] = [
    ({"facts": []}, "$[0].ground_truth.facts", "needs at least one entry"),
    ({"facts": {}}, "$[0].ground_truth.facts", "write a list"),
    ({"asks": [3]}, "$[0].ground_truth.asks", "one line of text"),
    ({"facts": [{"id": "x", "label": "x"}]}, "facts[0]", "missing required key 'accepts'"),
    ({"facts": [{**AUTHOR, "hint": 1}]}, "facts[0].hint", "unknown key 'hint'"),
    ({"facts": [{**AUTHOR, "accepts": ["a .."]}]}, "accepts[0]", "a gap must be between words"),
    ({"facts": [{**AUTHOR, "accepts": [{"time": "25:00"}]}]}, "accepts[0].time", "HH:MM"),
    ({"facts": [{**AUTHOR, "accepts": [{"date": "May"}]}]}, "accepts[0].date", "YYYY-MM-DD"),
    ({"facts": [{**AUTHOR, "accepts": [{"date": "2031-02-30"}]}]}, "accepts[0].date", "no such"),
    (
        {"fault": {"type": "no_such_day", "day": "2031-02-28"}},
        "fault",
        "2031-02-28 exists, so it cannot be a no_such_day fault",
    ),
    (
        {"fault": {"type": "no_such_day", "day": "--02-29"}},
        "fault",
        "--02-29 exists, so it cannot be a no_such_day fault",
    ),
    ({"facts": [{**AUTHOR, "accepts": [{"number": "8"}]}]}, "accepts[0].number", "valid"),
    ({"facts": [AUTHOR, AUTHOR]}, "facts[1].id", "repeats the fact id 'author'"),
    (
        {"facts": [AUTHOR], "order": ["x"]},
        "order[0]",
        "names a fact that is not in this case: 'x'",
    ),
    ({"refuses": "everything"}, "refuses", "information"),
    (
        {
            "facts": [
                {"id": "g", "label": "g", "at_least": 3, "any": [AUTHOR, {**AUTHOR, "id": "b"}]}
            ]
        },
        "facts[0].at_least",
        "asks for 3 of 2 facts",
    ),
]


@pytest.mark.parametrize(("truth", "at", "what"), MISTAKES)
def test_mistakes_are_problems(folder: Folder, truth: dict[str, Any], at: str, what: str) -> None:
    """Each mistake is reported once, with file, line and JSON path."""
    write(folder, **truth)
    (problem,) = [one for one in errors(folder) if at in one]
    assert problem.startswith("datasets/small/no_tool.json:")
    assert what in problem


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ({"asks": ["day|shoe_size"]}, "'shoe_size' is not something that a question can ask for"),
        ({"fault": {"type": "bad_luck"}}, "'bad_luck' is not a type of fault"),
        ({"fault": {"type": "past"}}, "a fault of type past needs 'day'"),
        (
            {"fault": {"type": "past", "day": "June"}},
            "'day' must have the form YYYY-MM-DD or --MM-DD",
        ),
        ({"fault": {"type": "no_such_time", "time": "6 pm"}}, "'time' must have the form HH:MM"),
        ({"fault": {"type": "past", "day": "2026-13-45"}}, "the calendar has no day 2026-13-45"),
        ({"fault": {"type": "future", "day": "--02-30"}}, "the calendar has no day --02-30"),
        ({"fault": {"type": "past", "day": "--02-28"}}, "type past needs the year of its day"),
        (
            {"fault": {"type": "undefined", "why": ["unlucky"]}},
            "'unlucky' is not a reason of undefined",
        ),
        ({"fault": {"type": "not_on_earth", "name": "mars"}}, "'name' must be a list"),
        ({"fault": {"type": "not_on_earth", "name": ["(mars"]}}, "brackets of a form are closed"),
        ({"fault": {"type": "other", "label": ["x"]}}, "'label' must be a text"),
        ({"fault": {"type": "bad_count", "count": "2", "of": ["x"]}}, "'count' must be a number"),
    ],
)
def test_questions_and_faults_that_nobody_knows(
    folder: Folder, truth: dict[str, Any], message: str
) -> None:
    """A slot, a type of fault or a detail that the vocabulary lacks is a problem of the file."""
    write(folder, **truth)
    assert message in str(errors(folder))
