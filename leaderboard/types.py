"""Every noun that more than one package speaks of. All are immutable; tables are Polars frames (`leaderboard.frames`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from leaderboard.kinds import Kind

# A parsed JSON value. Objects stay plain dicts, because equality of arguments is decided on them; nobody changes them.
Json = Any

Outcome = Literal["pass", "fail", "unscored"]
SubmissionKind = Literal["model", "agent", "baseline"]
Provider = Literal["openai", "google", "embedded"]
DecidedBy = Literal["rule", "judge"]


# ---------------------------------------------------------------- suites


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool. `schema` is its JSON Schema as given (type, description, items, enum, ...)."""

    name: str
    type: str
    description: str
    required: bool
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as every model is shown it, independent of any provider."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]

    def parameter(self, name: str) -> Parameter | None:
        return next((p for p in self.parameters if p.name == name), None)


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call: the name as written, the arguments as given, and (for agents) what the tool answered."""

    name: str
    arguments: Mapping[str, Json]
    result: Json = None


@dataclass(frozen=True, slots=True)
class ExpectedArgument:
    """What one argument of an expected call may be.

    `accepted` holds every accepted value, the one shown first. `closed` says that the list is complete: code decides alone.
    An open argument that differs in words goes to the judge. `may_be_absent` and `required` say whether it can be left out.
    """

    name: str
    accepted: tuple[Json, ...]
    closed: bool
    may_be_absent: bool
    type: str = "string"
    items: str | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that the ground truth expects. `name` is None where the expected tool is not offered: it can never be met."""

    name: str | None
    arguments: tuple[ExpectedArgument, ...]

    def argument(self, name: str) -> ExpectedArgument | None:
        return next((a for a in self.arguments if a.name == name), None)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What acting out a case should come to: the tools called in order, the final state, the answer.

    `paths` holds every accepted sequence of tool names, the shortest or usual one first; with `order_matters` False a path is a
    bag of names. `reference` is the right answer (text or number; None where only the state counts). `state` counts only
    with `has_state`.
    """

    paths: tuple[tuple[str, ...], ...]
    order_matters: bool = True
    reference: Json = None
    state: Json = None
    has_state: bool = False


@dataclass(frozen=True, slots=True)
class GoldApis:
    """The APIs that answering a query takes, as pairs of tool and API name, each once. Empty where the query names none."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """The accepted answer of a case: these calls, or (when `calls` is empty) this text or simply no call.

    `text` None with no calls means: any answer without a call is right. A case that is acted out has a `trajectory` instead,
    a query over simulated APIs has `apis`.
    """

    calls: tuple[ExpectedCall, ...] = ()
    text: str | None = None
    trajectory: Trajectory | None = None
    apis: GoldApis | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its ground truth. `record` is the case as its file gives it; `digest` is of its canonical JSON."""

    id: str
    category: str
    query: str
    ground_truth: GroundTruth
    tools: tuple[Tool, ...]
    record: Mapping[str, Json]
    digest: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of case inside a suite. `weight` is its share of the suite's score before normalising.

    `environment` names the task (of the registry of environments) in which the cases are acted out; None where none is.
    `follow_up` names the prompt that a judge gets when it is unsure after the first one.
    """

    id: str
    title: str
    description: str
    weight: float
    prompt: str | None
    cases: tuple[Case, ...]
    environment: str | None = None
    follow_up: str | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """One benchmark. `policy` holds the suite's declared choices (optional arguments, number of calls, letter case)."""

    id: str
    title: str
    description: str
    kind: Kind
    categories: tuple[Category, ...]
    policy: Mapping[str, str]
    digest: str
    by_id: Mapping[str, Case] = field(repr=False)
    tools: tuple[Tool, ...] = field(
        default=(), repr=False
    )  # those of the suite; a case may bring its own

    def category(self, category_id: str) -> Category:
        """The category of that id. Raises KeyError."""
        for category in self.categories:
            if category.id == category_id:
                return category
        raise KeyError(category_id)

    def case(self, case_id: str) -> Case | None:
        return self.by_id.get(case_id)

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(case for category in self.categories for case in category.cases)


# ---------------------------------------------------------------- submissions


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Card:
    """Who made a submission and how: what its submission.json says."""

    name: str
    kind: SubmissionKind
    organization: str
    model: str
    date: str
    framework: str | None = None
    url: str | None = None
    license: str | None = None
    open_weights: bool | None = None
    contact: str | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    price: Price | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """What one system answered, and who made it. `files` maps a suite id to a responses file, a path below the workspace."""

    id: str
    card: Card
    readme: str | None
    files: Mapping[str, str]

    @property
    def is_baseline(self) -> bool:
        return self.card.kind == "baseline"

    @property
    def underscored(self) -> bool:
        """Whether the model was shown tool names with "." replaced by "_" (`settings.tool_names` of the card)."""
        return self.card.settings.get("tool_names") == "underscored"


@dataclass(frozen=True, slots=True)
class DeclaredApi:
    """An API that a record lists as called. `failed` is None where it does not say how the call went."""

    tool: str
    api: str
    failed: bool | None = None

    @property
    def pair(self) -> tuple[str, str]:
        """The tool's and the API's name: what gold APIs are given as."""
        return self.tool, self.api


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """What a submission answered to one case. Equal answers to one case share one object with one `key`: compared is identity.

    `calls` are the tool calls in order (for agents: the steps taken, with what each tool answered); `text` is the text or final
    answer, None when there is none; `error` is set where the system failed.
    `malformed` says in words why a call could not be read (for example arguments that are not an object).

    Of answers over simulated APIs: `declared` lists the APIs that the record itself says were called (None where it does not
    say), `return_type` is what a final answer written as the arguments of Finish says, `truncated` holds the positions of calls
    of which only the beginning is left, and `steps_told` is False where the record does not tell what was done at all.
    """

    case_id: str
    key: bytes
    calls: tuple[Call, ...]
    text: str | None
    error: str | None = None
    malformed: str | None = None
    state: Json = None
    has_state: bool = False
    underscored: bool = False  # the model was shown tool names with "." replaced by "_"
    declared: tuple[DeclaredApi, ...] | None = None
    return_type: str | None = None
    truncated: tuple[int, ...] = ()
    steps_told: bool = True


@dataclass(frozen=True, slots=True)
class ImportedVote:
    """One judge's word on one answer, from the files that the answer was imported from. It decides no score.

    `status` is None where it could not be read; `by` is how it was decided (judge, official, heuristic), `judge` the model that
    did where the file tells it; `file` is the name of that file.
    """

    status: str | None
    by: str
    round: int
    judge: str | None
    reason: str
    file: str


class Record(NamedTuple):
    """One record of a responses file: the response, its trial (from 1), and what it cost where that is told."""

    response: Response
    trial: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None


@dataclass(frozen=True, slots=True)
class Records:
    """The records of one responses file in its order, kept by column: boards hold a million, and tables are made of columns.

    All columns are of one length. Iterating makes a `Record` of each row. `votes` are those imported beside an answer, by its
    place in the columns: few records have any.
    """

    responses: Sequence[Response] = ()
    trials: Sequence[int] = ()
    input_tokens: Sequence[int | None] = ()
    output_tokens: Sequence[int | None] = ()
    cost_usd: Sequence[float | None] = ()
    latency_s: Sequence[float | None] = ()
    votes: Mapping[int, tuple[ImportedVote, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Iterable[Record]) -> Records:
        """The same records by column."""
        columns: tuple[Any, ...] = tuple(zip(*records, strict=True))
        return cls(*columns)

    def __len__(self) -> int:
        return len(self.responses)

    def __iter__(self) -> Iterator[Record]:
        return map(
            Record,
            self.responses,
            self.trials,
            self.input_tokens,
            self.output_tokens,
            self.cost_usd,
            self.latency_s,
        )


# ---------------------------------------------------------------- judging


@dataclass(frozen=True, slots=True)
class Prompt:
    """A judge prompt: one Markdown file with `{{placeholders}}`; `parts` alternates literal text and placeholder names."""

    suite: str
    id: str
    parts: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """A judge as leaderboard.toml names it. `settings` go into the request body as they are (temperature, seed, ...)."""

    name: str
    provider: Provider
    model: str
    base_url: str | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    api_key_env: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a rule leaves to a judge: does `got` mean the same as `expected`, for this query?

    `subject` names the argument, or is empty.
    """

    query: str
    subject: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """One prompt for one judge, before it is asked. `suite` and `submission` say in which cassette a new reply is kept."""

    judge: JudgeSettings
    suite: str
    submission: str
    prompt: str


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What came back. `text` is None when no recorded call answers the request.

    Then `nearest` (a key) and `difference` may say which recorded call came close, and in what it differs.
    """

    key: str
    text: str | None
    nearest: str | None = None
    difference: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One recorded judge call as a reader sees it: what was asked, what came back and by whom.

    `settings` are those of the request (temperature, seed, ...); `cassette` is a path below the
    workspace.
    """

    prompt: str
    reply: str
    judge: str
    settings: Mapping[str, Json]
    cassette: str


# How `scoring` reaches the judges: replay hands it this callable. The replies stand in the order of the calls.
Ask = Callable[[Sequence[JudgeCall]], Sequence[JudgeReply]]


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True, slots=True)
class Decision:
    """What code decides of one metric: an outcome, a score in 0..1 (None when unscored), a reason code, one human sentence."""

    metric: str
    outcome: Outcome
    score: float | None
    reason: str
    detail: str


# What a judge is asked for: whether two texts mean the same, or whether an answer solves a query; on the last scale only a
# plain yes to that counts anything.
Scale = Literal["equivalence", "status", "solved"]


@dataclass(frozen=True, slots=True)
class Referral:
    """What code cannot decide: a pass if the judge answers "equivalent" to every question. `detail` says what differs.

    On the other scales there is one question, and the judge says Solved, Unsure or Unsolved; one that is unsure is asked
    `then`, if there is such a question, with the category's follow-up prompt, and what it says to that counts. `prompt` names
    another prompt than the category's.
    """

    metric: str
    questions: tuple[Question, ...]
    detail: str
    scale: Scale = "equivalence"
    then: Question | None = None
    prompt: str | None = None


# A rule reads a case and a response, and says one thing per metric.
Rule = Callable[[Suite, Case, Response], tuple[Decision | Referral, ...]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One case, one metric: decided. `judge_call` holds the keys of the judge calls it rests on, separated by blanks."""

    metric: str
    outcome: Outcome
    score: float | None
    reason: str
    detail: str
    decided_by: DecidedBy
    judge_call: str | None = None
