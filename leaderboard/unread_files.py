"""Files below datasets/, prompts/, rules/, theme/ and audits/ that no reader reads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from leaderboard.errors import Problem
from leaderboard.files.audit_files import audit_numbers, audit_path
from leaderboard.files.site_settings import EXTRA_CSS
from leaderboard.texts.near_names import SLIP, nearest
from leaderboard.types import PROMPT_SETTINGS
from leaderboard.workspace import Workspace, input_files, suite_file

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.types import Suite

# The folders that are searched, with what belongs there.
_PLACES: Final = {
    "audits": "audits/<judge>/<number>.json, of a judge in leaderboard.toml",
    "datasets": "datasets/<suite>/<file>, named in suite.toml (see lb docs suite)",
    "prompts": "<suite>/<name>.md, named in suite.toml, and <suite>/labels/<judged category>.json",
    "rules": "rules/<kind>.py, in lower case, for a kind in a suite.toml: lb docs kinds",
    "theme": f"{EXTRA_CSS} and a logo",
}
# Set aside, or for people.
_OTHERS: Final = re.compile(r"[._].*|(copying|licen[cs]e|notice|readme)([.-].*)?", re.IGNORECASE)


def unread_files(workspace: Workspace, contents: Contents) -> Iterator[Problem]:
    """Yields a warning for each file that nothing reads, with the name that it should have.

    The files of suites that could not be loaded are left out, and those with another problem.
    """
    known = {*_known(workspace, contents)}
    patterns = [name for name in known if "*" in name]
    found = {*_files(workspace)}
    absent = known.difference(found, patterns)
    reported = {problem.file for problem in contents.problems}
    for file in sorted(found.difference(known, reported)):
        if any(fnmatchcase(file, pattern) for pattern in patterns):
            continue
        near = nearest(file, sorted(absent), SLIP)
        place = _PLACES[file.partition("/")[0]]
        fix = (
            f"did you mean {near}?" if near else f"rename or remove it; this folder is for {place}"
        )
        yield Problem(file, "has no effect: nothing reads it", fix, severity="warning")


def _known(workspace: Workspace, contents: Contents) -> Iterator[str]:
    """The list of what each folder may hold. A `*` is for any text."""
    yield from (EXTRA_CSS, "rules/test_*", "rules/conftest.py")
    yield from map(workspace.shown, input_files(workspace))  # such as the logo
    for judge in contents.leaderboard.judges:
        yield from (audit_path(judge, number) for number in audit_numbers(workspace, judge))
    for suite_id, name in contents.prompts:
        yield f"prompts/{suite_id}/{name}.md"
    for suite in contents.suites:
        yield from _files_of(suite)
    loaded = {suite.id for suite in contents.suites}
    for path in workspace.datasets.glob("*/"):
        if path.name not in loaded:
            yield from (f"datasets/{path.name}/*", f"prompts/{path.name}/*", "rules/*")


def _files_of(suite: Suite) -> Iterator[str]:
    """What the folders of a suite may hold, apart from the prompts that it names."""
    folder = f"datasets/{suite.id}"
    yield suite_file(suite.id)
    yield from suite.files
    if suite.kind.rule_file:
        yield suite.kind.rule_file.path
    if suite.kind.interaction == "apis":
        yield from (f"{folder}/{name}/*" for name in ("cache", "services", "tools"))
        yield from (f"{folder}/reference.json", f"{folder}/solutions.json")
    for category in suite.categories:
        if category.prompt:
            labels = f"{suite.id}/labels/{category.id}.json"
            yield from (f"datasets/{labels}", f"prompts/{labels}")
    for name in set(PROMPT_SETTINGS).intersection(suite.kind.policy):
        yield f"prompts/{suite.id}/{name}.md"  # ready for a suite that sets it


def _files(workspace: Workspace) -> Iterator[str]:
    """The files in the folders, without those that are set aside or for people."""
    for top in _PLACES:
        for folder, _, files in os.walk(workspace.root / top):
            for file in files:
                shown = workspace.shown(Path(folder, file))
                if not any(map(_OTHERS.fullmatch, shown.split("/"))):
                    yield shown
