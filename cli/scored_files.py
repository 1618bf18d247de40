"""Scores the responses files of a workspace. What is cached from the last run is not decided again.

Where nothing may be recorded, all processors share the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cli.output.console import say
from cli.output.problem_output import show_problems
from leaderboard.errors import FilesError, Problem, errors_in
from leaderboard.machine.processes import in_processes, processors
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import Workspace

if TYPE_CHECKING:
    from leaderboard.load import Contents, Known
    from leaderboard.types import JudgeSettings, Records, Submission
    from replay.asker import Asker
    from replay.recomputed_replies import ChangedReply
    from scoring.cached.cached_labels import CachedLabels
    from scoring.cached.cached_verdict_tables import Decided
    from scoring.cached.cached_verdicts import CachedFile, CachedVerdicts
    from scoring.cached.verdict_basis import Basis
    from scoring.judging.labelled import LabelRows
    from scoring.scorer import Progress
    from scoring.verdict_parts import ResponsesFile, ScoredPart


class _Share(NamedTuple):
    """What one process loaded and scored, and the recorded replies that are not the judge's own."""

    contents: Contents
    part: ScoredPart
    differences: Mapping[str, ChangedReply]


@dataclass(slots=True)
class FileScorer:
    """Loads and scores the responses of a workspace.

    `contents` has the suites, and receives the submissions and all problems. `named` are the
    submissions that the user named. `basis` is what verdicts depend on.
    """

    workspace: Workspace
    contents: Contents
    panel: Sequence[JudgeSettings]
    asker: Asker
    named: Sequence[str] = ()
    basis: Basis = field(init=False)

    def __post_init__(self) -> None:
        from scoring.cached.verdict_basis import Basis

        self.basis = Basis(self.workspace, self.contents, self.panel)

    def score(
        self, ids: Sequence[str], cached: CachedVerdicts, *, progress: Progress = nullcontext
    ) -> Decided:
        """The verdicts on all files of these submissions, and their basis. Raises FilesError."""
        from scoring.cached.cached_verdicts import known_files

        self._forget_changed(cached)
        known = known_files(self.basis, [cached.files]) if cached.files else None
        if self.asker.recording is None:
            parts = self._replay(ids, known)
        else:
            parts = [self._record(ids, known, progress)]
        # These import Polars, which must not be loaded when processes are forked.
        from scoring.cached.cached_verdict_tables import Decided, part_of
        from scoring.verdict_parts import join

        files = self._decided_from()
        return Decided(join([*parts, part_of(cached)], list(files)), files)

    def gather(self, ids: Sequence[str], shards: Sequence[CachedVerdicts]) -> Decided:
        """The verdicts on all files of these submissions, which must all be in the shards.

        Of a file that several shards hold, the verdicts on what it is now are taken. Raises
        FilesError for files that are not there, or were decided from something else.
        """
        from leaderboard.load import load_submissions
        from scoring.cached.cached_verdict_tables import Decided, part_of
        from scoring.cached.cached_verdicts import known_files
        from scoring.verdict_parts import join

        for shard in shards:
            self._forget_changed(shard)
        known = known_files(self.basis, [shard.files for shard in shards])
        load_submissions(self.workspace, self.contents, ids, known)
        self._check_board()
        paths = {one.id: one.files for one in self.contents.submissions}
        left = [paths[name][suite] for name, suite in self.contents.records]
        if left:
            what = "is missing from the shards"
            what += ", or the file, its suite, its prompts or its judges have changed"
            fix = "run lb rescore --shard again, for every shard and from the same files"
            raise FilesError([Problem(path, what, fix) for path in left])
        files = self._decided_from()
        now = {name: file.basis for name, file in files.items()}
        for shard in shards:
            # Another shard may hold newer verdicts on the same file.
            shard.forget(
                [name for name, file in shard.files.items() if file.basis != now.get(name)]
            )
        return Decided(join([part_of(shard) for shard in shards], list(files)), files)

    def decided_labels(self, cached: Mapping[str, CachedLabels]) -> dict[str, LabelRows]:
        """The suites whose labelled pairs need not be decided again."""
        from scoring.cached.cached_labels import still_decided

        return still_decided(cached, self.label_basis(), self._reply_now)

    def label_basis(self) -> dict[str, str]:
        """What the labelled pairs of each suite are decided from, as a digest."""
        labels = self.contents.labels
        return {suite.id: self.basis.of_labels(suite.id, labels) for suite in self.contents.suites}

    def _replay(self, ids: Sequence[str], known: Known | None) -> list[ScoredPart]:
        """Loads and scores files. All processors share them."""
        shares = in_processes(lambda some: self._share(some, known), ids, processors())
        for share in shares:
            self.contents.add(share.contents)
            self.asker.differences.update(share.differences)
        self._check_board()
        return [share.part for share in shares]

    def _share(self, ids: Sequence[str], known: Known | None) -> _Share:
        """Loads some submissions, and scores each before the next is loaded."""
        from leaderboard.load import load_submissions
        from scoring.scorer import Scorer

        contents = self.contents.for_submissions()
        scorer = Scorer(contents.prompts, self.panel, self.asker)

        def take(submission: Submission, records: Mapping[ResponsesFile, Records]) -> None:
            for suite in contents.suites:
                if (submission.id, suite.id) in records:
                    scorer.score(submission, suite, records[submission.id, suite.id])

        load_submissions(self.workspace, contents, ids, known, take=take)
        part = scorer.finish()
        return _Share(contents.without_suites(), part, self.asker.differences)

    def _record(self, ids: Sequence[str], known: Known | None, progress: Progress) -> ScoredPart:
        """Loads all files, so that problems stop it before the first judge is asked, and scores."""
        from leaderboard.load import load_submissions
        from scoring.scorer import score_files

        load_submissions(self.workspace, self.contents, ids, known)
        self._check_board()
        named = self.asker.recording.named if self.asker.recording else ()
        return score_files(self.contents, self.panel, self.asker, progress=progress, first=named)

    def _forget_changed(self, cached: CachedVerdicts) -> None:
        """Forgets the files whose verdicts depend on a judge call that now has another reply."""
        changed = cached.changed_calls(self._reply_now)
        if changed:
            from scoring.cached.cached_verdict_tables import files_asking

            cached.forget(files_asking(cached, changed), changed)

    def _check_board(self) -> None:
        """Finds the problems of the whole board, and stops on errors before a call is recorded."""
        from leaderboard.load import find_board_problems

        find_board_problems(self.workspace, self.contents)
        _stop_on_problems(self.contents, self.named)

    def _decided_from(self) -> dict[ResponsesFile, CachedFile]:
        """The basis of each loaded file, and its warnings."""
        from scoring.cached.cached_verdicts import CachedFile

        contents = self.contents
        warnings: dict[str, tuple[Problem, ...]] = {}
        for problem in contents.problems:
            if not problem.is_error:
                warnings[problem.file] = (*warnings.get(problem.file, ()), problem)
        files = {}
        for submission in contents.submissions:
            for suite in contents.suites:
                path = submission.files.get(suite.id)
                if path is not None:
                    basis = self.basis.of(submission, suite, contents.digests[path])
                    files[submission.id, suite.id] = CachedFile(basis, warnings.get(path, ()))
        return files

    def _reply_now(self, judge_name: str, key: str) -> str | None:
        """The recorded reply of a judge of the panel to a call, if it decides."""
        judge = next((judge for judge in self.panel if judge.name == judge_name), None)
        return None if judge is None else self.asker.counted_reply(judge, key)


def _stop_on_problems(contents: Contents, ids: Sequence[str]) -> None:
    """Shows all problems and stops on errors.

    With submissions named, only errors that concern those or the suites stop.
    """
    from leaderboard.load import united_problems

    loaded = {submission.id for submission in contents.submissions}
    named = tuple(f"submissions/{name}" for name in ids)
    for name, folder in zip(ids, named, strict=True):
        reported = any(_is_in(problem, [folder]) for problem in contents.problems)
        if name not in loaded and not reported:
            fix = f"start one with: lb new {name}"
            contents.problems.append(Problem(folder, "does not exist", fix))
    mine: list[Problem] = []
    others: list[Problem] = []
    for problem in contents.problems:
        in_another = problem.file.startswith("submissions/") and not _is_in(problem, named)
        (others if ids and in_another else mine).append(problem)
    errors = len(errors_in(others))
    if errors:
        number = counted(errors, "problem")
        left_out = "submissions that cannot be read are left out; see lb validate"
        say(f"{number} in other submissions: {left_out}")
    if errors_in(mine):
        raise FilesError(mine if ids else united_problems(mine, contents.suites))
    show_problems(mine, "text")


def _is_in(problem: Problem, folders: Sequence[str]) -> bool:
    """Whether a problem is about one of these folders, or about a file in it."""
    return any(
        problem.file == folder or problem.file.startswith(f"{folder}/") for folder in folders
    )


def read_shard(folder: Path) -> CachedVerdicts:
    """Reads what `lb rescore --shard` wrote. Raises FilesError."""
    from scoring.cached.cached_verdicts import read_decided

    try:
        return read_decided(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        fix = "write it again with lb rescore --shard K/N --out DIR"
        raise FilesError.about(str(folder), "holds no shard, or a damaged one", fix) from error
