"""The page that other sites show in a frame: its path, and the HTML of the frame."""

from __future__ import annotations

from typing import Final

EMBED_PATH: Final = "embed/index.html"


def frame_code(base: str | None) -> str | None:
    """The HTML that shows the table on another page. None if the site's address is unknown."""
    if not base:
        return None
    size = 'width="640" height="480" loading="lazy"'
    return f'<iframe src="{base}{EMBED_PATH}" title="Ranking" {size}></iframe>'
