"""The command line: help, messages, exit codes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, app
from tests.conftest import Folder


def every_command() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", found) for inner, found in command.commands.items())


COMMAND_LIST = list(every_command())


@pytest.mark.parametrize(("name", "command"), COMMAND_LIST, ids=[name for name, _ in COMMAND_LIST])
def test_every_command_has_help_with_an_example(name: str, command: click.Command) -> None:
    """Every `--help` says what the command does, shows an example, and explains every option."""
    result = CliRunner().invoke(app, [*name.split(), "--help"])
    assert 0 == result.exit_code
    assert f"lb {name.split(maxsplit=1)[0]}" in result.output.split("Example:")[-1]
    for option in command.params:
        if isinstance(option, click.Option) and option.name != "help":
            assert option.help or "--kind" in option.opts, option.opts


def test_help_lists_every_command_and_imports_none() -> None:
    """`lb --help` names all commands without loading Polars, pydantic, Jinja, vcrpy or an SDK."""
    code = (
        "import sys, cli.main\n"
        "from click.testing import CliRunner\n"
        "print(CliRunner().invoke(cli.main.app, ['--help']).output)\n"
        "slow = {'polars', 'pydantic', 'jinja2', 'vcr', 'openai', 'google.genai', 'orjson'}\n"
        "print(sorted(slow & set(sys.modules)))\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert told.rstrip().endswith("[]")
    assert all(name in told for name in COMMANDS)


def test_an_unknown_command_suggests_the_nearest(folder: Folder) -> None:
    """A slip of the finger is a usage error (2) with a suggestion."""
    result = folder.lb("validat")
    assert 2 == result.exit_code
    assert "Did you mean validate?" in result.stderr


def test_messages_cannot_steer_the_terminal(folder: Folder) -> None:
    """Control characters of a submission are shown as escapes."""
    folder.submission("m1", [{"id": "\u001b[2Jx\u202e"}])
    result = folder.lb("validate")
    assert "\u001b" not in result.stderr
    assert "\u202e" not in result.stderr


def test_an_output_that_cannot_be_written_is_a_message(folder: Folder) -> None:
    """If a file blocks a folder, the message names the path and the reason."""
    folder.write("submissions", b"a file")
    result = folder.lb("new", "m1")
    assert 1 == result.exit_code
    assert "submissions" in result.stderr
