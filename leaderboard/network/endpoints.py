"""Addresses, keys and connections of model servers, for the models of `lb run` and for judges."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from leaderboard.network.secret_keys import remember_key

if TYPE_CHECKING:
    from ssl import SSLContext

LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_ALL_ADDRESSES: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, and not used
# SDKs insist on a key. Servers that need none get this one.
NO_KEY: Final = "none-needed"

# Where a judge or a model without a `base_url` is asked, by provider.
ADDRESSES: Final[Mapping[str, str]] = {
    "openai": "https://api.openai.com/v1",
    "google": "https://generativelanguage.googleapis.com",
    "anthropic": "https://api.anthropic.com",
}
# The environment variables that may hold a provider's key.
KEY_VARIABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("OPENAI_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "vertex": ("GOOGLE_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
}
# Pinned: the SDK's own default changes between its versions, and the path is part of the identity
# of a judge call.
GEMINI_VERSION: Final = "v1beta"


def is_loopback(address: str | None) -> bool:
    """Whether an address belongs to this computer."""
    return urlsplit(address or "").hostname in LOOPBACK_HOSTS


@cache
def trusted_certificates(*, trust_env: bool) -> SSLContext:
    """What clients verify servers with. All share it: reading it takes some 50 ms.

    With `trust_env`, SSL_CERT_FILE and SSL_CERT_DIR name other certificates.
    """
    import httpx2  # noqa: PLC0415 - most commands need no network

    return httpx2.create_ssl_context(trust_env=trust_env)


def connection_options(address: str | None, timeout: float) -> dict[str, Any]:
    """What the connections of an SDK are opened with. `timeout` is in seconds.

    No proxy leads to this computer. Replies come uncompressed, so that limits count what is sent.
    """
    trust_env = not is_loopback(address)
    return {
        "timeout": timeout,
        "trust_env": trust_env,
        "verify": trusted_certificates(trust_env=trust_env),
        "follow_redirects": False,
        "headers": {"accept-encoding": "identity"},
    }


def gemini_options(address: str | None, timeout: float) -> dict[str, Any]:
    """The HTTP options of Gemini's SDK that judges and models share."""
    certificates = trusted_certificates(trust_env=not is_loopback(address))
    return {
        "api_version": GEMINI_VERSION,
        "timeout": max(int(timeout * 1000), 1),
        # The SDK also opens clients that are never used, and reads the certificates for each.
        "async_client_args": {"verify": certificates, "ssl": certificates},
    }


def shown_address(address: str) -> str:
    """An address without user, query and fragment, which may be secret.

    The port of an address on this computer is left out, because it changes between runs. Raises
    ValueError for an address that cannot be read.
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    if host in LOOPBACK_HOSTS | _ALL_ADDRESSES:
        host = "localhost"
    else:
        host = f"[{host}]" if ":" in host else host
        host += f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{parts.path}"


def names_loopback(host: str, also: str | None = None) -> bool:
    """Whether a Host header names this computer, or the host `also`, with any port.

    Pages of other sites can send requests here under a name of their own. They cannot under an
    address, so a server on all addresses (`0.0.0.0` or `::`) accepts any of them.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if also in _ALL_ADDRESSES:
        return name in LOOPBACK_HOSTS or _is_address(name)
    return name in LOOPBACK_HOSTS or name == (also or "localhost").strip("[]").lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def find_api_key(
    own_variable: str | None, usual_variables: Sequence[str], base_url: str | None
) -> tuple[str, str] | None:
    """Reads a key from the environment: the variable's name and the key, or None without one.

    A server on this computer rarely needs a key, so it gets `NO_KEY` (and no
    name), unless the settings name an environment variable of its own.
    """
    for name in (own_variable,) if own_variable else usual_variables:
        if value := os.environ.get(name, "").strip():
            remember_key(value)
            return name, value
    if is_loopback(base_url) and not own_variable:
        return "", NO_KEY
    return None
