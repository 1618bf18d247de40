"""Gemini judges over google-genai (generateContent)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.errors import JudgeError
from leaderboard.network.endpoints import GEMINI_VERSION, gemini_options
from leaderboard.network.retries import RetryPolicy
from leaderboard.responses.forms.model_reply import first, member, objects, one_line, text_of
from leaderboard.types import Json, JudgeSettings
from replay.providers.interface import (
    Connection,
    address_of,
    body_of,
    camel_case,
    connection_error,
    counts_of,
    error_in,
    how_it_ended,
    http_client,
    impersonal,
    is_partial,
    no_text,
    path_of,
    status_error,
    texts_of,
)

CALL_FIELDS: Final = frozenset({"model", "contents", "generationConfig", "stream"})
_METHOD: Final = ":generateContent"
# Settings that are fields of the request. All others belong into its `generationConfig`.
_REQUEST_SETTINGS: Final = frozenset(
    {"safetySettings", "systemInstruction", "tools", "toolConfig", "cachedContent"}
)


def path(judge: JudgeSettings) -> str:
    named = judge.model.startswith(("models/", "tunedModels/"))
    model = judge.model if named else f"models/{judge.model}"
    return path_of(judge, f"/{GEMINI_VERSION}/{model}{_METHOD}")


def owns_path(request_path: str) -> bool:
    return request_path.endswith(_METHOD)


def body(judge: JudgeSettings, prompt: str) -> dict[str, Json]:
    contents = [{"role": "user", "parts": [{"text": prompt}]}]
    return {"contents": contents, **request_settings(judge.settings)}


def request_settings(settings: Mapping[str, Json]) -> dict[str, Json]:
    """A judge's settings as a request has them: names in camel case, values unchanged.

    The SDK sends `generationConfig` even if it is empty.

    >>> request_settings({"max_output_tokens": 200, "safety_settings": []})
    {'safetySettings': [], 'generationConfig': {'maxOutputTokens': 200}}
    """
    fields: dict[str, Json] = {}
    generation: dict[str, Json] = {}
    for name, value in impersonal(settings).items():
        camel = camel_case(name)
        (fields if camel in _REQUEST_SETTINGS else generation)[camel] = value
    return {**fields, "generationConfig": generation}


def connect(judge: JudgeSettings, api_key: str, policy: RetryPolicy) -> Connection:
    import httpx2
    from google import genai
    from google.genai import errors, types

    address = judge.base_url
    if address and "?" in address:
        what = f"judge {judge.name!r}: base_url holds a query, which the Gemini SDK cannot send"
        raise JudgeError.about("leaderboard.toml", what, "remove the question mark and the rest")
    http = http_client(address, policy)
    options = types.HttpOptions(
        base_url=address_of(judge),
        httpx_client=http,
        **gemini_options(address, policy.timeout),
    )
    sdk = genai.Client(vertexai=False, api_key=api_key, http_options=options)
    extra = types.HttpOptions(extra_body=request_settings(judge.settings))

    def send(prompt: str) -> Json:
        try:
            response = sdk.models.generate_content(
                model=judge.model,
                contents=prompt,
                config=types.GenerateContentConfig(http_options=extra),
            )
        except errors.APIError as error:
            message = str(error.message or error.status)
            headers = getattr(error.response, "headers", {})
            raise status_error(judge, error.code or 0, message, headers) from error
        except httpx2.HTTPError as error:
            raise connection_error(judge, error) from error
        return body_of(response, by_alias=True, exclude_none=True)

    return Connection(send, (sdk, http))


def reply_text(reply: Json) -> str:
    candidate = first(member(reply, "candidates"))
    ending = member(candidate, "finishReason")
    text = "".join(part["text"] for part in _spoken_parts(candidate))
    if text.strip() and not is_partial(ending):
        return text
    blocked = _block_reason(reply)
    if blocked:
        return no_text(f"the prompt was blocked, {one_line(blocked)}")
    return no_text(how_it_ended(ending))


def _block_reason(reply: Json) -> str | None:
    return text_of(member(member(reply, "promptFeedback"), "blockReason"))


def _spoken_parts(candidate: Json) -> list[dict[str, str]]:
    """The parts of a candidate that are text and no thoughts."""
    parts = objects(member(member(candidate, "content"), "parts"))
    return [
        {"text": part["text"]}
        for part in parts
        if isinstance(part.get("text"), str) and not part.get("thought")
    ]


def failure(reply: Json) -> str | None:
    error = error_in(reply)
    if error:
        return error
    answered = isinstance(first(member(reply, "candidates")), dict) or _block_reason(reply)
    return None if answered else "it has no candidates"


def clean_reply(reply: Json) -> dict[str, Json]:
    kept = [
        {
            "content": {"role": "model", "parts": _spoken_parts(candidate)},
            **texts_of(candidate, "finishReason"),
        }
        for candidate in objects(member(reply, "candidates"))
    ]
    cleaned: dict[str, Json] = {
        "candidates": kept,
        **texts_of(reply, "modelVersion"),
        **counts_of(
            reply,
            "usageMetadata",
            "promptTokenCount",
            "candidatesTokenCount",
            "thoughtsTokenCount",
            "totalTokenCount",
        ),
    }
    blocked = _block_reason(reply)
    if blocked:
        cleaned["promptFeedback"] = {"blockReason": blocked}
    return cleaned
