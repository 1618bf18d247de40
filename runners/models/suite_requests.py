"""The requests of a suite as JSON lines, for one's own harness or for a batch API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from leaderboard.errors import FilesError, raise_any
from leaderboard.responses.forms.answered_case import batch_id
from leaderboard.types import Json, Suite
from leaderboard.workspace import suite_file
from runners.models.model_interface import Conversation
from runners.models.model_settings import ModelProvider, ModelSettings
from runners.models.request_bodies import anthropic_body, gemini_body, openai_body
from runners.run_plan import ModelPlan, SuiteRun

# The body of a request, and the line of a batch API with an id and that body.
_Body = Callable[[ModelSettings, Conversation], dict[str, Json]]
_Line = Callable[[str, Json], dict[str, Json]]
_FORMS: Final[Mapping[ModelProvider, tuple[_Body, _Line]]] = {
    "openai": (
        openai_body,
        lambda name, body: {
            "custom_id": name,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": body,
        },
    ),
    "anthropic": (anthropic_body, lambda name, body: {"custom_id": name, "params": body}),
    "google": (gemini_body, lambda name, body: {"key": name, "request": body}),
}


def suite_requests(
    suite: Suite, model: ModelSettings, *, batch: bool, system: str | None
) -> Iterator[dict[str, Json]]:
    """Yields the request of each case: as batch APIs take it, or as `{"id", "request"}`.

    They are the requests of `lb run`. `system` replaces the suite's system text. Raises FilesError
    for suites whose cases need more than one request, and for names of tools that are refused.
    """
    kind = suite.kind
    if kind.system_text is None or kind.interaction != "message":
        what = f"is of kind {kind.name}: a case takes several requests, with the tools' replies"
        fix = "let lb run ask the model, or lb run --agent"
        if kind.reported:
            what = f"is of kind {kind.name}: its scores come from elsewhere, and nothing is asked"
            fix = "bring the scores: lb new --from FILE"
        raise FilesError.about(suite_file(suite.id), what, fix)
    body_of, line_of = _FORMS[model.provider]
    run = SuiteRun(suite, ModelPlan(model, system=system))
    raise_any(run.unsendable_tools())
    for case in suite.cases:
        body = body_of(model, run.first_request(case))
        if batch:
            yield line_of(batch_id(case.id), body)
        else:
            body = {name: value for name, value in body.items() if value != ""}
            yield {"id": case.id, "request": body}
