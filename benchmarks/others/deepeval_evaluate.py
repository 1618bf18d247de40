"""DeepEval's `evaluate` on the responses of a workspace: `python deepeval_evaluate.py WORKSPACE`.

Prints how many responses pass.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from deepeval import evaluate  # type: ignore[import-not-found]
from deepeval.evaluate.configs import (  # type: ignore[import-not-found]
    AsyncConfig,
    CacheConfig,
    DisplayConfig,
)
from deepeval.metrics import BaseMetric  # type: ignore[import-not-found]
from deepeval.test_case import LLMTestCase  # type: ignore[import-not-found]
from replayed import Replayed, submissions


class ReplayedMetric(BaseMetric):  # type: ignore[misc]
    """Passes what the rule or the recorded reply passes."""

    threshold = 0.5
    async_mode = False

    def __init__(self, work: Replayed) -> None:
        self.work = work

    def measure(self, test_case: Any, *_: Any, **__: Any) -> float:
        self.score = float(self.work.passed(test_case.metadata))
        self.success = self.score == 1
        return self.score

    def is_successful(self) -> bool:
        return self.success


def main(root: Path) -> None:
    """Evaluates the test cases of each submission."""
    work = Replayed(root)
    passed = 0
    for records in submissions(root):
        cases = [
            LLMTestCase(
                name=record["id"],
                input=work.cases[record["id"]]["user_query"],
                actual_output=record["model_text"] or "",
                metadata=record,
            )
            for record in records
        ]
        done = evaluate(
            cases,
            [ReplayedMetric(work)],
            async_config=AsyncConfig(run_async=False),
            display_config=DisplayConfig(
                show_indicator=False, print_results=False, inspect_after_run=False
            ),
            cache_config=CacheConfig(write_cache=False),
        )
        passed += sum(result.success for result in done.test_results)
    print(passed)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
