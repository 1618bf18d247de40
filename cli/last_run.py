"""What `lb rescore` reuses from the last run on a workspace, and keeps for the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cli.output.console import print_again, say
from cli.output.score_output import NOTHING_CHANGED
from cli.scored_files import FileScorer
from leaderboard.machine.cache_folder import cache_of, forget_old
from leaderboard.machine.unchanged_output import Inputs, Line, remember_output, unchanged_output

if TYPE_CHECKING:
    from replay.cassettes.cached_calls import CachedCassettes
    from scoring.cached.cached_verdict_tables import Decided
    from scoring.cached.cached_verdicts import CachedVerdicts
    from scoring.judging.labelled import LabelRows
    from scoring.scorer import Scored


@dataclass(slots=True)
class LastRun:
    """The last run on the workspace `root`. Nothing of it is used again unless `used`.

    `folder` is where runs are cached, or None if they are not. `source` is the same folder, or None
    if nothing of it is used.
    """

    root: Path
    used: bool
    folder: Path | None = field(init=False)
    source: Path | None = field(init=False)

    def __post_init__(self) -> None:
        self.folder = cache_of(self.root)
        self.source = self.folder if self.used else None

    def is_repeated(self, results: Path, inputs: Inputs) -> bool:
        """Whether the results are made already. If so, prints what was printed then."""
        if self.source is None:
            return False
        unchanged = unchanged_output(self.source, results, inputs.digest)
        if unchanged is not None:
            print_again(unchanged.lines)
        return unchanged is not None

    def verdicts(self) -> CachedVerdicts:
        """The verdicts of the last run, by file."""
        from scoring.cached.cached_verdicts import CachedVerdicts, read_verdicts

        return CachedVerdicts() if self.source is None else read_verdicts(self.source)

    def calls(self) -> CachedCassettes:
        """The judge calls in cassettes that the last run read."""
        from replay.cassettes.cached_calls import read_calls
        from scoring.cached.verdict_basis import code_digest

        return {} if self.source is None else read_calls(self.source, code_digest())

    def labels(self, files: FileScorer) -> Mapping[str, LabelRows]:
        """The suites whose labelled pairs need not be decided again."""
        from scoring.cached.cached_labels import read_labels

        return {} if self.source is None else files.decided_labels(read_labels(self.source))

    def replace(self, files: FileScorer, decided: Decided, scored: Scored) -> None:
        """Keeps the verdicts and judge calls of this run instead."""
        from replay.cassettes.cached_calls import write_calls
        from scoring.cached.cached_labels import write_labels
        from scoring.cached.cached_verdict_tables import write_verdicts
        from scoring.cached.verdict_basis import code_digest

        if self.folder is None:
            return
        try:
            write_verdicts(self.folder, decided)
            write_labels(self.folder, files.label_basis(), scored.labels)
            write_calls(self.folder, code_digest(), files.asker.index.read)
            forget_old(self.folder)
        except OSError as error:
            say(f"verdicts cannot be cached for the next run: {error}")

    def remember(self, results: Path, inputs: Inputs, lines: Sequence[Line]) -> None:
        """Keeps what this run printed. The next one prints it too if nothing has changed."""
        if self.folder is None:
            return
        *before, (text, to_stderr) = lines
        last = (text.removesuffix(NOTHING_CHANGED) + NOTHING_CHANGED, to_stderr)
        try:
            remember_output(self.folder, results, inputs, [*before, last])
        except OSError as error:
            say(f"what was printed cannot be cached for the next run: {error}")


def nothing_to_report(files: FileScorer, scored: Scored) -> bool:
    """Whether a run shows only scores: no problem, and no judge call without a reply.

    Other runs are not remembered: the next one looks at the files again.
    """
    asker = files.asker
    failures = asker.recording is not None and asker.recording.failures
    reports = (files.contents.problems, asker.index.problems, failures, asker.differences)
    return not (any(reports) or scored.missing_calls)
