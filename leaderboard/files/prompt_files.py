"""Judge prompts: `prompts/<suite>/<prompt>.md`, Markdown with placeholders and fences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.file_bytes import read_text
from leaderboard.types import Prompt, Suite
from leaderboard.workspace import Workspace

# The placeholders of a prompt, each with what replaces it.
PLACEHOLDERS: Final[Mapping[str, str]] = {
    "question": "the question of the case",
    "subject": "what is compared: the name of an argument, or nothing for a whole answer",
    "expected": "the accepted text, or the reference answer",
    "got": "the text that the judge decides about",
    "fence": "a word that none of these texts has",
}
FENCE: Final = re.compile(r"^<<<(\S+)$", re.MULTILINE)  # the line before a quoted text
_PLACEHOLDER: Final = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def load_prompts(workspace: Workspace, suite: Suite) -> dict[tuple[str, str], Prompt]:
    """Reads the judge prompts that a suite and its categories name. Raises FilesError."""
    prompts: dict[tuple[str, str], Prompt] = {}
    problems: list[Problem] = []
    for name in sorted(suite.prompt_names):
        path = workspace.prompts / suite.id / f"{name}.md"
        with collect_problems(problems):
            prompts[suite.id, name] = _load_prompt(workspace, path, suite, name)
    if suite.kind.own_grades:
        problems += _without_reference(workspace, suite, prompts)
    raise_any(problems)
    return prompts


def _without_reference(
    workspace: Workspace, suite: Suite, prompts: Mapping[tuple[str, str], Prompt]
) -> Iterator[Problem]:
    """Yields a problem for each prompt that quotes a reference to cases that have none."""
    for category in suite.categories:
        name = category.prompt or ""
        prompt = prompts.get((suite.id, name))
        lacking = [case.id for case in category.cases if case.ground_truth.text is None]
        if prompt is not None and "expected" in prompt.parts[1::2] and lacking:
            shown = workspace.shown(workspace.prompts / suite.id / f"{name}.md")
            number = f"{len(lacking)} of {len(category.cases)}"
            verb = "has" if len(lacking) == 1 else "have"
            cases = f"{number} cases of {category.id} {verb} no reference"
            what = f"quotes {{{{expected}}}}, but {cases}"
            fix = f"add ground_truth.text, first to case {lacking[0]}, or use another prompt"
            yield Problem(shown, what, fix)


def _load_prompt(workspace: Workspace, path: Path, suite: Suite, name: str) -> Prompt:
    shown = workspace.shown(path)
    if not path.exists():
        what = "does not exist, but suite.toml names it as a judge prompt"
        raise FilesError.about(shown, what, "write it, or correct the name")
    text = read_text(path, shown, workspace.root)
    parts = tuple(_PLACEHOLDER.split(text))
    used = parts[1::2]
    unknown = sorted(set(used) - set(PLACEHOLDERS))
    if unknown:
        what = f"has unknown placeholders: {_in_braces(unknown)}"
        fix = f"known: {_in_braces(PLACEHOLDERS)}; see lb docs prompts"
        raise FilesError.about(shown, what, fix)
    missing = [word for word in suite.kind.placeholders if word not in used]
    if missing:
        what = f"missing required placeholders: {_in_braces(missing)}"
        fix = "quote each text between a line <<<{{fence}} and a line {{fence}}>>>"
        raise FilesError.about(shown, what, f"{fix}; see lb docs prompts")
    return Prompt(suite.id, name, parts, digest_bytes(text.encode()))


def _in_braces(words: Iterable[str]) -> str:
    """Placeholders as they are written in a prompt."""
    return ", ".join("{{" + word + "}}" for word in words)


def fence_for(texts: Iterable[str]) -> str:
    """A word that none of the texts holds. The same texts always get the same word.

    So none of them can end its quotation and speak as the prompt. Recorded calls contain the
    fence: another one for the same texts would lose their recordings.
    """
    quoted = "\0".join(texts)
    digest = sha256(quoted.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:8] in quoted:
        digest = sha256(digest.encode()).hexdigest()
    return digest[:8]
