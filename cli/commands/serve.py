"""`lb serve`: a preview of the site on loopback."""

from __future__ import annotations

import functools
import http.server
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import click

from cli.options import out_option
from cli.output.console import say
from leaderboard.errors import FilesError
from leaderboard.network.endpoints import names_loopback
from leaderboard.workspace import INPUT_FOLDERS, Workspace, input_files, open_workspace, own_folder


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files, and the site's own 404 page. Logs errors only.

    A request must name this computer, so that no other page in the browser can read the site.
    """

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answers nothing but regular files of the site."""
        host = self.headers.get("Host")
        if host is not None and not names_loopback(host):
            self.send_error(http.HTTPStatus.BAD_REQUEST, "The Host header names another computer")
            return None
        site = os.path.realpath(self.directory)
        try:
            file = os.path.realpath(self.translate_path(self.path))
        except ValueError:  # a null byte
            self.send_error(http.HTTPStatus.BAD_REQUEST, "No file has this name")
            return None
        if file != site and not file.startswith(site + os.sep):
            self.send_error(http.HTTPStatus.NOT_FOUND)
            return None
        try:
            return super().send_head()
        except (OSError, ValueError):  # a name that is too long, for example
            self.send_error(http.HTTPStatus.NOT_FOUND)
            return None

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Logs nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != http.HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


@click.command()
@out_option("The site's folder (default: _site/ in the workspace).")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    help="The port to listen on. 0 chooses a free port.",
)
@click.option("--watch", is_flag=True, help="Score and build again when a file changes.")
@click.pass_obj
def command(workspace_root: Path, out: Path | None, port: int, watch: bool) -> None:
    """Preview the site at http://127.0.0.1:8000/ until Ctrl-C. Other machines cannot reach it.

    \b
    Example:
      lb serve --watch
    """
    workspace = open_workspace(workspace_root)
    site = out or own_folder(workspace, "_site")
    if not (site / "index.html").is_file():
        fix = "lb rescore --offline && lb build"
        raise FilesError.about(workspace.shown(site), "has no site", fix)
    try:
        server = preview(site, port)
    except OSError as error:
        what = f"cannot be used: {error.strerror}"
        fix = "choose another with --port"
        raise FilesError.about(f"port {port}", what, fix) from error
    stop = threading.Event()
    if watch:
        again = functools.partial(_again, workspace_root, site)
        watcher = threading.Thread(target=_watch, args=(workspace, stop, again), daemon=True)
        watcher.start()
    say(f"http://127.0.0.1:{server.server_port}/  (stop with Ctrl-C)")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        say("stopped")
    finally:
        stop.set()
        server.server_close()


def preview(site: Path, port: int) -> http.server.ThreadingHTTPServer:
    """A server of the files below `site` on loopback, not started yet. Raises OSError."""
    return http.server.ThreadingHTTPServer(
        ("127.0.0.1", port), functools.partial(QuietHandler, directory=str(site))
    )


def _watch(
    workspace: Workspace, stop: threading.Event, again: Callable[[], None], pause: float = 0.5
) -> None:
    """Calls `again` after each change of a file of the board, until `stop` is set."""
    seen = _stamps(workspace)
    while not stop.wait(pause):
        now = _stamps(workspace)
        if now != seen:
            seen = now
            again()


def _stamps(workspace: Workspace) -> dict[Path, tuple[int, int]]:
    paths = input_files(workspace)
    for name in INPUT_FOLDERS:
        paths.extend((workspace.root / name).rglob("*"))
    stamps = {}
    for path in paths:
        try:
            stat = path.stat()
        except (OSError, ValueError):
            continue  # no such file, or a logo whose name no file can have
        stamps[path] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def _again(workspace_root: Path, site: Path) -> None:
    """Scores and builds in another process, so that an error there does not end the preview."""
    lb = [sys.executable, "-m", "cli", "--workspace", str(workspace_root)]
    for step in (["rescore", "--offline", "--allow-missing"], ["build", "--out", str(site)]):
        if subprocess.run([*lb, *step], check=False).returncode != 0:  # noqa: S603
            say("the preview still shows the previous build")
            return
