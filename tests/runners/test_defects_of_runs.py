"""Known defects of earlier testers and runners when they asked models, one test each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from cli.main import app
from leaderboard.network.retries import RetryPolicy
from leaderboard.types import Tool
from runners.environments.environment import Environment, EnvironmentTool
from runners.models.model_settings import ModelError
from runners.models.rate_limit import RateLimit
from tests.conftest import PROJECT, Folder, call_case, text_case
from tests.runners.model_board import KEY, Bench, InstantClock
from tests.runners.scripted_server import (
    Answer,
    Seen,
    completion,
    generated,
    refused,
    said,
    serving,
)

CALL = {"name": "convert_units", "arguments": {"value": 3, "to_unit": "yards"}}


def right(seen: Seen) -> Answer:
    """The right answers of the suite `small`."""
    texts = {"question of B001?": "It is Paris.", "question of B002?": "In 1969."}
    if text := texts.get(seen.query):
        return said(seen, text)
    value, unit = re.fullmatch(r"(\d) metres in (\w+)\?", seen.query).groups()  # type: ignore[union-attr]
    return said(seen, None, [("convert_units", {"value": int(value), "to_unit": unit})])


def score(folder: Folder, submission: str, suite: str = "small") -> tuple[float, int]:
    """A submission's score without judges, in per cent to one digit, and its cases."""
    result = folder.lb("rescore", "--offline", "--allow-missing")
    assert result.exit_code == 0, result.output
    found = re.search(
        rf"^{suite}  {submission} +([0-9.]+)  .*  (\d+) cases", result.stdout, re.MULTILINE
    )
    assert found, result.stdout
    return float(found[1]), int(found[2])


def score_of(responses: Any, folder: Folder, tmp_path: Path) -> float:
    """The score of a file of responses that were made elsewhere."""
    source = tmp_path / "processed_responses.json"
    source.write_text(json.dumps(responses), encoding="utf-8")
    card = ("--organization", "My lab", "--model", "m", "--date", "2026-05-18")
    result = folder.lb("new", "mine", "--from", str(source), "--suite", "small", *card)
    assert result.exit_code == 0, result.stderr
    return score(folder, "mine")[0]


# Every text of the suite right, every call missing: half of its two categories.
TEXTS = [{"id": "B001", "model_text": "It is Paris."}, {"id": "B002", "model_text": "In 1969."}]


@pytest.mark.large
def test_b_05_existing_responses_can_be_scored_alone(
    board: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evaluating a file of processed responses needs two commands, no model and no key."""
    monkeypatch.delenv("OPENAI_API_KEY")
    assert score_of({"test_results": TEXTS}, board, tmp_path) == 50.0


@pytest.mark.large
def test_b_06_both_documented_forms_are_read(board: Folder, tmp_path: Path) -> None:
    """The older form, wrapped in with_tools and without types, scores like the newer one."""
    truth = {"function_call": CALL}
    old = {
        "id": "A001",
        "user_query": "3 metres in yards?",
        "ground_truth": truth,
        "model_function_call": CALL,
        "model_text": None,
    }
    text = {
        "id": "B001",
        "user_query": "question of B001?",
        "model_function_call": None,
        "model_text": "It is Paris.",
    }
    modes = {"with_tools": {"test_results": [old]}, "no_tools": {"test_results": [text]}}
    assert score_of(modes, board, tmp_path) == 41.7  # a third of the calls, half of the texts


@pytest.mark.large
def test_b_17_an_unknown_type_loses_nothing(board: Folder, tmp_path: Path) -> None:
    """An unknown type changes nothing: the case's own category counts, and results are written."""
    odd = [
        {**record, "type": kind} for record, kind in zip(TEXTS, ("no_tools", "riddle"), strict=True)
    ]
    assert score_of(odd, board, tmp_path) == 50.0


def test_b_18_every_call_is_kept(bench: Bench) -> None:
    """Parallel calls, and text before a call, are all part of the answer."""
    calls = [
        ("convert_units", {"value": 3, "to_unit": unit}) for unit in ("yards", "feet", "miles")
    ]
    bench.run(lambda seen: said(seen, "Three of them:", calls), limit=1)
    (record,) = bench.records()
    assert [call["arguments"]["to_unit"] for call in record["model_function_call"]] == [
        "yards",
        "feet",
        "miles",
    ]
    assert record["model_text"] == "Three of them:"


@pytest.mark.parametrize("spelling", ["functionCall", "function_call"])
def test_b_19_both_spellings_of_a_gemini_call(board: Folder, spelling: str) -> None:
    """Camel case and snake case are the same call, also behind a part of text."""
    bench = Bench(board, "google")
    call = {spelling: {"name": CALL["name"], "args": CALL["arguments"]}}
    bench.run(lambda _seen: generated({"text": "Converting."}, call), limit=1)
    assert (bench.records()[0]["model_function_call"], bench.records()[0]["model_text"]) == (
        CALL,
        "Converting.",
    )


@pytest.mark.large
def test_b_20_an_error_stays_an_error(bench: Bench) -> None:
    """The verdict of a failed call says that the system failed, not that the answer is wrong."""
    bench.run(lambda seen: refused(400, "too long") if "B002" in seen.query else right(seen))
    assert bench.record("B002")["error"] == "answered 400: too long"
    assert score(bench.folder, "m") == (75.0, 5)
    assert "response_error" in reasons(bench.folder)["B002"]


def reasons(folder: Folder) -> dict[str, set[str]]:
    """The reason codes of each case in the results."""
    import polars as pl

    verdicts = pl.read_parquet(folder.root / "results/verdicts.parquet")
    found: dict[str, set[str]] = {}
    for case_id, reason in verdicts.select("case_id", "reason").iter_rows():
        found.setdefault(case_id, set()).add(reason)
    return found


@pytest.mark.large
def test_b_22_keys_come_from_the_environment_and_a_missing_one_is_exit_code_2(
    board: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment is used, as the help says; without a key the exit code is 2, not 0."""
    with serving(right) as server:
        asked = ("run", "--model", "openai:m", "--suite", "small", "--base-url", server.openai)
        assert board.lb(*asked).exit_code == 0
        assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}
    monkeypatch.delenv("OPENAI_API_KEY")
    result = board.lb("run", "--model", "openai:other", "--suite", "small")
    assert (result.exit_code, "OPENAI_API_KEY is not set" in result.stderr) == (2, True)


OLD_OPTIONS = (
    *(
        "--model-type",
        "--dataset",
        "--eval-only",
        "--processed-responses",
        "--mode",
        "--openai-model-name",
        "--gemini-model-id",
    ),
    *(
        "--openai-api-key",
        "--semantic-judge-model",
        "--semantic-judge-prompt",
        "--skip-evaluation",
        "--run-both-tool-modes",
    ),
)


def test_b_23_every_old_option_has_a_place_and_every_option_named_exists() -> None:
    """The page for users of the tester has a row for each old option, and no unknown option."""
    text = (PROJECT / "docs/coming-from-the-tester.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(--[a-z-]+)[^|]*\| (.+) \|$", text, re.MULTILINE))
    assert [option for option in OLD_OPTIONS if option not in rows] == []
    named = {
        option
        for row in [*rows.values(), *text.split("## ")[1:]]
        for option in re.findall(r"`lb \w+[^`]*?`", row)
    }
    assert len(named) >= 10
    assert [command for command in sorted(named) if unknown_parts(command)] == []


def unknown_parts(command: str) -> list[str]:
    """The options in `lb NAME ... --option` that the command does not have."""
    words = command.strip("`").split()
    found = app.get_command(click.Context(app), words[1])
    if found is None:
        return [words[1]]
    known = {option for parameter in found.params for option in parameter.opts}
    return [word for word in words if word.startswith("--") and word not in known]


@pytest.mark.large
def test_b_24_the_scores_of_each_category_are_saved(bench: Bench) -> None:
    """After scoring, results/scores.json holds a row for each category and one for the suite."""
    bench.run(right)
    assert score(bench.folder, "m") == (100.0, 5)
    saved = json.loads((bench.folder.root / "results/scores.json").read_text(encoding="utf-8"))
    rows = saved if isinstance(saved, list) else saved["scores"]
    assert {row["category"] for row in rows if row["suite"] == "small"} == {
        "*",
        "tool_selection",
        "no_tool",
    }


@pytest.mark.large
def test_b_25_nothing_is_written_before_everything_is_checked(board: Folder) -> None:
    """A wrong option leaves no folder behind; a second run never mixes with the first."""
    with serving(right) as server:
        asked = ("run", "--model", "openai:m", "--suite", "small", "--base-url", server.openai)
        for wrong in (
            ("--date", "today"),
            ("--id", "No"),
            ("--suite", "none"),
            ("--temperature", "hot"),
        ):
            assert board.lb(*asked, *wrong).exit_code in {1, 2}
        assert not any(
            (board.root / name).exists() for name in ("submissions", ".cache", "results")
        )
        assert server.seen == []
        assert board.lb(*asked).exit_code == 0
        before = board.tree("submissions")
        assert board.lb(*asked).exit_code == 1
        assert (board.tree("submissions"), len(server.seen)) == (before, 5)


def test_b_26_a_run_reports_what_it_saved(board: Folder) -> None:
    """A run does not evaluate, and says where the answers are."""
    with serving(right) as server:
        result = board.lb(
            "run", "--model", "openai:m", "--suite", "small", "--base-url", server.openai
        )
    assert "submissions/m/: 5 answers" in result.stderr
    assert (board.root / "submissions/m/small.json").is_file()


def test_b_27_calls_are_written_as_json(bench: Bench) -> None:
    """True, null and nested objects are JSON in the file, not Python."""
    given = {"value": 3, "to_unit": "yards", "nested": {"on": True, "none": None}}
    bench.run(lambda seen: said(seen, None, [("convert_units", given)]), limit=1)
    text = (bench.folder.root / "submissions/m/small.json").read_text(encoding="utf-8")
    assert '"nested": {"on": true, "none": null}' in text
    assert bench.records()[0]["model_function_call"]["arguments"] == given


@pytest.mark.large
def test_b_28_what_is_written_is_what_is_read(bench: Bench) -> None:
    """The file that a run writes has the name and the form that the board loads."""
    bench.run(right)
    assert bench.folder.lb("validate", "m").exit_code == 0
    assert score(bench.folder, "m") == (100.0, 5)


def test_b_29_retries_end(bench: Bench) -> None:
    """A server that is always busy is asked a bounded number of times, a bad key once."""
    busy = serving(lambda _seen: refused(429, "slow down"))
    with busy as server, pytest.raises(ModelError, match="--rate"):
        bench.against(server, limit=1, retry_policy=RetryPolicy(attempts=3, timeout=5))
    assert (len(server.seen), bench.clock.slept) == (3, [1.0, 2.0])
    with serving(lambda _seen: refused(401, "bad key")) as server, pytest.raises(ModelError):
        bench.against(server, submission="other", concurrency=1)
    assert len(server.seen) == 1


def test_b_30_a_name_is_registered_once() -> None:
    """A second tool of the same name is an error, not a replacement."""
    tools = [EnvironmentTool(Tool("f", text, ()), str) for text in ("First.", "Second.")]
    with pytest.raises(ValueError, match="2 tools of the environment are named 'f'"):
        Environment(tuple(tools))


@pytest.mark.parametrize(
    "broken",
    [
        {
            **call_case("A009", 3, "yards"),
            "ground_truth": {"function_call": None, "expected_response_type": "function_call"},
        },
        {
            **call_case("A009", 3, "yards"),
            "ground_truth": {"text": None, "expected_response_type": "text"},
        },
    ],
)
def test_b_31_a_broken_ground_truth_is_found_before_anything_is_asked(
    board: Folder, broken: dict[str, Any]
) -> None:
    """A case without its expected call or text is reported with its file; nothing is asked."""
    board.write("datasets/small/tool_selection.json", [call_case("A001", 3, "yards"), broken])
    with serving(right) as server:
        result = board.lb(
            "run", "--model", "openai:m", "--suite", "small", "--base-url", server.openai
        )
    assert (
        result.exit_code,
        "datasets/small/tool_selection.json" in result.stderr,
        server.seen,
    ) == (1, True, [])


@pytest.mark.large
def test_b_32_not_all_cases_at_once(bench: Bench) -> None:
    """Two cases at a time are two at a time, for any number of cases."""
    bench.folder.write(
        "datasets/small/no_tool.json",
        [text_case(f"B{number:03}", "It is Paris.") for number in range(12)],
    )
    _, server = bench.run(
        lambda seen: Answer(said(seen, "It is Paris.").body, stall=0.01), concurrency=2
    )
    assert (server.most, len(server.seen)) == (2, 15)


BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in {blocked!r} or name.startswith(tuple(part + "." for part in {blocked!r})):
            raise ImportError(name + " is not installed")
sys.meta_path.insert(0, Blocked())
from cli.main import app
app()
"""


@pytest.mark.large
@pytest.mark.parametrize(
    ("provider", "blocked"),
    [
        ("openai", ("google",)),
        ("google", ("openai",)),
        ("baseline", ("google", "openai", "httpx2")),
    ],
)
def test_b_33_only_the_sdk_that_is_asked_is_needed(
    board: Folder, provider: str, blocked: tuple[str, ...]
) -> None:
    """A run over one SDK works where the other cannot be imported; a baseline needs none."""
    with serving(right) as server:
        address = server.url if provider == "google" else server.openai
        where = () if provider == "baseline" else ("--base-url", address)
        model = "baseline:oracle" if provider == "baseline" else f"{provider}:m"
        asked = ("run", "--model", model, "--suite", "small", "--limit", "1", "--id", "m", *where)
        command = [
            sys.executable,
            "-c",
            BLOCKED.format(blocked=blocked),
            "--workspace",
            str(board.root),
            *asked,
        ]
        done = subprocess.run(
            command,
            check=False,
            cwd=PROJECT,
            env=os.environ | {"PYTHONPATH": str(PROJECT)},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    assert (board.root / "submissions/m/small.json").is_file()


@pytest.mark.large
def test_b_35_it_works_from_any_folder(
    board: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts and prompts are found from every folder; a missing prompt is an error."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with serving(right) as server:
        assert (
            board.lb(
                "run", "--model", "openai:m", "--suite", "small", "--base-url", server.openai
            ).exit_code
            == 0
        )
    assert server.seen[0].system
    assert score(board, "m") == (100.0, 5)
    assert list(elsewhere.iterdir()) == []
    (board.root / "prompts/small/no_tool.md").unlink()
    assert board.lb("rescore", "--offline").exit_code == 1


@pytest.mark.large
def test_b_36_a_bare_list_is_a_list_of_responses(board: Folder, tmp_path: Path) -> None:
    """A file that is a list of records has as many answers as records."""
    assert score_of(TEXTS, board, tmp_path) == 50.0


@pytest.mark.large
def test_c_05_runs_that_fail_count_as_zero(bench: Bench) -> None:
    """A case in which the model stopped replying stays in the denominator, for every metric."""

    def script(seen: Seen) -> Answer:
        if seen.query == "ab":
            return refused(500, "oops")
        letters = [("type_letter", {"letter": letter}) for letter in "hi"]
        calls = letters if seen.query == "hi" else [("add", {"a": 2, "b": 3})]
        return said(seen, "6.2") if seen.turn else said(seen, None, calls)

    report, _ = bench.run(script, "acts", retry_policy=RetryPolicy(attempts=1, timeout=5))
    assert report.unanswered == 1
    assert score(bench.folder, "m", "acts") == (66.7, 3)
    assert reasons(bench.folder)["K1"] == {"response_error"}


@pytest.mark.large
def test_c_21_paths_addresses_and_reports(board: Folder) -> None:
    """Folders are paths, the given address is asked, and the run reports what it made."""
    bench = Bench(board, "openai", InstantClock())
    report, server = bench.run(right)
    assert isinstance(board.root, Path)
    assert len(server.seen) == 5
    assert (report.submission, report.outcome, report.answers, report.asked) == (
        "m",
        "written",
        5,
        5,
    )


def test_c_27_fewer_than_one_request_a_second(board: Folder) -> None:
    """A rate of one request in ten seconds is a rate like any other."""
    bench = Bench(board, "openai", InstantClock())
    bench.run(lambda _seen: completion("fine"), limit=2, rate=0.1, concurrency=1)
    assert bench.clock.slept == pytest.approx([10.0, 10.0])
    assert RateLimit(0.1).take(0.0) is False
