"""The names under which models see tools, and tools that cannot be sent under theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from leaderboard.errors import Problem, Severity
from leaderboard.types import Case

# OpenAI, Anthropic and Gemini refuse a request with any other name.
_ACCEPTED: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def sent_name(name: str) -> str:
    """The name of a tool as models see it, because providers refuse dots."""
    return name.replace(".", "_")


def shown_name(name: str, underscored: bool) -> str:
    """The name under which a model was shown a tool."""
    return sent_name(name) if underscored else name


def find_unsendable(cases: Iterable[Case], shown: str, severity: Severity) -> Iterator[Problem]:
    """Yields a problem for each name that providers refuse, and for tools of one sent name.

    `shown` is the path of the suite's file.
    """
    reported = set()
    for offered in dict.fromkeys(map(_offered, cases)):
        for what, fix in _faults(offered):
            if what not in reported:
                yield Problem(shown, what, fix, severity=severity)
            reported.add(what)


def _offered(case: Case) -> tuple[str, ...]:
    return tuple(tool.name for tool in case.tools)


def _faults(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with the names of tools that are offered together, and how to fix it."""
    by_sent: dict[str, str] = {}
    for name in names:
        sent = sent_name(name)
        first = by_sent.setdefault(sent, name)
        if first != name:
            yield f"offers two tools that are sent as {sent!r}: {first!r}, {name!r}", "rename one"
        elif not _ACCEPTED.fullmatch(sent):
            fix = "use up to 64 letters, digits, '_', '-' and dots, which are sent as '_'"
            yield f"has a tool with a name that providers refuse: {name!r:.100}", fix
