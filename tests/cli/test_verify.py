"""`lb verify`: every byte follows from the files."""

from __future__ import annotations

import pytest

from tests.cli.records import RIGHT, answers, site
from tests.conftest import Folder, text_case


def test_verify_finds_every_byte_that_is_not_what_the_files_give(scored: Folder) -> None:
    """A result or page changed by hand is named; before that, all is as the files give it."""
    scored.lb("build")
    assert 0 == scored.lb("verify").exit_code
    path = scored.root / "_site/index.html"
    path.write_bytes(path.read_bytes().replace(b"58.3", b"85.3"))
    result = scored.lb("verify")
    assert 1 == result.exit_code
    assert "differs: _site/index.html" in result.stderr


def test_verify_finds_results_that_were_declared(scored: Folder) -> None:
    """Results that agree with their own manifest but not with the responses are found."""
    scored.submission("m1", [RIGHT])
    result = scored.lb("verify")
    assert 1 == result.exit_code
    assert "differs: results/verdicts.parquet" in result.stderr


def test_verify_builds_the_same_with_a_history(folder: Folder) -> None:
    """Every byte of the site follows from the files, including history pages and the feed."""
    folder.submission("one", answers("A001"))
    site(folder)
    folder.lb("snapshot")
    folder.submission("one", answers("A001", "A003"))
    site(folder, "--base-url", "https://example.org/b/")
    done = folder.lb("verify", "--base-url", "https://example.org/b/")

    assert done.exit_code == 0, done.output


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
