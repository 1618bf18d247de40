"""The page of one category: scores with what went wrong, cases by difficulty, every case with who passed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from leaderboard.reasons import REASONS
from leaderboard.types import Case, Category, Submission, Suite
from site_templates import formatting, markdown, page_frame
from site_templates.board_index import Answer, Register, label, passes, same_wrong
from site_templates.figures.axis import Flag, Interval, interval
from site_templates.links import Link
from site_templates.pages.suite_page import share
from site_templates.parts.judge_labels import JudgeFact, judge_fact
from site_templates.parts.other_metrics import Measures, of_submissions
from site_templates.parts.ranking_table import Gap, Name, baseline_flags, gap, name_of

_TONES = ("k1", "k2", "k3", "k4", "k5")
_OTHER = "other kinds"
_LEGIBLE = 9.0  # percent of a strip that a number needs
_SQUARES = 50  # a line
_ROWS = 8  # of the picture of difficulty
_GLYPHS = 12  # verdicts on a case that are shown one by one
_MANY = 3  # equal wrong answers worth a remark


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mistake in the legend."""

    tone: str
    label: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """One kind's part of a strip, in percent; `count` is empty where there is no room for it."""

    tone: str
    x: str
    width: str
    middle: str
    count: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A submission's score in a category, and its mistakes by kind."""

    rank: str
    name: Name
    score: str
    bounds: str
    remark: str
    interval: Interval | None
    mistakes: int
    strip: tuple[Stretch, ...]
    spoken: str


@dataclass(frozen=True, slots=True)
class Level:
    """Cases passed by equally many: a row of squares, `lines` full ones and `rest` tenths of a last one."""

    label: str
    anchor: str
    cases: int
    full: int
    rest: int
    none: bool


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case in the table: who passed it, as letters p, f, u in the order of the ranking, or as a share."""

    link: Link
    query: str
    who: str
    spoken: str
    passed: int
    of: int
    anchor: str
    remark: str


@dataclass(frozen=True, slots=True)
class CategoryPage:
    """Model of suites/<suite>/<category>.html.

    `group` names what is counted at each case, `size` of them at most: submissions or baselines or, with trials, their answers.
    """

    head: page_frame.Head
    title: str
    description: Markup
    suite: Link
    cases: int
    share: str
    responses: int
    decided: str
    judges: tuple[JudgeFact, ...]
    methodology: str | None
    gap: Gap | None
    bar: tuple[Link, ...]
    summary: str
    kinds: tuple[Kind, ...]
    rows: tuple[ScoreRow, ...]
    baselines: tuple[ScoreRow, ...]
    measures: Measures | None
    group: str
    size: int
    levels: tuple[Level, ...]
    unsolved: str
    missed_by_one: str
    table: tuple[CaseRow, ...]
    glyphs: bool


def category_page(register: Register, suite: Suite, category: Category) -> CategoryPage:
    """The page of one category."""
    field = register.field(suite.id, category.id)
    mistakes = _mistakes(register, suite, category)
    kinds = _kinds(mistakes)
    cases = _cases(register, suite, category, field)
    rows = _score_rows(register, suite, category, mistakes, kinds)
    flags = baseline_flags(register, suite, category.id)
    counted = max((row.of for row in cases), default=0)
    return CategoryPage(
        head=_head(register, suite, category, flags_=flags),
        title=category.title,
        description=markdown.render(category.description, shift=2),
        suite=Link(suite.title, register.paths.suite(suite.id)),
        cases=len(category.cases),
        share=share(suite, category),
        responses=sum(len(register.answered(suite.id, case.id)) for case in category.cases),
        decided=f"{suite.kind.name}, rules {register.board.rules_version}",
        judges=tuple(judge_fact(register, j.name) for j in register.board.judges)
        if category.prompt
        else (),
        methodology=register.paths.document("methodology")
        if "methodology" in register.board.docs
        else None,
        gap=gap(register, suite, category.id),
        bar=tuple(
            Link(label(c), register.paths.category(suite.id, c.id)) for c in suite.categories
        ),
        summary=_summary(register, suite, category, field),
        kinds=tuple(Kind(tone, _label(kind)) for kind, tone in kinds.items()),
        rows=tuple(row for row in rows if row.name.kind != "baseline"),
        baselines=tuple(row for row in rows if row.name.kind == "baseline"),
        measures=of_submissions(register, suite, category.id),
        group="answer"
        if counted > len(field)
        else "baseline"
        if field and field[0].is_baseline
        else "submission",
        size=max(counted, len(field)),
        levels=_levels(cases, counted),
        unsolved=_told(sum(row.passed == 0 < row.of for row in cases), len(cases)),
        missed_by_one=_told(sum(row.passed == row.of - 1 > 0 for row in cases), len(cases)),
        table=cases,
        glyphs=any(row.who for row in cases),
    )


def _head(
    register: Register, suite: Suite, category: Category, *, flags_: tuple[Flag, ...]
) -> page_frame.Head:
    return page_frame.Head(
        path=register.paths.category(suite.id, category.id),
        title=f"{formatting.clip(category.title, 80)}, {formatting.clip(suite.title, 60)}: {register.board.title}",
        description=f"Scores, mistakes and difficulty of the {formatting.count(len(category.cases), 'case')} of {category.id}.",
        section="Suites",
        crumbs=(
            Link("Board", "index.html"),
            Link(suite.title, register.paths.suite(suite.id)),
            Link(label(category)),
        ),
        json=register.paths.category_data(suite.id, category.id),
        flags=flags_,
        has_axis=True,
        has_kinds=True,
    )


def _summary(
    register: Register, suite: Suite, category: Category, field: Sequence[Submission]
) -> str:
    """What the ranks say in words."""
    ranks = [
        rank for s in field if (rank := register.rank(s.id, suite.id, category.id)) is not None
    ]
    if field and field[0].is_baseline:
        return "No model has been sent in yet: what stands here are the baselines."
    if not ranks:
        return ""
    if len(ranks) == 1:
        return "One submission alone stands here."
    others, like = len(ranks) - 1, sum(rank[0] == 1 for rank in ranks) - 1  # the best itself aside
    if not like:
        return "One submission is ahead of all others here."
    if others == 1:
        return "The two submissions cannot be told apart here."
    told = (
        f"None of the {others:,} others can"
        if like == others
        else f"{like:,} of the {others:,} others cannot"
    )
    return f"{told} be told apart from the best here."


def _mistakes(register: Register, suite: Suite, category: Category) -> dict[str, Counter[str]]:
    """The reasons of each submission's fails in a category."""
    found: dict[str, Counter[str]] = {
        submission.id: Counter() for submission in register.submissions
    }
    for case in category.cases:
        for answer in register.answered(suite.id, case.id):
            if answer.outcome == "fail":
                found[answer.submission.id][answer.reason] += 1
    return found


def _kinds(mistakes: dict[str, Counter[str]]) -> dict[str, str]:
    """The kinds of mistake with a tone each, most frequent first; what does not fit in five is put together."""
    total: Counter[str] = Counter()
    for counts in mistakes.values():
        total.update(counts)
    ordered = sorted(total, key=lambda kind: (-total[kind], kind))
    if len(ordered) > len(_TONES):
        ordered = [*ordered[: len(_TONES) - 1], _OTHER]
    return dict(zip(ordered, _TONES, strict=False))


def _label(kind: str) -> str:
    return REASONS.get(kind, formatting.words(kind))


def _score_rows(
    register: Register,
    suite: Suite,
    category: Category,
    mistakes: dict[str, Counter[str]],
    kinds: dict[str, str],
) -> list[ScoreRow]:
    rows = []
    for submission in register.takers(suite.id, category.id):
        score = register.score(submission.id, suite.id, category.id)
        counts = _grouped(mistakes[submission.id], kinds)
        rows.append(
            ScoreRow(
                rank=formatting.rank(register.rank(submission.id, suite.id, category.id)),
                name=name_of(register, submission),
                score=formatting.percent(score.score if score else None),
                bounds=formatting.bounds(score.low, score.high) if score else "",
                remark=score.remark if score else "",
                interval=interval(score, baseline=submission.is_baseline),
                mistakes=sum(counts.values()),
                strip=_strip(counts, kinds),
                spoken=", ".join(
                    f"{_label(kind)} {counts[kind]:,}" for kind in kinds if counts[kind]
                ),
            )
        )
    return rows


def _grouped(counts: Counter[str], kinds: dict[str, str]) -> Counter[str]:
    grouped: Counter[str] = Counter()
    for kind, number in counts.items():
        grouped[kind if kind in kinds else _OTHER] += number
    return grouped


def _strip(counts: Counter[str], kinds: dict[str, str]) -> tuple[Stretch, ...]:
    total = sum(counts.values())
    stretches: list[Stretch] = []
    start = 0.0
    for kind, tone in kinds.items():
        width = 100 * counts[kind] / total if total else 0.0
        if width:
            label = f"{counts[kind]:,}" if width >= _LEGIBLE else ""
            stretches.append(
                Stretch(tone, f"{start:.2f}%", f"{width:.2f}%", f"{start + width / 2:.2f}%", label)
            )
        start += width
    return tuple(stretches)


def _cases(
    register: Register, suite: Suite, category: Category, field: Sequence[Submission]
) -> tuple[CaseRow, ...]:
    """The cases of a category, hardest first; the first of each difficulty carries the anchor of its row of squares."""
    among = frozenset(submission.id for submission in field)
    order = {submission.id: index for index, submission in enumerate(field)}
    rows = []
    for case in category.cases:
        answers = [a for a in register.answered(suite.id, case.id) if a.submission.id in among]
        rows.append(
            _case(
                register,
                suite,
                case,
                sorted(answers, key=lambda a: (order[a.submission.id], a.trial)),
                among,
            )
        )
    rows.sort(key=lambda row: (row.passed, -row.of))
    anchored: list[CaseRow] = []
    for passed, group in groupby(rows, key=lambda row: row.passed):
        first, *rest = group
        anchored += [_with_anchor(first, f"by-{passed}"), *rest]
    return tuple(anchored)


def _case(
    register: Register, suite: Suite, case: Case, answers: Sequence[Answer], among: frozenset[str]
) -> CaseRow:
    passed, failed, unscored = passes(answers, among)
    few = list(dict.fromkeys(a.submission.card.name for a in answers if a.outcome == "pass"))
    return CaseRow(
        link=Link(case.id, register.paths.case(suite.id, case.id)),
        query=formatting.clip(case.query, 140),
        who="".join(a.outcome[0] for a in answers) if len(answers) <= _GLYPHS else "",
        spoken=f"passed by {formatting.listed([formatting.clip(n, 80) for n in few]) if few else 'none'}",
        passed=passed,
        of=passed + failed + unscored,
        anchor="",
        remark=_remark(case, answers),
    )


def _told(number: int, of: int) -> str:
    """How many of some cases, as the start of a sentence; nothing for none."""
    if not number:
        return ""
    if number == of:
        return "Every case was" if of > 1 else "Its one case was"
    return formatting.count(number, "case was", "cases were")


def _with_anchor(row: CaseRow, anchor: str) -> CaseRow:
    return CaseRow(row.link, row.query, row.who, row.spoken, row.passed, row.of, anchor, row.remark)


def _remark(case: Case, answers: Sequence[Answer]) -> str:
    """That several submissions came to the same wrong end, which may be the ground truth's fault."""
    most = max(same_wrong(case, answers).values(), default=0)
    return f"same wrong answer from {most}" if most >= _MANY else ""


def _levels(cases: Sequence[CaseRow], top: int) -> tuple[Level, ...]:
    """Cases by how many of `top` passed them, all first and none last; with many in ranges."""
    levels = []
    for low, high in _ranges(top):
        rows = [row for row in cases if low <= row.passed <= high]
        full, rest = divmod(len(rows), _SQUARES)
        anchor = min((row.passed for row in rows), default=-1)
        label = _level(low, high, top)
        levels.append(
            Level(label, f"by-{anchor}" if rows else "", len(rows), full, rest, high == 0)
        )
    return tuple(levels)


def _level(low: int, high: int, top: int) -> str:
    if high == 0:
        return "by none"
    if low == high:
        return f"by all {top}" if low == top and top > 1 else f"by {low}"
    return f"by {low}–{high}"


def _ranges(top: int) -> list[tuple[int, int]]:
    """The numbers 0..top in at most eight ranges, highest first; all and none stand alone."""
    if top < _ROWS:
        return [(n, n) for n in range(top, -1, -1)]
    inner, parts = top - 1, _ROWS - 2
    edges = [round(inner * i / parts) for i in range(parts + 1)]
    return [(top, top), *[(edges[i] + 1, edges[i + 1]) for i in range(parts - 1, -1, -1)], (0, 0)]
