"""The command line: help, messages, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, app
from tests.conftest import Folder
from tests.each_row import each_row


def every_command() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", found) for inner, found in command.commands.items())


COMMAND_LIST = list(every_command())


@pytest.mark.large
@each_row(("name", "command"), COMMAND_LIST)
def test_every_command_has_help_with_an_example(name: str, command: click.Command) -> None:
    """Every `--help` says what the command does, shows an example, and explains every option."""
    result = CliRunner().invoke(app, [*name.split(), "--help"])
    assert 0 == result.exit_code
    assert f"lb {name.split(maxsplit=1)[0]}" in result.output.split("Example:")[-1]
    for option in command.params:
        if isinstance(option, click.Option) and option.name != "help":
            assert option.help or "--kind" in option.opts, option.opts


@pytest.mark.large
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


def test_lb_alone_prints_its_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a command, in any folder, the exit code is 0 and stdout has the help."""
    monkeypatch.chdir(tmp_path)
    alone, asked = CliRunner().invoke(app, []), CliRunner().invoke(app, ["--help"])

    assert (alone.exit_code, alone.stdout) == (0, asked.stdout)
    assert CliRunner().invoke(app, ["-V"]).stdout.startswith("lb, version ")


def test_the_workspace_is_found(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named before or after the command or by LB_WORKSPACE, or is the nearest one upwards."""
    monkeypatch.delenv("LB_WORKSPACE", raising=False)
    inner, outside = folder.root / "docs" / "deep", folder.root.parent

    def suites(*words: str) -> int:
        return CliRunner().invoke(app, list(words)).exit_code

    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert suites("suites") == 0
    monkeypatch.chdir(outside)
    assert suites("suites") == 1
    assert suites("--workspace", "board", "suites") == 0
    assert suites("suites", "--workspace", "board") == 0
    assert suites("--workspace", "none", "suites", "--workspace", "board") == 0
    monkeypatch.setenv("LB_WORKSPACE", "board")
    assert suites("suites") == 0
    assert suites("suites", "--workspace", "none") == 1


def test_a_current_folder_that_was_removed_is_one_message(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process, such as git, can remove the folder of a terminal."""
    removed = folder.root.parent / "removed"
    removed.mkdir()
    monkeypatch.delenv("LB_WORKSPACE", raising=False)
    monkeypatch.chdir(removed)
    removed.rmdir()
    result = CliRunner().invoke(app, ["validate"])
    told = "error: the current folder: does not exist any more (change to another folder)\n"
    assert (result.exit_code, result.stderr) == (1, told)
    named = ["--workspace", str(folder.root), "validate"]
    assert CliRunner().invoke(app, named).exit_code == 0


@pytest.mark.parametrize("words", [("-q", "validate"), ("validate", "--quiet")])
def test_quiet_leaves_data_and_errors(folder: Folder, words: tuple[str, ...]) -> None:
    """Messages are left out. Problems, exit codes and what goes to stdout stay."""
    assert folder.lb("validate").stderr == "OK: 0 submissions, 1 suite\n"
    assert folder.lb(*words).stderr == ""
    folder.submission("m1", [{"id": "no such case"}])
    result = folder.lb(*words)

    assert result.exit_code == 1
    assert "submissions/m1/small.json" in result.stderr
    assert "to fix" not in result.stderr
    assert folder.lb("suites", "-q").stdout == folder.lb("suites").stdout != ""


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colours_can_be_turned_off(
    folder: Folder, variables: dict[str, str], coloured: bool
) -> None:
    """NO_COLOR with any value, and a terminal without cursor, get plain text."""
    folder.submission("m1", [{"id": "no such case"}])
    words = ["--workspace", str(folder.root), "validate"]
    environment: dict[str, str | None] = {"NO_COLOR": None, "TERM": "xterm", **variables}
    result = CliRunner(env=environment).invoke(app, words, color=True)

    assert ("\x1b[" in result.stderr) == coloured


@pytest.mark.large
def test_results_as_json(folder: Folder) -> None:
    """With --json, stdout is one document with the numbers, and messages stay on stderr."""
    folder.submission("m1", [{"id": "B001", "model_text": "It is Paris."}])
    (suite,) = json.loads(folder.lb("suites", "--json").stdout)
    assert (suite["id"], [c["cases"] for c in suite["categories"]]) == ("small", [3, 2])

    scored = json.loads(folder.lb("rescore", "--offline", "--json").stdout)
    (row,) = scored["scores"]
    assert (row["submission"], row["cases"], row["score"]) == ("m1", 5, 0.25)
    assert (scored["missing_judge_calls"], len(scored["digest"])) == (0, 64)

    built = json.loads(folder.lb("build", "--json").stdout)
    assert built == {**built, "unchanged": 0, "removed": 0}
    assert Path(built["index"]).is_file()

    assert json.loads(folder.lb("verify", "--json").stdout)["same"] is True
    folder.write("_site/index.html", "changed")
    changed = folder.lb("verify", "--json")
    assert changed.exit_code == 1
    assert json.loads(changed.stdout)["differing"] == ["_site/index.html"]


def test_the_shell_can_complete_commands() -> None:
    """The line of the docs for bash prints a script, and commands are completed by name."""
    script = CliRunner(env={"_LB_COMPLETE": "bash_source"}).invoke(app, [], prog_name="lb")
    asked = {"_LB_COMPLETE": "zsh_complete", "COMP_WORDS": "lb resc", "COMP_CWORD": "1"}

    assert "_LB_COMPLETE=bash_complete" in script.stdout
    assert "rescore" in CliRunner(env=asked).invoke(app, [], prog_name="lb").stdout


def test_an_output_that_cannot_be_written_is_a_message(folder: Folder) -> None:
    """If a file blocks a folder, the message names the path and the reason."""
    folder.write("submissions", b"a file")
    result = folder.lb("new", "m1")
    assert 1 == result.exit_code
    assert "submissions" in result.stderr
