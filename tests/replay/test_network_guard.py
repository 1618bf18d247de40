"""The guard of --offline."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import pytest

from leaderboard.network.retries import RetryPolicy
from replay.network_guard import OfflineError, no_network
from replay.providers import open_client
from tests.replay.judge_server import judge_server


def test_no_connection_is_made_offline() -> None:
    """A connection, even to loopback, is refused with the address it was meant for."""
    with (
        socket.socket() as plain,
        no_network(),
        pytest.raises(OfflineError, match=r"connection to 127\.0\.0\.1:9 was refused, because"),
    ):
        plain.connect(("127.0.0.1", 9))


@pytest.mark.parametrize(
    ("look_up", "target"),
    [
        (lambda: socket.getaddrinfo("example.org", 443), r"example\.org:443"),
        (lambda: socket.gethostbyname("example.org"), r"example\.org"),
        (lambda: socket.gethostbyaddr("127.0.0.1"), r"127\.0\.0\.1"),
        (lambda: socket.getnameinfo(("127.0.0.1", 9), 0), r"127\.0\.0\.1:9"),
    ],
)
def test_no_host_is_looked_up_offline(look_up: Callable[[], object], target: str) -> None:
    """Neither the address of a name nor the name of an address is looked up."""
    with (
        no_network(),
        pytest.raises(OfflineError, match=f"connection to {target} was refused, because"),
    ):
        look_up()


def test_no_packet_is_sent_offline() -> None:
    """Connectionless sockets are refused as well."""
    with (
        no_network(),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        pytest.raises(OfflineError),
    ):
        udp.sendto(b"x", ("127.0.0.1", 9))


def test_an_sdk_cannot_bypass_the_guard() -> None:
    """A judge's client fails offline, and the server sees nothing."""
    with judge_server() as server:
        client = open_client(
            server.openai(), policy=RetryPolicy(attempts=1, timeout=1, first_pause=0.01)
        )
        with (
            no_network(),
            pytest.raises(Exception, match=r"Connection error|network is off|could not be reached"),
        ):
            client.ask("there?")
        client.close()
    assert server.asked == []


def test_other_threads_are_guarded_too() -> None:
    """The guard is active in all threads of the process."""
    errors: list[BaseException] = []

    def connect() -> None:
        try:
            socket.create_connection(("127.0.0.1", 9))
        except OfflineError as error:
            errors.append(error)

    with no_network():
        thread = threading.Thread(target=connect)
        thread.start()
        thread.join()
    assert len(errors) == 1


def test_guards_nest_and_end() -> None:
    """Leaving an inner guard keeps the outer one. Leaving the outer one restores the network."""
    with judge_server() as server:
        with no_network():
            with no_network():
                pass
            with pytest.raises(OfflineError):
                socket.create_connection(("127.0.0.1", server.port))
        socket.create_connection(("127.0.0.1", server.port)).close()


def test_sockets_of_the_file_system_are_left_alone() -> None:
    """Sockets that never leave the computer work offline."""
    with no_network():
        one, other = socket.socketpair()
        one.sendall(b"x")
        assert other.recv(1) == b"x"
    one.close()
    other.close()
