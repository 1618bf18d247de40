"""`lb compare`: two submissions, case by case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import SUBMISSION, output_format, results_option
from cli.output.console import echo, show_json
from cli.output.printed_tables import STYLES, Block, Style, Table
from cli.wiring import named_suites, refuse_changed, suite_names
from leaderboard.board.comparison import CasePair, CaseSide, Comparison, Paired
from leaderboard.errors import FilesError, Problem
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.near_names import suggestion
from leaderboard.workspace import Workspace, open_workspace
from site_templates import formatting
from site_templates.parts.pairs.comparison_words import (
    counting_rule,
    verdict_in_words,
    weighting_effect,
)

if TYPE_CHECKING:
    from leaderboard.results import Results
    from leaderboard.types import Suite

_STANDINGS = {
    "both": "both",
    "first": "only A",
    "second": "only B",
    "neither": "neither",
    "unscored": "unscored",
}


@dataclass(frozen=True, slots=True)
class _Part:
    """One suite: the comparison, the cases to list, and whether its scores are only reported.

    `incomplete` says what the two did not answer, and `not_asked` counts the cases that one of
    them was not asked.
    """

    comparison: Comparison
    cases: tuple[CasePair, ...]
    reported: bool
    incomplete: str
    not_asked: int


@click.command()
@click.argument("first", metavar="A", type=SUBMISSION)
@click.argument("second", metavar="B", type=SUBMISSION)
@click.option(
    "--suite", "suite_id", help="Use only this suite (default: every suite that both took)."
)
@output_format("text", "markdown", "json")
@click.option(
    "--cases",
    type=click.Choice(["all", "differing"]),
    help="List the cases too: all, or those they differ on.",
)
@results_option
@click.pass_obj
def command(
    workspace_root: Path,
    first: str,
    second: str,
    suite_id: str | None,
    form: str,
    cases: str | None,
    results: Path | None,
) -> None:
    """Compare submissions A and B on the same cases.

    Prints who passes what, the difference with its interval, and its p-value. Nothing is scored
    again: this reads the results of lb rescore.

    \b
    Example:
      lb compare baseline-keyword baseline-eager --suite tool_selection
      lb compare my-model other-model --cases differing --format markdown
    """
    from leaderboard.results import MissingAnswers, incomplete, read_results
    from scoring.tables.one_pair import case_pairs, comparer

    if first == second:
        raise click.UsageError("A and B are the same submission: give two different ones")
    workspace = open_workspace(workspace_root)
    folder = results or workspace.results
    scored = read_results(folder)
    parts, missing = [], scored.missing_answers()
    for suite in _suites(workspace, scored, workspace.shown(folder), (first, second), suite_id):
        metric = suite.kind.ranked
        verdicts = scored.verdicts.filter(suite=suite.id, metric=metric)
        of_both = verdicts.filter(verdicts["submission"].is_in([first, second]))
        listed = case_pairs(of_both, suite, metric, first, second) if cases else ()
        kept = tuple(
            pair for pair in listed if cases == "all" or pair.differs or pair.standing == "unscored"
        )
        comparison = comparer(of_both, suite, metric).compare(first, second)
        asked = {name: set(of_both.filter(submission=name)["case_id"]) for name in (first, second)}
        answered = [
            f"{letter}: {words}"
            for letter, name in zip("AB", asked, strict=True)
            if (words := missing.get((name, suite.id), MissingAnswers()).words(len(asked[name])))
        ]
        not_asked = comparison.whole.cases - len(asked[first] & asked[second])
        gaps = incomplete(answered)
        parts.append(_Part(comparison, kept, suite.kind.reported, gaps, not_asked))
    show_cases = cases is not None
    if form == "json":
        suites = [_as_object(part, listed=show_cases) for part in parts]
        show_json({"schema": 1, "first": first, "second": second, "suites": suites})
    else:
        style = STYLES[form]
        echo(style.report(_blocks(parts, first, second, style, listed=show_cases)))


def _suites(
    workspace: Workspace, results: Results, shown: str, names: tuple[str, str], suite_id: str | None
) -> list[Suite]:
    """The suites to compare on. Raises FilesError for unknown names, or without a shared suite."""
    scored = results.manifest["submissions"]
    unknown = [name for name in names if name not in scored]
    if unknown:
        raise FilesError(
            Problem(shown, f"has no submission {name!r}", suggestion(name, scored))
            for name in unknown
        )
    first, second = names
    pairs = set(results.verdicts.select("submission", "suite").unique().iter_rows())
    taken = [
        suite
        for suite in suite_names(workspace)
        if (first, suite) in pairs and (second, suite) in pairs
    ]
    if suite_id is not None and suite_id not in taken:
        what = f"has no suite {suite_id!r} that both took"
        raise FilesError.about(shown, what, suggestion(suite_id, taken))
    if not taken:
        what = f"has no suite that both {first} and {second} took"
        fix = "compare two that share a suite: lb suites lists them"
        raise FilesError.about(shown, what, fix)
    suites = named_suites(workspace, [suite_id] if suite_id else taken)
    refuse_changed(workspace, results, suites, names)
    return suites


# ---------------------------------------------------------------- text and Markdown


def _blocks(
    parts: Sequence[_Part], first: str, second: str, style: Style, *, listed: bool
) -> Iterator[Block]:
    yield style.heading.format(f"A {style.name(first)} and B {style.name(second)}")
    for part in parts:
        comparison, whole = part.comparison, part.comparison.whole
        shared = counted(whole.shared, "shared case")
        if part.not_asked:
            shared += f", {part.not_asked:,} left out because one of the two was not asked"
        if unscored := whole.unscored - part.not_asked:
            shared += f", {unscored:,} left out because one of the two has no score"
        yield f"{style.strong.format(comparison.suite)}, {comparison.metric}: {shared}"
        sentences = (
            f"{verdict_in_words(whole)}.",
            counting_rule(comparison),
            weighting_effect(comparison),
            "The scores are reported, not derived here." if part.reported else "",
            part.incomplete,
        )
        yield " ".join(sentence for sentence in sentences if sentence)
        yield _counts(whole)
        yield _differences(comparison)
        if part.cases:
            yield _cases(part.cases)
        elif listed:
            yield "No case differs."
        elif number := whole.only_first + whole.only_second:
            cases = counted(number, "case")
            yield f"{cases} passed by only one of the two: see --cases differing"


def _counts(line: Paired) -> Table:
    """Who passes what."""
    rows = [
        ("A passes", f"{line.both:,}", f"{line.only_first:,}"),
        ("A fails", f"{line.only_second:,}", f"{line.neither:,}"),
    ]
    return Table(("", "B passes", "B fails"), rows, foreign=0)


def _differences(comparison: Comparison) -> Table:
    head = (
        "category",
        "cases",
        "A, %",
        "B, %",
        "only A",
        "only B",
        "A − B",
        "95 %",
        "p",
        "p, Holm",
    )
    rows = [_difference("all", comparison.whole)]
    rows += [_difference(line.category, line) for line in comparison.categories]
    return Table(head, rows, foreign=1)


def _difference(name: str, line: Paired) -> tuple[str, ...]:
    limits = "—"
    if line.low is not None and line.high is not None:
        limits = f"{formatting.points(line.low)} to {formatting.points(line.high)}"
    return (
        name,
        f"{line.shared:,}",
        formatting.percent(line.first),
        formatting.percent(line.second),
        f"{line.only_first:,}",
        f"{line.only_second:,}",
        "—" if line.difference is None else formatting.signed(line.difference),
        limits,
        formatting.p_value(line.p),
        formatting.p_value(line.holm),
    )


def _cases(cases: Sequence[CasePair]) -> Table:
    rows = [
        (
            pair.category,
            pair.case_id,
            _STANDINGS[pair.standing],
            *_side(pair.first),
            *_side(pair.second),
        )
        for pair in cases
    ]
    head = ("category", "case", "passed by", "A", "why", "B", "why")
    return Table(head, rows, left=7, title=counted(len(cases), "case"))


def _side(side: CaseSide) -> tuple[str, str]:
    """The result of a submission at a case, and the reasons of its verdicts."""
    if side.trials > 1:
        result = f"{side.passes}/{side.trials}"
    elif side.score is None:
        result = "unscored"
    elif side.passes:
        result = "pass"
    else:
        result = "fail" if side.score == 0 else f"fail ({side.score:.2g})"
    return result, ", ".join(side.reasons)


# ---------------------------------------------------------------- JSON


def _as_object(part: _Part, *, listed: bool) -> dict[str, Any]:
    comparison = part.comparison
    return {
        "suite": comparison.suite,
        "metric": comparison.metric,
        "reported": part.reported,
        "trials": comparison.trials,
        "rest": comparison.rest,
        "said": verdict_in_words(comparison.whole, comparison.first, comparison.second),
        "whole": asdict(comparison.whole),
        "categories": [asdict(line) for line in comparison.categories],
        **({"cases": [asdict(pair) for pair in part.cases]} if listed else {}),
    }
