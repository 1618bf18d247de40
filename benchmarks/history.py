"""The history of the ratios that large_board.py measures: compare with it, add to it, draw it.

    python benchmarks/history.py check RATIOS      exit 1 if one is 1.5 times worse than before
    python benchmarks/history.py add RATIOS DATE   add them to history.json, and draw history.svg
    python benchmarks/history.py draw              draw history.svg again

RATIOS is what `large_board.py --json` wrote. Ratios to the plain script hold on any machine,
seconds do not. A history has one series for each number of responses.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

HERE = Path(__file__).parent
HISTORY = HERE / "history.json"
PICTURE = HERE / "history.svg"

WORSE = 1.5
LATEST = 5  # entries whose median a new ratio is compared with

Entry = Mapping[str, Any]

# The measures of the project itself, with a colour each that is readable on white.
LINES = {
    "lb rescore --fresh": "#1b5e9b",
    "lb rescore, nothing new": "#9a4a00",
    "lb rescore, one new": "#00695c",
}
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 240, 40, 30


def worse(history: Sequence[Entry], measured: Entry) -> list[str]:
    """What has become worse than the median of the latest entries of that size."""
    same = [entry for entry in history if entry["responses"] == measured["responses"]][-LATEST:]
    found = []
    for name in LINES:
        before = [entry["ratios"][name] for entry in same if name in entry["ratios"]]
        now = measured["ratios"][name]
        if before and now >= WORSE * statistics.median(before):
            found.append(f"{name}: {now:.2f}, before {statistics.median(before):.2f}")
    return found


def drawn(history: Sequence[Entry]) -> str:
    """The picture: a line for each measure, over the entries of the most frequent size."""
    size = statistics.mode(entry["responses"] for entry in history)
    entries = [entry for entry in history if entry["responses"] == size]
    top = max(entry["ratios"][name] for entry in entries for name in LINES)
    step = (WIDTH - LEFT - 20) / max(1, len(entries) - 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<style>text { font: 12px sans-serif }</style>",
        f"<title>Processor time as a ratio to the plain script, {size:,} responses</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for tick in range(int(top) + 2):
        y = _height(tick, top)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{tick}</text>')
    for place, (name, colour) in enumerate(LINES.items()):
        points = [
            f"{LEFT + number * step:.1f},{_height(entry['ratios'][name], top)}"
            for number, entry in enumerate(entries)
        ]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}"/>')
        parts += [
            f'<circle cx="{point.split(",")[0]}" cy="{point.split(",")[1]}" r="3" fill="{colour}"/>'
            for point in points
        ]
        parts.append(f'<text x="{LEFT + 10 + 200 * place}" y="16" fill="{colour}">{name}</text>')
    for number, entry in enumerate(entries):
        if number in {0, len(entries) - 1}:
            x, anchor = (LEFT, "start") if number == 0 else (WIDTH - 20, "end")
            parts.append(
                f'<text x="{x}" y="{HEIGHT - 10}" text-anchor="{anchor}">{entry["date"]}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def _height(ratio: float, top: float) -> float:
    return round(HEIGHT - BOTTOM - ratio / (int(top) + 1) * (HEIGHT - BOTTOM - 30), 1)


def main(command: str, *arguments: str) -> None:
    """Check, add or draw."""
    history = orjson.loads(HISTORY.read_bytes()) if HISTORY.exists() else []
    if command == "check":
        found = worse(history, orjson.loads(Path(arguments[0]).read_bytes()))
        if found:
            raise SystemExit("\n".join([f"{WORSE} times worse than before:", *found]))
        return
    if command == "add":
        ratios = orjson.loads(Path(arguments[0]).read_bytes())
        history.append({"date": arguments[1], **ratios})
        HISTORY.write_bytes(orjson.dumps(history, option=orjson.OPT_INDENT_2) + b"\n")
    PICTURE.write_text(drawn(history), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
