"""What `lb rescore` keeps from one run to the next: when it is used, and when never."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from leaderboard.machine.cache_folder import cache_of
from replay.cassettes.cached_calls import FILE, CachedCalls, read_calls, write_calls
from scoring.cached.cached_verdict_tables import Decided, part_of, write_verdicts
from scoring.cached.cached_verdicts import read_verdicts
from scoring.cached.verdict_basis import code_digest
from tests.cli.records import JUDGED, LISTED, RIGHT, WRONG
from tests.conftest import PROJECT, Folder, replaced

UNDERSCORED = '{"settings": {"tool_names": "underscored"},'
CASSETTE = "cassettes/embedded-1/small/m1.json"


@pytest.fixture
def marked(folder: Folder) -> Folder:
    """A board of two submissions whose cached verdicts all have the detail "cached"."""
    folder.submission("m1", [RIGHT, JUDGED])
    folder.submission("m2", [WRONG, LISTED])
    assert folder.lb("rescore").exit_code == 0
    mark(folder)
    return folder


def cache(folder: Folder) -> Path:
    found = cache_of(folder.root)
    assert found is not None
    return found


def mark(folder: Folder) -> None:
    """Changes what is cached, so that verdicts show whether they were decided again."""
    cached = read_verdicts(cache(folder))
    part = part_of(cached)
    table = part.distinct.with_columns(detail=pl.lit("cached"))
    write_verdicts(cache(folder), Decided(dataclasses.replace(part, distinct=table), cached.files))
    forget_unchanged_output(folder)


def forget_unchanged_output(folder: Folder) -> None:
    """Otherwise nothing is scored where nothing has changed."""
    for cached in cache(folder).glob("output-*.json"):
        cached.unlink()


def from_cache(folder: Folder, *options: str) -> set[str]:
    """The submissions whose verdicts come from the cache, in a run with these options."""
    result = folder.lb("rescore", "--offline", "--allow-missing", *options)
    assert result.exit_code == 0, result.stderr
    found = pl.read_parquet(folder.root / "results/verdicts.parquet").filter(detail="cached")
    return set(found["submission"])


@pytest.mark.large
def test_verdicts_are_kept(marked: Folder) -> None:
    """Nothing is decided again if nothing has changed. Otherwise the next tests show nothing."""
    assert {"m1", "m2"} == from_cache(marked)


def reordered(folder: Folder) -> None:
    """Puts the last case of a category first."""
    file = folder.root / "datasets/small/tool_selection.json"
    cases = json.loads(file.read_bytes())
    folder.write("datasets/small/tool_selection.json", cases[::-1])


def own_rules(folder: Folder) -> None:
    folder.write("rules/own.py", "ANSWER = 42\n")


def renamed(folder: Folder) -> None:
    """Compresses both files of responses, which moves their problems to another path."""
    for file in folder.root.glob("submissions/*/small.json"):
        subprocess.run(["gzip", "-n", str(file)], check=True)


@pytest.mark.large
@pytest.mark.parametrize(
    ("change", "left"),
    [
        (replaced("submissions/m1/small.json", "Paris.", "Rome."), {"m2"}),
        (replaced("submissions/m2/submission.json", "{", UNDERSCORED), {"m1"}),
        (replaced("datasets/small/no_tool.json", "It is Paris.", "It is Rome."), set()),
        (replaced("datasets/small/tools.json", "Converts", "Changes"), set()),
        (replaced("datasets/small/suite.toml", "Two categories", "2 categories"), set()),
        (reordered, set()),
        (replaced("prompts/small/no_tool.md", "{{got}}", "{{got}} "), set()),
        (replaced("leaderboard.toml", "seed = 7", "seed = 8"), set()),
        (own_rules, set()),
        (renamed, set()),
    ],
)  # fmt: skip
def test_every_changed_input_is_decided_again(
    marked: Folder, change: Callable[[Folder], None], left: set[str]
) -> None:
    """Only what does not depend on a changed file is used."""
    change(marked)
    assert left == from_cache(marked)


@pytest.mark.large
def test_changed_code_is_decided_again(marked: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither another version of the rules nor other code believes what is cached."""
    with monkeypatch.context() as patch:
        patch.setattr("scoring.cached.verdict_basis.RULES_VERSION", "next")
        assert set() == from_cache(marked)
    mark(marked)
    monkeypatch.setattr("scoring.cached.verdict_basis.code_digest", lambda: "other")
    assert set() == from_cache(marked)


def falsify(folder: Folder, file: str) -> None:
    """Turns the replies of a cassette around."""
    cassette = json.loads((folder.root / file).read_bytes())
    for interaction in cassette["interactions"]:
        body = interaction["response"]["body"]
        words = body["string"].replace("equivalent", "same").replace("different", "equivalent")
        body["string"] = words.replace("same", "different")
    folder.write(file, cassette)


@pytest.mark.large
def test_a_changed_reply_is_decided_again(marked: Folder) -> None:
    """An edited recording is found, although the last run had accepted the call."""
    falsify(marked, CASSETTE)
    result = marked.lb("rescore", "--offline")
    assert (1, True) == (result.exit_code, "embedded-1" in result.stderr)


@pytest.mark.large
def test_a_removed_reply_is_missing(marked: Folder) -> None:
    """A recording that is gone leaves its verdict unscored, and that is not cached."""
    cassette = (marked.root / CASSETTE).read_bytes()
    (marked.root / CASSETTE).unlink()
    assert {"m2"} == from_cache(marked)
    assert 3 == marked.lb("rescore", "--offline").exit_code
    marked.write(CASSETTE, cassette)
    assert 0 == marked.lb("rescore", "--offline").exit_code


@pytest.mark.large
def test_a_reply_that_comes_back_decides_again(folder: Folder) -> None:
    """A cassette that was missing in one run leaves no verdict without its reply in the next."""
    folder.submission("m1", [RIGHT, JUDGED])
    assert folder.lb("rescore").exit_code == 0
    results = folder.root / "results/verdicts.parquet"
    whole = results.read_bytes()
    assert folder.lb("rescore", "--offline").exit_code == 0
    aside = (folder.root / CASSETTE).rename(folder.root.parent / "aside.json")
    assert folder.lb("rescore", "--offline").exit_code == 3
    assert results.read_bytes() != whole
    aside.rename(folder.root / CASSETTE)
    assert folder.lb("rescore", "--offline").exit_code == 0

    assert results.read_bytes() == whole


@pytest.mark.large
def test_results_are_those_of_a_cold_run(folder: Folder) -> None:
    """A new, a changed and a removed submission give the bytes of a run that keeps nothing."""
    folder.submission("m1", [RIGHT, JUDGED])
    folder.submission("m2", [WRONG, LISTED])
    folder.submission("m4", [{**RIGHT, "user_query": "Another question?"}])
    assert folder.lb("rescore").exit_code == 0
    folder.submission("m0", [LISTED, JUDGED])
    folder.submission("m1", [RIGHT, {**JUDGED, "model_text": "In Paris, I think."}])
    shutil.rmtree(folder.root / "submissions/m2")
    assert folder.lb("rescore").exit_code == 0
    warm = folder.lb("rescore", "--offline")
    after = folder.tree("results")
    shutil.rmtree(folder.root / "results")
    cold = folder.lb("rescore", "--offline", "--fresh")
    assert after == folder.tree("results")
    assert "answers another version of the case" in cold.stderr
    assert warm.stderr.splitlines()[:-1] == cold.stderr.splitlines()[:-1]


def remember_other_replies(folder: Folder) -> None:
    """Turns the cached replies around, so that verdicts show whether cassettes were parsed."""
    code = code_digest()
    cached = read_calls(cache(folder), code)
    assert CASSETTE in cached
    turned = {
        file: CachedCalls(found.digest, [(key, "different\nkept") for key, _ in found.calls])
        for file, found in cached.items()
    }
    write_calls(cache(folder), code, turned)
    forget_unchanged_output(folder)


@pytest.mark.large
def test_cassettes_are_parsed_again_only_if_they_changed(marked: Folder) -> None:
    """Their calls are cached under their digest. Another file, other code or --fresh parse them."""
    assert 0 == marked.lb("rescore", "--offline").exit_code
    remember_other_replies(marked)
    result = marked.lb("rescore", "--offline")
    assert (1, True) == (result.exit_code, "embedded-1" in result.stderr)  # not its own reply
    assert 0 == marked.lb("rescore", "--offline", "--fresh").exit_code

    for change in (
        lambda: marked.write(CASSETTE, (marked.root / CASSETTE).read_text("utf-8") + "\n"),
        lambda: write_calls(cache(marked), "other", read_calls(cache(marked), code_digest())),
        lambda: (cache(marked) / FILE).write_bytes((cache(marked) / FILE).read_bytes() + b" "),
    ):
        remember_other_replies(marked)
        change()
        assert 0 == marked.lb("rescore", "--offline").exit_code


@pytest.mark.large
@pytest.mark.parametrize("file", ["index.json", "distinct.parquet", "verdict_rows.parquet"])
def test_a_damaged_cache_is_ignored(marked: Folder, file: str) -> None:
    """A byte that changed on the disk costs the time of a cold run, and nothing else."""
    path = cache(marked) / file
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert set() == from_cache(marked)
    path.write_bytes(b"")
    assert set() == from_cache(marked)


@pytest.mark.large
@pytest.mark.parametrize("command", [("rescore", "--offline", "--fresh"), ("verify",)])
def test_what_others_rely_on_starts_fresh(marked: Folder, command: tuple[str, ...]) -> None:
    """--fresh and `lb verify` never look into the cache."""
    marked.lb("rescore", "--offline", "--fresh")
    genuine = marked.tree("results")
    mark(marked)
    assert 0 == marked.lb(*command).exit_code
    assert genuine == marked.tree("results")


@pytest.mark.large
def test_a_review_starts_fresh(marked: Folder, tmp_path: Path) -> None:
    """`lb review` scores both sides itself."""
    shutil.copytree(marked.root, tmp_path / "proposed")
    result = marked.lb(
        "review", "--base", str(marked.root), "--proposed", str(tmp_path / "proposed")
    )
    marked.lb("rescore", "--offline", "--fresh")
    fresh = marked.lb(
        "review", "--base", str(marked.root), "--proposed", str(tmp_path / "proposed")
    )
    assert result.output == fresh.output


@pytest.mark.large
def test_a_cache_that_came_with_a_workspace_is_not_believed(
    marked: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of a submitter are ignored, even if the home folder is the workspace."""
    own = cache(marked)
    for place in (".cache/toolboard", ".cache", "cache"):
        shutil.copytree(own, marked.root / place / own.name)
    shutil.rmtree(own)
    assert set() == from_cache(marked)
    monkeypatch.delenv("TOOLBOARD_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(marked.root))
    assert set() == from_cache(marked)


def in_three_processes(folder: Folder, out: Path) -> subprocess.CompletedProcess[str]:
    """Runs `lb rescore --offline --fresh` in three processes. This one has threads: it cannot."""
    code = "import leaderboard.machine.processes, cli.scored_files\n"
    code += "cli.scored_files.processors = lambda: 3\n"
    code += "import cli.main; cli.main.main()"
    command = ["--workspace", str(folder.root), "rescore", "--offline", "--fresh", "--out"]
    return subprocess.run(
        [sys.executable, "-c", code, *command, str(out)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.large
def test_three_processes_give_the_same_bytes(folder: Folder, tmp_path: Path) -> None:
    """A board that several processes share is scored as by one. So are its problems."""
    for number in range(5):
        folder.submission(f"m{number}", [RIGHT, JUDGED, {**LISTED, "latency_s": number}])
    folder.submission("m3", [WRONG, {**JUDGED, "model_text": "It is in France."}])
    assert folder.lb("rescore").exit_code == 0
    alone = folder.tree("results")
    done = in_three_processes(folder, tmp_path / "shared")
    assert done.returncode == 0, done.stderr
    assert alone == Folder(tmp_path).tree("shared")

    falsify(folder, "cassettes/embedded-1/small/m3.json")
    done = in_three_processes(folder, tmp_path / "shared")
    assert (1, True) == (done.returncode, "embedded-1 does not give" in done.stderr), done.stderr

    folder.write("submissions/m1/small.json", "[")
    folder.write("submissions/m4/small.json", "{}")
    done = in_three_processes(folder, tmp_path / "shared")
    assert (1, True) == (done.returncode, "m1/small.json" in done.stderr), done.stderr
    assert "m4/small.json" in done.stderr
