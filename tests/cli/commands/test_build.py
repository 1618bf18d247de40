"""`lb build`: from results to the site, with comparison, health, history and badges."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.records import RIGHT, answers, site
from tests.conftest import PROJECT, Folder


@pytest.mark.large
def test_build_hands_over_what_compares(folder: Folder) -> None:
    """The page of a pair says what lb compare says, in the same words."""
    folder.submission("one", answers("A001", "A002", "A003"))
    folder.submission("two", answers("A001"))
    files = site(folder)
    said = json.loads(folder.lb("compare", "one", "two", "--format", "json").output)["suites"][0]
    page = json.loads(files["data/compare/small/one--two.json"])

    assert page["said"] == said["said"]
    assert (page["whole"], page["categories"]) == (said["whole"], said["categories"])
    assert {
        "compare/index.html",
        "health/index.html",
        "badges/one.svg",
        "data/compare/small/one.js",
    } <= files.keys()
    assert [path for path in files if path.startswith("history")] == []


@pytest.mark.large
def test_the_first_page_says_what_a_score_is_a_mean_of(scored: Folder) -> None:
    """Categories count the same, whatever their number of cases."""
    assert scored.lb("build").exit_code == 0
    page = (scored.root / "_site/index.html").read_text(encoding="utf-8")
    assert "</b> is the mean of the categories’ shares of cases passed, with its 95" in page


@pytest.mark.large
def test_history_follows_from_snapshots(folder: Folder) -> None:
    """With a snapshot the site has a history. Its first entry is what changed since."""
    folder.submission("one", answers("A001"))
    site(folder)
    assert folder.lb("snapshot").exit_code == 0
    first = site(folder, "--base-url", "https://example.org/b")
    folder.submission("one", answers("A001", "A002"))
    since = site(folder)
    assert folder.lb("snapshot", "--label", "better").exit_code == 0
    second = site(folder)
    pages = [
        path for path in second if path.startswith("history/") and path != "history/index.html"
    ]

    assert b"The first snapshot." in first["history/index.html"]
    assert b"Since the last snapshot" not in first["history/index.html"]
    assert {"feed.xml", "sitemap.xml"} <= first.keys()
    assert b"Since the last snapshot" in since["history/index.html"]
    assert b"Responses: <bdi>submissions/one/small.json</bdi>" in since["history/index.html"]
    assert b">History</h2>" in since["submissions/one.html"]
    assert len(pages) == 2
    assert b">better</a>" in second["history/index.html"]
    assert "feed.xml" not in second


@pytest.mark.large
def test_a_mended_ground_truth_is_told_by_its_case(folder: Folder) -> None:
    """The changelog names the case, links it, and lists every changed verdict, with the day."""
    folder.submission("one", answers("A001", "A002"))
    site(folder)
    assert folder.lb("snapshot", "--date", "2026-02-01").exit_code == 0
    path = folder.root / "datasets/small/tool_selection.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"value": 3', '"value": 7', 1), encoding="utf-8"
    )
    site(folder)
    assert folder.lb("snapshot", "--date", "2026-03-04").exit_code == 0
    files = site(folder, "--base-url", "https://example.org/b")
    page, link = files["history/index.html"].decode(), '<a href="../cases/small/A001.html">A001</a>'

    assert f'<li>Cases of <a href="../suites/small/index.html">Small</a>: {link}</li>' in page
    assert (
        "<summary>1 verdict changed</summary>"
        f'<ul class="plain small"><li>{link} pass to fail</li></ul>' in page
    )
    assert "<updated>2026-03-04T00:00:00Z</updated>" in files["feed.xml"].decode()
    assert "(cases of small: A001): A001 pass to fail." in files["feed.xml"].decode()
    assert ">2026-03-04</time>" in files["submissions/one.html"].decode()


@pytest.mark.large
def test_a_build_can_be_told_where_the_repository_is(folder: Folder) -> None:
    """`--repository` replaces the line in leaderboard.toml. Verify reads it from the site."""
    folder.submission("one", answers("A001"))
    plain = site(folder)
    told = site(folder, "--repository", "https://github.com/nobody/board")
    same, other = (
        folder.lb("verify", "--repository", "https://github.com/nobody/board"),
        folder.lb("verify"),
    )

    assert b"Report this ground truth" not in plain["cases/small/A001.html"]
    assert b"https://github.com/nobody/board/issues/new?" in told["cases/small/A001.html"]
    assert (0, 0) == (same.exit_code, other.exit_code), same.output


@pytest.mark.large
def test_a_citation_goes_into_the_site(folder: Folder) -> None:
    """CITATION.cff is copied and linked from every footer; without the file there is neither."""
    folder.submission("one", answers("A001"))
    without = site(folder)
    folder.write("CITATION.cff", "cff-version: 1.2.0\r\ntitle: Älter\r\n")
    files = site(folder)
    alone = ("404.html", "embed/index.html")
    pages = [page for path, page in files.items() if path.endswith(".html") and path not in alone]

    assert "CITATION.cff" not in without
    assert b"CITATION.cff" not in without["index.html"]
    assert files["CITATION.cff"] == "cff-version: 1.2.0\r\ntitle: Älter\r\n".encode()
    assert all(b'CITATION.cff">Cite</a>' in page for page in pages)
    assert b'href="../CITATION.cff"' in files["suites/index.html"]


@pytest.mark.large
def test_a_citation_from_elsewhere_is_refused(folder: Folder, tmp_path: Path) -> None:
    """A link that leads out of the workspace does not put a file of this machine on the web."""
    folder.submission("one", answers("A001"))
    site(folder)
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (folder.root / "CITATION.cff").symlink_to(tmp_path / "secret")
    done = folder.lb("build")

    assert done.exit_code == 1
    assert "is a link" in done.stderr


@pytest.mark.large
def test_build_refuses_results_of_other_files(scored: Folder) -> None:
    """Responses beside another scoring's verdicts would lie: build says to score again."""
    scored.submission("m1", [RIGHT])
    result = scored.lb("build")
    assert 1 == result.exit_code
    assert "lb rescore" in result.stderr


@pytest.mark.large
def test_build_without_results_says_what_to_do(folder: Folder) -> None:
    """There is nothing to build before a scoring."""
    result = folder.lb("build")
    assert 1 == result.exit_code
    assert "run lb rescore --offline first" in result.stderr


@pytest.mark.large
def test_damaged_results_are_noticed(scored: Folder) -> None:
    """A table that does not match the manifest is not shown as if it were."""
    scored.write("results/scores.parquet", b"PAR1")
    result = scored.lb("build")
    assert 1 == result.exit_code
    assert "does not match the manifest" in result.stderr


@pytest.mark.large
def test_building_again_writes_nothing(scored: Folder) -> None:
    """After nothing changed no file of the site is touched."""
    assert 0 == scored.lb("build").exit_code
    before = {
        path: path.stat().st_mtime_ns
        for path in (scored.root / "_site").rglob("*")
        if path.is_file()
    }
    result = scored.lb("build")
    assert "0 files written" in result.stderr
    assert before == {
        path: path.stat().st_mtime_ns
        for path in (scored.root / "_site").rglob("*")
        if path.is_file()
    }


@pytest.mark.large
def test_t16_a_table_that_was_changed_by_hand_is_refused(folder: Folder) -> None:
    """Every file of results/ has a digest in the manifest, the readable ones too."""
    folder.submission("one", answers("A001"))
    site(folder)
    path = folder.root / "results/scores.json"
    path.write_bytes(path.read_bytes().replace(b"1.0", b"0.9"))
    done = folder.lb("build")

    assert done.exit_code == 1
    assert "results/scores.json: does not match the manifest" in done.stderr


@pytest.mark.large
def test_an_unchanged_site_is_not_built_again(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second build renders nothing. A change of the site or of the board renders it again."""
    folder.submission("one", answers("A001"))
    before = site(folder)
    with monkeypatch.context() as patch:
        patch.setattr("site_templates.builder.site_files", None)
        assert "0 files written" in folder.lb("build").stderr
        with pytest.raises(TypeError):
            folder.lb("build", "--fresh")
    (folder.root / "_site/index.html").write_text("")
    assert "1 file written" in folder.lb("build").stderr
    assert site(folder) == before


@pytest.mark.large
@pytest.mark.parametrize("large", [False, True])
def test_judges_beside_the_panel_are_named_in_every_build(
    scored: Folder, monkeypatch: pytest.MonkeyPatch, *, large: bool
) -> None:
    """A build that has nothing to do says so too."""
    settings = scored.root / "leaderboard.toml"
    other = '[judges.other]\nprovider = "embedded"\nmodel = "embedded-1"\n'
    settings.write_text(f"{settings.read_text()}\n{other}")
    if large:
        monkeypatch.setattr("cli.commands.build._SHARED", 0)
    assert 0 == scored.lb("rescore", "--judge", "other").exit_code
    for _ in range(2):
        done = scored.lb("build")
        assert "results holds verdicts of other, not of the panel: embedded-1" in done.stderr


FORKS = """
import atexit, os, sys
import cli.commands.build
from cli.main import main
cli.commands.build._SHARED = 0
fork = os.fork
os.fork = lambda: print("forked") or fork()
atexit.register(lambda: print("Polars" if "polars" in sys.modules else "no Polars"))
sys.argv[0] = "lb"
main()
"""


@pytest.mark.large
def test_two_processes_build_the_same_site(folder: Folder) -> None:
    """Large boards are shared between two processes, which changes no byte.

    The process that starts them needs no Polars, whose import takes long.
    """
    folder.submission("one", answers("A001"))
    before = site(folder, "--base-url", "https://example.org/b/")
    arguments = ("--workspace", str(folder.root), "build", "--base-url", "https://example.org/b/")
    done = subprocess.run(
        [sys.executable, "-c", FORKS, *arguments, "--out", str(folder.root / "shared")],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "forked\n" * 2 + "no Polars\n"
    assert folder.tree("shared") == before


@pytest.mark.parametrize("option", ["--base-url", "--repository"])
@pytest.mark.parametrize(
    "value",
    [
        *("example.org/board/", "javascript:alert(1)", "http://x y/"),
        *("https://example.org/x?y=1", "https://example.org/x#z", "https://example.org/#"),
    ],
)
def test_an_address_that_is_none_is_refused(folder: Folder, option: str, value: str) -> None:
    """Pages would link to a place that does not exist, and feed and sitemap would be missing."""
    result = folder.lb("build", option, value)
    assert 2 == result.exit_code
    assert f"{value!r} is not an address" in result.output
