"""A submission's name in a table, with the notes below it."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.types import UNKNOWN, Submission
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.distinct_names import WHOLE_NAME
from site_templates.markdown import first_sentence

_NOTE = 120  # characters of a note below a name


@dataclass(frozen=True, slots=True)
class Name:
    """A submission with the notes below its name. `weights` is open, closed, or any.

    `whole` is the name on the card, if the label is another text.
    """

    label: str
    whole: str
    path: str
    notes: tuple[str, ...]
    kind: str
    weights: str
    framework: str


def name_of(index: BoardIndex, submission: Submission) -> Name:
    """The name, and below it who made the submission, or what a baseline does."""
    card = submission.card
    if submission.is_baseline:
        weights = "any"
        notes = [first_sentence(submission.readme or "", _NOTE) or card.organization]
    else:
        weights = "open" if card.open_weights else "closed"
        organization = "" if card.organization == UNKNOWN else card.organization
        open_weights = "open weights" if card.open_weights else ""
        framework = f"framework: {card.framework}" if card.framework else ""
        notes = [organization, card.kind, framework, open_weights]
    label = index.names.of(submission.id)
    whole = formatting.clip(formatting.visible(card.name), WHOLE_NAME)
    return Name(
        label=label,
        whole="" if whole == label else whole,
        path=index.paths.submission(submission.id),
        notes=tuple(formatting.clip(note, _NOTE) for note in notes if note),
        kind=card.kind,
        weights=weights,
        framework=formatting.clip(card.framework or "", _NOTE),
    )
