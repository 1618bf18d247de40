"""Finds arguments in a request with patterns: dates, times, places, units, quoted words, addresses.

No model, no calendar of today, no atlas: what is not written in the request (or in the small tables here) is not found.
Every finder takes the request's text and gives a JSON value, or None.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from leaderboard.types import Json

Finder = Callable[[str], Json | None]

# ---------------------------------------------------------------- numbers

NUMBER_WORDS: Final = MappingProxyType(
    {
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "eleven": 11,
        "twelve": 12,
    }
)
# At most 18 digits: nobody asks with more, and Python refuses to read numbers of thousands.
NUMBER: Final = r"(?<![\w.])[-+−]?\d{1,18}(?!\d)(?:,\d{3}){0,5}(?:\.\d{1,18})?"
_COUNT: Final = r"\d{1,4}|" + "|".join(NUMBER_WORDS)


def number_of(text: str) -> int | float:
    """The number that text in the form of NUMBER writes: an int unless it has a decimal point."""
    plain = text.replace(",", "").replace("−", "-")
    return float(plain) if "." in plain else int(plain)


def numbers(text: str) -> tuple[int | float, ...]:
    """All numbers written in digits, in order; those inside dates and times are left out."""
    return tuple(number_of(found.group()) for found in re.finditer(NUMBER, _without_moments(text)))


def first_number(text: str) -> int | float | None:
    """The first number written in digits."""
    return next(iter(numbers(text)), None)


def _count(text: str) -> int:
    return NUMBER_WORDS.get(text.lower()) or int(text)


def guests(text: str) -> int | None:
    """How many people: "2 guests", "for two adults", "four of us"."""
    kinds = r"(?:guests?|people|persons?|adults?|travell?ers?|visitors?|of us)"
    found = re.search(rf"\b({_COUNT})\s+{kinds}\b", text, re.IGNORECASE)
    return _count(found.group(1)) if found else None


# ---------------------------------------------------------------- dates and times

_MONTHS: Final = MappingProxyType(
    {
        name: n
        for n, names in enumerate(
            (
                "january jan",
                "february feb",
                "march mar",
                "april apr",
                "may",
                "june jun",
                "july jul",
                "august aug",
                "september sept sep",
                "october oct",
                "november nov",
                "december dec",
            ),
            start=1,
        )
        for name in names.split()
    }
)
_MONTH: Final = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_LAST: Final = r"(?:\s*(?:to|until|till|through|-|–)\s*(?P<last>\d{1,2})(?:st|nd|rd|th)?\b)?"
_YEAR: Final = r"(?:,?\s+(?P<year>\d{4}))?\b"
_DATE_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)",
        rf"\b{_DAY}{_LAST}(?:\s+of)?\s+{_MONTH}{_YEAR}",
        rf"\b{_MONTH}\s+{_DAY}{_LAST}(?!\d){_YEAR}",
    )
)


@dataclass(frozen=True, slots=True)
class Day:
    """A day as written, with its place in the text; the year may be missing and the day may not exist."""

    start: int
    end: int
    year: int | None
    month: int
    day: int

    def iso(self, year: int | None = None) -> str | None:
        """YYYY-MM-DD, or None when no year is known or there is no such day."""
        try:
            return datetime.date(self.year or year or 0, self.month, self.day).isoformat()
        except ValueError:
            return None


def days(text: str) -> tuple[Day, ...]:
    """Every day the text names, in order: ISO dates, "14 March 2026", "March 14th, 2026", "3 to 7 June 2026"."""
    found: list[Day] = []
    for form in _DATE_FORMS:
        for match in form.finditer(text):
            if not any(day.start < match.end() and match.start() < day.end for day in found):
                found.extend(_days_of(match))
    return tuple(sorted(found, key=lambda day: (day.start, day.end)))


def _days_of(match: re.Match[str]) -> Iterator[Day]:
    parts = match.groupdict()
    month = _MONTHS.get(parts["month"].lower()) or int(parts["month"])
    year = int(parts["year"]) if parts["year"] else None
    yield Day(match.start(), match.end(), year, month, int(parts["day"]))
    if parts.get("last"):
        yield Day(match.end(), match.end(), year, month, int(parts["last"]))


def dates(text: str) -> tuple[str, ...]:
    """The days of the text as YYYY-MM-DD; a day without a year takes the one written nearest after it, else before it.

    Empty as soon as one of them has no year at all or does not exist: then nobody can say what is meant.
    """
    named = days(text)
    result: list[str] = []
    for index, day in enumerate(named):
        years = [other.year for other in (*named[index:], *reversed(named[:index])) if other.year]
        iso = day.iso(years[0] if years else None)
        if iso is None:
            return ()
        result.append(iso)
    return tuple(result)


def date(text: str) -> str | None:
    """The first day of the text, YYYY-MM-DD."""
    return next(iter(dates(text)), None)


def last_date(text: str) -> str | None:
    """The second day of the text, or the first one plus "N nights"."""
    named = dates(text)
    if len(named) > 1:
        return named[1]
    nights = re.search(rf"\b({_COUNT})[\s-]+nights?\b", text, re.IGNORECASE)
    if not named or not nights:
        return None
    try:
        return (
            datetime.date.fromisoformat(named[0]) + datetime.timedelta(days=_count(nights.group(1)))
        ).isoformat()
    except OverflowError:
        return None


_TIME: Final = re.compile(
    r"(?<![\d:])(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?(?::\d{2})?\s*(?P<half>[ap]\.?m\b\.?)?(?![\d:])|\b(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)


def time(text: str) -> str | None:
    """The first time of day, HH:MM on a 24-hour clock: "14:30", "3 pm", "7:05 a.m.", "noon"."""
    found = next(iter(_times(text)), None)
    return _clock(found) if found else None


def _times(text: str) -> Iterator[re.Match[str]]:
    for found in _TIME.finditer(text):
        if found["word"] or found["minute"] or found["half"]:
            yield found


def _clock(found: re.Match[str]) -> str | None:
    if found["word"]:
        return "00:00" if found["word"].lower() == "midnight" else "12:00"
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"].lower().startswith("p") else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def moment(text: str) -> str | None:
    """Day and time as YYYY-MM-DDTHH:MM; both must be written."""
    day, clock = date(text), time(_without_days(text).replace("T", " "))
    return f"{day}T{clock}" if day and clock else None


def _without_days(text: str) -> str:
    spans = [(day.start, day.end) for day in days(text)]
    return _without(text, spans)


def _without_moments(text: str) -> str:
    bare = _without_days(text)
    return _without(bare, [found.span() for found in _times(bare)])


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]} {text[end:]}" if end > start else text
    return text


# ---------------------------------------------------------------- quoted words, addresses, names

_LANGUAGES: Final = (
    "arabic|bengali|bulgarian|catalan|chinese|croatian|czech|danish|dutch|english|estonian|finnish|french|german|greek|"
    "hebrew|hindi|hungarian|icelandic|indonesian|irish|italian|japanese|korean|latin|latvian|lithuanian|malay|mandarin|"
    "norwegian|persian|polish|portuguese|romanian|russian|serbian|slovak|slovenian|spanish|swahili|swedish|tamil|thai|"
    "turkish|ukrainian|urdu|vietnamese|welsh"
)
_LANGUAGE: Final = rf"({_LANGUAGES})\b"

_QUOTED: Final = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|«\s*([^»]+?)\s*»|‘([^’]+)’|(?<!\w)'([^']+(?:'\w[^']*)*)'(?!\w)"
)
_CAPITAL: Final = "A-ZÀ-ÖØ-ÞĆČĐŁŃŚŠŹŻŽİŐŰ"
_NAME: Final = rf"(?:St\.|[{_CAPITAL}][\w’'-]*)"
_LINK: Final = r"(?:of|de|del|della|di|da|du|la|le|am|an|der|den|upon|sur|the|and)"
PLACE: Final = rf"{_NAME}(?:\s+(?:{_LINK}\s+){{0,2}}{_NAME})*(?:,\s*{_NAME}(?:\s+{_NAME})*)?"
_NOT_PLACES: Final = re.compile(
    rf"(?:I|I'm|I've|I'll|{'|'.join(_MONTHS)}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_LANGUAGES})$",
    re.IGNORECASE,
)


def quoted(text: str) -> tuple[str, ...]:
    """What stands in quotation marks, in order, without them."""
    return tuple(next(part for part in found if part) for found in _QUOTED.findall(text))


def email(text: str) -> str | None:
    """The first e-mail address."""
    found = re.search(r"(?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+", text)
    return found.group() if found else None


def names(text: str) -> tuple[str, ...]:
    """Runs of capitalised words, in order; the word that opens a sentence has its capital from there and is left out."""
    return tuple(name for run in _runs(text) if not _NOT_PLACES.match(name := _bare(run)))


def _runs(text: str) -> Iterator[str]:
    for found in re.finditer(rf"(?<![\w’'-]){PLACE}", text):
        run = found.group()
        if _opens_sentence(text, found.start()):
            run = run.partition(" ")[2]
        if run[:1].isupper():
            yield run


def _opens_sentence(text: str, start: int) -> bool:
    return not text[:start].strip() or text[:start].rstrip().endswith((".", "?", "!", ":"))


def _bare(name: str) -> str:
    return re.sub(r"[’']s?$", "", name.strip())


def _place_after(words: str, text: str) -> str | None:
    """The first place after one of the words, which are a pattern."""
    for found in re.finditer(rf"\b(?i:{words})\s+(?:the\s+)?({PLACE})", text):
        name = _bare(found.group(1))
        if not _NOT_PLACES.match(name):
            return name
    return None


def location(text: str) -> str | None:
    """A place: after "in", "near", "around", "at", else after "for", "of", "to", else a possessive ("Oslo's weather")."""
    near = _place_after("in|near|around|at|close to|within|over", text) or _place_after(
        "for|of|to|from", text
    )
    if near:
        return near
    return next((_bare(run) for run in _runs(text) if run.endswith(("'s", "’s"))), None)


def _clause(pattern: str, text: str) -> str | None:
    """The first group of the pattern, ignoring case, without blanks and punctuation around it."""
    found = re.search(pattern, text, re.IGNORECASE)
    return (found.group(1).strip(" \t\n,.;:!?\"'“”‘’«»") or None) if found else None


# ---------------------------------------------------------------- one finder per kind of argument

_CUISINES: Final = (
    "american|argentinian|asian|brazilian|british|caribbean|chinese|cuban|ethiopian|french|fusion|georgian|german|greek|"
    "indian|indonesian|irish|italian|jamaican|japanese|korean|lebanese|mediterranean|mexican|moroccan|nepalese|persian|"
    "peruvian|polish|portuguese|russian|spanish|swedish|thai|tibetan|turkish|vietnamese|"
    "barbecue|burgers?|kosher|halal|pizza|ramen|seafood|steak|sushi|tapas|vegan|vegetarian"
)

# Cities whose time zone the router knows; any other zone has to be written out.
_ZONES: Final = MappingProxyType(
    {
        "amsterdam": "Europe/Amsterdam",
        "athens": "Europe/Athens",
        "auckland": "Pacific/Auckland",
        "bangkok": "Asia/Bangkok",
        "beijing": "Asia/Shanghai",
        "berlin": "Europe/Berlin",
        "cairo": "Africa/Cairo",
        "chicago": "America/Chicago",
        "delhi": "Asia/Kolkata",
        "dubai": "Asia/Dubai",
        "hong kong": "Asia/Hong_Kong",
        "istanbul": "Europe/Istanbul",
        "johannesburg": "Africa/Johannesburg",
        "london": "Europe/London",
        "los angeles": "America/Los_Angeles",
        "madrid": "Europe/Madrid",
        "mexico city": "America/Mexico_City",
        "moscow": "Europe/Moscow",
        "mumbai": "Asia/Kolkata",
        "nairobi": "Africa/Nairobi",
        "new york": "America/New_York",
        "paris": "Europe/Paris",
        "rome": "Europe/Rome",
        "são paulo": "America/Sao_Paulo",
        "seoul": "Asia/Seoul",
        "shanghai": "Asia/Shanghai",
        "singapore": "Asia/Singapore",
        "sydney": "Australia/Sydney",
        "tokyo": "Asia/Tokyo",
        "toronto": "America/Toronto",
        "vienna": "Europe/Vienna",
    }
)

_TICKERS: Final = MappingProxyType(
    {
        "alphabet": "GOOGL",
        "amazon": "AMZN",
        "apple": "AAPL",
        "boeing": "BA",
        "coca-cola": "KO",
        "disney": "DIS",
        "google": "GOOGL",
        "ibm": "IBM",
        "intel": "INTC",
        "meta": "META",
        "microsoft": "MSFT",
        "netflix": "NFLX",
        "nvidia": "NVDA",
        "tesla": "TSLA",
        "walmart": "WMT",
    }
)
_NOT_TICKERS: Final = frozenset(
    (
        "AI",
        "AM",
        "CEO",
        "CET",
        "EST",
        "ETF",
        "EU",
        "EUR",
        "GBP",
        "GMT",
        "IPO",
        "NYSE",
        "OK",
        "PM",
        "PST",
        "UK",
        "US",
        "USA",
        "USD",
        "UTC",
    )
)

_MODES: Final = MappingProxyType(
    {
        "walking": r"walk(?:ing)?|(?:on|by) foot",
        "cycling": r"cycl(?:e|ing)|bikes?|biking|bicycle",
        "transit": r"transit|public transport(?:ation)?|bus|tram|train|metro|subway|underground",
        "driving": r"driv(?:e|ing)|(?:by|my) car",
    }
)
_PRICES: Final = MappingProxyType(
    {
        "cheap": r"cheap|inexpensive|affordable|budget|low-cost",
        "moderate": r"moderate(?:ly priced)?|mid-?range|mid-priced",
        "expensive": r"expensive|fancy|upscale|luxur(?:y|ious)|high-end|fine dining",
    }
)


def language(text: str) -> str | None:
    """A language: after "to", "into" or "in", else the first one named. Capitalised."""
    named = _clause(rf"\b(?:to|into|in)\s+{_LANGUAGE}", text) or _clause(rf"\b{_LANGUAGE}", text)
    return named.capitalize() if named else None


def language_wanted(text: str) -> str | None:
    """A language after "in", as for headlines: "in Dutch"."""
    named = _clause(rf"\bin\s+{_LANGUAGE}", text) or _clause(rf"\b{_LANGUAGE}[\s-]+language", text)
    return named.capitalize() if named else None


def text_to_translate(text: str) -> str | None:
    """The words to translate: quoted, or between "translate" (or "say") and the language."""
    marked = quoted(text)
    if marked:
        return marked[0]
    return _clause(
        rf"\b(?:translate|say|write)\s+(.+?)\s+(?:to|into|in)\s+{_LANGUAGE}", text
    ) or _clause(rf"\b(?:{_LANGUAGES})\s+(?:words?\s+)?for\s+(.+)", text)


def timezone(text: str) -> str | None:
    """A time zone by its IANA name, or that of a large city named in the text."""
    areas = "Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc"
    found = re.search(rf"\b(?:{areas})/[A-Z][\w+-]*(?:/[A-Z]\w*)?", text)
    if found:
        return found.group()
    if re.search(r"\bUTC\b", text):
        return "UTC"
    cities = [
        (at.start(), zone)
        for city, zone in _ZONES.items()
        if (at := re.search(rf"\b{city}\b", text, re.IGNORECASE))
    ]
    return min(cities)[1] if cities else None


_STOP: Final = (
    r"(?=\s+(?:by|on|via|using|with|for|and|at|please|right now|now|today|if|when)\b|[,.?!;]|$)"
)


def trip(text: str) -> tuple[str, str] | None:
    """Start and end: "from X to Y", "between X and Y", "to Y from X"."""
    for pattern, order in (
        (rf"\b(?i:from)\s+({PLACE})\s+(?:to|until)\s+(?:the\s+)?({PLACE})", 1),
        (rf"\b(?i:between)\s+(?:the\s+)?({_NAME}(?:\s+{_NAME})*)\s+and\s+(?:the\s+)?({PLACE})", 1),
        (rf"\b(?i:to)\s+(?:the\s+)?({PLACE})\s+from\s+(?:the\s+)?({PLACE})", -1),
        (rf"\b(?i:from)\s+(.+?)\s+to\s+(.+?){_STOP}", 1),
        (rf"\b(?i:between)\s+(.+?)\s+and\s+(.+?){_STOP}", 1),
        (rf"\b(?i:to)\s+((?:the\s+)?\w+(?:\s+\w+)?)\s+from\s+(.+?){_STOP}", -1),
    ):
        found = re.search(pattern, text)
        if found:
            start, end = (_bare(part) for part in found.groups()[::order])
            return start, end
    return None


def start_location(text: str) -> str | None:
    """Where a trip begins."""
    ends = trip(text)
    return ends[0] if ends else _place_after("from", text)


def end_location(text: str) -> str | None:
    """Where a trip ends."""
    ends = trip(text)
    return ends[1] if ends else _place_after("to", text)


def road(text: str) -> str | None:
    """A road by its name ("M25", "Highway 1"), else the trip as "X to Y", else the place after "on"."""
    found = re.search(
        r"\b(?:[A-Z]{1,3}-?\d{1,4}|(?:Highway|Route|Interstate|Autobahn)\s+[A-Z]?\d{1,4})\b", text
    )
    if found:
        return found.group()
    ends = trip(text)
    return " to ".join(ends) if ends else _place_after("on|along|across", text)


def _named(table: Mapping[str, str], text: str) -> str | None:
    return next(
        (
            name
            for name, pattern in table.items()
            if re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
        ),
        None,
    )


def transport_mode(text: str) -> str | None:
    """driving, walking, cycling or transit."""
    return _named(_MODES, text)


def price_range(text: str) -> str | None:
    """cheap, moderate or expensive."""
    return _named(_PRICES, text)


def cuisine(text: str) -> str | None:
    """A kind of food, capitalised where it is written so."""
    found = re.search(rf"\b(?:{_CUISINES})\b", text, re.IGNORECASE)
    return found.group() if found else None


def symbol(text: str) -> str | None:
    """A ticker: after "$" or "ticker", else capitals that are no common abbreviation, else that of a well-known company."""
    marked = re.search(
        r"(?:\$|\b(?i:ticker|symbol)(?:\s+(?i:symbol))?\s+)([A-Z]{1,5}(?:\.[A-Z])?)\b", text
    )
    if marked:
        return marked.group(1)
    plain = [
        word for word in re.findall(r"\b[A-Z]{2,5}(?:\.[A-Z])?\b", text) if word not in _NOT_TICKERS
    ]
    if plain:
        return str(plain[0])
    company = re.search(rf"\b(?:{'|'.join(_TICKERS)})\b", text, re.IGNORECASE)
    return _TICKERS[company.group().lower()] if company else None


def subject(text: str) -> str | None:
    """An e-mail's subject: what follows the word, quoted or up to the next clause."""
    found = re.search(r"\bsubject(?:\s+line)?[\s:]*", text, re.IGNORECASE)
    if not found:
        return None
    rest = text[found.end() :].removeprefix("is ")
    marked = _QUOTED.match(rest)
    return (
        quoted(rest)[0]
        if marked
        else _clause(r"(.+?)(?:,|\.|;|\band\b|\bsaying\b|\bwith\b|$)", rest)
    )


def message(text: str) -> str | None:
    """An e-mail's body: the quotation that is not the subject, else what follows "saying" or "tell them"."""
    title = subject(text)
    marked = [part for part in quoted(text) if part != title]
    if marked:
        return marked[-1]
    opening = r"(?:say(?:s|ing)?|that reads|message|body|text|tell(?:ing)?\s+(?:her|him|them))(?:\s+is)?:?"
    return _clause(rf"\b{opening}\s+(?:that\s+)?(.+)", text)


def topic(text: str) -> str | None:
    """What headlines are about."""
    opening = r"(?:about|on|regarding|concerning|covering|related to)"
    found = _clause(rf"\b{opening}\s+(?:the\s+)?(.+?)(?:\s+in\s+{_LANGUAGE}|[.?!,;]|$)", text)
    if found:
        return found
    before = _clause(r"\b([\w-]+(?:\s[\w-]+)?)\s+(?:news|headlines)\b", text)
    words = [word for word in (before or "").split() if word.lower() not in _NO_TOPIC]
    return " ".join(words) or None


_NO_TOPIC: Final = frozenset(
    """
    a all any current day for get give in is latest list me most my new newest news of read recent show some the today's top
    what what's
    """.split()  # noqa: SIM905 - prose reads better than thirty quoted words
)

_UNIT: Final = r"(?:°\s?)?[A-Za-zµ²³/][\w²³/]*"
_NO_UNIT: Final = r"(?:to|into|in|is|are|equals?|makes?|as|please|for|do|does|and|have|has|there)\b"
_UNITS: Final = rf"{_UNIT}(?:\s+(?!{_NO_UNIT}){_UNIT}){{0,2}}"


def from_unit(text: str) -> str | None:
    """The unit right after the first number."""
    found = re.search(rf"{NUMBER}\s*({_UNITS})", text)
    return _unit(found.group(1)) if found else None


def to_unit(text: str) -> str | None:
    """The unit after "to", "into" or "in", or after "how many"."""
    found = re.search(rf"\bhow (?:many|much)\s+({_UNITS})", text, re.IGNORECASE) or re.search(
        rf"\b(?:to|into|in|as)\s+({_UNITS})", text, re.IGNORECASE
    )
    return _unit(found.group(1)) if found else None


def _unit(text: str) -> str:
    return re.sub(r"^degrees?\s+", "", text.strip(), flags=re.IGNORECASE)


def event(text: str) -> str | None:
    """What to be reminded of: what follows "remind me to", without day and time."""
    found = _clause(
        r"\bremind(?:er)?\b(?:\s+me\b)?+(?:\s+(?:to|about|of|for|that))?\s+(.+)",
        _without_moments(text),
    )
    if not found:
        return None
    trimmed = re.sub(
        r"^(?:(?:on|at|for|by)\b\W*)+(?:(?:to|about|of|that)\s+)?|(?:\W+(?:on|at|for|by|and|the))+$",
        "",
        found,
    )
    return re.sub(r"\s+(?:on|at)(?=\s+(?:on|at|to)\b)|\s{2,}", " ", trimmed).strip(" ,") or None


def problem(text: str) -> str | None:
    """A calculation: the request without its opening words and its closing mark."""
    opening = r"(?:solve|calculate|compute|evaluate|work out|what(?:'s| is)|find)"
    return _clause(rf"^(?:(?:please|can you|could you)\s+)*{opening}?\s*:?\s*(.+)", text)


def word(text: str) -> str | None:
    """The word to look up: quoted, or where a question for a meaning has it."""
    marked = quoted(text)
    if marked:
        return marked[0]
    kind = r"(?:the\s+)?(?:(?:word|term|expression|phrase)\s+)?"
    return _clause(rf"\bwhat\s+(?:does|do|is)\s+{kind}(.+?)\s+mean\b", text) or _clause(
        rf"\b(?:meaning of|definition of|definition for|define|look up)\s+{kind}(.+?)(?:[.?!,;]|$)",
        text,
    )


# The finders by the name of the parameter they fill; whatever tool has a parameter of that name.
FINDERS: Final[Mapping[str, Finder]] = MappingProxyType(
    {
        "location": location,
        "city": location,
        "timezone": timezone,
        "text": text_to_translate,
        "target_language": language,
        "start_location": start_location,
        "end_location": end_location,
        "transport_mode": transport_mode,
        "check_in_date": date,
        "check_out_date": last_date,
        "guests": guests,
        "symbol": symbol,
        "recipient": email,
        "subject": subject,
        "message": message,
        "topic": topic,
        "language": language_wanted,
        "value": first_number,
        "from_unit": from_unit,
        "to_unit": to_unit,
        "event": event,
        "datetime": moment,
        "cuisine_type": cuisine,
        "price_range": price_range,
        "date": date,
        "problem": problem,
        "word": word,
        "route": road,
    }
)
