"""What only `lb validate` checks: judges, prompts, environments, texts, unloaded files.

These checks need packages that loading a board does not import.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from leaderboard.errors import JudgeError, Problem, collect_problems
from leaderboard.files.cassette_paths import cassette_files
from leaderboard.judge_providers import EMBEDDED_MODEL
from leaderboard.texts.near_names import nearest
from leaderboard.texts.short_text import first_of
from leaderboard.workspace import Workspace, suite_file

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.types import Case, JudgeSettings, Prompt, Suite

_FEW: Final = 3  # ids of cases that a message names


def judge_problems(judges: Iterable[JudgeSettings]) -> Iterator[Problem]:
    """A problem for each judge whose calls could not be made with its model and settings."""
    from replay.cassettes.call_identity import Keyer

    for judge in judges:
        if judge.is_recomputed and judge.model != EMBEDDED_MODEL:
            at = f"$.judges.{judge.name}.model"
            what = f"names an unknown embedded judge: {judge.model!r}"
            yield Problem("leaderboard.toml", what, f'write model = "{EMBEDDED_MODEL}"', at=at)
        try:
            Keyer(judge)
        except JudgeError as error:
            yield from error.problems


def unjudged_prompts(contents: Contents) -> Iterator[Problem]:
    """A problem for each prompt to which the embedded judge would give no grade.

    Prompts with labels of their own are left out: it has no rule for any of them.
    """
    for suite in contents.suites:
        if suite.kind.own_grades:
            continue
        for name, categories in _fitting_categories(suite).items():
            prompt = contents.prompts.get((suite.id, name))
            if prompt is not None:
                yield from _prompt_problems(prompt, categories)


def _fitting_categories(suite: Suite) -> dict[str, list[str]]:
    """The categories that fit each prompt of a suite, by the name of the prompt."""
    from replay.lexical import COMPARING_RULES, STATUS_RULES

    fitting = [*COMPARING_RULES]
    if suite.kind.averages_grades:
        fitting = [category for category in STATUS_RULES if category != "preference"]
    preference = suite.policy.get("preference")
    categories = {name: fitting for name in suite.prompt_names if name != preference}
    if preference:
        categories[preference] = ["preference"]
    return categories


def _prompt_problems(prompt: Prompt, categories: Sequence[str]) -> Iterator[Problem]:
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


def environment_problems(suite: Suite) -> Iterator[Problem]:
    """A problem for each unknown environment, and for steps that it has no tool for."""
    from runners.environments import registry, task_in

    file = suite_file(suite.id)
    environments = [task.name for task in registry]
    for place, category in enumerate(suite.categories):
        at, task = f"$.categories[{place}].environment", task_in(category)
        if task is not None:
            tools = task.create_environment().by_name
            for step, case_id in _steps_without(tools, category.cases).items():
                what = f"has no tool {step!r}, which case {case_id!r} expects"
                yield Problem(file, what, f"its tools: {', '.join(tools)}", at=at)
        elif category.environment is not None:
            near = nearest(category.environment, environments)
            fix = f"did you mean {near!r}?" if near else f"one of: {', '.join(environments)}"
            what = f"names an environment that does not exist: {category.environment!r}"
            yield Problem(file, what, fix, at=at)


def _steps_without(tools: Container[str], cases: Iterable[Case]) -> dict[str, str]:
    """The expected steps that no tool has the name of, each with the first case."""
    missing: dict[str, str] = {}
    for case in cases:
        for path in case.ground_truth.trajectory.paths if case.ground_truth.trajectory else ():
            for step in path:
                if step not in tools:
                    missing.setdefault(step, case.id)
    return missing


def unstated_facts(suite: Suite) -> Iterator[Problem]:
    """A warning for each case whose own reference does not state its facts."""
    from scoring.facts.decisions import decide

    for category in suite.categories:
        for case in category.cases:
            truth = case.ground_truth
            steps = truth.trajectory
            reference = truth.text if steps is None else steps.reference
            if reference is None or truth.facts is None or not truth.facts.items:
                continue
            decision = decide(case, str(reference))
            if decision is not None and decision.decided != "pass":
                what = f"has a reference that does not pass by its own facts: {decision.detail}"
                fix = "correct the reference or the facts: lb docs facts"
                where = f"case {case.id}"
                yield Problem(f"datasets/{suite.id}", what, fix, at=where, severity="warning")


def wrong_results(suite: Suite) -> Iterator[Problem]:
    """A problem for each expected formula that does not have the result that its case gives."""
    from scoring.rules.formula_value import formula_value
    from scoring.rules.json_equality import equal

    for case in suite.cases:
        for argument in [one for call in case.ground_truth.calls for one in call.arguments]:
            if argument.result is None:
                continue
            value = formula_value(str(argument.accepted[0]), case.query)
            if value is not None and not equal(argument.result, value):
                what = f"gives {argument.name!r} the result {argument.result}, but it is {value}"
                fix = "correct the result, or the argument of the call"
                yield Problem(f"datasets/{suite.id}", what, fix, at=f"case {case.id}")


def unjudged_texts(suite: Suite) -> Iterator[Problem]:
    """A warning for each category with texts that neither facts nor a judge would decide."""
    for place, category in enumerate(suite.categories if suite.kind.compares_texts else ()):
        ids = [case.id for case in category.cases if _needs_judge(case)]
        if category.prompt is None and ids:
            named = first_of(ids, _FEW)
            what = f"category {category.id!r} has text cases ({named}) but no prompt: only an "
            fix = "add prompt to the category, or facts to the cases: lb docs own-suite"
            file, at = suite_file(suite.id), f"$.categories[{place}]"
            yield Problem(file, f"{what}identical text passes", fix, at=at, severity="warning")


def _needs_judge(case: Case) -> bool:
    """Whether a text is expected, and no facts say what it must state."""
    truth, steps = case.ground_truth, case.ground_truth.trajectory
    expected = truth.text if steps is None else steps.reference
    compared = steps is None or not steps.has_state
    return compared and isinstance(expected, str) and truth.facts is None


def later_stops(workspace: Workspace, contents: Contents) -> list[Problem]:
    """The problems at which scoring or building would stop, in files that loading does not read.

    These are the history, audits, cassettes, the list of recordings, documents, reference runs,
    the tools, services and replies of simulated APIs, and what rules of the board's own import.
    """
    from leaderboard.apis.reference_runs import load_reference
    from leaderboard.doc_pages import own_pages
    from leaderboard.files.audit_files import load_audits
    from replay.cassettes import cassette_file
    from replay.cassettes.maintainers_recordings import read_recordings
    from runners.apis.reply_cache import ApiCache
    from runners.apis.virtual_apis import replaying
    from scoring.rules.workspace_rules import missing_modules

    problems: list[Problem] = []
    if workspace.history.exists():
        from leaderboard.board.snapshots import load_history  # imports polars

        with collect_problems(problems):
            load_history(workspace)
    for judge in contents.leaderboard.judges:
        with collect_problems(problems):
            load_audits(workspace, judge)
    for file in cassette_files(workspace.root):
        with collect_problems(problems):
            cassette_file.read(workspace.root, file)
    with collect_problems(problems):
        read_recordings(workspace.root)
    with collect_problems(problems):
        own_pages(workspace)
    for suite in contents.suites:
        with collect_problems(problems):
            load_reference(workspace, suite)
        if suite.kind.interaction == "apis":
            with collect_problems(problems):
                replaying(workspace, suite)
        cache = ApiCache(workspace.datasets / suite.id / "cache", strict=True)
        for problem in cache.problems():
            file = f"{workspace.shown(cache.root)}/{problem.file}"
            problems.append(replace(problem, file=file))
    for kind in {suite.kind.name: suite.kind for suite in contents.suites}.values():
        problems += missing_modules(kind)
    return problems
