"""A kind: how the cases of a suite are answered and decided, with everything that depends on it.

The built-in kinds are in `scoring.rules`, one module each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from leaderboard.errors import Problem
    from leaderboard.files.cases.category_cases import CategoryCases
    from leaderboard.files.cases.table_cases import CaseRow
    from leaderboard.types import (
        Call,
        Case,
        Confirm,
        DecidedBy,
        ExpectedCall,
        Json,
        Response,
        Rule,
        Suite,
    )

# How a case is answered: by one message (calls and text), by steps in an environment, by an agent's
# execution over simulated APIs, or elsewhere, with scores that are only reported. Responses are
# read, run and shown accordingly.
Interaction = Literal["message", "environment", "apis", "elsewhere"]

# Compares a call with the expected one (suite, case, expected, call, whether names were shown
# underscored). Maps each wrong argument to a reason code, or to "judge" where a judge decides about
# the value, and "" to `wrong_function` for another tool. Empty if all is right.
Faults = Callable[["Suite", "Case", "ExpectedCall", "Call", bool], Mapping[str, str]]

# What a judge may say about two texts, and what it counts.
EQUIVALENCE: Final[Mapping[str, float]] = MappingProxyType({"equivalent": 1.0, "different": 0.0})


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as readers see it.

    `ratio` marks a ratio around 1 instead of a share up to 1. A metric without `merit` describes
    how an answer came about; failing it is no fault.
    """

    id: str
    label: str
    description: str
    ratio: bool = False
    merit: bool = True


# Of the kinds that decide whether a case ends as it should.
CORRECT: Final = Metric(
    "correct",
    "correct",
    "The share of cases that end as they should: the right call, state or answer.",
)
MOST_METRICS: Final = 20  # that a suite.toml may define, of kinds whose metrics are the suite's own


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file of the workspace that holds the rule of a kind, and what is wrong with it."""

    path: str
    digest: str
    problems: tuple[Problem, ...]


def as_reported(_suite: Suite, _case: Case, response: Response) -> Response:
    """The response as it is: nothing that it reports is checked."""
    return response


@dataclass(frozen=True, slots=True)
class Kind:
    """What the project needs to know about a kind of suite.

    - `summary`: what suites of this kind measure, in one line for readers.
    - `read_cases`: the cases of a category file. `case_shape`: its records, for the JSON Schema.
    - `policy`: the settings of suite.toml that suites
      of this kind can have.
    - `decide`: the rule. It returns one finding per metric, in the order of `metrics_of`.
    - `confirm`: checks what a response reports, before the rule or a judge reads it.
    - `calls_in_any_order`: the order of calls never matters, so it makes no other answer.
    - `faults`: what the rule holds against one call; None if it does not compare calls.
    - `metrics`: the first one is ranked. `policy_metrics`: a suite has them only if its policy
      names a judge prompt by the metric's id. `own_metrics`: how many a suite.toml may
      declare instead.
    - `grades`: what a judge may say of an answer, and what it counts, 0..1. `own_grades`: they are
      the labels that a suite.toml declares, and a judge decides about every answer.
    - `compares_texts`: only an identical text passes where neither facts nor a judge decide.
    - `placeholders`: those that every judge prompt of a category must have; none if the rule
      never asks a judge.
    - `system_text`: what a model is told before a case; None if `lb run --model` cannot ask it.
      `text_without_tools` replaces it when no tools are offered.
    - `about_truth`: a sentence for readers on how answers are compared with `GroundTruth.shown`.
    - `case_of_row`: a case from one row of a table; None if a table cannot hold such cases.
    - `reads_records`: whether the rule gets every key of a case.
    - `rule_file`: None for a kind of this project.
    """

    name: str
    summary: str
    interaction: Interaction
    read_cases: Callable[[CategoryCases], tuple[Case, ...]]
    case_shape: TypeAdapter[Any]
    decide: Rule
    metrics: tuple[Metric, ...]
    confirm: Confirm = as_reported
    calls_in_any_order: bool = False
    faults: Faults | None = None
    policy: tuple[str, ...] = ()
    policy_metrics: tuple[Metric, ...] = ()
    own_metrics: int = 0
    grades: Mapping[str, float] = field(default_factory=lambda: EQUIVALENCE)
    own_grades: bool = False
    compares_texts: bool = False
    placeholders: tuple[str, ...] = ("expected", "got", "fence")
    system_text: str | None = None
    text_without_tools: str | None = None
    about_truth: str = ""
    case_of_row: Callable[[CaseRow], dict[str, Json]] | None = None
    reads_records: bool = False
    rule_file: RuleFile | None = None

    @property
    def reported(self) -> bool:
        """Whether scores are taken as they are reported, because nothing here can derive them."""
        return self.interaction == "elsewhere"

    @property
    def decided_by(self) -> DecidedBy:
        """What its decisions without a judge are based on."""
        return "reported" if self.reported else "rule"

    @property
    def decision(self) -> str:
        """How cases are decided without a judge, for readers."""
        if self.reported:
            return "reported, not derived here"
        return f"rule {self.name}" + (f" ({self.rule_file.path})" if self.rule_file else "")

    @property
    def ranked(self) -> str:
        """The id of the metric that suites of this kind are ranked by."""
        return self.metrics[0].id

    @property
    def averages_grades(self) -> bool:
        """Whether several judges decide by the mean of their grades, not by a majority."""
        return self.own_grades or self.grades != EQUIVALENCE

    @property
    def is_scale(self) -> bool:
        """Whether the labels of a suite are more than right and wrong."""
        return self.own_grades and any(0 < points < 1 for points in self.grades.values())

    def metrics_of(self, policy: Mapping[str, str]) -> tuple[Metric, ...]:
        """The metrics of a suite with this policy."""
        return (*self.metrics, *(m for m in self.policy_metrics if m.id in policy))


Kinds = Mapping[str, Kind]
