"""What a user can do about an error that stopped a run."""

from __future__ import annotations

from leaderboard.network.retries import CallError, ReplyForm
from runners.models.error_advice import advice
from runners.models.model_settings import ModelSettings
from tests.each_row import each_row

OWN = ModelSettings("openai", "m", "http://127.0.0.1:8000/v1")


def _of_form(form: ReplyForm) -> CallError:
    """The error for a reply with status 200 that is not JSON."""
    error = CallError("x", status=200)
    error.form = form
    return error


@each_row(
    ("error", "model", "words"),
    [
        (CallError("x", status=401), ModelSettings("google", "m"), "GEMINI_API_KEY or GOOGLE_API"),
        (CallError("x", status=403), ModelSettings("openai", "m", None, "MINE"), "the key in MINE"),
        (CallError("x", status=404), OWN, "check the model's name"),
        (CallError("x", status=308), OWN, "give its final address"),
        (CallError("x", status=429), OWN, "add credit"),
        (CallError("x", status=503), OWN, "the server fails"),
        (CallError("x", status=400), OWN, "--temperature none"),
        (CallError("x", status=200), OWN, "the server fails"),
        (_of_form("web page"), OWN, "check the path in --base-url: that of an OpenAI-comp"),
        (_of_form("web page"), ModelSettings("google", "m"), "check the network: a proxy or a"),
        (_of_form("event stream"), OWN, "--extra-body '{\"stream\": false}'"),
        (CallError("x", timed_out=True), OWN, "raise --timeout"),
        (CallError("x"), OWN, "check that a server runs at the address in --base-url"),
        (CallError("x"), ModelSettings("openai", "m"), "check the network"),
    ],
)
def test_the_advice_fits_the_failure(error: CallError, model: ModelSettings, words: str) -> None:
    """A key, a name, an address, a time limit, or the server itself."""
    assert words in advice(error, model)
