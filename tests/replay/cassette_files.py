"""Recorded judge calls and cassette files, for the tests of replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from replay.cassettes import cassette_file, redaction

FILE = "cassettes/j/s/a.json"


def interaction(prompt: str, reply: str = "equivalent\nyes", status: int = 200) -> dict[str, Any]:
    """A recorded OpenAI call as vcrpy stores it."""
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}]}
    return {
        "request": {
            "method": "POST",
            "uri": "https://api.example/v1/chat/completions",
            "body": json.dumps(body),
            "headers": {},
        },
        "response": {
            "status": {"code": status, "message": "OK"},
            "headers": {"content-type": ["application/json"]},
            "body": {"string": json.dumps({"choices": [{"message": {"content": reply}}]})},
        },
    }


def judges(root: Path, recordings: str) -> None:
    """Writes a leaderboard.toml with the judges j and gpt, whose replies count as it says."""
    tables = "".join(
        f'[judges.{name}]\nprovider = "openai"\nmodel = "m"\n' for name in ("j", "gpt")
    )
    put(root, f'schema = 1\nrecordings = "{recordings}"\n{tables}'.encode(), "leaderboard.toml")


def put(root: Path, data: bytes, file: str = FILE) -> Path:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def clean(prompt: str, reply: str = "equivalent") -> dict[str, Any]:
    """A recorded call as recording writes it."""
    return redaction.clean(interaction(prompt, reply))


def put_clean(root: Path, *interactions: Any, file: str = FILE) -> None:
    put(root, cassette_file.dump(interactions), file)
