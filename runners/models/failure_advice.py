"""What to do about a request that failed: the advice fits the failure."""

from __future__ import annotations

from typing import Final

from leaderboard.retries import CallError
from runners.models.model_choice import ModelSettings, key_names

_KEY: Final = "check the key in {keys}"
_BY_STATUS: Final = {
    400: "its message says what it refuses; --temperature none and --max-tokens change the request",
    401: _KEY,
    402: "add credit to the account",
    403: _KEY,
    404: "check the model's name, and the path in --base-url",
    405: "check the path in --base-url",
    413: "the request is too long for this server",
    429: "wait, add credit to the account, or ask more slowly with --rate",
}


def advice(error: CallError, model: ModelSettings) -> str:
    """Returns what a user can do about the error that stopped a run."""
    status = error.status
    if status is None and error.timed_out:
        return "raise --timeout, or lower --concurrency"
    if status is None and model.base_url:
        return "check that a server runs at the address in --base-url"
    if status is None:
        return "check the network, or name another server with --base-url"
    if 300 <= status < 400:
        return "the server redirects: give its final address with --base-url"
    words = _BY_STATUS.get(status, "the server fails: try again later, or look at its log")
    return words.format(keys=" or ".join(key_names(model)))
