"""Numbers with decimal commas, and times in digits, as other languages write them.

Examples are "1,5", "4.200", "1.234,50" and "20 h 43".
"""

from __future__ import annotations

import re
from typing import Final

# "412,60" and "0,675", but not "1,2,3".
_DECIMAL_COMMA: Final = re.compile(
    r"(?<=[0-9])(?<![,.][0-9])(?<![,.][0-9]{2}),(?=[0-9]{1,2}(?![0-9]|,[0-9]))"
    r"|(?<=(?<![0-9.,])0),(?=[0-9])"
)
# "1.234,50" has thousands, too, in any language.
_BOTH: Final = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]{1,2}(?![0-9]|,[0-9])")
# How other languages write thousands and more decimals.
_THOUSANDS: Final = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9.]*[0-9])")
_DECIMALS: Final = re.compile(r"(?<=[0-9]),(?=[0-9]{4})")
# Below 10 hours, "2 h 30" is rather a duration.
_CLOCK: Final = re.compile(
    r"(?<![0-9.,:])(?:(?=1|2)([0-9]{2}) ?h|([0-9]{1,2}) ?[Uu]hr) ?([0-5][0-9])(?![0-9])"
)


def with_decimal_points(text: str) -> str:
    """A text whose decimal commas are points. Its length stays.

    "412,60" becomes "412.60", and "1.234,50" becomes "1'234.50".
    """
    text = _BOTH.sub(lambda found: found[0].replace(".", "'").replace(",", "."), text)
    return _DECIMAL_COMMA.sub(".", text)


def noted_in_english(text: str) -> str:
    """A text with numbers and times as English writes them. Its length stays.

    "4.200" becomes "4'200", "412,60" becomes "412.60", and "20 h 43" becomes "20:43".
    """
    text = _THOUSANDS.sub(lambda found: found[0].replace(".", "'"), text)
    text = _DECIMALS.sub(".", with_decimal_points(text))
    return _CLOCK.sub(_digital, text)


def _digital(found: re.Match[str]) -> str:
    """A time as "20:43", with blanks in place of what is left out."""
    hour, minute = found[1] or found[2], found[3]
    return f"{hour}:{minute}".rjust(len(found[0]))
