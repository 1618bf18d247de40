"""From a workspace to the site by commands alone: what comparing, health, history and badges take is handed over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Folder, text_case


def answers(*passed: str) -> list[dict[str, Any]]:
    """Records of the suite `small` in which the named cases are right."""
    units = {"A001": (3, "yards"), "A002": (4, "feet"), "A003": (5, "miles")}
    calls = [
        {"id": name, "model_function_call": {"name": "convert_units", "arguments": {"value": value, "to_unit": unit}}
         if name in passed else None, "model_text": None}
        for name, (value, unit) in units.items()
    ]  # fmt: skip
    texts = {"B001": "It is Paris.", "B002": "In 1969."}
    return calls + [
        {"id": name, "model_function_call": None, "model_text": text}
        for name, text in texts.items()
    ]


def site(folder: Folder, *arguments: str) -> dict[str, bytes]:
    """The site of the workspace, scored and built anew."""
    for command in (("rescore", "--offline"), ("build", *arguments)):
        done = folder.lb(*command)
        assert done.exit_code == 0, done.output
    return folder.tree("_site")


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


def test_history_follows_from_snapshots(folder: Folder) -> None:
    """After a snapshot the site has a history; what changed since stands first; a second snapshot makes it permanent."""
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

    assert b"The first snapshot, of 1 submission." in first["history/index.html"]
    assert b"Since the last snapshot" not in first["history/index.html"]
    assert {"feed.xml", "sitemap.xml"} <= first.keys()
    assert b"Since the last snapshot" in since["history/index.html"]
    assert b"responses: submissions/one/small.json" in since["history/index.html"]
    assert b"Changes to this submission" in since["submissions/one.html"]
    assert len(pages) == 2
    assert b">better</a>" in second["history/index.html"]
    assert "feed.xml" not in second


def test_a_mended_ground_truth_is_told_by_its_case(folder: Folder) -> None:
    """The changelog names the case and links it, with every verdict that it turned; feed and pages say on which day."""
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

    assert (
        f'Inputs that changed: cases of <a href="../suites/small/index.html">Small</a>: {link}.'
        in page
    )
    assert (
        f'<summary>1 turned</summary><ul class="plain small"><li>{link} pass to fail</li></ul>'
        in page
    )
    assert "<updated>2026-03-04T00:00:00Z</updated>" in files["feed.xml"].decode()
    assert "(cases of small: A001): A001 pass to fail." in files["feed.xml"].decode()
    assert ">2026-03-04</time>" in files["submissions/one.html"].decode()


def test_verify_builds_the_same_with_a_history(folder: Folder) -> None:
    """Every byte of the site follows from the files, the history's pages included, and the feed with its address."""
    folder.submission("one", answers("A001"))
    site(folder)
    folder.lb("snapshot")
    folder.submission("one", answers("A001", "A003"))
    site(folder, "--base-url", "https://example.org/b/")
    done = folder.lb("verify", "--base-url", "https://example.org/b/")

    assert done.exit_code == 0, done.output


def test_a_build_can_be_told_where_the_repository_is(folder: Folder) -> None:
    """Without a line in leaderboard.toml a workflow knows it: cases can be reported, and verify builds the same."""
    folder.submission("one", answers("A001"))
    plain = site(folder)
    told = site(folder, "--repository", "https://github.com/nobody/board")
    same, other = (
        folder.lb("verify", "--repository", "https://github.com/nobody/board"),
        folder.lb("verify"),
    )

    assert b"Report this ground truth" not in plain["cases/small/A001.html"]
    assert b"https://github.com/nobody/board/issues/new?" in told["cases/small/A001.html"]
    assert (0, 1) == (same.exit_code, other.exit_code), same.output


def test_verify_reads_the_base_url_from_the_site(folder: Folder) -> None:
    """A site built with a base URL is built with it again, and verify says so; for one built without it says nothing."""
    folder.submission("one", answers("A001"))
    site(folder)
    plain = folder.lb("verify")
    site(folder, "--base-url", "https://example.org/b&c")
    based = folder.lb("verify")
    page = folder.root / "_site" / "suites" / "index.html"
    page.write_bytes(page.read_bytes() + b" ")
    changed = folder.lb("verify")

    assert (plain.exit_code, based.exit_code, changed.exit_code) == (0, 0, 1), based.stderr
    assert "base-url" not in plain.stderr
    assert "building with --base-url https://example.org/b&c/, as the site names it" in based.stderr
    assert [line for line in changed.stderr.splitlines() if line.startswith("differs")] == [
        "differs: _site/suites/index.html"
    ]
    assert "leave --base-url out" not in changed.stderr


@pytest.mark.parametrize(
    ("built", "given", "said"),
    [
        (
            ("--base-url", "https://example.org/b/"),
            "https://example.org/other/",
            "with --base-url https://example.org/b/: leave",
        ),
        ((), "https://example.org/b/", "without --base-url: leave"),
    ],
)
def test_verify_guesses_why_every_page_differs(
    folder: Folder, built: tuple[str, ...], given: str, said: str
) -> None:
    """With another base URL than the site's own nearly every file differs: no endless list, and the likely cause at the end."""
    folder.submission("one", answers("A001"))
    more = [text_case(f"B{number:03}", "Never.") for number in range(3, 61)]
    folder.write(
        "datasets/small/no_tool.json",
        [text_case("B001", "It is Paris."), text_case("B002", "In 1969."), *more],
    )
    site(folder, *built)
    done = folder.lb("verify", "--base-url", given)
    lines = done.stderr.splitlines()

    assert done.exit_code == 1
    assert sum(line.startswith("differs") for line in lines) == 50
    assert lines[-3].startswith("and ")
    assert lines[-2].endswith("differ from what these responses, cases, prompts and cassettes give")
    assert lines[-1].startswith(f"the site was built {said}")


def test_a_citation_goes_into_the_site(folder: Folder) -> None:
    """CITATION.cff is copied byte for byte and linked from every page; without one there is neither."""
    folder.submission("one", answers("A001"))
    without = site(folder)
    folder.write("CITATION.cff", "cff-version: 1.2.0\r\ntitle: Älter\r\n")
    files = site(folder)
    pages = [content for path, content in files.items() if path.endswith(".html")]

    assert "CITATION.cff" not in without
    assert b"CITATION.cff" not in without["index.html"]
    assert files["CITATION.cff"] == "cff-version: 1.2.0\r\ntitle: Älter\r\n".encode()
    assert all(b'CITATION.cff">Cite</a>' in page for page in pages)
    assert b'href="../CITATION.cff"' in files["suites/index.html"]


def test_a_citation_from_elsewhere_is_refused(folder: Folder, tmp_path: Path) -> None:
    """A link that leads out of the workspace does not put a file of this machine on the web."""
    folder.submission("one", answers("A001"))
    site(folder)
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (folder.root / "CITATION.cff").symlink_to(tmp_path / "secret")
    done = folder.lb("build")

    assert done.exit_code == 1
    assert "points outside the workspace" in done.stderr


@pytest.mark.parametrize("there", [True, False])
def test_verify_refuses_a_folder_without_a_site(folder: Folder, there: bool) -> None:
    """An empty or missing folder is an error. It never counts as equal."""
    site(folder)
    other = folder.root / "other"
    if there:
        other.mkdir()
    result = folder.lb("verify", "--site", str(other))

    assert result.exit_code == 1
    assert "other: is not a site: it has no index.html" in result.stderr
