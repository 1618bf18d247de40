"""What tests of the site share: a browser, and the files of large boards."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.site_templates import site_in_part
from tests.site_templates.rendered import render
from tests.site_templates.site_crowd import crowd

CHROMIUM = os.environ.get("TOOLBOARD_CHROMIUM") or shutil.which("chromium") or ""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


# One browser per file: while Playwright is open, no other test can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium. Without Chromium, tests with the marker `browser` are skipped."""
    if not Path(CHROMIUM).is_file():
        pytest.skip("no Chromium: name one in TOOLBOARD_CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def in_part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a board on which some rows asked only a part of the suite."""
    return site_in_part.built(tmp_path_factory.mktemp("in-part"))


@pytest.fixture(scope="session")
def large_site() -> Callable[[int], dict[str, bytes]]:
    """Renders a board with this many submissions once, for tests with the marker `large`."""
    return cache(lambda number: render(crowd(number)))
