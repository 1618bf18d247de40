"""Answers that offer another value beside the right one."""

from __future__ import annotations

from scoring.facts.api_answers.open_choices import offered_beside
from scoring.facts.sentences import read_passage
from tests.each_row import each_row


@each_row(
    ("text", "right", "others", "offered"),
    [
        ("Rovers or Gulls lead.", ["gulls"], ["rovers"], "Rovers"),
        ("Gulls, Rovers or the Larks lead.", ["gulls"], ["rovers", "larks"], "Rovers"),
        ("It takes 12 or perhaps 14 minutes.", ["12"], ["14"], "14"),
        ("It takes 12 minutes or 14 minutes.", ["14"], ["12"], "12"),
        ("It takes 12 / 14 minutes.", ["12"], ["14"], "14"),
        ("The Gulls with 68 or the Rovers with 71 lead.", ["gulls"], ["rovers"], "Rovers"),
        ("The Gulls lead, the Rovers are second.", ["gulls"], ["rovers"], None),
        ("Gulls or Rovers may win.", ["gulls", "rovers"], [], None),
        ("Larks or Rovers may win.", [], ["larks", "rovers"], None),
        ("Pay 12 for one zone or 14 for two.", ["12"], ["14"], None),
        ("The Gulls or 14 others.", ["gulls"], ["14"], None),
        ("The Gulls lead. Or the Rovers?", ["gulls"], ["rovers"], None),
    ],
)
def test_offered_beside(
    text: str, right: list[str], others: list[str], offered: str | None
) -> None:
    """Only values of one kind in one list with "or" or a slash are a choice."""
    passage = read_passage(text)
    own, foreign = (
        [span for word in words for span in passage.spans_of((word,))] for words in (right, others)
    )
    found = offered_beside(passage, own, foreign)
    assert (found and passage.written(found)) == offered
