"""Which of two submissions a panel prefers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cli.wiring import open_board
from leaderboard.board.preferences import CasePreference, Preferences
from leaderboard.results import read_results
from leaderboard.types import (
    Case,
    Category,
    GroundTruth,
    JudgeCall,
    JudgeReply,
    JudgeSettings,
    Prompt,
    Response,
    Suite,
)
from scoring.judging.win_rate import Side, prefer, side_of
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.judge_prompts import judge_prompt

PROMPT = Prompt("s", "preference", ("", "expected", " | ", "got", ""), "")
PANEL = [JudgeSettings(name, "openai", "m") for name in ("one", "two", "three")]
CASES = tuple(Case(name, "c", f"Query {name}?", GroundTruth(), (), {}, "") for name in "pq")
SUITE = Suite(
    "s",
    "S",
    "",
    KINDS["stable_toolbench"],
    (Category("c", "C", "", 1.0, None, CASES),),
    {},
    "",
    {c.id: c for c in CASES},
)

Says = Callable[[JudgeCall], str | None]


def side(name: str, *case_ids: str, **sopr: float | None) -> Side:
    return Side(
        name,
        {case_id: Response(case_id, b"", (), f"answer of {name}") for case_id in case_ids},
        sopr,
    )


def preferred(
    first: Side, second: Side, says: Says, panel: Sequence[JudgeSettings] = PANEL[:1]
) -> Preferences:
    def ask(calls: Sequence[JudgeCall]) -> list[JudgeReply]:
        return [JudgeReply("k", says(call)) for call in calls]

    return prefer(SUITE, (first, second), PROMPT, panel, ask)


def likes(name: str) -> Says:
    """A judge that prefers this submission's answer in either order."""
    return lambda call: "first" if f"answer of {name}" in call.prompt.split(" | ")[0] else "second"


def nobody(call: JudgeCall) -> str | None:
    raise AssertionError(f"nobody should be asked: {call.prompt}")


@pytest.mark.parametrize(("better", "outcome"), [("a", "first"), ("b", "second")])
def test_a_choice_that_is_the_same_in_both_orders_counts(better: str, outcome: str) -> None:
    """The place of an answer does not matter, the answer does."""
    found = preferred(side("a", "p", "q"), side("b", "p", "q"), likes(better))
    assert [outcome, outcome] == [case.preferred for case in found.cases]


@pytest.mark.parametrize("said", ["first", "second", "tie"])
def test_a_choice_that_changes_with_the_order_is_a_tie(said: str) -> None:
    """A judge that always likes the first answer has no preference; ties stay ties."""
    found = preferred(side("a", "p"), side("b", "p"), lambda _: said)
    assert (["tie"], 0.0) == ([case.preferred for case in found.cases], found.win_rate)


def test_who_alone_solves_a_case_is_preferred_unasked() -> None:
    """By the scores; an unsure or unscored answer is for the judges."""
    found = preferred(side("a", "p", "q", p=1.0, q=0.0), side("b", "p", "q", p=0.0, q=1.0), nobody)
    assert [("first", False), ("second", False)] == [
        (case.preferred, case.judged) for case in found.cases
    ]
    for other in (0.5, None, 1.0):
        assert preferred(side("a", "p", p=1.0), side("b", "p", p=other), likes("b")).cases[0].judged


def test_who_alone_answers_is_preferred_unasked() -> None:
    """A case that neither answers is left out."""
    found = preferred(side("a", "p"), side("b", "q"), nobody)
    assert ["first", "second"] == [case.preferred for case in found.cases]
    none = preferred(side("a"), side("b"), nobody)
    assert ((), None, None) == (none.cases, none.win_rate, none.win_bounds)


def test_the_panel_decides_by_its_lead() -> None:
    """More judges for a side than against it; as many on both sides are a tie."""
    said: dict[str, Says] = {"one": likes("a"), "two": likes("b"), "three": lambda _: "tie"}
    found = preferred(
        side("a", "p"), side("b", "p"), lambda call: said[call.judge.name](call), PANEL
    )
    assert (
        CasePreference(
            "p", "tie", judged=True, detail="Judged in both orders: 1 first, 1 second, 1 tie."
        )
        == found.cases[0]
    )
    said["two"] = likes("a")
    assert (
        "first"
        == preferred(
            side("a", "p"), side("b", "p"), lambda call: said[call.judge.name](call), PANEL
        )
        .cases[0]
        .preferred
    )


@pytest.mark.parametrize("straight", [None, "no idea", "first"])
@pytest.mark.parametrize("said", [None, "no idea"])
def test_a_missing_or_unreadable_reply_leaves_the_case_open(
    said: str | None, straight: str | None
) -> None:
    """It is no tie, and no part of the rate, whatever the judge says in the other order."""

    def says(call: JudgeCall) -> str | None:
        return straight if call.prompt.startswith("answer of a") else said

    found = preferred(side("a", "p"), side("b", "p"), says)
    assert "Judges without a readable reply in both orders: 1 of 1." == found.cases[0].detail
    assert ("open", None) == (found.cases[0].preferred, found.win_rate)
    assert (0.0, 1.0) == found.win_bounds
    assert (True, 0) == (found.cases[0].judged, found.decided)


def test_a_53_answers_and_their_states_change_places_together() -> None:
    """A-53: with exactly one solved answer that one is preferred, on whichever side it is."""
    for _ in range(20):
        assert (
            "first"
            == preferred(side("a", "p", p=1.0), side("b", "p", p=0.0), nobody).cases[0].preferred
        )
        assert (
            "second"
            == preferred(side("b", "p", p=0.0), side("a", "p", p=1.0), nobody).cases[0].preferred
        )


def test_a_54_solved_is_known_from_the_scores() -> None:
    """A-54: whether a case is solved comes from the results, so that no header is a case."""
    found = preferred(side("a", "p", "q", p=1.0, q=1.0), side("b", "p", "q", p=0.0, q=0.0), nobody)
    assert (2, 1.0, (1.0, 1.0)) == (found.count("first"), found.win_rate, found.win_bounds)


def test_a_55_both_orders_are_asked_once_and_nothing_is_cut() -> None:
    """A-55: each judge once in each order, answers of one side alone, and uncut answers."""
    asked: list[str] = []

    def says(call: JudgeCall) -> str:
        asked.append(call.prompt)
        return "tie"

    long = Side("a", {"p": Response("p", b"", (), "x" * 3000)}, {})
    found = preferred(long, side("b", "p", "q"), says)
    assert (2, ["tie", "second"]) == (len(set(asked)), [case.preferred for case in found.cases])
    assert all("x" * 3000 in prompt for prompt in asked)


@pytest.fixture
def board(folder: Folder) -> Folder:
    """A suite over simulated APIs with two queries, and two submissions."""
    for name in ("answer_status", "execution_status", "preference"):
        folder.write(f"prompts/stb/{name}.md", judge_prompt(name))
    folder.write(
        "datasets/stb/suite.toml",
        'schema = 1\ntitle = "STB"\nkind = "stable_toolbench"\npreference = "preference"\n\n'
        '[[categories]]\nid = "c"\n'
        'title = "C"\nfile = "c.json"\nprompt = "answer_status"\nfollow_up = "execution_status"\n',
    )
    folder.write(
        "datasets/stb/c.json",
        [{"query_id": number, "query": "When does the next tram leave?"} for number in (1, 2)],
    )

    def record(number: int, text: str, reply: str) -> dict[str, Any]:
        node = {"role": "tool", "message": {"name": "T_a", "arguments": "{}", "response": reply}}
        return {"id": str(number), "answer": {"final_answer": text, "answer_details": [node]}}

    good = "Line 3 towards Lighthouse leaves at 18:04."
    folder.submission("a", [record(1, good, good), record(2, good, good)], suite="stb")
    folder.submission(
        "b", [record(1, "Sorry, I cannot say.", ""), record(2, good, good)], suite="stb"
    )
    return folder


@pytest.mark.large
def test_only_the_first_trial_is_compared(board: Folder) -> None:
    """Answers and scores of other trials are left out."""

    def record(trial: int, text: str) -> dict[str, Any]:
        return {"id": "1", "trial": trial, "answer": {"final_answer": text, "answer_details": []}}

    board.submission("a", [record(1, "Sorry."), record(2, "At 18:04.")], suite="stb")
    assert 0 == board.lb("rescore").exit_code
    _, contents = open_board(board.root)
    (stb,) = (suite for suite in contents.suites if suite.id == "stb")
    found = side_of(contents, read_results(board.root / "results"), stb, "a")
    assert {"1": "Sorry."} == {key: given.text for key, given in found.responses.items()}
    assert {"1", "2"} == set(found.sopr)


@pytest.mark.large
def test_the_command(board: Folder) -> None:
    """Counts wins, losses and ties. The calls are recorded, are not unused, and move no score."""
    assert 0 == board.lb("rescore").exit_code
    scores = (board.root / "results/scores.json").read_bytes()
    waiting = board.lb("prefer", "a", "b", "--offline")
    assert (3, True) == (waiting.exit_code, "waiting for a judge in 1" in waiting.output)
    assert "stb: 2 cases, 0 of them decided by a judge\n" in waiting.output
    assert (
        "  win rate of a: unknown until 1 of 2 cases are judged, from 50.0 to 100.0 %\n"
        in waiting.output
    )
    open_ = json.loads(board.lb("prefer", "a", "b", "--offline", "--format", "json").stdout)[
        "suites"
    ][0]
    assert (None, [0.5, 1.0]) == (open_["win_rate"], open_["win_bounds"])
    result = board.lb("prefer", "a", "b")
    assert (0, True) == (
        result.exit_code,
        "stb: 2 cases, 1 of them decided by a judge" in result.output,
    ), result.output
    assert "  win rate of a: 50.0 % of 2 cases\n" in result.output
    found = json.loads(board.lb("prefer", "a", "b", "--offline", "--format", "json").stdout)[
        "suites"
    ][0]
    assert (["first", "tie"], 0.5) == (
        [case["preferred"] for case in found["cases"]],
        found["win_rate"],
    )
    assert (board.root / "cassettes/embedded-1/stb/_preferences.json").is_file()
    check = board.lb("cassettes", "check")
    assert (0, False) == (check.exit_code, "no score rests" in check.output)
    assert 0 == board.lb("rescore", "--offline").exit_code
    assert scores == (board.root / "results/scores.json").read_bytes(), "no score uses preferences"
    assert "0 recorded calls removed" in board.lb("cassettes", "prune", "--unused").output


@pytest.mark.large
def test_the_page_of_a_pair_says_who_is_preferred(board: Folder) -> None:
    """It gives the numbers and the judges, but only after the judges were asked."""
    board.submission(
        "c",
        [{"id": "1", "answer": {"final_answer": "No.", "answer_details": []}}],
        suite="stb",
        kind="baseline",
    )
    for command in (("rescore",), ("build",)):
        assert 0 == board.lb(*command).exit_code
    page = board.root / "_site/compare/stb/a--b.html"
    assert "Preferred, of" not in page.read_text(encoding="utf-8")
    assert 0 == board.lb("prefer", "b", "a").exit_code
    assert 0 == board.lb("build").exit_code
    told = page.read_text(encoding="utf-8")
    assert (
        "Preferred, of 2 cases: A in 1, B in 0, tied in 1. "
        "embedded-1 (a set of lexical rules" in told
    )
    assert "decided 1 of them." in told
    assert "Win rate of A: 50.0\u202f% of 2 cases. No score depends on this." in told
    assert [page] == [
        p for p in page.parent.glob("*.html") if "Preferred, of" in p.read_text(encoding="utf-8")
    ]
    (board.root / "submissions/b/stb.json").write_text(
        (board.root / "submissions/b/stb.json")
        .read_text(encoding="utf-8")
        .replace("18:04", "18:05"),
        encoding="utf-8",
    )
    for command in (("rescore",), ("build",)):
        assert 0 == board.lb(*command).exit_code
    assert "Preferred, of" not in page.read_text(encoding="utf-8"), (
        "of this answer nobody was asked"
    )


@pytest.mark.large
def test_the_command_says_what_it_needs(board: Folder) -> None:
    """Two submissions, of a suite that names the prompt."""
    assert 2 == board.lb("prefer", "a", "a").exit_code
    assert 0 == board.lb("rescore").exit_code
    text = (
        (board.root / "datasets/stb/suite.toml")
        .read_text(encoding="utf-8")
        .replace('preference = "preference"\n', "")
    )
    board.write("datasets/stb/suite.toml", text)
    result = board.lb("prefer", "a", "b")
    assert (1, True) == (
        result.exit_code,
        "no suite in common that names a prompt for preferences" in result.output,
    )


@pytest.mark.large
def test_the_command_compares_only_what_was_scored(board: Folder) -> None:
    """A changed answer, a changed suite or a new submission is refused before a judge is asked."""
    assert 0 == board.lb("rescore").exit_code
    answers = board.root / "submissions/b/stb.json"
    scored = answers.read_text(encoding="utf-8")
    board.submission("new", json.loads(scored), suite="stb")
    new = board.lb("prefer", "a", "new")
    answers.write_text(scored.replace("18:04", "18:05"), encoding="utf-8")
    answer = board.lb("prefer", "a", "b")
    answers.write_text(scored, encoding="utf-8")
    suite = board.root / "datasets/stb/suite.toml"
    suite.write_text(suite.read_text().replace('title = "STB"', 'title = "New"'))
    changed = board.lb("prefer", "a", "b")

    assert (1, True) == (new.exit_code, "score it first: lb rescore new" in new.stderr)
    what = "submissions/b/stb.json: has changed since it was scored"
    assert (1, True) == (answer.exit_code, what in answer.stderr)
    what = "datasets/stb: has changed since it was scored"
    assert (1, True) == (changed.exit_code, what in changed.stderr)
    assert not (board.root / "cassettes/embedded-1/stb/_preferences.json").exists()
