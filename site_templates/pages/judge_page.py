"""The judges: what each is, what it is asked, how many verdicts rest on it, and the scores with it and without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from leaderboard.types import JudgeSettings, Prompt
from site_templates import formatting, page_frame
from site_templates.board_index import WHOLE, Answer, Register, label
from site_templates.figures.axis import Interval, interval
from site_templates.links import Link
from site_templates.parts.judge_labels import nature
from site_templates.parts.judge_trust import (
    Agreement,
    ConcordanceRow,
    Flips,
    agreement,
    concordance,
    flips,
)
from site_templates.parts.ranking_table import Name, name_of

_PROVIDERS = {
    "openai": "an OpenAI-compatible chat endpoint",
    "google": "Google's Gemini API",
    "embedded": "this repository itself, over loopback",
}


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A judge in the list of judges."""

    link: Link
    nature: str
    provider: str
    settings: str
    decided: int
    share: str
    agreement: str
    bounds: str
    kappa: str
    flips: str


@dataclass(frozen=True, slots=True)
class JudgesPage:
    """Model of judges/index.html. `waiting` counts verdicts that wait for a judge; `panel` is what the labels say of all.

    `halves`: some scores are of suites in which an unsure judge counts a half, so that they cannot be corrected.
    """

    head: page_frame.Head
    rows: tuple[JudgeRow, ...]
    verdicts: int
    waiting: int
    panel: Agreement | None
    concordance: tuple[ConcordanceRow, ...]
    differences: tuple[Difference, ...]
    corrects: bool
    halves: bool
    document: str | None
    labelling: str | None


@dataclass(frozen=True, slots=True)
class Rests:
    """How many verdicts of a category rest on a judge, and how many of these pass."""

    suite: Link
    category: Link
    verdicts: int
    decided: int
    share: str
    passed: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A score with the judges, by the rules alone, and corrected by how the panel errs on the labelled set."""

    name: Name
    suite: Link
    score: str
    rules_only: str
    difference: str
    corrected: str
    corrected_bounds: str
    interval: Interval | None
    unscored: int


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt with its placeholders: pieces of text, every second of which is the name of a placeholder."""

    id: str
    suite: str
    digest: str
    pieces: tuple[str, ...]
    categories: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class JudgePage:
    """Model of judges/<judge>.html."""

    head: page_frame.Head
    name: str
    embedded: bool
    nature: str
    facts: tuple[tuple[str, str], ...]
    decided: int
    verdicts: int
    share: str
    rests: tuple[Rests, ...]
    agreement: Agreement | None
    flips: Flips | None
    prompts: tuple[PromptText, ...]
    document: str | None
    labelling: str | None


# For each judge the verdicts that rest on it, by suite and category: how many, and how many of those pass.
Decided = Mapping[str, Mapping[tuple[str, str], tuple[int, int]]]


def decided(register: Register) -> Decided:
    """Count the verdicts that rest on each judge. A verdict of a panel counts for each of its judges."""
    names: dict[str, str | None] = {}
    counts: dict[str, Counter[tuple[str, str]]] = {
        judge.name: Counter() for judge in register.board.judges
    }
    passed: dict[str, Counter[tuple[str, str]]] = {
        judge.name: Counter() for judge in register.board.judges
    }
    for suite in register.board.suites:
        for case in suite.cases:
            for answer in register.answered(suite.id, case.id):
                for name in _judges_of(register, answer, names):
                    counts.setdefault(name, Counter())[suite.id, case.category] += 1
                    passed.setdefault(name, Counter())[suite.id, case.category] += (
                        answer.outcome == "pass"
                    )
    return {
        name: {key: (count[key], passed[name][key]) for key in count}
        for name, count in counts.items()
    }


def _judges_of(register: Register, answer: Answer, names: dict[str, str | None]) -> set[str]:
    """The judges that decided an answer's verdict; `names` remembers whose a judge call is."""
    if answer.decided_by != "judge" or answer.outcome == "unscored":
        return set()
    for key in answer.judge_calls:
        if key not in names:
            exchange = register.board.exchange(key)
            names[key] = exchange.judge if exchange else None
    return {name for key in answer.judge_calls if (name := names[key]) is not None}


def judges_page(register: Register, counts: Decided) -> JudgesPage:
    """The list of judges."""
    board = register.board
    head = page_frame.Head(
        path="judges/index.html",
        title=f"Judges: {board.title}",
        description="Who decides where rules cannot: the judges of this board, and how many verdicts rest on each.",
        section="Judges",
        crumbs=(Link("Board", "index.html"), Link("Judges")),
        has_axis=True,
    )
    answers = [answer for rows in register.answers.values() for answer in rows]
    scored = sum(answer.outcome != "unscored" for answer in answers)
    differences = _differences(register)
    return JudgesPage(
        head=head,
        rows=tuple(_row(register, judge, _total(counts, judge), scored) for judge in board.judges),
        verdicts=len(answers),
        waiting=len(answers) - scored,
        panel=agreement(register, WHOLE) if len(board.judges) > 1 else None,
        concordance=concordance(register),
        differences=differences,
        corrects=any(row.corrected != formatting.NONE for row in differences),
        halves=any(suite.kind.judged_as == "solved" for suite in board.suites),
        document=_document(register),
        labelling=_labelling(register),
    )


def _row(register: Register, judge: JudgeSettings, decides: int, scored: int) -> JudgeRow:
    measured, again = agreement(register, judge.name), flips(register, judge)
    return JudgeRow(
        link=Link(judge.name, register.paths.judge(judge.name)),
        nature=nature(judge),
        provider=_PROVIDERS[judge.provider],
        settings=formatting.settings(judge.settings),
        decided=decides,
        share=formatting.whole_percent(decides / scored if scored else None),
        agreement=measured.rows[0].agreement if measured else formatting.NONE,
        bounds=measured.rows[0].bounds if measured else "",
        kappa=measured.rows[0].kappa if measured else formatting.NONE,
        flips=again.rows[0].rate if again and again.rows else formatting.NONE,
    )


def _total(counts: Decided, judge: JudgeSettings) -> int:
    return sum(number for number, _ in counts.get(judge.name, {}).values())


def _document(register: Register) -> str | None:
    return register.paths.document("judges") if "judges" in register.board.docs else None


def _labelling(register: Register) -> str | None:
    return register.paths.document("labelling") if "labelling" in register.board.docs else None


def judge_page(register: Register, judge: JudgeSettings, counts: Decided) -> JudgePage:
    """The page of one judge."""
    board = register.board
    mine = counts.get(judge.name, {})
    scored = sum(
        answer.outcome != "unscored" for rows in register.answers.values() for answer in rows
    )
    total = _total(counts, judge)
    return JudgePage(
        head=page_frame.Head(
            path=register.paths.judge(judge.name),
            title=f"{judge.name}, judge: {board.title}",
            description=f"What the judge {judge.name} is, what it is asked, and how many verdicts rest on it.",
            section="Judges",
            crumbs=(
                Link("Board", "index.html"),
                Link("Judges", "judges/index.html"),
                Link(judge.name),
            ),
            has_axis=True,
        ),
        name=judge.name,
        embedded=judge.provider == "embedded",
        nature=nature(judge),
        facts=tuple(
            (name, value)
            for name, value in (
                ("Model", judge.model),
                ("Asked through", _PROVIDERS[judge.provider]),
                ("Settings", formatting.settings(judge.settings)),
            )
            if value
        ),
        decided=total,
        verdicts=scored,
        share=formatting.whole_percent(total / scored if scored else None),
        rests=_rests(register, mine),
        agreement=agreement(register, judge.name),
        flips=flips(register, judge),
        prompts=tuple(_prompt(register, prompt) for prompt in board.prompts),
        document=_document(register),
        labelling=_labelling(register),
    )


def _rests(
    register: Register, mine: Mapping[tuple[str, str], tuple[int, int]]
) -> tuple[Rests, ...]:
    rows = []
    for suite in register.board.suites:
        for category in suite.categories:
            number, passed = mine.get((suite.id, category.id), (0, 0))
            answers = [a for case in category.cases for a in register.answered(suite.id, case.id)]
            scored = sum(answer.outcome != "unscored" for answer in answers)
            if number:
                rows.append(
                    Rests(
                        suite=Link(suite.title, register.paths.suite(suite.id)),
                        category=Link(
                            label(category), register.paths.category(suite.id, category.id)
                        ),
                        verdicts=scored,
                        decided=number,
                        share=formatting.whole_percent(number / scored),
                        passed=passed,
                    )
                )
    return tuple(rows)


def _prompt(register: Register, prompt: Prompt) -> PromptText:
    users = tuple(
        Link(label(category), register.paths.category(suite.id, category.id))
        for suite in register.board.suites
        for category in suite.categories
        if suite.id == prompt.suite and prompt.id in (category.prompt, category.follow_up)
    )
    return PromptText(
        prompt.id, prompt.suite, formatting.digest(prompt.digest), prompt.parts, users
    )


def _differences(register: Register) -> tuple[Difference, ...]:
    """Scores with and without the judges, for every submission of every suite in which a judge decides something."""
    rows = []
    corrected = {
        (submission, suite): (score, low, high)
        for submission, suite, metric, score, low, high in register.board.corrected.filter(
            pl.col("category") == WHOLE
        )
        .select("submission", "suite", "metric", "corrected", "low", "high")
        .iter_rows()
        if suite in register.metrics and metric == register.metrics[suite][0]
    }
    for suite in register.board.suites:
        for submission in register.takers(suite.id):
            share, low, high = corrected.get((submission.id, suite.id), (None, None, None))
            score = register.score(submission.id, suite.id, WHOLE)
            if (
                score is None
                or score.score is None
                or score.rules_only is None
                or not score.judged_share
            ):
                continue
            rows.append(
                Difference(
                    name=name_of(register, submission),
                    suite=Link(suite.title, register.paths.suite(suite.id)),
                    score=formatting.percent(score.score),
                    rules_only=formatting.percent(score.rules_only),
                    difference=formatting.signed(score.score - score.rules_only),
                    corrected=formatting.percent(share),
                    corrected_bounds=formatting.bounds(low, high),
                    interval=interval(
                        score, baseline=submission.is_baseline, median=score.rules_only
                    ),
                    unscored=score.unscored,
                )
            )
    return tuple(rows)
