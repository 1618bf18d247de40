"""leaderboard.toml: every mistake has its place and its own fix."""

from __future__ import annotations

import pytest

from leaderboard.errors import FilesError, Problem
from leaderboard.files.board_settings import load_leaderboard
from leaderboard.judge_providers import DECISION
from leaderboard.workspace import Workspace
from tests.conftest import SETTINGS, Folder
from tests.leaderboard.workspaces import load

BAD_SETTINGS = {
    "not TOML": ('title = "a"\nschema = x', "leaderboard.toml:2: is not TOML"),
    "unknown key": (SETTINGS + "colour = 1\n", "leaderboard.toml"),
    "unknown judge in the panel": (
        SETTINGS.replace('["embedded-1"]', '["other"]'),
        "names judges that are not defined: other",
    ),
    "unknown provider": (SETTINGS.replace('"embedded"', '"oracle"'), "leaderboard.toml:7 $.judges"),
    "query in an address": (
        SETTINGS.replace("example.org/board", "example.org/x?y=1"),
        "leaderboard.toml:3 $.repository: this URL must not contain '?'",
    ),
    "unknown suite": ('suites = ["none"]\n' + SETTINGS, "names the suite 'none'"),
}


@pytest.mark.parametrize(("text", "what"), BAD_SETTINGS.values(), ids=BAD_SETTINGS.keys())
def test_bad_settings_are_a_message(folder: Folder, text: str, what: str) -> None:
    """A mistake in leaderboard.toml is reported with file, line and key; exit code 1."""
    folder.write("leaderboard.toml", text)
    result = folder.lb("validate")
    assert 1 == result.exit_code
    assert what in result.stderr


def test_a_folder_that_is_no_workspace_says_so(folder: Folder) -> None:
    """Without leaderboard.toml the message tells what to do."""
    (folder.root / "leaderboard.toml").unlink()
    result = folder.lb("validate")
    assert 1 == result.exit_code
    assert "--workspace" in result.stderr


def test_every_problem_keeps_its_own_fix(folder: Folder) -> None:
    """A missing judge says how to define it; another shape names the page with the format."""
    folder.write("leaderboard.toml", SETTINGS.replace('["embedded-1"]', '["other"]'))
    with pytest.raises(FilesError) as undefined:
        load_leaderboard(Workspace(folder.root))
    folder.write("leaderboard.toml", SETTINGS + "colour = 1\n")
    with pytest.raises(FilesError) as misshaped:
        load_leaderboard(Workspace(folder.root))

    (problem,) = undefined.value.problems
    assert ("add [judges.NAME]", 4) == (problem.fix, problem.line)
    (problem,) = misshaped.value.problems
    assert ("see lb docs leaderboard", 10) == (problem.fix, problem.line)


def test_the_name_of_the_whole_decision_is_no_name_of_a_judge(folder: Folder) -> None:
    """The figures of such a judge would be shown as those of rules, facts and judges together."""
    folder.write("leaderboard.toml", SETTINGS.replace("embedded-1", DECISION))
    with pytest.raises(FilesError) as found:
        load_leaderboard(Workspace(folder.root))

    (problem,) = found.value.problems
    assert ("$.judges.decision", "give the judge another name") == (problem.at, problem.fix)


def test_an_unknown_ranked_suite_is_a_problem(folder: Folder) -> None:
    """A spelling mistake would silently rank another suite; the nearest name is suggested."""
    folder.write("leaderboard.toml", 'ranked = "smal"\n' + SETTINGS)
    (problem,) = load(folder).errors
    what = "names the suite 'smal', which is not in datasets/"
    assert Problem("leaderboard.toml", what, "did you mean 'small'?", at="$.ranked") == problem

    folder.write("leaderboard.toml", 'ranked = "small"\n' + SETTINGS)
    assert () == load(folder).errors


def test_settings_copied_from_another_board_say_what_to_remove(folder: Folder) -> None:
    """Each name of a suite that is not here has the fix: remove it, or add the suite."""
    copied = 'ranked = "tool_selection"\nsuites = ["tool_selection", "apis"]\n'
    folder.write("leaderboard.toml", copied + SETTINGS)
    fixes = {problem.at: problem.fix for problem in load(folder).errors}

    assert fixes == dict.fromkeys(
        ("$.suites[0]", "$.suites[1]", "$.ranked"),
        "remove the name, or add it; the suites are: small",
    )


def judges(one: str, other: str) -> str:
    """Settings with a panel of two judges of a model m, beside the embedded one."""
    table = '\n[judges.{}]\nprovider = "openai"\nmodel = "m"\n{}\n'
    panel = SETTINGS.replace('["embedded-1"]', '["embedded-1", "one", "other"]')
    return panel + table.format("one", one) + table.format("other", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('base_url = "http://a.example/v1"', 'base_url = "http://b.example:8000/v1/"'),
        ("", 'base_url = "http://a.example/v1"'),
        ('settings = { seed = 7, user = "a" }', 'settings = { user = "b", seed = 7.0 }'),
    ],
)
def test_judges_of_a_panel_have_requests_of_their_own(folder: Folder, one: str, other: str) -> None:
    """Judges that differ in host alone share each recorded reply: one would have two votes."""
    folder.write("leaderboard.toml", judges(one, other))
    with pytest.raises(FilesError) as refused:
        load_leaderboard(Workspace(folder.root))
    (problem,) = refused.value.problems
    assert (
        "names 'one' and 'other', which send the same requests, perhaps to different hosts"
        in problem.what
    )
    assert "give one another model, settings or path" in problem.fix


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("settings = { seed = 1 }", "settings = { seed = 2 }"),
        ('base_url = "http://a.example/a/v1"', 'base_url = "http://a.example/b/v1"'),
    ],
)
def test_judges_of_a_panel_may_differ_in_setting_or_path(
    folder: Folder, one: str, other: str
) -> None:
    """Both are part of a request."""
    folder.write("leaderboard.toml", judges(one, other))
    assert 3 == len(load_leaderboard(Workspace(folder.root)).panel)


@pytest.mark.parametrize(
    ("setting", "names"), [("panel", "embedded-1"), ("suites", "small"), ("baselines", "b1")]
)
def test_a_name_is_listed_once(folder: Folder, setting: str, names: str) -> None:
    """A judge that is listed twice would have two votes."""
    text = SETTINGS.replace('panel = ["embedded-1"]\n', "") if setting == "panel" else SETTINGS
    folder.write("leaderboard.toml", f'{setting} = ["{names}", "{names}"]\n{text}')
    with pytest.raises(FilesError, match=f"{setting}: names '{names}' 2 times"):
        load(folder)


def test_a_baseline_that_is_not_there_is_a_warning(folder: Folder) -> None:
    """It may be misspelt."""
    folder.submission("router", [], kind="baseline")
    folder.write("leaderboard.toml", f'baselines = ["routr"]\n{SETTINGS}')
    warnings = [str(one) for one in load(folder).problems if one.severity == "warning"]
    what = "leaderboard.toml $.baselines[0]: names a submission that is not on this board: 'routr'"
    assert f"{what} (did you mean 'router'?)" in warnings
