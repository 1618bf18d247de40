"""Equal wrong answers to a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from site_templates.indexed_rows import Answer


def same_wrong(answers: Iterable[Answer]) -> Mapping[bytes, int]:
    """By key of a wrong answer: how many submissions, without baselines, gave it."""
    wrong = {
        (answer.key, answer.submission.id)
        for answer in answers
        if answer.outcome == "fail" and not answer.submission.is_baseline and answer.key is not None
    }
    return Counter(key for key, _ in wrong if key is not None)
