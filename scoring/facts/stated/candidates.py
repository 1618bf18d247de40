"""Accepted forms and numbers of a fact, ready to be searched."""

from __future__ import annotations

from calendar import day_name
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from leaderboard.fact_forms import Form
from leaderboard.facts import Accepted, DateForm, NumberForm, TimeForm
from scoring.facts.form_search import FormSet
from scoring.facts.stated.quantities import Amount


@dataclass(frozen=True, slots=True)
class Candidates:
    """Forms, numbers and times that name the same kind of thing. `forms` has the times, too.

    `is_value`: one of them is a number, a time or a date.
    """

    forms: FormSet
    numbers: tuple[NumberForm, ...]
    times: tuple[TimeForm, ...]
    amounts: tuple[Amount, ...]
    is_value: bool

    @classmethod
    def of(cls, accepted: Iterable[Accepted], *, short_dates: bool = False) -> Candidates:
        """Compiles forms. With `short_dates`, "the 17th" and "Saturday" name a date, too."""
        given = tuple(accepted)
        numbers = tuple(one for one in given if isinstance(one, NumberForm))
        return cls(
            FormSet(_form(one, short_dates) for one in given if not isinstance(one, NumberForm)),
            numbers,
            tuple(one for one in given if isinstance(one, TimeForm)),
            tuple(map(Amount.of, numbers)),
            not all(isinstance(one, Form) for one in given),
        )


def _form(accepted: Form | DateForm | TimeForm, short_dates: bool) -> Form | str:
    match accepted:
        case DateForm(day) if short_dates:
            return f"(d{day}/the {int(day[-2:])}th{_weekday(day)})"
        case DateForm(day):
            return f"d{day}"
        case TimeForm(time):
            return f"t{time}"
        case _:
            return accepted


def _weekday(day: str) -> str:
    """The day of the week of a date with a year, as one more alternative of a form."""
    return "" if day.startswith("--") else f"/{day_name[date.fromisoformat(day).weekday()].lower()}"
