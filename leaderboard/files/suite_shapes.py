"""The shape of suite.toml, checked by pydantic."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter

from leaderboard.files.field_types import CLOSED, CaseId, Date, Identifier, Line, text_form
from leaderboard.kinds import Metric


def _inside(path: str) -> str:
    parts = re.split(r"[/\\]", path)
    if ".." in parts or not parts[0] or ":" in parts[0]:
        raise ValueError("a file is named by its path in the folder of the suite")
    return path


FilePath = Annotated[Line, AfterValidator(_inside)]


class CategoryToml(BaseModel):
    """One category of suite.toml: the file of its cases, its weight, and its judge prompts.

    - `id`: its id.
    - `title`: its title on the pages.
    - `description`: Markdown for its page.
    - `file`: the file of its cases, in the folder of the suite.
    - `weight`: how much it counts in the score of the suite, relative to the others.
    - `prompt`: the judge prompt for its cases: `prompts/<suite>/<prompt>.md`.
    - `follow_up`: the prompt for a judge that is unsure whether a query is solved.
    - `environment`: the task in whose environment the cases are acted out.
    - `tables`: the file with the tables that a relational environment reads, in the folder of the
      suite. Without it, this project's own.
    """

    model_config = CLOSED
    id: Identifier
    title: Line
    description: str = ""
    file: FilePath
    weight: Annotated[float, Field(gt=0)] = 1.0
    prompt: Identifier | None = None
    follow_up: Identifier | None = None
    environment: Line | None = None
    tables: FilePath | None = None


MetricId = Annotated[
    str,
    text_form(r"^[a-z][a-z0-9_]{0,39}$", "a metric has up to 40 lower-case letters, digits and _"),
]


class MetricToml(BaseModel):
    """A metric of suite.toml, for kinds that have no metrics of their own.

    - `id`: its id in the tables.
    - `label`: its name on the pages. Without it, the id in words.
    - `description`: what it measures.
    """

    model_config = CLOSED
    id: MetricId
    label: Line | None = None
    description: str = ""

    def metric(self) -> Metric:
        """The metric; without a label, its id in words."""
        return Metric(self.id, self.label or self.id.replace("_", " "), self.description)


Grade = Annotated[
    str,
    text_form(
        r"^[a-z0-9]+([_-][a-z0-9]+)*$",
        "a label has up to 30 lower-case letters and digits, with single - or _ inside",
        most=30,
    ),
]
Points = Annotated[float, Field(ge=0, le=1)]


class SuiteToml(BaseModel):
    """suite.toml: what a suite measures, its kind, its policy, its categories.

    - `schema`: the version of this format.
    - `title`: its title on the pages.
    - `description`: Markdown for its page.
    - `kind`: how its cases are answered and decided: see [kinds of suites](../kinds.md).
    - `tools`: the file of its [tools](tools.md), in the folder of the suite.
    - `date`: the day that models are told, for cases that need one.
    - `optional_arguments`: whether a call may have optional arguments that nobody asked for. This
      and the next two settings are for `tool_selection`.
    - `multi_call`: what several calls in one answer mean: a fail, or the first or any one counts.
    - `function_case`: whether letter case matters in the names of tools.
    - `numbers`: what is compared where a number is expected: the last number of the answer, or what
      a judge reads where that is another one. For `tool_usage`.
    - `status_by`: whether a judge decides if a query is solved, or a rule of thumb. For
      `stable_toolbench`.
    - `rounds`: how many times each judge is asked about an answer. For `stable_toolbench` and
      `judged`.
    - `preference`: the prompt that asks which of two answers is better. For `stable_toolbench`.
    - `final_answer`: the prompt that grades the final answer alone, for one more metric. For
      `stable_toolbench`.
    - `metrics`: the metrics of the suite, for kinds that have none of their own.
    - `labels`: what a judge may say and what it counts, 0 to 1, for the kind `judged`.
    - `retired`: the ids of cases that the suite had and has no more. Records with these ids are not
      scored, and no case may have one of them.
    - `categories`: the categories.
    """

    model_config = CLOSED
    schema_: Literal[1] = Field(alias="schema")
    title: Line
    description: str = ""
    kind: Identifier
    tools: FilePath | None = None
    date: Date | None = None
    optional_arguments: Literal["strict", "allow"] = "strict"
    multi_call: Literal["strict", "first", "any"] = "strict"
    function_case: Literal["exact", "ignore"] = "exact"
    numbers: Literal["last", "judge"] = "last"
    status_by: Literal["judge", "heuristic"] = "judge"
    rounds: Annotated[int, Field(ge=1, le=20)] = 1
    preference: Identifier | None = None
    final_answer: Identifier | None = None
    metrics: list[MetricToml] = []
    labels: dict[Grade, Points] = {}
    retired: list[CaseId] = []
    categories: list[CategoryToml] = Field(min_length=1)


SUITE_FILE: Final = TypeAdapter(SuiteToml)
