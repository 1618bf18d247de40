"""Loading whole workspaces."""

from __future__ import annotations

import pytest

from leaderboard.load import load_contents, united_problems
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder, shipped
from tests.leaderboard.workspaces import errors, load


def test_a_good_workspace_has_no_problems(folder: Folder) -> None:
    """A suite, its prompts and a submission load without problems."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    contents = load(folder)
    assert [] == contents.problems
    assert ["A001", "A002", "A003", "B001", "B002"] == [
        case.id for case in contents.suites[0].cases
    ]
    assert 1 == len(contents.records["m1", "small"])


@pytest.mark.large
def test_two_processes_load_what_one_loads(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The submissions come in order, and equal answers of any two are one object."""
    for name in ("m1", "m2", "m3", "m4"):
        folder.submission(name, [{"id": "B001", "model_text": "Paris"}])
    folder.submission("m2", [{"id": "B001"}])
    alone = load(folder)
    monkeypatch.setattr("leaderboard.load._MANY", 4)
    monkeypatch.setattr("leaderboard.load.processors", lambda: 2)
    shared = load(folder)
    assert (alone.submissions, alone.digests) == (shared.submissions, shared.digests)
    assert alone.problems == shared.problems != []
    assert list(alone.records) == list(shared.records)
    answers = {id(records.responses[0]) for records in shared.records.values()}
    assert 1 == len(answers)


@pytest.mark.large
def test_the_repository_itself_loads() -> None:
    """What this repository ships has no problem at all."""
    for suite in ("tool_selection", "tool_usage", "stable_toolbench"):
        shipped(f"datasets/{suite}")
    assert [] == load_contents(open_workspace(PROJECT), KINDS).problems


def test_every_problem_of_every_file_comes_at_once(folder: Folder) -> None:
    """Problems of a suite, of a card and of two responses files are reported together."""
    folder.write("datasets/small/no_tool.json", "[")
    folder.submission("m1", [{"id": "A999"}], url="ftp://x")
    folder.submission("m2", "{")
    told = "\n".join(errors(folder))
    assert all(name in told for name in ("no_tool.json", "m1/submission.json")), told


def test_a_bad_folder_hides_no_problem_of_its_responses(folder: Folder) -> None:
    """The stray file, the card and the records are fixed in one go. Nothing of it is scored."""
    folder.submission("m1", [{"id": "A999", "model_text": "Paris"}], url="ftp://x")
    folder.write("submissions/m1/notes.txt", "Notes.")
    told = errors(folder)
    files = ("notes.txt", "submission.json", "small.json")
    assert [f"submissions/m1/{name}" for name in files] == [line.split(":")[0] for line in told]
    assert () == load(folder).submissions
    assert {} == load(folder).records


def test_t14_a_baseline_must_be_listed_if_the_owner_lists_them(folder: Folder) -> None:
    """Without a list every submission may call itself a baseline. With one, only those in it."""
    records = [{"id": "B001", "model_text": "Paris"}]
    for name in ("owners", "strangers"):
        folder.submission(name, records, kind="baseline", name=name)
    assert [] == load(folder).problems
    toml = (folder.root / "leaderboard.toml").read_text(encoding="utf-8")
    folder.write("leaderboard.toml", toml.replace("panel", 'baselines = ["owners"]\npanel', 1))
    (found,) = errors(folder)
    assert found.startswith("submissions/strangers/submission.json $.kind: is not one of the base")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("con", "is a name that Windows reserves"),
        ("nul", "is a name that Windows reserves"),
        ("com1.x", "is a name that Windows reserves"),
        ("x.", "ends in a dot"),
    ],
)
def test_t14_ids_that_windows_cannot_have_are_refused(folder: Folder, name: str, what: str) -> None:
    """Names of devices, and names that end in a dot, are no ids."""
    folder.submission(name, [{"id": "B001", "model_text": "Paris"}])
    assert f"submissions/{name}: {what} (choose another id)" in errors(folder)


@pytest.mark.parametrize("name", ["compare", "console", "data", "history", "index"])
def test_names_of_pages_are_ids(folder: Folder, name: str) -> None:
    """The files of a submission are in folders of their own, beside no page of the site."""
    folder.submission(name, [{"id": "B001", "model_text": "Paris"}])
    assert [] == load(folder).problems


@pytest.mark.parametrize(
    "url",
    [
        "https://known.example@evil.example/",
        "https://user:word@example.org/",
        "https://known.example\\@evil.example/",
        "https://[::1/",
        "https://example.org:x/",
        "https:///path",
        "https://\u0430nthropic.example/",  # a Cyrillic letter
        "https://known.example\u2024evil.example/",  # a dot that is not one
    ],
)
def test_t14_an_address_shows_its_host(folder: Folder, url: str) -> None:
    """A user name, look-alike letters, or no readable host: such addresses are refused."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}], url=url)
    assert any("$.url: a URL" in problem for problem in errors(folder))


@pytest.mark.parametrize(
    "place",
    [
        "submissions/m1/README.md",
        "submissions/m2",
        "datasets/small/cache/x.json",
        "datasets/small/cache",
        "prompts/small/labels",
        "docs/page.md",
        "docs",
        "history",
        "cassettes/embedded-1/small/m1.json",
    ],
)
@pytest.mark.parametrize("target", ["leaderboard.toml", "..", "nowhere", "/etc/passwd"])
def test_t5_a_link_is_a_problem_wherever_it_is(folder: Folder, place: str, target: str) -> None:
    """A link to a file or folder in the workspace or outside, or to nothing, is one problem."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    path = folder.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(folder.root / target)

    (found,) = [problem for problem in set(errors(folder)) if problem.startswith(f"{place}: is a")]
    assert "link" in found


def test_no_link_is_no_problem(folder: Folder) -> None:
    """Ordinary files and folders are fine."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    folder.write("docs/page.md", "# A page\n")
    assert [] == load(folder).problems


@pytest.mark.parametrize(
    ("value", "warned"), [("underscored", False), ("underscore", True), (True, True)]
)
def test_another_value_of_tool_names_is_a_warning(
    folder: Folder, value: object, warned: bool
) -> None:
    """Calls are then read as if the model had seen the dots in names of tools."""
    records = [{"id": "B001", "model_text": "Paris"}]
    folder.submission("m1", records, settings={"tool_names": value})
    problems = load(folder).problems
    assert [problem.at for problem in problems] == ["$.settings.tool_names"] * warned
    assert all(problem.severity == "warning" for problem in problems)
    assert all(f"it is {value!r}" in problem.what for problem in problems)


def test_cases_that_several_submissions_answer_are_one_problem_of_the_suite(folder: Folder) -> None:
    """The suite probably had them. What only one submission answers is a problem of its record."""
    for name in ("m1", "m2"):
        folder.submission(
            name, [{"id": one, "model_text": "x"} for one in ("D1", "D2", "D3", "D4")]
        )
    folder.submission("m3", [{"id": one, "model_text": "x"} for one in ("D1", "Z9", "B-001")])
    folder.submission("m4", [{"id": "B-001", "model_text": "x"}])
    contents = load(folder)
    one, two, three, united = map(str, united_problems(contents.problems, contents.suites))

    assert united == (
        "datasets/small/suite.toml $.retired: has no cases 'D1', 'D2', 'D3', and 1 more, which 3 "
        "submissions answer (if the suite had them, list all: retired = ['D1', 'D2', 'D3', …]; "
        "else correct the submissions)"
    )
    assert "m3/small.json" in one
    assert "not in small: 'Z9' (correct its id, or remove the record" in one
    assert [name in text for name, text in (("m3", two), ("m4", three))] == [True, True]
    assert "did you mean 'B001'?" in two
