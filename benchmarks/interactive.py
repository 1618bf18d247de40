"""Measure in Chromium how soon the first page of a large board reacts, and how fast it filters.

python benchmarks/interactive.py [--rows 1000] [--repeat 7]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from itertools import chain, takewhile
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))
from site_templates.board_index import index_board
from site_templates.builder import site_files
from site_templates.data.ranking_rows import ranking_files
from tests.site_templates.site_crowd import crowd

# The handlers of the page have run when this one's timer does.
READY = """addEventListener("DOMContentLoaded",
    () => setTimeout(() => { window.ready = performance.now(); }))"""
FILTER = """words => new Promise(done => {
    const start = performance.now(), shown = document.getElementById("shown");
    const said = () => shown.textContent && done(performance.now() - start);
    new MutationObserver(said).observe(shown, { childList: true });
    const find = document.querySelector("input[name=q]");
    find.value = words;
    find.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def write_board(folder: Path, rows: int) -> None:
    """Write the rankings of a board with this many rows, and what their script reads."""
    board = crowd(-(-rows * 10 // 9))  # every tenth submission has not taken the first suite
    pages = takewhile(lambda file: not file[0].startswith("suites/index"), site_files(board))
    for path, content in chain(pages, ranking_files(index_board(board))):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def processors(session: CDPSession) -> dict[int, float]:
    """Seconds of processor time of each process that shows pages."""
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return {one["id"]: one["cpuTime"] for one in found if one["type"] == "renderer"}


def measure(browser: Browser, page: Path, words: str) -> tuple[float, float, float, float]:
    """Seconds until the page reacts, then until a search for `words` has filtered all rows.

    Both by the clock and of the processor. Without words there is no search.
    """
    session = browser.new_browser_cdp_session()
    others = processors(session)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.add_init_script(READY)
    tab.goto(page.as_uri())
    tab.wait_for_function("window.ready")
    ready, opened = tab.evaluate("ready"), processors(session)
    filtered, after = tab.evaluate(FILTER, words) if words else 0.0, processors(session)
    own = opened.keys() - others.keys()
    context.close()
    used = sum(opened[one] for one in own)
    spent = sum(after[one] for one in own)
    return ready / 1000, used, filtered / 1000, spent - used


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_board(Path(folder), options.rows)
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        empty = Path(folder) / "empty.html"
        empty.write_text("<!doctype html><title>Empty</title>", encoding="utf-8")
        first = Path(folder) / "index.html"
        blank, found = [], []
        for _ in range(options.repeat):
            blank.append(measure(browser, empty, ""))
            found.append(measure(browser, first, "model-7"))
        browser.close()
    least, least_used, *_ = map(statistics.median, zip(*blank, strict=True))
    clock, used, search, spent = map(statistics.median, zip(*found, strict=True))
    print(f"{options.rows:,} rows, medians of {options.repeat}: clock, processor time")
    print(f"an empty page reacts    {least:.2f} s, {least_used:.2f} s")
    print(f"the first page reacts   {clock:.2f} s, {used:.2f} s")
    print(f"a search of all rows    {search:.2f} s, {spent:.2f} s")


if __name__ == "__main__":
    main()
