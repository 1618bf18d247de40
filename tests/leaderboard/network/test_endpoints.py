"""Addresses and keys of model servers."""

from __future__ import annotations

import ssl

import pytest

from leaderboard.network.endpoints import (
    NO_KEY,
    find_api_key,
    is_loopback,
    names_loopback,
    shown_address,
    trusted_certificates,
)
from tests.each_row import each_row


@each_row(
    ("address", "expected"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000", True),
        ("http://localhost", True),
        ("https://localhost.example.org", False),
        ("", False),
        (None, False),
    ],
)
def test_loopback_is_told_by_the_host_alone(address: str | None, expected: bool) -> None:
    """Only this computer's own names count, at any port."""
    assert is_loopback(address) is expected


@each_row(
    ("address", "expected"),
    [
        ("http://127.0.0.1:41234/v1/chat/completions", "http://localhost/v1/chat/completions"),
        ("http://[::1]:8000/v1", "http://localhost/v1"),
        ("http://0.0.0.0:8000/v1", "http://localhost/v1"),
        ("https://kim:pw@api.example/v1?a=b", "https://api.example/v1"),
        ("https://h.example:8443/x#y", "https://h.example:8443/x"),
        ("http://[2001:db8::1]:8000/v1", "http://[2001:db8::1]:8000/v1"),
        ("http://[2001:db8::1]/v1", "http://[2001:db8::1]/v1"),
    ],
)
def test_a_shown_address_keeps_host_and_path_alone(address: str, expected: str) -> None:
    """Query, user and fragment go, and loopback ports too, because they differ each time."""
    assert shown_address(address) == expected == shown_address(expected)


@pytest.mark.parametrize(
    ("own", "base_url", "expected"),
    [
        (None, None, ("USUAL_B", "b")),
        ("OWN", None, ("OWN", "own")),
        ("UNSET", None, None),
        ("UNSET", "http://localhost:1/v1", None),
    ],
)
def test_a_key_comes_from_the_first_variable_that_is_set(
    own: str | None, base_url: str | None, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable that the settings name replaces the usual ones. Blank values do not count."""
    for name, value in (("USUAL_A", " "), ("USUAL_B", "b"), ("OWN", "own")):
        monkeypatch.setenv(name, value)
    assert find_api_key(own, ("USUAL_A", "USUAL_B"), base_url) == expected


def test_a_server_on_this_computer_needs_no_key() -> None:
    """Loopback servers get a placeholder. Any other address needs a key."""
    assert find_api_key(None, (), "http://localhost:8000/v1") == ("", NO_KEY)
    assert find_api_key(None, (), "https://models.example/v1") is None


@each_row(
    ("host", "also", "own"),
    [
        ("localhost:80", None, True),
        ("127.0.0.1", None, True),
        ("[::1]:8", None, True),
        ("", None, False),
        ("board.example", None, False),
        ("board.example:80", "board.example", True),
        ("192.168.0.7:80", "0.0.0.0", True),
        ("board.example", "0.0.0.0", False),
        ("[", None, False),
    ],
)
def test_t19_only_own_names_are_answered(host: str, also: str | None, *, own: bool) -> None:
    """Loopback names and the name given are this computer. On all addresses, any address is."""
    assert own == names_loopback(host, also)


def test_certificates_are_read_once_and_verified() -> None:
    """Clients share what they verify with. A server without a trusted name is refused."""
    for trust_env in (True, False):
        context = trusted_certificates(trust_env=trust_env)
        assert context is trusted_certificates(trust_env=trust_env)
        assert context.check_hostname
        assert context.verify_mode == ssl.CERT_REQUIRED
