"""What only `lb validate` checks: environments, judges and their prompts, references of facts."""

from __future__ import annotations

import re

import pytest

from replay.lexical import COMPARING_RULES
from tests.conftest import Folder, call_case, replaced, text_case
from tests.each_row import each_row
from tests.judge_prompts import judge_prompt

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
        (
            'model = "embedded-2"',
            "$.judges.embedded-1.model: names an unknown embedded judge: 'embedded-2'",
        ),
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
        ("recordings.json", '{"a": 1 "b": 2}', "recordings.json:1: is not JSON"),
        ("docs/rules.md", b"\xff", "docs/rules.md"),
        ("datasets/small/reference.json", "{}", "lb suites reference small"),
        ("datasets/small/cache/C/t_for_C/a.json", "<<", "datasets/small/cache/C/t_for_C/a.json:1"),
        ("datasets/small/cache/C/t_for_C/a.json", '{"x": {}}', "a.json:1 $.x: is not the input"),
        ("datasets/small/cache/C/t_for_C/a.json", '{"{}": "3"}', "is not a reply of an API"),
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


WITH_TOOLS = """\
schema = 1
title = "APIs"
kind = "stable_toolbench"
[[categories]]
id = "c"
title = "C"
file = "queries.json"
"""


@pytest.mark.parametrize("file", ["tools/C/t.json", "services/C/t.json"])
def test_a_tool_or_service_that_scoring_stops_at_is_a_problem(folder: Folder, file: str) -> None:
    """Calls cannot be compared with replies that nobody can read."""
    called = {"category_name": "C", "tool_name": "T", "api_name": "a"}
    query = {"query_id": "q1", "query": "?", "api_list": [called], "relevant APIs": [["T", "a"]]}
    folder.write("datasets/apis/suite.toml", WITH_TOOLS)
    folder.write("datasets/apis/queries.json", [query])
    folder.write("datasets/apis/tools/C/u.json", {"tool_name": "U", "api_list": []})
    assert folder.lb("validate").exit_code == 0
    folder.write(f"datasets/apis/{file}", "{}")
    said = folder.lb("validate")
    assert (said.exit_code, f"datasets/apis/{file}" in said.stderr) == (1, True)


FILE = "prompts/small/no_tool.md"
GOOD = judge_prompt("no_tool")
NAMES = f"one of these names: {', '.join(COMPARING_RULES)}; see lb docs prompts"
NO_LINE = (
    f"{FILE}: has no line `Category: NAME` above its first quoted text, so the embedded judge "
    f"cannot choose a rule (add the line, with {NAMES})"
)
NOT_QUOTED = (
    f"{FILE}: has other quoted texts than the embedded judge expects for 'no_tool' (quote exactly "
    "{{question}}, {{expected}}, {{got}}, in this order; see lb docs prompts)"
)
QUESTION = "<<<{{fence}}\n{{question}}\n{{fence}}>>>\n"


def no_rule(category: str) -> str:
    what = f"names the category {category!r}, for which the embedded judge has no rule here"
    return f"{FILE}:3: {what} (write {NAMES})"


SWAPPED = GOOD.replace("{{got}}", "{{x}}").replace("{{expected}}", "{{got}}")


@each_row(
    ("prompt", "problem"),
    [
        (GOOD.replace("Category: no_tool\n", ""), NO_LINE),
        (GOOD.replace("Category: no_tool\n", "") + "Category: no_tool\n", NO_LINE),
        (GOOD.replace("no_tool", "letters"), no_rule("letters")),
        (GOOD.replace("no_tool", "preference"), no_rule("preference")),
        (GOOD.replace(QUESTION, ""), NOT_QUOTED),
        (GOOD + QUESTION, NOT_QUOTED),
        (SWAPPED.replace("{{x}}", "{{expected}}"), NOT_QUOTED),
    ],
)
def test_a_prompt_needs_a_rule_of_the_embedded_judge(
    folder: Folder, prompt: str, problem: str
) -> None:
    """Otherwise everything that it decides is unscored."""
    assert folder.lb("validate").exit_code == 0
    folder.write(FILE, prompt)
    said = folder.lb("validate")
    folder.write(FILE, GOOD)

    assert said.exit_code == 1
    assert problem in said.stderr


def test_other_judges_read_any_prompt(folder: Folder) -> None:
    """They are told in words what to decide."""
    settings = 'provider = "embedded"\nmodel = "embedded-1"'
    replaced("leaderboard.toml", settings, 'provider = "openai"\nmodel = "m"')(folder)
    folder.write(FILE, GOOD.replace("Category: no_tool\n", ""))

    assert folder.lb("validate").exit_code == 0


APIS = """\
schema = 1
title = "APIs"
kind = "stable_toolbench"
preference = "preference"
final_answer = "final_answer"
[[categories]]
id = "c"
title = "C"
file = "c.json"
prompt = "answer_status"
follow_up = "execution_status"
"""
STATUS = "answer_status, final_answer, execution_status"


@each_row(
    ("name", "category", "known"),
    [
        ("answer_status", "no_tool", STATUS),
        ("execution_status", "preference", STATUS),
        ("final_answer", "qa", STATUS),
        ("preference", "answer_status", "preference"),
    ],
)
def test_each_prompt_over_simulated_apis_has_its_own_categories(
    folder: Folder, name: str, category: str, known: str
) -> None:
    """A rule with other words gives no grade."""
    folder.write("datasets/apis/suite.toml", APIS)
    folder.write("datasets/apis/c.json", [{"query_id": 1, "query": "When does it leave?"}])
    for own in ("answer_status", "execution_status", "preference"):
        folder.write(f"prompts/apis/{own}.md", judge_prompt(own))
    solved = judge_prompt("answer_status").replace("answer_status", "final_answer")
    folder.write("prompts/apis/final_answer.md", solved)
    assert folder.lb("validate").exit_code == 0
    folder.write(f"prompts/apis/{name}.md", judge_prompt(category))

    said = folder.lb("validate").stderr
    assert f"prompts/apis/{name}.md:3: names the category {category!r}" in said
    assert f"(write one of these names: {known}; see lb docs prompts)" in said


def test_a_wrong_result_of_a_formula_is_a_problem(folder: Folder) -> None:
    """Right formulas would fail, and wrong ones pass."""
    record = call_case("A001", 1, "17% of 2340")
    for result, fails in ((397.8, False), (379.8, True)):
        record["ground_truth"]["results"] = {"to_unit": result}
        folder.write("datasets/small/tool_selection.json", [record])
        said = folder.lb("validate")
        what = f"case A001: gives 'to_unit' the result {result}, but it is 397.8"
        assert (what in said.stderr) is fails
        assert (said.exit_code == 1) is fails


@pytest.mark.large
def test_texts_that_nothing_decides_about_are_named(folder: Folder) -> None:
    """Every answer in other words would fail. Facts or a judge can decide about it."""
    names = ["q-1", "q-2", "q-3", "q-4"]
    records = [text_case(name, "LEDs are lamps.") for name in names]
    stated = text_case("q-5", "Tove Jansson.")
    stated["ground_truth"]["facts"] = [FACT]
    folder.write("datasets/small/no_tool.json", [*records, stated])
    assert "no prompt" not in folder.lb("validate").stderr

    text = (folder.root / "datasets/small/suite.toml").read_text(encoding="utf-8")
    assert re.search(r"^prompt = ", text, re.MULTILINE)
    without = re.sub(r"^prompt = .*$", "", text, flags=re.MULTILINE)
    folder.write("datasets/small/suite.toml", without)
    said = folder.lb("validate").stderr
    what = "category 'no_tool' has text cases (q-1, q-2, q-3, and 1 more) but no prompt: only an"
    assert f"{what} identical text passes" in said
    assert said.count("no prompt") == 1
