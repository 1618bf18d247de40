"""Submissions: the card, the files of the folder, and the responses."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from leaderboard.limits import CARD_BYTES, README_BYTES
from tests.conftest import Folder, call_case, text_case
from tests.judge_prompts import judge_prompt
from tests.leaderboard.workspaces import errors, load

CARD = {
    "schema": 1,
    "name": "x",
    "kind": "model",
    "organization": "o",
    "model": "m",
    "date": "2026-01-31",
}


BAD_CARDS: dict[str, tuple[dict[str, Any], str]] = {
    "score declared": ({**CARD, "score": 99}, "unknown key 'score'"),
    "no name": ({k: v for k, v in CARD.items() if k != "name"}, "missing required key 'name'"),
    "empty name": ({**CARD, "name": " "}, "$.name"),
    "day that does not exist": ({**CARD, "date": "2026-02-30"}, "$.date"),
    "script as url": ({**CARD, "url": "javascript:alert(1)"}, "$.url"),
    "kind of its own": ({**CARD, "kind": "hero"}, "$.kind"),
    "schema of tomorrow": ({**CARD, "schema": 2}, "$.schema"),
    "price as text": ({**CARD, "price": {"input": "1", "output": 2}}, "$.price.input"),
    "price beyond all": (
        {**CARD, "price": {"input": 1, "output": 1e300}},
        "$.price.output: an amount is 0, or from 1e-12 to 1,000,000 US dollars, got 1e+300",
    ),
    "price below all": (
        {**CARD, "price": {"input": 1e-300, "output": 0}},
        "$.price.input: an amount is 0, or from 1e-12",
    ),
    "price no number": (
        {**CARD, "price": {"input": 10**400, "output": 0}},
        "holds a number too large for a double",
    ),
    "name over two lines": ({**CARD, "name": "a\nb"}, "$.name"),
    "name that turns around": ({**CARD, "name": "x \u202e1-TPG"}, "characters: U+202E"),
    "name with an escape": ({**CARD, "model": "\x1b[31mred"}, "characters: U+001B"),
    "blank name": ({**CARD, "organization": "\u3164"}, "characters: U+3164"),
}


@pytest.mark.parametrize(("card", "what"), BAD_CARDS.values(), ids=BAD_CARDS.keys())
def test_a_bad_card_is_a_message(folder: Folder, card: dict[str, Any], what: str) -> None:
    """submission.json is closed and strict: what does not belong there is named."""
    folder.submission("m1", [])
    folder.write("submissions/m1/submission.json", card)
    told = errors(folder)
    assert any(what in problem for problem in told), told


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("notes.txt", "is not part of a submission"),
        ("other.json", "is for the suite 'other'"),
        ("small.json.gz", "a second time"),
    ],
)
def test_strays_in_a_submission_are_reported(folder: Folder, name: str, what: str) -> None:
    """A submission holds its card, a README and one responses file per suite, and nothing else."""
    folder.submission("m1", [])
    folder.write(f"submissions/m1/{name}", gzip.compress(b"[]"))
    assert any(what in problem for problem in errors(folder))


def test_a_readme_has_a_limit(folder: Folder) -> None:
    """Longer ones could take seconds to render: 32 kB of "[" are read, one byte more is not."""
    folder.submission("m1", [{"id": "B001", "model_text": "a"}])
    folder.write("submissions/m1/README.md", b"[" * README_BYTES)
    assert not any("README" in problem for problem in errors(folder))
    folder.write("submissions/m1/README.md", b"[" * (README_BYTES + 1))
    assert any("README.md: is longer than 32,768 bytes" in problem for problem in errors(folder))


def test_a_card_has_a_limit(folder: Folder) -> None:
    """A long prompt is fine among its settings, a card of 128 kB and a byte is not read."""
    folder.submission("m1", [{"id": "B001", "model_text": "a"}])
    short = json.dumps({**CARD, "settings": {"prompt": "x"}})
    card = short.replace('"x"}', f'"{"x" * (CARD_BYTES - len(short) + 1)}"}}').encode()
    folder.write("submissions/m1/submission.json", card)
    assert not any("submission.json" in problem for problem in errors(folder))
    folder.write("submissions/m1/submission.json", card + b"\n")
    (told,) = [problem for problem in errors(folder) if "submission.json" in problem]
    assert "submissions/m1/submission.json: is longer than 131,072 bytes (shorten its" in told


def test_a_packed_responses_file_is_read(folder: Folder) -> None:
    """<suite>.json.gz serves as <suite>.json."""
    folder.submission("m1", [])
    (folder.root / "submissions/m1/small.json").unlink()
    records = [{"id": "B001", "model_text": "a"}]
    folder.write("submissions/m1/small.json.gz", gzip.compress(json.dumps(records).encode()))
    contents = load(folder)
    assert [] == contents.problems
    assert 1 == len(contents.records["m1", "small"])


def test_another_suites_file_is_recognised(folder: Folder) -> None:
    """If most ids of a file are those of another suite, that is the only problem.

    It counts the ids of that suite: none twice, and none that no suite has. They may be numbers.
    A single record of another suite is a problem of its own.
    """
    for path in ("suite.toml", "tools.json"):
        folder.write(f"datasets/big/{path}", (folder.root / "datasets/small" / path).read_bytes())
    folder.write(
        "datasets/big/tool_selection.json", [call_case(f"10{n}", n, "m") for n in range(9)]
    )
    folder.write("datasets/big/no_tool.json", [text_case("Y1", "x")])
    for name in ("tool_selection", "no_tool"):
        folder.write(f"prompts/big/{name}.md", judge_prompt("no_tool"))
    more = [{"id": "100", "trial": 2}, {"id": "nowhere"}]
    folder.submission("m1", [*({"id": 100 + n} for n in range(9)), *more])
    (told,) = errors(folder)
    assert "answers big, not small: 9 of its case ids belong there" in told

    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}, {"id": "100"}])
    (told,) = errors(folder)
    assert "names a case that is not in small: '100'" in told


@pytest.mark.large
def test_names_of_all_scripts_are_fine(folder: Folder) -> None:
    """Accents, joiners of Persian words and of emoji, and blanks of any width."""
    names = {
        "name": "Modèle\u00a07",
        "organization": "می\u200cخواهم",
        "model": "👩\u200d🔬 e\u0323\u0302",
    }
    folder.submission("m1", [{"id": "B001", "model_text": "a"}], **names)
    assert [problem for problem in errors(folder) if "a line" in problem] == []


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("No" + "\u0336" * 5, "more than 4 marks on one character"),
        ("\u200d", "at least one letter, digit or sign"),
        ("\ufe0f \u034f", "at least one letter, digit or sign"),
    ],
)
def test_a_name_that_covers_others_or_shows_nothing_is_refused(
    folder: Folder, name: str, what: str
) -> None:
    """Many marks on a letter cover the rows above and below. Joiners alone are no name."""
    folder.submission("m1", [{"id": "B001", "model_text": "a"}], name=name)
    (told,) = [problem for problem in errors(folder) if "$.name" in problem]
    assert what in told


def test_a_bad_id_is_named(folder: Folder) -> None:
    """Upper-case ids are refused: two ids must not differ in case alone."""
    folder.submission("M1", [])
    assert any("submissions/M1: is not a valid id" in problem for problem in errors(folder))
