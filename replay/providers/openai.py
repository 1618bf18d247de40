"""Judges behind the OpenAI protocol (chat completions): OpenAI, vLLM, Ollama, llama.cpp, others."""

from __future__ import annotations

from typing import Final

from leaderboard.network.retries import RetryPolicy
from leaderboard.responses.forms.model_reply import first, member, objects, one_line, text_of
from leaderboard.responses.forms.openai_chat import joined_parts
from leaderboard.types import Json, JudgeSettings
from replay.providers.interface import (
    Connection,
    body_of,
    connection_error,
    counts_of,
    error_in,
    how_it_ended,
    impersonal,
    is_partial,
    no_text,
    path_of,
    sdk_options,
    status_error,
    texts_of,
)

CALL_FIELDS: Final = frozenset({"model", "messages", "stream"})
_PATH: Final = "/chat/completions"


def path(judge: JudgeSettings) -> str:
    return path_of(judge, _PATH)


def owns_path(request_path: str) -> bool:
    return request_path.endswith(_PATH)


def body(judge: JudgeSettings, prompt: str) -> dict[str, Json]:
    return {
        "model": judge.model,
        "messages": [{"role": "user", "content": prompt}],
        **impersonal(judge.settings),
    }


def connect(judge: JudgeSettings, api_key: str, policy: RetryPolicy) -> Connection:
    import openai

    sdk = openai.OpenAI(**sdk_options(judge, api_key, policy))

    def send(prompt: str) -> Json:
        try:
            completion = sdk.chat.completions.create(
                model=judge.model,
                messages=[{"role": "user", "content": prompt}],
                extra_body=dict(judge.settings),
            )
        except openai.APIStatusError as error:
            headers = error.response.headers
            raise status_error(judge, error.status_code, error.message, headers) from error
        except openai.OpenAIError as error:
            raise connection_error(judge, error) from error
        return body_of(completion, warnings=False)

    return Connection(send, (sdk,))


def reply_text(reply: Json) -> str:
    choice = first(member(reply, "choices"))
    ending = member(choice, "finish_reason")
    if is_partial(ending):
        return no_text(how_it_ended(ending))
    message = member(choice, "message")
    text = text_of(joined_parts(member(message, "content")))
    refusal = text_of(member(message, "refusal"))
    if text is None and refusal is not None:
        return no_text(f"it refused: {one_line(refusal)}")
    return text or no_text(how_it_ended(ending))


def failure(reply: Json) -> str | None:
    choice = first(member(reply, "choices"))
    error = error_in(reply, choice)
    if error:
        return error
    if not isinstance(choice, dict):
        return "it has no choices"
    # Gateways write this reason if the model's server failed while it answered.
    return "it ended with error" if choice.get("finish_reason") == "error" else None


def clean_reply(reply: Json) -> dict[str, Json]:
    choices = enumerate(objects(member(reply, "choices")))
    return {
        "object": "chat.completion",
        "choices": [_clean_choice(position, choice) for position, choice in choices],
        **texts_of(reply, "model"),
        **counts_of(reply, "usage", "prompt_tokens", "completion_tokens", "total_tokens"),
    }


def _clean_choice(position: int, choice: dict[str, Json]) -> dict[str, Json]:
    """A choice as it is read: parts of a content may hold ids and thoughts beside their texts."""
    ending, message = choice.get("finish_reason"), choice.get("message")
    said = {
        "content": joined_parts(member(message, "content")),
        "refusal": member(message, "refusal"),
    }
    return {
        "index": position,
        "finish_reason": ending if isinstance(ending, str) else None,
        "message": {"role": "assistant", **texts_of(said, "content", "refusal")},
    }
