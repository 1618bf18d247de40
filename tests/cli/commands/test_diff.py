"""`lb diff`: what changed between two boards, and why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import orjson
import polars as pl
import pytest

from leaderboard.digest import digest_bytes
from tests.cli.records import RIGHT, rescore
from tests.conftest import Folder
from tests.served_folder import serving

NEITHER = "is neither a folder of results, nor a site, nor a snapshot"


def diff(folder: Folder, *arguments: str) -> Any:
    result = folder.lb("diff", *arguments, "--format", "json")
    return json.loads(result.stdout)


# ---------------------------------------------------------------- snapshot


# ---------------------------------------------------------------- diff


@pytest.mark.large
def test_nothing_moved(kept: Folder) -> None:
    """The snapshot of these results, against them."""
    result = kept.lb("diff", "latest", "results")
    assert 0 == result.exit_code
    assert result.stdout.endswith(" to results\n\nNo score, verdict or rank changed.\n")


@pytest.mark.large
def test_new_responses_move_a_score(kept: Folder) -> None:
    """Before and after, the verdict that turned with both reasons, and the file it came of."""
    kept.submission("m2", [RIGHT])
    rescore(kept)
    result = kept.lb("diff", "latest", "results")
    assert 0 == result.exit_code
    text = result.stdout
    assert "m2 on small, because of responses: submissions/m2/small.json" in text
    assert "  tool_selection  correct     0.0   33.3   +33.3" in text
    assert "  tool_selection  A001  correct  fail to pass  wrong_value to exact" in text
    told = diff(kept, "latest", "results")
    assert ["m2"] == [change["submission"] for change in told["changed"]]
    assert (1, []) == (told["schema"], told["alarms"])


@pytest.mark.large
def test_a_new_prompt_moves_what_judges_decide(kept: Folder) -> None:
    """The cause of a judged verdict's turn is the prompt, and the replies recorded for it."""
    prompt = kept.root / "prompts/small/no_tool.md"
    prompt.write_text(prompt.read_text() + "\nBe strict.\n")
    assert 3 == kept.lb("rescore", "--offline").exit_code
    (change,) = diff(kept, "latest", "results")["changed"]
    assert ["prompts"] == [cause["kind"] for cause in change["causes"]]
    assert [("B001", "pass", "unscored", "judge_missing", True)] == [
        (flip["case_id"], flip["old"], flip["new"], flip["new_reason"], flip["judged"])
        for flip in change["flips"]
    ]


@pytest.mark.large
def test_a_changed_ground_truth_is_named(kept: Folder) -> None:
    """The case that was fixed, not the whole suite; and what else of the suite changed."""
    path = kept.root / "datasets/small/tool_selection.json"
    path.write_text(path.read_text().replace('"value": 3', '"value": 7', 1))
    rescore(kept)
    text = kept.lb("diff", "latest", "results").stdout
    assert "m1 on small, because of cases of small: A001\n" in text
    assert (
        "because of cases of `small`: `A001`"
        in kept.lb("diff", "latest", "results", "--format", "markdown").stdout
    )
    (cause,) = diff(kept, "latest", "results")["inputs"]
    assert [{"kind": "case", "name": "A001", "how": "changed"}] == cause["parts"]
    toml = kept.root / "datasets/small/suite.toml"
    toml.write_text(
        toml.read_text().replace('file = "no_tool.json"', 'file = "no_tool.json"\nweight = 2.0')
    )
    tools = kept.root / "datasets/small/tools.json"
    tools.write_text(tools.read_text().replace("Converts an amount.", "Converts amounts."))
    rescore(kept)
    assert (
        "inputs: cases of small: A001; weights of small: no_tool; tools of small\n"
        in kept.lb("diff", "1", "results").stdout
    )


@pytest.mark.large
def test_a_retired_case_is_named(kept: Folder) -> None:
    """Its answers stay in the files. Scores over other cases have no difference."""
    path = kept.root / "datasets/small/tool_selection.json"
    cases = json.loads(path.read_text())
    kept.write("datasets/small/tool_selection.json", cases[1:])
    toml = kept.root / "datasets/small/suite.toml"
    toml.write_text(toml.read_text().replace("[[", f'retired = ["{cases[0]["id"]}"]\n[[', 1))
    result = kept.lb("rescore", "--offline")
    assert 0 == result.exit_code, result.stderr
    assert "m1/small.json:1 $: has records of retired cases, which are skipped: 1" in result.stderr
    text = kept.lb("diff", "latest", "results").stdout
    assert "m1 on small, because of cases of small: A001 removed\n" in text
    assert "1 verdict removed" in text
    assert "*               correct    41.7   25.0  different cases: not comparable  5 to 4" in text
    assert "−" not in text


@pytest.mark.large
def test_the_words_of_a_suite_move_nothing(kept: Folder) -> None:
    """Another description is an input that changed, and is reported as such."""
    toml = kept.root / "datasets/small/suite.toml"
    toml.write_text(toml.read_text().replace("Two categories.", "Calls and texts."))
    rescore(kept)
    text = kept.lb("diff", "latest", "results").stdout
    assert (
        "No score, verdict or rank changed.\n\nChanged inputs: titles or descriptions of small\n"
        in text
    )


@pytest.mark.large
def test_submissions_come_and_go(kept: Folder) -> None:
    """New rows and removed ones, with their scores. A judged row has no rank without labels."""
    shutil.rmtree(kept.root / "submissions/m1")
    (kept.root / "cassettes/embedded-1/small/m1.json").unlink()
    kept.submission("m3", [RIGHT])
    rescore(kept)
    told = diff(kept, "latest", "results")
    assert [("m3", "small")] == [(entry["submission"], entry["suite"]) for entry in told["added"]]
    assert ["m1"] == [entry["submission"] for entry in told["removed"]]
    text = kept.lb("diff", "latest", "results").stdout
    assert (
        "Added\n\n  suite  submission  rank  scores\n  small  m3          1–2   correct 16.7\n"
        in text
    )
    assert (
        "Removed\n\n  suite  submission  rank  scores\n  small  m1          —     correct 41.7\n"
        in text
    )


@pytest.mark.large
def test_snapshots_are_named_in_many_ways(kept: Folder) -> None:
    """By name, number, label, digest, folder, and `latest`; two snapshots against each other."""
    kept.submission("m2", [RIGHT])
    rescore(kept)
    assert 0 == kept.lb("snapshot").exit_code
    first, second = orjson.loads((kept.root / "history/index.json").read_bytes())["snapshots"]
    wanted = diff(kept, first["name"], second["name"])
    assert 1 == len(wanted["changed"])
    for one in (
        "1",
        "start",
        first["digest"][:6],
        f"history/{first['name']}",
        str(kept.root / "history" / first["name"]),
    ):
        for other in ("2", "latest"):
            assert wanted == diff(kept, one, other)


@pytest.mark.large
def test_an_old_board_is_still_read_from_another_folder(kept: Folder, tmp_path: Path) -> None:
    """Results that were put aside, compared with those of today."""
    shutil.copytree(kept.root / "results", tmp_path / "old")
    kept.submission("m2", [RIGHT])
    rescore(kept)
    told = diff(kept, str(tmp_path / "old"), "results")
    assert ["m2"] == [change["submission"] for change in told["changed"]]


@pytest.mark.large
def test_a_move_without_a_cause_is_an_alarm(kept: Folder, tmp_path: Path) -> None:
    """Results with another verdict for the same inputs: exit 1, and said in every form."""
    other = tmp_path / "other"
    shutil.copytree(kept.root / "results", other)
    frame = pl.read_parquet(other / "verdicts.parquet").with_columns(
        outcome=pl.when(pl.col("case_id") == "A001").then(pl.lit("fail")).otherwise("outcome")
    )
    frame.write_parquet(other / "verdicts.parquet")
    manifest = orjson.loads((other / "manifest.json").read_bytes())
    manifest["results"]["verdicts.parquet"] = digest_bytes(
        (other / "verdicts.parquet").read_bytes()
    )
    (other / "manifest.json").write_bytes(orjson.dumps(manifest))
    result = kept.lb("diff", "results", str(other), "--quiet")
    assert 1 == result.exit_code
    assert "alarm: changed although no input changed: m1 on small" in result.stderr
    assert "m1 on small, no input changed: alarm" in result.stdout
    assert (
        "**no input changed: alarm**"
        in kept.lb("diff", "results", str(other), "--format", "markdown").stdout
    )
    assert [{"submission": "m1", "suite": "small"}] == diff(kept, "results", str(other))["alarms"]


@pytest.mark.large
def test_markdown_for_a_pull_request(kept: Folder) -> None:
    """A heading, what moved, causes as code, and the verdicts behind a summary."""
    kept.submission("m2", [RIGHT])
    kept.submission("m3", [RIGHT])
    rescore(kept)
    told = kept.lb("diff", "latest", "results", "--format", "markdown").stdout
    assert "1 added, 1 changed" in told
    assert "| `small` | `m3` | `—` | `correct 16.7` |" in told
    assert "**`m2` on `small`**, because of responses: `submissions/m2/small.json`" in told
    assert "<details><summary>1 verdict changed</summary>\n\n| category | case |" in told
    assert (
        "| `tool_selection` | `A001` | `correct` | `fail to pass` | `wrong_value to exact` |"
        in told
    )


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (
            "start2",
            f"start2: {NEITHER} (choose one of: 2026-01-31-",
        ),
        ("submissions", f"submissions: {NEITHER}"),
    ],
)
def test_a_board_that_is_not_there(kept: Folder, name: str, what: str) -> None:
    """A message that names what there is."""
    result = kept.lb("diff", name, "results")
    assert 1 == result.exit_code
    assert what in result.stderr


def test_the_nearest_snapshot_is_named(kept: Folder) -> None:
    """Its digest may be mistyped."""
    snapshot = next((kept.root / "history").glob("2026-*"))
    name = snapshot.name.split(".")[0]
    result = kept.lb("diff", f"history/{name[:-1]}x", "results")

    assert 1 == result.exit_code
    assert f"{NEITHER} (did you mean {name}?)" in result.stderr


@pytest.mark.large
def test_sites_are_compared_like_results(kept: Folder) -> None:
    """A site has scores, ranks and verdicts of its own, so nobody needs its results."""
    kept.submission("m2", [RIGHT])
    rescore(kept)
    assert 0 == kept.lb("build").exit_code
    told = diff(kept, "latest", "_site")
    same = diff(kept, "results", str(kept.root / "_site"))
    assert ["m2"] == [change["submission"] for change in told["changed"]]
    assert told["ranks"] == diff(kept, "latest", "results")["ranks"]
    assert ([], [], []) == (same["changed"], same["ranks"], same["inputs"])


@pytest.mark.large
def test_a_published_site_is_compared(kept: Folder) -> None:
    """By its address."""
    kept.lb("build")
    kept.submission("m2", [RIGHT])
    rescore(kept)
    with serving(kept.root / "_site") as address:
        told = diff(kept, address, "results")
    assert ["m2"] == [change["submission"] for change in told["changed"]]


@pytest.mark.large
def test_a_damaged_site_is_a_message(kept: Folder) -> None:
    """Which file of it."""
    kept.lb("build")
    (kept.root / "_site/data/ranks.json").write_text("{}")
    result = kept.lb("diff", "_site", "results")
    assert 1 == result.exit_code
    assert "_site/data/ranks.json: is damaged" in result.stderr


def test_a_damaged_snapshot_is_a_message(kept: Folder) -> None:
    """Which file, and how to get it back."""
    (path,) = (kept.root / "history").glob("*/verdicts.parquet")
    path.write_bytes(b"nothing")
    result = kept.lb("diff", "latest", "results")
    assert 1 == result.exit_code
    file = f"history/{path.parent.name}/verdicts.parquet"
    assert f"{file}: does not match its digest (restore it from git" in result.stderr


@pytest.mark.large
def test_folders_and_addresses_need_no_workspace(kept: Folder, tmp_path: Path) -> None:
    """A snapshot does, and the message says so."""
    nowhere = Folder(tmp_path / "nowhere")
    nowhere.root.mkdir(exist_ok=True)
    results = str(kept.root / "results")
    result = nowhere.lb("diff", results, results)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "No score, verdict or rank changed." in result.stdout

    refused = nowhere.lb("diff", "latest", results)
    assert refused.exit_code == 1
    assert "latest: is neither a folder of results nor a site" in refused.stderr
    assert "--workspace" in refused.stderr


def test_without_history_there_is_no_latest(folder: Folder) -> None:
    """Said, not guessed."""
    result = folder.lb("diff", "latest", "results")
    assert 1 == result.exit_code
    assert f"latest: {NEITHER} (this board has no snapshots)" in result.stderr
