"""BibTeX entries: fields that the board knows, and texts that cannot leave their field."""

from __future__ import annotations

import dataclasses

from leaderboard.types import UNKNOWN
from site_templates.board_index import BoardIndex, index_board
from site_templates.parts.bibtex import board_entry, submission_entry
from tests.site_templates import site_board
from tests.site_templates.rendered import small_site
from tests.site_templates.site_html import parse

BASE = "https://example.org/board/"


def index(**changes: object) -> BoardIndex:
    board = site_board.board()
    manifest = {**board.results.manifest, "digest": "0123456789abcdef" * 4}
    board = site_board.changed(board, manifest=manifest, repository=None)
    return index_board(site_board.changed(board, **changes))


def test_a_submission_is_cited_with_its_organisation_and_page() -> None:
    """The date is that of its responses, and the digest that of the board's inputs."""
    [model] = [s for s in site_board.board().submissions if s.id == "model-b"]
    card = dataclasses.replace(model.card, name="Model B", organization="Lab", date="2026-05-18")
    made = submission_entry(index(), dataclasses.replace(model, card=card), BASE)

    assert made.splitlines() == [
        "@misc{toolboard-model-b,",
        "  author = {{Lab}},",
        "  title = {{Model B on Toolboard}},",
        "  year = {2026},",
        "  url = {https://example.org/board/submissions/model-b.html},",
        "  note = {Responses of 2026-05-18, inputs sha256 0123 4567 89ab cdef},",
        "}",
    ]
    unknown = dataclasses.replace(card, organization=UNKNOWN)
    made = submission_entry(index(), dataclasses.replace(model, card=unknown), BASE)
    assert "author" not in made


def test_a_board_is_cited_without_an_author() -> None:
    """Without an address or a submission, those fields are left out."""
    newest = max(s.card.date for s in site_board.board().submissions)
    assert f"Responses of {newest}, " in board_entry(index(), BASE)
    assert "author" not in board_entry(index(), BASE)
    empty = board_entry(index(submissions=()), None)

    assert empty.splitlines() == [
        "@misc{toolboard,",
        "  title = {{Toolboard}},",
        "  note = {inputs sha256 0123 4567 89ab cdef},",
        "}",
    ]


def test_hostile_names_stay_in_their_field() -> None:
    """Braces, commands and lines of a name are text. Braces stay in pairs."""
    hostile = "A}}, year = {1999}\n@misc{x, \\input{/etc/passwd} 50 % & #1_2 $x^2$ ~"
    model = site_board.board().submissions[0]
    card = dataclasses.replace(model.card, name=hostile, organization=hostile)
    made = submission_entry(index(), dataclasses.replace(model, card=card), BASE)
    depths, depth = [], 0
    for letter in made:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        depths.append(depth)

    assert made.count("\n") == 6
    assert min(depths[5:-1]) == 1
    assert depths[-1] == 0
    assert r"\textbackslash{}input\textbraceleft{}/etc/passwd\textbraceright{}" in made
    assert r"50 \% \& \#1\_2 \$x\textasciicircum{}2\$ \textasciitilde{}" in made
    assert "1999}" not in made


def test_pages_show_the_entries() -> None:
    """The first page has that of the board, a submission's page its own."""
    for path, key in (("index.html", "toolboard"), ("submissions/model-a.html", "toolboard-model")):
        shown = [e.text for e in parse(small_site()[path]).all("pre")]
        assert [text for text in shown if text.startswith(f"@misc{{{key}")], path
