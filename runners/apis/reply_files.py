"""Where the cache keeps the replies of an API: `<category>/<tool>_for_<category>/<api>.json`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from leaderboard.apis.api_names import (
    ApiName,
    change_name,
    standard_category,
    standardise,
    standardise_upstream,
)

_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
_UNSAFE: Final = re.compile(r"[/\\\x00-\x1f:]")
_HASH_DIGITS: Final = 10


@dataclass(frozen=True, slots=True)
class CachePlace:
    """The file of an API's replies in a cache: the path to write, and others to read."""

    path: str
    others: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.path, *self.others)

    def __str__(self) -> str:
        return self.path.removesuffix(".json")


def place_of(name: ApiName) -> CachePlace:
    """The place of an API's replies, however a request spells its names.

    The path to write consists of plain names (`[A-Za-z0-9_-]`), so it never leads out of the
    cache. A name that is not plain is made so, with a hash that keeps it apart from others.
    """
    folder = standard_category(name.category)
    paths = []
    for spell in (standardise, standardise_upstream):
        names = (folder, *_upstream_names(name.tool, name.api, folder, spell))
        paths.append("/".join(map(_plain, names)))
        if all(map(_is_safe, names)):
            paths.append("/".join(names))
    path, *others = dict.fromkeys(f"{path}.json" for path in paths)
    return CachePlace(path, tuple(others))


def _upstream_names(
    tool: str, api: str, folder: str, spell: Callable[[str], str]
) -> tuple[str, str]:
    """The names of the tool's folder and the API's file, as the upstream server spells them."""
    suffix = f"_for_{folder}"
    tool_folder = tool if tool.endswith(suffix) else f"{spell(tool)}{suffix}"
    name = spell(api)
    for of_tool in (tool_folder, tool_folder.removesuffix(suffix)):
        name = name.removesuffix(f"_for_{of_tool}".lower())
    return tool_folder, change_name(name)


def _plain(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:60] + f"-{digest}"


def _is_safe(name: str) -> bool:
    """Whether a name as it is can be a folder or file inside the cache."""
    return bool(name.strip(".")) and not _UNSAFE.search(name) and len(name.encode()) <= 200
