"""Inspect's `score` on the responses of a workspace: `python inspect_score.py WORKSPACE`.

Prints how many responses pass.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from inspect_ai import score  # type: ignore[import-not-found]
from inspect_ai.log import (  # type: ignore[import-not-found]
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
)
from inspect_ai.model import ModelOutput  # type: ignore[import-not-found]
from inspect_ai.scorer import Score, accuracy, scorer  # type: ignore[import-not-found]
from replayed import Record, Replayed, submissions


def main(root: Path) -> None:
    """Scores one log per submission."""
    work = Replayed(root)

    @scorer(metrics=[accuracy()])  # type: ignore[untyped-decorator]
    def replayed() -> Any:
        async def decide(state: Any, _target: Any) -> Any:
            return Score(value=int(work.passed(state.metadata)))

        return decide

    passed = 0
    for records in submissions(root):
        log = EvalLog(
            status="success",
            eval=EvalSpec(
                created="2026-01-31T00:00:00+00:00",
                task="bench",
                dataset=EvalDataset(),
                model="none/none",
                config=EvalConfig(),
            ),
            samples=[_sample(work, record) for record in records],
        )
        done = score(log, replayed(), display="none", copy=False)
        passed += sum(sample.scores["replayed"].value for sample in done.samples)
    print(passed)


def _sample(work: Replayed, record: Record) -> Any:
    text = record["model_text"] or ""
    return EvalSample(
        id=record["id"],
        epoch=1,
        input=work.cases[record["id"]]["user_query"],
        target=str(work.cases[record["id"]]["ground_truth"]),
        output=ModelOutput.from_content("none", text),
        metadata=record,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
