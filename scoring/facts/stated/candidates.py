"""Accepted forms and numbers of a fact, ready to be searched in a plain answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from leaderboard.fact_forms import Form
from leaderboard.facts import Accepted, DateForm, NumberForm, TimeForm
from scoring.facts.form_search import FormSet
from scoring.facts.stated.quantities import Amount, Quantity


@dataclass(frozen=True, slots=True)
class Candidates:
    """Forms and numbers that name the same kind of thing. `forms` has the dates and times, too."""

    forms: FormSet
    amounts: tuple[Amount, ...]

    @classmethod
    def of(cls, accepted: Iterable[Accepted]) -> Candidates:
        """Compiles forms."""
        forms: list[Form | str] = []
        amounts: list[Amount] = []
        for one in accepted:
            match one:
                case NumberForm():
                    amounts.append(Amount.of(one))
                case DateForm(day):
                    forms.append(f"d{day}")
                case TimeForm(time):
                    forms.append(f"t{time}")
                case _:
                    forms.append(one)
        return cls(FormSet(forms), tuple(amounts))

    def has_number(self, number: Quantity) -> bool:
        """Whether a number is one of these."""
        return any(amount.equals(number) for amount in self.amounts)
