"""The group of commands. A command is imported when it is used, so `lb --help` is fast."""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

# Each command's module in cli/commands/, and its line in `lb --help`. The line is here so that
# listing the commands imports none of them.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("init", "Start a board in a new folder."),
    "demo": ("demo", "Make a board of published results of real models."),
    "validate": ("validate", "Check submissions, suites and prompts."),
    "rescore": ("rescore", "Score every response, with judge calls replayed or recorded."),
    "merge": ("merge", "Write results/ from the shards of lb rescore --shard."),
    "show": ("show", "Show a submission's scores, and why cases failed."),
    "build": ("build", "Build the site in _site/ from results/."),
    "serve": ("serve", "Preview the site on this machine."),
    "new": ("new", "Start a submission, or make one from a responses file."),
    "requests": ("requests", "Write a suite's requests for your own harness or a batch API."),
    "run": ("run", "Make a submission by asking a model, an agent or a baseline."),
    "import": ("imports", "Import other systems' data and results."),
    "export": ("exports", "Write a submission in the files of another system."),
    "serve-apis": ("serve_apis", "Serve the APIs of a suite to agents."),
    "suites": ("suites", "List the suites with their categories and cases."),
    "compare": ("compare", "Compare two submissions case by case."),
    "prefer": ("prefer", "Ask the judges which of two submissions they prefer."),
    "diff": ("diff", "Show what changed between two results or snapshots, and why."),
    "snapshot": ("snapshot", "Save the current state of the board under history/."),
    "review": ("review", "Report on a pull request: what it changes and what it scores."),
    "verify": ("verify", "Score and build again, and compare every byte."),
    "audit": ("audit", "Repeat a sample of a judge's recorded calls."),
    "cassettes": ("cassettes", "Check and clean the recorded judge calls."),
    "docs": ("docs", "Print a page of the documentation."),
    "schema": ("schema", "Write or print the JSON Schemas of files."),
}


# Writing to an open file fails with these, and the error does not name the file.
_DISK_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


class LazyCommands(click.Group):
    """Loads commands by name, and shows the project's own errors without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = f"cli.commands.{COMMANDS[cmd_name][0]}"
        command: click.Command = importlib.import_module(name).command
        _add_shared_options(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggests the nearest command for one that does not exist."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from leaderboard.texts.near_names import nearest

            near = nearest(args[0], COMMANDS)
            hint = f" Did you mean {near}?" if near else f" There are: {', '.join(COMMANDS)}."
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
            from cli.output.problem_output import show_problems

            show_problems(error.problems, ctx.meta.get("problem format", "text"))
            ctx.exit(1)
        except BrokenPipeError:  # the reader of the last output, such as head, has enough
            from cli.output.console import drop_output

            drop_output(sys.stdout)
        except OSError as error:  # a full disk, a wrong path, no permission: for the user to fix
            if error.filename is None and error.errno not in _DISK_FAULTS:
                raise
            from cli.output.console import printable

            place = "a file" if error.filename is None else error.filename
            click.echo(printable(f"error: {place}: {error.strerror}"), err=True)
            ctx.exit(1)


def _set_workspace(ctx: click.Context, _: click.Parameter, value: Path | None) -> None:
    if value is not None:
        ctx.obj = value


def _set_quiet(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta["quiet"] = True  # all contexts of a call share it


def shared_options() -> tuple[click.Option, ...]:
    """The options that can come before or after the command."""
    workspace = click.Option(
        ["--workspace"],
        type=click.Path(path_type=Path),
        expose_value=False,
        callback=_set_workspace,
        help="Folder that contains leaderboard.toml (default: the current folder, or the nearest "
        "one above it).",
    )
    quiet = click.Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=_set_quiet,
        help="Print only data and errors.",
    )
    return workspace, quiet


def _add_shared_options(command: click.Command) -> None:
    own = {option for parameter in command.params for option in parameter.opts}
    command.params += [option for option in shared_options() if not own & set(option.opts)]
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _add_shared_options(inner)


def _nearest_workspace() -> Path:
    """The nearest folder upwards with a leaderboard.toml, or the current one."""
    try:
        above = Path.cwd().parents
    except FileNotFoundError as error:
        from leaderboard.errors import FilesError

        what, fix = "does not exist any more", "change to another folder"
        raise FilesError.about("the current folder", what, fix) from error
    for folder in (Path(), *above):
        if (folder / "leaderboard.toml").is_file():
            return folder
    return Path()


@click.command(
    cls=LazyCommands,
    invoke_without_command=True,
    params=list(shared_options()),
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
    epilog=(
        "Exit codes: 0 success, 1 errors in your files, 2 invalid usage, 3 missing judge calls. "
        "LB_WORKSPACE also sets the workspace. NO_COLOR turns colours off."
    ),
)
@click.version_option(None, "-V", "--version", package_name="toolboard", prog_name="lb")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Toolboard: a static leaderboard for tool-using language models, reproducible offline.

    \b
    lb validate                 are my files right?
    lb rescore --offline        score everything, without a network
    lb build                    make the site in _site/
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    if ctx.obj is None:
        named = os.environ.get("LB_WORKSPACE")
        ctx.obj = Path(named) if named else _nearest_workspace()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """The entry point of `lb`."""
    try:
        app()
    finally:
        # The process ends here. Without this, Python would walk through a million objects first.
        gc.freeze()
