"""The card of a submission, submission.json: its fields, checked by pydantic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from leaderboard.errors import Problem
from leaderboard.files.field_types import CLOSED, Date, Dollars, Line, WebAddress
from leaderboard.files.shaped_files import wrong_value
from leaderboard.responses.record_lists import RESPONSES_FORMAT
from leaderboard.types import Json


class PriceFile(BaseModel):
    """US dollars per million tokens.

    - `input`: of the tokens that the model reads.
    - `output`: of the tokens that it writes.
    """

    model_config = CLOSED
    input: Dollars
    output: Dollars


class SubmissionFile(BaseModel):
    """submission.json: who made the submission, and how.

    - `schema`: the version of this format.
    - `name`: the name on the board.
    - `kind`: a model that was asked directly, an agent, or a program of the board's owner.
    - `organization`: who made it.
    - `model`: the model that answered.
    - `date`: the day when the responses were made.
    - `framework`: what surrounds the model.
    - `url`: where readers find more.
    - `links`: further pages by name, such as the paper and the code.
    - `parameters`: the number of parameters, such as "7B".
    - `license`: of the model.
    - `open_weights`: whether its weights can be downloaded.
    - `contact`: whom to ask.
    - `settings`: temperature and the like.
    - `price`: for the column of costs.
    - `partial`: suites of which only the cases with a record were asked. They get no rank.
    """

    model_config = CLOSED
    schema_: Literal[1] = Field(alias="schema")
    name: Line
    kind: Literal["model", "agent", "baseline"]
    organization: Line
    model: Line
    date: Date
    framework: Line | None = None
    url: WebAddress | None = None
    links: Annotated[dict[Line, WebAddress], Field(max_length=20)] = {}
    parameters: Line | None = None
    license: Line | None = None
    open_weights: bool | None = None
    contact: Line | None = None
    settings: dict[str, Any] = {}
    price: PriceFile | None = None
    partial: list[Line] = []


CARD: Final = TypeAdapter(SubmissionFile)


def card_problems(card: Mapping[str, Json], shown: str = "") -> Iterator[Problem]:
    """Yields a problem for each of these fields of a card that `lb validate` would refuse.

    Problems name the card as `shown`, or else the options of commands: `--date`.
    """
    try:
        CARD.validate_python(card)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            name = item["loc"][0]
            if name in card:
                file, at = (shown, f"$.{name}") if shown else (f"--{name}", "")
                yield Problem(file, wrong_value(item), RESPONSES_FORMAT, at=at)
