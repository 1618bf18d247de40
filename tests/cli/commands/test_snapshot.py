"""`lb snapshot`: the state of the board, saved under history/."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path

import orjson
import pytest

from tests.cli.records import RIGHT, rescore
from tests.conftest import Folder


@pytest.mark.large
def test_a_snapshot_says_where_it_is(folder: Folder) -> None:
    """Its folder and number; the second time, that nothing changed, and no byte does."""
    folder.submission("m1", [RIGHT])
    rescore(folder)
    result = folder.lb("snapshot")
    name = orjson.loads((folder.root / "history/index.json").read_bytes())["snapshots"][0]["name"]
    assert (0, f"history/{name}/: snapshot 1\n") == (result.exit_code, result.stderr)
    assert {
        "index.json",
        *(
            f"{name}/{f}"
            for f in ("manifest.json", "scores.json", "ranks.json", "verdicts.parquet")
        ),
    } == set(folder.tree("history"))
    before = folder.tree("history")
    result = folder.lb("snapshot", "--label", "other")
    assert (0, f"history/{name}/: snapshot 1 is this board already (nothing changed)\n") == (
        result.exit_code,
        result.stderr,
    )
    assert before == folder.tree("history")


def test_a_snapshot_needs_results(folder: Folder) -> None:
    """Before the first scoring there is nothing to keep."""
    folder.submission("m1", [RIGHT])
    result = folder.lb("snapshot")
    assert 1 == result.exit_code
    assert "results/manifest.json: cannot be read" in result.stderr
    assert not (folder.root / "history").exists()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (
            "submissions/m1/small.json",
            "changed since: responses submissions/m1/small.json (run lb rescore again)",
        ),
        ("prompts/small/no_tool.md", "changed since: prompts small/no_tool"),
        ("datasets/small/suite.toml", "changed since: cases small"),
    ],
)
def test_stale_results_are_not_kept(kept: Folder, name: str, what: str) -> None:
    """Results of other files are refused: a snapshot of them would blame the wrong change."""
    text = (kept.root / name).read_text()
    kept.write(
        name,
        "[]" if name.startswith("sub") else text.replace("Two categories", "Two") + "\n# more\n",
    )
    result = kept.lb("snapshot")
    assert 1 == result.exit_code
    assert what in result.stderr


@pytest.mark.parametrize(
    ("given", "recorded"), [("2025-12-24", "2025-12-24"), ("2026-2-3", "2026-02-03")]
)
@pytest.mark.large
def test_a_snapshot_records_its_day(folder: Folder, given: str, recorded: str) -> None:
    """In the index, and nowhere else: the folder is named as it would be on any other day."""
    folder.submission("m1", [RIGHT])
    rescore(folder)
    assert 0 == folder.lb("snapshot", "--date", given).exit_code
    (entry,) = orjson.loads((folder.root / "history/index.json").read_bytes())["snapshots"]
    assert (recorded, "2026-01-31") == (entry["taken"], entry["name"][:10])


@pytest.mark.large
def test_a_snapshot_is_of_today_unless_told(folder: Folder) -> None:
    """The day by UTC, before or after midnight."""
    folder.submission("m1", [RIGHT])
    rescore(folder)
    before = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    assert 0 == folder.lb("snapshot").exit_code
    after = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    (entry,) = orjson.loads((folder.root / "history/index.json").read_bytes())["snapshots"]
    assert entry["taken"] in {before, after}


NO_DAY = "is not a day as YYYY-MM-DD"


@pytest.mark.parametrize(
    ("day", "what"),
    [
        *((day, NO_DAY) for day in ("", "today", "2026-02-30", "20260203", "2026-02-03T00:00:00Z")),
        ("9998-12-31", "9998-12-31 is in the future"),
    ],
)
def test_a_day_is_a_day(kept: Folder, day: str, what: str) -> None:
    """Anything else is a mistake in the call, and nothing is written."""
    before = kept.tree("history")
    result = kept.lb("snapshot", "--date", day)
    assert (2, True) == (result.exit_code, what in result.stderr)
    assert before == kept.tree("history")


@pytest.mark.parametrize("label", ["", "  ", "two\nlines", "x" * 201])
def test_a_label_is_a_line(kept: Folder, label: str) -> None:
    """What the changelog will show as a heading is one line."""
    result = kept.lb("snapshot", "--label", label)
    assert 2 == result.exit_code
    assert "a label is one line" in result.stderr


@pytest.mark.large
def test_of_two_snapshots_in_a_merge_one_is_taken_again(kept: Folder, tmp_path: Path) -> None:
    """docs/hosting.md says how: the board of the merge is a third one."""
    ours, theirs = kept, kept.copied_to(tmp_path / "theirs")
    for side, name in ((ours, "m3"), (theirs, "m4")):
        side.submission(name, [RIGHT])
        assert side.lb("rescore", "--offline").exit_code == 0
        assert side.lb("snapshot").exit_code == 0
    shutil.copytree(theirs.root / "submissions/m4", ours.root / "submissions/m4")
    shutil.copy(theirs.root / "history/index.json", ours.root / "history/index.json")
    before = {path.name for path in (ours.root / "history").iterdir()}
    for folder in before - {path.name for path in (theirs.root / "history").iterdir()}:
        shutil.rmtree(ours.root / "history" / folder)
    listed = orjson.loads((theirs.root / "history/index.json").read_bytes())["snapshots"]
    for entry in listed:
        folder = theirs.root / "history" / entry["name"]
        shutil.copytree(folder, ours.root / "history" / entry["name"], dirs_exist_ok=True)

    assert ours.lb("rescore", "--offline").exit_code == 0
    assert ours.lb("snapshot").exit_code == 0
    after = orjson.loads((ours.root / "history/index.json").read_bytes())["snapshots"]
    assert listed == after[:-1]
    assert [entry["sequence"] for entry in after] == [1, 2, 3]
    assert ours.lb("build").exit_code == 0
