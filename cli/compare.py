"""`lb compare`: two submissions, case by case."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.console import count, suggestion
from cli.text_tables import code, comment, folded, markdown_table, plain, text_table
from leaderboard.board.comparison import CasePair, Comparison, Paired, Side
from site_templates.parts.comparison_words import (
    counting_rule,
    p_value,
    points,
    verdict_in_words,
    weighting_effect,
)

if TYPE_CHECKING:
    from leaderboard.results import Results
    from leaderboard.types import Suite
    from leaderboard.workspace import Workspace

_STANDINGS = {
    "both": "both",
    "first": "only A",
    "second": "only B",
    "neither": "neither",
    "unscored": "unscored",
}


@dataclass(frozen=True, slots=True)
class _Part:
    """One suite of the answer: the comparison, and the cases that were asked for."""

    comparison: Comparison
    cases: tuple[CasePair, ...]


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--suite", "suite_id", help="Compare on this suite alone (default: every suite that both took)."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="How to show it.",
)
@click.option(
    "--cases",
    type=click.Choice(["all", "differing"]),
    help="List the cases too: all, or those they differ on.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="The results to read (default: results/ in the workspace).",
)
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
    """Compare submissions A and B on the same cases: who passes what, the difference with its interval, and its p-value.

    Nothing is scored again: this reads what lb rescore wrote.

    \b
    Example:
      lb compare baseline-keyword baseline-eager --suite tool_selection
      lb compare my-model other-model --cases differing --format markdown
    """
    from leaderboard.results import read_results
    from leaderboard.workspace import open_workspace
    from scoring.tables.comparer import case_pairs, comparer

    if first == second:
        raise click.UsageError("A and B are the same submission: name two")
    workspace = open_workspace(workspace_root)
    folder = results or workspace.root / "results"
    scored = read_results(folder)
    parts = []
    for suite in _suites(workspace, scored, workspace.shown(folder), (first, second), suite_id):
        metric = suite.kind.ranked
        verdicts = scored.verdicts.filter(suite=suite.id, metric=metric)
        of_both = verdicts.filter(verdicts["submission"].is_in([first, second]))
        listed = case_pairs(of_both, suite, metric, first, second) if cases else ()
        kept = tuple(
            pair for pair in listed if cases == "all" or pair.differs or pair.standing == "unscored"
        )
        parts.append(_Part(comparer(of_both, suite, metric).compare(first, second), kept))
    show = {"text": _text, "markdown": _markdown, "json": _json}[form]
    click.echo(show(parts, first, second, listed=cases is not None))


def _suites(
    workspace: Workspace, results: Results, shown: str, names: tuple[str, str], suite_id: str | None
) -> list[Suite]:
    """The suites to compare on. Raises FilesError for names that are not there, and where both took no suite."""
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.suite_files import load_suite, suite_ids
    from scoring.rules import KINDS

    known = results.manifest["submissions"]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise FilesError(
            Problem(shown, f"holds no submission {name!r}", suggestion(name, known))
            for name in unknown
        )
    pairs = set(results.verdicts.select("submission", "suite").unique().iter_rows())
    taken = [
        suite
        for suite in suite_ids(workspace, load_leaderboard(workspace))
        if all((name, suite) in pairs for name in names)
    ]
    if suite_id is not None and suite_id not in taken:
        raise FilesError(
            Problem(
                shown, f"holds no suite {suite_id!r} that both took", suggestion(suite_id, taken)
            )
        )
    chosen = taken if suite_id is None else [suite_id]
    if not chosen:
        fix = "compare two that share a suite: lb suites lists them"
        raise FilesError(
            Problem(shown, f"holds no suite that both {names[0]} and {names[1]} took", fix)
        )
    suites = [load_suite(workspace, name, KINDS) for name in chosen]
    for suite in suites:
        if suite.digest != results.manifest["suites"][suite.id]["digest"]:
            raise FilesError(
                Problem(
                    shown,
                    f"is of other cases of {suite.id} than those here",
                    "run lb rescore again",
                )
            )
    return suites


# ---------------------------------------------------------------- text


def _text(parts: Sequence[_Part], first: str, second: str, *, listed: bool) -> str:
    blocks = [f"A  {first}\nB  {second}"]
    for part in parts:
        comparison, whole = part.comparison, part.comparison.whole
        told = "\n".join([f"{verdict_in_words(whole)}.", *_counting(comparison)])
        blocks.append(f"{comparison.suite}, {comparison.metric}: {_shared(whole)}\n{told}")
        blocks.append(_indented(text_table(_crossed(whole))))
        blocks.append(_indented(text_table(list(_table(comparison)))))
        if part.cases:
            blocks.append(_indented(text_table(list(_case_table(part.cases)), left=7)))
        blocks.append(_hint(part, listed=listed))
    return "\n\n".join(block for block in blocks if block)


def _indented(block: str) -> str:
    return "\n".join(f"  {line}" for line in block.splitlines())


def _shared(line: Paired) -> str:
    left_out = (
        f", {line.unscored:,} left out because a judge's verdict is missing"
        if line.unscored
        else ""
    )
    return f"{count(line.shared, 'shared case')}{left_out}"


def _counting(comparison: Comparison) -> Iterator[str]:
    """How the table of passes and the difference go together, where that needs a word: with trials, part scores, weights."""
    yield from filter(None, (counting_rule(comparison), weighting_effect(comparison)))


def _hint(part: _Part, *, listed: bool) -> str:
    whole = part.comparison.whole
    if listed:
        return "" if part.cases else "No case differs."
    number = whole.only_first + whole.only_second
    return (
        f"{count(number, 'case')} passed by one alone: --cases differing lists them"
        if number
        else ""
    )


def _crossed(line: Paired) -> list[tuple[str, str, str]]:
    return [
        ("", "B passes", "B fails"),
        ("A passes", f"{line.both:,}", f"{line.only_first:,}"),
        ("A fails", f"{line.only_second:,}", f"{line.neither:,}"),
    ]


_HEAD = ("category", "cases", "A, %", "B, %", "only A", "only B", "A − B", "95 %", "p", "p, Holm")


def _table(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    yield _HEAD
    yield _row("all", comparison.whole)
    for line in comparison.categories:
        yield _row(plain(line.category), line)


def _row(name: str, line: Paired) -> tuple[str, ...]:
    limits = (
        "—"
        if line.low is None or line.high is None
        else f"{points(line.low)} to {points(line.high)}"
    )
    return (
        name,
        f"{line.shared:,}",
        "—" if line.first is None else points(line.first),
        "—" if line.second is None else points(line.second),
        f"{line.only_first:,}",
        f"{line.only_second:,}",
        "—" if line.difference is None else points(line.difference, signed=True),
        limits,
        _p(line.p),
        _p(line.holm),
    )


def _p(p: float | None) -> str:
    return "" if p is None else p_value(p).removeprefix("p ").removeprefix("= ")


def _case_table(cases: Sequence[CasePair]) -> Iterator[tuple[str, ...]]:
    yield ("category", "case", "passed by", "A", "why", "B", "why")
    for pair in cases:
        sides = (*_side(pair.first), *_side(pair.second))
        yield (plain(pair.category), plain(pair.case_id), _STANDINGS[pair.standing], *sides)


def _side(side: Side) -> tuple[str, str]:
    """How a submission did at a case, and the reasons of its verdicts."""
    if side.trials > 1:
        did = f"{side.passes}/{side.trials}"
    elif side.score is None:
        did = "unscored"
    else:
        did = "pass" if side.passes else "fail" if side.score == 0 else f"fail ({side.score:.2g})"
    return did, plain(", ".join(side.reasons))


# ---------------------------------------------------------------- Markdown and JSON


def _markdown(parts: Sequence[_Part], first: str, second: str, *, listed: bool) -> str:
    blocks = [f"### A {code(first)} and B {code(second)}"]
    for part in parts:
        comparison, whole = part.comparison, part.comparison.whole
        told = " ".join([f"{verdict_in_words(whole)}.", *_counting(comparison)])
        blocks.append(f"**{comparison.suite}**, {comparison.metric}: {_shared(whole)}. {told}")
        blocks.append(markdown_table(_crossed(whole)))
        blocks.append(
            markdown_table(
                [(_HEAD), *((code(row[0]), *row[1:]) for row in list(_table(comparison))[1:])]
            )
        )
        if part.cases:
            rows = [tuple(map(code, row)) for row in list(_case_table(part.cases))[1:]]
            head = next(_case_table(()))
            blocks.append(folded(count(len(part.cases), "case"), head, rows, left=7))
        blocks.append(_hint(part, listed=listed))
    return comment([block for block in blocks if block])


def _json(parts: Sequence[_Part], first: str, second: str, *, listed: bool) -> str:
    suites = [_as_object(part, listed=listed) for part in parts]
    return json.dumps(
        {"schema": 1, "first": first, "second": second, "suites": suites}, indent=2, allow_nan=False
    )


def _as_object(part: _Part, *, listed: bool) -> dict[str, Any]:
    comparison = part.comparison
    return {
        "suite": comparison.suite,
        "metric": comparison.metric,
        "trials": comparison.trials,
        "rest": comparison.rest,
        "said": verdict_in_words(comparison.whole, comparison.first, comparison.second),
        "whole": asdict(comparison.whole),
        "categories": [asdict(line) for line in comparison.categories],
        **({"cases": [asdict(pair) for pair in part.cases]} if listed else {}),
    }
