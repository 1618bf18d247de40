"""How pages write words and numbers: percentages, counts, digests, JSON values, visible text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from leaderboard.limits import MARKS
from leaderboard.network.secret_keys import redact_json
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.percentages import percentage
from leaderboard.texts.short_text import single_spaced

if TYPE_CHECKING:
    from leaderboard.types import Json

_JSON: Final = json.JSONEncoder(ensure_ascii=False)
NARROW: Final = "\u202f"  # thin no-break space: before % and inside nothing else
NONE: Final = "—"

# Numbers outside _LEAST.._MOST are written in powers of ten, those from _WHOLE without decimals.
_LEAST: Final = 1e-6
_WHOLE: Final = 1e6
_MOST: Final = 1e9

# Characters that change how others are read, or take no room: controls, bidi marks, zero-width and
# blank-looking letters, tag characters, lone surrogates (not encodable). Line feed and
# tab are kept, and joiners (U+200C, U+200D) inside words of scripts that need them and in emoji.
_JOINED = r"\u0600-\u109f\u1780-\u18af\u2190-\u2bff\U0001f000-\U0001faff"
_ALWAYS_HIDDEN = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    r"\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff"
)
_HIDDEN: Final = re.compile(
    rf"(?<![{_JOINED}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])|"
    rf"\r(?!\n)|[{_ALWAYS_HIDDEN}]"
)
_MOST_HIDDEN: Final = 100  # of a text, that are written out: each takes twelve bytes
_MARKS = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_STACKED: Final = re.compile(rf"([{_MARKS}]{{{MARKS}}})[{_MARKS}]+")
# One of these is in every text that the two patterns change. Few texts have any.
_SUSPECT: Final = re.compile(rf"[\r\u200c\u200d{_ALWAYS_HIDDEN}{_MARKS}]")
_WORD_START: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[_.])(?=[^\W\d_])")
_NOT_IN_XML: Final = re.compile(r"[\ufffe\uffff]")  # XML 1.0 has no code for them


def visible(text: str) -> str:
    """The text with hidden characters written out, as ⟨U+202E⟩, and at most four marks a letter.

    Of very many hidden characters, the later ones are left out, and their number is at the end.
    """
    if (text.isascii() and text.isprintable()) or not _SUSPECT.search(text):
        return text
    shown, left = _HIDDEN.subn("", _HIDDEN.sub(_code_point, text, _MOST_HIDDEN))
    if left:
        shown += f" ⟨{counted(left, 'more hidden character')}⟩"
    return _STACKED.sub(r"\1", shown)


def _code_point(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match.group()):04X}⟩"


def xml(text: str) -> str:
    """The visible text, without what XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", visible(text))


def clip(text: str, length: int) -> str:
    """The text on one line of at most `length` characters, cut between words with an ellipsis."""
    line = single_spaced(text)
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    kept = cut.rpartition(" ")[0] if line[length - 1] != " " else cut
    return (kept if 2 * len(kept) > length else cut).rstrip(" ,;:.") + "…"


def percent(share: float | None) -> str:
    """0.8194 as "81.9"; a dash where there is nothing to show."""
    return NONE if share is None else percentage(share)


def bounds(low: float | None, high: float | None) -> str:
    """An interval of shares as "79.7–84.0"; empty where there is none."""
    return "" if low is None or high is None else f"{percentage(low)}–{percentage(high)}"


def whole(share: float) -> str:
    """A share in percent without decimals. Only 0 reads "0", and only 1 reads "100"."""
    rounded = percentage(share, 0)
    if share > 0 and rounded == "0":
        return "<1"
    return ">99" if share < 1 and rounded == "100" else rounded


def whole_percent(share: float | None) -> str:
    """A share as "36 %", see `whole`."""
    return NONE if share is None else f"{whole(share)}{NARROW}%"


def exact_percent(share: float | None) -> str:
    """A share as "81.9 %", see `percent`."""
    return NONE if share is None else f"{percent(share)}{NARROW}%"


def signed(points: float) -> str:
    """A difference of shares in points, with its sign: "+2.5", "−0.4", "0.0"."""
    rounded = percentage(abs(points))
    if rounded == "0.0":
        return rounded
    return ("+" if points > 0 else "−") + rounded


def points(share: float) -> str:
    """A difference of shares in points: "5.2", "−0.4", "0.0"."""
    return signed(share).removeprefix("+")


def detectable(gap: float) -> str:
    """The smallest detectable difference in points. A few cases can detect none at all."""
    return points(gap) if gap <= 1 else "more than 100"


def p_value(p: float | None) -> str:
    """A p-value without its name: "0.043", "< 0.001"; "" if there is none."""
    if p is None:
        return ""
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def coefficient(value: float | None) -> str:
    """A coefficient between -1 and 1 with two decimals: "0.61", "−0.30", "0.00"."""
    return NONE if value is None else f"{value:z.2f}".replace("-", "−")


def number(value: float | None) -> str:
    """A number, such as US dollars or seconds, in at most a dozen characters: "1,234.50".

    A number that would round to 0 keeps two significant digits, and a million or more has no
    decimals. Very large and very small numbers read "1.2e9" and "3.4e-7".
    """
    if value is None:
        return NONE
    size = abs(value)
    if size and not _LEAST <= size < _MOST:
        mantissa, _, power = f"{value:.1e}".partition("e")
        return f"{mantissa}e{int(power)}" if power else mantissa
    if size >= _WHOLE:
        return f"{value:,.0f}"
    digits = 2
    if size and size < 10.0**-digits:
        digits = 1 - math.floor(math.log10(size))
    return f"{value:z,.{digits}f}"


def listed(words: Sequence[str]) -> str:
    """Words as prose: "a", "a and b", "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def capitalised(text: str) -> str:
    """The text with a capital at its start, as a sentence begins. Other letters stay."""
    return text[:1].upper() + text[1:]


def rank(bounds_: tuple[int, int] | None) -> str:
    """A rank or a range of ranks: "1", "2–4"."""
    if bounds_ is None:
        return ""
    low, high = bounds_
    return f"{low}" if low == high else f"{low}–{high}"


def shown(value: Json) -> str:
    """A JSON value on one line, letters as they are."""
    return str(value) if type(value) is int else _JSON.encode(value)


def arguments(by_name: Mapping[str, Json]) -> str:
    """The arguments of a call on one line: `a=1, b="x"`."""
    return ", ".join(f"{name}={shown(value)}" for name, value in by_name.items())


def values(value: Json) -> str:
    """The values of a JSON list on one line, separated by commas; anything else as it is."""
    return ", ".join(map(shown, value)) if isinstance(value, list) else shown(value)


def settings(by_name: Mapping[str, Json]) -> str:
    """Settings as one line: "temperature 0, seed 7". Keys are left out of it."""
    return ", ".join(
        f"{name} {value if isinstance(value, str) else shown(value)}"
        for name, value in sorted(redact_json(dict(by_name)).items())
    )


def digest(value: str) -> str:
    """The first 16 digits of a digest in groups of four, after the name of its algorithm if any."""
    name, colon, digits = value.rpartition(":")
    if re.fullmatch(r"[0-9a-f]{17,}", digits):
        digits = " ".join(digits[i : i + 4] for i in range(0, 16, 4))
        return f"{name} {digits}" if colon else digits
    return value


def words(identifier: str) -> str:
    """An identifier as words that a narrow column can break: "parallel function"."""
    return identifier.replace("_", " ")


@lru_cache(maxsize=4096)  # tools have few names
def breakable(name: str) -> Markup:
    """A name that may break where a word begins, as in StableToolBench or math.sum_of; escaped.

    That is at a capital after a small letter, and after "_" or "." before a letter.
    """
    return Markup("<wbr>").join(_WORD_START.split(visible(name)))
