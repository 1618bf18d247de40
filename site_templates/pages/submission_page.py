"""The page of one submission: who made it, its scores beside the board's, its mistakes, and how to score it again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from markupsafe import Markup

from leaderboard.reasons import REASONS
from leaderboard.types import Case, Price, Submission, Suite
from site_templates import formatting, markdown, page_frame
from site_templates.board_index import WHOLE, Register, Score, label
from site_templates.figures.axis import Interval, interval
from site_templates.figures.badge import Embed, embed
from site_templates.figures.sweep import Member, Sweep, sweeps
from site_templates.links import Link, repository_file, web
from site_templates.pages.history_page import RowMove, row_moves
from site_templates.parts.alone import Alone
from site_templates.parts.other_metrics import Measures, TrialTable, of_suite, trial_table
from site_templates.parts.pair_pages import Pair

_EXAMPLES = 4  # cases named for a kind of mistake


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the card. `url` leads out of the site; `code` is set as code."""

    name: str
    value: str
    url: str | None = None
    code: bool = False


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A suite's or a category's line. `level` is "suite" or "cat"."""

    level: str
    link: Link
    rank: str
    score: str
    bounds: str
    remark: str
    interval: Interval | None
    cases: int
    judged: str
    rules_only: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A kind of mistake with its count, the length of its bar, and some of its cases."""

    label: str
    reason: str
    count: int
    bar: str
    unscored: bool
    examples: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """One input of the score: where it stands, what it is, its digest in short."""

    input: str
    what: str
    digest: str


@dataclass(frozen=True, slots=True)
class Compared:
    """The pages on which this submission is compared with others, on a suite."""

    suite: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """Model of submissions/<id>.html."""

    head: page_frame.Head
    id: str
    name: str
    tags: tuple[str, ...]
    lede: str
    folder: str | None
    facts: tuple[Fact, ...]
    rows: tuple[ScoreRow, ...]
    medians: bool
    not_taken: tuple[Link, ...]
    missing: str
    measures: tuple[Measures, ...]
    trials: tuple[TrialTable, ...]
    fails: int
    unscored: int
    mistakes: tuple[Mistake, ...]
    readme: Markup | None
    digests: tuple[Digest, ...]
    commands: tuple[str, ...]
    baseline: bool
    compared: tuple[Compared, ...]
    free: str | None
    moves: tuple[RowMove, ...]
    badge: Embed
    alone: tuple[Alone, ...]
    sweeps: tuple[Sweep, ...]


# The median score of the submissions by suite and category.
Medians = Mapping[tuple[str, str], float]


def submission_page(
    register: Register,
    submission: Submission,
    middle: Medians,
    *,
    pairs: Sequence[tuple[str, Pair]] = (),
    alone: Sequence[Alone] = (),
    sweep: Sequence[Member] = (),
    base: str | None = None,
) -> SubmissionPage:
    """The page of one submission.

    `middle` are the medians of the board, `pairs` those that it is compared in (suite id and pair), `alone` where it stands
    alone, `sweep` the members of the sweep it belongs to, `base` the full address of the site, where that is known.
    """
    board, card = register.board, submission.card
    taken = [suite for suite in board.suites if register.score(submission.id, suite.id) is not None]
    fails, unscored = _verdicts(register, submission, taken)
    name = formatting.clip(card.name, 80)
    return SubmissionPage(
        head=page_frame.Head(
            path=register.paths.submission(submission.id),
            title=f"{name}: {board.title}",
            description=f"Scores, mistakes and digests of {name}.",
            section="Board",
            crumbs=(Link("Board", "index.html"), Link(name)),
            json=register.paths.submission_data(submission.id),
            has_axis=True,
        ),
        id=submission.id,
        name=card.name,
        tags=tuple(
            filter(
                None,
                (
                    card.kind,
                    formatting.clip(card.framework or "", 60),
                    "open weights" if card.open_weights else None,
                ),
            )
        ),
        lede=_lede(register, submission, taken),
        folder=repository_file(board.repository, f"submissions/{submission.id}"),
        facts=_facts(register, submission),
        rows=tuple(
            row for suite in taken for row in _score_rows(register, submission, suite, middle)
        ),
        medians=any((suite.id, WHOLE) in middle for suite in taken),
        not_taken=tuple(
            Link(s.title, register.paths.suite(s.id)) for s in board.suites if s not in taken
        ),
        missing=_missing(register, submission, taken),
        measures=tuple(filter(None, (of_suite(register, submission, suite) for suite in taken))),
        trials=tuple(filter(None, (trial_table(register, submission, suite) for suite in taken))),
        fails=sum(map(len, fails.values())),
        unscored=sum(map(len, unscored.values())),
        mistakes=_mistakes(register, fails, unscored),
        readme=_readme(register, submission),
        digests=_digests(register, submission),
        commands=page_frame.commands(board.repository, f"lb rescore {submission.id} --offline"),
        baseline=submission.is_baseline,
        compared=_compared(register, submission, pairs),
        free=f"compare/index.html?a={register.paths.submissions[submission.id]}" if pairs else None,
        moves=row_moves(register, submission.id),
        badge=embed(register, submission, base),
        alone=tuple(alone),
        sweeps=sweeps(register, submission, sweep),
    )


def _compared(
    register: Register, submission: Submission, pairs: Sequence[tuple[str, Pair]]
) -> tuple[Compared, ...]:
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for suite, (first, second) in pairs:
        other = second if first.id == submission.id else first
        links[suite].append(
            Link(
                formatting.clip(other.card.name, 60),
                register.paths.pair(suite, first.id, second.id),
            )
        )
    return tuple(
        Compared(suite.title, tuple(links[suite.id]))
        for suite in register.board.suites
        if suite.id in links
    )


def _lede(register: Register, submission: Submission, taken: Sequence[Suite]) -> str:
    """The scores in words: "Passes 81.9 % of bfcl (rank 2–4)." A baseline says what it does."""
    if submission.is_baseline:
        does = markdown.first_sentence(submission.readme or "", 300)
        return f"A baseline, no competitor. {does}".strip()
    parts = []
    for suite in taken:
        score = register.score(submission.id, suite.id)
        if score is not None and score.score is not None:
            rank = formatting.rank(register.rank(submission.id, suite.id))
            notes = ", ".join(filter(None, (f"rank {rank}" if rank else "", score.answered)))
            parts.append(
                f"{formatting.percent(score.score)}{formatting.NARROW}% of {suite.title}"
                + (f" ({notes})" if notes else "")
            )
    return f"Passes {formatting.listed(parts)}." if parts else ""


def _missing(register: Register, submission: Submission, taken: Sequence[Suite]) -> str:
    """On which suites cases are not answered, in a sentence; nothing where all are."""
    scores = ((suite, register.score(submission.id, suite.id)) for suite in taken)
    parts = [
        f"{score.answered} on {suite.title}" for suite, score in scores if score and score.missing
    ]
    return (
        f"Incomplete: {formatting.listed(parts)}. Each case that is not answered counts as a fail."
        if parts
        else ""
    )


def _facts(register: Register, submission: Submission) -> tuple[Fact, ...]:
    card = submission.card
    facts = (
        Fact("Organisation", card.organization),
        Fact("Model", card.model),
        Fact("Framework", card.framework or ""),
        Fact("Date", card.date),
        Fact("Page", card.url or "", url=web(card.url)),
        Fact("Licence", card.license or ""),
        Fact(
            "Weights",
            "" if card.open_weights is None else "open" if card.open_weights else "closed",
        ),
        Fact("Contact", card.contact or ""),
        Fact("Settings", formatting.settings(card.settings), code=True),
        Fact("Price", _price(card.price)),
        *_usage(register, submission),
    )
    return tuple(fact for fact in facts if fact.value)


def _price(price: Price | None) -> str:
    return (
        f"${formatting.money(price.input)} in, ${formatting.money(price.output)} out, per million tokens"
        if price
        else ""
    )


def _usage(register: Register, submission: Submission) -> list[Fact]:
    facts = []
    for suite in register.board.suites:
        usage = register.usage.get((submission.id, suite.id))
        if usage is None:
            continue
        told = []
        if usage.cost_usd is not None:
            told.append(f"${formatting.money(usage.cost_usd * 1000)} per 1,000 cases")
        if usage.latency_p50 is not None:
            told.append(f"{formatting.number(usage.latency_p50, 2)} s median")
        if usage.trials > 1:
            told.append(f"{usage.trials} trials")
        if usage.errors:
            told.append(formatting.count(usage.errors, "error"))
        if told:
            facts.append(Fact("Usage, as reported", f"{', '.join(told)} on {suite.title}"))
    return facts


def medians(register: Register) -> Medians:
    """The median score of the submissions, baselines aside, by suite and category; only where there are two or more."""
    found: dict[tuple[str, str], float] = {}
    for suite in register.board.suites:
        for category in (WHOLE, *(c.id for c in suite.categories)):
            scores = [
                register.score(s.id, suite.id, category)
                for s in register.submissions
                if not s.is_baseline
            ]
            known = [
                score.score for score in scores if score is not None and score.score is not None
            ]
            if len(known) > 1:
                found[suite.id, category] = median(known)
    return found


def _score_rows(
    register: Register, submission: Submission, suite: Suite, middle: Medians
) -> list[ScoreRow]:
    """The line of a suite, then those of its categories."""
    places = [(WHOLE, Link(suite.title, register.paths.suite(suite.id)))]
    places += [
        (c.id, Link(label(c), register.paths.category(suite.id, c.id))) for c in suite.categories
    ]
    return [
        _score_row(
            submission,
            link,
            register.score(submission.id, suite.id, category),
            rank=formatting.rank(register.rank(submission.id, suite.id, category)),
            level="suite" if category == WHOLE else "cat",
            middle=middle.get((suite.id, category)),
        )
        for category, link in places
    ]


def _score_row(
    submission: Submission,
    link: Link,
    score: Score | None,
    *,
    rank: str,
    level: str,
    middle: float | None,
) -> ScoreRow:
    return ScoreRow(
        level=level,
        link=link,
        rank=rank,
        score=formatting.percent(score.score if score else None),
        bounds=formatting.bounds(score.low, score.high) if score else "",
        remark=score.remark if score else "",
        interval=interval(score, baseline=submission.is_baseline, median=middle),
        cases=score.cases if score else 0,
        judged=formatting.whole_percent(score.judged_share if score else None),
        rules_only=formatting.percent(score.rules_only if score else None),
    )


Cases = Mapping[str, Sequence[tuple[Suite, Case]]]


def _verdicts(
    register: Register, submission: Submission, taken: Sequence[Suite]
) -> tuple[Cases, Cases]:
    """The cases of the fails and of the unscored verdicts, by reason."""
    fails: defaultdict[str, list[tuple[Suite, Case]]] = defaultdict(list)
    unscored: defaultdict[str, list[tuple[Suite, Case]]] = defaultdict(list)
    for suite in taken:
        for case, answer in register.sent.get((submission.id, suite.id), ()):
            if answer.outcome != "pass":
                (fails if answer.outcome == "fail" else unscored)[answer.reason].append(
                    (suite, case)
                )
    return fails, unscored


def _mistakes(register: Register, fails: Cases, unscored: Cases) -> tuple[Mistake, ...]:
    most = max((len(cases) for group in (fails, unscored) for cases in group.values()), default=1)
    return tuple(
        Mistake(
            label=REASONS.get(reason, formatting.words(reason)),
            reason=reason,
            count=len(cases),
            bar=f"{100 * len(cases) / most:.2f}%",
            unscored=group is unscored,
            examples=_examples(register, cases),
        )
        for group in (fails, unscored)
        for reason, cases in sorted(group.items(), key=lambda item: (-len(item[1]), item[0]))
    )


def _examples(register: Register, cases: Sequence[tuple[Suite, Case]]) -> tuple[Link, ...]:
    """A few cases, from as many categories as there are, each case once."""
    keys = list(dict.fromkeys((suite.id, case.category, case.id) for suite, case in cases))
    firsts = {
        (suite, category): (suite, category, case) for suite, category, case in reversed(keys)
    }
    chosen = [key for key in keys if firsts[key[:2]] == key]
    chosen += [key for key in keys if firsts[key[:2]] != key]
    return tuple(
        Link(formatting.clip(case, 40), register.paths.case(suite, case))
        for suite, _, case in chosen[:_EXAMPLES]
    )


def _readme(register: Register, submission: Submission) -> Markup | None:
    if not submission.readme or not submission.readme.strip():
        return None

    def resolve(href: str) -> str | None:
        return (
            repository_file(register.board.repository, f"submissions/{submission.id}/{href}")
            if href[:1] != "#"
            else None
        )

    return markdown.render(submission.readme, resolve=resolve, shift=2)


def _digests(register: Register, submission: Submission) -> tuple[Digest, ...]:
    """The manifest's digests that this submission's scores rest on: its responses, its suites, and what judges were asked."""
    manifest = register.board.manifest
    suites = [suite.id for suite in register.board.suites if suite.id in submission.files]
    responses = _section(manifest, "submissions").get(submission.id)
    rows = [Digest(path, "responses", _short(digest)) for path, digest in _entries(responses)]
    rows += [
        Digest(f"datasets/{name}/", "cases", _short(_section(manifest, "suites").get(name)))
        for name in suites
    ]
    rows += [
        Digest(f"prompts/{name}.md", "judge prompt", _short(digest))
        for name, digest in _entries(manifest.get("prompts"))
        if name.partition("/")[0] in suites
    ]
    rows += [
        Digest(name, "judge", _short(judge)) for name, judge in _entries(manifest.get("judges"))
    ]
    rows += [
        Digest(path, "judge calls recorded for it", _short(digest))
        for path, digest in _entries(manifest.get("cassettes"))
        if path.rpartition("/")[2].partition(".json")[0] == submission.id
    ]
    return (*rows, Digest("rules", "version", register.board.rules_version))


def _section(manifest: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = manifest.get(name)
    return section if isinstance(section, Mapping) else {}


def _entries(section: Any) -> list[tuple[str, Any]]:
    return sorted(section.items()) if isinstance(section, Mapping) else []


def _short(value: Any) -> str:
    """A digest, or the digest among an input's facts, in short."""
    if isinstance(value, Mapping):
        value = value.get("digest")
    return formatting.digest(value) if isinstance(value, str) else formatting.NONE
