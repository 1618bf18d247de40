"""`lb serve`: the preview."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from cli.serve import preview
from tests.conftest import Folder


def test_serve_shows_the_site_and_its_404_page(tmp_path: Path) -> None:
    """The preview serves files and the 404 page on loopback, and nothing above its folder."""
    site = tmp_path / "_site"
    site.mkdir()
    (site / "index.html").write_text("front")
    (site / "404.html").write_text("not here")
    (tmp_path / "secret.txt").write_text("secret")
    server = preview(site, 0)
    thread = threading.Thread(target=server.serve_forever)
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


def test_serve_without_a_site_says_what_to_do(folder: Folder) -> None:
    """There is nothing to show before a build."""
    result = folder.lb("serve")
    assert 1 == result.exit_code
    assert "lb build" in result.stderr
