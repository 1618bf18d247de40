"""Whether an answer is in another language."""

from __future__ import annotations

import pytest

from scoring.facts.languages import is_foreign
from scoring.facts.sentences import read_passage


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("The boat leaves at eight.", False),
        ('{"departs": "20:15", "total": 81.5}', False),
        ("Das Boot fährt um acht Uhr.", True),
        ("Le bateau est en retard et il ne part pas avec les autres.", True),
        ("ボートは八時に出ます", True),
        ("да", True),
        ("The angle α is 5 degrees.", False),
    ],
)
def test_languages(text: str, foreign: bool) -> None:
    """Small words and other scripts give a language away; bare values do not."""
    assert is_foreign(read_passage(text)) is foreign
