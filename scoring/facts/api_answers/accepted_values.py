"""Accepted forms and values of a fact, ready to be searched in replies and in answers over them."""

from __future__ import annotations

from calendar import day_name
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from leaderboard.facts.accepted_forms import Accepted, DateForm, NumberForm, TimeForm
from leaderboard.facts.text_forms import Form
from scoring.facts.form_search import FormSet


@dataclass(frozen=True, slots=True)
class AcceptedValues:
    """Forms, numbers and times that name the same thing. `forms` has the dates and times, too.

    `is_value`: one of them is a number, a time or a date.
    """

    forms: FormSet
    numbers: tuple[NumberForm, ...]
    times: tuple[TimeForm, ...]
    is_value: bool

    @classmethod
    def of(cls, accepted: Iterable[Accepted]) -> AcceptedValues:
        """Compiles forms. "The 17th" and "Saturday" name a date, too."""
        accepted_forms = tuple(accepted)
        return cls(
            FormSet(_form(one) for one in accepted_forms if not isinstance(one, NumberForm)),
            tuple(one for one in accepted_forms if isinstance(one, NumberForm)),
            tuple(one for one in accepted_forms if isinstance(one, TimeForm)),
            not all(isinstance(one, Form) for one in accepted_forms),
        )


def _form(accepted: Form | DateForm | TimeForm) -> Form | str:
    match accepted:
        case DateForm(day):
            return f"(d{day}/the {int(day[-2:])}th{_weekday(day)})"
        case TimeForm(time):
            return f"t{time}"
        case _:
            return accepted


def _weekday(day: str) -> str:
    """The day of the week of a date with a year, as one more alternative of a form."""
    return "" if day.startswith("--") else f"/{day_name[date.fromisoformat(day).weekday()].lower()}"
