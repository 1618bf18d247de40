"""Judge prompts: `prompts/<suite>/<prompt>.md`, Markdown with placeholders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import read_bytes
from leaderboard.types import Prompt, Suite
from leaderboard.workspace import Workspace

PLACEHOLDERS = ("question", "subject", "expected", "got", "fence")
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def load_prompts(workspace: Workspace, suite: Suite) -> dict[tuple[str, str], Prompt]:
    """The judge prompts that a suite and its categories name. Raises FilesError for one that is missing or cannot be used."""
    prompts: dict[tuple[str, str], Prompt] = {}
    required = suite.kind.placeholders
    problems: list[Problem] = []
    named = (
        name for category in suite.categories for name in (category.prompt, category.follow_up)
    )
    names = {
        name
        for name in (*named, suite.policy.get("preference"), suite.policy.get("final_answer"))
        if name
    }
    for name in sorted(names):
        path = workspace.prompts / suite.id / f"{name}.md"
        shown = workspace.shown(path)
        if not path.exists():
            problems.append(
                Problem(
                    shown,
                    "does not exist, but suite.toml names it as a judge prompt",
                    "write it, or correct the name",
                )
            )
            continue
        try:
            data = read_bytes(path, shown, workspace.root)
            prompts[suite.id, name] = _prompt(
                data.decode("utf-8"), suite.id, name, shown, digest_bytes(data), required=required
            )
        except FilesError as error:
            problems.extend(error.problems)
        except UnicodeDecodeError:
            problems.append(Problem(shown, "is not UTF-8", "save it as UTF-8"))
    if problems:
        raise FilesError(problems)
    return prompts


def _prompt(
    text: str, suite_id: str, name: str, shown: str, digest: str, *, required: Sequence[str]
) -> Prompt:
    parts = tuple(_PLACEHOLDER.split(text))
    unknown = sorted(set(parts[1::2]) - set(PLACEHOLDERS))
    if unknown:
        allowed = ", ".join(PLACEHOLDERS)
        raise FilesError(
            Problem(
                shown, f"has unknown placeholders: {', '.join(unknown)}", f"placeholders: {allowed}"
            )
        )
    missing = [word for word in required if word not in parts[1::2]]
    if missing:
        raise FilesError(
            Problem(
                shown,
                f"lacks the placeholders {', '.join(missing)}",
                "quote the texts inside the fence",
            )
        )
    return Prompt(suite_id, name, parts, digest)
