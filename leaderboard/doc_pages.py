"""The documents: those that come with the package, and those of the workspace's own docs/.

The package has pages of every board, and the reference: the Markdown files of docs/. The wheel
holds a copy; a checkout has the folder itself. A part between `<!-- if NAME, … -->` and
`<!-- end -->` is only for boards to which a name applies: a kind of suite in use, or `judges`, or
`makefile`. A section with the heading "Suites of kind `NAME`" is only for boards with such a suite.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem, collect_problems
from leaderboard.files.file_bytes import read_text
from leaderboard.types import Suite
from leaderboard.workspace import Workspace

# What every board shows, unless its workspace has a document of this name.
BOARD_PAGES: Final = ("methodology", "submitting", "formats")

# Documents about the code, which the site does not show.
FOR_DEVELOPERS: Final = ("architecture",)

# Documents about this repository.
NOT_PACKAGED: Final = frozenset({"architecture", "no-understanding"})

_HERE: Final = Path(__file__).parent
_PART: Final = re.compile(r"^<!-- if ([^>]+) -->\n(.*?)^<!-- end -->\n", re.MULTILINE | re.DOTALL)
_SECTION: Final = re.compile(
    r"^#+ Suites of kind `(\w+)`.*?(?=^#{2,4} |\Z)", re.MULTILINE | re.DOTALL
)


def docs_folder() -> Path:
    """The folder of the documents: in the installed package, or beside it in a checkout."""
    installed = _HERE / "docs"
    return installed if installed.is_dir() else _HERE.parent / "docs"


def doc_pages() -> dict[str, Path]:
    """The files of the documents for people who use the package, by name, sorted."""
    folder = docs_folder()
    files = (*folder.glob("*.md"), *folder.glob("reference/*.md"))
    return {path.stem: path for path in sorted(files) if path.stem not in NOT_PACKAGED}


def board_pages(suites: Iterable[Suite], *, judged: bool, makefile: bool) -> dict[str, str]:
    """The pages of every board by name, with the parts that concern these suites."""
    applies = {"own" if suite.kind.rule_file else suite.kind.name for suite in suites}
    applies |= {name for name, holds in (("judges", judged), ("makefile", makefile)) if holds}
    folder = docs_folder()
    texts = {name: (folder / f"{name}.md").read_text(encoding="utf-8") for name in BOARD_PAGES}
    return {name: parts_for(text, applies) for name, text in texts.items()}


def own_pages(workspace: Workspace) -> dict[str, str]:
    """The pages of the workspace's own docs/ by name. Raises FilesError with all problems."""
    pages: dict[str, str] = {}
    problems: list[Problem] = []
    for path in sorted(workspace.docs.glob("*.md")):
        if path.stem not in FOR_DEVELOPERS:
            with collect_problems(problems):
                text = read_text(path, workspace.shown(path), workspace.root)
                pages[path.stem] = parts_for(text)
    if problems:
        raise FilesError(problems)
    return pages


def parts_for(text: str, applies: Collection[str] | None = None) -> str:
    """A document without the parts that concern other boards. None keeps all parts."""

    def part(found: re.Match[str]) -> str:
        names = {name.strip() for name in found[1].split(",")}
        return found[2] if applies is None or names & set(applies) else ""

    def section(found: re.Match[str]) -> str:
        return found[0] if applies is None or found[1] in applies else ""

    return _SECTION.sub(section, _PART.sub(part, text))
