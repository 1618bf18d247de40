"""`lb audit`: repeats recorded calls, reports changed grades, and leaves cassettes alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import app
from leaderboard.errors import FilesError
from leaderboard.files.audit_files import load_audits
from leaderboard.types import JudgeSettings
from leaderboard.workspace import Workspace
from scoring.judging.audit_sample import (
    AskedAgain,
    CallPlace,
    SampleTaken,
    audit_of,
    draw,
    draw_each,
)
from tests.conftest import SETTINGS, Folder, small_board
from tests.runners.scripted_server import Answer, Seen, completion, serving

LABELS = [
    {
        "id": "L-B001-1",
        "case_id": "B001",
        "got": "It must be Paris.",
        "label": "equivalent",
        "why": "In other words.",
    },
    {
        "id": "L-B001-2",
        "case_id": "B001",
        "got": "It is Lyon.",
        "label": "different",
        "why": "Another city.",
    },
    {"id": "L-B002-1", "case_id": "B002", "got": "1969", "label": "equivalent", "why": "The year."},
]
JUDGE = JudgeSettings("j", "openai", "m", settings={"temperature": 0})


class FlakyJudge:
    """A chat-completions server on loopback that changes its mind.

    The first reply to a prompt is "equivalent". `then` is the text of every later reply, or the
    HTTP status of an error.
    """

    def __init__(self) -> None:
        self.address = ""
        self.then: str | int = "equivalent"
        self.only = ""  # the prompts that get another reply later: those that hold this
        self.asked: Counter[str] = Counter()

    def answer(self, seen: Seen) -> Answer:
        self.asked[seen.query] += 1
        changes = self.asked[seen.query] > 1 and self.only in seen.query
        said = self.then if changes else "equivalent\nThe same."
        if isinstance(said, int):
            return Answer({"error": {"message": "no", "type": "scripted"}}, said)
        return completion(said)


@pytest.fixture
def flaky() -> Iterator[FlakyJudge]:
    """The server, running."""
    judge = FlakyJudge()
    with serving(judge.answer) as server:
        judge.address = server.openai
        yield judge


@pytest.fixture(scope="module")
def first_recorded(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test has a copy."""
    folder = small_board(tmp_path_factory.mktemp("recorded") / "board")
    folder.write("prompts/small/labels/no_tool.json", LABELS)
    call = {"name": "convert_units", "arguments": {"value": 3, "to_unit": "yd"}}
    folder.submission("m1", [{"id": "A001", "model_function_call": call}])
    assert 0 == folder.lb("rescore").exit_code
    return folder


@pytest.fixture
def recorded(first_recorded: Folder, tmp_path: Path) -> Folder:
    """A workspace with three labelled pairs and one argument, all judged and recorded."""
    return first_recorded.copied_to(tmp_path / "board")


@pytest.fixture
def asked(recorded: Folder, flaky: FlakyJudge) -> Folder:
    """The same workspace with the flaky judge in the panel beside, recorded."""
    judge = (
        f'\n[judges.flaky]\nprovider = "openai"\nmodel = "flaky"\nbase_url = "{flaky.address}"\n'
    )
    recorded.write("leaderboard.toml", SETTINGS + judge)
    assert 0 == recorded.lb("rescore", "--judge", "flaky").exit_code
    assert 4 == sum(flaky.asked.values())
    return recorded


def audit(folder: Folder, judge: str) -> dict[str, Any]:
    latest = max((folder.root / "audits" / judge).iterdir())
    loaded: dict[str, Any] = json.loads(latest.read_text(encoding="utf-8"))
    return loaded


def first_row(folder: Folder, judge: str) -> tuple[int, int, int, float | None]:
    row = audit(folder, judge)["rows"][0]
    return row["asked"], row["compared"], row["flips"], row["rate"]


# ---------------------------------------------------------------- with judges


@pytest.mark.large
def test_the_embedded_judge_never_changes_its_mind(recorded: Folder) -> None:
    """The embedded judge is deterministic: none of four grades changes. The interval is wide."""
    result = recorded.lb("audit")
    assert 0 == result.exit_code, result.stderr
    assert (4, 4, 0, 0.0) == first_row(recorded, "embedded-1")
    assert pytest.approx(0.4899, abs=1e-4) == audit(recorded, "embedded-1")["rows"][0]["high"]
    assert [] == audit(recorded, "embedded-1")["changed"]
    assert "  0.0 % changed (0.0–49.0), 0 of 4" in result.stdout


@pytest.mark.large
def test_every_category_has_its_row(recorded: Folder) -> None:
    """The whole sample first, then each category of each suite, then each submission."""
    recorded.lb("audit")
    rows = [
        (row["suite"], row["category"], row["submission"], row["asked"])
        for row in audit(recorded, "embedded-1")["rows"]
    ]
    assert [
        ("*", "*", "*", 4),
        ("small", "no_tool", "*", 3),
        ("small", "tool_selection", "*", 1),
        ("small", "*", "_labels", 3),
        ("small", "*", "m1", 1),
    ] == rows


@pytest.mark.large
def test_nothing_but_the_audit_is_written(recorded: Folder) -> None:
    """Cassettes and results stay byte for byte; scoring afterwards changes nothing."""
    before = {name: recorded.tree(name) for name in ("cassettes", "results")}
    recorded.lb("audit")
    assert before == {name: recorded.tree(name) for name in ("cassettes", "results")}
    assert "nothing changed" in recorded.lb("rescore", "--offline").stderr
    assert 0 == recorded.lb("verify").exit_code


@pytest.mark.large
def test_an_audit_of_one_submission_says_so(recorded: Folder) -> None:
    """The file names whose calls were repeated. An audit of all names nobody."""
    only = []
    for ids in (("m1", "m1"), ()):
        recorded.lb("audit", *ids)
        only.append(audit(recorded, "embedded-1")["only"])

    assert only == [["m1"], []]


@pytest.mark.large
def test_the_same_seed_draws_the_same_calls(recorded: Folder) -> None:
    """Two audits with one seed are the same file; the sample is as large as was asked for."""
    recorded.lb("audit", "--sample", "2", "--seed", "7")
    recorded.lb("audit", "--sample", "2", "--seed", "7", "--jobs", "1")
    files = recorded.tree("audits")
    assert ["embedded-1/0001.json", "embedded-1/0002.json"] == sorted(files)
    assert 1 == len(set(files.values()))
    assert (3, 4, 7) == (
        audit(recorded, "embedded-1")["rows"][0]["asked"],
        *(audit(recorded, "embedded-1")[n] for n in ("recorded", "seed")),
    )


@pytest.mark.large
def test_a_judge_that_changes_its_mind_is_found_out(asked: Folder, flaky: FlakyJudge) -> None:
    """Asked about Lyon again it says different: one flip of four, with both replies shown."""
    flaky.then, flaky.only = "different\nOn second thoughts.", "It is Lyon."
    result = asked.lb("audit", "--judge", "flaky", "--at-most", "50")
    assert 0 == result.exit_code, result.stderr
    assert (4, 4, 1, 0.25) == first_row(asked, "flaky")
    (flip,) = audit(asked, "flaky")["changed"]
    assert ("equivalent\nThe same.", "different\nOn second thoughts.") == (
        flip["before"],
        flip["after"],
    )
    assert ("small", "no_tool", "B001") == (flip["suite"], flip["category"], flip["case_id"])
    assert "cassettes/flaky/small/_labels.json" == flip["cassette"]
    assert [2, 2, 2, 2] == sorted(flaky.asked.values())


@pytest.mark.large
def test_a_live_audit_leaves_the_cassettes_alone(asked: Folder, flaky: FlakyJudge) -> None:
    """What the judge says the second time never replaces what was recorded."""
    flaky.then = "different"
    before = asked.tree("cassettes")
    asked.lb("audit", "--judge", "flaky")
    assert before == asked.tree("cassettes")
    assert (4, 4, 4, 1.0) == first_row(asked, "flaky")


@pytest.mark.large
def test_a_grade_that_is_lost_has_changed(asked: Folder, flaky: FlakyJudge) -> None:
    """A judge that gives no grade any more fails the audit. Such replies are counted apart too."""
    flaky.then = "Hard to say."
    result = asked.lb("audit", "--judge", "flaky")
    assert (1, True) == (result.exit_code, "100.0 % of the grades changed" in result.stderr)
    row = audit(asked, "flaky")["rows"][0]
    assert (4, 4, 4, 1.0, 4) == tuple(
        row[name] for name in ("asked", "compared", "flips", "rate", "unparseable")
    )


@pytest.mark.large
def test_calls_without_a_reply_are_counted_and_exit_3(asked: Folder, flaky: FlakyJudge) -> None:
    """A refused call is not a changed grade. The audit is written, and the exit code is 3."""
    flaky.then, flaky.only = 400, "It is Lyon."
    result = asked.lb("audit", "--judge", "flaky")
    assert 3 == result.exit_code
    assert "1 judge call got no reply" in result.stderr
    assert (4, 3, 0, 0.0) == first_row(asked, "flaky")
    assert 1 == audit(asked, "flaky")["rows"][0]["unanswered"]


@pytest.mark.large
def test_a_judge_out_of_reach_is_a_message_and_no_audit(asked: Folder, flaky: FlakyJudge) -> None:
    """A refused key ends the audit at once, and nothing is written."""
    flaky.then = 401
    result = asked.lb("audit", "--judge", "flaky")
    assert 1 == result.exit_code
    assert "judge 'flaky' answered 401" in result.stderr
    assert not (asked.root / "audits").exists()


def test_without_a_recorded_call_there_is_nothing_to_ask(folder: Folder) -> None:
    """The message says how to record some."""
    result = folder.lb("audit")
    assert 1 == result.exit_code
    assert "lb rescore --judge embedded-1" in result.stderr


def test_without_a_judge_there_is_nothing_to_audit(tmp_path: Path) -> None:
    """The message says how to name one."""
    board = Folder(tmp_path / "board")
    CliRunner().invoke(app, ["init", str(board.root)])
    refused = board.lb("audit")
    assert (refused.exit_code, "names no judge in `panel`" in refused.stderr) == (1, True)


def test_an_unknown_judge_is_a_usage_error(recorded: Folder) -> None:
    """`--judge` names one of leaderboard.toml."""
    result = recorded.lb("audit", "--judge", "nobody")
    assert 2 == result.exit_code
    assert "choose one of: embedded-1" in result.stderr


def test_broken_files_stop_an_audit(recorded: Folder) -> None:
    """Which calls scores rest on is only known when every file can be read."""
    recorded.submission("m2", "[")
    result = recorded.lb("audit")
    assert 1 == result.exit_code
    assert "submissions/m2/small.json" in result.stderr


def test_help_shows_an_example(recorded: Folder) -> None:
    """`lb audit --help` says what it does, with a command to copy."""
    result = recorded.lb("audit", "--help")
    assert 0 == result.exit_code
    assert "lb audit --judge my-judge --sample 50" in result.stdout


# ---------------------------------------------------------------- drawing, counting, reading


def test_a_sample_does_not_depend_on_the_order() -> None:
    """The same keys in another order draw the same calls; another seed draws others."""
    keys = [f"{number:064x}" for number in range(100)]
    assert draw(keys, 10, 1) == draw(reversed(keys), 10, 1)
    assert set(draw(keys, 10, 1)) != set(draw(keys, 10, 2))
    assert (10, 100) == (len(set(draw(keys, 10, 1))), len(draw(keys, 500, 1)))


def test_a_grown_board_keeps_most_of_a_sample() -> None:
    """A call drawn once is drawn again unless a new one takes its place."""
    keys = [f"{number:064x}" for number in range(100)]
    more = {f"{number:064x}" for number in range(100, 110)}
    assert set(draw([*keys, *more], 20, 1)) <= set(draw(keys, 20, 1)) | more


def test_flips_are_counted_among_what_can_be_compared() -> None:
    """2 changes among 4 compared: Wilson's interval. A missing reply is compared with nothing."""
    replies = [
        ("equivalent", "different"),
        ("different", "different"),
        ("equivalent", "hm"),
        ("hm", "hm"),
        ("equivalent", None),
    ]
    asked = [
        AskedAgain(str(place), CallPlace("s", "c", "1"), "a", "file", before, after)
        for place, (before, after) in enumerate(replies)
    ]
    row = audit_of(JUDGE, SampleTaken(20, 1, 0.05, 9), asked).rows[0]
    assert (5, 4, 2, 0.5, 2, 1) == (
        row.asked,
        row.compared,
        row.flips,
        row.rate,
        row.unparseable,
        row.unanswered,
    )
    assert row.low is not None
    assert row.high is not None
    assert pytest.approx((0.1500, 0.8500), abs=1e-4) == (row.low, row.high)


@pytest.mark.large
def test_an_audit_is_read_as_it_was_written(recorded: Folder) -> None:
    """The page gets the same rows, and whether the judge is still the one that was asked."""
    recorded.lb("audit")
    read = load_audits(Workspace(recorded.root), "embedded-1")
    (audit_read,) = read
    assert (1, "embedded-1", 4) == (audit_read.seed, audit_read.judge, audit_read.rows[0].asked)
    settings = {"temperature": 0, "seed": 7}
    assert audit_read.is_of(
        JudgeSettings("embedded-1", "embedded", "embedded-1", settings=settings)
    )
    assert not audit_read.is_of(
        JudgeSettings("embedded-1", "embedded", "embedded-1", settings={**settings, "seed": 8})
    )


def test_a_judge_without_an_audit_has_none(tmp_path: Path) -> None:
    """There need not be any."""
    assert load_audits(Workspace(tmp_path), "embedded-1") == ()


@pytest.mark.parametrize(
    ("content", "what"),
    [("[", "is not JSON"), ('{"schema": 3}', "schema")],
    ids=["cut off", "other shape"],
)
def test_a_broken_audit_is_a_problem_with_its_place(
    folder: Folder, content: str, what: str
) -> None:
    """A file that is no audit is never shown as one."""
    folder.write("audits/j/0001.json", content)
    with pytest.raises(FilesError, match=what) as raised:
        load_audits(Workspace(folder.root), "j")
    assert {"audits/j/0001.json"} == {problem.file for problem in raised.value.problems}


def test_a_number_that_is_left_out_is_one_problem(folder: Folder) -> None:
    """The number in the name of a file may be anybody's, and as large as they like."""
    folder.write("audits/j/99999999.json", "{}")
    folder.write("audits/j/1.json", "{}")  # no name that an audit gets
    with pytest.raises(FilesError) as raised:
        load_audits(Workspace(folder.root), "j")
    found = {(problem.file, problem.what) for problem in raised.value.problems}
    missing = "is missing, although there is audits/j/99999999.json"

    assert ("audits/j/0001.json", missing) in found
    assert {file for file, _ in found} == {"audits/j/0001.json", "audits/j/99999999.json"}


def test_every_cassette_has_its_own_sample() -> None:
    """No submission hides behind the number of the others' calls."""
    keys = {f"{number:064x}": "large" for number in range(100)}
    keys |= {f"{number:064x}": "small" for number in range(100, 103)}
    drawn = draw_each(keys, 5, 1)
    assert {"large": 5, "small": 3} == Counter(keys[key] for key in drawn)


# ---------------------------------------------------------------- attacks


def forge(folder: Folder, file: str) -> None:
    path = folder.root / file
    path.write_text(path.read_text().replace("equivalent\\\\n", "different\\\\n"))
    assert "different" in path.read_text()


@pytest.mark.large
def test_t17_forged_replies_of_one_submission_are_named(recorded: Folder) -> None:
    """The audit has a row for the submission and names its calls. The exit code is 1."""
    forge(recorded, "cassettes/embedded-1/small/m1.json")
    result = recorded.lb("audit")
    assert 1 == result.exit_code
    (flip,) = audit(recorded, "embedded-1")["changed"]
    assert ("m1", "A001", "small") == (flip["submission"], flip["case_id"], flip["suite"])
    rows = {
        (row["category"], row["submission"]): row["flips"]
        for row in audit(recorded, "embedded-1")["rows"]
    }
    assert (1, 0, 1) == (rows["*", "m1"], rows["*", "_labels"], rows["*", "*"])
    assert "changed: cassettes/embedded-1/small/m1.json, A001" in result.stdout
    assert "small, recorded for m1: 100.0 % of the grades changed" in result.stderr


@pytest.mark.large
def test_t17_a_judge_above_the_bound_fails(asked: Folder, flaky: FlakyJudge) -> None:
    """One of four grades is above five percent. Every audit is kept."""
    flaky.then, flaky.only = "different\nOn second thoughts.", "It is Lyon."
    for _ in range(2):
        result = asked.lb("audit", "--judge", "flaky")
        assert 1 == result.exit_code
    assert "flaky, all: 25.0 % of the grades changed, at most 5.0 % may change" in result.stderr
    assert ["flaky/0001.json", "flaky/0002.json"] == sorted(asked.tree("audits"))


@pytest.mark.large
def test_a_second_grade_in_a_later_line_is_shown(asked: Folder, flaky: FlakyJudge) -> None:
    """The first lines are equal, so more than these is shown."""
    flaky.then, flaky.only = "equivalent\ndifferent", "It is Lyon."
    result = asked.lb("audit", "--judge", "flaky")
    assert ": equivalent / The same. -> equivalent / different\n" in result.stdout


@pytest.mark.large
def test_t17_one_submission_can_be_audited_alone(asked: Folder) -> None:
    """With an id, only calls that were recorded for it are repeated, also pending ones."""
    (asked.root / "recordings.json").unlink()
    assert 0 == asked.lb("audit", "m1", "--judge", "flaky").exit_code
    assert (1, 1, 0, 0.0) == first_row(asked, "flaky")
    for ids in (["nobody"], ["m1", "nobody"]):
        result = asked.lb("audit", *ids, "--judge", "flaky")
        assert (1, True) == (result.exit_code, "contains no call of nobody" in result.stderr)
