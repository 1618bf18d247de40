"""A reply of one API, its place, and files in the form of the upstream server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from leaderboard.apis.api_names import ApiName
from runners.apis.api_call import ApiReply
from runners.apis.reply_cache import CachedReply
from runners.apis.reply_files import place_of

PLACE = place_of(ApiName("Transportation", "TramLine", "next departures"))


FILE = "Transportation/tramline_for_Transportation/next_departures.json"


ENTRY = CachedReply(ApiReply("", "18:04 line 3"), "real", None, "2031-01-01T00:00:00+00:00")


def legacy(root: Path, content: Any, file: str = FILE) -> Path:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        content if isinstance(content, str) else json.dumps(content, indent=4), encoding="utf-8"
    )
    return path


def as_stored(entries: Mapping[str, Any]) -> bytes:
    """A file of the cache: one reply per line, sorted by key, so that diffs stay small."""
    lines = (f"{json.dumps(key)}: {json.dumps(entries[key])}" for key in sorted(entries))
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def reply(text: str) -> dict[str, str]:
    return {"error": "", "response": text}
