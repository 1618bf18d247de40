"""The group of commands. A command's module is imported when it is used, so that `lb --help` needs none of them."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

# name -> (module, one line for `lb --help`). The line is here so that listing the commands imports none of them.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "validate": ("cli.validate", "Check submissions, suites and prompts: every problem at once."),
    "rescore": (
        "cli.rescore",
        "Score every response: rules first, judge calls replayed from cassettes.",
    ),
    "build": ("cli.build", "Turn results/ into the site in _site/."),
    "serve": ("cli.serve", "Preview the site on loopback."),
    "new": ("cli.new", "Start a submission, or make one from a responses file."),
    "run": ("cli.run", "Make a submission by asking a model or a baseline."),
    "import": ("cli.imports", "Bring in other systems' results as suites and submissions."),
    "serve-apis": ("cli.serve_apis", "Answer API calls of agents, out of a cache of replies."),
    "suites": ("cli.suites", "List the suites with their categories and cases."),
    "compare": ("cli.compare", "Compare two submissions case by case."),
    "prefer": ("cli.prefer", "Ask the judges which of two answers they prefer."),
    "diff": ("cli.diff", "Tell what moved between two results or snapshots, and why."),
    "snapshot": ("cli.snapshot", "Keep the state of the board under history/."),
    "verify": ("cli.verify", "Score and build again aside, and compare every byte."),
    "audit": ("cli.audit", "Ask a judge again about a sample of its recorded calls."),
    "cassettes": ("cli.cassettes", "Look after the recorded judge calls."),
    "schema": ("cli.schema", "Write submissions/schema.json from the formats the code checks."),
}


class LazyCommands(click.Group):
    """A group whose commands are loaded by name, and that shows the project's own errors without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name][0]}.command is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggests the nearest command for one that does not exist."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]}?" if near else f" There are: {', '.join(COMMANDS)}."
            ctx.fail(f"No command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        from leaderboard.errors import ToolboardError

        try:
            return super().invoke(ctx)
        except ToolboardError as error:
            from cli.console import show_problems

            show_problems(error.problems, "text")
            ctx.exit(1)
        except OSError as error:  # a full disk, a file where a folder should be, no permission: the user's to mend, too
            if error.filename is None:
                raise
            click.echo(f"error: {error.filename}: {error.strerror}", err=True)
            ctx.exit(1)


@click.command(
    cls=LazyCommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 fine, 1 your files, 2 usage, 3 judge calls are missing.",
)
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    default=Path(),
    help="The folder that holds leaderboard.toml (default: here).",
)
@click.version_option(package_name="toolboard", prog_name="lb")
@click.pass_context
def app(ctx: click.Context, workspace: Path) -> None:
    """Toolboard: a static leaderboard for tool-using language models, scored again offline by anyone.

    \b
    lb validate                 are my files right?
    lb rescore --offline        score everything, without a network
    lb build                    make the site in _site/
    """
    ctx.obj = workspace


def main() -> None:
    """The entry point of `lb`."""
    try:
        app()
    finally:
        gc.freeze()  # all that is left goes with the process: at its end Python would look through a million objects once more
