"""Claude judges over Anthropic's SDK (Messages API)."""

from __future__ import annotations

from typing import Final

from leaderboard.errors import JudgeError
from leaderboard.network.retries import RetryPolicy
from leaderboard.responses.forms.anthropic_message import NO_CREDIT
from leaderboard.responses.forms.model_reply import member, objects
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
_PATH: Final = "/v1/messages"
# Every request needs a limit. This one is used if the settings have no `max_tokens`.
_MAX_TOKENS: Final = 4096


def path(judge: JudgeSettings) -> str:
    return path_of(judge, _PATH)


def owns_path(request_path: str) -> bool:
    return request_path.endswith(_PATH)


def body(judge: JudgeSettings, prompt: str) -> dict[str, Json]:
    messages = [{"role": "user", "content": prompt}]
    return {
        "model": judge.model,
        "max_tokens": _MAX_TOKENS,
        "messages": messages,
        **impersonal(judge.settings),
    }


def connect(judge: JudgeSettings, api_key: str, policy: RetryPolicy) -> Connection:
    try:
        import anthropic
    except ImportError as error:
        what = f"judge {judge.name!r} needs Anthropic's SDK, which is not installed"
        fix = "run pip install 'toolboard[anthropic]', or score with --record-mode none"
        raise JudgeError.about("leaderboard.toml", what, fix) from error

    sdk = anthropic.Anthropic(**sdk_options(judge, api_key, policy))

    def send(prompt: str) -> Json:
        try:
            reply = sdk.messages.create(
                model=judge.model,
                max_tokens=_MAX_TOKENS,
                messages=[{"role": "user", "content": prompt}],
                extra_body=dict(judge.settings),
            )
        except anthropic.APIStatusError as error:
            said = member(member(error.body, "error"), "message")
            message = said if isinstance(said, str) else error.message
            raise status_error(
                judge,
                error.status_code,
                message,
                error.response.headers,
                hopeless=NO_CREDIT in message,
            ) from error
        except anthropic.AnthropicError as error:
            raise connection_error(judge, error) from error
        return body_of(reply, warnings=False)

    return Connection(send, (sdk,))


def reply_text(reply: Json) -> str:
    ending = member(reply, "stop_reason")
    text = "".join(block["text"] for block in _spoken_blocks(member(reply, "content")))
    if text.strip() and not is_partial(ending):
        return text
    return no_text(how_it_ended(ending))


def _spoken_blocks(blocks: Json) -> list[dict[str, str]]:
    """The blocks of a reply that are text and no thoughts."""
    return [
        {"type": "text", "text": block["text"]}
        for block in objects(blocks)
        if block.get("type") == "text" and isinstance(block.get("text"), str)
    ]


def failure(reply: Json) -> str | None:
    error = error_in(reply)
    if error:
        return error
    is_message = member(reply, "type") == "message" and isinstance(member(reply, "content"), list)
    return None if is_message else "it has no content"


def clean_reply(reply: Json) -> dict[str, Json]:
    return {
        "type": "message",
        "role": "assistant",
        "content": _spoken_blocks(member(reply, "content")),
        **texts_of(reply, "model", "stop_reason"),
        **counts_of(reply, "usage", "input_tokens", "output_tokens"),
    }
