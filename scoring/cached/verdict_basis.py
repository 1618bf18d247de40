"""What verdicts depend on besides judge replies, as one digest for each responses file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_of, folder_digest, packages_digest
from leaderboard.files.label_files import LabelledSet
from leaderboard.load import Contents
from leaderboard.types import JudgeSettings, Submission, Suite
from leaderboard.workspace import Workspace
from scoring.rules import RULES_VERSION

# The packages that read responses, decide, recompute replies and act out calls.
_PACKAGES: Final = ("leaderboard", "scoring", "replay", "runners")
_PROJECT: Final = Path(__file__).parents[2]


class Basis:
    """The digests of what verdicts depend on, for one board.

    These are the responses, the files of the suite, the order of its cases, its prompts, the
    judges, the code of this project, and the rules of the workspace's own.
    """

    def __init__(
        self, workspace: Workspace, contents: Contents, panel: Sequence[JudgeSettings]
    ) -> None:
        common = [
            RULES_VERSION,
            code_digest(),
            folder_digest(workspace.root / "rules"),
            [asdict(judge) for judge in panel],
        ]
        self._suites = {}
        for suite in contents.suites:
            prompts = {
                name: prompt.digest
                for (suite_id, name), prompt in contents.prompts.items()
                if suite_id == suite.id
            }
            cases = [(case.category, case.id) for case in suite.by_id.values()]
            files = folder_digest(workspace.datasets / suite.id)
            self._suites[suite.id] = digest_of([common, suite.digest, files, cases, prompts])

    def of(self, submission: Submission, suite: Suite, responses: str) -> str:
        """The digest for a responses file with the digest `responses`."""
        path = submission.files[suite.id]
        return digest_of([self._suites[suite.id], path, submission.underscored, responses])

    def of_labels(self, suite_id: str, labels: Iterable[LabelledSet]) -> str:
        """The digest for the labelled sets of a suite."""
        sets = [(one.file, one.digest) for one in labels if one.suite == suite_id]
        return digest_of([self._suites[suite_id], sets])


def code_digest() -> str:
    """The sha256 of the code and word lists that verdicts depend on."""
    return packages_digest(_PROJECT, _PACKAGES)
