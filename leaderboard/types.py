"""The nouns that several packages share. All are immutable; tables are in `leaderboard.frames`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from leaderboard.exact_answers import ExactAnswer
from leaderboard.judge_providers import PERSONAL_FIELDS, RECOMPUTED, Provider, Recordings
from leaderboard.network.secret_keys import redact_json

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.facts.fact_shapes import Facts
    from leaderboard.files.relational_tables import Tables
    from leaderboard.kinds import Kind

# A parsed JSON value. Objects stay plain dicts, because rules compare them. Nobody changes them.
Json = Any

Outcome = Literal["pass", "fail", "unscored"]
SubmissionKind = Literal["model", "agent", "baseline"]
DecidedBy = Literal["rule", "judge", "reported"]
# The languages besides JSON in which an argument's value may be written, as text.
Language = Literal["java", "javascript"]


# ---------------------------------------------------------------- suites


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool. `schema` is its JSON Schema as given (type, enum, ...)."""

    name: str
    type: str
    description: str
    required: bool
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as models are shown it, independent of any provider."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]

    def parameter(self, name: str) -> Parameter | None:
        return next((p for p in self.parameters if p.name == name), None)


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call: the name and arguments as written and, for agents, the tool's reply."""

    name: str
    arguments: Mapping[str, Json]
    result: Json = None


@dataclass(frozen=True, slots=True)
class ExpectedArgument:
    """The accepted values of one argument of an expected call.

    `accepted` lists them, with the one to show first. `closed`: the list is complete, so code
    decides alone. Otherwise a value that differs in words goes to a judge. `may_be_absent` and
    `required` say whether the argument can be left out. With a `language`, the value is given as
    text in it (`new int[]{1, 2}`), and `type` and `items` are types of that language.
    `optional_members`: a member of an object may be left out if "" is among its accepted values.
    With a `result`, code decides a value that is a formula: it must have this result.
    """

    name: str
    accepted: tuple[Json, ...]
    closed: bool
    may_be_absent: bool
    type: str = "string"
    items: str | None = None
    required: bool = True
    language: Language | None = None
    optional_members: bool = False
    result: float | None = None


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """An expected call. `name` is None if the tool is not offered, and the call cannot be met."""

    name: str | None
    arguments: tuple[ExpectedArgument, ...]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The expected result of acting out a case: tools called in order, final state, answer.

    `paths` lists the accepted sequences of tool names, the usual one first. Without `order_matters`
    only their counts matter. `reference` is the right answer (text or number), or None if only the
    state counts. `state` counts only with `has_state`.
    """

    paths: tuple[tuple[str, ...], ...]
    order_matters: bool = True
    reference: Json = None
    state: Json = None
    has_state: bool = False


class ShownAnswer(NamedTuple):
    """An accepted answer as readers see it, with a label such as "number"."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """The accepted answer of a case: calls, a text, a trajectory, gold APIs, or exact answers.

    Without all of these, every answer without a call is right; with `any_call`, every answer with
    one. `apis` are pairs of tool and API name, empty if a query names none. `facts` say what a text
    must state; models, agents and judges never see them. `shown` is for kinds that pages know
    nothing about.
    """

    calls: tuple[ExpectedCall, ...] = ()
    text: str | None = None
    trajectory: Trajectory | None = None
    apis: tuple[tuple[str, str], ...] | None = None
    facts: Facts | None = None
    exact: ExactAnswer | None = None
    shown: tuple[ShownAnswer, ...] = ()
    any_call: bool = False


class Message(NamedTuple):
    """A message of a conversation before the question of a case."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its ground truth.

    `earlier` are the messages before the question. `record` is the case as its file gives it, and
    `digest` that of its canonical JSON.
    """

    id: str
    category: str
    query: str
    ground_truth: GroundTruth
    tools: tuple[Tool, ...]
    record: Mapping[str, Json]
    digest: str
    earlier: tuple[Message, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        """The question as models get it, and as written in its file.

        In kind `exact`, only the first includes the options.
        """
        written = self.record.get("user_query")
        return (self.query, written) if isinstance(written, str) else (self.query,)


class FoundFact(NamedTuple):
    """A fact of a case, and the characters of an answer that state it. None if nothing does."""

    label: str
    chars: tuple[int, int] | None


@dataclass(frozen=True, slots=True, eq=False)
class Category:
    """A kind of case inside a suite. `weight` is its share of the score before normalising.

    `environment` names the task in whose environment the cases are acted out. `follow_up` names
    the prompt for a judge that is unsure after the first one. `tables` are those that the
    environment reads instead of its own. Each category equals only itself, so that what is found
    in its cases can be kept.
    """

    id: str
    title: str
    description: str
    weight: float
    prompt: str | None
    cases: tuple[Case, ...]
    environment: str | None = None
    follow_up: str | None = None
    tables: Tables | None = None


PROMPT_SETTINGS: Final = ("final_answer", "preference")  # of a suite, each with a judge prompt


@dataclass(frozen=True, slots=True)
class Suite:
    """One benchmark. `policy` holds its declared choices, such as how to count optional arguments.

    `tools` are those of the suite. A case may have its own. `replies_unchecked`: nothing here can
    tell whether the tool replies or states that answers report are real, so the rows of this suite
    are not ranked. `date` is the day that models are told. `retired` are the ids of cases that it
    has no more. `files` are those of its folder that suite.toml names, as paths below the
    workspace. `warnings` are about its files.
    """

    id: str
    title: str
    description: str
    kind: Kind
    categories: tuple[Category, ...]
    policy: Mapping[str, str]
    digest: str
    by_id: Mapping[str, Case] = field(repr=False)
    tools: tuple[Tool, ...] = field(default=(), repr=False)
    replies_unchecked: bool = False
    date: str | None = None
    retired: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = field(default=(), repr=False)

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

    @property
    def prompt_names(self) -> tuple[str, ...]:
        """The judge prompts that the suite and its categories name."""
        names = [self.policy.get(setting) for setting in PROMPT_SETTINGS]
        for category in self.categories:
            names += [category.prompt, category.follow_up]
        return tuple(dict.fromkeys(filter(None, names)))


# ---------------------------------------------------------------- submissions


PRICED_TOKENS: Final = 1e6  # the tokens that a price is for
UNDERSCORED: Final = "underscored"  # the value of `tool_names` in the settings of a card


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """What this many tokens cost, in US dollars."""
        return (input_tokens * self.input + output_tokens * self.output) / PRICED_TOKENS


# The organisation or the model of a submission that nobody has named. Pages leave it out of rows.
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Card:
    """Who made a submission, and how: the content of its submission.json.

    `partial` lists suites of which only some cases were asked: those with a record.
    """

    name: str
    kind: SubmissionKind
    organization: str
    model: str
    date: str
    framework: str | None = None
    url: str | None = None
    links: Mapping[str, str] = field(default_factory=dict)
    parameters: str | None = None
    license: str | None = None
    open_weights: bool | None = None
    contact: str | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    price: Price | None = None
    partial: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Submission:
    """What one system answered, and who made it.

    `files` maps suite ids to responses files, as paths below the workspace.
    """

    id: str
    card: Card
    readme: str | None
    files: Mapping[str, str]

    @property
    def is_baseline(self) -> bool:
        return self.card.kind == "baseline"

    @property
    def underscored(self) -> bool:
        """Whether the model was shown tool names with "." replaced by "_"."""
        return self.card.settings.get("tool_names") == UNDERSCORED


@dataclass(frozen=True, slots=True)
class CalledApi:
    """An API that a response called, or lists as called. `failed` is None if nobody knows."""

    tool: str
    api: str
    failed: bool | None = None

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the tool and the API, as in lists of gold APIs."""
        return self.tool, self.api


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """What a submission answered to one case.

    Records that say the same in the same form share one object with one `key`, so that each is
    decided once. `answer_key` says which answers are equal.

    - `calls`: the tool calls in order; for agents, the steps with the tools' replies.
    - `text`: the text or final answer. `error`: set if the system failed.
    - `malformed`: why a call could not be read, for example arguments that are not an object.
    - `underscored`: the model was shown tool names with "." replaced by "_".
    - `unconfirmed`: reported calls that the suite does not confirm, for example because it gives
      another reply. They are not in `calls`.
    - `reported`: scores that were computed elsewhere, by metric; only suites of reported scores.

    Only answers in an environment have these:

    - `state`: the final state, with `has_state`.
    - `reported_state`: what was reported instead of `state`, to which the calls lead.
    - `not_replayed`: why the calls cannot be carried out.

    Only answers over simulated APIs have these:

    - `declared`: the APIs that the record lists as called, or None without a list.
    - `return_type`: how the answer ended, if it is written as the arguments of Finish.
    - `truncated`: the positions of calls whose text was cut.
    - `steps_told`: False if the record does not show which calls were made.
    """

    case_id: str
    key: bytes
    calls: tuple[Call, ...]
    text: str | None
    error: str | None = None
    malformed: str | None = None
    state: Json = None
    has_state: bool = False
    underscored: bool = False
    declared: tuple[CalledApi, ...] | None = None
    return_type: str | None = None
    truncated: tuple[int, ...] = ()
    steps_told: bool = True
    unconfirmed: tuple[Call, ...] = ()
    reported_state: Json = None
    not_replayed: str | None = None
    reported: Mapping[str, float | None] | None = None


@dataclass(frozen=True, slots=True)
class ImportedVote:
    """Another judge's grade of one answer, imported with it. It decides no score.

    `status` is None if it could not be read. `by` is how it was decided (judge, official,
    heuristic), `judge` the model that decided, and `file` the name of the imported file.
    """

    status: str | None
    by: str
    round: int
    judge: str | None
    reason: str
    file: str


class Record(NamedTuple):
    """One record of a responses file: a response, its trial (from 1), and what it cost."""

    response: Response
    trial: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None


@dataclass(frozen=True, slots=True)
class Records:
    """The records of one responses file, by column: boards have a million of them.

    All columns have the same length. Iterating yields a `Record` for each row. `votes` has the
    imported votes by row; few rows have any.
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
        """The columns of these records."""
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
    """A judge prompt: one Markdown file with `{{placeholders}}`.

    `parts` alternates literal text and placeholder names.
    """

    suite: str
    id: str
    parts: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """A judge of leaderboard.toml. `settings` are added to the request body as they are.

    `recordings` says whose recordings count, unless its replies are recomputed.
    """

    name: str
    provider: Provider
    model: str
    base_url: str | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    api_key_env: str | None = None
    recordings: Recordings = "maintainers"

    @property
    def public_settings(self) -> dict[str, Json]:
        """The settings without the fields that name a person, and without keys."""
        return {
            name: redact_json(value)
            for name, value in self.settings.items()
            if name not in PERSONAL_FIELDS
        }

    @property
    def is_recomputed(self) -> bool:
        """Whether this project's own code gives the judge's replies."""
        return self.provider in RECOMPUTED

    @property
    def needs_maintainer(self) -> bool:
        """Whether a reply counts only if a maintainer recorded it."""
        return self.recordings == "maintainers" and not self.is_recomputed

    def in_rounds(self, rounds: int) -> tuple[JudgeSettings, ...]:
        """The judge in each of several rounds, which differ by their seeds."""
        seed = self.settings.get("seed")
        first = seed if isinstance(seed, int) else 0
        later = ({**self.settings, "seed": first + number} for number in range(1, rounds))
        return (self, *(replace(self, settings=settings) for settings in later))


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
    """A prompt for one judge. A new reply is kept in the cassette of `suite` and `submission`."""

    judge: JudgeSettings
    suite: str
    submission: str
    prompt: str


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """The reply to a judge call. `text` is None if no recorded call answers the request.

    Then `nearest` (a key) and `difference` may name a similar recorded call, and `characters` is
    the length of the prompt. `pending`: a reply is recorded, but not by a maintainer.
    """

    key: str
    text: str | None
    nearest: str | None = None
    difference: str | None = None
    pending: bool = False
    characters: int = 0


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One recorded judge call as a reader sees it: what was asked, what was replied, and by whom.

    `settings` are those of the request (temperature, seed, ...); `cassette` is a path below the
    workspace.
    """

    prompt: str
    reply: str
    judge: str
    settings: Mapping[str, Json]
    cassette: str


# Scoring passes this callable to the pages: the facts of a case, and their characters in a text.
FindFacts = Callable[[Case, str], Sequence[FoundFact]]

# Replay passes this callable to `scoring`. The replies are in the order of the calls.
Ask = Callable[[Sequence[JudgeCall]], Sequence[JudgeReply]]


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True, slots=True)
class Verdict:
    """One case, one metric, decided. `score` is 0..1, or None when unscored.

    `judge_call`: the keys of its judge calls, between blanks.
    """

    metric: str
    outcome: Outcome
    score: float | None
    reason: str
    detail: str
    decided_by: DecidedBy = "rule"
    judge_call: str | None = None


@dataclass(frozen=True, slots=True)
class Referral:
    """What code cannot decide. It is a pass if the judge answers "equivalent" to every question.

    With `points` there is one question. They are the grades that a judge may give, and what each
    counts. A judge that says Unsure gets the question `then`, if there is one, with the category's
    follow-up prompt, and that second grade counts. `prompt` replaces the category's prompt.
    `detail` says what differs.
    """

    metric: str
    questions: tuple[Question, ...]
    detail: str
    points: Mapping[str, float] | None = None
    then: Question | None = None
    prompt: str | None = None


# Returns a response without reported replies or states that the suite disproves.
Confirm = Callable[[Suite, Case, Response], Response]

# A rule returns one verdict or referral per metric.
Rule = Callable[[Suite, Case, Response], tuple[Verdict | Referral, ...]]
