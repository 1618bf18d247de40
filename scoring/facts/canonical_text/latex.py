"""LaTeX in answers: styled text, fractions, and dollar signs around formulas."""

from __future__ import annotations

import re
from typing import Final

_FRACTION: Final = re.compile(r"\\[dt]?frac\{([^{}\n]{1,100})\}\{([^{}\n]{1,100})\}")
# 1\frac{1}{2} is 1 1/2.
_MIXED: Final = re.compile(r"(?<=\d)\s*(?=\\[dt]?frac\{\d+\}\{\d)")
_STYLED: Final = re.compile(r"\\(?:text|math)[a-z]{0,6}\{([^{}\n]{0,200})\}")
_SPACE: Final = re.compile(r"\\[,;:! ]|(?<=\d)\{,\}(?=\d)")
_ESCAPED: Final = re.compile(r"\\([%$&#])")
# A formula between dollar signs. It has no words but those of LaTeX: "$5 and $6" are amounts.
_FORMULA: Final = re.compile(
    r"(?<![\w$\\])(\$\$?)(?=[^\s$])((?:[^$\n\\a-zA-Z]|\\[a-zA-Z]+(?:\{[^{}$\n]{0,80}\})?"
    r"|(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z]))"
    r"{1,200})\1(?![\d$])"
)
_SIGNS: Final = re.compile(r"\$|\\(?:boxed|text|math)[a-z]{0,6}|[{}]")


def without_latex(text: str) -> str:
    """The text without the commands of LaTeX that only style it. A fraction becomes 1/2."""
    text = _FRACTION.sub(r"\1/\2", _MIXED.sub(" ", text))
    text = _STYLED.sub(r"\1", text)
    return _ESCAPED.sub(r"\1", _SPACE.sub("", text))


def blank_formula_signs(text: str) -> str:
    """The text with spaces for the signs of LaTeX in formulas, so that places stay the same."""
    if "$" not in text:
        return text
    return _FORMULA.sub(lambda found: _SIGNS.sub(_blank, found[0]), text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
