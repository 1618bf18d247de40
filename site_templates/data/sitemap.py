"""The sitemap for search engines, which needs the full address of the site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

MOST: Final = 50_000  # addresses of one map (sitemaps.org)


def sitemap(base: str, pages: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the map of these pages; beyond 50,000 of them an index of several maps."""
    addresses = [f"{base}{path.removesuffix('index.html')}" for path in sorted(pages)]
    parts = [addresses[start : start + MOST] for start in range(0, len(addresses), MOST)]
    if len(parts) == 1:
        yield "sitemap.xml", _map("urlset", "url", parts[0])
        return
    maps = []
    for number, part in enumerate(parts, 1):
        name = f"sitemap-{number}.xml"
        maps.append(f"{base}{name}")
        yield name, _map("urlset", "url", part)
    yield "sitemap.xml", _map("sitemapindex", "sitemap", maps)


def _map(root: str, item: str, addresses: Sequence[str]) -> bytes:
    # The function of the same name for XML does the same, but its import takes longer than a map.
    escaped = (escape(address, quote=False) for address in addresses)
    lines = "".join(f"<{item}><loc>{address}</loc></{item}>\n" for address in escaped)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{space}">'
    return f"{head}\n{lines}</{root}>\n".encode()
