"""`lb verify`: every byte follows from the files."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.records import RIGHT, answers, site
from tests.conftest import Folder, text_case
from tests.served_folder import serving


@pytest.mark.large
def test_verify_finds_every_byte_that_is_not_what_the_files_give(scored: Folder) -> None:
    """A result or page changed by hand is named; before that, all is as the files give it."""
    scored.lb("build")
    assert 0 == scored.lb("verify").exit_code
    path = scored.root / "_site/index.html"
    path.write_bytes(path.read_bytes().replace(b"58.3", b"85.3"))
    result = scored.lb("verify", "--quiet")
    assert 1 == result.exit_code
    assert "differs: _site/index.html" in result.stderr


@pytest.mark.large
def test_verify_finds_results_that_were_declared(scored: Folder) -> None:
    """Results that agree with their own manifest but not with the responses are found."""
    scored.submission("m1", [RIGHT])
    result = scored.lb("verify")
    assert 1 == result.exit_code
    assert "differs: results/verdicts.parquet" in result.stderr


@pytest.mark.large
def test_verify_builds_the_same_with_a_history(folder: Folder) -> None:
    """Every byte of the site follows from the files, including history pages and the feed."""
    folder.submission("one", answers("A001"))
    site(folder)
    folder.lb("snapshot")
    folder.submission("one", answers("A001", "A003"))
    site(folder, "--base-url", "https://example.org/b/")
    done = folder.lb("verify", "--base-url", "https://example.org/b/")

    assert done.exit_code == 0, done.output


@pytest.mark.large
def test_a_snapshot_since_the_build_is_named(folder: Folder) -> None:
    """Its pages are missing, and many others differ: the menu has a history now."""
    folder.submission("one", answers("A001"))
    site(folder)
    folder.lb("snapshot")
    name = next(path.name for path in (folder.root / "history").iterdir() if path.is_dir())
    done = folder.lb("verify")

    assert done.exit_code == 1
    assert f"missing: _site/history/{name}/index.html" in done.stderr
    assert f"the same, but the site has other snapshots: {name}" in done.stderr


@pytest.mark.large
def test_verify_reads_the_base_url_from_the_site(folder: Folder) -> None:
    """A site built with a base URL is checked with the same one, and verify says so."""
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


@pytest.mark.large
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
    """With another base URL nearly every file differs: a short list, and the likely cause."""
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


@pytest.mark.large
@pytest.mark.parametrize("form", ["missing", "empty", "foreign", "other"])
def test_t16_a_folder_without_a_site_is_an_error(folder: Folder, form: str) -> None:
    """An empty, missing or foreign folder never counts as equal."""
    site(folder)
    other = folder.root / "other"
    if form != "missing":
        other.mkdir()
    if form == "foreign":
        (other / "index.html").write_text("<p>Hello</p>")
    if form == "other":
        (other / "toolboard.json").write_text('{"site": "another"}')
    result = folder.lb("verify", "--site", str(other))

    assert result.exit_code == 1
    assert "other: is not a site" in result.stderr
    assert "OK" not in result.stderr


@pytest.mark.large
def test_results_alone_are_said_to_be_alone(folder: Folder) -> None:
    """Without _site/ nobody should believe that a site was compared."""
    folder.submission("one", answers("A001"))
    assert folder.lb("rescore", "--offline").exit_code == 0
    done = folder.lb("verify")

    assert done.exit_code == 0
    assert "no site was compared: build one with lb build" in done.stderr


@pytest.mark.large
def test_a_published_site_is_checked_from_the_data_alone(folder: Folder) -> None:
    """A fresh clone has no results/. The site says with which addresses it was built."""
    folder.submission("one", answers("A001"))
    site(folder, "--base-url", "https://example.org/b/", "--repository", "https://example.com/r")
    shutil.rmtree(folder.root / "results")
    with serving(folder.root / "_site") as address:
        same = folder.lb("verify", "--site", address)
        page = folder.root / "_site/suites/index.html"
        page.write_bytes(page.read_bytes() + b" ")
        (folder.root / "_site/feed.xml").unlink(missing_ok=True)
        (folder.root / "_site/sitemap.xml").unlink()
        changed = folder.lb("verify", "--site", address)

    assert same.exit_code == 0, same.stderr
    assert changed.exit_code == 1
    assert f"differs: {address}/suites/index.html" in changed.stderr
    assert f"missing: {address}/sitemap.xml" in changed.stderr
    assert "inputs and results are the same: pages, documents or templates" in changed.stderr


@pytest.mark.large
def test_the_input_since_which_a_site_differs_is_named(folder: Folder) -> None:
    """By the digests of its manifest."""
    folder.submission("one", answers("A001"))
    site(folder)
    folder.submission("one", answers("A001", "A003"))
    assert folder.lb("rescore", "--offline").exit_code == 0
    done = folder.lb("verify")

    assert done.exit_code == 1
    assert "the site was built from other inputs: responses: submissions/one/small.json" in (
        done.stderr
    )


@pytest.mark.large
def test_a_tampered_manifest_is_noticed(folder: Folder) -> None:
    """A site that agrees with itself still differs from what the files give."""
    folder.submission("one", answers("A001"))
    site(folder)
    path = folder.root / "_site/data/manifest.json"
    path.write_text(path.read_text().replace('"as_of": "2026-01-31"', '"as_of": "2027-01-31"'))
    done = folder.lb("verify")

    assert done.exit_code == 1
    assert "differs: _site/data/manifest.json" in done.stderr
    assert "the inputs are the same, but the results or the manifest differ" in done.stderr


@pytest.mark.large
def test_a_file_that_no_build_makes_is_named(folder: Folder) -> None:
    """A site in a folder holds nothing else."""
    folder.submission("one", answers("A001"))
    site(folder)
    (folder.root / "_site/extra.html").write_text("x")
    done = folder.lb("verify", "--site", str(folder.root / "_site"))

    assert "unexpected: _site/extra.html" in done.stderr
