"""Results of promptfoo: `promptfoo eval -o results.json` or `.jsonl`."""

from __future__ import annotations

from leaderboard.responses.forms.call_syntax import decoded, listed_calls
from leaderboard.responses.forms.foreign_records import (
    ForeignRecord,
    Row,
    error_text,
    in_seconds,
    usage_fields,
)
from leaderboard.responses.forms.model_reply import Reply, UnreadableRecordError, member
from leaderboard.responses.forms.provider_replies import (
    ProviderReply,
    read_provider_reply,
    single_reply,
)
from leaderboard.types import Json


def promptfoo_form(row: Row) -> str | None:
    """The form's name for one result; None for other records."""
    is_result = "response" in row and ("vars" in row or "testCase" in row) and "success" in row
    return "promptfoo results" if is_result else None


def read_promptfoo(row: Row) -> ForeignRecord:
    """Reads one result. A failed assertion is no error of the model.

    Raises UnreadableRecordError.
    """
    response = row["response"]
    case = member(row, "testCase")
    given = {"vars": member(row, "vars") or member(case, "vars")}
    given["id"] = member(case, "description")
    given["metadata"] = member(row, "metadata") or member(case, "metadata")
    # The question if the variables have it under another name, or a conversation as JSON.
    given["request"] = {"prompt": decoded(member(row.get("prompt"), "raw"))}
    output = member(response, "output")
    error = error_text(member(response, "error"))
    if output is None:  # beside an output, `error` names an assertion that failed
        error = error or error_text(row.get("error"))
    usage = member(response, "tokenUsage") or row.get("tokenUsage")
    extra = usage_fields(
        member(usage, "prompt"),
        member(usage, "completion"),
        row.get("cost"),
        in_seconds(row.get("latencyMs")),
    )
    provider = row.get("provider")
    variant = {
        "provider": str(member(provider, "label") or member(provider, "id") or provider),
        "prompt": str(member(row.get("prompt"), "label", "raw") or row.get("promptIdx")),
    }
    return ForeignRecord(given, _answer(output), error, extra=extra, variant=variant)


def _answer(output: Json) -> ProviderReply | str:
    """The output: a text, or what promptfoo took from the reply. Raises UnreadableRecordError."""
    if isinstance(output, str) or output is None:
        return output or ""
    reply = read_provider_reply(output)
    calls = None if reply else listed_calls(output)
    if calls:
        return single_reply("calls", Reply(None, calls))
    if reply is None:
        what = "has an output that is neither text nor a reply of a known form"
        raise UnreadableRecordError(what, "let the provider return the reply's text or calls")
    return reply
