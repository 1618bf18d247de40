"""What a user can do about an error that stopped a run: a wrong key, path, page, no credit."""

from __future__ import annotations

from typing import Final

from leaderboard.network.retries import CallError
from runners.models.model_settings import ModelSettings, key_names

_CHECK_KEY: Final = "check the key in {keys}"
_ADVICE_BY_STATUS: Final = {
    400: "its message says what it refuses; --temperature none and --max-tokens change the request",
    401: _CHECK_KEY,
    402: "add credit to the account",
    403: _CHECK_KEY,
    404: "check the model's name, and the path in --base-url",
    405: "check the path in --base-url",
    413: "the request is too long for this server",
    429: "wait, add credit to the account, or ask more slowly with --rate",
}
_STREAMS: Final = (
    "the server streams its replies: switch that off in its settings, or pass"
    " --extra-body '{\"stream\": false}'"
)
_WRONG_PATH: Final = (
    "check the path in --base-url: that of an OpenAI-compatible server often ends in /v1"
)
_OTHER_PAGE: Final = "check the network: a proxy or a login page answers instead"


def advice(error: CallError, model: ModelSettings) -> str:
    """What a user can do about the error that stopped a run."""
    status = error.status
    if status is None:
        return _advice_without_reply(error, model)
    if error.form == "event stream":
        return _STREAMS
    if error.form == "web page":
        return _WRONG_PATH if model.base_url else _OTHER_PAGE
    if 300 <= status < 400:
        return "the server redirects: give its final address with --base-url"
    words = _ADVICE_BY_STATUS.get(status, "the server fails: try again later, or look at its log")
    return words.format(keys=" or ".join(key_names(model)))


def _advice_without_reply(error: CallError, model: ModelSettings) -> str:
    if error.timed_out:
        return "raise --timeout, or lower --concurrency"
    if model.base_url:
        return "check that a server runs at the address in --base-url"
    return "check the network, or name another server with --base-url"
