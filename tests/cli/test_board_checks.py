"""What only `lb validate` checks: environments, judges, and references of facts."""

from __future__ import annotations

import pytest

from tests.conftest import Folder, replaced, text_case

TYPING = """\
schema = 1
title = "Typing"
kind = "tool_usage"
[[categories]]
id = "c"
title = "C"
file = "cases.json"
environment = "Tool Usage - Typewriter (1 tool)"
"""
FACT = {"id": "author", "label": "the author", "accepts": ["jansson"]}


def typing(folder: Folder, suite: str, step: str) -> str:
    """What `lb validate` prints about a suite with one case of one step."""
    outputs = {"expected_steps": [step], "state": "a"}
    folder.write("datasets/typing/suite.toml", suite)
    folder.write("datasets/typing/cases.json", [{"inputs": {"question": "a?"}, "outputs": outputs}])
    return folder.lb("validate").stderr


def test_an_unknown_environment_is_a_problem(folder: Folder) -> None:
    """Its states would stay unscored, and its name looks right."""
    assert "OK" in typing(folder, TYPING, "type_letter")
    said = typing(folder, TYPING.replace("(1 tool)", "(one tool)"), "type_letter")
    assert "names an environment that does not exist: 'Tool Usage - Typewriter (one tool)'" in said
    assert "did you mean 'Tool Usage - Typewriter (1 tool)'?" in said


def test_a_step_needs_a_tool_of_the_environment(folder: Folder) -> None:
    """No answer could take it."""
    said = typing(folder, TYPING, "a")
    assert "has no tool 'a', which case 'c_01' expects (its tools: type_letter)" in said


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ('model = "embedded-2"', "$.judges.embedded-1.model: is 'embedded-2', which does not"),
        ('model = "embedded-1"\nsettings = { stream = true }', "its settings contain stream"),
    ],
)
def test_a_judge_that_cannot_be_asked_is_a_problem(
    folder: Folder, settings: str, what: str
) -> None:
    """Otherwise it is found when the first call is made."""
    old = 'model = "embedded-1"\nsettings = { temperature = 0, seed = 7 }'
    replaced("leaderboard.toml", old, settings)(folder)
    assert what in folder.lb("validate").stderr


@pytest.mark.large
def test_a_reference_has_to_state_its_facts(folder: Folder) -> None:
    """A warning: no answer could pass by facts that even the reference does not state."""
    for text, warned in (("Tove Jansson.", False), ("Astrid Lindgren.", True)):
        record = text_case("B001", text)
        record["ground_truth"]["facts"] = [FACT]
        folder.write("datasets/small/no_tool.json", [record])
        said = folder.lb("validate")
        assert (said.exit_code, "case B001: has a reference that" in said.stderr) == (0, warned)


@pytest.mark.parametrize(
    ("file", "data", "what"),
    [
        ("history/index.json", "{", "history/index.json:1: "),
        ("history/2026-01-31-0123abcd/scores.json", "[]", "is not in history/index.json"),
        ("audits/embedded-1/0001.json", "{}", "audits/embedded-1/0001.json"),
        ("cassettes/embedded-1/small/_labels.json", "{}", 'it lacks the list "interactions"'),
        ("datasets/small/reference.json", "{}", "lb suites reference small"),
    ],
)
def test_what_later_commands_stop_at_is_a_problem(
    folder: Folder, file: str, data: str, what: str
) -> None:
    """Otherwise `lb validate` is fine, and `lb rescore` or `lb build` is not."""
    folder.write(file, data)
    said = folder.lb("validate")
    assert (said.exit_code, what in said.stderr) == (1, True)
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    assert folder.lb("validate", "m1").exit_code == 0
