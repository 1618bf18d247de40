"""Page sizes: the limits of benchmarks/pages.toml on boards of a hundred submissions or more."""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Callable

import pytest

from tests.conftest import PROJECT
from tests.site_templates import site_crowd

pytestmark = pytest.mark.large

LargeSite = Callable[[int], dict[str, bytes]]
BUDGET: dict[str, int] = tomllib.loads(
    (PROJECT / "benchmarks" / "pages.toml").read_text(encoding="utf-8")
)


def zipped(content: bytes) -> int:
    return len(gzip.compress(content, 6))


def test_the_first_page_with_all_it_loads(large_site: LargeSite) -> None:
    """The page of a hundred submissions with the stylesheet, its scripts and the icon."""
    files = large_site(100)
    page = files["index.html"].decode()
    loaded = [path for path in files if path.startswith("assets/") and f'"{path}"' in page]

    assert len(loaded) == 4
    assert (
        zipped(files["index.html"]) + sum(zipped(files[path]) for path in loaded)
        <= BUDGET["index_of_100"]
    )


@pytest.mark.parametrize("number", [100, 450])
def test_every_page(large_site: LargeSite, number: int) -> None:
    """Every page, of small boards and of large ones; the page that compares any two among them."""
    sizes = {
        path: zipped(content)
        for path, content in large_site(number).items()
        if path.endswith(".html")
    }

    assert sizes["compare/index.html"] > 0
    assert {path: size for path, size in sizes.items() if size > BUDGET["any_page"]} == {}


def test_all_scripts_together(large_site: LargeSite) -> None:
    """The scripts of every page, of rankings, of lists of answers, and of the comparison."""
    scripts = [
        content
        for path, content in large_site(100).items()
        if path.startswith("assets/") and path.endswith(".js")
    ]

    assert len(scripts) == 4
    assert sum(map(zipped, scripts)) <= BUDGET["all_scripts"]


def test_pages_of_pairs_stay_bounded(large_site: LargeSite) -> None:
    """At most three pages per submission and suite, and 200 if there are many."""
    few = [path for path in large_site(100) if path.startswith("compare/bench/")]
    many = [path for path in large_site(450) if path.startswith("compare/more/")]

    assert 0 < len(few) <= 300
    assert len(many) == 200


def test_what_the_script_reads_of_a_submission(large_site: LargeSite) -> None:
    """Its file has a few bytes a case, besides names and reasons."""
    cases = sum(site_crowd.CATEGORIES.values())
    sizes = [
        len(c)
        for path, c in large_site(100).items()
        if path.startswith("data/compare/bench/") and path.endswith(".js")
    ]

    assert len(sizes) == 90
    assert max(sizes) < 450 + BUDGET["compared_per_case"] * cases
