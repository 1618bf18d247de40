"""The board: everything that the pages show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from leaderboard.apis.reference_runs import ReferenceRun
from leaderboard.board.board_changes import History
from leaderboard.board.board_state import State
from leaderboard.board.comparison import Comparison
from leaderboard.board.preferences import Preferences
from leaderboard.files.audit_files import Audit
from leaderboard.files.label_files import LabelledPair
from leaderboard.limits import CSV_ROWS
from leaderboard.results import Results
from leaderboard.site_look import SiteLook
from leaderboard.types import (
    FindFacts,
    JudgeSettings,
    Prompt,
    RecordedCall,
    Records,
    Submission,
    Suite,
    Tool,
)


@dataclass(frozen=True, slots=True, repr=False)
class SuiteComparisons:
    """The data for comparing any two submissions on one suite.

    - `levels`: the scores of each submission that took the suite, one per case in the suite's
      order, multiplied by `scale`; None for a case without a score.
    - `passes`: whether each submission passes these cases; None for a case without a score.
    - `bounded`: no score is above 1.
    - `compare`: compares two submissions, given their ids.
    - `prefer`: which of the two submissions the judges prefer, per case.
    """

    scale: int
    bounded: bool
    levels: Mapping[str, tuple[int | None, ...]]
    passes: Mapping[str, tuple[bool | None, ...]]
    compare: Callable[[str, str], Comparison]
    prefer: Callable[[str, str], Preferences | None] | None = None

    def has_part_scores(self, submission: str) -> bool:
        """Whether a score of a submission is neither a pass nor 0: then its mean is no share."""
        levels, passes = self.levels.get(submission, ()), self.passes.get(submission, ())
        return any(level and not passed for level, passed in zip(levels, passes, strict=True))


@dataclass(frozen=True, slots=True)
class Board:
    """One scored board.

    - `results`: its tables. The order of their rows is irrelevant.
    - `repository`: the address that people clone, or None.
    - `records`: the records of each responses file, in file order, by (submission, suite).
    - `exchange`: finds a recorded judge call by the key that a verdict holds.
      `judge_of`: the judge of such a call, without reading what was asked.
    - `find_facts`: finds the facts of a case in a text.
    - `docs`: Markdown by name. `packaged_docs`: the names of those that come with the package.
    - `look`: what the owner chose for the pages.
    - `makefile`: people who clone the board have `make site`.
    - `ranked`: the suite of the first page.
    - `mean_intervals`: the interval of the mean of all suites' scores, by submission.
    - `offered`: the tools of a (suite, category) that its environment provides.
    - `labels`: the labelled pairs by (suite, pair). `audits`: those of each judge,
      the earliest first.
    - `comparisons`: the suites on which submissions can be compared.
    - `states`: the snapshots, oldest first. `history`: what changed between them, and since the
      newest one if the board differs from it.
    - `references`: the reference runs by (suite, case). No score uses them.
    - `citation`: the content of CITATION.cff.
    """

    title: str
    description: str
    repository: str | None
    suites: tuple[Suite, ...]
    submissions: tuple[Submission, ...]
    results: Results
    records: Mapping[tuple[str, str], Records]
    judges: tuple[JudgeSettings, ...]
    prompts: tuple[Prompt, ...]
    exchange: Callable[[str], RecordedCall | None]
    judge_of: Callable[[str], str | None]
    find_facts: FindFacts
    docs: Mapping[str, str]
    ranked: str
    mean_intervals: Mapping[str, tuple[float, float]]
    offered: Mapping[tuple[str, str], tuple[Tool, ...]]
    labels: Mapping[tuple[str, str], LabelledPair]
    audits: Mapping[str, Sequence[Audit]]
    comparisons: Mapping[str, SuiteComparisons]
    history: History | None
    states: tuple[State, ...]
    references: Mapping[tuple[str, str], ReferenceRun]
    citation: bytes | None
    packaged_docs: frozenset[str]
    makefile: bool
    look: SiteLook

    def suite(self, id_: str) -> Suite | None:
        """The suite of this id; None if the board does not have it."""
        return next((suite for suite in self.suites if suite.id == id_), None)

    def suite_of(self, id_: str) -> Suite:
        """The suite of this id. Raises KeyError if the board does not have it."""
        found = self.suite(id_)
        if found is None:
            raise KeyError(id_)
        return found

    @property
    def ranked_metrics(self) -> pl.DataFrame:
        """The metric that each suite is ranked by: columns suite and metric."""
        rows = [(suite.id, suite.kind.ranked) for suite in self.suites]
        return pl.DataFrame(rows, {"suite": pl.String, "metric": pl.String}, orient="row")

    def submission(self, id_: str) -> Submission | None:
        """The submission of this id; None if the board does not have it."""
        return next((one for one in self.submissions if one.id == id_), None)

    @property
    def is_large(self) -> bool:
        """Whether its answers are published as tables alone, without a file for each case."""
        return self.results.verdicts.height > CSV_ROWS

    @property
    def newest(self) -> str:
        """The date of the newest responses; "" without a submission."""
        return max((submission.card.date for submission in self.submissions), default="")

    @property
    def rules_version(self) -> str:
        """The version of the rules that decided."""
        return str(self.results.manifest["rules"]["version"])
