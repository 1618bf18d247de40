"""The JSON Schemas of the site's data."""

from __future__ import annotations

from collections.abc import Iterator

from site_templates.data import SCHEMA, encode
from site_templates.register import Register


def files(register: Register) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every schema, and of the list of them."""
    yield "data/schemas/index.json", encode({"schema": SCHEMA, "schemas": []})
