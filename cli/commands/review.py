"""`lb review`: what a maintainer needs to know about a pull request."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from cli.options import FOLDER, PATH
from cli.output.console import echo, say
from cli.wiring import warn_of_leftover


@click.command()
@click.option("--base", required=True, type=FOLDER, help="A checkout of the board as it is.")
@click.option("--proposed", required=True, type=FOLDER, help="A checkout of the proposal.")
@click.option(
    "--maintainer",
    is_flag=True,
    help="A maintainer vouches for changes outside the submission. They are listed as notes.",
)
@click.option("--out", type=PATH, help="Write the report to this file (default: stdout).")
@click.option("--site", type=PATH, help="Build the site of the proposed board in this folder.")
def command(
    base: Path, proposed: Path, maintainer: bool, out: Path | None, site: Path | None
) -> None:
    """Report on a pull request: what it changes, what it scores, and what looks odd.

    The rules, suites, prompts and templates are those of BASE. The submissions and the recorded
    judge calls are those of PROPOSED. Nothing of the proposal is executed. The report is Markdown.

    Exit code 1 means problems, or changes that only a maintainer may make. Exit code 3 means that
    judge calls are missing.

    \b
    Example:
      git worktree add ../proposed FETCH_HEAD
      lb review --base . --proposed ../proposed
    """
    from cli.output.review_report import review_report
    from cli.review_data import collect
    from cli.review_objections import exit_code

    warn_of_leftover(base)
    with tempfile.TemporaryDirectory() as folder:
        review = collect(base, proposed, Path(folder), site, maintainer=maintainer)
    text = review_report(review)
    if out is None:
        echo(text)
    else:
        out.write_text(f"{text}\n", encoding="utf-8")
        say(f"report in {out}")
    if status := exit_code(review):
        raise SystemExit(status)
