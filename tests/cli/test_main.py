"""The command line as people meet it: help, messages, exit codes, and files that are only written when all is well."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, app
from cli.serve import preview
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
    """`--help` of each command says what it does, shows an example that names it, and explains every option."""
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
        "print(sorted({'polars', 'pydantic', 'jinja2', 'vcr', 'openai', 'google.genai', 'orjson'} & set(sys.modules)))\n"
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


def test_validate_says_fine(folder: Folder) -> None:
    """A good workspace is exit code 0 and one line."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    result = folder.lb("validate")
    assert (0, "OK: 1 submission, 1 suite\n") == (result.exit_code, result.stderr)


def test_validate_as_json_holds_every_problem(folder: Folder) -> None:
    """`--format json` is one document on stdout, with file, line, path, what and fix."""
    folder.submission("m1", [{"id": "A999"}, {"id": 5}])
    result = folder.lb("validate", "--format", "json")
    told = json.loads(result.stdout)
    assert 1 == result.exit_code
    assert {"submissions/m1/small.json"} == {problem["file"] for problem in told}
    assert {3, 6} == {problem["line"] for problem in told}


def test_validate_for_github_cannot_be_steered_by_a_file(folder: Folder) -> None:
    """Annotations escape what a submission wrote: no new line, no second workflow command."""
    folder.submission("m1", [{"id": "x\n::error::stop"}])
    result = folder.lb("validate", "--format", "github")
    assert 1 == len(result.stdout.splitlines())
    assert result.stdout.startswith("::error file=submissions/m1/small.json,line=3::")


def test_messages_cannot_steer_the_terminal(folder: Folder) -> None:
    """Control characters of a submission are shown as escapes."""
    folder.submission("m1", [{"id": "\u001b[2Jx\u202e"}])
    result = folder.lb("validate")
    assert "\u001b" not in result.stderr
    assert "\u202e" not in result.stderr


@pytest.mark.parametrize(
    ("date", "what"),
    [
        ("2099-12-31", "is in the future: today is 2026-05-18"),
        ("2026-05-20", "is in the future"),
        ("2026-05-19", None),
        ("2026-05-18", None),
        ("2018-01-01", None),
        ("2017-12-31", "is before 2018"),
        ("0001-01-01", "is before 2018"),
        ("9999-12-31", "is in the future"),
    ],
)
def test_validate_warns_of_dates_that_cannot_be_right(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, date: str, what: str | None
) -> None:
    """A day later than tomorrow and a year before there were such models are warnings, in every format; nothing is an error."""
    import cli.validate

    monkeypatch.setattr(cli.validate, "today", lambda: datetime.date(2026, 5, 18))
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}], date=date)
    plain, github = folder.lb("validate"), folder.lb("validate", "--format", "github")
    told = json.loads(folder.lb("validate", "--format", "json").stdout)

    assert (plain.exit_code, github.exit_code) == (0, 0)
    if what is None:
        assert (plain.stderr, github.stdout, told) == ("OK: 1 submission, 1 suite\n", "", [])
        return
    [problem] = told
    assert (problem["severity"], problem["file"], problem["at"]) == (
        "warning",
        "submissions/m1/submission.json",
        "$.date",
    )
    assert what in problem["what"]
    assert (
        f"warning: submissions/m1/submission.json:{problem['line']} $.date: {problem['what']}"
        in plain.stderr
    )
    assert plain.stderr.endswith("OK: 1 submission, 1 suite, 1 warning\n")
    assert github.stdout.startswith(
        f"::warning file=submissions/m1/submission.json,line={problem['line']}::"
    )


def test_validate_knows_what_day_it_is() -> None:
    """The day is that of the clock, by UTC."""
    import cli.validate

    before = datetime.datetime.now(tz=datetime.UTC).date()
    found = cli.validate.today()

    assert before <= found <= datetime.datetime.now(tz=datetime.UTC).date()


def test_validate_one_submission_looks_at_no_other(folder: Folder) -> None:
    """With an id, problems of other submissions are not shown."""
    folder.submission("good", [])
    folder.submission("bad", "[")
    assert 0 == folder.lb("validate", "good").exit_code
    assert 1 == folder.lb("validate").exit_code


def test_validate_a_submission_that_is_not_there(folder: Folder) -> None:
    """An id without a folder is told, with the command that starts one."""
    result = folder.lb("validate", "nobody")
    assert 1 == result.exit_code
    assert "lb new nobody" in result.stderr


def test_suites_lists_categories_and_weights(folder: Folder) -> None:
    """`lb suites` shows each category's cases and share."""
    result = folder.lb("suites")
    assert 0 == result.exit_code
    assert "small  Small (tool_selection), 5 cases" in result.stdout
    assert "50.0 % of the score" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--kind", "tool_selection"], True),
        (["--kind", "call_match"], False),
        (["--name", "SMALL"], True),
        (["--description", "three"], False),
    ],
)
def test_suites_can_be_filtered(folder: Folder, arguments: list[str], shown: bool) -> None:
    """Kind is exact; name and description are parts, in any case."""
    assert shown == ("small" in folder.lb("suites", *arguments).stdout)


def test_new_scaffolds_a_submission(folder: Folder) -> None:
    """`lb new` writes a card to fill in; validate then says what is still missing."""
    assert 0 == folder.lb("new", "m1").exit_code
    assert {"README.md", "submission.json"} == set(folder.tree("submissions/m1"))
    told = folder.lb("validate", "m1")
    assert 1 == told.exit_code
    assert "$.organization" in told.stderr
    assert "holds no responses file" in told.stderr


def test_new_takes_over_a_responses_file(folder: Folder, tmp_path: Path) -> None:
    """`--from` checks a responses file and puts it in its place: with a full card, it validates at once."""
    source = tmp_path / "mine.json"
    source.write_text(json.dumps({"test_results": [{"id": "B001", "model_text": "Paris"}]}))
    card = ["--organization", "My lab", "--model", "m-7b", "--date", "2026-05-18"]
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small", *card)
    assert 0 == result.exit_code, result.stderr
    assert "1 of 5 cases of small answered" in result.stderr
    assert source.read_bytes() == folder.tree("submissions/m1")["small.json"]
    assert 0 == folder.lb("validate", "m1").exit_code


def test_new_writes_nothing_when_the_responses_are_wrong(folder: Folder, tmp_path: Path) -> None:
    """A bad responses file is told with its lines, and no folder is made."""
    source = tmp_path / "mine.json"
    source.write_text('[{"id": "Z9"}]')
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert 1 == result.exit_code
    assert "names no case of small: 'Z9'" in result.stderr
    assert not (folder.root / "submissions/m1").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        (["M1"], 1, "is not a valid id"),
        (["../up"], 1, "is not a valid id"),
        (["m1", "--suite", "small"], 2, "--from and --suite go together"),
        (["m1", "--from", "x.json", "--suite", "none"], 1, "suites: small"),
        (["m1", "--from", "x.json", "--suite", "small"], 1, "cannot be read"),
    ],
)
def test_new_refuses_what_cannot_be(
    folder: Folder, arguments: list[str], code: int, what: str
) -> None:
    """Bad ids, unknown suites and missing files are messages."""
    result = folder.lb("new", *arguments)
    assert (code, True) == (result.exit_code, what in result.stderr)


def test_new_overwrites_nothing(folder: Folder) -> None:
    """An existing submission is left alone."""
    folder.submission("m1", [])
    before = folder.tree("submissions/m1")
    assert 1 == folder.lb("new", "m1").exit_code
    assert before == folder.tree("submissions/m1")


def test_schema_check_tells_when_the_file_is_stale(folder: Folder) -> None:
    """`lb schema --check` fails until `lb schema` has written what the code checks."""
    assert 1 == folder.lb("schema", "--check").exit_code
    assert 0 == folder.lb("schema").exit_code
    assert 0 == folder.lb("schema", "--check").exit_code


def test_serve_shows_the_site_and_its_404_page(tmp_path: Path) -> None:
    """The preview serves files on loopback, the site's own 404 page for what is missing, and nothing above its folder."""
    site = tmp_path / "_site"
    site.mkdir()
    (site / "index.html").write_text("front")
    (site / "404.html").write_text("not here")
    (tmp_path / "secret.txt").write_text("secret")
    server = preview(site, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        base = f"http://127.0.0.1:{server.server_port}"
        with urllib.request.urlopen(f"{base}/") as reply:
            assert b"front" == reply.read()
        for path in ("/none.html", "/../secret.txt", "/%2e%2e/secret.txt"):
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(base + path)
            with caught.value as error:
                assert (404, b"not here") == (error.code, error.read())
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_serve_without_a_site_says_what_to_do(folder: Folder) -> None:
    """There is nothing to show before a build."""
    result = folder.lb("serve")
    assert 1 == result.exit_code
    assert "lb build" in result.stderr


def test_an_output_that_cannot_be_written_is_a_message(folder: Folder) -> None:
    """Where a file stands in the way of a folder, the path and the reason are told."""
    folder.write("submissions", b"a file")
    result = folder.lb("new", "m1")
    assert 1 == result.exit_code
    assert "submissions" in result.stderr
