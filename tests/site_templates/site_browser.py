"""Opening pages in the browser of the tests."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Browser, Page


def open_page(
    browser: Browser, width: int, scheme: Literal["light", "dark"] = "light", *, script: bool = True
) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
    )
    return context.new_page()
