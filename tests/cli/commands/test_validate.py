"""`lb validate`: every problem, in three formats, and an exit code."""

from __future__ import annotations

import datetime
import gzip
import json

import pytest

from tests.conftest import Folder


def test_validate_says_fine(folder: Folder) -> None:
    """A good workspace is exit code 0 and one line."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    result = folder.lb("validate")
    assert (0, "OK: 1 submission, 1 suite\n") == (result.exit_code, result.stderr)


def test_validate_counts_the_warnings_that_it_does_not_list(folder: Folder) -> None:
    """Of one kind, 20 places of a file are listed, and a last warning counts the others."""
    record = {"id": "B001", "model_text": "Paris", "user_query": "Another question?"}
    folder.submission("m1", [{**record, "trial": trial} for trial in range(1, 41)])
    result = folder.lb("validate", "m1")
    assert "and 19 more like it" in result.stderr
    assert "has 20 more records with this warning" in result.stderr
    assert "OK: 1 submission, 1 suite, 40 warnings\n" in result.stderr


@pytest.mark.large
def test_validate_as_json_holds_every_problem(folder: Folder) -> None:
    """`--format json` is one document on stdout, with file, line, path, what and fix."""
    folder.submission("m1", [{"id": "A999"}, {"id": 5}])
    result = folder.lb("validate", "--format", "json")
    told = json.loads(result.stdout)
    assert 1 == result.exit_code
    assert {"submissions/m1/small.json"} == {problem["file"] for problem in told}
    assert {3, 6} == {problem["line"] for problem in told}


@pytest.mark.parametrize("command", [("validate",), ("cassettes", "check")])
def test_a_broken_leaderboard_toml_has_the_chosen_format(
    folder: Folder, command: tuple[str, ...]
) -> None:
    """It ends the command, and is a problem like any other for what reads the output."""
    folder.write("leaderboard.toml", "schema = 2\n")
    github = folder.lb(*command, "--format", "github")
    [problem] = json.loads(folder.lb(*command, "--format", "json").stdout)

    assert (github.exit_code, problem["file"], problem["line"]) == (1, "leaderboard.toml", 1)
    assert github.stdout.startswith("::error file=leaderboard.toml,line=1::")


def test_validate_for_github_cannot_be_steered_by_a_file(folder: Folder) -> None:
    """Annotations escape what a submission wrote: no new line, no second workflow command."""
    folder.submission("m1", [{"id": "x\n::error::stop"}])
    result = folder.lb("validate", "--format", "github")
    assert 1 == len(result.stdout.splitlines())
    assert result.stdout.startswith("::error file=submissions/m1/small.json,line=3::")


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
    """A future day and a year before tool-calling models are warnings, in every format."""
    from leaderboard.machine import clock

    monkeypatch.setattr(clock, "today", lambda: datetime.date(2026, 5, 18))
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


def test_t18_validate_warns_of_keys_in_every_file(folder: Folder) -> None:
    """In a packed file, on a line of its own, in card and README, but never the key itself."""
    key = "xai-" + "a1B2" * 6
    folder.submission("m1", [{"id": "B001", "model_text": f"Paris\n{key}"}])
    folder.submission("m2", [{"id": "B001", "model_text": "Paris"}], settings={"header": key})
    folder.write("submissions/m2/README.md", f"# How\n\nRun it with XAI_API_KEY={key}\n")
    plain = folder.root / "submissions/m1/small.json"
    packed = plain.with_suffix(".json.gz")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    result = folder.lb("validate")

    assert result.exit_code == 0, result.stderr
    assert "submissions/m1/small.json.gz:" in result.stderr
    assert "submissions/m2/submission.json:" in result.stderr
    assert "submissions/m2/README.md:3" in result.stderr
    assert result.stderr.count("holds what looks like an access token (revoke it") == 3
    assert key not in result.stderr
    assert folder.lb("validate", "m1").stderr.count("access token") == 1


def test_validate_one_submission_looks_at_no_other(folder: Folder) -> None:
    """With an id, problems of other submissions are not shown."""
    folder.submission("good", [])
    folder.submission("bad", "[")
    assert 0 == folder.lb("validate", "good").exit_code
    assert 1 == folder.lb("validate").exit_code


def test_a_file_beside_the_submissions_is_named_as_one(folder: Folder) -> None:
    """A shell makes it of submissions/*."""
    folder.write("submissions/schema.json", "{}")
    said = folder.lb("validate", "submissions/schema.json")
    told = "submissions/schema.json: is a file, and a submission is a folder"
    assert (said.exit_code, told in said.stderr) == (1, True)


def test_validate_a_submission_that_is_not_there(folder: Folder) -> None:
    """An id without a folder is reported, with the command that starts one."""
    result = folder.lb("validate", "nobody")
    assert 1 == result.exit_code
    assert "lb new nobody" in result.stderr


def test_a_path_names_a_submission_too(folder: Folder) -> None:
    """Shells complete the path of its folder."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    result = folder.lb("validate", "submissions/m1/")
    assert 0 == result.exit_code
    assert "OK: 1 submission, 1 suite" == result.stderr.splitlines()[0]


def test_a_missing_card_is_written_as_the_message_says(folder: Folder) -> None:
    """Answers that were put into a folder by hand stay as they are."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    card = folder.root / "submissions/m1/submission.json"
    card.unlink()
    assert "lb new m1 writes one to fill in" in folder.lb("validate").stderr
    assert 0 == folder.lb("new", "m1").exit_code
    assert card.exists()
    assert 1 == folder.lb("new", "m1").exit_code


def test_missing_cases_are_told_unless_the_card_declares_them(folder: Folder) -> None:
    """They count as fails. `partial` says that they were not asked."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    told = folder.lb("validate", "m1")
    assert 0 == told.exit_code
    assert (
        "m1: no record for 4 of 5 cases of small; a missing record counts as a fail" in told.stderr
    )
    path = folder.root / "submissions/m1/submission.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "partial": ["small"]}))
    assert "no record for" not in folder.lb("validate", "m1").stderr


def test_a_case_that_the_suite_lost_is_one_problem(folder: Folder) -> None:
    """Its owner retires it. With one submission named, its records are the problem."""
    for name in ("m1", "m2"):
        folder.submission(name, [{"id": "D1", "model_text": "x"}])
    for command in (["validate"], ["rescore", "--offline"], ["cassettes", "prune", "--unused"]):
        said = folder.lb(*command).stderr
        assert said.count("error: ") == 1, said
        assert "suite.toml $.retired: has no case 'D1', which 2 submissions answer" in said
    assert "m1/small.json:3 $[0].id: names a case" in folder.lb("validate", "m1").stderr
