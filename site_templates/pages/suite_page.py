"""The list of suites, and the page of one: its ranking, its categories, what it declares."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from leaderboard.types import Category, Suite
from site_templates import formatting, markdown, page_frame
from site_templates.board_index import Register, label
from site_templates.figures.chart import Chart, cost_chart, date_chart
from site_templates.figures.heat import Heat, heat
from site_templates.links import Link
from site_templates.parts.judge_labels import JudgeFact, judge_fact
from site_templates.parts.other_metrics import Measures, of_submissions
from site_templates.parts.ranking_table import Gap, Ranking, gap, suite_links


@dataclass(frozen=True, slots=True)
class SuiteRow:
    """A suite in the list of suites. `best` and `best_of` tell the best score and who holds it."""

    link: Link
    description: str
    kind: str
    categories: int
    cases: int
    takers: int
    best: str
    best_of: Link | None


@dataclass(frozen=True, slots=True)
class SuitesPage:
    """Model of suites/index.html."""

    head: page_frame.Head
    rows: tuple[SuiteRow, ...]


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category on its suite's page: `share` of the suite's score, and by what it is decided.

    `title` is empty where the link bears it already.
    """

    link: Link
    title: str
    description: str
    cases: int
    share: str
    decided: str
    gap: Gap | None


@dataclass(frozen=True, slots=True)
class SuitePage:
    """Model of suites/<suite>/index.html. `policy` are the suite's declared choices (name, value).

    `judges` decide what the rule leaves open; `judged` says in which categories, where not in all.
    """

    head: page_frame.Head
    title: str
    description: Markup
    id: str
    kind: str
    nature: str
    methodology: str | None
    judges: tuple[JudgeFact, ...]
    judged: str
    takers: int
    baselines: int
    bar: tuple[Link, ...]
    ranking: Ranking
    charts: tuple[Chart, ...]
    heat: Heat | None
    measures: Measures | None
    categories: tuple[CategoryRow, ...]
    policy: tuple[tuple[str, str], ...]
    digest: str
    rules_version: str


def suites_page(register: Register) -> SuitesPage:
    """The list of suites."""
    head = page_frame.Head(
        path="suites/index.html",
        title=f"Suites: {register.board.title}",
        description="The suites of this board: what they ask, how many cases they hold, who did best.",
        section="Suites",
        crumbs=(Link("Board", "index.html"), Link("Suites")),
    )
    return SuitesPage(head, tuple(_row(register, suite) for suite in register.board.suites))


def _row(register: Register, suite: Suite) -> SuiteRow:
    takers = [s for s in register.takers(suite.id) if not s.is_baseline]
    best = takers[0] if takers else None
    score = register.score(best.id, suite.id) if best else None
    return SuiteRow(
        link=Link(suite.title, register.paths.suite(suite.id)),
        description=markdown.first_sentence(suite.description, 200),
        kind=suite.kind.name,
        categories=len(suite.categories),
        cases=len(suite.by_id),
        takers=len(takers),
        best=formatting.percent(score.score if score else None),
        best_of=Link(formatting.clip(best.card.name, 80), register.paths.submission(best.id))
        if best
        else None,
    )


def suite_page(register: Register, suite: Suite, table: Ranking) -> SuitePage:
    """The page of one suite, with the first page of its ranking."""
    head = page_frame.Head(
        path=register.paths.suite(suite.id),
        title=f"{formatting.clip(suite.title, 80)}: {register.board.title}",
        description=markdown.first_sentence(suite.description, 160) or f"Ranking on {suite.title}.",
        section="Suites",
        crumbs=(
            Link("Board", "index.html"),
            Link("Suites", "suites/index.html"),
            Link(suite.title),
        ),
        json=register.paths.suite_data(suite.id),
        flags=table.flags,
        has_axis=True,
    )
    takers = register.takers(suite.id)
    baselines = sum(submission.is_baseline for submission in takers)
    judged = [category for category in suite.categories if category.prompt]
    return SuitePage(
        head=head,
        title=suite.title,
        description=markdown.render(suite.description, shift=2),
        id=suite.id,
        kind=suite.kind.name,
        nature=suite.kind.summary,
        methodology=register.paths.document("methodology")
        if "methodology" in register.board.docs
        else None,
        judges=tuple(judge_fact(register, j.name) for j in register.board.judges) if judged else (),
        judged=f"in {len(judged)} of {len(suite.categories)} categories"
        if len(judged) < len(suite.categories)
        else "",
        takers=len(takers) - baselines,
        baselines=baselines,
        bar=suite_links(register),
        ranking=table,
        charts=tuple(filter(None, (cost_chart(register, suite), date_chart(register, suite)))),
        heat=heat(register, (suite,), register.field(suite.id)),
        measures=of_submissions(register, suite),
        categories=tuple(_category(register, suite, category) for category in suite.categories),
        policy=tuple(
            (formatting.words(name), formatting.words(value))
            for name, value in sorted(suite.policy.items())
        ),
        digest=formatting.digest(suite.digest),
        rules_version=register.board.rules_version,
    )


def _category(register: Register, suite: Suite, category: Category) -> CategoryRow:
    name = label(category)
    return CategoryRow(
        link=Link(name, register.paths.category(suite.id, category.id)),
        title=category.title if category.title != name else "",
        description=markdown.first_sentence(category.description, 200),
        cases=len(category.cases),
        share=share(suite, category),
        decided="rules, then a judge" if category.prompt else "rules alone",
        gap=gap(register, suite, category.id),
    )


def share(suite: Suite, category: Category) -> str:
    """A category's share of its suite's score, from the declared weights."""
    total = sum(other.weight for other in suite.categories)
    return formatting.whole_percent(category.weight / total) if total else formatting.NONE
