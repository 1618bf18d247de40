"""Writes promptfoo's configuration: `python promptfoo_tests.py WORKSPACE CONFIG REPLIES`.

The provider `echo` returns the answer, and promptfoo_assert.cjs decides it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from replayed import Replayed, submissions


def main(root: Path, config: Path, replies: Path) -> None:
    """Writes a test for each response, and the work for the assertion."""
    work = Replayed(root)
    check = [
        {"type": "javascript", "value": f"file://{Path(__file__).parent}/promptfoo_assert.cjs"}
    ]
    tests = [
        {"vars": {"answer": record["model_text"] or "-", "record": json.dumps(record)}}
        for records in submissions(root)
        for record in records
    ]
    document = {
        "prompts": ["{{answer}}"],
        "providers": ["echo"],
        "defaultTest": {"assert": check},
        "tests": tests,
    }
    config.write_text(json.dumps(document))
    given = {"cases": work.cases, "prompt": work.prompt, "replies": work.replies}
    replies.write_text(json.dumps(given))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
