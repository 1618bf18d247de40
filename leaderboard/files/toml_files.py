"""Reading a TOML file, and finding the line of a key in it."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections import Counter
from collections.abc import Collection
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import SAVE_PLAIN, At, conflict_problem
from leaderboard.limits import TEXT_FILE_BYTES, TOML_DOTS
from leaderboard.types import Json

# Comments and strings. One that is not closed takes the rest: nothing after it is read.
_QUOTED: Final = re.compile(
    r"#[^\n]*"
    r'|"""(?:[^\\]|\\.)*?(?:"{3,5}|\\?\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?",
    re.DOTALL,
)
# The key or the table at the beginning of a line, and the words that it is made of.
_HEAD: Final = re.compile(r"\s*\[*((?:[\w.-]|\"[^\"\n]*\")+)")
_ARRAY: Final = re.compile(r"\s*\[\[\s*([\w-]+)\s*\]\]")
_WORD: Final = re.compile(r"[\w-]+")


def parse_toml(data: bytes, shown: str) -> dict[str, Json]:
    """Parses TOML. Raises FilesError with one problem."""
    if len(data) > TEXT_FILE_BYTES:
        what = f"is longer than {TEXT_FILE_BYTES:,} bytes"
        raise FilesError.about(shown, what, "move the data to a JSON file")
    if data.startswith(codecs.BOM_UTF8):
        raise FilesError.about(shown, "starts with a byte order mark", SAVE_PLAIN, line=1)
    try:
        text = data.decode("utf-8")
        _refuse_long_keys(text, shown)
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise FilesError.about(shown, "is not UTF-8", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        if conflict := conflict_problem(data, shown):
            raise FilesError(conflict) from error
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else None
        raise FilesError.about(shown, f"is not TOML: {error}", "check this line", line) from error
    except RecursionError as error:
        raise FilesError.about(shown, "is nested too deep", "flatten it") from error
    except ValueError as error:  # a number of too many digits, or a day that does not exist
        raise FilesError.about(shown, f"is not TOML: {error}", "correct the value") from error


def _refuse_long_keys(text: str, shown: str) -> None:
    """Refuses keys of very many parts, because reading one takes quadratic time."""
    unquoted = _QUOTED.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(unquoted.split("\n"), 1):
        if line.count(".") > TOML_DOTS:
            what = f"has a line with more than {TOML_DOTS} dots"
            raise FilesError.about(shown, what, "break the line", number)


def locate_in_toml(data: bytes, wanted: Collection[At]) -> dict[At, int]:
    """The line of each path that is found.

    A key of an array of tables, such as ("categories", 1, "id"), has the line in its own table, or
    that of the table. Of other keys, it is the first line that mentions them: the exact place would
    need a parser that keeps positions.
    """
    lines: dict[str, int] = {}
    in_arrays: dict[At, int] = {}
    tables: Counter[str] = Counter()
    table: At = ()
    for number, text in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        head = _HEAD.match(text)
        if head is None:
            continue
        quoted = head[1].split('"')[1::2]
        for word in (head[1], *quoted, *head[1].split("."), *_WORD.findall(head[1])):
            lines.setdefault(word, number)
        if array := _ARRAY.match(text):
            table = (array[1], tables[array[1]])
            tables[array[1]] += 1
            in_arrays[table] = number
        elif text.lstrip().startswith("["):
            table = ()
        elif table:
            in_arrays.setdefault((*table, head[1]), number)
    located = {}
    for at in wanted:
        keys = [step for step in at if isinstance(step, str)]
        exact = in_arrays.get(at[:3], in_arrays.get(at[:2]))
        if exact is not None:
            located[at] = exact
        elif keys and keys[-1] in lines:
            located[at] = lines[keys[-1]]
    return located
