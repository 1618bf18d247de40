"""The card of a submission that a run writes, and the answers beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from leaderboard.mappings import without_none
from leaderboard.types import Json, Price, Suite
from runners.submission_writer import Written, declare_part, existing_card, write_submission


@dataclass(frozen=True, slots=True)
class CardChoice:
    """What the user wants on the card; None keeps what is there, or a default."""

    name: str | None = None
    organization: str | None = None
    date: str | None = None
    price: Price | None = None


class RunCard(NamedTuple):
    """What a run says on the card of its submission.

    `origin` is the key of `settings` that names who answers. `default` has the fields of a new
    card. `suite_settings` decide the answers to one suite. `readme` is that of a new submission.
    """

    origin: str
    default: Mapping[str, Json]
    settings: Mapping[str, Json]
    suite_settings: Mapping[str, Json]
    readme: str


def write_answers(
    root: Path,
    submission_id: str,
    suite: Suite,
    records: Sequence[Mapping[str, Json]],
    *,
    card: RunCard,
    choice: CardChoice,
) -> Written:
    """Writes the answers to one suite, and the card. Raises FilesError.

    The choice of the user replaces what an existing card says, which replaces the default.
    """
    existing = existing_card(root, submission_id)
    before: Mapping[str, Json] = existing.get("settings") or {}
    suites = {**before.get("suites", {}), suite.id: card.suite_settings}
    chosen = without_none(asdict(choice))
    fields: dict[str, Json] = {"schema": 1, **card.default, **existing, **chosen}
    fields["settings"] = {**before, **card.settings, "suites": suites}
    declare_part(fields, suite.id, whole=answers_all(suite, records))
    return write_submission(
        root,
        submission_id,
        fields,
        {suite.id: records},
        origin=card.origin,
        readme=None if existing else card.readme,
    )


def answers_all(suite: Suite, records: Sequence[Mapping[str, Json]]) -> bool:
    """Whether every case of the suite has a record."""
    return suite.by_id.keys() <= {record["id"] for record in records}
