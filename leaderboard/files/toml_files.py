"""Reading a TOML file, and finding the line of a key in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection

from leaderboard.errors import FilesError
from leaderboard.files.document import At
from leaderboard.types import Json


def parse_toml(data: bytes, shown: str) -> dict[str, Json]:
    """Parses TOML. Raises FilesError with one problem."""
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise FilesError.about(shown, "is not UTF-8", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else None
        raise FilesError.about(shown, f"is not TOML: {error}", "check this line", line) from error


def locate_in_toml(data: bytes, wanted: Collection[At]) -> dict[At, int]:
    """Returns the first line that mentions the last key of each path.

    The exact place would need a parser that keeps positions. A key of several tables is found in
    the first of them.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    found = {}
    for at in wanted:
        keys = [step for step in at if isinstance(step, str)]
        key = re.compile(rf"\s*\[*[\w.\"-]*\b{re.escape(keys[-1])}\b") if keys else None
        for number, line in enumerate(lines, 1):
            if key is not None and key.match(line):
                found[at] = number
                break
    return found
