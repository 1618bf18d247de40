"""The shipped stylesheet, scripts and templates as text."""

from __future__ import annotations

import re
from pathlib import Path

from site_templates import builder

FOLDER = Path(builder.__file__).parent


STYLE = (FOLDER / "assets" / "toolboard.css").read_text(encoding="utf-8")


SCRIPTS = "".join(
    path.read_text(encoding="utf-8") for path in sorted((FOLDER / "assets").glob("*.js"))
)


TEMPLATES = {
    path.name: path.read_text(encoding="utf-8") for path in (FOLDER / "templates").glob("*.html")
}


def tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block))
