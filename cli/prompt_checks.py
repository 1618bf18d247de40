"""What only `lb validate` checks of judge prompts: can the embedded judge read them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.load import Contents
    from leaderboard.types import Prompt, Suite


def unjudged_prompts(contents: Contents) -> Iterator[Problem]:
    """A problem for each prompt to which the embedded judge would give no grade.

    Prompts with labels of their own are left out: it has no rule for any of them.
    """
    for suite in contents.suites:
        if suite.kind.own_grades:
            continue
        for name, categories in _categories_of(suite).items():
            prompt = contents.prompts.get((suite.id, name))
            if prompt is not None:
                yield from _problems(prompt, categories)


def _categories_of(suite: Suite) -> dict[str, Sequence[str]]:
    """The categories that fit each prompt of a suite, by the name of the prompt."""
    from replay.lexical import COMPARING_RULES, STATUS_RULES

    preference = "preference"
    fitting = [*COMPARING_RULES]
    if suite.kind.averages_grades:
        fitting = [category for category in STATUS_RULES if category != preference]
    names = [suite.policy.get("final_answer")]
    for category in suite.categories:
        names += [category.prompt, category.follow_up]
    categories: dict[str, Sequence[str]] = {name: fitting for name in names if name}
    if name := suite.policy.get(preference):
        categories[name] = [preference]
    return categories


def _problems(prompt: Prompt, categories: Sequence[str]) -> Iterator[Problem]:
    from leaderboard.errors import Problem
    from leaderboard.types import Question
    from replay.lexical.embedded_judge import WITHOUT_REFERENCE, category_line, parse
    from scoring.judging.panel_questions import render

    file = f"prompts/{prompt.suite}/{prompt.id}.md"
    text = render(prompt, Question("{{question}}", "{{subject}}", "{{expected}}", "{{got}}"))
    found = category_line(text)
    names = f"one of these names: {', '.join(categories)}; see lb docs prompts"
    if found is None:
        what = "has no line `Category: NAME` above its first quoted text, so the embedded judge"
        yield Problem(file, f"{what} cannot choose a rule", f"add the line, with {names}")
        return
    line = text.count("\n", 0, found.start()) + 1
    if found[1] not in categories:
        what = f"names the category {found[1]!r}, for which the embedded judge has no rule here"
        yield Problem(file, what, f"write {names}", line)
        return
    needed = ["{{question}}", "{{expected}}", "{{got}}"]
    if found[1] in WITHOUT_REFERENCE:
        needed.remove("{{expected}}")
    read = parse(text)
    quoted = [read[1].question, read[1].expected, read[1].got] if read else []
    if not _are_in(needed, [one for one in quoted if one]):
        what = f"has other quoted texts than the embedded judge expects for {found[1]!r}"
        fix = f"quote exactly {', '.join(needed)}, in this order; see lb docs prompts"
        yield Problem(file, what, fix)


def _are_in(needed: Sequence[str], quoted: Sequence[str]) -> bool:
    """Whether each needed text is in the quoted text at its place."""
    if len(needed) != len(quoted):
        return False
    return all(one in text for one, text in zip(needed, quoted, strict=True))
