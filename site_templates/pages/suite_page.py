"""The list of suites, and the page of one: its ranking, its categories, its scoring settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from leaderboard.types import Category, Suite
from site_templates import formatting, markdown
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import beside
from site_templates.figures.heat_map import Heat, heat
from site_templates.figures.scatter_charts import Chart, charts
from site_templates.links import SUITES_PATH, Link
from site_templates.page_head import Head, page_head
from site_templates.parts.judge_trust import QualityRow, qualities
from site_templates.parts.named_links import (
    SUITES,
    NamedJudge,
    all_judges,
    label,
    rule_version,
    to_submission,
    to_suite,
)
from site_templates.parts.rankings.other_metrics import MetricTable, of_submissions
from site_templates.parts.rankings.ranking_table import Ranking, suite_links
from site_templates.parts.rankings.score_cells import Gap, category_share, gap

_BEST: Final = 3  # names beside a best score


@dataclass(frozen=True, slots=True)
class SuiteLine:
    """A suite in the list of suites, with the best score, who has it, and how many others do."""

    suite: Suite
    link: Link
    description: str
    takers: int
    best: float | None
    best_of: tuple[Link, ...]
    more: int


@dataclass(frozen=True, slots=True)
class SuitesPage:
    """Model of suites/index.html."""

    head: Head
    rows: tuple[SuiteLine, ...]


@dataclass(frozen=True, slots=True)
class CategoryLine:
    """A category on the page of its suite. `title` is empty if the link shows it."""

    link: Link
    title: str
    description: str
    cases: int
    share: str
    decided: str
    gap: Gap | None


@dataclass(frozen=True, slots=True)
class SuitePage:
    """Model of suites/<suite>/index.html. `policy` are the suite's settings (name, value).

    `judged` says in which categories the judges decide, if not in all.
    """

    head: Head
    suite: Suite
    description: Markup
    judges: tuple[NamedJudge, ...]
    judged: str
    bar: tuple[Link, ...]
    ranking: Ranking
    charts: tuple[Chart, ...]
    heat: Heat | None
    other_metrics: MetricTable | None
    categories: tuple[CategoryLine, ...]
    policy: tuple[tuple[str, str], ...]
    rule: str
    quality: tuple[QualityRow, ...]


def suites_page(index: BoardIndex) -> SuitesPage:
    """The list of suites."""
    head = page_head(
        index,
        SUITES_PATH,
        "Suites",
        "The suites of this board: their tasks, their numbers of cases and their best scores.",
        section="Suites",
        crumbs=[Link("Suites")],
        json="data/suites.json",
        tables=beside("These suites", "data/suites.json"),
    )
    return SuitesPage(head, tuple(_row(index, suite) for suite in index.board.suites))


def _row(index: BoardIndex, suite: Suite) -> SuiteLine:
    takers = [s for s in index.takers(suite.id) if not s.is_baseline]
    best = index.best(suite.id)
    return SuiteLine(
        suite=suite,
        link=to_suite(index, suite),
        description=markdown.first_sentence(suite.description, 200),
        takers=len(takers),
        best=index.share(best[0].id, suite.id) if best else None,
        best_of=tuple(to_submission(index, one) for one in best[:_BEST]),
        more=len(best[_BEST:]),
    )


def suite_page(index: BoardIndex, suite: Suite, table: Ranking) -> SuitePage:
    """The page of one suite, with the first page of its ranking."""
    head = page_head(
        index,
        index.paths.suite(suite.id),
        formatting.clip(suite.title, 80),
        markdown.first_sentence(suite.description, 160) or f"Ranking on {suite.title}.",
        section="Suites",
        crumbs=[SUITES, Link(suite.title)],
        json=table.subject.data,
        tables=table.subject.tables,
        flags=table.subject.flags,
        has_axis=True,
    )
    number = len(suite.categories)
    judged = sum(category.prompt is not None for category in suite.categories)
    policy = sorted(suite.policy.items())
    return SuitePage(
        head=head,
        suite=suite,
        description=markdown.render(suite.description, shift=2),
        judges=all_judges(index) if judged else (),
        judged=f"in {judged} of {number} categories" if judged < number else "",
        bar=suite_links(index),
        ranking=table,
        charts=charts(index, suite),
        heat=heat(index, (suite,), index.field(suite.id)),
        other_metrics=of_submissions(index, suite),
        categories=tuple(_category(index, suite, category) for category in suite.categories),
        policy=tuple((formatting.words(name), formatting.words(value)) for name, value in policy),
        rule=rule_version(index, suite),
        quality=qualities(index, suite),
    )


def _decided_by(suite: Suite, category: Category) -> str:
    if suite.kind.reported:
        return suite.kind.decision
    return "rules, then a judge" if category.prompt else "rules only"


def _category(index: BoardIndex, suite: Suite, category: Category) -> CategoryLine:
    return CategoryLine(
        link=Link(label(category), index.paths.category(suite.id, category.id)),
        title=category.title if category.title != label(category) else "",
        description=markdown.first_sentence(category.description, 200),
        cases=len(category.cases),
        share=category_share(suite, category),
        decided=_decided_by(suite, category),
        gap=gap(index, suite, category.id),
    )
