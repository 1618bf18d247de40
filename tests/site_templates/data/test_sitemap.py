"""The sitemap for search engines."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from site_templates.data.sitemap import MOST, sitemap
from tests.site_templates import site_history
from tests.site_templates.rendered import render

BASE = "https://example.org/board/"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.mark.large
def test_the_sitemap_names_every_page_but_the_404_page() -> None:
    """Full addresses, folders without their file's name, each page once."""
    files = render(site_history.board(), base_url=BASE)
    root = ET.fromstring(files["sitemap.xml"])
    addresses = [str(e.text) for e in root.iter(f"{MAP}loc")]
    pages_ = [path for path in files if path.endswith(".html") and path != "404.html"]

    assert len(set(addresses)) == len(addresses) == len(pages_)
    assert BASE in addresses
    assert f"{BASE}404.html" not in addresses
    assert f"{BASE}history/" in addresses


@pytest.mark.large
def test_a_large_site_has_several_sitemaps() -> None:
    """Beyond 50,000 addresses there is an index of maps."""
    made = dict(sitemap(BASE, [f"cases/s/{n}.html" for n in range(MOST + 1)]))
    index = ET.fromstring(made["sitemap.xml"])

    assert sorted(made) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
    assert [e.text for e in index.iter(f"{MAP}loc")] == [
        f"{BASE}sitemap-1.xml",
        f"{BASE}sitemap-2.xml",
    ]
