"""Imported votes on the pages of cases."""

from __future__ import annotations

import dataclasses
import json

import pytest

from leaderboard.files.imported_votes import IMPORTED_FROM
from leaderboard.types import ImportedVote, Records
from site_templates.board import Board
from site_templates.board_index import index_board
from tests.site_templates import site_board
from tests.site_templates.data.data_formats import validate
from tests.site_templates.rendered import file_of, render
from tests.site_templates.site_hostile import EVIL, LONG
from tests.site_templates.site_html import Html, parse

SOLVED = ImportedVote("solved", "official", 0, "judge-m", "names the line", "pass/G1.json")
LIKED = ImportedVote("preferred", "preference", 0, "judge-m", "2 of 3 rounds, against x", "p.json")
LOST = ImportedVote(None, "judge", 1, None, "", "pass/G1.json")


def board(*votes: ImportedVote, source: str | None = "stabletoolbench") -> Board:
    """The small board, on which the first answer of model-a on `tools` came with votes."""
    given = site_board.board()
    sent = given.records["model-a", "tools"]
    settings = {} if source is None else {IMPORTED_FROM: source}
    submissions = tuple(
        dataclasses.replace(s, card=dataclasses.replace(s.card, settings=settings))
        if s.id == "model-a"
        else s
        for s in given.submissions
    )
    with_votes: Records = dataclasses.replace(sent, votes={0: votes})
    return dataclasses.replace(
        given, records={**given.records, ("model-a", "tools"): with_votes}, submissions=submissions
    )


def places(given: Board) -> tuple[str, str]:
    """Paths of the page and of the JSON of the case that is answered first."""
    paths = index_board(given).paths
    case_id = given.records["model-a", "tools"].responses[0].case_id
    return paths.case("tools", case_id), paths.case_data("tools", case_id)


def page(given: Board) -> Html:
    path, _ = places(given)
    return parse(file_of(given, path))


def words(found: Html) -> str:
    return " ".join(found.text.split())


@pytest.mark.large
def test_votes_are_shown_with_their_answer() -> None:
    """Each vote has its round, judge, file and reason. The page says that it is not a verdict."""
    told = words(page(board(SOLVED, LOST, LIKED)))

    assert "Votes that Model A submitted with its answer: solved, unreadable, preferred" in told
    assert "preferred, by judge-m, in p.json: 2 of 3 rounds, against x" in told
    assert (
        "Model A claims these votes of other judges, and names stabletoolbench as their source"
        in told
    )
    assert "They are not verdicts of this board, and no score uses them." in told
    assert "solved, round 1, by judge-m, official, in pass/G1.json: names the line" in told
    assert "unreadable, round 2, by a judge that the file does not name, in pass/G1.json" in told


@pytest.mark.large
def test_votes_change_no_other_page() -> None:
    """Only the case's page and JSON differ from those of the same board without votes."""
    one, other = render(board()), render(board(SOLVED))

    assert {path for path in one if one[path] != other[path]} == set(places(board()))
    assert b"Votes imported" not in one[places(board())[0]]


@pytest.mark.large
def test_votes_are_data() -> None:
    """In the case's JSON, in the published format, beside the verdict and apart from it."""
    given = board(SOLVED, LOST)
    content = file_of(given, places(given)[1])
    document = json.loads(content)
    (answer,) = [one for one in document["answers"] if "imported_votes" in one]
    validate("case", content)

    assert answer["given_by"] == {"model-a": [1]}
    assert answer["imported_votes"][0] == {
        "status": "solved",
        "by": "official",
        "round": 0,
        "judge": "judge-m",
        "reason": "names the line",
        "file": "pass/G1.json",
    }
    assert answer["imported_votes"][1]["status"] is None


@pytest.mark.large
def test_hostile_votes_are_text() -> None:
    """Markup stays text, long fields are clipped, and of many votes the first are shown."""
    votes = [ImportedVote(EVIL, EVIL, 1, LONG, LONG, LONG)] * 200
    found = page(board(*votes, source=EVIL))

    assert [s for s in found.all("script") if "src" not in s.attributes] == []
    assert found.all("img") == []
    assert found.all("iframe") == []
    assert "160 more: see this page’s JSON" in words(found)
    assert "<script>window.pwned=1</script>" in found.text
    assert len(words(found)) < 60_000


@pytest.mark.large
def test_a_card_that_does_not_say_where_from() -> None:
    """Then neither does the page."""
    shown = words(page(board(SOLVED, source=None)))
    assert "Model A claims these votes of other judges. They" in shown
