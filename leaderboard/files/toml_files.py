"""Reading a TOML file: its problems, each with a line."""

from __future__ import annotations

import re
import tomllib

from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import Findings
from leaderboard.types import Json


def parse_toml(data: bytes, shown: str) -> dict[str, Json]:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise FilesError(Problem(shown, "is not UTF-8", "save it as UTF-8")) from error
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise FilesError(
            Problem(
                shown,
                f"is not TOML: {error}",
                "check this line",
                int(line.group(1)) if line else None,
            )
        ) from error


def toml_problems(findings: Findings, data: bytes) -> tuple[Problem, ...]:
    """Findings of a TOML file with the line of the nearest key: an exact place would need a parser that keeps positions."""
    lines = data.decode().splitlines()
    problems = []
    for problem in findings.problems():
        key = re.split(r"[.\[\]]+", problem.at.strip("$.[]"))[-1]
        line = (
            next(
                (
                    n
                    for n, text in enumerate(lines, 1)
                    if re.match(rf"\s*\[*[\w.\"-]*\b{re.escape(key)}\b", text)
                ),
                None,
            )
            if key
            else None
        )
        problems.append(
            Problem(problem.file, problem.what, "see the README for the format", line, problem.at)
        )
    return tuple(problems)
