"""`lb demo`: a new board of published results of real models."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from cli.options import FOLDER, PATH
from cli.output.console import say, say_report


@click.group()
def command() -> None:
    """Make a new board of published results of real models.

    \b
    Example:
      lb demo bfcl
    """


@command.command()
@click.option(
    "--out",
    type=PATH,
    default=Path("bfcl-board"),
    show_default=True,
    help="The new folder to make.",
)
@click.option(
    "--source",
    type=FOLDER,
    help="The folder of published results (default: a clone of them, at one commit).",
)
@click.option(
    "--package",
    metavar="FILE",
    help="The bfcl-eval wheel or version that contains the questions, if the source does not"
    " (default: the newest, or the version of the clone's date).",
)
@click.option("--date", help="The date on the cards, YYYY-MM-DD (default: that of the results).")
def bfcl(out: Path, source: Path | None, package: str | None, date: str | None) -> None:
    """What models answered in the Berkeley Function Calling Leaderboard.

    Clones the published results of the single-turn categories, downloads the questions with pip,
    and writes a board. Scoring it needs neither a key nor a network.

    \b
    Example:
      lb demo bfcl
      lb demo bfcl --source ~/BFCL-Result --out real
    """
    from runners.imports.bfcl.bfcl_demo import demo_bfcl
    from scoring.rules import KINDS

    say_report(demo_bfcl(out, source, package, KINDS, date))
    say(f"next: cd {shlex.quote(str(out))} && lb rescore --offline && lb build")
