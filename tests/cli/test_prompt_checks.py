"""What `lb validate` checks of judge prompts that the embedded judge reads."""

from __future__ import annotations

from replay.lexical import COMPARING_RULES
from tests.conftest import Folder, replaced
from tests.each_row import each_row
from tests.judge_prompts import judge_prompt

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
