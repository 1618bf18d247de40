"""The advice on a stopped run fits its failure."""

from __future__ import annotations

import pytest

from leaderboard.retries import CallError
from runners.models.failure_advice import advice
from runners.models.model_choice import ModelError, ModelSettings
from tests.each_row import each_row
from tests.runners.model_board import Bench
from tests.runners.scripted_server import always, refused, serving

OWN = ModelSettings("openai", "m", "http://127.0.0.1:8000/v1")


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
        (CallError("x", timed_out=True), OWN, "raise --timeout"),
        (CallError("x"), OWN, "check that a server runs at the address in --base-url"),
        (CallError("x"), ModelSettings("openai", "m"), "check the network"),
    ],
)
def test_the_advice_fits_the_failure(error: CallError, model: ModelSettings, words: str) -> None:
    """A key, a name, an address, a time limit, or the server itself."""
    assert words in advice(error, model)


@pytest.mark.large
@pytest.mark.parametrize(
    ("status", "message", "words"),
    [(401, "no", "check the key"), (404, "no such model", "check the model's name")],
)
def test_a_run_gives_the_advice(bench: Bench, status: int, message: str, words: str) -> None:
    """What a real SDK raises leads to the same words for every provider."""
    with (
        serving(always(refused(status, message))) as server,
        pytest.raises(ModelError, match="the run was stopped") as stopped,
    ):
        bench.against(server)
    assert words in str(stopped.value)
    assert len(server.seen) <= 4
