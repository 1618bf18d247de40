"""The labelled set: what is refused, and what the project's own set contains."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from cli.wiring import kinds_of
from leaderboard.apis.api_names import ApiName
from leaderboard.apis.executions import reply_failed, tool_reply
from leaderboard.errors import FilesError, Problem
from leaderboard.files.label_files import LabelledPair, LabelledSet, load_labels
from leaderboard.files.suite_files import load_suite
from leaderboard.load import Contents, load_contents
from leaderboard.types import Call
from leaderboard.workspace import open_workspace
from replay.asker import open_asker
from runners.apis.api_call import ApiCall
from runners.apis.api_client import outcome_of
from runners.apis.virtual_apis import VirtualApis, replaying
from scoring.judging.agreement import agreement
from scoring.judging.labelled import Labelled, ask_labels
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder, shipped

# These tests are about shipped suites: without them the file is skipped.
for name in ("tool_selection", "tool_usage", "stable_toolbench"):
    shipped(f"datasets/{name}")
    shipped(f"prompts/{name}/labels")
shipped("cassettes")

FILE = "prompts/small/labels/no_tool.json"
CALLS = "prompts/small/labels/tool_selection.json"
RIGHT = {
    "id": "L-B001-1",
    "case_id": "B001",
    "got": "Paris",
    "label": "equivalent",
    "why": "The city alone.",
}
WRONG = {
    "id": "L-B001-2",
    "case_id": "B001",
    "got": "Lyon",
    "label": "different",
    "why": "Another city.",
}
YARD = {
    "id": "L-A001-1",
    "case_id": "A001",
    "argument": "to_unit",
    "got": "yd",
    "label": "equivalent",
    "why": "Short for yards.",
}

# The fewest pairs that each judged category of the project has to have.
FEWEST = {"relational_data": 20, **dict.fromkeys(("G1_instruction", "G1_tool", "G1_category"), 12)}
FEWEST |= dict.fromkeys(("G2_instruction", "G2_category", "G3_instruction"), 12)
FEWEST_ELSEWHERE = 30


def load(folder: Folder) -> dict[tuple[str, str], LabelledSet]:
    workspace = open_workspace(folder.root)
    sets = load_labels(workspace, load_suite(workspace, "small", KINDS))
    return {("small", labelled.category): labelled for labelled in sets}


def problems(folder: Folder) -> list[Problem]:
    with pytest.raises(FilesError) as raised:
        load(folder)
    return list(raised.value.problems)


# ---------------------------------------------------------------- loading


def test_a_labelled_pair_knows_its_case_and_its_place(folder: Folder) -> None:
    """Every field as the file gives it, with the line of the pair and the digest of the file."""
    folder.write(FILE, [RIGHT, WRONG])
    (labelled,) = load(folder).values()
    assert (
        LabelledPair(
            "L-B001-2", "small", "no_tool", "B001", None, "Lyon", "different", "Another city."
        )
        == labelled.pairs[1]
    )
    assert (FILE, 64) == (labelled.file, len(labelled.digest))


def test_a_pair_may_be_the_value_of_an_argument(folder: Folder) -> None:
    """Where a call is expected, the pair names the argument it is a value of."""
    folder.write(CALLS, [YARD])
    (labelled,) = load(folder).values()
    assert ["to_unit"] == [pair.argument for pair in labelled.pairs]


def test_without_a_file_there_is_no_set(folder: Folder) -> None:
    """A suite needs no labelled pairs."""
    assert {} == load(folder)


@pytest.mark.parametrize(
    ("pairs", "at", "what"),
    [
        ({}, "$", "write a list"),
        ([{**RIGHT, "label": "same"}], "$[0].label", "'same'"),
        ([{**RIGHT, "got": "  "}], "$[0].got", "must not be blank"),
        ([{k: v for k, v in RIGHT.items() if k != "why"}], "$[0]", "missing required key 'why'"),
        ([{**RIGHT, "score": 1}], "$[0].score", "unknown key 'score'"),
        (
            [RIGHT, {**WRONG, "id": "L-B001-1"}],
            "$[1].id",
            "repeats the id 'L-B001-1' of prompts/small/labels/no_tool.json",
        ),
        ([RIGHT, {**RIGHT, "id": "L-B001-2"}], "$[1].got", "repeats an answer to the same case"),
        (
            [{**RIGHT, "case_id": "B999"}],
            "$[0].case_id",
            "names a case that is not in the category no_tool: 'B999'",
        ),
        (
            [{**RIGHT, "case_id": "A001"}],
            "$[0].case_id",
            "names a case that is not in the category no_tool: 'A001'",
        ),
        ([{**RIGHT, "argument": "to_unit"}], "$[0].argument", "the case expects a text"),
    ],
    ids=[
        "no list",
        "label",
        "blank",
        "lacks",
        "extra",
        "id twice",
        "answer twice",
        "no case",
        "other category",
        "argument",
    ],
)
def test_what_is_no_pair_is_told_with_its_place(
    folder: Folder, pairs: Any, at: str, what: str
) -> None:
    """Each mistake is one problem with file and JSON path."""
    folder.write(FILE, pairs)
    (problem,) = problems(folder)
    assert (FILE, at) == (problem.file, problem.at or "$")
    assert what in problem.what
    assert problem.line is not None


@pytest.mark.parametrize("argument", [{}, {"argument": "unit"}], ids=["none", "unknown"])
def test_a_value_needs_the_name_of_its_argument(folder: Folder, argument: dict[str, str]) -> None:
    """Where a call is expected, a pair must name one of its arguments; the message lists them."""
    folder.write(CALLS, [{k: v for k, v in YARD.items() if k != "argument"} | argument])
    (problem,) = problems(folder)
    assert "one of: value, to_unit" == problem.fix


def test_all_problems_of_all_files_come_together(folder: Folder) -> None:
    """Two broken files and one that belongs to no category are three problems at once."""
    folder.write(FILE, [{**RIGHT, "case_id": "B999"}])
    folder.write(CALLS, "[")
    folder.write("prompts/small/labels/weather.json", [])
    found = problems(folder)
    assert {FILE, CALLS, "prompts/small/labels/weather.json"} == {problem.file for problem in found}


def test_an_id_names_one_pair_of_a_suite(folder: Folder) -> None:
    """The same id in two categories is refused."""
    folder.write(CALLS, [YARD])
    folder.write(FILE, [{**RIGHT, "id": YARD["id"]}])
    (problem,) = problems(folder)
    assert f"repeats the id 'L-A001-1' of {CALLS}" == problem.what


def test_validate_tells_what_is_wrong_with_the_labels(folder: Folder) -> None:
    """A broken labelled set is found by `lb validate`, and stops a scoring."""
    folder.write(FILE, [{**RIGHT, "case_id": "B999"}])
    for command in ("validate", "rescore"):
        result = folder.lb(command)
        assert 1 == result.exit_code
        assert f"{FILE}:4 $[0].case_id" in result.stderr


# ---------------------------------------------------------------- the project's own set


@pytest.fixture(scope="module")
def project() -> Contents:
    """The project's own workspace."""
    workspace = open_workspace(PROJECT)
    return load_contents(workspace, kinds_of(workspace))


def labelled_sets(contents: Contents) -> dict[str, LabelledSet]:
    return {
        labelled.pairs[0].category: labelled
        for labelled in contents.labels
        if not labelled.decision
    }


@pytest.mark.large
def test_the_projects_judged_categories_are_labelled(project: Contents) -> None:
    """Every category with a prompt has enough pairs, 40 to 60 % of them equivalent or solved."""
    sets = labelled_sets(project)
    assert {
        category.id for suite in project.suites for category in suite.categories if category.prompt
    } == set(sets)
    for category, labelled in sets.items():
        counts = Counter(pair.label for pair in labelled.pairs)
        assert counts.total() >= FEWEST.get(category, FEWEST_ELSEWHERE), category
        assert 0.4 <= (counts["equivalent"] + counts["solved"]) / counts.total() <= 0.6, category


@pytest.mark.large
def test_pairs_are_named_after_their_cases(project: Contents) -> None:
    """L-<case>-<number>, counted from 1 within a case."""
    counts: Counter[str] = Counter()
    for labelled in labelled_sets(project).values():
        for pair in labelled.pairs:
            counts[pair.case_id] += 1
            assert f"L-{pair.case_id}-{counts[pair.case_id]}" == pair.id


@pytest.mark.large
def test_every_ground_is_one_sentence(project: Contents) -> None:
    """The reason for a label is one sentence, not longer than a line."""
    whys = [pair.why for labelled in labelled_sets(project).values() for pair in labelled.pairs]
    assert [] == [why for why in whys if not why.endswith(".") or len(why) > 120]


@pytest.mark.large
def test_answers_are_of_many_kinds(project: Contents) -> None:
    """The answers are terse, long, Markdown, other scripts, questions, and orders to the judge."""
    answers = [pair.got for labelled in labelled_sets(project).values() for pair in labelled.pairs]
    kinds = {
        "terse": [got for got in answers if len(got) <= 12],
        "long": [got for got in answers if len(got) >= 180],
        "Markdown": [got for got in answers if "**" in got or "\n-" in got or "|" in got],
        "other characters": [got for got in answers if not got.isascii()],
        "a question": [got for got in answers if got.endswith("?")],
        "to the judge": [got for got in answers if "equivalent" in got.lower()],
    }
    assert [] == [kind for kind, found in kinds.items() if len(found) < 3]


@pytest.mark.large
def test_the_policy_speaks_of_every_labelled_category(project: Contents) -> None:
    """docs/labelling.md names each category that is labelled."""
    policy = (PROJECT / "docs/labelling.md").read_text(encoding="utf-8")
    policy = policy[policy.index("## The policy") : policy.index("### Borderline cases")]
    assert [] == [category for category in labelled_sets(project) if f"`{category}`" not in policy]


@pytest.mark.large
def test_replies_are_those_of_the_suites_own_apis(project: Contents) -> None:
    """The virtual APIs of the suite give every call of a pair exactly that reply, failures too."""
    suites = {suite.id: suite for suite in project.suites}
    called = 0
    for labelled in project.labels:
        for pair in labelled.pairs:
            suite_id = pair.suite
            record = suites[suite_id].by_id[pair.case_id].record
            for call in pair.calls:
                assert replied(suite_id, record, call) == call.result, pair.id
                called += 1
    assert called > 200


@cache
def apis(suite_id: str) -> VirtualApis:
    workspace = open_workspace(PROJECT)
    return replaying(workspace, load_suite(workspace, suite_id, KINDS))


def replied(suite_id: str, record: Mapping[str, Any], call: Call) -> Any:
    """What an agent would have got for this call."""
    (api,) = (
        api for api in record["api_list"] if f"{api['tool_name']}_{api['api_name']}" == call.name
    )
    name = ApiName(api["category_name"], api["tool_name"], api["api_name"])
    answer = apis(suite_id).answer(ApiCall(name, call.arguments))
    outcome = outcome_of(answer.reply, answer.source)
    return tool_reply(outcome.response if outcome.ok else outcome.text)


@pytest.mark.large
def test_answers_over_simulated_apis_are_of_many_kinds(project: Contents) -> None:
    """Answers have no calls, failed calls, equal calls with both labels, or orders to the judge."""
    pairs = [
        pair
        for labelled in labelled_sets(project).values()
        for pair in labelled.pairs
        if pair.label in ("solved", "unsolved")
    ]
    failures = {pair.id: [reply_failed(call.result) for call in pair.calls] for pair in pairs}
    same_calls: dict[tuple[str, str], set[str]] = {}
    for pair in pairs:
        same_calls.setdefault((pair.case_id, str(pair.calls)), set()).add(pair.label)
    assert sum(not pair.calls for pair in pairs) >= 3
    assert sum(bool(failed) and all(failed) for failed in failures.values()) >= 2
    assert {"solved", "unsolved"} == {pair.label for pair in pairs if any(failures[pair.id])}
    assert sum(len(labels) == 2 for labels in same_calls.values()) >= 20
    assert {"solved", "unsolved"} == {
        pair.label for pair in pairs if re.search(r"\b(?:Uns|S)olved\b|SOLVED", pair.got)
    }


# ---------------------------------------------------------------- what the judges said of it


@pytest.fixture(scope="module")
def asked(project: Contents) -> Labelled:
    """The project's pairs, replayed without a network."""
    panel = project.leaderboard.panel
    suites = {suite.id: suite for suite in project.suites}
    with open_asker(PROJECT, offline=True) as asker:
        return ask_labels(
            project.labels,
            suites,
            project.prompts,
            panel,
            asker,
        )


@pytest.mark.large
def test_every_judge_call_about_the_set_is_recorded(asked: Labelled) -> None:
    """In all stages, so that the figures can be had again offline."""
    assert () == asked.missing_calls
    assert "missing" not in asked.frame["said"].to_list()


@pytest.mark.large
def test_the_documents_state_the_figures_as_they_are(asked: Labelled) -> None:
    """The table in docs/judges.md, row by row, and what README.md says."""
    rows = {
        row["suite"]: row
        for row in agreement(asked.frame)
        .filter(judge="embedded-1", category="*")
        .iter_rows(named=True)
    }
    judges = (PROJECT / "docs/judges.md").read_text(encoding="utf-8")
    for suite, row in rows.items():
        name = "all" if suite == "*" else f"`{suite}`"
        shares = [shown(row, *names) for names in SHARES]
        kappa = f"{row['kappa']:.2f}"
        cells = (f"{name}, {row['pairs']}", shares[0], kappa, *shares[1:], str(row["unsure"]))
        assert f"| {' | '.join(cells)} |" in judges
    whole, over_apis = rows["*"], rows["stable_toolbench"]
    wrong = over_apis["false_equivalent"] + over_apis["true_different"]
    readme = " ".join((PROJECT / "README.md").read_text(encoding="utf-8").split())
    agreed = f"`embedded-1` agrees with {shown(whole, *SHARES[0])}"
    assert f"{agreed} of {whole['graded']} labelled pairs" in readme
    accepted = over_apis["false_equivalent"]
    assert f"On simulated APIs it accepts {accepted} of {wrong} wrong answers" in readme
    graded = f"Of the {wrong} wrong answers over simulated APIs that it graded"
    assert f"{graded}, it accepted {accepted}" in judges


SHARES = (
    ("agreement", "low", "high"),
    ("sensitivity", "sensitivity_low", "sensitivity_high"),
    ("specificity", "specificity_low", "specificity_high"),
)


def shown(row: Mapping[str, Any], share: str, low: str, high: str) -> str:
    """A share with its interval, as the documents write it."""
    return f"{100 * row[share]:.1f} % ({100 * row[low]:.1f}–{100 * row[high]:.1f})"
