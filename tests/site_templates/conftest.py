"""The browser of the tests that look at built pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = os.environ.get("TOOLBOARD_CHROMIUM") or shutil.which("chromium") or ""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


# One browser per test file, not per session: while Playwright is open, no other test can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium. Tests that use it carry the marker `browser`; without Chromium they are skipped."""
    if not Path(CHROMIUM).is_file():
        pytest.skip("no Chromium: name one in TOOLBOARD_CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()
