"""Whether published data follow their format, to the field."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from site_templates.data.schema_files import FORMATS


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    _, shape = FORMATS[name]
    return TypeAdapter(shape)


def validate(name: str, content: bytes) -> None:
    """Raises ValueError if a file does not follow the format of this name."""
    _adapter(name).validate_json(content, strict=True, extra="forbid")
