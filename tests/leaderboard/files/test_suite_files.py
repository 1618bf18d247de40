"""suite.toml: every mistake is reported with its file."""

from __future__ import annotations

import shutil

import pytest

from leaderboard.files.suite_files import load_suite
from leaderboard.workspace import Workspace
from scoring.rules import KINDS
from tests.conftest import SUITE, Folder
from tests.leaderboard.workspaces import errors

BAD_SUITES = {
    "unknown kind": (
        SUITE.replace('"tool_selection"\ntools', '"riddles"\ntools'),
        "is of an unknown kind: 'riddles'",
    ),
    "missing file": (
        SUITE.replace('"no_tool.json"', '"none.json"'),
        "suite.toml:16 $.categories[1].file: names 'none.json', which does not exist (add the file",
    ),
    "file in other letter case": (
        SUITE.replace('"no_tool.json"', '"No_Tool.json"'),
        "names 'No_Tool.json', which does not exist (did you mean 'no_tool.json'?)",
    ),
    "missing tools": (
        SUITE.replace('"tools.json"', '"tool.json"'),
        "suite.toml:5 $.tools: names 'tool.json', which does not exist (did you mean 'tools.json'?",
    ),
    "missing prompt": (
        SUITE.replace('prompt = "no_tool"', 'prompt = "none"'),
        "prompts/small/none.md: does not exist",
    ),
    "repeated category": (
        SUITE.replace('id = "no_tool"', 'id = "tool_selection"'),
        "$.categories[1].id: repeats the category 'tool_selection'",
    ),
    "category that Windows reserves": (
        SUITE.replace('id = "no_tool"', 'id = "CON"'),
        "$.categories[1].id: is a name that Windows reserves (choose another id)",
    ),
    "byte order mark": ("\ufeff" + SUITE, "suite.toml:1: starts with a byte order mark"),
    "retired id of a case": (
        SUITE.replace("[[categories]]", 'retired = ["A9", "B001"]\n[[categories]]', 1),
        "suite.toml: uses the retired case id 'B001' in no_tool (give the case another id",
    ),
    "weight of zero": (SUITE + "weight = 0\n", "greater than 0"),
}


@pytest.mark.parametrize(("text", "what"), BAD_SUITES.values(), ids=BAD_SUITES.keys())
def test_a_bad_suite_is_a_message(folder: Folder, text: str, what: str) -> None:
    """A mistake in suite.toml is reported with its file."""
    folder.write("datasets/small/suite.toml", text)
    told = errors(folder)
    assert any(what in problem for problem in told), told


def test_the_nearest_file_is_named_with_its_folder(folder: Folder) -> None:
    """A suite may keep its cases in a folder of their own."""
    folder.write("datasets/small/cases/no_tool.json", "[]")
    text = SUITE.replace('"no_tool.json"', '"cases/no_tol.json"')
    folder.write("datasets/small/suite.toml", text)

    assert any("(did you mean 'cases/no_tool.json'?)" in problem for problem in errors(folder))


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        ("tool_selection", "rounds = 3"),
        ("tool_selection", 'numbers = "last"'),
        ("tool_usage", 'multi_call = "any"'),
        ("call_match", 'function_case = "ignore"'),
        ("call_match", 'preference = "better"'),
        ("exact", 'status_by = "judge"'),
    ],
)
def test_a_setting_of_another_kind_is_refused(folder: Folder, kind: str, setting: str) -> None:
    """Its page would say that it counts, and nothing would read it."""
    text = SUITE.replace('kind = "tool_selection"', f'kind = "{kind}"\n{setting}')
    folder.write("datasets/small/suite.toml", text)
    name = setting.partition(" ")[0]
    what = f"$.{name}: has no effect in suites of kind {kind}"
    assert any(what in problem for problem in errors(folder))


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        ("exact", 'prompt = "no_tool"'),
        ("call_match", 'follow_up = "no_tool"'),
        ("exact", 'environment = "Multiverse Math"'),
        ("tool_selection", 'tables = "tables.json"'),
    ],
)
def test_a_setting_of_a_category_that_nothing_reads_is_refused(
    folder: Folder, kind: str, setting: str
) -> None:
    """Only some kinds ask a judge or act in an environment."""
    text = SUITE.replace('kind = "tool_selection"', f'kind = "{kind}"')
    text = text.replace('prompt = "tool_selection"', "").replace('prompt = "no_tool"', setting)
    folder.write("datasets/small/suite.toml", text)
    name = setting.partition(" ")[0]
    what = f"$.categories[1].{name}: has no effect in suites of kind {kind}"
    assert any(what in problem for problem in errors(folder))


@pytest.mark.parametrize("path", ["../other/cases.json", "/tmp/cases.json", "C:\\\\cases.json"])
def test_the_files_of_a_suite_are_in_its_folder(folder: Folder, path: str) -> None:
    """A change of another file would be no change of the suite."""
    folder.write("datasets/small/suite.toml", SUITE.replace("no_tool.json", path))
    (problem,) = errors(folder)
    assert "$.categories[1].file: a file is named by its path in the folder of the suite" in problem


def test_settings_of_its_own_kind_are_the_policy(folder: Folder) -> None:
    """Those that suite.toml does not name have their defaults."""
    folder.write(
        "datasets/small/suite.toml", SUITE.replace("tools =", 'multi_call = "any"\ntools =')
    )
    assert load_suite(Workspace(folder.root), "small", KINDS).policy == {
        "optional_arguments": "strict",
        "multi_call": "any",
        "function_case": "exact",
    }


def test_a_folder_without_suite_toml_is_a_problem(folder: Folder) -> None:
    """Without a message, a suite whose file was deleted would be gone. Hidden folders are none."""
    folder.write("datasets/.cache/a", "")
    folder.write("datasets/README.md", "")
    assert [] == errors(folder)
    folder.write("datasets/raw/cases.json", [])
    assert ["datasets/raw: has no suite.toml"] == [text[:31] for text in errors(folder)]


@pytest.mark.parametrize(
    ("suite", "what"),
    [
        ("Small", "is not a valid id"),
        ("two words", "is not a valid id"),
        ("aux", "is a name that Windows reserves"),
        ("submission", "is the name of a submission's card"),
    ],
)
def test_a_suite_has_an_id_that_every_system_can_store(
    folder: Folder, suite: str, what: str
) -> None:
    """Its responses files have its name, so a submission's card could be taken for responses."""
    shutil.copytree(folder.root / "datasets" / "small", folder.root / "datasets" / suite)
    assert any(f"datasets/{suite}: {what}" in error for error in errors(folder))


def test_a_board_without_a_suite_is_a_problem(folder: Folder) -> None:
    """Nothing could be scored."""
    shutil.rmtree(folder.root / "datasets")
    what = "datasets/: has no suite (add datasets/<suite>/suite.toml: lb docs suite)"
    assert what in errors(folder)


APIS = """\
schema = 1
title = "APIs"
kind = "stable_toolbench"
[[categories]]
id = "c"
title = "C"
file = "queries.json"
"""


def test_a_suite_knows_whether_replies_can_be_checked(folder: Folder) -> None:
    """Simulated APIs without a cache and without services leave replies unchecked.

    The digest of the suite changes with what the APIs reply.
    """
    folder.write("datasets/apis/suite.toml", APIS)
    folder.write("datasets/apis/queries.json", '[{"query_id": 1, "query": "When?"}]')
    found = []
    for text in (None, "{}", '{"{}": {"error": "", "response": "18:04"}}'):
        if text is not None:
            folder.write("datasets/apis/cache/Data/tram_for_Data/next.json", text)
        suite = load_suite(Workspace(folder.root), "apis", KINDS)
        found.append((suite.replies_unchecked, suite.digest))
    assert [True, False, False] == [unchecked for unchecked, _ in found]
    assert 3 == len({digest for _, digest in found})
    assert not load_suite(Workspace(folder.root), "small", KINDS).replies_unchecked


@pytest.mark.parametrize(
    ("environment", "outputs", "unchecked"),
    [
        ("", {"expected_steps": ["d"], "state": "d"}, True),
        ('environment = "Typing"', {"expected_steps": ["d"], "state": "d"}, False),
        ("", {"expected_steps": ["d"], "reference": "d"}, False),
    ],
)
def test_a_suite_knows_whether_states_can_be_checked(
    folder: Folder, environment: str, outputs: dict[str, object], unchecked: bool
) -> None:
    """A final state cannot be checked if the category names no environment."""
    text = APIS.replace("stable_toolbench", "tool_usage") + environment
    folder.write("datasets/typing/suite.toml", text)
    case = {"inputs": {"question": "d"}, "outputs": outputs}
    folder.write("datasets/typing/queries.json", [case])
    assert unchecked is load_suite(Workspace(folder.root), "typing", KINDS).replies_unchecked
