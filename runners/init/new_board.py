"""The files of a new board: settings, one suite, a README, a workflow."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.ids import is_reserved
from leaderboard.machine.atomic_files import temporary_beside
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json
from runners.imports.import_writer import toml_lines

_HERE: Final = Path(__file__).parent
_EXAMPLES: Final = _HERE / "examples"  # a folder per kind: files of a suite, and prompts/
_LOOK: Final = """
# [site]  # the look of the pages: `lb docs hosting`
# headline = "Which system answers best?"
# accent = "#2b46a8"
"""
_JUDGE: Final = "judge.toml"  # in the example of a kind, if it needs another judge than this
EMBEDDED_JUDGE: Final = """
# A small set of lexical rules. It needs no key, and it is not a language model: `lb docs judges`.
[judges.embedded-1]
provider = "embedded"
model = "embedded-1"
settings = { temperature = 0, seed = 7 }
"""
_ACTION: Final = "OWNER/toolboard@COMMIT"
_REPLACE_ACTION: Final = (
    f"# - Replace {_ACTION}, twice, by the repository of Toolboard and the commit of a release.\n"
)


@dataclass(frozen=True, slots=True)
class NewSuite:
    """The suite of a new board: its files, its judge prompts and its own rules, by name.

    `judge` is the text of a table [judges.NAME] for the prompts. `places` says for each file of
    cases which rows of the owner's table they are from, such as "row 2". `categories` counts the
    cases of each category by its title, and `respelt` maps names of categories to that of another
    one from which they differ in letter case only.
    """

    id: str
    files: Mapping[str, bytes]
    prompts: Mapping[str, bytes]
    rules: Mapping[str, bytes] = field(default_factory=dict)
    judge: str = EMBEDDED_JUDGE
    places: Mapping[str, Sequence[str]] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)
    respelt: Mapping[str, str] = field(default_factory=dict)


def example_kinds() -> list[str]:
    """The kinds that a board can begin with."""
    return sorted(path.name for path in _EXAMPLES.iterdir() if path.is_dir())


def example_suite(kind: str) -> NewSuite:
    """The example of a kind. Every suite of this kind has the same form."""
    folder = _EXAMPLES / kind
    files = {path.name: path.read_bytes() for path in sorted(folder.glob("*.*"))}
    prompts = {path.name: path.read_bytes() for path in sorted(folder.glob("prompts/*.md"))}
    rules = {path.name: path.read_bytes() for path in sorted(folder.glob("rules/*.py"))}
    judge = files.pop(_JUDGE, EMBEDDED_JUDGE.encode()).decode()
    return NewSuite("questions", files, prompts, rules, judge)


def suite_of_cases(
    source: Path,
    kind: str,
    rows: Sequence[Mapping[str, Json]],
    cases: Sequence[Mapping[str, Json]],
    places: Sequence[str],
) -> NewSuite:
    """A suite of cases that were read from rows of `source`. A column `category` divides them.

    Names of categories that differ in letter case only are one category, named as the first one.
    `places` names each row in messages: "row 2". The suite is judged by the prompt of the
    kind's example.
    """
    name = source.name.split(".")[0]
    categories: dict[str, list[Mapping[str, Json]]] = {}
    places_of: dict[str, list[str]] = {}
    first_names: dict[str, str] = {}
    respelt: dict[str, str] = {}
    for row, case, place in zip(rows, cases, places, strict=True):
        cells = {key.strip().lower(): value for key, value in row.items()}
        written = single_spaced(str(cells.get("category") or "")) or in_words(name)
        category = first_names.setdefault(written.casefold(), written)
        if written != category:
            respelt[written] = category
        categories.setdefault(category, []).append(case)
        places_of.setdefault(category, []).append(place)
    ids = category_ids(categories)
    example = example_suite(kind)
    prompts = example.prompts
    if any("ground_truth" not in case for case in cases):
        prompts = {file: _without_reference(text) for file, text in prompts.items()}
    prompt = next((file.removesuffix(".md") for file in prompts), None)
    like = example.files["suite.toml"].decode()
    return NewSuite(
        id=identifier(name),
        files=suite_files(like, in_words(name), categories, prompt),
        prompts=prompts,
        rules=example.rules,
        judge=example.judge,
        places={f"{ids[category]}.json": found for category, found in places_of.items()},
        categories={category: len(found) for category, found in categories.items()},
        respelt=respelt,
    )


def suite_files(
    like: str,
    title: str,
    categories: Mapping[str, Sequence[Mapping[str, Json]]],
    prompt: str | None = None,
) -> dict[str, bytes]:
    """suite.toml and a file for each category, given the records of each category by its title.

    `like` is the text of another suite.toml. What it says before its categories is kept.
    """
    (title_line,) = toml_lines({"title": title})
    head = like.partition("[[categories]]")[0].rstrip()
    lines = [re.sub(r"^title = .*$", lambda _: title_line, head, count=1, flags=re.MULTILINE)]
    files = {}
    for name, category in category_ids(categories).items():
        cases = categories[name]
        table = {"id": category, "title": name[:200], "file": f"{category}.json"}
        lines += ["", "[[categories]]", *toml_lines(table | ({"prompt": prompt} if prompt else {}))]
        # A cell of a Parquet file may hold a day, which JSON has as text.
        lines_of = (json.dumps(case, ensure_ascii=False, default=str) for case in cases)
        rows = ",\n".join(f" {line}" for line in lines_of)
        files[f"{category}.json"] = f"[\n{rows}\n]\n".encode()
    return {"suite.toml": "\n".join([*lines, ""]).encode(), **files}


def _without_reference(prompt: bytes) -> bytes:
    """A judge prompt without the paragraph that quotes a right answer. A question may have none."""
    paragraphs = prompt.decode().split("\n\n")
    return "\n\n".join(text for text in paragraphs if "{{expected}}" not in text).encode()


def category_ids(names: Iterable[str]) -> dict[str, str]:
    """An id for each name. Names without letters and digits of an id, and equal ids, get a number.

    So do names that Windows reserves. `C`, `C++`, `数学` and `CON` are `c`, `c-2`, `category-3` and
    `con-2`.
    """
    ids: dict[str, str] = {}
    for place, name in enumerate(names, 1):
        wanted = identifier(name) if re.search("[a-z0-9]", _folded(name)) else f"category-{place}"
        taken, category = set(ids.values()), wanted
        numbers = count(2)
        while category in taken or is_reserved(category):
            category = f"{wanted[:58]}-{next(numbers)}"
        ids[name] = category
    return ids


def identifier(name: str) -> str:
    """A name as an id: `Two steps` is `two-steps`, and `Größe` is `grosse`."""
    return re.sub(r"[^a-z0-9]+", "-", _folded(name)).strip("-")[:64] or "questions"


def _folded(name: str) -> str:
    """A name in lower case, with letters without accents where they have some."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def in_words(name: str) -> str:
    """The name of a file or folder as a title: `my-board` is `My board`."""
    words = re.sub(r"[\W_]+", " ", name).strip()
    return f"{words[:1].upper()}{words[1:]}"[:200] or "Questions"


def board_files(
    title: str,
    suite: NewSuite,
    *,
    description: str = "",
    action: str | None = None,
    baselines: Sequence[str] = (),
    accent: str | None = None,
) -> dict[str, bytes]:
    """Every file of a new board but its submissions, by path.

    `accent` is the colour of links, marks, badges and the icon, #rrggbb. `action` is what the
    workflow uses, OWNER/NAME@COMMIT.
    """
    judge = suite.judge if suite.prompts else ""
    named_action = {_REPLACE_ACTION: "", _ACTION: action} if action else {}
    return {
        "leaderboard.toml": board_settings(title, description, baselines, accent, judge=judge),
        "README.md": _template("README.md", {"@TITLE@": title, "@SUITE@": suite.id}),
        ".gitignore": _template("gitignore", {}),
        ".github/workflows/board.yml": _template("board.yml", named_action),
        **{f"datasets/{suite.id}/{name}": data for name, data in suite.files.items()},
        **{f"prompts/{suite.id}/{name}": data for name, data in suite.prompts.items()},
        **{f"rules/{name}": data for name, data in suite.rules.items()},
    }


def board_settings(
    title: str,
    description: str = "",
    baselines: Sequence[str] = (),
    accent: str | None = None,
    *,
    judge: str = "",
) -> bytes:
    """The text of a new leaderboard.toml, with the table of a judge if it is given."""
    settings: dict[str, str | int | list[str]] = {"schema": 1, "title": title}
    if description:
        settings["description"] = description
    if judge:
        settings["panel"] = list(tomllib.loads(judge)["judges"])
    settings["baselines"] = list(baselines)
    lines = "\n".join([*toml_lines(settings), ""])
    lines += "\n".join(["", "[site]", *toml_lines({"accent": accent}), ""]) if accent else _LOOK
    return _encoded(lines + judge)


def _template(name: str, replaced: Mapping[str, str]) -> bytes:
    text = (_HERE / "files" / name).read_text(encoding="utf-8")
    for mark, value in replaced.items():
        text = text.replace(mark, value)
    return _encoded(text)


def _encoded(text: str) -> bytes:
    """The text in UTF-8. A title from a command line in another locale has its bytes escaped."""
    return text.encode("utf-8", "surrogateescape")


def write_board(folder: Path, files: Mapping[str, bytes], check: Callable[[Path], None]) -> None:
    """Makes the folder of a new board. `check` raises FilesError if the board is not right.

    A board that is not right leaves nothing behind. Raises FilesError if the folder holds anything
    but a new git repository.
    """
    folder = folder.absolute()
    if folder.exists() and not folder.is_dir():
        raise FilesError.about(str(folder), "is a file", "name a new folder")
    if folder.is_dir() and {path.name for path in folder.iterdir()} - {".git"}:
        fix = "name a new folder; lb init changes no existing files"
        raise FilesError.about(str(folder), "is not empty", fix)
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = temporary_beside(folder)
    try:
        for name, data in files.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        check(made)
        folder.mkdir(exist_ok=True)
        for path in sorted(made.iterdir()):
            path.rename(folder / path.name)
    finally:
        shutil.rmtree(made, ignore_errors=True)
