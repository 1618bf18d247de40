"""`lb serve`: the preview."""

from __future__ import annotations

import http.client
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.commands.serve import _watch, preview
from leaderboard.workspace import Workspace
from tests.conftest import Folder


def test_serve_shows_the_site_and_its_404_page(tmp_path: Path) -> None:
    """The preview serves files and the 404 page on loopback, and nothing above its folder."""
    site = tmp_path / "_site"
    site.mkdir()
    (site / "index.html").write_text("front")
    (site / "404.html").write_text("not here")
    (tmp_path / "secret.txt").write_text("secret")
    server = preview(site, 0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.001})
    thread.start()
    try:
        base = f"http://127.0.0.1:{server.server_port}"
        with urllib.request.urlopen(f"{base}/") as reply:
            assert b"front" == reply.read()
        for path in ("/none.html", "/../secret.txt", "/%2e%2e/secret.txt"):
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(base + path)
            with caught.value as error:
                assert (404, b"not here") == (error.code, error.read())
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a preview whose site has a link that leads out of it."""
    (tmp_path / "_site").mkdir()
    (tmp_path / "_site/index.html").write_text("front")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "_site/link.txt").symlink_to(tmp_path / "secret.txt")
    server = preview(tmp_path / "_site", 0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.001})
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [
        ("/", "127.0.0.1:8000", 200),
        ("/", "localhost", 200),
        ("/", "[::1]:80", 200),
        ("/", "evil.example", 400),
        ("/", "127.0.0.1.evil.example:80", 400),
        ("/", "[", 400),
        ("/%00", "localhost", 400),
        ("/link.txt", "localhost", 404),
        ("/%ff%fe", "localhost", 404),
        (f"/{'x' * 5000}", "localhost", 404),
    ],
)
def test_t19_odd_requests_are_refused(
    port: int, path: str, host: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Other host names, null bytes, links and odd paths get a refusal, and no traceback."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host)
    connection.endheaders()
    assert status == connection.getresponse().status
    connection.close()
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("command", ["serve", "build"])
@pytest.mark.large
def test_t19_a_site_that_is_a_link_is_refused(folder: Folder, command: str) -> None:
    """`_site` could be a link of a proposal to any folder of this computer."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    assert 0 == folder.lb("rescore").exit_code
    (folder.root / "_site").symlink_to("/")
    result = folder.lb(command)
    assert 1 == result.exit_code
    assert "_site: is a link" in result.stderr


def test_serve_without_a_site_says_what_to_do(folder: Folder) -> None:
    """There is nothing to show before a build."""
    result = folder.lb("serve")
    assert 1 == result.exit_code
    assert "lb build" in result.stderr


WATCHED = (
    "CITATION.cff",
    "Makefile",
    "audits/judge/0001.json",
    "cassettes/judge/suite/one.json",
    "datasets/suite/cases.json",
    "docs/about.md",
    "history/2026-01-01/scores.json",
    "leaderboard.toml",
    "pictures/logo.svg",
    "prompts/suite/texts.md",
    "recordings.json",
    "rules/own.py",
    "submissions/one/suite.json",
    "theme/extra.css",
)


@pytest.mark.parametrize("name", WATCHED)
def test_a_change_of_any_file_of_the_board_builds_again(tmp_path: Path, name: str) -> None:
    """Each file of the board is watched: a new one, a changed one and one that is removed."""
    (tmp_path / "leaderboard.toml").write_text('[site]\nlogo = "pictures/logo.svg"\n')
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text() if path.exists() else ""
    steps: list[Callable[[], object]] = [
        lambda: path.write_text(f"{before}# new\n"),
        lambda: path.write_text(f"{before}# changed\n"),
        path.unlink,
        (tmp_path / "other.txt").touch,
    ]

    class Stop(threading.Event):
        """Takes the next step instead of a pause, and stops after the last one."""

        def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002 (the shape of Event)
            if steps:
                steps.pop(0)()
                return False
            return True

    built: list[int] = []
    _watch(Workspace(tmp_path), Stop(), lambda: built.append(len(steps)))

    assert [3, 2, 1] == built
