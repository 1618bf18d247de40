"""`lb rescore`: what is replayed, recorded or missing; same inputs give the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import polars as pl
import pytest

from replay.cassettes import cassette_file
from replay.recording import journal
from tests.cli.records import JUDGED, LISTED, RIGHT, WRONG_VALUE
from tests.conftest import SETTINGS, Folder, shipped
from tests.replay.judge_server import judge_server


def verdicts(folder: Folder) -> dict[str, tuple[str, str, str]]:
    frame = pl.read_parquet(folder.root / "results/verdicts.parquet")
    return {
        row["case_id"]: (row["outcome"], row["reason"], row["decided_by"])
        for row in frame.filter(submission="m1").iter_rows(named=True)
    }


def test_every_case_gets_a_verdict_with_its_reason(scored: Folder) -> None:
    """Rules decide calls, the judge decides text. A case without a record fails."""
    assert {
        "A001": ("pass", "exact", "rule"),
        "A002": ("pass", "accepted_value", "rule"),
        "A003": ("fail", "wrong_value", "rule"),
        "B001": ("pass", "judge_equivalent", "judge"),
        "B002": ("fail", "missing_response", "rule"),
    } == verdicts(scored)


def test_the_score_is_the_weighted_mean_of_the_categories(scored: Folder) -> None:
    """Two of three calls and one of two texts, at equal weights."""
    (row,) = [
        r
        for r in orjson.loads((scored.root / "results/scores.json").read_bytes())
        if r["category"] == "*"
    ]
    assert pytest.approx((2 / 3 + 1 / 2) / 2) == row["score"]
    assert (5, 5, 0) == (row["cases"], row["scored"], row["unscored"])
    assert pytest.approx((1 / 2) / 2) == row["judged_share"]
    assert pytest.approx((2 / 3) / 2) == row["rules_only_score"]


@pytest.mark.large
def test_one_case_and_one_sample_are_singular(folder: Folder) -> None:
    """In the scores, and in what an export says."""
    category = '[[categories]]\nid = "all"\ntitle = "All"\nfile = "cases.json"\n'
    folder.write(
        "datasets/one/suite.toml", f'schema = 1\ntitle = "One"\nkind = "exact"\n{category}'
    )
    case = {"id": "q", "user_query": "2 + 2?", "ground_truth": {"number": 4}}
    folder.write("datasets/one/cases.json", [case])
    folder.submission("m1", [{"id": "q", "model_text": "4"}], suite="one")
    assert folder.lb("rescore").stdout.rstrip().endswith("  1 case")
    out = str(folder.root.parent / "out")
    exported = folder.lb("export", "every-eval-ever", "m1", "--out", out)
    assert exported.stderr.rstrip().endswith("with 2 scores, 1 sample")


def test_a_small_judged_share_is_not_said_to_be_none(scored: Folder) -> None:
    """Pages write it in the same way."""
    suite = scored.root / "datasets/small/suite.toml"
    texts = 'file = "no_tool.json"'
    suite.write_text(suite.read_text().replace(texts, f"{texts}\nweight = 0.001"))
    assert "5 cases, <1 % judged" in scored.lb("rescore", "--offline").stdout


TYPING = """
schema = 1
title = "Typing"
kind = "tool_usage"
[[categories]]
id = "typing"
title = "Typing"
file = "typing.json"
environment = "Tool Usage - Typewriter (26 tools)"
"""


@pytest.mark.large
def test_t7_a_reported_state_without_its_steps_passes_nothing(folder: Folder) -> None:
    """`lb rescore` carries the reported calls out, and believes no state and no tool reply."""
    folder.write("datasets/typing/suite.toml", TYPING)
    outputs = {"reference": "df", "state": "df", "expected_steps": ["d", "f"]}
    cases = [
        {"id": name, "inputs": {"question": name}, "outputs": outputs}
        for name in ("told", "faked", "made")
    ]
    folder.write("datasets/typing/typing.json", cases)
    faked = {"action": {"tool": "d", "tool_input": {"times": 2}}, "observation": "df"}
    made = [{"action": {"tool": letter, "tool_input": {}}} for letter in "df"]
    folder.submission(
        "m1",
        [
            {"id": "told", "output": "df", "state": "df"},
            {"id": "faked", "output": "df", "intermediate_steps": [faked], "state": "df"},
            {"id": "made", "output": "", "intermediate_steps": made},
        ],
        "typing",
    )
    assert 0 == folder.lb("rescore", "--offline").exit_code
    frame = pl.read_parquet(folder.root / "results/verdicts.parquet").filter(metric="correct")
    assert {"told": "fail", "faked": "fail", "made": "pass"} == dict(
        frame.select("case_id", "outcome").iter_rows()
    )
    assert 2 == frame["detail"].str.contains("is not what these calls lead to").sum()


@pytest.mark.large
def test_one_case_is_counted_as_one(folder: Folder) -> None:
    """A board may have only one case yet."""
    folder.write("datasets/typing/suite.toml", TYPING)
    outputs = {"reference": "d", "state": "d", "expected_steps": ["d"]}
    case = {"id": "one", "inputs": {"question": "d"}, "outputs": outputs}
    folder.write("datasets/typing/typing.json", [case])
    typed = [{"action": {"tool": "d", "tool_input": {}}}]
    folder.submission("m1", [{"id": "one", "output": "", "intermediate_steps": typed}], "typing")
    shown = folder.lb("rescore", "--offline").stdout
    assert "  1 case\n" in shown


@pytest.mark.large
def test_a_trial_left_out_is_a_fail(folder: Folder) -> None:
    """If one case has three trials, every case has three: leaving out bad trials gains nothing."""
    folder.submission("m1", [*({**RIGHT, "trial": trial} for trial in (1, 2, 3)), LISTED])
    assert 0 == folder.lb("rescore", "--offline").exit_code
    frame = pl.read_parquet(folder.root / "results/verdicts.parquet")
    assert 5 * 3 == frame.height
    assert ["pass", "pass", "pass"] == frame.filter(case_id="A001").sort("trial")[
        "outcome"
    ].to_list()
    assert ["pass", "fail", "fail"] == frame.filter(case_id="A002").sort("trial")[
        "outcome"
    ].to_list()
    in_others = "The submission answers this case in other trials, but not in this one."
    assert [in_others] * 2 == frame.filter(case_id="A002", outcome="fail")["detail"].to_list()
    unanswered = frame.filter(case_id="A003")["detail"].unique()
    assert ["The submission does not answer this case."] == unanswered.to_list()


@pytest.mark.large
def test_offline_replays_to_the_same_bytes(scored: Folder) -> None:
    """What was recorded is replayed without a network, and nothing in results/ changes."""
    before = scored.tree("results")
    result = scored.lb("rescore", "--offline")
    assert 0 == result.exit_code
    assert "nothing changed" in result.stderr
    assert before == scored.tree("results")


@pytest.mark.large
def test_an_unchanged_board_is_not_scored_again(
    scored: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run prints what the last one printed, and anything that has changed is scored."""
    (scored.root / "results/scores.json").unlink()
    first, before = scored.lb("rescore", "--offline"), scored.tree("results")
    with monkeypatch.context() as patch:
        patch.setattr("cli.commands.rescore.FileScorer", None)
        again = scored.lb("rescore", "--offline")
        assert (again.exit_code, again.stdout) == (0, first.stdout)
        lines = first.stderr.splitlines()
        assert again.stderr.splitlines() == [*lines[:-1], f"{lines[-1]} (nothing changed)"]
        for options in (("--fresh",), ("--json",), ("m1",)):
            with pytest.raises(TypeError):
                scored.lb("rescore", "--offline", *options)
        (scored.root / "results/scores.json").write_text("[]")
        with pytest.raises(TypeError):
            scored.lb("rescore", "--offline")
    scored.lb("rescore", "--offline")
    assert scored.tree("results") == before


@pytest.mark.large
def test_what_a_reader_must_know_is_shown_in_every_run(scored: Folder) -> None:
    """A run that has more to say than scores is never taken as done."""
    scored.submission("m1", [{**RIGHT, "user_query": "Another one?"}, LISTED, WRONG_VALUE, JUDGED])
    for _ in range(2):
        assert "warning: submissions/m1/small.json" in scored.lb("rescore", "--offline").stderr
    for cassette in scored.root.glob("cassettes/**/*.json"):
        cassette.unlink()
    for _ in range(2):
        done = scored.lb("rescore", "--offline")
        assert done.exit_code == 3
        assert "missing: " in done.stderr


@pytest.mark.large
def test_a_missing_judge_call_is_unscored_and_exit_code_3(scored: Folder) -> None:
    """Without its cassette a judged case is unscored. The call is named, and how to record it."""
    (scored.root / "cassettes/embedded-1/small/m1.json").unlink()
    result = scored.lb("rescore", "--offline")
    assert 3 == result.exit_code
    assert ("unscored", "judge_missing", "judge") == verdicts(scored)["B001"]
    assert "B001 of m1" in result.stderr
    assert "record them with lb rescore m1 (without --offline)" in result.stderr
    result = scored.lb("rescore", "--offline", "--judge", "embedded-1")
    assert "record them with lb rescore m1 --judge embedded-1 (without" in result.stderr
    assert 0 == scored.lb("rescore", "--offline", "--allow-missing").exit_code


def test_offline_asks_nothing_again(scored: Folder) -> None:
    """What cannot be done is not taken as done."""
    refused = scored.lb("rescore", "--offline", "--record-mode", "all")
    assert (2, True) == (refused.exit_code, "leave out --record-mode all" in refused.stderr)


@pytest.mark.large
def test_a_missing_judge_call_names_the_nearest_recorded_one(scored: Folder) -> None:
    """If an answer has changed, the recorded call for the old answer is shown with the change."""
    scored.submission("m1", [{"id": "B001", "model_text": "The answer is Lyon."}])
    result = scored.lb("rescore", "--offline")
    assert 3 == result.exit_code
    assert "the nearest is" in result.stderr


@pytest.mark.large
def test_one_recording_serves_every_submission(scored: Folder) -> None:
    """A second submission with the same answer needs no judge call of its own."""
    scored.submission("m2", [JUDGED])
    result = scored.lb("rescore", "--offline")
    assert 0 == result.exit_code, result.stderr
    assert ["m1.json"] == sorted(scored.tree("cassettes/embedded-1/small"))


@pytest.mark.large
def test_with_an_id_only_that_submissions_calls_are_recorded(folder: Folder) -> None:
    """Judges are asked for the named submission alone; the others' missing calls stay missing."""
    folder.submission("m1", [JUDGED])
    folder.submission("m2", [{"id": "B001", "model_text": "Paris it is, I think."}])
    result = folder.lb("rescore", "m1")
    assert 3 == result.exit_code
    assert ["m1.json"] == sorted(folder.tree("cassettes/embedded-1/small"))
    assert "of m2" in result.stderr
    assert "of m1" not in result.stderr
    assert "1 judge call missing: record them with lb rescore m2\n" in result.stderr


@pytest.mark.large
def test_calls_that_the_judge_refused_are_not_recorded_by_another_command(folder: Folder) -> None:
    """The judge was asked and did not answer: the same command asks again."""
    with judge_server(statuses=[400]) as server:
        result = live_board(folder, server.port).lb("rescore")
    assert 3 == result.exit_code
    assert "1 judge call missing: run lb rescore again when the judge is reachable" in result.stderr
    assert "record them with" not in result.stderr


@pytest.mark.large
def test_an_earlier_submission_with_the_same_answers_does_not_stop_a_recording(
    folder: Folder,
) -> None:
    """Equal answers are judged once, here under the name of the submission that is recorded."""
    folder.submission("m1", [JUDGED])
    folder.submission("m2", [JUDGED])
    result = folder.lb("rescore", "m2")
    assert 0 == result.exit_code, result.stderr
    assert ["m2.json"] == sorted(folder.tree("cassettes/embedded-1/small"))


def test_a_broken_submission_stops_a_scoring_before_anything_is_written(scored: Folder) -> None:
    """With a problem anywhere, results/ stays as it was and every problem is shown."""
    before = scored.tree("results")
    scored.submission("m2", "[")
    result = scored.lb("rescore", "--offline")
    assert 1 == result.exit_code
    assert "submissions/m2/small.json:1" in result.stderr
    assert before == scored.tree("results")


@pytest.mark.large
def test_a_named_submission_is_scored_although_another_is_broken(scored: Folder) -> None:
    """A stranger's broken files do not keep a submitter from a number."""
    scored.submission("m2", "[")
    result = scored.lb("rescore", "m1", "--offline")
    assert 0 == result.exit_code
    assert "other submissions" in result.stderr


@pytest.mark.large
def test_warnings_of_other_submissions_are_no_problems(scored: Folder) -> None:
    """Nothing of theirs is left out."""
    scored.submission("m2", [JUDGED | {"model_text": "Lyon.", "user_query": "Another one?"}])
    assert "answers another version of the case" in scored.lb("validate").stderr
    assert "other submissions" not in scored.lb("rescore", "m1", "--offline").stderr


@pytest.mark.large
def test_a_named_submission_is_not_one_whose_name_starts_with_it(scored: Folder) -> None:
    """Problems of m10 do not stop m1."""
    scored.submission("m10", "[")
    result = scored.lb("rescore", "m1", "--offline")
    assert 0 == result.exit_code, result.stderr
    result = scored.lb("rescore", "m", "--offline")
    assert "submissions/m: does not exist" in result.stderr


@pytest.mark.large
def test_quiet_still_says_why_calls_are_missing(scored: Folder) -> None:
    """The exit code 3 without a word would leave the reader to guess."""
    scored.submission("m2", [JUDGED | {"model_text": "Perhaps it is Lyon."}])
    result = scored.lb("rescore", "-q", "--offline")
    assert 3 == result.exit_code
    assert "missing: record them with lb rescore m2 (without --offline)" in result.stderr
    result = scored.lb("rescore", "-q", "--offline", "--allow-missing")
    assert (0, "") == (result.exit_code, result.stderr)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("{", "is not JSON"),
        ('{"interactions": 5}', "is not a cassette"),
        ("[]\n".encode("utf-16"), "UTF-16"),
        ("", "is empty"),
    ],
    ids=["cut off", "another shape", "utf-16", "empty"],
)
def test_a_broken_cassette_is_a_message_and_is_left_alone(
    scored: Folder, content: str | bytes, what: str
) -> None:
    """An unreadable cassette never counts as empty and is never overwritten, offline or not."""
    path = scored.write("cassettes/embedded-1/small/m1.json", content)
    for arguments in (["rescore", "--offline"], ["rescore"]):
        result = scored.lb(*arguments)
        assert 1 == result.exit_code
        assert "cassettes/embedded-1/small/m1.json" in result.stderr
        assert what in result.stderr
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)


def test_an_unknown_judge_is_a_usage_error(scored: Folder) -> None:
    """`--judge` names one of leaderboard.toml."""
    result = scored.lb("rescore", "--judge", "nobody")
    assert 2 == result.exit_code
    assert "choose one of: embedded-1" in result.stderr


@pytest.mark.large
def test_an_output_in_the_way_is_a_message(scored: Folder, tmp_path: Path) -> None:
    """Where results cannot be written the path is reported, without a traceback."""
    (tmp_path / "file").write_text("")
    result = scored.lb("rescore", "--offline", "--out", str(tmp_path / "file" / "results"))
    assert 1 == result.exit_code
    assert "file" in result.stderr


@pytest.mark.large
def test_the_manifest_names_what_moved_a_score(scored: Folder) -> None:
    """Responses, cases, prompts, judge settings and cassettes each change a digest of their own."""

    def manifest() -> dict[str, Any]:
        loaded: dict[str, Any] = orjson.loads((scored.root / "results/manifest.json").read_bytes())
        return loaded

    first = manifest()
    scored.submission("m1", [RIGHT, LISTED, JUDGED])
    scored.lb("rescore", "--offline")
    second = manifest()
    assert first["submissions"] != second["submissions"]
    assert {k: first[k] for k in ("suites", "prompts", "judges", "cassettes", "rules")} == {
        k: second[k] for k in ("suites", "prompts", "judges", "cassettes", "rules")
    }
    assert first["digest"] != second["digest"]


SURROUNDINGS = [
    {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0", "POLARS_MAX_THREADS": "1", "jobs": "1"},
    {
        "TZ": "Asia/Kolkata",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "77",
        "POLARS_MAX_THREADS": "4",
        "jobs": "7",
    },
]


@pytest.mark.large
def test_the_repository_scores_and_builds_to_the_same_bytes_anywhere(tmp_path: Path) -> None:
    """Time zone, locale, hash seed, jobs, threads and folder change no byte of results or site."""
    trees = []
    for number, surroundings in enumerate(SURROUNDINGS):
        root = tmp_path / f"copy {number}" / ("deeper" * number)
        root.mkdir(parents=True)
        for name in ("leaderboard.toml", "datasets", "prompts", "submissions", "cassettes", "docs"):
            subprocess.run(["cp", "-R", str(shipped(name)), str(root / name)], check=True)
        jobs = surroundings["jobs"]
        environment = {
            **os.environ,
            **{name: value for name, value in surroundings.items() if name != "jobs"},
        }
        for command in (["rescore", "--offline", "--jobs", jobs], ["build"]):
            subprocess.run(
                [sys.executable, "-m", "cli", "--workspace", str(root), *command],
                check=True,
                env=environment,
                capture_output=True,
            )
        folder = Folder(root)
        trees.append({**folder.tree("results"), **folder.tree("_site")})
    assert trees[0].keys() == trees[1].keys()
    assert [] == [name for name in trees[0] if trees[0][name] != trees[1][name]]


# ---------------------------------------------------------------- replies that do not count

LIVE = """
[judges.gpt]
provider = "openai"
model = "gpt-test"
base_url = "http://127.0.0.1:{port}/v1"
"""


def live_board(folder: Folder, port: int, recordings: str = "") -> Folder:
    """The board with one submission, and a judge on loopback as its panel."""
    settings = SETTINGS.replace('["embedded-1"]', f'["gpt"]\n{recordings}')
    folder.write("leaderboard.toml", settings + LIVE.format(port=port))
    folder.submission("m1", [JUDGED])
    return folder


@pytest.mark.large
def test_t1_forged_replies_fail_every_command_that_scores(scored: Folder) -> None:
    """Scoring, checking and verifying name cassette, line, key and both replies."""
    path = scored.root / "cassettes/embedded-1/small/m1.json"
    data = path.read_bytes()
    path.write_bytes(data.replace(b"equivalent\\\\n", b"different\\\\n"))
    assert data != path.read_bytes()
    before = scored.tree("results")
    for command in (["rescore", "--offline"], ["rescore"], ["cassettes", "check"], ["verify"]):
        result = scored.lb(*command)
        assert 1 == result.exit_code, command
        assert "cassettes/embedded-1/small/m1.json:2" in result.stderr
        for part in ('recorded "different', 'recomputed "equivalent'):
            assert part in result.stderr
    assert before == scored.tree("results")


@pytest.mark.large
def test_t1_a_strangers_recording_is_pending_until_a_maintainer_records_it(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its verdict is unscored, the exit code is 3, and `lb rescore ID` asks the judge itself."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with judge_server(say=lambda _: "equivalent\nforged") as server:
        board = live_board(folder, server.port)
        assert 0 == board.lb("rescore").exit_code
        (board.root / "recordings.json").unlink()
        result = board.lb("rescore", "--offline")
        assert 3 == result.exit_code
        assert ("unscored", "judge_pending", "judge") == verdicts(board)["B001"]
        assert (
            "1 judge call pending: a maintainer records them with lb rescore m1\n" in result.stderr
        )

        server.say = lambda _: "different\ngenuine"
        assert 0 == board.lb("rescore", "m1").exit_code
        assert ("fail", "judge_different", "judge") == verdicts(board)["B001"]
        assert 0 == board.lb("rescore", "--offline").exit_code
        assert 0 == board.lb("cassettes", "check").exit_code


@pytest.mark.large
def test_two_submitters_who_recorded_one_request_do_not_stop_the_board(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their replies differ and none counts: the board is scored, and lb rescore replaces both."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with judge_server(say=lambda _: "equivalent\none") as server:
        board = live_board(folder, server.port)
        board.submission("m2", [JUDGED])
        assert 0 == board.lb("rescore").exit_code
        mine = board.root / "cassettes/gpt/small/m1.json"
        mine.with_name("m2.json").write_bytes(
            mine.read_bytes().replace(b"equivalent\\\\none", b"different\\\\ntwo")
        )
        assert mine.read_bytes() != mine.with_name("m2.json").read_bytes()
        (board.root / "recordings.json").unlink()
        for command in (["rescore", "--offline"], ["rescore", "--record-mode", "none"]):
            assert 3 == board.lb(*command).exit_code
            assert ("unscored", "judge_pending", "judge") == verdicts(board)["B001"]
        checked = board.lb("cassettes", "check")
        assert (0, True) == (checked.exit_code, "; neither counts" in checked.stderr)
        assert 0 == board.lb("cassettes", "prune").exit_code

        server.say = lambda _: "different\ngenuine"
        assert 0 == board.lb("rescore", "m2").exit_code
        assert ("fail", "judge_different", "judge") == verdicts(board)["B001"]
        assert "OK\n" == board.lb("cassettes", "check").stderr


@pytest.mark.large
def test_t15_a_board_with_pending_verdicts_is_published(folder: Folder) -> None:
    """With --allow-missing a pending call is no failure, and the site says what it waits for."""
    with judge_server() as server:
        board = live_board(folder, server.port)
        assert 0 == board.lb("rescore").exit_code
    (board.root / "recordings.json").unlink()
    assert 0 == board.lb("rescore", "--offline", "--allow-missing").exit_code
    assert 0 == board.lb("build").exit_code
    assert 0 == board.lb("verify").exit_code
    case = board.tree("_site/cases/small")["B001.html"]
    assert "waits for a maintainer" in case.decode()


@pytest.mark.large
def test_submitters_record_if_the_board_says_so(folder: Folder) -> None:
    """With `recordings = "submitters"` no list is written, and every recorded reply counts."""
    with judge_server() as server:
        board = live_board(folder, server.port, 'recordings = "submitters"')
        assert 0 == board.lb("rescore").exit_code
    assert not (board.root / "recordings.json").exists()
    assert 0 == board.lb("rescore", "--offline").exit_code
    assert ("pass", "judge_equivalent", "judge") == verdicts(board)["B001"]


@pytest.mark.large
def test_whose_recordings_count_is_an_input(folder: Folder) -> None:
    """A change of the setting or of the list shows in the manifest."""
    manifests = []
    with judge_server() as server:
        for setting in ('recordings = "maintainers"', 'recordings = "submitters"'):
            board = live_board(folder, server.port, setting)
            assert 0 == board.lb("rescore").exit_code
            manifest = orjson.loads((board.root / "results/manifest.json").read_bytes())
            manifests.append(manifest)
    assert manifests[0]["judges"]["gpt"] != manifests[1]["judges"]["gpt"]
    assert "recordings.json" in manifests[0]["cassettes"]


def test_an_unknown_kind_of_recordings_is_a_problem(folder: Folder) -> None:
    """leaderboard.toml names maintainers or submitters."""
    result = live_board(folder, 1, 'recordings = "anybody"').lb("validate")
    assert 1 == result.exit_code
    assert "leaderboard.toml" in result.stderr


@pytest.mark.large
def test_unreadable_replies_are_counted(folder: Folder) -> None:
    """A verdict whose reply has no grade is unscored, and the command says how many there are."""
    with judge_server(say=lambda _: "Hard to say.") as server:
        board = live_board(folder, server.port)
        result = board.lb("rescore")
    assert ("unscored", "judge_unparseable", "judge") == verdicts(board)["B001"]
    assert "1 verdict unscored: the judge's reply cannot be read" in result.stderr


# ---------------------------------------------------------------- what a killed recording left


@pytest.mark.large
def test_commands_that_only_read_leave_an_interrupted_recording_alone(scored: Folder) -> None:
    """They warn of it and name the command that files it, which says what it did."""
    scored.submission("m2", [{"id": "B001", "model_text": "I think that it is Paris."}])
    file = scored.root / "cassettes/embedded-1/small/m2.json"
    scored.lb("rescore")
    (recorded,) = cassette_file.read(scored.root, "cassettes/embedded-1/small/m2.json")
    file.unlink()
    with journal.path_of(scored.root).open("ab", buffering=0) as opened:
        journal.Journal(opened).keep("cassettes/embedded-1/small/m2.json", recorded)
    before = scored.tree("cassettes")
    base = str(scored.root)
    for command in (
        ["rescore", "--offline"],
        ["rescore", "--record-mode", "none"],
        ["verify"],
        ["review", "--base", base, "--proposed", base],
    ):
        result = scored.lb(*command)
        assert "recordings.journal: was left by an interrupted recording" in result.stderr, command
        assert "move its calls into cassettes/ with lb rescore" in result.stderr
        assert before == scored.tree("cassettes")

    result = scored.lb("rescore")
    assert "1 call of an interrupted recording now in cassettes/: commit them" in result.stderr
    assert (0, True) == (result.exit_code, file.exists())
