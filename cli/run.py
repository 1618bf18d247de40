"""`lb run`: a submission, made by asking a baseline."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from cli.console import count, say


@click.command()
@click.option("--model", required=True, help="Who answers: baseline:NAME.")
@click.option("--suite", "suite_names", multiple=True, help="A suite to answer; may be given again (default: all).")
@click.option("--id", "submission_id", help="The submission's id (default: baseline-NAME).")
@click.option("--limit", type=click.IntRange(min=0), help="Answer only the first N cases of each suite.")
@click.option("--date", help="The date on the card, YYYY-MM-DD (default: that of the existing card, or today).")
@click.pass_obj
def command(
    workspace_root: Path,
    model: str,
    suite_names: tuple[str, ...],
    submission_id: str | None,
    limit: int | None,
    date: str | None,
) -> None:
    """Make a submission. Baselines are deterministic and use no network; running one again changes nothing.

    \b
    Example:
      lb run --model baseline:keyword --suite tool_selection
    """
    from leaderboard.settings import load_leaderboard
    from leaderboard.suites import load_suite, suite_ids
    from leaderboard.workspace import open_workspace
    from runners.run import run_baseline

    provider, _, name = model.partition(":")
    if provider != "baseline" or not name:
        raise click.BadParameter(f"{model!r} is not baseline:NAME", param_hint="--model")
    workspace = open_workspace(workspace_root)
    known = suite_ids(workspace, load_leaderboard(workspace))
    for suite_name in suite_names:
        if suite_name not in known:
            raise click.BadParameter(f"no suite {suite_name!r}; there are: {', '.join(known)}", param_hint="--suite")
    suites = [load_suite(workspace, suite_name) for suite_name in suite_names or known]
    chosen = submission_id or f"baseline-{name}"
    report = run_baseline(
        workspace.root, suites, name, date=date or _date_of(workspace.submissions / chosen), submission_id=chosen, limit=limit
    )
    say(f"submissions/{report.submission}/: {count(report.cases, 'case')} answered, {report.outcome}")


def _date_of(folder: Path) -> str:
    """The date on the card that is there already, so that running again changes nothing; else today's."""
    import orjson

    try:
        date = orjson.loads((folder / "submission.json").read_bytes())["date"]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        date = None
    return date if isinstance(date, str) else datetime.datetime.now(tz=datetime.UTC).date().isoformat()
