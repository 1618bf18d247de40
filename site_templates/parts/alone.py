"""Where a submission stands alone: the cases that it passes and nobody else does, and those that it alone fails."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.types import Case, Suite
from site_templates.board_index import Register, label
from site_templates.links import Link

# Of two submissions each would stand alone wherever they differ; the comparison of the two says that better.
FEWEST = 3
_EXAMPLES = 6  # cases named


@dataclass(frozen=True, slots=True)
class Alone:
    """One kind of standing alone on one suite: `most` names the category that holds most of the cases, and how many."""

    passes: bool
    suite: str
    count: int
    rivals: int
    most: tuple[str, int]
    examples: tuple[Link, ...]


def standings(register: Register) -> Mapping[str, tuple[Alone, ...]]:
    """For each submission that stands alone anywhere, where; baselines are not counted among those it stands against."""
    found: defaultdict[str, list[Alone]] = defaultdict(list)
    for suite in register.board.suites:
        entrants = {s.id for s in register.takers(suite.id) if not s.is_baseline}
        if len(entrants) < FEWEST:
            continue
        for (submission, passes), cases in _lonely(register, suite, entrants).items():
            found[submission].append(
                _alone(register, suite, cases, passes=passes, rivals=len(entrants) - 1)
            )
    return {
        submission: tuple(sorted(alone, key=lambda a: not a.passes))
        for submission, alone in found.items()
    }


def _lonely(
    register: Register, suite: Suite, entrants: set[str]
) -> Mapping[tuple[str, bool], list[Case]]:
    """The cases of each (submission, passes) that stands alone. With trials, only who passes all or none of them counts."""
    found: defaultdict[tuple[str, bool], list[Case]] = defaultdict(list)
    for case in suite.cases:
        outcomes: defaultdict[str, set[str]] = defaultdict(set)
        for answer in register.answered(suite.id, case.id):
            if answer.submission.id in entrants:
                outcomes[answer.submission.id].add(answer.outcome)
        passing = [submission for submission, seen in outcomes.items() if seen == {"pass"}]
        failing = [submission for submission, seen in outcomes.items() if seen == {"fail"}]
        if len(passing) + len(failing) == len(entrants):
            if len(passing) == 1:
                found[passing[0], True].append(case)
            if len(failing) == 1:
                found[failing[0], False].append(case)
    return found


def _alone(
    register: Register, suite: Suite, cases: Sequence[Case], *, passes: bool, rivals: int
) -> Alone:
    titles = {category.id: label(category) for category in suite.categories}
    category, count = Counter(case.category for case in cases).most_common(1)[0]
    return Alone(
        passes=passes,
        suite=suite.title,
        count=len(cases),
        rivals=rivals,
        most=(titles[category], count),
        examples=tuple(
            Link(case.id, register.paths.case(suite.id, case.id)) for case in cases[:_EXAMPLES]
        ),
    )
