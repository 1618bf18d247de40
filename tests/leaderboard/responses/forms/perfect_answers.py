"""One perfect set of answers to the suite `small`, in every form that a harness may write.

Each form is bytes as the harness or provider writes them. `ANSWERS` has the right call or text of
each case of `tests.conftest.small_board`.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import polars as pl

Call = tuple[str, dict[str, Any]]

ANSWERS: Final[Mapping[str, Call | str]] = {
    "A001": ("convert_units", {"value": 3, "to_unit": "yards"}),
    "A002": ("convert_units", {"value": 4, "to_unit": "feet"}),
    "A003": ("convert_units", {"value": 5, "to_unit": "miles"}),
    "B001": "It is Paris.",
    "B002": "In 1969.",
}
QUESTIONS: Final = {
    "A001": "3 metres in yards?",
    "A002": "4 metres in feet?",
    "A003": "5 metres in miles?",
    "B001": "question of B001?",
    "B002": "question of B002?",
}


def split(answer: Call | str) -> tuple[Call | None, str | None]:
    return (None, answer) if isinstance(answer, str) else (answer, None)


# ---------------------------------------------------------------- replies


def chat_message(answer: Call | str) -> dict[str, Any]:
    call, text = split(answer)
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if call:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    return message


def chat_body(answer: Call | str) -> dict[str, Any]:
    choice = {"index": 0, "message": chat_message(answer), "finish_reason": "stop"}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m-1",
        "choices": [choice],
        "usage": usage,
    }


def responses_body(answer: Call | str) -> dict[str, Any]:
    call, text = split(answer)
    item: dict[str, Any] = {"type": "message", "role": "assistant", "status": "completed"}
    item["content"] = [{"type": "output_text", "text": text, "annotations": []}]
    if call:
        item = {"type": "function_call", "call_id": "c1", "name": call[0]}
        item["arguments"] = json.dumps(call[1])
    reasoning = {"type": "reasoning", "id": "r", "summary": []}
    usage = {"input_tokens": 11, "output_tokens": 7}
    return {"id": "resp_1", "object": "response", "output": [reasoning, item], "usage": usage}


def anthropic_blocks(answer: Call | str) -> list[dict[str, Any]]:
    call, text = split(answer)
    if call:
        return [{"type": "tool_use", "id": "toolu_1", "name": call[0], "input": call[1]}]
    return [
        {"type": "thinking", "thinking": "Hm.", "signature": "x"},
        {"type": "text", "text": text},
    ]


def anthropic_body(answer: Call | str) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m-1",
        "content": anthropic_blocks(answer),
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 11, "output_tokens": 7},
    }


def gemini_part(answer: Call | str) -> dict[str, Any]:
    call, text = split(answer)
    return {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": text}


def gemini_body(answer: Call | str) -> dict[str, Any]:
    content = {"role": "model", "parts": [gemini_part(answer)]}
    usage = {"promptTokenCount": 11, "candidatesTokenCount": 7}
    candidate = {"content": content, "finishReason": "STOP"}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m-1"}


def call_object(answer: Call | str) -> dict[str, Any] | None:
    call, _ = split(answer)
    return {"name": call[0], "arguments": call[1]} if call else None


def text_of(answer: Call | str) -> str | None:
    return split(answer)[1]


def as_text(answer: Call | str) -> str:
    """What harnesses write that keep only texts."""
    call, text = split(answer)
    return json.dumps(call_object(answer)) if call else str(text)


def conversation(case_id: str, answer: Call | str) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an assistant."},
        {"role": "user", "content": QUESTIONS[case_id]},
        chat_message(answer),
    ]
    if not isinstance(answer, str):
        messages.append({"role": "tool", "tool_call_id": "call_1", "content": "3.28"})
        messages.append({"role": "assistant", "content": "That is 3.28."})
    return messages


# ---------------------------------------------------------------- harnesses


def inspect_sample(case_id: str, answer: Call | str) -> dict[str, Any]:
    call, text = split(answer)
    reply: dict[str, Any] = {"role": "assistant", "source": "generate", "content": text or ""}
    if call:
        given = {"id": "c", "function": call[0], "arguments": call[1], "type": "function"}
        reply["tool_calls"] = [given]
    asked = {"role": "user", "content": "attachment://q", "source": "input"}
    output = {"model": "m-1", "choices": [{"message": reply, "stop_reason": "stop"}]}
    return {
        "id": case_id,
        "epoch": 1,
        "input": QUESTIONS[case_id],
        "target": "x",
        "messages": [asked, reply],
        "output": {**output, "usage": {"input_tokens": 11, "output_tokens": 7}},
        "scores": {"match": {"value": "C"}},
        "attachments": {"q": QUESTIONS[case_id]},
        "working_time": 0.5,
    }


def inspect_log(samples: list[dict[str, Any]]) -> dict[str, Any]:
    return {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": samples}


def inspect_archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        for case_id, answer in ANSWERS.items():
            sample = json.dumps(inspect_sample(case_id, answer))
            # Python's harnesses write NaN for scores.
            sample = sample.replace('"scores": {', '"scores": {"f1": NaN, ')
            archive.writestr(f"samples/{case_id}_epoch_1.json", sample)
        archive.writestr("header.json", json.dumps({"version": 2, "status": "success"}))
    return file.getvalue()


def lm_eval_sample(number: int, case_id: str, answer: Call | str) -> dict[str, Any]:
    return {
        "doc_id": number,
        "doc": {"id": case_id, "question": QUESTIONS[case_id]},
        "target": "x",
        "arguments": {"gen_args_0": {"arg_0": QUESTIONS[case_id], "arg_1": {"until": []}}},
        "resps": [[as_text(answer)]],
        "filtered_resps": ["x"],
        "exact_match": 0.0,
    }


def promptfoo_result(case_id: str, answer: Call | str) -> dict[str, Any]:
    call, text = split(answer)
    output = chat_message(answer)["tool_calls"] if call else text
    return {
        "id": "5b1d",
        "vars": {"id": case_id, "question": QUESTIONS[case_id]},
        "provider": {"id": "openai:m-1", "label": ""},
        "prompt": {"raw": QUESTIONS[case_id], "label": "p"},
        "response": {"output": output, "tokenUsage": {"prompt": 11, "completion": 7}},
        "success": False,
        "score": 0,
        "latencyMs": 500,
        "testCase": {"vars": {"id": case_id}},
    }


def tester_case(case_id: str, answer: Call | str, response: Any) -> dict[str, Any]:
    return {
        "id": case_id,
        "type": "tool_selection",
        "user_query": QUESTIONS[case_id],
        "model_response": response,
    }


def batch_line(case_id: str, body: dict[str, Any]) -> dict[str, Any]:
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": "batch_req_1", "custom_id": case_id, "response": response, "error": None}


# ---------------------------------------------------------------- files


def dump(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def lines(values: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def each(make: Callable[[str, Call | str], Any]) -> list[Any]:
    return [make(case_id, answer) for case_id, answer in ANSWERS.items()]


def table(*columns: Callable[[str, Call | str], Any], names: str) -> pl.DataFrame:
    rows = each(lambda case_id, answer: [column(case_id, answer) for column in columns])
    return pl.DataFrame(rows, schema=names.split(), orient="row")


def parquet(frame: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


def native(case_id: str, answer: Call | str) -> dict[str, Any]:
    call, text = call_object(answer), text_of(answer)
    return {"id": case_id, "model_function_call": call, "model_text": text}


PLAIN = table(lambda i, _: i, lambda _, a: as_text(a), names="id answer")
WITH_CALLS = table(
    lambda i, _: i,
    lambda _, a: json.dumps(call_object(a)) if call_object(a) else None,
    lambda _, a: text_of(a),
    names="id function_call text",
)
NESTED = pl.DataFrame({"id": list(ANSWERS), "message": each(lambda _, a: chat_message(a))})

# Every form: its name, the bytes, and what `lb new` says that it is.
FORMS: Final[Mapping[str, tuple[bytes, str]]] = {
    "native": (dump({"test_results": each(native)}), "responses of a submission"),
    "native with tools": (
        dump({"with_tools": {"test_results": each(native)}}),
        "responses of a submission",
    ),
    "native array": (dump(each(native)), "responses of a submission"),
    "native packed": (gzip.compress(dump(each(native))), "responses of a submission"),
    "native lines": (lines(each(native)), "responses of a submission in JSON lines"),
    "tool calls in model_function_call": (
        dump(
            each(
                lambda i, a: {
                    "id": i,
                    "model_function_call": chat_message(a).get("tool_calls"),
                    "model_text": text_of(a),
                }
            )
        ),
        "responses of a submission",
    ),
    "Gemini args in model_function_call": (
        dump(
            each(
                lambda i, a: {
                    "id": i,
                    "model_function_call": gemini_part(a).get("functionCall"),
                    "model_text": text_of(a),
                }
            )
        ),
        "responses of a submission",
    ),
    "Anthropic input in model_function_call": (
        dump(
            each(
                lambda i, a: {
                    "id": i,
                    "model_function_call": next(
                        (b for b in anthropic_blocks(a) if b["type"] == "tool_use"), None
                    ),
                    "model_text": text_of(a),
                }
            )
        ),
        "responses of a submission",
    ),
    "empty own fields and a reply": (
        dump(each(lambda i, a: {"id": i, "model_text": None, "response": chat_body(a)})),
        "OpenAI chat completions",
    ),
    "message": (dump(each(lambda i, a: {"id": i, "message": chat_message(a)})), "OpenAI messages"),
    "message fields": (
        dump(each(lambda i, a: {"id": i, **chat_message(a)})),
        "OpenAI messages",
    ),
    "content parts beside tool calls": (
        dump(
            each(
                lambda i, a: {
                    "id": i,
                    **chat_message(a),
                    "content": [{"type": "text", "text": text_of(a) or ""}],
                }
            )
        ),
        "OpenAI messages",
    ),
    "chat bodies": (
        dump(each(lambda i, a: {"id": i, "response": chat_body(a)})),
        "OpenAI chat completions",
    ),
    "chat bodies as text": (
        dump(each(lambda i, a: {"id": i, "response": json.dumps(chat_body(a))})),
        "OpenAI chat completions",
    ),
    "Responses bodies": (
        dump(each(lambda i, a: {"id": i, "response": responses_body(a)})),
        "OpenAI responses",
    ),
    "Responses output": (
        dump(each(lambda i, a: {"id": i, "output": responses_body(a)["output"]})),
        "OpenAI responses",
    ),
    "Anthropic bodies": (
        dump(each(lambda i, a: {"id": i, "response": anthropic_body(a)})),
        "Anthropic messages",
    ),
    "Anthropic blocks": (
        dump(each(lambda i, a: {"id": i, "content": anthropic_blocks(a)})),
        "Anthropic messages",
    ),
    "Gemini bodies": (
        dump(each(lambda i, a: {"id": i, "response": gemini_body(a)})),
        "Gemini replies",
    ),
    "Gemini contents": (
        dump(each(lambda i, a: {"id": i, "content": gemini_body(a)["candidates"][0]["content"]})),
        "Gemini contents",
    ),
    "function call and text": (
        dump(each(lambda i, a: {"id": i, "function_call": call_object(a), "text": text_of(a)})),
        "calls and texts",
    ),
    "tool calls and answer": (
        lines(
            each(
                lambda i, a: {
                    "id": i,
                    "tool_calls": chat_message(a).get("tool_calls", []),
                    "answer": text_of(a),
                }
            )
        ),
        "calls and texts",
    ),
    "conversations": (
        lines(each(lambda i, a: {"id": i, "messages": conversation(i, a)})),
        "conversations",
    ),
    "conversations without ids": (
        lines(each(lambda i, a: {"messages": conversation(i, a)})),
        "conversations",
    ),
    "tester, raw": (
        dump(
            {
                "test_results": each(
                    lambda i, a: tester_case(
                        i,
                        a,
                        {
                            "model_function_call": call_object(a),
                            "full_model_response": text_of(a),
                            "error": None,
                        },
                    )
                )
            }
        ),
        "the tester's raw responses",
    ),
    "tester, raw from Gemini": (
        dump(each(lambda i, a: tester_case(i, a, gemini_body(a)))),
        "the tester's raw responses",
    ),
    "OpenAI batch": (
        lines(each(lambda i, a: batch_line(i, chat_body(a)))),
        "OpenAI batch output in JSON lines",
    ),
    "OpenAI batch, Responses, packed": (
        gzip.compress(lines(each(lambda i, a: batch_line(i, responses_body(a))))),
        "OpenAI batch output in JSON lines",
    ),
    "Anthropic batch": (
        lines(
            each(
                lambda i, a: {
                    "custom_id": i,
                    "result": {"type": "succeeded", "message": anthropic_body(a)},
                }
            )
        ),
        "Anthropic batch output in JSON lines",
    ),
    "Gemini batch": (
        lines(each(lambda i, a: {"key": i, "response": gemini_body(a)})),
        "Gemini batch output in JSON lines",
    ),
    "Inspect log": (dump(inspect_log(each(inspect_sample))), "Inspect log in JSON"),
    "Inspect archive": (inspect_archive(), "Inspect log in zip"),
    "lm-evaluation-harness": (
        lines(
            lm_eval_sample(number, case_id, answer)
            for number, (case_id, answer) in enumerate(ANSWERS.items())
        ),
        "lm-evaluation-harness samples in JSON lines",
    ),
    "promptfoo": (
        dump({"evalId": "e", "results": {"version": 3, "results": each(promptfoo_result)}}),
        "promptfoo results in JSON",
    ),
    "promptfoo lines": (lines(each(promptfoo_result)), "promptfoo results in JSON lines"),
    "dictionary of bodies": (dump({i: chat_body(a) for i, a in ANSWERS.items()}), "OpenAI chat"),
    "dictionary of texts": (dump({i: as_text(a) for i, a in ANSWERS.items()}), "plain texts"),
    "rows of the Hub's viewer": (
        dump(
            {
                "features": [],
                "rows": each(
                    lambda i, a: {"row_idx": 1, "row": {"id": i, "message": chat_message(a)}}
                ),
            }
        ),
        "OpenAI messages",
    ),
    **{
        f"plain text in {name}": (
            lines({"id": i, name: as_text(a)} for i, a in ANSWERS.items()),
            "plain texts in JSON lines",
        )
        for name in ("answer", "output", "response", "text", "completion")
    },
    "CSV": (PLAIN.write_csv().encode(), "plain texts in CSV"),
    "CSV of a spreadsheet": (
        b"\xef\xbb\xbf" + WITH_CALLS.write_csv(separator=";", line_terminator="\r\n").encode(),
        "calls and texts and plain texts in CSV",
    ),
    "Parquet": (parquet(WITH_CALLS), "calls and texts and plain texts in Parquet"),
    "Parquet with nested messages": (parquet(NESTED), "OpenAI messages in Parquet"),
}
