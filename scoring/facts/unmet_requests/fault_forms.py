"""How the fault of a case may be named: the forms of its type, with what the case gives."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from leaderboard.facts.fault_types import Fault
from scoring.facts.form_search import FormSet
from scoring.facts.phrase_tables import form_set, listed
from scoring.facts.toml_tables import phrases, read_table

_TABLE: Final = read_table("unmet_requests/faults.toml")
_TYPES: Final[Mapping[str, Any]] = _TABLE["faults"]
_COMMON_YEAR: Final = 2027
_LEAP_YEAR: Final = 2028
_WORKS: Final = phrases(_TABLE["fiction"]["works"])
_WEEKDAYS: Final = [name.lower() for name in calendar.day_name]
_NO_SUCH_DAY: Final = "no_such_day"
# The lists of forms in the table of a type. Gaps in forms of the first ones cross no comma.
_TIGHT: Final = ("about", "absent", "invalid", "wrong", "others")
_FORMS: Final = (*_TIGHT, "reasons", "false")

# Reasons that name one type of fault in any case.
SIGNS: Final = {name: form_set(table.get("signs", "")) for name, table in _TYPES.items()}


def _names_of_faults() -> FormSet:
    """Everything that names a fault of any type without details of a case."""
    parts: list[Mapping[str, Any]] = []
    for table in _TYPES.values():
        parts += [table, *(part for part in table.values() if isinstance(part, Mapping))]
    names = ("reasons", "signs", "others", "wrong")
    texts = [part.get(name, "") for part in parts for name in names]
    return FormSet(chain.from_iterable(map(listed, texts)))


ANY_FAULT: Final = _names_of_faults()


@dataclass(frozen=True, slots=True)
class FaultForms:
    """How the fault of a case may be named.

    - `label` completes "It does not say that …".
    - `reasons` name it, in a sentence with one of `about` if there are any.
    - A denial names it if it speaks of `absent` or `invalid`.
    - `wrong` are wrong reasons, and `others` are other faults. A right reason outweighs them.
    - `false` contradicts the request or the calendar.
    - `kinds`: the words of all these forms, which say what kinds of things the fault is about.
    - `named`: a name is at fault, which the speaker may not know.
    - `day`: the day at fault. `month`: its month, as "06". What is said about another day of the
      request, or about another month, is about another fault.
    """

    label: str
    reasons: FormSet
    about: FormSet
    absent: FormSet
    invalid: FormSet
    wrong: FormSet
    others: FormSet
    false: FormSet
    kinds: frozenset[str]
    named: bool
    day: FormSet
    month: str


@lru_cache(maxsize=1024)
def forms_of(fault: Fault) -> FaultForms:
    """The forms of a fault. They are compiled once."""
    table = _TYPES[fault.type]
    tables = [table, *(table[part] for part in _parts(fault.type, fault.details))]
    lists = _lists(fault.type, fault.details)
    forms = {
        name: [form for one in tables for form in listed(one.get(name, ""), lists)]
        for name in _FORMS
    }
    naming = [*fault.accepts, *forms["reasons"], *forms["absent"], *forms["invalid"]]
    own = chain((form.text for form in naming), *lists.values())
    tight = {name: FormSet(forms[name], tight=True) for name in _TIGHT}
    return FaultForms(
        **tight,
        label=_label(table["label"], lists),
        reasons=FormSet([*fault.accepts, *forms["reasons"]]),
        false=FormSet([*fault.excludes, *forms["false"]], tight=True),
        kinds=frozenset(re.findall(r"\w+", " ".join(own))),
        named="name" in fault.details,
        day=_day_at_fault(fault.type, lists),
        month=fault.details["day"].split("-")[-2] if fault.type == _NO_SUCH_DAY else "",
    )


def _label(label: str, lists: Mapping[str, Sequence[str]]) -> str:
    """The label of a type of fault, with what the case gives in place of its braces."""
    shown = {name: values[0].rstrip("*") for name, values in lists.items()}
    if "weekday" in shown:
        shown["weekday"] = shown["weekday"].capitalize()
    return label.format_map(shown)


def _day_at_fault(type_: str, lists: Mapping[str, Sequence[str]]) -> FormSet:
    return FormSet([*lists["date"], *lists.get("month", ())] if type_ == _NO_SUCH_DAY else ())


def _parts(type_: str, details: Mapping[str, Any]) -> Sequence[str]:
    """The parts of the type's table that this case is about."""
    match type_:
        case "no_such_day":
            return [_part_of_day(details["day"])]
        case "no_such_time":
            return ["hour" if int(details["time"].split(":")[0]) > 23 else "minute"]
        case "bad_count" if details["count"] < 0:
            return ["negative"]
        case "bad_count":
            return ["fraction" if details["count"] % 1 else "zero"]
        case _:
            return tuple(details.get("why", ()))


def _part_of_day(day: str) -> str:
    _, month, number = day.rsplit("-", 2)
    if not 1 <= int(month) <= 12:
        return "wrong_month"
    if int(number) == 0:
        return "day_zero"
    return "leap_day" if (month, number) == ("02", "29") else "short_month"


# ---------------------------------------------------------------- the words in braces


def _lists(type_: str, details: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """What the words in braces stand for: what the case gives, and what follows from it."""
    lists: dict[str, Sequence[str]] = {
        name: value if isinstance(value, list) else [str(value)] for name, value in details.items()
    }
    if "day" in details:
        lists |= _lists_of_day(details["day"])
    if type_ == "no_such_time":
        hour, minute = details["time"].split(":")
        lists["number"] = _counted(int(hour if int(hour) > 23 else minute))
    if "count" in details:
        lists["count"] = [str(details["count"]), f"minus {abs(details['count'])}"]
    if "source" in details:
        own = " ".join((*details["source"], *details["name"]))
        lists["other_work"] = [work for work in _WORKS if work not in own]
    if "weekday" in details:
        known = (*details["weekday"], *details["given"])
        lists["other_weekday"] = [day for day in _WEEKDAYS if day not in known]
    return lists


def _lists_of_day(day: str) -> dict[str, Sequence[str]]:
    year, month, number = day.rsplit("-", 2)
    year = year.strip("-")
    lists: dict[str, Sequence[str]] = {
        "date": [day],
        "year": [year],
        "number": _counted(int(number)),
        "ordinal": [f"{int(number)}th"],
    }
    if 1 <= int(month) <= 12:
        name = calendar.month_name[int(month)]
        ends = [calendar.monthrange(year, int(month))[1] for year in (_COMMON_YEAR, _LEAP_YEAR)]
        last = [ends[0], *(end for end in ends[1:] if ends[0] < end < int(number))]
        others = [other for other in range(27, 32) if other not in (*last, int(number))]
        lists["date"] = [f"{int(number)} {name} {year}"]
        lists["month"] = [name]
        lists["last"] = [text for one in last for text in _counted(one)]
        lists["not_last"] = [text for other in others for text in _counted(other)]
    return lists


def _counted(number: int) -> list[str]:
    return [str(number), f"{number}th"]
