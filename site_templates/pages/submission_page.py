"""The page of one submission: who made it, its scores, its mistakes, how to reproduce it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Any, Final

from markupsafe import Markup

from leaderboard.files.cassette_paths import relative_path
from leaderboard.reasons import REASONS
from leaderboard.secret_keys import redact_json
from leaderboard.types import UNKNOWN, Case, Json, Submission, Suite
from site_templates import formatting, markdown
from site_templates.board_index import BoardIndex
from site_templates.board_rows import WHOLE, Answer, Score, Usage
from site_templates.figures.axis import at
from site_templates.figures.badge import Embed, embed
from site_templates.figures.sweep import Member, Sweep, sweeps
from site_templates.links import JUDGED, Link, repository_file, web
from site_templates.page_frame import commands
from site_templates.page_head import Head, page_head
from site_templates.parts.bibtex import submission_entry
from site_templates.parts.judge_trust import QualityRow, qualities
from site_templates.parts.named_links import places, to_suite
from site_templates.parts.other_metrics import MetricTable, TrialTable, of_suite, trial_table
from site_templates.parts.pair_pages import Pair
from site_templates.parts.row_moves import RowMove, row_moves
from site_templates.parts.score_cells import ScoreCell, score_cell

_EXAMPLES: Final = 4  # cases named for a kind of mistake
_SETTINGS: Final = 60  # settings that are listed
_VALUE: Final = 4_000  # characters of a setting
_SHORT: Final = 80  # characters of a setting in a line

Medians = Mapping[tuple[str, str], float]  # median scores by suite and category


@dataclass(frozen=True, slots=True)
class CardFact:
    """One line of the card. `url` leads out of the site."""

    name: str
    value: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting with its value. A `long` one, such as a prompt, has lines of its own."""

    name: str
    value: str
    long: bool


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The score on a suite or category. `level` is suite or cat (category).

    `judged` lists the cases that a judge decided.
    """

    level: str
    judged: str
    link: Link
    rank: str
    score: Score | None
    cell: ScoreCell


@dataclass(frozen=True, slots=True)
class MistakeCount:
    """A kind of mistake on a suite: how often it was made, its bar, and some of its cases.

    `cases` lists all of them.
    """

    suite: Link
    cases: str
    label: str
    reason: str
    count: int
    bar: str
    unscored: bool
    examples: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """One input of the scores, with its digest in short."""

    input: str
    what: str
    digest: str


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """Model of submissions/<id>.html.

    `compared` are the comparisons with a page of their own: a suite's title with the links.
    `free` is the address that compares the submission with any other.
    """

    head: Head
    name: str
    tags: tuple[str, ...]
    lede: str
    folder: str | None
    facts: tuple[CardFact, ...]
    settings: tuple[Setting, ...]
    more_settings: int
    rows: tuple[ScoreLine, ...]
    medians: bool
    not_taken: tuple[Link, ...]
    missing: str
    other_metrics: tuple[MetricTable, ...]
    trials: tuple[TrialTable, ...]
    answers: str
    fails: int
    unscored: int
    mistakes: tuple[MistakeCount, ...]
    several: bool
    readme: Markup | None
    digests: tuple[Digest, ...]
    commands: tuple[str, ...]
    compared: tuple[tuple[str, tuple[Link, ...]], ...]
    free: str | None
    moves: tuple[RowMove, ...]
    badge: Embed
    bibtex: str
    sweeps: tuple[Sweep, ...]
    quality: tuple[QualityRow, ...]
    some_unscored: bool


def submission_page(
    index: BoardIndex,
    submission: Submission,
    medians: Medians,
    *,
    pairs: Sequence[tuple[str, Pair]] = (),
    sweep: Sequence[Member] = (),
    base: str | None = None,
) -> SubmissionPage:
    """The page of one submission.

    `pairs` are its comparisons (suite id and pair), `sweep` the members of the sweep that it
    belongs to, `base` is the full address of the site if that is known.
    """
    board, card = index.board, submission.card
    taken = [suite for suite in board.suites if index.score(submission.id, suite.id) is not None]
    others = [suite for suite in board.suites if suite not in taken]
    name = formatting.clip(card.name, 80)
    weights = "open weights" if card.open_weights else ""
    tags = (card.kind, formatting.clip(card.framework or "", 60), weights)
    metric_tables = [of_suite(index, submission, suite) for suite in taken]
    trials = [trial_table(index, submission, suite) for suite in taken]
    mistakes = _mistakes(index, submission, taken)
    rows = tuple(_score_lines(index, submission, taken, medians))
    settings = tuple(_settings((), redact_json(dict(card.settings))))
    quality = (qualities(index, suite, submission=submission) for suite in taken)
    return SubmissionPage(
        head=page_head(
            index,
            index.paths.submission(submission.id),
            name,
            f"Scores, mistakes and digests of {name}.",
            section="Board",
            crumbs=[Link(name)],
            json=None if board.is_large else index.paths.submission_data(submission.id),
            has_axis=True,
        ),
        name=card.name,
        tags=tuple(tag for tag in tags if tag),
        lede=_lede(index, submission, taken),
        folder=repository_file(board.repository, f"submissions/{submission.id}"),
        facts=_facts(index, submission),
        settings=settings[:_SETTINGS],
        more_settings=len(settings[_SETTINGS:]),
        rows=rows,
        medians=any((suite.id, WHOLE) in medians for suite in taken),
        not_taken=tuple(to_suite(index, suite) for suite in others),
        missing=_missing(index, submission, taken),
        other_metrics=tuple(table for table in metric_tables if table),
        trials=tuple(table for table in trials if table),
        answers=index.paths.answers(submission.id),
        fails=sum(mistake.count for mistake in mistakes if not mistake.unscored),
        unscored=sum(mistake.count for mistake in mistakes if mistake.unscored),
        mistakes=mistakes,
        several=len(taken) > 1,
        readme=_readme(index, submission),
        digests=tuple(_digests(index, submission)),
        commands=commands(board, f"lb rescore {submission.id} --offline"),
        compared=_compared(index, submission, pairs),
        free=f"compare/index.html?a={index.paths.submissions[submission.id]}" if pairs else None,
        moves=row_moves(index, submission.id),
        badge=embed(index, submission, base),
        bibtex=submission_entry(index, submission, base),
        sweeps=sweeps(index, submission, sweep),
        quality=tuple(chain.from_iterable(quality)),
        some_unscored=any(row.score and row.score.unscored for row in rows),
    )


def _compared(
    index: BoardIndex, submission: Submission, pairs: Sequence[tuple[str, Pair]]
) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for suite_id, (first, second) in pairs:
        other = second if first.id == submission.id else first
        path = index.paths.pair(suite_id, first.id, second.id)
        links[suite_id].append(Link(formatting.clip(other.card.name, 60), path))
    suites = [suite for suite in index.board.suites if suite.id in links]
    return tuple((suite.title, tuple(links[suite.id])) for suite in suites)


def _lede(index: BoardIndex, submission: Submission, taken: Sequence[Suite]) -> str:
    """The scores in words: "Passes 81.9 % of bfcl (rank 2–4)." For a baseline, what it does."""
    if submission.is_baseline:
        does = markdown.first_sentence(submission.readme or "", 300)
        return f"A baseline, not a competitor. {does}".strip()
    parts = []
    for suite in taken:
        score = index.score(submission.id, suite.id)
        if score is None or score.score is None:
            continue
        part = f"{formatting.percent(score.score)}{formatting.NARROW}% of {suite.title}"
        rank = formatting.rank(index.rank(submission.id, suite.id))
        notes = [
            note for note in (f"rank {rank}" if rank else score.not_ranked, score.answered) if note
        ]
        parts.append(f"{part} ({', '.join(notes)})" if notes else part)
    return f"Passes {formatting.listed(parts)}." if parts else ""


def _missing(index: BoardIndex, submission: Submission, taken: Sequence[Suite]) -> str:
    """The suites on which cases are not answered, in a sentence; "" if there are none."""
    parts = []
    for suite in taken:
        score = index.score(submission.id, suite.id)
        if score and score.missing:
            parts.append(f"{score.answered} on {suite.title}")
    if not parts:
        return ""
    return f"Incomplete: {formatting.listed(parts)}. A case without an answer counts as a fail."


def _facts(index: BoardIndex, submission: Submission) -> tuple[CardFact, ...]:
    card = submission.card
    weights = {None: "", True: "open", False: "closed"}[card.open_weights]
    price = ""
    if card.price:
        given, made = formatting.money(card.price.input), formatting.money(card.price.output)
        price = f"${given} in, ${made} out, per million tokens"
    facts = [
        CardFact("Organisation", "" if card.organization == UNKNOWN else card.organization),
        CardFact("Model", "" if card.model == UNKNOWN else card.model),
        CardFact("Parameters", card.parameters or ""),
        CardFact("Framework", card.framework or ""),
        CardFact("Date", card.date),
        CardFact("Page", card.url or "", url=web(card.url)),
        *(CardFact(name, url, url=web(url)) for name, url in card.links.items()),
        CardFact("Licence", card.license or ""),
        CardFact("Weights", weights),
        CardFact("Contact", card.contact or ""),
        CardFact("Price", price),
    ]
    for suite in index.board.suites:
        usage = index.usage(submission.id, suite.id)
        reported = _usage(usage) if usage else ""
        if reported:
            facts.append(CardFact("Usage, as reported", f"{reported} on {suite.title}"))
    return tuple(fact for fact in facts if fact.value)


def _settings(place: tuple[str, ...], value: Json) -> Iterator[Setting]:
    """The settings by name, objects in objects as "outer, inner"."""
    if isinstance(value, dict) and value:
        for name, inner in sorted(value.items()):
            yield from _settings((*place, name), inner)
    elif place:
        text = value if isinstance(value, str) else formatting.values(value)
        text = text if len(text) <= _VALUE else f"{text[:_VALUE]}…"
        name = formatting.clip(", ".join(place), _SHORT)
        yield Setting(name, text, long=len(text) > _SHORT or "\n" in text)


def _usage(usage: Usage) -> str:
    parts = []
    if usage.cost_usd is not None:
        parts.append(f"${formatting.money(usage.cost_usd * 1000)} per 1,000 cases")
    if usage.latency_p50 is not None:
        parts.append(f"{formatting.number(usage.latency_p50, 2)} s median")
    if usage.trials > 1:
        parts.append(f"{usage.trials} trials")
    if usage.errors:
        parts.append(formatting.count(usage.errors, "error"))
    return ", ".join(parts)


# ---------------------------------------------------------------- scores


def median_scores(index: BoardIndex) -> Medians:
    """The median score by suite and category, without baselines; only of two scores or more."""
    rivals = [submission for submission in index.submissions if not submission.is_baseline]
    found = {}
    for suite in index.board.suites:
        for category in (WHOLE, *(c.id for c in suite.categories)):
            scores = [index.score(s.id, suite.id, category) for s in rivals]
            known = [s.score for s in scores if s is not None and s.score is not None]
            if len(known) > 1:
                found[suite.id, category] = median(known)
    return found


def _score_lines(
    index: BoardIndex, submission: Submission, taken: Sequence[Suite], medians: Medians
) -> Iterator[ScoreLine]:
    """For each suite its line, then those of its categories."""
    for suite in taken:
        for category, link in places(index, suite):
            score = index.score(submission.id, suite.id, category)
            middle = medians.get((suite.id, category))
            yield ScoreLine(
                level="suite" if category == WHOLE else "cat",
                judged=index.paths.answers(submission.id, suite.id, category, decided_by=JUDGED),
                link=link,
                rank=formatting.rank(index.rank(submission.id, suite.id, category)),
                score=score,
                cell=score_cell(
                    score,
                    baseline=submission.is_baseline,
                    median=middle,
                    judged=index.judged_score(submission.id, suite.id, category),
                    path=index.paths.answers(submission.id, suite.id, category),
                ),
            )


# ---------------------------------------------------------------- mistakes


def _mistakes(
    index: BoardIndex, submission: Submission, taken: Sequence[Suite]
) -> tuple[MistakeCount, ...]:
    """By suite, the fails by reason, most frequent first, then the unscored verdicts by reason."""
    found: defaultdict[tuple[str, bool, str], list[tuple[Case, Answer]]] = defaultdict(list)
    for suite in taken:
        for case, answer in index.sent(submission.id, suite.id):
            if answer.outcome != "pass":
                key = suite.id, answer.outcome == "unscored", answer.reason
                found[key].append((case, answer))

    suites = {suite.id: place for place, suite in enumerate(taken)}
    most = max(map(len, found.values()), default=1)
    mistakes = []
    for (suite_id, unscored, reason), rows in found.items():
        mistake = MistakeCount(
            suite=to_suite(index, taken[suites[suite_id]]),
            cases=index.paths.answers(submission.id, suite_id, verdict=reason),
            label=REASONS.get(reason, formatting.words(reason)),
            reason=reason,
            count=len(rows),
            bar=at(len(rows) / most),
            unscored=unscored,
            examples=_examples(index, suite_id, rows),
        )
        order = (suites[suite_id], unscored, -len(rows), reason)
        mistakes.append((order, mistake))
    return tuple(mistake for _, mistake in sorted(mistakes, key=lambda it: it[0]))


def _examples(
    index: BoardIndex, suite: str, rows: Sequence[tuple[Case, Answer]]
) -> tuple[Link, ...]:
    """A few answers, each case once: first one of each category, then others."""
    firsts: dict[str, Answer] = {}
    others: dict[str, Answer] = {}
    ids: dict[str, str] = {}
    for case, answer in rows:
        if case.category in ids or case.id in ids.values():
            others.setdefault(case.id, answer)
            continue
        ids[case.category] = case.id
        firsts[case.id] = answer
    chosen = list({**firsts, **others}.items())[:_EXAMPLES]
    return tuple(
        Link(
            formatting.clip(case, 40),
            index.paths.answer(suite, case, answer.submission.id, answer.trial),
        )
        for case, answer in chosen
    )


def _readme(index: BoardIndex, submission: Submission) -> Markup | None:
    if not submission.readme or not submission.readme.strip():
        return None

    def resolve(href: str) -> str | None:
        if href.startswith("#"):
            return None
        return repository_file(index.board.repository, f"submissions/{submission.id}/{href}")

    return markdown.render(submission.readme, resolve=resolve, shift=2)


# ---------------------------------------------------------------- digests


def _digests(index: BoardIndex, submission: Submission) -> Iterator[Digest]:
    """The manifest's digests of all inputs of this submission's scores."""
    manifest = index.board.results.manifest
    suites = [suite.id for suite in index.board.suites if suite.id in submission.files]
    for path, digest in _entries(_entries(manifest.get("submissions")).get(submission.id)).items():
        yield Digest(path, "responses", _short(digest))
    for name in suites:
        yield Digest(
            f"datasets/{name}/", "cases", _short(_entries(manifest.get("suites")).get(name))
        )
    for name, digest in _entries(manifest.get("prompts")).items():
        if name.partition("/")[0] in suites:
            yield Digest(f"prompts/{name}.md", "judge prompt", _short(digest))
    for name, digest in _entries(manifest.get("judges")).items():
        yield Digest(name, "judge", _short(digest))
    cassettes = manifest.get("cassettes") or {}
    judges = _entries(manifest.get("judges"))
    paths = [relative_path(judge, suite, submission.id) for judge in judges for suite in suites]
    for path in sorted(paths):
        if path in cassettes:
            yield Digest(path, "recorded judge calls", _short(cassettes[path]))
    yield Digest("rules", "version", index.board.rules_version)


def _entries(section: Any) -> dict[str, Any]:
    """A section of the manifest by name; empty if the manifest has none."""
    return dict(sorted(section.items())) if isinstance(section, Mapping) else {}


def _short(value: Any) -> str:
    """A digest in short. An input with several facts has it under the name `digest`."""
    if isinstance(value, Mapping):
        value = value.get("digest")
    return formatting.digest(value) if isinstance(value, str) else formatting.NONE
