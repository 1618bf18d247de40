"""The page of one category: scores with kinds of mistake, cases by difficulty, every case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from leaderboard.frames import SEVERAL
from leaderboard.reasons import reason_words
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Category, Submission, Suite
from site_templates import formatting, markdown
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import beside
from site_templates.links import Link
from site_templates.page_head import Head, page_head
from site_templates.parts.answers.equal_wrong_answers import same_wrong
from site_templates.parts.bars import Stretch, stretches
from site_templates.parts.cases_by_difficulty import RatedCase, hardest_first
from site_templates.parts.judge_trust import QualityRow, qualities
from site_templates.parts.named_links import (
    SUITES,
    NamedJudge,
    all_judges,
    label,
    noun_of,
    rule_version,
    to_category,
    to_suite,
    unlike_suite,
)
from site_templates.parts.pairs.pair_pages import rank_comparisons
from site_templates.parts.rankings.other_metrics import MetricTable, of_submissions
from site_templates.parts.rankings.score_cells import (
    Gap,
    ScoreCell,
    baseline_flags,
    category_share,
    cell_of,
    gap,
)
from site_templates.parts.rankings.submission_names import Name, name_of

_TONES: Final = ("k1", "k2", "k3", "k4", "k5")
_OTHER: Final = "other kinds"
_SQUARES: Final = 50  # in a full line
_LEVELS: Final = 8  # rows of the picture of difficulty
_GLYPHS: Final = 12  # verdicts on a case that are shown one by one
_NOT_ASKED: Final = "not-asked"  # the anchor of cases without any answer
_MISSED: Final = 4  # submissions named that alone missed a case


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A submission's score in a category, and its mistakes by kind. `failed` lists their cases.

    `comparison` is the path of the comparison behind its rank, if there is one.
    """

    rank: str
    comparison: str | None
    name: Name
    score: ScoreCell
    failed: str
    mistakes: int
    strip: tuple[Stretch, ...]
    spoken: str


@dataclass(frozen=True, slots=True)
class Level:
    """Cases passed by equally many: `full` lines of squares, and `rest` squares of a last line."""

    label: str
    anchor: str
    cases: int
    full: int
    rest: int
    none: bool


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case. `who` has a letter p, f or u per answer in the order of the ranking.

    `anchor` is set at the first case of each difficulty. Links from the squares lead there.
    """

    link: Link
    query: str
    who: str
    spoken: str
    passed: int
    of: int
    remark: str
    anchor: str


@dataclass(frozen=True, slots=True)
class CategoryScores:
    """The scores in a category, and the kinds of mistake (tone, label)."""

    summary: str
    kinds: tuple[tuple[str, str], ...]
    rows: tuple[CategoryRow, ...]
    unranked: tuple[CategoryRow, ...]
    baselines: tuple[CategoryRow, ...]
    some_unscored: bool


@dataclass(frozen=True, slots=True)
class CasesByDifficulty:
    """The cases of a category, hardest first.

    `noun` names what is counted at each case: submissions, baselines or, with trials, answers.
    `size` is the most of them at a case. If it differs between cases, the `levels` are
    `in_percent`. `missed_by` are those who alone missed a case, with the number of such cases.
    """

    noun: str
    size: int
    levels: tuple[Level, ...]
    in_percent: bool
    unsolved: str
    missed_by_one: str
    missed_by: tuple[tuple[Link, int], ...]
    rows: tuple[CaseLine, ...]

    @property
    def glyphs(self) -> bool:
        """Whether the verdicts on some case are shown one by one."""
        return any(row.who for row in self.rows)


@dataclass(frozen=True, slots=True)
class CategoryPage:
    """Model of suites/<suite>/<category>.html.

    `case_map` is the path of the table of every answer.
    """

    head: Head
    title: str
    category: Category
    description: Markup
    share: str
    responses: int
    decided: str
    reported: bool
    judges: tuple[NamedJudge, ...]
    gap: Gap | None
    bar: tuple[Link, ...]
    scores: CategoryScores
    quality: tuple[QualityRow, ...]
    other_metrics: MetricTable | None
    cases: CasesByDifficulty
    case_map: str | None


def category_page(index: BoardIndex, suite: Suite, category: Category) -> CategoryPage:
    """The page of one category."""
    field = index.field(suite.id, category.id)
    path = index.paths.category(suite.id, category.id)
    return CategoryPage(
        head=_head(index, suite, category),
        title=unlike_suite(suite, category.title, "Category"),
        category=category,
        description=markdown.render(category.description, shift=2),
        share=category_share(suite, category),
        responses=_responses(index, suite, category),
        decided=rule_version(index, suite),
        reported=suite.kind.reported,
        judges=all_judges(index) if category.prompt else (),
        gap=gap(index, suite, category.id),
        bar=tuple(
            Link(label(other), index.paths.category(suite.id, other.id))
            for other in suite.categories
        ),
        scores=_scores(index, suite, category, field),
        quality=tuple(row for row in qualities(index, suite) if row.link.path == path),
        other_metrics=of_submissions(index, suite, category.id),
        cases=_cases(index, suite, category, field),
        case_map=index.paths.case_map(suite.id, category.id) if len(field) > 1 else None,
    )


def _head(index: BoardIndex, suite: Suite, category: Category) -> Head:
    title = formatting.clip(unlike_suite(suite, category.title, "Category"), 80)
    number = counted(len(category.cases), "case")
    data = index.paths.category_data(suite.id, category.id)
    return page_head(
        index,
        index.paths.category(suite.id, category.id),
        f"{title}, {formatting.clip(suite.title, 60)}",
        f"Scores, mistakes and difficulty of the {number} of {category.title}.",
        section="Suites",
        crumbs=[
            SUITES,
            to_suite(index, suite),
            Link(to_category(index, suite, category).label),
        ],
        json=data,
        tables=beside("Scores", data),
        flags=baseline_flags(index, suite, category.id),
        has_axis=True,
    )


def _responses(index: BoardIndex, suite: Suite, category: Category) -> int:
    """How many responses there are, in all trials."""
    answers = [answer for case in category.cases for answer in index.answered(suite.id, case.id)]
    return sum(answer.response is not None for answer in answers)


# ---------------------------------------------------------------- scores and kinds of mistake


def _scores(
    index: BoardIndex, suite: Suite, category: Category, field: Sequence[Submission]
) -> CategoryScores:
    mistakes = _mistakes(index, suite, category)
    kinds = _kinds(mistakes)
    rows = _score_rows(index, suite, category, mistakes, kinds)
    entrants = [row for row in rows if row.name.kind != "baseline"]
    scores = [index.score(s.id, suite.id, category.id) for s in field]
    return CategoryScores(
        summary=_summary(index, suite, category, field),
        kinds=tuple((tone, reason_words(kind)) for kind, tone in kinds.items()),
        rows=tuple(row for row in entrants if not row.score.unranked),
        unranked=tuple(row for row in entrants if row.score.unranked),
        baselines=tuple(row for row in rows if row.name.kind == "baseline"),
        some_unscored=any(score.unscored for score in scores if score),
    )


def _summary(
    index: BoardIndex, suite: Suite, category: Category, field: Sequence[Submission]
) -> str:
    """What the ranks say, in words."""
    if noun_of(field) == "baseline":
        return "No models yet. The rows below are baselines."
    ranks = [index.joint_rank(s.id, suite.id, category.id) for s in field]
    lows = [rank[0] for rank in ranks if rank is not None]
    others = len(lows) - 1
    tied = lows.count(1) - 1  # with the best one
    if others < 0:
        return ""
    if others == 0:
        one = "Only one submission has a rank" if len(field) > 1 else "There is only one submission"
        return f"{one} in this category."
    if not tied:
        return "One submission is significantly better than all others."
    if others == 1:
        return "The two submissions do not differ significantly."
    some = f"None of the {others:,} others differs"
    if tied < others:
        verb = "does" if tied == 1 else "do"
        some = f"{tied:,} of the {others:,} others {verb} not differ"
    return f"{some} significantly from the best."


def _mistakes(index: BoardIndex, suite: Suite, category: Category) -> dict[str, Counter[str]]:
    """The reasons of each submission's fails in a category."""
    reasons: dict[str, Counter[str]] = {s.id: Counter() for s in index.submissions}
    for case in category.cases:
        for answer in index.answered(suite.id, case.id):
            if answer.outcome == "fail":
                reasons[answer.submission.id][answer.reason] += 1
    return reasons


def _kinds(mistakes: Mapping[str, Counter[str]]) -> dict[str, str]:
    """The kinds of mistake with a tone each, most frequent first. The rarest share the fifth."""
    total: Counter[str] = Counter()
    for counts in mistakes.values():
        total.update(counts)
    ordered = sorted(total, key=lambda kind: (-total[kind], kind))
    if len(ordered) > len(_TONES):
        ordered = [*ordered[: len(_TONES) - 1], _OTHER]
    return dict(zip(ordered, _TONES, strict=False))


def _score_rows(
    index: BoardIndex,
    suite: Suite,
    category: Category,
    mistakes: Mapping[str, Counter[str]],
    kinds: Mapping[str, str],
) -> list[CategoryRow]:
    rows = []
    comparisons = rank_comparisons(index, suite, category.id)
    for submission in index.takers(suite.id, category.id):
        score = index.score(submission.id, suite.id, category.id)
        rank = formatting.rank(index.rank(submission.id, suite.id, category.id))
        counts: Counter[str] = Counter()
        for kind, number in mistakes[submission.id].items():
            counts[kind if kind in kinds else _OTHER] += number
        spoken = [f"{reason_words(kind)} {counts[kind]:,}" for kind in kinds if counts[kind]]
        row = CategoryRow(
            rank=rank or (formatting.NONE if score and score.not_ranked else ""),
            comparison=comparisons.get(submission.id),
            name=name_of(index, submission),
            score=cell_of(index, submission, suite, category.id),
            failed=index.paths.answers(submission.id, suite.id, category.id, "fail"),
            mistakes=counts.total(),
            strip=stretches((tone, counts[kind]) for kind, tone in kinds.items()),
            spoken=", ".join(spoken),
        )
        rows.append(row)
    return rows


# ---------------------------------------------------------------- cases by difficulty


def _cases(
    index: BoardIndex, suite: Suite, category: Category, field: Sequence[Submission]
) -> CasesByDifficulty:
    rated = hardest_first(index, suite, category, field)
    numbers = {case.of for case in rated if case.of}
    most, in_percent = max(numbers, default=0), len(numbers) > 1
    top = 100 if in_percent else most
    unsolved = sum(case.passed == 0 < case.of for case in rated)
    missed_by_one = sum(case.passed == case.of - 1 > 0 for case in rated)
    return CasesByDifficulty(
        noun="answer" if most > len(field) else noun_of(field),
        size=max(most, len(field)),
        levels=_levels(rated, top, in_percent=in_percent),
        in_percent=in_percent,
        unsolved=_so_many(unsolved, len(rated)),
        missed_by_one=_so_many(missed_by_one, len(rated)),
        missed_by=_missed_by(index, suite, category, rated),
        rows=_case_lines(index, suite, rated, top),
    )


def _so_many(number: int, of: int) -> str:
    """How many of some cases, as the start of a sentence; "" for none."""
    if not number:
        return ""
    if number == of:
        return "Every case was" if of > 1 else "The only case was"
    return counted(number, "case was", "cases were")


def _missed_by(
    index: BoardIndex, suite: Suite, category: Category, rated: Sequence[RatedCase]
) -> tuple[tuple[Link, int], ...]:
    """Who alone missed a case, most cases first, with their number and a link to the answers."""
    missed: Counter[str] = Counter()
    names = {}
    for _, passed, of, answers in rated:
        if passed == of - 1 > 0:
            one = next(answer.submission for answer in answers if answer.outcome != "pass")
            missed[one.id] += 1
            names[one.id] = index.names.of(one.id)
    ordered = sorted(missed, key=lambda name: (-missed[name], name))
    linked = [
        (Link(names[name], index.paths.answers(name, suite.id, category.id)), missed[name])
        for name in ordered[:_MISSED]
    ]
    if others := sum(missed[name] for name in ordered[_MISSED:]):
        linked.append((Link("others"), others))
    return tuple(linked)


def _case_lines(
    index: BoardIndex, suite: Suite, rated: Sequence[RatedCase], top: int
) -> tuple[CaseLine, ...]:
    """The cases of a category, in the order given, with anchors at levels of 0 to `top`."""
    lines: list[CaseLine] = []
    last = ""
    for one in rated:
        case, passed, of, answers = one
        passed_by = dict.fromkeys(a.submission.id for a in answers if a.outcome == "pass")
        passers = formatting.listed([index.names.of(id_) for id_ in passed_by])
        alike = max(same_wrong(answers).values(), default=0)
        anchor = f"by-{_level_of(one, top)}" if of else _NOT_ASKED
        line = CaseLine(
            link=Link(case.id, index.paths.case(suite.id, case.id)),
            query=formatting.clip(case.query, 140),
            who="".join(a.outcome[0] for a in answers) if len(answers) <= _GLYPHS else "",
            spoken=f"passed by {passers or 'none'}",
            passed=passed,
            of=of,
            remark=f"same wrong answer from {alike}" if alike >= SEVERAL else "",
            anchor="" if anchor == last else anchor,
        )
        lines.append(line)
        last = anchor
    return tuple(lines)


def _level_of(case: RatedCase, top: int) -> int:
    """The part of `top` that passed. Only none are 0, and only all are `top`."""
    if case.passed in (0, case.of):
        return top if case.passed else 0
    return min(max(1, case.passed * top // case.of), top - 1)


def _levels(cases: Sequence[RatedCase], top: int, *, in_percent: bool) -> tuple[Level, ...]:
    """The cases by how many of `top` passed them, easiest first; in ranges if `top` is large.

    Cases that nobody was asked have a level of their own.
    """
    levels = []
    asked = [_level_of(case, top) for case in cases if case.of]
    for low, high in _ranges(top):
        passed = [number for number in asked if low <= number <= high]
        anchor = f"by-{min(passed)}" if passed else ""
        words = _share_label(low, high) if in_percent else _level_label(low, high, top)
        levels.append(_level(words, anchor, len(passed), none=high == 0))
    if others := len(cases) - len(asked):
        levels.append(_level("not asked", _NOT_ASKED, others, none=True))
    return tuple(levels)


def _level(label_: str, anchor: str, cases: int, *, none: bool) -> Level:
    return Level(label_, anchor, cases, *divmod(cases, _SQUARES), none)


def _share_label(low: int, high: int) -> str:
    if low == high:
        return "by all" if high else "by none"
    return f"by {low}–{high}{formatting.NARROW}%"


def _level_label(low: int, high: int, top: int) -> str:
    if high == 0:
        return "by none"
    if low < high:
        return f"by {low}–{high}"
    return f"by all {top}" if low == top > 1 else f"by {low}"


def _ranges(top: int) -> list[tuple[int, int]]:
    """The numbers 0 to `top` in at most eight ranges, highest first. 0 and `top` are alone."""
    if top < _LEVELS:
        return [(number, number) for number in range(top, -1, -1)]
    parts = _LEVELS - 2
    edges = [round((top - 1) * part / parts) for part in range(parts + 1)]
    inner = [(edges[part] + 1, edges[part + 1]) for part in range(parts - 1, -1, -1)]
    return [(top, top), *inner, (0, 0)]
