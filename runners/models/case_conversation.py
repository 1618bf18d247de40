"""One case, put to a model: a single turn, or a conversation until it calls no more tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from leaderboard.digest import canonical
from leaderboard.kinds import Interaction
from leaderboard.limits import RECORD_BYTES, TEXT_LENGTH
from leaderboard.responses.accepted_records import longest_part
from leaderboard.responses.forms.model_reply import Reply, Turn, tokens
from leaderboard.responses.model_texts import answer_in_text
from leaderboard.responses.response_records import READERS
from leaderboard.types import Json
from runners.apis.executed_calls import AgentOutput, make_answer
from runners.environments.environment import Environment
from runners.environments.step_log import StepLog
from runners.models.model_interface import Conversation
from runners.models.run_journal import ReplyMark
from runners.models.spending import NO_TOKENS, Tokens

# Asks for the next turn of a conversation.
AskModel = Callable[[Conversation], Awaitable[Reply]]


@dataclass(slots=True)
class Meter:
    """What the replies to one case cost: tokens, if replies report them, and seconds of waiting.

    `counted`: the tokens that count towards a budget, with estimates for those not reported.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    latency: float = 0.0
    models: set[str] = field(default_factory=set)
    marks: set[ReplyMark] = field(default_factory=set)
    counted: Tokens = NO_TOKENS

    def charge(self, counted: Tokens) -> None:
        """Adds the tokens of a request that count towards a budget."""
        self.counted = self.counted.plus(counted)

    def count(self, reply: Reply, seconds: float) -> Reply:
        """Counts a reply, and returns it with only the answer as its text."""
        self.latency += seconds
        if reply.input_tokens is not None:
            self.input_tokens = (self.input_tokens or 0) + reply.input_tokens
        if reply.output_tokens is not None:
            self.output_tokens = (self.output_tokens or 0) + reply.output_tokens
        if reply.model:
            self.models.add(reply.model)
        found = answer_in_text(reply.text)
        is_unclosed = found.unclosed and not reply.calls
        marks: dict[ReplyMark, bool] = {
            "unreadable": any(call.problem for call in reply.calls),
            "cut_off": reply.ending == "cut off",
            "unfinished": reply.ending == "unfinished",
            "unclosed": is_unclosed,
            "thoughts": found.thoughts and not is_unclosed,
            "tokens": found.tokens,
        }
        self.marks.update(mark for mark, holds in marks.items() if holds)
        return replace(reply, text=found.text)

    def fields(self, *, answered: bool) -> dict[str, Json]:
        """A record's `usage` and `latency_s`, the latter to the millisecond.

        A case without an answer has no latency: how long a broken server takes says nothing.
        """
        counts = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        usage = {name: count for name, count in counts.items() if tokens(count) is not None}
        latency: dict[str, Json] = {"latency_s": round(self.latency, 3)} if answered else {}
        return {"usage": usage, **latency} if usage else latency


async def answer_once(ask: AskModel, conversation: Conversation) -> dict[str, Json]:
    """The fields of a record: all calls and the text of the model's one reply, or its failure."""
    reply = await ask(conversation)
    calls = [{"name": call.name, "arguments": call.arguments} for call in reply.calls]
    called = calls[0] if len(calls) == 1 else calls or None
    return {"model_function_call": called, "model_text": reply.text, **_failure(reply)}


async def act(
    ask: AskModel, system: str, query: str, environment: Environment, step_limit: int
) -> dict[str, Json]:
    """The fields of a record: what a model did in an environment, and its last words.

    Every call is a step. A call that fails is a step too, and the model gets the error. A model
    that wants more than `step_limit` steps is stopped without a final answer.
    """
    log = StepLog(environment)
    turns: list[Turn] = []
    while True:
        reply = await ask(Conversation(system, query, log.tools, tuple(turns)))
        if not reply.calls:
            return {**log.record(reply.text), **_failure(reply)}
        allowed = reply.calls[: step_limit - len(log.steps)]
        observations = [log.call(c.name, c.arguments, c.problem) for c in allowed]
        # Calls up to the limit are carried out, so that the state shows all that was allowed.
        if len(allowed) < len(reply.calls):
            return {**log.record(None), "stopped": f"after {step_limit} steps"}
        turns.append(Turn(reply, tuple(observations)))


def fields_without_reply(interaction: Interaction, error: str) -> dict[str, Json]:
    """The fields of a record when no reply came."""
    if interaction == "apis":
        return {**make_answer(AgentOutput(None), ()), "error": error}
    if interaction == "environment":
        return {"output": None, "intermediate_steps": [], "error": error}
    return {"model_function_call": None, "model_text": None, "error": error}


def too_long(record: Mapping[str, Json], interaction: Interaction) -> str | None:
    """Why a board would refuse an answer for its length; None for one that it takes."""
    length = longest_part(READERS[interaction](record))
    if length > TEXT_LENGTH:
        return f"its text or a call has {length:,} characters; the limit is {TEXT_LENGTH:,}"
    size = len(canonical(record))
    if size > RECORD_BYTES:
        return f"the answer has {size:,} bytes; the limit is {RECORD_BYTES:,}"
    return None


def _failure(reply: Reply) -> dict[str, Json]:
    return {} if reply.failure is None else {"error": reply.failure}
